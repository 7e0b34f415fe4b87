"""What is given no lanes and does more than compute does so once for each lane, as the loop does."""

from __future__ import annotations

import random
from collections import Counter, defaultdict, deque
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from adjoint import explain, linearize, pullback, vjp, vmap
from adjoint.errors import BatchError

X = np.arange(5.0)[:, None] * np.ones(4)
TOTAL = 0

# ---- helpers that store, draw, or use something up


def in_dict(d):
    d["n"] += 1
    return d["n"]


def in_list(xs):
    xs.append(1)
    return len(xs)


def in_array(z):
    z[0] += 1
    return z[0]


def in_field(o):
    o.n += 1
    return o.n


def in_set(s):
    s.add(len(s))
    return len(s)


def in_counter(c):
    c["a"] += 1
    return c["a"]


def draw(rng):
    return rng.random()


def draw_within(d):
    return d["r"].random()


def by_out(z):
    np.add(z, 1, out=z)
    return z[0]


def in_place(z):
    z += 1
    return z[0]


def popped(xs):
    return xs.pop()


def extended(xs):
    xs += [1]
    return len(xs)


def by_slice(xs):
    xs[:] = [v + 1 for v in xs]
    return xs[0]


def by_setattr(o):
    setattr(o, "n", o.n + 1)  # noqa: B010
    return o.n


def in_own_dict(o):
    o.__dict__["n"] += 1
    return o.n


def in_part(d):
    d["o"].n += 1
    return d["o"].n


def filled(z):
    z.fill(z[0] + 1)
    return z[0]


def shuffled(xs):
    random.Random(xs[0]).shuffle(xs)
    return xs[0]


def put(z):
    np.put(z, [0], z[0] + 1)
    return z[0]


def next_of(it):
    return next(it)


def updated(d):
    d.update(n=d["n"] + 1)
    return d["n"]


def deleted(xs):
    del xs[0]
    return xs[0]


HELPERS: list[tuple[Callable[[Any], Any], Callable[[], Any]]] = [
    *((f, lambda: {"n": 0}) for f in (in_dict, updated)),
    *((f, list) for f in (in_list, extended)),
    *((f, lambda: np.zeros(2)) for f in (in_array, by_out, in_place, filled, put)),
    *((f, lambda: SimpleNamespace(n=0)) for f in (in_field, by_setattr, in_own_dict)),
    *((in_list, deque), (in_set, set), (in_counter, Counter), (in_counter, lambda: defaultdict(int))),
    (draw, lambda: np.random.default_rng(1)),
    (draw, lambda: random.Random(1)),
    (draw_within, lambda: {"r": np.random.default_rng(1)}),
    (in_part, lambda: {"o": SimpleNamespace(n=0)}),
    *((f, lambda: [5, 4, 3, 2, 1, 7, 9]) for f in (popped, by_slice, shuffled, deleted)),
    (next_of, lambda: iter([1, 2, 3, 4, 5])),
]


class Holder:
    def __init__(self, v: Any) -> None:
        self.v = v


def by_argument(h, v):
    return vmap(lambda a, v: a * 0 + h(v), in_axes=(0, None))(X, v)


def by_closure(h, v):
    return vmap(lambda a: a * 0 + h(v))(X)


def in_a_list(h, v):
    return vmap(lambda a, v: a * 0 + h(v[0]), in_axes=(0, None))(X, [v])


def in_a_captured_list(h, v):
    held = [v]
    return vmap(lambda a: a * 0 + h(held[0]))(X)


def in_a_captured_dict(h, v):
    held = {"k": v}
    return vmap(lambda a: a * 0 + h(held["k"]))(X)


def in_an_object(h, v):
    return vmap(lambda a, p: a * 0 + h(p.v), in_axes=(0, None))(X, Holder(v))


def in_a_captured_object(h, v):
    p = Holder(v)
    return vmap(lambda a: a * 0 + h(p.v))(X)


