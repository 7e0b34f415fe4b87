"""Forward mode of calls with stars: functions and objects that take `*args` and `**kwargs`, in orders of derivative."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import grad, jvp, vjp
from adjoint.compat import autograd
from adjoint.inspect import cache_clear, cache_info

H = 1e-5


class Scaled:
    """An object that is called with anything."""

    def __init__(self, scale: float) -> None:
        self.scale = scale

    def __call__(self, *args: float, **kwargs: float) -> float:
        total = 0.0
        for i, x in enumerate(args):
            total = total + self.scale * np.sin(x) * (i + 1.0)
        for name in kwargs:
            total = total * kwargs[name]
        return total


def of_object(x: float) -> float:
    return Scaled(x)(x, 2.0, x * x, by=x + 1.0)


def of_stars(x: float) -> float:
    def inner(first: float, *rest: float, power: float = 2.0, **more: float) -> float:
        return first * sum(rest) ** power + more.get("shift", x) * more["last"]

    return inner(x, x, x * x, last=x) + inner(x, 1.0, power=x, shift=2.0, last=3.0)


def of_defaults(x: float) -> float:
    def inner(*rest: float, scale: float = x) -> float:
        return scale * rest[0] + rest[1]

    return inner(x, x * x) + inner(1.0, x, scale=x**3)


def of_nothing_that_moves(x: float) -> float:
    return x * Scaled(2.0)(0.5, 1.0, by=3.0)


FUNCTIONS = [of_object, of_stars, of_defaults]


def test_a_call_of_which_nothing_moves() -> None:
    assert jvp(of_nothing_that_moves, (0.7,), (2.0,))[1] == 2 * of_nothing_that_moves(1.0)


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
def test_tangents_and_their_tangents(f: Any) -> None:
    x = 0.7
    slope = (f(x + H) - f(x - H)) / (2 * H)
    bend = (f(x + H) - 2 * f(x) + f(x - H)) / H**2

    def along(x: float) -> Any:
        return jvp(f, (x,), (1.0,))[1]

    def back(x: float) -> Any:
        return vjp(f, x)[1](1.0)[0]

    assert jvp(f, (x,), (1.0,)) == (f(x), pytest.approx(slope, rel=1e-8))
    assert grad(f)(x) == pytest.approx(slope, rel=1e-8)
    for second in (
        jvp(along, (x,), (1.0,))[1],
        jvp(back, (x,), (1.0,))[1],
        jvp(grad(f), (x,), (1.0,))[1],
        grad(along)(x),
        grad(back)(x),
        grad(grad(f))(x),
    ):
        assert second == pytest.approx(bend, rel=1e-4, abs=1e-5)


@pytest.mark.parametrize("f", [of_object, of_stars], ids=lambda f: f.__name__)
def test_the_third_order(f: Any) -> None:
    x = 0.7

    def along(x: float) -> Any:
        return jvp(grad(f), (x,), (1.0,))[1]

    third = grad(grad(grad(f)))(x)
    assert grad(along)(x) == pytest.approx(third)


def test_tangents_of_autograds_gradients_are_few_programs() -> None:
    def f(d: dict[str, Any]) -> Any:
        return np.sum(np.sin(d["a"])) + np.sum(d["b"] ** 3)

    def of_gradient(d: dict[str, Any]) -> Any:
        g = autograd.grad(f)(d)
        return np.sum(np.sin(g["a"])) + np.sum(g["b"])

    def along(d: Any, v: Any) -> Any:
        return jvp(of_gradient, (d,), (v,))[1]

    d = {"a": np.array([0.3, 0.4]), "b": np.array([1.0, -2.0])}
    v = {"a": np.array([1.0, 0.5]), "b": np.array([0.1, 0.2])}
    cache_clear()
    found = jvp(along, (d, v), (v, d))[1]
    expected = (along(*moved(d, v, H)) - along(*moved(d, v, -H))) / (2 * H)
    assert found == pytest.approx(expected, rel=1e-6)
    assert cache_info().rules < 150  # 570 by transposing what the transposes call


def moved(d: Any, v: Any, h: float) -> tuple[Any, Any]:
    """The point and the direction, moved along the direction and the point."""
    return {k: d[k] + h * v[k] for k in d}, {k: v[k] + h * d[k] for k in d}
