"""A call whose function or types only the run shows: what it costs forward and back, over the function's own time.

Generated programs print such a call as `y, back = pullback(f, a, b)`. What the derivative itself takes is counted, too.
"""

from __future__ import annotations

from measure import Table, turns  # before NumPy: it sets the number of threads

import dataclasses  # isort: skip
import functools
import math
import operator
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from adjoint.ir import intrinsics
from adjoint.rules.registry import pullback_for

LIMIT, OF_PRODUCTS = 1.5, 3.0
"""Microseconds over the function's own time; those where several products of arrays are the derivative."""
ROUNDS = 15

A, B = np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.6, 0.7])
XS, D = [1.0, 2.0, 3.0], {"x": 1.0, "y": 2.0}
ONE, NUMBER = 1.0, np.float64(1.0)


class Field:
    """An object of a class of the user's."""

    def __init__(self, x: float) -> None:
        self.x = x

    def __add__(self, other: Field) -> Field:
        return Field(self.x + other.x)

    def scaled(self, y: float) -> float:
        """A method."""
        return self.x * y


@dataclasses.dataclass
class Pair:
    """A dataclass of the user's."""

    x: float
    y: float


def product(x: float, y: float) -> float:
    """A function of the user's."""
    return x * y


P = Field(2.0)
BOTH, FIRST = (False, True, True), (False, True, False)
Case = tuple[Any, tuple[Any, ...], tuple[bool, ...], Any, float | None]
CASES: dict[str, Case] = {
    "add, arrays of 3": (operator.add, (A, B), BOTH, A, LIMIT),
    "exp, array of 3": (np.exp, (A,), (False, True), A, LIMIT),
    "norm, array of 3": (np.linalg.norm, (A,), (False, True), NUMBER, OF_PRODUCTS),
    "/, arrays of 3": (operator.truediv, (A, B), BOTH, A, OF_PRODUCTS),
    "@, arrays of 3": (operator.matmul, (A, B), BOTH, NUMBER, OF_PRODUCTS),
    "[], array of 3": (operator.getitem, (A, 1), FIRST, NUMBER, None),
    "** 2, array of 3": (operator.pow, (A, 2), FIRST, A, None),
    "*, arrays of 3": (operator.mul, (A, B), BOTH, A, None),
    "sum, array of 3": (np.sum, (A,), (False, True), NUMBER, None),
    "add, floats": (operator.add, (2.0, 3.0), BOTH, ONE, LIMIT),
    "/, floats": (operator.truediv, (2.0, 3.0), BOTH, ONE, LIMIT),
    "sin, float": (math.sin, (2.0,), (False, True), ONE, LIMIT),
    "[], dict": (operator.getitem, (D, "x"), FIRST, ONE, LIMIT),
    "[], list": (operator.getitem, (XS, 1), FIRST, ONE, LIMIT),
    "<, floats": (operator.lt, (2.0, 3.0), BOTH, None, LIMIT),
    "len, list": (len, (XS,), (False, True), None, LIMIT),
    "a field": (getattr, (P, "x"), FIRST, ONE, None),
    "a method": (intrinsics.invoke, (P, "scaled", 3.0), (False, True, False, True), ONE, None),
    "a function of the user's": (product, (2.0, 3.0), BOTH, ONE, None),
    "a partial function": (functools.partial(product, 2.0), (3.0,), (False, True), ONE, None),
    "an operator of the user's": (operator.add, (P, P), BOTH, None, None),
    "an object": (Field, (2.0,), (False, True), None, None),
    "a dataclass": (Pair, (2.0, 3.0), BOTH, None, None),
    "a list run through": (intrinsics.iterate, (XS,), (False, True), XS, None),
    "a list unpacked": (intrinsics.unpack, (XS, 3), FIRST, XS, None),
}


def runs(f: Any, args: tuple[Any, ...], needs: tuple[bool, ...], y_bar: Any) -> tuple[Callable[[], Any], ...]:
    """The call by itself, and with its derivative."""
    pullback = pullback_for(*needs)

    def plain() -> Any:
        return f(*args)

    def with_derivative() -> Any:
        _, back = pullback(f, *args)
        return back(y_bar)

    return plain, with_derivative


def main(words: list[str]) -> int:
    """Measure the calls whose name has one of the words in it, write the table, say whether all limits hold."""
    table = Table(
        "dynamic_calls",
        "Calls that only the run shows",
        "Microseconds of the processor's, forward and back, over those of the function alone: the least of "
        f"{ROUNDS} rounds.",
    )
    for name, (f, args, needs, y_bar, limit) in CASES.items():
        if words and not any(word in name for word in words):
            continue
        plain, both = runs(f, args, needs, y_bar)
        times = turns(ROUNDS, plain=plain, both=both)
        own = (min(times["both"]) - min(times["plain"])) * 1e6
        if limit is None:
            table.report(name, own, " µs")
        else:
            table.at_most(name, own, limit, " µs")
    return not table.write()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
