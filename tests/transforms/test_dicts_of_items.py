"""Dicts with known keys that a program makes for itself: they are their items, and loops over them are written out."""

from __future__ import annotations

import copy
import math
from typing import Any

import numpy as np
import pytest

from adjoint import grad, jvp, pullback
from adjoint.calculus import pushforward
from adjoint.derivatives.choice import is_structured_call

from ..regressions.differences import check

# ---- in their structure


def stores(x, y):
    d = {"a": x, "b": 2.0}
    for _ in range(5):
        d["a"] = d["a"] * y + 0.1 * d["b"]
        d["b"] *= 0.9
    return d["a"] * d["b"]


def over_keys(x, y):
    p, m = {"a": x, "b": y}, {k: 0.0 for k in ("a", "b")}
    for _ in range(3):
        for k in p:
            m[k] = 0.9 * m[k] + math.sin(p[k])
            p[k] -= 0.1 * m[k] * p["a"]
    return p["a"] * p["b"]


def over_items(x, y):
    p = {"a": x, "b": y}
    total = 0.0
    for k, v in p.items():
        p["b"] = v * 2.0 + p["b"]
        total += v * len(k)
    for v in p.values():
        total += v * v
    for k in p.keys():  # noqa: SIM118
        total += p[k]
    for k in list(p):
        p[k] = total * p[k]
    for k in sorted(p, reverse=False):
        total += p[k]
    return total


def nested(x, y):
    s = {"m": {"a": 0.0, "b": x}, "t": 0}
    for _ in range(3):
        s["t"] += 1
        for k in ("a", "b"):
            s["m"][k] = 0.5 * s["m"][k] + y / s["t"]
    return s["m"]["a"] * s["m"]["b"] * s["t"]


def update(p, s, rate=0.1):
    for k in p:
        s["m"][k] = 0.9 * s["m"][k] + p[k] ** 2
        p[k] = p[k] - rate * s["m"][k]


def handed_over(x, y):
    p = {"a": x, "b": y}
    s = {"m": {k: 0.0 for k in p}}
    for _ in range(3):
        update(p, s, rate=y)
    return p["a"] * p["b"] + s["m"]["a"]


def update_and_give(p, s):
    s["t"] += 1
    for k, v in p.items():
        s["m"][k] = 0.9 * s["m"][k] + v * s["t"]
        p[k] = v - 0.1 * s["m"][k]
    return p, s


def handed_over_and_given(x, y):
    p = {"a": x, "b": y}
    s = {"m": {k: 0.0 for k in p}, "t": 0}
    for _ in range(3):
        p, s = update_and_give(p, s)
    return p["a"] * p["b"] + s["m"]["b"] * s["t"]


def renewed(p, m):
    m = {k: 0.9 * m[k] + p[k] for k in p}
    return {k: v - 0.1 * m[k] for k, v in p.items()}, m


def given_anew(x, y):
    p, m = {"a": x, "b": y}, {"a": 0.0, "b": 1.0}
    for _ in range(3):
        p, m = renewed(p, m)
    return p["a"] * p["b"] * m["a"]


def two_names(x, y):
    d = {"a": x, "b": y}
    e = d
    e["a"] = e["b"] * x
    d["b"] += e["a"]
    return d["a"] * e["b"] * (2.0 if d is e else 3.0)


def in_order(x, y):
    d = {"a": x, "b": y, "c": x * y}
    del d["a"]
    d["a"] = d["b"] * 2.0
    d["b"] = d["c"]
    total = 0.0
    for i, (k, v) in enumerate(d.items()):
        total += v * (i + 1) * ord(k)
    return total


def methods(x, y):
    d = {"a": x}
    d.update(b=y, c=x)
    d.update({"c": y * y}, d=2.0)
    d.update([("e", x * x)])
    z = d.pop("c") + d.get("zz", x) + d.get("a") + d.setdefault("f", y) * d.setdefault("a", 7.0)
    return z * d["b"] * d["e"] * len(d) * (1.0 if "c" not in d and "f" in d else 5.0)


