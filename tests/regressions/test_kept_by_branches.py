"""Arrays and lists that a round makes, that a branch keeps under another name, and that the next round stores into."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from turns import is_thorough

from adjoint import gradient, hvp, jvp

STORES = ("a *= x", "a[0] = a[1] * x", "a[:] = a * x", "a += x * 0.1", "np.multiply(a, x, out=a)", "a[1:] *= x")
MAKES = ("a = np.sin(a)", "a = a.copy() * 1.1", "a = W @ a", "b = np.cos(a); a = b")
OF_LISTS = (
    "a[1] *= x",
    "a[:] = [v * x for v in a]",
    "a.append(x); del a[0]",
    "a.reverse(); a[0] = a[0] * x",
    "a.sort()",
)
LISTS_MADE = ("a = [v * 0.9 for v in a]", "a = a + [x]", "a = a.copy(); a[0] = a[0] * 1.1", "b = list(a); a = b")
NAMES = ("c = a", "c = a; e = c", "e = c; c = a", "c, e = a, c")
LOOPS = (
    "for i in range(4):\n        {S}\n        {M}\n        {R}\n        if i % 3 != 1:\n            {N}",
    "for i in range(4):\n        {S}\n        if i % 3 != 1:\n            {M}\n            {R}\n            {N}",
    "for i in range(4):\n        {M}\n        if i % 3 != 1:\n            {N}\n        {R}\n        {S}",
    "for i in range(4):\n        if i % 2:\n            {S}\n        else:\n            {M}\n        if i % 3 != 1:\n"
    "            {N}\n        {R}",
    "for i in range(3):\n        for j in range(2):\n            {S}\n            if j == 0:\n                {M}\n"
    "                {N}\n        {R}",
    "for i in range(3):\n        {S}\n        for j in range(2):\n            {M}\n            if i > j:\n"
    "                {N}\n        {R}",
    "i = 0\n    while i < 4:\n        {S}\n        {M}\n        if i != 1:\n            {N}\n        else:\n"
    "            c = e\n        {R}\n        i += 1",
)
HEAD = "import numpy as np\n\nW = np.array([[0.3, 0.2, 0.1], [0.1, 0.5, 0.2], [0.2, 0.1, 0.4]])\n\n\ndef f(x):\n"
ARRAYS = (
    "    a, c = np.array([x, 0.5, 1.2 * x]), np.array([1.0, 2.0, x])\n    s, e = 0.0, np.ones(3) * x\n",
    "s = s + (c * a).sum() + e.sum()",
    "    return s * x + (a * a).sum() + c.sum() * e[0]\n",
)
LISTS = (
    "    a, c = [x, 0.5, 1.2 * x], [1.0, 2.0, x]\n    s, e = 0.0, [x, x, 1.0]\n",
    "s = s + c[0] * a[1] + sum(e)",
    "    return s * x + sum(a) * a[0] + sum(c) * e[0]\n",
)
EVERY = 1 if is_thorough() else 12


def programs() -> list[Any]:
    found = []
    for kind, stores, makes in ((ARRAYS, STORES, MAKES), (LISTS, OF_LISTS, LISTS_MADE)):
        before, read, after = kind
        for k, (loop, store, make, name) in enumerate(itertools.product(LOOPS, stores, makes, NAMES)):
            body = loop.format(S=store, M=make, R=read, N=name)
            if k % EVERY == (k // EVERY) % EVERY:
                found.append(f"{HEAD}{before}    {body}\n{after}")
    return found


@pytest.mark.parametrize("text", programs())
def test_what_is_kept_is_what_the_next_round_stores_into(text: str, tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(text)
    space: dict[str, Any] = {}
    exec(compile(text, str(file), "exec"), space)  # noqa: S102
    f, x, h = space["f"], 0.83, 1e-6
    expected = (f(x + h) - f(x - h)) / (2 * h)
    for _ in range(2):
        assert gradient(f, x)[0] == pytest.approx(expected, rel=1e-6, abs=1e-6), text
    assert jvp(f, (x,), (1.0,))[1] == pytest.approx(expected, rel=1e-6, abs=1e-6), text


def test_second_derivatives_of_what_is_kept() -> None:
    def f(x: float) -> Any:
        a, c = np.array([x, 0.5, 1.2 * x]), np.array([1.0, 2.0, x])
        s = 0.0
        for i in range(3):
            a *= x
            if i >= 0:
                a = np.sin(a)
                s = s + (c * a).sum()
                c = a
        return s

    h = 1e-5
    expected = (gradient(f, 0.83 + h)[0] - gradient(f, 0.83 - h)[0]) / (2 * h)
    assert gradient(f, 0.83)[0] == pytest.approx((f(0.83 + h) - f(0.83 - h)) / (2 * h), rel=1e-7)
    assert hvp(f, (0.83,), (1.0,))[0] == pytest.approx(expected, rel=1e-7)
