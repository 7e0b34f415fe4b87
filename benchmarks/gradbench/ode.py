"""Runge and Kutta's method for a chain of products; written with vectors, and in loops."""

import numpy as np

import adjoint

from .problem import Function


def slopes(x, y):
    z = np.empty(len(x))
    z[0] = x[0]
    z[1:] = x[1:] * y[:-1]
    return z


def trajectory(x, s):
    """The state at time 2, after `s` steps from 0, with vectors."""
    y = np.zeros(len(x))
    h = 2.0 / s
    for _ in range(s):
        k1 = slopes(x, y)
        k2 = slopes(x, y + h / 2 * k1)
        k3 = slopes(x, y + h / 2 * k2)
        k4 = slopes(x, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
    return y


def last(x, s):
    return trajectory(x, s)[-1]


def slopes_in_loops(x, y, z):
    z[0] = x[0]
    for i in range(1, len(x)):
        z[i] = x[i] * y[i - 1]


def last_in_loops(x, s):
    n = len(x)
    y, at = np.zeros(n), np.zeros(n)
    k1, k2, k3, k4 = np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n)
    h = 2.0 / s
    for _ in range(s):
        slopes_in_loops(x, y, k1)
        for i in range(n):
            at[i] = y[i] + h / 2 * k1[i]
        slopes_in_loops(x, at, k2)
        for i in range(n):
            at[i] = y[i] + h / 2 * k2[i]
        slopes_in_loops(x, at, k3)
        for i in range(n):
            at[i] = y[i] + h * k3[i]
        slopes_in_loops(x, at, k4)
        for i in range(n):
            y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i])
    return y[n - 1]


def read(given):
    return np.array(given["x"], float), int(given["s"])


FUNCTIONS = {
    "primal": Function(read, adjoint.compile(trajectory), np.ndarray.tolist),
    "gradient": Function(read, adjoint.grad(last, compile=True), np.ndarray.tolist),
    "gradient_in_loops": Function(read, adjoint.grad(last_in_loops, compile=True), np.ndarray.tolist),
}
