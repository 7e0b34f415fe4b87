"""Iterators: who takes which item, when items are made, and what the user's own iterators give."""

# ruff: noqa: B007, B023, E731, B905, C417 - what iterators do is the point

import functools
import itertools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from regressions.differences import check

import adjoint
from adjoint import grad, gradient, withgradient
from adjoint.errors import AdjointError

XS = [1.0, 2.0, 3.0, 4.0]


def difference(f: Callable[[float], float], x: float, h: float = 1e-3) -> float:
    return (8 * (f(x + h) - f(x - h)) - (f(x + 2 * h) - f(x - 2 * h))) / (12 * h)


class Own:
    """A container that says itself how it is run through."""

    def __init__(self, xs: Any) -> None:
        self.xs = xs

    def __iter__(self) -> Any:
        return iter(self.xs)

    def __reversed__(self) -> Any:
        return reversed([v * v for v in self.xs])


class Stepping:
    """An iterator that counts its steps itself."""

    def __init__(self, xs: Any) -> None:
        self.xs = xs
        self.i = 0

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        if self.i >= len(self.xs):
            raise StopIteration
        self.i += 1
        return self.xs[self.i - 1]


class Doubling:
    """An iterator that changes nothing itself."""

    def __init__(self, xs: Any) -> None:
        self.inner = iter(xs)

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        return 2 * next(self.inner)


class Indexed:
    """What is run through by its indices."""

    def __init__(self, xs: Any) -> None:
        self.xs = xs

    def __getitem__(self, i: int) -> Any:
        return self.xs[i] * 2


# ---- an iterator that is advanced within its own loop


def advanced_in_its_loop(xs: Any) -> Any:
    it = iter(xs)
    s = 0.0
    for v in it:
        s = s + v * next(it)
    return s


def skipping(xs: Any) -> Any:
    it = iter(xs)
    s = 0.0
    for v in it:
        s = s + v * v
        next(it)
    return s


def skipping_the_last(xs: Any) -> Any:
    e = enumerate(xs)
    s = 0.0
    for i, v in e:
        s += v * v * i
        next(e, None)
    return s


def loop_within_its_loop(xs: Any) -> Any:
    it = zip(xs, xs[1:])
    s = 0.0
    for a, b in it:
        s += a * b
        for c, d in it:
            s += c * d * d
            break
    return s


def first_and_rest(xs: Any) -> Any:
    it = iter(xs)
    first = next(it)
    s = first * first * first
    for v in it:
        s = s + v * v * first
    return s


def stopped_and_resumed(xs: Any) -> Any:
    it = iter(xs)
    s = 0.0
    for v in it:
        if v > 1.5:
            break
        s = s + v
    for v in it:
        s = s + v * v
    return s


def pairs(xs: Any) -> Any:
    it = iter(xs)
    return sum(a * b * b for a, b in zip(it, it))


def by_threes(xs: Any) -> Any:
    its = [iter([*xs, *xs])] * 3
    return sum(a * b * c * c for a, b, c in zip(*its))


def parted(xs: Any) -> Any:
    it = iter([*xs, *xs])
    m = map(lambda v: v * v, it)
    return next(m) * next(it) + next(m) * sum(it)


def by_tee(xs: Any) -> Any:
    a, b = itertools.tee(map(lambda v: v * v, xs))
    next(b)
    return sum(v * w for v, w in zip(a, b))


def two_sliced(xs: Any) -> Any:
    it = iter(xs)
    head = list(itertools.islice(it, 2))
    return head[0] * head[1] * sum(v * v for v in it)


def reduced_with_next(xs: Any) -> Any:
    it = iter([1.0, *xs, *xs])
    return functools.reduce(lambda a, v: a * v + next(it) ** 2, it)


def asked_by_while(xs: Any) -> Any:
    it = iter(xs)
    s = 0.0
    while True:
        a = next(it, None)
        if a is None:
            break
        s = s + a * next(it) ** 2
    return s


# ---- what makes its items when they are asked for


def first_of_map(xs: Any) -> Any:
    for v in map(lambda v: xs[1] ** 2 / v, [xs[0], 0.0]):
        return v


def next_of_map(xs: Any) -> Any:
    m = map(lambda v: v * v * xs[1], xs)
    return next(m) * next(m)


def map_of_two(xs: Any) -> Any:
    return sum(map(lambda a, b: a * a * b, xs, xs[1:]))


