"""Class patterns by position: what a class says of its arguments is known, under a guard; and attributes by a name that
the run knows, of objects of several classes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import pytest

from adjoint import grad, pullback
from adjoint.inspect import code_adjoint


@dataclass
class Disc:
    r: float


@dataclass
class Box:
    w: float
    h: float


class Named:
    __match_args__ = ("first", "second")

    def __init__(self, first: float, second: float) -> None:
        self.first, self.second = first, second


class Derived(Named):
    pass


def area(shape: Any) -> Any:
    match shape:
        case Disc(r):
            return math.pi * r * r
        case Box(w, h):
            return w * h
        case Named(a, second=b):
            return a * b**2
    raise ValueError(shape)


def total(shapes: Any) -> Any:
    s = 0.0
    for shape in shapes:
        s += area(shape) + s * 0.5
    return s


SHAPES: dict[str, tuple[Any, dict[str, float]]] = {
    "disc": (Disc(1.5), {"r": 3.0 * math.pi}),
    "box": (Box(1.5, 2.0), {"w": 2.0, "h": 1.5}),
    "named": (Named(1.5, 2.0), {"first": 4.0, "second": 6.0}),
    "derived": (Derived(1.5, 2.0), {"first": 4.0, "second": 6.0}),
}


@pytest.mark.parametrize("name", SHAPES)
def test_patterns_by_position(name: str) -> None:
    shape, expected = SHAPES[name]
    for _ in range(3):
        bar = pullback(area, shape)[1](1.0)[1]
        assert {key: bar[key] for key in expected} == pytest.approx(expected)
    text = str(code_adjoint(area, shape))
    assert "match_argument" not in text and "pullback_wrt" not in text


def test_shapes_of_several_classes_in_a_list() -> None:
    def mixed() -> list[Any]:
        return [Disc(1.5), Box(1.5, 2.0), Named(0.5, 2.0), Box(0.5, 1.0), Disc(0.7)]

    for _ in range(3):
        y, back = pullback(total, mixed())
        bars = back(1.0)[1]
        assert y == total(mixed())
    for i, key in enumerate(["r", "h", "second", "w", "r"]):
        h, ends = 1e-6, []
        for d in (h, -h):
            shapes = mixed()
            setattr(shapes[i], key, getattr(shapes[i], key) + d)
            ends.append(total(shapes))
        assert bars[i][key] == pytest.approx((ends[0] - ends[1]) / (2 * h), rel=1e-6)


def ordered(shape: Any) -> Any:
    match shape:
        case Derived(a, b):
            return a * b**2
    return 0.0


def test_arguments_that_a_class_says_otherwise_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def slopes() -> tuple[float, float]:
        bar = pullback(ordered, Derived(1.5, 2.0))[1](1.0)[1]
        return bar["first"], bar["second"]

    def slope(x: float) -> Any:
        return ordered(Derived(x, 2.0))

    usual, otherwise = ((4.0, 6.0), 4.0), ((6.0, 2.25), 6.0)
    assert (slopes(), grad(slope)(1.5)) == usual
    monkeypatch.setattr(Derived, "__match_args__", ("second", "first"), raising=False)  # comes before that of `Named`
    assert (slopes(), grad(slope)(1.5)) == otherwise
    monkeypatch.undo()
    assert (slopes(), grad(slope)(1.5)) == usual
    monkeypatch.setattr(Named, "__match_args__", ("second", "first"))
    assert (slopes(), grad(slope)(1.5)) == otherwise


def test_too_many_positions_raise_as_python_says() -> None:
    def f(shape: Any) -> Any:
        match shape:
            case Disc(r, s):
                return r * s
        return 0.0

    with pytest.raises(TypeError, match="accepts 1 positional sub-pattern"):
        pullback(f, Disc(1.0))


def by_name(shapes: Any, names: Any) -> Any:
    s = 0.0
    for shape, name in zip(shapes, names, strict=True):
        if hasattr(shape, name):
            s += getattr(shape, name) ** 2
    return s


def test_attributes_by_a_name_of_objects_of_several_classes() -> None:
    shapes = [Disc(1.5), Box(1.5, 2.0), Disc(0.5)]
    for _ in range(3):
        bars = pullback(by_name, shapes, ["r", "h", "w"])[1](1.0)[1]
        assert (bars[0]["r"], bars[1]["h"], bars[1]["w"], bars[2]) == (3.0, 4.0, None, None)
