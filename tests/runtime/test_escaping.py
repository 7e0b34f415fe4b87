"""Functions that outlive the call that made them, and capture a variable that is bound more than once."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, pullback


def with_default(x: Any, scale: Any = None) -> Any:
    if scale is None:
        scale = x
    return lambda v: v * scale


def by_branch(x: Any) -> Any:
    k = -x
    if x > 0:
        k = x
    return lambda v: v * k


def accumulated(x: Any) -> Any:
    s = 0.0
    for i in range(3):
        s += x * i
    return lambda v: v * s


def late(x: Any) -> Any:
    def step(v: Any) -> Any:
        return v * coefficient

    coefficient = x * x
    coefficient = coefficient * 1.5
    return step


def factory(scale: Any) -> Any:
    scale = scale * scale

    def decorate(f: Any) -> Any:
        @functools.wraps(f)
        def wrapped(v: Any) -> Any:
            return f(v) * scale

        return wrapped

    return decorate


def decorated(x: Any) -> Any:
    @factory(x)
    def square(v: Any) -> Any:
        return v * v

    return square(x)


class Holder:
    def __init__(self, f: Any) -> None:
        self.f = f


class Maker:
    def __init__(self, x: Any) -> None:
        self.x = x

    def made(self) -> Any:
        k = self.x
        k = k * 2
        return lambda v: v * k

    @property
    def held(self) -> Any:
        k = self.x
        k = k * self.x
        return lambda v: v * k


def composed(f: Any, g: Any) -> Any:
    return lambda v: f(g(v))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: with_default(x)(2.0),
        lambda x: by_branch(x)(2.0) * x,
        lambda x: accumulated(x)(x),
        lambda x: late(x)(3.0) * x,
        lambda x: {"f": late(x)}["f"](2.0),
        lambda x: [late(x), by_branch(x)][0](x),
        lambda x: (late(x) if x > 0 else None)(3.0),  # type: ignore[misc]
        lambda x: Holder(late(x)).f(x) + Holder(by_branch(x)).f(2.0),
        lambda x: Maker(x).made()(x) + Maker(x).held(x),
        lambda x: (lambda f: f(x) * f(2.0))(late(x)),
        lambda x: functools.partial(late(x), x)(),
        lambda x: sum(map(late(x), [x, 2.0])),
        lambda x: composed(late(x), accumulated(x))(x),
        decorated,
    ],
)
def test_a_function_that_is_returned(f: Any) -> None:
    x, h = 1.5, 1e-4
    assert pullback(f, x)[0] == f(x)
    assert gradient(f, x)[0] == pytest.approx((f(x + h) - f(x - h)) / (2 * h), rel=1e-6)
    assert grad(grad(f))(x) == pytest.approx((f(x + h) - 2 * f(x) + f(x - h)) / h**2, rel=1e-5, abs=1e-5)


def layer(w: Any) -> Any:
    w = w.reshape(2, 2)

    def forward(v: Any) -> Any:
        return w @ v

    return forward


def test_a_layer_that_is_returned() -> None:
    (found,) = gradient(lambda w: layer(w)(np.ones(2)).sum(), np.arange(4.0))
    assert found.tolist() == [1.0, 1.0, 1.0, 1.0]


class Unused:
    def __init__(self, x: Any) -> None:
        self.x = x


def rebound(a: Any, b: Any, o: Any) -> Any:
    g = lambda: a  # noqa: E731
    c = g()
    a = b
    return c * a


def test_a_variable_that_is_shared_in_what_is_found_at_run_time() -> None:
    def line(t: Any) -> Any:
        return rebound(0.371 + t, 0.813 - 0.5 * t, Unused(t))

    assert grad(line)(0.0) == pytest.approx(0.813 - 0.5 * 0.371)
    assert grad(grad(line))(0.0) == pytest.approx(-1.0)
