"""`scipy.integrate` at its edges: what is refused, what counts as constant, what must not get lost."""

from __future__ import annotations

import contextlib
import math
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, hessian, jacobian, jvp, linearize, pullback
from adjoint.calculus import pushforward
from adjoint.errors import NoRuleError
from adjoint.optimize import through_steps
from adjoint.rules import non_differentiable

integrate = pytest.importorskip("scipy.integrate")
solve_ivp = integrate.solve_ivp

FINE = {"rtol": 1e-9, "atol": 1e-9}


def decay(t: float, y: Any, k: Any) -> Any:
    return -k * y


def test_known_derivatives() -> None:
    def at(k: float, start: float) -> Any:
        return solve_ivp(decay, (0.0, 1.5), [start], args=(k,), **FINE).y[0, -1]

    k_bar, start_bar = gradient(at, 2.0, 3.0)
    assert k_bar == pytest.approx(-4.5 * math.exp(-3.0), rel=1e-6)
    assert start_bar == pytest.approx(math.exp(-3.0), rel=1e-6)


def test_a_second_derivative_where_the_first_is_zero() -> None:
    def miss(start: float) -> Any:
        end = solve_ivp(decay, (0.0, 1.0), [start], args=(1.0,), **FINE).y[0, -1]
        return 0.5 * (end - goal) ** 2

    goal = solve_ivp(decay, (0.0, 1.0), [2.0], args=(1.0,), **FINE).y[0, -1]
    assert grad(miss)(2.0) == 0.0
    assert grad(grad(miss))(2.0) == pytest.approx(math.exp(-2.0), rel=1e-5)


def test_what_is_read_before_the_end() -> None:
    def total(k: float) -> Any:
        return np.sum(solve_ivp(decay, (0.0, 2.0), [1.0], t_eval=[0.0, 0.5, 1.0], args=(k,), **FINE).y)

    expected = -0.5 * math.exp(-0.5) - math.exp(-1.0)
    assert gradient(total, 1.0)[0] == pytest.approx(expected, rel=1e-6)


def test_what_is_captured_in_one_branch_only() -> None:
    def end(k: float, h: float) -> Any:
        def slope(t: float, y: Any) -> Any:
            return -k * y if t < 0.5 else -h * y

        return solve_ivp(slope, (0.0, 1.0), [1.0], max_step=0.05, **FINE).y[0, -1]

    expected = -0.5 * math.exp(-1.5)
    assert gradient(end, 1.0, 2.0) == pytest.approx((expected, expected), rel=1e-3)


def test_what_is_no_solution_carries_nothing() -> None:
    def counted(k: float) -> Any:
        solution = solve_ivp(decay, (0.0, 1.0), [1.0], args=(k,))
        return k * solution.nfev if solution.success else 0.0

    assert gradient(counted, 2.0)[0] == solve_ivp(decay, (0.0, 1.0), [1.0], args=(2.0,)).nfev


@pytest.mark.parametrize("steps", [False, True])
@pytest.mark.parametrize("events", [None, lambda t, y, k: y[0] - 0.4])
@pytest.mark.parametrize("read", [
    lambda sol: sol(0.5)[0], lambda sol: sol.interpolants[0](0.1)[0], lambda sol: sol.interpolants[-1].y_old[0],
])  # fmt: skip
def test_a_dense_output_is_refused(read: Any, events: Any, steps: bool) -> None:
    def inside(start: float) -> Any:
        with through_steps() if steps else contextlib.nullcontext():
            return read(solve_ivp(decay, (0.0, 1.0), [start], args=(1.0,), dense_output=True, events=events).sol)

    why = "t_eval|events lie between steps"
    with pytest.raises(NoRuleError, match=why):
        gradient(inside, 1.0)
    with pytest.raises(NoRuleError, match=why):
        pushforward(inside, (1.0,), (1.0,))


def test_beside_a_dense_output_the_solution_has_its_derivative() -> None:
    def last(k: float) -> Any:
        return solve_ivp(decay, (0.0, 1.0), [1.0], args=(k,), dense_output=True, rtol=1e-8).y[0, -1]

    slope = -np.exp(-0.7)
    assert np.isclose(gradient(last, 0.7)[0], slope, rtol=1e-5)
    assert np.isclose(pushforward(last, (0.7,), (1.0,))[1], slope, rtol=1e-5)


def stepped(solver: Any) -> Any:
    solver.step()
    return solver.y[0]


