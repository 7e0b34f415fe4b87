"""Numbers, arrays, and lists and dicts of these as arguments that a program changes: their cotangents are those that
places give, whichever of the two ways hands them over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, pullback
from adjoint.derivatives import shadows
from adjoint.derivatives.nested import handing_over_nested

from .differences import check


def rows(m: list[list[float]], k: float) -> float:
    m[0][0] *= k
    m[1][1] += m[0][0] ** 2
    m.append(list(m[0]))
    m[2][0] *= m[0][0]
    return sum([sum(q) for q in m]) * m[2][0]


def table(d: dict[str, float], k: float) -> float:
    d["a"] = d["a"] * k
    d["new"] = d["b"] ** 2
    return d["a"] * d["new"] + d["c"]


def parameters(p: dict[str, Any], x: Any) -> float:
    p["w"] *= 0.5
    p["w"][0] += x[1]
    p["b"] = p["b"] + x
    p["n"] += 1
    return float((p["w"] * x).sum() + (p["b"] ** 2).sum()) * p["n"]


def layers(layers_: list[dict[str, Any]], x: float) -> float:
    for layer in layers_:
        layer["w"] *= x
        layer["seen"].append(layer["w"])
        x = layer["w"] * x + sum(layer["seen"])
    return x


def swapped(xs: list[float], ys: list[float]) -> float:
    xs[0], ys[0] = ys[0] * xs[1], xs[0]
    return xs[0] * ys[0] + ys[1]


def emptied(xs: list[float], a: Any) -> float:
    x = xs.pop()
    xs.clear()
    a[0] = x * a[1]
    return float(a.sum()) * x


def nothing_flows(xs: list[float], k: float) -> float:
    xs[0] = 1.0
    return k * k


def with_words(d: dict[str, Any], k: float) -> float:
    d["x"] *= k
    return d["x"] * d["n"] * (2.0 if d["name"] == "b" else 3.0) * (1.0 if d["on"] else 0.0)


CASES: list[tuple[Callable[..., float], Callable[[], tuple[Any, ...]]]] = [
    (rows, lambda: ([[0.5, 0.7], [0.3, 0.2]], 0.9)),
    (table, lambda: ({"a": 0.5, "b": 0.7, "c": 0.2}, 0.9)),
    (parameters, lambda: ({"w": np.array([0.5, 0.7]), "b": np.array([0.1, 0.2]), "n": 2}, np.array([0.3, 0.4]))),
    (layers, lambda: ([{"w": 0.5, "seen": [0.1]}, {"w": 0.7, "seen": []}], 0.9)),
    (swapped, lambda: ([0.5, 0.7], [0.3, 0.2])),
    (emptied, lambda: ([0.5, 0.7], np.array([0.3, 0.2]))),
    (nothing_flows, lambda: ([0.5, 0.7], 0.9)),
    (with_words, lambda: ({"x": 0.5, "n": 3, "name": "b", "on": True}, 0.9)),
]


SHARED = [case for case in CASES if case[0] in (rows, parameters, with_words)]
"""Programs of memory with shadows; the others work on copies of their arguments."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_value_state_and_derivatives(case: tuple[Any, Any]) -> None:
    f, make = case
    for _ in range(3):
        check(f, *make())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0].__name__)
def test_both_ways_give_the_same(case: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    f, make = case
    asked: list[Any] = []

    def noted(*args: Any) -> Any:
        asked.append(handing_over_nested(*args))
        return asked[-1]

    monkeypatch.setattr(shadows, "handing_over_nested", noted)
    found = [gradient(f, *make()) for _ in range(3)]
    assert all(asked) and bool(asked) == (case in SHARED)
    monkeypatch.setattr(shadows, "handing_over_nested", lambda *args: None)
    for bars in (*found, gradient(f, *make())):
        same(bars, gradient(f, *make()))


def same(a: Any, b: Any) -> None:
    assert type(a) is type(b)
    if isinstance(a, dict):
        assert [*a] == [*b]
        a, b = list(a.values()), list(b.values())
    if isinstance(a, list | tuple):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            same(x, y)
    elif isinstance(a, np.ndarray):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)
    else:
        assert a == b


