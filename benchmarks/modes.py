"""The programs of `cliffs`, in other modes: along a direction, and the product of the Hessian with a vector.

python benchmarks/modes.py            all
python benchmarks/modes.py rnn heap   programs whose name has one of these in it
"""

from __future__ import annotations

from measure import Table, medians  # before NumPy: it sets the number of threads

import statistics  # isort: skip
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from cliff_programs import Program, programs

from adjoint import grad, hvp, jvp

CALL = 5e-6
"""Seconds that a call may take besides: not counted, as in `cliffs`."""
ALONG = 6.0
ROUNDS = 5


def ones(x: Any) -> Any:
    """A direction of the structure of an argument; None for what has none."""
    match x:
        case bool() | int():
            return None
        case float():
            return 1.0
        case np.ndarray():
            return np.ones_like(x)
        case list():
            return [ones(item) for item in x]
        case dict():
            return {key: ones(item) for key, item in x.items()}
    return None


def direction(program: Program) -> tuple[Any, ...]:
    """The first argument by which a program is differentiated and that has a direction; the others stay."""
    moving = next((i for i in program.argnums if ones(program.args[i]) is not None), None)
    return tuple([ones(x) if i == moving else None for i, x in enumerate(program.args)])


def runs(program: Program) -> dict[str, Callable[[], object]]:
    """The plain program, its gradient, its tangent, and the product of its Hessian."""
    f, args, v = program.f, program.args, direction(program)
    slope = grad(f, argnums=program.argnums)
    return {
        "plain": lambda: f(*args),
        "gradient": lambda: slope(*args),
        "tangent": lambda: jvp(f, args, v),
        "product": lambda: hvp(f, args, v),
    }


def main(words: list[str]) -> int:
    """Measure, write the table, and say whether the limits hold."""
    table = Table(
        "modes",
        "Programs of the kind people have, in forward mode and second order",
        f"Ratio (time - 5 µs) / plain; medians of {ROUNDS} rounds. The direction is ones, by one argument.",
    )
    found: dict[str, list[float]] = {"gradient": [], "tangent": [], "product": []}
    for name, program in programs().items():
        if words and not any(word in name for word in words) or all(d is None for d in direction(program)):
            continue
        times = medians(ROUNDS, **runs(program))
        for mode, ratios in found.items():
            ratios.append((times[mode] - CALL) / times["plain"])
        table.at_most(f"{name}, tangent", found["tangent"][-1], ALONG)
        table.report(f"{name}, product", found["product"][-1])
        table.report(f"{name}, product in gradients", times["product"] / times["gradient"])
    for mode, ratios in found.items():
        table.report(f"median of {len(ratios)}, {mode}", statistics.median(ratios))
    return 0 if table.write() else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
