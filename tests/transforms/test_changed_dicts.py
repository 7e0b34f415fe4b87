"""Dicts that a program makes and changes by their methods, with keys that only the run shows."""

from __future__ import annotations

import collections
import math
from collections import Counter, defaultdict
from typing import Any

import pytest

from adjoint import gradient, withgradient
from adjoint.calculus import pushforward
from adjoint.derivatives.choice import is_structured_call
from adjoint.testing import check_gradient


def set_defaults(x, y):
    d, total = {}, 0.0
    for i in range(7):
        total += d.setdefault(i * 5 % 3, math.sin(x * i)) * y
        d[i * 5 % 3] *= y
    return total + sum(d.values())


def set_default_of_a_text(x, y):
    d = {"a": x}
    d.setdefault("a", y)
    d.setdefault("b", y * x)
    return d["a"] * d["b"] * len(d)


def of_floats(x, y):
    d = defaultdict(float)
    for i in range(7):
        d[i * 5 % 3] += math.sin(x * i) * y
    return sum(d.values()) + d[2] * d[1] + d[99] * x


def of_ints(x, y):
    d, total = defaultdict(int), 0.0
    for i in range(7):
        d[i % 3] += x * i
        d[7] += 1
        total += d[i % 4] * y
    return total + d[7] * x


def missing_items_are_made(x, y):
    d = collections.defaultdict(float)
    for i in range(4):
        d[i] += x * y
        d[i + 10]
        y = y + d[i + 3] * len(d)
    return y * len(d) + (x if 12 in d else 0.0)


def run_through(x, y):
    d, total = defaultdict(float), 0.0
    for i in range(7):
        d[i * 5 % 3] += math.sin(x * i) * y
    for k, v in d.items():
        total += v * v * k
    for k in d:
        total += d[k] * x
    return total


def counted(x, y):
    c = Counter()
    for i in range(7):
        c[i * 5 % 3] += math.sin(x * i) * y
        y = y + c[17] * 0.5 + c[i] * 0.1
    return sum(c.values()) * y + len(c)


def updated(x, y):
    d, total = {"a": x}, 0.0
    for i in range(4):
        d.update({"b": d["a"] * y, "a": math.sin(d["a"] + i)})
        total += d["b"]
    return total * d["a"]


def popped(x, y):
    d, total = {}, 0.0
    for i in range(7):
        d[i] = math.sin(x * i) * y
        if i >= 2:
            total += d.pop(i - 2) * y * d[i]
    return total + sum(d.values())


def popped_or_not(x, y):
    d, total = {0: x, 3: y}, 0.0
    for i in range(5):
        total += d.pop(i, x * i) * y
        if i == 1:
            d[4] = total
    return total * len(d) + total


def deleted(x, y):
    d = defaultdict(float)
    for i in range(6):
        d[i % 2] += x * i
        y = y + d[i % 2] * x
        if i % 3 == 2:
            del d[i % 2]
            y = y * (1.0 + d[i % 2])
    return y


def cleared(x, y):
    d, total = {}, 0.0
    for i in range(7):
        d[i % 3] = d.get(i % 3, y) * x
        if i == 4:
            total += sum(d.values())
            d.clear()
    return total + d[0] * d[2]


def counted_in_an_inner_function(x, y):
    seen = defaultdict(float)

    def add(k, v):
        seen[k] += v * y

    for i in range(5):
        add(i % 2, x * i)
    return seen[0] * seen[1]


class Tally:
    def __init__(self):
        self.counts = defaultdict(float)

    def add(self, key, value):
        self.counts[key] += value

    def take(self, key):
        return self.counts.pop(key)


def in_an_object(x, y):
    tally = Tally()
    for i in range(5):
        tally.add(i % 2, x * i * y)
    return tally.take(0) * tally.take(1) + len(tally.counts)


def of_pairs(x, y):
    d, total = {}, 0.0
    for i in range(5):
        a, b = d.get(i % 2, (x, y))
        d[i % 2] = (a * b, b + x)
        total += a * i
        if i == 3:
            a, b = d.pop(1)
            total += a * b
    return total


PROGRAMS = [f for f in list(globals().values()) if getattr(f, "__module__", "") == __name__ and not isinstance(f, type)]
POINTS = [(1.5, 0.7), (0.3, 1.1)]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_programs(f: Any) -> None:
    x, y = POINTS[0]
    for x, y in POINTS:
        for _ in range(3):
            value, bars = withgradient(f, x, y)
            assert (type(value), repr(value)) == (type(f(x, y)), repr(f(x, y)))
    check_gradient(f, x, y)
    assert pushforward(f, (x, y), (1.0, -2.0))[1] == pytest.approx((bars[0] or 0.0) - 2.0 * (bars[1] or 0.0))
    h = 1e-5
    second = gradient(lambda x: gradient(f, x, y)[0] or 0.0, x)[0]
    slope = ((gradient(f, x + h, y)[0] or 0.0) - (gradient(f, x - h, y)[0] or 0.0)) / (2 * h)
    assert (second or 0.0) == pytest.approx(slope, rel=1e-5, abs=1e-4)
    assert is_structured_call(f, POINTS[0])


def stored_while_it_is_run_through(x, y):
    params, speed = {"w": x, "b": y}, {"w": 0.0, "b": 0.0}
    for _ in range(3):
        slopes = {"w": 2.0 * params["w"] + params["b"], "b": params["w"] * params["b"]}
        for k in params:
            speed[k] = 0.9 * speed[k] - 0.1 * slopes[k]
            params[k] += speed[k]
    return params["w"] * params["b"]


def test_a_dict_that_is_stored_into_while_a_loop_runs_through_it() -> None:
    test_programs(stored_while_it_is_run_through)

    def grows(x, y):
        d = {"a": x}
        for k in d:
            d[k + "b"] = d[k] * y
        return sum(d.values())

    for _ in range(2):
        with pytest.raises(RuntimeError, match="changed size"):
            gradient(grows, 1.5, 0.7)
