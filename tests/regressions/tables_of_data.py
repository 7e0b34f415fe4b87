"""Programs with tables that look like those of earlier results: data, graphs, settings and counts."""

from __future__ import annotations

from typing import Any


class Rates:
    """Rates by temperature; those that nobody has set are zero."""

    def __init__(self) -> None:
        self.rates: dict[Any, Any] = {}
        self.grid = [1.0, 2.0]

    def set(self, at: Any, rate: Any) -> None:
        self.rates[at] = rate

    def at(self, at: Any) -> Any:
        return self.rates.get(at, 0.0)

    def known(self, at: Any) -> Any:
        return self.rates[at]

    def fill(self, x: Any) -> None:
        for at in self.grid:
            self.rates[at] = x * at

    def total(self) -> Any:
        return self.at(1.0) * self.at(2.0) + self.at(3.0) + self.known(1.0)


class OfData(Rates):
    def __init__(self) -> None:
        super().__init__()
        for at in (1.0, 2.0, 3.0):
            self.set(at, at + 0.5)

    def __call__(self, x: Any) -> Any:
        return x * x * self.total()


class FilledInLoop(Rates):
    def __call__(self, x: Any) -> Any:
        self.fill(x)
        self.set(3.0, x)
        return self.total()


class Updated(Rates):
    def __call__(self, x: Any) -> Any:
        self.rates.update({1.0: x, 2.0: x * x})
        self.set(3.0, x)
        return self.total()


class Replaced(Rates):
    def __call__(self, x: Any) -> Any:
        self.rates = {1.0: x, 2.0: x * x}
        self.set(3.0, x)
        return self.total()


GRAPH: dict[Any, Any] = {}


def add_edge(a: Any, b: Any) -> None:
    GRAPH.setdefault(a, []).append(b)


def neighbours(a: Any) -> Any:
    return GRAPH.get(a, [])


def graph_of_numbers(x: Any) -> Any:
    GRAPH.clear()
    add_edge(x, 2.0 * x)
    add_edge(2.0 * x, 3.0 * x)
    total = 0.0
    for n in neighbours(x):
        total = total + n
    for n in neighbours(2.0 * x):
        total = total + n * n
    return total


def _counted() -> Any:
    counts: dict[Any, Any] = {}

    def asked(x: Any) -> Any:
        key = str(x)
        if key not in counts:
            counts[key] = 0
        counts[key] += 1
        return x * x * counts[key]

    return asked


class Counts:
    def __init__(self) -> None:
        self.counts: dict[Any, Any] = {}

    def reset(self, key: Any) -> None:
        self.counts[key] = 0

    def count(self, key: Any) -> None:
        self.counts[key] += 1

    def __call__(self, x: Any) -> Any:
        key = f"{x:.3f}"
        self.reset(key)
        self.count(key)
        self.count(key)
        return self.counts[key] * x * x


MAKERS = [OfData, FilledInLoop, Updated, Replaced, lambda: graph_of_numbers, _counted, Counts]
"""Each gives such a program, in which nothing has been stored but data."""


class Lists:
    """Keeps its results in lists, which `setdefault` makes: at a number that it has met, they are made anew."""

    def __init__(self) -> None:
        self.found: dict[Any, Any] = {}

    def all(self, key: Any) -> Any:
        return self.found.get(key, [])

    def put(self, key: Any, value: Any) -> None:
        self.found.setdefault(key, []).append(value)

    def __call__(self, x: Any) -> Any:
        if not self.all(x):
            self.put(x, x * x)
        return self.all(x)[0]


class Sparse:
    """Asks by an `in` for data under numbers, which a recording cannot tell from results."""

    def __init__(self) -> None:
        self.found: dict[Any, Any] = {}

    def put(self, key: Any, value: Any) -> None:
        self.found[key] = value

    def __call__(self, key: Any, x: Any) -> Any:
        return x if key in self.found else 5.0 * x
