"""`scipy.special`: what is not known, ties, ends of ranges, tails."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, linearize, pullback, stop_gradient
from adjoint.calculus import derivative, pushforward
from adjoint.errors import NoRuleError

special = pytest.importorskip("scipy.special")


# Derivatives that are not known


def order(v: Any, x: Any) -> Any:
    return np.sum(special.jv(v, x))


@pytest.mark.parametrize(
    "f, args, name",
    [
        (order, (1.5, 2.0), "the order `v`"),
        (order, (np.array([1.5, 2.5]), 2.0), "the order `v`"),
        (lambda v, x: special.jve(v, x), (1.5, 2.0), "the order `v`"),
        (lambda a, x: special.hyp1f1(a, 1.5, x), (0.5, 2.0), "the parameter `a`"),
        (lambda a, b: special.hyp2f1(1.5, a, b, 0.5), (0.5, 2.0), "the parameter `b`"),
        (lambda n, x: special.eval_legendre(n, x), (0.5, 0.5), "the degree `n`"),
        (lambda n, x: special.diric(x, n), (5.0, 0.5), "the degree `n`"),
        (lambda df, x: special.chndtr(x, df, 1.0), (2.5, 0.5), "`df`"),
        (special.jv, (1.5, 2.0), "the order `v`"),
    ],
)
def test_an_argument_without_derivative_is_named(f: Callable[..., Any], args: Any, name: str) -> None:
    with pytest.raises(NoRuleError, match=name.replace("(", r"\(")):
        gradient(f, *args)


def test_it_is_refused_only_where_it_is_asked_for() -> None:
    slope = float(special.jvp(1.5, 2.0))
    assert np.isclose(gradient(lambda x: special.jv(1.5, x), 2.0)[0], slope)
    assert np.isclose(grad(special.jv, 1)(1.5, 2.0), slope)
    assert np.isclose(grad(order, 1)(1.5, 2.0), slope)
    assert np.isclose(
        grad(lambda p: special.jv(p["v"], p["x"]) if p else 0.0)({"v": 2, "x": 2.0})["x"], special.jvp(2, 2.0)
    )
    assert np.isclose(gradient(lambda p: special.jv(stop_gradient(p[0]), p[1]), (1.5, 2.0))[0][1], slope)


def test_whole_numbers_are_not_differentiated() -> None:
    for v in (1, np.array([1, 2]), np.int64(2)):
        v_bar, x_bar = gradient(order, v, 2.0)
        assert np.all(v_bar == 0) and np.isclose(x_bar, np.sum(special.jvp(v, 2.0)))


def test_what_a_function_captures_is_not_asked_for() -> None:
    def of_order(v: float) -> Callable[[float], Any]:
        return lambda x: special.jv(v, x)

    _, back = pullback(of_order(1.5), 2.0)
    f_bar, x_bar = back(1.0)
    assert np.isclose(x_bar, special.jvp(1.5, 2.0)) and "unknown" in repr(f_bar)


def test_a_recorded_program_may_have_constants() -> None:
    def stored(x: float) -> Any:
        values = {}
        for v in (0.5, 1.5):
            values[v] = special.jv(v, x)
        return values[0.5] * values[1.5]

    expected = special.jvp(0.5, 2.0) * special.jv(1.5, 2.0) + special.jv(0.5, 2.0) * special.jvp(1.5, 2.0)
    assert np.isclose(gradient(stored, 2.0)[0], expected)


@pytest.mark.parametrize(
    "f, args",
    [
        (lambda x: special.kolmogorov(x), (0.5,)),
        (lambda q: special.mathieu_a(1, q), (0.5,)),
        (lambda x: special.nctdtr(2.5, 0.5, x), (0.5,)),
        (lambda x: special.airye(x)[2].real, (0.5 + 1j,)),
        (lambda a: special.logsumexp(a, return_sign=True)[0].real, (np.array([0.5, 1j]),)),
    ],
)
def test_refused_by_name(f: Callable[..., Any], args: Any) -> None:
    with pytest.raises(NoRuleError):
        gradient(f, *args)


@pytest.mark.parametrize(
    "f, args, slopes",
    [
        *[
            (special.zeta, (x,), (slope,))
            for x, slope in (
                (-60.3, 1.6339541528106769e34), (-9.9, -0.016866545660473152), (-5.0, -0.0005729859801986352),
                (-1.5, -0.07630925532055088), (0.0, -0.9189385332046728), (30.0, -6.45548953880003e-10),
            )
        ],
        (special.betaln, (1e15, 1.0), (-1e-15, -35.11599205981222)),
        (special.betaln, (1.0, 1e-10), (-1.644934066728021e-10, -1e10)),
        (special.betaln, (40.0, 1e-5), (-2.531510063719021e-07, -100004.25352684286)),
        (special.betaln, (-0.5, 2.2), (-0.17205790089491757, 0.33574556186765103)),
        (special.binom, (-2.5, 1.5), (-10.666666666666666, 10.666666666666666)),
        (special.binom, (3.0, 5.0), (-0.05, 0.05)),
        (special.binom, (5.0, -1.0), (0.0, 0.16666666666666666)),
        (special.binom, (1e10, 2.0), (9999999999.5, 1.1051533296240841e21)),
    ],
)  # fmt: skip
def test_far_from_one(f: Callable[..., Any], args: Any, slopes: Any) -> None:
    """Against numbers with 60 digits, by mpmath."""
    np.testing.assert_allclose(gradient(f, *args), slopes, rtol=1e-12)


def test_second_derivatives_where_binomials_vanish_are_not_known() -> None:
    assert np.isnan(grad(grad(lambda n: special.binom(n, 7.0)))(5.0))
    assert np.isclose(gradient(special.binom, 200.0, 201.0)[0], 1 / 201)


def test_results_may_be_written_into_arrays() -> None:
    x = np.array([0.5, 1.5])
    found = gradient(lambda x: np.sum(special.gammainc(2.0, x, out=np.zeros(2))), x)[0]
    assert np.allclose(found, x * np.exp(-x))


# Ends and kinks


@pytest.mark.parametrize(
    "f, args, expected",
    [
        (special.xlogy, (0.0, 0.0), (-np.inf, 0.0)),
        (special.rel_entr, (0.0, 2.0), (-np.inf, 0.0)),
        (special.kl_div, (0.0, 2.0), (-np.inf, 1.0)),
        (special.exprel, (0.0,), (0.5,)),
        (special.spence, (1.0,), (-1.0,)),
        (special.ellipk, (0.0,), (np.pi / 8,)),
        (special.boxcox, (2.0, 0.0), (0.5, np.log(2.0) ** 2 / 2)),
        (special.lambertw, (0.0,), (1.0,)),
        (special.rgamma, (-2.0,), (2.0,)),
        (special.huber, (1.0, 1.0), (0.0, 1.0)),
        (special.huber, (1.0, 3.0), (2.0, 1.0)),
        (special.gammainc, (2.0, 0.0), (0.0, 0.0)),
        (special.stdtr, (3.0, 0.0), (0.0, 2 / (np.pi * np.sqrt(3.0)))),
        (special.agm, (2.0, 2.0), (0.5, 0.5)),
    ],
)
def test_at_the_ends(f: Any, args: Any, expected: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _, back = pullback(f, *args)
        assert np.allclose(np.real(back(1.0)[1:]), expected, rtol=1e-10, atol=0)


@pytest.mark.parametrize("f", [special.logit, special.entr, special.ndtri, special.erfinv, special.cbrt])
def test_nothing_times_infinity_is_nothing(f: Any) -> None:
    at = np.array([0.0 if f is not special.erfinv else 1.0, 0.5])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _, back = pullback(f, at)
        d = back(np.array([0.0, 1.0]))[1]
    assert d[0] == 0 and np.isfinite(d[1])


def test_tails_keep_their_digits() -> None:
    x = np.array([30.0, 60.0])
    # ∂ log Q(a, x) / ∂a at a = 1 is ∫ log(t / x) exp(x - t) dt + log x - ψ(1), and nearly log x + 1/x + γ.
    by_a = gradient(lambda a: np.sum(np.log(special.gammaincc(a, x))), np.ones(2))[0]
    assert np.allclose(by_a, np.log(x) + np.exp(x) * special.exp1(x) + np.euler_gamma, rtol=1e-12)
    assert np.isclose(gradient(special.log_ndtr, -1e5)[0], 1e5, rtol=1e-9)
    assert np.isclose(gradient(special.log_ndtr, 40.0)[0], 0.0)
    assert gradient(lambda x: gradient(special.log_ndtr, x)[0], 40.0)[0] == 0.0


@pytest.mark.parametrize("f", [special.erfcx, special.dawsn])
@pytest.mark.parametrize("x", [59.999, 60.001, 1e4, 1e6])
def test_curvatures_far_out(f: Any, x: float) -> None:
    # y' = 2 x y - 2 / √π and 1 - 2 x y: of both y ~ c / x + ..., so that y'' ~ 2 c / x³ (1 + ...)
    c, s = (1 / np.sqrt(np.pi), -1.0) if f is special.erfcx else (0.5, 1.0)
    expected = 2 * c / x**3 * (1 + s * 3 / x**2 + 45 / (4 * x**4))
    assert np.isclose(derivative(f, 2)(x), expected, rtol=1e-8, atol=0.0)


@pytest.mark.parametrize("z", [59.999 + 1j, 60.001 + 1j, 3e4 + 4e4j, 1e8 + 0j])
def test_the_slope_of_the_function_of_faddeeva_far_out(z: complex) -> None:
    expected = -1j / np.sqrt(np.pi) / z**2 * (1 + 1.5 / z**2 + 3.75 / z**4)
    found = pushforward(special.wofz, (np.complex128(z),), (1.0 + 0j,))[1]
    assert abs(found / expected - 1) < 1e-8


def test_an_inverse_out_of_range_is_constant() -> None:
    assert np.allclose(gradient(lambda p: special.pdtrik(p, 1.0), 0.1)[0], 0.0)


@pytest.mark.parametrize("v", [[0.5, 1.0], (0.5, 1.0)])
@pytest.mark.parametrize("f", [special.jv, special.kv, special.struve, special.gammaincc])
def test_what_is_not_known_in_a_sequence_has_second_derivatives_beside_it(f: Any, v: Any) -> None:
    """They were 0, or refused: the cotangent that is not known was differentiated as an array of zeros."""

    def of(orders: Any) -> Callable[[float], Any]:
        return lambda x: np.sum(f(orders, x))

    def recorded(x: float) -> Any:
        a = np.zeros(1)
        a[0] = x
        return np.sum(f(v, a[0]))

    slope, curvature = grad(of(np.array(v)))(1.3), grad(grad(of(np.array(v))))(1.3)
    for g in (of(v), recorded):
        assert np.isclose(grad(g)(1.3), slope)
        assert np.isclose(grad(grad(g))(1.3), curvature)
        inner, outer = pushforward(lambda x, g=g: pushforward(g, (x,), (1.0,))[1], (1.3,), (1.0,))
        assert np.isclose(inner, slope) and np.isclose(outer, curvature)


def test_sums_of_nothing() -> None:
    a = np.array([-np.inf, -np.inf])
    assert np.array_equal(gradient(special.logsumexp, a)[0], [0.5, 0.5])  # the terms share equally
    a = np.array([-np.inf, 0.0, np.log(3.0)])
    assert np.allclose(gradient(special.logsumexp, a)[0], [0.0, 0.25, 0.75])


def test_the_kernel_of_dirichlet_near_its_peaks() -> None:
    for n in (2, 5, 8):
        curvature = (1 - n * n) / 12
        for x in (1e-8, 1e-5, 1e-3, -1e-3):
            assert np.isclose(gradient(lambda t, n=n: special.diric(t, n), x)[0], curvature * x, rtol=1e-4)
            assert np.isclose(derivative(lambda t, n=n: special.diric(t, n), 2)(x), curvature, rtol=1e-4)
        x = 0.0999999 * 2 / n  # on both sides of where the series ends
        slopes = [gradient(lambda t, n=n: special.diric(t, n), x + d)[0] for d in (0.0, 1e-6)]
        assert np.isclose(slopes[1] - slopes[0], 1e-6 * derivative(lambda t, n=n: special.diric(t, n), 2)(x), rtol=1e-5)


def test_powers_of_nothing_end() -> None:
    assert np.isclose(gradient(lambda p: special.boxcox(0.0, p), 2.0)[0], 0.25)
    assert np.isinf(gradient(lambda p: special.boxcox(0.0, p), -3.0)[0])


@pytest.mark.parametrize(("a", "x", "slope"), [(0.02, 0.5, -0.5711283427), (1e-8, 0.5, -0.5597736007)])
def test_incomplete_gamma_by_a_small_parameter(a: float, x: float, slope: float) -> None:
    """-0.5597736 is ∂P/∂a at a = 0: -E₁(x)."""
    assert np.isclose(gradient(special.gammainc, a, x)[0], slope, rtol=1e-8)
    assert np.isclose(gradient(special.gammaincc, a, x)[0], -slope, rtol=1e-8)


def test_a_derivative_that_is_not_known_is_refused_wherever_it_leaves() -> None:
    """It was handed out as the value of a pushforward, and stored into an array it ended in an error of NumPy's."""

    def by_order(v: Any) -> Any:
        return special.jv(v + 0.5, 2.0)

    def stored(v: Any) -> Any:
        a = np.zeros(2)
        a[0] = v
        return special.jv(a[0] + 0.5, 2.0)

    slope = grad(by_order)
    for ask in (
        lambda: gradient(stored, 1.0),
        lambda: pushforward(slope, (1.0,), (1.0,)),
        lambda: pushforward(lambda v: 2.0 * slope(v), (1.0,), (1.0,)),
        lambda: linearize(slope, 1.0),
        lambda: gradient(lambda v: slope(v) * v, 1.0),
    ):
        with pytest.raises(NoRuleError, match="a derivative by the order `v` is asked for"):
            ask()
