"""Programs that others wrote and that were once wrong, or stopped with an error of ours."""

import abc
import functools
import heapq
import itertools
from collections import namedtuple
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from regressions.differences import check

import adjoint
from adjoint import grad, gradient, withgradient

PAIRS = [(0, 1), (1, 2), (2, 0)]


def over_pairs(a: Any) -> Any:
    s = 1.0
    for i, j in PAIRS:
        s = s * a[i] + a[j]
    return s


def test_what_a_header_unpacks_is_kept_once() -> None:
    np.testing.assert_allclose(gradient(over_pairs, np.array([1.0, 2.0, 3.0]))[0], [7, 15, 12])


def test_what_is_added_to_an_empty_list_is_active() -> None:
    def added(x: Any) -> Any:
        q: list[Any] = []
        q += [x]
        return q[0] * q[0]

    def extended(x: Any) -> Any:
        q: list[Any] = ["a"]
        q.extend([x, 2 * x])
        return q[1] * q[2]

    assert grad(added)(3.0) == 6.0
    assert grad(extended)(3.0) == 12.0


def product(a: Any, b: Any, c: Any) -> Any:
    return a * b * c + a


class Thrice:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __iter__(self) -> Any:
        return iter([self.x, self.x * 2, self.x * 3])


@pytest.mark.parametrize(
    ("f", "d"),
    [
        (lambda x: product(*iter([x, 2 * x, 3 * x])), 19.0),
        (lambda x: product(*reversed([x, 2 * x, 3 * x])), 21.0),
        (lambda x: product(*map(lambda v: v * x, [1.0, 2.0, 3.0])), 19.0),
        (lambda x: product(*Thrice(x)), 19.0),
        (lambda x: sum(y * y for y in {x, x * x}), 6.0),
    ],
)
def test_iterators_as_arguments(f: Any, d: float) -> None:
    assert grad(f)(1.0) == d or f(1.0) == 1.0  # a set of equal numbers has one item


def test_an_iterator_that_two_loops_share() -> None:
    def f(x: Any) -> Any:
        z, s = reversed([x, 2 * x]), 0.0
        for v in z:
            s = s + v
        for v in z:
            s = s + v
        return s

    assert grad(f)(1.0) == 3.0


def test_an_iterator_zipped_with_itself() -> None:
    def f(x: Any) -> Any:
        it = iter([x, 2 * x, 3 * x, 4 * x])
        return sum(a * b for a, b in zip(it, it, strict=False))

    assert grad(f)(1.0) == 2.0 * (1.0 * 2.0 + 3.0 * 4.0)


class Holder:
    def __init__(self, h: Any) -> None:
        self.h = h


def held(how: str) -> Any:
    ways: dict[str, Any] = {
        "object": lambda q: Holder(q),
        "dict": lambda q: {"a": q},
        "iterator": lambda q: iter(q),
        "map": lambda q: map(lambda v: v, q),
        "chain": lambda q: itertools.chain(q),
        "partial": lambda q: functools.partial(sum, q),
    }
    way = ways[how]

    def f(x: Any) -> Any:
        q = [x]
        kept = way(q)
        q.append(x * x)
        return sum(
            kept.h if how == "object" else kept["a"] if how == "dict" else [kept()] if how == "partial" else kept
        )

    return f


@pytest.mark.parametrize("how", ["object", "dict", "iterator", "map", "chain", "partial"])
def test_a_list_that_grows_while_something_holds_it(how: str) -> None:
    assert withgradient(held(how), 2.0) == (6.0, (5.0,))


class Buffer:
    def __init__(self) -> None:
        self.a = np.array([1.0, 2.0, 3.0])

    def push(self, v: float) -> None:
        self.a[0] += v

    def __iadd__(self, v: float) -> Any:
        self.a[0] += v
        return self


def pushed(a: Any) -> Any:
    b = Buffer()
    y = a * b.a
    b.push(3.0)
    return y.sum() + (a * b.a).sum()


def added_in_place(a: Any) -> Any:
    b = Buffer()
    y = a * b.a
    b += 3.0
    return y.sum()


@pytest.mark.parametrize("f", [pushed, added_in_place])
def test_an_object_that_changes_its_array(f: Any) -> None:
    check(f, np.ones(3), order=2)


def test_indices_that_change_after_they_were_used() -> None:
    def heaped(a: Any) -> Any:
        idx = [2, 0, 1]
        y = a[idx]
        heapq.heapify(idx)
        return (y * np.array([1.0, 2.0, 3.0])).sum()

    def repeated(a: Any) -> Any:
        idx = [2, 0, 1]
        y = a[idx]
        idx *= 2
        return (y * np.array([1.0, 2.0, 3.0])).sum()

    assert gradient(repeated, np.ones(3))[0].tolist() == [2.0, 3.0, 1.0]
    assert gradient(heaped, np.ones(3))[0].tolist() == [2.0, 3.0, 1.0]


