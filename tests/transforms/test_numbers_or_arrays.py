"""A variable that holds a number on one path and an array on another."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from regressions import differences

from adjoint import gradient
from adjoint.inspect import code_adjoint

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


@pytest.mark.parametrize(
    "function", [np.sqrt, np.log, np.exp, np.abs, lambda v: np.maximum(v, 0.5), math.sqrt, math.exp]
)
def test_functions_of_an_item_of_an_array_give_a_number(function: Any) -> None:
    """Their sum is one of numbers, which nothing has to be looked up for when it runs."""

    def f(x: Any) -> Any:
        s = 0.0
        for i in range(len(x)):
            s += function(x[i]) * s + function(x[i])
        return s

    x = np.array([0.75, 1.25, 2.5])
    differences.check(f, x, order=2)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_root_of_an_item(dtype: Any) -> None:
    def f(x: Any) -> Any:
        s = 0.0
        for i in range(len(x)):
            s += np.sqrt(x[i])
        return s

    x = np.array([0.25, 1.0, 4.0], dtype)
    d = gradient(f, x)[0]
    assert d.dtype == dtype
    np.testing.assert_allclose(d, [1.0, 0.5, 0.25], 1e-6)
    assert dtype is np.float32 or "in_place" not in code_adjoint(f, x)
