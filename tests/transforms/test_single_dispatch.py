"""Functions of `singledispatch`, and methods of `singledispatchmethod`: what is called is known by a class."""

from __future__ import annotations

import abc
import functools
import math
from dataclasses import dataclass
from typing import Any

import pytest
from transforms.held_to_python import hold, hold_errors

from adjoint import grad, gradient


@dataclass
class Num:
    value: Any


@dataclass
class Name:
    name: str


@dataclass
class Plus:
    left: Any
    right: Any


@dataclass
class Times:
    left: Any
    right: Any


class Special(Times):
    pass


@functools.singledispatch
def evaluate(node: Any, env: Any) -> Any:
    raise TypeError(f"no value of {type(node).__name__}")


@evaluate.register
def _(node: Num, env: Any) -> Any:
    return node.value


@evaluate.register
def _(node: Name, env: Any) -> Any:
    return env[node.name]


@evaluate.register
def _(node: Plus, env: Any) -> Any:
    return evaluate(node.left, env) + evaluate(node.right, env)


@evaluate.register
def _(node: Times, env: Any) -> Any:
    return evaluate(node.left, env) * evaluate(node.right, env)


TREE = Plus(Times(Name("x"), Name("x")), Special(Num(3.0), Plus(Name("x"), Name("y"))))


def of_a_tree(x: Any, y: Any) -> Any:
    return sum([math.sin(evaluate(TREE, {"x": x * k, "y": y})) for k in range(3)])


def of_an_argument(tree: Any, x: Any) -> Any:
    return evaluate(tree, {"x": x}) * x


def of_several(x: Any, n: int) -> Any:
    nodes = [Num(x), Times(Num(x), Num(2.0)), Plus(Num(x), Num(x))] * n
    return sum(evaluate(node, {}) ** 2 for node in nodes)


def of_what_a_loop_finds(x: Any, n: int) -> Any:
    total, node = 0.0, Num(x)
    for i in range(n):
        node = Times(node, Num(x)) if i % 2 else Plus(Num(1.0), node)  # type: ignore[assignment]
        total += evaluate(node, {})
    return total


class Visitor:
    def __init__(self, k: Any) -> None:
        self.k, self.seen = k, 0.0

    @functools.singledispatchmethod
    def visit(self, node: Any) -> Any:
        raise NotImplementedError

    @visit.register
    def _(self, node: Num) -> Any:
        self.seen += node.value * self.k
        return node.value * self.k

    @visit.register
    def _(self, node: Plus) -> Any:
        return self.visit(node.left) + self.visit(node.right)

    @visit.register
    def _(self, node: Times) -> Any:
        return self.visit(node.left) * self.visit(node.right)


class Doubling(Visitor):
    def __init__(self, k: Any) -> None:
        super().__init__(2 * k)


def of_methods(x: Any, n: int) -> Any:
    visitor, total = Doubling(x), 0.0
    for _ in range(n):
        total += visitor.visit(Plus(Num(x), Times(Num(3.0), Num(x))))
    return total * visitor.seen


def of_a_given_object(visitor: Any, tree: Any, x: Any) -> Any:
    visitor.k *= x
    return visitor.visit(tree) + visitor.seen * x


@pytest.mark.parametrize(
    "f, make",
    [
        (of_a_tree, lambda: (0.7, 1.3)),
        (of_an_argument, lambda: (Plus(Name("x"), Times(Num(2.0), Num(1.5))), 0.7)),
        (of_several, lambda: (0.7, 1)),
        (of_several, lambda: (0.7, 8)),
        (of_methods, lambda: (0.7, 4)),
        (of_a_given_object, lambda: (Visitor(1.2), Plus(Num(0.3), Times(Num(2.0), Num(1.5))), 0.7)),
    ],
)
def test_calls_are_followed(f: Any, make: Any) -> None:
    hold(f, make)


def test_what_a_loop_finds_is_right() -> None:
    assert grad(of_what_a_loop_finds)(0.7, 4) == pytest.approx(
        (of_what_a_loop_finds(0.7 + 1e-6, 4) - of_what_a_loop_finds(0.7 - 1e-6, 4)) / 2e-6
    )


def test_what_is_not_registered_raises() -> None:
    hold_errors(of_an_argument, lambda: (Visitor(1.0), 0.7), TypeError)


def test_another_registration_counts() -> None:
    @functools.singledispatch
    def of(node: Any, x: Any) -> Any:
        return x

    def f(node: Any, x: Any) -> Any:
        return of(node, x) * x

    assert [gradient(f, Num(1.0), 3.0)[1] for _ in range(3)] == [6.0] * 3
    of.register(Num, lambda node, x: x**2)
    assert [gradient(f, Num(1.0), 3.0)[1] for _ in range(3)] == [27.0] * 3
    of.register(Num, lambda node, x: x**3)
    assert [gradient(f, Num(1.0), 3.0)[1] for _ in range(3)] == [108.0] * 3


def test_classes_that_are_registered_as_abstract_ones_count() -> None:
    class Shape(abc.ABC):
        @abc.abstractmethod
        def area(self) -> Any: ...

    @functools.singledispatch
    def of(node: Any, x: Any) -> Any:
        return x

    of.register(Shape, lambda node, x: x**2)

    def f(node: Any, x: Any) -> Any:
        return of(node, x) * x

    assert gradient(f, Num(1.0), 3.0)[1] == 6.0
    Shape.register(Num)
    assert gradient(f, Num(1.0), 3.0)[1] == 27.0


def test_a_method_of_the_object_itself_comes_first() -> None:
    def f(visitor: Any, x: Any) -> Any:
        return visitor.visit(Num(x)) * x

    visitor = Visitor(2.0)
    assert gradient(f, visitor, 3.0)[1] == 12.0
    visitor.visit = lambda node: node.value**2  # type: ignore[method-assign, assignment]
    assert gradient(f, visitor, 3.0)[1] == 27.0


def test_a_method_of_a_class_below_comes_first() -> None:
    class Below(Visitor):
        pass

    def f(x: Any) -> Any:
        return Below(2.0).visit(Num(x)) * x

    assert [grad(f)(3.0) for _ in range(2)] == [12.0] * 2
    Below.visit = lambda self, node: node.value**2  # type: ignore[method-assign, assignment]
    assert [grad(f)(3.0) for _ in range(2)] == [27.0] * 2
    del Below.visit
    Visitor.__dict__["visit"].register(Num, lambda self, node: node.value**3)
    try:
        assert [grad(f)(3.0) for _ in range(2)] == [108.0] * 2
    finally:
        Visitor.__dict__["visit"].register(Num, lambda self, node: node.value * self.k)


def test_numbers_of_several_kinds_are_told_apart() -> None:
    @functools.singledispatch
    def of(v: Any, x: Any) -> Any:
        return x

    of.register(int, lambda v, x: x**2)
    of.register(float, lambda v, x: x**3)

    def f(v: Any, x: Any) -> Any:
        return of(v, x) + of(2.0, x) + of(3, x) + of("text", x)

    assert gradient(f, 1, 2.0)[1] == 4.0 + 12.0 + 4.0 + 1.0
    assert gradient(f, 1.0, 2.0)[1] == 12.0 + 12.0 + 4.0 + 1.0
    assert gradient(f, None, 2.0)[1] == 1.0 + 12.0 + 4.0 + 1.0
    assert gradient(f, True, 2.0)[1] == 4.0 + 12.0 + 4.0 + 1.0
