"""Second and third derivatives where a divisor is 0: 0 at a kink, and the limit where there is one."""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, hessian, hvp, jacobian, jvp, pullback, value_and_grad

special: Any = pytest.importorskip("scipy.special")

norm, vector_norm = np.linalg.norm, np.linalg.vector_norm
ORIGIN = (0.0, 0.0)
NONE = ((0.0, 0.0), (0.0, 0.0))
FIRST = ((1.0, 0.0), (0.0, 0.0))
EXPONENTS = np.array([0.0, 1.0])


def square(x: Any) -> Any:
    """The matrix [[x₀, 2], [3, x₁]]."""
    return np.stack((np.stack((x[0], 2.0 + 0 * x[0])), np.stack((3.0 + 0 * x[0], x[1]))))


KINKS: list[tuple[str, Callable[..., Any], tuple[float, float], Any]] = [
    ("norm(1)", lambda x: norm(x, 1), (0.0, 1.0), NONE),
    ("norm(1.0)", lambda x: norm(x, 1.0), (0.0, 1.0), NONE),
    ("norm(2)", lambda x: norm(x, 2), ORIGIN, NONE),
    ("norm(2)-smooth", lambda x: norm(x, 2), (0.0, 1.0), FIRST),
    ("norm(2.0)-smooth", lambda x: norm(x, 2.0), (0.0, 1.0), FIRST),
    ("norm(3)", lambda x: norm(x, 3), (0.0, 1.0), NONE),
    ("norm(2.5)", lambda x: norm(x, 2.5), ORIGIN, NONE),
    ("norm(0.5)", lambda x: norm(x, 0.5), (0.0, 1.0), NONE),
    ("norm(inf)", lambda x: norm(x, np.inf), ORIGIN, NONE),
    ("norm(-inf)", lambda x: norm(x, -np.inf), (0.0, 1.0), NONE),
    ("norm", lambda x: norm(x), ORIGIN, NONE),
    ("norm(axis)", lambda x: np.sum(norm(np.stack((x, x)), axis=0)), (0.0, 1.0), NONE),
    ("norm(fro)", lambda x: norm(np.reshape(x, (1, 2)), "fro"), ORIGIN, NONE),
    ("norm(1)-matrix", lambda x: norm(square(x), 1), ORIGIN, NONE),
    ("norm(inf)-matrix", lambda x: norm(square(x), np.inf), ORIGIN, NONE),
    ("norm(2)-matrix", lambda x: norm(np.diag(x), 2), ORIGIN, NONE),
    ("norm(nuc)", lambda x: norm(np.diag(x), "nuc"), (0.0, 1.0), NONE),
    ("norm(1)-complex", lambda x: norm(x[:1] + 1j * x[1:], 1), ORIGIN, NONE),
    ("vector_norm", lambda x: vector_norm(x), ORIGIN, NONE),
    ("vector_norm(1)", lambda x: vector_norm(x, ord=1), (0.0, 1.0), NONE),
    ("matrix_norm", lambda x: np.linalg.matrix_norm(np.diag(x)), ORIGIN, NONE),
    ("hypot", lambda x: np.hypot(x[0], x[1]), ORIGIN, NONE),
    ("hypot.reduce", lambda x: np.hypot.reduce(x), ORIGIN, NONE),
    ("math.hypot", lambda x: math.hypot(x[0], x[1]), ORIGIN, NONE),
    ("math.dist", lambda x: math.dist([x[0], x[1]], [0.0, 0.0]), ORIGIN, NONE),
    ("arctan2", lambda x: np.arctan2(x[0], x[1]), ORIGIN, NONE),
    ("math.atan2", lambda x: math.atan2(x[0], x[1]), ORIGIN, NONE),
    ("angle", lambda x: np.angle(x[0] + 1j * x[1]), ORIGIN, NONE),
    ("abs", lambda x: np.sum(np.abs(x)), (0.0, 1.0), NONE),
    ("abs-complex", lambda x: np.abs(x[0] + 1j * x[1]), ORIGIN, NONE),
    ("abs()-complex", lambda x: np.sum(abs(x + 1j * x)), ORIGIN, NONE),
    ("std", lambda x: np.std(x), (1.0, 1.0), NONE),
    ("nanstd", lambda x: np.nanstd(x), (1.0, 1.0), NONE),
]

