"""Dicts of numbers that loops look into: by `items`, `values`, `get`, under tuples, integers and texts."""

from __future__ import annotations

import collections
import heapq
import math
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, hessian, jvp
from adjoint.derivatives import choice
from adjoint.testing import check_gradient

EDGES = {(0, 1): 1.5, (1, 2): 0.5, (2, 3): 0.7, (0, 3): 3.1, (3, 4): 1.1, (1, 4): 4.0}
GRID = {(i, j): 1.0 + 0.3 * i - 0.2 * j for i in range(4) for j in range(3)}


def smoothed(grid: Any) -> Any:
    total = 0.0
    for i, j in grid:
        around = [grid.get((i + di, j + dj), 0.5) for di, dj in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        total += grid[i, j] * sum(around)
    return total


def by_default_of_its_own(grid: Any) -> Any:
    total = 0.0
    for i, j in grid:
        total += grid.get((i, j + 1), grid[i, j] ** 2) * (i + 1)
    return total


def weighted(edges: Any) -> Any:
    total = 0.0
    for (i, j), w in edges.items():
        total += (1 + i + j) * w * w
    return total


def of_pairs(edges: Any) -> Any:
    total = 0.0
    for pair in edges.items():
        total += pair[1] * pair[0][1] * pair[1]
    return total


def of_values(edges: Any) -> Any:
    total = 1.0
    for w in edges.values():
        total = total * math.cos(w) + w
    return total


def beside_each_other(edges: Any) -> Any:
    return sum([a * b + n for n, (a, b) in enumerate(zip(edges.values(), reversed(list(edges.values())), strict=True))])


def shortest(edges: Any) -> Any:
    around = collections.defaultdict(list)
    for (i, j), w in edges.items():
        around[i].append((j, w))
    reached, queue = {0: 0.0}, [(0.0, 0)]
    while queue:
        d, i = heapq.heappop(queue)
        if d > reached.get(i, math.inf):
            continue
        for j, w in around[i]:
            if d + w < reached.get(j, math.inf):
                reached[j] = d + w
                heapq.heappush(queue, (d + w, j))
    return sum([d * d for d in reached.values()])


def grouped(edges: Any) -> Any:
    groups: dict[int, list[Any]] = {}
    for (i, _), w in edges.items():
        groups.setdefault(i, []).append(w)
    return sum([max(ws) * len(ws) + ws[0] * i for i, ws in groups.items()])


SCALED = [
    lambda d: sum([x * x for x in d.values()]),
    lambda d: sum([x * x * 2.0 for x in d.values()]),
    lambda d: sum([x * x * 3.0 for x in d.values()]),
    lambda d: sum([x * x * 4.0 for x in d.values()]),
    lambda d: sum([x * x * 5.0 for x in d.values()]),
    lambda d: sum([x * x * 6.0 for x in d.values()]),
]

PROGRAMS = [
    *[(f, GRID) for f in (smoothed, by_default_of_its_own)],
    *[(f, EDGES) for f in (weighted, of_pairs, of_values, beside_each_other, shortest, grouped)],
]


@pytest.mark.parametrize(("f", "d"), PROGRAMS)
def test_gradients(f: Any, d: Any) -> None:
    before = dict(d)
    for _ in range(4):
        check_gradient(f, d)
    assert d == before and [*gradient(f, d)[0]] == [*d]
    assert not choice.has_been_recorded(f, (d,))


@pytest.mark.parametrize(("f", "d"), PROGRAMS)
def test_products_and_second_derivatives(f: Any, d: Any) -> None:
    along = {key: 0.3 - 0.1 * n for n, key in enumerate(d)}
    (g,) = gradient(f, d)
    np.testing.assert_allclose(jvp(f, (d,), (along,))[1], sum([g[key] * along[key] for key in d]), rtol=1e-12)

    def moved(t: Any) -> Any:
        return f({key: x + t * along[key] for key, x in d.items()})

    eps = 1e-4
    expected = (moved(eps) - 2 * moved(0.0) + moved(-eps)) / eps**2
    np.testing.assert_allclose(hessian(moved)(0.0), expected, rtol=1e-4, atol=1e-5)


def test_closures_of_one_text_that_capture_many_functions() -> None:
    """What the run alone shows it stores into may hold what is differentiated: a seventh closure gave zeros."""

    def of(f: Any) -> Any:
        return lambda t: f({key: x + t * x * x for key, x in EDGES.items()})

    for f in [*SCALED, *[f for f, d in PROGRAMS if d is EDGES]]:
        eps, moved = 1e-4, of(f)
        expected = (moved(eps) - 2 * moved(0.0) + moved(-eps)) / eps**2
        np.testing.assert_allclose(grad(grad(moved))(0.0), expected, rtol=1e-4, atol=1e-4)


def test_keys_of_several_kinds() -> None:
    def f(edges: Any, heights: Any) -> Any:
        total, low = 0.0, {}
        for (i, j), w in edges.items():
            low[j] = min(low.get(j, math.inf), w + heights[i])
        for j, h in low.items():
            total += h * h * (j + 1)
        for name, x in {"a": heights[0]}.items():
            total += len(name) * x
        return total

    heights = {i: 0.1 * i * i + 0.2 for i in range(5)}
    for _ in range(3):
        check_gradient(f, EDGES, heights)
    by_name = {"ab": 1.5, "c": 2.5}
    for _ in range(3):
        assert gradient(lambda d: sum([len(k) * x * x for k, x in d.items()]), by_name) == ({"ab": 6.0, "c": 5.0},)


def test_other_keys_later() -> None:
    def f(d: Any) -> Any:
        held: dict[Any, list[Any]] = {}
        for key, x in d.items():
            held.setdefault(key, []).append(x)
        return sum([xs[0] * xs[0] for xs in held.values()])

    for d in ({(0, 1): 2.0}, {3: 2.0, 4: 3.0}, {"a": 2.0}, {(0, 1): 2.0, "b": 1.0}, {1.5: 2.0}, {}):
        for _ in range(3):
            assert gradient(f, d) == ({key: 2.0 * x for key, x in d.items()},)


def test_a_key_that_is_none() -> None:
    def f(d: Any) -> Any:
        return d.get([0], 1.0) * d["a"]

    for _ in range(3):
        with pytest.raises(TypeError, match="unhashable type: 'list'"):
            gradient(f, {"a": 1.0})


def test_numbers_of_numpy_and_integers() -> None:
    d = {i: np.float32(i + 0.5) for i in range(3)}
    f = lambda d: sum([d.get(i + 1, 0.0) * x for i, x in d.items()])  # noqa: E731
    for _ in range(3):
        found = grad(f)(d)
        assert found == {0: 1.5, 1: 3.0, 2: 1.5} and {*map(type, found.values())} == {np.float32}
    assert gradient(f, {0: 1, 1: 2.0, 2: 3}) == ({0: 2.0, 1: 4.0, 2: 2.0},)


def test_a_dict_that_changes_while_it_is_run_through() -> None:
    def f(d: Any) -> Any:
        total = 0.0
        for key, x in d.items():
            if key < 2:
                d[key + 1] = d[key + 1] * x
            total += x
        return total

    def g(x: Any) -> Any:
        return f({0: x, 1: 2.0, 2: 3.0})

    for _ in range(3):
        check_gradient(g, 1.5)
        assert gradient(f, {0: 1.5, 1: 2.0, 2: 3.0}) == ({0: 9.0, 1: 6.0, 2: 3.0},)


def put(d: Any, key: Any, value: Any) -> None:
    d[key] = value


def by_helper(d: Any) -> Any:
    total = 0.0
    for key, x in d.items():
        if key < 2:
            put(d, key + 1, d[key + 1] * x)
        total += x
    return total


def by_inner_function(d: Any) -> Any:
    def inner(key: Any, value: Any) -> None:
        d[key] = value

    total = 0.0
    for key, x in d.items():
        if key < 2:
            inner(key + 1, d[key + 1] * x)
        total += x
    return total


def of_values_that_change(d: Any) -> Any:
    total = 0.0
    for x in d.values():
        put(d, 2, d[2] * x)
        total += x
    return total


def by_update(d: Any) -> Any:
    total = 0.0
    for (_, x), y in zip(d.items(), [1.0, 2.0, 3.0], strict=True):
        d.update({2: d[2] * x})
        total += x * y
    return total


@pytest.mark.parametrize("f", [by_helper, by_inner_function, of_values_that_change, by_update])
def test_stores_of_others_are_seen_in_the_rounds_to_come(f: Any) -> None:
    d = {0: 1.5, 1: 2.0, 2: 3.0}
    sides = [[f({**d, key: x + h}) for h in (1e-6, -1e-6)] for key, x in d.items()]
    for _ in range(3):
        found = gradient(f, dict(d))[0]
        np.testing.assert_allclose([*found.values()], [(a - b) / 2e-6 for a, b in sides], rtol=1e-6)
