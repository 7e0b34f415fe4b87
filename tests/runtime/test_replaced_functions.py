"""Functions that are replaced in their module, NumPy's too: the next call is of the new one, in all modes."""

import math
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, pushforward


def scaled(x: Any) -> Any:
    s = 0.0
    for _ in range(3):
        s = s + np.exp(x)
    return s


def of_math(x: Any) -> Any:
    return math.sin(x) * x


def inverse_of(x: Any) -> Any:
    return np.linalg.det(np.array([[x, 1.0], [0.5, 2.0]]))


@pytest.mark.parametrize(
    "module, name, f", [(np, "exp", scaled), (math, "sin", of_math), (np.linalg, "det", inverse_of)]
)
def test_replaced(monkeypatch: Any, module: Any, name: str, f: Any) -> None:
    for x in (0.5, np.float64(0.5)):
        for _ in range(3):
            before = gradient(f, x)[0]
        monkeypatch.setattr(module, name, lambda v: 3.0 * np.sum(v))
        h = 1e-6
        expected = (f(x + h) - f(x - h)) / (2 * h)
        for _ in range(3):
            assert gradient(f, x)[0] == pytest.approx(expected)
            assert pushforward(f, (x,), (1.0,))[1] == pytest.approx(expected)
        monkeypatch.undo()
        assert gradient(f, x)[0] == before
