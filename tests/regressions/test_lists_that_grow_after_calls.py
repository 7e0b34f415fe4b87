"""Lists that are handed to functions and grow when these have returned: the derivative finds what was there then."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import grad, gradient, value_and_grad
from adjoint.calculus import pushforward

READERS: list[Callable[[list[float], float], float]] = []


def reader(f: Callable[[list[float], float], float]) -> Callable[[list[float], float], float]:
    READERS.append(f)
    return f


def twice(v: float) -> float:
    n = 0
    while n < 1:
        n = n + 1
    return 2 * v * n


@reader
def by_place_from_the_end(xs, x):
    return twice(xs[-1]) * xs[-2]


@reader
def by_place(xs, x):
    total = 0.0
    for i in range(len(xs)):
        total = total + xs[i] * xs[0] * i
    return total


@reader
def by_a_loop(xs, x):
    total = 0.0
    for v in xs:
        total = total * 0.5 + v * x
    return total


@reader
def by_a_comprehension(xs, x):
    return sum([v * v for v in xs]) * x


@reader
def by_builtins(xs, x):
    return sum(xs) * max(xs) + sorted(xs)[0] * len(xs)


@reader
def by_pairs(xs, x):
    return sum([a * b for a, b in zip(xs, xs[1:])])  # noqa: B905


@reader
def by_slices(xs, x):
    return sum(xs[-2:]) * sum(xs[:-1])


@reader
def by_unpacking(xs, x):
    first, *rest = xs
    return first * sum(rest)


@reader
def by_another_function(xs, x):
    return twice(by_place_from_the_end(xs, x)) + by_a_loop(xs, x)


@reader
def by_functions_of_functions(xs, x):
    return functools.reduce(lambda a, b: a * 0.5 + b * x, xs) + sum(map(twice, xs)) + list(itertools.accumulate(xs))[-1]


@reader
def by_recursion(xs, x):
    def down(ys, n):
        return ys[n] if n == 0 else ys[n] * 0.5 + down(ys, n - 1)

    return down(xs, len(xs) - 1)


@reader
def by_a_while(xs, x):
    n, total = 0, 0.0
    while n < len(xs):
        total, n = total + xs[n] * xs[-1], n + 1
    return total


@reader
def by_a_condition(xs, x):
    return xs[-1] * x if len(xs) > 3 else xs[-2] * xs[-1]


@reader
def by_copies(xs, x):
    ys = list(xs)
    return ys[-1] * ys[-2] + sum(xs[:])


class Reader:
    def __init__(self, k: float) -> None:
        self.k = k

    def read(self, xs: list[float]) -> float:
        return twice(xs[-1]) * self.k

    def __call__(self, xs: list[float]) -> float:
        return twice(xs[-2]) * self.k


class Holder:
    def __init__(self, xs: list[float]) -> None:
        self.xs = xs

    def last(self) -> float:
        return twice(self.xs[-1])


def before(r: Any, x: float) -> float:
    xs = [x, 2 * x]
    s = x * 0.5 + r(xs, x)
    xs.append(s * 0.7)
    xs.append(s * 0.3)
    return s + xs[-1] * 2


def in_a_loop(r: Any, x: float) -> float:
    xs = [x, 2 * x]
    s = x
    for i in range(3):
        s = s * 0.5 + r(xs, x) * 0.1
        xs.append(s * 0.7 + i)
    return s + sum(xs)


def in_a_branch(r: Any, x: float) -> float:
    xs = [x, 2 * x]
    s = x
    for i in range(4):
        if i % 2:
            s = s * 0.5 + r(xs, x) * 0.1
        else:
            xs.append(s * 0.7 + i)
    xs.append(s)
    return s + xs[2]


def both_lists(r: Any, x: float) -> float:
    xs, ys = [x, 2 * x], [x * x, x]
    for _ in range(3):
        a, b = r(xs, x) * 0.1, r(ys, x) * 0.2
        xs.append(b)
        ys.append(a)
    return xs[-1] * ys[-1] + xs[-2]


def difference(f: Any, x: float, e: float = 1e-5) -> float:
    return (f(x + e) - f(x - e)) / (2 * e)


def judge(f: Any, x: float = 0.61, order: int = 2) -> None:
    g = value_and_grad(f)
    for _ in range(3):
        value, slope = g(x)
        assert value == f(x)
        assert slope == pytest.approx(difference(f, x), rel=1e-6)
    assert pushforward(f, (x,), (1.0,))[1] == pytest.approx(slope, rel=1e-9)
    if order == 2:
        assert grad(grad(f))(x) == pytest.approx(difference(grad(f), x), rel=1e-4, abs=1e-6)


PROGRAMS = (before, in_a_loop, in_a_branch, both_lists)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("r", READERS, ids=lambda f: f.__name__)
def test_readers(r: Any, program: Any) -> None:
    """Each reader in one program twice; `tests/runtime/test_readers.py` has it in all of them."""

    def f(x: float) -> float:
        return program(r, x)

    judge(f, order=2 if PROGRAMS[READERS.index(r) % len(PROGRAMS)] is program else 1)


# The same with the function known by its name, as it is in most programs.


def last(xs, x):
    n = 0
    while n < 1:
        n = n + 1
    return xs[-1] * xs[-2] * x


def by_name(x):
    xs = [x, 2 * x]
    s = x
    for _ in range(3):
        s = s * 0.5 + last(xs, x)
        xs.append(s * 0.7)
    return s


def by_keyword(x):
    xs = [x, 2 * x]
    s = last(x=x, xs=xs)
    xs.append(s)
    return s * xs[-1]


def by_stars(x):
    def total(*args):
        n = 0
        while n < 1:
            n = n + 1
        return args[0][-1] * args[1]

    xs = [x, 2 * x]
    s = total(xs, x)
    xs.append(s)
    return s * xs[-1]


def by_a_method(x):
    xs, p = [x, 2 * x], Reader(x)
    s = p.read(xs)
    xs.append(s)
    s = s + p(xs)
    xs.append(s * 2)
    return s * xs[-1]


def by_a_partial(x):
    xs = [x, 2 * x]
    s = functools.partial(last, x=x)(xs)
    xs.append(s)
    return s * xs[-1]


def by_a_closure(x):
    xs = [x, 2 * x]

    def end():
        return twice(xs[-1]) * x

    s = x
    for _ in range(3):
        s = s * 0.5 + end()
        xs.append(s * 0.1)
    return s


def in_a_tuple(x):
    def read(pair):
        return twice(pair[0][-1]) * pair[1]

    xs = [x, 2 * x]
    s = read((xs, x))
    xs.append(s)
    return s * xs[-1]


def in_a_dict(x):
    def read(d):
        return twice(d["xs"][-1]) * d["x"]

    xs = [x, 2 * x]
    s = read({"xs": xs, "x": x})
    xs.append(s)
    return s * xs[-1]


def in_an_object(x):
    h = Holder([x, 2 * x])
    s = h.last()
    h.xs.append(s)
    return s * h.last()


def in_an_object_by_its_name(x):
    xs = [x, 2 * x]
    h = Holder(xs)
    s = h.last()
    xs.append(s)
    return s * h.last()


def given_back(x):
    def same(a, b, c):
        return a if c > 0 else b

    xs, zs = [x, 2 * x], [x]
    ys = same(xs, zs, x)
    s = last(ys, x)
    xs.append(s)
    ys.append(2 * s)
    return last(xs, x) + len(xs) + len(zs)


def lists_of_lists(x):
    def read(rows):
        return twice(rows[0][-1]) * rows[-1][0]

    rows = [[x, 2 * x], [x * x]]
    s = read(rows)
    rows.append([s, x])
    s = s + read(rows)
    rows[0].append(s)
    return s + read(rows)


def by_a_function_that_is_chosen(x):
    fs = [by_place, by_a_loop]
    xs = [x, 2 * x]
    s = x
    for i in range(4):
        s = s * 0.5 + fs[i % 2](xs, x) * 0.1
        xs.append(s)
    return s


NAMED = [
    *(by_name, by_keyword, by_stars, by_a_method, by_a_partial, by_a_closure, in_a_tuple, in_a_dict, in_an_object),
    *(in_an_object_by_its_name, given_back, lists_of_lists, by_a_function_that_is_chosen),
]


@pytest.mark.parametrize("f", NAMED, ids=lambda f: f.__name__)
def test_named(f: Any) -> None:
    judge(f)


@pytest.mark.parametrize("reader", READERS, ids=lambda f: f.__name__)
def test_readers_by_name(reader: Any) -> None:
    scope = {"reader": reader, "__name__": __name__}
    import linecache

    text = "def f(x):\n    xs, s = [x, 2 * x], x\n    for i in range(3):\n"
    text += "        s = s * 0.5 + reader(xs, x) * 0.1\n        xs.append(s * 0.7 + i)\n    return s + xs[-1]\n"
    name = f"<{reader.__name__}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec"), scope)
    judge(scope["f"])


@pytest.mark.parametrize("k", range(-7, 7))
def test_places_before_the_first_item_are_none(k: int) -> None:
    def read(x: float, k: int) -> float:
        xs = [x]
        for i in range(2):
            xs.append(x * xs[i])
        return xs[k] * x

    if -3 <= k < 3:
        assert gradient(read, 2.0, k)[0] == (2 + k % 3) * 2.0 ** (1 + k % 3)
        return
    for _ in range(2):
        with pytest.raises(IndexError, match="list index out of range"):
            gradient(read, 2.0, k)
