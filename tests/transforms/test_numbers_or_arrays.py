"""A variable that holds a number on one path and an array on another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import gradient

REDUCTIONS: list[Any] = [
    np.sum,
    np.mean,
    np.max,
    np.prod,
    np.linalg.norm,
    lambda v: np.ravel(v)[0],
    lambda v: np.reshape(v, (-1,)).sum(),
    lambda v: np.transpose(v).sum(),
    lambda v: np.dot(v, v).sum(),
    lambda v: np.cumsum(v)[-1],
]


@pytest.mark.parametrize("reduce", REDUCTIONS)
@pytest.mark.parametrize("flag", [True, False])
def test_one_branch_has_a_number(reduce: Any, flag: bool) -> None:
    def f(x: Any) -> Any:
        w = 1.0 if flag else np.ones(3)
        return reduce(x * w)

    x, h = 1.5, 1e-6
    assert gradient(f, x)[0] == pytest.approx((f(x + h) - f(x - h)) / (2 * h), rel=1e-6)


@pytest.mark.parametrize("reduce", REDUCTIONS)
@pytest.mark.parametrize("n", [0, 2])
def test_a_loop_that_may_have_no_rounds(reduce: Any, n: int) -> None:
    def f(x: Any) -> Any:
        s: Any = 0
        for i in range(n):
            s = s + x * i
        return reduce(s)

    x, h = np.array([1.0, 1.25]), 1e-6
    expected = [(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(2)]
    np.testing.assert_allclose(gradient(f, x)[0], expected, rtol=1e-6)
