"""Zeros and seeds: the cotangents that start a reverse pass, and those that `gradient` shows where nothing flowed."""

from __future__ import annotations

import enum
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..cells import captured_by
from ..errors import NotDifferentiableError, calling_place
from .fields import all_fields
from .floats import is_of_floats
from .static import static_fields
from .structural import Tangent, fields_of, owner_of
from .tables import kind_of, zero_table
from .tuples import tuple_like


def one_like(y: Any) -> Any:
    """The seed of a real scalar result: 1 of its type (float32 stays float32).

    >>> one_like(3), one_like(2.5)
    (1.0, 1.0)
    """
    if isinstance(y, np.ndarray):
        return np.ones_like(y) if y.dtype.kind == "f" else np.ones(y.shape)
    if isinstance(y, np.floating):
        return type(y)(1)
    return 1.0 if type(y) is float or (kind := kind_of(y)) is None else zero_table(y, kind) + 1.0


def zeros_like(x: Any) -> Any:
    """The zero cotangent of `x`, or None if `x` has none.

    Parameters
    ----------
    x : anything.

    Returns
    -------
    Zeros of the structure of `x`, or None.

    Examples
    --------
    >>> zeros_like((1.0, "a", [2]))
    (0.0, None, [0.0])
    """
    if isinstance(x, bool | np.bool_ | np.character | np.datetime64 | np.timedelta64):
        return None
    if isinstance(x, np.ndarray):
        if x.dtype.kind in "fc":
            return np.zeros_like(x)
        return np.zeros(x.shape) if x.dtype.kind in "iu" else None
    if isinstance(x, np.inexact):
        return type(x)(0)
    if isinstance(x, complex):
        return 0j
    if isinstance(x, int | float | np.integer):
        return None if isinstance(x, enum.Enum) else 0.0
    if type(x) is types.MappingProxyType:
        check_proxy(x)
    return densify(None, x)


def check_numbers(dtype: np.dtype[Any]) -> None:
    """Raise `NotDifferentiableError` for an array whose items are objects or records."""
    if dtype.kind in "OV":
        what = "objects" if dtype.kind == "O" else "records"
        way_out = "use an array for each field: `a['x'].copy()`"
        if dtype.kind == "O":
            way_out = "use an array of numbers (`.astype(float)`, where all items are such), or a list: `.tolist()`"
        raise NotDifferentiableError(
            f"an array of {what} is not differentiated",
            "no rule looks into what its items are",
            way_out,
            calling_place(),
        )


def check_all_numbers(x: Any) -> None:
    """The same for all arrays in a structure of tuples, lists and dicts."""
    if isinstance(x, np.ndarray):
        check_numbers(x.dtype)
    elif isinstance(x, tuple | list | dict):
        for item in items_in(x):
            if isinstance(item, np.ndarray):
                check_numbers(item.dtype)


def items_in(x: Any) -> Iterator[Any]:
    """The items in a structure of tuples, lists and dicts, which may hold itself; not the items of lists of floats."""
    seen, todo = set[int](), [x]
    while todo:
        item = todo.pop()
        if not isinstance(item, tuple | list | dict):
            yield item
        elif id(item) not in seen and not is_of_floats(item):
            seen.add(id(item))
            todo += item.values() if isinstance(item, dict) else item


def densify(d: Any, x: Any) -> Any:
    """The cotangent `d` of `x` with zeros where nothing flowed; None stays only where `x` has no derivative."""
    try:
        return _complete(d, x)
    except RecursionError:
        raise NotDifferentiableError(
            "zeros of what holds itself, or is nested too deeply",
            "each item and field has one, so that they have no end",
            "use `adjoint.gradient` or `adjoint.pullback`, or pass the numbers within as arguments of their own",
            calling_place(),
        ) from None


