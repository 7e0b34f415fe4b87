"""Polynomials by their coefficients, the highest power first: `np.polyval`, `np.polyfit`, `np.roots` and the like."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from typing import Any

import numpy as np

from ..knots import call_pullback
from ..registry import non_differentiable, rule
from .lifting import array_rule, composed
from .linear import bring_back, cast, nested
from .products import Arrays
from .series import rank_of


@array_rule(np.vander)
def vander_rule(x: np.ndarray, N=None, increasing=False):  # noqa: N803
    """yᵢₖ = xᵢᵏ for the powers k, so x̄ᵢ = Σ ȳᵢₖ k xᵢᵏ⁻¹."""
    y = np.vander(x, N, increasing)
    kind = x.dtype
    powers = np.arange(y.shape[1]) if increasing else np.arange(y.shape[1])[::-1]

    def vander_back(y_bar):
        slopes = powers * np.power(np.expand_dims(x, 1), np.maximum(powers - 1, 0))
        return (cast(np.sum(y_bar * np.conj(slopes), axis=1), kind),)

    return y, vander_back


@rule(np.polyval, linear="p")
def polyval_rule(p: Arrays, x: Arrays):
    """y = p(x), so x̄ = ȳ p'(x), and the coefficient of xᵏ has Σ ȳ xᵏ."""
    c, z = np.asarray(p), np.asarray(x)
    if c.ndim != 1:
        _, back = call_pullback(by_horner, c, z)

        def by_horner_back(y_bar):
            _, p_bar, x_bar = back(y_bar)
            return bring_back(p_bar, p), bring_back(x_bar, x)

        return np.polyval(p, x), by_horner_back

    def polyval_back(y_bar):
        x_bar = bring_back(y_bar * np.conj(np.polyval(np.polyder(c), z)), x)
        powers = np.vander(np.ravel(z), c.size)
        return bring_back(cast(np.reshape(y_bar, (-1,)) @ np.conj(powers), c.dtype), p), x_bar

    return np.polyval(p, x), polyval_back


def by_horner(p: Any, x: Any) -> Any:
    """y = (... (p₀ x + p₁) x + ...), where each coefficient is an array of its own.

    >>> by_horner(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([0.5, 2.0]))
    array([3.5, 8. ])
    """
    y = np.zeros_like(x)
    for coefficient in p:
        y = y * x + coefficient
    return y


@composed(np.polyadd, types=Arrays)
def polyadd_of_rows(a1: Any, a2: Any) -> Any:
    """y = a + b, the shorter with zeros before it."""
    a, b = np.atleast_1d(a1), np.atleast_1d(a2)
    n = max(len(a), len(b))
    return np.pad(a, (n - len(a), 0)) + np.pad(b, (n - len(b), 0))


@composed(np.polysub, types=Arrays)
def polysub_of_rows(a1: Any, a2: Any) -> Any:
    """y = a - b, the shorter with zeros before it."""
    a, b = np.atleast_1d(a1), np.atleast_1d(a2)
    n = max(len(a), len(b))
    return np.pad(a, (n - len(a), 0)) - np.pad(b, (n - len(b), 0))


@composed(np.polymul, types=Arrays)
def polymul_of_rows(a1: Any, a2: Any) -> Any:
    """y = a b: a convolution, without the zeros of both at the front."""
    return np.convolve(_from_first(np.atleast_1d(a1)), _from_first(np.atleast_1d(a2)))


def _from_first(c):
    return c[_zeros_before(c) :]


def _zeros_before(c):
    """The number of zeros at the front, of which one stays if there is nothing else."""
    places = np.flatnonzero(c)
    return int(places[0]) if places.size else max(len(c) - 1, 0)


@composed(np.polydiv, types=Arrays)
def polydiv_of_rows(u: Any, v: Any) -> Any:
    """u = q v + r by long division."""
    rest, divisor = np.atleast_1d(u) + 0.0, np.atleast_1d(v) + 0.0
    n = len(divisor)
    quotient = []
    for _ in range(len(rest) - n + 1):
        q = rest[0] / divisor[0]
        quotient.append(q)
        rest = np.concatenate((rest[1:n] - q * divisor[1:], rest[n:]))
    zeros = 0.0 * (np.atleast_1d(u)[0] + divisor[0])
    q = np.stack(quotient) if quotient else np.stack([zeros])
    if len(rest) == 0:
        return q, np.stack([zeros])
    return q, rest[_negligible(rest) :]


