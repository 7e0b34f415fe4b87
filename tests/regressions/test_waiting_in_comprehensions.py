"""Generators that are kept in a comprehension read the last value of its variable, as in Python, or are refused."""

from __future__ import annotations

from collections.abc import Callable
from statistics import mean

import pytest
from ways import check_everywhere

from adjoint import withgradient
from adjoint.errors import UnsupportedSyntaxError


def kept(x: float) -> float:
    waiting = [(v * i for v in [x]) for i in range(3)]
    return sum(sum(g) for g in waiting)


def kept_in_a_dict(x: float) -> float:
    waiting = {i: (v * i for v in [x]) for i in range(3)}
    return sum(sum(g) for g in waiting.values())


def kept_by_map(x: float) -> float:
    waiting = [map(abs, (v * y for v in [x])) for y in [x, x * x]]
    return sum(sum(g) for g in waiting)


@pytest.mark.parametrize("f", [kept, kept_in_a_dict, kept_by_map])
def test_they_are_right_or_refused(f: Callable[[float], float]) -> None:
    try:
        value, _ = withgradient(f, 1.5)
    except UnsupportedSyntaxError as error:
        assert "a generator expression that is kept, and reads" in str(error)
    else:
        assert value == f(1.5)


def consumed(x: float) -> float:
    return sum([sum(v * i for v in [x, 1.0]) for i in range(3)])


def handed_to_what_consumes(x: float) -> float:
    return sum([mean(v * i for v in [x, x * x]) for i in range(3)]) + max(
        [max(map(abs, (v * y for v in [x]))) for y in [x]]
    )


def made_in_a_loop(x: float) -> float:
    waiting = []
    for i in range(3):
        waiting.append(v * i for v in [x])
    return sum(sum(g) for g in waiting)


@pytest.mark.parametrize("f", [consumed, handed_to_what_consumes, made_in_a_loop])
def test_others_go_on(f: Callable[[float], float]) -> None:
    check_everywhere(f, 1.5)
