"""Programs that leave something behind besides their arguments, held to Python: values, state and derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from storing_plans import without_plans

from adjoint import grad, pullback
from adjoint.derivatives import choice
from adjoint.finite.structure import identical

Making = Callable[[], tuple[Callable[..., Any], Callable[[], Any]]]
"""Gives a new function of one number or array, and another one that tells what it has left behind."""
STEP = 1e-6


def hold_state(make: Making, x: Any, second: bool = True, structured: bool = True) -> None:
    """A program that gives a number has Python's value, and leaves what Python leaves, by its structure and recorded
    alike; its slope is that of central differences, and so is the `second` one."""
    choice.forget()
    f, state = make()
    y = f(x)
    left = state()
    expected = _slope(lambda x: make()[0](x), x)
    for _ in range(4):
        f, state = make()
        value, back = pullback(f, x)
        assert identical(value, y), (value, y)
        assert identical(state(), left), (state(), left)
        bar = back(1.0)[1]
        np.testing.assert_allclose(0.0 if bar is None else bar, expected, rtol=1e-5, atol=1e-7)
        assert identical(back(1.0)[1], bar)
        assert identical(state(), left), "`back` has changed what is there"
        f, state = make()
        np.testing.assert_allclose(grad(f)(x), expected, rtol=1e-5, atol=1e-7)
        assert identical(state(), left), (state(), left)
    assert choice.was_recorded(make()[0]) is not structured, "it was recorded" if structured else "it was not"
    _hold_recorded(make, x, y, left, bar)
    if second:
        slope = _slope(lambda x: float(np.sum(grad(make()[0])(x))), x)
        f, _ = make()
        np.testing.assert_allclose(grad(lambda x: np.sum(grad(f)(x)))(x), slope, rtol=1e-4, atol=1e-5)


def _hold_recorded(make: Making, x: Any, y: Any, left: Any, bar: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        without_plans(patch)
        patch.setattr("adjoint.derivatives.shared_call", lambda *args: None)
        patch.setattr("adjoint.derivatives.written_call", lambda *args: None)
        patch.setattr("adjoint.derivatives.keeps_structure", lambda *args: False)
        choice.forget()
        f, state = make()
        value, back = pullback(f, x)
        assert identical(value, y) and identical(state(), left)
        again = back(1.0)[1]
        zero = np.zeros(np.shape(x))
        np.testing.assert_allclose(zero if bar is None else bar, zero if again is None else again, 1e-9, 1e-12)
    choice.forget()


def hold_error(make: Making, x: Any, error: type[Exception]) -> None:
    """A program that raises leaves what Python leaves, and raises that."""
    f, state = make()
    with pytest.raises(error) as expected:
        f(x)
    left = state()
    for _ in range(3):
        f, state = make()
        with pytest.raises(error) as found:
            pullback(f, x)
        assert str(found.value) == str(expected.value)
        assert identical(state(), left), (state(), left)


def _slope(f: Callable[[Any], Any], x: Any) -> Any:
    if np.ndim(x) == 0:
        return (f(x + STEP) - f(x - STEP)) / (2 * STEP)
    slopes = np.zeros(np.shape(x))
    for i in np.ndindex(np.shape(x)):
        moved = np.zeros(np.shape(x))
        moved[i] = STEP
        slopes[i] = (f(x + moved) - f(x - moved)) / (2 * STEP)
    return slopes
