"""Rules of NumPy's functions as single numbers and small matrices meet them in loops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ways import check_calls, slopes

from adjoint import grad, gradient, jacobian, pullback, value_and_grad
from adjoint.testing import check_gradient

PROGRAMS: list[Callable[[float, float], Any]] = []


def program(f: Callable[[float, float], Any]) -> Callable[[float, float], Any]:
    PROGRAMS.append(f)
    return f


@program
def roots(x, y):
    s = x
    for _ in range(4):
        s = np.sqrt(s * y) + np.sqrt(x)
    return s


@program
def interpolated(x, y):
    xs, ys, zs, total = [0.0, 0.5, 2.0], (0.0, 1.0, -3.0), np.array([1, 7, 200], np.uint8), 0.0
    for k in range(-1, 5):
        total = total + np.interp(x + 0.55 * k, xs, ys) * y + np.interp(y, np.array(xs), zs)
    outside = np.interp(x - 5.0, xs, ys, left=y) + np.interp(x + 5.0, xs, ys, None, x)
    return total + outside + np.interp(x, [0, 1], [y, 2.0]) + np.interp(x, xs, ys, period=1.5)


@program
def traces(x, y):
    m = np.array([[x, y, 1.0], [x * y, 2.0, y]])
    return np.trace(m) * m.trace(1) + np.trace(m, -1) + np.trace(m, 5) + np.trace(m, axis1=1, axis2=0) * np.trace(m, 2)


@program
def determinants(x, y):
    total = 0.0
    for k in range(3):
        a = np.array([[x, y], [y, k * x]])
        total = total + np.linalg.det(a) * x + np.linalg.det(np.array([[x, y, 1.0], [y, k, x], [2.0, x, y]]))
    return total


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(f: Any) -> None:
    check_calls(f, 0.6, 0.7, near=1e-9)
    check_gradient(f, 0.6, 0.7)
    for i in (0, 1):
        second = grad(grad(f, i), (0, 1))(0.6, 0.7)
        assert second == pytest.approx(slopes(grad(f, i), 0.6, 0.7), rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("f", [traces, determinants], ids=lambda f: f.__name__)
def test_several_seeds_at_once(f: Any) -> None:
    def two(v):
        return np.array([f(v[0], v[1]), v[0]]) * v[1]

    v, h = np.array([0.6, 0.7]), 1e-6
    columns = [(two(v + h * d) - two(v - h * d)) / (2 * h) for d in np.eye(2)]
    assert jacobian(two, v)[0] == pytest.approx(np.stack(columns, axis=1), rel=1e-6)


def test_interpolation_at_the_points() -> None:
    def f(x):
        return np.interp(x, [0.0, 1.0, 1.0, 3.0], [0.0, 2.0, 4.0, 5.0])

    each = value_and_grad(f)
    slopes_there = {0.0: 2.0, 0.5: 2.0, 1.0: 0.5, 2.0: 0.5, 3.0: 0.5, -1.0: 0.0, 4.0: 0.0}
    assert {x: each(x)[1] for x in slopes_there} == slopes_there
    assert value_and_grad(lambda x: np.interp(x, [1.0], [2.0]))(1.0)[1] == 0.0
    assert value_and_grad(lambda x: np.interp(x, [0.0, 1.0], [0.0, 3.0]))(np.nan)[1] == 3.0
    assert [float(d) for d in gradient(lambda x: np.sum(np.interp(x, [0, 9], [200, 100])), np.array([0.5]))[0]] == [
        pytest.approx(-100 / 9)
    ]


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.float32])
def test_points_of_few_bits(kind: Any) -> None:
    xs, ys = np.array([0, 100, 120]).astype(kind), np.array([120, 5, 100]).astype(kind)
    assert gradient(lambda x: np.interp(x, xs, ys), 50.0)[0] == pytest.approx(-1.15)
    assert gradient(lambda x: np.sum(np.interp(x, xs, ys)), np.array([50.0]))[0] == pytest.approx([-1.15])


def test_the_determinant_of_two_rows_that_are_singular() -> None:
    a = np.array([[1.0, 2.0], [2.0, 4.0]])
    assert gradient(np.linalg.det, a)[0].tolist() == [[4.0, -2.0], [-2.0, 1.0]]
    assert gradient(np.linalg.det, a.astype(np.float32))[0].dtype == np.float32
    assert gradient(np.linalg.det, np.zeros((2, 2)))[0].tolist() == [[0.0, 0.0], [0.0, 0.0]]
    z = a + 1j * a.T
    y, back = pullback(np.linalg.det, z)
    assert back(1.0)[1] == pytest.approx(np.array([[z[1, 1], -z[1, 0]], [-z[0, 1], z[0, 0]]]).conj())
    stack = np.stack([a, a + np.eye(2)])
    assert gradient(lambda m: np.sum(np.linalg.det(m)), stack)[0] == pytest.approx(
        np.stack([gradient(np.linalg.det, m)[0] for m in stack])
    )


@pytest.mark.parametrize("x", [2.0, np.float64(2.0), np.float32(2.0)])
def test_a_root_keeps_the_type_of_its_argument(x: Any) -> None:
    (d,) = gradient(np.sqrt, x)
    assert d == pytest.approx(0.5 / np.sqrt(2.0), rel=1e-6)
    assert type(d) is type(x)
    assert gradient(np.sqrt, type(x)(0)) == (np.inf,)
    assert gradient(lambda x: np.sqrt(x) * 0.0, type(x)(0)) == (0.0,)


def test_what_stands_beside_a_diagonal_gets_nothing() -> None:
    _, back = pullback(np.trace, np.ones((2, 3)))
    assert back(np.inf)[1].tolist() == [[np.inf, 0.0, 0.0], [0.0, np.inf, 0.0]]
    for shape, options in [
        ((3, 2), {"offset": -1}),
        ((2, 3, 2), {"axis1": 2, "axis2": 0}),
        ((0, 2), {}),
        ((2, 2), {"offset": 9}),
    ]:
        check_gradient(lambda a, kw=options: np.trace(a, **kw), np.random.default_rng(0).normal(size=shape))
