"""Defaults of functions that carry a derivative: by position and keyword, however the function is found and called."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, pullback, withgradient


def through(f: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(f)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        return f(*args, **kwargs)

    return wrapper


class Holder:
    def __init__(self, f: Any) -> None:
        self.f = f


def app(f: Any, a: Any) -> Any:
    return f(a)


def decorated(x: float) -> float:
    @through
    def g(a: float, *, k: float = x) -> float:
        return a * k

    return g(2.0 * x)


def called(x: float) -> float:
    def g(a: float, *, k: float = x) -> float:
        return a * k * k

    return g(x)


def alone(x: float) -> float:
    return (lambda *, k=x: k**3)()


def squared_inside(x: float) -> float:
    def g(a: float, b: float = x * x, *, k: float = x, n: int = 2) -> float:
        return a * b * k**n

    return g(2.0) + g(x, k=x * x)


def in_object(x: float) -> float:
    def g(a: float, *, k: float = x) -> float:
        return a * k**3

    return Holder(g).f(2.0)


def in_dict(x: float) -> float:
    def g(a: float, *, k: float = x) -> float:
        return a * k**3

    return {"g": g}["g"](2.0)


def in_list(x: float) -> float:
    fs = [lambda a, *, k=x * i: a * k**2 for i in range(3)]
    return sum(f(x) for f in fs)


def passed_on(x: float) -> float:
    def g(a: float, *, k: float = x) -> float:
        return a * k**3

    return app(g, x)


def partially(x: float) -> float:
    def g(a: float, b: float, *, k: float = x, j: float = x) -> float:
        return a * b * k**2 * j

    return functools.partial(g, 2.0, j=x * x)(x)


def mapped(x: float) -> float:
    return sum(map(lambda a, *, k=x: a * k**2, [x, 2.0 * x]))


def of_an_array(x: float) -> float:
    w = np.array([x, 2.0 * x])

    def g(a: float, *, w: Any = w) -> Any:
        return a * (w * w).sum()

    return float(app(g, x))


def twice_made(x: float) -> float:
    def made(c: float) -> Any:
        def g(a: float, *, k: float = c * x) -> float:
            return a * k**2

        return g

    return app(made(1.0), x) + through(made(2.0))(x)


def overridden(x: float) -> float:
    def g(a: float, *, k: float = x) -> float:
        return a * k**2

    return app(functools.partial(g, k=2.0 * x), x) + g(x, k=3.0)


def of_many_kinds(x: float) -> float:
    def g(a: Any, b: float = x, *, k: float = x) -> float:
        return (a if isinstance(a, float) else 1.0) * b * k

    return sum([g(a) for a in (x, "s", None, [1.0], (1.0,), {}, 2, True, b"")])


PROGRAMS = [
    *(decorated, called, alone, squared_inside, in_object, in_dict, in_list, passed_on),
    *(partially, mapped, of_an_array, twice_made, overridden, of_many_kinds),
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_first_and_second_derivative(f: Callable[[float], float]) -> None:
    x, h = 1.3, 1e-5
    y, (d,) = withgradient(f, x)
    assert y == f(x)
    assert d == pytest.approx((f(x + h) - f(x - h)) / (2 * h), rel=1e-6)
    first = grad(f)
    expected = (first(x + h) - first(x - h)) / (2 * h)
    assert grad(grad(f))(x) == pytest.approx(expected, rel=1e-6)
    assert gradient(lambda t: gradient(f, t)[0], x)[0] == pytest.approx(expected, rel=1e-6)


def test_cotangent_of_a_function_has_its_keyword_defaults() -> None:
    def made(x: float) -> Any:
        def g(a: float, b: float = 3.0 * x, *, k: float = x) -> float:
            return a * b * k

        return g

    y, back = pullback(app, made(1.5), 2.0)
    assert y == 2.0 * 4.5 * 1.5
    _, dg, da = back(1.0)
    assert (dg.b, dg.k, da) == (2.0 * 1.5, 2.0 * 4.5, 4.5 * 1.5)
    _, back = pullback(made(1.5), 2.0)
    dg, da = back(1.0)
    assert (dg.b, dg.k, da) == (2.0 * 1.5, 2.0 * 4.5, 4.5 * 1.5)


def test_result_that_keeps_a_keyword_default() -> None:
    def f(x: float) -> Any:
        def g(a: float, *, k: float = x * x) -> float:
            return a * k

        return g

    g, back = pullback(f, 1.5)
    _, inner = pullback(g, 2.0)
    assert back(inner(1.0)[0])[1] == 2.0 * 2 * 1.5


def test_a_rule_is_for_defaults_of_its_kind() -> None:
    def made(k: Any) -> Any:
        def g(a: float, *, k: Any = k) -> Any:
            return a * (k if isinstance(k, float) else k[0])

        return g

    def f(k: Any, a: float) -> Any:
        return app(made(k), a)

    for k, expected in ((2.0, 3.0), ([2.0, 5.0], [3.0, 0.0]), (2.0, 3.0)):
        assert gradient(f, k, 3.0) == (expected, 2.0)


def test_defaults_that_are_given_later() -> None:
    def g(a: float, k: float = 1.0) -> float:
        return a * k

    def bare(a: float, k: float) -> float:
        return a * k

    def f(h: Any, x: float) -> Any:
        return h(x)

    assert gradient(f, g, 3.0)[1] == 1.0
    bare.__defaults__ = (2.0,)
    assert gradient(f, bare, 3.0)[1] == 2.0
    _, back = pullback(f, bare, 3.0)
    assert back(1.0)[1].k == 3.0
