"""Series of `numpy.polynomial` in six bases Bₖ, the lowest degree first. Loaded when that module is seen.

What is linear in coefficients is written as a matrix, which NumPy's own function gives for the unit vectors.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, attr-defined"

from typing import Any

import numpy as np
from numpy.polynomial import chebyshev, hermite, hermite_e, laguerre, legendre, polynomial

from ...tangents import unbroadcast
from ..knots import call_pullback
from ..registry import non_differentiable, rule
from .lifting import array_rule, composed
from .linear import bring_back, cast, nested

BASES: tuple[tuple[Any, str], ...] = (
    (polynomial, "poly"),
    (chebyshev, "cheb"),
    (legendre, "leg"),
    (hermite, "herm"),
    (hermite_e, "herme"),
    (laguerre, "lag"),
)


def matrix_of(f: Any, n: int, *args: Any) -> np.ndarray:
    """The matrix of a linear function of `n` coefficients, which leaves zeros off at the end.

    >>> matrix_of(polynomial.polymulx, 2)
    array([[0., 0.],
           [1., 0.],
           [0., 1.]])
    """
    columns = [np.asarray(f(unit, *args)) for unit in np.eye(n)]
    m = max(map(len, columns))
    return np.stack([np.pad(column, (0, m - len(column))) for column in columns], axis=1)


def products_of(f: Any, n: int, m: int) -> np.ndarray:
    """The coefficients of all products of one of the first `n` and one of the first `m` members of a basis."""
    table = [[f(a, b) for b in np.eye(m)] for a in np.eye(n)]
    return np.stack([[np.pad(c, (0, n + m - 1 - len(c))) for c in row] for row in table])


def length_of(c: Any, tol: float = 0.0) -> int:
    """The number of coefficients of a series without the small ones at its end; one at least."""
    places = np.flatnonzero(np.abs(c) > tol)
    return int(places[-1]) + 1 if places.size else 1


def constant(f: Any, *args: Any) -> Any:
    """The result of a function, as a constant."""
    return f(*args)


non_differentiable(matrix_of, products_of, length_of, constant)


def trimmed(c):
    """A series as an array without the zeros at its end."""
    row = np.atleast_1d(c)
    return row[: length_of(row)]


def _declare_basis(module: Any, name: str) -> None:
    val, vander, der, integral, mul, mulx, line, companion = (
        getattr(module, name + what) for what in ("val", "vander", "der", "int", "mul", "mulx", "line", "companion")
    )

    @array_rule(vander)
    def vander_rule(x: np.ndarray, deg):
        """yᵢₖ = Bₖ(xᵢ), so x̄ᵢ = Σ ȳᵢₖ Bₖ'(xᵢ)."""
        y, kind = vander(x, deg), x.dtype
        slopes = constant(der, np.eye(int(deg) + 1))

        def vander_back(y_bar):
            d = np.conj(vander(x, len(slopes) - 1) @ slopes)
            return cast(np.reshape(np.sum(y_bar * d, axis=-1), x.shape), kind), None  # of one number there is one row

        return y, vander_back

    @rule(val, linear="c")
    def val_rule(x: Any, c: Any, tensor=True):
        """y = Σ cₖ Bₖ(x), so x̄ = ȳ Σ cₖ Bₖ'(x) and c̄ₖ = Σ ȳ Bₖ(x)."""
        y = val(x, c, tensor)
        z, row = np.asarray(x), np.atleast_1d(c)
        n, spread = row.shape[0], tensor and np.ndim(x) > 0

        def val_back(y_bar):
            x_bar = unbroadcast(y_bar * np.conj(val(z, der(row), tensor)), z)
            members = np.moveaxis(np.conj(vander(z, n - 1)), -1, 0)
            bars = []
            for k in range(n):
                d = y_bar * members[k]
                if spread:
                    d = np.sum(d, axis=tuple(range(d.ndim - z.ndim, d.ndim)))
                bars.append(unbroadcast(d, row[k, ...]))
            return bring_back(x_bar, x), bring_back(np.reshape(cast(np.stack(bars), row.dtype), np.shape(c)), c)

        return y, val_back

    @composed(der)
    def der_of_series(c: Any, m: Any = 1, scl: Any = 1, axis: Any = 0) -> Any:
        """y = D c with the matrix of the m-th derivative, times a scale to the power of m."""
        rows = np.moveaxis(np.atleast_1d(c), axis, 0)
        return np.moveaxis(np.tensordot(constant(der, np.eye(len(rows)), m), rows, 1) * scl**m, 0, axis)

    @composed(integral)
    def int_of_series(c: Any, m: Any = 1, k: Any = (), lbnd: Any = 0, scl: Any = 1, axis: Any = 0) -> Any:
        """m times y = ∫ c with y(lbnd) = k."""
        rows = np.moveaxis(np.atleast_1d(c), axis, 0)
        constants = np.concatenate((np.atleast_1d(k), np.zeros(m)))
        for i in range(m):
            rows = rows * scl
            if len(rows) == 1 and np.all(rows == 0):
                rows = rows + constants[i]
            else:
                raised = np.tensordot(constant(integral, np.eye(len(rows))), rows, 1)
                first = raised[:1] + (constants[i] - val(lbnd, raised))
                rows = np.concatenate((first, raised[1:]))
        return np.moveaxis(rows, 0, axis)

    @composed(getattr(module, name + "add"))
    def add_of_series(c1: Any, c2: Any) -> Any:
        """y = a + b."""
        a, b = trimmed(c1), trimmed(c2)
        n = max(len(a), len(b))
        return trimmed(np.pad(a, (0, n - len(a))) + np.pad(b, (0, n - len(b))))

    @composed(getattr(module, name + "sub"))
    def sub_of_series(c1: Any, c2: Any) -> Any:
        """y = a - b."""
        a, b = trimmed(c1), trimmed(c2)
        n = max(len(a), len(b))
        return trimmed(np.pad(a, (0, n - len(a))) - np.pad(b, (0, n - len(b))))

    @composed(mul)
    def mul_of_series(c1: Any, c2: Any) -> Any:
        """y = a b, a sum over the products of the basis."""
        a, b = trimmed(c1), trimmed(c2)
        if mul is polynomial.polymul:
            return trimmed(np.convolve(a, b))
        return trimmed(np.einsum("i,j,ijk->k", a, b, products_of(mul, len(a), len(b))))

    @composed(mulx)
    def mulx_of_series(c: Any) -> Any:
        """y = x c."""
        row = trimmed(c)
        return row if len(row) == 1 and row[0] == 0 else matrix_of(mulx, len(row)) @ row

    @composed(getattr(module, name + "pow"))
    def pow_of_series(c: Any, pow: Any, maxpower: Any = 16) -> Any:
        """y = cᵖ."""
        row = trimmed(c)
        y = np.ones(1) + 0.0 * row[:1] if pow == 0 else row
        for _ in range(1, int(pow)):
            y = mul(y, row)
        return y

    @composed(getattr(module, name + "div"))
    def div_of_series(c1: Any, c2: Any) -> Any:
        """a = q b + r by long division, from the highest degree down."""
        rest, divisor = trimmed(c1), trimmed(c2)
        n, m = len(rest), len(divisor)
        if n < m:
            return rest[:1] * 0, rest
        if m == 1:
            return rest / divisor[-1], rest[:1] * 0
        quotient = []
        for i in range(n - m, -1, -1):
            shifted = mul(np.eye(i + 1)[i], divisor)
            q = rest[-1] / shifted[-1]
            rest = rest[:-1] - q * shifted[:-1]
            quotient.append(q)
        return np.stack(quotient[::-1]), trimmed(rest)

    @composed(line)
    def line_of_series(off: Any, scl: Any) -> Any:
        """y = off + scl x."""
        first, second = np.pad(constant(line, 1, 0), (0, 1)), constant(line, 0, 1)
        y = off * first + scl * second
        return y if scl != 0 else y[:1]

    @composed(getattr(module, name + "fromroots"))
    def series_of_roots(roots: Any) -> Any:
        """y = Π (x - rᵢ)."""
        y = np.ones(1)
        for r in np.atleast_1d(roots):
            y = matrix_of(mulx, len(y)) @ y - r * np.pad(y, (0, 1))
        return y

    @rule(getattr(module, name + "roots"))
    def roots_rule(c: Any):
        """Σ cₖ Bₖ(r) = 0, so dr = -Σ dcₖ Bₖ(r) / Σ cₖ Bₖ'(r)."""
        row = np.atleast_1d(c)
        y = getattr(module, name + "roots")(c)

        def roots_back(y_bar):
            members = vander(y, len(row) - 1) / np.expand_dims(val(y, der(row)), 1)
            bar = -np.sum(np.expand_dims(y_bar, 1) * np.conj(members), axis=0)
            return (nested(np.reshape(cast(bar, row.dtype), np.shape(c)), c),)

        return y, roots_back

    @composed(companion)
    def companion_of_series(c: Any) -> Any:
        """The matrix whose eigenvalues are the roots: its last column is linear in cₖ / cₙ."""
        row = trimmed(c)
        units = np.eye(len(row))
        still = constant(companion, units[-1])
        column = (constant(companion, np.ones(len(row))) - still)[:, -1]
        last = np.eye(len(still))[-1]
        return still + np.outer(column * (row[:-1] / row[-1]), last)

    @composed(getattr(module, name + "val2d"))
    def val2d_of_series(x: Any, y: Any, c: Any) -> Any:
        """z = Σ cⱼₖ Bⱼ(x) Bₖ(y)."""
        return val(np.asarray(y), val(np.asarray(x), c), tensor=False)

    @composed(getattr(module, name + "val3d"))
    def val3d_of_series(x: Any, y: Any, z: Any, c: Any) -> Any:
        """w = Σ cⱼₖₗ Bⱼ(x) Bₖ(y) Bₗ(z)."""
        return val(np.asarray(z), val(np.asarray(y), val(np.asarray(x), c), tensor=False), tensor=False)

    if hasattr(module, name + "valnd"):  # since NumPy 2.5

        @composed(getattr(module, name + "valnd"))
        def valnd_of_series(pts: Any, c: Any) -> Any:
            """w = Σ c Bⱼ(x) Bₖ(y) ..., of any number of variables."""
            values = val(np.asarray(pts[0]), c)
            for x in pts[1:]:
                values = val(np.asarray(x), values, tensor=False)
            return values

    @composed(getattr(module, name + "grid2d"))
    def grid2d_of_series(x: Any, y: Any, c: Any) -> Any:
        """z = Σ cⱼₖ Bⱼ(x) Bₖ(y) for all x and y."""
        return val(y, val(x, c))

    @composed(getattr(module, name + "grid3d"))
    def grid3d_of_series(x: Any, y: Any, z: Any, c: Any) -> Any:
        """w = Σ cⱼₖₗ Bⱼ(x) Bₖ(y) Bₗ(z) for all x, y and z."""
        return val(z, val(y, val(x, c)))

    @composed(getattr(module, name + "vander2d"))
    def vander2d_of_series(x: Any, y: Any, deg: Any) -> Any:
        """Bⱼ(x) Bₖ(y) in one row."""
        v = vander(x, deg[0])[..., :, None] * vander(y, deg[1])[..., None, :]
        return np.reshape(v, (*v.shape[:-2], -1))

    @composed(getattr(module, name + "vander3d"))
    def vander3d_of_series(x: Any, y: Any, z: Any, deg: Any) -> Any:
        """Bⱼ(x) Bₖ(y) Bₗ(z) in one row."""
        v = vander(x, deg[0])[..., :, None, None] * vander(y, deg[1])[..., None, :, None]
        v = v * vander(z, deg[2])[..., None, None, :]
        return np.reshape(v, (*v.shape[:-3], -1))

    @composed(getattr(module, name + "fit"))
    def fit_of_series(x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None) -> Any:
        """Least squares for the members of the basis, each scaled to length 1."""
        points, values = np.asarray(x) + 0.0, np.asarray(y) + 0.0
        degrees = degrees_of(deg)
        left, right = vander(points, degrees[-1])[:, degrees], values
        if w is not None:
            weights = np.asarray(w) + 0.0
            left = left * weights[:, None]
            right = right * (weights[:, None] if values.ndim == 2 else weights)
        limit = len(points) * np.finfo(points.dtype).eps if rcond is None else rcond
        scale = np.sqrt(np.sum(np.abs(left) ** 2, axis=0))
        scale = np.where(scale == 0, 1.0, scale)
        left = left / scale
        c = np.linalg.lstsq(left, right, limit)[0]
        solution = np.eye(degrees[-1] + 1)[:, degrees] @ (c.T / scale).T
        if not full:
            return solution
        rank = rank_of(left, right, limit)
        squares = np.sum(np.abs(right - left @ c) ** 2, axis=0, keepdims=values.ndim == 1)
        squares = squares if rank == len(degrees) and len(points) > len(degrees) else np.zeros(0)
        return solution, [squares, rank, np.linalg.svd(left, compute_uv=False), limit]

    @composed(getattr(module, name + "trim"))
    def trim_of_series(c: Any, tol: Any = 0) -> Any:
        """y = c without what is not larger than a bound at its end."""
        row = np.atleast_1d(c)
        n = length_of(row, tol)
        return row[:1] * 0 if n == 1 and abs(row[0]) <= tol else row[:n]

    if module is not polynomial:
        for convert in (getattr(module, f"poly2{name}"), getattr(module, f"{name}2poly")):
            _declare_conversion(convert)
        non_differentiable(getattr(module, name + "gauss"))


