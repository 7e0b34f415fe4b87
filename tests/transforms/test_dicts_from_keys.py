"""`dict.fromkeys(keys, x)` of a number, as the comprehension that it is."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, pullback
from adjoint.calculus import pushforward
from adjoint.derivatives.choice import is_structured_call

from ..regressions.differences import check


def by_letters(x, y):
    d = dict.fromkeys("abc", 0.0)
    for i in range(7):
        d["abc"[i * 5 % 3]] += math.sin(x * i) * y
    return d["a"] * d["b"] + d["c"]


def of_a_list(x, y):
    names = ["a", "b", "c"]
    d = dict.fromkeys(names, 0)
    for i in range(7):
        d[names[i % 3]] += x * i * y
    return sum(v * v for v in d.values())


def of_places(x, y):
    d = dict.fromkeys(range(3), x)
    for i in range(7):
        d[i % 3] *= y
    return d[0] * d[1] - d[2]


def one_key_twice(x, y):
    d = dict.fromkeys(["a", "b", "a"], x * y)
    d["a"] += y
    return d["a"] * d["b"] * len(d)


def of_a_dict(x, y):
    p = {"u": x, "v": y}
    d = dict.fromkeys(p, x)
    for k in p:
        d[k] += p[k] * y
    return d["u"] * d["v"]


def of_no_keys(x, y):
    d = dict.fromkeys([], x)
    for k in (2, 1):
        d[k] = d.get(k, x) * y
    return d[1] * d[2]


def in_order(x, y):
    d = dict.fromkeys(("b", "a", "b", "c"), y)
    total = 0.0
    for i, (k, v) in enumerate(d.items()):
        total += v * x * (i + ord(k))
    return total


def numbers_of_all_kinds(x, y):
    d = dict.fromkeys((1, "a", 2.5), True)
    d["a"] = d[1] * x
    return d["a"] * y + d[2.5]


def a_missing_key(x, y):
    d = dict.fromkeys("ab", x)
    try:
        return d["c"] * y
    except KeyError:
        return d["a"] * y * y


STRUCTURED = [by_letters, of_a_list, of_places, one_key_twice, of_a_dict, of_no_keys, in_order]


@pytest.mark.parametrize("f", [*STRUCTURED, numbers_of_all_kinds, a_missing_key])
def test_numbers_at_all_keys(f: Any) -> None:
    for _ in range(3):
        check(f, 0.7, 1.3, order=2)
    h = 1e-6
    slope = (f(0.7 + h, 1.3) - f(0.7 - h, 1.3)) / (2 * h)
    assert pushforward(f, (0.7, 1.3), (1.0, 0.0))[1] == pytest.approx(slope, rel=1e-6)
    if f in STRUCTURED:
        assert is_structured_call(f, (0.7, 1.3))


def one_array_at_all_keys(xs):
    d = dict.fromkeys("ab", np.zeros(2))
    d["a"] += xs
    return (d["a"] * d["b"]).sum()


def one_list_at_all_keys(xs):
    d = dict.fromkeys("ab", [])
    for x in xs:
        d["a"].append(x)
    return sum(d["b"]) * d["a"][0]


def test_one_object_at_all_keys() -> None:
    xs = np.array([1.0, 2.0])
    np.testing.assert_allclose(gradient(one_array_at_all_keys, xs)[0], 2 * xs)
    assert gradient(one_list_at_all_keys, [2.0, 3.0])[0] == [7.0, 2.0]


def by_name(xs, names):
    d = dict.fromkeys(names, 0.0)
    for i, x in enumerate(xs):
        d[names[i % len(names)]] += x * x
    return sum(v * v for v in d.values())


def test_names_that_are_given() -> None:
    xs, names = [1.0, 2.0, 3.0], ["a", "b"]
    for _ in range(3):
        assert grad(by_name)(xs, names) == [40.0, 32.0, 120.0]
        y, back = pullback(by_name, xs, names)
        assert y == 116.0
        assert back(1.0)[1] == back(1.0)[1] == [40.0, 32.0, 120.0]
    assert is_structured_call(by_name, (xs, names))
    assert (xs, names) == ([1.0, 2.0, 3.0], ["a", "b"])
    assert grad(by_name)(xs, ["a", b"b"]) == [40.0, 32.0, 120.0]  # other keys at a later call
    assert grad(by_name)(xs, ["a", "a"]) == [56.0, 112.0, 168.0]
    with pytest.raises(KeyError, match="b"):
        grad(lambda x: dict.fromkeys("a", x)["b"])(1.0)
    with pytest.raises(TypeError, match="unhashable"):
        grad(lambda x: dict.fromkeys([[1]], x)[0])(1.0)
