"""Reductions and running sums that leave out what is nan: nothing flows to it."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np

from ..registry import non_differentiable
from .extrema import extremum_back
from .lifting import array_rule, refuse_out
from .linear import carried, cast, kept
from .reductions import count, deviation_back, of_initial, options, product_back
from .scans import cumprod_rule, cumsum_rule


def numbers_in(a, where=True):
    """Where an array holds numbers, and a mask is true.

    >>> numbers_in(np.array([1.0, np.nan]))
    array([ True, False])
    """
    return ~np.isnan(a) if where is True else ~np.isnan(a) & np.asarray(where)


non_differentiable(numbers_in)


@array_rule(np.nansum)
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


@array_rule(np.nanmean)
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


@array_rule(np.nanmax)
def nanmax_rule(a: np.ndarray, axis=None, out=None, keepdims=False, initial=None, where=True):
    """y = the largest number among the aᵢ."""
    refuse_out(out)
    y = np.nanmax(a, axis, None, keepdims, **options(initial, where))
    return y, extremum_back(a, y, axis, where, initial, True)


@array_rule(np.nanmin)
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


@array_rule(np.nancumsum)
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
