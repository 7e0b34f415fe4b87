"""Cotangents of the objects in arguments: handed over by their fields, they are those that places give, which know of
all that is held in several ways."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import gradient
from adjoint.derivatives import choice, nested, shadows

from .shared_objects import CASES, Case
from .test_shared_objects import close, named


class Cell:
    def __init__(self, w: Any, *more: Any) -> None:
        self.w, self.more = w, more

    def run(self, x: Any) -> Any:
        self.y = self.w * x
        return self.y * sum(self.more)


class Activated(Cell):
    def __init__(self, w: Any) -> None:
        super().__init__(w)
        self.scales, self.shifts = {"a": 2.0, "b": 3.0}, ([0.1, 0.4], (0.2, "text"))

    def run(self, x: Any) -> Any:
        self.y = np.tanh(self.w * x) * self.scales["a"] + self.shifts[0][1] * self.shifts[1][0]
        return self.y


class Slotted:
    __slots__ = ("w", "y")

    def __init__(self, w: Any) -> None:
        self.w, self.y = w, w

    def run(self, x: Any) -> Any:
        self.y = self.w * x
        return self.y


def chained(cells: Any, x: Any) -> Any:
    for cell in cells:
        x = cell.run(x)
    return float((x * cells[0].y).sum())


def chained_numbers(cells: Any, x: Any) -> Any:
    for cell in cells:
        x = cell.run(x)
    return x * cells[0].y


def array(seed: int) -> Any:
    return np.random.default_rng(seed).normal(size=2)


def shared_weights() -> Any:
    w = array(0)
    return [Cell(w, 1.0), Cell(array(1), 2.0), Cell(w, 1.0)], array(2)


def one_array() -> Any:
    w = array(0)
    return [Cell(w, 1.0), Cell(w, 1.0)], w


def one_dict() -> Any:
    first, second = Cell(array(0), 1.0), Cell(array(1), 0.5)
    second.__dict__ = first.__dict__
    return [first, second], array(2)


def twice() -> Any:
    cell = Cell(array(0), 0.5)
    return [cell, cell], array(2)


def views() -> Any:
    w = np.random.default_rng(3).normal(size=(2, 2))
    return [Cell(w[0], 1.0), Cell(w[0], 1.0)], array(2)


KINDS = [
    lambda: ([Cell(array(0), 0.5), Cell(array(1), 2.0)], array(2)),
    lambda: ([Activated(array(0)), Activated(array(1))], array(2)),
    lambda: ((Cell(array(0), 0.5), Cell(array(1), 2.0)), array(2)),
    lambda: ([Slotted(array(0)), Slotted(array(1))], array(2)),
    *(shared_weights, one_array, one_dict, twice, views),
]


@pytest.mark.parametrize("make", KINDS)
def test_objects_of_every_kind(make: Any, monkeypatch: pytest.MonkeyPatch, structured: list[bool]) -> None:
    choice.forget()
    found = [gradient(chained, *made) for made in (make(), make())]
    args = make()
    gradient(chained, *args)  # what is left in the objects is held by the next ones, too
    found.append(gradient(chained, *args))
    assert structured and all(structured), "it was recorded"
    monkeypatch.setattr(shadows, "handing_over_nested", lambda *given: None)
    args = make()
    expected = [gradient(chained, *make()), gradient(chained, *args), gradient(chained, *args)]
    assert all(map(close, found, expected)), f"{found}, by places {expected}"


@pytest.mark.parametrize("case", CASES, ids=named)
def test_cases(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    f, make = case
    found = gradient(f, *make())
    monkeypatch.setattr(shadows, "handing_over_nested", lambda *given: None)
    assert close(found, gradient(f, *make()))


def test_objects_are_handed_over_by_their_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    taken, of_object = list[Any](), nested._of_object

    def watched(*args: Any) -> Any:
        taken.append(args[1].holder)
        return of_object(*args)

    monkeypatch.setattr(nested, "_of_object", watched)
    cells = [Cell(array(0), 0.5), Cell(array(1), 2.0)]
    gradient(chained, cells, array(2))
    assert taken == cells


def test_objects_of_numbers(monkeypatch: pytest.MonkeyPatch, structured: list[bool]) -> None:
    cells = [Cell(0.3, 0.5), Cell(0.7, 2.0)]
    found = gradient(chained_numbers, cells, 0.4)
    monkeypatch.setattr(shadows, "handing_over_nested", lambda *given: None)
    assert close(found, gradient(chained_numbers, [Cell(0.3, 0.5), Cell(0.7, 2.0)], 0.4)) and all(structured)


def test_an_array_that_is_left_out_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = gradient(chained, *shared_weights())
    monkeypatch.setattr(nested, "_add_again", lambda *args: None)
    assert not close(gradient(chained, *shared_weights()), expected)
