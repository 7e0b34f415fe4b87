"""Dicts that a program makes, where Python's order and identities show: views, closures, recursion, histories."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ..regressions.differences import check


def in_a_test(x, y):
    d = {"a": x, "b": y}
    while d["a"] < 10:
        d["a"] = d["a"] * 2 + d["b"]
    return d["a"] * d["b"]


def names_after_a_loop(x, y):
    d = {"a": x, "b": y}
    for k, v in d.items():
        d[k] = v * 2
    else:
        d["a"] *= 3.0
    return d[k] * v * d["a"] * len(k)


def closures_of_a_loop(x, y):
    d = {"a": x, "b": y}
    d["a"] = d["a"] * 2
    fs = []
    for k in d:
        fs.append(lambda: d[k] * 2)  # noqa: B023
    return sum(f() for f in fs)


def by_a_generator(x, y):
    d = {"a": x, "b": y}
    d["a"] = d["a"] * 2

    def gen():
        for v in d.values():
            yield v * x

    d["b"] = sum(gen())
    return sum(gen()) + d["b"]


def by_recursion(x, y):
    def run(d):
        if d["n"] == 0:
            return d["a"]
        d["n"] -= 1
        d["a"] = d["a"] * d["b"]
        return run(d) + d["a"]

    d = {"a": x, "b": y, "n": 3}
    return run(d) * d["a"]


def numbered(**k):
    s = 0.0
    for i, v in enumerate(k.values()):
        s += v * (i + 1)
    return s


def keywords_in_two_orders(x, y):
    return numbered(a=x, b=y) * numbered(b=y, a=x)


def a_history_of_copies(x, y):
    d = {"a": x, "b": y}
    hist = []
    for _ in range(3):
        d["a"] *= y
        hist.append(dict(d))
    for h in hist:
        h["a"] += x
    return sum(h["a"] * h["b"] for h in hist) + d["a"]


def a_history_of_one(x, y):
    d = {"a": x, "b": y}
    hist = []
    for _ in range(3):
        d["a"] *= y
        hist.append(d)
    return sum(h["a"] * h["b"] for h in hist)


def one_dict_in_two(x, y):
    d = {"a": x}
    e, f = {"d": d, "x": y}, {"d": d}
    f["d"]["a"] = y * x
    e["d"]["a"] *= 2
    e["d"] = {"a": 1.0}
    return d["a"] * f["d"]["a"] + e["d"]["a"]


def the_best_of_all(x, y):
    best = {"v": 1e9, "at": 0}
    for i in range(5):
        v = (x - i) ** 2 + y
        if v < best["v"]:
            best = {"v": v, "at": i}
    return best["v"] * (best["at"] + 1)


def swapped(x, y):
    d = {"a": x, "b": y}
    (d["a"], d["b"]) = (d["b"], d["a"] * d["a"])
    d["a"], c = d["b"], d["a"]
    del d["b"]
    return d["a"] * c if list(d) == ["a"] else 0.0


def sorted_items(x, y):
    d = {"a": x, "b": y}
    d["a"] = d["a"] * y
    largest = max(d, key=d.get)
    return sum(v * len(k) for k, v in sorted(d.items())) + d[largest] + d[max(d, key=lambda k: d[k])]


def more_keys_in_a_loop(x, y):
    d = {"a": x, "b": y}
    for k in d.copy():
        d[k + "2"] = d[k] * 2
    return sum(d.values()) * d["a2"]


def a_key_that_is_missing(x, y):
    d = {"a": x, "b": y}
    try:
        for k in ("a", "b", "c"):
            d[k] = d[k] * 2
    except KeyError:
        d["a"] = d["a"] * 7
    return d["a"] * d["b"]


NUMBERS = [
    *(in_a_test, names_after_a_loop, closures_of_a_loop, by_a_generator, by_recursion, keywords_in_two_orders),
    *(a_history_of_copies, a_history_of_one, one_dict_in_two, the_best_of_all, swapped, sorted_items),
    *(more_keys_in_a_loop, a_key_that_is_missing),
]


@pytest.mark.parametrize("f", NUMBERS)
def test_numbers(f: Any) -> None:
    for _ in range(2):
        check(f, 1.3, 0.7, order=2)


def an_array_of_the_caller(p):
    d = {"w": p["w"], "b": 1.0}
    d["w"] += 1.0
    d["b"] = d["w"].sum()
    return (p["w"] * d["w"]).sum() * d["b"]


def a_view_of_an_argument(p):
    d = {"w": p["w"], "v": p["w"][1:]}
    d["v"] *= 2.0
    d["s"] = d["w"].sum()
    return d["s"] * d["v"][0]


@pytest.mark.parametrize("f", [an_array_of_the_caller, a_view_of_an_argument])
def test_arrays_of_arguments(f: Any) -> None:
    for _ in range(2):
        check(f, {"w": np.array([1.0, 2.0, 3.0]), "b": np.zeros(1)}, order=2)
