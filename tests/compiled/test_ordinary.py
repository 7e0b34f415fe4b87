"""Ordinary programs, compiled: as without, or refused."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled.ordinary import CASES, REFUSED, V

from adjoint import Tangent, gradient, value_and_grad
from adjoint.compiled import entry, programs
from adjoint.errors import CompileError


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


@pytest.mark.parametrize(("f", "args"), CASES, ids=[f.__name__ for f, _ in CASES])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_as_without_compiling(f: Callable[..., Any], args: tuple[Any, ...], sign: float) -> None:
    args = tuple([sign * x if isinstance(x, np.ndarray) else x for x in args])
    places = [i for i, x in enumerate(args) if not isinstance(x, int | str)]
    y, grads = value_and_grad(f, places, compile="strict")(*copy.deepcopy(args))
    expected = gradient(f, *copy.deepcopy(args))
    assert np.isclose(y, f(*copy.deepcopy(args)), rtol=1e-12)
    for i, d in zip(places, grads, strict=True):
        assert np.allclose(numbers(d), numbers(expected[i]), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
def test_what_is_refused(f: Callable[..., Any]) -> None:
    with pytest.raises(CompileError):
        value_and_grad(f, compile="strict")(V)
