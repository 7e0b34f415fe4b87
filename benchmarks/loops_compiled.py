"""Compiled gradients of loops, as multiples of the loops themselves under Numba."""

from __future__ import annotations

import functools
import math
import time

import numpy as np
from measure import Table, installed, medians

import adjoint

ROUNDS = 15


def branching(x, n):
    """A scalar loop with a branch."""
    s = 0.0
    for i in range(n):
        if s < 1.0:
            s = s + math.sin(x * i)
        else:
            s = s * 0.5 + x
    return s


def recurrence(x):
    """Each entry by the one before."""
    out = np.zeros(len(x))
    out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = x[i] * out[i - 1] + np.sin(x[i])
    return out[-1]


def log_determinant(a):
    """By Cholesky's factor, in three loops."""
    n = a.shape[0]
    factor = np.zeros((n, n))
    for j in range(n):
        s = a[j, j]
        for k in range(j):
            s -= factor[j, k] ** 2
        factor[j, j] = math.sqrt(s)
        for i in range(j + 1, n):
            t = a[i, j]
            for k in range(j):
                t -= factor[i, k] * factor[j, k]
            factor[i, j] = t / factor[j, j]
    total = 0.0
    for j in range(n):
        total += math.log(factor[j, j])
    return 2.0 * total


def main() -> bool:
    """Measure and write the table."""
    table = Table(
        "loops_compiled",
        "Compiled gradients of loops",
        f"Value and gradient by `value_and_grad(f, compile=True)`, over `numba.njit(f)`; medians of {ROUNDS} "
        "interleaved rounds.",
    )
    if not installed("numba"):
        table.skip("Numba")
        return table.write()
    import numba

    rng = np.random.default_rng(0)
    a = rng.normal(size=(200, 200))
    cases = (
        ("10,000 steps of a scalar loop with a branch", branching, (1.1, 10_000), 2.0),
        ("a recurrence over 10⁶ numbers", recurrence, (rng.normal(size=10**6),), 2.6),
        ("Cholesky by three loops, 200 × 200", log_determinant, (a @ a.T + 200 * np.eye(200),), 2.5),
    )
    slowest = 0.0
    for what, f, args, limit in cases:
        primal, ours = numba.njit(f), adjoint.value_and_grad(f, compile="strict")
        start = time.perf_counter()
        y, d = ours(*args)
        slowest = max(slowest, time.perf_counter() - start)
        assert np.isclose(y, f(*args)) and np.allclose(d, adjoint.gradient(f, *args)[0], rtol=1e-8)
        t = medians(ROUNDS, primal=functools.partial(primal, *args), ours=functools.partial(ours, *args))
        table.at_most(f"{what}, / the loop itself", t["ours"] / t["primal"], limit)
    table.at_most("the first call", slowest, 3.0, " s")
    return table.write()


if __name__ == "__main__":
    raise SystemExit(not main())
