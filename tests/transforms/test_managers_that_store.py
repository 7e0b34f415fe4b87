"""Managers of `contextlib.contextmanager` that store into objects, dicts, lists and arrays which others may have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from regressions.differences import check

from adjoint import pullback

from .held_to_python import hold


class Model:
    def __init__(self, w: Any, v: Any) -> None:
        self.w, self.v, self.depth = w, v, 0

    @contextmanager
    def scaled(self, k: Any) -> Iterator[Any]:
        old = self.w
        self.w = self.w * k
        try:
            yield self
        finally:
            self.w = old

    @contextmanager
    def deeper(self) -> Iterator[Any]:
        self.depth += 1
        yield self.depth
        self.depth -= 1
        self.v = self.v * 1.5


@contextmanager
def borrowed(d: Any, key: Any, value: Any) -> Iterator[Any]:
    old = d[key]
    d[key] = value
    try:
        yield old
    finally:
        d[key] = old * value


@contextmanager
def appended(xs: Any, x: Any) -> Iterator[Any]:
    xs.append(x)
    yield xs
    xs.append(xs[0] * x)


@contextmanager
def swapped(m: Any, other: Any) -> Iterator[Any]:
    m.w, other.w = other.w, m.w
    yield m
    m.w, other.w = other.w, m.w


@contextmanager
def restored(m: Any) -> Iterator[Any]:
    old = m.w.copy()
    first = m.w[:2]
    yield first
    m.w[1:] = old[1:] * first[0]


@contextmanager
def kept(m: Any) -> Iterator[Any]:
    xs = m.w
    yield xs
    xs.append(m.w[0] * xs[0])
    m.w = xs


def model(*, w: float = 0.7, v: float = 1.2, x: float = 0.8) -> tuple[Any, ...]:
    return Model(w, v), x


def saved(m: Any, x: Any) -> Any:
    with m.scaled(x) as same:
        y = same.w * x
    return y + m.w


def in_a_loop(m: Any, x: Any) -> Any:
    total = 0.0
    for _ in range(3):
        with m.deeper() as depth:
            total += depth * m.v * x
    return total * m.v


def nested(m: Any, x: Any) -> Any:
    with m.scaled(x), m.deeper() as depth, m.scaled(m.v):
        y = m.w * depth * x
        m.v = m.v + y
    return y * m.w + m.v


def stored_within(m: Any, x: Any) -> Any:
    with m.scaled(x):
        m.w = m.w + x
        y = m.w**2
    return y * m.w


def returned_from_within(m: Any, x: Any) -> Any:
    for k in range(3):
        with m.scaled(x) as same:
            if k == 1:
                return same.w * m.v
            m.v = m.v * same.w
    return x


def by_two_names(m: Any, x: Any) -> Any:
    pair = [m, m, Model(x, x)]
    with swapped(pair[0], pair[2]) as same:
        y = same.w * pair[1].w * pair[2].w
        pair[2].w = x * y
    return y * m.w + pair[2].w


def of_a_dict(d: Any, x: Any) -> Any:
    with borrowed(d, "rate", x * x) as old:
        total = old + d["rate"] * d["size"] ** 2
        d["size"] = total * x
    return total * d["rate"] * d["size"]


def of_a_list(xs: Any, x: Any) -> Any:
    with appended(xs, x) as same:
        same[0] = same[1] * x
        total = sum(same)
    return total * xs[-1] + len(xs)


def of_an_array(a: Any, x: Any) -> Any:
    with borrowed(a, 1, x * a[0]) as old:
        a[0] = a[1] * old
    return a.sum() * a[1]


def of_a_view(m: Any, x: Any) -> Any:
    with restored(m) as first:
        m.w *= x
        first[1] = m.w[0] * x
        y = m.w.sum()
    return y * m.w[0] + (m.w**2).sum()


def of_an_alias(m: Any, x: Any) -> Any:
    same = m.w
    with kept(m) as xs:
        xs[0] = xs[1] * x
        m.w = [x, xs[0]]
        same.append(m.w[1])
    return sum(m.w) * same[-1] + len(same)


ROWS: list[tuple[Callable[..., Any], Callable[[], tuple[Any, ...]]]] = [
    *((f, model) for f in (saved, in_a_loop, nested, stored_within, returned_from_within, by_two_names)),
    (of_a_dict, lambda: ({"rate": 0.3, "size": 2.0}, 0.8)),
    (of_a_list, lambda: ([0.3, 2.0], 0.8)),
    (of_a_view, lambda: (Model(np.array([0.3, 2.0, 1.1]), 1.0), 0.8)),
    (of_an_alias, lambda: (Model([0.3, 2.0], 1.0), 0.8)),
    (of_an_array, lambda: (np.array([0.3, 2.0, 1.1]), 0.8)),
]


@pytest.mark.parametrize(("f", "make"), ROWS)
def test_what_is_stored_is_followed(f: Callable[..., Any], make: Callable[[], tuple[Any, ...]]) -> None:
    hold(f, make, second=False)


def left_by_an_exception(m: Any, x: Any) -> Any:
    try:
        with m.scaled(x) as same:
            m.v = same.w * m.v
            if m.v > 0.5:
                raise ValueError("too large")
    except ValueError:
        m.v = m.v * x
    return m.w * m.v


@pytest.mark.parametrize("w", [0.7, 2.0])
def test_exceptions_on_the_way_come_through_the_manager(w: float) -> None:
    for _ in range(3):
        check(left_by_an_exception, *model(w=w))
        given, plain = model(w=w), model(w=w)
        assert pullback(left_by_an_exception, *given)[0] == left_by_an_exception(*plain)
        assert vars(given[0]) == vars(plain[0])


def left_for_good(m: Any, x: Any) -> Any:
    with m.scaled(x), m.deeper():
        m.v = m.w
        raise LookupError(x)


def test_an_error_leaves_what_python_leaves() -> None:
    for _ in range(3):
        given, plain = model(), model()
        with pytest.raises(LookupError):
            left_for_good(*plain)
        with pytest.raises(LookupError):
            pullback(left_for_good, *given)
        assert vars(given[0]) == vars(plain[0])
