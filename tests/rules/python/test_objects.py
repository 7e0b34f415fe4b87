"""Rules of objects."""

from __future__ import annotations

import dataclasses
import functools
import logging
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from rules.checker import check_rule, numeric_pullback, run_rule

from adjoint.ir import intrinsics
from adjoint.rules import registry
from adjoint.rules.python.objects import replace_in_tuple, tuple_as_dict
from adjoint.tangents import Tangent


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


class Shape:
    unit = 2.0

    def __init__(self, side: float) -> None:
        self.side = side

    @property
    def area(self) -> float:
        return self.side**2

    @functools.cached_property
    def volume(self) -> float:
        return self.side**3

    def __getattr__(self, name: str) -> Any:
        if name == "twice":
            return 2 * self.side
        raise AttributeError(name)


def pullback_of_shape(f: Any, *args: Any, **kwargs: Any) -> Any:
    """Numbers for what the rules ask: functions of a shape, and construction."""
    if isinstance(f, type):
        names = list(kwargs)
        return f(*args, **kwargs), lambda y_bar: (None, *[y_bar[name] for name in names])
    y, back = numeric_pullback(lambda side: f(Shape(side)), args[0].side)
    return y, lambda y_bar: (None, Tangent(Shape, {"side": back(y_bar)[1]}))


@pytest.fixture(autouse=True)
def without_engine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(registry, "_knot", [pullback_of_shape])
    yield


def test_fields() -> None:
    outer = Outer(1.5, Inner(2.5), [3.5, "a"])
    for name in ("x", "inner", "items", "name"):
        check_rule(getattr, outer, name)
    check_rule(getattr, Point(1.5, 2.5), "y")
    y, back, _ = run_rule(getattr, SimpleNamespace(a=1.5), "b", 2.5)
    assert y == 2.5 and back(1.0) == (None, None, 1.0)
    y, back, _ = run_rule(getattr, SimpleNamespace(a=1.5), "a", 2.5)
    assert y == 1.5 and back(1.0)[0]["a"] == 1.0
    with pytest.raises(AttributeError):
        run_rule(getattr, Shape(1.5), "missing")
    assert run_rule(getattr, np, "pi")[1](1.0) == (None, None)


@pytest.mark.parametrize(("name", "slope"), [("area", 3.0), ("volume", 6.75), ("twice", 2.0), ("side", 1.0)])
def test_computed_attributes(name: str, slope: float) -> None:
    y, back, _ = run_rule(getattr, Shape(1.5), name)
    assert y == getattr(Shape(1.5), name)
    np.testing.assert_allclose(back(1.0)[0]["side"], slope)


def test_a_cached_property_that_was_read_is_a_field() -> None:
    shape = Shape(1.5)
    _ = shape.volume
    assert set(run_rule(getattr, shape, "volume")[1](1.0)[0]) == {"volume"}


def test_parts_of_numbers() -> None:
    for name in ("real", "imag"):
        check_rule(getattr, 1 + 2j, name)
        check_rule(getattr, np.complex128(1 + 2j), name)
        check_rule(getattr, 1.5, name)


def test_stores() -> None:
    y, back, _ = run_rule(intrinsics.set_attribute, SimpleNamespace(a=1.5, b=2.5), "a", 3.5)
    assert y.a == 3.5
    rest, name, value = back(Tangent(SimpleNamespace, {"a": 1.0, "b": 2.0}))
    assert rest == Tangent(SimpleNamespace, {"b": 2.0}) and name is None and value == 1.0
    y, back, _ = run_rule(intrinsics.delete_attribute, SimpleNamespace(a=1.5, b=2.5), "a")
    assert not hasattr(y, "a")
    check_rule(vars, SimpleNamespace(a=1.5, b=[2.5]))


def test_dataclasses() -> None:
    outer = Outer(1.5, Inner(2.5), [3.5, Inner(4.5), (5.5,), {"k": Inner(6.5)}])
    check_rule(dataclasses.asdict, outer)
    check_rule(dataclasses.astuple, outer)
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
