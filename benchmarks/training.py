"""Steps of training of three networks: loss, gradient and update, beside PyTorch and autograd."""

from __future__ import annotations

from measure import Table, installed, medians  # before NumPy: it sets the number of threads

import numpy as np  # isort: skip

import training_rivals
from moons import data as moons_data
from moons import network as moons_network

from adjoint import nn, withgradient
from adjoint.nn import optimizers

ROUNDS = 11
SECONDS = 0.05
RATE = 1e-3


def moons():
    """2-16-16-2 with relu on 200 points, logit cross entropy, float64: the model, its loss, and the data."""
    x, y = moons_data()
    return moons_network(), lambda model, x, y: nn.logit_cross_entropy(model(x), y), x, y


def lstm():
    """Two layers of 64 units and a linear one on 32 sequences of 50 steps of 64 features, mse, float32."""
    rng = np.random.default_rng(0)
    options = {"rng": rng, "dtype": np.float32}
    model = nn.Chain(nn.LSTM(64, 64, layers=2, **options), nn.Dense(64, 1, **options))
    x, y = rng.normal(size=(32, 50, 64)), rng.normal(size=(32, 50, 1))
    return model, lambda model, x, y: nn.mse(model(x), y), x.astype(np.float32), y.astype(np.float32)


def convolutional():
    """Convolutions 3 × 3 with 8 and 16 channels, each with relu and pooling 2 × 2, and a linear layer, on 32 images of
    28 × 28, logit cross entropy, float32."""
    rng = np.random.default_rng(0)
    options = {"rng": rng, "dtype": np.float32}
    model = nn.Chain(
        nn.Conv(1, 8, (3, 3), nn.relu, padding="same", **options),
        nn.MaxPool((2, 2)),
        nn.Conv(8, 16, (3, 3), nn.relu, padding="same", **options),
        nn.MaxPool((2, 2)),
        nn.flatten,
        nn.Dense(16 * 7 * 7, 10, **options),
    )
    x, y = rng.normal(size=(32, 28, 28, 1)), nn.onehot(rng.integers(0, 10, 32), range(10))
    loss = lambda model, x, y: nn.logit_cross_entropy(model(x), y)  # noqa: E731
    return model, loss, x.astype(np.float32), y.astype(np.float32)


NETWORKS = {"moons": moons, "LSTM": lstm, "convolutional": convolutional}


def stepper(model, loss, x, y):
    """A function that does one step of Adam after the other, and gives the loss before it."""
    optimizer = optimizers.adam(RATE)
    state = optimizer.init(model)

    def step():
        nonlocal model, state
        value, (gradient,) = withgradient(lambda model: loss(model, x, y), model)
        updates, state = optimizer.update(gradient, state, model)
        model = optimizers.apply_updates(model, updates)
        return float(value)

    return step


def main() -> bool:
    """Measure and write the table."""
    table = Table(
        "training",
        "Steps of training",
        "Loss, gradient and update by Adam: the moons network (200 points, 2-16-16-2, float64), an LSTM (2 layers of "
        "64, batch 32, 50 steps, float32), a convolutional network (8 and 16 channels, batch 32 of 28 × 28, float32). "
        f"Medians of {ROUNDS} interleaved rounds, processor time.",
    )
    limits = {"PyTorch": 2.0, "autograd": 1.0}
    for name, make in NETWORKS.items():
        model, loss, x, y = make()
        rivals = training_rivals.steppers(name, model, x, y, RATE)
        functions = {"adjoint": stepper(model, loss, x, y), **rivals}
        losses = {who: [step() for _ in range(4)] for who, step in functions.items()}
        for who in rivals:
            np.testing.assert_allclose(losses[who], losses["adjoint"], rtol=2e-3, err_msg=f"{who}, {name}")
        t = medians(ROUNDS, SECONDS, **functions)
        table.report(f"{name}: a step", t["adjoint"] * 1e3, " ms")
        for who, limit in limits.items():
            if who in rivals:
                table.at_most(f"{name}: adjoint / {who}", t["adjoint"] / t[who], limit)
            elif not installed({"PyTorch": "torch"}.get(who, who)):
                table.skip(who)
    return table.write()


if __name__ == "__main__":
    raise SystemExit(not main())
