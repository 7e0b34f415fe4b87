"""Generators that return something, of which a program takes one item after another: `StopIteration` has it, once."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import pytest

from adjoint import gradient
from adjoint.derivatives.choice import is_structured_call
from adjoint.inspect import code_adjoint

from .differences import check, check_forward


def walk(x: float, n: int = 3) -> Generator[float, None, float]:
    for i in range(n):
        yield x * i
    return x


def squared(x: float) -> Generator[float, None, float]:
    for i in range(2):
        yield x * i
    return x * x


def total(x: float) -> Generator[float, float, float]:
    s = 0.0
    while s < 3.0:
        v = yield s
        s = s + v * x
    return s


def named(x: float) -> Generator[float, None, str]:
    for i in range(2):
        yield x * i
    return "done"


def multiplied(x: float) -> float:
    g, s = walk(x), x
    try:
        while True:
            s = s + next(g)
    except StopIteration as e:
        s = s * e.value
    return s


def only_the_first_time(x: float) -> float:
    g, s = walk(x), x
    for _ in range(6):
        try:
            s += next(g)
        except StopIteration as e:
            s = s * (2.0 if e.value is None else e.value)
    return s


def whether_there_is_one(x: float) -> float:
    g, s = walk(x), x
    for _ in range(5):
        try:
            s += next(g)
        except StopIteration as e:
            s = s * (2.0 if e.value is None else 3.0)
    return s


def by_its_arguments(x: float) -> float:
    g, s = walk(x), x
    try:
        while True:
            s = s + next(g)
    except StopIteration as e:
        s = s * e.args[0] * e.args[0] + e.value
    return s


def in_numbers_of_arguments(x: float) -> float:
    g, s = walk(x), x
    for _ in range(5):
        try:
            s += next(g)
        except StopIteration as e:
            s = s * (2.0 + len(e.args))
    return s


def of_an_expression(x: float) -> float:
    g, s = squared(x), x
    while True:
        try:
            s = s + next(g)
        except StopIteration as e:
            return s * e.value


def after_sending(x: float) -> float:
    g = total(x)
    next(g)
    y = 1.0
    try:
        while True:
            y = g.send(y + 1.0)
    except StopIteration as e:
        return y * e.value


def as_a_text(x: float) -> float:
    g, s = named(x), x
    while True:
        try:
            s = s + next(g)
        except StopIteration as e:
            return s * (2.0 if str(e) == "done" else 5.0)


def made_by_hand(x: float) -> float:
    try:
        raise StopIteration(x * x)
    except StopIteration as e:
        return e.value * x + e.args[0]


SEEN = [multiplied, only_the_first_time, whether_there_is_one, by_its_arguments, in_numbers_of_arguments]
SEEN += [of_an_expression, after_sending, as_a_text, made_by_hand]


def with_another_in_place(x: float) -> float:
    g = walk(x)
    s = next(g, 0.0) * x
    for v in g:
        s = s + v * s + x
    return s * next(walk(x, 0), 2.0)


@pytest.mark.parametrize("f", [*SEEN, with_another_in_place])
def test_value_and_derivatives(f: Callable[[float], float]) -> None:
    for _ in range(2):
        check(f, 1.3, order=2)
        check_forward(f, 1.3)


def test_a_result_that_nobody_sees_is_no_obstacle() -> None:
    check(with_another_in_place, 1.3)
    assert is_structured_call(with_another_in_place, (1.3,))
    assert "recorded" not in code_adjoint(with_another_in_place, 1.3)


def test_it_leaves_with_what_was_returned() -> None:
    def exhausted(x: float) -> float:
        g, s = walk(x, 2), 0.0
        for _ in range(3):
            s += next(g)
        return s

    for run in (exhausted, exhausted, lambda x: gradient(exhausted, x)):
        with pytest.raises(StopIteration) as caught:
            run(1.3)
        assert caught.value.value == 1.3


def test_an_end_without_its_result_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    from adjoint.transforms import steps

    def silent(r: Any, s: Any, own: Any, more: Any) -> None:
        test = steps.Var()
        r.sp.env[test] = more
        r.sp.statement(steps.stop_unless(test, s.span))

    monkeypatch.setattr(steps, "_raise_at_the_end", silent)

    def planted(x: float) -> float:
        g, s = walk(x), x
        for _ in range(5):
            try:
                s += next(g)
            except StopIteration as e:
                s = s * (2.0 if e.value is None else 3.0)
        return s

    with pytest.raises(AssertionError):
        check(planted, 1.3)
