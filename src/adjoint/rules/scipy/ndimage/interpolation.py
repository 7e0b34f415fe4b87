"""Images at other places: splines through the entries, by the image and by the places.

The coefficients of the spline solve a symmetric system, but for the weights of the first and last entries where the
image is mirrored there; the adjoint of that filter is itself between these weights.

Source: M. Unser, A. Aldroubi, M. Eden, B-spline signal processing I, IEEE Trans. Signal Process. 41 (1993), 821-833.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, index, operator, import-untyped"

import numpy as np
from scipy import ndimage

from ...numpy.lifting import composed, refuse
from ...numpy.linear import cast
from ...registry import non_differentiable, rule
from ..margins import surrounded
from .boundaries import each, numbers, stored

MIRRORED = ("mirror", "constant", "wrap", "grid-constant")
"""Modes in which the filter mirrors the image in its first and last entries."""


EXACT = (*MIRRORED, "grid-wrap")
SHORT = 50
"""How many entries an axis has at least where SciPy's filter of the other modes solves its system to rounding."""


def ends(n, mode):
    """½ for the first and last of n coefficients where the image is mirrored in them, 1 for all others."""
    w = np.ones(n)
    if mode in MIRRORED and n > 1:
        w[0] = w[-1] = 0.5
    return w


def coefficients(x, order, axes, mode):
    """The coefficients of the splines through the entries along some axes."""
    for axis in axes:
        x = ndimage.spline_filter1d(x, order, axis, np.result_type(x, np.float64), mode)
    return x


@rule(coefficients)
def coefficients_rule(x, order, axes, mode):
    """c = B⁻¹ x with D B symmetric, so x̄ = D B⁻¹ D⁻¹ c̄."""

    def coefficients_back(y_bar):
        d = y_bar
        for axis in axes:
            if mode not in EXACT and d.shape[axis] < SHORT:
                matrix = matrix_of(d.shape[axis], order, mode)
                d = np.moveaxis(np.tensordot(matrix, d, ((0,), (axis,))), 0, axis)
            else:
                w = weights_along(d.shape, axis, mode)
                d = w * coefficients(d / w, order, (axis,), mode)
        return cast(d, x.dtype), None, None, None

    return coefficients(x, order, axes, mode), coefficients_back


def weights_along(shape, axis, mode):
    """`ends` along one axis."""
    return np.reshape(ends(shape[axis], mode), (-1, *(1,) * (len(shape) - 1 - axis)))


def matrix_of(n, order, mode):
    """The filter of so many entries as a matrix."""
    return ndimage.spline_filter1d(np.eye(n), order, 0, np.float64, mode)


non_differentiable(ends, weights_along, matrix_of)


@composed(ndimage.spline_filter1d)
def spline_filter1d(input, order=3, axis=-1, output=np.float64, mode="mirror"):
    """The coefficients along one axis."""
    x = numbers(input)
    return stored(coefficients(x, order, (axis % x.ndim,), mode) if order > 1 else x * 1.0, input, output)


@composed(ndimage.spline_filter)
def spline_filter(input, order=3, output=np.float64, mode="mirror"):
    """The coefficients along all axes."""
    x = numbers(input)
    return stored(coefficients(x, order, tuple(range(x.ndim)), mode) if order > 1 else x * 1.0, input, output)


# Where a place lies


def folded(x, n, mode):
    """The place within n entries that a place stands for, whether the axis runs backwards there, and whether it lies
    outside for good.

    >>> folded(np.array([-0.5, 2.5]), 3, "mirror")[:2]
    (array([0.5, 1.5]), array([-1., -1.]))
    """
    sign = np.ones(x.shape)
    outside = np.zeros(x.shape, bool)
    last = n - 1
    if mode in ("nearest", "grid-constant"):
        return x, sign, outside
    if mode == "constant":
        return x, sign, (x < 0) | (x > last)
    if n == 1:
        return np.zeros(x.shape), np.zeros(x.shape), outside
    if mode == "mirror":
        turn = np.mod(x, 2 * last)
        back = turn > last
        return np.where(back, 2 * last - turn, turn), np.where(back, -1.0, 1.0), outside
    if mode in ("reflect", "grid-mirror"):
        turn = np.mod(x + 0.5, 2 * n)
        back = turn > n
        place = np.where(back, 2 * n - turn, turn) - 0.5
        return place, np.where(back, -1.0, 1.0), outside
    period = last if mode == "wrap" else n
    beyond = (x < 0) | (x > last)
    return np.where(beyond, np.mod(x, period), x), sign, outside


def indices_of(k, n, mode):
    """The entry that an index stands for, and whether it is none of them."""
    if mode == "grid-constant":
        return np.clip(k, 0, n - 1), (k < 0) | (k > n - 1)
    if mode == "nearest":
        return np.clip(k, 0, n - 1), np.zeros(k.shape, bool)
    if n == 1:
        return np.zeros_like(k), np.zeros(k.shape, bool)
    if mode in ("reflect", "grid-mirror"):
        turn = np.mod(k, 2 * n)
        return np.where(turn >= n, 2 * n - 1 - turn, turn), np.zeros(k.shape, bool)
    if mode == "grid-wrap":
        return np.mod(k, n), np.zeros(k.shape, bool)
    turn = np.mod(k, 2 * n - 2)
    return np.where(turn >= n, 2 * n - 2 - turn, turn), np.zeros(k.shape, bool)


