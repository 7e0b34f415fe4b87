"""Methods that Python calls by itself, of classes whose methods store what is differentiated: comparisons, membership,
truth, size, order, text, indices."""

from __future__ import annotations

import bisect
import heapq
import itertools
import math
import operator
from collections import deque
from collections.abc import Callable
from functools import total_ordering
from typing import Any

import pytest

from adjoint import gradient
from adjoint.errors import UnsupportedSyntaxError

from .differences import check


class Noted:
    """What its methods are asked is added to a field of the object."""

    def __init__(self, v: Any) -> None:
        self.v = v
        self.seen = 0.0

    def note(self, other: Any = 1.0) -> None:
        self.seen += self.v * (other.v if isinstance(other, Noted) else other)


class Less(Noted):
    def __lt__(self, other: Any) -> bool:
        self.note(other)
        other.seen += 0.5 * self.v * self.v
        return bool(self.v < other.v)


@total_ordering
class Total(Less):
    def __eq__(self, other: object) -> bool:
        self.note(3.0)
        return isinstance(other, Total) and bool(self.v == other.v)

    __hash__ = None  # type: ignore[assignment]


class Equal(Noted):
    def __eq__(self, other: object) -> bool:
        self.note(other)
        return isinstance(other, Equal) and bool(self.v == other.v)

    __hash__ = None  # type: ignore[assignment]


class True_(Noted):
    def __bool__(self) -> bool:
        self.note(3.0)
        return bool(self.v > 1)


class Sized(Noted):
    def __len__(self) -> int:
        self.note(2.0)
        return 2


class Holding(Noted):
    def __contains__(self, x: Any) -> bool:
        self.seen += self.v * x
        return bool(x > 1)


class Iterated(Noted):
    def __iter__(self) -> Any:
        self.note(2.0)
        yield self.v
        self.note(2.0)
        yield 2 * self.v


class Entered(Noted):
    def __enter__(self) -> Any:
        self.note(2.0)
        return self

    def __exit__(self, *error: Any) -> bool:
        self.note(5.0)
        return True


class Number(Noted):
    def __index__(self) -> int:
        self.note(2.0)
        return 1

    def __float__(self) -> float:
        self.note(2.0)
        return self.v * 2  # type: ignore[no-any-return]

    def __int__(self) -> int:
        self.note(2.0)
        return 3

    def __abs__(self) -> Any:
        self.note(2.0)
        return abs(self.v) * 3

    def __round__(self, n: Any = None) -> Any:
        self.note(2.0)
        return self.v * 2

    def __str__(self) -> str:
        self.note(2.0)
        return "text"

    def __repr__(self) -> str:
        self.note(2.5)
        return "r"

    def __format__(self, spec: str) -> str:
        self.note(3.0)
        return f"f{spec}"

    def __divmod__(self, other: Any) -> Any:
        self.note(2.0)
        return self.v, self.v * other

    def __rdivmod__(self, other: Any) -> Any:
        self.note(2.0)
        return self.v, self.v * other

    def __pow__(self, other: Any, modulo: Any = None) -> Any:
        self.note(2.0)
        return self.v * other

    def __trunc__(self) -> int:
        self.note(2.0)
        return 3

    def __floor__(self) -> Any:
        self.note(2.0)
        return self.v * 2

    def __ceil__(self) -> Any:
        self.note(2.0)
        return self.v * 2

    def __reversed__(self) -> Any:
        self.note(2.0)
        return iter([self.v, 2 * self.v])

    def __complex__(self) -> complex:
        self.note(2.0)
        return complex(self.v)


class Key(Noted):
    def __hash__(self) -> int:
        self.note(2.0)
        return 1

    def __eq__(self, other: object) -> bool:
        self.note(other)
        return self is other


def seen(*things: Any) -> Any:
    return sum(thing.seen * (i + 1) for i, thing in enumerate(things))


def four(x: Any, y: Any, cls: Any = Less) -> list[Any]:
    return [cls(x), cls(y), cls(x * y), cls(2.0)]


