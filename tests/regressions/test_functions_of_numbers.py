"""Functions of `math` and `cmath` that are given objects: they run `__float__`, whatever items these have."""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, jvp, pullback, value_and_grad

from .differences import check

# mypy: disable-error-code="no-untyped-def, arg-type, misc"


class Number:
    def __init__(self, v):
        self.v = v
        self.asked = 0.0

    def __float__(self):
        return self.v * self.v


class Both(Number):
    def __iter__(self):
        return iter([self.v, self.v])


class Noting(Both):
    def __float__(self):
        self.asked += self.v
        return self.v * 1.0


class Items:
    def __init__(self, v):
        self.v = v

    def __iter__(self):
        return iter([self.v, self.v])


class Sequence:
    def __init__(self, v):
        self.v = v

    def __getitem__(self, i):
        return [self.v, self.v][i]


def elementary(x, y):
    return math.sin(Both(x)) * math.exp(Number(y)) + math.log(Both(x), Both(y)) + math.erf(Both(y))


def of_two(x, y):
    return math.pow(Both(x), y) + math.atan2(y, Number(x)) + math.hypot(Both(x), Both(y), x)


def of_parts(x, y):
    return math.ldexp(Both(x), 2) * math.frexp(Number(y))[0] + math.modf(Both(y))[0] * math.copysign(Both(x), y)


def of_one_object(x, y):
    o = Both(x)
    return math.hypot(o, o) * float(o) + cmath.exp(o).real * y


def storing(x, y):
    o = Noting(x)
    a = math.sqrt(o)
    o.v = y
    return a * math.sin(o) * o.asked


def items_of_it(x, y):
    o = Both(x)
    return math.fsum(o) * sum(o) + math.dist(o, Items(y)) + math.sin(o)


@pytest.mark.parametrize("f", [elementary, of_two, of_parts, of_one_object, storing, items_of_it])
def test_an_object_is_the_number_that_it_says(f: Any) -> None:
    check(f, 1.5, 2.25, order=2)
    g, y_dot = gradient(f, 1.5, 2.25), jvp(f, (1.5, 2.25), (0.7, -0.4))[1]
    np.testing.assert_allclose(y_dot, 0.7 * g[0] - 0.4 * g[1], 1e-12)


def test_a_number_that_is_held_by_an_argument() -> None:
    y, back = pullback(lambda o: math.sin(o) * math.pow(o, 2.0), Both(1.5))
    assert y == math.sin(2.25) * 2.25**2
    np.testing.assert_allclose(back(1.0)[1].v, 3.0 * (math.cos(2.25) * 2.25**2 + 2.0 * 2.25 * math.sin(2.25)))


@pytest.mark.filterwarnings("ignore::adjoint.errors.CompileFallbackWarning")
@pytest.mark.parametrize("cls", [Items, Sequence])
@pytest.mark.parametrize("f", [math.sin, math.gamma, cmath.exp, math.ldexp, math.frexp])
def test_what_only_has_items_is_no_number(f: Any, cls: Any) -> None:
    others = (1,) if f is math.ldexp else ()

    def given(x):
        return f(cls(x), *others)

    with pytest.raises(TypeError) as expected:
        given(1.5)
    for way in (gradient, lambda f, x: jvp(f, (x,), (1.0,)), lambda f, x: value_and_grad(f, compile=True)(x)):
        with pytest.raises(TypeError) as raised:
            way(given, 1.5)
        assert str(raised.value) == str(expected.value)


def test_an_object_that_fails_leaves_what_it_has_stored() -> None:
    class Failing(Number):
        def __float__(self):
            kept.append(self.v * 3.0)
            raise ValueError("no number")

    kept: list[Any] = []

    def f(x, y):
        kept.clear()
        try:
            return math.pow(Both(x), Failing(y))
        except ValueError:
            return kept[0] * x

    assert gradient(f, 1.5, 2.25) == (6.75, 4.5)
