"""Lists and dicts that are written down and only read: their items are known. What is stored into, handed on, kept or
returned is not such a one."""

from typing import Any

import numpy as np
import pytest

from adjoint import gradient, withgradient
from adjoint.calculus import pushforward
from adjoint.inspect import code_adjoint
from adjoint.testing import check_gradient

# mypy: disable-error-code="no-untyped-def, no-untyped-call"
# ruff: noqa: B007, B018, B905, E741, F841


def item(x, y):
    values = [x, y, x * y]
    return values[0] * values[-1] + values[1]


def nested_lists(x, y):
    m = [[x, y], [y, x * x]]
    return m[0][1] * m[1][1] + m[1][0]


def sliced(x, y):
    tail = [x, y, x * y, 2.0][1:3]
    return tail[0] * tail[1] + [x, y, 3.0][::-1][0] * x


def starred(x, y):
    first, *rest, last = [x, y, x * y, y * y]
    return first * rest[0] * rest[1] + last + len(rest)


def starred_nothing(x, y):
    a, b, *rest = [x, y]
    return a * b + sum(rest)


def total(x, y):
    return sum([x, y, x * y, 2]) + sum((x, 3)) * sum([y])


def total_twice(x, y):
    values = [x, y]
    return sum(values) * sum(values) + values[0]


def run_through(x, y):
    s = 0.0
    for v in [x, y, x * y]:
        s = s * v + v
    return s


def extremes(x, y):
    values = [x, y, x * y]
    return max(values) * min(values) + len(values)


def of_a_dict(x, y):
    d = {"a": x, "b": x * y}
    return d["a"] * d["b"] + d.get("a") * d.get("c", 2.0)


def of_dict(x, y):
    d = dict(a=x, b=y)
    return d["a"] * d["b"] * d["b"]


def views(x, y):
    d = {"a": x, "b": y, "k": 2}
    s = 0.0
    for v in d.values():
        s = s + v * x
    for key, v in d.items():
        s = s + v * len(key)
    for key in d.keys():  # noqa: SIM118
        s = s + d[key]
    return s + sum(d.values())


def in_a_dict(x, y):
    d = {"pair": [x, y], "inner": {"z": x * y}}
    return d["pair"][0] * d["inner"]["z"] + d["pair"][1]


def appended(x, y):
    values = [x, y]
    values.append(x * y)
    return values[2] * values[0]


def stored(x, y):
    values = [x, y]
    values[0] = y * y
    return values[0] * values[1]


def stored_in_a_loop(x, y):
    values = [x, y]
    s = 0.0
    for i in range(2):
        s = s + values[0]
        values[i] = values[1] * x
    return s + values[0]


def stored_by_another_name(x, y):
    values = [x, y]
    other = values
    other[0] = y * y
    return values[0] * x


def stored_in_its_holder(x, y):
    inner = [x, y]
    outer = [inner, inner]
    outer[0][0] = y * y
    return inner[0] * outer[1][0]


def stored_through_an_item(x, y):
    outer = [[x, y], [y, x]]
    row = outer[0]
    row[1] = x * x
    return outer[0][1] * y


def stored_by_a_loop(x, y):
    outer = [[x, y], [y, x]]
    for row in outer:
        row[0] = row[0] * x
    return outer[0][0] * outer[1][0]


def change(values, x):
    values[0] = x * x


def stored_by_a_function(x, y):
    values = [x, y]
    change(values, y)
    return values[0] * x


def stored_by_a_closure(x, y):
    values = [x, y]

    def put(v):
        values[1] = v

    put(x * x)
    return values[1] * y


def stored_into_the_dict(x, y):
    d = {"a": x, "b": y}
    d["a"] = d["b"] * x
    return d["a"]


def updated(x, y):
    d = {"a": x, "b": y}
    d.update(a=y * y)
    return d["a"] * x


def popped(x, y):
    d = {"a": x, "b": y}
    return d.pop("a") * len(d) + sum(d.values())


def set_by_default(x, y):
    d = {"a": x}
    return d.setdefault("b", y) * d["b"]


def sorted_in_place(x, y):
    values = [y, x]
    values.sort()
    return values[0] * 2.0 + values[1]


def reversed_in_place(x, y):
    values = [x, y]
    values.reverse()
    return values[0] * 2.0 + values[1]


def kept_by_name(x, y):
    put = [x, y].append
    put(x)
    return x * y


def extended_in_place(x, y):
    values = [x]
    values += [y, x * y]
    return values[2] * values[1]


def bound_again(x, y):
    values = [x, y]
    for _ in range(2):
        values = [values[1], values[0] * x]
    return values[0] + 2.0 * values[1]


def in_branches(x, y):
    values = [x, y] if x > y else [y, x]
    return values[0] * values[0] + values[1]


def returned(x, y):
    def pair(a):
        return [a, a * a]

    values = pair(x)
    values.append(y)
    return values[1] * values[2]


def shadowed(x, y):
    def sum(values):  # noqa: A001
        values[0] = y
        return values[0] * x

    return sum([x, y])


def aliased_and_stored_in_its_loop(x, y):
    l = [x, y]
    m = l
    for v in l:
        l[0] = l[0] * v
    return m[0]


def bound_again_in_its_loop(x, y):
    l = [x, y]
    m = l
    for v in l:
        l = [v, l[0]]
        l[0] = 5.0 * x
    return m[0] * l[1]


def zipped_and_stored(x, y):
    l = [x, y]
    m = l
    for v in zip(l, l):
        l[1] = l[1] * v[0]
    return m[1]


