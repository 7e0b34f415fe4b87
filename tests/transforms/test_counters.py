"""Counters and dicts with a default that a program makes: what their own methods and operators do is no dict's."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import pytest

from adjoint import withgradient
from adjoint.calculus import pushforward


def greatest(x, y):
    c = Counter()
    c["a"] += x
    c["b"] += y
    return max(c.values()) * x


def most_common(x, y):
    c = Counter()
    c["a"] += x
    c["b"] += y
    return c.most_common(1)[0][1] * x


def added(x, y):
    c = Counter()
    c["a"] += x
    c["b"] += y
    d = c + c
    return d["a"] * x


def totalled(x, y):
    c = Counter()
    c["a"] += x
    c["b"] += y
    return c.total() * x


def place_of_the_greatest(x, y):
    c = defaultdict(float)
    c[1] += x
    c[2] += y
    return c[max(c, key=c.get)] * x


def in_order(x, y):
    c = defaultdict(float)
    c[1] += x
    c[2] += y
    return sum(v * k for k, v in sorted(c.items()))


def updated(x, y):
    c = defaultdict(float)
    c[1] += x
    d = {1: y, 3: x}
    c.update(d)
    return sum(c.values()) * c[1]


def updated_by_a_counter(x, y):
    c = Counter()
    c[1] += x
    d = Counter()
    d[1] = y
    c.update(d)
    return c[1] * x


def lessened(x, y):
    c = Counter()
    c[1] += x
    d = Counter()
    d[1] = y
    c -= d
    return c[1] * x


def with_a_function(x, y):
    c = defaultdict(lambda: 1.0)
    c[1] += x
    return c[1] * c[2] * y


def of_integers(x, y):
    c = defaultdict(int)
    c[1] += x
    return c[1] * x + c[2]


def with_items(x, y):
    c = defaultdict(float, {1: x})
    c[1] += x
    return c[1] * x + c[2]


def counted_items(x, y):
    c = Counter({1: x})
    c[1] += x
    return c[1] * x + c[2]


def compared(x, y):
    c = Counter()
    c[1] += x
    return (x if c == Counter({1: x}) else y) + c.pop(1)


def any_item(x, y):
    c = defaultdict(float)
    c[1] += x
    k, v = c.popitem()
    return v * y + len(c)


def filled_by_keys(x, y):
    c = defaultdict(float)
    c[1] += x
    for k in list(c):
        c[k + 1] += c[k] * y
    return sum(c.values())


def by_two_names(x, y):
    c = defaultdict(float)
    c[1] += x
    e = c
    e[2] += y
    return sum(c.values()) * c[2]


def handed_on(x, y):
    c = defaultdict(float)
    c[1] += x

    def h(d):
        d[2] += y
        return d[1]

    return h(c) * c[2]


def asked_for_its_class(x, y):
    c = Counter()
    c[1] += x
    return x if isinstance(c, dict) else y


def deleted(x, y):
    c = defaultdict(float)
    c[1] += x
    del c[1]
    return len(c) * x + c[1] + y * len(c)


def asked_for(x, y):
    c = defaultdict(float)
    c[1] += x
    v = c.get(2)
    w = c.setdefault(3, y)
    return x if v is None else w * c[3]


def deleted_though_not_there(x, y):
    c = Counter()
    c[1] += x
    c[2] = c[3]
    del c[7]
    return c[2] * x + len(c) * y


def updated_by_a_dict(x, y):
    c = Counter()
    c[1] += x
    c.update({1: y})
    return c[1] * x


def updated_by_a_display(x, y):
    c = Counter()
    c["a"] += x
    c.update({"a": y})
    return c["a"] * x


def joined(x, y):
    c = Counter()
    c["a"] += x
    d = Counter()
    d["a"] = y
    e = c | d
    return e["a"] * x


def met(x, y):
    c = Counter()
    c["a"] += x
    d = Counter()
    d["a"] = y
    e = c & d
    return e["a"] * x


def joined_in_place(x, y):
    c = Counter()
    c["a"] += x
    d = Counter()
    d["a"] = y
    c |= d
    return c["a"] * x


def updated_by_keywords(x, y):
    c = Counter()
    c["a"] += x
    c.update(a=y)
    return c["a"] * x


def subtracted(x, y):
    c = Counter()
    c["a"] += x
    c.subtract({"a": y})
    return c["a"] * x


def copied_into_a_dict(x, y):
    c = Counter()
    c["a"] += x
    d = {**c}
    d["a"] += y
    return d["a"] * c["a"]


def put_into_a_dict(x, y):
    c = defaultdict(float)
    c["a"] += x
    d = {"a": y}
    d.update(c)
    d |= c
    return d["a"] * c["a"]


def counter_put_into_a_dict(x, y):
    c = Counter()
    c["a"] += x
    d = {"a": y}
    d.update(c)
    return d["a"] * c["a"]


PROGRAMS = [f for f in list(globals().values()) if getattr(f, "__module__", "") == __name__]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_as_python(f: Any) -> None:
    for x, y in [(0.37, 0.81), (1.3, 0.65)]:
        value, bars = withgradient(f, x, y)
        assert value == f(x, y)
        h = 1e-6
        slopes = (f(x + h, y) - f(x - h, y)) / (2 * h), (f(x, y + h) - f(x, y - h)) / (2 * h)
        assert [bar or 0.0 for bar in bars] == pytest.approx(slopes, rel=1e-6, abs=1e-8)
        along = (bars[0] or 0.0) - 2.0 * (bars[1] or 0.0)
        assert pushforward(f, (x, y), (1.0, -2.0))[1] == pytest.approx(along)