def less(x: Any, y: Any) -> Any:
    a, b = Less(x), Less(y)
    r = 1.0 if a < b else 2.0
    r += 3.0 if a > b else y
    return r * x + seen(a, b)


def chained(x: Any, y: Any) -> Any:
    a, b, c = Less(x), Less(y), Less(3.0)
    return (x if a < b < c else y) + (2.0 if b < a < c > b else 5.0) + seen(a, b, c)


def totally(x: Any, y: Any) -> Any:
    a, b = Total(x), Total(y)
    r = [a <= b, a >= b, a > b, a != b, a == b]
    return sum(x for given in r if given) + seen(a, b)


def by_sorted(x: Any, y: Any) -> Any:
    things = four(x, y)
    return seen(*sorted(things)) + seen(*sorted(things, reverse=True)) + seen(*things)


def by_sort(x: Any, y: Any) -> Any:
    things = [(1, Less(x)), (1, Less(y)), (0, Less(x * y)), (1, Less(2.0))]
    things.sort(reverse=True)
    return seen(*[t for _, t in things])


def by_key(x: Any, y: Any) -> Any:
    keys: list[Any] = []

    def key(v: Any) -> Any:
        keys.append(Less(v))
        return keys[-1]

    m = max([x, y, x * y], key=key) + min(x, y, key=key)
    return m + seen(*keys) + sorted([x, y, 3.0], key=key)[1] + seen(*keys)


def by_minimum(x: Any, y: Any) -> Any:
    things = four(x, y)
    a, b = Less(x), Less(y)
    return min(things).v + max(things).v + min(a, b).v * 2.0 + seen(a, b) + seen(*things)


def by_heap(x: Any, y: Any) -> Any:
    things, heap = four(x, y), []  # type: ignore[var-annotated]
    for thing in things:
        heapq.heappush(heap, thing)
    p = heapq.heappop(heap)
    heapq.heapreplace(heap, p)
    heapq.heapify(heap)
    heapq.heappushpop(heap, Less(5.0))
    return seen(*things) + p.v + heapq.nsmallest(2, things)[1].v + seen(*things)


def by_bisection(x: Any, y: Any) -> Any:
    things, new = [Less(0.1), Less(x), Less(10.0)], Less(y)
    i = bisect.bisect(things, new)
    bisect.insort(things, new)
    return seen(*things) + i * x


def by_grouping(x: Any, y: Any) -> Any:
    things = four(x, x, Equal) + four(y, x, Equal)
    sizes = [len(list(group)) for _, group in itertools.groupby(things)]
    return seen(*things) + sum(sizes) * x


def equal(x: Any, y: Any) -> Any:
    a, b = Equal(x), Equal(y)
    r = [a == b, a != b, a in [b, a], [a] == [b], (a, 1) == (b, 1), {1: a} == {1: b}, a not in (b,), a in deque([b, a])]
    n = [b, a].index(a) + [a, b].count(b) + operator.contains([b], a) + operator.eq(a, b) + (a in {1: b}.values())
    kept = [a, b]
    kept.remove(b)
    match a:
        case Equal(v=v) if v in [y, x]:
            n += 3
    return sum(map(float, r)) + seen(a, b) * n + len(kept) * x


def truth(x: Any, y: Any) -> Any:
    a, b = True_(x), True_(y)
    r = 0.0
    if a:
        r += x
    if not b:
        r += 2 * y
    c, d, e = a and b, b or a, (x if a else y)
    while b and r < 100:
        r = r * 3 + 1
    if not (a or b):
        raise ValueError
    r += 7.0 if bool(a) else 3.0
    r += any([b, a]) + all([a, b]) + len([q for q in [a, b] if q]) + len(list(filter(None, [a, b])))
    r += len(list(filter(lambda q: q, [a, b]))) + len(list(itertools.takewhile(lambda q: q, [a, b])))
    return r + c.v + 3 * d.v + e + seen(a, b) * (2.0 if operator.truth(a) else 1.0)


def size(x: Any, y: Any) -> Any:
    a = Sized(x)
    r = 1.0 if a else 0.0
    n = len(a) + len([1 for _ in range(len(a))])
    for _ in range(len(a)):
        r += y
    sizes = map(len, [a, a])
    return r * n + seen(a) * sum(sizes)


