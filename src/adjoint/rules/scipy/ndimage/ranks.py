"""Filters that pick from a window: extremes, ranks, and the morphology of grey images. Ties share equally."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, index, operator, import-untyped"

import numpy as np
from scipy import ndimage

from ...numpy.lifting import composed
from ...numpy.linear import axes_of
from ...registry import non_differentiable
from .boundaries import each, extended, numbers, stored
from .filters import margins_of


def footprint_of(size, footprint, structure, ndim, axes):
    """A mask of the places of a window that count, and the axes along which it lies."""
    places = axes_of(axes, ndim)
    if footprint is not None:
        return np.asarray(footprint, bool), places
    if structure is not None:
        return np.ones(np.shape(structure), bool), places
    return np.ones([int(n) for n in each(size, len(places))], bool), places


def window(shape, footprint, axes):
    """The places, in the extended image, of all that counts for each entry of an image of this shape; flat."""
    ndim = len(shape)
    sizes = [1] * ndim
    for axis, n in zip(axes, footprint.shape, strict=True):
        sizes[axis] = n
    order = np.argsort(axes)
    full = np.reshape(np.transpose(footprint, order), sizes)
    padded = [n + m - 1 for n, m in zip(shape, sizes, strict=True)]
    corners = np.ravel_multi_index(np.indices(shape).reshape(ndim, -1), padded)
    return corners[:, None] + np.ravel_multi_index(np.nonzero(full), padded)


non_differentiable(footprint_of, window)


def windows(x, footprint, axes, mode, cval, origins):
    """The entries in the window around each entry, one row for each."""
    n = len(axes)
    pads, _ = margins_of(x.ndim, footprint.shape, origins, axes)
    if isinstance(mode, str):
        wide = extended(x, pads, mode, cval)
    else:
        wide = x
        for axis, kind in zip(axes, each(mode, n), strict=True):
            own = [pads[i] if i == axis else (0, 0) for i in range(x.ndim)]
            wide = extended(wide, own, kind, cval)
    return np.ravel(wide)[window(x.shape, footprint, axes)]


def extreme(pick, x, size, footprint, structure, mode, cval, origin, axes, sign=0):
    """The largest or smallest of each window, after a structure has been added or taken off."""
    fits, places = footprint_of(size, footprint, structure, x.ndim, axes)
    rows = windows(x, fits, places, mode, cval, each(origin, len(places)))
    if structure is not None:
        rows = rows + sign * numbers(structure)[fits]
    return np.reshape(pick(rows, axis=-1), x.shape)


@composed(ndimage.maximum_filter)
def maximum_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """The largest of each window."""
    x = numbers(input)
    return stored(extreme(np.max, x, size, footprint, None, mode, cval, origin, axes), input, output)


@composed(ndimage.minimum_filter)
def minimum_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """The smallest of each window."""
    x = numbers(input)
    return stored(extreme(np.min, x, size, footprint, None, mode, cval, origin, axes), input, output)


@composed(ndimage.maximum_filter1d)
def maximum_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """The largest of so many neighbours."""
    x = numbers(input)
    return stored(extreme(np.max, x, size, None, None, mode, cval, origin, axis), input, output)


@composed(ndimage.minimum_filter1d)
def minimum_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """The smallest of so many neighbours."""
    x = numbers(input)
    return stored(extreme(np.min, x, size, None, None, mode, cval, origin, axis), input, output)


def ranked(x, rank_of, size, footprint, mode, cval, origin, axes):
    """The entry of this rank in each window."""
    fits, places = footprint_of(size, footprint, None, x.ndim, axes)
    rows = windows(x, fits, places, mode, cval, each(origin, len(places)))
    return np.reshape(np.sort(rows, axis=-1)[:, rank_of(rows.shape[-1])], x.shape)


@composed(ndimage.rank_filter)
def rank_filter(input, rank, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """The entry of this rank."""
    x = numbers(input)
    return stored(ranked(x, lambda n: int(rank), size, footprint, mode, cval, origin, axes), input, output)


@composed(ndimage.median_filter)
def median_filter(input, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """The entry in the middle."""
    x = numbers(input)
    return stored(ranked(x, lambda n: n // 2, size, footprint, mode, cval, origin, axes), input, output)


@composed(ndimage.percentile_filter)
def percentile_filter(
    input, percentile, size=None, footprint=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
):
    """The entry at this percentile."""
    x = numbers(input)
    share = percentile_rank(percentile)
    return stored(ranked(x, share, size, footprint, mode, cval, origin, axes), input, output)


def percentile_rank(percentile):
    """The rank that a percentile is, for a window of n entries."""
    share = percentile + 100.0 if percentile < 0.0 else percentile
    return lambda n: n - 1 if share == 100.0 else int(float(n) * share / 100.0)


non_differentiable(percentile_rank)


# Morphology


def eroded(x, size, footprint, structure, mode, cval, origin, axes):
    """The smallest of each window, above the structure."""
    return extreme(np.min, x, size, footprint, structure, mode, cval, origin, axes, -1)


def dilated(x, size, footprint, structure, mode, cval, origin, axes):
    """The largest of each window turned round, with the structure on it."""
    fits, places = footprint_of(size, footprint, structure, x.ndim, axes)
    turned = [-o - (1 - n % 2) for o, n in zip(each(origin, len(places)), fits.shape, strict=True)]
    flipped = None if structure is None else np.flip(numbers(structure))
    return extreme(np.max, x, None, np.flip(fits), flipped, mode, cval, turned, axes, 1)


def _declare(f, program):
    def morphology(
        input, size=None, footprint=None, structure=None, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None
    ):
        x = numbers(input)
        return stored(program(x, size, footprint, structure, mode, cval, origin, axes), input, output)

    morphology.__doc__ = program.__doc__
    composed(f)(morphology)


def opened(x, *options):
    """Eroded, then dilated."""
    return dilated(eroded(x, *options), *options)


def closed(x, *options):
    """Dilated, then eroded."""
    return eroded(dilated(x, *options), *options)


def steepness(x, *options):
    """The difference between what is dilated and what is eroded."""
    return dilated(x, *options) - eroded(x, *options)


def curvature(x, *options):
    """The dilated and the eroded image, less the image twice."""
    return dilated(x, *options) + eroded(x, *options) - 2 * x


def bright(x, *options):
    """The image less what is opened."""
    return x - opened(x, *options)


def dark(x, *options):
    """The closed image, less the image."""
    return closed(x, *options) - x


_declare(ndimage.grey_erosion, eroded)
_declare(ndimage.grey_dilation, dilated)
_declare(ndimage.grey_opening, opened)
_declare(ndimage.grey_closing, closed)
_declare(ndimage.morphological_gradient, steepness)
_declare(ndimage.morphological_laplace, curvature)
_declare(ndimage.white_tophat, bright)
_declare(ndimage.black_tophat, dark)
