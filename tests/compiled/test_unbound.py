"""Variables that are bound on some paths only, and loops that are left: as in plain Python, errors as well."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled.needs import needs_numba
from compiled.unbound import ARRAYS, PROGRAMS, found_or_else, tuple_carried_to_a_break, tuple_returned

from adjoint import gradient, pullback, value_and_grad
from adjoint.compiled import entry, numba_cache, programs

Program = Callable[..., Any]


def outcome(run: Callable[[], Any]) -> Any:
    """What a call gives, or the type of what it raises."""
    try:
        return run()
    except Exception as error:
        return type(error)


def check(f: Program, x: np.ndarray) -> None:
    plain = outcome(lambda: f(x))
    found = outcome(lambda: value_and_grad(f, compile="strict")(x))
    if isinstance(plain, type):
        assert found is plain
        return
    assert np.isclose(found[0], plain, rtol=1e-14) and np.allclose(found[1], gradient(f, x)[0], rtol=1e-12)
    assert np.allclose(pullback(f, x, compile="strict")[1](2.0)[1], 2.0 * found[1])


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_as_plain_python(f: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])
    for x in ARRAYS:
        check(f, x)


@needs_numba
@pytest.mark.parametrize("f", [found_or_else, tuple_carried_to_a_break, tuple_returned], ids=lambda f: f.__name__)
def test_by_numba(f: Program, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [numba_cache.by_numba])
    for x in ARRAYS:
        check(f, x)