def strange_keys(x, y):
    d = {"class": x, "a b": y, "": 2.0, "self": x, "0": y, "x_bar": x * y}
    for _ in range(3):
        for k in d:
            d[k] = d[k] * d["class"]
    return sum(d.values())


def held_by_an_object(x, y):
    return Model(x, y).run(3)


class Model:
    def __init__(self, a, b):
        self.params = {"a": a, "b": b}

    def run(self, n):
        for _ in range(n):
            for k in self.params:
                self.params[k] = self.params[k] * self.params["a"]
        return self.params["a"] + self.params["b"]


def captured(x, y):
    p = {"a": x, "b": y}

    def step(k):
        p[k] = p[k] * p["a"]

    for _ in range(3):
        step("a")
        step("b")
    return p["a"] * p["b"]


def a_copy(x, y):
    d = {"a": x, "b": y}
    e = d.copy()
    f = dict(d)
    e["a"] = e["a"] * y
    d["b"] = x
    f["c"] = e["a"]
    return d["a"] * d["b"] * e["a"] * f["b"] * f["c"]


def in_a_branch(x, y):
    d = {"a": x, "b": y}
    for i in range(4):
        if i % 2:
            d["a"] *= y
        else:
            d["b"] += x
    return d["a"] * d["b"]


def returned(x, y):
    d = {"a": x, "b": 1}
    d["a"] = d["a"] * y
    d["c"] = d["a"] * x
    d["n"] = None
    return d


STRUCTURED = [
    *(stores, over_keys, over_items, nested, handed_over, handed_over_and_given, given_anew, two_names, in_order),
    *(methods, strange_keys, held_by_an_object, captured, a_copy, in_a_branch, returned),
]

# ---- as others see them


def new_keys_in_a_branch(x, y):
    d = {"a": x}
    if x > 0:
        d["b"] = y
        d["c"] = x * y
    else:
        d["c"] = y
        d["b"] = x
    return sum(v * (i + 1) for i, v in enumerate(d.values()))


def new_keys_in_a_loop(x, y):
    d = {"a": x}
    for i in range(3):
        d[f"k{i}"] = d["a"] * y
        d["a"] = d[f"k{i}"] * x
    return sum(d.values())


def fewer_keys_in_a_loop(x, y):
    d = {"a": x, "b": y, "c": x * y}
    for i in range(3):
        if i == 1:
            del d["b"]
        d["a"] = d["a"] * y + len(d)
    return d["a"] * len(d)


def in_a_list(x, y):
    d = {"a": x}
    ds = [d, {"a": y}]
    for e in ds:
        e["a"] = e["a"] * x
    return d["a"] * ds[1]["a"]


def bound_anew_in_a_loop(x, y):
    d = {"a": x, "b": y}
    e = d
    for _ in range(3):
        d = {"a": d["b"], "b": d["a"] * x}
        d["a"] = d["a"] * 2.0
    return d["a"] * e["a"]


def either_of_two(x, y):
    d, e = {"a": x}, {"a": y}
    f = d if x > y else e
    f["a"] = x * y
    return d["a"] * e["a"]


def of_keywords(a, b):
    return a * a * b


def spread_out(x, y):
    d = {"a": x, "b": y}
    d["a"] = d["b"] * x
    return of_keywords(**d) + sum({**d, "c": x}.values())


def with_conditions(x, y):
    d = {"a": x, "b": y, "c": 2.0}
    d["a"] *= y
    e = {k: v * x for k, v in d.items() if k != "c"}
    return sum(e.values()) * e["b"] * len(e)


def in_parallel(x, y):
    d, e = {"a": x, "b": y}, {"a": y, "b": 2.0}
    d["a"] *= y
    total = 0.0
    for (k, v), w in zip(d.items(), e.values(), strict=True):
        total += v * w * len(k)
    for i, k in enumerate(d):
        total += d[k] * (i + 1)
    return total + sum(map(math.sin, d.values())) + max(d.values())


def compared(x, y):
    d, e = {"a": x}, {"a": x}
    d["a"] = d["a"] * 1.0
    return x * y if d == e and d is not e and d is not None and isinstance(d, dict) else y


