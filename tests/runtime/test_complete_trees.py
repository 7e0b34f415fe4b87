"""Trees of objects whose cotangents come complete: what is handed over is what the general way gives, whatever the
trees hold besides."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest

from adjoint import Tangent, grad, pullback, value_and_grad
from adjoint.derivatives import looking, planning
from adjoint.tangents import release

# mypy: disable-error-code="no-untyped-def, no-untyped-call, attr-defined"


@dataclasses.dataclass
class Leaf:
    value: float


@dataclasses.dataclass
class Node:
    op: str
    left: Any
    right: Any


@dataclasses.dataclass
class Scaled:
    factor: float
    child: Any


class Marked(Node):
    pass


@dataclasses.dataclass
class Partly:
    """Of two children the second counts under a condition."""

    k: float
    left: Any
    right: Any


def evaluate(t):
    if t is None:
        return 0.5
    if isinstance(t, Leaf):
        return t.value
    if isinstance(t, Scaled):
        return helped(t.factor) * evaluate(t.child)
    if isinstance(t, Partly):
        a = evaluate(t.left)
        return a * t.k if a > 0.5 else evaluate(t.right)
    a, b = evaluate(t.left), evaluate(t.right)
    return a + b if t.op == "+" else a * b


def helped(k):
    return math.sin(k) * k


def twice(t):
    return evaluate(t.left) * evaluate(t.left) + evaluate(t.right)


def of_two(t, u, x):
    return evaluate(t) * x + evaluate(u)


def grown(depth, x):
    if depth == 0:
        return Leaf(x)
    return Node("+" if depth % 2 else "*", grown(depth - 1, x * 0.9), grown(depth - 1, x + 0.05))


@pytest.fixture
def answers(monkeypatch):
    """The answers that looks give, of all plans that are made."""
    found: list[bool] = []

    def look_of(plan, spec, place, x):
        name = looking.look_of(plan, spec, place, x)
        if name is None:
            return None

        def look(value, asked=plan.objects[name]):
            found.append(asked(value))
            return found[-1]

        return plan.name(look)

    monkeypatch.setattr(planning, "look_of", look_of)
    return found


def general(f, tree):
    """The gradient without a plan."""
    return release(pullback(f, tree)[1](1.0)[1], tree, {})


def shown(d):
    """A cotangent as tuples, with the order of its fields."""
    if not isinstance(d, Tangent):
        return type(d), d
    return d._cls, [(name, shown(bar)) for name, bar in d._fields.items()]


def differences(f, tree, leaf, name="value", h=1e-6):
    """The derivative by a field of an object in a tree."""
    kept = getattr(leaf, name)
    setattr(leaf, name, kept + h)
    high = f(tree)
    setattr(leaf, name, kept - h)
    low = f(tree)
    setattr(leaf, name, kept)
    return (high - low) / (2 * h)


def whole(t):
    return evaluate(t)


def warm(f, tree):
    slope = grad(f)
    for _ in range(10):
        slope(tree)
    return slope


def test_comes_complete(answers):
    tree = grown(4, 0.6)
    slope = warm(whole, tree)
    assert answers and all(answers)
    assert shown(slope(tree)) == shown(general(whole, tree))
    assert slope(tree).left.right.left.right.value == pytest.approx(
        differences(whole, tree, tree.left.right.left.right)
    )
    assert value_and_grad(whole)(tree) == (whole(tree), slope(tree))


def _extra(tree):
    tree.left.weight = 2.0


def _extra_text(tree):
    tree.left.name = "a"


def _order(tree):
    tree.left.left = tree.left.__dict__.pop("left")


def _number(tree):
    tree.left.op = 1.5


def _none(tree):
    tree.left.right = None


def _marked(tree):
    tree.left = Marked("*", tree.left.left, tree.left.right)


def _whole_number(tree):
    tree.left.left = Leaf(2)


def _scaled(tree):
    tree.right = Scaled(0.4, tree.right)


@pytest.mark.parametrize("change", [_extra, _extra_text, _order, _number, _none, _marked, _whole_number, _scaled])
def test_other_trees(change):
    slope = warm(whole, grown(3, 0.6))
    tree = grown(3, 0.6)
    for _ in range(10):
        change(tree)
        assert shown(slope(tree)) == shown(general(whole, tree))
        tree = grown(3, 0.7)
        assert shown(slope(tree)) == shown(general(whole, tree))


def test_two_places_of_one_object(answers):
    tree = grown(3, 0.6)
    tree.left.right = tree.left.left
    slope = warm(whole, tree)
    assert all(answers)
    d = slope(tree)
    assert shown(d) == shown(general(whole, tree))
    leaf = tree.left.left.right
    assert d.left.left.right.value + d.left.right.right.value == pytest.approx(differences(whole, tree, leaf))


def test_fields_change_between_calls(answers):
    tree = grown(3, 0.6)
    slope = warm(whole, tree)
    tree.left.left.left.value = 2.0
    tree.right.right = Leaf(0.1)
    assert slope(tree).left.left.right.value == pytest.approx(differences(whole, tree, tree.left.left.right))
    assert shown(slope(tree)) == shown(general(whole, tree))
    assert all(answers)


@pytest.mark.parametrize("k", [0.4, 0.9])
def test_one_child_or_the_other(k):
    tree = Partly(1.5, Leaf(k), Partly(0.5, Leaf(0.3), Node("*", Leaf(0.2), Scaled(0.7, Leaf(0.1)))))
    slope = warm(whole, tree)
    d = slope(tree)
    assert shown(d) == shown(general(whole, tree))
    assert d.k == pytest.approx(differences(whole, tree, tree, "k"))
    assert d.right.right.right.factor == pytest.approx(differences(whole, tree, tree.right.right.right, "factor"))


def test_a_child_twice():
    tree = grown(3, 0.6)
    slope = warm(twice, tree)
    assert shown(slope(tree)) == shown(general(twice, tree))
    assert slope(tree).left.left.left.value == pytest.approx(differences(twice, tree, tree.left.left.left))


def test_several_arguments(answers):
    t, u = grown(3, 0.6), grown(2, 0.3)
    slope = grad(of_two, argnums=(0, 1, 2))
    for _ in range(10):
        slope(t, t, 2.0)
        d = slope(t, u, 2.0)
    assert d[2] == evaluate(t)
    for i, tree in enumerate((t, u)):
        assert shown(d[i]) == shown(release(pullback(of_two, t, u, 2.0)[1](1.0)[1 + i], tree, {}))
    slope(t, u, 2.0)
    assert answers[-2:] == [True, True]


def test_deep_trees():
    def chain(n):
        tree = Leaf(0.9)
        for _ in range(n):
            tree = Node("*", tree, Leaf(1.01))
        return tree

    slope = warm(whole, chain(3))
    tree = chain(250)
    assert shown(slope(tree)) == shown(general(whole, tree))
