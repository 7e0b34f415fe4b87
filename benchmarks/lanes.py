"""`vmap`: gradients of each example of a network, and programs of single examples, beside the loop and rivals."""

from __future__ import annotations

from measure import Table, installed, medians  # before NumPy: it sets the number of threads

import math  # isort: skip

import numpy as np  # isort: skip

from adjoint import grad, hessian, nn, vmap

ROUNDS = 11
SECONDS = 0.05
NETWORKS = {"10-32-32-1, 64": ((10, 32, 32, 1), 64), "20-64-64-3, 128": ((20, 64, 64, 3), 128)}


def loss(model, x, y):
    """Squared errors of one example, or of a batch."""
    return np.sum((model(x) - y) ** 2)


def network(sizes):
    """Layers with tanh between them."""
    rng = np.random.default_rng(0)
    between = [nn.Dense(a, b, np.tanh, rng=rng) for a, b in zip(sizes, sizes[1:-1], strict=False)]
    return nn.Chain(*between, nn.Dense(*sizes[-2:], rng=rng))


def by_torch(model, x, y):
    """The same per-example gradients by `torch.func`."""
    import torch

    torch.set_num_threads(1)
    leaves = [(torch.tensor(layer.weight), torch.tensor(layer.bias)) for layer in model.layers]

    def of_one(leaves, x, y):
        for weight, bias in leaves[:-1]:
            x = torch.tanh(x @ weight + bias)
        weight, bias = leaves[-1]
        return ((x @ weight + bias - y) ** 2).sum()

    g = torch.func.vmap(torch.func.grad(of_one), (None, 0, 0))
    x, y = torch.tensor(x), torch.tensor(y)
    return lambda: g(leaves, x, y)


def oscillator(v):
    """Fifty steps of a driven oscillator, in numbers of Python."""
    x, p = v[0], v[1]
    for i in range(50):
        p = p - 0.02 * (x + 0.1 * x**3 - v[2] * math.cos(0.02 * i))
        x = x + 0.02 * p
    return x * x + p * p


def main() -> bool:
    """Measure and write the table."""
    table = Table(
        "lanes",
        "Many examples at once",
        "Gradients of each example of networks with tanh (sizes of the layers, examples; float64) in one call of "
        "`vmap(grad(loss))`, beside one gradient of the whole batch, and beside the loop; and 1000 runs of an "
        f"oscillator in numbers of Python. Medians of {ROUNDS} interleaved rounds, processor time.",
    )
    for name, (sizes, n) in NETWORKS.items():
        rng, model = np.random.default_rng(1), network(sizes)
        x, y = rng.normal(size=(n, sizes[0])), rng.normal(size=(n, sizes[-1]))
        of_batch, of_each = grad(loss), vmap(grad(loss), (None, 0, 0), strict=True)
        functions = {
            "batch": lambda of_batch=of_batch, model=model, x=x, y=y: of_batch(model, x, y),
            "each": lambda of_each=of_each, model=model, x=x, y=y: of_each(model, x, y),
            "loop": lambda g=of_batch, model=model, x=x, y=y: [g(model, *one) for one in zip(x, y, strict=True)],
        }  # fmt: skip
        if installed("torch"):
            functions["torch"] = by_torch(model, x, y)
        t = medians(ROUNDS, SECONDS, **functions)
        table.report(f"{name}: gradients of each", t["each"] * 1e3, " ms")
        table.at_most(f"{name}: each / one of the batch", t["each"] / t["batch"], 3)
        table.at_least(f"{name}: loop / each", t["loop"] / t["each"], 5)
        if "torch" in t:
            table.at_most(f"{name}: each / torch.func", t["each"] / t["torch"], 2)
        else:
            table.skip("torch")
    vs = np.random.default_rng(2).normal(size=(1000, 3))
    for what, f in {"value": oscillator, "gradient": grad(oscillator), "Hessian": hessian(oscillator)}.items():
        mapped, some = vmap(f, strict=True), vs[:100]
        t = medians(5, SECONDS, each=lambda mapped=mapped: mapped(vs), loop=lambda f=f: [f(v) for v in some])  # noqa: B023
        table.report(f"oscillator, {what}: 1000 in one run", t["each"] * 1e3, " ms")
        table.at_least(f"oscillator, {what}: loop / one run", 10 * t["loop"] / t["each"], 5)
    return table.write()


if __name__ == "__main__":
    raise SystemExit(not main())
