"""Objects that become numbers where they are stored into arrays, `a[0] = obj`, or given to functions of numbers:
`obj.__float__()` runs by itself."""

from __future__ import annotations

import math
from collections import deque
from typing import Any

import numpy as np

from ...errors import UnsupportedSyntaxError, calling_place
from ...origin import is_users_class
from ...rules.registry import non_differentiable
from ...runtime.implicit_calls import PLAIN
from ...runtime.names import OF_ITEMS
from ..sweep import Sweep
from .base import Record, adapting
from .functions import written

SEQUENCES = (list, tuple, deque)
"""Sequences of which NumPy takes the items, as long as the class has no way of its own to give them."""
_OF_ARRAYS = ("__array__", "__array_interface__", "__array_struct__")


def is_converted(x: Any) -> bool:
    """Tell whether a method of the user's makes a number or an array of a value, or of something in it."""
    cls = type(x)
    if cls in PLAIN or isinstance(x, np.ndarray | np.generic | int | float | complex):
        return False
    if keeps_items(x):
        return not set(map(type, x)) <= PLAIN and any(map(is_converted, x))
    return written(cls, "__float__", "__complex__") is not None or is_array(cls)


def is_of_numbers(x: Any) -> bool:
    """Tell whether what is in sequences are numbers, arrays and sequences of them, and no objects."""
    kinds = set(map(type, x)) - PLAIN
    return not kinds or all(
        [is_of_numbers(v) if isinstance(v, SEQUENCES) else type(v) in PLAIN or isinstance(v, _NUMBERS) for v in x]
    )


_NUMBERS = (np.ndarray, np.generic, int, float, complex)


def keeps_items(x: Any) -> bool:
    """Tell whether a sequence of a builtin class gives the items that it has."""
    return isinstance(x, SEQUENCES) and written(type(x), *OF_ITEMS) is None


def is_array(cls: type) -> bool:
    """Tell whether NumPy makes an array of an object by what a class of the user's has for it: by its items, if nothing
    else."""
    if is_users_class(cls) and any([hasattr(cls, name) for name in _OF_ARRAYS]):
        return True
    return hasattr(cls, "__len__") and hasattr(cls, "__getitem__") and written(cls, *OF_ITEMS) is not None


def object_stored() -> UnsupportedSyntaxError:
    """The refusal of an object that is stored into an array."""
    return UnsupportedSyntaxError(
        "an object is stored into an array",
        "NumPy runs the methods that make numbers of it by itself, so that they are not followed",
        "store the numbers: `float(x)`, `list(x)`",
        calling_place(),
    )


def check_numbers(x: Any) -> None:
    """Raise `UnsupportedSyntaxError` for such a value."""
    if is_converted(x):
        raise object_stored()


def on_numbers(invoke: Any, record: Record, k: int, f: Any, args: tuple[Any, ...]) -> tuple[tuple[Any, ...], Any]:
    """The arguments of a function of numbers, with numbers for the objects that it makes some of by `__float__`, which
    `invoke` calls; and what completes the cotangents of the arguments, or None."""
    return _on_made(invoke, record, k, f, args, _number_of)


def on_arrays(invoke: Any, record: Record, k: int, f: Any, args: tuple[Any, ...]) -> tuple[tuple[Any, ...], Any]:
    """The same of a function of NumPy that makes arrays of objects by `__array__`."""
    arrays, completed = _on_made(invoke, record, k, f, args, _array_of)
    if any([a is not x and not isinstance(a, np.ndarray) for a, x in zip(arrays, args, strict=True)]):
        raise ValueError("object __array__ method not producing an array")
    return arrays, completed


def _on_made(
    invoke: Any, record: Record, k: int, f: Any, args: tuple[Any, ...], method: Any
) -> tuple[tuple[Any, ...], Any]:
    n, numbers, turns = len(args), list(args), {}
    for i, x in enumerate(args):
        own = None if type(x) in PLAIN else method(f, i, x)
        if own is not None:
            numbers[i], turns[i] = invoke(adapting(record, _placed(i, n)), k, own, (x,), {})

    def completed(back: Any) -> Any:
        def reverse(sweep: Sweep, y_bar: Any) -> Any:
            d = list(back(sweep, y_bar))
            for i in reversed(turns):
                d[1 + i] = turns[i](sweep, d[1 + i])[1]
            return d

        return reverse

    return tuple(numbers), completed if turns else None


def _number_of(f: Any, i: int, x: Any) -> Any:
    """The method by which a function makes a number of an argument."""
    if f is math.ldexp and i == 1 or isinstance(x, np.ndarray | np.generic | float | complex):
        return None
    names = ("__complex__", "__float__") if f.__module__ == "cmath" else ("__float__",)
    return written(type(x), *names)


def makes_arrays(f: Any, kwargs: dict[str, Any]) -> bool:
    """Tell whether a call makes arrays of its arguments, and asks an object for no other method than `__array__`."""
    return (isinstance(f, np.ufunc) or f in _MAKERS) and "dtype" not in kwargs


_MAKERS = (np.asarray, np.array, np.asanyarray, np.ascontiguousarray, np.asfortranarray)


def _array_of(f: Any, i: int, x: Any) -> Any:
    """The method of a class of the user's by which NumPy makes an array of an argument."""
    cls = type(x)
    if i and f in _MAKERS or isinstance(x, np.ndarray | np.generic) or not is_users_class(cls):
        return None
    others = ("__array_ufunc__", "__array_interface__", "__array_struct__", "__buffer__")
    return None if any([hasattr(x, name) for name in others]) else written(cls, "__array__")


def _placed(i: int, n: int) -> Any:
    """Adapter of the reverse of a call with one argument to one in which it is argument `i` of `n`."""

    def adapt(back: Any) -> Any:
        def reverse(sweep: Sweep, y_bar: Any) -> Any:
            d = back(sweep, y_bar)
            return (d[0], *[d[1] if i == j else None for j in range(n)])

        return reverse

    return adapt


non_differentiable(_number_of, _array_of, makes_arrays)
non_differentiable(is_converted, is_of_numbers, check_numbers)
