"""What is special about rules of functions that work element by element; see `rules.samples.numpy_elementwise`."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from rules.checker import run_rule
from rules.sampling import normal

from adjoint import gradient
from adjoint.calculus import pushforward
from adjoint.errors import MutationError
from adjoint.rules.registry import find_rules

A = normal(2, 3)


@pytest.mark.parametrize("x", [np.array([-1.5, 0.0, 2.0]), 0.0, -1.5, np.float64(-2.0)])
@pytest.mark.parametrize("n", [0, 1, 2, 3])
def test_integer_powers(x: Any, n: int) -> None:
    _, back, _ = run_rule(np.power, x, n)
    x_bar, n_bar = back(np.ones(3) if np.ndim(x) else 1.0)
    assert np.array_equal(x_bar, n * np.asarray(x) ** max(n - 1, 0))
    assert np.isnan(n_bar) == np.any(np.asarray(x) < 0)  # there is no (-2)ⁿ beside a whole n


@pytest.mark.parametrize(("dtype", "large"), [(np.float32, 1e20), (np.float64, 1e200)])
def test_the_arctangent_of_what_is_large_is_flat_without_a_warning(dtype: Any, large: float) -> None:
    assert gradient(np.arctan, np.array([large, 1.0], dtype).max())[0] == 0.0
    assert gradient(lambda x: np.arctan(x).sum(), np.array([large, 1.0], dtype))[0].tolist() == [0.0, 0.5]


def test_ties_and_bounds() -> None:
    x = np.array([1.0, 2.0, 3.0])
    for f in (np.maximum, np.minimum, np.fmax, np.fmin):
        _, back, _ = run_rule(f, x, np.array([1.0, 2.0, 0.0]))
        assert [bar.tolist()[:2] for bar in back(np.ones(3))] == [[0.5, 0.5], [0.5, 0.5]]
    _, back, _ = run_rule(np.clip, x, 1.0, 2.0)
    assert back(np.ones(3))[0].tolist() == [1.0, 1.0, 0.0]
    for f in (np.abs, np.fabs):
        assert run_rule(f, np.zeros(2))[1](np.ones(2))[0].tolist() == [0.0, 0.0]
    assert run_rule(np.abs, np.zeros(1, complex))[1](np.ones(1))[0].tolist() == [0.0]
    assert run_rule(np.sign, np.zeros(1, complex))[1](np.ones(1))[0].tolist() == [0.0]
    assert run_rule(np.heaviside, np.zeros(2), 0.5)[1](np.ones(2))[1] == 2.0
    assert run_rule(np.hypot, 0.0, 0.0)[1](1.0) == (0.0, 0.0)
    assert run_rule(np.copysign, 0.0, -1.0)[1](1.0) == (0.0, 0.0)


def test_fmax_leaves_nan_out() -> None:
    _, back, _ = run_rule(np.fmax, np.array([1.0, np.nan]), np.array([np.nan, 2.0]))
    assert [bar.tolist() for bar in back(np.ones(2))] == [[1.0, 0.0], [0.0, 1.0]]


@pytest.mark.parametrize(
    ("f", "x"),
    [(np.sqrt, 0.0), (np.cbrt, 0.0), (np.log, 0.0), (np.log2, 0.0), (np.log10, 0.0), (np.log1p, -1.0), (np.arcsin, 1.0),
     (np.arccos, -1.0), (np.arctanh, 1.0), (np.arccosh, 1.0), (np.reciprocal, 0.0)],
)  # fmt: skip
def test_nothing_times_infinity_is_nothing(f: Any, x: float) -> None:
    for value in (np.array([x, x]), np.float64(x), x):
        with np.errstate(all="ignore"):
            _, back, _ = run_rule(f, value)
        bar = back(np.zeros(2) if isinstance(value, np.ndarray) else 0.0)[0]
        assert np.all(np.asarray(bar) == 0)


def test_derivative_of_sinc_near_zero() -> None:
    x = np.array([0.0, 1e-9, 9.99e-4, 1.001e-3, -1e-5])
    _, back, _ = run_rule(np.sinc, x)
    exact = -(np.pi**2) * x / 3 + np.pi**4 * x**3 / 30 - np.pi**6 * x**5 / 840
    assert np.allclose(back(np.ones(5))[0], exact, rtol=1e-9)


def test_nan_to_num_stops_at_what_it_replaces() -> None:
    _, back, _ = run_rule(np.nan_to_num, np.array([1.0, np.nan, np.inf]))
    assert back(np.ones(3))[0].tolist() == [1.0, 0.0, 0.0]


def test_unneeded_branch_of_where() -> None:
    call_ = find_rules(np.where).select((np.ndarray, np.ndarray, float)).call  # type: ignore[union-attr]
    _, back = call_(A > 0, A, 0.0, needs=(False, True, False))
    assert back(np.ones((2, 3)))[2] is None


def test_where_of_one_argument() -> None:
    y, back, _ = run_rule(np.where, A > 0)
    assert len(y) == 2 and back(y) == (None,)


def test_out_is_refused() -> None:
    with pytest.raises(MutationError):
        run_rule(np.clip, A, 0.0, 1.0, out=np.zeros((2, 3)))
    with pytest.raises(MutationError):
        run_rule(np.exp, A, out=np.zeros((2, 3)))


def test_bounds_that_cross() -> None:
    """`np.clip` takes the upper bound then."""
    _, back, _ = run_rule(np.clip, np.array([0.0, 1.0, 2.0, 4.0]), 3.0, 1.0)
    a_bar, low_bar, high_bar = back(np.ones(4))
    assert a_bar.tolist() == [0.0] * 4 and low_bar == 0.0 and high_bar == 4.0


@pytest.mark.parametrize("f", [np.logaddexp, np.logaddexp2])
def test_logarithms_of_nothing_and_of_infinity(f: Any) -> None:
    inf = np.inf
    _, back, _ = run_rule(f, np.array([-inf, inf, -inf, 1.0]), np.array([-inf, 1.0, 2.0, inf]))
    with np.errstate(all="raise"):
        assert [bar.tolist() for bar in back(np.ones(4))] == [[0.5, 1.0, 0.0, 0.0], [0.5, 0.0, 1.0, 1.0]]


def test_what_is_put_in_the_place_of_nan() -> None:
    z = np.array([complex(np.nan, 2.0), complex(np.inf, -np.inf)])
    _, back, _ = run_rule(np.nan_to_num, z, True, 0.5, 1.0, -1.0)
    z_bar, _, nan_bar, posinf_bar, neginf_bar = back(np.array([3 + 5j, 7 + 11j]))
    assert z_bar.tolist() == [5j, 0.0] and (nan_bar, posinf_bar, neginf_bar) == (3.0, 7.0, 11.0)


@pytest.mark.parametrize("f", [np.exp, np.sin, np.sinc, np.cbrt, np.logaddexp, np.i0, np.clip, np.arctan2, np.unwrap])
@pytest.mark.parametrize("dtype", [np.float16, np.longdouble])
def test_precisions_that_are_kept(f: Any, dtype: Any) -> None:
    x = np.array([0.25, 0.5, 1.5], dtype)
    args = (x, *{np.clip: (0.3, 1.0), np.arctan2: (x,), np.logaddexp: (x,)}.get(f, ()))
    y, back, _ = run_rule(f, *args)
    assert back(np.ones(3, y.dtype))[0].dtype == dtype


def test_integers() -> None:
    _, back, _ = run_rule(np.multiply, np.array([1, 2]), np.array([3.0, 4.0]))
    assert back(np.ones(2))[0].tolist() == [3.0, 4.0]
    _, back, _ = run_rule(np.exp, np.array([0, 1]))
    assert np.allclose(back(np.ones(2))[0], [1.0, np.e])


def test_nothing_flows_through_integers() -> None:
    assert gradient(lambda x: (np.add(x, x, dtype=int, casting="unsafe") * x).sum(), np.array([1.5, 2.5]))[
        0
    ].tolist() == [
        2.0,
        4.0,
    ]


def test_nan_to_num_in_place() -> None:
    def f(x: Any) -> Any:
        a = x + np.array([0.0, np.nan])
        np.nan_to_num(a, copy=False, nan=3.0)
        return (a * a).sum()

    assert gradient(f, np.array([2.0, 5.0]))[0].tolist() == [4.0, 0.0]
    with pytest.raises(MutationError):
        run_rule(np.nan_to_num, A, copy=False)


@pytest.mark.parametrize("scale", [1e200, 1.0, 1e-200])
def test_angles_at_all_scales(scale: float) -> None:
    for a, b in (
        (scale, scale),
        (np.full(3, scale), np.full(3, scale)),
        (np.array([1.0, scale]), np.array([1.0, scale])),
    ):
        first, second = run_rule(np.arctan2, a, b)[1](np.ones(np.shape(a)))
        assert np.allclose(first, 0.5 / np.asarray(a), atol=0.0) and np.allclose(second, -0.5 / np.asarray(a), atol=0.0)
    z_bar = run_rule(np.angle, complex(scale, scale))[1](1.0)[0]
    assert np.isclose(z_bar, (-0.5 + 0.5j) / scale, atol=0.0)
    assert np.allclose(run_rule(np.hypot, scale, scale)[1](1.0), np.sqrt(0.5))


def test_expm1_far_out() -> None:
    assert run_rule(np.expm1, -40.0)[1](1.0)[0] == np.exp(-40.0)


@pytest.mark.parametrize("f", [np.maximum, np.minimum])
def test_nothing_flows_through_a_choice_that_is_nan(f: Any) -> None:
    _, back, _ = run_rule(f, np.array([np.nan, 1.0]), np.array([2.0, 1.0]))
    assert [bar.tolist() for bar in back(np.ones(2))] == [[0.0, 0.5], [0.0, 0.5]]


@pytest.mark.parametrize("f", [np.arcsin, np.arccos, np.arccosh, np.arctanh, np.arcsinh])
@pytest.mark.parametrize("z", [complex(2, 0.0), complex(2, -0.0), complex(-2, 0.0), complex(-2, -0.0), 0.3 + 0.4j])
def test_along_the_sides_of_a_cut(f: Any, z: complex) -> None:
    if f is np.arcsinh:
        z = complex(z.imag, z.real)
    along, h = (1j, 1e-6) if f is np.arcsinh else (1.0, 1e-6)
    step = (lambda t: complex(z.real, z.imag + t)) if f is np.arcsinh else (lambda t: complex(z.real + t, z.imag))
    difference = (f(np.complex128(step(h))) - f(np.complex128(step(-h)))) / (2 * h * along)
    assert np.isclose(pushforward(f, (np.complex128(z),), (1.0 + 0j,))[1], difference, rtol=1e-8)


def test_inverse_hyperbolic_slopes_of_large_numbers() -> None:
    for f in (np.arcsinh, np.arccosh, math.asinh, math.acosh):
        assert np.isclose(gradient(f, 1e200)[0], 1e-200, rtol=1e-12, atol=0.0)
    for g in (np.arcsinh, np.arccosh):
        assert np.isclose(gradient(g, np.float32(1e20))[0], 1e-20, rtol=1e-6, atol=0.0)
