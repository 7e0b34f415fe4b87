"""Views of dicts that are run through from their end, or by `__iter__` spelled out."""

from __future__ import annotations

from collections import OrderedDict
from itertools import accumulate

import numpy as np
import pytest

from .differences import check


def summed(x):
    return sum(reversed({"a": x, "b": x * x}.values()))


def looped(x):
    d, t = {"a": x, "b": x * x}, 0.0
    for v in reversed(d.values()):
        t = t * 2 + v
    return t


def first(x):
    return next(reversed({"a": x, "b": x * x}.values()))


def rest(x):
    r = reversed({"a": x, "b": x * x, "c": 3 * x}.values())
    return next(r) * 3 + sum(v * v for v in r)


def zipped(x):
    return sum(v * k for v, k in zip([1.0, 2.0], reversed({"a": x, "b": x * x}.values()), strict=True))


def numbered(x):
    return sum(v * i for i, v in enumerate(reversed({"a": x, "b": x * x}.values()), 1))


def pairs(x):
    return [v * 2 for _, v in reversed({"a": x, "b": x * x}.items())][0]


def ordered(x):
    d = OrderedDict(a=x, b=x * x)
    d.move_to_end("a")
    return sum(v * i for i, (_, v) in enumerate(reversed(d.items()), 1)) + list(reversed(d.values()))[0]


def stored_meanwhile(x):
    d, t = {"a": x, "b": 2 * x * x}, 0.0
    for v in reversed(d.values()):
        t += v
        d["a"] = t
    return d["a"] * t


def stored_before(x):
    d = {"a": x, "b": 2 * x * x}
    r = reversed(d.items())
    d["a"] = x**3
    return sum(v * i for i, (_, v) in enumerate(r, 1))


def rows(x):
    d = {"a": [x, 2 * x], "b": [x * x, x]}
    for row in reversed(d.values()):
        row[0] = row[1] * 3
    return d["a"][0] * d["b"][0]


def accumulated(x):
    return [v * v for v in accumulate(reversed({"a": x, "b": x * x}.values()))][1]


def spelled_out(x):
    d = {"a": x, "b": x * x}
    return sum(d.values().__iter__()) + sum(v * i for i, v in enumerate(d.values().__reversed__()))


def spelled_out_pairs(x):
    d = OrderedDict(a=x, b=x * x)
    return next(d.items().__iter__())[1] * next(d.items().__reversed__())[1] + next(d.values().__iter__())


def weights(x):
    w = {"a": 2.0, "b": 3.0}
    return sum(v * k for v, k in zip([x, x * x], reversed(w.values()), strict=True))


def keys(x):
    d = {"a": x, "b": x * x}
    return sum(d[k] * i for i, k in enumerate(reversed(d))) + d[next(reversed(d.keys()))]


class Bank:
    def __init__(self, x):
        self.accounts = {"a": 2 * x, "b": x * x}

    def back(self):
        return sum(v * i for i, v in enumerate(reversed(self.accounts.values()), 1))


def field(x):
    return Bank(x).back()


def recorded(x):
    out = np.zeros(2)
    d = {"a": x, "b": x * x}
    for i, v in enumerate(reversed(d.values())):
        np.add.at(out, i, v)
    q = [next(reversed(d.values()))]
    q.sort()
    return out[0] * 3 + out[1] + q.pop()


PROGRAMS = [summed, looped, first, rest, zipped, numbered, pairs, ordered, stored_meanwhile, stored_before, rows]
PROGRAMS += [accumulated, spelled_out, spelled_out_pairs, weights, keys, field, recorded]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_against_differences(f):
    for _ in range(3):
        check(f, 1.3, order=2)


def test_argument():
    check(lambda d: sum(v * i for i, v in enumerate(reversed(d.values()), 1)), {"a": 1.0, "b": 2.0})
    check(lambda d: next(reversed(d.items()))[1] ** 2, {"a": 1.0, "b": 2.0})