LIMITS: list[tuple[str, Callable[..., Any], tuple[float, float], Any]] = [
    ("power-0", lambda x: np.power(x[0], x[1]), (2.0, 0.0), ((0.0, 0.5), (0.5, math.log(2.0) ** 2))),
    ("**-0", lambda x: x[0] ** x[1], (2.0, 0.0), ((0.0, 0.5), (0.5, math.log(2.0) ** 2))),
    ("float**-0", lambda x: float(x[0]) ** float(x[1]), (2.0, 0.0), ((0.0, 0.5), (0.5, math.log(2.0) ** 2))),
    ("math.pow-0", lambda x: math.pow(x[0], x[1]), (2.0, 0.0), ((0.0, 0.5), (0.5, math.log(2.0) ** 2))),
    ("array**-0", lambda x: np.sum(x[:1] ** x[1]), (2.0, 0.0), ((0.0, 0.5), (0.5, math.log(2.0) ** 2))),
    ("array**float-0", lambda x: np.sum(x[:1] ** float(x[1])), (2.0, 0.0), ((0.0, 0.5), (0.5, math.log(2.0) ** 2))),
    ("power-constant", lambda x: np.sum(np.power(x, EXPONENTS)), ORIGIN, NONE),
    ("**2", lambda x: np.sum(x**2), (0.0, 1.0), ((2.0, 0.0), (0.0, 2.0))),
    ("sinc", lambda x: np.sum(np.sinc(x)), (0.0, 0.0), ((-(math.pi**2) / 3, 0.0), (0.0, -(math.pi**2) / 3))),
    ("xlogy", lambda x: special.xlogy(x[0], x[1]), (0.0, 2.0), ((0.0, 0.5), (0.5, 0.0))),
    ("xlog1py", lambda x: special.xlog1py(x[0], x[1]), (0.0, 1.0), ((0.0, 0.5), (0.5, 0.0))),
    ("rel_entr", lambda x: special.rel_entr(x[0], x[1]), (0.0, 2.0), ((math.inf, -0.5), (-0.5, 0.0))),
    ("kl_div", lambda x: special.kl_div(x[0], x[1]), (0.0, 2.0), ((math.inf, -0.5), (-0.5, 0.0))),
    ("diric", lambda x: special.diric(x[0], 5) + special.diric(x[1], 4), (0.0, 2 * math.pi), ((-2, 0), (0, 1.25))),
    ("spence", lambda x: np.sum(special.spence(x)), (1.0, 1.0), ((0.5, 0.0), (0.0, 0.5))),
    ("exprel", lambda x: np.sum(special.exprel(x)), ORIGIN, ((1 / 3, 0.0), (0.0, 1 / 3))),
    ("boxcox", lambda x: special.boxcox(x[0], x[1]), (1.0, 0.0), ((-1.0, 0.0), (0.0, 0.0))),
]

THRICE = ("norm", "norm(2)", "norm(1)", "hypot", "arctan2", "angle", "abs-complex", "std")


def ids(row: tuple[Any, ...]) -> Any:
    return row[0]