def membership(x: Any, y: Any) -> Any:
    a, b = Holding(x), Iterated(y)
    r = y if y in a else 1.0
    r += 7 * y if 3.0 not in a else x
    return r + (2 * y in b) + (x in b) + seen(a, b) + operator.contains(a, y)


def entered(x: Any, y: Any) -> Any:
    with Entered(x) as a, Entered(y) as b:
        a.v *= y
        raise ValueError
    return seen(a, b)


def asked(expression: Callable[[Any, Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def program(x: Any, y: Any) -> Any:
        a = Number(x)
        found = [expression(a, x, y)]
        found[0] *= y
        return found[0] + seen(a)

    return program


PROGRAMS = [
    *(less, chained, totally, by_sorted, by_sort, by_key, by_minimum, by_heap, by_bisection, by_grouping),
    *(equal, truth, size, membership, entered),
]
ASKED: list[Callable[[Any, Any, Any], Any]] = [
    lambda a, x, y: [1.0, x, y][a],
    lambda a, x, y: sum([x for _ in range(a)]),
    lambda a, x, y: len(range(a)) * x,
    lambda a, x, y: float(a) + int(a),
    lambda a, x, y: abs(a) + round(a),
    lambda a, x, y: len(str(a)) + len(repr(a)) + len(format(a, "2")) * x,
    lambda a, x, y: len(f"{a}{a!r}{a!s:5}{a:3}"),
    lambda a, x, y: divmod(a, 2.0)[1] + divmod(2.0, a)[1] + pow(a, 2.0),
    lambda a, x, y: math.trunc(a) + math.floor(a) + math.ceil(a),
    lambda a, x, y: sum(reversed(a)),
    lambda a, x, y: operator.index(a) * x,
    lambda a, x, y: complex(a).real,
    lambda a, x, y: math.sin(a) + math.hypot(a, 2.0) + math.modf(a)[0],
]
REFUSED: list[Callable[[Any, Any, Any], Any]] = [
    lambda a, x, y: len(f"{x}%s" % a),
    lambda a, x, y: len("{}".format(a)) * x,  # noqa: UP032
    lambda a, x, y: sum([x] * a),
    lambda a, x, y: sum([1.0, x, y][a:]),
    lambda a, x, y: {Key(x): 1.0, Key(y): x}[Key(y)] + a.v if isinstance(a, Noted) else x,
    lambda a, x, y: len({Key(x), Key(y)}) * x,
    lambda a, x, y: len(set([Key(x), Key(y)])) * x,
]


@pytest.mark.parametrize("x, y", [(1.3, 0.7), (0.6, 1.6)])
@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_what_they_store_is_followed(f: Any, x: float, y: float) -> None:
    check(f, x, y)


@pytest.mark.parametrize("f", ASKED)
def test_what_is_asked_by_builtins(f: Any) -> None:
    check(asked(f), 1.3, 0.7)


@pytest.mark.parametrize("f", REFUSED)
def test_what_c_code_asks_by_itself_is_refused(f: Any) -> None:
    with pytest.raises(UnsupportedSyntaxError, match="may run `.*`, which stores"):
        gradient(asked(f), 1.3, 0.7)


def test_objects_as_arguments() -> None:
    def program(things: Any, x: Any) -> Any:
        things.sort()
        return seen(*things) * x

    check(program, [Less(1.5), Less(0.5), Less(1.0)], 2.0)


def test_second_order() -> None:
    check(by_sorted, 1.3, 0.7, order=2)
    check(truth, 1.3, 0.7, order=2)
    check(equal, 1.3, 0.7, order=2)


def test_errors_stay_as_they_are() -> None:
    def program(x: Any) -> Any:
        a = Less(x)
        a.v *= x
        return a < 3.0 or a <= a

    with pytest.raises(AttributeError):
        gradient(program, 2.0)
    with pytest.raises(TypeError, match="'<=' not supported between instances of 'Less' and 'Less'"):
        gradient(lambda x: x if Less(x) <= Less(x) else 0.0, 2.0)
