"""Objects that become numbers where they are stored into arrays: `a[0] = obj` runs `obj.__float__()` by itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors import UnsupportedSyntaxError, calling_place
from ...rules.registry import non_differentiable
from ...runtime.hidden import PLAIN
from ..sweep import Sweep
from .base import Record
from .calls import invoke
from .comparisons import written

_METHODS = ("__array__", "__float__", "__complex__")


def is_converted(x: Any) -> bool:
    """Whether a method of the user's makes a number or an array of a value, or of something in it."""
    if type(x) in PLAIN or isinstance(x, np.ndarray | np.generic | int | float | complex):
        return False
    if isinstance(x, list | tuple):
        return not set(map(type, x)) <= PLAIN and any(map(is_converted, x))
    return written(type(x), *_METHODS) is not None


def check_numbers(x: Any) -> None:
    """Raise `UnsupportedSyntaxError` for such a value."""
    if is_converted(x):
        raise UnsupportedSyntaxError(
            "an object is stored into an array",
            "NumPy runs the method that makes a number of it by itself, so that it is not followed",
            "store the number: `float(x)`",
            calling_place(),
        )


def converted(record: Record, k: int, x: Any, dtype: Any) -> tuple[Any, Any]:
    """What is stored for a value: by its methods, which are recorded; and what makes of the cotangent of that the
    cotangent of the value."""
    if isinstance(x, list | tuple):
        pairs = [converted(record, k, item, dtype) if is_converted(item) else (item, None) for item in x]

        def items_back(sweep: Sweep, d: Any) -> Any:
            bars = [None] * len(pairs) if d is None else list(d)
            for i in reversed(range(len(pairs))):
                turn = pairs[i][1]
                bars[i] = bars[i] if turn is None else turn(sweep, bars[i])
            if isinstance(x, tuple):
                return tuple(bars)
            for i, bar in enumerate(bars):
                sweep.add(x, i, bar)
            return None

        return tuple([y for y, _ in pairs]), items_back
    name = "__complex__" if dtype.kind == "c" and written(type(x), "__complex__") is not None else "__float__"
    if written(type(x), "__array__", "__len__", "__getitem__") is not None or written(type(x), name) is None:
        check_numbers(x)
    y, back = invoke(record, k, written(type(x), name), (x,), {})
    return y, lambda sweep, d: back(sweep, d)[1]


non_differentiable(is_converted, check_numbers)
