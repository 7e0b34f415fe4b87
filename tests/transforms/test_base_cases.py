"""Base cases of recursions, written out where they are called."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest

from adjoint import grad, pullback
from adjoint.runtime.tables import TABLES
from adjoint.testing import check_gradient

# mypy: disable-error-code="no-untyped-def, no-untyped-call, attr-defined"


@dataclasses.dataclass
class Leaf:
    value: float


@dataclasses.dataclass
class Named:
    value: float
    name: str


@dataclasses.dataclass
class Pair:
    left: Any
    right: Any


SAID: list[str] = []


def scale():
    return 2.0


def total(t):
    if isinstance(t, Leaf):
        return t.value * scale()
    if isinstance(t, Named):
        SAID.append(t.name)
        return math.sin(t.value)
    return total(t.left) * total(t.right) + total(t.left)


def folded(x, depth):
    def build(v, d):
        return v if d == 0 else (build(v * 0.9, d - 1), build(v + 0.1, d - 1))

    def fold(t):
        if isinstance(t, tuple):
            left, right = t
            return math.tanh(fold(left)) + 0.5 * fold(right)
        return t * t

    return fold(build(x, depth))


def clipped(t):
    if isinstance(t, Leaf):
        if t.value < 0.0:
            raise ValueError("below zero")
        return t.value
    return clipped(t.left) * clipped(t.right)


def tree(depth, x, leaf=Leaf):
    return leaf(x) if depth == 0 else Pair(tree(depth - 1, x * 0.9, leaf), tree(depth - 1, x + 0.1, leaf))


def differences(f, t, leaf, h=1e-6):
    kept = leaf.value
    leaf.value = kept + h
    high = f(t)
    leaf.value = kept - h
    low = f(t)
    leaf.value = kept
    return (high - low) / (2 * h)


def texts(f):
    """The generated programs, with those that they call, of the calls so far."""
    specs = [spec for entries in TABLES[id(f.__code__)].entries.values() for _, spec in entries]
    return {part.text for spec in specs for part in spec.all()}


def test_leaves_are_written_out():
    t = tree(3, 0.6)
    slope = grad(total)
    for _ in range(10):
        d = slope(t)
    leaf = t.left.right.left
    assert d.left.right.left.value == pytest.approx(differences(total, t, leaf))
    assert any(["elif type(left) is Leaf:\n        value = left.value" in text for text in texts(total)])
    y, back = pullback(total, t)
    first = back(1.0)[1]
    assert (
        y == total(t)
        and back(1.0)[1] == first
        and back(2.0)[1].left.left.left.value == 2.0 * first.left.left.left.value
    )


def test_the_same_of_tuples_and_numbers():
    check_gradient(folded, 0.6, 4)
    check_gradient(folded, 0.3, 1)


def test_what_it_reads_is_guarded(monkeypatch):
    t = tree(2, 0.6)
    slope = grad(total)
    for _ in range(10):
        slope(t)
    monkeypatch.setitem(globals(), "scale", lambda: 3.0)
    assert slope(t).left.left.value == pytest.approx(differences(total, t, t.left.left))


def test_what_acts_is_done_once_in_order():
    t = tree(2, 0.6, lambda x: Named(x, f"{x:.2f}"))
    slope = grad(total)
    for _ in range(8):
        SAID.clear()
        d = slope(t)
        said = [*SAID]
        SAID.clear()
        total(t)
        assert said == SAID
    assert d.left.right.value == pytest.approx(differences(total, t, t.left.right))


def test_errors_of_leaves():
    t = tree(2, 0.6)
    slope = grad(clipped)
    for _ in range(10):
        d = slope(t)
    assert d.right.left.value == pytest.approx(differences(clipped, t, t.right.left))
    t.right.left.value = -1.0
    with pytest.raises(ValueError, match="below zero"):
        slope(t)
    t.right.left.value = 0.5
    assert slope(t).right.right.value == pytest.approx(differences(clipped, t, t.right.right))
