"""Pullbacks in two compiled halves that share a tape."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import loops, stores
from compiled.needs import needs_numba
from compiled.vectors import VECTORS, Pair, X, recurrence

from adjoint import gradient, jacobian, pullback
from adjoint.compiled import entry, programs
from adjoint.errors import CompileError, CompileFallbackWarning
from adjoint.finite.differences import random_like
from adjoint.finite.structure import cotangent_like
from adjoint.inspect import code_adjoint
from adjoint.tangents import densify
from adjoint.tangents.blocks import parts

PROGRAMS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    *loops.PROGRAMS.items(), *stores.PROGRAMS.items(), *[(f, (X, a)) for f in VECTORS for a in (0.7, -0.4)]
]  # fmt: skip


@pytest.fixture
def as_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])


def numbers(d: Any) -> np.ndarray:
    return np.concatenate([*[np.ravel(part) for part in parts(d)], np.zeros(0)])


def hold(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    """The value and the cotangents of the plain pullback, also at a second call of `back`; inputs as they were."""
    before = copy.deepcopy(args)
    y, back = pullback(f, *args)
    y_bar = cotangent_like(y, lambda leaf: random_like(leaf, np.random.default_rng(0)))
    expected = back(y_bar)
    found, back = pullback(f, *args, compile="strict")
    assert np.allclose(numbers(found), numbers(y), rtol=1e-12, atol=0.0)
    for _ in range(2):
        for bar, other, x in zip(back(y_bar)[1:], expected[1:], args, strict=True):
            if not isinstance(x, int):
                assert np.allclose(numbers(densify(bar, x)), numbers(densify(other, x)), rtol=1e-9, atol=1e-12)
    assert str(args) == str(before)


@pytest.mark.usefixtures("as_python")
@pytest.mark.parametrize(("f", "args"), PROGRAMS, ids=lambda x: getattr(x, "__name__", ""))
def test_programs(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    hold(f, args)


@needs_numba
@pytest.mark.parametrize("f", [loops.uses_if, stores.by_while, recurrence], ids=lambda f: f.__name__)
def test_by_numba(f: Callable[..., Any]) -> None:
    hold(f, {**dict(PROGRAMS)}[f])


@pytest.mark.usefixtures("as_python")
def test_what_a_function_captures_and_its_defaults() -> None:
    def made(a: float, w: np.ndarray) -> Callable[..., Any]:
        def g(x, k=2.0):
            return x * a * w.sum() * k

        return g

    g = made(2.0, np.ones(2))
    y, back = pullback(g, 3.0, compile="strict")
    bars, plain = back(1.0), pullback(g, 3.0)[1](1.0)
    assert y == 24.0 and bars[1] == plain[1]
    assert all(np.array_equal(bars[0][name], plain[0][name]) for name in ("a", "w", "k"))
    assert pullback(g, 3.0, k=1.0, compile="strict")[1](1.0)[1] == 4.0


@pytest.mark.usefixtures("as_python")
def test_a_part_of_the_cotangent_and_results_that_are_changed() -> None:
    def f(x):
        out = np.zeros(3)
        for i in range(3):
            out[i] = x[i] * x[i]
        return {"all": out, "sum": np.sum(out * out)}

    x = np.arange(3.0)
    y, back = pullback(f, x, compile="strict")
    y["all"][:] = 7.0  # the tape has its own
    assert np.array_equal(back({"all": None, "sum": 1.0})[1], 4.0 * x**3)
    assert np.array_equal(back({"all": np.ones(3), "sum": None})[1], 2.0 * x)
    assert back(None)[1] is None


@pytest.mark.usefixtures("as_python")
def test_integers() -> None:
    def power(x, n):
        y = 1.0
        for _ in range(n):
            y = y * x
        return y

    assert pullback(power, 2.0, 3, compile="strict")[1](1.0)[1:] == (12.0, None)
    with pytest.raises(CompileError, match="gradient by integers"):
        pullback(lambda x, n: x * n, 2.0, 3, compile="strict")
    with pytest.warns(CompileFallbackWarning, match="a method that is bound"):
        assert pullback(Pair(X, X).total, compile=True)[0] == X.sum()


@needs_numba
def test_functions_of_numba() -> None:
    import numba

    @numba.njit
    def inner(x, a):
        s = 0.0
        for i in numba.prange(len(x)):
            s += x[i] * x[i] * a
        return s

    @numba.njit
    def outer(x, a=2.0):
        return inner(x, a) + np.sum(x)

    def plain(x, a):
        values = sorted(x)  # it is not compiled
        return outer(np.sin(x), a=a) * values[0]

    def in_python(x, a):
        return (np.sum(np.sin(x) ** 2 * a) + np.sum(np.sin(x))) * sorted(x)[0]

    assert "prange(" in code_adjoint(inner, np.ones(4), 2.0, compile=True)
    x = np.linspace(0.3, 1.0, 4)
    for found, expected in zip(gradient(plain, x, 1.5), gradient(in_python, x, 1.5), strict=True):
        assert np.allclose(found, expected)
    assert np.allclose(gradient(outer, x, 1.5)[0], 3.0 * x + 1.0)
    assert np.allclose(gradient(outer, x)[0], 4.0 * x + 1.0)
    assert np.allclose(jacobian(outer, x, argnums=0, compile="strict"), 4.0 * x + 1.0)
    second = jacobian(lambda x: gradient(plain, x, 1.5)[0], x)[0]
    assert np.allclose(second, jacobian(lambda x: gradient(in_python, x, 1.5)[0], x)[0])


@needs_numba
def test_functions_of_numba_that_are_not_compiled_run_by_their_source() -> None:
    import numba

    @numba.njit
    def smallest(x):
        return np.partition(x, 1)[0] * x[0]

    x = np.array([3.0, 2.0])
    with pytest.warns(CompileFallbackWarning):
        assert np.array_equal(gradient(smallest, x)[0], [2.0, 3.0])


def test_the_face_is_pickled_as_the_function_is() -> None:
    assert pickle.loads(pickle.dumps(recurrence)) is recurrence
