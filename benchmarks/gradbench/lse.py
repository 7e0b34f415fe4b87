"""The logarithm of a sum of exponentials."""

import numpy as np

import adjoint

from .problem import Function


def primal(x):
    largest = np.max(x)
    return np.log(np.sum(np.exp(x - largest))) + largest


def read(given):
    return (np.array(given["x"], float),)


FUNCTIONS = {
    "primal": Function(read, adjoint.compile(primal), float),
    "gradient": Function(read, adjoint.grad(primal, compile=True), np.ndarray.tolist),
}
