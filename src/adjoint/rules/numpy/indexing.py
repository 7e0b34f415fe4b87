"""Reading parts of arrays by any index. What is read twice gets the sum of both cotangents."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import operator
from typing import Any

import numpy as np

from ...tangents import check_numbers, ghost, unbroadcast
from ...tangents.unknown import unknown_records
from ..registry import Numeric, rule
from .lifting import array_rule, refuse_out
from .linear import axes_of, cast, nested, scatter, stacked
from .scans import along_axis
from .shaping import reshaped_like


@rule(operator.getitem, np.ndarray.__getitem__, linear="x")
def getitem_rule(x: np.ndarray, index: Any):
    """y = x[index], so x̄ is 0 with ȳ added in at the index."""
    shape, kind = x.shape, x.dtype

    def getitem_back(y_bar):
        if kind.kind == "V" or kind.kind == "O" and not isinstance(y_bar, Numeric):
            check_numbers(kind)
        return scatter(y_bar, index, shape, kind), None

    return x[index], getitem_back


@rule(operator.getitem, np.generic.__getitem__, linear="x")
def number_getitem_rule(x: np.generic, index: Any):
    """`x[()]`, `x[None]`, `x[...]` of a NumPy number."""

    def number_getitem_back(y_bar):
        if x.dtype.kind == "V":
            check_numbers(x.dtype)
        return unbroadcast(y_bar, x), None

    number: Any = x
    return number[index], number_getitem_back


@array_rule(np.take, np.ndarray.take, np.generic.take, linear="a")
def take_rule(a: np.ndarray, indices: Any, axis=None, out=None, mode="raise"):
    """y = a[..., indices, ...]."""
    refuse_out(out)
    shape, kind = a.shape, a.dtype
    n = a.size if axis is None else shape[axis]
    positions = np.asarray(indices)
    if positions.dtype == object:  # what has an `__index__`
        positions = positions.astype(np.intp)
    if mode == "wrap":
        positions = positions % n
    elif mode == "clip":
        positions = np.clip(positions, 0, n - 1)

    def take_back(y_bar):
        if axis is None:
            return np.reshape(scatter(y_bar, positions, (n,), kind), shape), None
        (along,) = axes_of(axis, len(shape))
        return scatter(y_bar, (slice(None),) * along + (positions,), shape, kind), None

    return np.take(a, indices, axis, mode=mode), take_back


@array_rule(np.take_along_axis, linear="arr")
def take_along_axis_rule(arr: np.ndarray, indices: Any, axis: Any = -1):
    """yᵢⱼ = a[i, indices[i, j]], along any axis."""
    shape, kind = arr.shape, arr.dtype

    def take_along_axis_back(y_bar):
        if axis is None:
            return np.reshape(scatter(y_bar, indices, (arr.size,), kind), shape), None
        (along,) = axes_of(axis, len(shape))
        return scatter(y_bar, broadcast_index(indices, along, shape), shape, kind), None

    return np.take_along_axis(arr, indices, axis), take_along_axis_back


def broadcast_index(indices, axis, shape):
    """The full index for `indices` that may broadcast against the other axes."""
    full = tuple(indices.shape[i] if i == axis else n for i, n in enumerate(shape))
    return along_axis(np.broadcast_to(indices, full), axis)


@rule(np.ndarray.item, np.generic.item, linear="a")
def item_rule(a: np.ndarray | np.generic, *args):
    """y = one entry, as a number of Python's."""
    shape, kind = a.shape, a.dtype

    def item_back(y_bar):
        if not isinstance(a, np.ndarray):
            return (unbroadcast(y_bar, a), *(None for _ in args))
        if len(args) == 0:
            return (cast(np.full(shape, y_bar), kind),)
        index = args[0] if isinstance(args[0], tuple) else args
        if len(index) == 1 and len(shape) != 1:
            index = np.unravel_index(index[0], shape)
        return (scatter(y_bar, index, shape, kind), *(None for _ in args))

    return a.item(*args), item_back


@rule(np.ndarray.tolist, np.generic.tolist, linear="a")
def tolist_rule(a: np.ndarray | np.generic):
    """y = the entries as nested lists of Python's numbers."""
    y = a.tolist()
    shape, kind = a.shape, a.dtype

    def tolist_back(y_bar):
        if kind.kind == "V":
            return (None if y_bar is None else unknown_records(),)
        if not isinstance(a, np.ndarray):
            return (unbroadcast(y_bar, a),)
        return (cast(np.reshape(stacked(y_bar, y), shape), kind),)

    return y, tolist_back


@rule(np.bincount, linear="weights")
def bincount_rule(x: Any, weights: Any = None, minlength: Any = 0):
    """yₖ = Σ of the weights wᵢ with xᵢ = k, so w̄ᵢ = ȳ[xᵢ]."""
    bins = np.asarray(x)

    def bincount_back(y_bar):
        return None, None if weights is None else nested(y_bar[bins], weights)

    return np.bincount(bins, weights, minlength), bincount_back


@rule(np.ix_, linear="*args")
def ix_rule(*args: Any):
    """Rows along different axes, so each has the cotangent of its own in a row; conditions are made indices of."""
    likes = [None if np.asarray(a).dtype == bool else ghost(a) for a in args]

    def ix_back(y_bar):
        return tuple(
            None if d is None or like is None else reshaped_like(d, like) for d, like in zip(y_bar, likes, strict=True)
        )

    return np.ix_(*args), ix_back
