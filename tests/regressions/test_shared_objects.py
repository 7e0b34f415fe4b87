"""Programs that change objects which others may have: run on these, value, state and derivatives those of the plain
program, and of the recorded one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from storing_plans import without_plans

from adjoint import gradient, pullback
from adjoint.derivatives import choice

from .differences import check
from .shared_objects import CASES, Case, Particle, captured, in_a_list


def named(case: Case) -> str:
    return case[0].__name__


@pytest.mark.parametrize("case", CASES, ids=named)
def test_programs_that_change_shared_objects(case: Case, structured: list[bool]) -> None:
    f, make = case
    check(f, *make())
    assert structured and all(structured), "it was recorded"


@pytest.mark.parametrize("case", CASES, ids=named)
def test_gradients_are_those_of_the_recorded_program(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    f, make = case
    found = gradient(f, *make())
    without_plans(monkeypatch)
    monkeypatch.setattr("adjoint.derivatives.shared_call", lambda *args: None)
    expected = gradient(f, *make())
    choice.forget()
    assert close(found, expected), f"{found}, recorded {expected}"


def close(a: Any, b: Any) -> bool:
    """Whether two cotangents are the same but for rounding."""
    if a is None or b is None:
        return a is b
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(map(close, a, b))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all([close(a[k], b[k]) for k in a])
    if isinstance(a, (float, np.ndarray)):
        return bool(np.allclose(a, b, rtol=1e-12, atol=1e-14))
    return {*a} == {*b} and all([close(a[k], b[k]) for k in a])


def test_two_names_of_one_object_have_one_cotangent(structured: list[bool]) -> None:
    def by(x: float) -> float:
        p = Particle(x, 0.5)
        return in_a_list([p, Particle(0.3, 0.2), p], 1.3, 3)

    p = Particle(0.7, 0.5)
    bars = gradient(in_a_list, [p, Particle(0.3, 0.2), p], 1.3, 3)
    assert all(structured)
    h = 1e-6
    np.testing.assert_allclose(bars[0][0].x, (by(0.7 + h) - by(0.7 - h)) / (2 * h), rtol=1e-6)
    assert bars[0][2] is None or bars[0][2].x == 0.0


def test_captured_objects_change(structured: list[bool]) -> None:
    (plain, expected), (f, ps) = captured(0.9, 3), captured(0.9, 3)
    y, back = pullback(f, 1.2)
    assert y == plain(1.2) and all(structured)
    d_f, d_x = back(1.0)
    h = 1e-6
    slope = (captured(0.9, 3)[0](1.2 + h) - captured(0.9, 3)[0](1.2 - h)) / (2 * h)
    np.testing.assert_allclose(d_x, slope, rtol=1e-6)
    assert [vars(p) for p in ps] == [vars(p) for p in expected]
    sides = []
    for by in (h, -h):
        g, (_, q, _) = captured(0.9, 3)
        q.v += by
        sides.append(g(1.2))
    np.testing.assert_allclose(d_f.ps[1].v, (sides[0] - sides[1]) / (2 * h), rtol=1e-6, atol=1e-9)
