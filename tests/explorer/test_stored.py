"""What a line stores into is shown there under its own name, however it is stored."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint
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


class Counter:
    now: Any = 0.0


def in_class(x: float) -> float:
    Counter.now = Counter.now + x * x
    setattr(Counter, "now", Counter.now * x)  # noqa: B010 - as it is written
    return float(Counter.now)


def array_in_class(x: float) -> Any:
    Counter.now = np.ones(3) * x
    Counter.now += x
    return Counter.now.sum() * x


def tracks_of(f: Callable[..., Any], *args: Any, **kwargs: Any) -> dict[tuple[int, str], list[tuple[str, Any]]]:
    """Values and cotangents of each name, by its line within the function."""
    found = explored(f, args, kwargs, None, False, False)
    first = f.__code__.co_firstlineno
    return {
        (key.line - first, name): [(m.value.short, m.bar and m.bar.short) for m in track.moments()]
        for key, tracks in found.followed.tracks.items()
        for name, track in tracks.items()
    }


def test_a_class_shows_what_is_stored_into_it() -> None:
    found = tracks_of(in_class, 1.5)
    assert found[1, "Counter.now"] == [("2.25", "1.5")] and found[2, "Counter.now"] == [("3.375", "1")]
    found = tracks_of(array_in_class, 1.5)
    assert found[2, "Counter.now"] == [("(3,) float64 [3., 3., 3.]", "(3,) float64 [1.5, 1.5, 1.5]")]
    assert Counter.now == 0.0
    assert "<b>Counter.now_bar</b>" in adjoint.explore(in_class, 1.5, profile=False).html


def with_options(x: float, **more: Any) -> Any:
    return x * more["a"] * more["a"]


def test_options_have_values_and_cotangents() -> None:
    assert tracks_of(with_options, 1.5, a=2.0)[0, "more"] == [("{'a': 2}", "{'a': 6}")]


def by_default(x: float, y: float = 2.0, *, z: float = 3.0, unread: str = "a") -> float:
    return x * y * z if x < 1.0 else by_default(x / 2.0, y=y * y) * z


def test_what_is_left_out_is_among_the_arguments() -> None:
    found = explored(by_default, (1.5,), {}, None, False, False)
    y, z = ([2.0, 2.0 + 1e-6], 3.0)
    slopes = [(by_default(1.5, y[1], z=z) - by_default(1.5, y[0], z=z)) / 1e-6, by_default(1.5) / z]
    told = {name: (value.short, bar and round(float(bar.short), 3)) for name, value, bar in found.defaults}
    assert told == {"y": ("2", round(slopes[0], 3)), "z": ("3", round(slopes[1], 3)), "unread": ("'a'", None)}
    assert "<code>y</code> by default" in adjoint.explore(by_default, 1.5, profile=False).html
    assert [name for name, *_ in explored(by_default, (1.5, 1.0), {"z": 2.0}, None, False, False).defaults] == [
        "unread"
    ]
