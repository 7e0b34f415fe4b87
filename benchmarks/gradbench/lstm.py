"""The loss of a small recurrent network over a text; written with vectors, and in loops."""

import math

import numpy as np

import adjoint

from .problem import Function


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def objective(main, extra, state, sequence):
    """Written with vectors: each layer has its gates side by side in rows of `main`."""
    layers, b = len(state) // 2, state.shape[1]
    state = state.copy()
    total = 0.0
    for t in range(len(sequence) - 1):
        x = sequence[t] * extra[0]
        for k in range(layers):
            weight, bias = main[2 * k], main[2 * k + 1]
            forget = sigmoid(x * weight[:b] + bias[:b])
            ingate = sigmoid(state[2 * k] * weight[b : 2 * b] + bias[b : 2 * b])
            outgate = sigmoid(x * weight[2 * b : 3 * b] + bias[2 * b : 3 * b])
            change = np.tanh(state[2 * k] * weight[3 * b :] + bias[3 * b :])
            state[2 * k + 1] = state[2 * k + 1] * forget + ingate * change
            state[2 * k] = outgate * np.tanh(state[2 * k + 1])
            x = state[2 * k]
        prediction = x * extra[1] + extra[2]
        normal = math.log(np.sum(np.exp(prediction)) + 2.0)
        total += np.sum(sequence[t + 1] * (prediction - normal))
    return -total / ((len(sequence) - 1) * b)


def logistic(x):
    return 1.0 / (1.0 + math.exp(-x))


def objective_in_loops(main, extra, state, sequence):
    layers, b = len(state) // 2, state.shape[1]
    state = state.copy()
    x, prediction = np.zeros(b), np.zeros(b)
    total = 0.0
    for t in range(len(sequence) - 1):
        for i in range(b):
            x[i] = sequence[t, i] * extra[0, i]
        for k in range(layers):
            for i in range(b):
                hidden = state[2 * k, i]
                forget = logistic(x[i] * main[2 * k, i] + main[2 * k + 1, i])
                ingate = logistic(hidden * main[2 * k, b + i] + main[2 * k + 1, b + i])
                outgate = logistic(x[i] * main[2 * k, 2 * b + i] + main[2 * k + 1, 2 * b + i])
                change = math.tanh(hidden * main[2 * k, 3 * b + i] + main[2 * k + 1, 3 * b + i])
                cell = state[2 * k + 1, i] * forget + ingate * change
                state[2 * k + 1, i] = cell
                state[2 * k, i] = outgate * math.tanh(cell)
                x[i] = state[2 * k, i]
        normal = 2.0
        for i in range(b):
            prediction[i] = x[i] * extra[1, i] + extra[2, i]
            normal += math.exp(prediction[i])
        normal = math.log(normal)
        for i in range(b):
            total += sequence[t + 1, i] * (prediction[i] - normal)
    return -total / ((len(sequence) - 1) * b)


def read(given):
    return tuple(np.array(given[name], float) for name in ("main_params", "extra_params", "state", "sequence"))


def write(gradients):
    return np.concatenate([np.ravel(g) for g in gradients]).tolist()


FUNCTIONS = {
    "objective": Function(read, adjoint.compile(objective), float),
    "jacobian": Function(read, adjoint.grad(objective, (0, 1), compile=True), write),
    "objective_in_loops": Function(read, adjoint.compile(objective_in_loops), float),
    "jacobian_in_loops": Function(read, adjoint.grad(objective_in_loops, (0, 1), compile=True), write),
}
