"""GradBench's problems and others of its kind: value and gradient over the function itself under Numba, and rivals."""

from __future__ import annotations

from measure import Table, installed, medians  # before NumPy: it sets the number of threads

import functools  # isort: skip
import sys
import time
import types
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import gradbench_rivals as rivals
import in_c
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

import adjoint  # noqa: E402
from benchmarks.gradbench import ba, gmm, kmeans, llsq, lse, lstm, ode  # noqa: E402

ROUNDS = 15
R = np.random.default_rng(0)

RIVALS = {
    "PyTorch": ("torch", rivals.by_torch, {"gmm in loops": 1.0, "lse": 1.0, "llsq": 1.0}),
    "JAX": (
        "jax",
        rivals.by_jax,
        {"gmm in loops": None, "lse": None, "llsq": 1.0, "ode": 1.0, "lstm": 1.0, "lstm in loops": 1.0, "ba": None},
    ),
}
"""The package, what makes a call, and how many times as long as it each problem may take."""


@dataclass(frozen=True)
class Problem:
    """A program, by which of its arguments it is differentiated, and how many times as long that may take."""

    what: str
    f: types.FunctionType
    args: tuple[Any, ...]
    wanted: Any
    limit: float | None
    in_c: tuple[Any, ...] = ()
    """What its form in C takes."""

    @property
    def name(self) -> str:
        """As in the tables of rivals."""
        return self.what.partition(",")[0] + (" in loops" if "loops" in self.what else "")


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