def no_more_than_once() -> list[tuple[Any, ...]]:
    row = [0.5, 0.7]
    ring: list[Any] = [0.5]
    ring.append(ring)
    return [
        ([row, row], 0.9),
        (row, row),
        ([np.array([0.5, 0.7])[:1]], 0.9),
        ({"a": row, "b": [row]}, 0.9),
        (ring, 0.9),
        ([object()], 0.9),
        (lambda: row, 0.9),
    ]


@pytest.mark.parametrize("values", no_more_than_once(), ids=[*"abcdefg"])
def test_what_has_places_instead(values: tuple[Any, ...]) -> None:
    assert handing_over_nested((rows, *values), (True,) * (1 + len(values))) is None


def test_tuples_are_handed_over_by_their_items() -> None:
    row = [0.5, 0.7]
    assert handing_over_nested((rows, [(row, 0.5)], 0.9), (True, True, True)) is not None
    assert handing_over_nested((rows, [(row, row)], 0.9), (True, True, True)) is None


def test_an_array_may_be_part_of_several_arguments() -> None:
    array = np.array([0.5, 0.7])
    for values in ((array, [array]), ([array], {"a": array}), ([array], array, (array, 0.5))):
        assert handing_over_nested((rows, *values), (True,) * (1 + len(values))) is not None
    assert handing_over_nested((rows, [array, array], 0.9), (True, True, True)) is None


def test_what_is_not_asked_for_may_not_be_a_part_of_what_is() -> None:
    row = [0.5, 0.7]
    assert handing_over_nested((rows, [row], row), (True, True, False)) is None
    assert handing_over_nested((rows, [row], [row]), (True, True, False)) is None
    assert handing_over_nested((rows, [row], [row.copy()]), (True, True, False)) is not None


def test_rows_that_are_one_row() -> None:
    def f(m: list[list[float]]) -> float:
        m[0][0] *= 3.0
        return m[1][0] * m[0][1]

    for _ in range(3):
        row = [0.5, 0.7]
        bars = gradient(f, [row, row])[0]
        np.testing.assert_allclose(bars[0] if bars[1] is None else np.add(*bars), [2.1, 1.5])
        np.testing.assert_allclose(gradient(f, [row, row.copy()])[0], [[0.0, 1.5], [0.7, 0.0]])


def test_back_twice() -> None:
    m = [[0.5, 0.7], [0.3, 0.2]]
    _, back = pullback(rows, m, 0.9)
    first, second = back(1.0), back(2.0)
    np.testing.assert_allclose(np.array(second[1]), 2 * np.array(first[1]))
    same(first, back(1.0))


class Body:
    __slots__ = ("a", "name", "unset", "v", "x")

    def __init__(self, x: Any, v: Any) -> None:
        self.x, self.v, self.name = x, v, "b"
        self.a = np.array([0.5, v])

    def move(self, k: Any) -> None:
        self.x = self.x + self.v * k
        self.a = self.a * self.x


@dataclass(slots=True)
class Point:
    x: float
    y: float


def moved(bodies: list[Body], p: Point, k: float) -> float:
    total = 0.0
    for body in bodies:
        body.move(k)
        total += body.x * float(body.a.sum()) * p.x
    p.y = total * p.y
    return total * p.y


def test_objects_with_slots(monkeypatch: pytest.MonkeyPatch) -> None:
    def make(by: float = 0.0) -> tuple[Any, ...]:
        return [Body(0.5 + by, 0.3), Body(0.2, 0.7)], Point(0.9, 1.1), 0.4

    assert handing_over_nested((moved, *make()), (True,) * 4) is not None
    found = [gradient(moved, *make()) for _ in range(3)]
    monkeypatch.setattr(shadows, "handing_over_nested", lambda *args: None)
    expected = (moved(*make(1e-6)) - moved(*make(-1e-6))) / 2e-6
    for bodies, p, k in (*found, gradient(moved, *make())):
        np.testing.assert_allclose(bodies[0].x, expected, rtol=1e-8)
        (others, q, m) = gradient(moved, *make())
        assert repr((bodies, p, k)) == repr((others, q, m)) and not hasattr(bodies[0], "unset")
    body = Body(0.5, 0.3)
    assert handing_over_nested((moved, [body, body], Point(0.9, 1.1), 0.4), (True,) * 4) is None
