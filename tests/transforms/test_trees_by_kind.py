"""Calls that are split by the kind of an argument: trees that change between calls, and what is not as it was."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, jvp, pullback
from adjoint.runtime.tables import TABLES

from . import trees_by_kind as programs
from .trees_by_kind import (
    BY_NUMBER,
    BY_TREE,
    Add,
    Answering,
    Computed,
    Cube,
    Many,
    Mul,
    Name,
    Node,
    Num,
    Slotted,
    Squared,
    Tuple3,
    balanced,
    expression,
    many,
)

X, H = 0.4, 1e-6
SEEN = 3
"""Calls after which programs take for granted what they have seen."""


def fresh(f: Callable[..., Any]) -> Any:
    """A function of code of its own, of which nothing is known."""
    assert isinstance(f, FunctionType)
    return FunctionType(f.__code__.replace(), f.__globals__, f.__name__, f.__defaults__, f.__closure__)


def slope(f: Callable[..., Any], *rest: Any) -> Any:
    """The derivative by the first argument, of central differences; or the error."""
    try:
        return (f(X + H, *rest) - f(X - H, *rest)) / (2 * H)
    except Exception as error:
        return type(error)


def check(f: Callable[..., Any], *rest: Any) -> None:
    """Hold both ways of a derivative to differences, twice; an error is that of the program."""
    expected = slope(f, *rest)
    if isinstance(expected, type):
        with pytest.raises(expected):
            grad(f)(X, *rest)
        with pytest.raises(expected):
            pullback(f, X, *rest)
        return
    y, back = pullback(f, X, *rest)
    assert y == f(X, *rest)
    once, twice = back(1.0)[1], back(1.0)[1]
    np.testing.assert_allclose([once or 0.0, grad(f)(X, *rest) or 0.0], expected, rtol=1e-6, atol=1e-8)
    assert once == twice


def shifted(x: Any, h: float) -> Any:
    """A tree with all numbers shifted; what is met twice stays one object."""
    return _shifted(x, h, {})


def _shifted(x: Any, h: float, seen: dict[int, Any]) -> Any:
    if isinstance(x, float):
        return x + h
    if isinstance(x, (list, tuple)):
        items = [_shifted(item, h, seen) for item in x]
        return type(x)(*items) if hasattr(x, "_fields") else type(x)(items)
    if isinstance(x, dict):
        return {key: _shifted(item, h, seen) for key, item in x.items()}
    if not hasattr(x, "__dict__"):
        return x
    if id(x) not in seen:
        seen[id(x)] = made = copy.copy(x)
        for name, value in vars(x).items():
            vars(made)[name] = _shifted(value, h, seen)
    return seen[id(x)]


def along(d: Any, x: Any) -> float:
    """The sum of a cotangent over all numbers of a tree."""
    if d is None or isinstance(x, (int, str)) or x is None:
        return 0.0
    if isinstance(x, float):
        return float(d)
    if isinstance(x, (list, tuple)):
        return sum([along(a, b) for a, b in zip(d, x, strict=True)])
    if isinstance(x, dict):
        return sum([along(d[key], item) for key, item in x.items()])
    return sum([along(getattr(d, name), value) for name, value in vars(x).items()])


def check_tree(f: Callable[..., Any], tree: Any) -> None:
    """Hold the derivative by all numbers of a tree to differences."""
    before = repr(tree)
    expected = (f(shifted(tree, H)) - f(shifted(tree, -H))) / (2 * H)
    _, back = pullback(f, tree)
    for d in (back(1.0)[1], back(1.0)[1], grad(f)(tree)):
        np.testing.assert_allclose(along(d, tree), expected, rtol=1e-6, atol=1e-8)
    assert repr(tree) == before


def changed_trees() -> Iterator[tuple[str, Any]]:
    """Trees, each other than `balanced(4)` at one place."""
    for name, change in {
        "another class": lambda t: setattr(t.left, "left", Squared(0.9, Node(0.2))),
        "computed": lambda t: setattr(t.right, "left", Computed(0.35, Node(0.2))),
        "slotted": lambda t: setattr(t.right, "right", Slotted(0.35, None, Node(0.2))),
        "answering": lambda t: setattr(t.left, "right", Answering(0.3)),
        "a tuple": lambda t: setattr(t.left, "right", Tuple3(0.3, Node(0.4))),
        "none": lambda t: setattr(t.right, "right", None),
        "shared": lambda t: setattr(t, "left", t.right),
        "deeper": lambda t: setattr(t, "left", balanced(6)),
        "an integer": lambda t: setattr(t.left, "value", 2),
        "of NumPy": lambda t: setattr(t.left, "value", np.float64(0.25)),
        "a flag": lambda t: setattr(t.left.right, "value", True),
        "a text": lambda t: setattr(t, "left", "text"),
        "a number": lambda t: setattr(t.right, "left", 3.0),
        "missing": lambda t: delattr(t.left, "value"),
        "a field more": lambda t: setattr(t.left, "extra", t),
        "leaf": lambda t: (setattr(t, "left", None), setattr(t, "right", None)),
    }.items():
        tree = balanced(4)
        change(tree)
        yield name, tree
    yield "nothing", None


@pytest.mark.parametrize("f", BY_NUMBER, ids=lambda f: f.__name__)
def test_trees_that_change(f: Any) -> None:
    for _, tree in changed_trees():
        own = fresh(f)
        for _ in range(SEEN):
            check(own, balanced(4))
        for _ in range(2):
            check(own, tree)
            check(own, balanced(3))


@pytest.mark.parametrize("f", BY_NUMBER, ids=lambda f: f.__name__)
def test_one_program_for_all_trees(f: Any) -> None:
    own = fresh(f)
    for _ in range(3):
        for _, tree in changed_trees():
            check(own, tree)


@pytest.mark.parametrize("f", BY_TREE, ids=lambda f: f.__name__)
def test_derivatives_by_trees(f: Any) -> None:
    others = ("slotted", "answering", "computed", "a tuple", "of NumPy", "a text", "a number", "missing", "nothing")
    more = ("a field more", "a flag", "shared")
    for name, tree in changed_trees():
        own = fresh(f)
        for _ in range(SEEN):
            check_tree(own, balanced(4))
        if name not in (*others, *more):
            for _ in range(2):
                check_tree(own, tree)
                check_tree(own, balanced(3))


def test_a_node_that_is_shared_has_the_sum() -> None:
    leaf = Node(0.3)
    tree = Node(0.5, leaf, leaf)
    for f in BY_TREE[:1]:
        own = fresh(f)
        for _ in range(4):
            check_tree(own, Node(0.5, Node(0.3), Node(0.3)))
        for _ in range(3):
            (d,) = gradient(own, tree)
            apart = gradient(own, Node(0.5, Node(0.3), Node(0.3)))[0]
            got = sum([along(part, leaf) for part in (d.left, d.right)])
            np.testing.assert_allclose(got, apart.left.value + apart.right.value)


def test_methods_that_are_not_those_of_the_class() -> None:
    def own_method(t: Any) -> None:
        t.left.total = lambda x: 3.0 * x

    for change in (
        own_method,
        lambda t: setattr(t.left, "right", Squared(0.7)),
        lambda t: setattr(t, "left", 5.0),
        lambda t: setattr(t.right, "left", Slotted(0.7, Node(0.3))),
        lambda t: setattr(t.right, "left", Computed(0.7, Node(0.3))),
        lambda t: setattr(t.right, "left", Answering(0.7)),
    ):
        own, tree = fresh(programs.by_method), balanced(4)
        change(tree)
        for _ in range(SEEN):
            check(own, balanced(4))
        for _ in range(3):
            check(own, tree)
            check(own, balanced(4))


def test_classes_that_change() -> None:
    class Kept:
        def __init__(self, v: float, n: Any = None) -> None:
            self.v, self.n = v, n

        def t(self, x: float) -> Any:
            return self.v * x + (math.sin(self.n.t(x)) if self.n is not None else 0.0)

    def by_method(x: float, k: Any) -> Any:
        return k.t(x)

    def f(k: Any, x: float) -> Any:
        return 0.0 if k is None else k.v * x + math.sin(f(k.n, x))

    def by_function(x: float, k: Any) -> Any:
        return f(k, x)

    chain = Kept(0.3, Kept(0.4, Kept(0.5)))

    def all_right() -> None:
        for _ in range(3):
            check(by_method, chain)
            check(by_function, chain)

    all_right()
    before = Kept.t
    Kept.t = lambda self, x: self.v * x * x + (self.n.t(x) if self.n is not None else 0.0)  # type: ignore[method-assign]
    all_right()
    Kept.t = before  # type: ignore[method-assign]
    all_right()
    Kept.v = property(lambda self: vars(self)["v"] * 2)  # type: ignore[assignment]
    all_right()
    del Kept.v
    all_right()
    Kept.__getattribute__ = lambda self, name: object.__getattribute__(self, name)  # type: ignore[method-assign, assignment]
    all_right()


def test_what_is_stored_between_calls() -> None:
    for f in BY_NUMBER:
        own, tree = fresh(f), balanced(4)
        for step in range(6):
            check(own, tree)
            tree.left.value += 0.1
            tree.right.left = Node(0.1 * step, Squared(0.2)) if step % 2 else None


def test_other_containers() -> None:
    cases: list[tuple[Any, Any, list[Any]]] = [
        (programs.by_tuples, programs.of_tuples, [(0.3, None, (0.4, (1, None, None), None)), None, (0.3, None)]),
        (programs.by_dicts, programs.of_dicts, [{"value": 2, "left": None, "right": None}, {"value": 0.3}, None]),
        (programs.by_lists, programs.of_lists, [[0.3, [0.4, 2, [], [[0.1]]]], 0.3, [[], []], [0.3, "a"], [(0.2,)]]),
    ]
    for f, make, others in cases:
        for other in others:
            own = fresh(f)
            for _ in range(SEEN):
                check(own, make(4))
            for _ in range(2):
                check(own, other)
                check(own, make(3))


@pytest.mark.parametrize("f", [programs.by_eval, programs.by_isinstance], ids=lambda f: f.__name__)
def test_expressions_of_several_classes(f: Any) -> None:
    others = [
        expression(5),
        Cube(expression(3)),
        Mul(Cube(Name("x")), Name("x")),
        Name("x"),
        Num(3),
        Add(Num(2), Mul(Name("x"), Num(1.5))),
        Mul(Name("x"), 3.0),
        Add(None, Name("x")),
    ]
    for other in others:
        own = fresh(f)
        for _ in range(SEEN):
            check(own, expression(4))
        for _ in range(2):
            check(own, other)
            check(own, expression(3))


@pytest.mark.parametrize("f", [programs.by_children, programs.gathered], ids=lambda f: f.__name__)
def test_lists_of_children(f: Any) -> None:
    others = [Many(0.3, []), Many(0.3, [many(1), Many(1, [])]), Many(0.3, (many(1),)), Many(0.3, [Node(0.2)])]  # type: ignore[arg-type]
    for other in others:
        own = fresh(f)
        for _ in range(3):
            check(own, many(3))
        for _ in range(2):
            check(own, other)
            check(own, many(2))


def test_a_recursion_whose_end_was_not_seen_is_not_taken_for_endless() -> None:
    """Where no call seen so far has come to an end, the reading gives nothing; the run gives something."""

    def f(n: Any, x: float) -> Any:
        return n.value * x + 0.5 * f(n.left, x) if n.left is not None else n.value * x * x

    def g(x: float, n: Any) -> Any:
        return f(n, x)

    deep = Node(0.3, Node(0.4, Node(0.5, Node(0.6))))
    for _ in range(6):
        check(g, deep)
    for _ in range(3):
        check(programs.without_end, deep)


@pytest.mark.parametrize("f", [programs.segments, programs.pushed], ids=lambda f: f.__name__)
def test_trees_that_the_program_makes(f: Any) -> None:
    """Of these no argument shows which kinds there are: the runs do, one after the other."""
    own = fresh(f)
    for n in (16, 16, 16, 16, 16, 16, 3, 1, 7):
        check_tree(own, [0.1 + 0.05 * i for i in range(n)])


def test_effects_happen_once_and_in_order() -> None:
    log: list[float] = []

    def note(v: float) -> None:
        log.append(v)

    def f(n: Any, x: float) -> Any:
        if n is None:
            return 0.0
        note(n.value)
        return n.value * x + f(n.left, x) * f(n.right, x)

    def g(x: float, n: Any) -> Any:
        return f(n, x)

    for tree in (*[balanced(3)] * 4, *[tree for name, tree in changed_trees() if name in ("another class", "none")]):
        log.clear()
        g(X, tree)
        expected = [*log]
        log.clear()
        pullback(g, X, tree)[1](1.0)
        assert log == expected
        log.clear()
        grad(g)(X, tree)
        assert log == expected


@pytest.mark.parametrize("f", [*BY_NUMBER, programs.by_method], ids=lambda f: f.__name__)
def test_second_derivatives_and_tangents(f: Any) -> None:
    tree, own = balanced(3), fresh(f)
    for _ in range(3):
        grad(own)(X, tree)
        second = grad(lambda x: grad(own)(x, tree))(X)
        expected = (grad(own)(X + H, tree) - grad(own)(X - H, tree)) / (2 * H)
        np.testing.assert_allclose(second, expected, rtol=1e-5, atol=1e-7)
        _, dot = jvp(own, (X, tree), (1.0, None))
        np.testing.assert_allclose(dot, slope(own, tree), rtol=1e-6)


def test_no_call_is_looked_for_in_a_tree_that_was_seen() -> None:
    for f, tree in (
        (programs.inner, balanced(4)),
        (programs.by_method, balanced(4)),
        (programs.by_isinstance, expression(4)),
    ):
        own = fresh(f)
        for _ in range(4):
            grad(own)(X, tree)
        specs = [spec for entries in TABLES[id(own.__code__)].entries.values() for _, spec in entries]
        assert specs and not any([spec.looks_for_fields for spec in specs])
