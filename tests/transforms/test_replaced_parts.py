"""Values that are like others but for some parts: named tuples, dataclasses and dicts with known keys."""

from __future__ import annotations

import collections
import dataclasses
import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import pytest

from adjoint import grad
from adjoint.calculus import pushforward
from adjoint.derivatives.choice import is_structured_call

from ..regressions.differences import check


class State(NamedTuple):
    x: float
    v: float = 0.5


Pair = collections.namedtuple("Pair", "a b")


class Doubled(State):
    __slots__ = ()

    def _replace(self, **kw):
        return super()._replace(**{k: 2 * v for k, v in kw.items()})


class Halved(collections.namedtuple("Halved", "x v")):
    __slots__ = ()

    def __new__(cls, x, v):
        return super().__new__(cls, x / 2, v)


class Made(State):
    __slots__ = ()

    @classmethod
    def _make(cls, items):
        return super()._make([3.0 * x for x in items])


class Named(Pair):
    """A subclass that adds a method."""

    __slots__ = ()

    def total(self):
        return self.a * self.b


@dataclass(frozen=True)
class Frozen:
    x: float
    v: float = 0.5
    name: str = "f"


@dataclass
class Squared:
    x: float
    v: float

    def __post_init__(self):
        self.x = self.x * self.x


@dataclass
class Derived:
    x: float
    v: float
    total: float = dataclasses.field(init=False, default=0.0)

    def __post_init__(self):
        self.total = self.x * self.v


@dataclass
class Counted:
    count: ClassVar[int] = 3
    x: float
    v: float


@dataclass
class WithFactor:
    x: float
    v: float
    factor: dataclasses.InitVar[float] = 1.0

    def __post_init__(self, factor):
        self.v = self.v * factor


class Longer(Frozen):
    """A subclass that is no dataclass itself."""

    def total(self):
        return self.x * self.v


def tuples(x, y):
    s = State(x)
    for _ in range(5):
        s = s._replace(v=s.v - 0.1 * y * s.x)
        s = s._replace(x=s.x + 0.1 * s.v)
    return s.x * s.v


def all_of_a_tuple(x, y):
    p = Pair(x, y)._replace(b=x * y, a=y)
    q = p._replace()
    return p.a * q.b + len(p)


def tuples_that_hold_tuples(x, y):
    p = Pair(State(x), 2.0)
    for i in range(3):
        p = p._replace(a=p.a._replace(x=p.a.x * y), b=p.b + i)
    return p.a.x * p.b * p.a.v


def by_a_method_that_is_passed_on(x, y):
    s = State(x)
    change = s._replace
    return change(v=y).v * s.x


def methods_of_a_subclass(x, y):
    return Named(x, 2.0)._replace(b=y).total()


def by_stars(x, y):
    changes = {"v": y}
    return State(x)._replace(**changes).v * x


def of_a_tuple_with_another_replace(x, y):
    s = Doubled(x)
    for _ in range(2):
        s = s._replace(v=s.v * y)
    return s.v * s.x


def of_a_tuple_with_another_new(x, y):
    s = Halved(x, y)
    for _ in range(2):
        s = s._replace(v=s.v * s.x)
    return s.v * s.x


def of_a_tuple_with_another_make(x, y):
    return Made(x)._replace(v=y).v * x


def frozen(x, y):
    s = Frozen(x)
    for _ in range(5):
        s = replace(s, v=s.v - 0.1 * y * s.x)
        s = dataclasses.replace(s, x=s.x + 0.1 * s.v)
    return s.x * s.v


def made_anew(x, y):
    s = Squared(x, y)
    for _ in range(2):
        s = replace(s, v=s.v * s.x)
    return s.x + s.v


def with_fields_that_are_computed(x, y):
    s = Derived(x, y)
    s = replace(s, v=y * y)
    return s.total * x


def with_fields_of_the_class(x, y):
    s = replace(Counted(x, y), x=x * y)
    return s.x * s.v * s.count


def with_what_init_takes(x, y):
    s = replace(WithFactor(x, y), factor=x, v=y)
    return s.x * s.v


def of_a_subclass(x, y):
    s = replace(Longer(x), v=y)
    return s.total() if type(s) is Longer else x


def the_old_one_stays(x, y):
    s = Frozen(x, y)
    t = replace(s, x=y * y)
    return s.x * t.x * t.v


def merged(x, y):
    d = {"a": x, "b": 2.0}
    for _ in range(4):
        d = {**d, "a": d["a"] * y + 0.1 * d["b"], "b": d["b"] * 0.9}
    return d["a"] * d["b"]