def start_of(place, order):
    """The first entry that a spline of this order takes into account."""
    nearest = np.floor(place) if order % 2 else np.floor(place + 0.5)
    return nearest.astype(np.intp) - order // 2, nearest


non_differentiable(folded, indices_of, start_of)


def pieces(t, order):
    """The values of the B-spline of this order at the entries around a place that lies t beyond the nearest one."""
    if order == 0:
        return [np.ones(t.shape)]
    if order == 1:
        return [1 - t, t]
    if order == 2:
        return [(0.5 - t) ** 2 / 2, 0.75 - t * t, (0.5 + t) ** 2 / 2]
    if order == 3:
        s = 1 - t
        return [s**3 / 6, (4 - 3 * t * t * (2 - t)) / 6, (4 - 3 * s * s * (2 - s)) / 6, t**3 / 6]
    if order == 4:
        return [
            (0.5 - t) ** 4 / 24,
            19 / 96 - 11 / 24 * t + t**2 / 4 + t**3 / 6 - t**4 / 6,
            115 / 192 - 5 / 8 * t**2 + t**4 / 4,
            19 / 96 + 11 / 24 * t + t**2 / 4 - t**3 / 6 - t**4 / 6,
            (0.5 + t) ** 4 / 24,
        ]
    return [
        (1 - t) ** 5 / 120,
        (26 - 50 * t + 20 * t**2 + 20 * t**3 - 20 * t**4 + 5 * t**5) / 120,
        (66 - 60 * t**2 + 30 * t**4 - 10 * t**5) / 120,
        (26 + 50 * t + 20 * t**2 - 20 * t**3 - 20 * t**4 + 10 * t**5) / 120,
        (1 + 5 * t + 10 * t**2 + 10 * t**3 + 5 * t**4 - 5 * t**5) / 120,
        t**5 / 120,
    ]


def at_places(x, places, order, mode, cval, prefilter):
    """The spline at places, of which there is a vector for each of the first axes; the other axes are taken along."""
    d = len(places)
    margin = 0
    if prefilter and order > 1:
        if mode in ("nearest", "grid-constant"):
            margin = 12
            pads = [(margin, margin) if axis < d else (0, 0) for axis in range(x.ndim)]
            x = np.pad(x, pads, "edge") if mode == "nearest" else surrounded(x, pads, cval)
        x = coefficients(x, order, tuple(range(d)), mode)
    count = len(places[0])
    trailing = (count, *(1,) * (x.ndim - d))
    beyond = np.zeros(count, bool)
    entries, weight, none = [], np.ones((count, *(1,) * d)), np.zeros((count, *(1,) * d), bool)
    for axis, place in enumerate(places):
        n = x.shape[axis]
        shifted = place + margin
        at, sign, outside = folded(shifted, n, mode)
        beyond = beyond | outside
        place = sign * shifted + offset(at, sign, shifted)
        start, nearest = start_of(at, order)
        shape = (count, *(1,) * axis, order + 1, *(1,) * (d - 1 - axis))
        index, missing = indices_of(np.reshape(start[:, None] + np.arange(order + 1), shape), n, mode)
        entries.append(index)
        weight, none = weight * np.reshape(np.stack(pieces(place - nearest, order), axis=1), shape), none | missing
    value = x[tuple(entries)]
    each_entry = (*weight.shape, *(1,) * (x.ndim - d))
    if np.any(none):
        value = np.where(np.reshape(none, each_entry), cval, value)
    total = np.sum(np.reshape(weight, each_entry) * value, axis=tuple(range(1, d + 1)))
    return np.where(np.reshape(beyond, trailing), cval, total) if np.any(beyond) else total


def offset(at, sign, shifted):
    """The number to add to a place, or to its negative, to come to what it stands for."""
    return at - sign * shifted


non_differentiable(offset)


