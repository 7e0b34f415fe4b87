"""Gradients of programs that nobody here wrote, against differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad
from adjoint.errors import AdjointError


def differences(f: Callable[[Any], Any], x: Any, h: float = 1e-6) -> Any:
    """The gradient by central differences."""
    slope = np.zeros_like(x)
    for i in np.ndindex(*x.shape):
        step = np.zeros_like(x)
        step[i] = h
        slope[i] = (np.asarray(f(x + step)).item() - np.asarray(f(x - step)).item()) / (2 * h)
    return slope


def check(f: Callable[[Any], Any], *x: float, rtol: float = 1e-5, atol: float = 1e-6) -> None:
    """Hold the gradient at a point to differences."""
    at = np.array(x)
    np.testing.assert_allclose(grad(f)(at.copy()), differences(f, at), rtol=rtol, atol=atol)


def refused(f: Callable[..., Any], reason: str, *x: Any) -> None:
    """Assert that a gradient is refused for this reason."""
    with pytest.raises(AdjointError, match=reason) as caught:
        grad(f)(*x)
    assert caught.value.why and caught.value.way_out