def rank_of(left: Any, right: Any, limit: Any) -> int:
    """The rank that a fit finds."""
    return int(np.linalg.lstsq(left, right, limit)[2])


def degrees_of(deg: Any) -> Any:
    """The degrees that a fit has, in order.

    >>> degrees_of(2), degrees_of([3, 1])
    (array([0, 1, 2]), array([1, 3]))
    """
    return np.sort(deg) if np.ndim(deg) else np.arange(int(deg) + 1)


non_differentiable(degrees_of, rank_of)


def _declare_conversion(convert: Any) -> None:
    """A series in another basis: linear in its coefficients."""

    @composed(convert)
    def converted_series(c: Any) -> Any:
        row = trimmed(c)
        return matrix_of(convert, len(row)) @ row


for _module, _name in BASES:
    _declare_basis(_module, _name)


@composed(polynomial.polyvalfromroots)
def val_from_roots(x: Any, r: Any, tensor: Any = True) -> Any:
    """y = Π (x - rᵢ)."""
    z, zeros = np.asarray(x), np.atleast_1d(r)
    if tensor and np.ndim(x):
        zeros = np.reshape(zeros, zeros.shape + (1,) * z.ndim)
    return np.prod(z - zeros, axis=0)


@rule(chebyshev.chebinterpolate)
def chebinterpolate_rule(func: Any, deg: Any, args: Any = ()):
    """The coefficients of the series through a function's values at the Chebyshev points; it is called once."""
    points = chebyshev.chebpts1(deg + 1)
    values, back = call_pullback(func, points, *args)
    scale = np.where(np.arange(deg + 1) == 0, deg + 1.0, 0.5 * (deg + 1))
    members = chebyshev.chebvander(points, deg)

    def chebinterpolate_back(y_bar):
        func_bar, _, *bars = back(members @ (y_bar / scale))
        return func_bar, None, tuple(bars)

    return np.dot(members.T, values) / scale, chebinterpolate_back
