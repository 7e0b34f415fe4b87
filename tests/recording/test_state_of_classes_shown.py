"""State of classes that is read through `cls.__dict__`, and slots by their own methods."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from adjoint import grad, jvp, pullback


class Held:
    v: Any = 1.0


class Slotted:
    __slots__ = ("v",)


def by_name(x: Any) -> Any:
    Held.v = x * x
    return Held.__dict__["v"] * x + Held.v


def by_vars(x: Any) -> Any:
    Held.v = x
    first = vars(type(Held()))["v"]
    Held.v = first * x
    return Held.__dict__.get("v", 3.0) * first


def in_a_loop(x: Any) -> Any:
    Held.v = x * x
    return sum(value * x for name, value in Held.__dict__.items() if name == "v")


def in_a_copy(x: Any) -> Any:
    Held.v = x * x
    return Held.__dict__.copy()["v"] * dict(vars(Held))["v"] * {**vars(Held)}["v"] + (vars(Held) | {"k": x})["v"]


def of_a_class_made_here(x: Any) -> Any:
    class Made:
        v = x * x

    y = Made.__dict__["v"] * x
    Made.v = y
    return vars(Made)["v"] * Made.v


def of_a_class_made_by_a_call(x: Any) -> Any:
    Made: Any = type("Made", (Held,), {"w": x * x})
    return Made.__dict__["w"] * Made.w * x


def of_a_slot(x: Any) -> Any:
    one = Slotted()
    Slotted.v.__set__(one, x * x)  # type: ignore[attr-defined]
    y = one.v  # type: ignore[attr-defined]
    one.v = y * x  # type: ignore[attr-defined]
    return Slotted.v.__get__(one) * Slotted.__dict__["v"].__get__(one, Slotted) + y  # type: ignore[attr-defined]


def of_an_emptied_slot(x: Any) -> Any:
    one = Slotted()
    Slotted.v.__set__(one, x)  # type: ignore[attr-defined]
    Slotted.v.__delete__(one)  # type: ignore[attr-defined]
    if not hasattr(one, "v"):
        one.v = x * x
    return one.v * x


PROGRAMS = [
    *(by_name, by_vars, in_a_loop, in_a_copy, of_a_class_made_here, of_a_class_made_by_a_call),
    *(of_a_slot, of_an_emptied_slot),
]


@pytest.mark.parametrize("x", [0.7, 1.3])
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_against_differences(f: Callable[[Any], Any], x: float) -> None:
    slope = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6
    for _ in range(2):
        y, back = pullback(f, x)
        assert y == f(x)
        assert back(1.0)[1] == pytest.approx(slope, rel=1e-6)
        assert back(1.0)[1] == pytest.approx(slope, rel=1e-6)
    assert jvp(f, (x,), (2.0,))[1] == pytest.approx(2 * slope, rel=1e-6)
    second = (grad(f)(x + 1e-6) - grad(f)(x - 1e-6)) / 2e-6
    assert grad(grad(f))(x) == pytest.approx(second, rel=1e-6)
    Held.v = 1.0
