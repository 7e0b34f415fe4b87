"""Least squares of a polynomial."""

import numpy as np

import adjoint

from .problem import Function


def primal(x, n):
    """Half the sum over n points in [-1, 1] of the squares of sign(t) - Σ xⱼ tʲ."""
    found = 0.0
    for i in range(n):
        t = -1.0 + i * 2.0 / (n - 1.0)
        power = 1.0
        value = 1.0 if t > 0 else -1.0 if t < 0 else 0.0
        for j in range(len(x)):
            value -= x[j] * power
            power *= t
        found += value * value
    return found / 2.0


def read(given):
    return np.array(given["x"], float), int(given["n"])


FUNCTIONS = {
    "primal": Function(read, adjoint.compile(primal), float),
    "gradient": Function(read, adjoint.grad(primal, compile=True), np.ndarray.tolist),
}
