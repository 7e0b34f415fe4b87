"""Compiled gradients of loops, as multiples of the loops themselves under Numba."""

from __future__ import annotations

import functools
import math
import statistics
import tempfile
import time
import types
from pathlib import Path

from measure import Table, fresh, installed, medians  # before NumPy: it sets the number of threads

import numpy as np  # isort: skip
from moons import data, network

import adjoint
from adjoint.nn import logit_cross_entropy

ROUNDS = 15
PROCESSES = 5


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


def log_determinant_in_place(a):
    """The same, where the factor takes the place of the matrix."""
    n = a.shape[0]
    for j in range(n):
        s = a[j, j]
        for k in range(j):
            s -= a[j, k] ** 2
        a[j, j] = math.sqrt(s)
        for i in range(j + 1, n):
            t = a[i, j]
            for k in range(j):
                t -= a[i, k] * a[j, k]
            a[i, j] = t / a[j, j]
    total = 0.0
    for j in range(n):
        total += math.log(a[j, j])
    return 2.0 * total


def determinant(a):
    """By minors, each of which is made in loops."""
    n = len(a)
    if n == 1:
        return a[0, 0]
    total, sign = 0.0, 1.0
    for j in range(n):
        minor = np.empty((n - 1, n - 1))
        for i in range(1, n):
            for k in range(n - 1):
                minor[i - 1, k] = a[i, k if k < j else k + 1]
        total += sign * a[0, j] * determinant(minor)
        sign = -sign
    return total


def determinant_of_slices(a):
    """The same, with minors of slices."""
    n = len(a)
    if n == 1:
        return a[0, 0]
    total = 0.0
    for j in range(n):
        minor = np.concatenate((a[1:, :j], a[1:, j + 1 :]), axis=1)
        total += (-1) ** j * a[0, j] * determinant_of_slices(minor)
    return total


def by_njit(f):
    """The function under Numba, which calls itself so, too."""
    import numba

    own = types.FunctionType(f.__code__, dict(f.__globals__))
    own.__globals__[f.__name__] = compiled = numba.njit(own)
    return compiled


def on_copies(f, copies):
    """The function, which may store into its argument."""
    return (lambda a: f(a.copy())) if copies else f


def loss(model, x, y):
    """Of the moons network, as everybody writes it."""
    return logit_cross_entropy(model(x), y)


WARM = f"""
import sys, time
sys.path.insert(0, {str(Path(__file__).parent)!r})
import adjoint, loops_compiled, numpy
adjoint.grad(loops_compiled.recurrence, compile="strict")(numpy.ones(10))
print(time.process_time())
"""
"""A process that takes one compiled gradient: all of its time, from the start of Python on."""


def by_scan(x, n):
    """Value and gradient of `branching`, rewritten for JAX; None where that is not installed."""
    if not installed("jax"):
        return None
    import jax

    jax.config.update("jax_enable_x64", True)

    def rewritten(x):
        def step(s, i):
            return jax.numpy.where(s < 1.0, s + jax.numpy.sin(x * i), s * 0.5 + x), None

        return jax.lax.scan(step, 0.0, jax.numpy.arange(n))[0]

    compiled = jax.jit(jax.value_and_grad(rewritten))
    return lambda: jax.block_until_ready(compiled(x))


def by_jit(weights, x, y):
    """Value and gradient of the moons network, rewritten for JAX; None where that is not installed."""
    if not installed("jax"):
        return None
    import jax

    jax.config.update("jax_enable_x64", True)

    def rewritten(weights):
        w1, b1, w2, b2, w3, b3 = weights
        h = jax.nn.relu(x @ w1 + b1)
        h = jax.nn.relu(h @ w2 + b2)
        return -(y * jax.nn.log_softmax(h @ w3 + b3)).sum() / len(x)

    compiled = jax.jit(jax.value_and_grad(rewritten))
    weights = [jax.numpy.asarray(w) for w in weights]
    return lambda: jax.block_until_ready(compiled(weights))


def moons(table):
    """One loss and gradient of the network, and how long the first takes."""
    x, y = data()
    model = network()
    primal, ours = adjoint.compile(loss, strict=True), adjoint.value_and_grad(loss, compile="strict")
    start = time.perf_counter()
    value, d = ours(model, x, y)
    first = time.perf_counter() - start
    right = adjoint.gradient(loss, model, x, y)[0]
    for one, other in zip(model_parts(d), model_parts(right), strict=True):
        assert np.allclose(one, other, rtol=1e-8)
    calls = {"primal": functools.partial(primal, model, x, y), "ours": functools.partial(ours, model, x, y)}
    rival = by_jit(model_parts(model), x, y)
    if rival is not None:
        assert np.isclose(rival()[0], value)
        calls["jax"] = rival
    t = medians(ROUNDS, **calls)
    table.at_most("the moons network, / its loss alone, compiled by `compile`", t["ours"] / t["primal"], 2.2)
    if "jax" in t:
        table.at_most("the moons network, / JAX `jit`", t["ours"] / t["jax"], 0.8)
    return first


def model_parts(model):
    """The arrays of a network, or of its gradient."""
    return [part for layer in model.layers for part in (layer.weight, layer.bias)]


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
    rng = np.random.default_rng(0)
    a = rng.normal(size=(200, 200))
    positive = a @ a.T + 200 * np.eye(200)
    cases = (
        ("10,000 steps of a scalar loop with a branch", branching, (1.1, 10_000), 2.0),
        ("a recurrence over 10⁶ numbers", recurrence, (rng.normal(size=10**6),), 2.6),
        ("Cholesky by three loops, 200 × 200", log_determinant, (positive,), 2.5),
        ("the same in place, of a copy", log_determinant_in_place, (positive,), 3.0),
        ("a determinant by minors, 8 × 8, recursive, in loops", determinant, (a[:8, :8],), 4.5),
        ("the same, of slices that are concatenated", determinant_of_slices, (a[:8, :8],), 4.5),
    )
    slowest = 0.0
    for what, f, args, limit in cases:
        again = f is log_determinant_in_place  # each call has a copy, on both sides
        primal, ours = (on_copies(g, again) for g in (by_njit(f), adjoint.value_and_grad(f, compile="strict")))
        start = time.perf_counter()
        y, d = ours(*args)
        slowest = max(slowest, time.perf_counter() - start)
        plain = on_copies(adjoint.value_and_grad(f), again)(*args)
        assert np.isclose(y, plain[0]) and np.allclose(d, plain[1], rtol=1e-8)
        calls = {"primal": functools.partial(primal, *args), "ours": functools.partial(ours, *args)}
        rival = by_scan(*args) if f is branching else None
        t = medians(ROUNDS, **calls, **({} if rival is None else {"jax": rival}))
        table.at_most(f"{what}, / the loop itself", t["ours"] / t["primal"], limit)
        if rival is not None:
            assert np.isclose(rival()[0], y)
            table.at_most(f"{what}, / JAX `scan` and `jit`", t["ours"] / t["jax"], 0.5)
    table.at_most("the first call", max(slowest, moons(table)), 3.0, " s")
    with tempfile.TemporaryDirectory() as folder:
        fresh(WARM, folder)
        warm = statistics.median([fresh(WARM, folder) for _ in range(PROCESSES)])
    table.at_most("a second process, whose programs are on disk, in all", warm, 0.8, " s")
    return table.write()


if __name__ == "__main__":
    raise SystemExit(not main())
