"""Arrays that loops bind anew: what is stored into them is seen by all that has the array they begin with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from compiled import rebound

import adjoint
from adjoint import value_and_grad
from adjoint.compiled import entry, loops, programs
from adjoint.errors import CompileError


@pytest.fixture(autouse=True)
def run_by_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entry, "COMPILER", [programs.as_python])


def run(f: Callable[..., Any], x: np.ndarray) -> tuple[Any, list[np.ndarray]]:
    """The result, and what the argument and all state are afterwards."""
    rebound.reset()
    x = x.copy()
    y = f(x)
    return y, [x, rebound.STATE.copy(), rebound.HELD.v.copy()]


def differences(f: Callable[..., Any], h: float = 1e-6) -> np.ndarray:
    v = rebound.V
    return np.array([(run(f, v + h * e)[0] - run(f, v - h * e)[0]) / (2 * h) for e in np.eye(len(v))])


@pytest.mark.parametrize("f", rebound.COMPILED, ids=lambda f: f.__name__)
def test_what_is_stored_is_seen(f: Callable[..., Any]) -> None:
    y, state = run(f, rebound.V)
    compiled_y, compiled_state = run(adjoint.compile(f, strict=True), rebound.V)
    assert np.isclose(compiled_y, y, rtol=1e-12)
    np.testing.assert_allclose(compiled_state, state, rtol=1e-12)
    (value, d), state_of_gradient = run(value_and_grad(f, compile="strict"), rebound.V)
    assert np.isclose(value, y, rtol=1e-12)
    np.testing.assert_allclose(state_of_gradient, state, rtol=1e-12)
    np.testing.assert_allclose(d, differences(f), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("f", rebound.REFUSED, ids=lambda f: f.__name__)
def test_where_it_cannot_be_followed_the_other_tier_runs(f: Callable[..., Any]) -> None:
    with pytest.raises(CompileError):
        run(adjoint.compile(f, strict=True), rebound.V)
    y, state = run(f, rebound.V)
    with pytest.warns(adjoint.errors.CompileFallbackWarning):
        (value, d), state_of_gradient = run(value_and_grad(f, compile=True), rebound.V)
    assert np.isclose(value, y, rtol=1e-12)
    np.testing.assert_allclose(state_of_gradient, state, rtol=1e-12)
    np.testing.assert_allclose(d, differences(f), rtol=1e-6, atol=1e-8)


WITHOUT_LINKS = [rebound.second_name_of_local, rebound.part_before_a_while, rebound.no_round_at_all]


@pytest.mark.parametrize("f", WITHOUT_LINKS, ids=lambda f: f.__name__)
def test_planted_a_loop_that_begins_with_a_copy(f: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loops.Carried, "link_copies", lambda self: None)
    adjoint.inspect.cache_clear()
    y, _ = run(adjoint.compile(f, strict=True), rebound.V)
    adjoint.inspect.cache_clear()
    assert not np.isclose(y, run(f, rebound.V)[0])
