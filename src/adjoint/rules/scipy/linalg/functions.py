"""Functions of matrices, by their values at a block-triangular matrix.

f([[A, E], [0, A]]) has L(A, E), the derivative of f at A along E, in its corner. Its adjoint is conj(L(Aᵀ, conj(Ȳ))).

Source: R. Mathias, "A chain rule for matrix functions and applications", SIAM J. Matrix Anal. Appl. 17 (1996);
N. Higham, "Functions of Matrices", 2008.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np
import scipy.linalg

from ....tangents import unbroadcast
from ...knots import call_pullback
from ...numpy.lifting import array_rule, composed, lifted
from ...registry import non_differentiable, rule
from .matrices import adjoint_of, bring_back, cast, computed


def block_triangle(a, e):
    """[[A, E], [0, A]].

    >>> block_triangle(np.array([[2.0]]), np.array([[3.0]]))
    array([[2., 3.],
           [0., 2.]])
    """
    upper = np.concatenate((a, e), axis=-1)
    return np.concatenate((upper, np.concatenate((np.zeros(a.shape), a), axis=-1)), axis=-2)


def corner(f, a, y_bar):
    """conj(L(Aᵀ, conj(Ȳ)))."""
    n = a.shape[-1]
    # E is given the size of A, so that the corner is as exact as the rest.
    size = scale_of(a, y_bar)
    whole = computed(block_triangle(np.swapaxes(a, -1, -2), np.conj(y_bar) / size))
    return f(whole)[..., :n, n:].conj() * size


def scale_of(a, y_bar):
    """A power of two by which one matrix is larger than another."""
    ratio = (np.max(np.abs(y_bar), initial=0.0) or 1.0) / (np.max(np.abs(a), initial=0.0) or 1.0)
    return 2.0 ** np.clip(np.round(np.log2(ratio)), -500, 500) if np.isfinite(ratio) else 1.0


non_differentiable(scale_of)


def _by_blocks(f):
    def function_rule(A: np.ndarray):  # noqa: N803
        return f(A), lambda y_bar: (cast(corner(f, A, y_bar), A.dtype),)

    function_rule.__name__ = f"{f.__name__}_rule"
    function_rule.__doc__ = "Y = f(A), so Ā is the adjoint of its derivative at Ȳ."
    return function_rule


for _f in (
    scipy.linalg.expm,
    scipy.linalg.cosm,
    scipy.linalg.sinm,
    scipy.linalg.tanm,
    scipy.linalg.coshm,
    scipy.linalg.sinhm,
    scipy.linalg.tanhm,
    scipy.linalg.signm,
):
    _rule = _by_blocks(_f)
    rule(_f)(_rule)
    rule(_f)(lifted(_rule))


@array_rule(scipy.linalg.sqrtm)
def sqrtm_rule(A: np.ndarray):  # noqa: N803
    """Y² = A, so Yᴴ Ā + Ā Yᴴ = Ȳ."""
    y = scipy.linalg.sqrtm(A)

    def sqrtm_back(y_bar):
        y_h = adjoint_of(y)
        return (cast(scipy.linalg.solve_sylvester(y_h, y_h, y_bar), A.dtype),)

    return y, sqrtm_back


NODES, NODE_WEIGHTS = np.polynomial.legendre.leggauss(8)


def along_log(a, e):
    """The derivative of log A along E: ∫ (I + t (A - I))⁻¹ E (I + t (A - I))⁻¹ dt over [0, 1], by Gauss' rule where A
    is near I; square roots bring it there.

    Source: A. Al-Mohy, N. Higham, S. Relton, "Computing the Fréchet derivative of the matrix logarithm", SIAM J. Sci.
    Comput. 35 (2013).

    >>> along_log(np.array([[4.0]]), np.array([[1.0]])).round(12)
    array([[0.25]])
    """
    n_roots = roots_towards_one(a)
    for _ in range(n_roots):
        a = computed(scipy.linalg.sqrtm(a))  # SciPy 1.15 gives complex roots in long doubles
        e = scipy.linalg.solve_sylvester(a, a, e)
    eye = np.eye(a.shape[-1])
    total = np.zeros(a.shape)
    for node, weight in zip(NODES, NODE_WEIGHTS, strict=True):
        m = eye + (node + 1) / 2 * (a - eye)
        left = np.linalg.solve(m, e)
        total = total + weight / 2 * np.swapaxes(
            np.linalg.solve(np.swapaxes(m, -1, -2), np.swapaxes(left, -1, -2)), -1, -2
        )
    return total * 2.0**n_roots


def log_bar(a, y_bar):
    """Ā where Y = log A."""
    return along_log(np.swapaxes(a, -1, -2), np.conj(y_bar)).conj()


def roots_towards_one(a):
    """The number of square roots that bring a matrix near the identity."""
    for n in range(60):
        if not np.max(np.sum(np.abs(a - np.eye(a.shape[-1])), axis=-2), initial=0.0) > 0.25:
            return n
        a = scipy.linalg.sqrtm(a)
    return 0


non_differentiable(roots_towards_one)


@array_rule(scipy.linalg.logm)
def logm_rule(A: np.ndarray):  # noqa: N803
    """Y = log A, so Ā is the adjoint of its derivative at Ȳ."""
    return scipy.linalg.logm(A), lambda y_bar: (cast(log_bar(A, y_bar), A.dtype),)


@rule(scipy.linalg.fractional_matrix_power)
def fractional_matrix_power_rule(A, t):  # noqa: N803
    """Y = exp(t log A), so with Z̄ that of t log A, Ā is what t Z̄ gives for log A, and t̄ = ⟨log A, Z̄⟩;
    for a whole t it is `np.linalg.matrix_power`."""
    y = scipy.linalg.fractional_matrix_power(A, t)
    a = np.asarray(A)
    if is_whole(t):
        _, power_back = call_pullback(np.linalg.matrix_power, a, int(t))
        return y, lambda y_bar: (bring_back(power_back(y_bar)[1], A), None)
    log = scipy.linalg.logm(a)

    def fractional_matrix_power_back(y_bar):
        z_bar = corner(scipy.linalg.expm, t * log, y_bar)
        return bring_back(log_bar(a, t * z_bar), A), unbroadcast(np.sum(np.conj(log) * z_bar), t)

    return y, fractional_matrix_power_back


def is_whole(t):
    """Tell whether an exponent is an integer by its type, which is not differentiated."""
    return isinstance(t, int | np.integer)


non_differentiable(is_whole)


@composed(scipy.linalg.expm_frechet)
def expm_frechet(A, E, method=None, compute_expm=True, check_finite=True):  # noqa: N803
    """exp(A) and its derivative along E, at once."""
    a = np.asarray(A)
    n = a.shape[-1]
    y = scipy.linalg.expm(computed(block_triangle(a, np.asarray(E))))
    return (y[:n, :n], y[:n, n:]) if compute_expm else y[:n, n:]