def _negligible(r):
    """The number of coefficients at the front of a remainder that count as zeros."""
    n = 0
    while n < len(r) - 1 and np.allclose(r[n], 0, rtol=1e-14):
        n += 1
    return n


@composed(np.polyder, types=Arrays)
def polyder_of_rows(p: Any, m: Any = 1) -> Any:
    """y = p', m times."""
    y = np.asarray(p)
    for _ in range(m):
        y = y[:-1] * np.arange(len(y) - 1, 0, -1)
    return y


@composed(np.polyint, types=Arrays)
def polyint_of_rows(p: Any, m: Any = 1, k: Any = None) -> Any:
    """y = ∫ p with a constant of its own each of m times."""
    y = np.asarray(p)
    constants = np.zeros(m) if k is None else np.atleast_1d(k)
    for i in range(m):
        last = constants[i if len(constants) > 1 or m == 1 else 0]
        y = np.concatenate((y / np.arange(len(y), 0, -1), np.reshape(last, (1,))))
    return y


@composed(np.poly)
def poly_of_zeros(seq_of_zeros: Any) -> Any:
    """y = Π (x - zᵢ); the zeros of a matrix are its eigenvalues."""
    zeros = np.atleast_1d(seq_of_zeros)
    if zeros.ndim == 2:
        zeros = np.linalg.eigvals(zeros)
    y = np.ones(1)
    for z in zeros:
        y = np.convolve(y, np.stack([1.0 + 0.0 * z, -z]))
    return np.real(y) if np.iscomplexobj(y) and _come_in_pairs(zeros) else y


def _come_in_pairs(zeros):
    return bool(np.all(np.sort(zeros) == np.sort(zeros.conjugate())))


@rule(np.roots)
def roots_rule(p: Arrays):
    """p(r) = 0, so dr = -Σ dpₖ rᵏ / p'(r)."""
    c = np.asarray(p)
    y = np.roots(c)
    row = np.ravel(c)

    def roots_back(y_bar):
        powers = np.vander(y, row.size) / np.expand_dims(np.polyval(np.polyder(row), y), 1)
        bar = -np.sum(np.expand_dims(y_bar, 1) * np.conj(powers), axis=0)
        return (nested(np.reshape(cast(bar, row.dtype), c.shape), p),)

    return y, roots_back


@composed(np.polyfit)
def polyfit_by_lstsq(
    x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None, cov: Any = False
) -> Any:
    """Least squares for the powers of x, each scaled to length 1; with `cov` also the inverse of their products."""
    points, values = np.asarray(x) + 0.0, np.asarray(y) + 0.0
    n = int(deg) + 1
    limit = len(points) * np.finfo(points.dtype).eps if rcond is None else rcond
    left, right = np.vander(points, n), values
    if w is not None:
        weights = np.asarray(w) + 0.0
        left = left * weights[:, None]
        right = right * (weights[:, None] if values.ndim == 2 else weights)
    scale = np.sqrt(np.sum(left * left, axis=0))
    left = left / scale
    c = np.linalg.lstsq(left, right, limit)[0]
    solution = (c.T / scale).T
    if not full and not cov:
        return solution
    rank = rank_of(left, right, limit)
    misses = right - left @ c
    squares = np.sum(np.abs(misses) ** 2, axis=0, keepdims=values.ndim == 1)
    squares = squares if rank == n and len(points) > n else np.zeros(0)
    if full:
        return solution, squares, rank, np.linalg.svd(left, compute_uv=False), limit
    inverse = np.linalg.inv(left.T @ left) / np.outer(scale, scale)
    factor = 1.0 if _is_unscaled(cov) else squares / (len(points) - n)
    return solution, (inverse if values.ndim == 1 else inverse[:, :, None]) * factor


def _is_unscaled(cov):
    return isinstance(cov, str) and cov == "unscaled"


non_differentiable(_zeros_before, _negligible, _come_in_pairs, _is_unscaled)
