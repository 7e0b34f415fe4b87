"""Gradients as a person writes them, with and without the guards that a tool needs, beside ours: where the limit is.

python benchmarks/by_hand.py            all
python benchmarks/by_hand.py orbit      programs whose name has one of these words in it
"""

from __future__ import annotations

from measure import Table, medians  # before NumPy: it sets the number of threads

import sys  # isort: skip
from collections.abc import Callable
from typing import Any

import numpy as np
from cliff_programs import Program, programs
from formulas import FORMULAS

from adjoint import Tangent, grad

ROUNDS = 9


def same(a: Any, b: Any) -> bool:
    """Whether two cotangents are equal but for rounding."""
    if isinstance(a, Tangent):
        return all(same(a[name], b[name]) for name in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(same, a, b))
    return a is b or bool(np.allclose(a, b, rtol=1e-9, atol=1e-12))


def guarded(formula: Callable[..., Any], guard: Callable[..., bool]) -> Callable[..., Any]:
    """The formula, which runs only where its guard allows."""

    def run(*args: Any) -> Any:
        if guard(*args):
            return formula(*args)
        raise AssertionError("the guard does not know its own program")

    return run


def measured(name: str, program: Program) -> dict[str, float]:
    """Seconds of a program, and of its gradient in each way; all ways must agree."""
    formula, guard = FORMULAS[name]
    slope, careful = grad(program.f, argnums=program.argnums), guarded(formula, guard)
    for _ in range(3):
        assert same(slope(*program.args), careful(*program.args)), name
    args = program.args
    return medians(
        ROUNDS,
        plain=lambda: program.f(*args),
        hand=lambda: formula(*args),
        guarded=lambda: careful(*args),
        adjoint=lambda: slope(*args),
    )


def main(words: list[str]) -> int:
    """Measure the programs, and write the table."""
    table = Table(
        "by_hand",
        "Gradients of small programs by hand",
        "Each row: our gradient / the plain program; beside it, in runs of the plain program too, the gradient as a "
        "person writes it, and the same behind the guards that a tool needs (classes, dtypes, what names stand for). "
        f"The 5 µs of a call are not taken off. Medians of {ROUNDS} interleaved rounds of processor time.",
        columns=("by hand", "by hand, guarded", "adjoint / guarded", "plain, µs"),
    )
    for name, program in programs().items():
        if name in FORMULAS and (not words or any(word in name for word in words)):
            times = measured(name, program)
            plain = times["plain"]
            table.report(name, times["adjoint"] / plain)
            figures = times["hand"] / plain, times["guarded"] / plain, times["adjoint"] / times["guarded"], plain * 1e6
            table.beside[name] = dict(zip(table.columns, figures, strict=True))
    return not table.write()


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
