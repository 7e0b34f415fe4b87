"""Objects that are made of what moves, in both modes and all orders of two: against differences."""

from __future__ import annotations

import functools
from collections import namedtuple
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import update_wrapper
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, jvp, pullback, value_and_grad
from adjoint.calculus import derivative, pushforward


class Base:
    def __init__(self, a: Any) -> None:
        self.a = a
        self.build(2.0)

    def build(self, k: float) -> None:
        self.b = self.a * k


class Derived(Base):
    def __init__(self, a: Any, c: Any = 3.0, *, d: Any = 1.0) -> None:
        super().__init__(a * a)
        self.c = c
        setattr(self, "d", d * a)  # noqa: B010
        object.__setattr__(self, "e", self.b * a)
        self.g = a if a > 0 else -a

    def value(self) -> Any:
        return self.a * self.b * self.c * self.d + self.e * self.g  # type: ignore[attr-defined]


class ByName(Base):
    def __init__(self, a: Any) -> None:
        Base.__init__(self, a)
        self.z = [a, a * a]


@dataclass
class Data:
    a: Any
    b: Any = 2.0
    c: list[Any] = field(default_factory=list)


@dataclass
class After:
    a: Any
    b: Any = 2.0

    def __post_init__(self) -> None:
        self.b = self.b * self.a


Pair = namedtuple("Pair", "a b", defaults=(5.0,))


class Wrapping:
    """What it calls is kept by `update_wrapper` alone."""

    def __init__(self, f: Any) -> None:
        update_wrapper(self, f)
        self.k = 2.0

    def __call__(self, x: Any) -> Any:
        return self.__wrapped__(x) * self.k  # type: ignore[attr-defined]


class Counting:
    def __init__(self, f: Any) -> None:
        functools.update_wrapper(self, f)
        self.f = f

    def __call__(self, *args: Any) -> Any:
        return self.f(*args)


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a: Any, b: Any = 1.0) -> None:
        self.a = a
        self.b = b


class Squaring:
    def __init__(self, a: Any) -> None:
        self.a = a

    @property
    def a(self) -> Any:
        return self._a

    @a.setter
    def a(self, v: Any) -> None:
        self._a = v * v


def with_attribute(x: Any) -> Any:
    def g(t: Any) -> Any:
        return t * g.s  # type: ignore[attr-defined]

    g.s = x  # type: ignore[attr-defined]
    return Wrapping(g)(x)


def wrapped_outside(x: Any) -> Any:
    made = Slots()
    functools.update_wrapper(made, lambda t: t * x)
    return made.__wrapped__(x)  # type: ignore[attr-defined]


class Slots:
    pass


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "inheritance": lambda x: Derived(x).value(),
    "keywords": lambda x: Derived(x, x * 2, d=x).value(),
    "base by name": lambda x: ByName(x).z[1] * ByName(x).b,
    "dataclass": lambda x: Data(x).a * Data(b=x, a=2.0).b,
    "list in a dataclass": lambda x: Data(x, c=[x, x]).c[1] * x,
    "post_init": lambda x: After(x, x).b * x,
    "named tuple": lambda x: Pair(x).a * Pair(1.0, b=x).b,
    "wrapping": lambda x: Wrapping(lambda t: t * x)(x),
    "wrapping and keeping": lambda x: Counting(lambda t, u: t * u * x)(x, x),
    "wrapped outside": wrapped_outside,
    "attribute of what is wrapped": with_attribute,
    "slots": lambda x: Slotted(x, b=x).a * Slotted(x, x).b,
    "property": lambda x: Squaring(x).a * x,
    "objects in objects": lambda x: Slotted(Slotted(x, x * x)).a.b * x,
    "arrays": lambda x: np.sum(Slotted(np.array([x, x * 2])).a ** 2),
}
AT, H = 1.7, 1e-4


@pytest.mark.parametrize("name", PROGRAMS)
def test_first_and_second_derivatives(name: str) -> None:
    f = PROGRAMS[name]
    first = (f(AT + H) - f(AT - H)) / (2 * H)
    second = (f(AT + H) - 2 * f(AT) + f(AT - H)) / H**2
    assert gradient(f, AT)[0] == pytest.approx(first, rel=1e-6)
    assert pushforward(f, (AT,), (1.0,))[1] == pytest.approx(first, rel=1e-6)
    for twice in (derivative(f, 2), grad(grad(f)), grad(derivative(f)), derivative(grad(f))):
        assert twice(AT) == pytest.approx(second, rel=1e-4)


def by_jvp(f: Any) -> Any:
    return lambda x: jvp(f, (x,), (1.0,))[1]


def by_value_and_grad(f: Any) -> Any:
    return lambda x: value_and_grad(f)(x)[1]


def by_pullback(f: Any) -> Any:
    return lambda x: pullback(f, x)[1](1.0)[1]


NESTED: dict[str, Callable[[Any], Any]] = {
    "forward thrice": lambda v: derivative(lambda x: derivative(lambda y: derivative(lambda z: x * y * z * z)(x))(x))(
        v
    ),
    "gradients thrice": lambda v: grad(lambda x: grad(lambda y: grad(lambda z: x * y * z * z)(x))(x))(v),
    "forward twice over a gradient": lambda v: derivative(
        lambda x: derivative(lambda y: grad(lambda z: x * y * z * z)(x))(x)
    )(v),
    "forward twice over a value and gradient": lambda v: by_jvp(
        lambda x: by_jvp(lambda y: by_value_and_grad(lambda z: x * y * z * z)(x))(x)
    )(v),
    "pullbacks over forward": lambda v: by_pullback(
        lambda x: by_pullback(lambda y: by_jvp(lambda z: x * y * z * z)(x))(x)
    )(v),
    "forward over a pullback over forward": lambda v: by_jvp(
        lambda x: by_pullback(lambda y: by_jvp(lambda z: x * y * z * z)(x))(x)
    )(v),
}


@pytest.mark.parametrize("name", NESTED)
def test_three_derivatives_each_of_a_function_that_captures_the_variables_outside(name: str) -> None:
    assert NESTED[name](3.0) == pytest.approx(12.0)


class Linked:
    def __init__(self, v: float) -> None:
        self.v = v
        self.up: Any = None
        self.kids: list[Linked] = []


def over_kids(x: float, r: Linked) -> float:
    return x * x * r.v + sum([k.v * x for k in r.kids])


def test_objects_that_hold_each_other_may_stay() -> None:
    root, kid = Linked(2.0), Linked(3.0)
    kid.up = root
    root.kids.append(kid)
    for _ in range(2):
        y, y_dot = pushforward(over_kids, (1.2, root), (1.0, None))
        assert y == over_kids(1.2, root)
        assert y_dot == pytest.approx(2 * 1.2 * 2.0 + 3.0)
    twice = pushforward(lambda x: pushforward(over_kids, (x, root), (1.0, None))[1], (1.2,), (1.0,))[1]
    assert twice == pytest.approx(4.0)
    assert kid.up is root
