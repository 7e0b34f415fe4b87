"""Texts of values: objects by their fields and slots, without running code of theirs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from adjoint.explorer.shown import shown


class Slotted:
    __slots__ = ("__hidden", "empty", "x")

    def __init__(self) -> None:
        self.x, self.__hidden = 1.0, 2.0


class WithBoth(Slotted):
    def __init__(self) -> None:
        super().__init__()
        self.y = 3.0


@dataclass(slots=True)
class Dis:
    a: float
    b: int


class Hiding(Slotted):
    __slots__ = ()

    @property
    def x(self) -> Any:
        raise AssertionError("code of the user's has run")


def test_slots_are_shown() -> None:
    assert shown(Dis(1.5, 2)).short == "Dis(a=1.5, b=2)"
    assert shown(Slotted()).short == "Slotted(_Slotted__hidden=2, x=1)"
    assert shown(WithBoth()).short == "WithBoth(_Slotted__hidden=2, x=1, y=3)"
    assert shown(object()).short == "object object"


def test_no_code_runs_for_it() -> None:
    hiding = object.__new__(Hiding)
    Slotted.x.__set__(hiding, 1.0)  # type: ignore[attr-defined]
    assert shown(hiding).short == "Hiding object"


def test_entries_of_arrays_have_no_space_for_others_below() -> None:
    assert shown(np.array([0.25, -0.5])).short == "(2,) float64 [0.25, -0.5]"
    assert shown(np.array([[1.0], [-2.5]])).whole == "[[1.], [-2.5]]"
