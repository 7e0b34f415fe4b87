"""Runs that leave nothing behind: on deep copies, with the random state restored."""

from __future__ import annotations

import copy
import random
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ..recording.places import has_contents
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
def random_state_kept() -> Iterator[None]:
    """Let `random` and `numpy.random` give afterwards what they would have given."""
    ours, numpys = random.getstate(), np.random.get_state()
    try:
        yield
    finally:
        random.setstate(ours)
        np.random.set_state(numpys)
