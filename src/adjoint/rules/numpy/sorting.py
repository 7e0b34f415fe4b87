"""Functions that put entries in order, or select them by their rank: each cotangent follows its entry."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np

from ..registry import non_differentiable
from .lifting import array_rule, refuse, refuse_out
from .linear import axes_of, cast, kept, scatter
from .reductions import count
from .scans import along_axis


@array_rule(np.sort, returns="array alike alone")
def sort_rule(a: np.ndarray, axis=-1, kind=None, order=None, *, stable=None):
    """y = a[p] with the sorting permutation p, so ā[p] = ȳ."""
    p = np.argsort(a, axis, kind, order, stable=stable)
    return np.sort(a, axis, kind, order, stable=stable), _permuted_back(a, p, axis)


@array_rule(np.partition)
def partition_rule(a: np.ndarray, kth, axis=-1, kind="introselect", order=None):
    """y = a[p] with the partitioning permutation p, so ā[p] = ȳ."""
    y = np.partition(a, kth, axis, kind, order)
    return y, _permuted_back(a, _places_of(a, y, axis), axis)


def _places_of(a, y, axis):
    """Where the items of `y`, those of `a` in another order, come from: `argpartition` may have yet another order."""
    p, q = np.argsort(a, axis, kind="stable"), np.argsort(y, axis, kind="stable")
    places = np.empty_like(p)
    if axis is None:
        places[q] = p
    else:
        np.put_along_axis(places, q, p, axis)
    return places


non_differentiable(_places_of)


def _permuted_back(a, p, axis):
    shape, dtype = a.shape, a.dtype

    def permuted_back(y_bar):
        if axis is None:
            return np.reshape(scatter(y_bar, p, (a.size,), dtype), shape), None
        (along,) = axes_of(axis, len(shape))
        return scatter(y_bar, along_axis(p, along), shape, dtype), None

    return permuted_back


@array_rule(np.unique)
def unique_rule(ar: np.ndarray, return_index=False, return_inverse=False, return_counts=False, axis=None):
    """y = the different entries in order; ȳ goes to where each stands first."""
    if return_index or return_inverse or return_counts or axis is not None:
        refuse("np.unique", "only np.unique(x) has a rule", "ask for indices in a function of its own")
    y, first = np.unique(ar, return_index=True)
    shape, dtype, size = ar.shape, ar.dtype, ar.size

    def unique_back(y_bar):
        return (np.reshape(scatter(y_bar, first, (size,), dtype), shape),)

    return y, unique_back


@array_rule(np.median, returns="reduction")
def median_rule(a: np.ndarray, axis=None, out=None, overwrite_input=False, keepdims=False):
    """y = the entry of middle rank, or the mean of the two."""
    refuse_out(out)
    y = np.median(a, axis, keepdims=keepdims)
    return y, _ranks_back(a, 0.5, axis)


@array_rule(np.quantile)
def quantile_rule(
    a: np.ndarray,
    q,
    axis=None,
    out=None,
    overwrite_input=False,
    method="linear",
    keepdims=False,
    *,
    weights=None,
    needs=None,
):
    """y = (1 - t) a₍ᵢ₎ + t a₍ᵢ₊₁₎ with i + t = q (n - 1), where a₍ᵢ₎ is the entry of rank i."""
    refuse_out(out)
    if np.ndim(q) or method != "linear" or weights is not None or (needs is not None and needs[1]):
        refuse("np.quantile", "only a fixed number q with the linear method has a rule", "call it once for each q")
    return np.quantile(a, q, axis, keepdims=keepdims), _ranks_back(a, q, axis)


@array_rule(np.percentile)
def percentile_rule(
    a: np.ndarray,
    q,
    axis=None,
    out=None,
    overwrite_input=False,
    method="linear",
    keepdims=False,
    *,
    weights=None,
    needs=None,
):
    """`np.quantile(a, q / 100)`."""
    refuse_out(out)
    if np.ndim(q) or method != "linear" or weights is not None or (needs is not None and needs[1]):
        refuse("np.percentile", "only a fixed number q with the linear method has a rule", "call it once for each q")
    return np.percentile(a, q, axis, keepdims=keepdims), _ranks_back(a, q / 100, axis)


def _ranks_back(a, q, axis):
    shape, dtype = a.shape, a.dtype
    axes = axes_of(axis, a.ndim)
    first = a.ndim - len(axes)
    last = tuple(range(first, a.ndim))
    moved = np.moveaxis(a, axes, last)
    moved_shape = moved.shape
    kept_shape = moved_shape[:first]
    n = count(shape, axis)
    order = np.argsort(np.reshape(moved, (*kept_shape, n)), axis=-1, kind="stable")
    low = int(np.floor(q * (n - 1)))
    high, t = min(low + 1, n - 1), q * (n - 1) - low
    at_low, at_high = along_axis(order[..., low : low + 1], first), along_axis(order[..., high : high + 1], first)

    def ranks_back(y_bar):
        d = np.reshape(kept(y_bar, shape, axis), (*kept_shape, 1))
        flat_bar = scatter((1 - t) * d, at_low, (*kept_shape, n), dtype)
        flat_bar = flat_bar + scatter(t * d, at_high, (*kept_shape, n), dtype)
        return cast(np.moveaxis(np.reshape(flat_bar, moved_shape), last, axes), dtype), None

    return ranks_back
