"""Operations in C that run the program's own code, which stores and then raises: what it has stored counts, once."""

from __future__ import annotations

import operator
from collections import deque
from typing import Any

import pytest

from adjoint import gradient, jvp, pullback


def doubling(d: list[float]) -> Any:
    while True:
        d[0] = d[0] * 2.0
        if d[0] > 7:
            raise KeyError(d[0])
        yield d[0]


class Doubling:
    def __init__(self, d: list[float]) -> None:
        self.d = d

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> float:
        self.d[0] = self.d[0] * 2.0
        if self.d[0] > 7:
            raise KeyError(self.d[0])
        return self.d[0]


class Compared:
    def __init__(self, d: list[float]) -> None:
        self.d = d

    def __eq__(self, other: object) -> bool:
        self.d[0] = self.d[0] * 2.0
        if self.d[0] > 7:
            raise KeyError(self.d[0])
        return False

    def __lt__(self, other: object) -> bool:
        return self == other

    __hash__ = None  # type: ignore[assignment]


def sliced(d: Any) -> Any:
    items = [0.0]
    items[:1] = doubling(d)


def strided(d: Any) -> Any:
    items = [0.0, 1.0]
    items[::2] = doubling(d)


def inserted(d: Any) -> Any:
    items = [0.0]
    items[0:0] = (v for v in doubling(d))


def of_an_iterator(d: Any) -> Any:
    items = [0.0]
    items[1:] = Doubling(d)


def pairs(d: Any) -> Any:
    items: list[Any] = [0.0]
    items[:] = zip(doubling(d), [1.0, 2.0, 3.0, 4.0], strict=False)


def some(d: Any) -> Any:
    any(v < 0 for v in doubling(d))


def each(d: Any) -> Any:
    all(v > 0 for v in doubling(d))


def mapped(d: Any) -> Any:
    any(map(lambda v: v < 0, doubling(d)))


def within(d: Any) -> Any:
    return 99.0 in doubling(d)


def contains(d: Any) -> Any:
    return operator.contains(doubling(d), 99.0)


def indexed(d: Any) -> Any:
    return [Compared(d) for _ in range(4)].index(5.0)  # type: ignore[arg-type]


def counted(d: Any) -> Any:
    return [Compared(d) for _ in range(4)].count(5.0)  # type: ignore[arg-type]


def removed(d: Any) -> Any:
    [Compared(d) for _ in range(4)].remove(5.0)  # type: ignore[arg-type]


def removed_from_a_deque(d: Any) -> Any:
    deque([Compared(d) for _ in range(4)]).remove(5.0)  # type: ignore[arg-type]


def in_a_list(d: Any) -> Any:
    return 5.0 in [Compared(d) for _ in range(4)]


def not_in_a_tuple(d: Any) -> Any:
    return 5.0 not in (Compared(d), Compared(d), Compared(d), Compared(d))


def narrower(d: Any) -> Any:
    return (Compared(d), Compared(d), Compared(d)) < (5.0, 5.0, 5.0)  # type: ignore[operator]


WAYS = [sliced, strided, inserted, of_an_iterator, pairs, some, each, mapped, within, contains]
WAYS += [indexed, counted, removed, removed_from_a_deque, in_a_list, not_in_a_tuple, narrower]


@pytest.mark.parametrize("way", WAYS)
def test_what_ran_before_the_exception_counts_once(way: Any) -> None:
    def program(x: float) -> Any:
        d = [x]
        try:
            way(d)
        except KeyError as e:
            return d[0] * d[0] + e.args[0]
        except ValueError:
            pass
        return d[0] * d[0]

    h = 1e-6
    expected = (program(1.1 + h) - program(1.1 - h)) / (2 * h)
    for _ in range(2):
        y, back = pullback(program, 1.1)
        assert y == program(1.1)
        assert back(1.0)[1] == pytest.approx(expected, rel=1e-7) and back(2.0)[1] == pytest.approx(2 * expected)
        assert gradient(program, 1.1)[0] == pytest.approx(expected, rel=1e-7)
    assert jvp(program, (1.1,), (1.0,))[1] == pytest.approx(expected, rel=1e-7)
