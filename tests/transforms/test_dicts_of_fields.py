"""The `__dict__` of objects: read, copied, run through and changed as a dict."""

from __future__ import annotations

import functools
import math
import types
from typing import Any

import numpy as np
import pytest
from transforms.held_to_python import hold
from ways import check_everywhere

from adjoint import gradient, pullback


class Model:
    def __init__(self, rate, steps=3):
        self.rate = rate
        self.steps = steps

    def fit(self):
        self.weight = 0.0
        for _ in range(self.steps):
            self.weight = self.weight - 0.5 * (math.tanh(self.weight - 1.0) + self.rate * self.weight)
        return self

    def get_params(self):
        return vars(self).copy()

    def public(self):
        return {k: v for k, v in self.__dict__.items() if not k.startswith("_")}

    def update(self, **options):
        self.__dict__.update(options)
        return self


class Space:
    def __init__(self, **options):
        self.__dict__.update(options)

    def replace(self, **options):
        return Space(**{**self.__dict__, **options})


def copied(x):
    m = Model(x).fit()
    params = m.get_params()
    m.rate = 5.0 * x
    return m.weight + params["rate"] * params["weight"] + m.rate


def made_again(x):
    m = Model(x).fit()
    again = Model(**{k: v for k, v in dict(vars(m)).items() if k != "weight"})
    return again.fit().weight * x + len(vars(again))


def filtered(x):
    m = Model(x).fit()
    m._hidden = 7.0 * x
    return sum(v for v in m.public().values())


def renewed(x):
    p = Space(a=x, b=1.0)
    for _ in range(4):
        p = p.replace(a=p.a * 0.9 + p.b * x)
    return p.a


def updated(x):
    m = Model(0.1).update(rate=x * x)
    vars(m).update({"scale": x}, offset=2.0)
    return m.fit().weight * m.scale + m.offset * x


def written_while_run_through(x):
    m = Model(x, 2)
    m.total, m.late = 0.0, x
    for name, v in vars(m).items():
        m.total = m.total + v * len(name)
        m.late = m.late * 1.5 + v
    return m.total + m.late


def scaled(x):
    s = Space(a=x, b=2.0 * x, c=1.0)
    for name in s.__dict__:
        setattr(s, name, getattr(s, name) * x)
    for name, v in vars(s).items():
        s.__dict__[name] = v * v
    return sum(vars(s).values())


def taken_out(x):
    s = Space(a=x, b=3.0 * x, c=2.0)
    d = s.__dict__
    y = d.pop("a") * d["b"]
    del d["c"]
    s.c = y
    d.setdefault("e", x * x)
    return y + sum(i * v for i, v in enumerate(list(vars(s).values()))) + s.e * d.setdefault("b", 0.0)


def in_order_of_the_last(x):
    s = Space(a=x, b=3.0 * x, c=2.0)
    del s.a
    s.a = 7.0 * x
    return sum((i + 1) * v for i, v in enumerate(vars(s).values()))


def by_get(x):
    s = Space(a=x, b=3.0)
    return s.__dict__.get("a", 0.0) * s.__dict__.get("z", x) + ("b" in vars(s)) * x + ("z" not in vars(s)) * x


def merged(x):
    s = Space(a=x, b=3.0)
    d = vars(s) | {"c": x * x}
    s.a = 100.0
    return sum(d.values()) + (vars(s) == {"a": 100.0, "b": 3.0}) * x


def held_arrays(x):
    s = Space(a=np.ones(2) * x, b=[x])
    d = dict(vars(s))
    d["a"][0] = x * x
    s.b.append(2.0 * x)
    return s.a.sum() + sum(d["b"])


def of_namespaces(x):
    p = types.SimpleNamespace(a=x, b=1.0)
    p.c = p.a * 2.0
    for _ in range(3):
        p = types.SimpleNamespace(**{**vars(p), "b": p.a * p.b})
    return sum(vars(p).values()) + dict(vars(p))["c"] * x


STRUCTURED = [
    *(copied, made_again, filtered, renewed, updated, written_while_run_through, scaled, taken_out),
    *(by_get, merged, held_arrays, of_namespaces),
]


@pytest.mark.parametrize("f", STRUCTURED, ids=lambda f: f.__name__)
def test_by_structure(f: Any) -> None:
    hold(f, lambda: (0.73,))


# ---- what may be seen


def in_two_orders(x):
    s = Space()
    if x > 0.5:
        s.a, s.b = x, 3.0 * x
    else:
        s.b, s.a = 3.0 * x, x
    return sum((i + 1) * v for i, v in enumerate(vars(s).values()))


def in_two_orders_seen_before(x):
    s = Space()
    d = vars(s)
    if x > 0.5:
        s.a, s.b = x, 3.0 * x
    else:
        s.b, s.a = 3.0 * x, x
    return sum((i + 1) * v for i, v in enumerate(d.values()))


def in_two_orders_given_back(x):
    s = Space()
    if x > 0.5:
        s.a, s.b = x, 3.0 * x
    else:
        s.b, s.a = 3.0 * x, x
    return sum((i + 1) * v for i, v in enumerate(vars(given_back(s)).values()))


def given_back(s):
    return [s][0]


def turned_in_a_loop(x):
    s = Space(a=x, b=3.0 * x, c=2.0)
    for _ in range(3):
        v = s.__dict__.pop("a")
        s.a = v * 1.5
    return sum((i + 1) * v for i, v in enumerate(vars(s).values()))


