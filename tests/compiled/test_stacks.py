"""Stacks of matrices in compiled programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled.needs import needs_numba

from adjoint import gradient, value_and_grad
from adjoint.compiled import entry, numba_cache, programs

rng = np.random.default_rng(0)
A, B, M, V = rng.normal(size=(3, 2, 4)), rng.normal(size=(3, 4, 2)), rng.normal(size=(4, 2)), rng.normal(size=4)
S = rng.normal(size=(3, 3, 3)) + 3.0 * np.eye(3)
R = rng.normal(size=(3, 3, 2))

CASES: list[tuple[str, Callable[..., Any], tuple[Any, ...]]] = [
    ("products", lambda a, b: np.sum(np.sin(a @ b)), (A, B)),
    ("by_a_matrix", lambda a, m: np.sum((a @ m) ** 2), (A, M)),
    ("of_a_matrix", lambda m, a: np.sum((m @ a) ** 2), (M, A)),
    ("by_a_vector", lambda a, v: np.sum(np.sin(a @ v)), (A, V)),
    ("of_a_vector", lambda v, b: np.sum(np.sin(v @ b)), (V, B)),
    ("one_for_all", lambda a, b: np.sum((a[:1] @ b) ** 2), (A, B)),
    ("none", lambda a, b: np.sum((a[:0] @ b[:0]) ** 2) + a[0, 0, 0], (A, B)),
    ("inv", lambda s: np.sum(np.linalg.inv(s) ** 2), (S,)),
    ("det", lambda s: np.sum(np.sin(np.linalg.det(s))), (S,)),
    ("slogdet", lambda s: np.sum(np.linalg.slogdet(s)[1] * np.linalg.slogdet(s).sign), (S,)),
    ("cholesky", lambda s: np.sum(np.linalg.cholesky(s @ np.swapaxes(s, 1, 2)) ** 3), (S,)),
    ("solve", lambda s, r: np.sum(np.linalg.solve(s, r) ** 2), (S, R)),
    ("in_rounds", lambda s, r: sum([np.sum(np.linalg.solve(s * k, r)) for k in (1.0, 2.0)]), (S, R)),
]


def check(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    every = tuple(range(len(args)))
    y, grads = value_and_grad(f, every, compile="strict")(*args)
    assert np.isclose(y, f(*args), rtol=1e-10)
    for d, expected in zip(grads, gradient(f, *args), strict=True):
        assert np.allclose(d, expected, rtol=1e-9, atol=1e-11)


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
        if name in ("products", "of_a_vector", "solve"):
            check(f, args)


def test_errors_are_those_of_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])
    with pytest.raises(ValueError, match="matmul"):
        value_and_grad(lambda a, b: np.sum(a @ b), compile="strict")(A, A)
    with pytest.raises(np.linalg.LinAlgError, match="Singular"):
        value_and_grad(lambda s: np.sum(np.linalg.inv(s)), compile="strict")(np.zeros((2, 3, 3)))
