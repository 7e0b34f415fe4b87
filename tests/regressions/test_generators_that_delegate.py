"""Generators that run through others, generators as methods, and objects that are run through by a generator."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator
from typing import Any

import pytest

from adjoint import pullback
from adjoint.inspect import code_adjoint

from .differences import check, check_forward


def walk(x: float, n: int) -> Iterator[float]:
    for i in range(n):
        yield x * i + x


def counted(x: float, n: int) -> Generator[float, None, float]:
    total = 0.0
    for v in walk(x, n):
        total += v
        yield v * v
    return total


class Samples:
    def __init__(self, xs: list[float]) -> None:
        self.xs = xs
        self.seen = 0.0

    def __iter__(self) -> Iterator[float]:
        for v in self.xs:
            self.seen += v
            yield v * v

    def high(self, least: float) -> Iterator[tuple[int, float]]:
        for i, v in enumerate(self):
            if v > least:
                yield i, v


class Decay:
    def __init__(self, x: float) -> None:
        self.x = x

    def steps(self) -> Iterator[float]:
        while self.x > 0.1:
            self.x *= 0.6
            yield self.x


# ---- `yield from`


def from_a_generator(x: float) -> float:
    def given() -> Iterator[float]:
        yield x
        yield from walk(x, 3)
        yield from walk(x * x, 2)

    return sum(given())


def from_sequences(x: float) -> float:
    def given() -> Iterator[float]:
        yield from [x, x * x]
        yield from (x, 2.0)
        yield from [x * i for i in range(4)]

    s = 1.0
    for v in given():
        s = s * 0.5 + v * v
    return s


def from_one_in_a_loop(x: float) -> float:
    def given() -> Iterator[float]:
        for i in range(3):
            yield from walk(x, i)
            if i == 1:
                yield x

    s = 0.0
    for v in given():
        if v > 5.0:
            break
        s += v * v
    return s


def with_a_value(x: float) -> float:
    def given() -> Iterator[float]:
        total = yield from counted(x, 3)
        yield total * total
        yield (yield from counted(x, 2)) * x

    return sum(given())


def with_no_value(x: float) -> float:
    def given() -> Iterator[float]:
        nothing = yield from walk(x, 3)
        yield x if nothing is None else 0.0

    return sum(given())


# ---- generators within


def of_expressions(x: float) -> float:
    return sum(a * b for a in (v * v for v in walk(x, 3)) for b in (x, 2.0)) + sum(
        w + 1.0 for w in (v * 2.0 for v in walk(x, 2) if v > 1.0)
    )


def one_in_another(x: float) -> float:
    def given() -> Iterator[float]:
        for a in walk(x, 3):
            for b in counted(a, 2):
                yield a * b

    return sum(given()) * max(given())


# ---- objects


def of_an_object(x: float) -> float:
    samples = Samples([x, x * x, 2.0])
    s = 0.0
    for v in samples:
        s += v * samples.seen
    return s * samples.seen


def of_an_object_by_functions(x: float) -> float:
    samples = Samples([x, x * x, 2.0])
    s = sum(samples) * max(samples) + sum(i * v for i, v in enumerate(samples))
    for a, b in zip(samples, [x, 2.0, 3.0], strict=False):
        s += a * b
    return s + samples.seen


def of_a_method(x: float) -> float:
    s = 0.0
    for i, v in Samples([x, x * x, 2.0, 0.1]).high(0.5):
        s += i * v
    return s


def of_a_method_that_is_left(x: float) -> float:
    decay, s = Decay(x), 0.0
    for v in decay.steps():
        s += v * decay.x
        if s > 0.4:
            break
    return s + decay.x


def of_objects(x: float) -> float:
    def made() -> Iterator[Decay]:
        for i in range(3):
            yield Decay(x * i)

    return sum(d.x * d.x for d in made())


def that_stores(x: float) -> float:
    def fill(decay: Decay) -> Iterator[float]:
        for i in range(3):
            decay.x = decay.x * 0.9 + i
            yield decay.x

    decay, s = Decay(x), 0.0
    for v in fill(decay):
        s += v
        decay.x += x
    return s * decay.x


STRUCTURED = [
    *(from_a_generator, from_sequences, from_one_in_a_loop, with_a_value, one_in_another),
    *(of_an_object, of_an_object_by_functions, of_a_method, of_a_method_that_is_left, of_objects, that_stores),
]


# ---- others

Tree = tuple[float, Any, Any] | None


def tree_of(x: float, depth: int) -> Tree:
    return None if depth == 0 else (x * depth, tree_of(x, depth - 1), tree_of(x * 1.1, depth - 1))


def nodes(tree: Tree) -> Iterator[float]:
    if tree is not None:
        yield tree[0]
        yield from nodes(tree[1])
        yield from nodes(tree[2])


def of_a_tree(x: float) -> float:
    return sum(v * v for v in nodes(tree_of(x, 3)))


def by_send(x: float) -> float:
    def averaged() -> Generator[float, float, None]:
        total, n = 0.0, 0
        v = yield 0.0
        while True:
            total, n = total + v, n + 1
            v = yield total / n

    g, s = averaged(), 0.0
    next(g)
    for i in range(4):
        s += g.send(x * i) * i
    return s


def with_a_value_and_left(x: float) -> float:
    def given() -> Iterator[float]:
        total = yield from counted(x, 3)
        yield total

    for v in given():
        if v > 3.0:
            return v * x
    return x


def of_an_object_with_a_length(x: float) -> float:
    class Sized(Samples):
        def __len__(self) -> int:
            return len(self.xs)

    sized = Sized([x, x * x])
    return sum(list(sized)) * len(sized)


def of_a_list_that_is_handed_in(x: float) -> float:
    def fill(seen: list[float]) -> Iterator[float]:
        for i in range(3):
            seen.append(x * i)
            yield x

    seen, s = [x], 0.0
    for v in fill(seen):
        s += v * len(seen)
    return s * sum(seen)


def of_the_list_that_grows(x: float) -> float:
    xs = [x, x * x]

    def given() -> Iterator[float]:
        for v in xs:
            yield v * len(xs)

    for v in given():
        if len(xs) < 6:
            xs.append(v * x)
    return sum(xs)


OTHERS = [
    *(of_a_tree, by_send, with_a_value_and_left, of_an_object_with_a_length, of_the_list_that_grows),
    *(with_no_value, of_expressions, of_a_list_that_is_handed_in),
]


@pytest.mark.parametrize("f", [*STRUCTURED, *OTHERS], ids=lambda f: f.__name__)
def test_what_is_handed_through_is_followed(f: Callable[[float], Any]) -> None:
    check(f, 1.3, order=2)
    check(f, 0.4)
    check_forward(f, 1.3)


@pytest.mark.parametrize("f", STRUCTURED, ids=lambda f: f.__name__)
def test_they_are_written_out(f: Callable[[float], Any]) -> None:
    text = re.sub(r" +# .*", "", code_adjoint(f, 1.3))
    assert not re.search(r"^# `|walk|counted|Samples\(|Decay\(|yield|iterate", text), text


def test_an_object_as_the_argument() -> None:
    def total(samples: Samples, k: float) -> float:
        s = 0.0
        for v in samples:
            s += v * k
        return s

    check(total, Samples([1.0, 2.0, 0.5]), 2.0)


def test_a_class_that_is_run_through_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    def twice(self: Samples) -> Iterator[float]:
        for v in self.xs:
            yield 2.0 * v

    check(of_an_object_by_functions, 1.3)
    with monkeypatch.context() as m:
        m.setattr(Samples, "__iter__", twice)
        check(of_an_object_by_functions, 1.3)
        m.setattr(Samples, "__iter__", lambda self: iter(self.xs))
        check(of_an_object_by_functions, 1.3)
    check(of_an_object_by_functions, 1.3)


def told_from(x: float) -> float:
    def inner() -> Generator[float, None, float]:
        print("begin")
        yield x
        print("between")
        yield x * x
        print("return")
        return x

    def outer() -> Iterator[float]:
        yield (yield from inner())
        print("after")
        yield from [x, 1.0]

    s = 0.0
    for v in outer():
        print("take", v)
        s += v
    return s


def told_by_expressions(x: float) -> float:
    def said(what: str, v: float) -> float:
        print(what, v)
        return v * x

    return sum(said("outer", v) for v in (said("inner", w) for w in walk(x, 3)))


def told_by_a_loop(x: float) -> float:
    s = 0.0
    for v in (print("inner", w) or w * k for w in walk(x, 2) for k in (1.0, x)):  # type: ignore[func-returns-value]
        print("outer", v)
        s += v
    return s


@pytest.mark.parametrize("f", [told_from, told_by_expressions, told_by_a_loop], ids=lambda f: f.__name__)
def test_what_they_do_comes_in_order(f: Callable[[float], Any], capsys: pytest.CaptureFixture[str]) -> None:
    f(1.2)
    expected = capsys.readouterr().out
    for _ in range(2):
        _, back = pullback(f, 1.2)
        back(1.0)
        assert capsys.readouterr().out == expected