def _complete(d: Any, x: Any) -> Any:
    if isinstance(x, tuple):
        of = enumerate(tuple.__iter__(x))  # whatever the class makes of iteration
        return tuple_like(type(x), [densify(None if d is None else d[i], item) for i, item in of])
    if isinstance(x, list):
        if is_of_floats(x) and (d is None or is_of_floats(d) and len(d) == len(x)):
            return [0.0] * len(x) if d is None else d.copy()
        return [densify(None if d is None else d[i], item) for i, item in enumerate(x)]
    if isinstance(x, dict):
        return {key: densify(None if d is None else d.get(key), item) for key, item in x.items()}
    if isinstance(x, int | float | complex | np.ndarray | np.generic):
        return zeros_like(x) if d is None else complex(d) if type(x) is complex and type(d) in _REAL else d
    if x is None or isinstance(x, bool | str | enum.Enum):
        return None
    known = fields_of(d) if isinstance(d, Tangent) else {}
    if type(x) is types.FunctionType:
        return Tangent(owner_of(x), {**known, **_numbers_captured(x, known)}) if known else d
    fields = all_fields(x)
    if fields is None:
        return zero_table(x, kind) if d is None and (kind := kind_of(x)) is not None else d
    static = static_fields(owner_of(x))
    if static:  # what flows to them flows on, and there are no zeros
        kept = {n: known.get(n) for n, value in fields.items() if n in static and value is not None}
        return Tangent(owner_of(x), {n: kept[n] if n in kept else densify(known.get(n), fields[n]) for n in fields})
    return Tangent(owner_of(x), {name: densify(known.get(name), value) for name, value in fields.items()})


def check_proxy(x: types.MappingProxyType[Any, Any]) -> None:
    """Raise `NotDifferentiableError` for a read-only view of a dict of numbers: what is read of it is not followed."""
    if any([zeros_like(item) is not None for item in x.values()]):
        raise NotDifferentiableError(
            "a read-only view of a dict of numbers (`MappingProxyType`) is differentiated",
            "what is read through it is not followed, so that its derivative would come out as nothing",
            "pass the dict, `dict(view)`; as a constant, hand it on by keyword or by `functools.partial`",
            calling_place(),
        )


def zeros_within(x: Any) -> Any:
    """Zeros for all of `x`, static fields too: within a program these are values as others are."""
    if isinstance(x, tuple):
        return tuple_like(type(x), [zeros_within(item) for item in tuple.__iter__(x)])
    if isinstance(x, list) and not is_of_floats(x):
        return [zeros_within(item) for item in x]
    if isinstance(x, dict):
        return {key: zeros_within(item) for key, item in x.items()}
    fields = all_fields(x) if static_fields(owner_of(x)) else None
    if fields is None:
        return zeros_like(x)
    return Tangent(owner_of(x), {name: zeros_within(value) for name, value in fields.items()})


def dense_entries(d: Any, x: Any) -> Any:
    """The tangent `d` of a dict that gives something where it has no item, with zeros where nothing moves: it gives
    the zero of that, and stores it as `x` does."""
    make = getattr(x, "default_factory", None)
    new = type(x)() if make is None else type(x)(float if make is int else make)
    new.update(densify(d, x))
    return new


def _numbers_captured(f: types.FunctionType, known: dict[str, Any]) -> dict[str, Any]:
    """Zeros for the numbers and arrays that a function has captured, of which nothing is known."""
    names = f.__code__.co_freevars
    if not known.keys() <= {*names}:
        return {}  # a pullback, whose cotangents have names of their own, or one with defaults that move
    found = {}
    for name, held in captured_by(f).items():
        if known.get(name) is None and isinstance(held, _NUMBERS) and (zero := zeros_like(held)) is not None:
            found[name] = zero
    return found


_NUMBERS = (int, float, complex, np.ndarray, np.generic)
_REAL = (float, np.float64, int)


def stops_at(args: tuple[Any, ...], y: Any) -> bool:
    """Tell whether a result holds integers or flags that are made of other numbers: then nothing flows.

    >>> import numpy as np
    >>> stops_at((2.5,), np.int64(2)), stops_at(([1, 2],), np.int64(3)), stops_at((2.5,), np.float32(2.5))
    (True, False, False)
    """
    dtype = getattr(y, "dtype", None)
    return dtype is not None and dtype.kind not in "fc" and any(map(_has_fractions, args))


def _has_fractions(x: Any) -> bool:
    """Tell whether a value, or an item of a sequence, is a number or an array that is no integer by its type."""
    if isinstance(x, list | tuple):
        return any(map(_has_fractions, x))
    kind = getattr(getattr(x, "dtype", None), "kind", None)
    return isinstance(x, float | complex) if kind is None else kind in "fc"


def passed(y_dot: Any, y: Any, args: tuple[Any, ...]) -> Any:
    """The tangent that a linear function gave of its result: zeros where numbers were cut to integers."""
    return zeros_like(y) if stops_at(args, y) else y_dot
