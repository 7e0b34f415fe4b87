"""Common array operations, value and pullback: against the formula written by hand, HIPS autograd and PyTorch."""
# ruff: noqa: D103 - the formulas say what they are

from __future__ import annotations

import math
import statistics

from measure import Table, installed, turns  # before NumPy: it sets the number of threads

import numpy as np  # isort: skip

from adjoint import pullback

SIZES = 10, 1_000, 1_000_000
ROUNDS = {10: 61, 1_000: 61, 1_000_000: 21}
SECONDS = 0.004
"""Of one function at a time."""
RIVALS = {"autograd": "autograd", "PyTorch": "torch"}
"""By the packages that must be installed."""
LIMITS = {10: {}, 1_000: {"plain": 1.5, "singular": 2.0}, 1_000_000: {"plain": 1.1, "singular": 1.15}}


def plain(np):
    """The operations in NumPy, or in autograd's copy of it."""
    return {
        "x + b, b a row": lambda x, b: x + b,
        "x * w": lambda x, w: x * w,
        "exp": lambda x: np.exp(x),
        "sin": lambda x: np.sin(x),
        "tanh": lambda x: np.tanh(x),
        "maximum": lambda x, w: np.maximum(x, w),
        "where": lambda x, w: np.where(x > 0, x, w),
        "sum": lambda x: np.sum(x),
        "mean, axis 0": lambda x: np.mean(x, axis=0),
        "max, axis 1": lambda x: np.max(x, axis=1),
        "matrix @ vector": lambda a, x: a @ x,
        "matrix @ matrix": lambda a, b: a @ b,
        "einsum, products of rows": lambda a, b: np.einsum("ij,ij->i", a, b),
        "concatenate": lambda x, w: np.concatenate((x, w)),
        "reshape and transpose": lambda x: x.reshape(10, -1).T,
        "x[1:-1]": lambda x: x[1:-1],
        "x[index]": lambda x, index: x[index],
        "cumsum": lambda x: np.cumsum(x),
        "sort": lambda x: np.sort(x),
        "solve": lambda a, b: np.linalg.solve(a, b),
    }


def singular(np):
    """Those whose partials may be infinite."""
    return {
        "x / w": lambda x, w: x / w,
        "sqrt": lambda x: np.sqrt(x),
        "log": lambda x: np.log(x),
        "x ** w": lambda x, w: x**w,
        "arctan2": lambda x, w: np.arctan2(x, w),
        "norm": lambda x: np.linalg.norm(x),
    }


def in_torch(torch):
    """Those that PyTorch spells otherwise."""
    return {
        "exp": lambda x: torch.exp(x),
        "sin": lambda x: torch.sin(x),
        "tanh": lambda x: torch.tanh(x),
        "maximum": lambda x, w: torch.maximum(x, w),
        "where": lambda x, w: torch.where(x > 0, x, w),
        "sum": lambda x: torch.sum(x),
        "mean, axis 0": lambda x: torch.mean(x, dim=0),
        "max, axis 1": lambda x: torch.amax(x, dim=1),
        "einsum, products of rows": lambda a, b: torch.einsum("ij,ij->i", a, b),
        "concatenate": lambda x, w: torch.cat((x, w)),
        "cumsum": lambda x: torch.cumsum(x, dim=0),
        "sort": lambda x: torch.sort(x).values,
        "solve": lambda a, b: torch.linalg.solve(a, b),
        "sqrt": lambda x: torch.sqrt(x),
        "log": lambda x: torch.log(x),
        "arctan2": lambda x, w: torch.arctan2(x, w),
        "norm": lambda x: torch.linalg.vector_norm(x),
    }


# By hand, in the quickest NumPy: the value and the cotangents, each of them a new array, as all others give them.


def by_row(d, x, b):
    return x + b, d.copy(), d.sum(axis=0)


def by_product(d, x, w):
    return x * w, d * w, d * x


def by_exp(d, x):
    y = np.exp(x)
    return y, d * y


def by_sin(d, x):
    return np.sin(x), d * np.cos(x)


def by_tanh(d, x):
    y = np.tanh(x)
    return y, d * (1 - y * y)


def by_maximum(d, x, w):
    x_bar = d * (x > w)
    return np.maximum(x, w), x_bar, d - x_bar


def by_where(d, x, w):
    first = x > 0
    x_bar = d * first
    return np.where(first, x, w), x_bar, d - x_bar


def by_sum(d, x):
    x_bar = np.empty(x.shape)
    x_bar.fill(d)
    return x.sum(), x_bar


def by_mean(d, x):
    return x.mean(axis=0), np.full(x.shape, d / len(x))


def by_max(d, x):
    y = x.max(axis=1)
    return y, (x == y[:, None]) * d[:, None]


def by_vector(d, a, x):
    return a @ x, d[:, None] * x, a.T @ d


