"""Covariances and correlations, and histograms, in which entries count by their weights."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math

import numpy as np

from ..registry import non_differentiable
from .lifting import composed

# Covariances


@composed(np.cov)
def covariance(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None):
    """C = X diag(w) Xᴴ / N with the rows of X centred by their mean."""
    x = variables(m, rowvar, dtype)
    if y is not None:
        x = np.concatenate((x, variables(y, rowvar, dtype)))
    w = None
    if fweights is not None:
        w = np.asarray(fweights, float)
    if aweights is not None:
        w = np.asarray(aweights) if w is None else w * np.asarray(aweights)
    delta = (0 if bias else 1) if ddof is None else ddof
    if w is None:
        n = x.shape[1] - delta
        centred = x - np.mean(x, axis=1, keepdims=True)
        weighted = centred
    else:
        total = np.sum(w)
        n = (
            total - delta
            if delta == 0 or aweights is None
            else total - delta * np.sum(w * np.asarray(aweights)) / total
        )
        centred = x - np.sum(x * w, axis=1, keepdims=True) / total
        weighted = centred * w
    c = centred @ np.conj(np.transpose(weighted)) / (n if n > 0 else np.float64(0.0))
    return np.squeeze(c)


def variables(m, rowvar, dtype):
    """Observations as an array with one row for each variable."""
    x = np.asarray(m)
    x = np.atleast_2d(x if dtype is None else x.astype(dtype))
    return np.transpose(x) if not rowvar and np.ndim(m) != 1 else x


@composed(np.corrcoef)
def correlation(x, y=None, rowvar=True, *, dtype=None):
    """R = C / (s sᵀ) with the square roots s of the diagonal of C."""
    c = np.cov(x, y, rowvar, dtype=dtype)
    if c.ndim == 0:
        return c / c
    s = np.sqrt(np.real(np.diagonal(c)))
    return c / np.expand_dims(s, 1) / s


# Histograms


@composed(np.histogram_bin_edges)
def bin_edges(a, bins=10, range=None, weights=None):
    """The edges that were given, or equally spaced ones between the bounds, which are those of the entries if none
    were given."""
    edges = edges_of(a, bins, range)
    return edges_over(np.ravel(a), edges, bins, range)


def edges_of(a, bins, range):
    """The edges as they are, for which nothing is recorded: the program of a function must not call that function."""
    return np.histogram_bin_edges(a, bins, range)


def edges_over(a, edges, bins, range):
    """The edges of bins, as they follow from what they are made of."""
    if is_sequence(bins):
        return np.asarray(bins)
    if range is not None:
        low, high = range
    elif a.shape[0] == 0:
        return edges
    else:
        low, high = np.min(a), np.max(a)
    if low == high:
        low, high = low - 0.5, high + 0.5
    part = np.linspace(0.0, 1.0, len(edges))
    return low + part * (high - low)


@composed(np.histogram)
def histogram(a, bins=10, range=None, density=None, weights=None):
    """Each entry counts by its weight in the bin that it lies in; with `density` the counts are divided by the widths
    of the bins and by their sum."""
    edges = edges_of(a, bins, range)
    places = bins_of(a, edges)
    counts = counted(places, weights, len(edges) - 1)
    edges = edges_over(np.ravel(a), edges, bins, range)
    if density:
        counts = counts / np.diff(edges) / np.sum(counts)
    return counts, edges


def counted(places, weights, n):
    """The sums of the weights of each of `n` bins; the last place is for what lies outside."""
    if weights is None:
        return np.bincount(places, minlength=n + 1)[:n]
    w = np.ravel(weights)
    if np.iscomplexobj(w):
        return counted(places, np.real(w), n) + 1j * counted(places, np.imag(w), n)
    return np.bincount(places, w.astype(np.float64), n + 1)[:n]


def bins_of(a, edges):
    """In which bin each entry lies, all flattened; the last edge belongs to the last bin.

    >>> bins_of(np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.0, 1.0, 2.0]))
    array([0, 1, 1, 2])
    """
    a, n = np.ravel(a), len(edges) - 1
    places = np.searchsorted(edges, a, side="right") - 1
    places = np.where(a == edges[-1], n - 1, places)
    return np.where((places < 0) | (places >= n), n, places)


@composed(np.histogramdd)
def histogram_of_points(sample, bins=10, range=None, density=None, weights=None):
    """The histogram of points, one column for each dimension."""
    columns = columns_of(sample)
    found = grid_of(sample, bins, range)
    counts = counted_in_cells(columns, found, weights)
    d = len(columns)
    asked = bins if is_sequence(bins) else [bins] * d
    ranges = [None] * d if range is None else range
    edges = [edges_over(columns[i], found[i], asked[i], ranges[i]) for i in indices(d)]
    if density:
        for i in indices(d):
            counts = counts / np.reshape(np.diff(edges[i]), [-1 if j == i else 1 for j in indices(d)])
        counts = counts / np.sum(counted_in_cells(columns, found, weights))
    return counts, tuple(edges) if isinstance(found, tuple) else edges


@composed(np.histogram2d)
def histogram_of_pairs(x, y, bins=10, range=None, density=None, weights=None):
    """The histogram of points in the plane."""
    if is_sequence(bins) and len(bins) not in (1, 2):
        bins = [bins, bins]
    counts, edges = np.histogramdd([np.asarray(x), np.asarray(y)], bins, range, density, weights)
    return counts, edges[0], edges[1]


def grid_of(sample, bins, range):
    """The edges along each dimension, as they are."""
    return np.histogramdd(sample, bins, range)[1]


def is_sequence(bins):
    """Tell whether there are edges, or a number of bins for each dimension."""
    return not isinstance(bins, str) and np.iterable(bins)


def columns_of(sample):
    """The coordinates of points, dimension by dimension."""
    if isinstance(sample, np.ndarray):
        points = np.reshape(sample, (-1, 1)) if sample.ndim == 1 else sample
        return [points[:, i] for i in indices(points.shape[1])]
    return [np.asarray(column) for column in sample]


def counted_in_cells(columns, edges, weights):
    """The sums of the weights of the points in each cell of a grid."""
    shape = tuple([len(e) - 1 for e in edges])
    cells = cells_of(columns, edges, shape)
    return np.reshape(counted(cells, weights, math.prod(shape)), shape) * 1.0


def cells_of(columns, edges, shape):
    """In which cell each point lies, counted row by row; past the last for what lies outside."""
    places = [bins_of(column, e) for column, e in zip(columns, edges, strict=True)]
    outside = np.any([p == n for p, n in zip(places, shape, strict=True)], axis=0)
    inside = np.ravel_multi_index([np.minimum(p, n - 1) for p, n in zip(places, shape, strict=True)], shape)
    return np.where(outside, math.prod(shape), inside)


def indices(n):
    """The numbers below `n`."""
    return range(n)


non_differentiable(bins_of, cells_of, grid_of, is_sequence, indices, edges_of)
