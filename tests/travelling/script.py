"""A script whose derivatives are sent to other processes, in every way that there is.

`names` by pools that pickle by name, `joblib` and `dask` by those; `values FILE` writes pickles of cloudpickle.
"""

import functools
import multiprocessing
import os
import pickle
import sys
from collections import namedtuple
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import adjoint
from adjoint import checkpoint, grad, hessian, jacobian, nn, value_and_grad, vmap
from adjoint.calculus import derivative, gradient_hook
from adjoint.optimize import Objective, Residuals

THOROUGH = bool(os.environ.get("ADJOINT_THOROUGH"))
SECRET = "nothing that a derivative needs"
K = 3.0
X = np.array([1.0, 2.0])


def helper(x):
    return np.sum(x * x)


def f(x):
    return helper(x) * K


def counts(n, x):
    return x if n == 0 else counted(n - 1, x) * x


def counted(n, x):
    return 2.0 * x if n == 0 else counts(n - 1, x) * x


def doubled(h):
    @functools.wraps(h)
    def inner(*given):
        return 2.0 * h(*given)

    return inner


@doubled
def decorated(x):
    return helper(x)


@grad
def gradient_of(x):
    return helper(x) * x


@functools.lru_cache
def table(n):
    return float(n)


def cached(x):
    return table(3) * helper(x)


def closed(k):
    def inner(x):
        return k * helper(x)

    return inner


def several(x, y=2.0, *, z=1.0):
    return helper(x) * y + z


@dataclass
class Line:
    w: np.ndarray

    def __call__(self, x):
        return self.scaled(x)

    def scaled(self, x):
        return np.sum(self.w * x) ** 2

    @staticmethod
    def still(x):
        return helper(x)

    @classmethod
    def made(cls, w):
        return cls(w).scaled(X)


@dataclass(frozen=True, slots=True)
class Pair:
    a: float
    b: float = 2.0


class Triple(NamedTuple):
    a: float
    b: float
    c: float = 1.0


Two = namedtuple("Two", "a b")


def records(x):
    pair, triple, two = Pair(x), Triple(x, x, c=x), Two(x, 3.0)._replace(a=x * x)
    return pair.a * pair.b + triple.b * triple.c + two.a * two.b


class Holding:
    __slots__ = ("call",)

    def __init__(self, call):
        self.call = call

    def __call__(self, x):
        return self.call(x)


def scale(x):
    return x * K


def loss(model, x):
    return np.sum(model(x) ** 2)


def asserting(x):
    """Documented."""
    assert np.sum(x) > 0.0

    def inner(y):
        """Documented, too."""
        assert np.sum(y) > 0.0
        return helper(y) * x[0]

    return inner(x)


def swish(x):
    return x / (1.0 + np.exp(-x))


LINE = Line(np.array([1.0, 3.0]))


def of_global(x):
    return LINE(x)


def networks():
    rng = np.random.default_rng(0)
    return nn.Chain(nn.Dense(2, 3, swish, rng=rng), nn.Dense(3, 1, rng=rng))


NETWORK = networks()
OPTIMIZER = nn.optimizers.adam(1e-2)
BATCH = np.array([[1.0, 2.0], [0.5, -1.0]])

BY_NAME: dict[str, tuple[Any, ...]] = {
    "grad": (grad(f), X),
    "value_and_grad": (value_and_grad(f), X),
    "jacobian": (jacobian(scale), X),
    "hessian": (hessian(f), X),
    "second": (grad(grad(f)), 2.0),
    "derivative": (derivative(f, 2), 2.0),
    "vmap": (vmap(f), BATCH),
    "vmap of grad": (vmap(grad(f)), BATCH),
    "compile": (adjoint.compile(f), X),
    "grad of compile": (grad(adjoint.compile(f)), X),
    "compiled gradient": (grad(f, compile=True), X),
    "compiled hessian": (hessian(adjoint.compile(f)), X),
    "recursion": (grad(counts, 1), 3, 2.0),
    "decorated": (grad(decorated), X),
    "decorated by grad": (grad(gradient_of), 2.0),
    "cached": (grad(cached), X),
    "checkpoint": (grad(checkpoint(f)), X),
    "partial": (grad(functools.partial(several, y=3.0)), 2.0),
    "method": (grad(LINE.scaled), X),
    "static method": (grad(Line.still), X),
    "class method": (grad(Line.made), X),
    "asserting": (value_and_grad(asserting), X),
    "records": (value_and_grad(records), 2.0),
    "object": (grad(LINE), X),
    "global object": (grad(of_global), X),
    "Objective": (Objective(f).jac, X),
    "Residuals": (Residuals(scale).jac, X),
    "model": (value_and_grad(loss), NETWORK, BATCH),
    "compiled model": (value_and_grad(loss, compile=True), NETWORK, BATCH),
    "model as function": (jacobian(NETWORK), BATCH),
    "dataclass": (grad(loss), LINE, X),
    "state": (OPTIMIZER.update, NETWORK, OPTIMIZER.init(NETWORK), NETWORK),
}
"""What is called, and the arguments."""

