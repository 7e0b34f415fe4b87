"""Weak references to objects that the plain program lets go of: a recording keeps these, and must not say that they
live."""

from __future__ import annotations

import contextlib
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from adjoint import gradient, jvp, pullback, rule
from adjoint.errors import AdjointError, UnsupportedSyntaxError

from .differences import check, check_forward


class Held:
    def __init__(self, v: float) -> None:
        self.v = v

    def read(self) -> float:
        return self.v


def of_a_name(x: float) -> float:
    held: Any = Held(x)
    at = weakref.ref(held)
    held.v = x * x
    y = held.v
    held = None
    return y if at() is None else 2.0 * y


def that_only_reads(x: float) -> float:
    held: Any = Held(x)
    at = weakref.ref(held)
    y = held.v
    held = None
    return y * (x if at() is None else 3.0)


def of_an_item(x: float) -> float:
    items = [Held(x)]
    at = weakref.ref(items[0])
    y = items[0].v
    items.clear()
    return y * x if at() is None else 2.0 * y


def of_a_call(x: float) -> float:
    at = weakref.ref(Held(x))
    return x * x if at() is None else x


def of_a_function(x: float) -> float:
    def made() -> Any:
        held = Held(x)
        return weakref.ref(held), held.v

    at, y = made()
    return y * x if at() is None else 2.0 * y


def in_a_set(x: float) -> float:
    known: Any = weakref.WeakSet()
    one: Any = Held(x)
    other = Held(x * x)
    known.add(one)
    known.add(other)
    one = None
    return sum(held.v for held in known)


def in_the_length_of_a_set(x: float) -> float:
    known: Any = weakref.WeakSet()
    one: Any = Held(x)
    other = Held(x * x)
    known.add(one)
    known.add(other)
    one = None
    return len(known) * other.v


def in_values(x: float) -> float:
    known: Any = weakref.WeakValueDictionary()
    known["a"] = one = Held(x)
    known["b"] = Held(x * x)
    return one.v * (2.0 if "b" in known else 3.0)


def in_the_length_of_values(x: float) -> float:
    known: Any = weakref.WeakValueDictionary()
    known["a"] = one = Held(x)
    known["b"] = Held(x * x)
    return one.v * len(known)


def in_keys(x: float) -> float:
    known: Any = weakref.WeakKeyDictionary()
    one = Held(x)
    known[one] = x
    known[Held(x)] = 2.0
    return sum(known.values()) * x


def by_a_proxy(x: float) -> float:
    held: Any = Held(x)
    proxy = weakref.proxy(held)
    y = proxy.v
    held = None
    try:
        return y * proxy.v
    except ReferenceError:
        return y


def by_a_method(x: float) -> float:
    held: Any = Held(x)
    at = weakref.WeakMethod(held.read)
    y = held.v
    held = None
    return y * x if at() is None else y


GONE = [
    *(of_a_name, that_only_reads, of_an_item, of_a_call, of_a_function, in_a_set, in_the_length_of_a_set, in_values),
    *(in_the_length_of_values, in_keys, by_a_proxy, by_a_method),
]


@pytest.mark.parametrize("f", GONE, ids=lambda f: f.__name__)
def test_what_would_be_gone_is_not_said_to_live(f: Callable[[float], float]) -> None:
    def right(y: Any, d: Any) -> None:
        assert y == f(1.3)
        assert d == pytest.approx((f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6, rel=1e-6)

    for _ in range(2):
        with contextlib.suppress(AdjointError):
            y, back = pullback(f, 1.3)
            right(y, back(1.0)[1])
        with contextlib.suppress(AdjointError):
            right(*jvp(f, (1.3,), (1.0,)))


def test_the_refusal_says_what_to_do() -> None:
    with pytest.raises(UnsupportedSyntaxError, match="keep the object in a variable"):
        pullback(of_a_name, 1.3)


# ---- held


class Node:
    def __init__(self, v: float, parent: Any = None) -> None:
        self.v = v
        self.children: list[Node] = []
        self.parent: Any = None
        if parent is not None:
            self.parent = weakref.ref(parent)
            parent.children.append(self)

    def total(self) -> float:
        return self.v * (1.0 if self.parent is None else self.parent().total())


def by_parents(x: float) -> float:
    root = Node(x)
    leaf = Node(2.0, Node(x * x, root))
    return leaf.total() + root.children[0].children[0].parent().v


def in_a_generator(x: float) -> float:
    def given() -> Iterator[float]:
        held = Held(x)
        at: Any = weakref.ref(held)
        yield at().v
        held.v = x * x
        yield at().v

    return sum(given())


def in_a_closure(x: float) -> float:
    def made() -> Any:
        held = Held(x)
        at: Any = weakref.ref(held)
        return lambda: at().v * held.v

    taken = made()
    return taken() * x


@pytest.mark.parametrize("f", [by_parents, in_a_generator, in_a_closure], ids=lambda f: f.__name__)
def test_what_is_held_is_followed(f: Callable[[float], float]) -> None:
    check(f, 1.3)
    check_forward(f, 1.3)


def test_what_the_library_refers_to_is_held() -> None:
    def f(x: Any) -> Any:
        def area(r: Any) -> Any:
            return r * r

        @rule(area)
        def area_rule(r: Any) -> Any:
            return r * r, lambda d: (2.0 * r * d,)

        return area(x)

    check(in_a_generator, 1.3)  # recorded: its expressions are kept by weak references
    assert gradient(f, 3.0) == (6.0,)
