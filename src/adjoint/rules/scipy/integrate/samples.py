"""Integrals of what is known at points only: sums with weights."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

from typing import Any

import numpy as np
from scipy import integrate

from ...numpy.lifting import composed
from ...registry import non_differentiable


def last(a, axis):
    """An array with this axis last."""
    return np.moveaxis(np.asarray(a), axis, -1)


def spacings(y, x, dx, axis):
    """The distances between neighbouring points, the axis last: of `x`, along the axis or all, else `dx`.

    >>> spacings(np.zeros(3), None, 0.5, -1)
    0.5
    """
    if x is None:
        return last(dx, axis) if np.ndim(dx) else dx
    points = np.asarray(x)
    return np.diff(points if points.ndim == 1 else last(points, axis), axis=-1)


@composed(integrate.trapezoid)
def trapezoid_of(y, x=None, dx=1.0, axis=-1):
    """Σ hᵢ (yᵢ + yᵢ₊₁) / 2."""
    values = last(y, axis)
    return np.sum(spacings(y, x, dx, axis) * (values[..., 1:] + values[..., :-1]) / 2.0, axis=-1)


@composed(integrate.cumulative_trapezoid)
def cumulative_trapezoid_of(y, x=None, dx=1.0, axis=-1, initial=None):
    """The partial sums of the trapezoidal rule."""
    values = last(y, axis)
    sums = np.cumsum(spacings(y, x, dx, axis) * (values[..., 1:] + values[..., :-1]) / 2.0, axis=-1)
    if initial is not None:
        first = np.zeros((*sums.shape[:-1], 1)) + initial
        sums = np.concatenate((first, sums), axis=-1)
    return np.moveaxis(sums, -1, axis)


def ratio(a, b):
    """a / b, and 0 where b is 0: points that coincide enclose nothing.

    >>> ratio(1.0, np.array([2.0, 0.0]))
    array([0.5, 0. ])
    """
    return np.where(b == 0, 0.0, a / np.where(b == 0, 1.0, b))


def simpson_of(y, x=None, dx=1.0, axis=-1):
    """Parabolas through three points each; where one interval is left over, the one through the last three points.

    Source: K. V. Cartwright, Simpson's rule cumulative integration with MS Excel and irregularly-spaced data, J. Math.
    Sci. Math. Educ. 12 (2017), 1-9.
    """
    values = last(y, axis)
    n = values.shape[-1]
    h = spacings(y, x, dx, axis) + np.zeros(n - 1)
    if n == 2:
        return 0.5 * h[..., 0] * (values[..., 0] + values[..., 1])
    end = n if n % 2 else n - 1
    h0, h1 = h[..., 0 : end - 1 : 2], h[..., 1:end:2]
    y0, y1, y2 = values[..., 0 : end - 2 : 2], values[..., 1 : end - 1 : 2], values[..., 2:end:2]
    width = h0 + h1
    middle = ratio(width * width, h0 * h1)
    parts = width / 6.0 * (y0 * (2.0 - ratio(h1, h0)) + y1 * middle + y2 * (2.0 - ratio(h0, h1)))
    total = np.sum(parts, axis=-1)
    if n % 2:
        return total
    a, b = h[..., -2], h[..., -1]
    last_part = ratio(2 * b * b + 3 * a * b, 6 * (a + b)) * values[..., -1]
    last_part = last_part + ratio(b * b + 3 * a * b, 6 * a) * values[..., -2]
    return total + last_part - ratio(b * b * b, 6 * a * (a + b)) * values[..., -3]


@composed(integrate.simpson)
def simpson_rule_of(y, x=None, dx=1.0, axis=-1, even=None):
    """Simpson's rule."""
    return simpson_of(y, x, dx, axis)


@composed(integrate.cumulative_simpson)
def cumulative_simpson_of(y, x=None, dx=1.0, axis=-1, initial=None):
    """The partial sums of the integrals over each interval of the parabola through it and the next (for the odd ones
    and the last, the one before)."""
    values = last(y, axis)
    n = values.shape[-1]
    if n < 3:
        sums = last(cumulative_trapezoid_of(y, x, dx, axis), axis)
    else:
        h = spacings(y, x, dx, axis) + np.zeros((*values.shape[:-1], n - 1))
        forward = under_first(values, h)
        backward = np.flip(under_first(np.flip(values, axis=-1), np.flip(h, axis=-1)), axis=-1)
        pick = np.arange(n - 2) % 2 == 0
        inner = np.where(pick[1:], forward[..., 1:], backward[..., :-1])
        sums = np.cumsum(np.concatenate((forward[..., :1], inner, backward[..., -1:]), axis=-1), axis=-1)
    if initial is not None:
        start = last(initial, axis) if np.ndim(initial) else initial
        start = start + np.zeros((*sums.shape[:-1], 1))
        sums = np.concatenate((start, sums + start), axis=-1)
    return np.moveaxis(sums, -1, axis)


def under_first(y, h):
    """The integral over the first of two neighbouring intervals of the parabola through their three points."""
    a, b = h[..., :-1], h[..., 1:]
    whole, near = a / (a + b), a / b
    both = whole * near
    return a / 6 * ((3 - whole) * y[..., :-2] + (3 + both + whole) * y[..., 1:-1] - both * y[..., 2:])


@composed(integrate.romb)
def romb_of(y, dx=1.0, axis=-1, show=False):
    """Trapezoidal rules of spacings 2ᵏ h, extrapolated by Richardson."""
    values = last(y, axis)
    n = values.shape[-1] - 1
    strides = []
    stride = n
    while stride >= 1:
        strides.append(stride)
        stride //= 2
    row: list[Any] = []
    for k, stride in enumerate(strides):
        part = values[..., ::stride]
        new = [dx * stride * (np.sum(part, axis=-1) - 0.5 * (part[..., 0] + part[..., -1]))]
        for j in range(1, k + 1):
            new.append(new[j - 1] + (new[j - 1] - row[j - 1]) / (4**j - 1))
        row = new
    return row[-1]


non_differentiable(integrate.lebedev_rule) if hasattr(integrate, "lebedev_rule") else None
