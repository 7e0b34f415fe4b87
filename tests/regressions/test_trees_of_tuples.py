"""Trees of nested tuples: recursions over several shapes, one after the other, in any order."""

from __future__ import annotations

import random
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adjoint import grad


def leaf(v: Any) -> Any:
    return (v, None)


def node(a: Any, b: Any) -> Any:
    return (a[0] + b[0], (a, b))


TREES: dict[str, Any] = {
    ".": lambda x: leaf(x),
    "(..)": lambda x: node(leaf(x), leaf(2 * x)),
    "((..).)": lambda x: node(node(leaf(x), leaf(x * x)), leaf(x)),
    "(.(..))": lambda x: node(leaf(x), node(leaf(x), leaf(x * x))),
    "((..)(..))": lambda x: node(node(leaf(x), leaf(x)), node(leaf(x), leaf(x * x))),
    "(((..).).)": lambda x: node(node(node(leaf(x), leaf(x)), leaf(x)), leaf(x)),
}


PROGRAMS = """
def weighted(n, d):
    return n[0] * d if n[1] is None else weighted(n[1][0], d + 1) + weighted(n[1][1], d + 1)

def in_a_loop(n, d):
    total = n[0] * d
    for i in range(2):
        if n[1] is not None:
            total = total + in_a_loop(n[1][0], d + 1) * n[1][1][0] + n[1][1][0] * i
    return total

def unpacked(n, d):
    if n[1] is None:
        return n[0]
    a, b = n[1]
    return unpacked(a, d) * n[1][0][0] + unpacked(b, d) * n[1][1][0]
"""
"""Recursions by global names, of a module that nothing has been seen of."""

ORDERS = [["((..).)", "((..)(..))", ".", "(((..).).)", "(..)", "(.(..))"]]
ORDERS += [random.Random(seed).sample([*TREES], len(TREES)) for seed in range(3)]


@pytest.mark.parametrize("order", ORDERS, ids=range(len(ORDERS)))
@pytest.mark.parametrize("name", ["weighted", "in_a_loop", "unpacked"])
def test_shapes(name: str, order: list[str], tmp_path: Path) -> None:
    path, x, step = tmp_path / "programs.py", 1.3, 1e-6
    path.write_text(PROGRAMS)
    walk = runpy.run_path(str(path))[name]
    for shape in order * 2:

        def f(x: Any, shape: str = shape) -> Any:
            return walk(TREES[shape](x), 1)

        assert np.isclose(grad(f)(x), (f(x + step) - f(x - step)) / (2 * step), rtol=1e-5)
