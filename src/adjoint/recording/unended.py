"""Generators that do something when they are closed, and have not come to their end when a recording is over."""

from __future__ import annotations

import contextlib
import gc
import threading
import types
import weakref
from typing import Any

from ..errors import AdjointError
from ..rules.registry import non_differentiable


class _Open(threading.local):
    generators: list[weakref.ref[Any]] | None = None


_open = _Open()


def begin_open() -> Any:
    """Begin with none; gives those of an outer recording."""
    outer, _open.generators = _open.generators, []
    return outer


def note_open(generator: Any) -> None:
    """Note a generator that does something when it is closed."""
    if _open.generators is not None:
        _open.generators.append(weakref.ref(generator))


def end_open(outer: Any, outcome: Any, refused: bool) -> AdjointError | None:
    """Go back to those of the outer recording; gives the refusal of one that does something too late.

    What is alive now, and held neither by `outcome` (what the call gave and was given) nor by the generator's module,
    the recording alone holds: the plain program has ended it before. After a refusal nobody goes on with any of them:
    they end here, and not whenever the collector of garbage comes by. After an error of the program they are its own.
    """
    generators, _open.generators = _open.generators, outer
    alive = [generator for reference in generators or () if (generator := _alive(reference)) is not None]
    if not alive:
        return None
    if outcome is None and (outer is not None or not refused):
        _hand_on(alive, outer)
        return None
    held = set() if outcome is None else _reachable([outcome, *[_module(generator) for generator in alive]])
    _hand_on([generator for generator in alive if id(generator) in held], outer)
    ended = [generator for generator in alive if id(generator) not in held and _acts_at_end(generator)]
    return ended[0].tape.refused() if ended and outcome is not None else None


def _alive(reference: weakref.ref[Any]) -> Any:
    generator = reference()
    return None if generator is None or generator.gi_running or generator.gi_frame is None else generator


def _hand_on(generators: list[Any], outer: Any) -> None:
    if outer is not None:
        outer += [weakref.ref(generator) for generator in generators]


def _acts_at_end(generator: Any) -> bool:
    """Close a generator; whether it did anything."""
    n = len(generator.tape.steps)
    with contextlib.suppress(Exception):  # an error here would hide the refusal
        generator.close()
    return len(generator.tape.steps) > n


def _module(generator: Any) -> dict[str, Any]:
    """The names of the module that a generator stands in."""
    return dict(generator.gi_frame.f_globals)


def _reachable(todo: list[Any]) -> set[int]:
    """All that objects hold, without the other modules that their functions stand in."""
    seen = set[int]()
    while todo:
        x = todo.pop()
        cls = type(x)  # a proxy says that it is what it stands for, which may be gone
        if id(x) in seen or issubclass(cls, types.ModuleType):
            continue
        seen.add(id(x))
        if cls is types.FunctionType:
            todo += [x.__closure__, x.__defaults__, x.__kwdefaults__, x.__dict__]
        else:
            todo += gc.get_referents(x)
    return seen


non_differentiable(begin_open, note_open, end_open)
