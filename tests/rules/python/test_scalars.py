"""Rules of the operators and of the builtins of arithmetic."""

from __future__ import annotations

import math
import operator
import warnings
from typing import Any

import numpy as np
import pytest
from rules.checker import run_rule

from adjoint import gradient, pullback
from adjoint.rules.registry import find_rules

F32 = np.float32
A = np.array([[1.0, -2.0, 3.1], [0.5, 1.6, -0.25]])
B = np.array([2.0, 0.5, -1.5])


@pytest.mark.parametrize(("x", "y"), [(5.3, 2.1), (-5.3, 2.1), (5.3, -2.1), (A, 0.37), (A, np.array([0.7, 0.3, 0.4]))])
def test_divmod_carries_the_derivative_of_the_remainder(x: Any, y: Any) -> None:
    _, back, _ = run_rule(divmod, x, y)
    y_bar = np.ones_like(x) if isinstance(x, np.ndarray) else 1.0
    for bar, expected in zip(back((None, y_bar)), run_rule(operator.mod, x, y)[1](y_bar), strict=True):
        np.testing.assert_allclose(bar, expected)
    assert back((y_bar, None)) == (None, None)


def test_remainder_of_text_formats() -> None:
    y, back, _ = run_rule(operator.mod, "%.1f", 2.0)
    assert y == "2.0" and back(None) == (None, None)


@pytest.mark.parametrize(
    ("x", "n", "expected"),
    [
        (0.0, 2, (0.0, 0.0)),
        (0.0, 1, (1.0, 0.0)),
        (0.0, 0, (0.0, 0.0)),
        (0, 2, (0.0, 0.0)),
        (3.0, 0, (0.0, math.log(3.0))),
        (0.0, 0.5, (math.inf, 0.0)),
        (0.0, 1.5, (0.0, 0.0)),
        (0j, 2, (0.0, 0.0)),
        (0j, 1, (1.0, 0.0)),
        (np.float64(0.0), 0, (0.0, 0.0)),
        (F32(0.0), 2, (0.0, 0.0)),
        (np.zeros(1), 2, ([0.0], 0.0)),
        (np.zeros(1), 1, ([1.0], 0.0)),
        (np.zeros(1), 0, ([0.0], 0.0)),
        (np.zeros(1), 0.5, ([math.inf], 0.0)),
        (np.zeros(1), np.zeros(1), ([0.0], [0.0])),
        (np.zeros(1), np.array([2]), ([0.0], [0.0])),
    ],
)
def test_power_of_zero(x: Any, n: Any, expected: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        y, back, _ = run_rule(operator.pow, x, n)
        bars = back(np.ones_like(y) if isinstance(y, np.ndarray) else 1.0)
    for bar, e in zip(bars, expected, strict=True):
        np.testing.assert_array_equal(bar, e)


def test_powers_modulo_carry_no_derivative() -> None:
    y, back, _ = run_rule(pow, 7, 5, 13)
    assert y == pow(7, 5, 13) and back(1.0) == (None, None, None)


@pytest.mark.parametrize(("x", "n"), [(0.0, 0.5), (np.zeros(2), 0.5), (np.zeros(2), np.array(0.5))])
def test_no_cotangent_meets_an_infinite_partial(x: Any, n: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        y, back, _ = run_rule(operator.pow, x, n)
        np.testing.assert_array_equal(back(0.0 * y)[0], 0.0 * x)


def test_division_by_zero_behind_a_choice() -> None:
    x = np.array([0.0, 2.0])
    with np.errstate(all="ignore"):
        _, back, _ = run_rule(operator.truediv, 1.0, x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(back(np.array([0.0, 1.0]))[1], [0.0, -0.25])


@pytest.mark.parametrize("x", [0.0, 0, 0j, np.zeros(2), np.zeros(2, complex), np.float64(0.0)])
def test_abs_at_zero(x: Any) -> None:
    y, back, _ = run_rule(abs, x)
    np.testing.assert_array_equal(back(1.0 + y)[0], np.zeros_like(x))


def test_conversions_from_text() -> None:
    for f, text in [(float, "1.5"), (complex, "1+2j")]:
        y, back, _ = run_rule(f, text)
        assert y == f(text) and back(1.0) == (None,)


def test_in_place_on_arrays_is_not_for_these_rules() -> None:
    rules = find_rules(operator.iadd)
    assert rules is not None and rules.select((np.ndarray, float)) is None


@pytest.mark.parametrize("f", [operator.and_, operator.or_, operator.xor, operator.iand, operator.ior, operator.ixor])
def test_bits(f: Any) -> None:
    y, back, _ = run_rule(f, 6, 3)
    assert y == f(6, 3) and back(1.0) == (None, None)
    rules = find_rules(f)
    assert rules is not None and rules.select((set, set)) is None


def test_what_carries_no_derivative() -> None:
    for f in (operator.lt, operator.is_, operator.floordiv, int, bool, round, operator.index, operator.invert, chr):
        rules = find_rules(f)
        assert rules is not None and not rules.differentiable


HUGE = 3 * 10**400


@pytest.mark.parametrize(
    ("f", "args", "expected"),
    [
        (lambda x, n: x * (n / 10**400), (2.0, HUGE), (3.0, 0.0)),
        (lambda x, n, m: x * (n / m), (2.0, HUGE, 10**400), (3.0, 0.0, 0.0)),
        (lambda n, m: n / m, (3 * 10**200, 10**200), (1e-200, -3e-200)),
        (lambda n, m: n / m, (3, 4), (0.25, -0.1875)),
        (math.log, (HUGE,), (0.0,)),
        (math.log2, (HUGE,), (0.0,)),
        (lambda n: math.log10(n), (HUGE,), (0.0,)),
    ],
)
def test_integers_that_are_too_large_for_a_float(f: Any, args: tuple[int, ...], expected: tuple[float, ...]) -> None:
    assert gradient(f, *args) == pytest.approx(expected, rel=1e-15)
    assert pullback(f, *args)[1](1.0)[1:] == pytest.approx(expected, rel=1e-15)
