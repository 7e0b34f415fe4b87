"""Values that carry no derivative: members of enums, and read-only views of dicts, which are refused."""

from __future__ import annotations

import enum
from types import MappingProxyType
from typing import Any

import pytest

from adjoint import grad, gradient, vjp
from adjoint.errors import NotDifferentiableError


class Rate(enum.Enum):
    SLOW = 2.0
    FAST = 3.0


class Factor(float, enum.Enum):
    TWO = 2.0


class Count(enum.IntEnum):
    TWO = 2


@pytest.mark.parametrize("member", [Rate.SLOW, Factor.TWO, Count.TWO], ids=lambda m: type(m).__name__)
def test_members_of_enums_have_no_derivative(member: Any) -> None:
    def f(x: float, e: Any) -> float:
        return x * x * e.value

    assert gradient(f, 3.0, member) == (12.0, None)
    assert vjp(f, 3.0, member)[1](1.0) == (12.0, None)
    assert gradient(lambda p: f(p["x"], p["e"]), {"x": 3.0, "e": member}) == ({"x": 12.0, "e": None},)
    assert gradient(lambda p: f(*p), [3.0, member]) == ([12.0, None],)
    with pytest.raises(NotDifferentiableError, match="carries no derivative"):
        grad(f, "e")(3.0, member)


def test_a_program_that_stores_gives_members_none_either() -> None:
    seen: list[Any] = []

    def f(x: float, e: Rate) -> float:
        seen.append(x)
        return seen[-1] * e.value

    assert gradient(f, 3.0, Rate.FAST) == (3.0, None)


@pytest.mark.parametrize(
    "make", [lambda v: v, lambda v: [v], lambda v: {"v": v}], ids=["itself", "listed", "in a dict"]
)
def test_a_view_of_a_dict_of_numbers_is_refused(make: Any) -> None:
    def f(x: Any) -> Any:
        view = x if isinstance(x, MappingProxyType) else x[0] if isinstance(x, list) else x["v"]
        return view["a"] * 2.0

    with pytest.raises(NotDifferentiableError, match="MappingProxyType") as caught:
        gradient(f, make(MappingProxyType({"a": 3.0})))
    assert "dict(view)" in caught.value.way_out


def test_a_view_of_constants_and_one_by_keyword_are_fine() -> None:
    assert gradient(lambda x, view: x * len(view["name"]), 3.0, MappingProxyType({"name": "ab"})) == (2.0, None)
    assert gradient(lambda x, view: x * view["a"], 3.0, view=MappingProxyType({"a": 2.0})) == (2.0,)
    assert gradient(lambda x: MappingProxyType({"a": x})["a"] * x, 2.0) == (4.0,)