@pytest.mark.parametrize("program", [
    lambda k: stepped(integrate.RK45(lambda t, y: -k * y, 0.0, [1.0], 1.0)),
    lambda k: stepped(integrate.RK45(lambda t, y: -y, 0.0, [k], 1.0)),
    lambda k: integrate.ode(lambda t, y: -k * y).set_initial_value([1.0], 0.0).integrate(1.0)[0],
    lambda k: integrate.solve_bvp(lambda x, y: k * y, lambda a, b: a - 1.0, np.arange(3.0), np.ones((1, 3))).y[0, -1],
    lambda k: integrate.quad(lambda x: k * x, 0.0, 1.0, weight="cos", wvar=1.0, complex_func=True)[0],
    lambda k: integrate.quad(lambda x: x, 0.0, 1.0, weight="cauchy", wvar=0.5 * k)[0],
    lambda k: integrate.quad(lambda x: x, k, 2.0, weight="alg", wvar=(-0.5, 0.5))[0],
    lambda k: integrate.newton_cotes(np.array([0.0, k, 2.0]))[1],
])  # fmt: skip
def test_refused(program: Any) -> None:
    with pytest.raises(NoRuleError):
        gradient(program, 1.0)


def test_the_weights_of_newton_and_cotes_are_constant() -> None:
    assert gradient(lambda x: x * integrate.newton_cotes(2)[0][1], 1.0)[0] == pytest.approx(4 / 3)


def test_through_steps_it_is_right_at_a_coarse_tolerance() -> None:
    def end(k: float) -> Any:
        return solve_ivp(decay, (0.0, 1.0), [1.0], args=(k,), rtol=1.0, atol=1.0, first_step=0.25, max_step=0.25).y[
            0, -1
        ]

    step = 1e-5
    numeric = (end(2.0 + step) - end(2.0 - step)) / (2 * step)
    with through_steps():
        exact = gradient(end, 2.0)[0]
    assert exact == pytest.approx(numeric, rel=1e-8)
    assert gradient(end, 2.0)[0] != pytest.approx(numeric, rel=1e-8)


def test_through_steps_implicit_methods_and_events_are_refused() -> None:
    def end(k: float, **options: Any) -> Any:
        return solve_ivp(decay, (0.0, 1.0), [1.0], args=(k,), **options).y[0, -1]

    with through_steps():
        with pytest.raises(NoRuleError, match="Radau"):
            gradient(lambda k: end(k, method="Radau"), 1.0)
        with pytest.raises(NoRuleError, match="events"):
            gradient(lambda k: end(k, events=lambda t, y, k: y[0] - 0.5), 1.0)


def test_a_stiff_equation() -> None:
    def end(mu: float) -> Any:
        def van_der_pol(t: float, y: Any) -> Any:
            return [y[1], mu * (1 - y[0] ** 2) * y[1] - y[0]]

        return solve_ivp(van_der_pol, (0.0, 100.0), [2.0, 0.0], "Radau", rtol=1e-8, atol=1e-10).y[0, -1]

    step = 1.0
    numeric = (end(1000.0 + step) - end(1000.0 - step)) / (2 * step)
    assert gradient(end, 1000.0)[0] == pytest.approx(numeric, rel=1e-3)


def test_the_jacobian_of_a_flow() -> None:
    def flow(start: Any) -> Any:
        return solve_ivp(lambda t, y: [y[1], -y[0]], (0.0, 0.5), start, **FINE).y[:, -1]

    c, s = math.cos(0.5), math.sin(0.5)
    assert np.allclose(jacobian(flow, np.array([1.0, 2.0])), [[c, s], [-s, c]], atol=1e-7)


def test_an_integral_with_no_width() -> None:
    assert gradient(lambda k: integrate.quad(lambda x: k * x, 1.0, 1.0)[0], 2.0)[0] == 0.0


def test_integrals_over_three_variables() -> None:
    """∫ ∫ ∫ k x y z dz dy dx with 0 < z < k, 0 < y < x, 0 < x < a is k³ a⁴ / 16."""

    def volume(k: float, a: float) -> Any:
        return integrate.tplquad(lambda z, y, x: k * x * y * z, 0.0, a, 0.0, lambda x: x, 0.0, lambda x, y: k)[0]

    assert np.allclose(gradient(volume, 2.0, 1.5), [3 * 2.0**2 * 1.5**4 / 16, 2.0**3 * 1.5**3 / 4])


def spring(t: float, y: Any, k: Any) -> Any:
    return [y[1], -k * y[0] + t]


def read_at(method: str) -> Any:
    def solution(k: Any, y0: Any, times: Any, t0: Any) -> Any:
        return solve_ivp(spring, (t0, 1.0), y0, method, t_eval=times, args=(k,), rtol=1e-8, atol=1e-8).y

    return solution


def at_the_end(k: Any, y0: Any, times: Any, t0: Any) -> Any:
    return solve_ivp(lambda t, y: spring(t, y, k), (t0, times[-1]), y0, **FINE).y[:, -1]


