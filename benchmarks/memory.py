"""Peak memory: of a hundred training steps against one, of a scalar loop of a million rounds, and of formulas."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

from measure import Table  # before NumPy: it sets the number of threads

import numpy as np  # isort: skip
from moons import data, network
from scalar_loop import loop

from adjoint import withgradient
from adjoint.nn import gradient_descent, logit_cross_entropy

ROUNDS = 1_000_000
SIZE = 200_000
FORMULAS = {
    "sum(tanh(x) * exp(-x * x))": lambda x: np.sum(np.tanh(x) * np.exp(-x * x)),
    "mean((x - 1)**2 * sqrt(x + 2))": lambda x: np.mean((x - 1) ** 2 * np.sqrt(x + 2)),
    "dot(log(1 + x * x), sin(x))": lambda x: np.dot(np.log(1 + x * x), np.sin(x)),
}
"""Functions of one array, each in one expression."""


def peak(function: Callable[[], object]) -> int:
    """Bytes that `function` needs at most beyond what was there, after a first run has filled the caches."""
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    tracemalloc.reset_peak()
    function()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most - before


def main() -> bool:
    """Measure and write the table."""
    x, y = data()
    model = network()

    def train(steps: int) -> object:
        return gradient_descent(model, logit_cross_entropy, x, y, steps=steps, progress=False)

    train(2)
    # Two steps, not one: from the second on, the old model and the new one are both alive.
    few, many = peak(lambda: train(2)), peak(lambda: train(100))
    withgradient(loop, 0.3, 3.3, 10)
    bytes_per_round = peak(lambda: withgradient(loop, 0.3, 3.3, ROUNDS)) / ROUNDS
    table = Table("memory", "Peak memory", "Measured by tracemalloc, caches filled, in one run each.")
    table.at_most("100 training steps / two", many / few, 1.1)
    table.report("two training steps", few / 1e3, " kB")
    table.report(f"scalar loop of {ROUNDS:,} rounds, per round", bytes_per_round, " bytes")
    x = np.linspace(0.1, 1.0, SIZE)
    for name, f in FORMULAS.items():
        withgradient(f, x)
        table.at_most(f"{name}, in arrays", peak(lambda f=f: withgradient(f, x)) / x.nbytes, 6.05)
    return table.write()


if __name__ == "__main__":
    raise SystemExit(not main())
