"""Plans of calls that store: what has another form than the calls before goes the general way, with the same result."""

from __future__ import annotations

import numpy as np
import pytest

from adjoint import gradient, pullback, withgradient
from adjoint.derivatives.plans import _PLANS, forget_plans
from adjoint.errors import NotScalarError
from adjoint.testing import check_gradient


def scaled(xs, a):
    xs[0] = xs[0] * a
    return xs[0] * xs[1]


def mixed(xs, ys):
    xs[0] = xs[0] * ys[1]
    ys[0] = xs[0] * 3.0
    return xs[0] + ys[0] * ys[1]


def running(v, a):
    view = v[1:]
    view[0] = a * v[0]
    v[0] = v[1] * a
    return float((v * v).sum())


def counted(d, x):
    d["n"] = d["n"] * x
    return d["n"] + d["m"]


def swapped(xs, x):
    ys = [xs, [x, 1.0]]
    for row in ys:
        row[0] = row[0] * x
    return xs[0] * xs[1]


def halfway(xs, a):
    rows = [xs, [a, 1.0]]
    for row in rows:
        row[0] = row[0] * a
    if a > 5.0:
        raise ValueError("too large")
    return xs[0] * xs[1]


CALLS = {
    "a list": (scaled, lambda: ([2.0, 3.0], 1.5)),
    "two lists": (mixed, lambda: ([2.0, 3.0], [1.5, 0.5])),
    "two arrays": (mixed, lambda: (np.array([2.0, 3.0]), np.array([1.5, 0.5]))),
    "a view": (running, lambda: (np.array([2.0, 3.0]), 1.5)),
    "a dict": (counted, lambda: ({"n": 2.0, "m": 1.0}, 1.5)),
    "memory": (swapped, lambda: ([2.0, 3.0], 1.5)),
}


def warm(f, make):
    for _ in range(4):
        pullback(f, *make())[1](1.0)
        withgradient(f, *make())


def given(run, args):
    """What a call gives and leaves, or the error that it ends with."""
    try:
        return repr(run(*args)), repr(args)
    except Exception as error:  # noqa: BLE001 - whichever it is
        return repr(error), repr(args)


def both(f):
    def run(*args):
        y, back = pullback(f, *args)
        return y, back(1.0), back(2.0)

    return run


def compare(f, make, other):
    """Compare calls of another kind with and without plans for the usual ones."""
    for run in (both(f), lambda *args: withgradient(f, *args)):
        warm(f, make)
        found = given(run, other())
        forget_plans()
        assert found == given(run, other())


@pytest.mark.parametrize("name", CALLS)
def test_a_plan_is_made_and_right(name):
    f, make = CALLS[name]
    warm(f, make)
    assert {PLAN for (PLAN, _) in _PLANS[id(f.__code__)].of}
    assert len(_PLANS[id(f.__code__)].of) == 2
    plain = make()
    y = f(*plain)
    args = make()
    value, back = pullback(f, *args)
    assert (value, repr(args)) == (y, repr(plain))
    assert repr(back(1.0)) == repr(back(1.0))
    kept = make()
    grads = gradient(f, *kept)
    assert repr(kept) == repr(plain)
    assert repr(grads) == repr(tuple(back(1.0)[1:])).replace("None", "0.0")
    check_gradient(f, *make())


@pytest.mark.parametrize("same", [lambda: ([2.0, 3.0],) * 2, lambda: (np.array([2.0, 3.0]),) * 2])
def test_one_list_or_array_given_twice(same):
    compare(mixed, CALLS["two lists" if type(same()[0]) is list else "two arrays"][1], same)


def two_views(first, second):
    def make():
        a = np.array([2.0, 3.0, 1.5, 0.5])
        return a[first], a[second]

    return make


