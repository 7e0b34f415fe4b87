"""Classes whose properties store: value, state and derivatives are those of the plain program."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from adjoint import Tangent, gradient, hvp, jvp
from adjoint.derivatives.choice import was_recorded

from .differences import check
from .functions_over_memory import Case
from .test_shared_objects import named


class Tank:
    def __init__(self, v: float) -> None:
        self._v = v
        self.log: list[float] = []

    @property
    def v(self) -> float:
        return self._v

    @v.setter
    def v(self, x: float) -> None:
        self._v = 0.5 * x

    @property
    def logged(self) -> float:
        return self._v

    @logged.setter
    def logged(self, x: float) -> None:
        if x > 50.0:
            raise ValueError(x)
        self.log.append(x)
        self._v = x

    @v.deleter
    def v(self) -> None:
        self._v = 0.0

    def fill(self, x: float) -> None:
        self.v = self.v + x


class Narrow(Tank):
    @Tank.v.setter
    def v(self, x: float) -> None:
        self._v = 0.25 * x


class Counting(Tank):
    reads: int = 0

    @property
    def counted(self) -> float:
        self.reads += 1
        return self._v * self.reads


OUTSIDE = Tank(1.5)


def in_rounds(t: Tank, x: float, n: int) -> float:
    for _ in range(n):
        t.v = t.v * x + 1.0
    return t.v


def into_a_list(t: Tank, x: float) -> float:
    t.logged = x * 2.0
    t.logged = t.logged * x
    return sum(t.log) * t.v


def in_place(t: Tank, x: float) -> float:
    t.v += x
    t.v *= x
    t.fill(x)
    return t.v * t._v


def one_of_two(t: Tank, x: float) -> float:
    u = t if x > 0.0 else Tank(x)
    u.v = x * t.v
    return t.v


def by_name(t: Tank, x: float) -> float:
    setattr(t, "v", x * t.v)  # noqa: B010
    return float(getattr(t, "v"))  # noqa: B009


def several(ts: list[Tank], x: float) -> float:
    for t in ts:
        t.v = t.v * x
    ts[0].fill(x)
    return sum([t.v for t in ts])


def made_within(x: float) -> float:
    t = Tank(x)
    ts = [t, Tank(2.0 * x)]
    for u in ts:
        u.logged = u.v * x
    return sum([u.v * len(u.log) for u in ts]) + t.v


def caught(t: Tank, x: float) -> float:
    try:
        t.logged = 100.0 * x
    except ValueError:
        t.v = x
    return t.v


def deleted(t: Tank, x: float) -> float:
    y = t.v * x
    del t.v
    return y + t.v


def read_that_stores(t: Counting, x: float) -> float:
    t.v = x
    return t.counted * x + t.counted


CASES: list[Case] = [
    (in_rounds, lambda: (Tank(1.2), 0.8, 3)),
    (in_rounds, lambda: (Tank(1.2), 0.8, 0)),
    (in_rounds, lambda: (Narrow(1.2), 0.8, 3)),
    (into_a_list, lambda: (Tank(1.2), 0.8)),
    (in_place, lambda: (Tank(1.2), 0.8)),
    (one_of_two, lambda: (Tank(1.2), 0.8)),
]
RIGHT: list[Case] = [
    (one_of_two, lambda: (Tank(1.2), -0.8)),
    (by_name, lambda: (Tank(1.2), 0.8)),
    (several, lambda: ([Tank(1.2), Tank(0.3)], 0.8)),
    (several, lambda: ([Tank(1.2), Narrow(0.3)], 0.8)),
    (made_within, lambda: (0.8,)),
    (caught, lambda: (Tank(1.2), 0.8)),
    (deleted, lambda: (Tank(1.2), 0.8)),
    (read_that_stores, lambda: (Counting(1.2), 0.8)),
]
"""Recorded or not."""


@pytest.mark.parametrize("case", [*CASES, *RIGHT], ids=named)
def test_property_setters(case: Case) -> None:
    f, make = case
    for _ in range(3):
        check(f, *make())


@pytest.mark.parametrize("case", CASES, ids=named)
def test_programs_that_set_properties_are_structured(case: Case) -> None:
    f, make = case
    for _ in range(2):
        gradient(f, *make())
    assert not was_recorded(f)


def test_tangents_and_second_derivatives() -> None:
    args, h = (Tank(1.2), 0.8, 3), 1e-5
    bars = gradient(in_rounds, *copy.deepcopy(args))
    tangent = Tangent(Tank, {"_v": 0.3})
    for _ in range(3):
        found = jvp(in_rounds, copy.deepcopy(args), (tangent, 0.5, None))[1]
        np.testing.assert_allclose(found, bars[0]._v * 0.3 + bars[1] * 0.5)
    sides = [gradient(in_rounds, Tank(1.2 + 0.3 * by), 0.8 + 0.5 * by, 3)[1] for by in (h, -h)]
    found = hvp(in_rounds, copy.deepcopy(args), (tangent, 0.5, None))[1]
    np.testing.assert_allclose(found, (sides[0] - sides[1]) / (2 * h), rtol=1e-6)


def test_a_setter_that_raises() -> None:
    def f(t: Tank, x: float) -> float:
        t.v = x
        t.logged = 100.0 * x
        return t.v

    for _ in range(3):
        t = Tank(1.2)
        with pytest.raises(ValueError, match="80"):
            gradient(f, t, 0.8)
        assert t._v == 0.4 and not t.log


def test_objects_of_the_module() -> None:
    def f(x: float) -> float:
        OUTSIDE.v = x * 2.0
        return OUTSIDE.v * x

    for _ in range(3):
        assert gradient(f, 0.8)[0] == pytest.approx(1.6)
        assert OUTSIDE._v == 0.8


def test_setters_that_are_replaced() -> None:
    class Own:
        def __init__(self, v: float) -> None:
            self._v = v

        def _set(self, x: Any) -> None:
            self._v = x * 2.0

        v = property(lambda self: self._v, _set)

    def f(t: Own, x: float) -> float:
        t.v = x * x
        return float(t.v)

    for _ in range(2):
        assert gradient(f, Own(0.5), 3.0)[1] == 12.0
    Own.v = property(lambda self: self._v, lambda self, x: setattr(self, "_v", x * 3.0))  # type: ignore[assignment]
    for _ in range(2):
        assert gradient(f, Own(0.5), 3.0)[1] == 18.0
