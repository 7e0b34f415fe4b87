"""Filters of what has been transformed: a product with the transform of the weights."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, index, operator, import-untyped"

import numpy as np
from scipy import ndimage

from ....tangents.unknown import unknown
from ...numpy.lifting import composed, refuse_out
from ...numpy.linear import bring_back
from ...registry import non_differentiable, rule
from .boundaries import each, numbers, stored


def frequencies(shape, n, axis):
    """The frequencies along each axis, to multiply with; along one of them they may be those of a real transform."""
    found = []
    for i, size in enumerate(shape):
        real = n >= 0 and i == axis % len(shape)
        f = np.arange(size) / n if real else np.fft.fftfreq(size)
        found.append(np.reshape(f, (-1, *(1,) * (len(shape) - 1 - i))))
    return found


non_differentiable(frequencies)


def kind(result, input, output):
    """Stored as numbers of the input's precision at least."""
    x = np.asarray(input)
    if output is not None:
        return stored(result, input, output)
    return result.astype(x.dtype if x.dtype.kind in "fc" else np.float64) if not np.iscomplexobj(result) else result


@composed(ndimage.fourier_gaussian)
def fourier_gaussian(input, sigma, n=-1, axis=-1, output=None):
    """exp(-2 (π f σ)²)."""
    x = numbers(input)
    for f, s in zip(frequencies(x.shape, n, axis), each(sigma, x.ndim), strict=True):
        x = x * np.exp(-2 * (np.pi * f * s) ** 2)
    return kind(x, input, output)


@composed(ndimage.fourier_uniform)
def fourier_uniform(input, size, n=-1, axis=-1, output=None):
    """sin(π f s) / (π f s)."""
    x = numbers(input)
    for f, s in zip(frequencies(x.shape, n, axis), each(size, x.ndim), strict=True):
        x = x * np.sinc(f * s)
    return kind(x, input, output)


def ellipsoid(shape, size, n, axis):
    """The transform of the weights."""
    return ndimage.fourier_ellipsoid(np.ones(shape), size, n, axis)


non_differentiable(ellipsoid)


@rule(ndimage.fourier_ellipsoid)
def fourier_ellipsoid_rule(input, size, n=-1, axis=-1, output=None):
    """Y = W X for each frequency, so X̄ = W Ȳ."""
    refuse_out(output if isinstance(output, np.ndarray) else None)
    y = ndimage.fourier_ellipsoid(input, size, n, axis, output)

    def fourier_ellipsoid_back(y_bar):
        weights = ellipsoid(np.shape(input), size, n, axis)
        return bring_back(y_bar * weights, input), unknown("size"), None, None, None

    return y, fourier_ellipsoid_back


@composed(ndimage.fourier_shift)
def fourier_shift(input, shift, n=-1, axis=-1, output=None):
    """exp(-2πi f s)."""
    x = numbers(input)
    for f, s in zip(frequencies(x.shape, n, axis), each(shift, x.ndim), strict=True):
        x = x * np.exp(-2j * np.pi * f * s)
    return kind(x, input, output)