@pytest.mark.parametrize(
    "other",
    [
        two_views(slice(0, 2), slice(1, 3)),
        two_views(slice(0, 2), slice(2, 4)),
        two_views(slice(0, 4, 2), slice(1, 4, 2)),
        lambda: (np.array([2.0, 3.0]), np.broadcast_to(1.5, 2)),
        lambda: (np.frombuffer(bytearray(16)), np.array([1.5, 0.5])),
        lambda: (np.array([2.0, 3.0]), np.array([1.5, 0.5], np.float32)),
        lambda: (np.array([2.0, 3.0]), np.array([1.5])),
    ],
)
def test_arrays_that_lie_otherwise(other):
    compare(mixed, CALLS["two arrays"][1], other)


def read_only():
    a = np.array([2.0, 3.0])
    a.setflags(write=False)
    return a, 1.5


@pytest.mark.parametrize(
    "other",
    [
        read_only,
        lambda: (np.array([2.0, 3.0, 1.0, 0.0])[::2], 1.5),
        lambda: (np.array([2.0, 3.0, 1.0])[1:], 1.5),
        lambda: (np.array([2.0]), 1.5),
        lambda: ([2.0, 3.0], 1.5),
        lambda: (np.array([2, 3]), 1.5),
    ],
)
def test_an_array_of_another_kind(other):
    compare(running, CALLS["a view"][1], other)


@pytest.mark.parametrize(
    "other",
    [
        lambda: ([2.0], 1.5),
        lambda: ([], 1.5),
        lambda: ([2.0, 3.0, 4.0], 1.5),
        lambda: ([2, 3], 1.5),
        lambda: ([np.float64(2.0), 3.0], 1.5),
        lambda: ([2.0, 3.0], 2),
        lambda: ([2.0, "a"], 1.5),
    ],
)
@pytest.mark.parametrize("f", [scaled, swapped])
def test_a_list_of_another_kind(f, other):
    compare(f, CALLS["a list"][1], other)


@pytest.mark.parametrize("other", [lambda: ({"m": 1.0, "n": 2.0}, 1.5), lambda: ({"n": 2.0}, 1.5), lambda: ({}, 1.5)])
def test_a_dict_of_another_kind(other):
    compare(counted, CALLS["a dict"][1], other)


def test_an_error_leaves_what_python_leaves():
    warm(halfway, CALLS["memory"][1])
    for run in (lambda *args: pullback(halfway, *args), lambda *args: withgradient(halfway, *args)):
        xs = [2.0, 3.0]
        with pytest.raises(ValueError, match="too large"):
            run(xs, 6.0)
        assert xs == [12.0, 3.0]


def test_a_result_without_a_seed_is_refused():
    def either(xs, a):
        rows = [xs, [a, 1.0]]
        for row in rows:
            row[0] = row[0] * a
        return xs if a > 5.0 else xs[0]

    warm(either, CALLS["memory"][1])
    with pytest.raises(NotScalarError):
        withgradient(either, [2.0, 3.0], 6.0)


def test_a_function_that_holds_an_argument():
    def kept(xs, a):
        rows = [xs, [a, 1.0]]
        for row in rows:
            row[0] = row[0] * a
        return xs[0] + kept.seen[0] if hasattr(kept, "seen") else xs[0]

    make = CALLS["memory"][1]
    warm(kept, make)
    xs = [2.0, 3.0]
    kept.seen = xs
    assert gradient(kept, xs, 1.5) == ([3.0, 0.0], 4.0)


FACTOR = [2.0]


def by_name(xs, a):
    xs[0] = xs[0] * a * FACTOR[0]
    return xs[0] * xs[1]


def test_an_argument_that_a_name_leads_to():
    warm(by_name, CALLS["a list"][1])
    compare(by_name, CALLS["a list"][1], lambda: ([2.0, 3.0], 0.5))
    FACTOR.append(1.0)
    try:
        for run in (both(by_name), lambda *args: withgradient(by_name, *args)):
            FACTOR[0] = 2.0
            found = given(run, (FACTOR, 1.5))
            forget_plans()
            FACTOR[0] = 2.0
            assert found == given(run, (FACTOR, 1.5))
    finally:
        del FACTOR[1:]
        FACTOR[0] = 2.0


