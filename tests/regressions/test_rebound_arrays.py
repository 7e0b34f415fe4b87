"""Loops that store into an array and make another of it: what is kept for the reverse must not be overwritten.

What a round gave to the next was taken for held by nobody, where the array that the loop began with had been copied.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.calculus import pushforward

STORES = ("a[0] = x", "a *= x", "a[1:] = x * i", "a[0] += x * a[1]", "a[:] = a * x", "np.multiply(a, x, out=a)", "pass")
MAKES = ("a = a * 2.0", "a = np.exp(0.3 * a)", "a = np.tanh(W @ a)", "a = 0.1 * np.sin(a) + a", "a = a.copy()", "pass")
READS = (
    "s = s + (a * a).sum()",
    "s = s + a.sum() * x",
    "s = s + np.outer(a, a).trace()",
    "s = s + np.hypot(a, a[::-1] + 2.0).sum()",
    "kept.append((a * a).sum())",
    "s = s + (c * a).sum(); c = a",
)
LOOPS: dict[str, str] = {
    "for": "for i in range(3):\n        {0}\n        {1}\n        {2}",
    "read first": "for i in range(3):\n        {2}\n        {0}\n        {1}",
    "while": "i = 0\n    while i < 3:\n        {0}\n        {2}\n        {1}\n        i += 1",
    "within": "for i in range(3):\n        {0}\n        for j in range(2):\n            if j == 0:\n"
    "                {1}\n                {2}",
}
HEAD = "import numpy as np\n\nW = np.array([[0.3, 0.2, 0.1], [0.1, 0.5, 0.2], [0.2, 0.1, 0.4]])\n"


def program(store: str, make: str, read: str, loop: str) -> str:
    """A function of a number, as a text."""
    body = LOOPS[loop].format(store, make, read)
    return (
        "def f(x):\n    a, c = np.array([x, 0.5, 1.2 * x]), np.array([1.0, 2.0, x])\n    s, kept = 0.0, []\n"
        f"    {body}\n    return s * x + sum(kept) + (a * a).sum()\n"
    )


def slope(f: Callable[[float], Any], x: float, h: float = 1e-6) -> float:
    return float((f(x + h) - f(x - h)) / (2 * h))


def check_some(store: str, loop: str, tmp_path: Path, every: int) -> None:
    for n, (make, read) in enumerate(itertools.product(MAKES, READS)):
        if (n + len(store) + len(loop)) % every:
            continue  # each pair meets some of the stores and loops
        text = program(store, make, read, loop)
        file = tmp_path / f"program_{n}.py"
        file.write_text(HEAD + "\n\n" + text)
        space: dict[str, Any] = {}
        exec(compile(file.read_text(), str(file), "exec"), space)  # noqa: S102
        f = space["f"]
        assert gradient(f, 0.83)[0] == pytest.approx(slope(f, 0.83), rel=1e-6, abs=1e-6), text


@pytest.mark.parametrize("loop", LOOPS)
@pytest.mark.parametrize("store", STORES)
def test_stores_before_arrays_that_are_made_anew(store: str, loop: str, tmp_path: Path) -> None:
    """Each store in each loop; `tests/runtime/test_rebound_arrays.py` has more of what makes and reads them."""
    check_some(store, loop, tmp_path, every=11)


def recurrent(weights: Any) -> Any:
    h, s = np.zeros(2), 0.0
    for u in (0.5, 0.2, 0.1):
        h[0] = u
        h = np.tanh(weights @ h)
        s = s + (h**2).sum()
    return s


def heated(k: Any) -> Any:
    u, e = np.array([0.0, 1.0, 2.0, 1.0, 0.0]) * k, 0.0
    for _ in range(4):
        u[0] = 0.0
        u[-1] = 0.0
        u = u + k * (np.roll(u, 1) - 2 * u + np.roll(u, -1))
        e = e + (u**2).sum()
    return e


def traced(x: Any) -> Any:
    a, z = np.zeros(3), 0.0
    for _ in range(1, 3):
        a[1:] = x
        a = a @ np.ones((3, 3)) * 0.1
        z = z + np.outer(a, a).trace()
    return z


def raised(x: Any) -> Any:
    a, y, n = np.array([x, 1.0]), 0.0, 0
    while n < 3:
        a[0] = x
        a = np.exp(0.3 * a)
        y = y + a.max() - a.min() + np.square(a).sum()
        n += 1
    return y


@pytest.mark.parametrize("f", [heated, traced, raised])
def test_programs_of_people(f: Callable[[float], Any]) -> None:
    assert gradient(f, 0.2)[0] == pytest.approx(slope(f, 0.2), rel=1e-6)
    assert pushforward(f, (0.2,), (1.0,))[1] == pytest.approx(slope(f, 0.2), rel=1e-6)


def test_a_recurrent_network() -> None:
    weights = np.array([[0.3, 0.2], [0.1, 0.5]])
    found = gradient(recurrent, weights)[0]
    for i, j in np.ndindex(2, 2):
        moved = weights.copy()

        def along(w: float, moved: Any = moved, i: int = i, j: int = j) -> Any:
            moved[i, j] = w
            return recurrent(moved)

        assert math.isclose(found[i, j], slope(along, weights[i, j]), rel_tol=1e-6)
