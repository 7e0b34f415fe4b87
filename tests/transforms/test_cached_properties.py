"""Properties that are computed once (`functools.cached_property`), of objects that a program makes for itself."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest
from ways import check_everywhere, slope

from adjoint import grad, gradient, pullback
from adjoint.derivatives import choice
from adjoint.transforms import virtual


class Lazy:
    def __init__(self, a):
        self.a = a

    @functools.cached_property
    def square(self):
        return self.a**2

    @functools.cached_property
    def both(self):
        return self.square * 2 + self.a


def read_twice(x):
    total = 0.0
    for i in range(5):
        lazy = Lazy(x * i)
        total += lazy.square + lazy.square
    return total


def stays_when_the_field_changes(x):
    lazy = Lazy(x)
    y = lazy.both + lazy.square
    lazy.a = 3 * x
    return y * lazy.square * lazy.a


def stored_over(x):
    lazy = Lazy(x)
    y = lazy.square
    lazy.square = 5 * x
    return y * lazy.square * lazy.both


def in_one_branch(x):
    lazy = Lazy(x)
    y = lazy.square if x > 1 else x
    lazy.a = 2 * x
    return y + lazy.square


def across_rounds(x):
    lazy, total = Lazy(x), 0.0
    for i in range(3):
        total += lazy.square * i
        lazy.a = lazy.a * 2
    return total


def handed_on(x):
    lazy = Lazy(x)
    y = lazy.square
    lazy.a = 7 * x
    return sum([made.square * made.a for made in [lazy]]) + y


STRUCTURED = [read_twice, stays_when_the_field_changes, stored_over]
OTHERS = [in_one_branch, across_rounds, handed_on]


@pytest.mark.parametrize("f", [*STRUCTURED, *OTHERS], ids=lambda f: f.__name__)
@pytest.mark.parametrize("x", [0.7, 1.7])
def test_derivatives(f: Callable[..., Any], x: float) -> None:
    check_everywhere(f, x)
    _, back = pullback(f, x)
    assert back(1.0) == back(1.0)
    assert grad(grad(f))(x) == pytest.approx(slope(grad(f), x), rel=1e-6)


@pytest.mark.parametrize("f", STRUCTURED, ids=lambda f: f.__name__)
def test_they_are_reversed_in_structure(f: Callable[..., Any]) -> None:
    choice.forget()
    for _ in range(2):
        pullback(f, 0.7)
    assert choice.is_structured_call(f, (0.7,))


def of_an_argument(lazy, x):
    return lazy.square * x


def test_the_field_of_an_argument_is_left_there() -> None:
    for _ in range(3):
        lazy = Lazy(2.0)
        own, bar = gradient(of_an_argument, lazy, 3.0)
        assert (own.a, bar, vars(lazy)) == (12.0, 4.0, {"a": 2.0, "square": 4.0})
        own, bar = gradient(of_an_argument, lazy, 3.0)
        assert (own.a, own.square, bar) == (0.0, 3.0, 4.0)


def failing(x):
    lazy = Lazy(x)
    lazy.a = "text"
    return lazy.square


def test_an_error_of_the_property_is_raised() -> None:
    with pytest.raises(TypeError) as expected:
        failing(1.0)
    with pytest.raises(TypeError) as found:
        gradient(failing, 1.0)
    assert str(found.value) == str(expected.value)


def test_planted_a_property_that_is_computed_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    def each_time(r: Any, s: Any, base: Any, cls: Any, name: str, static: Any) -> Any:
        return r.general(s, virtual.Const(static.func), [base], [])

    monkeypatch.setattr(virtual, "_computed_once", each_time)

    def program(x):
        lazy = Lazy(x)
        y = lazy.square
        lazy.a = 3 * x
        return y + lazy.square

    with pytest.raises(AssertionError):
        check_everywhere(program, 0.7)
