"""Programs whose compiled form once gave something else than the plain program."""

from __future__ import annotations

import numpy as np

G = np.ones(3)


def stores_into_a_global(x):
    G[0] = x[0] * 2
    return np.sum(G) * x[1]


def filled_with_an_array(x):
    return np.sum(np.full_like(x, x) * np.full((2, len(x)), x) * np.full(len(x), 2.0))


def unread_index_out_of_bounds(x):
    y = x[np.array([0, 9])]
    return x[0] * len(y)


def negative_length(x):
    a = np.ones(len(x) - 6)
    return len(a) * x[0]


def negative_length_of_a_list(x, n):
    return x[0] * len([0.0] * n)


def integer_or_float(x, n):
    v = n if x[0] > 0 else 0.5
    return x[0] * (v - 2**60)


def integer_carried_as_float(x, n):
    v = 0.5
    for i in range(len(x)):
        v = n + i if x[i] > 0 else v
    return x[0] * (v - 2**60)
