"""Methods that Python calls by itself, of objects that are arguments: reversed in structure, with what they store."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import jvp, pullback
from adjoint.derivatives import choice
from adjoint.errors import AdjointError


class Poly:
    """A polynomial whose operators compute and store."""

    def __init__(self, c: Any) -> None:
        self.c = c
        self.changes = 0

    def __getitem__(self, k: Any) -> Any:
        return self.c[k] if k < len(self.c) else 0.0

    def __setitem__(self, k: Any, value: Any) -> None:
        while len(self.c) <= k:
            self.c.append(0.0)
        self.c[k] = value
        self.changes += 1

    def __delitem__(self, k: Any) -> None:
        self.c[k] *= 0.0
        self.c.pop(0)

    def __len__(self) -> int:
        return len(self.c)

    def __bool__(self) -> bool:
        self.changes += 1
        return self.c[0] > 0.5

    def __contains__(self, value: Any) -> bool:
        self.changes += 1
        found = False
        for c in self.c:
            found = found or abs(c - value) < 0.1
        return found

    def __add__(self, other: Any) -> Any:
        if isinstance(other, Poly):
            n = max(len(self), len(other))
            return Poly([self[k] + other[k] for k in range(n)])
        return Poly([self.c[0] + other] + self.c[1:])

    __radd__ = __add__

    def __mul__(self, other: Any) -> Any:
        if not isinstance(other, Poly):
            return NotImplemented
        out = [0.0] * (len(self) + len(other) - 1)
        for i, a in enumerate(self.c):
            for j, b in enumerate(other.c):
                out[i + j] += a * b
        return Poly(out)

    def __rmul__(self, factor: Any) -> Any:
        self.changes += 1
        return Poly([factor * c for c in self.c])

    def __iadd__(self, other: Any) -> Any:
        for k in range(len(other.c)):
            self[k] += other[k]
        return self

    def __neg__(self) -> Any:
        return Poly([-c for c in self.c])

    def __call__(self, x: Any) -> Any:
        self.changes += 1
        total = 0.0
        for k, c in enumerate(self.c):
            total += c * x**k
        return total


def items(p: Any, q: Any, x: Any) -> Any:
    p[3] = x * q[0]
    p[0] *= p[1]
    return p(x) ** 2 * p.changes


def deleted(p: Any, q: Any, x: Any) -> Any:
    y = q(x)
    del q[1]
    return y * q(x)


def added_in_place(p: Any, q: Any, x: Any) -> Any:
    same = p
    p += q
    p += p
    return same(x) * q(x) + p[2]


def operated(p: Any, q: Any, x: Any) -> Any:
    r = 2.0 * p + p * q + x
    s = -(q + r)
    return s(x) * r[0] + p.changes


def asked(p: Any, q: Any, x: Any) -> Any:
    total = x if p else 100.0
    if 1.5 in q and not q:
        total += 50.0
    if q:
        total *= q[0] * x
    return total * len(p) * p(x) + p.changes * x


def in_a_loop(p: Any, q: Any, x: Any) -> Any:
    for k in range(4):
        p[k] = p[k] + q[k] * x
        if p[k] > 1.0:
            q[k] = x * p[k]
    return p(x) * q(x)


def by_an_alias(p: Any, q: Any, x: Any) -> Any:
    pair = [p, q, p]
    for k, item in enumerate(pair):
        item[k] = item[0] * x + k
    return p(x) + q(x) * x


def half_way(p: Any, q: Any, x: Any) -> Any:
    p[0] = p[0] * x
    if p[0] > 100.0:
        raise ValueError("too large")
    q[0] = p[0] * q[1]
    return p(x) * q(x)


PROGRAMS = [items, deleted, added_in_place, operated, asked, in_a_loop, by_an_alias, half_way]
POINT = [0.7, -1.2, 1.5, 0.4, 0.9, 0.8]


def polynomials(v: Any) -> tuple[Any, ...]:
    return Poly([v[0], v[1]]), Poly([v[2], v[3], v[4]]), v[5]


def same_polynomial(v: Any) -> tuple[Any, ...]:
    p = Poly([v[0], v[1], v[2] + v[3] + v[4]])
    return p, p, v[5]


def state(x: Any) -> Any:
    if isinstance(x, (list, tuple)):
        return [state(item) for item in x]
    return {name: state(field) for name, field in vars(x).items()} if hasattr(x, "__dict__") else x


def numbers(bars: Any, like: Any) -> list[float]:
    """All numbers of cotangents of such values, in order."""
    if isinstance(like, Poly):
        return numbers(getattr(bars, "c", None), like.c)
    if isinstance(like, (list, tuple)):
        found = [None] * len(like) if bars is None else bars
        return [n for bar, item in zip(found, like, strict=True) for n in numbers(bar, item)]
    return [0.0 if bars is None else float(bars)]


def slopes(f: Callable[..., Any], make: Callable[[Any], tuple[Any, ...]]) -> list[float]:
    found, h = [], 1e-6
    for i in range(len(POINT)):
        ends = [f(*make([p + sign * h * (i == k) for k, p in enumerate(POINT)])) for sign in (1, -1)]
        found.append((ends[0] - ends[1]) / (2 * h))
    return found


@pytest.mark.parametrize("f", PROGRAMS)
def test_methods_are_followed_with_what_they_store(f: Callable[..., Any]) -> None:
    expected = slopes(f, polynomials)
    for _ in range(3):
        given, plain = polynomials(POINT), polynomials(POINT)
        y, back = pullback(f, *given)
        assert y == f(*plain)
        assert state(given) == state(plain)
        for _ in range(2):
            assert np.allclose(numbers(back(1.0)[1:], polynomials(POINT)), expected, rtol=1e-5, atol=1e-7)
    assert not choice.has_been_recorded(f, polynomials(POINT))


@pytest.mark.parametrize("f", PROGRAMS)
def test_tangents_are_followed(f: Callable[..., Any]) -> None:
    expected = slopes(f, polynomials)[-1]
    for _ in range(2):
        given, plain = polynomials(POINT), polynomials(POINT)
        y, dy = jvp(f, given, (None, None, 1.0))
        assert y == f(*plain)
        assert state(given) == state(plain)
        assert math.isclose(dy, expected, rel_tol=1e-5, abs_tol=1e-7)


def test_an_error_half_way_leaves_what_python_leaves() -> None:
    for _ in range(3):
        given, plain = polynomials([200.0, *POINT[1:]]), polynomials([200.0, *POINT[1:]])
        with pytest.raises(ValueError, match="too large"):
            half_way(*plain)
        with pytest.raises(ValueError, match="too large"):
            pullback(half_way, *given)
        assert state(given) == state(plain)


class Keys:
    """Asked for its hash, and compared, it counts: what no structure follows."""

    def __init__(self, v: Any) -> None:
        self.v, self.asked = v, 0

    def __hash__(self) -> int:
        self.asked += 1
        return 1

    def __eq__(self, other: Any) -> bool:
        self.asked += 1
        return self.v == other.v

    def __index__(self) -> int:
        self.asked += 1
        return 1

    def __format__(self, spec: str) -> str:
        self.asked += 1
        return ""

    def __lt__(self, other: Any) -> bool:
        self.asked += 1
        return bool(self.v < other.v)

    @property
    def twice(self) -> Any:
        self.asked += 1
        return 2.0 * self.v


SEEN = {
    "display": "table = {k: x}\n    k.v *= table[k]",
    "dict": "table = {}\n    table[k] = x\n    k.v *= x",
    "comprehension": "table = {key: x for key in [k, k]}\n    k.v *= x",
    "place": "xs = [x, x * x]\n    k.v *= xs[k]",
    "stored at": "xs = [x, x * x]\n    xs[k] = x\n    k.v *= xs[1]",
    "in a list": "k.v *= x if k in [j, k] else 1.0",
    "index": "xs = [j, k]\n    k.v *= x + xs.index(k)",
    "counted": "xs = [j, k]\n    k.v *= x + xs.count(k)",
    "equal": "k.v *= x if k == j else 2.0 * x",
    "sorted": "k.v *= sorted([k, j])[0].v * x",
    "smallest": "k.v *= min(k, j).v * x",
    "text": "k.v *= x * len(f'{k}ab')",
    "set": "k.v *= x * len({k, j})",
    "asked for": "k.v *= x if hasattr(k, 'twice') else 1.0",
    "read": "k.v *= getattr(k, 'twice') * x",
    "lists compared": "k.v *= x if [k] == [j] else 2.0 * x",
    "range": "k.v *= x * len(range(k))",
    "array": "import numpy\n    k.v *= x * numpy.arange(3.0)[k]",
}


@pytest.mark.parametrize("body", SEEN.values(), ids=SEEN)
def test_what_is_not_written_out_is_no_less_done(body: str, tmp_path: Any) -> None:
    file = tmp_path / "given.py"
    file.write_text(f"def f(k, j, x):\n    {body}\n    return k.v * (1.0 + k.asked)\n")
    names: dict[str, Any] = {"Keys": Keys}
    exec(compile(file.read_text(), str(file), "exec"), names)
    f, h = names["f"], 1e-6
    expected = (f(Keys(0.7), Keys(1.5), 0.8 + h) - f(Keys(0.7), Keys(1.5), 0.8 - h)) / (2 * h)
    for _ in range(3):
        given, plain = (Keys(0.7), Keys(1.5), 0.8), (Keys(0.7), Keys(1.5), 0.8)
        try:
            y, back = pullback(f, *given)
        except AdjointError:
            return  # said aloud
        assert y == f(*plain)
        assert state(given) == state(plain)
        assert math.isclose(back(1.0)[3], expected, rel_tol=1e-6)
