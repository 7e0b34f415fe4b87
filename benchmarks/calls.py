"""Seconds that a gradient costs by itself, with arguments of several kinds, and what captures add.

The functions do next to nothing, so that what is measured is the way in and out: a guard, zeros, the release of what is
given. Of arrays NumPy's own time is part of it, which is why the function's time stands beside.
"""

from __future__ import annotations

from measure import Table, medians  # before NumPy: it sets the number of threads

import functools  # isort: skip
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from adjoint import grad, ir

ROUNDS, WARM = 15, 5


@dataclass
class Pair:
    """Two numbers."""

    a: float
    b: float


class Item:
    """An object that nobody looks at."""

    def __init__(self, i: int) -> None:
        self.value, self.row, self.table = float(i), [1.0, 2.0], {"a": i}


def square(x):
    """A number."""
    return x * x


def squares(a):
    """An array."""
    return (a * a).sum()


def dot(a, b):
    """Two arrays."""
    return (a * b).sum()


def layers(p):
    """Twenty numbers in nested containers."""
    s = 0.0
    for layer in p["layers"]:
        s = s + layer["a"] * p["w"] + layer["b"][0] * layer["b"][1]
    return s


def product(p):
    """A dataclass."""
    return p.a * p.b


def first_two(items):
    """A list."""
    return items[0] * items[1]


def by_name(d):
    """A dict."""
    return d["a"] * d["b"]


class Scale:
    """A method, and an object that is called."""

    def __init__(self, k: float) -> None:
        self.k = k

    def loss(self, x, power=2.0):
        return self.k * x**power

    def __call__(self, x):
        return self.k * x * x


def scaled(x, k=2.0, *, shift=0.0):
    """A default, and a parameter by name only."""
    return k * x * x + shift


def caught(x):
    """A number, within `try`."""
    try:
        return x * x
    except ZeroDivisionError:
        return 0.0


def capturing(n: int) -> tuple[Any, Any]:
    """A function whose captures reach so many objects, and one like it with a `try`."""
    held = Item(0)
    held.rest, held.k = [Item(i) for i in range(n)], 2.0

    def structured(x):
        y = x * held.k
        return y * x

    def within_try(x):
        try:
            y = x * held.k
        finally:
            pass
        return np.sum(y * x)

    return structured, within_try


PARAMETERS = {"w": 0.5, "layers": [{"a": float(i), "b": (1.0 * i, 2.0)} for i in range(6)]}
CASES: dict[str, tuple[Any, tuple[Any, ...], float | None]] = {
    "a number": (square, (2.0,), 2.0),
    "a number, of a program": (ir.function(ir.of(square)), (2.0,), 3.0),
    "a number, of a program for its type": (ir.function(ir.of(square, float)), (2.0,), 10.0),
    "an array": (squares, (np.ones(3),), None),
    "two arrays": (dot, (np.ones(3), np.ones(3)), None),
    "20 numbers in nested containers": (layers, (PARAMETERS,), 5.0),
    "a dataclass": (product, (Pair(1.0, 2.0),), 5.0),
    "a list of two": (first_two, ([1.0, 2.0],), 5.0),
    "a dict of two": (by_name, ({"a": 1.0, "b": 2.0},), 5.0),
    "a method": (Scale(2.0).loss, (2.0, 3.0), 10.0),
    "a method, a default left off": (Scale(2.0).loss, (2.0,), 10.0),
    "an object that is called": (Scale(2.0), (2.0,), 10.0),
    "a function with a default left off": (scaled, (2.0,), 10.0),
    "a partial function": (functools.partial(scaled, k=3.0), (2.0,), 10.0),
    "a number, within `try`": (caught, (2.0,), 15.0),
}
"""Functions, their arguments, and the microseconds that a gradient may take."""


def seconds(f: Any, args: tuple[Any, ...]) -> dict[str, float]:
    """Seconds of the function and of its gradient, once its programs are made."""
    slope = grad(f)
    for _ in range(WARM):
        slope(*args)
    return medians(ROUNDS, plain=lambda: f(*args), gradient=lambda: slope(*args))


def main() -> int:
    """Measure, write the table, and say whether all limits hold."""
    table = Table(
        "calls",
        "The cost of a call",
        f"Microseconds of `grad(f)(...)`, warm: medians of {ROUNDS} rounds, by the processor's clock.",
    )
    table.details += ["| what | the function itself, µs |", "| --- | ---: |"]
    for what, (f, args, limit) in CASES.items():
        took = seconds(f, args)
        table.details.append(f"| {what} | {took['plain'] * 1e6:.2f} |")
        if limit is None:
            table.report(what, took["gradient"] * 1e6, " µs")
        else:
            table.at_most(what, took["gradient"] * 1e6, limit, " µs")
    for kind, place, x in (("plain", 0, 1.5), ("within `try`", 1, 1.5), ("within `try`, of an array", 1, np.ones(3))):
        found = {n: seconds(capturing(n)[place], (x,))["gradient"] for n in (0, 100, 10_000)}
        for n, took in found.items():
            table.at_most(f"captures reach {n} objects, {kind}", took * 1e6, round(1.5e6 * found[0], 1), " µs")
    return 0 if table.write() else 1


if __name__ == "__main__":
    sys.exit(main())
