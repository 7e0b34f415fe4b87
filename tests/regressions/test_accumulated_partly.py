"""`itertools.accumulate` from which something is taken before the rest is run through."""

from __future__ import annotations

from itertools import accumulate

import numpy as np
import pytest

from .differences import check


def rest(x):
    r = accumulate([x, 2 * x, 4 * x])
    next(r)
    return sum(v * v for v in r)


def times_rest(x):
    r = accumulate([x, 2 * x, 4 * x])
    a = next(r)
    return a * sum(v for v in r)


def largest(x):
    r = accumulate([x, 2 * x, 4 * x])
    next(r)
    return max(v * v for v in r)


def chosen(x):
    r = accumulate([x, 2 * x, 4 * x])
    next(r)
    return sum([v * v for v in r if v > 4])


def twice(x):
    r = accumulate([x, 2 * x, 4 * x])
    next(r)
    a = sum(v * v for v in r)
    return a + sum(v for v in r)


def within(x):
    xs = [x, 2 * x, 4 * x]
    r = accumulate(xs)
    next(r)
    return sum(v * w for w in xs for v in r)


def left(x):
    r = accumulate([x, 2 * x, 4 * x])
    next(r)
    for v in r:  # noqa: B007
        break
    return v + sum(v * v for v in r)


def handed_on(x):
    def squares(r):
        return sum(v * v for v in r)

    r = accumulate((x, 2 * x, 4 * x))
    next(r)
    return squares(r) + squares(r)


def of_view(x):
    r = accumulate({"a": x, "b": 2 * x, "c": 3 * x}.values())
    next(r)
    return sum(v * v for v in r)


def looped_view(x):
    t = 0.0
    for v in accumulate({"a": x, "b": 2 * x}.values()):
        t = t * 2 + v * v
    return t


def of_array(x):
    r = accumulate(np.array([x, 2 * x, 4 * x]))
    next(r)
    return sum(v * v for v in r)


def in_body(x):
    r, t = accumulate([x, 2 * x, 4 * x]), 0.0
    for v in r:
        t += v * next(r, 1.0)
    return t


class Run:
    def __init__(self, x):
        self.sums = accumulate([x, 2 * x, 4 * x])

    def rest(self):
        next(self.sums)
        return sum(v * v for v in self.sums)


def field(x):
    return Run(x).rest()


def broken_off(x):
    xs, t = [x * i for i in range(5)], 0.0
    for v in accumulate(xs):
        if v > 3:
            break
        t += v * v
    return t


def stored_meanwhile(x):
    def put(xs, v):
        xs[4] = v * xs[0] + v

    xs, t = [x * i for i in range(5)], 0.0
    for v in accumulate(xs):
        put(xs, v)
        t += v * v
    return t


def stored_before(x):
    xs, t = [x * i for i in range(5)], 0.0
    sums = accumulate(xs)
    xs[2] = x**3
    for v in sums:
        t += v * v
    return t


def grown(x):
    xs, rows, t = [x * i for i in range(5)], {}, 0.0
    rows["xs"] = xs
    for v in accumulate(xs):
        if len(xs) < 8:
            rows["xs"].append(v)
        t += v * v
    return t


PROGRAMS = [rest, times_rest, largest, chosen, twice, within, left, handed_on, of_view, looped_view, of_array]
PROGRAMS += [in_body, field, broken_off, stored_meanwhile, stored_before, grown]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_against_differences(f):
    for _ in range(3):
        check(f, 1.3, order=2)
