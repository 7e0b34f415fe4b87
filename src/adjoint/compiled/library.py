"""Functions of NumPy as ordinary programs, which are read in their place: differentiated as any other program is."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def var(a: Any, axis: Any = None, *, ddof: Any = 0, keepdims: Any = False) -> Any:
    """Σ (a - mean)² / (n - ddof)."""
    d = a - np.mean(a, axis=axis, keepdims=True)
    n = a.size if axis is None else a.shape[axis]
    return np.sum(d * d, axis=axis, keepdims=keepdims) / (n - ddof)


def std(a: Any, axis: Any = None, *, ddof: Any = 0, keepdims: Any = False) -> Any:
    """The root of the variance, which has no derivative where all is equal: 0, as without `compile`."""
    return rooted(var(a, axis, ddof=ddof, keepdims=keepdims))


def rooted(x: Any) -> Any:
    """√x, with the derivative 0 at 0."""
    zero = x == 0.0
    return np.where(zero, 0.0 * x, np.sqrt(np.where(zero, 1.0, x)))


def average(a: Any, axis: Any = None, weights: Any = None) -> Any:
    """Σ w a / Σ w."""
    if weights is None:
        return np.mean(a, axis=axis)
    return np.sum(a * weights) / np.sum(weights)


def ptp(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """The largest less the smallest."""
    return np.max(a, axis=axis, keepdims=keepdims) - np.min(a, axis=axis, keepdims=keepdims)


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:  # noqa: A002
    """Of vectors any of the usual norms, of a matrix that of Frobenius."""
    if ord is None or ord == 2 or ord == "fro":
        return rooted(np.sum(x * x, axis=axis, keepdims=keepdims))
    if ord == 1:
        return np.sum(np.abs(x), axis=axis, keepdims=keepdims)
    return np.max(np.abs(x), axis=axis, keepdims=keepdims)


def trace(a: Any) -> Any:
    """Σ aᵢᵢ."""
    total = 0.0
    for i in range(min(a.shape[0], a.shape[1])):
        total = total + a[i, i]
    return total


def diagonal(a: Any, offset: Any = 0) -> Any:
    """aᵢ,ᵢ₊ₖ."""
    row, column = max(-offset, 0), max(offset, 0)
    n = max(min(a.shape[0] - row, a.shape[1] - column), 0)
    found = np.zeros(n)
    for i in range(n):
        found[i] = a[row + i, column + i]
    return found


def diag(v: Any, k: Any = 0) -> Any:
    """The diagonal of a matrix, or a matrix with this diagonal."""
    if v.ndim == 2:
        return diagonal(v, k)
    row, column = max(-k, 0), max(k, 0)
    n = len(v) + row + column
    found = np.zeros((n, n))
    for i in range(len(v)):
        found[row + i, column + i] = v[i]
    return found


def tril(m: Any, k: Any = 0) -> Any:
    """The lower triangle of a matrix: its entries that are not above a diagonal."""
    found = np.zeros((m.shape[0], m.shape[1]))
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            if j <= i + k:
                found[i, j] = m[i, j]
    return found


def triu(m: Any, k: Any = 0) -> Any:
    """The upper triangle of a matrix: its entries that are not below a diagonal."""
    found = np.zeros((m.shape[0], m.shape[1]))
    for i in range(m.shape[0]):
        for j in range(m.shape[1]):
            if j >= i + k:
                found[i, j] = m[i, j]
    return found


def diff(a: Any) -> Any:
    """aᵢ₊₁ - aᵢ along the last axis."""
    return a[1:] - a[:-1] if a.ndim == 1 else a[:, 1:] - a[:, :-1]


def roll(a: Any, shift: Any) -> Any:
    """aᵢ at i + shift, around the end."""
    n = len(a)
    found = np.empty(n)
    for i in range(n):
        found[(i + shift) % n] = a[i]
    return found


def flip(m: Any) -> Any:
    """The other way round, along all axes."""
    return m[::-1] if m.ndim == 1 else m[::-1, ::-1]


def inner(a: Any, b: Any) -> Any:
    """Σ aᵢₖ bⱼₖ."""
    return a @ b if b.ndim == 1 else a @ b.T


def vdot(a: Any, b: Any) -> Any:
    """Σ a b, of all entries."""
    return np.ravel(a) @ np.ravel(b)


def cross(a: Any, b: Any) -> Any:
    """a × b of two vectors in space."""
    x = a[1] * b[2] - a[2] * b[1]
    y = a[2] * b[0] - a[0] * b[2]
    z = a[0] * b[1] - a[1] * b[0]
    return np.array([x, y, z])


def kron(a: Any, b: Any) -> Any:
    """All aᵢⱼ B, put together."""
    n, m = b.shape
    found = np.empty((a.shape[0] * n, a.shape[1] * m))
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            for k in range(n):
                for l in range(m):  # noqa: E741
                    found[i * n + k, j * m + l] = a[i, j] * b[k, l]
    return found


def trapezoid(y: Any, x: Any = None, dx: Any = 1.0) -> Any:
    """Σ (yᵢ + yᵢ₊₁) / 2 · (xᵢ₊₁ - xᵢ)."""
    if x is None:
        return np.sum((y[1:] + y[:-1]) * 0.5) * dx
    return np.sum((y[1:] + y[:-1]) * (x[1:] - x[:-1])) * 0.5


def polyval(p: Any, x: Any) -> Any:
    """Σ pₖ xⁿ⁻ᵏ, by Horner's rule."""
    y = 0.0 * x
    for c in p:
        y = y * x + c
    return y


def interp(x: Any, xp: Any, fp: Any) -> Any:
    """The values at points of the line through points."""
    found = np.empty(len(x))
    for i in range(len(x)):
        found[i] = interpolated(x[i], xp, fp)
    return found


