"""Medians, quantiles and percentiles: means of two entries of neighbouring ranks."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math

import numpy as np

from ...tangents import apply_partial, unbroadcast
from ..registry import non_differentiable
from .lifting import array_rule, of_arrays, refuse, refuse_out
from .linear import axes_of, bring_back, cast, scatter
from .scans import along_axis


def median_tangent(dots, y, a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """ẏ = the tangent of the entry of middle rank, or the mean of the two."""
    d = ranked_tangent(dots[0], a, 0.5, axis, ordered(a, axis), None)
    return unbroadcast(np.reshape(d, np.shape(y))[()], y)


def nanmedian_tangent(dots, y, a, axis=None, out=None, overwrite_input=False, keepdims=False):
    """The same of the entries that are not nan."""
    d = ranked_tangent(dots[0], a, 0.5, axis, ordered(a, axis, True), None)
    return unbroadcast(np.reshape(d, np.shape(y))[()], y)


BY_RANK = of_arrays(median_tangent, options="axis keepdims", holomorphic=False)


def is_ranked(dots, a, axis=None, *args, **kwargs):
    """Tell whether the entries of a real array have an order: there are some, and none is nan."""
    return BY_RANK(dots, a, axis, *args, **kwargs) and has_order(a)


def has_order(a):
    """Tell whether there are entries, and none is nan."""
    return a.size > 0 and not np.count_nonzero(np.isnan(a))


@array_rule(np.median, forward=median_tangent, forward_for=is_ranked)
def median_rule(a: np.ndarray, axis=None, out=None, overwrite_input=False, keepdims=False):
    """y = the entry of middle rank, or the mean of the two."""
    refuse_changes(np.median, out, overwrite_input)
    if not a.size:
        return np.median(a, axis, keepdims=keepdims), lambda y_bar: (np.zeros(a.shape, a.dtype),)
    back = between_ranks(a, 0.5, axis, ordered(a, axis), None)
    return np.median(a, axis, keepdims=keepdims), lambda y_bar: back(y_bar)[:1]


@array_rule(np.nanmedian, forward=nanmedian_tangent, forward_for=is_ranked)
def nanmedian_rule(a: np.ndarray, axis=None, out=None, overwrite_input=False, keepdims=False):
    """The median of the entries that are not nan."""
    refuse_changes(np.nanmedian, out, overwrite_input)
    if not a.size:
        return np.nanmedian(a, axis, keepdims=keepdims), lambda y_bar: (np.zeros(a.shape, a.dtype),)
    back = between_ranks(a, 0.5, axis, ordered(a, axis, True), None)
    return np.nanmedian(a, axis, keepdims=keepdims), lambda y_bar: back(y_bar)[:1]


SWAPS = tuple(map(int, np.__version__.split(".")[:2])) < (2, 4)
"""True if `quantile` takes weights along several axes in another order than the entries: a fault of older versions."""


def _quantile(f, unit, nan):
    """Declare a function of quantiles: of parts of `unit`; of what is not nan."""

    def quantile_tangent(
        dots, y, a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None
    ):
        """ẏ = (1 - t) ȧ₍ᵢ₎ + t ȧ₍ᵢ₊₁₎."""
        d = ranked_tangent(dots[0], a, q, axis, ordered(a, axis, nan), (f, q, method, unit, None))
        return unbroadcast(np.reshape(d, np.shape(y))[()], y)

    holds = of_arrays(quantile_tangent, options="q axis method keepdims", holomorphic=False)

    @array_rule(
        f,
        forward=quantile_tangent,
        forward_for=lambda dots, a, *args, **kwargs: holds(dots, a, *args, **kwargs) and has_order(a),
    )
    def quantile_rule(
        a: np.ndarray, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False, *, weights=None
    ):
        """y = (1 - t) a₍ᵢ₎ + t a₍ᵢ₊₁₎ at the rank i + t that the method says, so q̄ = Σ ȳ (a₍ᵢ₊₁₎ - a₍ᵢ₎) dt/dq."""
        refuse_changes(f, out, overwrite_input)
        y = f(a, q, axis, method=method, keepdims=keepdims, weights=weights)
        if not a.size:
            return y, lambda y_bar: (np.zeros(a.shape, a.dtype),)
        if SWAPS and weights is not None and isinstance(axis, tuple) and len(axis) > 1:
            refuse(
                f"numpy.{f.__name__}",
                "before NumPy 2.4 it takes weights along several axes in another order",
                "join the axes by `np.reshape`, or use NumPy 2.4",
            )
        asked = (f, q, method, unit, None if weights is None else np.asarray(weights))
        return y, between_ranks(a, q, axis, ordered(a, axis, nan), asked)


_quantile(np.quantile, 1, False)
_quantile(np.percentile, 100, False)
_quantile(np.nanquantile, 1, True)
_quantile(np.nanpercentile, 100, True)


def refuse_changes(f, out, overwrite_input):
    """Raise if the result, or the entries in another order, are to be written into an array of the caller's.

    >>> refuse_changes(np.median, None, False)
    """
    refuse_out(out)
    if overwrite_input:
        refuse(
            f"np.{f.__name__}(overwrite_input=True)",
            "it leaves the entries in an order that is not known",
            "leave it off",
        )


def in_rows(a, axis):
    """An array with all axes that are reduced as one axis, the last.

    >>> in_rows(np.zeros((2, 3, 4)), (0, 2)).shape
    (3, 8)
    """
    axes = axes_of(axis, a.ndim)
    first = a.ndim - len(axes)
    moved = np.moveaxis(a, axes, tuple(range(first, a.ndim)))
    return np.reshape(moved, (*moved.shape[:first], math.prod(moved.shape[first:])))


def out_of_rows(rows, shape, axis):
    """The adjoint, and the inverse, of `in_rows`."""
    axes = axes_of(axis, len(shape))
    others = [n for i, n in enumerate(shape) if i not in axes]
    moved = np.reshape(rows, (*others, *[shape[i] for i in axes]))
    return np.moveaxis(moved, tuple(range(len(others), len(shape))), axes)


def ordered(a, axis, nan=False):
    """The order of the entries of each row, and how many count: all, or those that are not nan, which come last."""
    rows = in_rows(a, axis)
    n = rows.shape[-1] - np.count_nonzero(np.isnan(rows), axis=-1) if nan else np.full(rows.shape[:-1], rows.shape[-1])
    return np.argsort(rows, axis=-1, kind="stable"), np.asarray(n)


def ranked_tangent(a_dot, a, q, axis, order_and_n, asked):
    """The tangent of what lies between two ranks, the ranks in front: ẏ = (1 - t) ȧ₍ᵢ₎ + t ȧ₍ᵢ₊₁₎."""
    n, at_low, at_high, t, _ = places_between(a, q, axis, order_and_n, asked)
    rows = in_rows(a_dot, axis)
    d = np.where(np.expand_dims(n, -1) > 0, (1 - t) * rows[at_low] + t * rows[at_high], 0.0)
    return np.moveaxis(d, -1, 0)


def places_between(a, q, axis, order_and_n, asked):
    """The number of entries of each row that count, the two that each result lies between, how far, and how fast that
    moves with q; of the median if nothing is asked for."""
    order, n = order_and_n
    shape, dtype = a.shape, a.dtype
    rows_shape = order.shape
    first = len(rows_shape) - 1
    flat = np.reshape(np.asarray(q), (-1,))
    if asked is None:
        ranks, slope = np.expand_dims((n - 1) / 2, -1), 0.0
    else:
        ranks, slope = ranks_of(asked, order, n, axis, shape, dtype)
    low = lower_rank(ranks, n)
    at_low = along_axis(entry_of_rank(order, low, n, 0), first)
    at_high = along_axis(entry_of_rank(order, low, n, 1), first)
    # The ranks are found by counting; here they follow q.
    t = np.where(np.expand_dims(n, -1) > 0, ranks - low, 0.0) + slope * (flat - constant(flat))
    return n, at_low, at_high, t, slope


def between_ranks(a, q, axis, order_and_n, asked):
    """The pullback for the entries of `a`, and for `q`, of what lies between two ranks."""
    order = order_and_n[0]
    n, at_low, at_high, t, slope = places_between(a, q, axis, order_and_n, asked)
    shape, dtype, rows_shape = a.shape, a.dtype, order.shape
    first = len(rows_shape) - 1
    flat = np.reshape(np.asarray(q), (-1,))

    def between_ranks_back(y_bar):
        d = np.moveaxis(np.reshape(y_bar, (flat.shape[0], *rows_shape[:-1])), 0, -1)
        d = np.where(np.expand_dims(n, -1) > 0, d, 0.0)
        rows_bar = scatter((1 - t) * d, at_low, rows_shape, dtype) + scatter(t * d, at_high, rows_shape, dtype)
        a_bar = cast(out_of_rows(lost(rows_bar, d, order, n, in_rows(a, axis)), shape, axis), dtype)
        if asked is None or not np.any(slope):
            return a_bar, None
        rows = in_rows(a, axis)
        q_bar = np.sum((rows[at_high] - rows[at_low]) * slope * d, axis=tuple(range(first)))
        return a_bar, bring_back(np.reshape(q_bar, np.shape(q)), q)

    return between_ranks_back


def lost(rows_bar, d, order, n, rows):
    """The same, but nan at the entries that are nan of a row which counts them and whose result is nan therefore."""
    places = nan_places(order, n, rows)
    if places is None:
        return rows_bar
    unknown = np.sum(apply_partial(d, np.nan, True), axis=-1, keepdims=True)
    return np.where(places == 0, rows_bar, np.where(places > 1, unknown, 0.0))


def nan_places(order, n, rows):
    """2 for entries that are nan of a row in which they count, 1 for others of it, 0 elsewhere; None if all are 0."""
    total = rows.shape[-1]
    if rows.dtype.kind not in "fc" or not total or not np.count_nonzero(n == total):
        return None
    is_nan = np.isnan(rows) & np.expand_dims(n == total, -1)
    if not np.count_nonzero(is_nan):
        return None
    return np.where(is_nan, 2, np.any(is_nan, axis=-1, keepdims=True) * 1)


def lower_rank(ranks, n):
    """The lower of the two ranks that others lie between, among `n` in each row.

    >>> lower_rank(np.array([[0.0, 1.5, 2.0]]), np.array([3]))
    array([[0, 1, 1]])
    """
    return np.clip(np.floor(ranks), 0, np.maximum(np.expand_dims(n, -1) - 2, 0)).astype(np.intp)


def entry_of_rank(order, rank, n, more):
    """The places of the entries of these ranks in their rows, or of the ones after them."""
    rank = np.minimum(rank + more, np.maximum(np.expand_dims(n, -1) - 1, 0))
    return np.take_along_axis(order, np.broadcast_to(rank, (*order.shape[:-1], rank.shape[-1])), axis=-1)


FIRST_AND_SLOPE = {
    "linear": (0, -1),
    "interpolated_inverted_cdf": (-1, 0),
    "hazen": (-1 / 2, 0),
    "weibull": (-1, 1),
    "median_unbiased": (-2 / 3, 1 / 3),
    "normal_unbiased": (-5 / 8, 1 / 4),
}
"""The methods by which a quantile follows q: for b, c the rank is b + (n + c) q, where there is such a rank.

