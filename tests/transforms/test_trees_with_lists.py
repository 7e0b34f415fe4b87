"""Trees of objects that have their children in lists: recursion comes to empty lists, where nothing is called."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from regressions import differences

from .held_to_python import hold


@dataclass
class Branch:
    length: float
    parts: list[Branch] = field(default_factory=list)


class Node:
    def __init__(self, value: Any, children: Any = ()) -> None:
        self.value = value
        self.children = list(children)

    def total(self) -> Any:
        return self.value**2 + sum(c.total() for c in self.children)

    def deepest(self) -> Any:
        return self.value + max([c.deepest() for c in self.children], default=0.0)


def total(node: Any) -> Any:
    s = node.length**2
    for part in node.parts:
        s += total(part) * node.length
    return s


def total_of_parts(node: Any) -> Any:
    return node.length**2 + sum(total_of_parts(part) for part in node.parts)


def values(node: Any) -> Any:
    found = []
    found.append(node.length)
    for part in node.parts:
        found.extend(values(part))
    return found


def values_by_display(node: Any) -> Any:
    return [node.length] + [v for part in node.parts for v in values_by_display(part)]


def values_in_place(node: Any) -> Any:
    found = [node.length]
    for part in node.parts:
        found += values_in_place(part)
    return found


def of_extended(node: Any) -> Any:
    return sum(v**3 / i for i, v in enumerate(values_in_place(node), 1))


def of_values(node: Any) -> Any:
    return sum(i * v * v for i, v in enumerate(values(node), 1))


def of_displayed(node: Any) -> Any:
    return sum(v**3 for v in values_by_display(node))


def by_method(node: Any) -> Any:
    return node.total() * node.deepest()


def made(x: Any, y: Any) -> Any:
    tree = Node(x, [Node(x * y), Node(y, [Node(x + y), Node(2.0)]), Node(x * x)])
    return tree.total() + y * tree.deepest()


def branches() -> tuple[Any, ...]:
    return (Branch(1.1, [Branch(0.7, [Branch(1.3)]), Branch(0.4), Branch(0.9, [Branch(0.2), Branch(1.7)])]),)


def nodes() -> tuple[Any, ...]:
    return (Node(1.1, [Node(0.7, [Node(1.3)]), Node(0.4), Node(0.9, [Node(0.2), Node(1.7)])]),)


def extended(x: Any, y: Any, ys: Any) -> Any:
    found = [x, y]
    for some in ys:
        found += some
    return sum(v**3 * i for i, v in enumerate(found, 1))


@pytest.mark.parametrize("f", [total, total_of_parts, of_values, of_displayed, of_extended])
def test_of_dataclasses(f: Any) -> None:
    hold(f, branches)


def test_of_methods() -> None:
    hold(by_method, nodes)


def test_that_are_made() -> None:
    hold(made, lambda: (1.1, 0.7))


@pytest.mark.parametrize("ys", [[[2.0], [3.0, 4.0]], [(2.0,), [3.0, 4.0]], [[2.0, 1.0, 3.0], np.array([3.0])]])
def test_lists_are_extended_as_in_python(ys: Any) -> None:
    """An array that is added asks its own `+` first, and makes an array of the list."""
    differences.check(extended, 1.1, 0.7, ys)


class Visitor:
    def __init__(self, scale: Any) -> None:
        self.scale, self.sum, self.met = scale, 0.0, 0

    def visit(self, node: Any, depth: Any) -> Any:
        self.met += 1
        self.sum += node.value**depth * self.scale
        for child in node.children:
            self.visit(child, depth + 1)
        self.scale *= 1.1


def visited(x: Any, y: Any) -> Any:
    visitor = Visitor(y)
    visitor.visit(Node(x, [Node(x * y), Node(y, [Node(x + y), Node(2.0)]), Node(x * x)]), 1)
    return visitor.sum * visitor.met


def visited_nodes(node: Any) -> Any:
    visitor = Visitor(node.value)
    visitor.visit(node, 1)
    return visitor.sum * visitor.scale


def summed_up(node: Any) -> Any:
    node.value += sum(summed_up(child) for child in node.children)
    return node.value


def of_summed_up(node: Any) -> Any:
    return summed_up(node) * node.children[1].value + node.children[0].value


def changed_meanwhile(x: Any, y: Any) -> Any:
    """A list that was given is another one than the list of the object."""
    given = [Node(x), Node(y)]
    node = Node(x * y, given)
    given.append(Node(y))
    node.children.append(Node(x + y, given[:1]))
    given[0].value *= y
    return node.total() * sum(other.value for other in given)


@pytest.mark.parametrize("f", [visited, changed_meanwhile])
def test_that_are_made_and_stored_into(f: Any) -> None:
    hold(f, lambda: (1.1, 0.7))


@pytest.mark.parametrize("f", [visited_nodes, of_summed_up])
def test_that_are_stored_into(f: Any) -> None:
    hold(f, nodes)
