"""Linear filters: yᵢ = Σₖ wₖ xᵢ₊ₖ over the extended image, by the image and the weights."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, index, operator, import-untyped"

import numpy as np
from scipy import ndimage

from ...numpy.lifting import composed
from ...numpy.linear import axes_of, cast
from ...registry import non_differentiable, rule
from .boundaries import each, extended, numbers, stored


def valid(x, w):
    """Σₖ wₖ xᵢ₊ₖ where all of w fits into x.

    >>> valid(np.array([1.0, 2.0, 4.0]), np.array([1.0, 1.0]))
    array([3., 6.])
    """
    shape = tuple([n - m + 1 for n, m in zip(x.shape, w.shape, strict=True)])
    dtype = np.result_type(x, w)
    if min(shape, default=1) <= 0:
        return np.zeros(tuple([max(n, 0) for n in shape]), dtype)
    if w.size <= np.prod(shape):
        whole = ndimage.correlate(x.astype(dtype), np.conj(w), mode="constant")
        return whole[tuple([slice(m // 2, m // 2 + n) for n, m in zip(shape, w.shape, strict=True)])]
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape)
    return np.asarray(np.tensordot(windows, w, w.ndim))


@rule(valid)
def valid_rule(x, w):
    """x̄ is ȳ with the weights spread over it, and w̄ the same sum with ȳ for weights."""

    def valid_back(y_bar):
        margins = [(m - 1, m - 1) for m in w.shape]
        x_bar = valid(np.pad(y_bar, margins), np.flip(np.conj(w)))
        w_bar = valid(np.conj(x), y_bar)
        return cast(x_bar, x.dtype), cast(w_bar, w.dtype)

    return valid(x, w), valid_back


def correlated(x, w, mode, cval, origins, axes):
    """The filter along some axes; `w` has one axis for each."""
    pads, shape = margins_of(x.ndim, w.shape, origins, axes)
    return valid(extended(x, pads, mode, cval), np.reshape(w, shape))


def margins_of(ndim, sizes, origins, axes):
    """The margins by which the weights reach beyond the edges, and the shape of the weights with all axes."""
    pads, shape = [(0, 0)] * ndim, [1] * ndim
    for axis, n, origin in zip(axes, sizes, origins, strict=True):
        before = n // 2 + origin
        pads[axis], shape[axis] = (before, n - 1 - before), n
    return pads, tuple(shape)


def turned(origins, sizes):
    """The origins of a convolution as those of a correlation with the weights turned round."""
    return [-origin - (1 - n % 2) for origin, n in zip(origins, sizes, strict=True)]


non_differentiable(margins_of, turned)


@composed(ndimage.correlate)
def correlate(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """Σ conj(wₖ) xᵢ₊ₖ."""
    x, w = numbers(input), np.conj(numbers(weights))
    places = axes_of(axes, x.ndim)
    return stored(correlated(x, w, mode, cval, each(origin, w.ndim), places), input, output)


@composed(ndimage.convolve)
def convolve(input, weights, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """Σ wₖ xᵢ₋ₖ."""
    x, w = numbers(input), numbers(weights)
    origins = turned(each(origin, w.ndim), w.shape)
    return stored(correlated(x, np.flip(w), mode, cval, origins, axes_of(axes, x.ndim)), input, output)


@composed(ndimage.correlate1d)
def correlate1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """Σ conj(wₖ) xᵢ₊ₖ along one axis."""
    x, w = numbers(input), np.conj(numbers(weights))
    return stored(correlated(x, w, mode, cval, [origin], axes_of(axis, x.ndim)), input, output)


@composed(ndimage.convolve1d)
def convolve1d(input, weights, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """Σ wₖ xᵢ₋ₖ along one axis."""
    x, w = numbers(input), numbers(weights)
    origins = turned([origin], w.shape)
    return stored(correlated(x, np.flip(w), mode, cval, origins, axes_of(axis, x.ndim)), input, output)


# Means


@composed(ndimage.uniform_filter1d)
def uniform_filter1d(input, size, axis=-1, output=None, mode="reflect", cval=0.0, origin=0):
    """The mean of so many neighbours."""
    x = numbers(input)
    return stored(averaged(x, size, axes_of(axis, x.ndim)[0], mode, cval, origin), input, output)


def averaged(x, size, axis, mode, cval, origin):
    """The mean along one axis."""
    return correlated(x, np.full(size, 1.0 / size), mode, cval, [origin], (axis,))


@composed(ndimage.uniform_filter)
def uniform_filter(input, size=3, output=None, mode="reflect", cval=0.0, origin=0, *, axes=None):
    """The mean of a box."""
    x = numbers(input)
    places = axes_of(axes, x.ndim)
    n = len(places)
    for axis, m, kind, start in zip(places, each(size, n), each(mode, n), each(origin, n), strict=True):
        if m > 1:
            x = averaged(x, m, axis, kind, cval, start)
    return stored(x, input, output)


# Gaussians


def reach(sigma, truncate, radius):
    """The radius up to which a Gaussian is taken into account."""
    return int(float(truncate) * float(sigma) + 0.5) if radius is None else radius


non_differentiable(reach)


def gaussian(sigma, order, radius):
    """The weights of the derivative of a Gaussian: its polynomial of Hermite times the Gaussian, as far as it goes."""
    x = np.arange(-radius, radius + 1.0)
    variance = sigma * sigma
    bell = np.exp(-0.5 / variance * x**2)
    bell = bell / np.sum(bell)
    coefficients = [1.0]
    for _ in range(order):  # of q e^(-x²/2σ²) the derivative is (q' - x q / σ²) e^(-x²/2σ²)
        slopes = [k * coefficients[k] for k in range(1, len(coefficients))] + [0.0, 0.0]
        risen = [0.0, *[-c / variance for c in coefficients]]
        coefficients = [a + b for a, b in zip(slopes[: len(risen)], risen, strict=True)]
    polynomial = 0.0 * x
    for k, c in enumerate(coefficients):
        polynomial = polynomial + c * x**k
    return np.flip(polynomial * bell)


def smoothed(x, sigma, axis, order, mode, cval, truncate, radius):
    """A Gaussian along one axis."""
    w = gaussian(sigma, order, reach(sigma, truncate, radius))
    return correlated(x, w, mode, cval, [0], (axis,))


@composed(ndimage.gaussian_filter1d)
def gaussian_filter1d(
    input, sigma, axis=-1, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None
):
    """A Gaussian, or one of its derivatives, along one axis."""
    x = numbers(input)
    axis = axes_of(axis, x.ndim)[0]
    return stored(smoothed(x, sigma, axis, order, mode, cval, truncate, radius), input, output)


def over_axes(x, sigma, order, mode, cval, truncate, radius, axes):
    """Gaussians along several axes."""
    n = len(axes)
    rows = zip(axes, each(sigma, n), each(order, n), each(mode, n), each(radius, n), strict=True)
    for axis, s, derivative, kind, far in rows:
        if s > 1e-15:
            x = smoothed(x, s, axis, derivative, kind, cval, truncate, far)
    return x


@composed(ndimage.gaussian_filter)
def gaussian_filter(
    input, sigma, order=0, output=None, mode="reflect", cval=0.0, truncate=4.0, *, radius=None, axes=None
):
    """A Gaussian along each axis."""
    x = numbers(input)
    places = axes_of(axes, x.ndim)
    return stored(over_axes(x, sigma, order, mode, cval, truncate, radius, places), input, output)


@composed(ndimage.gaussian_laplace)
def gaussian_laplace(input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, truncate=4.0, radius=None):
    """The sum of the second derivatives."""
    x = numbers(input)
    places = axes_of(axes, x.ndim)
    total = 0.0
    for axis in places:
        order = [2 if other == axis else 0 for other in places]
        total = total + over_axes(x, sigma, order, mode, cval, truncate, radius, places)
    return stored(total, input, output)


@composed(ndimage.gaussian_gradient_magnitude)
def gaussian_gradient_magnitude(
    input, sigma, output=None, mode="reflect", cval=0.0, *, axes=None, truncate=4.0, radius=None
):
    """The length of the gradient, whose derivative counts as 0 where it is 0."""
    x = numbers(input)
    places = axes_of(axes, x.ndim)
    total = 0.0
    for axis in places:
        order = [1 if other == axis else 0 for other in places]
        total = total + over_axes(x, sigma, order, mode, cval, truncate, radius, places) ** 2
    zero = total == 0
    return stored(np.where(zero, 0.0, np.sqrt(np.where(zero, 1.0, total))), input, output)


# Differences


def slopes(input, axis, output, mode, cval, beside):
    """The difference along one axis, smoothed along the others."""
    x = numbers(input)
    axis = axis % x.ndim
    modes = each(mode, x.ndim)
    result = correlated(x, np.array([-1.0, 0.0, 1.0]), modes[axis], cval, [0], (axis,))
    for other in range(x.ndim):
        if other != axis:
            result = correlated(result, np.array(beside), modes[other], cval, [0], (other,))
    return stored(result, input, output)


@composed(ndimage.prewitt)
def prewitt(input, axis=-1, output=None, mode="reflect", cval=0.0):
    """Smoothed by sums."""
    return slopes(input, axis, output, mode, cval, [1.0, 1.0, 1.0])


@composed(ndimage.sobel)
def sobel(input, axis=-1, output=None, mode="reflect", cval=0.0):
    """Smoothed by triangles."""
    return slopes(input, axis, output, mode, cval, [1.0, 2.0, 1.0])


@composed(ndimage.laplace)
def laplace(input, output=None, mode="reflect", cval=0.0, *, axes=None):
    """The sum of the second differences."""
    x = numbers(input)
    places = axes_of(axes, x.ndim)
    total = 0.0
    for axis, kind in zip(places, each(mode, len(places)), strict=True):
        total = total + correlated(x, np.array([1.0, -2.0, 1.0]), kind, cval, [0], (axis,))
    return stored(total, input, output)