Source: R. J. Hyndman and Y. Fan, Sample quantiles in statistical packages, The American Statistician 50 (1996)."""


def ranks_of(asked, order, n, axis, shape, dtype):
    """The ranks at which the quantiles lie, for each row and each q, and how fast they move with q.

    What the function itself makes of the ranks in place of the entries are the ranks, for every method.
    """
    f, q, method, unit, weights = asked
    rows, last = order.shape[:-1], order.shape[-1]
    numbers = np.arange(last).astype(dtype if dtype.kind == "f" and dtype.itemsize > 2 else np.float64)
    # NumPy may take numbers for fractions of the precision of the entries: these ranks are rounded as those.
    ranks = np.zeros((*rows, math.prod(np.shape(q))))
    if weights is None:
        for k in np.unique(n):
            ranks[n == k] = np.reshape(f(numbers[:k], q, method=method), (-1,)) if k else 0.0
    else:
        heavy = weights if weights.shape == shape else np.broadcast_to(_along(weights, axis, len(shape)), shape)
        heavy = np.take_along_axis(in_rows(heavy, axis), order, axis=-1)
        for row in np.ndindex(rows):
            k = n[row]
            found = f(numbers[:k], q, method=method, weights=heavy[row][:k]) if k else 0.0
            ranks[row] = np.reshape(found, (-1,))
    if method not in FIRST_AND_SLOPE:
        return ranks, 0.0
    b, c = FIRST_AND_SLOPE[method]
    size = np.expand_dims(n, -1)
    free = b + (size + c) * (np.reshape(np.asarray(q), (-1,)) / unit)
    return ranks, np.where((free >= 0) & (free <= size - 1), (size + c) / unit, 0.0)


def _along(weights, axis, ndim):
    """Weights along some axes, with axes of length 1 for the others."""
    axes = axes_of(axis, ndim)
    order = np.argsort(axes)
    sizes = iter(np.transpose(weights, order).shape)
    return np.reshape(np.transpose(weights, order), [next(sizes) if i in axes else 1 for i in range(ndim)])


def constant(x):
    """A value that counts as constant: an array as another one, for what flows to an array goes by its place."""
    return x.copy() if isinstance(x, np.ndarray) else x


non_differentiable(ordered, lower_rank, entry_of_rank, ranks_of, nan_places, constant)
