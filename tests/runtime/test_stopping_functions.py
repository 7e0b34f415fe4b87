"""`stop_gradient` of functions and of what holds them: what they capture is constant, what they are given is not."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from ways import check_everywhere

from adjoint import gradient, stop_gradient, withgradient
from adjoint.errors import UnsupportedSyntaxError


class Squared:
    def __init__(self, w: Any) -> None:
        self.w = w

    def __call__(self) -> Any:
        return self.w * self.w

    def times(self, y: Any = 1.0) -> Any:
        return self.w * y


@dataclass
class Holder:
    f: Any


def default(x: Any) -> Any:
    def f(y: Any = x) -> Any:
        return y * y

    return x * stop_gradient(f)()


RIGHT: dict[str, tuple[Callable[[Any], Any], float]] = {
    "closure": (lambda x: x * stop_gradient(lambda: x * x)(), 9.0),
    "what it is given flows": (lambda x: x * stop_gradient(lambda y: y * x)(x), 18.0),
    "default": (default, 9.0),
    "bound method": (lambda x: x * stop_gradient(Squared(x).times)(), 3.0),
    "object": (lambda x: x * stop_gradient(Squared(x))(), 9.0),
    "field": (lambda x: x * stop_gradient(Squared(x)).w, 3.0),
    "partial": (lambda x: x * stop_gradient(functools.partial(pow, x))(2), 9.0),
    "partial of a closure": (lambda x: x * stop_gradient(functools.partial(lambda y: x * y, x))(), 9.0),
    "list": (lambda x: x * stop_gradient([lambda: x * x])[0](), 9.0),
    "tuple": (lambda x: x * stop_gradient((lambda: x * x, 1))[0](), 9.0),
    "dict": (lambda x: x * stop_gradient({"f": lambda: x * x})["f"](), 9.0),
    "dataclass": (lambda x: x * stop_gradient(Holder(lambda: x * x)).f(), 9.0),
    "captures a function": (lambda x: x * stop_gradient((lambda g: lambda: g())(lambda: x * x))(), 9.0),
    "calls one it makes": (lambda x: x * stop_gradient(lambda: (lambda: x * x)())(), 9.0),
    "gives a function": (lambda x: x * stop_gradient(lambda: lambda: x * x)()(), 9.0),
    "mapped": (lambda x: x * sum(map(stop_gradient(lambda t: t * x), [1.0, 2.0])), 9.0),
    "array": (lambda x: x * stop_gradient(lambda: np.array([x, x]))()[0], 3.0),
    "list of numbers": (lambda x: x * sum(stop_gradient([x, x * x])), 12.0),
    "function of nothing": (lambda x: x * stop_gradient(abs)(x), 6.0),
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_a_function_captures_is_constant(name: str) -> None:
    f, d = RIGHT[name]
    assert check_everywhere(f, 3.0, d) == []
    _, (d_of_d,) = withgradient(lambda x: gradient(f, x)[0], 3.0)
    frozen = {"what it is given flows": 2 * 3.0, "function of nothing": 2.0}.get(name, 0.0)
    assert np.isfinite(d_of_d) and (frozen == 0.0 or d_of_d != 0.0)


def counting(x: Any) -> Any:
    seen: list[Any] = []

    def f() -> Any:
        seen.append(x)
        return x * len(seen)

    return stop_gradient(f)() * x + len(seen)


def rebound(x: Any) -> Any:
    f = stop_gradient(lambda: x * x)
    x = 2 * x
    return f() * x


def of_generator(x: Any) -> Any:
    return x * sum(stop_gradient(t * x for t in [x, 1.0]))


@pytest.mark.parametrize("f", [counting, rebound, of_generator])
def test_what_a_copy_would_not_do_is_refused_or_right(f: Any) -> None:
    d = {counting: 3.0, rebound: 2 * 36.0, of_generator: 12.0}[f]
    check_everywhere(f, 3.0, d)


def test_the_reason_is_said() -> None:
    with pytest.raises(UnsupportedSyntaxError, match="`stop_gradient` of `f`, which stores"):
        withgradient(counting, 3.0)
    with pytest.raises(UnsupportedSyntaxError, match="`stop_gradient` of an iterator"):
        withgradient(of_generator, 3.0)