def interpolated(x: Any, xp: Any, fp: Any) -> Any:
    """The value at one point."""
    n = len(xp)
    if x > xp[n - 1]:
        return fp[n - 1] * 1.0
    if x < xp[0]:
        return fp[0] * 1.0
    low, high = 0, n - 1
    while high - low > 1:
        middle = (low + high) // 2
        if xp[middle] <= x:
            low = middle
        else:
            high = middle
    if n == 1:
        return fp[0] * 1.0
    slope = (fp[high] - fp[low]) / (xp[high] - xp[low])
    if not np.isfinite(slope):  # NumPy looks at both ends, and at what they have in common
        raise ValueError("an infinite slope")
    if x == xp[high]:
        return fp[high] + (x - xp[high]) * slope
    return fp[low] + (x - xp[low]) * slope


def convolve(a: Any, v: Any, mode: Any = "full") -> Any:
    """yₖ = Σ aᵢ vₖ₋ᵢ: all, as many as the longer one has, or those in which all of the shorter one is."""
    n, m = len(a), len(v)
    if n == 0 or m == 0:
        raise ValueError("nothing to convolve")
    found = np.zeros(n + m - 1)
    for i in range(n):
        for j in range(m):
            found[i + j] += a[i] * v[j]
    if mode == "same":
        first = (min(n, m) - 1) // 2
        return found[first : first + max(n, m)]
    if mode == "valid":
        return found[min(n, m) - 1 : max(n, m)]
    return found


def repeat(a: Any, repeats: Any) -> Any:
    """Each entry so many times."""
    found = np.empty(len(a) * repeats)
    for i in range(len(a)):
        for k in range(repeats):
            found[i * repeats + k] = a[i]
    return found


def tile(a: Any, reps: Any) -> Any:
    """All entries so many times."""
    n = len(a)
    found = np.empty(n * reps)
    for k in range(reps):
        for i in range(n):
            found[k * n + i] = a[i]
    return found


def vander(x: Any, n: Any = None, increasing: Any = False) -> Any:
    """xᵢⁿ⁻¹⁻ʲ, or xᵢʲ."""
    columns = len(x) if n is None else n
    found = np.empty((len(x), columns))
    for i in range(len(x)):
        power = 1.0
        for j in range(columns):
            found[i, j if increasing else columns - 1 - j] = power
            power = power * x[i]
    return found


def nansum(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """Σ of what is not nan."""
    return np.sum(np.where(np.isnan(a), 0.0, a), axis=axis, keepdims=keepdims)


def nanmean(a: Any, axis: Any = None, *, keepdims: Any = False) -> Any:
    """The mean of what is not nan."""
    count = np.sum(np.where(np.isnan(a), 0.0, 1.0), axis=axis, keepdims=keepdims)
    return nansum(a, axis, keepdims=keepdims) / count


def degrees(x: Any) -> Any:
    """x · 180/π."""
    return x * (180.0 / math.pi)


def radians(x: Any) -> Any:
    """x · π/180."""
    return x * (math.pi / 180.0)


def reciprocal(x: Any) -> Any:
    """1/x."""
    return 1.0 / x


def heaviside(x: Any, h: Any) -> Any:
    """0 below 0, 1 above, h there."""
    return np.where(x == 0.0, h, np.where(x < 0.0, 0.0, np.where(x > 0.0, 1.0, np.nan)))


def nan_to_num(x: Any) -> Any:
    """0 for nan, the largest number for infinity."""
    large = 1.7976931348623157e308
    return np.where(np.isnan(x), 0.0, np.where(np.isinf(x), np.where(x > 0.0, large, -large), x))


def append(arr: Any, values: Any) -> Any:
    """All entries of the one, then those of the other."""
    return np.concatenate((np.ravel(arr), np.ravel(values)))


def insert(arr: Any, obj: Any, values: Any) -> Any:
    """A number before an entry of a vector."""
    n = len(arr)
    at = obj + n if obj < 0 else obj
    if at < 0 or at > n:
        raise IndexError("no such place")
    found = np.empty(n + 1)
    for i in range(n + 1):
        found[i] = arr[i] if i < at else values if i == at else arr[i - 1]
    return found


def pad(array: Any, before: Any, after: Any, value: Any) -> Any:
    """A number so many times before and after a vector, or all around a matrix."""
    if before < 0 or after < 0:
        raise ValueError("a negative width")
    if array.ndim == 1:
        n = len(array)
        found = np.full(n + before + after, 1.0 * value)
        found[before : before + n] = array
        return found
    n, m = array.shape
    wide = np.full((n + before + after, m + before + after), 1.0 * value)
    wide[before : before + n, before : before + m] = array
    return wide


def gradient(f: Any, h: Any = 1.0) -> Any:
    """Central differences, at the ends those of one side."""
    n = len(f)
    if n < 2:
        raise ValueError("too few")
    found = np.empty(n)
    found[0] = (f[1] - f[0]) / h
    for i in range(1, n - 1):
        found[i] = (f[i + 1] - f[i - 1]) / (2.0 * h)
    found[n - 1] = (f[n - 1] - f[n - 2]) / h
    return found


def bincount(x: Any, weights: Any, minlength: Any = 0) -> Any:
    """Σ of the weights of each integer."""
    n = minlength
    for i in range(len(x)):
        if x[i] < 0:
            raise ValueError("a negative integer")
        n = max(n, x[i] + 1)
    if len(x) != len(weights):
        raise ValueError("other lengths")
    found = np.zeros(n)
    for i in range(len(x)):
        found[x[i]] += weights[i]
    return found
