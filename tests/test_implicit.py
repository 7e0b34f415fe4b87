"""Solvers by their equations, black boxes by differences."""

from __future__ import annotations

import math
import pickle
import warnings
from typing import Any, NamedTuple

import numpy as np
import pytest

import adjoint
from adjoint import grad, gradient, hessian, pullback
from adjoint.calculus import derivative, implicit, numeric, pushforward
from adjoint.errors import ImplicitError, NotDifferentiableError, NumericWarning, OptionError
from adjoint.testing import check_gradient


def newton(f: Any, x: Any, *params: Any) -> Any:
    """Newton's method by differences, in code that is not to be differentiated."""
    for _ in range(60):
        r = np.atleast_1d(f(x, *params))
        columns = [np.atleast_1d(f(x + h, *params) - f(x - h, *params)) / 2e-6 for h in 1e-6 * np.eye(len(x))]
        x = x - np.linalg.solve(np.stack(columns, axis=-1), r)
    return x


def circle(x: Any, a: Any, b: Any) -> Any:
    return np.array([x[0] ** 2 + x[1] ** 2 - a, x[0] * x[1] - b[0] * b[1]])


@implicit(circle)
def crossing(a: Any, b: Any) -> Any:
    return newton(circle, np.array([2.0, 0.5]), a, b)


def test_of_arrays() -> None:
    assert crossing.__name__ == "crossing"
    check_gradient(lambda a, b: crossing(a, b), 5.0, np.array([1.0, 1.3]), order=2)


def test_of_numbers_to_order_three() -> None:
    @implicit(lambda x, a: x**3 - a)
    def cube_root(a: float) -> float:
        return a ** (1 / 3)

    third = grad(grad(grad(cube_root)))
    assert math.isclose(third(8.0), 10 / 27 * 8.0 ** (-8 / 3), rel_tol=1e-9)


def test_what_the_residual_captures() -> None:
    def loss(p: float, q: float) -> Any:
        @implicit(lambda x: x * x - p * q)
        def solve() -> float:
            return math.sqrt(p * q)

        return 3.0 * solve()

    check_gradient(loss, 2.0, 3.0, order=2)


class Pair(NamedTuple):
    position: Any
    speed: float


def test_structures() -> None:
    def residual(x: Any, a: Any) -> Any:
        return {"p": x.position * 2.0 - a["u"], "s": x.speed * a["v"] - x.position.sum()}

    @implicit(residual)
    def solve(a: Any) -> Pair:
        return Pair(a["u"] / 2.0, float((a["u"] / 2.0).sum() / a["v"]))

    check_gradient(lambda a: solve(a).speed * solve(a).position, {"u": np.array([1.0, 2.0]), "v": 3.0}, order=2)


def test_complex_solutions() -> None:
    @implicit(lambda z, c: z * z - c)
    def root(c: Any) -> Any:
        return np.sqrt(c)

    check_gradient(lambda c: root(c), np.array([1.0 + 2.0j, -1.0 + 0.5j]), order=2)
    check_gradient(lambda x, y: abs(root(complex(x, y))), 1.0, 2.0)


def test_many_unknowns_need_no_matrix() -> None:
    n = 400
    d = np.linspace(1.0, 2.0, n)

    def residual(x: Any, b: Any) -> Any:
        return d * x + 0.1 * np.roll(x, 1) + 0.01 * x**3 - b

    @implicit(residual)
    def solve(b: Any) -> Any:
        x = b
        for _ in range(200):
            x = (b - 0.1 * np.roll(x, 1) - 0.01 * x**3) / d
        return x

    b = np.sin(np.arange(n))
    _, back = pullback(solve, b)
    x_bar = np.cos(np.arange(n))
    x = solve(b)
    jacobian = np.diag(d + 0.03 * x**2) + 0.1 * np.roll(np.eye(n), 1, axis=0)
    assert np.allclose(back(x_bar)[1], np.linalg.solve(jacobian.T, x_bar), rtol=1e-9)


def test_single_precision_is_kept() -> None:
    @implicit(lambda x, a: x * x - a)
    def root(a: Any) -> Any:
        return np.sqrt(a)

    a = np.array([1.0, 4.0], np.float32)
    assert gradient(lambda a: root(a).sum(), a)[0].dtype == np.float32


def test_keywords_are_the_solvers() -> None:
    @implicit(lambda x, a: x * x - a)
    def root(a: float, rounds: int = 3) -> float:
        x = 1.0
        for _ in range(rounds):
            x = (x + a / x) / 2
        return x

    assert math.isclose(gradient(lambda a: root(a, rounds=30), 4.0)[0], 0.25)


