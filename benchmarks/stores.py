"""Gradients of small programs that store into what others can see, in runs of the plain program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from measure import Table, medians

import adjoint

ROUNDS = 9
KEPT_ARRAY = np.zeros(8)
KEPT_LIST = [0.0] * 8


def two_names(x: float) -> float:
    """A list that is stored into by one of its two names, and read by the other."""
    a = [x, x]
    b = a
    for i in range(50):
        b[i % 2] = a[0] * 0.9 + x
    return a[0]


def named_rows(x: float) -> float:
    """Rows of an array under names of their own."""
    a = np.zeros((3, 4))
    for i in range(50):
        row = a[i % 3]
        row[i % 4] = x * i
    return float(a.sum())


def global_array(x: float) -> float:
    """An array that the module keeps."""
    for i in range(50):
        KEPT_ARRAY[i % 8] = x * i
    return float(KEPT_ARRAY.sum())


def global_list(x: float) -> float:
    """A list that the module keeps."""
    for i in range(50):
        KEPT_LIST[i % 8] = x * i
    return sum(KEPT_LIST)


def arrays_in_a_list(x: float, kept: list[np.ndarray]) -> float:
    """Arrays in a list that is an argument."""
    for i in range(50):
        kept[i % 2][i % 4] = x * i
    return float(kept[0].sum() + kept[1].sum())


def lists_in_a_list(x: float, kept: list[list[float]]) -> float:
    """Lists in a list that is an argument."""
    for i in range(50):
        kept[i % 2][i % 4] = x * i
    return sum(kept[0]) + sum(kept[1])


def update_of_pairs(x: float) -> float:
    """A dict that takes pairs."""
    d = {"a": x}
    for i in range(50):
        d.update([("a", d["a"] * 0.9), ("b", x * i)])
    return d["a"] + d["b"]


def rows_of_the_transposed(x: float) -> float:
    """Rows of the transposed array, under names of their own."""
    a = np.zeros((4, 3))
    for i in range(50):
        row = a.T[i % 3]
        row[i % 4] = x * i
    return float(a.sum())


PROGRAMS: dict[str, tuple[Callable[..., float], tuple[Any, ...]]] = {
    "a list of two names": (two_names, (1.5,)),
    "rows under names of their own": (named_rows, (1.5,)),
    "an array of the module": (global_array, (1.5,)),
    "a list of the module": (global_list, (1.5,)),
    "arrays in a list that is an argument": (arrays_in_a_list, (1.5, [np.zeros(4), np.zeros(4)])),
    "lists in a list that is an argument": (lists_in_a_list, (1.5, [[0.0] * 4, [0.0] * 4])),
    "`d.update` of pairs": (update_of_pairs, (1.5,)),
    "rows of a transposed array": (rows_of_the_transposed, (1.5,)),
}


def main() -> bool:
    """Measure and write the table."""
    table = Table(
        "stores",
        "Stores that others can see",
        f"Gradient by a number / the plain program, 50 stores in a loop; medians of {ROUNDS} rounds in turns, by the "
        "processor's clock.",
    )
    for name, (f, args) in PROGRAMS.items():
        gradient = adjoint.grad(f)
        times = medians(ROUNDS, plain=lambda f=f, args=args: f(*args), ours=lambda g=gradient, args=args: g(*args))
        table.report(name, times["ours"] / times["plain"])
    return table.write()


if __name__ == "__main__":
    raise SystemExit(not main())
