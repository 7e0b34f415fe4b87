"""Cotangents from operands and result, without a pullback: what rules with pullbacks give, and right in programs."""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad
from adjoint.inspect import code_adjoint
from adjoint.rules.opened import bars_of
from adjoint.rules.registry import RULES, find_rules
from adjoint.tangents.zeros import zeros_like
from adjoint.testing import GradientMismatch, check_gradient

A, Z = np.array([0.3, -0.7, 1.2]), np.array([[0.5, 1.5, 2.0], [0.8, 0.6, 1.1]])
SHAPED = (A, Z, np.array(1.3), np.float64(0.7), 1.4, np.zeros((0, 1, 3)))


def alike(got: Any, expected: Any, rtol: float = 1e-14) -> bool:
    """Whether two cotangents are the same, nan for nan, and of one class, dtype and shape."""
    same = type(got) is type(expected) and getattr(got, "dtype", None) == getattr(expected, "dtype", None)
    return same and np.shape(got) == np.shape(expected) and np.allclose(got, expected, rtol=rtol, equal_nan=True)


def of_call(f: Any, args: tuple[Any, ...]) -> Any:
    """The rule of a call."""
    method = find_rules(f).select(tuple(map(type, args)))  # type: ignore[union-attr]
    assert method is not None
    return method


def check_opened(f: Any, args: tuple[Any, ...]) -> None:
    """Hold the opened form of a rule to its pullback, for all needs and kinds of what flows back."""
    method = of_call(f, args)
    with np.errstate(all="ignore"):
        y, back = method.call(*args)
        for y_bar in (np.ones_like(y) * 1.7, np.zeros_like(y), 0.0, np.ones_like(y, dtype=np.float32)):
            for needs in itertools.product((True, False), repeat=len(args)):
                if not any(needs):
                    continue
                found = method.bars(needs)(y_bar, *args, y)
                found = found if sum(needs) > 1 else (found,)
                expected = [bar for bar, need in zip(back(y_bar), needs, strict=True) if need]
                rtol = 1e-6 if getattr(y_bar, "dtype", None) == np.float32 else 1e-14
                matches = [alike(d, e, rtol) for d, e in zip(found, expected, strict=True)]
                assert all(matches), (f, args, y_bar, needs, found, expected)


@pytest.mark.parametrize("f", [operator.truediv, np.divide, operator.pow, np.power, np.arctan2, np.hypot])
def test_two_operands(f: Any) -> None:
    for args in itertools.product(SHAPED, repeat=2):
        if any(isinstance(a, np.ndarray) for a in args) and of_call(f, args).bars is not None:
            check_opened(f, args)


@pytest.mark.parametrize("f", [np.log, np.sqrt, np.arcsin, np.log1p, np.cbrt])
def test_one_operand(f: Any) -> None:
    for x in SHAPED[:3]:
        check_opened(f, (x,))


def test_infinite_partials() -> None:
    check_opened(operator.truediv, (A, np.array([1.0, 0.0, 2.0])))
    check_opened(operator.truediv, (A, np.float64(0.0)))
    check_opened(np.log, (np.array([0.0, 1.0]),))
    check_opened(np.sqrt, (np.zeros(2),))
    check_opened(operator.pow, (np.array([0.0, -1.0, 2.0]), 0.5))


def test_every_opened_rule_is_of_known_partials() -> None:
    found = [m for rules in RULES.values() for m in rules.methods if m.bars is not None and m.partials is not None]
    assert len(found) > 10
    assert all(m.bars((True,) * len(m.names)) is None or m.call.form.function is not None for m in found)


def quotient(a: Any, b: Any) -> Any:
    return np.sum(np.sin(a / b))


def logarithm(a: Any, b: Any) -> Any:
    return np.sum(np.log(a * a + 1.0) * b)


def norms(a: Any, b: Any) -> Any:
    return np.linalg.norm(a) ** 3 * np.linalg.norm(b)


def product(a: Any, b: Any) -> Any:
    return np.sum(np.sin(a @ b))


def dotted(a: Any, b: Any) -> Any:
    return np.sum(np.cos(np.dot(a, b)))


