"""What Python calls on the way: defaults of `getattr`, reflected comparisons, `replace`, notes on exceptions."""

from __future__ import annotations

import dataclasses
from collections import UserList
from fractions import Fraction
from typing import Any

import pytest

from adjoint import grad, gradient
from adjoint.runtime.refusing import no_rule


class Guarded:
    def __init__(self) -> None:
        self.log: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


def default_of_getattr(x: Any) -> Any:
    g = Guarded()
    g.log.append(x)
    return getattr(g, "w", x * x) * g.log[0]


def slice_of_user_list(x: Any) -> Any:
    xs = [x, x]
    xs[1:1] = UserList([x * x])
    return xs[0] * xs[1]


@dataclasses.dataclass
class Pair:
    a: Any
    b: Any

    def __iter__(self) -> Any:
        return iter((self.b, self.a))


def dataclass_that_is_iterable(x: Any) -> Any:
    g = Guarded()
    g.log.append(Pair(x * x, 3 * x))
    a, b = dataclasses.astuple(g.log[0])
    return a * b * b + dataclasses.asdict(g.log[0])["a"]


class Items:
    def __init__(self, *items: Any) -> None:
        self.items = items

    def __iter__(self) -> Any:
        return iter(self.items)


def slice_of_items(x: Any) -> Any:
    xs = [x, x]
    xs[1:2] = Items(x * x, x)
    return xs[0] * xs[1] * xs[2]


def list_in_itself(x: Any) -> Any:
    xs: Any = [x]
    xs.append(xs)
    xs[0] = x * x
    return (xs + xs)[2] * (xs * 2)[0] * (xs + [x])[2]


@dataclasses.dataclass
class Point:
    x: Any
    y: Any = 1.0
    tags: list[Any] = dataclasses.field(default_factory=list)

    def __post_init__(self) -> None:
        self.tags.append(self.x)


def replaced(x: Any) -> Any:
    p = Point(x)
    q = dataclasses.replace(p, x=x * x, y=x)
    return q.x * p.tags[0] * p.tags[1] * q.y


class Node:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __lt__(self, other: Node) -> bool:
        return bool(self.x < other.x)


def reflected_comparison(x: Any) -> Any:
    nodes = [Node(x), Node(x * x)]
    nodes[0].x = nodes[0].x * 2
    return max(nodes).x * min(nodes).x


class Problem(Exception):
    def __init__(self, x: Any) -> None:
        super().__init__(x)
        self.x = x


def noted_exception(x: Any) -> Any:
    try:
        e = Problem(x * x)
        e.add_note("a note")
        raise e.with_traceback(None)
    except Problem as error:
        return error.x * error.args[0] * len(error.__notes__)


PROGRAMS = [
    default_of_getattr, slice_of_user_list, slice_of_items, list_in_itself, replaced, reflected_comparison,
    noted_exception, dataclass_that_is_iterable,
]  # fmt: skip


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_both_orders(f: Any) -> None:
    x, h = 0.8, 1e-4
    (d,), (dd,) = gradient(f, x), gradient(grad(f), x)
    assert d == pytest.approx((f(x + h) - f(x - h)) / (2 * h), rel=1e-6)
    assert dd == pytest.approx((f(x + h) - 2 * f(x) + f(x - h)) / h**2, rel=1e-5)


def test_a_rule_is_offered_only_for_what_has_a_name() -> None:
    error = str(no_rule(Fraction.__rtruediv__))
    assert "of the function of yours that calls it" in error and "adjoint.rule(fractions" not in error


def test_classes_and_functions_keep_their_full_names() -> None:
    names = []

    def program(x: Any) -> Any:
        class Local:
            def method(self) -> Any:
                return lambda: 0.0

        xs = [x]
        xs[0] = x * x
        names.append((Local.__qualname__, Local.method.__qualname__, Local().method().__qualname__))
        return xs[0]

    program(0.8)
    gradient(program, 0.8)
    assert names[0] == names[1]
