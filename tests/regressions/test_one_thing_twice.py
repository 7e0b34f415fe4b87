"""One list, dict or object as two arguments: each has its own cotangent, or the call is refused."""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, pullback
from adjoint.calculus import pushforward
from adjoint.errors import NotDifferentiableError


class Point:
    def __init__(self, x: float, y: float) -> None:
        self.x = x
        self.y = y


def of_lists(a: Any, b: Any) -> Any:
    return a[0] * b[0] * b[1]


def of_rows(a: Any, b: Any) -> Any:
    return a[0][0] * b[0][0] * b[1][0]


def of_dicts(a: Any, b: Any) -> Any:
    return a["p"] * b["p"] * b["q"]


def of_objects(a: Any, b: Any) -> Any:
    return a.x * b.x * b.y


def of_arrays_in_lists(a: Any, b: Any) -> Any:
    return a[0].sum() * b[0][1]


def in_try(f: Callable[..., Any]) -> Callable[..., Any]:
    def recorded(a: Any, b: Any) -> Any:
        found = []
        try:
            found.append(f(a, b))
        except* KeyError:
            found.append(0.0)
        return found[0]

    return recorded


CASES: dict[Callable[..., Any], Any] = {
    of_lists: [2.0, 3.0],
    of_rows: [[2.0], [3.0]],
    of_dicts: {"p": 2.0, "q": 3.0},
    of_objects: Point(2.0, 3.0),
    of_arrays_in_lists: [np.array([2.0, 3.0])],
}


@pytest.mark.parametrize("f", CASES, ids=lambda f: f.__name__)
def test_each_argument_has_its_own_or_the_call_is_refused(f: Callable[..., Any]) -> None:
    x = CASES[f]
    apart = gradient(f, copy.deepcopy(x), copy.deepcopy(x))
    recorded = gradient(in_try(f), copy.deepcopy(x), copy.deepcopy(x))
    assert repr(gradient(f, x, x)) == repr(apart) == repr(recorded)
    with pytest.raises(NotDifferentiableError, match="part of several arguments"):
        gradient(in_try(f), x, x)
    y, back = pullback(in_try(f), x, x)
    assert y == f(x, x)
    with pytest.raises(NotDifferentiableError, match="part of several arguments"):
        back(1.0)


def test_by_one_argument_and_along_one() -> None:
    xs = [2.0, 3.0]
    for argnum in (0, 1):
        with pytest.raises(NotDifferentiableError, match="part of several arguments"):
            grad(in_try(of_lists), argnums=argnum)(xs, xs)
    with pytest.raises(NotDifferentiableError, match="part of several arguments"):
        pushforward(in_try(of_lists), (xs, xs), ([1.0, 0.0], [0.0, 0.0]))


def stored(rows: Any, held: Any) -> float:
    rows[0][0] *= 3.0
    row = held()[0]
    return rows[0][0] * row[0] * row[1]  # type: ignore[no-any-return]


class Holder:
    __slots__ = ("row",)

    def __init__(self, row: Any) -> None:
        self.row = row

    def get(self) -> list[Any]:
        return [self.row]


def captured(row: Any) -> Callable[[], Any]:
    return lambda: [row]


def default(row: Any) -> Callable[[], Any]:
    def get(row: Any = row) -> Any:
        return [row]

    return get


def in_dict(row: Any) -> Callable[[], Any]:
    return partial(dict.get, {"rows": (row,)}, "rows")


HOLDERS = [captured, default, in_dict, lambda row: Holder(row).get]


@pytest.mark.parametrize("hold", HOLDERS)
@pytest.mark.parametrize("way", [lambda f: f, in_try])
@pytest.mark.parametrize("row", [[2.0, 3.0], np.array([2.0, 3.0])], ids=["list", "array"])
def test_what_is_not_asked_for_may_hold_it(hold: Any, way: Any, row: Any) -> None:
    f = grad(way(stored))
    for _ in range(3):
        given = copy.deepcopy(row)
        np.testing.assert_allclose(f([given], hold(copy.deepcopy(given)))[0], [18.0, 0.0])
    with pytest.raises(NotDifferentiableError, match="part of several arguments"):
        f([given], hold(given))


def test_a_part_of_both_to_which_nothing_flows() -> None:
    names = {"scale": 2.0}

    def f(a: Any, b: Any) -> Any:
        found = []
        try:
            found.append(a["x"] * b["y"] * len(a["names"]))
        finally:
            found.append(0.0)
        return found[0]

    found = gradient(f, {"x": 2.0, "names": names}, {"y": 3.0, "names": names})
    assert found[0]["x"] == 3.0 and found[1]["y"] == 2.0


def test_one_row_in_both() -> None:
    row = [2.0]
    with pytest.raises(NotDifferentiableError, match="part of several arguments"):
        gradient(in_try(of_rows), [row, [3.0]], [row, [5.0]])


def stored_into(held: Any) -> float:
    held[0].x *= 3.0
    return held[0].x * held[1].x * held[1].y  # type: ignore[no-any-return]


def stored_in_dicts(held: Any) -> float:
    held[0]["p"] *= 3.0
    return held[0]["p"] * held[1]["p"] * held[1]["q"]  # type: ignore[no-any-return]


def test_in_two_places_of_one_argument() -> None:
    """Recorded: the first place has all, the second zeros."""
    (bars,) = gradient(stored_into, [Point(2.0, 5.0)] * 2)
    assert (bars[0].x, bars[0].y, bars[1].x, bars[1].y) == (180.0, 36.0, 0.0, 0.0)
    (bars,) = gradient(stored_in_dicts, [{"p": 2.0, "q": 5.0}] * 2)
    assert bars == [{"p": 180.0, "q": 36.0}, {"p": 0.0, "q": 0.0}]


class Node:
    def __init__(self, v: float) -> None:
        self.v = v
        self.near: list[Node] = []


def test_many_that_know_each_other() -> None:
    """Zeros for all ways through a net would have no end."""
    nodes = [Node(float(i)) for i in range(40)]
    for node in nodes:
        node.near = [other for other in nodes if other is not node]

    def f(nodes: Any) -> float:
        nodes[0].v *= 3.0
        return nodes[0].v * nodes[39].near[0].v  # type: ignore[no-any-return]

    nodes[0].v = 2.0
    (bars,) = gradient(f, nodes)
    assert bars[0].v == 36.0