def by_the_variable_of_a_loop(h, v):
    for held in [v]:
        return vmap(lambda a: a * 0 + h(held))(X)  # noqa: B023


def by_what_is_bound_again(h, v):
    y = vmap(lambda a: a * 0 + h(v))(X)
    v = None
    return y


def in_parts(h, v):
    return vmap(lambda a: a * 0 + h(v), chunk_size=2)(X)


def within(h, v):
    return vmap(lambda row: vmap(lambda a: a * 0 + h(v))(row))(X[:, :1])


def by_pullback(h, v):
    return pullback(vmap(lambda a: a * 0 + h(v)), X)[0]


def by_vjp(h, v):
    return vjp(vmap(lambda a: a * 0 + h(v)), X)[0]


def by_linearize(h, v):
    return linearize(vmap(lambda a: a * 0 + h(v)), X)[0]


WAYS = [by_argument, by_closure, in_a_list, in_a_captured_list, in_a_captured_dict, in_an_object, in_a_captured_object]
WAYS += [by_the_variable_of_a_loop, by_what_is_bound_again, in_parts, within]
OF_DERIVATIVES = [by_pullback, by_vjp, by_linearize]


@pytest.mark.parametrize("way", WAYS, ids=lambda f: f.__name__)
@pytest.mark.parametrize(("helper", "make"), HELPERS)
def test_a_helper_acts_once_for_each_lane(helper: Any, make: Any, way: Any) -> None:
    held = make()
    expected = np.array([helper(held) for _ in X], float)
    np.testing.assert_array_equal(np.asarray(way(helper, make()))[:, 0], expected)


@pytest.mark.parametrize("way", OF_DERIVATIVES, ids=lambda f: f.__name__)
@pytest.mark.parametrize(("helper", "make"), HELPERS)
def test_values_of_derivatives_are_those_of_the_loop_or_refused(helper: Any, make: Any, way: Any) -> None:
    held = make()
    expected = np.array([helper(held) for _ in X], float)
    try:
        found = way(helper, make())
    except BatchError as error:
        assert "may change what its lanes share" in str(error)
    else:
        np.testing.assert_array_equal(np.asarray(found)[:, 0], expected)


def test_it_is_refused_where_the_loop_is_and_explained() -> None:
    for helper, make in HELPERS:
        held = make()

        def f(a: Any) -> Any:
            return a * 0 + helper(held)  # noqa: B023

        with pytest.raises(BatchError):
            vmap(f, strict=True)(X)
        assert explain(vmap(f), X).loop


# ---- methods that Python calls by itself


class Base:
    def __init__(self) -> None:
        self.n = 0

    def tick(self) -> int:
        self.n += 1
        return self.n


def made(name: str, method: Any) -> Callable[[], Any]:
    return type("Ticking", (Base,), {name: method})


def in_with(a, o):
    with o as v:
        return a * 0 + v


def in_for(a, o):
    for v in o:
        return a * 0 + v


