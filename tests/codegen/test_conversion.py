"""Closure conversion: the functions of a tape hold what they read as defaults, and mean what their text says."""

from __future__ import annotations

import ast
import gc
import math
from typing import Any

import numpy as np
import pytest

from adjoint import grad, pullback
from adjoint.cells import captured_by, converted, held_by
from adjoint.codegen.conversion import convert_closures


def converted_text(text: str) -> str:
    """The text of a module with one function, converted."""
    module = ast.parse(text)
    function = module.body[0]
    assert isinstance(function, ast.FunctionDef)
    convert_closures(function)
    return ast.unparse(module)


def made(text: str, *args: Any) -> Any:
    """What the function `f` of a text gives."""
    scope: dict[str, Any] = {}
    exec(text, scope)
    return scope["f"](*args)


BRANCHES = """
def f(x):
    if x > 0:
        y = x * 2
        z = 1.0
    else:
        y = x * 3
    def back(d):
        return d * y * (z if x > 0 else 2.0)
    return back
"""
LEFT = """
def f(x):
    if x > 0:
        y = x * 2
    else:
        return lambda d: d
    def back(d):
        return d * y
    return back
"""
REBOUND = """
def f(x):
    y = x
    def back(d):
        return d * y
    y = y * 10
    return back
"""
DELETED = """
def f(x):
    y = x
    w = x
    del w
    def back(d):
        return d * y
    w = 3 * x
    return back
"""
WITHIN = """
def f(x):
    y = x * x
    def back(d):
        t = d * y
        def inner(e):
            return e * t * x
        return inner(t)
    return back
"""
ITSELF = """
def f(x):
    def back(d):
        return d if d > x else back(d * 2)
    return back
"""
OWN = """
def f(x):
    y = x
    k = 5
    def back(d):
        y = d * k
        return [k for k in range(2)] + [y]
    return back
"""
SHARED = """
def f(x):
    y = x
    def back(d):
        nonlocal y
        y = y + d
        return y
    return back
"""
TEXTS = {"branches": BRANCHES, "left": LEFT, "rebound": REBOUND, "deleted": DELETED, "within": WITHIN}
TEXTS |= {"itself": ITSELF, "own": OWN, "shared": SHARED}


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("x", [2.0, -2.0])
def test_the_meaning_stays(name: str, x: float) -> None:
    plain, turned = made(TEXTS[name], x), made(converted_text(TEXTS[name]), x)
    for d in (1.0, 3.0, 3.0):
        assert plain(d) == turned(d)


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("branches", set()),  # what one of the branches alone binds begins with None, which nobody reads
        ("left", set()),
        ("rebound", {"y"}),
        ("deleted", set()),
        ("within", set()),
        ("itself", {"back"}),
        ("shared", {"y"}),
    ],
)
def test_what_stays_in_cells(name: str, kept: set[str]) -> None:
    assert {*made(converted_text(TEXTS[name]), 2.0).__code__.co_freevars} == kept


def test_loops_and_attempts_stay() -> None:
    text = "def f(xs):\n    for x in xs:\n\n        def back(d):\n            return d * x\n    return back"
    assert "x=x" not in converted_text(text)
    attempt = "try:\n        y = x\n    except ValueError:\n        pass"
    text = f"def f(x):\n    {attempt}\n\n    def back(d):\n        return d * y\n    return back"
    assert "y=y" not in converted_text(text)


class Node:
    """A tree of the user's."""

    def __init__(self, value: float, children: list[Node]) -> None:
        self.value = value
        self.children = children


def tree(depth: int) -> Node:
    return Node(0.1 * depth + 0.2, [tree(depth - 1) for _ in range(3)] if depth else [])


def total(x: float, node: Node) -> float:
    found = x * node.value
    for child in node.children:
        found = found + math.sin(total(x * 0.9, child))
    return found


def test_a_tape_of_a_recursion_is_few_objects() -> None:
    """The collector runs through what a tape holds: a node has its pullback, the defaults of that, and three lists."""
    root = tree(5)
    for _ in range(3):
        pullback(total, 0.7, root)[1](1.0)
    gc.collect()
    before = len(gc.get_objects())
    _, back = pullback(total, 0.7, root)
    nodes = sum(3**k for k in range(6))
    assert len(gc.get_objects()) - before < 6 * nodes
    assert back(1.0)[1] == back(1.0)[1] == grad(total)(0.7, root)
    step = 1e-6
    slope = (total(0.7 + step, root) - total(0.7 - step, root)) / (2 * step)
    np.testing.assert_allclose(back(1.0)[1], slope, rtol=1e-8)


def helper(x: float, y: float) -> float:
    return math.sin(x) * y if x > 0 else math.exp(y)


def test_what_a_pullback_reads_has_names() -> None:
    _, back = pullback(helper, 0.5, 2.0)
    inner = back._back
    assert converted(inner) and converted(inner).items() <= captured_by(inner).items()
    assert [*converted(inner).values()] == held_by(inner)[: len(converted(inner))]
    assert {"x", "y"} <= {*captured_by(inner)}


def test_defaults_of_users_are_no_captures() -> None:
    def scaled(x: float, /, a: float = 2.0) -> float:
        return a * x

    assert converted(scaled) == {} and captured_by(scaled) == {} and held_by(scaled) == [2.0]


@pytest.mark.parametrize("x", [0.4, -0.4])
def test_pullbacks_are_differentiated(x: float) -> None:
    """The cotangent of what a `back` reads of the run flows through its defaults."""

    def seeded(a: float, d: float) -> float:
        _, back = pullback(helper, a, 1.5)
        return back(d)[1] * back(2.0 * d)[2]

    step = 1e-6
    for i, args in enumerate([(x, 0.7), (x, 0.7)]):
        ends = [tuple(v + s * step * (j == i) for j, v in enumerate(args)) for s in (1, -1)]
        slope = (seeded(*ends[0]) - seeded(*ends[1])) / (2 * step)
        for _ in range(3):
            np.testing.assert_allclose(grad(seeded, argnums=i)(*args), slope, rtol=1e-7, atol=1e-9)
