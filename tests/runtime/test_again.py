"""What is found at run time, differentiated again: handlers of classes, methods, partial functions, attributes."""

# ruff: noqa: B007, B023, E731 - what is captured is the point

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient


def difference(f: Callable[[float], float], x: float) -> float:
    return (f(x + 1e-5) - f(x - 1e-5)) / 2e-5


class Base:
    def __init__(self, x: float) -> None:
        self.x = x

    @property
    def square(self) -> float:
        return self.x * self.x

    def times(self, k: float) -> float:
        return self.x * k


class Derived(Base):
    @property
    def square(self) -> float:
        return super().square * self.x

    def times(self, k: float) -> float:
        parent = super()
        return parent.times(k) * super().square

    def twice(self, k: float) -> float:
        g = super().times
        return g(k) * g(k)


class Registered(type):
    """A class of classes that counts the instances."""

    made = 0

    def __call__(cls, *args: Any) -> Any:
        Registered.made = Registered.made + 1
        return super().__call__(*args)


def scaled(v: float, factor: float = 1.0, offset: float = 0.0) -> float:
    return v * v * factor * factor + offset * offset


def of_partials(x: float) -> float:
    line = partial(scaled, factor=x)
    return line(x, offset=2.0) * partial(line, offset=x)(x)


def of_keywords(x: float) -> float:
    options = {"factor": x, "offset": x * x}
    return scaled(x, **options) * scaled(factor=x, v=2.0)


def of_default(x: float) -> float:
    def f(v: float, w: float = x * x) -> float:
        return v * w

    g = [f]
    return g[0](x) * g[0](v=2.0)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: Derived(x).square,
        lambda x: Derived(x).times(x),
        lambda x: Derived(x).twice(x),
        of_partials,
        of_keywords,
        of_default,
        lambda x: replace(Point(x, 2.0), y=x * x).y * x,
        lambda x: [Point(x, y) for y in (x, 2.0)][0].norm(),
        lambda x: complex(x, x * x).conjugate().imag * x,
        lambda x: max([x, x * x, 0.1], key=abs) * min(x, 2 * x, key=lambda v: (v - 1) ** 2),
        lambda x: math.dist((x, 1.0), (0.0, x * x)),
    ],
)
def test_orders_of_what_is_met_at_run_time(f: Any) -> None:
    for _ in range(3):
        d = grad(f)
        assert d(1.3) == pytest.approx(difference(f, 1.3), rel=1e-4, abs=1e-4)
        f = d


@dataclass
class Point:
    x: float
    y: float

    def norm(self) -> float:
        return self.x * self.x * self.y


# Variables that are bound again after a function has captured them, and results that are remembered.


def captured_then_rebound(x: Any) -> Any:
    a = x
    f = lambda v: a * v * v
    a = a * x * 2
    return f(x) + a


def gradient_by_what_was_rebound(x: Any) -> Any:
    a = x
    f = lambda v: a * v * v
    a = a * 2
    return grad(f)(x) + a * x


def captured_in_each_round(x: Any) -> Any:
    total = x
    fs = []
    for i in range(3):
        fs.append(lambda v: v * total)
        total = total * x
    return sum(f(x) for f in fs) * total


def stages(x: Any) -> Any:
    for stage in [math.exp, lambda v: v - x, math.atan, lambda v: v * v]:
        x = stage(x)
    return x


def a_gradient_within_a_gradient(x: Any) -> Any:
    a = x
    f = lambda v: a * v
    g = lambda v: grad(f)(v) * v
    a = a * x
    s = grad(g)(x) * x
    a = a * x
    return s + grad(g)(x) * a


def functions_of_each_other(x: Any) -> Any:
    def even(n):
        return x if n == 0 else odd(n - 1) * x

    def odd(n):
        return 1.0 if n == 0 else even(n - 1) + x

    return even(4)


def called_by_a_list(x: Any) -> Any:
    y = x

    def g(v):
        return v * y

    h = [g]

    def k(v):
        return grad(lambda w: h[0](w) * w)(v)

    y = y * x
    return k(x) + y * h[0](x)