def merged_by_operators(x, y):
    d = {"a": x, "b": 2.0}
    e = d
    for _ in range(4):
        d = d | {"a": d["a"] * y} | {"c": x}
    d |= {"b": d["b"] * x, "z": y}
    return d["a"] * d["b"] * d["c"] * e["a"] * d["z"]


def changed_under_two_names(x, y):
    d = {"a": x, "b": y}
    e = d
    d |= {"a": y * y}
    return e["a"] * x


def by_keywords(x, y):
    d = {"a": x, "b": y}
    for i in range(3):
        d = dict(d, a=d["a"] * d["b"], c=math.sin(x * i))
    return d["a"] + d["c"]


def copied(x, y):
    d = {"a": x, "b": y}
    e = dict(d)
    f = {**d}
    e["a"] = y * e["a"]
    return d["a"] * e["a"] * f["b"] * len(e)


def updated(x, y):
    d = {"a": x, "b": 2.0}
    for _ in range(5):
        d.update(a=d["a"] * y + 0.1 * d["b"], b=d["b"] * 0.9)
        d.update({"b": d["a"] * x}, a=d["a"] * 1.1)
    return d["a"] + d["b"]


def in_order(x, y):
    d = {"b": x, "a": y}
    d = {**d, "c": x * y, "b": x * x}
    e = {"a": 1.0, "c": 2.0} | d
    total = 0.0
    for i, (k, v) in enumerate([*d.items(), *e.items()]):
        total += v * (i + 1) * ord(k)
    return total


def either_order(x, y):
    d = {"a": x, "b": y} if x > 0 else {"b": y, "a": x}
    e = {"a": x, "b": y} if x < 0 else {"b": y, "a": x}
    f, g = {**d, "c": x}, {**e, "c": y}
    total = 0.0
    for i, v in enumerate([*f.values(), *g.values()]):
        total += v * v * (i + 1)
    return total


def other_keys_in_a_branch(x, y):
    d = {"a": x}
    for i in range(3):
        d = {**d, "b": y} if i == 1 else {**d, "a": d["a"] * y}
    return d["a"] * d["b"] * len(d)


TUPLES = [tuples, all_of_a_tuple, tuples_that_hold_tuples, methods_of_a_subclass, by_stars]
CLASSES = [frozen, the_old_one_stays, of_a_subclass]
DICTS = [merged, by_keywords, copied, updated, in_order, either_order]
OTHERS = [
    *(by_a_method_that_is_passed_on, of_a_tuple_with_another_replace, of_a_tuple_with_another_new),
    *(of_a_tuple_with_another_make, made_anew, with_fields_that_are_computed, with_fields_of_the_class),
    *(with_what_init_takes, merged_by_operators, changed_under_two_names, other_keys_in_a_branch),
]


@pytest.mark.parametrize("f", [*TUPLES, *CLASSES, *DICTS, *OTHERS])
def test_parts_replaced(f: Any) -> None:
    for _ in range(2):
        check(f, 0.7, 1.3, order=2)
    h = 1e-6
    slope = (f(0.7 + h, 1.3) - f(0.7 - h, 1.3)) / (2 * h)
    assert pushforward(f, (0.7, 1.3), (1.0, 0.0))[1] == pytest.approx(slope, rel=1e-6)
    if f not in OTHERS:
        assert is_structured_call(f, (0.7, 1.3))


def of_an_argument(p, y):
    q = {**p, "c": y}
    total = 0.0
    for i, v in enumerate(q.values()):
        total += v * v * (i + 1)
    return total


def test_keys_in_the_order_of_the_argument() -> None:
    for _ in range(2):
        assert grad(of_an_argument)({"a": 1.0, "b": 2.0}, 1.0) == {"a": 2.0, "b": 8.0}
        assert grad(of_an_argument)({"b": 2.0, "a": 1.0}, 1.0) == {"b": 4.0, "a": 4.0}


def test_names_that_are_no_fields() -> None:
    for f in (lambda x: State(x)._replace(w=x).x, lambda x: replace(Frozen(x), w=x).x):
        with pytest.raises((ValueError, TypeError), match="w"):
            grad(f)(1.0)
    with pytest.raises(TypeError):
        grad(lambda x: State(x)._replace(x).x)(1.0)
    with pytest.raises((ValueError, TypeError), match="total"):
        grad(lambda x: replace(Derived(x, 1.0), total=x).x)(1.0)
    with pytest.raises(KeyError, match="c"):
        grad(lambda x: {**{"a": x}, "b": x}["c"])(1.0)
