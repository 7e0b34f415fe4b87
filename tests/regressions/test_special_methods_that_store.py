"""Objects of a program whose special methods store: while nobody else has them, these run only where they stand."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.inspect import code_adjoint

from .differences import check, check_forward, right_or_refused


class Control:
    def __init__(self, k: float) -> None:
        self.k, self.i, self.last = k, 0.0, 0.0

    def __call__(self, e: float, gain: float = 1.0) -> float:
        self.i += e * 0.1
        d, self.last = e - self.last, e
        return gain * (self.k * e + 0.1 * self.i + 0.01 * d)


class Grid:
    def __init__(self, n: int) -> None:
        self.cells = [0.5] * n
        self.reads = 0

    def __setitem__(self, i: int, v: float) -> None:
        self.cells[i] = v

    def __getitem__(self, i: int) -> float:
        self.reads += 1
        return self.cells[i]

    def __delitem__(self, i: int) -> None:
        self.cells[i] = 0.0

    def __len__(self) -> int:
        return len(self.cells)


class Sum:
    def __init__(self, x: float) -> None:
        self.x = x

    def add(self, v: float) -> None:
        self.x = self.x * 0.9 + v

    def __iadd__(self, v: float) -> Sum:
        self.x += v
        return self

    def __imul__(self, v: float) -> float:
        self.x *= v
        return self.x

    def __add__(self, other: Sum) -> Sum:
        other.x = other.x * 2.0
        return Sum(self.x + other.x)

    def __neg__(self) -> float:
        self.x = self.x + 1.0
        return -self.x

    def __eq__(self, other: object) -> bool:
        self.x = self.x * 2.0
        return isinstance(other, Sum) and self.x > other.x

    def __bool__(self) -> bool:
        self.x += 1.0
        return True

    def __hash__(self) -> int:
        self.x += 1.0
        return 1

    def __repr__(self) -> str:
        self.x += 1.0
        return "sum"

    def __len__(self) -> int:
        self.x += 1.0
        return -1

    def __contains__(self, v: float) -> bool:
        self.x += v
        return v > 1.0


class Bounded:
    def __init__(self, x: float) -> None:
        self._v = x
        self.sets = 0

    @property
    def v(self) -> float:
        return self._v

    @v.setter
    def v(self, w: float) -> None:
        self._v = min(w, 5.0)
        self.sets += 1


class Random:
    def __init__(self, seed: int) -> None:
        self.s = seed

    def __next__(self) -> float:
        self.s = (self.s * 1103515245 + 12345) % 2147483648
        return self.s / 2147483648

    def __iter__(self) -> Random:
        return self


def called(x: float) -> float:
    c, y = Control(x), 0.0
    for i in range(20):
        y += 0.1 * c(1.0 - y) if i % 2 else 0.05 * c(1.0 - y, gain=x)
    return y * c.i


def items(x: float) -> float:
    g = Grid(6)
    for i in range(len(g)):
        g[i] = math.sin(x * i)
    total = 0.0
    for i in range(6):
        total += g[i] * g[i - 1]
    del g[2]
    return total * g[2] + g[3] * g.reads


def items_in_place(x: float) -> float:
    g = Grid(3)
    for i in range(3):
        g[i] += x * i
        g[i] *= x
    return g[0] + g[1] * g[2]


def unused_ones(x: float) -> float:
    s = Sum(x)
    for i in range(5):
        s.add(x * i)
    return s.x


def in_place(x: float) -> float:
    s = Sum(x)
    for i in range(5):
        s += x * i
    t = s
    t += x
    return s.x * t.x


def in_place_to_a_number(x: float) -> float:
    s: Any = Sum(x)
    s *= x
    return s * s


def changes_the_other(x: float) -> float:
    a, b = Sum(x), Sum(x * x)
    c = a + b
    return c.x * b.x * a.x


def unary(x: float) -> float:
    s = Sum(x)
    return -s * s.x


def compared(x: float) -> float:
    s, t = Sum(x), Sum(1.0)
    if s == t:
        return s.x * x
    return s.x


def under_its_truth(x: float) -> float:
    s = Sum(x)
    return s.x * x if s else x


def searched(x: float) -> float:
    s = Sum(x)
    if x in s:
        return s.x * 2.0
    return s.x


def in_a_list(x: float) -> float:
    s, t = Sum(x), Sum(1.0)
    if s in [t]:
        return s.x * t.x
    return s.x


def as_a_key(x: float) -> float:
    s = Sum(x)
    d = {s: x}
    return s.x * d[s]


def written_out(x: float) -> float:
    s = Sum(x)
    text = f"{s}"
    return s.x * len(text)


def by_a_property(x: float) -> float:
    p = Bounded(x)
    for _ in range(10):
        p.v = p.v * 1.5 + x
    return p.v * x + p._v


def drawn(x: float) -> float:
    r, total = Random(1), 0.0
    for i in range(5):
        total += x * next(r) * i
    return total * total


def drawn_by_a_loop(x: float) -> float:
    total = 0.0
    for i, u in zip(range(4), Random(3), strict=False):
        total += x * u * i
    return total * total


def handed_on(x: float) -> float:
    c = Control(x)
    return sum(map(c, [x, x * x]))


def kept_in_a_dict(x: float) -> float:
    d = {"a": Sum(x)}
    d["a"] += x * x
    return d["a"].x * x


def of_a_class_that_is_given(x: float) -> float:
    s, t = of(Sum, x), of(Sum, x * x)
    return s.x if [s] == [t] else s.x * t.x


def of(cls: Any, x: float) -> Any:
    return cls(x)


def made_by_a_default(x: float) -> float:
    things = several(x)
    return sum(thing.x for thing in things) + (x if things[0] in things[1:] else 2.0 * things[0].x)


def several(x: float, cls: Any = Sum) -> list[Any]:
    return [cls(x), cls(x * x), cls(2.0)]


def given_to_numpy(x: float) -> float:
    g = Grid(3)
    g[1] = x * x
    return float(np.sum([g[i] for i in range(len(g))])) * x


PROGRAMS: list[Callable[[float], Any]] = [
    *(called, items, items_in_place, unused_ones, in_place, in_place_to_a_number, changes_the_other, unary, compared),
    *(under_its_truth, searched, in_a_list, by_a_property, drawn, drawn_by_a_loop, handed_on),
    *(kept_in_a_dict, given_to_numpy, of_a_class_that_is_given, made_by_a_default),
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_what_special_methods_store_is_followed(f: Callable[[float], Any]) -> None:
    check(f, 1.3, order=2)
    check_forward(f, 1.3)


@pytest.mark.parametrize("f", [as_a_key, written_out], ids=lambda f: f.__name__)
def test_what_c_code_would_run_is_refused(f: Callable[[float], Any]) -> None:
    for _ in range(2):
        right_or_refused(f, 1.3)


STRUCTURED = [called, items, items_in_place, unused_ones, in_place, changes_the_other, by_a_property, drawn]


@pytest.mark.parametrize("f", STRUCTURED, ids=lambda f: f.__name__)
def test_their_fields_are_variables(f: Callable[[float], Any]) -> None:
    text = re.sub(r" +# .*", "", code_adjoint(f, 1.3))
    assert not re.search(r"^# `|Control\(|Grid\(|Sum\(|Bounded\(|Random\(|observe|pullback\(\w+,", text), text


def test_what_python_refuses_raises() -> None:
    def no_length(x: float) -> float:
        return len(Sum(x)) * x

    def no_item(x: float) -> float:
        g = Grid(2)
        g[5] = x
        return x

    def no_store(x: float) -> float:
        s: Any = Random(1)
        s[0] = x
        return x

    def no_call(x: float) -> float:
        s: Any = Random(1)
        return s(x)  # type: ignore[no-any-return]

    for f, error in ((no_length, ValueError), (no_item, IndexError), (no_store, TypeError), (no_call, TypeError)):
        with pytest.raises(error) as plain:
            f(1.3)
        for _ in range(2):
            with pytest.raises(error) as ours:
                gradient(f, 1.3)
            assert str(ours.value).splitlines()[0] == str(plain.value)


def test_methods_that_are_replaced() -> None:
    def f(x: float) -> float:
        g = Grid(3)
        g[1] = x * x
        return g[1] * len(g)

    check(f, 1.3)
    store, length = Grid.__setitem__, Grid.__len__
    try:
        Grid.__setitem__ = lambda self, i, v: store(self, i, v * 2.0)  # type: ignore[method-assign]
        right_or_refused(f, 1.3)
        Grid.__len__ = lambda self: 7  # type: ignore[method-assign]
        right_or_refused(f, 1.3)
    finally:
        Grid.__setitem__, Grid.__len__ = store, length  # type: ignore[method-assign]
    check(f, 1.3)


def test_an_object_that_is_there_already() -> None:
    made = Sum(2.0)

    def f(x: float) -> float:
        nonlocal made
        made += x
        return made.x * x

    before = made.x
    y = gradient(f, 1.3)[0]
    np.testing.assert_allclose(y, before + 2 * 1.3, rtol=1e-12)
    assert made.x == before + 1.3
