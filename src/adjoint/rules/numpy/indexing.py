"""Reading parts of arrays by any index. What is read twice gets the sum of both cotangents."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import operator
from typing import Any

import numpy as np

from ...tangents import check_numbers, unbroadcast
from ..registry import Numeric, rule
from .lifting import array_rule, refuse, refuse_out
from .linear import axes_of, bring_back, cast, ghost, nested, scatter, stacked
from .scans import along_axis


@rule(operator.getitem, np.ndarray.__getitem__)
def getitem_rule(x: np.ndarray, index: Any):
    """y = x[index], so x̄ is 0 with ȳ added in at the index."""
    shape, kind = x.shape, x.dtype

    def getitem_back(y_bar):
        if kind.kind == "V" or kind.kind == "O" and not isinstance(y_bar, Numeric):
            check_numbers(kind)
        return scatter(y_bar, index, shape, kind), None

    return x[index], getitem_back


@rule(operator.getitem, np.generic.__getitem__)
def number_getitem_rule(x: np.generic, index: Any):
    """`x[()]`, `x[None]`, `x[...]` of a NumPy number."""

    def number_getitem_back(y_bar):
        if x.dtype.kind == "V":
            check_numbers(x.dtype)
        return unbroadcast(y_bar, x), None

    number: Any = x
    return number[index], number_getitem_back


@array_rule(np.take, np.ndarray.take, np.generic.take)
def take_rule(a: np.ndarray, indices: Any, axis=None, out=None, mode="raise"):
    """y = a[..., indices, ...]."""
    refuse_out(out)
    shape, kind = a.shape, a.dtype
    n = a.size if axis is None else shape[axis]
    positions = np.asarray(indices)
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


@rule(np.take_along_axis)
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


@array_rule(np.delete)
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


@rule(np.compress)
def compress_rule(condition: Any, a: Any, axis=None, out=None):
    """y = the entries of a where a one-dimensional condition holds."""
    refuse_out(out)
    y, back = take_rule(np.asarray(a), np.flatnonzero(condition), axis)

    def compress_back(y_bar):
        return None, bring_back(back(y_bar)[0], a)

    return y, compress_back


@array_rule(np.ndarray.compress)
def compress_method_rule(a: np.ndarray, condition: Any, axis=None, out=None):
    """`a.compress(condition)`."""
    refuse_out(out)
    return take_rule(a, np.flatnonzero(condition), axis)


@rule(np.extract)
def extract_rule(condition: Any, arr: Any):
    """y = the entries of the flattened array where the condition holds."""
    y, back = take_rule(np.asarray(arr), np.flatnonzero(condition))

    def extract_back(y_bar):
        return None, bring_back(back(y_bar)[0], arr)

    return y, extract_back


@rule(np.choose)
def choose_rule(a: Any, choices: Any, out=None, mode="raise"):
    """yᵢ = choices[aᵢ]ᵢ, so each choice has ȳ where it was chosen."""
    refuse_out(out)
    if mode != "raise":
        refuse("np.choose(mode=)", "only mode='raise' has a rule", "clip or wrap the indices before")
    likes = [ghost(choice) for choice in choices]

    def choose_back(y_bar):
        bars = [bring_back(np.where(np.equal(a, k), y_bar, 0.0), like) for k, like in enumerate(likes)]
        if isinstance(choices, np.ndarray):
            return None, np.stack(bars)
        return None, tuple(bars) if isinstance(choices, tuple) else bars

    return np.choose(a, choices), choose_back


@rule(np.select)
def select_rule(condlist: Any, choicelist: Any, default: Any = 0):
    """yᵢ = the choice of the first condition that holds at i, else the default."""
    chosen = np.select(condlist, [np.asarray(k) for k in range(len(condlist))], -1)
    likes = [ghost(choice) for choice in choicelist]

    def select_back(y_bar):
        bars = [bring_back(np.where(chosen == k, y_bar, 0.0), like) for k, like in enumerate(likes)]
        default_bar = unbroadcast(np.where(chosen == -1, y_bar, 0.0), default)
        return None, tuple(bars) if isinstance(choicelist, tuple) else bars, default_bar

    return np.select(condlist, choicelist, default), select_back


@rule(np.ndarray.item, np.generic.item)
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


@rule(np.ndarray.tolist, np.generic.tolist)
def tolist_rule(a: np.ndarray | np.generic):
    """y = the entries as nested lists of Python's numbers."""
    y = a.tolist()
    shape, kind = a.shape, a.dtype

    def tolist_back(y_bar):
        if not isinstance(a, np.ndarray):
            return (unbroadcast(y_bar, a),)
        return (cast(np.reshape(stacked(y_bar, y), shape), kind),)

    return y, tolist_back


@rule(np.bincount)
def bincount_rule(x: Any, weights: Any = None, minlength: Any = 0):
    """yₖ = Σ of the weights wᵢ with xᵢ = k, so w̄ᵢ = ȳ[xᵢ]."""
    bins = np.asarray(x)

    def bincount_back(y_bar):
        return None, None if weights is None else nested(y_bar[bins], weights)

    return np.bincount(bins, weights, minlength), bincount_back
