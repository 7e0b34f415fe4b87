"""Reading an array element by element: `s += x[i] * x[i]`, whose gradient must cost O(1) per element."""

from __future__ import annotations

from measure import Table, medians  # before NumPy: it sets the number of threads

import numpy as np  # isort: skip

from adjoint import withgradient

ROUNDS = 31
SIZES = 2_000, 50_000


def sum_of_squares(x):
    """Σ xᵢ², with a loop."""
    s = 0.0
    for i in range(len(x)):
        s += x[i] * x[i]
    return s


def main() -> bool:
    """Measure and write the table."""
    functions = {}
    for n in SIZES:
        x = np.random.default_rng(0).standard_normal(n)
        value, (x_bar,) = withgradient(sum_of_squares, x)
        assert value == sum_of_squares(x)
        np.testing.assert_allclose(x_bar, 2 * x)
        functions[f"plain {n}"] = lambda x=x: sum_of_squares(x)
        functions[f"adjoint {n}"] = lambda x=x: withgradient(sum_of_squares, x)
    t = medians(ROUNDS, **functions)
    table = Table(
        "indexing",
        "Reading an array element by element",
        f"Value and gradient of `s += x[i] * x[i]` over n elements; medians of {ROUNDS} interleaved rounds.",
    )
    for n in SIZES:
        table.at_most(f"value and gradient / plain loop, n = {n:,}", t[f"adjoint {n}"] / t[f"plain {n}"], 5)
    small, large = SIZES
    per_element = (t[f"adjoint {large}"] / large) / (t[f"adjoint {small}"] / small)
    table.at_most(f"cost per element, n = {large:,} / n = {small:,}", max(per_element, 1 / per_element), 1.5)
    table.report("cost per element", t[f"adjoint {large}"] / large * 1e9, " ns")
    return table.write()


if __name__ == "__main__":
    raise SystemExit(not main())
