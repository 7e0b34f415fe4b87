"""What makes a container of an iterable asks it how many items there are; `__len__` and `__length_hint__` may store."""

from __future__ import annotations

import heapq
from typing import Any

import pytest

from adjoint import UnsupportedSyntaxError, gradient

from .differences import check


class Counted:
    def __init__(self) -> None:
        self.k = 0

    def __iter__(self) -> Any:
        return iter([1.0, 2.0])

    def asked(self) -> int:
        self.k += 1
        return 2


class Sized(Counted):
    def __len__(self) -> int:
        return self.asked()


class Hinted(Counted):
    def __length_hint__(self) -> int:
        return self.asked()


def extended(o: Any) -> list[Any]:
    items: list[Any] = []
    items.extend(o)
    return items


def added(o: Any) -> list[Any]:
    items: list[Any] = []
    items += o
    return items


def starred(o: Any) -> Any:
    return (lambda *items: items)(*o)


def smallest(o: Any) -> Any:
    return heapq.nsmallest(2, o)


ASKING = [list, tuple, lambda o: [*o], lambda o: (*o,), sorted, extended, added, starred, smallest]


@pytest.mark.parametrize("make", [Sized, Hinted])
@pytest.mark.parametrize("take", ASKING)
def test_a_size_that_stores_is_refused(take: Any, make: Any) -> None:
    def program(x: Any) -> Any:
        o = make()
        items = take(o)
        return x**o.k * sum(items)

    with pytest.raises(UnsupportedSyntaxError, match="may run `.*__len.*` for their number, which stores"):
        gradient(program, 1.3)


@pytest.mark.parametrize("make", [Sized, Hinted])
@pytest.mark.parametrize("take", [sum, lambda o: sum([v for v in o]), lambda o: max(o)])
def test_what_asks_for_no_size(take: Any, make: Any) -> None:
    def program(x: Any) -> Any:
        o = make()
        return x ** (o.k + 2) * take(o)

    check(program, 1.3)
