"""The result of a solver, differentiated by the implicit function theorem.

Where F(x, p) = 0, ẋ = -(∂F/∂x)⁻¹ (∂F/∂p) ṗ. So with (∂F/∂x)ᴴ λ = x̄, p̄ = -(∂F/∂p)ᴴ λ: one linear system, whose matrix
is known by its products with vectors, which are pullbacks of F.

Source: A. Griewank, A. Walther, "Evaluating Derivatives", 2nd ed., SIAM, 2008, ch. 15.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from typing import Any

import numpy as np

from ..errors import ImplicitError, calling_place
from ..tangents import as_array, unbroadcast
from ..tangents.sweep import in_sweep
from .knots import call_pullback
from .registry import non_differentiable, rule

DENSE = 300
"""Up to so many unknowns the matrix is written out; beyond, the system is solved by its products alone (GMRES)."""

# Structures as vectors of real numbers


def flat(d, like):
    """The numbers in a value or a cotangent `d` of the structure of `like`, as one real vector; a complex number counts
    as two, and None as zeros.

    >>> flat((1.0, np.array([2.0, 3j])), (1.0, np.array([2.0, 3j])))
    array([1., 2., 0., 0., 3.])
    """
    parts: list = []
    _collect(d, like, parts)
    return np.concatenate(parts) if parts else np.zeros(0)


def _collect(d, like, parts):
    if isinstance(like, tuple | list):
        for i, item in enumerate(like):
            _collect(None if d is None else d[i], item, parts)
    elif isinstance(like, dict):
        for key, item in like.items():
            _collect(None if d is None else d.get(key), item, parts)
    elif _is_numbers(like):
        values = np.zeros(np.shape(like)) if d is None else as_array(d)
        parts.append(np.ravel(values.real).astype(np.float64))
        if np.iscomplexobj(like):
            parts.append(np.ravel(values.imag).astype(np.float64))
    elif like is not None and not isinstance(like, str | bytes | bool | np.bool_):
        raise ImplicitError(
            f"a solution or a residual holds a {type(like).__name__}",
            "the linear system is made of numbers and arrays, in tuples, lists and dicts",
            "return these from the solver and from the residual",
            calling_place(),
        )


def _is_numbers(x):
    if isinstance(x, np.ndarray | np.generic):
        return x.dtype.kind in "fc"
    return isinstance(x, float | complex)


def unflat(v, like):
    """The structure of `like` with the numbers of a vector: the adjoint of `flat`.

    >>> unflat(np.array([1.0, 2.0]), {"a": 0.0, "b": [0.0]})
    {'a': 1.0, 'b': [2.0]}
    """
    return _restored(v, like, [0])


def _restored(v, like, at):
    if isinstance(like, tuple):
        items = [_restored(v, item, at) for item in like]
        return type(like)(*items) if hasattr(like, "_fields") else tuple(items)
    if isinstance(like, list):
        return [_restored(v, item, at) for item in like]
    if isinstance(like, dict):
        return {key: _restored(v, item, at) for key, item in like.items()}
    if not _is_numbers(like):
        return None
    n, start = int(np.size(like)), at[0]
    values = v[start : start + n]
    at[0] = start + n
    if np.iscomplexobj(like):
        values = values + 1j * v[start + n : start + 2 * n]
        at[0] = start + 2 * n
    values = np.reshape(values, np.shape(like))
    return values.astype(like.dtype) if isinstance(like, np.ndarray) else unbroadcast(values, like)


@rule(flat, linear="d")
def flat_rule(d, like):
    """A reordering: its adjoint puts the numbers back."""
    return flat(d, like), lambda y_bar: (unflat(y_bar, like), None)


@rule(unflat, linear="v")
def unflat_rule(v, like):
    """A reordering: its adjoint lines the numbers up."""
    return unflat(v, like), lambda y_bar: (flat(y_bar, like), None)


# Linear systems by their products


def solved(apply, b):
    """The x for which apply(x) = b, where `apply` is a linear map of vectors.

    >>> solved(lambda v: 2.0 * v, np.array([2.0, 4.0]))
    array([1., 2.])
    """
    n = len(b)
    if n > DENSE:
        return _by_gmres(apply, b)
    return solved_in_full(apply, b)


def solved_in_full(apply, b):
    """The same, by the matrix."""
    n = len(b)
    matrix = np.stack([apply(row) for row in np.eye(n)], axis=-1) if n else np.zeros((0, 0))
    if not np.all(np.isfinite(matrix)):
        raise _singular("it has entries that are not finite")
    try:
        x = np.linalg.solve(matrix, b)
    except np.linalg.LinAlgError:
        raise _singular("its matrix is singular") from None
    size = np.linalg.norm(b)
    if size and not np.linalg.norm(x) * np.finfo(float).eps * np.linalg.norm(matrix) <= 0.1 * size:
        raise _singular("its matrix is singular to working precision")
    return x


def _singular(what):
    return ImplicitError(
        "the linearised residual cannot be solved for the unknowns",
        f"{what}, so that the solution is not isolated, or does not depend smoothly on the parameters",
        "give a residual that determines the solution, or cut the derivative with `adjoint.stop_gradient`",
        calling_place(),
    )


def _by_gmres(apply, b, restart=60, rounds=40, tolerance=1e-12):
    """The generalised minimal residual method, restarted.

    Source: Y. Saad, M. Schultz, SIAM J. Sci. Stat. Comput. 7 (1986).
    """
    x, size = np.zeros(len(b)), np.linalg.norm(b)
    for _ in range(rounds):
        r = b - apply(x)
        norm = np.linalg.norm(r)
        if norm <= tolerance * size:
            return x
        basis, columns = [r / norm], []
        for k in range(restart):
            w = apply(basis[k])
            column = np.zeros(restart + 1)
            for _twice in range(2):
                for i, v in enumerate(basis):
                    h = v @ w
                    column[i] += h
                    w = w - h * v
            column[k + 1] = np.linalg.norm(w)
            columns.append(column)
            small = np.stack(columns, axis=-1)[: k + 2]
            right = np.concatenate(([norm], np.zeros(k + 1)))
            y, *_ = np.linalg.lstsq(small, right)
            if column[k + 1] <= 1e-15 * norm or np.linalg.norm(right - small @ y) <= tolerance * size / 2:
                break
            basis.append(w / column[k + 1])
        x = x + np.stack(basis[: len(y)], axis=-1) @ y
    if np.linalg.norm(b - apply(x)) <= 1e-8 * size:
        return x
    raise _singular(f"its {len(b)} equations were not solved by {rounds * restart} products")


@rule(solved)
def solved_rule(apply, b):
    """A x = b, so Aᴴ b̄ = x̄; what A is made of gets the cotangent of -A x at b̄."""
    x = solved(apply, b)

    def solved_back(x_bar):
        _, back = call_pullback(apply, x)
        b_bar = solved(lambda v: in_sweep(back, v)[1], x_bar)
        return back(-b_bar)[0], b_bar

    return x, solved_back


# The theorem


def check_square(x, r):
    """Raise unless there are as many equations as unknowns."""
    m, n = len(flat(r, r)), len(flat(x, x))
    if m != n:
        raise ImplicitError(
            f"a residual of {m} real numbers for {n} unknowns",
            "the solution is determined by as many equations as there are unknowns",
            "return a residual of the size of the solution, of floating-point numbers",
            calling_place(),
        )


def check_solved(multiplier, r, x, x_bar, tolerance):
    """Raise unless the solution is one, as far as x̄ can see: λᴴ F is what Newton's next step changes in ⟨x̄, x⟩."""
    size = np.max(np.abs(flat(x, x)), initial=0.0)
    error, weight = abs(multiplier @ flat(r, r)), np.linalg.norm(flat(x_bar, x))
    if not error <= tolerance * (1.0 + size) * weight:
        raise ImplicitError(
            f"what the solver gave is not a solution: Newton's next step from it would go {error / weight:.2g} further",
            "the implicit function theorem holds where the residual is zero",
            "let the solver go on (tolerances, iterations, another start), or give the residual that it makes zero",
            calling_place(),
        )


non_differentiable(check_square, check_solved)


def implicit_bars(residual: Any, x: Any, params: Any, tolerance: float) -> Any:
    """The function that gives the cotangents of `residual` and of each parameter, from that of the solution x of
    residual(x, *params) = 0. The residual is run now: what it captures may be another thing later. A product with its
    matrix is a run of a pullback of its own, of which nothing but x̄ is taken."""
    r, back = call_pullback(residual, x, *params)

    def bars_of(x_bar: Any) -> tuple[Any, tuple[Any, ...]]:
        check_square(x, r)
        multiplier = solved(lambda v: flat(in_sweep(back, unflat(v, r))[1], x), flat(x_bar, x))
        check_solved(multiplier, r, x, x_bar, tolerance)
        bars = back(unflat(-multiplier, r))
        return bars[0], tuple(bars[2:])

    return bars_of
