"""What a generated function captures keeps its position in programs that are made of it, whatever these still read."""

from __future__ import annotations

import numpy as np
import pytest

from adjoint.compat.autograd.test_util import check_grads
from adjoint.inspect import cache_clear
from adjoint.runtime import tables


def product(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return a * b


def test_third_derivatives_of_a_program_for_any_arguments(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second function meets programs for any arguments, of which less is left for its own: its cotangents by what
    the programs capture were looked for at other positions, and lost."""
    monkeypatch.setattr(tables, "MAX_PER_KEY", 1)
    cache_clear()
    try:
        for f in (np.multiply, product):
            check_grads(f, (0, 1), modes=["rev"], order=3)(np.array([0.3, 0.7]), np.array([2.0, 1.5]))
    finally:
        cache_clear()
