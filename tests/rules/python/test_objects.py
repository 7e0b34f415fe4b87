"""Rules of objects."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from rules.checker import run_rule

from adjoint.rules import knots, registry
from adjoint.rules.python.objects import replace_in_tuple, tuple_as_dict
from adjoint.tangents import Tangent
from adjoint.testing import check_rule


@dataclasses.dataclass
class Inner:
    u: float


@dataclasses.dataclass
class Outer:
    x: float
    inner: Inner
    items: list[Any]
    name: str = "outer"


class Point(NamedTuple):
    x: float
    y: float


def construct(f: Any, *args: Any, **kwargs: Any) -> Any:
    """What the engine gives for the construction of a record."""
    return f(*args, **kwargs), lambda y_bar: (None, *[y_bar[name] for name in kwargs])


@pytest.fixture(autouse=True)
def without_engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setitem(knots._knot, "pullback", construct)
    yield


def test_dataclasses() -> None:
    outer = Outer(1.5, Inner(2.5), [3.5, Inner(4.5), (5.5,), {"k": Inner(6.5)}])
    y, back, _ = run_rule(dataclasses.replace, outer, x=7.5)
    assert y == dataclasses.replace(outer, x=7.5)
    bar = Tangent(Outer, {"x": 1.0, "inner": None, "items": [2.0, None, None, None], "name": None})
    outer_bar, x_bar = back(bar)
    assert x_bar == 1.0 and outer_bar["items"][0] == 2.0 and "x" not in outer_bar


def test_named_tuples() -> None:
    check_rule(tuple_as_dict, Point(1.5, 2.5))
    y, back, _ = run_rule(replace_in_tuple, Point(1.5, 2.5), y=3.5)
    assert y == Point(1.5, 3.5) and back(Point(1.0, 2.0)) == (Point(1.0, None), 2.0)


def test_what_carries_no_derivative() -> None:
    for f in (isinstance, hasattr, type, print, repr, str, hash, id, str.upper, str.join, logging.info):
        rules = registry.find_rules(f)
        assert rules is not None and not rules.differentiable