@pytest.mark.parametrize("row", [*KINKS, *LIMITS], ids=ids)
def test_second_derivatives(row: tuple[Any, ...]) -> None:
    _, f, point, expected = row
    x = np.array(point)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.allclose(hessian(f, x), expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("row", [row for row in KINKS if row[0] in THRICE], ids=ids)
def test_third_derivatives_at_kinks(row: tuple[Any, ...]) -> None:
    _, f, point, _ = row
    third = jacobian(lambda x: np.ravel(hessian(f, x)), np.array(point))[0]
    assert np.allclose(third, 0.0, atol=1e-12)


@pytest.mark.parametrize("size", [1e200, 1e150, 1e-150, 1e-200])
@pytest.mark.parametrize("ord", [None, 1, 2, 2.0, 3, np.inf, -np.inf, 0.5])
def test_norms_of_large_and_small_entries(size: float, ord: Any) -> None:  # noqa: A002
    x = np.array([3.0, -4.0])
    with np.errstate(all="ignore"):
        finite = np.isfinite(norm(x * size, ord)) and norm(x * size, ord) > 0
    if finite:
        got = gradient(lambda x: norm(x, ord), x * size)[0]
        assert np.allclose(got, gradient(lambda x: norm(x, ord), x)[0], rtol=1e-7)


POWERS = [np.power, np.float_power, operator.pow, math.pow, operator.ipow, lambda x, p: np.array([x]) ** p]


@pytest.mark.parametrize("f", POWERS)
def test_powers_of_negative_numbers_and_of_zero(f: Any) -> None:
    """Beside a whole p there is no real (-2)ᵖ; 0⁰ counts as constant."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        by_base, by_exponent = gradient(lambda x, p: np.sum(f(x, p)), -2.0, 3.0)
        assert by_base == 12.0 and np.isnan(by_exponent)
        assert gradient(lambda x: np.sum(f(x, 3.0)), -2.0) == (12.0,)
        assert gradient(lambda x, p: np.sum(f(x, p)), 0.0, 0.0) == (0.0, 0.0)
        assert gradient(lambda x, p: np.sum(f(x, p)), 0.0, 2.0) == (0.0, 0.0)
        assert gradient(lambda x, p: 0.0 * np.sum(f(x, p)), -2.0, 3.0) == (0.0, 0.0)


def test_powers_of_an_array_with_negative_entries() -> None:
    x_bar, p_bar = gradient(lambda x, p: np.sum(x**p), np.array([-2.0, 0.0, 2.0]), np.array([3.0, 2.0, 2.0]))
    assert np.array_equal(x_bar, [12.0, 0.0, 4.0])
    assert np.isnan(p_bar[0]) and np.allclose(p_bar[1:], [0.0, 4.0 * math.log(2.0)])


def test_what_does_not_move_is_not_taken_for_undefined() -> None:
    """The slope of a power of a negative number by its exponent is nan; where that stays nothing of it shows."""

    def made(flag: bool) -> Any:
        w = 1.0
        if flag:
            w = 2.0
        return lambda x: np.sum(w * x**2) + np.sum(np.power(x, 3))

    x, v = np.array([-1.0, 2.0]), np.ones(2)
    f = made(True)
    expected = 4.0 + 6.0 * x

    def along(x: Any) -> Any:
        return jvp(f, (x,), (v,))[1]

    assert np.allclose(hvp(f, (x,), (v,))[0], expected)
    assert np.allclose(gradient(along, x)[0], expected)
    assert np.isclose(jvp(along, (x,), (v,))[1], expected.sum())
    assert np.isnan(gradient(lambda p: (-2.0) ** p, 2.0)[0])
    assert np.isnan(gradient(lambda p: np.sum(np.array([-2.0, 1.0]) ** p), 2.0)[0])


OVER_ZERO = [
    (np.float64(1.5), 0.0), (np.float64(1.5), 0), (np.float64(-1.5), 0.0), (1.5, np.float64(0.0)),
    (np.float32(1.5), 0.0), (np.array(2.0), 0.0), (np.int64(3), 0.0), (np.float64(1.5), np.float64(0.0)),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b"), OVER_ZERO, ids=repr)
@pytest.mark.parametrize("store", [True, False])
def test_numbers_of_numpy_are_divided_by_zero(a: Any, b: Any, store: bool) -> None:
    """Python's zero raises for its own numbers alone, also on the way back."""
    held = {"n": 0}

    def f(a: Any, b: Any) -> Any:
        if store:
            held["n"] += 1  # what is recorded besides
        return a / b

    with np.errstate(all="ignore"):
        for _ in range(2):
            y, back = pullback(f, a, b)
            assert y == a / b
            _, a_bar, b_bar = back(np.ones_like(y)[()])
            assert b_bar == -y * np.inf
            assert a_bar == np.inf
    with pytest.raises(ZeroDivisionError):
        pullback(f, float(a), float(b))


@pytest.mark.parametrize("compiled", [False, "strict"])
@pytest.mark.parametrize("over", ["number / item", "item / item", "item / number"])
def test_quotients_that_are_not_chosen(over: str, compiled: Any) -> None:
    """0 times an infinite partial counts as 0 for numbers of NumPy's, as for arrays."""

    def f(x: Any, d: Any) -> Any:
        s = 0.0
        for i in range(3):
            if over == "number / item":
                s += np.where(d[i] == 0, 0.0, 1.0 / d[i]) * x[0]
            elif over == "item / item":
                s += np.where(d[i] == 0, 0.0, x[i] / d[i])
            else:
                s += np.where(d[i] == 0, 0.0, x[i] / float(d[i] * 1.0 + (d[i] == 0))) * d[i]
        return s

    x, d = np.array([1.0, 2.0, 3.0]), np.array([0.0, 2.0, 0.0])
    expected = {
        "number / item": ([0.5, 0.0, 0.0], [0.0, -0.25, 0.0]),
        "item / item": ([0.0, 0.5, 0.0], [0.0, -0.5, 0.0]),
        "item / number": ([0.0, 1.0, 0.0], [0.0, 0.0, 0.0]),
    }[over]
    with np.errstate(all="ignore"):
        found = value_and_grad(f, (0, 1), compile=compiled)(x, d)[1]
    for got, wanted in zip(found, expected, strict=True):
        np.testing.assert_allclose(got, wanted)


def test_recorded_divisions_by_zero() -> None:
    class Kept:
        now = 0.0

    def f(x: Any) -> Any:
        Kept.now = x
        return np.float64(x) / 0.0

    with np.errstate(all="ignore"):
        assert value_and_grad(f)(1.5) == (np.inf, np.inf)
