"""Objects that programs make by an `__init__` of their own, and closures that store, in compiled programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled.needs import needs_numba
from compiled.objects import FUNCTIONS, REFUSED, Body, V, by_assertion

from adjoint import gradient, hessian, jacobian, pullback, value_and_grad
from adjoint.compiled import entry, numba_cache, programs
from adjoint.errors import CompileError

Program = Callable[..., Any]


@pytest.fixture(autouse=True)
def run_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])


def differences(f: Program, x: np.ndarray, h: float = 1e-6) -> np.ndarray:
    return np.array([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(len(x))])


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_value_and_gradient(f: Program) -> None:
    y, d = value_and_grad(f, compile="strict")(V)
    assert np.isclose(y, f(V), rtol=1e-12)
    assert np.allclose(d, differences(f, V), rtol=1e-6, atol=1e-7)
    assert np.allclose(d, gradient(f, V)[0], rtol=1e-9, atol=1e-12)
    y, back = pullback(f, V, compile="strict")
    assert all(np.allclose(back(scale)[1], scale * d) for scale in (1.0, 2.0))
    assert np.allclose(jacobian(f, V, mode="forward", compile="strict")[0], d)
    assert np.allclose(hessian(f, V, compile="strict"), hessian(f, V), rtol=1e-8, atol=1e-10)


@needs_numba
@pytest.mark.parametrize("f", FUNCTIONS[:6], ids=lambda f: f.__name__)
def test_by_numba(f: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [numba_cache.by_numba])
    y, d = value_and_grad(f, compile="strict")(V)
    assert np.isclose(y, f(V), rtol=1e-12) and np.allclose(d, gradient(f, V)[0], rtol=1e-9)


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
def test_what_cannot_be_carried_is_refused(f: Program) -> None:
    with pytest.raises(CompileError):
        value_and_grad(f, compile="strict")(V)


def test_exceptions() -> None:
    with pytest.raises(AssertionError):
        value_and_grad(by_assertion, compile="strict")(1000.0 * np.abs(V))
    with pytest.raises(ValueError, match="math domain|positive"):
        value_and_grad(by_assertion, compile="strict")(-V)


def test_objects_that_are_no_result() -> None:
    with pytest.raises(CompileError):
        pullback(lambda x: Body(x, x), 1.0, compile="strict")
