"""`__init__` that returns something: a call of the class refuses it, whichever way the program is differentiated."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import gradient, hessian, jvp, pullback

# mypy: disable-error-code="no-untyped-def, misc, attr-defined, func-returns-value, return-value"


class Odd:
    def __init__(self, x):
        self.x = x
        return x


class Base:
    def __init__(self, x):
        self.x = x
        return 5.0


class Sub(Base):
    def __init__(self, x):
        super().__init__(x)


class Sub2(Base):
    def __init__(self, x):
        return super().__init__(x)


class Slots:
    __slots__ = ("x",)

    def __init__(self, x):
        self.x = x
        return self.x


class NewMade:
    def __new__(cls, x):
        return super().__new__(cls)

    def __init__(self, x):
        self.x = x
        return x


class Sometimes:
    def __init__(self, x):
        self.x = x
        if x > 1:
            return x


class Given(dict):
    def __init__(self, x):
        super().__init__(a=x)
        return x


@dataclasses.dataclass
class Post:
    x: float

    def __post_init__(self):
        self.x = self.x * 2
        return self.x


class Meta(type):
    def __call__(cls, *a):
        return super().__call__(*a)


class WithMeta(metaclass=Meta):
    def __init__(self, x):
        self.x = x
        return x


class Later:
    def __init__(self, x):
        self.x = x

    def __call__(self, y):
        return self.x * y


class ByString:
    def __init__(self, x):
        self.x = x
        return "odd"


class Gen:
    def __init__(self, x):
        self.x = x
        yield x


class Plain:
    def __init__(self, x):
        self.x = x * x


class Delegating(Plain):
    def __init__(self, x):
        return super().__init__(x)


def returns_what_another_does(x):
    return Delegating(x).x


def odd(x):
    return Odd(x).x


def sub(x):
    return Sub(x).x


def sub2(x):
    return Sub2(x).x


def slots(x):
    return Slots(x).x


def newmade(x):
    return NewMade(x).x


def sometimes(x):
    return Sometimes(x).x


def given(x):
    return Given(x)["a"]


def post(x):
    return Post(x).x


def withmeta(x):
    return WithMeta(x).x


def kept(x):
    o = Odd(x)
    xs = [o]
    return sum(p.x for p in xs)


def loop(x):
    s = 0.0
    for i in range(3):
        s += Odd(x * i).x
    return s


def bymap(x):
    return sum(o.x for o in map(Odd, [x, x]))


def dyn(x):
    return [Odd][0](x).x


def bystring(x):
    return ByString(x).x


def gen(x):
    return Gen(x).x


def direct(x):
    o = Later(x)
    r = Base.__init__(o, x * 2)
    return o.x * r


def caught(x):
    try:
        return Odd(x).x
    except TypeError:
        return x * 3


def constant(x):
    return Odd(2.0).x * x


def returned(x):
    return Odd(x)


class Exc(Exception):
    def __init__(self, x):
        self.x = x
        return x


def exc(x):
    try:
        raise Exc(x)
    except Exc as e:
        return e.x


def local(x):
    class L:
        def __init__(self):
            self.y = x
            return x

    return L().y


REFUSED = [
    *(odd, sub2, slots, newmade, sometimes, given, withmeta, kept, loop, bymap, dyn, bystring, gen, constant),
    *(returned, exc, local),
]
TAKEN = [(sub, 1.0), (post, 2.0), (direct, 10.0), (caught, 3.0), (returns_what_another_does, 3.0)]


def recorded(f: Callable[[float], Any]) -> Callable[[float], Any]:
    def run(x: float) -> Any:
        try:
            x = x * 1.0
        finally:
            y = f(x)
        return y

    return run


@pytest.mark.parametrize("f", REFUSED, ids=lambda f: f.__name__)
def test_a_result_of_init_is_refused(f: Callable[[float], Any]) -> None:
    with pytest.raises(TypeError) as plain:
        f(1.5)
    for program in (f, recorded(f)):
        for run in (pullback, lambda g, x: jvp(g, (x,), (1.0,)), *([hessian] if program is f else [])):
            with pytest.raises(TypeError) as caught:
                run(program, 1.5)
            assert str(caught.value).lower() == str(plain.value).lower()


@pytest.mark.parametrize(("f", "slope"), TAKEN)
def test_what_nobody_asks_for_is_dropped(f: Callable[[float], Any], slope: float) -> None:
    for program in (f, recorded(f)):
        assert gradient(program, 1.5) == (slope,)
        assert jvp(program, (1.5,), (2.0,)) == (f(1.5), 2.0 * slope)
