"""Dicts whose keys are gone through in order: value, state and derivatives are those of the plain program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import gradient, hvp
from adjoint.derivatives.choice import was_recorded

from .differences import check
from .functions_over_memory import Case
from .keys_in_order import CASES, groups, most_common
from .test_functions_over_memory import check_tangents
from .test_shared_objects import named


@pytest.mark.parametrize("case", CASES, ids=named)
def test_keys_in_order(case: Case) -> None:
    f, make = case
    for _ in range(3):
        check(f, *make())
    assert not was_recorded(f), "it was recorded"


@pytest.mark.parametrize("case", [c for c in CASES if named(c) != "replaced"], ids=named)
def test_tangents_are_those_of_the_gradient(case: Case) -> None:
    check_tangents(case)


def test_second_derivatives() -> None:
    xs, v, h = np.array([0.3, 0.5, 0.7, 1.1, 0.2]), np.array([1.0, 0.5, -0.3, 0.2, 0.4]), 1e-5
    sides = [np.array(gradient(groups, [*(xs + by * v)], 2)[0]) for by in (h, -h)]
    found = hvp(groups, ([*xs], 2), ([*v], None))[0]
    np.testing.assert_allclose(found, (sides[0] - sides[1]) / (2 * h), rtol=1e-6)


def test_nothing_is_counted() -> None:
    check(most_common, [], [], 2)


def test_equal_counts_stand_as_they_came() -> None:
    for _ in range(2):
        assert gradient(most_common, [0.5, 0.5, 0.5], ["b", "a", "c"], 2)[0] == [1.0, 2.0, 0.0]


def test_keys_of_other_types() -> None:
    def f(d: dict[Any, float], x: float) -> float:
        e = d
        e[(0, 1)] = x
        return sum([d[k] * x * len(k) for k in list(d)])

    check(f, {(0, 1, 2): 0.5, (1, 2): 0.7}, 0.9)
    check(f, {(0, 1): 0.5}, 0.9)


def test_what_is_no_key_is_said_by_python() -> None:
    def f(d: dict[Any, float], x: float) -> float:
        e = d
        e[1] = x
        return d[sorted(d)[0]]

    for _ in range(2):
        with pytest.raises(TypeError):
            gradient(f, {"a": 1.0}, 0.5)