def power(a: Any, b: Any) -> Any:
    return np.sum((a * a + 0.1) ** b)


def orbit(r: Any, v: Any) -> Any:
    for _ in range(3):
        v = v - 0.1 * r / np.linalg.norm(r) ** 3
        r = r + 0.1 * v
    return v @ v - 1.0 / np.linalg.norm(r)


TWICE = Z[0], Z[1]
"""Of these the second derivative is tried, too."""
PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    *((f, args) for f in (quotient, power) for args in ((A, Z), (Z, A), (Z, 2.5), (A, np.float64(1.5)))),
    (quotient, (2.5, Z)),
    (quotient, (Z, np.array(0.4))),
    (quotient, (np.zeros((0, 3)), A)),
    (quotient, (Z.astype(np.float32), A)),
    (quotient, (Z[:, ::2], Z[:, :2])),
    (logarithm, (A, Z)),
    (norms, (Z, A)),
    (norms, (np.zeros(2), A)),
    *((f, args) for f in (product, dotted) for args in ((A, A[::-1]), (Z, A), (A, Z.T), (Z, Z.T))),
    (orbit, (A, Z[0])),
    *((f, TWICE) for f in (quotient, power, logarithm, norms)),
]


@pytest.mark.parametrize(("f", "args"), PROGRAMS, ids=lambda part: getattr(part, "__name__", ""))
def test_programs(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    check_gradient(f, *args, order=2 if args is TWICE or f is dotted else 1)
    for i in range(2):
        once = grad(f, argnums=i)
        for _ in range(3):  # the third call is by its plan
            assert alike(once(*args), grad(f, argnums=(0, 1))(*args)[i])


def test_no_pullback_is_made() -> None:
    text = code_adjoint(orbit, A, Z[0])
    assert "_back" not in text.replace("pullback", "")
    assert "truediv_bars(" in text
    assert "norm_bar(" in text
    assert code_adjoint(quotient, A.astype(np.float32), A).count("truediv_back")  # a pullback casts what flows back


def test_stores_between() -> None:
    def f(x: float) -> float:
        a = np.array([x, 2.0 * x])
        b = a / np.array([x * x, 1.0])
        c = np.linalg.norm(a)
        d = a @ a
        a[0] = 5.0 * x
        return float(np.sum(b) + c + d + a @ a)

    check_gradient(f, 1.5)


def test_nothing_flows() -> None:
    def f(a: Any, b: Any) -> Any:
        q = a / b
        return np.sum(a) if q[0] > 100.0 else q[0] * 0.0 + np.sum(b)

    for got, expected in zip(grad(f, argnums=(0, 1))(A, Z[0]), (zeros_like(A), np.ones(3)), strict=True):
        np.testing.assert_array_equal(got, expected)


def test_planted(monkeypatch: pytest.MonkeyPatch) -> None:
    method = of_call(operator.truediv, (A, A))
    wrong = lambda y_bar, a, b, y: (y_bar / b, y_bar * y / b)  # noqa: E731 - the sign
    monkeypatch.setattr(method, "bars", lambda needs: wrong)
    with pytest.raises(AssertionError):
        check_opened(operator.truediv, (A, A))

    def planted(a: Any, b: Any) -> Any:
        return np.sum(np.sin(a / b))

    with pytest.raises(GradientMismatch):
        check_gradient(planted, A, Z[0])


@pytest.mark.parametrize("b", [2.0, 0.0, -0.0, math.inf, math.nan, 1e-310, 3, np.float64(0.0), np.float64(0.5)])
def test_quotients_by_numbers(b: Any) -> None:
    x = np.array([1.0, 0.0, -2.0])
    method = of_call(np.true_divide, (x, b))
    with np.errstate(all="ignore"):
        y = x / b
        for y_bar in (np.array([1.0, 0.0, 1.0]), np.array([0.0, 1e300, math.inf])):
            bar = bars_of(method.call.form, (True, False))(y_bar, x, b, y)
            assert alike(bar, np.where(y_bar == 0, 0.0, y_bar / np.float64(b)), 1e-12)
