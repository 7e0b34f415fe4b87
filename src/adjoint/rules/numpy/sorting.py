"""Functions that put entries in order, or select them by their rank: each cotangent follows its entry."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math
import operator

import numpy as np

from ..registry import non_differentiable, rule
from .lifting import array_rule, composed, of_arrays
from .linear import axes_of, cast, scatter


def sort_tangent(dots, y, a, axis=-1, kind=None, order=None):
    """ẏ = ȧ[p]."""
    if axis is None:
        return np.ravel(dots[0])[np.argsort(a, None, kind)]
    axis = operator.index(axis)  # `argsort` takes no flag for it
    return np.take_along_axis(dots[0], np.argsort(a, axis, kind), axis)


@array_rule(np.sort, forward=sort_tangent, forward_for=of_arrays(sort_tangent, options="axis kind"))
def sort_rule(a: np.ndarray, axis=-1, kind=None, order=None, **options):
    """y = a[p] with the sorting permutation p, so ā[p] = ȳ."""
    axis = None if axis is None else operator.index(axis)  # `argsort` takes no flag for it
    p = np.argsort(a, axis, kind, order, **options)
    return np.sort(a, axis, kind, order, **options), _permuted_back(a, p, axis)


@array_rule(np.partition)
def partition_rule(a: np.ndarray, kth, axis=-1, kind="introselect", order=None):
    """y = a[p] with the partitioning permutation p, so ā[p] = ȳ."""
    y = np.partition(a, kth, axis, kind, order)
    return y, _permuted_back(a, _places_of(a, y, axis), axis)


def _places_of(a, y, axis):
    """The places from which the items of `y`, those of `a` in another order, come: `argpartition` may have yet another
    order."""
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
            return cast(np.reshape(permuted(y_bar, p, 0), shape), dtype), None
        return cast(permuted(y_bar, p, axis), dtype), None

    return permuted_back


def permuted(d, p, axis):
    """y[p] = d along an axis, for a permutation p: the adjoint of taking entries in another order.

    >>> permuted(np.array([1.0, 2.0, 3.0]), np.array([2, 0, 1]), 0)
    array([2., 3., 1.])
    """
    if type(d) is not np.ndarray:
        return np.take_along_axis(d, np.argsort(p, axis), axis)
    y = np.empty_like(d)
    if p.ndim == 1:
        y[p] = d
    else:
        np.put_along_axis(y, p, d, axis)
    return y


@rule(permuted, linear="d")
def permuted_rule(d, p, axis):
    """d̄ = ȳ[p]."""

    def permuted_back(y_bar):
        return np.take_along_axis(y_bar, p, axis), None, None

    return permuted(d, p, axis), permuted_back


@array_rule(np.sort_complex)
def sort_complex_rule(a: np.ndarray):
    """`np.sort`, of which complex numbers are made."""
    _, back = sort_rule(a)

    def sort_complex_back(y_bar):
        return (cast(back(y_bar)[0], a.dtype),)

    return np.sort_complex(a), sort_complex_back


# Different entries


@array_rule(np.unique)
def unique_rule(ar: np.ndarray, return_index=False, return_inverse=False, return_counts=False, axis=None, **options):
    """y = the different entries in order; ȳ goes to where each stands first."""
    y = np.unique(ar, return_index, return_inverse, return_counts, axis, **options)
    values = y[0] if isinstance(y, tuple) else y
    places = first_places(ar, values, axis, options.get("equal_nan", True))

    def unique_back(y_bar):
        d = y_bar[0] if isinstance(y, tuple) else y_bar
        return (None if d is None else placed(d, places, ar.shape, axis, ar.dtype),)

    return y, unique_back


def _unique(f):
    @array_rule(f)
    def unique_of_array_api_rule(x: np.ndarray, /):
        """The different entries, and what is said of them; ȳ goes to where each stands first."""
        y = f(x)
        places = first_places(x, y if isinstance(y, np.ndarray) else y.values, None, False)

        def unique_of_array_api_back(y_bar):
            d = y_bar if isinstance(y, np.ndarray) else y_bar[0]
            return (None if d is None else placed(d, places, x.shape, None, x.dtype),)

        return y, unique_of_array_api_back


for _f in (np.unique_values, np.unique_counts, np.unique_inverse, np.unique_all):
    _unique(_f)


def first_places(a, values, axis, equal_nan):
    """The first places, along an axis (or in the flattened array), of the values, the different ones of `a`.

    >>> first_places(np.array([3.0, 1.0, 3.0]), np.array([3.0, 1.0]), None, True)
    array([0, 1])
    """
    ordered, places = np.unique(a, return_index=True, axis=axis, equal_nan=equal_nan)
    if axis is not None or np.array_equal(values, ordered, equal_nan=values.dtype.kind in "fc"):
        return places
    found = np.empty_like(places)
    found[np.argsort(values, kind="stable")] = places
    return found


def placed(d, places, shape, axis, dtype):
    """The adjoint of taking entries at places along an axis, or of the flattened array."""
    if axis is None:
        return np.reshape(scatter(d, places, (math.prod(shape),), dtype), shape)
    (along,) = axes_of(axis, len(shape))
    return scatter(d, (slice(None),) * along + (places,), shape, dtype)


non_differentiable(first_places)


@composed(np.union1d)
def union(ar1, ar2):
    """The different entries of both; a common one is the first's."""
    return np.unique(np.concatenate((np.ravel(ar1), np.ravel(ar2))))


@composed(np.intersect1d)
def intersection(ar1, ar2, assume_unique=False, return_indices=False):
    """The common entries, as those of the first."""
    first, second = places_of_common(ar1, ar2, assume_unique)
    common = np.ravel(ar1)[first]
    return (common, first, second) if return_indices else common


def places_of_common(ar1, ar2, assume_unique):
    """The places of the common entries, in both."""
    return np.intersect1d(ar1, ar2, assume_unique, True)[1:]


non_differentiable(places_of_common)


@composed(np.setdiff1d)
def difference(ar1, ar2, assume_unique=False):
    """The entries of the first that are none of the second."""
    values = np.ravel(ar1) if assume_unique else np.unique(ar1)
    return values[~np.isin(values, ar2)]


@composed(np.setxor1d)
def symmetric_difference(ar1, ar2, assume_unique=False):
    """The entries of one that are none of the other."""
    first, second = np.ravel(ar1), np.ravel(ar2)
    if not assume_unique:
        first, second = np.unique(first), np.unique(second)
    both = np.concatenate((first[~np.isin(first, second)], second[~np.isin(second, first)]))
    return np.sort(both)
