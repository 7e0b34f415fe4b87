"""Global lists and dicts of numbers are values where a program has memory, unless it stores into them or reaches them
in another way."""

from __future__ import annotations

import math
from typing import Any

import pytest
from transforms.held_to_python import hold, hold_to_recorded

from adjoint import grad, gradient, pullback
from adjoint.derivatives import choice

READINGS = [(("a", "b", "c")[i % 3], 0.3 * i) for i in range(9)]
TABLE = [[1.0, 2.0], [3.0, 4.0]]
NAMED = {"a": 1.5, "b": 0.5}
FLAT = [1.0, 2.0, 3.0]


@pytest.fixture(autouse=True)
def as_before() -> Any:
    TABLE[:], FLAT[:] = [[1.0, 2.0], [3.0, 4.0]], [1.0, 2.0, 3.0]
    NAMED.clear()
    NAMED.update(a=1.5, b=0.5)
    choice.forget()
    yield
    TABLE[:], FLAT[:] = [[1.0, 2.0], [3.0, 4.0]], [1.0, 2.0, 3.0]
    NAMED.clear()
    NAMED.update(a=1.5, b=0.5)


def grouped(x: Any) -> Any:
    groups: dict[str, list[Any]] = {}
    for key, value in READINGS:
        if key not in groups:
            groups[key] = []
        groups[key].append(math.sin(value * x))
    return sum(max(values) * len(values) for values in groups.values())


def counted(x: Any) -> Any:
    groups: dict[str, list[Any]] = {}
    for key, value in READINGS:
        groups.setdefault(key, []).append(value * x * NAMED.get(key, 2.0))
    return sum(sum(values) ** 2 for values in groups.values()) * TABLE[1][0]


def test_readings_are_grouped() -> None:
    hold(grouped, lambda: (0.73,))
    hold(counted, lambda: (0.73,))
    READINGS.append(("d", 1.0))
    NAMED["c"] = 3.0
    TABLE[1][0] = 7.0
    try:
        hold(counted, lambda: (0.73,))
    finally:
        READINGS.pop()


def of_an_argument(xs: Any, x: Any) -> Any:
    groups: dict[str, list[Any]] = {"a": [], "b": []}
    for v in FLAT:
        groups["a"].append(v * x)
    xs[0] *= x
    for v in FLAT:
        groups["b"].append(v * x)
    return sum(groups["a"]) * sum(groups["b"])


def test_an_argument_may_be_the_global() -> None:
    def make() -> tuple[Any, ...]:
        return [1.0, 2.0, 3.0], 0.7

    hold(of_an_argument, make)
    for _ in range(2):
        FLAT[:] = [1.0, 2.0, 3.0]
        bars = gradient(of_an_argument, FLAT, 0.7)
        assert FLAT == [0.7, 2.0, 3.0]
        h = 1e-6
        sides = []
        for e in (h, -h):
            FLAT[:] = [1.0, 2.0, 3.0]
            sides.append(of_an_argument(FLAT, 0.7 + e))
        assert bars[1] == pytest.approx((sides[0] - sides[1]) / (2 * h))
    hold(of_an_argument, make)


def of_a_row(row: Any, x: Any) -> Any:
    kept = {"a": [x]}
    kept["a"].append(TABLE[0][1] * x)
    row[1] = x
    kept["a"].append(TABLE[0][1] * x)
    return sum(kept["a"])


def test_an_argument_may_be_a_row_of_the_global() -> None:
    assert gradient(of_a_row, [0.0, 0.0], 0.7)[1] == pytest.approx(1.0 + 2.0 + 2.0)
    for _ in range(2):
        TABLE[0][1] = 2.0
        assert gradient(of_a_row, TABLE[0], 0.7)[1] == pytest.approx(1.0 + 2.0 + 1.4)
        assert TABLE[0] == [1.0, 0.7]


class Holder:
    def __init__(self, rows: Any) -> None:
        self.rows = rows


def of_an_object(holder: Any, x: Any) -> Any:
    out = [TABLE[0][0] * x]
    holder.rows[0][0] = x
    holder.last = TABLE[0][0]
    out.append(TABLE[0][0] * x)
    return sum(out)


def test_an_object_may_hold_the_global() -> None:
    for _ in range(2):
        assert gradient(of_an_object, Holder([[5.0]]), 0.7)[1] == pytest.approx(2.0)
    for _ in range(2):
        TABLE[0][0] = 1.0
        assert gradient(of_an_object, Holder(TABLE), 0.7)[1] == pytest.approx(1.0 + 1.4)


def test_a_captured_list_may_be_the_global() -> None:
    captured = FLAT

    def f(x: Any) -> Any:
        out = {"a": [x]}
        captured[1] = x * x
        for v in FLAT:
            out["a"].append(v * x)
        return sum(out["a"])

    for _ in range(3):
        assert grad(f)(0.7) == pytest.approx(1.0 + 1.0 + 3 * 0.49 + 3.0)
        assert FLAT[1] == pytest.approx(0.49)


def that_stores_later(x: Any) -> Any:
    out = {"a": [TABLE[0][0] * x]}

    def go(k: int) -> Any:
        if k == 0:
            return x
        TABLE[0][0] += x
        out["a"].append(TABLE[0][0] * x)
        return go(k - 1) * TABLE[0][0]

    return go(3) * sum(out["a"])


def that_keeps(x: Any) -> Any:
    out = {"a": [x], "b": [x]}
    out["a"] = FLAT
    out["a"][0] = x
    for v in FLAT:
        out["b"].append(v * x)
    return sum(out["b"]) + sum(FLAT)


@pytest.mark.parametrize("f", [that_stores_later, that_keeps])
def test_a_program_may_store_into_the_global(f: Any) -> None:
    def of(x: float) -> Any:
        TABLE[:], FLAT[:] = [[1.0, 2.0], [3.0, 4.0]], [1.0, 2.0, 3.0]
        return f(x)

    slope = (of(0.7 + 1e-6) - of(0.7 - 1e-6)) / 2e-6
    of(0.7)
    left = [row[:] for row in TABLE], FLAT[:]
    for _ in range(3):
        TABLE[:], FLAT[:] = [[1.0, 2.0], [3.0, 4.0]], [1.0, 2.0, 3.0]
        assert grad(f)(0.7) == pytest.approx(slope)
        assert left == ([row[:] for row in TABLE], FLAT[:])


def test_two_globals_may_be_one() -> None:
    globals()["OTHER"] = TABLE[0]

    def f(x: Any) -> Any:
        out = {"a": [TABLE[0][0] * x]}
        OTHER[0] = x  # type: ignore[name-defined] # noqa: F821
        out["a"].append(TABLE[0][0] * x)
        return sum(out["a"])

    for _ in range(3):
        TABLE[0][0] = 1.0
        assert grad(f)(0.7) == pytest.approx(1.0 + 1.4)


def test_back_is_of_the_run() -> None:
    y, back = pullback(counted, 0.73)
    first = back(1.0)[1]
    NAMED["a"] = 100.0
    TABLE[1][0] = 100.0
    READINGS.append(("a", 50.0))
    try:
        assert back(1.0)[1] == first
    finally:
        READINGS.pop()


def test_the_same_as_recorded() -> None:
    hold_to_recorded(of_an_argument, lambda: ([1.0, 2.0, 3.0], 0.7))
