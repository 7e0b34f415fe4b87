"""Linear algebra in loops: what `numpy.linalg` does with one matrix, as ordinary programs that are read in its place.

They are differentiated as any other loops are. Where a matrix is singular, or not positive definite, the logarithm of a
pivot has no value: then the plain program runs, and raises what it raises.

Source: G. Golub and C. Van Loan, "Matrix Computations", 2013, algorithms 3.4.1 and 4.2.2.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def eliminated(a: Any, b: Any) -> Any:
    """A X = B as U X = L⁻¹ P B, by Gaussian elimination with row pivoting; and the sign of the permutation."""
    n, m = len(a), b.shape[1]
    u, x = a.copy(), b.copy()
    sign = 1.0
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(u[i, k]) > abs(u[pivot, k]):
                pivot = i
        if pivot != k:
            sign = -sign
            for j in range(k, n):
                t = u[k, j]
                u[k, j] = u[pivot, j]
                u[pivot, j] = t
            for j in range(m):
                t = x[k, j]
                x[k, j] = x[pivot, j]
                x[pivot, j] = t
        math.log(abs(u[k, k]))
        for i in range(k + 1, n):
            factor = u[i, k] / u[k, k]
            for j in range(k, n):
                u[i, j] = u[i, j] - factor * u[k, j]
            for j in range(m):
                x[i, j] = x[i, j] - factor * x[k, j]
    return u, x, sign


def solved(a: Any, b: Any) -> Any:
    """X of A X = B."""
    u, x, _ = eliminated(a, b)
    n, m = len(a), b.shape[1]
    for j in range(m):
        for back in range(n):
            i = n - 1 - back
            s = x[i, j]
            for k in range(i + 1, n):
                s = s - u[i, k] * x[k, j]
            x[i, j] = s / u[i, i]
    return x


def solved_for_vector(a: Any, b: Any) -> Any:
    """x of A x = b."""
    return solved(a, b[:, np.newaxis])[:, 0]


def inverse(a: Any) -> Any:
    """A⁻¹."""
    return solved(a, np.eye(len(a)))


def determinant(a: Any) -> Any:
    """±∏ Uᵢᵢ."""
    u, _, sign = eliminated(a, np.zeros((len(a), 0)))
    for i in range(len(a)):
        sign = sign * u[i, i]
    return sign


def log_determinant(a: Any) -> Any:
    """The sign of the determinant and the logarithm of its size."""
    u, _, sign = eliminated(a, np.zeros((len(a), 0)))
    total = 0.0
    for i in range(len(a)):
        if u[i, i] < 0.0:
            sign = -sign
        total = total + math.log(abs(u[i, i]))
    return sign, total


def symmetric(a: Any) -> Any:
    """The symmetric matrix of the lower triangle of a matrix: NumPy reads no more of it."""
    n = len(a)
    whole = np.empty((n, n))
    for i in range(n):
        for j in range(i + 1):
            whole[i, j] = a[i, j]
            whole[j, i] = a[i, j]
    return whole


def turned(a: Any, v: Any) -> Any:
    """Vᵀ A V."""
    return v.T @ (a @ v)


def turned_diagonal(a: Any, v: Any) -> Any:
    """The diagonal of Vᵀ A V, whose derivatives for constant V are those of the eigenvalues."""
    n = len(a)
    found = np.zeros(n)
    for k in range(n):
        for i in range(n):
            for j in range(n):
                found[k] = found[k] + v[i, k] * a[i, j] * v[j, k]
    return found


def turns(a: Any, w: Any, v: Any) -> Any:
    """V (F ∘ Vᵀ A V) with Fᵢⱼ = 1 / (wⱼ - wᵢ), whose derivatives for constant V and w are those of the eigenvectors.

    Where eigenvalues coincide there are none, and the logarithm has no value.

    Source: M. Giles, "An extended collection of matrix derivative results for forward and reverse mode algorithmic
    differentiation", 2008, section 3.1.
    """
    n = len(a)
    inner = turned(a, v)
    largest = max(abs(w[0]), abs(w[n - 1]))
    for i in range(n):
        for j in range(n):
            if i == j:
                inner[i, j] = 0.0
            else:
                math.log(abs(w[j] - w[i]) - n * 2.0**-52 * largest)
                inner[i, j] = inner[i, j] / (w[j] - w[i])
    return v @ inner


def lower_factor(a: Any) -> Any:
    """L of A = L Lᵀ; only the lower triangle of A is read, as by NumPy."""
    n = len(a)
    factor = np.zeros((n, n))
    for j in range(n):
        s = a[j, j]
        for k in range(j):
            s = s - factor[j, k] * factor[j, k]
        math.log(s)
        factor[j, j] = math.sqrt(s)
        for i in range(j + 1, n):
            s = a[i, j]
            for k in range(j):
                s = s - factor[i, k] * factor[j, k]
            factor[i, j] = s / factor[j, j]
    return factor