def test_cached_functions() -> None:
    def scaled(s: Any) -> Any:
        @functools.cache
        def g(n: Any) -> Any:
            return n * n * s

        return g

    g = scaled(3)
    assert gradient(lambda x, y: g(x) + g(y), 2, 2) == (12.0, 12.0)

    def first_where_nothing_flows(x: Any) -> Any:
        @functools.cache
        def h(n: Any) -> Any:
            return x * n

        (lambda: h(3))()
        return h(3)

    assert gradient(first_where_nothing_flows, 2.0) == (3.0,)


def optional(x: float, *, s: float = 2.0) -> float:
    return x * s


def uses_default(x: float) -> float:
    return optional(x)


def test_keyword_defaults_are_guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    assert gradient(uses_default, 1.0) == (2.0,)
    monkeypatch.setattr(optional, "__kwdefaults__", {"s": 5.0})
    assert gradient(uses_default, 1.0) == (5.0,)


class Doubling:
    def __init__(self, v: Any) -> None:
        self.v = v

    def __getattribute__(self, n: str) -> Any:
        v = object.__getattribute__(self, n)
        return v * 2 if n == "v" else v


@dataclass
class Stores:
    a: float

    def __setattr__(self, n: str, v: Any) -> None:
        object.__setattr__(self, n, v * 2)


class Made(namedtuple("Made", "a b")):
    def __new__(cls, a: Any) -> Any:
        return super().__new__(cls, a * 2, a * a)


class Abstract(abc.ABC):  # noqa: B024
    @property
    def p(self) -> Any:
        return self._p

    @p.setter
    def p(self, v: Any) -> None:
        self._p = v


def by_setter(x: Any) -> Any:
    m = Abstract()
    m.p = x * x
    return m.p


@pytest.mark.parametrize("f", [lambda x: Doubling(x).v, lambda x: Stores(x).a, by_setter])
def test_classes_that_do_their_own(f: Any) -> None:
    check(f, 1.5, order=2)


def test_a_class_that_makes_its_objects_in_its_own_way() -> None:
    check(lambda x: Made(x).a, 1.5)


def test_a_property_over_the_field_of_a_named_tuple() -> None:
    class Over(namedtuple("Over", "a b")):
        @property
        def a(self) -> Any:
            return self[0] * 4

    assert grad(lambda x: Over(x, x).a * x)(1.5) == 12.0


def test_masks_say_nothing_of_what_they_choose() -> None:
    mask = np.array([True, False])
    assert gradient(lambda m, x: np.where(m, x, 0.0).sum(), mask, 2.0)[1] == 1.0
    assert gradient(lambda a, x: np.where(a > 0, x, -x).sum(), np.array([1.0, 2.0]), 2.0)[1] == 2.0
    assert gradient(lambda k, x: (k @ [x, 2 * x]) * 1.0, np.array([1, 2]), 2.0)[1] == 5.0


class Grown:
    def __init__(self, x: Any) -> None:
        self.s = x
        for _ in range(3):
            self.s = self.s * x
        self.l = [x * i for i in range(3)]
        if x > 100:
            return
        while self.s < 0:
            self.s = -self.s


def test_loops_in_constructors() -> None:
    assert grad(lambda x: Grown(x).s)(2.0) == 32.0
    assert grad(lambda x: Grown(x).l[2] * x)(2.0) == 8.0


def by_shape(e: Any) -> Any:
    match e:
        case (0, a):
            return a
        case (1, a):
            return a * a
        case (2, a, b):
            return a * b


def test_names_of_cases_that_did_not_fit() -> None:
    assert gradient(by_shape, (2, 2.0, 3.0)) == ((0.0, 3.0, 2.0),)
    assert gradient(by_shape, (1, 2.0)) == ((0.0, 4.0),)


def test_part_of_a_comprehension_twice() -> None:
    assert grad(grad(lambda x: [q * x * x for q in (1.0, 2.0)][0]))(2.0) == 2.0


class Vector:
    def __init__(self, x: Any) -> None:
        self.x = x

    def __add__(self, o: Any) -> Any:
        return Vector(self.x + o.x)

    def __iter__(self) -> Any:
        return iter((self.x,))


def test_in_place_addition_of_what_has_none() -> None:
    def f(x: Any) -> Any:
        c = Vector(x)
        c += Vector(x * x)
        return c.x

    assert grad(f)(2.0) == 5.0


class Linked:
    def __init__(self, v: float, parent: Any = None) -> None:
        self.v = v
        self.parent = parent
        self.kids: list[Any] = []


