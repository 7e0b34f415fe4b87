"""Programs whose variables are bound on some paths only, with arrays for which they are, and for which they are not."""

from __future__ import annotations

import numpy as np


def bound_by_rounds(x):
    for v in x:
        y = v * 2.0
    return y


def bound_by_a_branch(x):
    if x[0] > 0.5:
        y = x[-1]
    if x[-1] > 0.5:
        return y * 2.0
    return 1.0 + x[0]


def returned_from_a_loop(x):
    for i in range(len(x)):
        if x[i] > 0.5:
            return x[i] * 2.0
    return 1.0 + x[0]


def returned_from_nested_loops(x):
    for i in range(len(x)):
        for j in range(i):
            if x[j] > x[i]:
                return x[j] * x[i], i
    return x[0] * x[0], -1


def tuple_returned(x):
    y, k = returned_from_nested_loops(x)
    return y * (k + 2)


def returned_from_a_while(x):
    k = 0
    while k < len(x):
        if x[k] > 0.5:
            return np.sin(x[k]) * k
        k += 1
    return x[0]


def found_or_else(x):
    for i in range(len(x)):
        t = x[i] * 2.0
        for j in range(i):
            if x[j] > x[i]:
                s = x[j] * t
                break
        else:
            s = t
        t = s + t
    return t * s


def integer_of_a_round(x):
    for i in range(len(x)):
        if x[i] > 0.5:
            best = i
    return x[best] ** 2


def widened(x):
    for i in range(len(x)):
        if i == 0:
            y = 1
        y = y * x[i]
    return y + x[0]


def tuple_carried_to_a_break(x):
    p = (0.0, 1.0)
    n = 0
    for v in x:
        p = (p[0] + v, p[1] * v)
        n += 1
        if v > 0.5:
            break
    return p[0] * p[1] * n


def list_carried_to_a_break(x):
    p = [0.0, 1.0]
    k = 0
    while k < len(x):
        p[0] += x[k]
        p = [p[1], p[0] * x[k]]
        k += 1
        if x[k - 1] > 0.5:
            break
    return p[0] * p[1] * k


def skipped(x):
    total = 0.0
    for v in x:
        if v > 0.5:
            continue
        last = v
        total += last * v
    return total * last


PROGRAMS = [
    bound_by_rounds, bound_by_a_branch, returned_from_a_loop, tuple_returned, returned_from_a_while, found_or_else,
    integer_of_a_round, widened, tuple_carried_to_a_break, list_carried_to_a_break, skipped,
]  # fmt: skip
ARRAYS = [
    np.array(values)
    for values in (
        [0.1, 0.2, 0.7],
        [],
        [0.9, 0.7],
        [0.1, 0.7],
        [0.3, 0.2],
        [0.7, 0.6, 0.8, 0.1],
        [0.2, 0.1, 0.3, 0.2, 0.9],
    )
]