def in_some_rounds(x):
    s = Space(a=x, b=3.0)
    for i in range(4):
        if i > 1:
            vars(s)["late"] = x * i
    return sum(vars(s).values())


def kept_by_another(x):
    s = Space(a=x, b=3.0)
    kept = [vars(s)]
    kept[0]["a"] = 2.0 * x
    s.b = x
    return s.a * kept[0]["b"]


def one_dict(x):
    s = Space(a=x)
    d, e = vars(s), s.__dict__
    d["a"] = x * x
    return e["a"] * (2.0 if d is e else 3.0) + (d is not vars(s)) * x + (dict(d) is d) * x


def seen_late(x):
    s = Space(a=x, b=2.0)
    pairs = zip(s.__dict__.values(), [1.0, 5.0], strict=True)
    turned = map(lambda v: v * x, vars(s).values())
    s.a = x * x
    return sum(u * v for u, v in pairs) + sum(turned) + next(enumerate(vars(s).values()))[1]


def changed_by_the_function(x):
    s = Space(a=x, b=2.0, c=3.0)

    def add(u, v):
        s.c = s.c * x + u
        return u + v

    y = functools.reduce(add, vars(s).values())
    z = max(vars(s).values(), key=lambda v: setattr(s, "c", s.c + v) or v)
    return y + z + s.c


def of_dicts_that_change(x):
    d = {"a": x, "b": 2.0}
    pairs = zip(d.values(), [1.0, 5.0], strict=True)
    d["a"] = x * x
    y = sum(d.values()) + max(d.values()) * len(d.keys())
    d["b"] = y
    return sum(u * v for u, v in pairs) + sum(d.values()) * x


def swapped(x):
    s = Space(a=x)
    s.__dict__ = {"a": 2.0 * x, "b": x}
    return s.a * s.b


def grown_while_run_through(x):
    s = Space(a=x, b=1.0)
    try:
        for name, v in vars(s).items():
            setattr(s, name + "2", v)
    except RuntimeError:
        return x * len(vars(s))
    return x


def of_slots(x):
    s = Slotted(x)
    s.free = 2.0 * x
    return sum(vars(s).values()) + s.held


class Slotted:
    __slots__ = ("__dict__", "held")

    def __init__(self, held):
        self.held = held


def of_an_inner_class(x):
    class Inner:
        def __init__(self, a):
            self.a = a
            self.b = 2.0 * a

    p = Inner(x)
    return sum((i + 1) * v for i, v in enumerate(vars(p).values())) + len(vars(p)) * x


class Limited:
    @property
    def a(self):
        return 3.0 * self.__dict__["a"]

    @a.setter
    def a(self, value):
        self.__dict__["a"] = value + 1.0


def behind_a_property(x):
    p = Limited()
    p.a = x
    vars(p)["a"] *= 2.0
    vars(p)["b"] = x
    return p.a + sum(vars(p).values())


def texts(x):
    s = Space(a=x, b=3.0)
    return x * len(repr(vars(s)).split(",")) + len(f"{s.__dict__}".split(":"))


def handed_on(x):
    s = Space(a=x, b=3.0)
    change(vars(s), x)
    return s.a * s.b


def change(d, x):
    d["b"] = d["a"] * x


def by_recursion(x, n=3):
    s = Space(a=x, n=n)
    return s.a if n == 0 else sum(vars(s).values()) * by_recursion(x * 1.1, n - 1)


SEEN = [
    *(in_order_of_the_last, in_two_orders, in_two_orders_seen_before, in_two_orders_given_back, turned_in_a_loop),
    *(
        in_some_rounds,
        kept_by_another,
        one_dict,
        swapped,
        seen_late,
        changed_by_the_function,
        of_dicts_that_change,
        grown_while_run_through,
        of_slots,
        of_an_inner_class,
    ),
    *(behind_a_property, texts, handed_on, by_recursion),
]


@pytest.mark.parametrize("x", [0.73, 0.31])
@pytest.mark.parametrize("f", [*STRUCTURED, *SEEN], ids=lambda f: f.__name__)
def test_all_ways(f: Any, x: float) -> None:
    check_everywhere(f, x)
    for _ in range(3):
        _, back = pullback(f, x)
        assert back(1.0) == back(1.0)


# ---- arguments


def summed(s, x):
    return sum((i + 1) * v for i, v in enumerate(vars(s).values())) * x


def summed_after_a_store(s, x):
    s.b = s.b * x
    return sum((i + 1) * v for i, v in enumerate(vars(s).values())) * x


def after_a_new_field(s, x):
    s.new = x
    return sum((i + 1) * v for i, v in enumerate(vars(s).values())) * x


def after_a_removal(s, x):
    y = vars(s).pop("a") * x
    return y + sum((i + 1) * v for i, v in enumerate(vars(s).values())) * x


@pytest.mark.parametrize("f", [summed, summed_after_a_store, after_a_new_field, after_a_removal])
def test_arguments_with_other_fields(f: Any) -> None:
    for fields in ({"a": 1.5, "b": 2.0}, {"b": 2.0, "a": 1.5}, {"a": 1.5, "b": 2.0, "c": 4.0}, {"a": 1.5, "b": 2.0}):
        for _ in range(3):
            s, t = Space(**fields), Space(**fields)
            slope = gradient(f, s, 0.73)[1]
            h = 1e-6
            low, high = f(Space(**fields), 0.73 - h), f(Space(**fields), 0.73 + h)
            assert slope == pytest.approx((high - low) / (2 * h), rel=1e-6)
            f(t, 0.73)
            assert list(vars(s).items()) == list(vars(t).items())
