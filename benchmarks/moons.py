"""The moons network: one loss and gradient against backprop written by hand in NumPy, and against rivals."""

from __future__ import annotations

from measure import Table, installed, medians  # before NumPy: it sets the number of threads

import numpy as np  # isort: skip

from adjoint import Tangent, gradient, withgradient
from adjoint.nn import Chain, Dense, identity, logit_cross_entropy, onehot, relu

ROUNDS = 51
SECONDS = 0.02
"""Of one function at a time: about 200 calls in a row, as in training."""


def data():
    """200 points of two half circles and their one-hot classes."""
    rng = np.random.default_rng(0)
    angles = np.linspace(0, np.pi, 100)
    upper = np.column_stack([np.cos(angles), np.sin(angles)])
    lower = np.column_stack([1 - np.cos(angles), 0.5 - np.sin(angles)])
    x = np.concatenate([upper, lower]) + 0.15 * rng.standard_normal((200, 2))
    return x, onehot(np.repeat([0, 1], 100), 2)


def network():
    """2-16-16-2, with relu between."""
    rng = np.random.default_rng(1)
    return Chain(Dense(2, 16, relu, rng=rng), Dense(16, 16, relu, rng=rng), Dense(16, 2, rng=rng))


def by_hand(weights, x, y):
    """Loss and gradient as one would write them, biases added in place."""
    w1, b1, w2, b2, w3, b3 = weights
    h1 = x @ w1
    h1 += b1
    h1 = np.maximum(h1, 0)
    h2 = h1 @ w2
    h2 += b2
    h2 = np.maximum(h2, 0)
    z = h2 @ w3
    z += b3
    z = z - z.max(axis=1, keepdims=True)
    e = np.exp(z)
    s = e.sum(axis=1, keepdims=True)
    loss = -(y * (z - np.log(s))).sum() / len(x)
    dz = (e / s - y) / len(x)
    d2 = (dz @ w3.T) * (h2 > 0)
    d1 = (d2 @ w2.T) * (h1 > 0)
    return loss, (x.T @ d1, d1.sum(axis=0), h1.T @ d2, d2.sum(axis=0), h2.T @ dz, dz.sum(axis=0))


def log_softmax(z):
    """As a user writes it."""
    z = z - z.max(axis=1, keepdims=True)
    return z - np.log(np.exp(z).sum(axis=1, keepdims=True))


def guarded(model, x, y):
    """What any program has to do besides that takes a model which may have changed: ask what it is, and hand over a
    gradient of its form, whose arrays are its own."""
    if type(model) is not Chain or type(model.layers) is not tuple or len(model.layers) != 3:
        return None
    weights = []
    for layer, activation in zip(model.layers, ACTIVATIONS, strict=True):
        if type(layer) is not Dense or layer.activation is not activation or activation.__code__ not in CODES:
            return None
        for part, rank in ((layer.weight, 2), (layer.bias, 1)):
            if type(part) is not np.ndarray or part.ndim != rank or part.dtype != np.float64:
                return None
            weights.append(part)
    if Dense.__call__ is not CALLS[0] or Chain.__call__ is not CALLS[1] or CALLS[0].__code__ not in CODES:
        return None
    loss, bars = by_hand(weights, x, y)
    taken = {id(bar) for bar in bars}
    if len(taken) != 6 or any([bar.base is not None for bar in bars]):
        return None
    layers = [
        Tangent(Dense, {"weight": w, "bias": b, "activation": None}) for w, b in zip(bars[::2], bars[1::2], strict=True)
    ]
    return loss, Tangent(Chain, {"layers": tuple(layers)})


ACTIVATIONS = (relu, relu, identity)
CALLS = (Dense.__call__, Chain.__call__)
CODES = {f.__code__ for f in (*ACTIVATIONS, *CALLS)}


def rivals(weights, x, y):
    """{name: loss and gradient of the same network}, for those that are installed."""
    found = {}
    if installed("torch"):
        import torch

        torch.set_num_threads(1)
        parameters = [torch.tensor(w, requires_grad=True) for w in weights]
        xt, classes = torch.tensor(x), torch.tensor(y.argmax(axis=1))  # by index: its fastest form

        def by_torch():
            w1, b1, w2, b2, w3, b3 = parameters
            h = torch.relu(torch.addmm(b1, xt, w1))
            h = torch.relu(torch.addmm(b2, h, w2))
            loss = torch.nn.functional.cross_entropy(torch.addmm(b3, h, w3), classes)
            return loss.item(), torch.autograd.grad(loss, parameters)

        found["PyTorch"] = by_torch
    if installed("autograd"):
        import autograd
        import autograd.numpy as anp

        def loss(parameters):
            w1, b1, w2, b2, w3, b3 = parameters
            h = anp.maximum(x @ w1 + b1, 0)
            h = anp.maximum(h @ w2 + b2, 0)
            z = h @ w3 + b3
            z = z - anp.max(z, axis=1, keepdims=True)
            return -anp.sum(y * (z - anp.log(anp.sum(anp.exp(z), axis=1, keepdims=True)))) / len(x)

        value_and_gradient = autograd.value_and_grad(loss)
        found["autograd"] = lambda: value_and_gradient(weights)
    return found


def main() -> bool:
    """Measure and write the table."""
    x, y = data()
    model = network()
    weights = [part for layer in model for part in (layer.weight, layer.bias)]
    value, (model_bar,) = withgradient(lambda m: logit_cross_entropy(m(x), y), model)
    expected, bars = by_hand(weights, x, y)
    np.testing.assert_allclose(value, expected, rtol=1e-12)
    found = [bar for layer in model_bar.layers for bar in (layer.weight, layer.bias)]
    for a, b in zip(found, bars, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)

    def own(m):
        return -np.sum(y * log_softmax(m(x))) / len(x)

    np.testing.assert_allclose(own(model), value, rtol=1e-12)
    functions = {
        "guarded": lambda: guarded(model, x, y),
        "own": lambda: gradient(own, model),
        "hand": lambda: by_hand(weights, x, y),
        "adjoint": lambda: gradient(lambda m: logit_cross_entropy(m(x), y), model),
        "plain": lambda: logit_cross_entropy(model(x), y),
    }
    opponents = rivals(weights, x, y)
    for opponent in opponents.values():
        np.testing.assert_allclose(opponent()[0], value, rtol=1e-12)
    t = medians(ROUNDS, SECONDS, **functions, **opponents)
    table = Table(
        "moons",
        "The moons network",
        "One loss and gradient: 200 points, 2-16-16-2, relu, logit cross entropy, float64; "
        f"medians of {ROUNDS} interleaved rounds of {SECONDS * 1000:.0f} ms each.",
    )
    table.at_most("gradient / backprop by hand", t["adjoint"] / t["hand"], 1.15)
    table.at_most("with the user's own log-softmax, gradient / backprop by hand", t["own"] / t["hand"], 1.15)
    table.report("backprop by hand that asks what the model is / backprop by hand", t["guarded"] / t["hand"])
    table.report("backprop by hand", t["hand"] * 1e6, " µs")
    table.report("gradient", t["adjoint"] * 1e6, " µs")
    table.report("gradient / plain loss", t["adjoint"] / t["plain"])
    for name in ("PyTorch", "autograd"):
        if name in opponents:
            table.at_least(f"{name} / adjoint", t[name] / t["adjoint"], 1)
        else:
            table.skip(name)
    return table.write()


if __name__ == "__main__":
    raise SystemExit(not main())
