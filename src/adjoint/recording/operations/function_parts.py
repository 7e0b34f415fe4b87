"""Parts of functions: their defaults, which a program may replace, and cells of their variables."""

from __future__ import annotations

import types
from typing import Any

from ...tangents import tuple_like
from ..program import default_slot
from ..sweep import Sweep
from .base import NOTHING, Record, Result, handles


def read_defaults(f: types.FunctionType) -> Result:
    """`f.__defaults__`: a tuple, which gives each its own."""
    slots = _slots_of(f)

    def read_back(sweep: Sweep, y_bar: Any) -> Any:
        for slot, bar in zip(slots, y_bar or (), strict=False):
            sweep.add(*slot, bar)
        return NOTHING

    return f.__defaults__, read_back


def write_defaults(f: types.FunctionType, value: Any) -> Any:
    """`f.__defaults__ = value`; gives its `back`, with the value as operand."""
    f.__defaults__ = value
    slots = _slots_of(f)
    return lambda sweep, y_bar: (None, _taken(sweep, slots, value))


def _slots_of(f: types.FunctionType) -> list[tuple[Any, Any]]:
    return [default_slot(f, i) for i in range(len(f.__defaults__ or ()))]


def _taken(sweep: Sweep, slots: list[tuple[Any, Any]], defaults: Any) -> Any:
    """The cotangent of a tuple of defaults, from where calls have added to them."""
    bars = [sweep.take(*slot) for slot in slots]
    return tuple_like(type(defaults), bars) if any([bar is not None for bar in bars]) else None


@handles(types.FunctionType)
def _function(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    """A function made of the code of another."""
    y = f(*args, **kwargs)
    given = [*("code", "globals", "name", "argdefs", "closure", "kwdefaults")[: len(args)], *kwargs]
    slots = _slots_of(y)

    def function_back(sweep: Sweep, y_bar: Any) -> Any:
        bar = _taken(sweep, slots, y.__defaults__)
        return (None, *[bar if name == "argdefs" else None for name in given])

    return y, function_back


@handles(types.CellType)
def _cell(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    y = types.CellType(*args, **kwargs)
    return y, lambda sweep, y_bar: (None, *[sweep.take(y, 0) for _ in args])
