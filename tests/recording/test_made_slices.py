"""Slices that a call of `slice` makes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import pullback
from adjoint.errors import NoRuleError


def test_ends_that_are_differentiated_are_refused() -> None:
    def f(x: Any) -> Any:
        made = slice(x * x, x)
        return made.start * made.stop

    with pytest.raises(NoRuleError, match="a slice of numbers that are not whole"):
        pullback(f, 0.7)


def test_whole_ends_are_followed() -> None:
    def f(x: Any) -> Any:
        class Window:
            part = slice(1, None)

        held = [slice(0, 2), slice(2), Window.part]
        w = np.array([x, x * x, 2.0])
        return float(sum([(w[part] * (i + 1)).sum() for i, part in enumerate(held)])) * held[0].stop

    y, back = pullback(f, 0.7)
    assert y == f(0.7)
    assert back(1.0)[1] == pytest.approx((f(0.7 + 1e-6) - f(0.7 - 1e-6)) / 2e-6)
