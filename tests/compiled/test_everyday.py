"""Programs as people write them every day, compiled: as without, or refused, and never another thing."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from compiled import everyday
from compiled.needs import needs_numba
from compiled.test_ordinary import numbers

import adjoint
from adjoint import gradient, value_and_grad
from adjoint.compiled import entry, numba_cache, programs
from adjoint.errors import CompileError


@pytest.fixture(autouse=True)
def run_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])


def check(f: Any, args: tuple[Any, ...]) -> None:
    given = copy.deepcopy(args)
    y, bar = value_and_grad(f, compile="strict")(*given)
    assert np.isclose(y, f(*args), rtol=1e-12)
    assert np.allclose(numbers(bar), numbers(gradient(f, *args)[0]), rtol=1e-9, atol=1e-12)
    assert repr(given) == repr(args)


@pytest.mark.parametrize(("f", "args"), everyday.CASES)
def test_as_without_compiling(f: Any, args: tuple[Any, ...]) -> None:
    check(f, args)


@pytest.mark.parametrize("f", everyday.REFUSED, ids=lambda f: f.__name__)
def test_what_is_refused(f: Any) -> None:
    with pytest.raises(CompileError, match="cannot be compiled") as found:
        value_and_grad(f, compile="strict")(1.7)
    assert "a fault of the compiled tier" not in str(found.value)


@pytest.mark.parametrize("f", [everyday.filtered, everyday.two_sides, everyday.two_lists], ids=lambda f: f.__name__)
def test_derivatives_of_lists_that_some_rounds_append_to(f: Any) -> None:
    x = everyday.V
    assert np.allclose(adjoint.hessian(f, x, compile="strict"), adjoint.hessian(f, x), rtol=1e-10)
    y, back = adjoint.pullback(f, x, compile="strict")
    assert np.isclose(y, f(x)) and np.allclose(back(2.0)[1], 2.0 * gradient(f, x)[0])


def test_attributes_of_classes_and_defaults_may_change(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = value_and_grad(everyday.of_class, compile="strict")
    assert compiled(1.5)[0] == everyday.of_class(1.5)
    monkeypatch.setattr(everyday.Constants, "k", 5.0)
    assert compiled(1.5) == value_and_grad(everyday.of_class)(1.5)

    closures = value_and_grad(everyday.calls_closures, compile="strict")
    assert closures(1.7) == pytest.approx(value_and_grad(everyday.calls_closures)(1.7))
    monkeypatch.setattr(everyday.twice.__closure__[0], "cell_contents", 7.0)
    assert closures(1.7) == pytest.approx(value_and_grad(everyday.calls_closures)(1.7))
    monkeypatch.setattr(everyday, "thrice", everyday.times(11.0))
    assert closures(1.7) == pytest.approx(value_and_grad(everyday.calls_closures)(1.7))

    falls = value_and_grad(everyday.falls, compile="strict")
    before = falls(1.2)
    monkeypatch.setattr(everyday.step, "__defaults__", (1.62,))
    assert falls(1.2) == pytest.approx(value_and_grad(everyday.falls)(1.2)) and falls(1.2) != before


@needs_numba
def test_by_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [numba_cache.by_numba])
    some = everyday.two_sides, everyday.falls, everyday.float_ranges, everyday.integer_of_numpy, everyday.cut_off
    for f, args in everyday.CASES:
        if f in some:
            check(f, args)
