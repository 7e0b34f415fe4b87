"""Reductions and running sums that leave out what is nan: nothing flows to it."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np

from ...tangents import unbroadcast
from ..registry import non_differentiable
from .extrema import extremum_back, shares
from .lifting import array_rule, of_arrays, refuse_out
from .linear import carried, cast, kept
from .reductions import count, deviation_back, of_initial, options, product_back
from .scans import cumprod_rule, cumsum_rule


def numbers_in(a, where=True):
    """A mask of the entries of an array that are numbers, and at which `where` is true.

    >>> numbers_in(np.array([1.0, np.nan]))
    array([ True, False])
    """
    return ~np.isnan(a) if where is True else ~np.isnan(a) & np.asarray(where)


non_differentiable(numbers_in)


def nansum_tangent(dots, y, a, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """ẏ = Σ of the ȧᵢ of the numbers."""
    return np.sum(np.where(numbers_in(a), dots[0], 0.0), axis=axis, keepdims=keepdims)


@array_rule(
    np.nansum,
    forward=nansum_tangent,
    forward_for=of_arrays(nansum_tangent, options="axis keepdims"),
)
def nansum_rule(a: np.ndarray, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """y = Σ of the numbers among the aᵢ, so āᵢ = ȳ for these."""
    refuse_out(out)
    y = np.nansum(a, axis, dtype, None, keepdims, **options(initial, where))

    def nansum_back(y_bar):
        if dtype is not None and not carried(a.dtype, np.dtype(dtype)):
            return (None,)
        a_bar = cast(np.where(numbers_in(a, where), kept(y_bar, a.shape, axis), 0.0), a.dtype)
        return a_bar, None, None, None, None, of_initial(y_bar, initial)

    return y, nansum_back


def nanmean_tangent(dots, y, a, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    """ẏ = the mean of the ȧᵢ of the numbers."""
    taken = numbers_in(a)
    n = np.maximum(np.sum(taken, axis=axis, keepdims=keepdims), 1)
    return unbroadcast(np.sum(np.where(taken, dots[0], 0.0), axis=axis, keepdims=keepdims) / n, y)


@array_rule(
    np.nanmean,
    forward=nanmean_tangent,
    forward_for=of_arrays(nanmean_tangent, options="axis keepdims"),
)
def nanmean_rule(a: np.ndarray, axis=None, dtype=None, out=None, keepdims=False, *, where=True):
    """y = the mean of the n numbers among the aᵢ, so āᵢ = ȳ / n for these."""
    refuse_out(out)

    def nanmean_back(y_bar):
        if dtype is not None and not carried(a.dtype, np.dtype(dtype)):
            return (None,)
        taken = numbers_in(a, where)
        d = kept(y_bar, a.shape, axis) / np.maximum(count(a.shape, axis, taken), 1)
        return (cast(np.where(taken, d, 0.0), a.dtype),)

    return np.nanmean(a, axis, dtype, None, keepdims, **options(where=where)), nanmean_back


@array_rule(np.nanprod)
def nanprod_rule(a: np.ndarray, axis=None, dtype=None, out=None, keepdims=False, initial=None, where=True):
    """y = Π of the numbers among the aᵢ."""
    refuse_out(out)
    y = np.nanprod(a, axis, dtype, None, keepdims, **options(initial, where))
    return y, product_back(a, axis, dtype, keepdims, initial, numbers_in(a, where))


def nan_extremum_tangent(dots, y, a, axis=None, out=None, keepdims=False, initial=None, where=True):
    """ẏ = Σ sᵢ ȧᵢ with the shares s of the numbers."""
    share = np.where(a == a, shares(a, kept(y, a.shape, axis)), 0.0)
    return unbroadcast(np.sum(share * dots[0], axis=axis, keepdims=keepdims), y)


NUMBERS_BY_SHARES = of_arrays(nan_extremum_tangent, options="axis keepdims", holomorphic=False)


@array_rule(np.nanmax, forward=nan_extremum_tangent, forward_for=NUMBERS_BY_SHARES)
def nanmax_rule(a: np.ndarray, axis=None, out=None, keepdims=False, initial=None, where=True):
    """y = the largest number among the aᵢ."""
    refuse_out(out)
    y = np.nanmax(a, axis, None, keepdims, **options(initial, where))
    return y, extremum_back(a, y, axis, where, initial, True)


@array_rule(np.nanmin, forward=nan_extremum_tangent, forward_for=NUMBERS_BY_SHARES)
def nanmin_rule(a: np.ndarray, axis=None, out=None, keepdims=False, initial=None, where=True):
    """y = the smallest number among the aᵢ."""
    refuse_out(out)
    y = np.nanmin(a, axis, None, keepdims, **options(initial, where))
    return y, extremum_back(a, y, axis, where, initial, True)


@array_rule(np.nanvar)
def nanvar_rule(
    a: np.ndarray, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None, correction=None
):
    """y = the variance of the n numbers among the aᵢ, so āᵢ = 2 ȳ (aᵢ - m) / (n - ddof) for these."""
    refuse_out(out)
    given = options(where=where, mean=mean, correction=correction)
    y = np.nanvar(a, axis, dtype, None, ddof, keepdims, **given)
    delta = ddof if correction is None else correction
    return y, deviation_back(a, axis, dtype, delta, numbers_in(a, where), mean, lambda y_bar: (2 * y_bar, y))


@array_rule(np.nanstd)
def nanstd_rule(
    a: np.ndarray, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where=True, mean=None, correction=None
):
    """y = √nanvar; 0 flows where y is 0."""
    refuse_out(out)
    given = options(where=where, mean=mean, correction=correction)
    y = np.nanstd(a, axis, dtype, None, ddof, keepdims, **given)
    delta = ddof if correction is None else correction

    def scaled(y_bar):
        return y_bar / np.where(y == 0, np.inf, y), y * y

    return y, deviation_back(a, axis, dtype, delta, numbers_in(a, where), mean, scaled)


def nancumsum_tangent(dots, y, a, axis=None, dtype=None, out=None):
    """The running sum of the ȧᵢ of the numbers."""
    return np.cumsum(np.where(numbers_in(a), dots[0], 0.0), axis=axis)


@array_rule(np.nancumsum, forward=nancumsum_tangent, forward_for=of_arrays(nancumsum_tangent, options="axis"))
def nancumsum_rule(a: np.ndarray, axis=None, dtype=None, out=None):
    """The running sum of the numbers among the aᵢ."""
    refuse_out(out)
    numbers = numbers_in(a)
    _, back = cumsum_rule(np.where(numbers, a, 0.0), axis, dtype)
    return np.nancumsum(a, axis, dtype), _of_numbers(back, numbers, a.dtype)


@array_rule(np.nancumprod)
def nancumprod_rule(a: np.ndarray, axis=None, dtype=None, out=None):
    """The running product of the numbers among the aᵢ."""
    refuse_out(out)
    numbers = numbers_in(a)
    _, back = cumprod_rule(np.where(numbers, a, 1.0), axis, dtype)
    return np.nancumprod(a, axis, dtype), _of_numbers(back, numbers, a.dtype)


def _of_numbers(back, numbers, kind):
    def of_numbers_back(y_bar):
        (bar,) = back(y_bar)
        return (None if bar is None else cast(np.where(numbers, bar, 0.0), kind),)

    return of_numbers_back