def by_matrix(d, a, b):
    return a @ b, d @ b.T, a.T @ d


def by_rows(d, a, b):
    column = d[:, None]
    return np.einsum("ij,ij->i", a, b), column * b, column * a


def by_concatenate(d, x, w):
    return np.concatenate((x, w)), d[: len(x)].copy(), d[len(x) :].copy()


def by_reshape(d, x):
    return x.reshape(10, -1).T, d.T.reshape(-1)


def by_slice(d, x):
    x_bar = np.zeros(x.shape)
    x_bar[1:-1] = d
    return x[1:-1], x_bar


def by_index(d, x, index):
    return x[index], np.bincount(index, d, len(x))


def by_cumsum(d, x):
    return x.cumsum(), d[::-1].cumsum()[::-1]


def by_sort(d, x):
    order = np.argsort(x)
    x_bar = np.empty_like(x)
    x_bar[order] = d
    return x[order], x_bar


def by_solve(d, a, b):
    y = np.linalg.solve(a, b)
    b_bar = np.linalg.solve(a.T, d)
    return y, -b_bar[:, None] * y, b_bar


def by_quotient(d, x, w):
    y, x_bar = x / w, d / w
    return y, x_bar, -x_bar * y


def by_sqrt(d, x):
    y = np.sqrt(x)
    return y, 0.5 * d / y


def by_log(d, x):
    return np.log(x), d / x


def by_power(d, x, w):
    y = x**w
    scaled = d * y
    return y, scaled * w / x, scaled * np.log(x)


def by_arctan2(d, x, w):
    scaled = d / (x * x + w * w)
    return np.arctan2(x, w), scaled * w, -scaled * x


def by_norm(d, x):
    y = math.sqrt(x.dot(x))
    return y, x * (d / y)


# What they are given, of n elements or nearly so


def numbers(rng, n):
    return (rng.standard_normal(n),)


def two(rng, n):
    return rng.standard_normal(n), rng.standard_normal(n)


def positive(rng, n):
    return (rng.uniform(0.5, 2.0, n),)


def two_positive(rng, n):
    return rng.uniform(0.5, 2.0, n), rng.uniform(0.5, 2.0, n)


def with_index(rng, n):
    return rng.standard_normal(n), rng.integers(0, n, n)


