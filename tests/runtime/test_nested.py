"""Derivatives of derivatives, to the fourth order: right, never of the wrong variable, and not too long."""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, pullback, value_and_grad
from adjoint.inspect import cache_clear, cache_info

Real = Callable[[float], float]


def bell(x: float) -> float:
    return math.exp(x * x)


def wave(v: float) -> float:
    return v**6 + math.cos(v)


def bell_1(x: float) -> float:
    return grad(bell)(x)


def bell_2(x: float) -> float:
    return grad(grad(bell))(x)


def bell_3(x: float) -> float:
    return grad(grad(grad(bell)))(x)


def bell_4(x: float) -> float:
    return grad(grad(grad(grad(bell))))(x)


def wave_1(x: float) -> float:
    return grad(wave)(x)


def wave_2(x: float) -> float:
    return grad(grad(wave))(x)


def wave_3(x: float) -> float:
    return grad(grad(grad(wave)))(x)


def wave_4(x: float) -> float:
    return grad(grad(grad(grad(wave))))(x)


def bells(x: float) -> list[float]:
    """The derivatives of e^(x²), by hand."""
    e = math.exp(x * x)
    return [
        2 * x * e,
        (2 + 4 * x**2) * e,
        (12 * x + 8 * x**3) * e,
        (12 + 48 * x**2 + 16 * x**4) * e,
    ]


def waves(x: float) -> list[float]:
    """The derivatives of x⁶ + cos x, by hand."""
    return [
        6 * x**5 - math.sin(x),
        30 * x**4 - math.cos(x),
        120 * x**3 + math.sin(x),
        360 * x**2 + math.cos(x),
    ]


CLOSED = [
    (bell, (bell_1, bell_2, bell_3, bell_4), bells),
    (wave, (wave_1, wave_2, wave_3, wave_4), waves),
]


@pytest.mark.parametrize("x", [-0.7, 0.0, 0.5])
@pytest.mark.parametrize("order", [1, 2, 3, 4])
@pytest.mark.parametrize(("f", "nested", "closed"), CLOSED, ids=["bell", "wave"])
def test_orders_by_grad(f: Real, nested: Any, closed: Any, order: int, x: float) -> None:
    expected = pytest.approx(closed(x)[order - 1], rel=1e-12, abs=1e-12)
    assert nested[order - 1](x) == expected
    assert gradient(nested[order - 2] if order > 1 else f, x)[0] == expected
    d: Any = f
    for _ in range(order):
        d = grad(d)
    assert d(x) == expected


def test_orders_of_one_name() -> None:
    """Each order has a rule of its own, whatever order they are asked for in."""
    for order in (3, 1, 4, 2, 1):
        cache_clear()
        assert CLOSED[0][1][order - 1](0.5) == pytest.approx(bells(0.5)[order - 1], rel=1e-12)


# Each gradient is by its own variable: what an inner function captures belongs to the outer derivative.


def captures(x: float) -> float:
    return x * gradient(lambda y: x + y, 1.0)[0]


def captures_a_factor(x: float) -> float:
    return x * gradient(lambda y: x * y, 2.0)[0]


def captures_and_meets_itself(x: float) -> float:
    return gradient(lambda v: gradient(lambda u: u**3 * v, x)[0], x)[0]


def captures_by_grad(x: float) -> float:
    return grad(lambda y: x * y * grad(lambda z: x * y * z * z)(y))(x)


def captures_two_levels_up(x: float) -> float:
    return gradient(lambda y: gradient(lambda z: gradient(lambda w: x * y * z * w * w, z)[0], y)[0], x)[0]


def captures_in_a_loop(x: float) -> float:
    total = 0.0
    for _ in range(3):
        total = total + x * gradient(lambda y: math.sin(x * y), x)[0]
    return total


def captures_with_value(x: float) -> float:
    y, d = value_and_grad(lambda y: x * y * y)(x)
    return y * d


def captures_through_a_pullback(x: float) -> float:
    y, back = pullback(lambda y: x * y * y, x)
    return y * back(x)[1]


def captures_a_default(x: float) -> float:
    return gradient(lambda y, k=2.0: y * y * k, x)[0]


