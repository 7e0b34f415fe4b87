"""A step of training of a small convolutional network, against PyTorch and autograd on one thread."""

from __future__ import annotations

from measure import Table, installed, medians  # before NumPy: it sets the number of threads

import numpy as np  # isort: skip

from adjoint import nn, withgradient
from adjoint.nn import optimizers

ROUNDS = 31
SECONDS = 0.05
SAMPLES, RATE = 32, 0.01


def data():
    """Images of noise, and their classes."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(SAMPLES, 28, 28, 1)).astype(np.float32), rng.integers(0, 10, SAMPLES)


def network():
    """8 and 16 channels, 3 × 3, with pools of 2 × 2 between, and a head."""
    options = {"rng": np.random.default_rng(1), "dtype": np.float32}
    return nn.Chain(
        nn.Conv(1, 8, (3, 3), nn.relu, padding="same", **options),
        nn.MaxPool((2, 2)),
        nn.Conv(8, 16, (3, 3), nn.relu, padding="same", **options),
        nn.MaxPool((2, 2)),
        nn.flatten,
        nn.Dense(7 * 7 * 16, 10, **options),
    )


def ours(optimizer, x, y):
    """A step that goes on from the last one, and gives its loss."""
    labels = nn.onehot(y, 10, dtype=np.float32)
    now = [network(), optimizer.init(network())]

    def step():
        model, state = now
        value, (g,) = withgradient(lambda m: nn.logit_cross_entropy(m(x), labels), model)
        updates, state = optimizer.update(g, state, model)
        now[:] = optimizers.apply_updates(model, updates), state
        return float(value)

    return step


def by_torch(x, y):
    """The same, of PyTorch: by descent and by Adam."""
    import torch

    torch.set_num_threads(1)
    images, classes = torch.tensor(np.moveaxis(x, -1, 1).copy()), torch.tensor(y)

    def made():
        net = torch.nn.Sequential(
            torch.nn.Conv2d(1, 8, 3, padding=1),
            torch.nn.ReLU(),
            torch.nn.MaxPool2d(2),
            torch.nn.Conv2d(8, 16, 3, padding=1),
            torch.nn.ReLU(),
            torch.nn.MaxPool2d(2),
            torch.nn.Flatten(),
            torch.nn.Linear(7 * 7 * 16, 10),
        )
        ours = network()
        with torch.no_grad():
            for there, here in ((net[0], ours[0]), (net[3], ours[2])):
                there.weight.copy_(torch.tensor(np.transpose(here.weight, (3, 2, 0, 1)).copy()))
                there.bias.copy_(torch.tensor(here.bias))
            head = ours[5].weight.reshape(7, 7, 16, 10)
            net[7].weight.copy_(torch.tensor(np.transpose(head, (3, 2, 0, 1)).reshape(10, -1).copy()))
            net[7].bias.copy_(torch.tensor(ours[5].bias))
        return net

    def stepping(make):
        net = made()
        optimizer = make(net.parameters())

        def step():
            optimizer.zero_grad()
            loss = torch.nn.functional.cross_entropy(net(images), classes)
            loss.backward()
            optimizer.step()
            return loss.item()

        return step

    return (
        stepping(lambda parameters: torch.optim.SGD(parameters, lr=RATE)),
        stepping(lambda parameters: torch.optim.Adam(parameters, lr=RATE)),
    )


def by_autograd(x, y):
    """The same by descent, of autograd: windows side by side, and one product; pools by a reshape."""
    import autograd.numpy as anp
    from autograd import value_and_grad

    model, labels = network(), nn.onehot(y, 10, dtype=np.float32)
    now = [[model[0].weight, model[0].bias, model[2].weight, model[2].bias, model[5].weight, model[5].bias]]

    def convolved(x, w, b):
        _, height, width, _ = x.shape
        whole = anp.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)), mode="constant")
        rows = [whole[:, i : i + height, j : j + width] for i in range(3) for j in range(3)]
        return anp.dot(anp.concatenate(rows, axis=-1), anp.reshape(w, (-1, w.shape[-1]))) + b

    def pooled(x):
        n, height, width, channels = x.shape
        return anp.max(anp.reshape(x, (n, height // 2, 2, width // 2, 2, channels)), axis=(2, 4))

    def loss(parameters):
        w1, b1, w2, b2, w3, b3 = parameters
        h = pooled(anp.maximum(convolved(x, w1, b1), 0))
        h = pooled(anp.maximum(convolved(h, w2, b2), 0))
        z = anp.dot(anp.reshape(h, (len(x), -1)), w3) + b3
        z = z - anp.max(z, axis=1, keepdims=True)
        return -anp.sum(labels * (z - anp.log(anp.sum(anp.exp(z), axis=1, keepdims=True)))) / len(x)

    value_and_gradient = value_and_grad(loss)

    def step():
        value, bars = value_and_gradient(now[0])
        now[0] = [p - np.float32(RATE) * bar for p, bar in zip(now[0], bars, strict=True)]
        return float(value)

    return step


def main() -> bool:
    """Measure and write the table."""
    x, y = data()
    steps = {"descent": ours(optimizers.sgd(RATE), x, y), "adam": ours(optimizers.adam(RATE), x, y)}
    if installed("torch"):
        steps["PyTorch, descent"], steps["PyTorch, adam"] = by_torch(x, y)
    if installed("autograd"):
        steps["autograd"] = by_autograd(x, y)
    for name, step in steps.items():  # three steps of each lower the loss alike
        other = "adam" if "adam" in name else "descent"
        reference = ours(optimizers.adam(RATE) if other == "adam" else optimizers.sgd(RATE), x, y)
        np.testing.assert_allclose([step() for _ in range(3)], [reference() for _ in range(3)], rtol=1e-3)
    t = medians(ROUNDS, SECONDS, **steps)
    table = Table(
        "convolutions",
        "A small convolutional network",
        f"One step of training: {SAMPLES} images of 28 × 28, 8 and 16 channels, 3 × 3, pools of 2 × 2, float32; "
        f"medians of {ROUNDS} interleaved rounds of {SECONDS * 1000:.0f} ms each.",
    )
    table.report("a step of descent", t["descent"] * 1e3, " ms")
    table.report("a step of Adam", t["adam"] * 1e3, " ms")
    if installed("torch"):
        table.at_most("descent / PyTorch", t["descent"] / t["PyTorch, descent"], 2)
        table.at_most("Adam / PyTorch", t["adam"] / t["PyTorch, adam"], 2)
    else:
        table.skip("PyTorch")
    if installed("autograd"):
        table.at_least("autograd / descent", t["autograd"] / t["descent"], 1)
    else:
        table.skip("autograd")
    return table.write()


if __name__ == "__main__":
    raise SystemExit(not main())
