"""Peak memory: of a hundred training steps against one, and of a scalar loop of a million rounds."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

from measure import Table  # before NumPy: it sets the number of threads
from moons import data, network
from scalar_loop import loop

from adjoint import withgradient
from adjoint.nn import gradient_descent, logit_cross_entropy

ROUNDS = 1_000_000


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
    return table.write()


if __name__ == "__main__":
    raise SystemExit(not main())