@pytest.mark.parametrize(
    ("f", "first", "second"),
    [
        (captures, 1.0, 0.0),  # x
        (captures_a_factor, 4.0, 2.0),  # x²
        (captures_and_meets_itself, 12.0, 6.0),  # x³
        (captures_by_grad, 192.0, 288.0),  # d/dy 2x²y³ at y = x: 6x⁴
        (captures_with_value, 160.0, 320.0),  # 2x⁵
        (captures_two_levels_up, 32.0, 16.0),  # 8x²
        (captures_through_a_pullback, 384.0, 960.0),  # 2x⁶
        (captures_in_a_loop, None, None),
        (captures_a_default, 4.0, 0.0),  # 4x
    ],
)
def test_each_gradient_is_by_its_own_variable(f: Real, first: Any, second: Any) -> None:
    d = grad(f)(2.0)
    assert d == pytest.approx(first if first is not None else difference(f, 2.0), rel=1e-6)
    dd = grad(grad(f))(2.0)
    assert dd == pytest.approx(second if second is not None else difference(grad(f), 2.0), rel=1e-6, abs=1e-6)


def with_default(x: float, n: int = 3) -> float:
    return x**n


def with_more(x: float, *more: float, **named: float) -> float:
    return x**3


def with_keyword(x: float, *, n: int = 3) -> float:
    return x**n


class Cube:
    """A method with a default, and a call."""

    def cube(self, x: float, n: int = 3) -> float:
        return x**n

    def __call__(self, x: float) -> float:
        return x**3


CUBE = Cube()
PARTIAL = functools.partial(with_default, n=3)


@pytest.mark.parametrize(
    "outer",
    [
        lambda x: gradient(with_default, x)[0],
        lambda x: grad(with_default)(x),
        lambda x: gradient(with_more, x)[0],
        lambda x: gradient(with_keyword, x)[0],
        lambda x: gradient(CUBE.cube, x)[0],
        lambda x: gradient(CUBE, x)[0],
        lambda x: gradient(PARTIAL, x)[0],
        lambda x: gradient(lambda u, v: u * v**3, 1.0, x)[1],
        lambda x: grad(lambda u, v: u * v**3, "v")(1.0, x),
        lambda x: grad(lambda u, v: u * v**3, argnums=(0, 1))(1.0, x)[1],
    ],
)
def test_parameters_of_the_inner_function(outer: Real) -> None:
    assert outer(2.0) == pytest.approx(12.0)
    assert gradient(outer, 2.0)[0] == pytest.approx(12.0)


def test_captured_arrays() -> None:
    def f(x: Any) -> Any:
        return np.sum(gradient(lambda y: np.sum(x * y**3) * x[0], x)[0] * x)

    x = np.array([0.5, -1.2, 2.0])
    np.testing.assert_allclose(gradient(f, x)[0], differences(f, x), rtol=1e-6)


# Loops and branches.


def loop(x: float, n: int) -> float:
    y = x
    for _ in range(n):
        y = 3.3 * y * (1 - y) if y > 0.5 else math.sin(y) + 0.33
    return y


def loop_1(x: float, n: int) -> float:
    return gradient(loop, x, n)[0]


def loop_2(x: float, n: int) -> float:
    return gradient(loop_1, x, n)[0]


def loop_3(x: float, n: int) -> float:
    return gradient(loop_2, x, n)[0]


def loop_4(x: float, n: int) -> float:
    return gradient(loop_3, x, n)[0]


def halves(x: float, n: int) -> float:
    """A `while` with two ways out."""
    y = x * x
    while n > 0:
        n -= 1
        if y > 4.0:
            return math.log(y) * x
        if y < 0.5:
            y = y + x * 0.7
            continue
        y = y * y * 0.9
    return y * x


def halves_1(x: float, n: int) -> float:
    return gradient(halves, x, n)[0]


def halves_2(x: float, n: int) -> float:
    return gradient(halves_1, x, n)[0]


def halves_3(x: float, n: int) -> float:
    return gradient(halves_2, x, n)[0]


def halves_4(x: float, n: int) -> float:
    return gradient(halves_3, x, n)[0]


LOOPS = [
    (loop, loop_1),
    (loop_1, loop_2),
    (loop_2, loop_3),
    (loop_3, loop_4),
    (halves, halves_1),
    (halves_1, halves_2),
    (halves_2, halves_3),
    (halves_3, halves_4),
]


def difference(f: Callable[..., float], x: float, *more: Any) -> float:
    return (f(x + 1e-6, *more) - f(x - 1e-6, *more)) / 2e-6


@pytest.mark.parametrize("n", [0, 1, 7])
@pytest.mark.parametrize("x", [0.3, 0.8])
@pytest.mark.parametrize(("f", "d"), LOOPS)
def test_orders_of_loops_with_branches(f: Any, d: Any, x: float, n: int) -> None:
    assert d(x, n) == pytest.approx(difference(f, x, n), rel=1e-5, abs=1e-4)