def by_odeint(k: Any, y0: Any, times: Any, t0: Any) -> Any:
    return integrate.odeint(spring, y0, np.append(t0, times), args=(k,), tfirst=True, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("f", [*map(read_at, ("RK45", "DOP853", "BDF", "Radau", "LSODA")), at_the_end, by_odeint])
def test_the_tangent_of_a_solution(f: Any) -> None:
    args = (2.0, np.array([1.0, 0.5]), np.array([0.2, 0.5, 0.8]), -0.1)
    dots = (0.3, np.array([0.1, -0.2]), np.array([0.5, 0.1, 0.7]), 0.4)
    ahead, behind = [f(*[x + s * 1e-4 * d for x, d in zip(args, dots, strict=True)]) for s in (1.0, -1.0)]
    y, y_dot = pushforward(f, args, dots)
    np.testing.assert_allclose(y_dot, (ahead - behind) / 2e-4, rtol=1e-3, atol=1e-5)
    y_bar = np.cos(np.arange(float(y.size))).reshape(y.shape)
    bars = pullback(f, *args)[1](y_bar)[1:]
    assert np.vdot(y_bar, y_dot) == pytest.approx(sum(np.vdot(b, d) for b, d in zip(bars, dots, strict=True)), rel=1e-4)


def test_a_tangent_takes_about_as_many_calls_as_a_gradient() -> None:
    calls = [0]

    def count() -> float:
        calls[0] += 1
        return 0.0

    def counted(t: float, y: Any, k: Any) -> Any:
        return [y[1], count() - k * y[0]]

    non_differentiable(count)

    def solution(k: Any) -> Any:
        return solve_ivp(counted, (0.0, 1.0), [1.0, 0.5], args=(k,), rtol=1e-6, atol=1e-8).y[:, -1]

    solution(2.0)
    plain = calls[0]
    calls[0] = 0
    _, push = linearize(solution, 2.0)
    push(1.0)
    assert plain <= calls[0] < 20 * plain


def test_derivatives_of_tangents_of_a_solution() -> None:
    def end(k: Any) -> Any:
        return solve_ivp(decay, (0.0, 1.0), [2.0], args=(k,), rtol=1e-8, atol=1e-8).y[0, -1]

    def slope(k: Any, k_dot: Any) -> Any:
        return pushforward(end, (k,), (k_dot,))[1]

    known = 2.0 * math.exp(-1.5)
    assert slope(1.5, 1.0) == pytest.approx(-known, rel=1e-6)
    assert gradient(slope, 1.5, 1.0) == pytest.approx((known, -known), rel=1e-5)
    assert pushforward(grad(end), (1.5,), (1.0,))[1] == pytest.approx(known, rel=1e-5)


def test_the_hessian_of_a_fit() -> None:
    times = np.linspace(0.0, 2.0, 5)

    def misfit(p: Any) -> Any:
        y = solve_ivp(lambda t, y: -p[1] * y, (0.0, 2.0), [p[0]], t_eval=times, rtol=1e-8, atol=1e-10).y[0]
        return np.sum((y - np.exp(-times)) ** 2)

    def by_formula(p: Any) -> Any:
        return np.sum((p[0] * np.exp(-p[1] * times) - np.exp(-times)) ** 2)

    p = np.array([1.2, 0.7])
    assert np.allclose(hessian(misfit, p), hessian(by_formula, p), rtol=1e-4)


def test_numbers_of_numpy_in_an_integrand_have_second_derivatives() -> None:
    def f(k: Any) -> Any:
        return integrate.quad(lambda x: np.sqrt(k * np.float64(x)) / (k + x), 0.0, 1.0)[0]

    slope = grad(f)
    expected = (slope(2.0 + 1e-5) - slope(2.0 - 1e-5)) / 2e-5
    assert grad(slope)(2.0) == pytest.approx(expected, rel=1e-6)
    assert jvp(slope, (2.0,), (1.0,))[1] == pytest.approx(expected, rel=1e-6)


def test_a_pole_at_a_limit_is_no_part_of_other_derivatives() -> None:
    def f(k: Any) -> Any:
        return integrate.quad(lambda x: k * k / np.sqrt(x), 0.0, 1.0)[0]

    assert grad(f)(2.0) == pytest.approx(8.0)
    assert jvp(grad(f), (2.0,), (1.0,))[1] == pytest.approx(4.0)
    assert np.isnan(grad(lambda a: integrate.quad(lambda x: 1.0 / np.sqrt(x), a, 1.0)[0])(0.0))


def test_numbers_one_after_the_other_are_those_of_a_vector(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(p: Any) -> Any:
        return integrate.quad(lambda x: math.exp(-p[0] * x) * math.sin(p[1] * x + p[2]), 0.0, 3.0, epsabs=1e-12)[0]

    p = [0.7, 1.3, 0.2]
    (one,) = gradient(f, p)
    monkeypatch.setattr("adjoint.rules.scipy.integrate.leibniz.FEW", 0)
    assert gradient(f, p)[0] == pytest.approx(one, rel=1e-10)
    monkeypatch.undo()

    def g(a: Any) -> Any:
        return integrate.quad(lambda t: math.sin(a * t) ** 2 * t, 0.0, 300.0, limit=1000)[0]

    assert grad(g)(2.3) == pytest.approx((g(2.3 + 1e-6) - g(2.3 - 1e-6)) / 2e-6, rel=1e-5)
    assert integrate.quad(lambda x: math.exp(-0.7 * x) * math.cos(1.3 * x + 0.2), 0.0, 3.0)[0] == pytest.approx(one[2])
