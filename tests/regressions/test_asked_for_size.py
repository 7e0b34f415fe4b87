"""What makes a container of an iterable asks it how many items there are; `__len__` and `__length_hint__` may store."""

from __future__ import annotations

import heapq
import math
import operator
from typing import Any

import pytest

from adjoint import gradient
from adjoint.errors import UnsupportedSyntaxError

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


class Yielding(Sized):
    def __iter__(self) -> Any:
        yield 1.0
        yield 2.0


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


def check_refused(take: Any, make: Any) -> None:
    def program(x: Any) -> Any:
        o = make()
        items = take(o)
        return x**o.k * sum(items)

    with pytest.raises(UnsupportedSyntaxError, match="may run `.*__len.*` for their number, which stores"):
        gradient(program, 1.3)


@pytest.mark.parametrize("make", [Sized, Hinted, Yielding])
@pytest.mark.parametrize("take", ASKING)
def test_a_size_that_stores_is_refused(take: Any, make: Any) -> None:
    check_refused(take, make)


@pytest.mark.parametrize("make", [Sized, Hinted, Yielding])
@pytest.mark.parametrize("take", [sum, lambda o: sum([v for v in o]), lambda o: max(o)])
def test_what_asks_for_no_size(take: Any, make: Any) -> None:
    def program(x: Any) -> Any:
        o = make()
        return x ** (o.k + 2) * take(o)

    check(program, 1.3)


# ---- an iterator asks the sequence that it is of


class Sequence:
    def __init__(self) -> None:
        self.k = 0

    def __len__(self) -> int:
        self.k += 1
        return 2

    def __getitem__(self, i: int) -> float:
        return [1.0, 2.0][i]


class Holder:
    """Asks what it holds, which stores."""

    def __init__(self) -> None:
        self.inner = Sequence()

    @property
    def k(self) -> int:
        return self.inner.k

    def __len__(self) -> int:
        return len(self.inner)

    def __iter__(self) -> Any:
        return iter([1.0, 2.0])


class Walk(Counted):
    """An iterator that is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.left = 2

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> float:
        self.left -= 1
        if self.left < 0:
            raise StopIteration
        return 1.0 + self.left

    def __length_hint__(self) -> int:
        return self.asked()


def rest(o: Any) -> Any:
    first, *others = o
    return [first, *others]


def sliced(o: Any) -> Any:
    items = [0.0]
    items[:] = o
    return items


def joined(o: Any) -> Any:
    return [len(",".join(map(str, o)))] + [float(v) for v in ",".join(Texts(o)).split(",")]


class Texts:
    def __init__(self, o: Any) -> None:
        self.o = o

    def __len__(self) -> int:
        return len(self.o)

    def __getitem__(self, i: int) -> str:
        return str([1.0, 2.0][i])


def pairs(o: Any) -> Any:
    return list(dict([o]).values())


def from_origin(o: Any) -> Any:
    return [math.dist(o, [0.0, 0.0])]


OF_ITERATORS = [
    lambda o: list(iter(o)), lambda o: tuple(iter(o)), lambda o: sorted(iter(o)), lambda o: [*iter(o)],
    lambda o: extended(iter(o)), lambda o: added(iter(o)), sliced, lambda o: sliced(iter(o)), from_origin,
]  # fmt: skip


@pytest.mark.parametrize("make", [Sequence, Walk])
@pytest.mark.parametrize("take", [*OF_ITERATORS, rest, pairs])
def test_an_iterator_that_asks_what_it_is_of_is_refused(take: Any, make: Any) -> None:
    check_refused(take, make)


@pytest.mark.parametrize("take", [list, sorted, starred, from_origin])
def test_what_an_object_asks_that_it_holds_is_refused(take: Any) -> None:
    def program(x: Any) -> Any:
        o = Holder()
        items = take(o)
        return x**o.k * sum(items)

    with pytest.raises(UnsupportedSyntaxError, match="may run `Sequence.__len__`"):
        gradient(program, 1.3)


def test_a_join_asks() -> None:
    def program(x: Any) -> Any:
        o = Sequence()
        return sum(joined(o)) * x**o.k

    with pytest.raises(UnsupportedSyntaxError, match="may run `Sequence.__len__`"):
        gradient(program, 1.3)


@pytest.mark.parametrize("make", [Sequence, Hinted, Holder, Walk])
def test_the_number_itself_is_followed(make: Any) -> None:
    def program(x: Any) -> Any:
        o = make()
        return operator.length_hint(o) * x ** (o.k + 1) + operator.length_hint([1.0]) * x

    check(program, 1.3, order=2)


def test_a_reversed_sequence_is_asked_once() -> None:
    def program(x: Any) -> Any:
        o = Sequence()
        return sum(reversed(o)) * x ** (o.k + 1)

    check(program, 1.3, order=2)


def test_numbers_of_items_that_are_left() -> None:
    class Pure:
        def __len__(self) -> int:
            return 3

        def __getitem__(self, i: int) -> float:
            return [1.0, 2.0, 4.0][i]

    def program(x: Any) -> Any:
        i = iter(Pure())
        before = operator.length_hint(i)
        first = next(i)
        return x ** (before + 2 * operator.length_hint(i) + operator.length_hint(reversed(Pure())) + first)

    check(program, 1.3)


def test_an_iterator_is_the_object_that_iter_gives() -> None:
    class Made:
        def __iter__(self) -> Walk:
            return Walk()

    def program(x: Any) -> Any:
        i = iter(Made())
        next(i)
        kept = [x]
        kept.append(x)
        return x ** (i.left + 2) * len(kept)

    check(program, 1.3)
