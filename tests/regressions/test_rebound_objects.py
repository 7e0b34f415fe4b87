"""Arguments that are objects, whose names loops bind anew: value, state and derivatives are those of the plain
program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import Tangent, gradient, hvp, jvp, pullback
from adjoint.derivatives.choice import is_structured_call
from adjoint.inspect import cache_clear
from adjoint.runtime.tables import TABLES

from .differences import check
from .functions_over_memory import Case
from .rebound_objects import CASES, RIGHT, Open, Slotted, damped, given_back, opened, slotted
from .test_shared_objects import named


@pytest.mark.parametrize("case", [*CASES, *RIGHT], ids=named)
def test_objects_whose_names_are_bound_anew(case: Case) -> None:
    f, make = case
    for _ in range(3):
        check(f, *make())


@pytest.mark.parametrize("case", CASES, ids=named)
def test_objects_stand_for_arguments(case: Case) -> None:
    """So the types of all rounds are known, in the first program of a call; later ones may make no object."""
    f, make = case
    cache_clear()
    gradient(f, *make())
    assert is_structured_call(f, make())
    specs = [entry for found in TABLES[id(f.__code__)].entries.values() for _, entry in found]
    assert specs and all(["object_of(" in spec.text for spec in specs])


def test_tangents_and_second_derivatives() -> None:
    p, v = slotted()
    tangent = Tangent(Slotted, {"x": 0.3, "y": -0.2})
    bars = gradient(damped, p, v, 3)
    for _ in range(3):
        found = jvp(damped, (p, v, 3), (tangent, None, None))[1]
        np.testing.assert_allclose(found, bars[0].x * 0.3 - bars[0].y * 0.2)
    h = 1e-5
    sides = [gradient(damped, Slotted(1.0 + 0.3 * by, 0.2 - 0.2 * by), v, 3)[1].x for by in (h, -h)]
    np.testing.assert_allclose(
        hvp(damped, (p, v, 3), (tangent, None, None))[1].x, (sides[0] - sides[1]) / (2 * h), rtol=1e-6
    )


def test_what_is_given_back_is_the_argument() -> None:
    for _ in range(3):
        p, v = slotted()
        assert pullback(given_back, p, v, 0)[0] is p
        assert gradient(lambda p, v: given_back(p, v, 0).x, p, v)[0].x == 1.0


def test_fields_that_come_later() -> None:
    def f(p: Any, v: Any, n: int) -> float:
        for _ in range(n):
            p = p + v
        return float(p.x) * (p.more if hasattr(p, "more") else p.scale)

    p, v = opened()
    for _ in range(3):
        assert gradient(f, p, v, 0)[0].x == 2.0
    p.more = 5.0
    for _ in range(3):
        assert gradient(f, p, v, 0)[0].x == 5.0
    p.scale = 3.0
    del p.more
    for _ in range(3):
        assert gradient(f, p, v, 0)[0].x == 3.0
        assert gradient(f, Open(1.0, 0.5), v, 1)[0].x == 2.0
    p.x = 2
    for _ in range(2):
        np.testing.assert_allclose(gradient(f, p, v, 0)[0].scale, 2.0)
