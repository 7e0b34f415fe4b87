"""Errors planted in what follows virtual objects: each makes a program wrong that the tests would see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from adjoint.derivatives import choice
from adjoint.runtime import tables
from adjoint.transforms import branches as arms
from adjoint.transforms import carried, heap, virtual

from .differences import check


class Pair:
    def __init__(self, a: float) -> None:
        self.a = a
        self.b = 2.0 * a
        self.log = [a]

    def mix(self, x: float) -> None:
        self.a, self.b = self.a * x + self.b, self.a * self.b


def branches() -> Callable[[float], float]:
    def f(x: float) -> float:
        p = Pair(x)
        if x > 0.0:
            p.a = p.a * x
        return p.a * p.b

    return f


def loops() -> Callable[[float], float]:
    def f(x: float) -> float:
        p = Pair(x)
        for _ in range(3):
            p.mix(x)
        return p.a * p.b

    return f


def lists() -> Callable[[float], float]:
    def f(x: float) -> float:
        p = Pair(x)
        xs = p.log
        p.log.append(x * x)
        return xs[-1] * sum(p.log)

    return f


def shared() -> Callable[[float], float]:
    def f(x: float) -> float:
        total = x

        def add(v: float) -> None:
            nonlocal total
            total = total * v

        add(x)
        add(3.0)
        return total * x

    return f


def _no_meeting(monkeypatch: pytest.MonkeyPatch) -> None:
    def meet(heap: Any, then: Any, orelse: Any, before: Any) -> list[Any]:
        heap.objects = dict(orelse)
        return []

    monkeypatch.setattr(arms, "meet", meet)


def _nothing_changes_in_loops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carried, "same", lambda a, b: True)


def _old_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(heap.Heap, "now", lambda heap, a: a)
    monkeypatch.setattr(virtual, "hold", lambda r, a, holder: None)


def _stores_are_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = heap.Heap.set

    def lossy(heap: Any, owner: Any, name: str, value: Any) -> None:
        if name not in heap.objects.get(owner, {}):
            plain(heap, owner, name, value)

    monkeypatch.setattr(heap.Heap, "set", lossy)


@pytest.fixture(autouse=True)
def anew() -> Iterator[None]:
    """Programs are generated anew, and those of a planted error are not kept."""
    _forget()
    yield
    _forget()


def _forget() -> None:
    tables.TABLES.clear()
    choice.forget()


PLANTED = [
    (branches, _no_meeting),
    (branches, _stores_are_lost),
    (loops, _nothing_changes_in_loops),
    (loops, _stores_are_lost),
    (shared, _stores_are_lost),
]


@pytest.mark.parametrize(("make", "plant"), PLANTED)
def test_a_planted_error_is_seen(make: Any, plant: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    check(make(), 1.3)
    plant(monkeypatch)
    _forget()
    with pytest.raises(Exception):  # noqa: B017 - a wrong value, a wrong derivative, or code that cannot run
        check(make(), 1.3)


def test_an_alias_that_is_not_followed_refuses_the_structure(monkeypatch: pytest.MonkeyPatch) -> None:
    """`ownership` checks the typed program: what the heap loses is recorded, and right."""
    check(lists(), 1.3, order=2)
    _old_versions(monkeypatch)
    _forget()
    check(lists(), 1.3, order=2)
