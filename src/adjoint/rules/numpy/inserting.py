"""Functions that put entries into an array or take some out of it."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from typing import Any

import numpy as np

from ..registry import non_differentiable, rule
from .lifting import array_rule
from .linear import axes_of, carried, nested, scatter


@array_rule(np.insert, linear="arr+values")
def insert_rule(arr: np.ndarray, obj: Any, values: Any, axis=None):
    """y = a with the values between its entries, so each entry and each value has its own part of ȳ."""
    given = np.asarray(values)
    shape, kind, size = arr.shape, arr.dtype, arr.size
    v_shape, v_kind, v_size = given.shape, given.dtype, given.size
    numbers = np.reshape(np.arange(size, size + v_size), v_shape)
    source = np.insert(np.reshape(np.arange(size), shape), obj, numbers, axis)
    own, flows = source < size, carried(v_kind, kind)

    def insert_back(y_bar):
        arr_bar = scatter(y_bar[own], source[own], (size,), kind)
        values_bar = None
        if flows:
            values_bar = np.reshape(scatter(y_bar[~own], source[~own] - size, (v_size,), v_kind), v_shape)
        return np.reshape(arr_bar, shape), None, nested(values_bar, values)

    return np.insert(arr, obj, values, axis), insert_back


@array_rule(np.delete, linear="arr")
def delete_rule(arr: np.ndarray, obj: Any, axis=None):
    """y = a without some entries, so ȳ goes to those that are left."""
    shape, kind = arr.shape, arr.dtype
    n = arr.size if axis is None else shape[axis]
    left = np.delete(np.arange(n), obj)

    def delete_back(y_bar):
        if axis is None:
            return np.reshape(scatter(y_bar, left, (n,), kind), shape), None
        (along,) = axes_of(axis, len(shape))
        return scatter(y_bar, (slice(None),) * along + (left,), shape, kind), None

    return np.delete(arr, obj, axis), delete_back


@rule(np.trim_zeros)
def trim_zeros_rule(filt: np.ndarray, trim="fb", axis=None):
    """y = a without the zeros at its ends, so that these have none of ȳ."""
    options = {} if axis is None else {"axis": axis}
    y = np.trim_zeros(filt, trim, **options)
    shape, kind = filt.shape, filt.dtype
    index = _inside(filt, y.shape, trim, axis)

    def trim_zeros_back(y_bar):
        return scatter(y_bar, index, shape, kind), None

    return y, trim_zeros_back


@rule(np.trim_zeros)
def trim_zeros_of_sequence_rule(filt: list | tuple, trim="fb", axis=None):
    """A list stays a list, and a tuple a tuple."""
    options = {} if axis is None else {"axis": axis}
    y = np.trim_zeros(filt, trim, **options)
    n = len(filt)
    ((start, stop),) = [(part.start, part.stop) for part in _inside(np.asarray(filt), (len(y),), trim, axis)]

    def trim_zeros_of_sequence_back(y_bar):
        bars = [None] * start + list(y_bar) + [None] * (n - stop)
        return tuple(bars) if isinstance(filt, tuple) else bars, None

    return y, trim_zeros_of_sequence_back


def _inside(a, shape, trim, axis):
    """The index in `a` of the part of this shape that is left of it."""
    first = [places.min() if places.size else 0 for places in np.nonzero(a)]
    front = "f" in trim.lower()
    trimmed = axes_of(axis, a.ndim)
    starts = [int(i) if front and k in trimmed and shape[k] else 0 for k, i in enumerate(first)]
    return tuple(slice(i, i + n) for i, n in zip(starts, shape, strict=True))


non_differentiable(_inside)
