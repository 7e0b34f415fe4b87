"""GradBench's problems and others of its kind: value and gradient over the function itself under Numba, and rivals."""

from __future__ import annotations

from measure import Table, installed, medians  # before NumPy: it sets the number of threads

import functools  # isort: skip
import sys
import time
import types
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

import adjoint  # noqa: E402
from benchmarks.gradbench import ba, gmm, kmeans, llsq, lse, lstm, ode  # noqa: E402

ROUNDS = 15
R = np.random.default_rng(0)


def forward(prior, transitions, emissions, observations):
    """The log likelihood of a hidden Markov model, as one writes it for Numba."""
    alphas = np.zeros((len(observations), len(prior)))
    alphas[0] = prior * emissions[:, observations[0]]
    total = 0.0
    for t in range(len(observations)):
        if t > 0:
            alphas[t] = emissions[:, observations[t]] * (transitions.T @ alphas[t - 1])
        scale = np.max(alphas[t])
        alphas[t] = alphas[t] / scale
        total += np.log(scale)
    return total + np.log(np.sum(alphas[-1]))


def by_numba(f: types.FunctionType) -> Callable[..., Any]:
    """A function under `njit`, with those of its module that it calls."""
    import numba

    space = dict(vars(sys.modules[f.__module__]))
    for name, g in [*space.items()]:
        if isinstance(g, types.FunctionType) and g.__module__ == f.__module__:
            space[name] = numba.njit(types.FunctionType(g.__code__, space, name, g.__defaults__))
    return space[f.__name__]  # type: ignore[no-any-return]