def test_what_is_no_solution_is_refused() -> None:
    @implicit(lambda x, a: x * x - a)
    def root(a: float) -> float:
        return a / 2 + 0.3

    with pytest.raises(ImplicitError, match="not a solution"):
        gradient(root, 4.0)
    with pytest.raises(ImplicitError, match="not a solution"):
        gradient(implicit(lambda x, a: x - a)(lambda a: math.nan), 4.0)
    assert root(4.0) == 2.3


def test_what_is_singular_is_refused() -> None:
    def flat(x: Any, a: Any) -> Any:
        return np.array([x[0] + x[1] - a, 2 * x[0] + 2 * x[1] - 2 * a])

    with pytest.raises(ImplicitError, match="singular"):
        gradient(lambda a: implicit(flat)(lambda a: np.array([a, 0.0]))(a)[0], 1.0)
    with pytest.raises(ImplicitError, match="2 real numbers for 1 unknowns"):
        gradient(implicit(lambda x, a: np.array([x - a, x - a]))(lambda a: a), 1.0)
    with pytest.raises(ImplicitError, match="holds a builtin_function"):
        gradient(lambda a: implicit(lambda x, a: (x[0] - a, math.sin))(lambda a: (a,))(a)[0], 1.0)
    with pytest.raises(NotDifferentiableError):
        implicit(3.0)  # type: ignore[arg-type]


# Differences

HEAVY = {"mass": 2.0}


def box(x: Any, y: Any, n: int = 2) -> Any:
    """Nothing that is looked into may be in here: it is compiled by `eval`."""
    return HIDDEN(x, y, n)


HIDDEN = eval("lambda x, y, n: (x ** n).sum() * y + y")


@pytest.mark.parametrize(("method", "rtol"), [("central", 1e-8), ("complex", 1e-14)])
@pytest.mark.filterwarnings("ignore::adjoint.errors.NumericWarning")
def test_differences(method: str, rtol: float) -> None:
    f = numeric(box, method)
    x, y = np.array([1.0, -2.0, 3.0]), 0.7
    x_bar, y_bar = gradient(lambda x, y: f(x, y), x, y)
    assert np.allclose(x_bar, 2 * x * y, rtol=rtol) and math.isclose(y_bar, 15.0, rel_tol=rtol)
    second = gradient(lambda x, y: (gradient(f, x, y)[0] ** 2).sum(), x, y)
    assert np.allclose(second[0], 8 * x * y * y, rtol=1e-4)
    assert math.isclose(second[1], 8 * y * float(x @ x), rel_tol=1e-4)


@pytest.mark.parametrize("method", ["central", "complex"])
@pytest.mark.filterwarnings("ignore::adjoint.errors.NumericWarning")
def test_differences_by_forward_mode(method: str) -> None:
    f = numeric(box, method)
    x, x_dot = np.array([1.0, -2.0, 3.0]), np.array([1.0, 0.5, 0.0])
    y, y_dot = pushforward(f, (x, 0.7), (x_dot, 2.0))
    assert y == f(x, 0.7) and math.isclose(y_dot, 2 * 0.7 * (x @ x_dot) + 2.0 * 15.0, rel_tol=1e-7)
    cube = numeric(lambda x: x**3, method)
    seconds = [
        derivative(cube, 2)(0.5),
        derivative(grad(cube))(0.5),
        grad(derivative(cube))(0.5),
        grad(grad(cube))(0.5),
        hessian(cube, 0.5),
    ]
    assert np.allclose(seconds, 3.0, rtol=1e-5)
    named = numeric(lambda x, power: x**power, method)
    assert math.isclose(
        pushforward(lambda x: named(x, power=x), (2.0,), (1.0,))[1], 4 * (1 + math.log(2)), rel_tol=1e-7
    )


@pytest.mark.parametrize("method", ["central", "complex"])
@pytest.mark.filterwarnings("ignore::adjoint.errors.NumericWarning")
def test_differences_by_numbers_of_other_sizes(method: str) -> None:
    f = numeric(lambda x: np.sin(x[1]) + 1e-12 * x[0] ** 2, method)
    x = np.array([1e6, 1.0])
    assert np.allclose(hessian(f, x), np.diag([2e-12, -math.sin(1.0)]), rtol=1e-4, atol=1e-14)
    assert math.isclose(pushforward(f, (x,), (np.array([1.0, 1.0]),))[1], 2e-6 + math.cos(1.0), rel_tol=1e-7)