def rebound_in_branches(x: Any) -> Any:
    if x > 0:
        a = x * x
        f = lambda v: v * a
        if a > 0.5:
            a = a * x
    else:
        a = 1.0
        f = lambda v: v
    while a < 5:
        a = a * 1.5 + x
    return f(a)


def memo_of_labels(x: Any) -> Any:
    @functools.lru_cache
    def fib(n):
        return x if n < 2 else fib(n - 1) * 0.5 + fib(n - 2) * x

    return fib(12)


@functools.lru_cache(None)
def poly(n, x):
    return 1.0 if n == 0 else x * poly(n - 1, x) + poly(n - 2 if n > 1 else 0, x)


def memo_of_numbers(x: Any) -> Any:
    return poly(7, x) * x


def called_for_what_it_captures(x: Any) -> Any:
    c = x
    g = lambda t: t * c
    c = x * x
    x = g(2.0)
    return c * x


def called_for_what_it_captures_twice(x: Any) -> Any:
    c = x
    g = lambda t: t + x
    c = g(x * x)
    g = lambda t: t * x + c
    x = g(1.29)
    return x * x


def called_where_a_branch_needs_it(x: Any) -> Any:
    b, xs = x, [x]
    for _ in range(2):
        for e in [x, 1.0]:
            b = e * b
        g = lambda t: b
        b = g(xs[-1] if len(xs) > 1 else 0.3)
    return b


@pytest.mark.parametrize(
    "f",
    [
        called_where_a_branch_needs_it,
        called_for_what_it_captures,
        called_for_what_it_captures_twice,
        captured_then_rebound,
        gradient_by_what_was_rebound,
        captured_in_each_round,
        stages,
        a_gradient_within_a_gradient,
        functions_of_each_other,
        called_by_a_list,
        rebound_in_branches,
        memo_of_labels,
        memo_of_numbers,
    ],
)
def test_orders_of_what_is_shared(f: Any) -> None:
    for _ in range(2 if f is a_gradient_within_a_gradient else 3):
        d = grad(f)
        assert d(1.3) == pytest.approx(difference(f, 1.3), rel=1e-4, abs=1e-4)
        f = d


def test_a_class_whose_class_says_what_calling_it_means() -> None:
    class Counted(metaclass=Registered):
        def __init__(self, x: float) -> None:
            self.x = x

    Registered.made = 0
    assert gradient(lambda x: Counted(x).x * Counted(3 * x).x, 2.0) == (12.0,)
    assert Registered.made == 2


def test_an_operator_on_sets() -> None:
    assert gradient(lambda x: sum({x} | {2 * x}), 2.0) == (3.0,)


@pytest.mark.parametrize("side", ["left", "right", "both"])
def test_matmul_of_lists(side: str) -> None:
    w = np.array([3.0, 5.0])
    f = {"left": lambda xs: xs @ w, "right": lambda xs: w @ xs, "both": lambda xs: np.matmul(xs, xs)}[side]
    (d,) = gradient(f, [1.0, 2.0])
    assert d == ([2.0, 4.0] if side == "both" else [3.0, 5.0])


def test_gradients_of_functions_with_any_number_of_arguments() -> None:
    cube = lambda x: x**3
    first = lambda *a: gradient(cube, *a)[0]
    second = lambda *a: gradient(first, *a)[0]
    by_sum = lambda x: gradient(lambda *a: a[0] ** 3 + len(a), x)[0]
    assert gradient(second, 1.1) == (pytest.approx(6.0),)
    assert gradient(by_sum, 1.1) == (pytest.approx(6.6),)


def of_medians(x: Any) -> Any:
    return np.median(np.array([[x, 2 * x, x * x], [1.0, x, 3.0]]), axis=1).sum()


def of_blocks(x: Any) -> Any:
    return np.block([[np.array([x]), np.array([x * x])]]).sum()


@pytest.mark.parametrize("f", [of_medians, of_blocks])
def test_shapes_carry_no_derivative_in_any_order(f: Any) -> None:
    d = grad(f)
    assert grad(d)(1.3) == pytest.approx(difference(d, 1.3), abs=1e-6)
