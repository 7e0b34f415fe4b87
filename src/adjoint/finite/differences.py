"""Directional derivatives by central finite differences that know when not to be trusted."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

STEPS = (3e-5, 3e-6, 3e-7)
COARSE_STEPS = (1e-2, 3e-3, 1e-3)
"""For results that are rounded to less than double precision, even of inputs that have it."""


class Slope(NamedTuple):
    """A directional derivative, how far the differences disagree about it, and whether that is little enough."""

    value: float
    noise: float
    settled: bool


def slope_at_zero(
    g: Callable[[float], float], atol: float, rtol: float, smooth: bool = True, steps: Iterable[float] = STEPS
) -> Slope:
    """g'(0) by central differences D with steps h and 2h, as (4 D(h) - D(2h)) / 3.

    Two things show that they cannot be trusted: D(h) and D(2h) disagree, or the bend s(h) = (g(h) - 2 g(0) + g(-h)) / h
    does not halve with h, as it does where g is smooth (at a kink it stays, at a jump it grows). Then smaller steps are
    tried; `settled` is False if none will do. Unless `smooth`, the bend may stay: then the slope at a kink is the mean
    of those on both sides. `steps` are gone through only after g(0).

    Examples
    --------
    >>> slope = slope_at_zero(lambda t: (2.0 + t) ** 3, 1e-7, 1e-5)
    >>> round(slope.value, 6), slope.settled
    (12.0, True)
    >>> slope_at_zero(abs, 1e-7, 1e-5).settled
    False
    >>> slope_at_zero(abs, 1e-7, 1e-5, smooth=False).value
    0.0
    """
    middle = g(0.0)
    best = Slope(float("nan"), float("inf"), False)
    for h in steps:
        right, left, far_right, far_left = g(h), g(-h), g(2 * h), g(-2 * h)
        near, far = (right - left) / (2 * h), (far_right - far_left) / (4 * h)
        bend, far_bend = (right - 2 * middle + left) / h, (far_right - 2 * middle + far_left) / (2 * h)
        value = (4 * near - far) / 3
        noise = max(abs(near - far), abs(2 * bend - far_bend) if smooth else 0.0)
        if not noise < best.noise:
            continue
        limit = max(atol * max(1.0, abs(middle)), 10 * rtol * abs(value))
        best = Slope(value, noise, noise <= limit)
        if best.settled:
            break
    return best


def inner(a: Any, b: Any) -> float:
    """Re⟨a, b⟩ = Re Σ conj(aᵢ) bᵢ of two leaves; None counts as zero. Complex parts are two real dimensions each.

    >>> inner(np.array([1.0, 2.0]), np.array([3.0, 4.0])), inner(None, 2.0), inner(1j, 2j)
    (11.0, 0.0, 2.0)
    """
    if a is None or b is None:
        return 0.0
    return float(np.real(np.vdot(np.asarray(a), np.asarray(b))))


def magnitude(leaf: Any) -> float:
    """The size of a leaf that steps along it are scaled by: its largest entry, at least 1."""
    values = np.abs(np.asarray(leaf))
    return max(1.0, float(values.max())) if values.size else 1.0


def widened(leaf: Any) -> Any:
    """The leaf in double precision, in which differences are taken; Python's numbers and doubles stay as they are."""
    if isinstance(leaf, np.ndarray | np.generic):
        wide = np.complex128 if leaf.dtype.kind == "c" else np.float64
        return leaf.astype(wide)
    return float(leaf) if isinstance(leaf, int) else leaf


def is_narrow(leaf: Any) -> bool:
    """True if a leaf has less precision than doubles have.

    >>> is_narrow(np.complex64(1j)), is_narrow(1.0)
    (True, False)
    """
    dtype = np.asarray(leaf).dtype
    return dtype.kind in "fc" and bool(np.finfo(dtype).eps > 1e-10)


def random_like(leaf: Any, rng: np.random.Generator) -> Any:
    """A random direction or cotangent for a leaf: its shape, float32 and complex kept, integers as doubles."""
    shape = np.shape(leaf)
    dtype = np.asarray(leaf).dtype
    values: Any = rng.normal(size=shape)
    if dtype.kind == "c":
        values = values + 1j * rng.normal(size=shape)
    if isinstance(leaf, np.ndarray):
        return np.asarray(values, dtype=dtype if dtype.kind in "fc" else np.float64)
    if isinstance(leaf, np.inexact):
        return leaf.dtype.type(values)
    return complex(values) if dtype.kind == "c" else float(values)
