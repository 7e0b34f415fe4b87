"""Matrix equations: Sylvester, Lyapunov, Riccati. The adjoint of a linear one is of the same kind."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np
import scipy.linalg

from ...numpy.lifting import refuse
from ...registry import rule
from .matrices import adjoint_of, bring_back


@rule(scipy.linalg.solve_sylvester, linear="q")
def solve_sylvester_rule(a, b, q):
    """A X + X B = Q, so Aᴴ Q̄ + Q̄ Bᴴ = X̄, Ā = -Q̄ Xᴴ, B̄ = -Xᴴ Q̄."""
    x = scipy.linalg.solve_sylvester(a, b, q)
    left, right = np.asarray(a), np.asarray(b)

    def solve_sylvester_back(x_bar):
        q_bar = scipy.linalg.solve_sylvester(adjoint_of(left), adjoint_of(right), x_bar)
        x_h = adjoint_of(x)
        return bring_back(-np.matmul(q_bar, x_h), a), bring_back(-np.matmul(x_h, q_bar), b), bring_back(q_bar, q)

    return x, solve_sylvester_back


@rule(scipy.linalg.solve_continuous_lyapunov, linear="q")
def solve_continuous_lyapunov_rule(a, q):
    """A X + X Aᴴ = Q, so Aᴴ Q̄ + Q̄ A = X̄ and Ā = -Q̄ Xᴴ - Q̄ᴴ X."""
    x = scipy.linalg.solve_continuous_lyapunov(a, q)
    matrix = np.asarray(a)

    def solve_continuous_lyapunov_back(x_bar):
        q_bar = scipy.linalg.solve_continuous_lyapunov(adjoint_of(matrix), x_bar)
        a_bar = -np.matmul(q_bar, adjoint_of(x)) - np.matmul(adjoint_of(q_bar), x)
        return bring_back(a_bar, a), bring_back(q_bar, q)

    return x, solve_continuous_lyapunov_back


@rule(scipy.linalg.solve_discrete_lyapunov, linear="q")
def solve_discrete_lyapunov_rule(a, q, method=None):
    """X = A X Aᴴ + Q, so Q̄ = Aᴴ Q̄ A + X̄ and Ā = Q̄ A Xᴴ + Q̄ᴴ A X."""
    x = scipy.linalg.solve_discrete_lyapunov(a, q, method)
    matrix = np.asarray(a)

    def solve_discrete_lyapunov_back(x_bar):
        q_bar = scipy.linalg.solve_discrete_lyapunov(adjoint_of(matrix), x_bar, method)
        a_bar = np.matmul(np.matmul(q_bar, matrix), adjoint_of(x)) + np.matmul(np.matmul(adjoint_of(q_bar), matrix), x)
        return bring_back(a_bar, a), bring_back(q_bar, q)

    return x, solve_discrete_lyapunov_back


def _check_plain(name, e):
    if e is not None:
        why = "only the equation without `e` has a rule"
        refuse(f"scipy.linalg.{name}(e=...)", why, "multiply the equation by the inverse of `e`")


@rule(scipy.linalg.solve_continuous_are)
def solve_continuous_are_rule(a, b, q, r, e=None, s=None, balanced=True):
    """Aᴴ X + X A - (X B + S) R⁻¹ (Bᴴ X + Sᴴ) + Q = 0: linearised at the solution it is a Lyapunov equation of the
    closed loop A - B K, K = R⁻¹ (Bᴴ X + Sᴴ)."""
    _check_plain("solve_continuous_are", e)
    x = scipy.linalg.solve_continuous_are(a, b, q, r, s=s, balanced=balanced)
    matrix, control, weight = np.asarray(a), np.asarray(b), np.asarray(r)
    cross = np.zeros(control.shape) if s is None else np.asarray(s)

    def solve_continuous_are_back(x_bar):
        k = np.linalg.solve(weight, adjoint_of(control) @ x + adjoint_of(cross))
        k_h = adjoint_of(k)
        m = scipy.linalg.solve_continuous_lyapunov(matrix - control @ k, x_bar)
        both = m + adjoint_of(m)
        x_both = adjoint_of(x) @ m + x @ adjoint_of(m)
        return (
            bring_back(-x_both, a),
            bring_back(x_both @ k_h, b),
            bring_back(-m, q),
            bring_back(-k @ m @ k_h, r),
            None,
            None if s is None else bring_back(both @ k_h, s),
        )

    return x, solve_continuous_are_back


@rule(scipy.linalg.solve_discrete_are)
def solve_discrete_are_rule(a, b, q, r, e=None, s=None, balanced=True):
    """X = Aᴴ X A - (Aᴴ X B + S) (R + Bᴴ X B)⁻¹ (Bᴴ X A + Sᴴ) + Q: linearised at the solution it is a Lyapunov
    equation of the closed loop A - B K."""
    _check_plain("solve_discrete_are", e)
    x = scipy.linalg.solve_discrete_are(a, b, q, r, s=s, balanced=balanced)
    matrix, control, weight = np.asarray(a), np.asarray(b), np.asarray(r)
    cross = np.zeros(control.shape) if s is None else np.asarray(s)

    def solve_discrete_are_back(x_bar):
        b_h_x = adjoint_of(control) @ x
        k = np.linalg.solve(weight + b_h_x @ control, b_h_x @ matrix + adjoint_of(cross))
        loop, k_h = matrix - control @ k, adjoint_of(k)
        m = scipy.linalg.solve_discrete_lyapunov(loop, x_bar)
        a_bar = adjoint_of(x) @ loop @ m + x @ loop @ adjoint_of(m)
        return (
            bring_back(a_bar, a),
            bring_back(-a_bar @ k_h, b),
            bring_back(m, q),
            bring_back(k @ m @ k_h, r),
            None,
            None if s is None else bring_back(-(m + adjoint_of(m)) @ k_h, s),
        )

    return x, solve_discrete_are_back
