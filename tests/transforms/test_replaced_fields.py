"""Records with some fields replaced, in both modes and in products with Hessians."""

from __future__ import annotations

import dataclasses
import math
from collections import namedtuple
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import pytest

from adjoint import gradient, hvp, jvp
from adjoint.inspect import code_primal


class State(NamedTuple):
    x: float
    v: float
    name: str = "state"


@dataclass(frozen=True)
class Frozen:
    x: float
    v: float


@dataclass
class Open:
    x: float
    v: float = 2.0


@dataclass
class Derived:
    x: float
    v: float
    product: float = field(init=False)

    def __post_init__(self) -> None:
        self.product = self.x * self.v


class Own(State):
    def _replace(self, **fields: Any) -> Any:
        return State(self.x * 2.0, self.v)


def a_named_tuple(x, y):
    s = State(x, 1.0)
    for _ in range(4):
        s = s._replace(v=s.v - 0.1 * y * s.x)
        s = s._replace(x=s.x + 0.1 * s.v)
    return s.x * s.v + len(s.name)


def several_at_once(x, y):
    s = State(1.0, 1.0)
    for _ in range(3):
        s = s._replace(v=s.x * y, x=s.v + x)
    t = s._replace()
    return t.x * s.v + (1.0 if t == s else 0.0)


def made_by_namedtuple(x, y):
    Pair = namedtuple("Pair", "a b")  # noqa: PYI024
    p = Pair(x, y)
    p = p._replace(a=p.b * p.a)
    return p.a * p.b


def a_replace_of_its_own(x, y):
    return Own(x, y)._replace(v=1.0).x * y


def a_frozen_dataclass(x, y):
    s = Frozen(x, 1.0)
    for _ in range(4):
        s = replace(s, v=s.v - 0.1 * y * s.x)
        s = dataclasses.replace(s, x=s.x + 0.1 * s.v)
    return s.x * math.sin(s.v)


def an_open_dataclass(x, y):
    s = Open(x)
    t = replace(s, v=y)
    s.x = s.x * 3.0
    return s.x * s.v * t.x * t.v


def a_dataclass_that_computes(x, y):
    s = Derived(x, y)
    t = replace(s, x=y * s.product)
    return t.product * s.product


PROGRAMS = [
    *(a_named_tuple, several_at_once, made_by_namedtuple, a_replace_of_its_own),
    *(a_frozen_dataclass, an_open_dataclass, a_dataclass_that_computes),
]
POINT, ALONG = (0.31, 0.72), (0.6, -0.8)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_replaced(f: Any) -> None:
    h = 1e-6
    ahead, behind = [[p + s * h * d for p, d in zip(POINT, ALONG, strict=True)] for s in (1, -1)]
    slope = (f(*ahead) - f(*behind)) / (2 * h)
    slopes = [(a - b) / (2 * h) for a, b in zip(gradient(f, *ahead), gradient(f, *behind), strict=True)]
    for _ in range(2):
        assert jvp(f, POINT, ALONG) == (f(*POINT), pytest.approx(slope, rel=1e-5, abs=1e-6))
        bars = gradient(f, *POINT)
        assert sum([b * d for b, d in zip(bars, ALONG, strict=True)]) == pytest.approx(slope, rel=1e-5, abs=1e-6)
        assert hvp(f, POINT, ALONG) == pytest.approx(slopes, rel=1e-5, abs=1e-5)


@pytest.mark.parametrize("f", [a_named_tuple, a_frozen_dataclass], ids=lambda f: f.__name__)
def test_known_when_it_is_generated(f: Any) -> None:
    text = code_primal(f, *POINT)
    assert "observe" not in text
    assert "replace" not in text


def test_fields_that_are_not_there_are_refused_by_python() -> None:
    def named(x: float) -> Any:
        return State(x, x)._replace(z=x).x

    def of_a_dataclass(x: float) -> Any:
        return replace(Frozen(x, x), z=x).x  # type: ignore[call-arg]

    with pytest.raises((TypeError, ValueError), match="unexpected field names"):  # TypeError since Python 3.13
        gradient(named, 1.0)
    with pytest.raises(TypeError, match="unexpected keyword argument 'z'"):
        gradient(of_a_dataclass, 1.0)


def test_a_class_that_changes_meanwhile(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x: float) -> Any:
        return State(x, 1.0)._replace(v=x).v

    assert gradient(f, 2.0) == (1.0,)
    monkeypatch.setattr(State, "_replace", lambda self, v: State(v, v * v * v))
    assert gradient(f, 2.0) == (12.0,)
