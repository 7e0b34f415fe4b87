"""Convolutions of arrays: cₙ = Σ aₖ bₙ₋ₖ, so ā is c̄ correlated with b, and b̄ with a."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

import numpy as np
from scipy import signal

from ....tangents import ghost, unbroadcast
from ...numpy.lifting import composed, refuse
from ...numpy.linear import axes_of, bring_back, cast
from ...registry import non_differentiable, rule
from ..margins import surrounded


def cut_of(n, m, mode):
    """The start in the full convolution of n and m entries of what a mode takes, and the number of these entries.

    >>> cut_of(5, 3, "full"), cut_of(5, 3, "same"), cut_of(5, 3, "valid")
    ((0, 7), (1, 5), (2, 3))
    """
    whole = n + m - 1
    if mode == "same":
        return (whole - n) // 2, n
    return (min(n, m) - 1, abs(n - m) + 1) if mode == "valid" else (0, whole)


def embedding(shape, other, mode, axes):
    """The padding of a part of the full convolution to all of it."""
    pads = []
    for axis, (n, m) in enumerate(zip(shape, other, strict=True)):
        if axis in axes:
            (start, count), whole = cut_of(n, m, mode), n + m - 1
        else:  # the mode "same" cuts the axes that were broadcast, too
            whole = max(n, m)
            start, count = ((whole - n) // 2, n) if mode == "same" else (0, whole)
        pads.append((start, whole - start - count))
    return pads


non_differentiable(cut_of, embedding)


def correlated(d, w, axes, f):
    """Σₖ dₙ₊ₖ conj(wₖ) along axes, where w is the shorter one, the others broadcast."""
    turned = np.conj(np.flip(w, axis=axes))
    return signal.fftconvolve(d, turned, "valid", axes) if f is None else f(d, turned, "valid")


def back_of(a, b, mode, axes, f):
    """The `back` of a convolution along axes; `f` convolves along all of them, None stands for FFTs."""
    x, z = np.asarray(a), np.asarray(b)
    a_like, b_like = ghost(a), ghost(b)
    pads = embedding(x.shape, z.shape, mode, axes)

    def convolution_back(y_bar):
        if x.size == 0 or z.size == 0:
            return bring_back(np.zeros(x.shape), a_like), bring_back(np.zeros(z.shape), b_like)
        d = np.pad(y_bar, pads)
        a_bar = unbroadcast(correlated(d, z, axes, f), ghost(x))
        b_bar = unbroadcast(correlated(d, x, axes, f), ghost(z))
        return bring_back(cast(a_bar, x.dtype), a_like), bring_back(cast(b_bar, z.dtype), b_like)

    return convolution_back


def along_all(a, b, mode):
    """A convolution along all axes, by sums or by FFTs, whichever is quicker."""
    return signal.convolve(a, b, mode)


@rule(signal.convolve)
def convolve_rule(in1, in2, mode="full", method="auto"):
    """cₙ = Σ aₖ bₙ₋ₖ."""
    y = signal.convolve(in1, in2, mode, method)
    if np.ndim(in1) == 0:
        return y, product_back(in1, in2)
    return y, back_of(in1, in2, mode, axes_of(None, np.ndim(in1)), along_all)


def product_back(a, b):
    """The `back` of a convolution of two numbers."""

    def numbers_back(y_bar):
        return unbroadcast(y_bar * np.conj(b), a), unbroadcast(y_bar * np.conj(a), b)

    return numbers_back


@rule(signal.fftconvolve)
def fftconvolve_rule(in1, in2, mode="full", axes=None):
    """cₙ = Σ aₖ bₙ₋ₖ along some axes, by FFTs."""
    y = signal.fftconvolve(in1, in2, mode, axes)
    if np.ndim(in1) == 0:
        return y, product_back(in1, in2)
    return y, back_of(in1, in2, mode, axes_of(axes, np.ndim(in1)), None)


@rule(signal.oaconvolve)
def oaconvolve_rule(in1, in2, mode="full", axes=None):
    """cₙ = Σ aₖ bₙ₋ₖ along some axes, by FFTs of parts."""
    y = signal.oaconvolve(in1, in2, mode, axes)
    if np.ndim(in1) == 0:
        return y, product_back(in1, in2)
    return y, back_of(in1, in2, mode, axes_of(axes, np.ndim(in1)), None)


def reversed_conj(b):
    """An array read backwards along all axes, conjugated."""
    return np.conj(np.flip(np.asarray(b)))


@composed(signal.correlate)
def correlate_of(in1, in2, mode="full", method="auto"):
    """cₙ = Σ aₙ₊ₖ conj(bₖ)."""
    if np.ndim(in1) == 0:
        return in1 * np.conj(in2)
    return signal.convolve(np.asarray(in1), reversed_conj(in2), mode, method)


# Images


BOUNDARIES = {"fill": "constant", "pad": "constant", "wrap": "wrap", "circular": "wrap", "symm": "symmetric"}
BOUNDARIES["symmetric"] = "symmetric"


def is_smaller(shape, other):
    """Tell whether an image is smaller than another one along any axis."""
    return any(n < m for n, m in zip(shape, other, strict=True))


non_differentiable(is_smaller)


@composed(signal.convolve2d)
def convolve2d_of(in1, in2, mode="full", boundary="fill", fillvalue=0):
    """The image goes on beyond its edges as the boundary says."""
    a, b = np.asarray(in1), np.asarray(in2)
    if mode == "valid" and is_smaller(a.shape, b.shape):
        a, b = b, a
    if mode == "valid":
        return signal.convolve(a, b, "valid")
    pads = [(m - 1, m - 1) for m in b.shape]
    kind = BOUNDARIES[boundary]
    wide = surrounded(a, pads, fillvalue) if kind == "constant" else np.pad(a, pads, kind)
    whole = signal.convolve(wide, b, "valid")
    return whole if mode == "full" else whole_part(whole, a.shape, [(m - 1) // 2 for m in b.shape])


def whole_part(whole, shape, starts):
    """The part of a full convolution that is as large as the image."""
    (n, m), (i, j) = shape, starts
    return whole[i : i + n, j : j + m]


@composed(signal.correlate2d)
def correlate2d_of(in1, in2, mode="full", boundary="fill", fillvalue=0):
    """A convolution with the second image turned round."""
    a, b = np.asarray(in1), np.asarray(in2)
    if mode == "valid" and is_smaller(a.shape, b.shape):
        return np.flip(convolve2d_of(b, reversed_conj(a), "valid"))
    if mode != "same":
        return convolve2d_of(a, reversed_conj(b), mode, boundary, fillvalue)
    whole = convolve2d_of(a, reversed_conj(b), "full", boundary, fillvalue)
    return whole_part(whole, a.shape, [m // 2 for m in b.shape])


@composed(signal.upfirdn)
def upfirdn_of(h, x, up=1, down=1, axis=-1, mode="constant", cval=0):
    """The signal with zeros between its samples, convolved with h, and every so many samples of that."""
    if mode != "constant" or cval != 0:
        refuse("scipy.signal.upfirdn(mode=)", "only mode='constant' with zeros has a rule", "pad the signal before")
    values = np.moveaxis(np.asarray(x), axis, -1)
    taps = np.asarray(h)
    n = values.shape[-1]
    spread = np.concatenate((values[..., None], np.zeros((*values.shape, up - 1))), axis=-1)
    dense = np.reshape(spread, (*values.shape[:-1], n * up))[..., : (n - 1) * up + 1]
    whole = signal.fftconvolve(dense, np.reshape(taps, (*(1,) * (dense.ndim - 1), -1)), axes=-1)
    return np.moveaxis(whole[..., ::down], -1, axis)
