"""
More data than memory
=====================

Logistic regression on more data than a worker may keep in memory: partitions are read where they are needed.
"""

from __future__ import annotations

import argparse

import dask
import numpy as np
from scipy.optimize import minimize

import adjoint.dask

TRUTH = np.linspace(-1.0, 1.0, 20)
ROWS = 100_000


def read(i, rows):
    """The partition of this index, as if from a file: measurements, and what was seen."""
    rng = np.random.default_rng(i)
    x = rng.normal(size=(rows, len(TRUTH)))
    return x, (x @ TRUTH > rng.logistic(size=rows)) * 1.0


def loss(w, block):
    """The sum over one partition, and of how many."""
    x, y = block
    z = x @ w
    return np.sum(np.logaddexp(0.0, z) - y * z), len(y)


def fit(partitions, rows=ROWS, steps=20):
    """The weights, found by L-BFGS; each step reads all partitions once."""
    parts = [dask.delayed(read)(i, rows) for i in range(partitions)]
    g = adjoint.dask.value_and_grad(loss, reduction="mean")
    return minimize(g, np.zeros(len(TRUTH)), args=(parts,), jac=True, method="L-BFGS-B", options={"maxiter": steps})


def main(partitions=40, steps=20, memory="400MB"):
    """Fit on two workers of this memory, which are killed if they take more: forty partitions are 640 MB."""
    from distributed import Client, LocalCluster

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, memory_limit=memory, dashboard_address=None) as cluster,
        Client(cluster),
    ):
        found = fit(partitions, steps=steps)
    megabytes = partitions * ROWS * len(TRUTH) * 8 / 1e6
    print(f"{megabytes:.0f} MB on workers of {memory}: loss {found.fun:.4f}, {found.nfev} passes over the data")
    print(f"largest error of a weight: {np.max(np.abs(found.x - TRUTH)):.4f}")
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--partitions", type=int, default=40)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--memory", default="400MB")
    options = parser.parse_args()
    main(options.partitions, options.steps, options.memory)
