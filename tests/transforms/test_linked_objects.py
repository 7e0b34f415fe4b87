"""Linked lists and trees: programs that look for fields are weighed against those whose objects are memory."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import gradient, hvp, jvp
from adjoint.derivatives.weighing import AFTER
from adjoint.runtime.tables import TABLES


class Node:
    def __init__(self, v: Any, rest: Any = None) -> None:
        self.v, self.rest = v, rest


class Tree:
    def __init__(self, v: Any, left: Any = None, right: Any = None) -> None:
        self.v, self.left, self.right = v, left, right


class Scaled:
    def __init__(self, a: Any) -> None:
        self.a = a

    def __call__(self, x: Any) -> Any:
        return self.a * x


class Squashed:
    def __call__(self, x: Any) -> Any:
        return math.tanh(x)


def of_a_condition(x: Any) -> Any:
    layers = [Scaled(x) if i % 2 == 0 else Squashed() for i in range(5)]
    total = 0.0
    for i in range(4):
        v = 0.3 * i + x
        for layer in layers:
            v = layer(v)
        total += v
    return total


def of_one_side(x: Any, deep: bool = True) -> Any:
    layers = [Scaled(x), Squashed(), Scaled(x * x)] if deep else [Squashed()]
    total = 0.0
    for i in range(4):
        v = 0.3 * i + x
        for layer in layers:
            v = layer(v)
        total += v
    return total


class Stack:
    def __init__(self) -> None:
        self.top: Any = None

    def push(self, v: Any) -> None:
        self.top = Node(v, self.top)

    def pop(self) -> Any:
        v = self.top.v
        self.top = self.top.rest
        return v


def linked(x: Any) -> Any:
    head = None
    for i in range(8):
        head = Node(x * i, head)
    total, node = 0.0, head
    while node is not None:
        total += node.v * total + math.sin(node.v)
        node = node.rest
    return total


def stacked(x: Any) -> Any:
    s = Stack()
    for i in range(8):
        s.push(x * i)
    total = 0.0
    while s.top is not None:
        total = total * x + s.pop()
    return total


def insert(node: Any, v: Any) -> Any:
    if node is None:
        return Tree(v)
    if v < node.v:
        node.left = insert(node.left, v)
    else:
        node.right = insert(node.right, v)
    return node


def total(node: Any) -> Any:
    return 0.0 if node is None else node.v + total(node.left) * 0.5 + total(node.right) * node.v


def sorted_tree(x: Any) -> Any:
    root = None
    for i in range(8):
        root = insert(root, math.sin(i * 7.0) * x)
    return total(root)


def length(head: Any, x: Any) -> Any:
    n, node = 0.0, head
    while node is not None:
        n += node.v * x
        node = node.rest
    return n


PROGRAMS = (linked, stacked, sorted_tree, of_a_condition, of_one_side)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_against_differences(f: Callable[[Any], Any]) -> None:
    h = 1e-5
    for i in range(AFTER + 4):
        x = 0.7 - 0.1 * i
        slope, bend = (f(x + h) - f(x - h)) / (2 * h), (f(x + h) - 2 * f(x) + f(x - h)) / h**2
        assert gradient(f, x)[0] == pytest.approx(slope, rel=1e-6)
        assert jvp(f, (x,), (2.0,))[1] == pytest.approx(2.0 * slope, rel=1e-6)
        assert hvp(f, (x,), (1.0,))[0] == pytest.approx(bend, rel=1e-4, abs=1e-4)


def test_objects_are_memory_where_that_is_better() -> None:
    for _ in range(AFTER + 2):
        gradient(stacked, 0.7)
    assert TABLES[id(stacked.__code__)].preferred


@pytest.mark.parametrize("f", [linked, of_a_condition, of_one_side], ids=lambda f: f.__name__)
def test_objects_are_values_where_runs_show_their_classes(f: Callable[[Any], Any]) -> None:
    for _ in range(AFTER + 2):
        gradient(f, 0.7)
    assert not TABLES[id(f.__code__)].preferred


def test_lists_that_are_given() -> None:
    for n in range(AFTER + 5):
        head: Any = None
        for i in range(n):
            head = Node(float(i), head)
        if n == AFTER + 3:
            head.v = head.rest.v = 7.0
        expected = length(head, 1.0)
        bars = gradient(length, head, 0.7)
        assert bars[1] == expected
        if n:
            assert bars[0]["v"] == 0.7
    head.rest.rest = "a text"
    with pytest.raises(AttributeError):
        gradient(length, head, 0.7)
    head.rest.rest = Node(2)
    assert gradient(length, head, 0.7)[1] == length(head, 1.0)


def test_what_a_node_holds_changes_its_class() -> None:
    class Other:
        def __init__(self, v: Any) -> None:
            self.v, self.rest, self.more = v, None, 1.0

    for n in range(AFTER + 4):
        head = Node(2.0, Other(3.0) if n % 2 else Node(3.0))
        for _ in range(2):
            assert gradient(length, head, 0.7)[1] == 5.0
