"""Generators that containers hold, and that clean up: the recording keeps the containers, and with them the generator
beyond the place where the plain program ends it. What it does in the end would come too late."""

from __future__ import annotations

import contextlib
import functools
import itertools
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from adjoint import gradient, jvp, pullback
from adjoint.errors import AdjointError, UnsupportedSyntaxError

from .differences import check


def made(box: list[float], x: float) -> Iterator[float]:
    try:
        yield box[0] * x
        yield 2.0
    finally:
        box[0] = box[0] * x


def first(it: Iterator[float]) -> float:
    return next(it)


def first_of_keywords(**given: Any) -> float:
    return next(given["it"])


def in_a_list_of_pairs(x: float) -> float:
    box = [x]
    y = [next(it) * w for it, w in list(zip((made(box, x),), [1.0], strict=True))][0]
    return y * box[0]


def by_keywords(x: float) -> float:
    box = [x]
    return first(**{"it": made(box, x)}) * box[0]


def by_keywords_kept(x: float) -> float:
    box = [x]
    return first_of_keywords(it=made(box, x)) * box[0]


def by_star(x: float) -> float:
    box = [x]
    return next(*[made(box, x)]) * box[0]


def in_a_dict(x: float) -> float:
    box = [x]
    return next({"it": made(box, x)}["it"]) * box[0]


def in_a_list_that_a_loop_ends(x: float) -> float:
    box, y = [x], 0.0
    for it in [made(box, x), made(box, x * x)]:
        y += next(it) * box[0]
    return y * box[0]


def captured(x: float) -> float:
    box = [x]
    taker: Any = (lambda it: lambda: next(it))(made(box, x))
    y = taker()
    taker = None
    return y * box[0]


def in_a_partial(x: float) -> float:
    box = [x]
    return functools.partial(next, made(box, x))() * box[0]


def in_two_tees(x: float) -> float:
    box = [x]
    a, b = itertools.tee(made(box, x))
    y = next(a) + next(b)
    a = b = iter(())
    return y * box[0]


def matched(x: float) -> float:
    box, y = [x], 0.0
    match {"it": made(box, x)}:
        case {"it": it}:
            y = next(it)
    it = None
    return y * box[0]


def that_tells_a_flag(x: float) -> float:
    state = {"open": True}

    def flagged() -> Iterator[float]:
        try:
            yield x
        finally:
            state["open"] = False

    y = next([flagged()][0])
    return y * (2.0 if state["open"] else 3.0)


KEPT = [
    *(in_a_list_of_pairs, by_keywords, by_keywords_kept, by_star, in_a_dict, in_a_list_that_a_loop_ends, captured),
    *(in_a_partial, in_two_tees, matched, that_tells_a_flag),
]


@pytest.mark.parametrize("f", KEPT, ids=lambda f: f.__name__)
def test_what_would_clean_up_too_late_is_refused(f: Callable[[float], float]) -> None:
    def right(y: Any, d: Any) -> None:
        assert y == f(1.3)
        assert d == pytest.approx((f(1.3 + 1e-6) - f(1.3 - 1e-6)) / 2e-6, rel=1e-6)

    for _ in range(2):
        with contextlib.suppress(UnsupportedSyntaxError):
            y, back = pullback(f, 1.3)
            right(y, back(1.0)[1])
        with contextlib.suppress(UnsupportedSyntaxError):
            right(*jvp(f, (1.3,), (1.0,)))


def test_the_refusal_says_what_to_do() -> None:
    with pytest.raises(UnsupportedSyntaxError, match=r"generator\.close\(\)"):
        pullback(in_a_dict, 1.3)


def test_it_is_refused_in_a_derivative_inside_of_a_program() -> None:
    def outer(x: float) -> float:
        return gradient(in_a_dict, x)[0] * x

    with pytest.raises(AdjointError):
        gradient(outer, 1.3)


# ---- followed


def closed(x: float) -> float:
    box = [x]
    its = {"it": made(box, x)}
    y = next(its["it"])
    its["it"].close()
    return y * box[0]


def that_has_nothing_to_do(x: float) -> float:
    def given() -> Iterator[float]:
        try:
            yield x
        except ValueError:
            yield 2.0

    return next([given()][0]) * x


def that_is_outside_of_its_try(x: float) -> float:
    box = [x]

    def given() -> Iterator[float]:
        yield x
        try:
            yield x * x
        finally:
            box[0] = 7.0

    return next([given()][0]) * box[0]


def run_to_its_end(x: float) -> float:
    box = [x]
    its = [made(box, x)]
    return sum(its[0]) * box[0]


def test_a_proxy_of_what_is_gone_stands_in_nobodys_way() -> None:
    class Gone:
        pass

    gone = Gone()
    globals()["PROXY"] = weakref.proxy(gone)
    del gone
    try:
        with contextlib.suppress(UnsupportedSyntaxError):
            pullback(KEPT[0], 1.3)
    finally:
        del globals()["PROXY"]


@pytest.mark.parametrize(
    "f", [closed, that_has_nothing_to_do, that_is_outside_of_its_try, run_to_its_end], ids=lambda f: f.__name__
)
def test_what_ends_in_time_is_followed(f: Callable[[float], float]) -> None:
    check(f, 1.3)


class Source:
    it: Any = None


def held_by_a_class(x: float) -> float:
    def given() -> Iterator[float]:
        try:
            yield x * x
            yield x
        finally:
            Source.it = None

    Source.it = given()
    return next(Source.it) * x


def test_one_that_a_class_holds_stays_open() -> None:
    y, back = pullback(held_by_a_class, 1.3)
    assert np.isclose(y, 1.3**3)
    assert np.isclose(back(1.0)[1], 3.0 * 1.3 * 1.3)
    assert Source.it is not None
    Source.it = None


def test_one_that_an_argument_holds_stays_open() -> None:
    ends: list[str] = []

    def taken(source: Any, x: float) -> float:
        def given() -> Iterator[float]:
            try:
                yield x * x
            finally:
                ends.append("end")

        source.it = given()
        return next(source.it) * x

    source = Source()
    y, back = pullback(taken, source, 1.3)
    assert y == 1.3 * 1.3 * 1.3
    assert np.isclose(back(1.0)[2], 3.0 * 1.3 * 1.3)
    assert source.it is not None and not ends