class Pair:
    shared = np.zeros(2)

    def __init__(self, v):
        self.v = v

    def scale(self, a):
        self.v[0] = self.v[0] * a
        return float(self.v[0] * self.v[1] + self.shared[0])


def of_pair(p, a):
    return p.scale(a)


def test_a_field_that_the_class_holds_too():
    warm(of_pair, lambda: (Pair(np.array([2.0, 3.0])), 1.5))
    for run in (both(of_pair), lambda *args: withgradient(of_pair, *args)):
        Pair.shared[:] = 2.0, 3.0
        y = given(run, (Pair(Pair.shared), 1.5))[0]
        assert y.startswith("(12.0, ")
        forget_plans()
        Pair.shared[:] = 2.0, 3.0
        assert y == given(run, (Pair(Pair.shared), 1.5))[0]


def test_a_method():
    class Filter:
        def run(self, xs, a):
            return scaled(xs, a)

    f = Filter().run
    warm(f, CALLS["a list"][1])
    assert gradient(f, [2.0, 3.0], 1.5) == ([4.5, 3.0], 6.0)
    with pytest.raises(IndexError):
        gradient(f, [], 1.5)


@pytest.mark.parametrize(
    "f",
    [
        lambda a, b: 2.0 * a + b,
        lambda a, b: a + b,
        lambda a, b, c=1.0: 2.0 * a + b * c + b,
    ],
)
def test_cotangents_are_nobody_elses(f):
    for _ in range(4):
        y, back = pullback(f, np.ones(3), np.ones(3))
        seed = np.full(3, 2.0)
        _, da, db = back(seed)
        assert not any(np.shares_memory(x, z) for x, z in [(da, db), (da, seed), (db, seed), (da, y), (db, y)])


def test_lists_of_cotangents_are_new_each_time():
    def rows(xs, a):
        return xs[0] * a + xs[1]

    for _ in range(4):
        _, back = pullback(rows, [2.0, 3.0], 4.0)
        first = back(1.0)
        first[1][0] = 100.0
        assert back(1.0) == (None, [4.0, 1.0], 2.0)
        assert back(None) == (None, None, None)


def test_a_seed_is_not_the_cotangent_of_what_is_captured():
    w = np.ones(3)

    def shifted(xs, a):
        return w + xs[0] * a

    for _ in range(4):
        _, back = pullback(shifted, [2.0, 3.0], 4.0)
        seed = np.ones(3)
        own, xs, a = back(seed)
        assert own.w is not seed
        assert (xs[0], a) == (12.0, 6.0)


HELD = [2.0]


class Walk:
    limit = 3.0

    def __init__(self, x):
        self.x = x

    def step(self, d):
        self.x = self.x + d * self.limit

    def held(self, d, known=HELD):
        self.x = self.x + d * known[0]

    def named(self, d):
        self.x = self.x + d * HELD[0]


class Sized(Walk):
    def __len__(self):
        return int(HELD[0])


def stepped(p, d):
    p.step(d)
    return p.x * d


def two_walks(p, q):
    p.step(q.x)
    q.step(p.x)
    return p.x * q.x


def by_default(p, xs):
    xs[0] = 5.0 * xs[0]
    p.held(xs[1])
    return p.x * xs[0]


def by_global(p, xs):
    xs[0] = 5.0 * xs[0]
    p.named(xs[1])
    return p.x * xs[0]


def by_length(p, xs):
    xs[0] = 5.0 * xs[0]
    p.step(xs[1])
    return p.x * xs[0] * len(p)


def with_more(p, more):
    p.more = more
    return p


OBJECTS = {
    "twice": (two_walks, lambda: (Walk(1.0), Walk(2.0)), lambda: (Walk(1.0),) * 2),
    "more fields": (stepped, lambda: (Walk(1.0), 0.5), lambda: (with_more(Walk(1.0), [1.0]), 0.5)),
    "other fields": (stepped, lambda: (Walk(1.0), 0.5), lambda: (Walk(np.ones(2)), 0.5)),
    "no fields": (stepped, lambda: (Walk(1.0), 0.5), lambda: (Walk.__new__(Walk), 0.5)),
    "another class": (stepped, lambda: (Walk(1.0), 0.5), lambda: (Sized(1.0), 0.5)),
    "a list in a field": (by_global, lambda: (Walk(1.0), [2.0, 3.0]), lambda: (with_more(Walk(1.0), HELD), HELD)),
}