def problems() -> list[tuple[str, types.FunctionType, tuple[Any, ...], Any, float | None]]:
    """What it is, the function, its arguments, by which it is differentiated, and the limit."""
    d, k, n = 10, 25, 1000
    factors = 0.3 * R.normal(size=(k, d * (d + 1) // 2))
    mixture = R.normal(size=k), R.normal(size=(k, d)), factors, R.normal(size=(n, d)), 1.0, 0
    layers, b = 2, 14
    letters = (R.random((1024, b)) < 0.5).astype(float)
    network = (
        0.3 * R.normal(size=(2 * layers, 4 * b)),
        0.3 * R.normal(size=(3, b)),
        0.3 * R.normal(size=(2 * layers, b)),
    )
    chain = R.dirichlet(np.ones(10)), R.dirichlet(np.ones(10), size=10), R.dirichlet(np.ones(6), size=10)
    return [
        ("gmm, d = 10, k = 25, n = 1000, in loops", gmm.objective, mixture, (0, 1, 2), 3.2),
        ("lstm, l = 2, c = 1024, with vectors", lstm.objective, (*network, letters), (0, 1), 1.2),
        ("lstm, l = 2, c = 1024, in loops", lstm.objective_in_loops, (*network, letters), (0, 1), 2.2),
        ("ode, n = 1000, s = 100, with vectors", ode.last, (R.random(1000), 100), 0, 1.3),
        ("ode, n = 1000, s = 100, in loops", ode.last_in_loops, (R.random(1000), 100), 0, 4.5),
        ("lse, n = 1.28·10⁶", lse.primal, (R.normal(size=1_280_000),), 0, 1.2),
        ("llsq, n = 4096, m = 128", llsq.primal, (R.normal(size=128), 4096), 0, 2.0),
        (
            "kmeans, k = 100, n = 10⁴, d = 16",
            kmeans.cost,
            (R.normal(size=(10_000, 16)), R.normal(size=(100, 16))),
            1,
            None,
        ),
        ("hidden Markov model, T = 1000, K = 10", forward, (*chain, R.integers(0, 6, size=1000)), (0, 1, 2), 1.3),
    ]


def adjustment(n: int = 49, m: int = 7776, p: int = 31_843) -> tuple[Any, ...]:
    """Bundle adjustment of the size of GradBench's first."""
    cameras = 0.3 * R.normal(size=(n, 11))
    cameras[:, 5] -= 5.0
    observed = np.stack([np.arange(p) % n, np.arange(p) % m], axis=1)
    return cameras, R.normal(size=(m, 3)), R.random(p), R.normal(size=(p, 2)), observed


def main() -> bool:
    """Measure and write the table."""
    table = Table(
        "gradbench_times",
        "GradBench's problems, compiled",
        "Value and gradient by `value_and_grad(f, compile=True)`, over the function itself under `numba.njit`; "
        f"medians of {ROUNDS} interleaved rounds. The objectives are those of `benchmarks/gradbench`.",
    )
    if not installed("numba"):
        table.skip("Numba")
        return table.write()
    slowest = 0.0
    times: dict[str, tuple[tuple[Any, ...], float]] = {}
    for what, f, args, wanted, limit in problems():
        ours, plain = adjoint.value_and_grad(f, wanted, compile="strict"), by_numba(f)
        start = time.perf_counter()
        y, _ = ours(*args)
        first = time.perf_counter() - start
        slowest = max(slowest, first)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of Numba, about products of arrays that are not contiguous
            assert np.isclose(y, plain(*args), rtol=1e-9)
        t = medians(ROUNDS, plain=functools.partial(plain, *args), ours=functools.partial(ours, *args))
        ratio = t["ours"] / t["plain"]
        times[what.partition(",")[0] + (" in loops" if "loops" in what else "")] = args, t["ours"]
        if limit is None:
            table.report(what, ratio)
        else:
            table.at_most(what, ratio, limit)
        table.details.append(
            f"- {what}: {1e3 * t['plain']:.3g} ms, {1e3 * t['ours']:.3g} ms, compiled in {first:.2g} s"
        )
    args = adjustment()
    ba.jacobian(*args)
    plain = by_numba(ba.objective)
    t = medians(ROUNDS, plain=functools.partial(plain, *args), ours=functools.partial(ba.jacobian, *args))
    table.at_most("ba, 31,843 observations, the whole sparse Jacobian", t["ours"] / t["plain"], 12.0)
    table.at_most("the slowest first call", slowest, 3.0, " s")
    against_torch(table, times)
    against_jax(table, times)
    return table.write()


def against_torch(table: Table, times: dict[str, tuple[tuple[Any, ...], float]]) -> None:
    """The same gradients by PyTorch, written with its functions on whole arrays."""
    if not installed("torch"):
        table.skip("PyTorch")
        return
    import torch

    torch.set_num_threads(1)

    def mixture(alpha: Any, means: Any, factors: Any, x: Any, gamma: float, m: int) -> Any:
        n, d = x.shape
        rows, columns = torch.tril_indices(d, d, -1)
        order = torch.argsort(columns * d + rows)  # column by column
        matrices = torch.zeros(len(alpha), d, d, dtype=x.dtype)
        matrices[:, rows[order], columns[order]] = factors[:, d:]
        matrices = matrices + torch.diag_embed(torch.exp(factors[:, :d]))
        centered = x[:, None] - means
        squares = torch.einsum("kij,nkj->nki", matrices, centered).square().sum(2)
        terms = alpha + factors[:, :d].sum(1) - 0.5 * squares
        found = torch.logsumexp(terms, 1).sum() - n * torch.logsumexp(alpha, 0)
        norms = torch.exp(factors[:, :d]).square().sum() + factors[:, d:].square().sum()
        return found + 0.5 * gamma * gamma * norms - m * factors[:, :d].sum()

    def polynomial(x: Any, n: int) -> Any:
        t = torch.linspace(-1.0, 1.0, n, dtype=x.dtype)
        powers = torch.cumprod(t[:, None].expand(n, len(x) - 1), 1)
        values = torch.sign(t) - x[0] - powers @ x[1:]
        return values.square().sum() / 2.0

    for name, f, wanted, what in (
        ("gmm in loops", mixture, (0, 1, 2), "gmm"),
        ("lse", lambda x: torch.logsumexp(x, 0), (0,), "lse"),
        ("llsq", polynomial, (0,), "llsq"),
    ):
        args, ours = times[name]
        given = [
            torch.tensor(a, requires_grad=i in wanted) if isinstance(a, np.ndarray) else a for i, a in enumerate(args)
        ]

        def run(f: Any = f, given: Any = given, wanted: Any = wanted) -> Any:
            return torch.autograd.grad(f(*given), [given[i] for i in wanted])

        table.at_most(f"{what}, / PyTorch", ours / medians(ROUNDS, torch=run)["torch"], 1.0)


def against_jax(table: Table, times: dict[str, tuple[tuple[Any, ...], float]]) -> None:
    """The same by JAX, rewritten with its functions, compiled by `jit`."""
    if not installed("jax"):
        table.skip("JAX")
        return
    import jax
    import jax.numpy as jnp

    jax.config.update("jax_enable_x64", True)

    def polynomial(x: Any) -> Any:
        n = times["llsq"][0][1]
        t = jnp.linspace(-1.0, 1.0, n)
        powers = jnp.cumprod(jnp.broadcast_to(t[:, None], (n, len(x) - 1)), 1)
        return jnp.sum((jnp.sign(t) - x[0] - powers @ x[1:]) ** 2) / 2.0

    def last(x: Any) -> Any:
        s = times["ode"][0][1]
        h = 1.0 / s

        def slopes(y: Any) -> Any:
            return x * jnp.concatenate([jnp.ones(1), y[:-1]])

        def step(y: Any, _: Any) -> Any:
            k1 = slopes(y)
            k2 = slopes(y + h / 2 * k1)
            k3 = slopes(y + h / 2 * k2)
            k4 = slopes(y + h * k3)
            return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4), None

        return jax.lax.scan(step, jnp.zeros(len(x)), None, length=s)[0][-1]

    for name, f, limit in (
        ("lse", lambda x: jax.scipy.special.logsumexp(x), None),
        ("llsq", polynomial, 1.0),
        ("ode", last, 1.0),
    ):
        args, ours = times[name]
        gradient, x = jax.jit(jax.value_and_grad(f)), jnp.array(args[0])
        ratio = ours / medians(ROUNDS, jax=lambda g=gradient, x=x: jax.block_until_ready(g(x)))["jax"]
        what = f"{name}, / JAX"
        if limit is None:
            table.report(what, ratio)
        else:
            table.at_most(what, ratio, limit)


if __name__ == "__main__":
    raise SystemExit(not main())
