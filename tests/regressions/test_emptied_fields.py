"""Methods that take from a dict in a field, which may have nothing to give."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from adjoint import gradient, jvp


class Graph:
    def __init__(self) -> None:
        self.after: dict[str, Any] = {}
        self.values: dict[str, Any] = {}

    def drop(self, name: str) -> None:
        self.values.pop(name, None)
        for other in self.after.pop(name, ()):
            self.drop(other)

    def forget(self, name: str) -> None:
        self.after.pop(name, None)
        if name != "b":
            self.forget("b")


def dropped(x: Any) -> Any:
    graph = Graph()
    graph.values["a"] = x
    graph.drop("a")
    graph.values["b"] = x * x
    return sum(graph.values.values())


def forgotten(x: Any) -> Any:
    graph = Graph()
    graph.forget("a")
    return x * x * (1 + len(graph.after))


def with_others(x: Any) -> Any:
    graph = Graph()
    graph.after["a"] = ("b", "c")
    graph.values.update(a=x, b=2 * x, d=x * x)
    graph.drop("a")
    return sum(graph.values.values())


@pytest.mark.parametrize("f", [dropped, forgotten, with_others])
def test_what_is_not_there(f: Callable[[Any], Any]) -> None:
    for _ in range(3):
        assert (f(2.0), gradient(f, 2.0), jvp(f, (2.0,), (1.0,))) == (4.0, (4.0,), (4.0, 4.0))
