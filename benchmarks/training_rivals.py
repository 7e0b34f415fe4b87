"""The networks of `training.py` for PyTorch and for autograd, with the same first weights and the same steps."""

from __future__ import annotations

from measure import installed

import numpy as np  # isort: skip


def steppers(name, model, x, y, rate):
    """{rival: function that does one step of Adam after the other}, for those that are installed."""
    found = {}
    if installed("torch"):
        found["PyTorch"] = by_torch(name, model, x, y, rate)
    if installed("autograd"):
        found["autograd"] = by_autograd(name, model, x, y, rate)
    return found


def by_torch(name, model, x, y, rate):
    """As its users write it: layers of `torch.nn`, `torch.optim.Adam`."""
    import torch

    torch.set_num_threads(1)
    network, xt = NETWORKS[name](torch, model, x)
    target = torch.tensor(y if name == "LSTM" else y.argmax(axis=-1))
    loss = torch.nn.functional.mse_loss if name == "LSTM" else torch.nn.functional.cross_entropy
    parameters = [p for part in network for p in part.parameters()]
    optimizer = torch.optim.Adam(parameters, rate)

    def step():
        optimizer.zero_grad()
        out = xt
        for part in network:
            out = part(out)
            out = out[0] if isinstance(out, tuple) else out
        value = loss(out, target)
        value.backward()
        optimizer.step()
        return value.item()

    return step


def dense_of(torch, layer):
    """A linear layer with our weights."""
    found = torch.nn.Linear(*layer.weight.shape, dtype=torch.tensor(layer.weight).dtype)
    with torch.no_grad():
        found.weight.copy_(torch.tensor(layer.weight.T))
        found.bias.copy_(torch.tensor(layer.bias))
    return found


def moons_of(torch, model, x):
    """Linear layers with relu between."""
    first, second, third = (dense_of(torch, layer) for layer in model)
    return [first, torch.nn.ReLU(), second, torch.nn.ReLU(), third], torch.tensor(x)


def lstm_of(torch, model, x):
    """`torch.nn.LSTM`, batch first, and a linear layer."""
    cells = model[0].cells
    found = torch.nn.LSTM(cells[0].features, cells[0].hidden, len(cells), batch_first=True)
    with torch.no_grad():
        for k, cell in enumerate(cells):
            for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
                getattr(found, f"{part}_l{k}").copy_(torch.tensor(getattr(cell, part).T))
    return [found, dense_of(torch, model[1])], torch.tensor(x)


def convolutional_of(torch, model, x):
    """`torch.nn.Conv2d`, channels first, as is fastest for it."""
    network = []
    for layer in (model[0], model[2]):
        height, width, inputs, outputs = layer.weight.shape
        found = torch.nn.Conv2d(inputs, outputs, (height, width), padding="same")
        with torch.no_grad():
            found.weight.copy_(torch.tensor(layer.weight.transpose(3, 2, 0, 1)))
            found.bias.copy_(torch.tensor(layer.bias))
        network += [found, torch.nn.ReLU(), torch.nn.MaxPool2d(2)]
    head = dense_of(torch, model[5])
    with torch.no_grad():  # channels last in ours, first in theirs
        last = model[5].weight.reshape(7, 7, 16, 10).transpose(2, 0, 1, 3).reshape(-1, 10)
        head.weight.copy_(torch.tensor(np.ascontiguousarray(last.T)))
    return [*network, torch.nn.Flatten(), head], torch.tensor(x.transpose(0, 3, 1, 2).copy())


NETWORKS = {"moons": moons_of, "LSTM": lstm_of, "convolutional": convolutional_of}


def by_autograd(name, model, x, y, rate):
    """NumPy as its users write it, and Adam on a list of arrays."""
    from autograd import value_and_grad

    weights, loss = PROGRAMS[name](model, x, y)
    value_and_gradient = value_and_grad(loss)
    first, second, count = [0.0 * w for w in weights], [0.0 * w for w in weights], 0

    def step():
        nonlocal weights, first, second, count
        count += 1
        value, bars = value_and_gradient(weights)
        first = [0.9 * m + 0.1 * g for m, g in zip(first, bars, strict=True)]
        second = [0.999 * v + 0.001 * g * g for v, g in zip(second, bars, strict=True)]
        one, two = 1 - 0.9**count, 1 - 0.999**count
        moments = zip(weights, first, second, strict=True)
        weights = [w - rate * (m / one) / (np.sqrt(v / two) + 1e-8) for w, m, v in moments]
        return float(value)

    return step


def cross_entropy(z, y):
    """Of logits, as a user writes it."""
    import autograd.numpy as anp

    z = z - anp.max(z, axis=1, keepdims=True)
    return -anp.sum(y * (z - anp.log(anp.sum(anp.exp(z), axis=1, keepdims=True)))) / len(y)


def moons_program(model, x, y):
    """Matrix products with relu between."""
    import autograd.numpy as anp

    def loss(weights):
        w1, b1, w2, b2, w3, b3 = weights
        h = anp.maximum(anp.maximum(x @ w1 + b1, 0) @ w2 + b2, 0)
        return cross_entropy(h @ w3 + b3, y)

    return [part for layer in model for part in (layer.weight, layer.bias)], loss


def lstm_program(model, x, y):
    """Step by step, with the inputs projected at once."""
    import autograd.numpy as anp

    def layer(x, w, u, b, c):
        projected, width = anp.dot(x, w) + (b + c), u.shape[0]
        h = cell = np.zeros((len(x), width), np.float32)
        outputs = []
        for t in range(50):
            gates = projected[:, t] + anp.dot(h, u)
            i, f = half(gates[:, :width]), half(gates[:, width : 2 * width])
            g, o = anp.tanh(gates[:, 2 * width : 3 * width]), half(gates[:, 3 * width :])
            cell = f * cell + i * g
            h = o * anp.tanh(cell)
            outputs.append(h)
        return anp.stack(outputs, axis=1)

    def half(a):
        return 0.5 * (anp.tanh(0.5 * a) + 1)

    def loss(weights):
        h = layer(layer(x, *weights[:4]), *weights[4:8])
        return anp.mean((anp.dot(h, weights[8]) + weights[9] - y) ** 2)

    parts = ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
    return [*(getattr(cell, part) for cell in model[0].cells for part in parts), model[1].weight, model[1].bias], loss


def convolutional_program(model, x, y):
    """A convolution is the sum of nine matrix products of shifted images, which is faster than `autograd.scipy`'s."""
    import autograd.numpy as anp

    def convolved(x, w, b):
        n, height, width, _ = x.shape
        padded = anp.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)), "constant")
        windows = [padded[:, i : i + height, j : j + width] for i in range(3) for j in range(3)]
        columns = anp.concatenate(windows, axis=-1)
        return anp.dot(columns, anp.reshape(w, (-1, w.shape[-1]))) + b

    def pooled(x):
        n, height, width, channels = x.shape
        return anp.max(anp.reshape(x, (n, height // 2, 2, width // 2, 2, channels)), axis=(2, 4))

    def loss(weights):
        w1, b1, w2, b2, w3, b3 = weights
        h = pooled(anp.maximum(convolved(x, w1, b1), 0))
        h = pooled(anp.maximum(convolved(h, w2, b2), 0))
        return cross_entropy(anp.dot(anp.reshape(h, (len(x), -1)), w3) + b3, y)

    return [part for layer in (model[0], model[2], model[5]) for part in (layer.weight, layer.bias)], loss


PROGRAMS = {"moons": moons_program, "LSTM": lstm_program, "convolutional": convolutional_program}