def left_early(x, y):
    d = {"a": x, "b": y, "c": x}
    for k in d:
        if k == "c":
            break
        d[k] = d[k] * y
    return d["a"] * d["b"] * d["c"]


def attempted(x, y):
    d = {"a": x, "b": y}
    for i in range(3):
        try:
            d["a"] = d["a"] * y
            d["b"] = math.sqrt(x - i) + d["a"]
        except ValueError:
            d["b"] = d["b"] + d["a"]
    return d["a"] * d["b"]


def copied_deeply(x, y):
    d = {"a": x, "m": {"b": y}}
    e, f = copy.deepcopy(d), copy.copy(d)
    d["m"]["b"] = x * x
    return e["m"]["b"] * f["m"]["b"] * e["a"]


def one_key_twice(x, y):
    d = {"a": x, "b": y, "a": x * y}  # noqa: F601
    d["b"] = d["a"] * 2.0
    return d["a"] * d["b"] * len(d)


def lists_within(x, y):
    d = {"xs": [], "n": 0}
    for i in range(3):
        d["xs"].append(x * i + y)
        d["n"] += 1
    return sum(d["xs"]) * d["n"] + d["xs"][-1] ** 2


def itself_within(x, y):
    d = {"a": x}
    d["self"] = d
    d["self"]["a"] = y * x
    return d["a"] * y


def other_kinds(x, y):
    d = {"a": 1, "b": True, "c": None, "d": "text", "e": x}
    for k in ("a", "b"):
        d[k] = d[k] * x
    d["c"] = y
    return d["a"] * d["b"] * d["c"] * len(d["d"]) + d["e"]


class Own(dict):
    def __setitem__(self, key, value):
        super().__setitem__(key, 2.0 * value)


def a_subclass(x, y):
    d = Own(a=x)
    d["b"] = y
    for k in d:
        d[k] = d[k] * x
    return d["a"] * d["b"]


def given_by_a_lambda(x, y):
    make = lambda v: {"a": v, "b": v * v}  # noqa: E731
    d = make(x)
    e = make(y)
    d["a"] = e["b"]
    return d["a"] * d["b"] * e["a"]


OTHERS = [
    *(new_keys_in_a_branch, new_keys_in_a_loop, fewer_keys_in_a_loop, in_a_list, bound_anew_in_a_loop, either_of_two),
    *(spread_out, with_conditions, in_parallel, compared, left_early, attempted, copied_deeply, one_key_twice),
    *(lists_within, itself_within, other_kinds, a_subclass, given_by_a_lambda),
]


@pytest.mark.parametrize("f", [*STRUCTURED, *OTHERS])
def test_dicts_of_numbers(f: Any) -> None:
    for _ in range(2):
        check(f, 1.7, 1.3, order=2)
    if f is not returned:
        h = 1e-6
        slope = (f(1.7 + h, 1.3) - f(1.7 - h, 1.3)) / (2 * h)
        assert pushforward(f, (1.7, 1.3), (1.0, 0.0))[1] == pytest.approx(slope, rel=1e-6)
    if f in STRUCTURED:
        assert is_structured_call(f, (1.7, 1.3))


# ---- of arrays


def in_place(p):
    p = {k: v.copy() for k, v in p.items()}
    m = {k: np.zeros_like(v) for k, v in p.items()}
    for _ in range(3):
        for k in p:
            m[k] *= 0.9
            m[k] += p[k] ** 2
            p[k] -= 0.1 * m[k]
    return sum(v.sum() for v in p.values())


def one_array_under_two_keys(p):
    a = p["w"] * 2.0
    d = {"u": a, "v": a, "b": p["b"]}
    d["u"] += 1.0
    d["b"] = d["b"] * d["v"].sum()
    d["v"][0] = 3.0
    return (d["u"] * d["v"]).sum() + d["b"].sum()


def a_view(p):
    d = {"w": p["w"] * 1.0}
    d["part"] = d["w"][1:]
    d["part"] *= 2.0
    return (d["w"] ** 2).sum()


