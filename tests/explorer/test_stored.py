"""What a line stores into is shown there under its own name, however it is stored."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint.explorer.exploration import explored


def by_keyword(a: Any, c: Any) -> Any:
    np.multiply(a, 3.0, out=c)
    return c.sum()


def by_tuple(a: Any, c: Any) -> Any:
    np.multiply(a, 3.0, out=(c,))
    return c.sum()


def by_place(a: Any, c: Any) -> Any:
    np.add(a, a, c)
    return c.sum()


def by_copy(a: Any, c: Any) -> Any:
    np.copyto(c, a)
    return c.sum()


def by_copy_by_name(a: Any, c: Any) -> Any:
    np.copyto(src=a, dst=c)
    return c.sum()


def by_method_at(a: Any, c: Any) -> Any:
    np.add.at(c, [0, 1], a)
    return c.sum()


def by_put(a: Any, c: Any) -> Any:
    np.put(c, [0], a[1])
    return c.sum()


def by_method(a: Any, c: Any) -> Any:
    c.fill(a[0])
    return c.sum()


def by_result(a: Any, c: Any) -> Any:
    d = np.multiply(a, 3.0, out=c)
    return d.sum()


def by_method_with_out(a: Any, c: Any) -> Any:
    a.cumsum(out=c)
    return c.sum()


def into_a_heap(a: Any, c: list[Any]) -> Any:
    heapq.heappush(c, a[0])
    return sum(c)


def by_class(a: Any, c: list[Any]) -> Any:
    list.append(c, a[0])
    return sum(c)


ARRAYS = [
    *(by_keyword, by_tuple, by_place, by_copy, by_copy_by_name, by_method_at, by_put, by_method, by_result),
    by_method_with_out,
]
CALLS: list[tuple[Callable[..., Any], Any]] = [
    *[(f, np.zeros(2)) for f in ARRAYS],
    *[(f, [3.0]) for f in (into_a_heap, by_class)],
]


@pytest.mark.parametrize(("f", "c"), CALLS)
def test_what_is_stored_into_is_shown(f: Callable[..., Any], c: Any) -> None:
    found = explored(f, (np.array([1.0, 2.0]), c), {}, None, False, False)
    line = f.__code__.co_firstlineno + 1
    tracks = next(tracks for key, tracks in found.followed.tracks.items() if key.line == line)
    assert set(tracks) <= {"c", "d"}
    (moment,) = tracks["c"].moments()
    expected = "(2,) float64 [1., 1.]" if isinstance(c, np.ndarray) else "[1, 1]"
    assert moment.bar is not None and moment.bar.short == expected and moment.value.short != "(2,) float64 [0., 0.]"


def test_what_only_reads_shows_nothing() -> None:
    def told(a: Any) -> Any:
        print(a, end="")
        np.shape(a)
        return a.sum()

    found = explored(told, (np.ones(2),), {}, None, False, False)
    assert [list(tracks) for tracks in found.followed.tracks.values()] == [["a"], ["return"]]
