"""`product`, `combinations` and their like take their items at the call: a store after it does not reach them."""

from __future__ import annotations

from collections import deque
from itertools import combinations, combinations_with_replacement, cycle, islice, permutations, product

import numpy as np
import pytest

from .differences import check


def stored(xs):
    c = combinations(xs, 2)
    xs[0] = xs[0] * 2
    return sum(a * b for a, b in c)


def appended(xs):
    made = [v * 2 for v in xs]
    p = product(made, made)
    made.append(xs[0])
    return sum(a * b * b for a, b in p)


def repeated(xs):
    p = product(enumerate(xs), repeat=2)
    xs.append(xs[0])
    return sum(a[1] * b[1] ** 2 for a, b in p)


def of_generator(xs):
    c = combinations((v * v for v in xs), 2)
    xs[0] = xs[0] * 2
    return sum(a * b * b for a, b in c)


def used_up(xs):
    g = (v * v for v in xs)
    c = combinations_with_replacement(g, 2)
    return sum(g) + sum(a * b * b for a, b in c)


def of_deque(xs):
    q = deque(xs)
    c = permutations(q, 2)
    q.appendleft(q[0] * 3)
    return sum(a * b * b for a, b in c) + sum(q)


def of_view(xs):
    d = dict(enumerate(xs))
    c = product(d.values(), repeat=2)
    d[9] = xs[0]
    return sum(a * b * b for a, b in c)


def of_map(xs):
    m = map(lambda v: v * v, xs)
    c = product(m, xs)
    xs[0] = 9.0
    return sum(a * b * b for a, b in c) + sum(m)


def cleared(xs):
    c = permutations(xs, 2)
    xs.sort(reverse=True)
    xs.clear()
    return sum(a * b * b for a, b in c)


def held(xs):
    found = {"pairs": product(xs, xs)}
    xs.append(xs[1] * 2)
    return sum(a * b * b for a, b in found["pairs"])


def rows(xs):
    made = [[v] for v in xs]
    c = combinations(made, 2)
    made[0] = [9.0]
    made[1][0] = xs[0] * 5  # a row itself is shared
    return sum(a[0] * b[0] ** 2 for a, b in c)


def of_array(xs):
    x = np.array(xs)
    c = permutations(x, 2)
    x *= 2
    return sum(a * b * b for a, b in c) + x[0]


def in_loop(xs):
    made, t = [v * 2 for v in xs], 0.0
    for a, b in combinations(made, 2):
        made[0] = made[0] * a
        t += a * b * b
    return t + made[0]


def from_function(xs):
    def pairs(items):
        return combinations(items, 2)

    made = [v * 2 for v in xs]
    c = pairs(made)
    made[0] = made[1] * 3
    return sum(a * b * b for a, b in c)


def late(xs):
    c = cycle(xs)
    a = next(c)
    xs[1] = xs[0] * xs[0]  # `cycle` reads late, as in Python
    return a + sum(islice(c, 4))


PROGRAMS = [stored, appended, repeated, of_generator, used_up, of_deque, of_view, of_map, cleared, held, rows, of_array]


@pytest.mark.parametrize("f", [*PROGRAMS, in_loop, from_function, late], ids=lambda f: f.__name__)
def test_against_differences(f):
    for _ in range(2):
        check(f, [1.3, 0.7, 2.1])


def test_an_error_of_a_pool_comes_at_the_call():
    def f(x):
        def failing():
            yield x
            raise KeyError("pool")

        t = 1.0
        try:
            c = product(failing(), [x])
            t = 2.0
        except KeyError:
            return x * x * t
        return sum(a * b for a, b in c)

    check(f, 1.3)
