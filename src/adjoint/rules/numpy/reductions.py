"""Functions that sum, average, multiply or select along axes."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math

import numpy as np

from ...tangents import unbroadcast
from ..registry import non_differentiable
from .lifting import array_rule, refuse, refuse_out
from .linear import axes_of, cast, kept, nested, spread

# Sums and means


@array_rule(np.sum, np.ndarray.sum, np.generic.sum, returns="reduction")
def sum_rule(a: np.ndarray, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """y = x + Σ aᵢ with x = `initial`, so āᵢ = ȳ and x̄ = Σ ȳ."""
    if out is not None:
        refuse_out(out)
    shape, kind = a.shape, a.dtype
    if initial is None and where is True:
        y = np.add.reduce(a, axis, dtype, None, keepdims)
    else:
        y = np.add.reduce(a, axis, dtype, None, keepdims, 0 if initial is None else initial, where)

    def sum_back(y_bar):
        a_bar = spread(y_bar if axis is None or keepdims else kept(y_bar, shape, axis), shape, kind)
        if initial is None and where is True:
            return (a_bar,)
        return chosen(a_bar, where), None, None, None, None, of_initial(y_bar, initial)

    return y, sum_back


def chosen(a_bar, where):
    """A cotangent of which only the entries are kept that a reduction was told to take.

    >>> chosen(np.array([1.0, 2.0]), [True, False])
    array([1., 0.])
    """
    return a_bar if where is True else np.where(where, a_bar, 0.0)


def of_initial(d, initial):
    """The cotangent of the number a reduction starts with, whose part in each of its results is `d`.

    >>> float(of_initial(np.array([1.0, 2.0]), 0.5))
    3.0
    """
    return None if initial is None else unbroadcast(d, initial)


@array_rule(np.add.reduce, returns="array")
def add_reduce_rule(array: np.ndarray, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """`np.add.reduce` is `np.sum`, along the first axis by default."""
    return sum_rule(array, axis, dtype, out, keepdims, initial, where)


@array_rule(np.mean, np.ndarray.mean, np.generic.mean, returns="mean")
def mean_rule(a: np.ndarray, axis=None, dtype=None, out=None, keepdims=False, where=True):
    """y = Σ aᵢ / n, so āᵢ = ȳ / n."""
    refuse_out(out)
    shape, kind = a.shape, a.dtype
    y = a.mean(axis, dtype, None, keepdims, where=where)
    n = count(shape, axis) if where is True else np.sum(np.broadcast_to(where, shape), axis=axis, keepdims=True)

    def mean_back(y_bar):
        if where is not True:
            return (cast(np.where(where, kept(y_bar, shape, axis) / n, 0.0), kind),)
        return (spread((y_bar if axis is None or keepdims else kept(y_bar, shape, axis)) / n, shape, kind),)

    return y, mean_back


def count(shape, axis):
    """How many entries of an array of this shape a reduction takes together.

    >>> count((2, 3), None), count((2, 3), -1)
    (6, 3)
    """
    return math.prod(shape[i] for i in axes_of(axis, len(shape)))


@array_rule(np.var, np.ndarray.var, np.generic.var, returns="deviation")
def var_rule(
    a: np.ndarray, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None, correction=None
):
    """y = Σ |aᵢ - m|² / (n - ddof) with m = Σ aᵢ / n, so āᵢ = 2 ȳ (aᵢ - m) / (n - ddof)."""
    refuse_out(out)
    refuse_choice("np.var", where, mean)
    delta = ddof if correction is None else correction
    y = a.var(axis, dtype, None, delta, keepdims)

    def var_back(y_bar):
        centred = a - np.mean(a, axis=axis, keepdims=True)
        return (cast(kept(y_bar, a.shape, axis) * (2 / (count(a.shape, axis) - delta)) * centred, a.dtype),)

    return y, var_back


@array_rule(np.std, np.ndarray.std, np.generic.std, returns="deviation")
def std_rule(
    a: np.ndarray, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None, correction=None
):
    """y = √var, so āᵢ = ȳ (aᵢ - m) / (n - ddof) / y; 0 where y is 0."""
    refuse_out(out)
    refuse_choice("np.std", where, mean)
    delta = ddof if correction is None else correction
    y = a.std(axis, dtype, None, delta, keepdims)

    def std_back(y_bar):
        centred = a - np.mean(a, axis=axis, keepdims=True)
        scale = y_bar / (np.where(y == 0, 1, y) * (count(a.shape, axis) - delta))
        return (cast(kept(scale, a.shape, axis) * centred, a.dtype),)

    return y, std_back


def refuse_choice(function, where, given=None):
    """Raise if a reduction is asked to leave entries out, or to trust a value given for one of its steps."""
    if where is not True or given is not None:
        refuse(function, "where=, initial= and mean= are not supported here", "index the array before")


def options(where, initial):
    """The arguments of a reduction that say what it takes and where it starts, where they are given.

    >>> options(True, None), options(True, 2.0)
    ({}, {'initial': 2.0})
    """
    return {**({} if where is True else {"where": where}), **({} if initial is None else {"initial": initial})}


non_differentiable(options)


@array_rule(np.average)
def average_rule(a: np.ndarray, axis=None, weights=None, returned=False, *, keepdims=False):
    """y = Σ wᵢ aᵢ / W with W = Σ wᵢ, so āᵢ = ȳ wᵢ / W and w̄ᵢ = ȳ (aᵢ - y) / W."""
    if returned:
        refuse("np.average(returned=True)", "the sum of weights is returned as well", "sum the weights yourself")
    if weights is None:
        return mean_rule(a, axis, None, None, keepdims)
    y = np.average(a, axis, weights, keepdims=keepdims)
    w = np.asarray(weights)
    same = w.shape == a.shape
    aligned = w if same else np.reshape(w, tuple(n if i in axes_of(axis, a.ndim) else 1 for i, n in enumerate(a.shape)))

    def average_back(y_bar):
        d = kept(y_bar, a.shape, axis) / np.sum(aligned, axis=axis, keepdims=True)
        a_bar = cast(np.conj(aligned) * d + np.zeros(a.shape), a.dtype)
        difference = np.conj(a - kept(y, a.shape, axis)) * d
        others = tuple(i for i in range(a.ndim) if not same and i not in axes_of(axis, a.ndim))
        return a_bar, None, nested(np.reshape(np.sum(difference, axis=others), w.shape), weights)

    return y, average_back


# Products


@array_rule(np.prod, np.ndarray.prod, np.generic.prod, returns="reduction")
def prod_rule(a: np.ndarray, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """y = x Π aᵢ with x = `initial`, so āᵢ = ȳ x Π_{j ≠ i} aⱼ, without a division where one is 0, and x̄ = Σ ȳ Π aᵢ."""
    refuse_out(out)
    y = np.multiply.reduce(a, axis, dtype, None, keepdims, **options(where, initial))

    def prod_back(y_bar):
        taken = a if where is True else np.where(where, a, 1)
        d = y_bar if initial is None else y_bar * np.conj(initial)
        a_bar = cast(chosen(kept(d, a.shape, axis) * np.conj(product_of_others(taken, axis)), where), a.dtype)
        if initial is None:
            return (a_bar,)
        others = np.multiply.reduce(taken, axis, dtype, None, keepdims)
        return a_bar, None, None, None, None, of_initial(y_bar * np.conj(others), initial)

    return y, prod_back


def product_of_others(a, axis):
    """For each entry the product of all others along the axes: that of those before times that of those after.

    >>> product_of_others(np.array([2.0, 0.0, 5.0]), None)
    array([ 0., 10.,  0.])
    """
    axes = axes_of(axis, a.ndim)
    first = a.ndim - len(axes)
    last = tuple(range(first, a.ndim))
    moved = np.moveaxis(a, axes, last)
    flat = np.reshape(moved, (*moved.shape[:first], math.prod(moved.shape[first:])))
    one = np.ones_like(flat[..., :1])
    before = np.cumprod(np.concatenate((one, flat[..., :-1]), axis=-1), axis=-1)
    after = np.flip(np.cumprod(np.concatenate((one, np.flip(flat[..., 1:], axis=-1)), axis=-1), axis=-1), axis=-1)
    return np.moveaxis(np.reshape(before * after, moved.shape), last, axes)


@array_rule(np.multiply.reduce, returns="array")
def multiply_reduce_rule(array: np.ndarray, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """`np.multiply.reduce` is `np.prod`, along the first axis by default."""
    return prod_rule(array, axis, dtype, out, keepdims, initial, where)


# Largest and smallest entries


def shares(a, extremum):
    """The share that each entry has in the extremum along its axes: tied entries share equally.

    >>> shares(np.array([1.0, 3.0, 3.0]), np.array([3.0]))
    array([0. , 0.5, 0.5])
    """
    tied = a == extremum
    if np.ndim(extremum) == 0 or extremum.size == 1:
        n = np.count_nonzero(tied)
        return tied if n == 1 else tied / max(n, 1)
    axes = tuple(i for i, n in enumerate(extremum.shape) if n == 1)
    return tied / np.maximum(np.add.reduce(tied, axes, int, None, True), 1)


non_differentiable(shares)


@array_rule(np.max, np.amax, np.ndarray.max, np.generic.max, returns="reduction")
def max_rule(a: np.ndarray, axis=None, out=None, keepdims=False, initial=None, where=True):
    """y = maxᵢ aᵢ, so ȳ goes to the largest entry; tied ones share it equally. `initial` is one more entry."""
    refuse_out(out)
    y = np.maximum.reduce(a, axis, None, None, keepdims, **options(where, initial))
    return _extremum(a, y, axis, where, initial)


@array_rule(np.min, np.amin, np.ndarray.min, np.generic.min, returns="reduction")
def min_rule(a: np.ndarray, axis=None, out=None, keepdims=False, initial=None, where=True):
    """y = minᵢ aᵢ, so ȳ goes to the smallest entry; tied ones share it equally. `initial` is one more entry."""
    refuse_out(out)
    y = np.minimum.reduce(a, axis, None, None, keepdims, **options(where, initial))
    return _extremum(a, y, axis, where, initial)


@array_rule(np.maximum.reduce, returns="array")
def maximum_reduce_rule(array: np.ndarray, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """`np.maximum.reduce` is `np.max`, along the first axis by default."""
    return max_rule(array, axis, out, keepdims, initial, where)


@array_rule(np.minimum.reduce, returns="array")
def minimum_reduce_rule(array: np.ndarray, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """`np.minimum.reduce` is `np.min`, along the first axis by default."""
    return min_rule(array, axis, out, keepdims, initial, where)


def _extremum(a, y, axis, where=True, initial=None):
    def extremum_back(y_bar):
        if initial is None and where is True:
            return (cast(kept(y_bar, a.shape, axis) * shares(a, kept(y, a.shape, axis)), a.dtype),)
        of_entry, of_start = shares_from(a, y, axis, where, initial)
        a_bar = cast(kept(y_bar, a.shape, axis) * of_entry, a.dtype)
        return a_bar, None, None, None, of_initial(y_bar * of_start, initial)

    return y, extremum_back


def shares_from(a, y, axis, where, initial):
    """The shares in an extremum `y` of the entries that are taken, and of the number that it starts from.

    >>> shares_from(np.array([1.0, 3.0, 3.0]), 3.0, None, [True, True, False], 3.0)
    (array([0. , 0.5, 0. ]), ...0.5...)
    """
    tied = (a == kept(y, a.shape, axis)) & np.asarray(where)
    starts = np.reshape(np.zeros(np.shape(y), bool) if initial is None else y == initial, np.shape(y))
    n = np.maximum(np.add.reduce(tied, axis, int, None, True) + kept(starts, a.shape, axis), 1)
    return tied / n, starts / np.reshape(n, np.shape(y))


non_differentiable(shares_from)


@array_rule(np.ptp)
def ptp_rule(a: np.ndarray, axis=None, out=None, keepdims=False):
    """y = max - min."""
    refuse_out(out)
    top, top_back = max_rule(a, axis, None, keepdims)
    bottom, bottom_back = min_rule(a, axis, None, keepdims)

    def ptp_back(y_bar):
        return (top_back(y_bar)[0] - bottom_back(y_bar)[0],)

    return top - bottom, ptp_back


@array_rule(np.logaddexp.reduce)
def logaddexp_reduce_rule(array: np.ndarray, axis=0, dtype=None, out=None, keepdims=False):
    """y = log Σ exp(aᵢ), so āᵢ = ȳ exp(aᵢ - y)."""
    refuse_out(out)
    y = np.logaddexp.reduce(array, axis, dtype, None, keepdims)

    def logaddexp_reduce_back(y_bar):
        shape = array.shape
        return (cast(kept(y_bar, shape, axis) * np.exp(array - kept(y, shape, axis)), array.dtype),)

    return y, logaddexp_reduce_back


# The same, leaving out what is nan


@array_rule(np.nansum, returns="reduction")
def nansum_rule(a: np.ndarray, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """y = Σ of the numbers among the aᵢ, so āᵢ = ȳ for these."""
    refuse_out(out)
    refuse_choice("np.nansum", where, initial)

    def nansum_back(y_bar):
        return (cast(np.where(np.isnan(a), 0.0, kept(y_bar, a.shape, axis)), a.dtype),)

    return np.nansum(a, axis, dtype, None, keepdims), nansum_back


@array_rule(np.nanmean)
def nanmean_rule(a: np.ndarray, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    """y = the mean of the n numbers among the aᵢ, so āᵢ = ȳ / n for these."""
    refuse_out(out)
    refuse_choice("np.nanmean", where)

    def nanmean_back(y_bar):
        n = numbers_along(a, axis)
        return (cast(np.where(np.isnan(a), 0.0, kept(y_bar, a.shape, axis) / n), a.dtype),)

    return np.nanmean(a, axis, dtype, None, keepdims), nanmean_back


def numbers_along(a, axis):
    """How many entries along the axes are not nan (at least 1).

    >>> numbers_along(np.array([1.0, np.nan]), None)
    array([1])
    """
    return np.maximum(np.add.reduce(~np.isnan(a), axis, int, None, True), 1)


@array_rule(np.nanprod, returns="reduction")
def nanprod_rule(a: np.ndarray, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """y = Π of the numbers among the aᵢ."""
    refuse_out(out)
    refuse_choice("np.nanprod", where, initial)

    def nanprod_back(y_bar):
        others = product_of_others(np.where(np.isnan(a), 1, a), axis)
        return (cast(np.where(np.isnan(a), 0.0, kept(y_bar, a.shape, axis) * np.conj(others)), a.dtype),)

    return np.nanprod(a, axis, dtype, None, keepdims), nanprod_back


@array_rule(np.nanmax, returns="reduction")
def nanmax_rule(a: np.ndarray, axis=None, out=None, keepdims=False, initial=None, where=True):
    """y = the largest number among the aᵢ."""
    refuse_out(out)
    refuse_choice("np.nanmax", where, initial)
    return _extremum(a, np.nanmax(a, axis, None, keepdims), axis)


@array_rule(np.nanmin, returns="reduction")
def nanmin_rule(a: np.ndarray, axis=None, out=None, keepdims=False, initial=None, where=True):
    """y = the smallest number among the aᵢ."""
    refuse_out(out)
    refuse_choice("np.nanmin", where, initial)
    return _extremum(a, np.nanmin(a, axis, None, keepdims), axis)


@array_rule(np.nanvar)
def nanvar_rule(a: np.ndarray, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True):
    """y = the variance of the n numbers among the aᵢ, so āᵢ = 2 ȳ (aᵢ - m) / (n - ddof) for these."""
    refuse_out(out)
    refuse_choice("np.nanvar", where)
    return np.nanvar(a, axis, dtype, None, ddof, keepdims), _nanvar_back(a, axis, ddof, lambda y_bar: 2 * y_bar)


@array_rule(np.nanstd)
def nanstd_rule(a: np.ndarray, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True):
    """y = √nanvar; 0 flows where y is 0."""
    refuse_out(out)
    refuse_choice("np.nanstd", where)
    y = np.nanstd(a, axis, dtype, None, ddof, keepdims)
    return y, _nanvar_back(a, axis, ddof, lambda y_bar: y_bar / np.where(y == 0, 1, y))


def _nanvar_back(a, axis, ddof, scale):
    def nanvar_back(y_bar):
        centred = np.where(np.isnan(a), 0.0, a - np.nanmean(a, axis=axis, keepdims=True))
        d = kept(scale(y_bar), a.shape, axis) / (numbers_along(a, axis) - ddof)
        return (cast(d * centred, a.dtype),)

    return nanvar_back
