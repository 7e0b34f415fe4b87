"""Managers of the user's own that store into lists and dicts which others may have: value, state and derivatives are
those of the plain program."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, jvp
from adjoint.derivatives.choice import was_recorded

from .differences import check
from .functions_over_memory import Case
from .test_shared_objects import named


class Timer:
    def __init__(self, acc: list[float]) -> None:
        self.acc = acc

    def __enter__(self) -> Timer:
        self.acc.append(0.0)
        return self

    def __exit__(self, *error: Any) -> bool:
        self.acc[-1] = self.acc[-1] * 2.0
        return False

    def add(self, v: float) -> None:
        self.acc[-1] += v


class Scaled:
    def __init__(self, state: dict[str, float], k: float) -> None:
        self.state = state
        self.k = k

    def __enter__(self) -> dict[str, float]:
        self.old = self.state["k"]
        self.state["k"] = self.old * self.k
        return self.state

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.state["k"] = self.old


class Suppressing:
    def __init__(self, log: list[float]) -> None:
        self.log = log

    def __enter__(self) -> Suppressing:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> bool:
        self.log.append(1.0 if kind is None else 5.0)
        return kind is ValueError


def timed(xs: list[float], acc: list[float]) -> float:
    for x in xs:
        with Timer(acc) as t:
            t.add(x * x)
            t.add(math.exp(x))
    return sum(acc) * (acc[0] if acc else 1.0)


def nested(xs: list[float], acc: list[float]) -> float:
    with Timer(acc) as t:
        for x in xs:
            with Timer(acc) as u:
                u.add(x * acc[0])
            t.add(x)
    return sum([v * (i + 1.0) for i, v in enumerate(acc)])


def scaled(state: dict[str, float], x: float) -> float:
    with Scaled(state, x) as s:
        r = s["k"] ** 2 * x
    return r + state["k"]


def early(xs: list[float], acc: list[float]) -> float:
    for x in xs:
        with Timer(acc) as t:
            t.add(x)
            if x > 0.6:
                return x * acc[0]
    return sum(acc)


def suppressed(xs: list[float], log: list[float]) -> float:
    total = 0.0
    for x in xs:
        with Suppressing(log):
            total += math.sqrt(x - 0.5)
    return total * sum(log)


def left(xs: list[float], x: float) -> float:
    ys = xs
    try:
        ys[0] = x * ys[1]
        z = math.sqrt(ys[0])
    finally:
        ys[1] = ys[0] * x
    return z * xs[1]


CASES: list[Case] = [
    (timed, lambda: ([0.3, 0.5, 0.7], [])),
    (timed, lambda: ([0.3], [0.2])),
    (timed, lambda: ([], [])),
    (nested, lambda: ([0.3, 0.5], [0.7])),
    (scaled, lambda: ({"k": 1.1}, 2.0)),
    (left, lambda: ([0.5, 0.7], 0.9)),
]
RIGHT: list[Case] = [
    (early, lambda: ([0.3, 0.5, 0.7, 0.9], [])),
    (suppressed, lambda: ([0.6, 0.7, 1.0], [])),
    (suppressed, lambda: ([0.6, 0.2, 1.0], [0.5])),
]
"""Recorded or not."""


@pytest.mark.parametrize("case", [*CASES, *RIGHT], ids=named)
def test_managers_that_store(case: Case) -> None:
    f, make = case
    for _ in range(3):
        check(f, *make())


@pytest.mark.parametrize("case", CASES, ids=named)
def test_programs_with_such_managers_are_structured(case: Case) -> None:
    f, make = case
    for _ in range(2):
        gradient(f, *make())
    assert not was_recorded(f)


def test_tangents() -> None:
    bars = gradient(nested, [0.3, 0.5], [0.7])
    for _ in range(3):
        found = jvp(nested, ([0.3, 0.5], [0.7]), ([1.0, -0.5], [0.2]))[1]
        np.testing.assert_allclose(found, bars[0][0] - 0.5 * bars[0][1] + 0.2 * bars[1][0])


def test_an_exception_leaves_what_python_leaves() -> None:
    def f(xs: list[float], acc: list[float]) -> float:
        for x in xs:
            with Timer(acc) as t:
                t.add(math.sqrt(x))
        return sum(acc)

    plain: list[float] = []
    with pytest.raises(ValueError, match="math domain"):
        f([0.25, -1.0, 0.5], plain)
    for _ in range(3):
        acc: list[float] = []
        with pytest.raises(ValueError, match="math domain"):
            gradient(f, [0.25, -1.0, 0.5], acc)
        assert acc == plain
    assert gradient(f, [0.25, 1.0], [])[0] == [2.0, 1.0]
    with pytest.raises(ValueError, match="math domain"):
        left([0.5, -0.7], 0.9)
    for _ in range(2):
        given = [0.5, -0.7]
        with pytest.raises(ValueError, match="math domain"):
            gradient(left, given, 0.9)
        assert given == [0.9 * -0.7, 0.9 * -0.7 * 0.9]