PARTS = [lambda x: helper(x) * 5.0, lambda x: helper(x) * 7.0]
ARRAY = np.array(PARTS)
if X[0] > 0:
    indented = lambda x: helper(x) * 11.0; beside = lambda x: (  # noqa: E702, E731
        helper(x) * 13.0)  # fmt: skip

BY_VALUE = {
    "lambda": (grad(lambda x: helper(x) - K), X),
    "closure": (grad(closed(5.0)), X),
    "closure of closures": (hessian(closed(closed(1.0)(2.0))), X),
    "default": (grad(lambda x, h=lambda z: z * z: h(x)), 2.0),
    "lambdas on one line": (grad(PARTS[1]), X),
    "on lines of others": (value_and_grad(lambda x: indented(x) + beside(x)), X),
    "indented": (grad(beside), X),
    "slots": (grad(Holding(lambda x: helper(x))), X),
    "in a list": (grad(lambda x, hs=tuple(PARTS): sum(h(x) for h in hs)), X),
    "in an array": (grad(lambda x, hs=ARRAY: hs[0](x)), X),
    "hook": (grad(lambda x: helper(gradient_hook(lambda d: 2.0 * d)(x))), X),
    "model in a closure": (grad(lambda x, m=NETWORK: np.sum(m(x))), BATCH),
    "compiled lambda": (grad(lambda x: helper(x) * 2.0, compile=True), X),
    "called": (lambda x: gradient_of(x) * x, 2.0),
}


def called(job):
    call, *args = job
    return call(*args)


def text_of(y):
    """What two processes can compare."""
    return repr(y)


def wrong(jobs, got):
    """What is not as in this process."""
    return [f"{name}: {y}" for (name, job), y in zip(jobs.items(), got, strict=True) if text_of(called(job)) != y]


def work(jobs):
    return [text_of(called(job)) for job in jobs]


def plain(jobs):
    """Those that Numba does not compile, which takes long in each process."""
    return {name: job for name, job in jobs.items() if "compile" not in name}


FEW = ("grad", "second", "model", "Objective", "recursion")


def by_names():
    """By pools that pickle by name, whose workers import this script."""
    every, found = plain(BY_NAME), []
    jobs = every if THOROUGH else {name: every[name] for name in FEW}
    for method in ("spawn", "forkserver"):
        if method in multiprocessing.get_all_start_methods() and (THOROUGH or method != "spawn"):
            with multiprocessing.get_context(method).Pool(1) as pool:
                found += wrong(jobs, pool.apply(work, ([*jobs.values()],)))
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as executor:
        found += wrong(jobs, executor.submit(work, [*jobs.values()]).result())
    return found


def by_joblib():
    from joblib import Parallel, delayed

    every = plain(BY_NAME) | plain(BY_VALUE)
    del every["in an array"]  # joblib sends the items of arrays by their names
    jobs = every if THOROUGH else {name: every[name] for name in (*FEW, "lambda", "closure", "indented", "hook")}
    halves = [*jobs.values()][::2], [*jobs.values()][1::2]
    got = Parallel(n_jobs=2)(delayed(work)(half) for half in halves)
    return wrong(jobs, [got[i % 2][i // 2] for i in range(len(jobs))])


def by_dask():
    from distributed import Client

    jobs = BY_NAME | BY_VALUE
    with Client(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None) as client:
        return wrong(jobs, [text_of(client.submit(*job).result()) for job in jobs.values()])


def pickles():
    """The pickles of all, each with what it gives, and of a function alone."""
    import cloudpickle

    jobs = {
        name: (cloudpickle.dumps(job), text_of(called(job)))
        for name, job in (BY_NAME | BY_VALUE).items()
        if name != "cached"  # cloudpickle sends caches by their names
    }
    global K
    K = 30.0
    jobs["changed global"] = cloudpickle.dumps((grad(f), X)), text_of(grad(f)(X))
    return jobs, cloudpickle.dumps(f)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["names"]:
            sys.exit("\n".join(by_names()) or 0)
        case ["joblib"]:
            sys.exit("\n".join(by_joblib()) or 0)
        case ["dask"]:
            sys.exit("\n".join(by_dask()) or 0)
        case ["values", file]:
            Path(file).write_bytes(pickle.dumps(pickles()))
