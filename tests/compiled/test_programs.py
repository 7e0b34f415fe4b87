"""Compiled programs have the value and the gradient of the plain ones: run by Python itself, and compiled by Numba."""

from __future__ import annotations

import copy
import importlib.util
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import loops, models, stores

from adjoint import Tangent, gradient, value_and_grad
from adjoint.compiled import entry, numba_cache, programs

PROGRAMS: dict[Callable[..., Any], tuple[Any, ...]] = {**loops.PROGRAMS, **stores.PROGRAMS, **models.PROGRAMS}
RUNNERS = {"python": programs.as_python}
if importlib.util.find_spec("numba") is not None:
    RUNNERS["numba"] = numba_cache.by_numba


def numbers(x: Any) -> np.ndarray:
    """All numbers of a value, one after the other."""
    if x is None:
        return np.zeros(0)
    if isinstance(x, Tangent):
        return np.concatenate([np.zeros(0), *(numbers(x[name]) for name in x)])
    if isinstance(x, tuple | list):
        return np.concatenate([np.zeros(0), *(numbers(item) for item in x)])
    return np.ravel(np.asarray(x, float))


CASES = [
    pytest.param(runner, f, id=f"{runner}-{f.__name__}")
    for k, f in enumerate(PROGRAMS)
    for runner in RUNNERS
    if runner == "python" or k % 4 == 0  # which programs Numba takes is seen in a quarter of them, at a second each
]


@pytest.mark.parametrize(("runner", "f"), CASES)
def test_value_and_gradient(runner: str, f: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [RUNNERS[runner]])
    args = copy.deepcopy(PROGRAMS[f])
    places = [i for i, x in enumerate(args) if not isinstance(x, int)]
    y, grads = value_and_grad(f, places, compile="strict")(*args)
    expected = gradient(f, *args)
    assert np.allclose(y, f(*args), rtol=1e-12, atol=0.0)
    for i, d in zip(places, grads, strict=True):
        assert type(d) is type(expected[i])
        assert np.allclose(numbers(d), numbers(expected[i]), rtol=1e-9, atol=1e-12)
    assert np.array_equal(numbers(_leaves(args)), numbers(_leaves(PROGRAMS[f])))
    again = value_and_grad(f, places, compile="strict")(*args)[1]
    assert np.array_equal(numbers(again), numbers(grads))


def _leaves(x: Any) -> Any:
    """The numbers and arrays of arguments; of objects what is in their fields."""
    if isinstance(x, tuple):
        return [_leaves(item) for item in x]
    if isinstance(x, float | int | list | np.ndarray):
        return x
    return [_leaves(item) for item in vars(x).values()] if hasattr(x, "__dict__") and not is_function(x) else []


def is_function(x: Any) -> bool:
    return isinstance(x, np.ufunc | types.FunctionType)


@pytest.mark.parametrize(("f", "x"), models.RAISING)
def test_what_a_program_raises_is_its_own(f: Callable[..., Any], x: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])
    with pytest.raises(Exception) as plain:
        f(x)
    with pytest.raises(type(plain.value)) as caught:
        value_and_grad(f, compile="strict")(x)
    assert str(caught.value).splitlines()[0] == str(plain.value)
