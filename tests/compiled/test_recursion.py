"""Functions that call themselves, in compiled programs."""

from __future__ import annotations

import copy
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compiled.needs import needs_numba
from compiled.recursions import (
    OF_INTEGERS,
    PROGRAMS,
    REFUSED,
    WITH_HELD_ARRAYS,
    A,
    by_squaring,
    fibonacci,
    minors_in_loops,
    of_rounds,
    tree,
)

import adjoint
from adjoint import Tangent, gradient, pullback, value_and_grad
from adjoint.compiled import entry, numba_cache, programs
from adjoint.errors import CompileError

Program = Callable[..., Any]
HALVES = [
    f for f in PROGRAMS if type(PROGRAMS[f][0]) in (float, np.ndarray) and f not in OF_INTEGERS + WITH_HELD_ARRAYS
]
CHEAP = [minors_in_loops, tree, fibonacci]


@pytest.fixture(autouse=True)
def run_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])


def numbers(x: Any) -> np.ndarray:
    """All numbers of a cotangent, one after the other."""
    if isinstance(x, Tangent):
        x = [x[name] for name in x]
    if isinstance(x, tuple | list):
        return np.concatenate([np.zeros(0), *map(numbers, x)])
    return np.zeros(0) if x is None else np.ravel(np.asarray(x, float))


def places_of(args: tuple[Any, ...]) -> list[int]:
    return [
        i
        for i, x in enumerate(args)
        if not isinstance(x, int) and getattr(x, "dtype", np.dtype(float)) == np.dtype(float)
    ]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_value_and_gradient(f: Program) -> None:
    args = copy.deepcopy(PROGRAMS[f])
    places = places_of(args)
    y, grads = value_and_grad(f, places, compile="strict")(*args)
    expected = gradient(f, *args)
    assert np.isclose(y, f(*args), rtol=1e-12)
    for i, d in zip(places, grads, strict=True):
        assert np.allclose(numbers(d), numbers(expected[i]), rtol=1e-9, atol=1e-12)
    assert np.isclose(adjoint.compile(f)(*args), y, rtol=1e-14)


@pytest.mark.parametrize("f", HALVES, ids=lambda f: f.__name__)
def test_pullback(f: Program) -> None:
    args = PROGRAMS[f]
    y, back = pullback(f, *args, compile="strict")
    expected = gradient(f, *args)[0]
    for scale in (1.0, -2.0, 1.0):
        assert np.allclose(back(scale)[1], scale * np.asarray(expected), rtol=1e-9, atol=1e-12)
    h = 1e-6 * np.random.default_rng(1).normal(size=np.shape(args[0]))
    slope = (f(args[0] + h, *args[1:]) - f(args[0] - h, *args[1:])) / 2
    assert np.isclose(slope, np.sum(h * expected), rtol=1e-4, atol=1e-12)


@needs_numba
@pytest.mark.parametrize("f", CHEAP, ids=lambda f: f.__name__)
def test_by_numba(f: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [numba_cache.by_numba])
    args = PROGRAMS[f]
    y, d = value_and_grad(f, compile="strict")(*args)
    assert np.isclose(y, f(*args), rtol=1e-12) and np.allclose(d, gradient(f, *args)[0], rtol=1e-9)
    assert np.allclose(pullback(f, *args, compile="strict")[1](2.0)[1], 2.0 * np.asarray(d))


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
def test_what_cannot_be_carried_is_refused(f: Program) -> None:
    with pytest.raises(CompileError):
        value_and_grad(f, compile="strict")(0.7)


def test_what_goes_deeper_than_python_is_left_to_it() -> None:
    def down(x: float, n: int) -> float:
        return x if n == 0 else down(x * 0.5, n - 1)

    assert value_and_grad(down, 0, compile="strict")(1.0, 100) == (2.0**-100, 2.0**-100)
    with pytest.raises(RecursionError):
        value_and_grad(down, 0, compile="strict")(1.0, 100_000)


def test_what_is_raised_deep_down_is_what_plain_python_raises() -> None:
    def down(x: float, n: int) -> float:
        if x > 2.0:
            raise ValueError(f"too large after {n}")
        return 1.0 / (x - 1.0) if n == 0 else down(x * 1.5, n - 1)

    with pytest.raises(ValueError, match="too large after 3"):
        value_and_grad(down, 0, compile="strict")(1.0, 5)
    with pytest.raises(ZeroDivisionError):
        value_and_grad(down, 0, compile="strict")(1.0, 0)
    assert np.isclose(value_and_grad(down, 0, compile="strict")(0.1, 2)[1], -(1.5**2) / (0.1 * 1.5**2 - 1.0) ** 2)


def test_arrays_that_rounds_hand_on_are_not_shared_by_halves() -> None:
    with pytest.raises(CompileError, match="in a pullback"):
        pullback(of_rounds, *PROGRAMS[of_rounds], compile="strict")


def test_directions_are_left_to_numpy() -> None:
    with pytest.raises(CompileError, match="Jacobians"):
        adjoint.hessian(by_squaring, 1.3, 5, argnums=0, compile="strict")
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        found = adjoint.hessian(by_squaring, 1.3, 5, argnums=0, compile=True)
    assert np.isclose(found, 20 * 1.3**3) and len(seen) == 1


def test_source() -> None:
    text = adjoint.inspect.code_adjoint(by_squaring, 1.3, 5, compile=True)
    assert "def by_squaring_taped(" in text and "def by_squaring_reversed(" in text


def test_written_to_a_file(tmp_path: Path) -> None:
    adjoint.calculus.to_file(tmp_path / "det.py", minors_in_loops, A)
    space: dict[str, Any] = {}
    exec((tmp_path / "det.py").read_text(), space)  # noqa: S102 - what has just been written
    y, (d,) = space["value_and_grad"](A)
    assert np.isclose(y, np.linalg.det(A)) and np.allclose(d, gradient(minors_in_loops, A)[0])


@needs_numba
def test_functions_of_numba_that_call_themselves() -> None:
    import numba

    compiled = numba.njit(_power)
    assert np.isclose(gradient(compiled, 1.3, 11)[0], 11 * 1.3**10)
    assert np.isclose(gradient(lambda x: compiled(x, 3) * x, 1.3)[0], 4 * 1.3**3)


def _power(x: float, n: int) -> float:
    return 1.0 if n == 0 else x * _power(x, n - 1)


def test_threads() -> None:
    f = value_and_grad(minors_in_loops, compile="strict")
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(f(A)[1])) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert all(np.array_equal(d, found[0]) for d in found) and len(found) == 4
