"""Largest and smallest entries. Tied ones share the derivative; where one is nan, so is the result, and its slope by
the entries that are nan."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np

from ...tangents import unbroadcast
from ..registry import non_differentiable
from .lifting import array_rule, of_arrays, refuse_out
from .linear import carried, cast, kept
from .reductions import of_initial, options


def shares(a, extremum):
    """The share that each entry has in the extremum along its axes: tied entries share equally. Where it is nan, that
    of the entries which are nan is nan.

    >>> shares(np.array([1.0, 3.0, 3.0]), np.array([3.0]))
    array([0. , 0.5, 0.5])
    """
    tied = a == extremum
    if np.ndim(extremum) == 0 or extremum.size == 1:
        n = np.count_nonzero(tied)
        return tied if n == 1 else tied / n if n else np.where(a != a, np.nan, 0.0)
    size = extremum.size
    if np.count_nonzero(tied) == size and np.count_nonzero(extremum == extremum) == size:
        return tied  # one in each row
    axes = tuple([i for i, n in enumerate(extremum.shape) if n == 1])
    share = tied / np.maximum(np.add.reduce(tied, axes, int, None, True), 1)
    return np.where((a != a) & (extremum != extremum), np.nan, share) if is_lost(extremum) else share


def exponential_shares(exponential, a, total):
    """exp(a - total), the share that each term has in the logarithm of a sum of exponentials; where that is infinite,
    the terms that are share equally, as tied ones do.

    >>> exponential_shares(np.exp, np.array([-np.inf, -np.inf]), np.array([-np.inf]))
    array([0.5, 0.5])
    """
    infinite = np.isinf(total)
    share = exponential(np.where(infinite, 0.0, a) - np.where(infinite, 0.0, total))
    return np.where(infinite, infinite_shares(a, total), share) if np.count_nonzero(infinite) else share


def infinite_shares(a, total):
    """The share of each entry among those that equal an infinite total along its axes."""
    tied = (a == total) & np.isinf(total)
    axes = tuple([i for i, n in enumerate(np.shape(total)) if n == 1]) if np.size(total) > 1 else None
    return tied / np.maximum(np.sum(tied, axes, keepdims=True), 1)


def is_lost(y):
    """Tell whether there is nan among results."""
    return bool(np.count_nonzero(y != y))


def through(y_bar, share, y):
    """ȳ times the shares of entries in the results `y`; where a share is nan, 0 if nothing flows.

    >>> through(np.array([0.0, 2.0]), np.array([np.nan, 0.5]), np.array([np.nan, 1.0]))
    array([0., 1.])
    """
    return np.where(y_bar == 0, 0.0, y_bar * share) if is_lost(y) else y_bar * share


non_differentiable(shares, infinite_shares, is_lost)


def extremum_tangent(dots, y, a, axis=None, out=None, keepdims=False, initial=None, where=True):
    """ẏ = Σ sᵢ ȧᵢ with the shares s."""
    share = shares(a, kept(y, a.shape, axis))
    return unbroadcast(np.sum(share * dots[0], axis=axis, keepdims=keepdims), y)


BY_SHARES = of_arrays(extremum_tangent, options="axis keepdims", holomorphic=False)


def extremum_reduce_tangent(
    dots, y, array, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True
):  # fmt: skip
    """The same, along the first axis by default."""
    return extremum_tangent(dots, y, array, axis, None, keepdims)


REDUCED_BY_SHARES = of_arrays(extremum_reduce_tangent, options="axis keepdims", holomorphic=False)


@array_rule(np.max, np.amax, np.ndarray.max, np.generic.max, forward=extremum_tangent, forward_for=BY_SHARES)
def max_rule(a: np.ndarray, axis=None, out=None, keepdims=False, initial=None, where=True):
    """y = maxᵢ aᵢ, so ȳ goes to the largest entry; tied ones share it equally. `initial` is one more entry."""
    refuse_out(out)
    y = np.maximum.reduce(a, axis, None, None, keepdims, **options(initial, where))
    return y, extremum_back(a, y, axis, where, initial)


@array_rule(np.min, np.amin, np.ndarray.min, np.generic.min, forward=extremum_tangent, forward_for=BY_SHARES)
def min_rule(a: np.ndarray, axis=None, out=None, keepdims=False, initial=None, where=True):
    """y = minᵢ aᵢ, so ȳ goes to the smallest entry; tied ones share it equally. `initial` is one more entry."""
    refuse_out(out)
    y = np.minimum.reduce(a, axis, None, None, keepdims, **options(initial, where))
    return y, extremum_back(a, y, axis, where, initial)


@array_rule(np.maximum.reduce, forward=extremum_reduce_tangent, forward_for=REDUCED_BY_SHARES)
def maximum_reduce_rule(array: np.ndarray, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """`np.maximum.reduce` is `np.max`, along the first axis by default."""
    return _extremum_reduced(np.maximum, array, axis, dtype, out, keepdims, initial, where)


@array_rule(np.minimum.reduce, forward=extremum_reduce_tangent, forward_for=REDUCED_BY_SHARES)
def minimum_reduce_rule(array: np.ndarray, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """`np.minimum.reduce` is `np.min`, along the first axis by default."""
    return _extremum_reduced(np.minimum, array, axis, dtype, out, keepdims, initial, where)


@array_rule(np.fmax.reduce, forward=extremum_reduce_tangent, forward_for=REDUCED_BY_SHARES)
def fmax_reduce_rule(array: np.ndarray, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """`np.fmax.reduce` is `np.nanmax`, along the first axis by default."""
    return _extremum_reduced(np.fmax, array, axis, dtype, out, keepdims, initial, where)


@array_rule(np.fmin.reduce, forward=extremum_reduce_tangent, forward_for=REDUCED_BY_SHARES)
def fmin_reduce_rule(array: np.ndarray, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """`np.fmin.reduce` is `np.nanmin`, along the first axis by default."""
    return _extremum_reduced(np.fmin, array, axis, dtype, out, keepdims, initial, where)


def _extremum_reduced(f, array, axis, dtype, out, keepdims, initial, where):
    refuse_out(out)
    y = f.reduce(array, axis, dtype, None, keepdims, **options(initial, where))
    back = extremum_back(array if dtype is None else array.astype(dtype), y, axis, where, initial)

    def extremum_reduced_back(y_bar):
        if dtype is not None and not carried(array.dtype, np.dtype(dtype)):
            return (None,)
        a_bar, *others = back(y_bar)
        bar = others[3] if others else None
        return cast(a_bar, array.dtype), None, None, None, None, bar

    return y, extremum_reduced_back


def extremum_back(a, y, axis, where=True, initial=None, of_numbers=False):
    """The pullback of a largest or smallest entry `y`; `of_numbers` if entries that are nan never count."""

    def back(y_bar):
        if initial is None and where is True:
            share = shares(a, kept(y, a.shape, axis))
            if of_numbers:
                share = np.where(a == a, share, 0.0)
            return (cast(through(kept(y_bar, a.shape, axis), share, y), a.dtype),)
        of_entry, of_start = shares_from(a, y, axis, where, initial)
        if of_numbers:
            of_entry = np.where(a == a, of_entry, 0.0)
        a_bar = cast(through(kept(y_bar, a.shape, axis), of_entry, y), a.dtype)
        return a_bar, None, None, None, of_initial(y_bar * of_start, initial)

    return back


def shares_from(a, y, axis, where, initial):
    """The shares in an extremum `y` of the entries that are taken, and of the number that it starts from.

    >>> shares_from(np.array([1.0, 3.0, 3.0]), 3.0, None, [True, True, False], 3.0)
    (array([0. , 0.5, 0. ]), ...0.5...)
    """
    tied = (a == kept(y, a.shape, axis)) & np.asarray(where)
    starts = np.reshape(np.zeros(np.shape(y), bool) if initial is None else y == initial, np.shape(y))
    n = np.maximum(np.add.reduce(tied, axis, int, None, True) + kept(starts, a.shape, axis), 1)
    share = tied / n
    if is_lost(y):
        share = np.where((a != a) & np.asarray(where) & kept(y != y, a.shape, axis), np.nan, share)
    return share, starts / np.reshape(n, np.shape(y))


non_differentiable(shares_from)


def ptp_tangent(dots, y, a, axis=None, out=None, keepdims=False):
    """ẏ = Σ (sᵢ - tᵢ) ȧᵢ with the shares s in the largest entry and t in the smallest."""
    top = shares(a, np.max(a, axis=axis, keepdims=True))
    bottom = shares(a, np.min(a, axis=axis, keepdims=True))
    return unbroadcast(np.sum(top * dots[0] - bottom * dots[0], axis=axis, keepdims=keepdims), y)


@array_rule(
    np.ptp,
    forward=ptp_tangent,
    forward_for=of_arrays(ptp_tangent, options="axis keepdims", holomorphic=False),
)
def ptp_rule(a: np.ndarray, axis=None, out=None, keepdims=False):
    """y = max - min."""
    refuse_out(out)
    top, top_back = max_rule(a, axis, None, keepdims)
    bottom, bottom_back = min_rule(a, axis, None, keepdims)

    def ptp_back(y_bar):
        return (top_back(y_bar)[0] - bottom_back(y_bar)[0],)

    return top - bottom, ptp_back