def problems() -> list[Problem]:
    """Those with a number as the value."""
    d, k, n = 10, 25, 1000
    arrays = R.normal(size=k), R.normal(size=(k, d)), 0.3 * R.normal(size=(k, d * (d + 1) // 2)), R.normal(size=(n, d))
    mixture = *arrays, 1.0, 0
    layers, b, c = 2, 14, 1024
    sizes = (2 * layers, 4 * b), (3, b), (2 * layers, b)
    network = *[0.3 * R.normal(size=size) for size in sizes], (R.random((c, b)) < 0.5).astype(float)
    x, t, z = R.random(1000), R.normal(size=128), R.normal(size=1_280_000)
    clouds = R.normal(size=(10_000, 16)), R.normal(size=(100, 16))
    chain = R.dirichlet(np.ones(10)), R.dirichlet(np.ones(10), size=10), R.dirichlet(np.ones(6), size=10)
    letters, steps = (*network, layers, c, b), (x, 100, 1000)
    return [
        Problem("gmm, d = 10, k = 25, n = 1000, in loops", gmm.objective, mixture, (0, 1, 2), 3.2, (*mixture, n, d, k)),
        Problem("lstm, l = 2, c = 1024, with vectors", lstm.objective, network, (0, 1), 1.2, letters),
        Problem("lstm, l = 2, c = 1024, in loops", lstm.objective_in_loops, network, (0, 1), 2.2, letters),
        Problem("ode, n = 1000, s = 100, with vectors", ode.last, (x, 100), 0, 1.3, steps),
        Problem("ode, n = 1000, s = 100, in loops", ode.last_in_loops, (x, 100), 0, 4.5, steps),
        Problem("lse, n = 1.28·10⁶", lse.primal, (z,), 0, 1.2, (z, len(z))),
        Problem("llsq, n = 4096, m = 128", llsq.primal, (t, 4096), 0, 2.0, (t, 4096, 128)),
        Problem("kmeans, k = 100, n = 10⁴, d = 16", kmeans.cost, clouds, 1, None, (*clouds, 10_000, 100, 16)),
        Problem("hmm, T = 1000, K = 10", forward, (*chain, R.integers(0, 6, size=1000)), (0, 1, 2), 1.3),
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
        f"medians of {ROUNDS} interleaved rounds. The objectives are those of `benchmarks/gradbench`, in C those of "
        f"`benchmarks/primals.c` (`cc {' '.join(in_c.FLAGS)}`).",
    )
    if not installed("numba"):
        table.skip("Numba")
        return table.write()
    for rival, (package, *_) in RIVALS.items():
        if not installed(package):
            table.skip(rival)
    if in_c.library() is None:
        table.notes.append("There is no C compiler: not measured.")
    slowest = max([*[measured(table, problem) for problem in problems()], sparse(table)])
    products(table)
    table.at_most("the slowest first call", slowest, 3.0, " s")
    return table.write()


def measured(table: Table, problem: Problem) -> float:
    """A problem beside itself without derivatives, and beside its rivals; how long the first call took."""
    args, plain = problem.args, by_numba(problem.f)
    ours = adjoint.value_and_grad(problem.f, problem.wanted, compile="strict")
    first = processor_time(functools.partial(ours, *args))
    value, _ = ours(*args)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of Numba, about products of arrays that are not contiguous
        assert np.isclose(value, plain(*args), rtol=1e-9)
    calls = {"plain": functools.partial(plain, *args), "ours": functools.partial(ours, *args)}
    t = compared(problem.name, calls, problem.in_c)
    if problem.limit is None:
        table.report(problem.what, t["ours"] / t["plain"])
    else:
        table.at_most(problem.what, t["ours"] / t["plain"], problem.limit)
    against_rivals(table, problem.name, t)
    table.details.append(f"{line(problem.what, t)}, compiled in {first:.2g} s")
    return first


def processor_time(call: Callable[[], Any]) -> float:
    """How long one call takes."""
    start = time.process_time()
    call()
    return time.process_time() - start


def sparse(table: Table) -> float:
    """Bundle adjustment: all blocks of the Jacobian, and where they are; how long the first call took."""
    args = adjustment()
    first = processor_time(functools.partial(ba.jacobian, *args))
    plain = by_numba(ba.objective)
    calls = {"plain": functools.partial(plain, *args), "ours": functools.partial(ba.jacobian, *args)}
    t = compared("ba", calls, (*args, np.empty(3 * len(args[2])), len(args[2])))
    what = "ba, 31,843 observations, the whole sparse Jacobian"
    table.at_most(what, t["ours"] / t["plain"], 12.0)
    against_rivals(table, "ba", t)
    table.details.append(f"{line(what, t)}, compiled in {first:.2g} s")
    return first


def products(table: Table) -> None:
    """The direction of Newton's method for k-means: the gradient, and the diagonal of the Hessian."""
    args = R.normal(size=(10_000, 16)), R.normal(size=(100, 16))
    plain = by_numba(kmeans.cost)
    t = medians(ROUNDS, plain=functools.partial(plain, *args), ours=functools.partial(kmeans.direction, *args))
    table.report("kmeans, the direction of Newton's method", t["ours"] / t["plain"])
    table.details.append(line("kmeans, the direction of Newton's method", t))


def compared(problem: str, calls: dict[str, Any], given: tuple[Any, ...]) -> dict[str, float]:
    """Medians of calls, of the form in C and of the rivals, which take turns."""
    name, args = problem.partition(" ")[0], calls["plain"].args
    if given and (call := in_c.function(name, *given)):
        calls["C"] = call
        assert np.isclose(call(), total(calls["plain"]()), rtol=1e-9)
    for rival, (package, make, limits) in RIVALS.items():
        if problem in limits and installed(package):
            calls[rival] = make(name, args)
            expected = calls["ours"]()[-1]
            assert np.allclose(flat(calls[rival]()[name != "ba" :]), flat(expected), rtol=1e-6, atol=1e-9)
    return medians(ROUNDS, **calls)


def total(value: Any) -> float:
    """A number, or the sum of arrays."""
    return sum([float(np.sum(part)) for part in value]) if isinstance(value, tuple) else value


def flat(derivatives: Any) -> np.ndarray:
    """All numbers of some arrays, and of tuples of them."""
    parts = derivatives if isinstance(derivatives, tuple | list) else [derivatives]
    return np.concatenate([flat(part) if isinstance(part, tuple | list) else np.ravel(part) for part in parts])


def against_rivals(table: Table, name: str, t: dict[str, float]) -> None:
    """A row for each rival that was measured."""
    for rival, (_, _, limits) in RIVALS.items():
        if rival not in t:
            continue
        limit, ratio = limits[name], t["ours"] / t[rival]
        if limit is None:
            table.report(f"{name}, / {rival}", ratio)
        else:
            table.at_most(f"{name}, / {rival}", ratio, limit)


def line(what: str, t: dict[str, float]) -> str:
    """What the ratios are of, in milliseconds."""
    names = {"plain": "Numba", "C": "C", "ours": "derivatives", "PyTorch": "PyTorch", "JAX": "JAX"}
    found = ", ".join([f"{names[key]} {1e3 * t[key]:.3g} ms" for key in names if key in t])
    return f"- {what}: {found}" + (f", Numba / C {t['plain'] / t['C']:.2f}" if "C" in t else "")


if __name__ == "__main__":
    raise SystemExit(not main())