def map_of_map(xs: Any) -> Any:
    k = xs[1]
    return sum(map(lambda v: v * k, map(lambda v: v * v + k, xs)))


def filtered_map(xs: Any) -> Any:
    return sum(v * v for v in filter(lambda v: v > 2.0, map(lambda v: v * v, xs)))


def chained(xs: Any) -> Any:
    c = itertools.chain(map(lambda v: v * v, xs), xs, map(lambda v: v**3, xs))
    return next(c) * next(c) + sum(v * v for v in c)


def chained_rows(xs: Any) -> Any:
    rows = itertools.chain.from_iterable(map(lambda v: (v, v * v), xs))
    return next(rows) * sum(v * v for v in rows)


def chained_own(xs: Any) -> Any:
    return sum(v * v for v in itertools.chain.from_iterable([Own(xs), tuple(xs)]))


def chained_arrays(xs: Any) -> Any:
    m = np.array([xs, xs]) * xs[0]
    rows = [tuple(xs), m[0], {xs[1], 3.0}, m[1][:2]]
    return sum(v**3 for v in itertools.chain.from_iterable(rows)) + sum(itertools.chain.from_iterable(m))


def zipped_maps(xs: Any) -> Any:
    return sum(a * b for a, b in zip(map(lambda v: v * v, xs), map(lambda v: v**3, xs)))


def enumerated_map(xs: Any) -> Any:
    e = enumerate(map(lambda v: v * v, xs), 2)
    return next(e)[1] * sum(i * v * v for i, v in e)


def starred(xs: Any) -> Any:
    return sum(itertools.starmap(lambda a, b: a * b * b * xs[0], zip(xs, xs[1:])))


def accumulated(xs: Any) -> Any:
    return sum(v * v for v in itertools.accumulate(map(lambda v: v * v, xs), operator.mul))


def accumulated_from(xs: Any) -> Any:
    ys = itertools.accumulate(xs, lambda a, b: a * b * xs[1], initial=xs[0])
    return next(ys) * next(ys) + next(ys) ** 2


def taken_while(xs: Any) -> Any:
    it = itertools.takewhile(lambda v: v < 10.0, map(lambda v: v * v, xs))
    return sum(v * v for v in it)


def dropped_while(xs: Any) -> Any:
    return sum(v * v for v in itertools.dropwhile(lambda v: v < 1.5, map(lambda v: v * v, xs)))


def sliced_map(xs: Any) -> Any:
    return sum(v * v for v in itertools.islice(map(lambda v: v * v, itertools.cycle(xs)), 1, 6, 2))


def pairwise_map(xs: Any) -> Any:
    p = itertools.pairwise(map(lambda v: v * v, xs))
    a, b = next(p)
    return a * b + sum(c * d * d for c, d in p)


def longest(xs: Any) -> Any:
    return sum(a * b * b for a, b in itertools.zip_longest(map(lambda v: v * v, xs), xs[:1], fillvalue=xs[1]))


def unpacked_map(xs: Any) -> Any:
    a, *rest = map(lambda v: v * v, xs)
    return a * sum(rest) + (lambda *vs: vs[1] * vs[2])(*map(lambda v: v**3, xs))


def largest_of_map(xs: Any) -> Any:
    return max(map(lambda v: v**3, xs)) * min(map(lambda v: v * v, xs))


def listed_twice(xs: Any) -> Any:
    m = map(lambda v: v * v, xs)
    return sum(list(m)) * (1.0 + sum(list(m)))


def repeated(xs: Any) -> Any:
    return sum(a * b * a for a, b in zip(itertools.repeat(xs[0]), xs))


def from_a_set(xs: Any) -> Any:
    return sum(map(lambda v: v * v * v, {xs[0], 7.0 * xs[1]}))


def from_an_array(xs: Any) -> Any:
    return sum(map(lambda v: v * v * v, np.array(xs)))


def enumerated_array(xs: Any) -> Any:
    entries = np.ndenumerate(np.array([xs, xs]) * xs[1])
    _, first = next(entries)
    return first * sum(v * v * (1 + i + 2 * j) for (i, j), v in entries)


def zipped_with_indices(xs: Any) -> Any:
    m = np.array([xs, xs])
    return sum(v**3 * (1 + i + 2 * j) for (i, j), v in zip(np.ndindex(2, 4), m.flat))


