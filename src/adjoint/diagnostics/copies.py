"""Runs that leave nothing behind: on deep copies, with the random state restored."""

from __future__ import annotations

import copy
import functools
import random
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..origin import is_users
from ..recording.places import fields_dict, has_contents
from ..rules.registry import find_rules


def copied(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """Deep copies of a call, in which what was one thing is one thing again: of what the function captures and of its
    defaults as well. What cannot be copied (a lock, a generator) is handed on itself."""
    memo: dict[int, Any] = {}
    again = tuple([_copy(x, memo) for x in args])
    named = {name: _copy(x, memo) for name, x in kwargs.items()}
    return _copy_of_callable(f, memo), again, named


def _copy(x: Any, memo: dict[int, Any]) -> Any:
    try:
        return copy.deepcopy(x, memo)
    except (TypeError, copy.Error):
        return x


def _copy_of_callable(f: Any, memo: dict[int, Any]) -> Any:
    if isinstance(f, types.MethodType):
        return types.MethodType(f.__func__, _copy(f.__self__, memo))
    if not isinstance(f, types.FunctionType):
        return _copy(f, memo)
    if find_rules(f) is not None or not (f.__closure__ or f.__defaults__ or f.__kwdefaults__):
        return f
    cells = tuple(
        [
            types.CellType(_copy(cell.cell_contents, memo)) if has_contents(cell) else cell
            for cell in f.__closure__ or ()
        ]
    )
    made = types.FunctionType(f.__code__, f.__globals__, f.__name__, _copy(f.__defaults__, memo), cells)
    made.__kwdefaults__ = _copy(f.__kwdefaults__, memo)
    made.__qualname__ = f.__qualname__
    made.__dict__.update(f.__dict__)
    return made


@contextmanager
def random_state_kept(*values: Any) -> Iterator[None]:
    """Let `random` and `numpy.random` give afterwards what they would have given, and so the generators that are in
    these values, or that functions among them reach by what they capture and by globals."""
    states = [(g, *_state_of(g)) for g in _generators(values)]
    ours, numpys = random.getstate(), np.random.get_state()
    try:
        yield
    finally:
        random.setstate(ours)
        np.random.set_state(numpys)
        for _, put_back, state in states:
            put_back(state)


def _state_of(g: Any) -> tuple[Any, Any]:
    """What puts a generator back, and its state."""
    if isinstance(g, np.random.Generator):
        bits: Any = g.bit_generator
        return lambda state: setattr(bits, "state", state), copy.deepcopy(bits.state)
    if isinstance(g, np.random.RandomState):
        return g.set_state, g.get_state()
    return g.setstate, g.getstate()


GENERATORS = (np.random.Generator, np.random.RandomState, random.Random)
PLAIN = (int, float, str, np.ndarray)
MANY = 10_000
"""So many things are looked through for generators, and no more."""


def _generators(values: tuple[Any, ...]) -> list[Any]:
    """The generators of random numbers that a call can reach."""
    found: list[Any] = []
    todo, seen = list(values), set[int]()
    while todo and len(seen) < MANY:
        x = todo.pop()
        if id(x) in seen:
            continue
        seen.add(id(x))
        if isinstance(x, random.SystemRandom):
            continue
        if isinstance(x, GENERATORS):
            found.append(x)
        else:
            todo += [held for held in _reached_from(x) if not isinstance(held, PLAIN)]
    return found


def _reached_from(x: Any) -> list[Any]:
    if isinstance(x, types.FunctionType):
        if not is_users(x.__code__.co_filename):
            return []
        held = [*(x.__defaults__ or ()), *(x.__kwdefaults__ or {}).values()]
        held += [cell.cell_contents for cell in x.__closure__ or () if has_contents(cell)]
        return held + [x.__globals__[name] for name in _names_in(x.__code__) if name in x.__globals__]
    if isinstance(x, types.MethodType | staticmethod | classmethod):
        return [x.__func__, getattr(x, "__self__", None)]
    if isinstance(x, property):
        return [x.fget]
    if isinstance(x, list | tuple | set | frozenset):
        return list(x)
    if isinstance(x, dict):
        return list(x.values())
    if isinstance(x, functools.partial):
        return [x.func, *x.args, *x.keywords.values()]
    if isinstance(x, types.ModuleType):
        return [v for v in vars(x).values() if isinstance(v, GENERATORS)]
    if isinstance(x, type):
        return list(vars(x).values()) if x.__module__ not in sys.stdlib_module_names else []
    slots = [getattr(x, name, None) for cls in type(x).__mro__ for name in _slots_of(cls)]
    return [type(x), *slots, *(fields_dict(x) or {}).values()]


def _slots_of(cls: type) -> tuple[str, ...]:
    slots = cls.__dict__.get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _names_in(code: types.CodeType) -> set[str]:
    """The names that code, and code in it, may read from its globals."""
    inner = [_names_in(c) for c in code.co_consts if isinstance(c, types.CodeType)]
    return set(code.co_names).union(*inner)