def arguments_stay(p):
    d = dict(p)
    d["w"] = d["w"] * d["b"]
    for k in d:
        d[k] = d[k] + 1.0
    return d["w"].sum() * d["b"].sum()


def arguments_change(p):
    for k in p:
        p[k] = p[k] * 2.0
    p["w"] += 1.0
    return p["w"].sum() * p["b"].sum()


@pytest.mark.parametrize("f", [in_place, one_array_under_two_keys, a_view, arguments_stay, arguments_change])
def test_dicts_of_arrays(f: Any) -> None:
    p = {"w": np.array([1.0, 2.0, 0.5]), "b": np.array([0.3])}
    for _ in range(2):
        check(f, p, order=2)
    check(f, {"b": np.array([0.3]), "w": np.array([1.0, 2.0])})
    if f in (in_place, arguments_stay):
        assert is_structured_call(f, (p,))


def test_what_python_refuses() -> None:
    def missing(x):
        d = {"a": x}
        d["b"] = x
        return d["c"]

    def grows(x):
        d = {"a": x}
        for k in d:
            d[k + k] = x
        return d["a"]

    def popped(x):
        d = {"a": x}
        d["b"] = x
        return d.pop("c")

    for f, error in ((missing, KeyError), (grows, RuntimeError), (popped, KeyError)):
        for _ in range(2):
            with pytest.raises(error):
                grad(f)(1.0)


def grown_in_items(x: float) -> float:
    d = {"a": x, "b": 2 * x}
    try:
        for _, v in d.items():
            d["n"] = v * v
    except RuntimeError:
        return x
    return 10 * x


def grown_in_values(x: float) -> float:
    d = {"a": x, "b": 2 * x}
    try:
        for v in d.values():
            d.update(c=v)
    except RuntimeError:
        return x
    return d["c"] * 3


def grown_in_keys(x: float) -> float:
    d = {"a": x, "b": 2 * x}
    try:
        for _ in d.keys():  # noqa: SIM118
            if "z" not in d:
                d["z"] = x
    except RuntimeError:
        return x
    return d["z"] * 3


def deleted_in_items(x: float) -> float:
    d = {"a": x, "b": 2 * x}
    try:
        for k, v in d.items():
            if k == "a":
                del d[k]
                x = x + v
    except RuntimeError:
        return x
    return 10 * x


def put_back(x: float) -> float:
    d = {"a": x, "b": 2 * x}
    try:
        for k in d:
            v = d.pop(k)
            d[k] = v
    except RuntimeError:
        return x
    return 3 * x


def put_back_alone(x: float) -> float:
    d = {"a": x}
    n = 0
    try:
        for k in d:
            v = d.pop(k)
            d[k] = v * x
            n += 1
            if n > 5:
                return d["a"]
    except RuntimeError:
        return x * n
    return 3 * x


def grown_in_a_function(x: float) -> float:
    def grow(d: dict[str, float], v: float) -> None:
        d["more"] = v

    d = {"a": x, "b": 2 * x}
    try:
        for v in d.values():
            grow(d, v)
    except RuntimeError:
        return x * x
    return 10 * x


def changed_alone(x: float) -> float:
    d = {"a": x, "b": 2 * x}
    for k, v in d.items():
        d[k] = v * v
        d["a"] = d["a"] + x
    return d["a"] * d["b"]


@pytest.mark.parametrize(
    "f",
    [
        grown_in_items,
        grown_in_values,
        grown_in_keys,
        deleted_in_items,
        put_back,
        put_back_alone,
        grown_in_a_function,
        changed_alone,
    ],
)
def test_keys_that_change_while_they_are_run_through(f: Any) -> None:
    h = 1e-6
    slope = (f(1.3 + h) - f(1.3 - h)) / (2 * h)
    for _ in range(3):
        y, back = pullback(f, 1.3)
        assert y == f(1.3)
        assert back(1.0)[1] == pytest.approx(slope, rel=1e-6)
        assert jvp(f, (1.3,), (1.0,)) == (y, pytest.approx(slope, rel=1e-6))
