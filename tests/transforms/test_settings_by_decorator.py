"""Functions under `np.errstate(...)` as a decorator: what is set around their calls, and their derivatives."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ways import check_everywhere, slope

from adjoint import grad, gradient, pullback
from adjoint.derivatives.choice import is_structured_call
from adjoint.ir import decorated


@np.errstate(divide="ignore", invalid="ignore")
def entropy(p):
    return float(np.sum(np.where(p > 0, -p * np.log(p), 0.0)))


@np.errstate(all="raise")
def strict(x, power=2.0):
    return np.float64(x) ** power / (np.float64(x) - 1.0)


def in_a_loop(x):
    total = 0.0
    for i in range(4):
        total += strict(x + i) * i
    return float(total)


def by_keyword(x):
    return float(strict(x, power=3.0))


def of_an_array(x):
    return entropy(x * np.array([0.0, 0.5, 0.2])) * x


PROGRAMS = [in_a_loop, by_keyword]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_derivatives(f: Callable[..., Any]) -> None:
    check_everywhere(f, 1.7)
    _, back = pullback(f, 1.7)
    assert back(1.0) == back(1.0)
    assert grad(grad(f))(1.7) == pytest.approx(slope(grad(f), 1.7), rel=1e-6)
    assert is_structured_call(f, (1.7,))


def test_nothing_warns() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(3):
            assert pullback(of_an_array, 0.6)[0] == of_an_array(0.6)


@pytest.mark.parametrize("f", [in_a_loop, strict], ids=lambda f: f.__name__)
def test_what_the_settings_raise_is_raised_and_they_are_put_back(f: Any) -> None:
    before = np.geterr()
    for _ in range(3):
        with pytest.raises(FloatingPointError, match="divide by zero"):
            gradient(f, 1.0)
        assert np.geterr() == before


def test_one_that_calls_where_an_error_occurs_runs_as_it_is() -> None:
    @np.errstate(divide="call", call=lambda kind, flag: None)
    def divided(x):
        return np.float64(2.0) / (np.float64(x) - 1.0) * 0.0 + x

    def twice(x):
        return float(divided(x)) * 2.0

    assert decorated.around(divided) is None
    assert gradient(twice, 3.0) == (2.0,)


def test_planted_settings_that_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    def bare(function: Any, *given: Any) -> Any:
        return function(*given[5:])

    monkeypatch.setattr(decorated, "under_settings_by_place", bare)

    def program(x):
        return float(strict(x)) * 3.0

    with pytest.raises(pytest.fail.Exception), np.errstate(all="ignore"), pytest.raises(FloatingPointError):
        gradient(program, 1.0)
