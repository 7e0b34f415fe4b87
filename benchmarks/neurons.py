"""A small network whose neurons are objects with lists of floats, beside an engine of scalars that records them."""

from __future__ import annotations

from measure import Table, medians  # before NumPy: it sets the number of threads

import math  # isort: skip
import random

from adjoint import gradient, withgradient

ROUNDS = 9
SAMPLES, WIDTHS = 20, (2, 16, 16, 1)


class Neuron:
    """tanh(Σ wᵢ xᵢ + b), or without the tanh."""

    def __init__(self, weights, bias, bends):
        self.weights = weights
        self.bias = bias
        self.bends = bends

    def __call__(self, inputs):
        total = self.bias
        for w, x in zip(self.weights, inputs, strict=True):
            total = total + w * x
        return tanh(total) if self.bends else total


class Layer:
    """Neurons side by side."""

    def __init__(self, neurons):
        self.neurons = neurons

    def __call__(self, inputs):
        return [neuron(inputs) for neuron in self.neurons]


class Network:
    """Layers one after the other."""

    def __init__(self, layers):
        self.layers = layers

    def __call__(self, inputs):
        for layer in self.layers:
            inputs = layer(inputs)
        return inputs


def tanh(x):
    """Of a number, or of a `Number`."""
    return math.tanh(x) if isinstance(x, float) else x.tanh()


def loss(network, points, labels):
    """The mean squared error."""
    total = 0.0
    for point, label in zip(points, labels, strict=True):
        error = network(point)[0] - label
        total = total + error * error
    return total / len(points)


def by_hand(network, points, labels):
    """Value and gradient as one would write them for these classes: each layer as it runs, then the way back."""
    bars = [[[[0.0] * len(neuron.weights), 0.0] for neuron in layer.neurons] for layer in network.layers]
    total = 0.0
    for point, label in zip(points, labels, strict=True):
        kept = [point]
        for layer in network.layers:
            kept.append(layer(kept[-1]))
        error = kept[-1][0] - label
        total += error * error
        out_bars = [2.0 * error / len(points)]
        for layer, layer_bars, inputs, outputs in zip(
            network.layers[::-1], bars[::-1], kept[-2::-1], kept[:0:-1], strict=True
        ):
            in_bars = [0.0] * len(inputs)
            for neuron, own, y, y_bar in zip(layer.neurons, layer_bars, outputs, out_bars, strict=True):
                bar = y_bar * (1.0 - y * y) if neuron.bends else y_bar
                weight_bars, weights = own[0], neuron.weights
                own[1] += bar
                for i, x in enumerate(inputs):
                    weight_bars[i] += bar * x
                    in_bars[i] += bar * weights[i]
            out_bars = in_bars
    return total / len(points), bars


# ---- the rival


class Number:
    """A number that remembers what it was made of, and with which partial derivatives."""

    __slots__ = ("bar", "parts", "value")

    def __init__(self, value, parts=()):
        self.value = value
        self.parts = parts
        self.bar = 0.0

    def __add__(self, other):
        if not isinstance(other, Number):
            return Number(self.value + other, ((self, 1.0),))
        return Number(self.value + other.value, ((self, 1.0), (other, 1.0)))

    def __mul__(self, other):
        if not isinstance(other, Number):
            return Number(self.value * other, ((self, other),))
        return Number(self.value * other.value, ((self, other.value), (other, self.value)))

    __radd__, __rmul__ = __add__, __mul__

    def __sub__(self, other):
        return self + other * -1.0

    def __truediv__(self, other):
        return self * (1.0 / other)

    def tanh(self):
        """Its hyperbolic tangent."""
        y = math.tanh(self.value)
        return Number(y, ((self, 1.0 - y * y),))

    def backward(self):
        """Leave in `bar` of all that this was made of the derivative by it."""
        order, seen = [], set()
        todo = [(self, False)]
        while todo:
            x, left = todo.pop()
            if left:
                order.append(x)
            elif x not in seen:
                seen.add(x)
                todo.append((x, True))
                todo += [(part, False) for part, _ in x.parts]
        self.bar = 1.0
        for x in reversed(order):
            for part, partial in x.parts:
                part.bar += partial * x.bar


def network(number=float):
    """The network, of numbers of this kind."""
    draw = random.Random(1)
    layers = [
        Layer([
            Neuron([number(draw.uniform(-1, 1)) for _ in range(width)], number(0.0), last < len(WIDTHS) - 2)
            for _ in range(WIDTHS[last + 1])
        ])
        for last, width in enumerate(WIDTHS[:-1])
    ]  # fmt: skip
    return Network(layers)


def by_engine(model, points, labels):
    """The loss by the engine, which leaves its gradient in the parameters."""
    for layer in model.layers:
        for neuron in layer.neurons:
            for parameter in (*neuron.weights, neuron.bias):
                parameter.bar = 0.0
    found = loss(model, points, labels)
    found.backward()
    return found.value


def main() -> int:
    """Measure, write the table, and say whether all limits hold."""
    draw = random.Random(2)
    points = [[draw.uniform(-1, 1), draw.uniform(-1, 1)] for _ in range(SAMPLES)]
    labels = [1.0 if a * b > 0 else -1.0 for a, b in points]
    ours, theirs = network(), network(Number)

    def of_model(model):
        return loss(model, points, labels)

    for _ in range(5):
        value, (bars,) = withgradient(of_model, ours)
    assert math.isclose(value, by_engine(theirs, points, labels), rel_tol=1e-12)
    for layer, layer_bar in zip(theirs.layers, bars.layers, strict=True):
        for neuron, bar in zip(layer.neurons, layer_bar.neurons, strict=True):
            found, expected = [*bar.weights, bar.bias], [p.bar for p in (*neuron.weights, neuron.bias)]
            assert all([math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12) for a, b in zip(found, expected, strict=True)])
    assert math.isclose(by_hand(ours, points, labels)[1][0][0][1], bars.layers[0].neurons[0].bias, rel_tol=1e-9)
    t = medians(
        ROUNDS,
        0.05,
        plain=lambda: of_model(ours),
        gradient=lambda: gradient(of_model, ours),
        engine=lambda: by_engine(theirs, points, labels),
        hand=lambda: by_hand(ours, points, labels),
    )
    table = Table(
        "neurons",
        "A network of neurons that are objects",
        f"One loss and gradient: {SAMPLES} points, {'-'.join(map(str, WIDTHS))}, each neuron an object with a list of "
        f"floats; medians of {ROUNDS} rounds in which all take turns. The engine of scalars stands in the benchmark.",
    )
    table.at_most("gradient / plain loss", t["gradient"] / t["plain"], 10.0)
    table.at_least("engine of scalars / gradient", t["engine"] / t["gradient"], 10.0)
    table.report("by hand / plain loss", t["hand"] / t["plain"])
    table.report("plain loss", t["plain"] * 1e6, " µs")
    table.report("gradient", t["gradient"] * 1e6, " µs")
    table.report("engine of scalars / plain loss", t["engine"] / t["plain"])
    return 0 if table.write() else 1


if __name__ == "__main__":
    raise SystemExit(main())
