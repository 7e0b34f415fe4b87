"""Jacobians of functions of four inputs beside four tangents, and residuals beside the function itself."""

from __future__ import annotations

from measure import Table, medians  # before NumPy: it sets the number of threads

import itertools  # isort: skip
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from adjoint import jacobian, jvp
from adjoint.optimize import Residuals

ROUNDS, POINTS = 15, 500
TIMES = np.linspace(0.0, 4.0, 50)
MATRIX = np.random.default_rng(0).standard_normal((4, 4))


def numbers(a, b, c, d):
    """A loop over numbers."""
    s = a
    for _ in range(200):
        s = 0.9 * s + 0.01 * math.sin(b * s) + c * 0.05 * d
    return s


def predator_prey(p):
    """An explicit method, its states stored into an array."""
    a, b, c, d = p
    x, y = 1.0, 0.5
    out = np.zeros(50)
    for i in range(50):
        x, y = x + 0.01 * (a * x - b * x * y), y + 0.01 * (c * x * y - d * y)
        out[i] = x
    return out


def curve(p):
    """A model of data, a line of NumPy."""
    return p[0] * np.exp(-p[1] * TIMES) + p[2] * np.sin(p[3] * TIMES)


def vectors(x):
    """A loop over arrays."""
    y = x
    for _ in range(50):
        y = y + 0.01 * np.sin(y * x)
    return y


def layers(x):
    """Products with a matrix."""
    h = x
    for _ in range(20):
        h = np.tanh(MATRIX @ h + x)
    return h


def listed(p):
    """A list of numbers by a list of numbers: each derivative is an array of its own."""
    a, b, c, d = p
    out, s = [], a
    for _ in range(50):
        s = 0.9 * s + 0.01 * math.sin(b * s) + c * 0.05 * d
        out.append(s)
    return out


VALUES = [1.0, 0.4, 0.5, 0.6]
ONE_ARRAY = (predator_prey, curve, vectors, layers)
UNITS = [[1.0 if i == j else 0.0 for i in range(4)] for j in range(4)]
CASES: list[tuple[Any, tuple[Any, ...], list[tuple[Any, ...]]]] = [
    (numbers, tuple(VALUES), [tuple(unit) for unit in UNITS]),
    *[(f, (np.array(VALUES),), [(np.array(unit),) for unit in UNITS]) for f in ONE_ARRAY],
    (listed, (VALUES,), [(unit,) for unit in UNITS]),
]
"""Functions, their arguments, and the four directions."""


class ByHand:
    """What `Residuals.fun` has to do besides, as a person would write it: a copy of the point, and the last values."""

    def __init__(self, f: Any) -> None:
        self.f, self.x = f, np.zeros(0)

    def fun(self, x: Any) -> Any:
        """The values at a point."""
        x = np.array(x, np.float64, order="C")
        if x.shape != self.x.shape or x.tobytes() != self.x.tobytes():
            self.x, self.values = x, self.f(x.copy()).flatten()
        return self.values.copy()


def over_points(f: Callable[[Any], Any]) -> Callable[[], Any]:
    """A call of `f` at a point, another one each time."""
    points = itertools.cycle([np.array(VALUES) + 1e-9 * k for k in range(POINTS)])
    return lambda: f(next(points))


def main() -> int:
    """Measure, write the table, and say whether all limits hold."""
    table = Table(
        "jacobians",
        "Jacobians by four inputs, and residuals",
        f"Warm; medians of {ROUNDS} rounds in which all take turns, by the processor's clock.",
    )
    for f, args, directions in CASES:

        def tangents(f: Any = f, args: Any = args, directions: Any = directions) -> list[Any]:
            return [jvp(f, args, direction) for direction in directions]

        runs = {"plain": lambda f=f, args=args: f(*args), "whole": lambda f=f, args=args: jacobian(f, *args)}
        for _ in range(4):
            runs["whole"]()
        t = medians(ROUNDS, **runs, tangents=tangents)
        table.at_most(f"{f.__name__}: jacobian / four of jvp", t["whole"] / t["tangents"], 1.2)
        table.report(f"{f.__name__}: jacobian, in runs of the function", t["whole"] / t["plain"])
    for f in ONE_ARRAY:
        runs = {"plain": f, "ours": Residuals(f).fun, "hand": ByHand(f).fun}
        t = medians(ROUNDS, **{name: over_points(run) for name, run in runs.items()})
        table.at_most(f"{f.__name__}: Residuals.fun / the function", t["ours"] / t["plain"], 1.1)
        table.report(f"{f.__name__}: the same by hand", t["hand"] / t["plain"])
        table.report(f"{f.__name__}: Residuals.fun, besides", (t["ours"] - t["plain"]) * 1e6, " µs")
    return 0 if table.write() else 1


if __name__ == "__main__":
    raise SystemExit(main())