def dict_run_through_and_stored(x, y):
    d = {"a": x, "b": y}
    e = d
    for k in d.values():
        d["a"] = d["a"] * k
    return e["a"]


def longer_in_its_loop(x, y):
    l = [x, y]
    n = len(l)
    for v in l:
        if v > 1:
            l = l + [v]
    return l[-1] * n


def tuple_of_a_list_that_changes(x, y):
    t = ([x, y], 1)
    u = t
    for i in range(2):
        t[0][0] = t[0][0] * y
    return u[0][0]


def run_through_twice_the_same(x, y):
    a = [x, y]
    b = [a, a]
    for r in b:
        r[0] = r[0] * 2
    return a[0]


def stored_in_a_condition(x, y):
    l = [x, y]
    k = l
    while k[0] < 10:
        k[0] = k[0] * 2
    return l[0]


def one_of_two_that_is_stored(x, y):
    l = [x, y]
    r = l if x > 0 else [y, x]
    r[0] = y * y
    return l[0]


def two_levels_down_by_unpacking(x, y):
    row = [x, 2 * x]
    t = ((row,), 1.0)
    (a,) = t[0]
    a[0] = 5.0
    return row[0] * x


def two_levels_down_by_get(x, y):
    row = [x, 2 * x]
    d = {"a": {"b": row}}
    v = d["a"].get("b")
    v[0] = y
    return row[0] * x


def two_levels_down_by_values(x, y):
    row = [x, 2 * x]
    d = {"a": {"b": row}}
    (v,) = d["a"].values()
    v[0] = y * y
    return row[0] * x


def two_levels_down_by_a_slice(x, y):
    row = [x, 2 * x]
    d = ([row],)
    w = d[0][:][0]
    w[0] = y
    return row[0] * x


def three_tuples(x, y):
    a = [x]
    b = (a,)
    c = (b,)
    (p,) = c[0]
    p[0] = p[0] * x
    return a[0] * x


def kept_by_a_dict(x, y):
    a = [x]
    d = dict(q=a)
    d["q"][0] = y
    return a[0] * x


def kept_by_a_sum(x, y):
    a = [x, 2 * x]
    s = sum([], a)
    s[0] = y
    return a[0] * x


def configured(x, y):
    cfg = {"opt": {"ws": [x, x]}}
    ws = cfg["opt"].get("ws")
    ws[0] = 10.0
    return cfg["opt"]["ws"][0] * x


def of_mixed_items(x, y):
    values = [x, "name", None, np.array([y, 2.0]), (x, y)]
    return values[0] * values[3][0] + values[4][1] * len(values[1])


def of_integers(x, y):
    counts = [1, 2, True]
    return sum(counts) * x + sum([x, True, 2]) * y


def of_negative_zeros(x, y):
    return sum([-0.0 * x, -0.0]) + x * y


PROGRAMS = [value for value in globals().values() if getattr(value, "__code__", None) is not None][2:]
PROGRAMS = [f for f in PROGRAMS if f.__module__ == __name__ and f is not change]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize(("x", "y"), [(1.5, 0.7), (0.3, 1.1)])
def test_programs(f: Any, x: float, y: float) -> None:
    for _ in range(3):
        value, bars = withgradient(f, x, y)
        assert (type(value), repr(value)) == (type(f(x, y)), repr(f(x, y)))
    check_gradient(f, x, y)
    assert pushforward(f, (x, y), (1.0, 1.0))[1] == pytest.approx(sum(bars))
    h = 1e-5
    second = gradient(lambda x: gradient(f, x, y)[0], x)[0]
    assert second == pytest.approx((gradient(f, x + h, y)[0] - gradient(f, x - h, y)[0]) / (2 * h), abs=1e-4)


def test_there_are_programs() -> None:
    assert len(PROGRAMS) > 35


@pytest.mark.parametrize("f", [item, nested_lists, sliced, starred, of_a_dict, of_dict, in_a_dict])
def test_what_is_only_read_is_not_made(f: Any) -> None:
    text = code_adjoint(f, 1.5, 0.7)
    program = "\n".join([line.partition("#")[0] for line in text.splitlines()])
    assert not any(made in program for made in ("[", "{", "buffer_like", "add_at", "item_bar", "accumulate"))


def test_an_item_that_is_missing_is_missed() -> None:
    for f in (lambda x: [x, x][2] * x, lambda x: {"a": x}["b"] * x, lambda x: [x, x][-3] * x):
        with pytest.raises(LookupError):
            gradient(f, 2.0)


def test_what_making_a_display_does_is_done() -> None:
    def drawn(x):
        z = zip([1.0, 2.0], [3.0, 4.0])
        [*z]
        return x * x * (1 + len(list(z)))

    def of_no_iterable(x):
        y = [*5]
        return x * x

    def of_no_key(x):
        d = {[1]: x}
        return x * x

    for _ in range(3):
        assert withgradient(drawn, 1.7) == (drawn(1.7), (pytest.approx(3.4),))
        for f in (of_no_iterable, of_no_key):
            with pytest.raises(TypeError):
                gradient(f, 3.0)


def test_views_are_no_tuples() -> None:
    for f in (lambda x: {"a": x}.values()[0] * x, lambda x: {"a": x}["a":"b"] * x):
        with pytest.raises((TypeError, KeyError)) as plain:  # slices can be hashed from Python 3.12 on
            f(3.0)
        for _ in range(2):
            with pytest.raises(plain.type):
                gradient(f, 3.0)
    assert gradient(lambda x: {"a": x}[0:1] if x > 100.0 else x * x, 3.0) == (6.0,)