# ---- the user's own


def of_own(xs: Any) -> Any:
    return sum(map(lambda v: v * v, Own(xs))) + max(Own(xs)) ** 2


def own_reversed(xs: Any) -> Any:
    s = 0.0
    for v in reversed(Own(xs)):
        s = s * xs[0] + v
    return s + sum(reversed(Own(xs)))


def own_iterator(xs: Any) -> Any:
    d = Doubling(xs)
    s = next(d) ** 2
    for v in d:
        s = s + v * next(d, 1.0)
    return s


def own_iterator_summed(xs: Any) -> Any:
    return sum(map(lambda v: v * v, Doubling(xs)))


def indexed(xs: Any) -> Any:
    s = 0.0
    for v in Indexed(xs):
        s = s + v * v
    return s + sum(Indexed(xs)) + sum(a * b for a, b in zip(Indexed(xs), xs)) + max(Indexed(tuple(xs))) ** 2


PROGRAMS = [
    *(advanced_in_its_loop, skipping, skipping_the_last, loop_within_its_loop, first_and_rest, stopped_and_resumed),
    *(pairs, by_threes, parted, by_tee, two_sliced, reduced_with_next, asked_by_while, first_of_map, next_of_map),
    *(map_of_two, map_of_map, filtered_map, chained, chained_rows, chained_own, chained_arrays, zipped_maps),
    *(enumerated_map, starred),
    *(accumulated, accumulated_from, taken_while, dropped_while, sliced_map, pairwise_map, longest, unpacked_map),
    *(largest_of_map, listed_twice, repeated, from_a_set, from_an_array, of_own, own_reversed, own_iterator),
    *(own_iterator_summed, indexed, enumerated_array, zipped_with_indices),
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_every_order(f: Callable[[Any], Any]) -> None:
    def along(t: float) -> Any:
        return f([1.1 + t, 1.7 - 0.3 * t * t, 2.3 + t, 0.9 * t])

    def g1(t: float) -> Any:
        return gradient(along, t)[0]

    assert adjoint.value_and_grad(along)(1.3)[0] == along(1.3)
    assert g1(1.3) == pytest.approx(difference(along, 1.3), rel=1e-6)
    assert grad(g1)(1.3) == pytest.approx(difference(g1, 1.3), rel=1e-6)
    g2 = grad(grad(along))
    assert g2(1.3) == pytest.approx(difference(grad(along), 1.3), rel=1e-6)


@pytest.mark.parametrize(
    "f", [advanced_in_its_loop, next_of_map, accumulated, chained_rows, starred, parted], ids=lambda f: f.__name__
)
def test_third_order(f: Callable[[Any], Any]) -> None:
    def along(t: float) -> Any:
        return f([1.1 + t, 1.7 - 0.3 * t * t, 2.3 + t, 0.9 * t])

    g2 = grad(grad(along))
    assert grad(g2)(1.3) == pytest.approx(difference(g2, 1.3), rel=1e-6)


def test_who_took_what() -> None:
    assert gradient(advanced_in_its_loop, XS) == ([2.0, 1.0, 4.0, 3.0],)
    assert gradient(skipping, XS) == ([2.0, 0.0, 6.0, 0.0],)
    assert gradient(skipping_the_last, [*XS, 5.0]) == ([0.0, 0.0, 12.0, 0.0, 40.0],)
    assert gradient(first_and_rest, [1.0, 2.0, 3.0]) == ([3.0 + 4.0 + 9.0, 4.0, 6.0],)
    assert gradient(pairs, XS) == ([4.0, 4.0, 16.0, 24.0],)
    assert gradient(advanced_in_its_loop, np.array(XS))[0].tolist() == [2.0, 1.0, 4.0, 3.0]
    assert gradient(advanced_in_its_loop, tuple(XS)) == ((2.0, 1.0, 4.0, 3.0),)


def tell(name: str, f: Any) -> Any:
    def telling(*args: Any) -> Any:
        print(name, *map(float, args))
        return f(*args)

    return telling


SQUARE = tell("square", lambda v: v * v)
CUBE = tell("cube", lambda v: v**3)
SMALL = tell("small", lambda v: v < 5.0)
TIMES = tell("times", lambda a, b: a * b)


def one_of_many(xs: Any) -> Any:
    return next(map(SQUARE, xs))


def interleaved(xs: Any) -> Any:
    s = 0.0
    for v in map(SQUARE, xs):
        print("round")
        s = s + v
        if v > 3.0:
            break
    return s


def in_a_chain(xs: Any) -> Any:
    s = 0.0
    for v in itertools.chain(map(SQUARE, xs), map(CUBE, xs)):
        print("round")
        s = s + v
    return s


def in_a_zip(xs: Any) -> Any:
    return sum(a * b for a, b in zip(map(SQUARE, xs), map(CUBE, xs)))


def in_rows(xs: Any) -> Any:
    s = 0.0
    for v in itertools.chain.from_iterable(map(lambda v: map(SQUARE, [v, v]), map(CUBE, xs))):
        print("round")
        s = s + v
    return s


def while_small(xs: Any) -> Any:
    return sum(itertools.takewhile(SMALL, map(SQUARE, xs)))


def those_that_are_small(xs: Any) -> Any:
    return next(filter(SMALL, map(CUBE, xs))) * next(itertools.filterfalse(SMALL, map(CUBE, xs)))


def part_of_a_running_product(xs: Any) -> Any:
    ys = itertools.accumulate(map(SQUARE, xs), TIMES)
    return next(ys) * next(ys)


def reduced(xs: Any) -> Any:
    return functools.reduce(TIMES, map(SQUARE, xs))


def enumerated(xs: Any) -> Any:
    s = 0.0
    for i, v in enumerate(map(SQUARE, xs)):
        print("round", i)
        s = s + v
    return s


def largest_by_key(xs: Any) -> Any:
    return max(map(SQUARE, xs), key=SMALL) * min(map(CUBE, xs), key=SMALL)


def starred_in_the_middle(xs: Any) -> Any:
    m = map(SQUARE, xs)
    ys = [CUBE(xs[0]), *m, CUBE(xs[1]), *map(CUBE, xs)]
    return ys[0] * ys[2] * (lambda *a: a[1] * a[4])(*map(SQUARE, xs), CUBE(xs[2])) + Own([*map(CUBE, xs)]).xs[1]


def with_stars(xs: Any) -> Any:
    return next(itertools.starmap(TIMES, zip(map(SQUARE, xs), map(CUBE, xs))))


@pytest.mark.parametrize(
    "f",
    [
        *(one_of_many, interleaved, in_a_chain, in_a_zip, in_rows, while_small, those_that_are_small),
        *(part_of_a_running_product, reduced, enumerated, with_stars, largest_by_key, starred_in_the_middle),
    ],
    ids=lambda f: f.__name__,
)
def test_items_are_made_when_they_are_asked_for(f: Callable[[Any], Any], capsys: pytest.CaptureFixture[str]) -> None:
    y = f(XS)
    plain = capsys.readouterr().out
    value, (g,) = withgradient(f, XS)
    assert value == y and capsys.readouterr().out == plain
    for i in range(len(XS)):
        expected = difference(lambda v: f([*XS[:i], v, *XS[i + 1 :]]), XS[i])
        assert g[i] == pytest.approx(expected, rel=1e-6, abs=1e-8)


def test_an_iterator_that_changes_itself() -> None:
    def summed(x: float) -> Any:
        return sum(Stepping([x, 2 * x]))

    def looped(x: float) -> Any:
        s = 0.0
        for v in Stepping([x, 2 * x]):
            s = s + v
        return s

    def asked(x: float) -> Any:
        return next(Stepping([x, 2 * x]))

    for f in (summed, looped, asked):
        check(f, 1.3, order=2)


def test_what_is_no_iterator_stays_none() -> None:
    for f in (lambda x: next(Own([x])), lambda x: next([x]), lambda x: sum(v for v in x)):
        with pytest.raises((TypeError, AdjointError)):
            gradient(f, 1.3)


def test_other_iterators_of_arrays_are_refused() -> None:
    for f in (
        lambda a: sum(v * v for v in np.nditer(a)),
        lambda a: sum(v * w for v, w in np.broadcast(a, a[0])),
    ):
        with pytest.raises(adjoint.errors.NoRuleError):
            gradient(f, np.ones((2, 2)))
    assert gradient(lambda a: next(a.flat), np.ones((2, 2)))[0].tolist() == [[1.0, 0.0], [0.0, 0.0]]


def test_items_that_nobody_has_asked_for() -> None:
    y, back = adjoint.pullback(lambda x: zip(map(lambda v: v * x, [1.0, 2.0, 3.0]), [x, x]), 2.0)
    assert back([(1.0, 0.0), None]) == (None, 1.0)
    assert back([(1.0, 0.0), (1.0, 1.0)]) == (None, 4.0)
    for bad in ([(1.0, 0.0)], [(1.0, 0.0), (1.0, 1.0), (1.0, 1.0)]):  # too few, too many
        with pytest.raises(AdjointError):
            back(bad)
    assert list(y) == [(2.0, 2.0), (4.0, 2.0)]


def test_what_is_used_up_has_no_gradient() -> None:
    def f(x: Any, it: Any) -> Any:
        return x * sum(a * b for a, b in zip(it, it))

    assert gradient(f, 2.0, iter(XS)) == (14.0, None)
    with pytest.raises(AdjointError):
        grad(f, 1)(2.0, iter(XS))


def test_an_end_is_an_end() -> None:
    def beyond(x: float) -> Any:
        it = iter([x, 2 * x])
        return next(it) * next(it) * next(it)

    with pytest.raises(StopIteration):
        gradient(beyond, 1.3)
    m = map(lambda v: v, [1.0])
    assert gradient(lambda x: sum(m) * x, 2.0) == (1.0,)


# ---- functions that capture variables which are bound again


class Through:
    """An iterator that calls a function."""

    def __init__(self, h: Any, xs: Any) -> None:
        self.h = h
        self.inner = iter(xs)

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        return self.h(next(self.inner))


def lazily(h: Any, xs: Any) -> Any:
    return map(h, xs)


LATER: dict[str, Callable[[Any, Any], Any]] = {
    "map": lambda h, xs: map(h, xs),
    "returned": lazily,
    "within": lambda h, xs: map(lambda v: h(v), xs),
    "in a chain": lambda h, xs: itertools.chain(map(h, xs), xs),
    "partial": lambda h, xs: map(functools.partial(h), xs),
    "method": lambda h, xs: iter(map(Through(h, xs).h, xs)),
    "starmap": lambda h, xs: itertools.starmap(h, [(v,) for v in xs]),
    "accumulate": lambda h, xs: itertools.accumulate(xs, lambda a, b: a * h(b)),
    "own": Through,
}


@pytest.mark.parametrize("how", LATER)
def test_a_variable_that_is_bound_again_before_the_items_are_made(how: str) -> None:
    make = LATER[how]

    def changed(x: Any) -> Any:
        k = x
        ys = make(lambda v: v * k, [x, 2 * x])
        k = 3 * x
        return sum(ys)

    def changed_in_the_loop(x: Any) -> Any:
        k, s = x, 0.0
        for v in make(lambda v: v * k, [x, 2 * x, 3 * x]):
            s = s + v
            k = k + v
        return s

    def at_once(x: Any) -> Any:
        k, s = x, 0.0
        for _ in range(3):
            s = s + sum(make(lambda v: v * k, [x, 2 * x]))
            k = k * x
        return s

    for f in (changed, changed_in_the_loop):
        try:
            got = gradient(f, 1.3)[0]
        except AdjointError as error:
            assert "bound again" in str(error)
        else:
            assert got == pytest.approx(difference(f, 1.3), rel=1e-6)
    assert gradient(at_once, 1.3)[0] == pytest.approx(difference(at_once, 1.3), rel=1e-6)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: sum(a * b for a, b in zip(x, reversed(x), strict=True)),
        lambda x: sum(list(reversed(x))) * x[0],
        lambda x: sum(i * v for i, v in enumerate(reversed(x))),
        lambda x: sum(map(lambda a, b: a * b * b, x, reversed(x))),
        lambda x: next(reversed(x)) * x[0],
        lambda x: sum([row.sum() * i for i, row in enumerate(reversed(np.outer(x, x)))]),
    ],
)
def test_arrays_turned_round(f: Any) -> None:
    x, d, h = np.array([1.0, 2.0, 4.0]), np.array([1.0, -1.0, 0.5]), 1e-5
    expected = [(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(3)]
    np.testing.assert_allclose(gradient(f, x)[0], expected, rtol=1e-7)
    line = lambda t: f(x + t * d)  # noqa: E731
    second = (grad(line)(h) - grad(line)(-h)) / (2 * h)
    assert grad(grad(line))(0.0) == pytest.approx(second, rel=1e-6, abs=1e-6)
