"""Sums, means and extremes of the parts of an image that labels name; distances to a background."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, index, operator, import-untyped"

import numpy as np
from scipy import ndimage

from ....tangents import unknown
from ...numpy.lifting import composed, refuse_out
from ...registry import non_differentiable, rule
from .boundaries import numbers


def parts_of(labels, index, shape):
    """For each entry of the image the number of the part that it belongs to, 0 for none; how many parts there are;
    which of them are asked for, and whether only one is."""
    if labels is None:
        return np.ones(shape, np.intp), 1, np.array([0]), True
    marks = np.broadcast_to(np.asarray(labels), shape)
    if index is None:
        return (marks > 0).astype(np.intp), 1, np.array([0]), True
    wanted, places = np.unique(np.ravel(index), return_inverse=True)
    found = np.clip(np.searchsorted(wanted, marks), 0, len(wanted) - 1)
    return np.where(wanted[found] == marks, found + 1, 0), len(wanted), np.ravel(places), np.ndim(index) == 0


def members(parts, n):
    """The places of the entries of each of n parts, in the flat image."""
    flat = np.ravel(parts)
    return [np.flatnonzero(flat == k + 1) for k in range(n)]


non_differentiable(parts_of, members)


def summed(x, parts, n):
    """The sum of each part."""
    weights = np.ravel(x)
    if weights.dtype.itemsize > 8:  # `bincount` adds up doubles
        weights = weights.astype(np.float64)
    return np.bincount(np.ravel(parts), weights, n + 1)[1:]


def counts(parts, n):
    """The number of entries of each part."""
    return np.bincount(np.ravel(parts), minlength=n + 1)[1:] * 1.0


non_differentiable(counts)


def given(values, wanted, single, index):
    """The values that were asked for: one number, or one for each label."""
    return values[wanted[0]] if single else np.reshape(values[wanted], np.shape(index))


@composed(ndimage.sum, ndimage.sum_labels)
def sum_labels(input, labels=None, index=None):
    """The sum of each part."""
    x = numbers(input)
    parts, n, wanted, single = parts_of(labels, index, x.shape)
    return given(summed(x, parts, n), wanted, single, index)


def means(x, parts, n):
    """The mean of each part."""
    return summed(x, parts, n) / counts(parts, n)


@composed(ndimage.mean)
def mean(input, labels=None, index=None):
    """The mean of each part."""
    x = numbers(input)
    parts, n, wanted, single = parts_of(labels, index, x.shape)
    return given(means(x, parts, n), wanted, single, index)


def variances(x, parts, n):
    """The mean square of the differences to the mean."""
    middle = np.concatenate((np.zeros(1), means(x, parts, n)))[parts]
    return means((x - middle) ** 2, parts, n)


@composed(ndimage.variance)
def variance(input, labels=None, index=None):
    """The variance of each part."""
    x = numbers(input)
    parts, n, wanted, single = parts_of(labels, index, x.shape)
    return given(variances(x, parts, n), wanted, single, index)


@composed(ndimage.standard_deviation)
def standard_deviation(input, labels=None, index=None):
    """The deviation of each part, whose derivative counts as 0 where it is 0."""
    x = numbers(input)
    parts, n, wanted, single = parts_of(labels, index, x.shape)
    squares = variances(x, parts, n)
    zero = squares == 0
    return given(np.where(zero, 0.0, np.sqrt(np.where(zero, 1.0, squares))), wanted, single, index)


def picked(pick, input, labels, index):
    """The results of a function for each part."""
    x = numbers(input)
    parts, n, wanted, single = parts_of(labels, index, x.shape)
    flat = np.ravel(x)
    values = np.stack([pick(flat[places]) if len(places) else flat[:0].sum() for places in members(parts, n)])
    return given(values, wanted, single, index)


@composed(ndimage.minimum)
def minimum(input, labels=None, index=None):
    """The smallest of each part."""
    return picked(np.min, input, labels, index)


@composed(ndimage.maximum)
def maximum(input, labels=None, index=None):
    """The largest of each part."""
    return picked(np.max, input, labels, index)


@composed(ndimage.median)
def median(input, labels=None, index=None):
    """The median of each part."""
    return picked(np.median, input, labels, index)


def extreme_places(input, labels, index):
    """The places of the smallest and the largest entry of each part."""
    return ndimage.extrema(input, labels, index)[2:]


non_differentiable(extreme_places)


@composed(ndimage.extrema)
def extrema(input, labels=None, index=None):
    """The smallest and the largest of each part, and their places."""
    low, high = extreme_places(input, labels, index)
    return picked(np.min, input, labels, index), picked(np.max, input, labels, index), low, high


def places_along(shape):
    """The index of each entry along each axis."""
    return [index * 1.0 for index in np.indices(shape)]


non_differentiable(places_along)


@composed(ndimage.center_of_mass)
def center_of_mass(input, labels=None, index=None):
    """Σ x r / Σ x of each part."""
    x = numbers(input)
    parts, n, wanted, single = parts_of(labels, index, x.shape)
    weight = summed(x, parts, n)
    centres = [summed(x * place, parts, n) / weight for place in places_along(x.shape)]
    if single:
        return tuple([centre[wanted[0]] for centre in centres])
    return [tuple([centre[k] for centre in centres]) for k in wanted]


# Distances


@rule(ndimage.distance_transform_edt)
def distance_transform_edt_rule(
    input,
    sampling=None,
    return_distances=True,
    return_indices=False,
    distances=None,
    indices=None,  # noqa: A002
):
    """Distances to a background: the image is only asked whether it is 0."""
    refuse_out(distances)
    refuse_out(indices)
    y = ndimage.distance_transform_edt(input, sampling, return_distances, return_indices)
    return y, lambda y_bar: (None, None if sampling is None else unknown("the spacing `sampling`"))


@rule(ndimage.distance_transform_bf)
def distance_transform_bf_rule(
    input, metric="euclidean", sampling=None, return_distances=True, return_indices=False,  # noqa: A002
    distances=None, indices=None,
):  # fmt: skip
    """The same."""
    refuse_out(distances)
    refuse_out(indices)
    y = ndimage.distance_transform_bf(input, metric, sampling, return_distances, return_indices)
    return y, lambda y_bar: (None, None, None if sampling is None else unknown("the spacing `sampling`"))
