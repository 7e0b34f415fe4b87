"""Objects under keys of dicts, which are numbers, texts or tuples: all are stored into."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from adjoint import gradient, hvp, jvp
from adjoint.derivatives.choice import was_recorded


class Body:
    def __init__(self, k: Any) -> None:
        self.k = k

    def grow(self, x: Any) -> None:
        self.k *= x


class Graph:
    def __init__(self) -> None:
        self.nodes: dict[str, Body] = {}
        self.edges: list[tuple[str, str, Any]] = []

    def add(self, name: str, k: Any) -> None:
        self.nodes[name] = Body(k)

    def link(self, a: str, b: str, w: Any) -> None:
        self.edges.append((a, b, w))

    def step(self) -> None:
        new = {n: p.k for n, p in self.nodes.items()}
        for a, b, w in self.edges:
            new[b] += w * self.nodes[a].k
        for n, k in new.items():
            self.nodes[n].k = k


def by_items(x: Any) -> Any:
    d = {i: Body(x * i) for i in range(5)}
    for i, p in d.items():
        p.k *= x + i
    return sum(i * p.k for i, p in d.items())


def by_keys(x: Any) -> Any:
    d = {i: Body(x * i) for i in range(5)}
    for i in d:
        d[i].k *= x + i
    return sum(p.k for p in d.values())


def by_texts(x: Any) -> Any:
    d = {n: Body(x * len(n)) for n in ("a", "bb", "ccc")}
    for n, p in d.items():
        p.grow(x * len(n))
    return sum(p.k * len(n) for n, p in d.items())


def by_tuples(x: Any) -> Any:
    d = {(i, j): Body(x * i + j) for i in range(3) for j in range(3)}
    for (i, j), p in d.items():
        if (i + 1, j) in d:
            p.k += d[i + 1, j].k * x
        if (i, j + 1) not in d:
            p.grow(x)
    return sum(p.k * i for (i, _), p in d.items())


def grown(x: Any) -> Any:
    d: dict[int, Body] = {}
    for i in range(5):
        d[i] = Body(x * i)
    for i, p in d.items():
        p.grow(x + i)
    return sum(p.k * i for i, p in d.items())


def in_a_graph(x: Any) -> Any:
    g = Graph()
    for n in "abc":
        g.add(n, x)
    g.link("a", "b", x)
    g.link("b", "c", 2.0)
    g.link("c", "a", x * x)
    for _ in range(3):
        g.step()
    return sum(p.k for p in g.nodes.values())


def under_two_keys(x: Any) -> Any:
    one = Body(x)
    d = {i: one if i % 2 else Body(x * i) for i in range(4)}
    for i in d:
        d[i].k *= x
    return one.k + d[2].k


PROGRAMS = (by_items, by_keys, by_texts, by_tuples, grown, in_a_graph, under_two_keys)


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_against_differences(f: Callable[[Any], Any]) -> None:
    x, h = 0.7, 1e-5
    slope, bend = (f(x + h) - f(x - h)) / (2 * h), (f(x + h) - 2 * f(x) + f(x - h)) / h**2
    for _ in range(2):
        assert gradient(f, x)[0] == pytest.approx(slope, rel=1e-7)
    assert jvp(f, (x,), (2.0,))[1] == pytest.approx(2.0 * slope, rel=1e-7)
    assert hvp(f, (x,), (1.0,))[0] == pytest.approx(bend, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("f", PROGRAMS[:-1], ids=lambda f: f.__name__)
def test_nothing_is_recorded(f: Callable[[Any], Any]) -> None:
    gradient(f, 0.7)
    assert not was_recorded(f)


def test_dict_that_grows_in_a_loop_over_it() -> None:
    def f(x: Any) -> Any:
        d = {i: Body(x * i) for i in range(3)}
        for i in d:
            d[i + 3] = Body(x)
        return d[0].k

    with pytest.raises(RuntimeError, match="changed size"):
        gradient(f, 0.7)