@composed(ndimage.map_coordinates)
def map_coordinates(input, coordinates, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    """The image at the coordinates, along the first axis of which the axes run."""
    x, places = numbers(input), np.asarray(coordinates) * 1.0
    shape = places.shape[1:]
    flat = [np.ravel(places[i]) for i in range(len(places))]
    return stored(np.reshape(at_places(x, flat, order, mode, cval, prefilter), shape), input, output)


def grid_of(shape):
    """The places of all entries of an image of this shape: a vector for each axis."""
    return [np.ravel(index) * 1.0 for index in np.indices(shape)]


def moved_matrix(matrix, offset, ndim):
    """The matrix and offset of an affine map, however they are given."""
    m = np.asarray(matrix) * 1.0
    if m.ndim == 1:
        return np.diag(m), np.asarray(offset) + np.zeros(ndim)
    if m.shape[1] == ndim + 1:
        return m[:ndim, :ndim], m[:ndim, ndim]
    return m, np.asarray(offset) + np.zeros(ndim)


non_differentiable(grid_of)


@composed(ndimage.affine_transform)
def affine_transform(
    input, matrix, offset=0.0, output_shape=None, output=None, order=3, mode="constant", cval=0.0, prefilter=True
):
    """The image at A i + b for each place i of the result."""
    x = numbers(input)
    if output_shape is None:
        output_shape = output.shape if isinstance(output, np.ndarray) else x.shape
    a, b = moved_matrix(matrix, offset, x.ndim)
    grid = grid_of(output_shape)
    places = []
    for i in range(x.ndim):
        place = b[i] + np.zeros(len(grid[0]))
        for j in range(len(grid)):
            place = place + a[i, j] * grid[j]
        places.append(place)
    return stored(np.reshape(at_places(x, places, order, mode, cval, prefilter), tuple(output_shape)), input, output)


@composed(ndimage.shift)
def shift(input, shift, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    """The image moved by so much along each axis."""
    x = numbers(input)
    by = each(shift, x.ndim)
    places = [place - by[i] for i, place in enumerate(grid_of(x.shape))]
    return stored(np.reshape(at_places(x, places, order, mode, cval, prefilter), x.shape), input, output)


def zoomed(shape, zoom, grid_mode):
    """The shape of an image that is zoomed, and the places of its entries in the image."""
    sizes = tuple([int(round(n * factor)) for n, factor in zip(shape, zoom, strict=True)])
    places = []
    for n, m, index in zip(shape, sizes, grid_of(sizes), strict=True):
        if grid_mode:
            places.append((index + 0.5) * (n / m if m else 1.0) - 0.5)
        else:
            places.append(index * ((n - 1) / (m - 1) if m > 1 else 1.0))
    return sizes, places


non_differentiable(zoomed)


@composed(ndimage.zoom)
def zoom(input, zoom, output=None, order=3, mode="constant", cval=0.0, prefilter=True, *, grid_mode=False):
    """The image at more or fewer places; only their number depends on the factor."""
    x = numbers(input)
    factors = each(zoom, x.ndim)
    if prefilter and all([factor == 1 for factor in factors]):
        return stored(x * 1.0, input, output)
    sizes, places = zoomed(x.shape, factors, grid_mode)
    return stored(np.reshape(at_places(x, places, order, mode, cval, prefilter), sizes), input, output)


def sized(input, angle, axes, reshape):
    """The shape of the turned plane, by turning an image of zeros with the order that takes the least time."""
    shape = [1] * np.ndim(input)
    for axis in axes:
        shape[axis] = np.shape(input)[axis]
    found = np.shape(ndimage.rotate(np.zeros(shape), angle, axes, reshape, order=0))
    return tuple([found[axis] for axis in axes])


non_differentiable(sized)


@composed(ndimage.rotate)
def rotate(input, angle, axes=(1, 0), reshape=True, output=None, order=3, mode="constant", cval=0.0, prefilter=True):
    """The planes of two axes turned round their middle."""
    x = numbers(input)
    first, second = sorted([axis % x.ndim for axis in axes])
    moved = np.moveaxis(x, (first, second), (0, 1))
    shape = sized(input, angle, (first, second), reshape)
    c, s = np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))
    i, j = grid_of(shape)
    i, j = i - (shape[0] - 1) / 2, j - (shape[1] - 1) / 2
    places = [c * i + s * j + (moved.shape[0] - 1) / 2, c * j - s * i + (moved.shape[1] - 1) / 2]
    flat = at_places(moved, places, order, mode, cval, prefilter)
    turned = np.reshape(flat, (*shape, *moved.shape[2:]))
    return stored(np.moveaxis(turned, (0, 1), (first, second)), input, output)


def entries_of(shape):
    """The places of all entries of an image of this shape, as tuples.

    >>> entries_of((1, 2))
    [(0, 0), (0, 1)]
    """
    return list(np.ndindex(*shape))


non_differentiable(entries_of)


@composed(ndimage.geometric_transform)
def geometric_transform(
    input, mapping, output_shape=None, output=None, order=3, mode="constant", cval=0.0, prefilter=True,
    extra_arguments=(), extra_keywords=None,
):  # fmt: skip
    """The image at mapping(i) for each place i of the result."""
    if isinstance(mapping, tuple):
        why = "its mapping is a function of C, which is not looked into"
        refuse("scipy.ndimage.geometric_transform", why, "give a function of Python")
    x = numbers(input)
    if output_shape is None:
        output_shape = output.shape if isinstance(output, np.ndarray) else x.shape
    keywords = {} if extra_keywords is None else extra_keywords
    at = [mapping(entry, *extra_arguments, **keywords) for entry in entries_of(output_shape)]
    places = [np.array([place[i] for place in at], dtype=np.float64) for i in range(x.ndim)]
    return stored(np.reshape(at_places(x, places, order, mode, cval, prefilter), tuple(output_shape)), input, output)