@pytest.mark.filterwarnings("ignore::adjoint.errors.NumericWarning")
@pytest.mark.parametrize(
    ("f", "x", "slope", "rtol"),
    [
        (lambda x: math.exp(-x / 1e-9), 1e-9, -math.exp(-1) * 1e9, 1e-9),
        (lambda x: math.tanh(x / 1e-9), 1e-9, 1e9 / math.cosh(1) ** 2, 1e-9),
        (lambda x: math.sin(1e6 * x), 1.0, 1e6 * math.cos(1e6), 1e-9),
        (lambda x: 1e12 + math.sin(x), 1.0, math.cos(1.0), 1e-2),
        (lambda x: x**2, 1e20, 2e20, 1e-9),
        (math.log, 1e-30, 1e30, 1e-8),
        (lambda x: np.float32(x**3), 2.0, 12.0, 1e-3),
        (lambda x: float(np.sin(np.float32(x))), 1.1, math.cos(1.1), 2e-2),
        (lambda x: round(math.sin(x), 8), 0.7, math.cos(0.7), 1e-2),
        (lambda x: (x - 1.0) ** 2 if abs(x - 1.0) < 0.05 else [][0], 1.0, 0.0, 0.0),
        (lambda x: x**3, np.float32(2.0), 12.0, 1e-3),
        (abs, 0.0, 0.0, 0.0),
        (lambda x: 5.0, 1.0, 0.0, 0.0),
    ],
)
def test_differences_find_the_scale_of_what_they_differentiate(f: Any, x: Any, slope: float, rtol: float) -> None:
    assert math.isclose(gradient(numeric(f), x)[0], slope, rel_tol=rtol)
    assert math.isclose(pushforward(numeric(f), (x,), (type(x)(1.0),))[1], slope, rel_tol=rtol)


@pytest.mark.filterwarnings("ignore::adjoint.errors.NumericWarning")
def test_second_differences_at_small_scales() -> None:
    log = numeric(np.log, "complex")
    assert math.isclose(grad(grad(log))(1e-10), -1e20, rel_tol=1e-5)
    assert math.isclose(derivative(log, 2)(1e-10), -1e20, rel_tol=1e-5)
    f = numeric(lambda x: math.exp(-x / 1e-9))
    assert math.isclose(derivative(f, 2)(1e-9), math.exp(-1) * 1e18, rel_tol=1e-5)
    assert math.isclose(grad(grad(f))(1e-9), math.exp(-1) * 1e18, rel_tol=1e-5)


def test_differences_that_do_not_agree_are_reported() -> None:
    jumps = numeric(lambda x: float(x >= 1.0))
    with pytest.warns(NumericWarning) as said:
        gradient(jumps, 1.0)
    assert ["it jumps, is noisy" in str(w.message) for w in said] == [False, True]


def test_what_conjugates_has_no_derivative_by_complex_steps() -> None:
    for f in (
        lambda x: np.vdot(x, x),
        lambda x: np.sum(np.abs(x)),
        lambda x: np.sum(x * np.conj(x) * x) if np.iscomplexobj(x) else np.sum(x**3),
    ):
        with pytest.raises(NotDifferentiableError, match="complex"), pytest.warns(NumericWarning):
            gradient(numeric(f, method="complex"), np.array([1.0, 2.0]))


def cubed(x: float) -> float:
    return x**3


@numeric
def decorated(x: float) -> float:
    return x**3


def residual_of_root(x: float, a: float, shift: float = 0.0) -> float:
    return x * x - a - shift


@implicit(residual_of_root)
def root(a: float, shift: float = 0.0, n: int = 40) -> float:
    x = 1.0
    for _ in range(n):
        x = (x + (a + shift) / x) / 2
    return x


@pytest.mark.parametrize("f", [numeric(cubed), numeric(np.sin, "complex", 1e-20), decorated, root])
def test_pickled(f: Any) -> None:
    again = pickle.loads(pickle.dumps(f))
    assert again(0.5) == f(0.5) and repr(again) == repr(f)


def test_keywords_that_the_equation_takes() -> None:
    assert gradient(lambda a: root(a, shift=5.0), 4.0) == gradient(root, 4.0, shift=5.0) == (1 / 6,)
    assert gradient(lambda a, s: root(a=a, shift=s, n=50), 4.0, 5.0) == (1 / 6, 1 / 6)
    assert pushforward(lambda s: root(4.0, shift=s), (5.0,), (2.0,)) == (3.0, 1 / 3)
    assert math.isclose(grad(grad(lambda s: root(4.0, shift=s)))(5.0), -1 / 108)
    named_only = implicit(lambda x, a, *, b: x - a * b)(lambda a, b: a * b)
    with pytest.raises(NotDifferentiableError, match="by keyword only"):
        gradient(lambda b: named_only(2.0, b=b), 3.0)


