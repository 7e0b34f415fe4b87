"""Items that a program takes one by one, by `next`: what an iterator keeps in between are fields, as of a loop.

Each program is held to finite differences; which are reversed in their structure is said.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import hvp, pullback
from adjoint.derivatives import choice
from adjoint.rules.python import iteration

END = object()
PROGRAMS: dict[str, tuple[Callable[..., Any], Any]] = {}


def program(given: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def listed(f: Callable[..., Any]) -> Callable[..., Any]:
        PROGRAMS[f.__name__] = f, given
        return f

    return listed


XS = [0.3, -0.2, 0.5, 0.7]


@program(XS)
def plain(x, xs):
    it = iter(xs)
    s = 0.0
    while True:
        try:
            d = next(it)
        except StopIteration:
            break
        s = s * x + d * d
    return s


@program(XS)
def ended_in_middle(x, xs):
    it = iter(xs)
    s = next(it)
    for d in it:
        s = s * x + d
        if d > 0.4:
            break
    for e in it:
        s += 10 * e * x
    return s


@program(XS)
def rest(x, xs):
    it = iter(xs)
    a = next(it)
    return a * x + sum(v * v for v in it) + next(it, x)


@program(XS)
def pairs(x, xs):
    it = iter(xs)
    s = 0.0
    for a in it:
        b = next(it)
        s += a * b * b * x
    return s


@program(XS)
def zipped(x, xs):
    it = iter(xs)
    return sum(a * b * b * x for a, b in zip(it, it, strict=False))


@program(XS)
def two(x, xs):
    a, b = iter(xs), iter(xs[::-1])
    s = 0.0
    while True:
        try:
            u = next(a)
            v = next(b)
        except StopIteration:
            return s
        s = s * 0.9 + u * v * v * x


@program(XS)
def sentinel(x, xs):
    it = iter(xs)
    n = 0
    s = 0.0
    while True:
        d = next(it, END)
        if d is END:
            break
        s = s * x + d * d
        n += 1
    return s * n


@program(XS)
def walrus(x, xs):
    it = iter(xs)
    s = 0.0
    while (d := next(it, None)) is not None:
        s = s * x + d * d
    return s


@program(np.array(XS))
def arrays(x, xs):
    it = iter(xs)
    s = 0.0
    while True:
        try:
            d = next(it)
        except StopIteration:
            break
        s = s * x + d * d
    return s


@program(np.array(XS).reshape(2, 2))
def rows(x, xs):
    it = iter(xs)
    s = 0.0
    while True:
        try:
            d = next(it)
        except StopIteration:
            break
        s = s * x + (d * d).sum()
    return s


@program(tuple(XS))
def tuples(x, xs):
    it = iter(xs)
    s = 0.0
    while True:
        try:
            d = next(it)
        except StopIteration:
            break
        s = s * x + d * d
    return s


@program(XS)
def appended(x, xs):
    it = iter(xs)
    s = 0.0
    n = 0
    while True:
        try:
            d = next(it)
        except StopIteration:
            break
        s = s * x + d * d
        n += 1
        if n < 3:
            xs.append(s)
    return s


@program(XS)
def local_appended(x, xs):
    ys = [v * x for v in xs]
    it = iter(ys)
    s = 0.0
    n = 0
    while True:
        try:
            d = next(it)
        except StopIteration:
            break
        s = s * x + d * d
        n += 1
        if n < 3:
            ys.append(s)
    return s


@program(XS)
def stored(x, xs):
    ys = [v * x for v in xs]
    it = iter(ys)
    s = 0.0
    while True:
        try:
            d = next(it)
        except StopIteration:
            break
        s = s * x + d * d
        ys[-1] = s
    return s


@program(XS)
def stored_argument(x, xs):
    it = iter(xs)
    s = next(it)
    xs[1] = x * x * s
    return s * next(it) * next(it)


@program(XS)
def rev(x, xs):
    it = reversed(xs)
    s = 0.0
    while True:
        try:
            d = next(it)
        except StopIteration:
            break
        s = s * x + d * d
    return s


@program(XS)
def parser(x, xs):
    tokens = iter(xs)

    def term():
        return next(tokens) * x

    s = term()
    for _ in range(3):
        s = s * 0.5 + term() ** 2
    return s


@program(XS)
def handed(x, xs):
    def take(it, n):
        return [next(it) for _ in range(n)]

    it = iter(xs)
    a = take(it, 2)
    b = take(it, 2)
    return a[0] * b[1] * x + a[1] * b[0] ** 2


@program(XS)
def stop_later(x, xs):
    it = iter(xs)
    try:
        s = next(it) * next(it) * next(it) * next(it)
        s = s + next(it)
    except StopIteration:
        s = x * x
    return s


@program({"a": 0.3, "b": 0.4})
def ofdict(x, d):
    it = iter(d.items())
    s = 0.0
    while True:
        try:
            k, v = next(it)
        except StopIteration:
            break
        s = s * x + v * v
    return s


@program({"a": 0.3, "b": 0.4})
def ofkeys(x, d):
    it = iter(d)
    s = 0.0
    while (k := next(it, None)) is not None:
        s = s * x + d[k] ** 2
    return s


@program(3)
def ofrange(x, n):
    it = iter(range(n))
    s = 0.0
    while (k := next(it, None)) is not None:
        s = s * x + k + x
    return s


@program(XS)
def ofenum(x, xs):
    it = enumerate(xs)
    s = 0.0
    while True:
        try:
            i, d = next(it)
        except StopIteration:
            break
        s = s * x + d * d * i
    return s


@program(XS)
def ofzip(x, xs):
    it = zip(xs, xs[1:], strict=False)
    s = 0.0
    while True:
        try:
            a, b = next(it)
        except StopIteration:
            break
        s = s * x + a * b * b
    return s


@program(XS)
def cyc(x, xs):
    it = itertools.cycle(xs)
    s = 0.0
    for _ in range(10):
        s = s * x + next(it)
    return s


@program(XS)
def kept(x, xs):
    class H:
        pass

    h = H()
    h.it = iter(xs)
    s = 0.0
    while True:
        try:
            d = next(h.it)
        except StopIteration:
            break
        s = s * x + d * d
    return s


class Reader:
    def __init__(self, xs):
        self.it = iter(xs)
        self.cur = next(self.it, None)

    def take(self):
        v = self.cur
        self.cur = next(self.it, None)
        return v


@program(XS)
def reader(x, xs):
    r = Reader(xs)
    s = 0.0
    while r.cur is not None:
        s = s * x + r.take() ** 2
    return s


@program(XS)
def round_robin(x, xs):
    its = [iter(xs), iter(xs[::-1])]
    s = 0.0
    for i in range(2 * len(xs)):
        s = s * x + next(its[i % 2]) ** 2
    return s


@program(XS)
def exchanged(x, xs):
    a, b = iter(xs), iter(xs[::-1])
    s = 0.0
    for _ in range(len(xs)):
        s = s * x + next(a) ** 2
        a, b = b, a
    return s


@program(XS)
def in_chunks(x, xs):
    it, s = iter(xs), 0.0
    while chunk := list(itertools.islice(it, 3)):
        s = s * x + sum(chunk) ** 2
    return s


@program(XS)
def in_chunks_of_tuples(x, xs):
    it, s, n = iter(xs), 0.0, 0
    while True:
        chunk = tuple(itertools.islice(it, 2))
        if not chunk:
            break
        s = s * x + chunk[0] * chunk[-1]
        n += len(chunk)
    return s * n


@program(XS)
def by_a_generator(x, xs):
    def chunks(items, n):
        it = iter(items)
        while chunk := list(itertools.islice(it, n)):
            yield chunk

    return sum(sum(c) ** 2 * x for c in chunks(xs, 3))


@program(XS)
def some_left_over(x, xs):
    it, s = iter(xs), 0.0
    for _ in range(2):
        for v in itertools.islice(it, 1):
            s = s * x + v * v
    return s + sum(it) * x


RECORDED = {"two", "appended", "local_appended", "stored", "stored_argument", "stop_later"}
"""Programs in which a list changes meanwhile, and where an exception may come after one of several items."""


def numbers(given: Any) -> Any:
    if isinstance(given, dict):
        return [*given.values()]
    return [] if isinstance(given, int) else [*np.ravel(np.asarray(given, float))]


def with_numbers(given: Any, values: Any) -> Any:
    values = [float(v) for v in values]
    if isinstance(given, dict):
        return dict(zip(given, values, strict=True))
    if isinstance(given, int):
        return given
    return np.reshape(values, given.shape) if isinstance(given, np.ndarray) else type(given)(values)


def gradient_at(f: Callable[..., Any], given: Any, z: Any) -> Any:
    y, back = pullback(f, float(z[0]), with_numbers(given, z[1:]))
    found = [back(1.0) for _ in range(2)]
    assert y == f(float(z[0]), with_numbers(given, z[1:]))
    flat = [[bars[1] or 0.0, *flattened(bars[2], len(z) - 1)] for bars in found]
    assert flat[0] == flat[1]
    return np.array(flat[0])


def flattened(bar: Any, n: int) -> list[float]:
    if bar is None:
        return [0.0] * n
    items = [*bar.values()] if isinstance(bar, dict) else [*bar]
    return [float(v) for item in items for v in np.ravel(0.0 if item is None else item)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_items_that_are_taken_one_by_one_have_cotangents(name: str) -> None:
    f, given = PROGRAMS[name]
    z, h = np.array([0.5, *numbers(given)]), 1e-6

    def at(z: Any) -> float:
        return float(f(float(z[0]), with_numbers(given, z[1:])))

    expected = [(at(z + h * e) - at(z - h * e)) / (2 * h) for e in np.eye(len(z))]
    for _ in range(3):
        assert gradient_at(f, given, z) == pytest.approx(expected, abs=1e-7)
    assert choice.has_been_recorded(f, (0.5, with_numbers(given, z[1:]))) == (name in RECORDED)


@pytest.mark.parametrize(
    "name", ["plain", "rest", "zipped", "in_chunks", "two", "walrus", "ofzip", "reader", "round_robin", "exchanged"]
)
def test_second_derivatives(name: str) -> None:
    f, given = PROGRAMS[name]
    z, h = np.array([0.5, *numbers(given)]), 1e-5
    along = np.array([1.0, *np.linspace(-1.0, 1.0, len(z) - 1)])
    expected = (gradient_at(f, given, z + h * along) - gradient_at(f, given, z - h * along)) / (2 * h)
    x_bar, bar = hvp(f, (0.5, with_numbers(given, z[1:])), (1.0, with_numbers(given, along[1:])))
    assert [x_bar, *flattened(bar, len(z) - 1)] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("name", ["round_robin", "exchanged"])
def test_a_loop_adds_as_many_cotangents_as_it_takes_items(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of iterators that no one can follow: their cotangents are not lists, each as long as all of them."""
    f, n = PROGRAMS[name][0], 50
    added = []

    def counted(a: Any, b: Any) -> Any:
        added.append(b)
        return accumulate(a, b)

    accumulate = iteration.accumulate
    monkeypatch.setattr(iteration, "accumulate", counted)
    _, back = pullback(f, 0.5, [0.1] * n)
    added.clear()
    back(1.0)
    assert 0 < len(added) <= 3 * n and not any([isinstance(b, list) for b in added])


def test_entries_are_a_list_that_waits() -> None:
    one, other = iteration.entry(3, 1, 2.0), iteration.entry(3, 0, np.array([1.0]))
    both = (one + other) + [None, 1.0, 3.0, 4.0]
    assert len(both) == 4 and both[1:] == [3.0, 3.0, 4.0] and [*([0.5] + one)] == [0.5, 2.0, None]
    assert [*one] == [None, 2.0, None] and one[1] == 2.0 and [*(one + one)] == [None, 4.0, None]
    for _ in range(20_000):  # as many as a loop has rounds, and not one within another
        other = other + iteration.entry(3, 2, 1.0)
    assert other[2] == 20_000.0
