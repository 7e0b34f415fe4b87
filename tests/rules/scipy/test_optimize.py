"""Rules of `scipy.optimize`: what flows where, what is refused, and in programs that are recorded."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, pullback
from adjoint.errors import ImplicitError, NoRuleError

so = pytest.importorskip("scipy.optimize")


def bowl(x: Any, a: Any) -> Any:
    return ((x - a) ** 2).sum() + (x**4).sum()


CENTRE = np.array([1.0, -2.0])


def slopes(a: Any) -> Any:
    """dx/da of the minimum of `bowl`, elementwise: (2 + 12 x²) dx = 2 da."""
    x = so.minimize(bowl, np.zeros(2), (a,), tol=1e-12).x
    return 2 / (2 + 12 * x**2)


OLDER = {
    "fmin": lambda a: so.fmin(bowl, np.zeros(2), (a,), xtol=1e-9, ftol=1e-12, disp=0),
    "fmin_powell": lambda a: so.fmin_powell(bowl, np.zeros(2), args=(a,), xtol=1e-10, disp=0),
    "fmin_bfgs": lambda a: so.fmin_bfgs(bowl, np.zeros(2), args=(a,), gtol=1e-9, full_output=True, disp=0)[0],
    "fmin_cg": lambda a: so.fmin_cg(lambda x: bowl(x, a), np.zeros(2), gtol=1e-9, disp=0),
    "fmin_ncg": lambda a: so.fmin_ncg(bowl, np.zeros(2), lambda x, a: 2 * (x - a) + 4 * x**3, args=(a,), disp=0),
    "basinhopping": lambda a: so.basinhopping(lambda x: bowl(x, a), np.zeros(2), niter=1, rng=1).x,
    "dual_annealing": lambda a: so.dual_annealing(bowl, [(-3, 3)] * 2, (a,), maxiter=5, rng=1).x,
    "differential_evolution": lambda a: so.differential_evolution(bowl, [(-3, 3)] * 2, (a,), maxiter=5, rng=1).x,
    "leastsq": lambda a: so.leastsq(lambda x: np.concatenate((x - a, x**2)), np.zeros(2))[0],
}


@pytest.mark.parametrize("name", OLDER)
def test_other_minimisers(name: str) -> None:
    if name in ("basinhopping", "dual_annealing", "differential_evolution"):
        pytest.importorskip("scipy", "1.15")
    weights = np.array([1.0, 3.0])
    (bar,) = gradient(lambda a: OLDER[name](a) @ weights, CENTRE)
    assert np.allclose(bar, weights * slopes(CENTRE), rtol=1e-4)


def test_the_value_needs_no_linear_system() -> None:
    (bar,) = gradient(lambda a: so.minimize(bowl, np.zeros(2), args=a).fun, CENTRE)
    x = so.minimize(bowl, np.zeros(2), (CENTRE,), tol=1e-12).x
    assert np.allclose(bar, -2 * (x - CENTRE), rtol=1e-5)


def test_items_of_a_result_are_those_of_a_dict() -> None:
    def loss(p: float) -> Any:
        sol = so.root_scalar(lambda x: x**3 - p, bracket=(0.0, 5.0))
        return sol.root + sol["root"] * 2.0 + len(sol) * 0.0

    assert math.isclose(gradient(loss, 8.0)[0], 3 / 12, rel_tol=1e-6)


def test_in_a_program_that_is_recorded() -> None:
    def loss(ps: Any) -> Any:
        found = []
        for p in ps:
            found.append(so.brentq(lambda x, p=p: x**3 - p, 0.0, 5.0))
            total = {"all": sum(found)}
            total["all"] += so.root(lambda x: x**2 - p, [1.0]).x[0]  # noqa: B023
        return total["all"]

    bars = gradient(loss, [1.0, 8.0])[0]
    assert np.allclose(bars, [1 / 3, 1 / 12 + 1 / (2 * math.sqrt(8.0))], rtol=1e-6)


def test_many_runs_of_one_solver() -> None:
    def loss(p: Any) -> Any:
        return sum(so.newton(lambda x: x * x - p * k, 1.0) for k in (1.0, 2.0, 3.0))  # noqa: B023

    expected = sum(math.sqrt(k) for k in (1, 2, 3)) / (2 * math.sqrt(2.0))
    assert math.isclose(gradient(loss, 2.0)[0], expected, rel_tol=1e-9)


@pytest.mark.parametrize("kind", ["pairs", "Bounds"])
def test_a_variable_on_a_bound_goes_with_it(kind: str) -> None:
    def loss(low: float, a: float) -> Any:
        bounds = [(low, None), (None, 9.0)] if kind == "pairs" else so.Bounds([low, -np.inf], [np.inf, 9.0])
        x = so.minimize(lambda x: (x[0] - a) ** 2 + (x[1] - a) ** 2 + x[0] * x[1], [5.0, 5.0], bounds=bounds).x
        return x[0] * 10 + x[1]

    assert np.allclose(gradient(loss, 2.0, 1.0), [9.5, 1.0], rtol=1e-5)


def test_starts_and_derivatives_decide_only_how_it_gets_there() -> None:
    def loss(start: float, scale: float) -> Any:
        return so.newton(lambda x: x * x - 2.0, start, fprime=lambda x: 2 * x * scale / scale)

    assert gradient(loss, 1.5, 3.0) == (0.0, 0.0)


def test_indices_are_constant() -> None:
    def loss(cost: Any) -> Any:
        rows, columns = so.linear_sum_assignment(cost)
        return cost[rows, columns].sum()

    assert gradient(loss, np.array([[1.0, 5.0], [4.0, 2.0]]))[0].tolist() == [[1.0, 0.0], [0.0, 1.0]]


def refused() -> dict[str, Any]:
    t, p = np.linspace(0, 1, 5), np.zeros(2)
    return {
        "hess_inv": lambda a: so.minimize(bowl, p, (a,)).hess_inv.sum(),
        "pcov": lambda a: so.curve_fit(lambda t, u, v: u * t + v * t * t, t, t**3 * a[0])[1].sum(),
        "integers": lambda a: so.linprog(a, bounds=[(0, 1)] * 2, integrality=1).fun,
        "milp": lambda a: so.milp(a).fun,
        "loss": lambda a: so.least_squares(lambda x: x - a, p, loss=lambda z: np.stack([z, 1 + 0 * z, 0 * z])).x[0],
        "line_search": lambda a: so.line_search(lambda x: bowl(x, a), lambda x: 2 * (x - a) + 4 * x**3, p, a)[0],
        "infodict": lambda a: so.fsolve(lambda x: x - a, p, full_output=True)[1]["fjac"].sum(),
    }


@pytest.mark.parametrize("name", list(refused()))
def test_what_is_refused(name: str) -> None:
    with pytest.raises(NoRuleError):
        gradient(refused()[name], np.array([1.0, 2.0]))


def test_what_did_not_converge_is_refused() -> None:
    with pytest.raises(ImplicitError, match="not a solution"):
        gradient(lambda a: so.minimize(bowl, np.ones(2) * 5, (a,), options={"maxiter": 1}).x[0], CENTRE)
    with pytest.raises(ImplicitError, match="singular"):
        gradient(lambda p: so.root(lambda x: (x - p) ** 2 * 0.0, [1.0]).x[0], 1.0)


def distance(a: Any, constraints: Any) -> Any:
    """Where within constraints a square is least."""
    return so.minimize(lambda x: (x[0] - a) ** 2 + x[1] ** 2, np.zeros(2), constraints=constraints).x[0]


@pytest.mark.parametrize(("a", "slope"), [(0.5, 0.0), (1.5, 1.0)])
def test_a_constraint_holds_the_minimum_or_does_not(a: float, slope: float) -> None:
    above = {"type": "ineq", "fun": lambda x: x[0] - 1.0}
    assert gradient(lambda a: distance(a, above), a)[0] == pytest.approx(slope, abs=1e-6)


def test_a_small_objective_is_held_as_a_large_one_is() -> None:
    def held(a: Any, size: float) -> Any:
        total = {"type": "eq", "fun": lambda x: x.sum() - a}
        box = so.Bounds(0.0, 1.0)
        options = {"ftol": 1e-12 * size}
        square = so.minimize(
            lambda x: size * x @ (x - [0, 0, 3]), np.ones(3) / 3, bounds=box, constraints=total, options=options
        )
        return square.x[0]

    assert gradient(held, 1.4, 1e-5)[0] == pytest.approx(gradient(held, 1.4, 1.0)[0], abs=1e-5) == 0.5


def test_constraints_that_decide_nothing_are_refused() -> None:
    above = {"type": "ineq", "fun": lambda x: x[0] - 1.0}
    with pytest.raises(ImplicitError, match="just touches the minimum"):
        gradient(lambda a: distance(a, above), 1.0)
    with pytest.raises(ImplicitError, match="bound of .* just touches"):
        gradient(lambda a: so.minimize(bowl, [1.0, 1.0], (a,), bounds=[(0, 2)] * 2, constraints=above).x[0], CENTRE * 0)
    twice = [{"type": "eq", "fun": lambda x: x[0] - 1.0}, {"type": "eq", "fun": lambda x: 2 * x[0] - 2.0}]
    with pytest.raises(ImplicitError, match="depend on each other"):
        gradient(lambda a: distance(a, twice), 0.5)


def test_constraints_of_older_functions() -> None:
    def by_cobyla(a: Any) -> Any:
        x = so.fmin_cobyla(bowl, [0.1, -0.1], [lambda x, u: u - x[0]], (a,), (0.5 * a[0],), rhoend=1e-9)
        return x[0] + x[1]

    def by_slsqp(a: Any) -> Any:
        x = so.fmin_slsqp(bowl, [0.1, -0.1], ieqcons=[lambda x, a: 0.5 * a[0] - x[0]], args=(a,), iprint=0)
        return x[0] + x[1]

    expected = [0.5, slopes(CENTRE)[1]]
    for f, a in ((by_cobyla, [0.5, -2.0]), (by_slsqp, [0.5, -2.0])):
        assert gradient(f, np.array(a))[0] == pytest.approx(expected, abs=1e-3)


def test_a_linear_program_without_a_single_corner_is_refused() -> None:
    with pytest.raises(ImplicitError, match="3 limits meet"):
        gradient(lambda b: so.linprog([-2.0, -1.0], [[1, 1], [1, 0]], np.stack([b, b])).x[0], 1.0)
    with pytest.raises(ImplicitError, match="not one corner"):
        gradient(lambda b: so.linprog([-1.0, -1.0], [[1, 1]], np.stack([b])).x[0], 1.0)


def test_a_pullback_takes_a_cotangent_of_the_result() -> None:
    result, back = pullback(lambda p: so.root_scalar(lambda x: x * x - p, bracket=(0.0, 5.0)), 4.0)
    assert type(result) is so.RootResults
    assert math.isclose(back({"root": 1.0})[1], 0.25, rel_tol=1e-9)


@pytest.mark.parametrize("sequence", [tuple, list, np.array])
def test_arguments_that_a_solver_spreads(sequence: Any) -> None:
    """`newton` and `fixed_point` call `f(x, *args)`, whatever `args` is a sequence of; others take a list for one."""

    def cubic(x: Any, a: Any, b: Any) -> Any:
        return x**3 + a * x - b

    def root(p: Any, start: Any) -> Any:
        return np.sum(so.newton(cubic, start, args=sequence([p, 3.0])))

    def fixed(p: Any) -> Any:
        return float(so.fixed_point(lambda x, a, b: np.cos(x) * a / b, 1.0, args=sequence([p, 3.0])))

    for f in (lambda p: root(p, 1.0), lambda p: root(p, np.array([1.0, 1.1])), fixed):
        slope = (f(2.0 + 1e-5) - f(2.0 - 1e-5)) / 2e-5
        assert gradient(f, 2.0)[0] == pytest.approx(slope, rel=1e-6)
