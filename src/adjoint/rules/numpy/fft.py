"""`np.fft`: every transform is linear; its adjoint is the opposite one, with the factors swapped, not inverted.

The matrix F of the transform over n points is symmetric, so that Fᴴ ȳ is the inverse transform without its factor 1/n:
`ifft(ȳ, norm="forward")`. Real transforms keep one half of a spectrum that is symmetric, of which each entry but the
first (and the last, for an even n) stands for two.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np

from ...tangents import unbroadcast
from ..registry import non_differentiable, rule
from .lifting import array_rule, refuse_out
from .linear import cast

ADJOINT_NORM = {None: "forward", "backward": "forward", "forward": "backward", "ortho": "ortho"}


def fitted(d, n, axis):
    """`d` cut, or filled up with zeros, to n entries along an axis.

    >>> fitted(np.array([1.0, 2.0]), 3, 0), fitted(np.array([1.0, 2.0]), 1, 0)
    (array([1., 2., 0.]), array([1.]))
    """
    m = d.shape[axis]
    if m >= n:
        return d if m == n else d[along(axis, d.ndim, n)]
    zeros = np.zeros((*d.shape[:axis], n - m, *d.shape[axis + 1 :]), d.dtype)
    return np.concatenate((d, zeros), axis=axis)


def along(axis, ndim, n):
    """The index of the first n entries along an axis.

    >>> along(1, 2, 3)
    (slice(None, None, None), slice(None, 3, None))
    """
    return tuple([slice(n) if i == axis else slice(None) for i in range(ndim)])


def weights(n, axis, ndim, of_pairs):
    """1 for each entry of half a spectrum of n points that stands for itself, `of_pairs` for what stands for two.

    >>> weights(4, 0, 1, 0.5), weights(3, 0, 1, 2.0)
    (array([1. , 0.5, 1. ]), array([1., 2.]))
    """
    w = np.full(n // 2 + 1, of_pairs)
    w[0] = 1.0
    if n % 2 == 0:
        w[-1] = 1.0
    return w.reshape(-1, *(1,) * (ndim - 1 - axis))


non_differentiable(along, weights)


def _undone(d, transform, n, axis, norm, points):
    """The adjoint of one transform along one axis that first fitted its `n` entries to a number of points."""
    opposite = ADJOINT_NORM[norm]
    if transform == "fft":
        d = np.fft.ifft(d, axis=axis, norm=opposite)
    elif transform == "ifft":
        d = np.fft.fft(d, axis=axis, norm=opposite)
    elif transform == "rfft":
        d = np.fft.irfft(d * weights(points, axis, d.ndim, 0.5), points, axis, opposite)
    elif transform == "irfft":
        d = np.fft.rfft(d, axis=axis, norm=opposite) * weights(points, axis, d.ndim, 2.0)
    elif transform == "hfft":
        d = np.fft.ihfft(d, axis=axis, norm=opposite) * weights(points, axis, d.ndim, 2.0)
    else:
        d = np.fft.hfft(d * weights(points, axis, d.ndim, 0.5), points, axis, opposite)
    return fitted(d, n, axis)


def _adjoint(a, steps, norm):
    """The `back` of transforms, each `(name, axis, entries, points)`, in this order."""
    kind = a.dtype

    def transform_back(y_bar):
        d = y_bar
        for transform, axis, n, points in steps[::-1]:
            d = _undone(d, transform, n, axis, norm, points)
        return (cast(d, kind),)

    return transform_back


# One axis


def _step(transform, a, n, axis):
    """The step of a transform along one axis, in a list: `(transform, axis, entries, points)`."""
    place = axis + a.ndim if axis < 0 else axis
    entries = a.shape[place]
    default = 2 * (entries - 1) if transform in ("irfft", "hfft") else entries
    return [(transform, place, entries, default if n is None else n)]


non_differentiable(_step)


@array_rule(np.fft.fft, linear="a")
def fft_rule(a: np.ndarray, n=None, axis=-1, norm=None, out=None):
    """y = F a, so ā = Fᴴ ȳ."""
    refuse_out(out)
    y = np.fft.fft(a, n, axis, norm)
    return y, _adjoint(a, _step("fft", a, n, axis), norm)


@array_rule(np.fft.ifft, linear="a")
def ifft_rule(a: np.ndarray, n=None, axis=-1, norm=None, out=None):
    """y = F⁻¹ a = Fᴴ a / n, so ā = F ȳ / n."""
    refuse_out(out)
    y = np.fft.ifft(a, n, axis, norm)
    return y, _adjoint(a, _step("ifft", a, n, axis), norm)


@array_rule(np.fft.rfft, linear="a")
def rfft_rule(a: np.ndarray, n=None, axis=-1, norm=None, out=None):
    """y = the first half of F a for a real a, so ā = Re(Fᴴ ȳ)."""
    refuse_out(out)
    y = np.fft.rfft(a, n, axis, norm)
    return y, _adjoint(a, _step("rfft", a, n, axis), norm)


@array_rule(np.fft.irfft, linear="a")
def irfft_rule(a: np.ndarray, n=None, axis=-1, norm=None, out=None):
    """y = F⁻¹ of the symmetric spectrum of which a is one half, so ā = F ȳ / n, twice where a stands for two."""
    refuse_out(out)
    y = np.fft.irfft(a, n, axis, norm)
    return y, _adjoint(a, _step("irfft", a, n, axis), norm)


@array_rule(np.fft.hfft, linear="a")
def hfft_rule(a: np.ndarray, n=None, axis=-1, norm=None, out=None):
    """y = F of the symmetric signal of which a is one half, so ā = Fᴴ ȳ, twice where a stands for two."""
    refuse_out(out)
    y = np.fft.hfft(a, n, axis, norm)
    return y, _adjoint(a, _step("hfft", a, n, axis), norm)


@array_rule(np.fft.ihfft, linear="a")
def ihfft_rule(a: np.ndarray, n=None, axis=-1, norm=None, out=None):
    """y = the first half of F⁻¹ a for a real a, so ā = Re(F ȳ) / n."""
    refuse_out(out)
    y = np.fft.ihfft(a, n, axis, norm)
    return y, _adjoint(a, _step("ihfft", a, n, axis), norm)


# Several axes: the same, one after the other


def _steps(a, s, axes, last=None):
    """The transforms that make one over several axes, in their order; `last` is that of the last axis.

    >>> _steps(np.ones((2, 3)), (4, -1), (0, 1), "rfft")
    [('rfft', 1, 3, 3), ('fft', 0, 2, 4)]
    """
    chosen = axes if axes is not None else range(-(a.ndim if s is None else len(s)), 0)
    places = [axis + a.ndim if axis < 0 else axis for axis in chosen]
    points = [a.shape[axis] for axis in places]
    if s is not None:
        points = [p if n in (-1, None) else n for n, p in zip(s, points, strict=True)]
        if last == "irfft" and s[-1] is None:
            points[-1] = 2 * (a.shape[places[-1]] - 1)
    elif last == "irfft":
        points[-1] = 2 * (points[-1] - 1)
    kinds = ["ifft" if last == "irfft" else "fft"] * len(places)
    if last is not None:
        kinds[-1] = last
    order = range(len(places)) if last == "irfft" else range(len(places))[::-1]
    lengths, steps = list(a.shape), []
    for i in order:
        steps.append((kinds[i], places[i], lengths[places[i]], points[i]))
        lengths[places[i]] = points[i] // 2 + 1 if kinds[i] == "rfft" else points[i]
    return steps


non_differentiable(_steps)


def _of_all_axes(function, a, s, axes, norm, out, last=None):
    refuse_out(out)
    y = function(a, s, axes, norm)
    return y, _adjoint(a, _steps(a, s, axes, last), norm)


@array_rule(np.fft.fftn, linear="a")
def fftn_rule(a: np.ndarray, s=None, axes=None, norm=None, out=None):
    """`np.fft.fft` along several axes."""
    return _of_all_axes(np.fft.fftn, a, s, axes, norm, out)


@array_rule(np.fft.ifftn, linear="a")
def ifftn_rule(a: np.ndarray, s=None, axes=None, norm=None, out=None):
    """`np.fft.ifft` along several axes."""
    refuse_out(out)
    y = np.fft.ifftn(a, s, axes, norm)
    steps = [("ifft", *rest) for _, *rest in _steps(a, s, axes)]
    return y, _adjoint(a, steps, norm)


@array_rule(np.fft.fft2, linear="a")
def fft2_rule(a: np.ndarray, s=None, axes=(-2, -1), norm=None, out=None):
    """`np.fft.fft` along two axes."""
    return _of_all_axes(np.fft.fft2, a, s, axes, norm, out)


@array_rule(np.fft.ifft2, linear="a")
def ifft2_rule(a: np.ndarray, s=None, axes=(-2, -1), norm=None, out=None):
    """`np.fft.ifft` along two axes."""
    return ifftn_rule(a, s, axes, norm, out)


@array_rule(np.fft.rfftn, linear="a")
def rfftn_rule(a: np.ndarray, s=None, axes=None, norm=None, out=None):
    """`np.fft.rfft` along the last of several axes, then `np.fft.fft` along the others."""
    return _of_all_axes(np.fft.rfftn, a, s, axes, norm, out, "rfft")


@array_rule(np.fft.rfft2, linear="a")
def rfft2_rule(a: np.ndarray, s=None, axes=(-2, -1), norm=None, out=None):
    """`np.fft.rfft` along the last of two axes, then `np.fft.fft` along the other."""
    return _of_all_axes(np.fft.rfft2, a, s, axes, norm, out, "rfft")


@array_rule(np.fft.irfftn, linear="a")
def irfftn_rule(a: np.ndarray, s=None, axes=None, norm=None, out=None):
    """`np.fft.ifft` along all but the last of several axes, then `np.fft.irfft` along that."""
    return _of_all_axes(np.fft.irfftn, a, s, axes, norm, out, "irfft")


@array_rule(np.fft.irfft2, linear="a")
def irfft2_rule(a: np.ndarray, s=None, axes=(-2, -1), norm=None, out=None):
    """`np.fft.ifft` along one of two axes, then `np.fft.irfft` along the other."""
    return _of_all_axes(np.fft.irfft2, a, s, axes, norm, out, "irfft")


# Helpers of the module


@array_rule(np.fft.fftshift, linear="x")
def fftshift_rule(x: np.ndarray, axes=None):
    """The entries moved round, so x̄ = ȳ moved back."""

    def fftshift_back(y_bar):
        return (np.fft.ifftshift(y_bar, axes),)

    return np.fft.fftshift(x, axes), fftshift_back


@array_rule(np.fft.ifftshift, linear="x")
def ifftshift_rule(x: np.ndarray, axes=None):
    """The entries moved back, so x̄ = ȳ moved round."""

    def ifftshift_back(y_bar):
        return (np.fft.fftshift(y_bar, axes),)

    return np.fft.ifftshift(x, axes), ifftshift_back


@rule(np.fft.fftfreq)
def fftfreq_rule(n, d=1.0, device=None):
    """y = k / (n d), so d̄ = -Σ ȳ y / d."""
    y = np.fft.fftfreq(n, d)
    return y, _spacing_back(y, d)


@rule(np.fft.rfftfreq)
def rfftfreq_rule(n, d=1.0, device=None):
    """y = k / (n d), so d̄ = -Σ ȳ y / d."""
    y = np.fft.rfftfreq(n, d)
    return y, _spacing_back(y, d)


def _spacing_back(y, d):
    def spacing_back(y_bar):
        return None, unbroadcast(-y_bar * np.conj(y / d), d)

    return spacing_back