@pytest.mark.parametrize(
    ("d", "args", "most"),
    [
        (bell_4, (0.5,), 400),
        (wave_4, (0.5,), 400),
        (loop_2, (0.3, 10), 200),
        (loop_3, (0.3, 10), 1000),
        (loop_4, (0.3, 10), 2500),
    ],
)
def test_lines_of_higher_orders(d: Any, args: Any, most: int) -> None:
    cache_clear()
    d(*args)
    assert 0 < cache_info().lines < most
    lines = cache_info().lines
    d(*args)
    assert cache_info().lines == lines


# Arrays.

WEIGHTS = np.arange(1.0, 4.0)


def tanhs(x: Any) -> Any:
    return np.sum(np.tanh(x) * x[0])


def tanhs_1(x: Any) -> Any:
    return np.sum(gradient(tanhs, x)[0] * WEIGHTS)


def tanhs_2(x: Any) -> Any:
    return np.sum(gradient(tanhs_1, x)[0] ** 2)


def slices(x: Any) -> Any:
    total = 0.0
    for i in range(2):
        total = total + (x[i:] ** 3).sum() * x[i + 1]
    return total


def slices_1(x: Any) -> Any:
    return gradient(slices, x)[0][::-1] @ WEIGHTS


def slices_2(x: Any) -> Any:
    return gradient(slices_1, x)[0][1] * x[2]


def matrices(x: Any) -> Any:
    a = np.outer(x, x) + np.eye(3) * 4
    return np.sum(np.sin(a @ x)) + a[1, 2] * a[0, :].sum()


def matrices_1(x: Any) -> Any:
    return np.sum(gradient(matrices, x)[0] * WEIGHTS)


def matrices_2(x: Any) -> Any:
    return np.sum(gradient(matrices_1, x)[0] * x)


def differences(f: Callable[[Any], Any], x: Any) -> Any:
    return np.array([(f(x + 1e-6 * e) - f(x - 1e-6 * e)) / 2e-6 for e in np.eye(x.size)])


@pytest.mark.parametrize("f", [tanhs, tanhs_1, tanhs_2, slices, slices_1, slices_2, matrices, matrices_1, matrices_2])
def test_orders_of_arrays(f: Any) -> None:
    x = np.array([0.3, -0.2, 0.5])
    np.testing.assert_allclose(gradient(f, x)[0], differences(f, x), rtol=1e-5, atol=1e-5)
    assert x.tolist() == [0.3, -0.2, 0.5]


# What is found only at run time.


def found(x: float, functions: list[Real]) -> float:
    return functions[0](x)


def found_1(x: float, functions: list[Real]) -> float:
    return gradient(functions[0], x)[0]


def found_2(x: float, functions: list[Real]) -> float:
    return gradient(found_1, x, functions)[0]


def found_3(x: float, functions: list[Real]) -> float:
    return gradient(found_2, x, functions)[0]


def found_4(x: float, functions: list[Real]) -> float:
    return gradient(found_3, x, functions)[0]


def test_functions_found_at_run_time() -> None:
    """In any order of asking."""
    x, by_hand = 1.1, waves(1.1)
    for _ in range(2):
        for found_k, derivative in zip([found_1, found_2, found_3, found_4], by_hand, strict=True):
            assert found_k(x, [wave]) == pytest.approx(derivative)
    assert gradient(found, x, [wave])[0] == pytest.approx(by_hand[0])


def valley(x: Any, y: Any) -> Any:
    return (1 - x) ** 2 + 100 * (y - x * x) ** 2


@pytest.mark.parametrize("p", [np.array([1.0, 2.0]), [1.0, 2.0], (1.0, 2.0)])
def test_what_is_spread_comes_back_as_it_was(p: Any) -> None:
    def f(p: Any) -> Any:
        return valley(*p) + sum(p) ** 2

    (found,) = gradient(lambda p: sum(gradient(f, p)[0]), p)
    assert type(found) is type(p)
    assert list(found) == [6.0, -196.0]


def test_high_orders_are_generated_once() -> None:
    def f(x: Any) -> Any:
        return x**x + pow(2.0, x) + x**-2.5 + sum(v**i for i, v in enumerate([x, x * x], 1))

    g = grad(grad(grad(f)))
    for _ in range(3):
        g(1.3)
    before = cache_info().generated
    g(1.4)
    assert cache_info().generated == before