@pytest.mark.parametrize("name", OBJECTS)
def test_objects_of_another_form(name):
    f, make, other = OBJECTS[name]
    HELD[:] = 2.0, 3.0
    with_held = name == "a list in a field"
    for run in (both(f), lambda *args: withgradient(f, *args)):
        warm(f, make)
        HELD[:] = 2.0, 3.0
        found = [*given(run, args := other()), [vars(x) for x in args if isinstance(x, Walk)]]
        found[1] = ""  # an address
        held = [*HELD]
        forget_plans()
        HELD[:] = 2.0, 3.0
        again = [*given(run, args := other()), [vars(x) for x in args if isinstance(x, Walk)]]
        again[1] = ""
        assert repr(found) == repr(again)
        assert held == HELD
        assert not with_held or held == [10.0, 3.0]


@pytest.mark.parametrize("f", [by_default, by_global, by_length])
@pytest.mark.parametrize("cls", [Walk, Sized])
def test_methods_that_lead_to_an_argument(f, cls):
    """`HELD` is an argument, and what a method reads by a default, a name, or as Python asks for a length."""
    if f is by_length and cls is Walk:
        return
    for run in (lambda *args: pullback(f, *args)[0], lambda *args: withgradient(f, *args)[0]):
        HELD[:] = 2.0, 3.0
        for _ in range(6):
            run(cls(1.0), [2.0, 3.0])
        p, HELD[:] = cls(1.0), (2.0, 3.0)
        expected = f(p, HELD)
        HELD[:] = 2.0, 3.0
        assert run(cls(1.0), HELD) == expected
        assert HELD == [10.0, 3.0]


def test_an_object_is_changed_as_by_python():
    p = Walk(1.0)
    for _ in range(6):
        warm(stepped, lambda: (Walk(1.0), 0.5))
    y, back = pullback(stepped, p, 0.5)
    assert (y, p.x) == (1.25, 2.5)
    assert back(1.0)[1].x == 0.5
    assert back(1.0)[2] == 2.5 + 0.5 * 3.0
    Walk.limit = 4.0
    try:
        assert gradient(stepped, Walk(1.0), 0.5)[1] == 3.0 + 0.5 * 4.0
    finally:
        Walk.limit = 3.0


@pytest.mark.parametrize(
    ("make", "bars"),
    [
        (lambda: ({"a": 2.0, "b": 3.0, "c": 4.0},), {"a": 3.0, "b": 2.0, "c": None}),
        (lambda: ({"b": 3.0, "a": 2.0},), {"b": 2.0, "a": 3.0}),
        (lambda: ({"a": np.float64(2.0), "b": 3.0},), {"a": 3.0, "b": 2.0}),
        (lambda: ({"a": 2.0, "b": 3.0, 5: 1.0},), {"a": 3.0, "b": 2.0, 5: None}),
    ],
)
def test_cotangents_of_dicts(make, bars):
    def product(d):
        return d["a"] * d["b"]

    warm(product, lambda: ({"a": 1.0, "b": 1.0},))
    for _ in range(3):
        assert pullback(product, *make())[1](1.0)[1] == bars
        (found,) = gradient(product, *make())
        assert [*found.items()] == [(k, v or 0.0) for k, v in bars.items()]


def test_cotangents_of_dicts_of_arrays_are_nobody_elses():
    def added(d):
        return d["a"] + d["b"]

    for _ in range(4):
        _, back = pullback(added, {"a": np.ones(2), "b": np.ones(2)})
        seed = np.ones(2)
        _, d = back(seed)
        assert [*d] == ["a", "b"]
        assert not any(np.shares_memory(x, y) for x, y in [(d["a"], d["b"]), (d["a"], seed), (d["b"], seed)])
