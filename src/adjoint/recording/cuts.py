"""Values of which a copy goes on as a constant: neither may change, as the two are one and the same object to the
program.

An array needs no copy: its memory has a second shadow under another name (`memory.cut_view`).
"""

from __future__ import annotations

import threading
from collections import deque
from typing import Any

import numpy as np

from ..errors import MutationError, calling_place
from ..rules.registry import non_differentiable
from ..tangents.fields import record_fields
from .memory import cut_view
from .places import fields_dict

Array = np.ndarray[Any, Any]
Watched = tuple[Any, list[Any], Any]
"""An object, what it held, and the place of the call that made it a constant."""


class _Noted:
    """True if it is noted, in any thread, which objects are stored into."""

    __slots__ = ("open",)

    def __init__(self) -> None:
        self.open = 0


noted = _Noted()


class _Cuts(threading.local):
    watched: dict[int, Watched] | None = None


_cuts = _Cuts()


def begin_cuts() -> Any:
    """Begin a recording in which nothing is watched so far; gives what was watched before."""
    outer = _cuts.watched
    _cuts.watched = {}
    return outer


def end_cuts(outer: Any) -> None:
    """Go back to what was watched before."""
    if _cuts.watched:
        noted.open -= 1
    _cuts.watched = outer


def watch_copies(memo: dict[int, Any]) -> None:
    """Watch the objects in a memo of `deepcopy`, and their copies."""
    _watch([part for x in memo.get(id(memo), ()) for part in (x, memo.get(id(x)))])


def constant_name(a: Array) -> Array:
    """Another name of an array, to which nothing flows."""
    if (view := cut_view(a, {})) is not None:
        return view
    copy = a.copy()
    _watch([a, copy])
    return copy


def _watch(objects: list[Any]) -> None:
    watched, at = _cuts.watched, calling_place()
    if watched is None:
        return
    before = bool(watched)
    for x in objects:
        if not isinstance(x, tuple) and (held := _held(x)) is not None:
            watched.setdefault(id(x), (x, held, at))
    noted.open += bool(watched) - before


def check_cuts(objects: Any = None) -> None:
    """Raise `MutationError` where one of these objects, or any that is watched, is not as it was."""
    watched = _cuts.watched
    if not watched:
        return
    for key in watched if objects is None else map(id, objects):
        if key not in watched:
            continue
        x, before, at = watched[key]
        now = _held(x)
        if now is None or len(now) != len(before) or not all(map(_is_same, now, before)):
            raise MutationError(
                f"a {type(x).__name__} changes after `stop_gradient`, or a function that is declared "
                "non-differentiable, has given it as a constant",
                "the one that the gradient flows to and the constant are one object, whose items or fields may be "
                "either",
                "stop the numbers in it, or make the constant of a copy: `stop_gradient(copy.deepcopy(x))`",
                at,
            )


def _held(x: Any) -> list[Any] | None:
    """The direct contents of an object, which another object replaces where it changes; None of what cannot change."""
    if isinstance(x, np.ndarray):
        return [np.ndarray.tobytes(x)] if x.dtype.kind != "O" else [*x.flat]
    found: list[Any] = []
    known = isinstance(x, list | deque | set | dict)
    if isinstance(x, dict):
        found += [*dict.keys(x), *dict.values(x)]
    elif known:
        base: Any = next(base for base in (list, deque, set) if isinstance(x, base))
        found += base.__iter__(x)
    fields = fields_dict(x)
    fields = record_fields(x) if fields is None else fields
    if fields:
        found += [part for item in fields.items() for part in item]
    return found if known or fields is not None else None


def _is_same(a: Any, b: Any) -> bool:
    return a is b or type(a) is bytes and type(b) is bytes and a == b


non_differentiable(begin_cuts, end_cuts, watch_copies, constant_name, check_cuts)