def test_objects_that_hold_each_other() -> None:
    root = Linked(1.0)
    root.kids.append(Linked(2.0, root))
    g = gradient(lambda n: n.v * n.kids[0].v * n.kids[0].parent.v, root)[0]
    assert (g.kids[0].v, g.v, g.kids[0].parent) == (1.0, 4.0, None)  # all that flows to the root, once


def test_numbers_that_become_arrays() -> None:
    def f(rows: Any) -> Any:
        s = 0.0
        for r in rows:
            s += r @ r
        return s

    def g(x: Any) -> Any:
        a = np.zeros(2)
        a[:] = [x, x * x]
        return a.sum()

    assert gradient(f, np.ones((2, 2)))[0].tolist() == [[2.0, 2.0], [2.0, 2.0]]
    assert grad(g)(1.5) == 4.0


SCALE = 2.0


def test_a_global_that_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    def f(x: Any) -> Any:
        return x * SCALE

    assert gradient(f, 1.0) == (2.0,)
    monkeypatch.delitem(globals(), "SCALE")
    with pytest.raises(NameError):
        gradient(f, 1.0)


def test_dates_beside_numbers() -> None:
    assert gradient(lambda x, d: x * 2.0, 1.0, np.datetime64("2020-01-01")) == (2.0, None)


def double_buffered(xs: Any) -> Any:
    for _ in range(2):
        new = []
        for v in xs:
            new.append(v * v)
        xs = new
    return sum(xs)


def buffered_and_read(x: Any) -> Any:
    xs, total = [x, 2 * x], 0.0
    for k in range(3):
        new = [xs[0] * k]
        for v in xs:
            new.append(v * x)
        total = total + sum(xs) * new[1]
        xs = new
    return total * sum(xs)


def parts_of_fresh_arrays(x: Any) -> Any:
    d = np.zeros(3, dtype=float)
    d[1:] += x
    d[:2] *= x
    e = d.copy()
    e[0] = x
    e[e > 1.5] -= x
    return (d * e).sum()


def copies_of_lists(x: Any) -> Any:
    a = [x, x]
    b, c = a[:], a.copy()
    b.append(x * x)
    c.append(x)
    return sum(b) * sum(c) * len(a)


