"""Functions of `scipy.special` in compiled programs: the same values and derivatives, far out and at edges, too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled.needs import needs_numba

from adjoint import gradient, hessian, value_and_grad
from adjoint.compiled import entry, numba_cache, programs
from adjoint.errors import CompileError

special = pytest.importorskip("scipy.special")
V = np.array([0.3, -0.7, 1.4, 0.9, -0.2])
FAR = np.array([-40.0, -26.0, -24.0, -8.0, -1.0, 0.5, 6.0, 9.0])
POSITIVE = np.array([1e-3, 0.2, 0.9, 1.0, 1.5, 2.0, 9.9, 10.0, 45.0])
NEGATIVE = np.array([-0.3, -1.5, -2.7, -9.2, -30.1])
M = np.random.default_rng(0).normal(size=(3, 4))

CASES: list[tuple[str, Callable[..., Any], tuple[Any, ...]]] = [
    ("erf", lambda x: np.sum(special.erf(x) * x) + special.erf(x[0]), (V,)),
    ("erfc", lambda x: np.sum(special.erfc(x) * x), (FAR / 4.0,)),
    ("expit", lambda x: np.sum(special.expit(x) * x) + special.expit(x[0]), (FAR,)),
    ("logit", lambda x: np.sum(special.logit(x) * x), (np.array([0.1, 0.5, 0.99]),)),
    ("log_expit", lambda x: np.sum(special.log_expit(x) * x), (FAR,)),
    ("xlogy", lambda x, y: np.sum(special.xlogy(x, y) * x), (np.array([0.0, 0.5, 2.0]), np.array([3.0, 0.1, 2.0]))),
    ("xlogy_number", lambda x, y: special.xlogy(x, y) * x, (0.3, 0.7)),
    ("xlog1py", lambda x, y: np.sum(special.xlog1py(x, y) * x), (V, np.abs(V))),
    ("entr", lambda x: np.sum(special.entr(x) * x), (POSITIVE,)),
    ("gammaln", lambda x: np.sum(special.gammaln(x) * x), (POSITIVE,)),
    ("gammaln_below", lambda x: np.sum(special.gammaln(x) * x), (NEGATIVE,)),
    ("gamma", lambda x: np.sum(special.gamma(x) / x), (POSITIVE,)),
    ("gamma_below", lambda x: np.sum(special.gamma(x) * x), (NEGATIVE,)),
    ("psi", lambda x: np.sum(special.psi(x) * x) + special.digamma(x[1]), (POSITIVE,)),
    ("psi_below", lambda x: np.sum(special.psi(x) * x), (NEGATIVE,)),
    ("ndtr", lambda x: np.sum(special.ndtr(x) * x), (FAR,)),
    ("log_ndtr", lambda x: np.sum(special.log_ndtr(x) * x), (FAR,)),
    ("logsumexp", lambda x: special.logsumexp(x) ** 2, (FAR,)),
    ("logsumexp_axis", lambda x: np.sum(special.logsumexp(x, axis=1) ** 2), (M,)),
    ("logsumexp_kept", lambda x: np.sum(x * special.logsumexp(x, axis=0, keepdims=True)), (M,)),
    ("logsumexp_infinite", lambda x: special.logsumexp(x), (np.array([-np.inf, 1.0, -np.inf]),)),
    ("softmax", lambda x: np.sum(special.softmax(x) * x) + np.sum(special.softmax(x, axis=1) * x), (M,)),
    ("log_softmax", lambda x: np.sum(special.log_softmax(x, axis=-1) * x), (M,)),
    ("others", lambda x: np.sum(special.expm1(x) * special.log1p(x) * special.exp2(x) * special.cbrt(x)), (V,)),
]


def check(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    every = tuple(range(len(args)))
    y, grads = value_and_grad(f, every, compile="strict")(*args)
    assert np.isclose(y, f(*args), rtol=1e-12, atol=1e-14)
    for d, expected in zip(grads, gradient(f, *args), strict=True):
        assert np.allclose(d, expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(("name", "f", "args"), CASES, ids=[case[0] for case in CASES])
def test_as_without_compiling(
    name: str, f: Callable[..., Any], args: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])
    check(f, args)


@needs_numba
def test_by_numba(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [numba_cache.by_numba])
    for name, f, args in CASES:
        if name in ("gammaln", "gamma_below", "log_ndtr", "softmax", "logsumexp_infinite"):
            check(f, args)


def test_second_derivatives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])

    def f(x):
        return np.sum(special.gammaln(x) * special.psi(x) + special.logsumexp(x) * special.log_ndtr(x))

    x = POSITIVE[2:]
    assert np.allclose(hessian(f, x, compile="strict"), hessian(f, x), rtol=1e-10)


def test_what_has_no_form() -> None:
    for f in (lambda x: np.sum(special.j0(x)), lambda x: special.logsumexp(x, b=x), lambda x: special.softmax(x[0])):
        with pytest.raises(CompileError):
            value_and_grad(f, compile="strict")(V)
