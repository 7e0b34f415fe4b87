"""What must hold for a program of one number, recorded: the plain value bit by bit, and both derivatives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from adjoint.recording.entry import recorded
from adjoint.testing import check_gradient


def slope(f: Callable[[float], Any], x: float) -> Any:
    """The derivative of a recorded program, or of one that is itself one."""
    y, back, _ = recorded(f, x)
    return back(1.0)[1] * 1.0


def check_recorded(f: Callable[[float], Any], x: float = 1.3) -> None:
    """Check a program that is recorded, and what the library makes of it by itself."""
    wanted = f(x)
    y, back, _ = recorded(f, x)
    assert (type(y), repr(y)) == (type(wanted), repr(wanted))
    h = 1e-6
    found = back(1.0)[1]
    assert (0.0 if found is None else found) == pytest.approx((f(x + h) - f(x - h)) / (2 * h), rel=1e-6, abs=1e-7)
    assert repr(back(1.0)[1]) == repr(found)
    check_gradient(f, x, order=2)