SPECIAL: list[tuple[Any, Callable[[Any, Any], Any]]] = [
    (made("__getitem__", lambda s, k: s.tick()), lambda a, o: a * 0 + o[0]),
    (made("__add__", lambda s, other: s.tick()), lambda a, o: a * 0 + (o + 1)),
    (made("__radd__", lambda s, other: s.tick()), lambda a, o: a * 0 + (1 + o)),
    (made("__len__", Base.tick), lambda a, o: a * 0 + len(o)),
    (made("__float__", lambda s: float(s.tick())), lambda a, o: a * 0 + float(o)),
    (made("__bool__", lambda s: s.tick() % 2 == 0), lambda a, o: a * 0 + (1.0 if o else 0.0)),
    (made("__bool__", lambda s: s.tick() % 2 == 0), lambda a, o: a * 0 + float(not o)),
    (made("__iter__", lambda s: iter([s.tick()])), lambda a, o: a * 0 + [v for v in o][0]),  # noqa: C416, RUF015
    (made("__iter__", lambda s: iter([s.tick()])), in_for),
    (made("__iter__", lambda s: iter([s.tick()])), lambda a, o: a * 0 + sum(o)),
    (made("__contains__", lambda s, k: s.tick() % 2 == 0), lambda a, o: a * 0 + float(3 in o)),
    (made("__eq__", lambda s, k: s.tick() % 2 == 0), lambda a, o: a * 0 + float(o == 3)),
    (made("__lt__", lambda s, k: s.tick() % 2 == 0), lambda a, o: a * 0 + float(o < 3)),
    (made("__neg__", Base.tick), lambda a, o: a * 0 + (-o)),
    (made("__call__", Base.tick), lambda a, o: a * 0 + o()),
    (type("Managing", (Base,), {"__enter__": Base.tick, "__exit__": lambda s, *a: None}), in_with),
    (made("__index__", lambda s: s.tick() % 4), lambda a, o: a * 0 + a[o]),
    (made("p", property(Base.tick)), lambda a, o: a * 0 + o.p),
    (made("__str__", lambda s: str(s.tick())), lambda a, o: a * 0 + float(f"{o}")),
    (made("__array__", lambda s, dtype=None, copy=None: np.array(float(s.tick()))), lambda a, o: a * 0 + np.asarray(o)),
    (made("__round__", lambda s: s.tick()), lambda a, o: a * 0 + round(o)),
    (made("of", staticmethod(lambda o: o.tick())), lambda a, o: a * 0 + o.of(o)),
    (made("of", classmethod(lambda c, o: o.tick())), lambda a, o: a * 0 + o.of(o)),
    (Base, lambda a, o: a * 0 + Base.tick(o)),
    (Base, lambda a, o: a * 0 + getattr(o, "tick")()),  # noqa: B009
    (Base, lambda a, o: a * 0 + sorted([o], key=lambda z: z.tick())[0].n),
    (Base, lambda a, o: a * 0 + list(map(Base.tick, [o]))[0]),  # noqa: RUF015
    (Base, lambda a, o: a * 0 + sum(z.tick() for z in [o])),
]


@pytest.mark.parametrize("where", ["argument", "list", "closure"])
@pytest.mark.parametrize("i", range(len(SPECIAL)))
def test_methods_act_once_for_each_lane(i: int, where: str) -> None:
    make, f = SPECIAL[i]
    o = make()
    expected = np.array([f(x, o) for x in X], float)
    n, o = o.n, make()
    if where == "argument":
        found = vmap(f, in_axes=(0, None))(X, o)
    elif where == "list":
        found = vmap(lambda a, held: f(a, held[0]), in_axes=(0, None))(X, [o])
    else:
        found = vmap(lambda a: f(a, o))(X)
    np.testing.assert_array_equal(found, expected)
    assert o.n == n


def test_a_global_counts_every_lane() -> None:
    def count() -> int:
        global TOTAL
        TOTAL += 1
        return TOTAL

    start = TOTAL
    np.testing.assert_array_equal(vmap(lambda a: a[0] * 0 + count())(X), start + np.arange(1.0, 6.0))


def test_what_only_computes_is_run_once() -> None:
    """Helpers without lanes are no reason for the loop."""
    weights = {"w": np.arange(4.0), "scale": 2.0}

    def helper(d: Any) -> Any:
        return np.tanh(d["w"]) * d["scale"]

    class Model:
        def __init__(self) -> None:
            self.w = np.ones(4)

        def matrix(self) -> Any:
            return np.outer(self.w, self.w)

    model = Model()
    for f in (lambda a: a @ helper(weights), lambda a: model.matrix() @ a, lambda a: a * sum(sorted([3.0, 1.0]))):
        np.testing.assert_allclose(vmap(f, strict=True)(X), np.stack([f(x) for x in X]))