def rectangle(rng, n):
    """A matrix of exactly n elements, as square as can be."""
    rows = max(i for i in range(1, math.isqrt(n) + 1) if n % i == 0)
    return (rng.standard_normal((rows, n // rows)),)


def with_row(rng, n):
    (x,) = rectangle(rng, n)
    return x, rng.standard_normal(x.shape[1])


def rectangles(rng, n):
    return (*rectangle(rng, n), *rectangle(rng, n))


def squares(rng, n):
    k = round(math.sqrt(n))
    return rng.standard_normal((k, k)), rng.standard_normal((k, k))


def system(rng, n):
    k = round(math.sqrt(n))
    return rng.standard_normal((k, k)) + 3 * math.sqrt(k) * np.eye(k), rng.standard_normal(k)


BY_HAND = {
    "x + b, b a row": (by_row, with_row),
    "x * w": (by_product, two),
    "exp": (by_exp, numbers),
    "sin": (by_sin, numbers),
    "tanh": (by_tanh, numbers),
    "maximum": (by_maximum, two),
    "where": (by_where, two),
    "sum": (by_sum, numbers),
    "mean, axis 0": (by_mean, rectangle),
    "max, axis 1": (by_max, rectangle),
    "matrix @ vector": (by_vector, system),
    "matrix @ matrix": (by_matrix, squares),
    "einsum, products of rows": (by_rows, rectangles),
    "concatenate": (by_concatenate, two),
    "reshape and transpose": (by_reshape, numbers),
    "x[1:-1]": (by_slice, numbers),
    "x[index]": (by_index, with_index),
    "cumsum": (by_cumsum, numbers),
    "sort": (by_sort, numbers),
    "solve": (by_solve, system),
    "x / w": (by_quotient, two_positive),
    "sqrt": (by_sqrt, positive),
    "log": (by_log, positive),
    "x ** w": (by_power, two_positive),
    "arctan2": (by_arctan2, two_positive),
    "norm": (by_norm, numbers),
}


def contestants(f, name, args, d):
    """{who: value and cotangents of an operation}, for those that are installed."""
    formula, _ = BY_HAND[name]

    def by_adjoint():
        y, back = pullback(f, *args)
        return y, *back(d)[1:]

    found = {"hand": lambda: formula(d, *args), "adjoint": by_adjoint}
    moving = tuple(i for i, x in enumerate(args) if x.dtype.kind == "f")
    if installed("autograd"):
        import autograd
        import autograd.numpy as anp

        vjp_of = autograd.make_vjp({**plain(anp), **singular(anp)}[name], moving if len(moving) > 1 else 0)

        def by_autograd():
            back, y = vjp_of(*args)
            return y, *(back(d) if len(moving) > 1 else (back(d),))

        found["autograd"] = by_autograd
    if installed("torch"):
        import torch

        torch.set_num_threads(1)
        g = in_torch(torch).get(name, f)
        tensors = [torch.tensor(x, requires_grad=x.dtype.kind == "f") for x in args]
        inputs, seed = [tensors[i] for i in moving], torch.tensor(d)

        def by_torch():
            y = g(*tensors)
            return y, *torch.autograd.grad(y, inputs, seed)

        found["PyTorch"] = by_torch
    return found


def check(name, found):
    """All give the same value and the same cotangents."""
    parts = {who: [part for part in function() if part is not None] for who, function in found.items()}
    expected = parts["autograd" if "autograd" in parts else "hand"]
    for who, given in parts.items():
        for a, b in zip(given, expected, strict=True):
            a = a.detach().numpy() if hasattr(a, "detach") else a
            tolerance = 1e-9 * max(1.0, float(np.abs(b).max()))
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=tolerance, err_msg=f"{name}: {who}")


def ratios(f, name, n):
    """{who: time by hand, and of the rivals, as multiples of adjoint's} of an operation: medians over the rounds; and
    under "beside", what adjoint takes beside the formula, in microseconds."""
    rng = np.random.default_rng(0)
    args = BY_HAND[name][1](rng, n)
    y = f(*args)
    found = contestants(f, name, args, rng.standard_normal(y.shape) if np.ndim(y) else 1.0)
    check(name, found)
    times = turns(ROUNDS[n], SECONDS, **found)
    own = times.pop("adjoint")
    beside = statistics.median([1e6 * (o - t) for t, o in zip(times["hand"], own, strict=True)])
    medians = {who: statistics.median([t / o for t, o in zip(of, own, strict=True)]) for who, of in times.items()}
    return {**medians, "beside": beside}


def main() -> bool:
    """Measure and write the table."""
    table = Table(
        "operations",
        "Common array operations",
        "Value and pullback, `y, back = pullback(f, ...)` and `back(d)`, of twenty operations, and of six more whose "
        "partials can be infinite; float64. Geometric means over the operations; each is the median of the ratios in "
        f"{ROUNDS[10]} interleaved rounds of {SECONDS * 1000:.0f} ms each, in {ROUNDS[1_000_000]} for a million. "
        "By hand means: the formulas of value and cotangents in NumPy, each cotangent an array of its own.",
    )
    groups = {"plain": plain(np), "singular": singular(np)}
    rivals = [who for who, package in RIVALS.items() if installed(package)]
    for rival in RIVALS:
        if rival not in rivals:
            table.skip(rival)
    found = {n: {name: ratios(f, name, n) for g in groups.values() for name, f in g.items()} for n in SIZES}
    for group, operations in groups.items():
        for n in SIZES:
            mean = {w: statistics.geometric_mean([found[n][name][w] for name in operations]) for w in ("hand", *rivals)}
            what = f"{n:,} elements{', partials that can be infinite' if group == 'singular' else ''}"
            if group in LIMITS[n]:
                table.at_most(f"{what}: adjoint / by hand", 1 / mean["hand"], LIMITS[n][group])
            else:
                table.report(f"{what}: adjoint / by hand", 1 / mean["hand"])
            for who in rivals:
                if who == "autograd" or n == 1_000:
                    table.at_least(f"{what}: {who} / adjoint", mean[who], 1)
                else:
                    table.report(f"{what}: {who} / adjoint", mean[who])
    for n in SIZES[:2]:
        beside = statistics.median([found[n][name]["beside"] for name in groups["plain"]])
        table.report(f"{n:,} elements: what adjoint takes beside the formula, median of the operations", beside, " µs")
    table.notes.append(
        "At 10 and 1,000 elements nearly all of the difference is Python: the calls of `pullback` and of `back`, the "
        "guard of the rule, the form that the cotangent is held to, and that what is handed out is nobody's."
    )
    heads = ["adjoint / by hand", *[f"{who} / adjoint" for who in rivals]]
    table.details += [f"Each operation at {', '.join(f'{n:,}' for n in SIZES)} elements:", ""]
    table.details += [f"| operation | {' | '.join(heads)} |", f"| --- |{' ---: |' * len(heads)}"]
    for name in [name for operations in groups.values() for name in operations]:
        hand = ", ".join([f"{1 / found[n][name]['hand']:.2f}" for n in SIZES])
        others = [", ".join([f"{found[n][name][who]:.2f}" for n in SIZES]) for who in rivals]
        table.details.append(f"| `{name}` | {' | '.join([hand, *others])} |")
    return table.write()


if __name__ == "__main__":
    raise SystemExit(not main())
