"""Eigenvalues and eigenvectors of symmetric matrices in compiled programs."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled.needs import needs_numba

from adjoint import gradient, hessian, jacobian, pullback, value_and_grad
from adjoint.compiled import entry, numba_cache, programs
from adjoint.errors import CompileError, CompileFallbackWarning

pytest.importorskip("scipy")
Program = Callable[..., Any]
A = np.random.default_rng(0).normal(size=(5, 5))


@pytest.fixture(autouse=True)
def run_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])


def of_both(a):
    w, v = np.linalg.eigh(a + a.T)
    return np.sum(w**3) + np.sum(np.sin(v) * w)


def of_values(a):
    return np.sum(np.log(np.abs(np.linalg.eigvalsh(a))))


def by_name(a):
    found = np.linalg.eigh(a, "L")
    return found.eigenvalues[0] * found.eigenvectors[1, 2] ** 2


def in_rounds(a):
    s, m = 0.0, a
    for k in range(3):
        w, v = np.linalg.eigh(m)
        s += w[k] * v[0, k] ** 2
        m = m * 0.9 + np.outer(w, w) * 0.1
    return s


def root(a):
    w, v = np.linalg.eigh(a @ a.T)
    return np.sum((v * np.sqrt(w)) @ v.T * a)


FUNCTIONS = [of_both, of_values, by_name, in_rounds, root]


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_value_and_derivatives(f: Program) -> None:
    before = A.copy()
    y, d = value_and_grad(f, compile="strict")(A)
    expected = gradient(f, A)[0]
    assert np.isclose(y, f(A), rtol=1e-12) and np.allclose(d, expected, rtol=1e-9, atol=1e-11)
    for mode in ("forward", "reverse"):
        assert np.allclose(jacobian(f, A, mode=mode, compile="strict")[0], expected, rtol=1e-9, atol=1e-11)
    assert np.allclose(pullback(f, A, compile="strict")[1](2.0)[1], 2.0 * expected, rtol=1e-9, atol=1e-11)
    h = 1e-6 * np.random.default_rng(1).normal(size=A.shape)
    assert np.isclose((f(A + h) - f(A - h)) / 2, np.sum(h * d), rtol=1e-4)
    assert np.array_equal(A, before)


@needs_numba
@pytest.mark.parametrize("f", FUNCTIONS[:2], ids=lambda f: f.__name__)
def test_by_numba(f: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [numba_cache.by_numba])
    y, d = value_and_grad(f, compile="strict")(A)
    assert np.isclose(y, f(A), rtol=1e-9) and np.allclose(d, gradient(f, A)[0], rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize(
    "m", [np.eye(3), np.array([[2.0]]), np.zeros((0, 0)), np.full((2, 2), np.nan), np.diag([1.0, 1.0, 2.0])]
)
@pytest.mark.parametrize("f", [of_both, of_values])
def test_the_edges_are_those_of_numpy(f: Program, m: np.ndarray) -> None:
    """Values that coincide, none, one, and what is no number: as without `compile`, errors as well."""

    def outcome(compiled: Any) -> str:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", CompileFallbackWarning)
                return repr(value_and_grad(f, compile=compiled)(m))
        except Exception as error:
            return repr(error)

    assert outcome(True) == outcome(False)


def test_what_has_no_form() -> None:
    with pytest.raises(CompileError, match="second derivatives"):
        hessian(of_values, A, compile="strict")
    with pytest.raises(CompileError, match="upper triangle"):
        value_and_grad(lambda a: np.linalg.eigvalsh(a, "U")[0], compile="strict")(A)
    with pytest.raises(CompileError, match="stacks"):
        value_and_grad(lambda a: np.linalg.eigvalsh(a)[0, 0], compile="strict")(np.stack((A, A)))
