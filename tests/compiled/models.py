"""Programs with objects that are called, products of matrices, axes in another order, and what they raise."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from adjoint.nn import Chain, Dense, logit_cross_entropy, mse, relu

RNG = np.random.default_rng(0)


@dataclass
class Layer:
    weight: Any
    activation: Callable[[Any], Any]

    def __call__(self, x):
        return self.activation(x @ self.weight)


class Scaled:
    def __init__(self, layers, factor):
        self.layers = layers
        self.factor = factor

    def __call__(self, x, power=1.0):
        for layer in self.layers:
            x = layer(x)
        return x * self.factor**power


def of_layers(model, x):
    return np.sum(model(x) * model(x, power=2.0))


def of_network(model, x, y):
    return logit_cross_entropy(model(x), y)


def of_squares(model, x, y):
    return mse(model(x), y)


def products(a, b):
    return np.sum((a @ b) ** 2) + np.sum(b.T @ a.T @ a)


def product_within(a, b):
    total = 0.0
    for k in range(3):
        c = a @ b * (k + 1.0)
        total += np.sum(np.tanh(c @ c.T))
    return total


def turned(a):
    b = np.swapaxes(a, 0, 1)
    c = np.moveaxis(a, 0, -1)
    d = np.transpose(a, (1, 0))
    return np.sum(b * c * d * np.array([1.0, 2.0])) + a.swapaxes(1, 0)[0, 1] + float(np.ndim(a)) * np.shape(a)[0]


def raising(x):
    if np.sum(x) < 0:
        raise ValueError(f"negative: {np.sum(x):.1f}")
    assert len(x) > 1, "too short"
    s = 0.0
    for i in range(len(x)):
        if x[i] > 100.0:
            place = {"i": i}
            raise ArithmeticError("large at " + str(place["i"]))
        elif x[i] > 50.0:
            t = 2.0
        else:
            t = 1.0
        s += x[i] * x[i] * t
    return s


def checked_by_a_function(x):
    must_be_positive(x)
    return np.sum(np.log(x))


def must_be_positive(x):
    for i in range(len(x)):
        if not x[i] > 0.0:
            raise ValueError("not positive: " + str(x[i]))


NETWORK = Chain(Dense(2, 3, np.tanh, rng=RNG), Dense(3, 2, relu, rng=RNG))
A, B = RNG.normal(size=(4, 3)), RNG.normal(size=(3, 2))
X, Y = RNG.normal(size=(5, 2)), np.eye(2)[[0, 1, 1, 0, 1]]

PROGRAMS = {
    of_layers: (Scaled((Layer(A, np.tanh), Layer(B, np.sin)), 1.5), RNG.normal(size=(2, 4))),
    of_network: (NETWORK, X, Y),
    of_squares: (NETWORK, X, Y),
    products: (A, B),
    product_within: (A, B),
    turned: (A[:2, :2],),
    raising: (np.array([1.0, 60.0, -3.0]),),
    checked_by_a_function: (np.array([1.0, 0.5]),),
}
RAISING = [
    (raising, np.array([1.0, -2.0])),
    (raising, np.array([1.0])),
    (raising, np.array([1.0, 200.0])),
    (checked_by_a_function, np.array([1.0, -0.5])),
]