@pytest.mark.parametrize("f", [buffered_and_read, parts_of_fresh_arrays, copies_of_lists])
def test_what_is_made_here_may_be_stored_into(f: Any) -> None:
    assert grad(f)(1.3) == pytest.approx((f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6, rel=1e-6)


def test_double_buffering() -> None:
    assert gradient(double_buffered, [2.0, 1.0]) == ([32.0, 4.0],)


def stored_into_what_was_handed_on(x: Any) -> Any:
    xs, seen = [x], []
    for _ in range(3):
        new = [x]
        seen.append(new)
        xs.append(x * x)
        xs = new
    return sum(xs) + sum(seen[0]) + sum(seen[1])


def test_a_buffer_that_is_held_and_grows() -> None:
    check(stored_into_what_was_handed_on, 2.0, order=2)


class Pair:
    def __init__(self, u: Any) -> None:
        self.u = u


def added_to_in_place(x: Any) -> Any:
    o, xs = Pair(x), [x]
    a = np.array([x, 2 * x, 0.5])
    xs.append((a[1] * a).sum())
    a += o.u * x
    return sum(xs)


def added_to_in_place_and_read(x: Any) -> Any:
    o = Pair(x)
    a = np.array([x, 2 * x, 0.5])
    s = (a[1] * a).sum()
    a *= o.u
    return s * (a * a).sum()


@pytest.mark.parametrize("f", [added_to_in_place, added_to_in_place_and_read])
def test_in_place_operations_with_what_is_found_at_run_time(f: Any) -> None:
    for _ in range(2):
        assert grad(f)(1.3) == pytest.approx((f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6, rel=1e-6)
        f = grad(f)


def area(a: Any, b: Any) -> Any:
    return a * b


def test_wrong_input_is_named() -> None:
    @adjoint.rules.scalar_rule(area)
    def one_partial(a, b, y):  # type: ignore[no-untyped-def]
        return b

    try:
        for args in ((1.0, 2.0), (np.ones(2), 2.0)):
            with pytest.raises(adjoint.errors.RuleError, match="1 partial for 2 arguments"):
                gradient(lambda a, b: np.sum(area(a, b)), *args)
    finally:
        adjoint.rules.opt_out(area)
    with pytest.raises(adjoint.errors.RuleError, match="not callable"):
        adjoint.rule("abs")(lambda x: (x, lambda d: (d,)))
    with pytest.raises(adjoint.errors.NotDifferentiableError, match="not callable"):
        grad(3)  # type: ignore[arg-type]


FACTOR: Any = None


def by_factor(x: float) -> Any:
    return FACTOR(x)


def test_rules_of_a_global_that_is_rebound_do_not_pile_up() -> None:
    global FACTOR
    before = adjoint.inspect.cache_info().rules  # of what other tests have differentiated
    for k in range(40):
        FACTOR = eval(f"lambda x: x * {k}.0") if k % 2 else functools.partial(lambda k, x: x * k, float(k))
        if k % 2 == 0:
            assert gradient(by_factor, 1.0) == (float(k),)
    assert adjoint.inspect.cache_info().rules < before + 200


def test_reasons_are_true() -> None:
    with pytest.raises(adjoint.errors.NoRuleError) as of_numpy:
        gradient(lambda x: np.lib._function_base_impl._lerp(2.0, x, 0.5), 1.5)  # type: ignore[attr-defined]
    assert "functions of NumPy are not looked into" in str(of_numpy.value)


def two_names_for_a_buffer(x: Any) -> Any:
    ys = [x, x * x]
    xs = ys
    for _ in range(3):
        new = [x]
        for v in ys:
            new.append(v * x)
        ys = new
        xs = ys
    xs.append(sum(xs))
    return sum(xs) + ys[-1]


def test_a_buffer_with_two_names() -> None:
    check(two_names_for_a_buffer, 1.3, order=2)


def mapped_later(x: Any) -> Any:
    it = map(lambda t: t * x, [1.0, 2.0])
    x = x * x
    return sum(it)


def mapped_at_once(x: Any) -> Any:
    s = sum(map(lambda t: t * x, [1.0, 2.0]))
    x = x * x
    return s * x


def test_map_of_what_is_bound_again() -> None:
    assert withgradient(mapped_later, 2.0) == (12.0, (12.0,))
    assert gradient(mapped_at_once, 2.0) == (pytest.approx(36.0),)


def numbers_or_pairs(x: Any) -> Any:
    items = reversed([x, x * x])
    return sum([t[0] * t[1] if isinstance(t, tuple) else t * x for t in items])


def test_items_that_could_be_pairs() -> None:
    assert grad(numbers_or_pairs)(2.0) == 4.0 + 12.0


# What a function is called with when only its value counts: `*args`, keyword-only parameters, `**kwargs`.


def of_many(x: Any, y: Any = 2.0, *rest: Any, s: Any = 1.0, **options: Any) -> Any:
    return x * y * s * (1 + len(rest)) + len(options)


@pytest.mark.parametrize(
    "f",
    [
        lambda a: a * 3 if of_many(a, 1, 2, 3) > 5 else a,
        lambda a: a * 3 if of_many(a, s=a) > 5 else a,
        lambda a: a * 3 if of_many(a, p=a, q=2, t=3) > 6.5 else a,
        lambda a: a * 3 if of_many(a, s=a, z=4) > 8.5 else a,
        lambda a: a * 3 if of_many(a, a, a, a, s=a, z=4) > 24 else a,
    ],
)
def test_a_call_of_which_only_the_value_counts(f: Any) -> None:
    value, back = adjoint.pullback(f, 2.0)
    assert value == f(2.0)
    assert back(1.0)[1] == f(2.0) / 2.0


# Names that a pattern or a branch leaves unbound.


class Corner:
    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = x, y


def patterns(a: Any, n: int) -> Any:
    c = a
    if n > 1:
        match (c, 1):
            case [q, 1]:
                c = q * c
            case [q, r]:
                c = q - r
    match [a, c]:
        case Corner(x=q, y=r) if q > 0.3:
            c = q * r
        case [q, 1]:
            c = q * c
        case [q, r]:
            c = q - r
    return c


@pytest.mark.parametrize("n", [1, 2])
def test_names_that_a_pattern_leaves_unbound(n: int) -> None:
    h = 1e-6
    expected = (patterns(2.0 + h, n) - patterns(2.0 - h, n)) / (2 * h)
    assert gradient(patterns, 2.0, n)[0] == pytest.approx(expected, rel=1e-6, abs=1e-6)


class Weighted:
    def __init__(self, u: Any, w: Any) -> None:
        self.u, self.w = u, w

    def get(self, k: Any) -> Any:
        return self.u * k + self.w


def stored_and_never_read(a: Any, b: Any) -> Any:
    c = 0.3
    o = Weighted(a, b)
    ar = np.array([a, b, 0.5])
    g = lambda t: t * c + a  # noqa: E731
    b = g((ar[1] * ar).sum() * a)
    if a > 2:
        b = np.concatenate([ar, ar])
        c = b[1]
    else:
        a, b, c = b, a, c
        ar[2] = o.get(b)
    return c * a - b


def test_a_store_that_nobody_reads_changes_nothing_that_was_read() -> None:
    check(stored_and_never_read, 0.371, 0.813)