@pytest.mark.filterwarnings("ignore::adjoint.errors.NumericWarning")
def test_more_than_two_differences_are_refused() -> None:
    def cubed(x: float) -> float:
        return x**3

    for way in (derivative(numeric(cubed), 3), grad(grad(grad(numeric(cubed))))):
        with pytest.raises(adjoint.errors.NoRuleError, match="the black box `cubed`, for the third time") as caught:
            way(0.5)
        assert caught.value.final


@pytest.mark.filterwarnings("ignore::adjoint.errors.NumericWarning")
def test_structures_of_numbers() -> None:
    f = numeric(lambda p: {"a": p["u"] * p["v"][0], "b": (p["v"][1], 1)})
    check_gradient(lambda p: f(p), {"u": np.array([1.0, 2.0]), "v": (3.0, 2.0 + 1.0j)}, rtol=1e-6)
    assert gradient(lambda x: float(f({"u": x, "v": (2.0, 0.0)})["a"].sum()), np.ones(2, np.float32))[0].dtype == "f4"


@pytest.mark.filterwarnings("ignore::adjoint.errors.NumericWarning")
def test_integers_are_differentiated_where_floats_may_stand() -> None:
    assert round(gradient(numeric(lambda n: n**3), 2)[0], 6) == 12.0
    assert gradient(numeric(lambda n, x: sum(x for _ in range(n))), 2, 3.0)[0] == 0.0
    assert round(gradient(numeric(lambda n, x: sum(x for _ in range(n))), 2, 3.0)[1], 6) == 2.0


def test_it_is_said_once() -> None:
    f = numeric(lambda x: x * x)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert "by finite differences: " in str(adjoint.explain(lambda x: 2 * numeric(lambda x: x * x)(x), 1.0))
    with pytest.warns(NumericWarning, match="finite differences"):
        gradient(f, 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gradient(f, 1.0)


@pytest.mark.filterwarnings("ignore::adjoint.errors.NumericWarning")
def test_what_differences_cannot_do() -> None:
    with pytest.raises(NotDifferentiableError, match="complex"):
        gradient(numeric(lambda x: x.real, "complex"), 1.0)
    with pytest.raises(NotDifferentiableError, match="complex"):
        gradient(lambda z: abs(numeric(lambda z: z * z, "complex")(z)), 1.0 + 1.0j)
    with pytest.raises(adjoint.errors.NoRuleError):
        grad(grad(grad(numeric(lambda x: x**3))))(1.0)
    with pytest.raises(OptionError, match="method"):
        numeric(abs, "forward")
    with pytest.raises(OptionError, match="step"):
        numeric(abs, step=0.0)


@pytest.mark.filterwarnings("ignore::adjoint.errors.NumericWarning")
def test_what_a_black_box_captures_is_not_lost_in_silence() -> None:
    with pytest.raises(adjoint.errors.NoRuleError, match="captures"):
        gradient(lambda a: numeric(lambda x: a * x)(2.0), 3.0)
    slopes = (
        lambda a: gradient(numeric(lambda x: a * x), 2.0)[0],
        lambda a: pushforward(numeric(lambda x: a * x), (2.0,), (1.0,))[1],
    )
    for slope in slopes:
        with pytest.raises(adjoint.errors.NoRuleError, match="captures"):
            gradient(slope, 3.0)
        with pytest.raises(adjoint.errors.NoRuleError, match="captures"):
            pushforward(slope, (3.0,), (1.0,))
    with pytest.raises(adjoint.errors.NoRuleError, match="keyword `start`"):
        gradient(lambda a: implicit(lambda x: x - 2.0)(lambda start: 2.0)(start=a), 3.0)
    assert round(gradient(lambda a: numeric(lambda x, factor: factor * x)(2.0, factor=a), 3.0)[0], 8) == 2.0
    factor = 3.0
    assert round(gradient(lambda x: numeric(lambda x: factor * x)(x), 2.0)[0], 8) == 3.0


def test_the_name_is_the_functions() -> None:
    import adjoint.finite.structure  # noqa: F401

    assert callable(adjoint.calculus.numeric)


def test_in_a_recorded_loop_the_residual_may_capture_what_is_bound_anew() -> None:
    def loss(ps: Any) -> Any:
        total = {"all": 0.0}
        for p in ps:
            total["all"] += implicit(lambda x: x * x - p)(lambda: math.sqrt(p))()  # noqa: B023
        return total["all"]

    assert np.allclose(gradient(loss, [1.0, 4.0])[0], [0.5, 0.25])
