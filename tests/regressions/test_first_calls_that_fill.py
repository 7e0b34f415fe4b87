"""Calls of which the first makes something for all others: an attribute of a function, an object's, a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from adjoint import derivatives, gradient
from adjoint.derivatives import choice


def noting(f: Callable[..., Any]) -> Callable[..., Any]:
    def run(*args: Any) -> Any:
        y = f(*args)
        run.last = 1.0  # type: ignore[attr-defined]
        return y

    return run


@noting
def square(x: float) -> float:
    return x * x


def by_function(x: float) -> float:
    return square(x) + square(2.0 * x)


class Model:
    def fit(self, x: float) -> float:
        self.found = 3.0 * x
        return self.found * x


MODEL = Model()


def by_object(x: float) -> float:
    return MODEL.fit(x) + 2.0 * x * x


@pytest.mark.parametrize("f", [by_function, by_object], ids=lambda f: f.__name__)
def test_later_calls_are_reversed_in_their_structure(f: Callable[[float], float]) -> None:
    for _ in range(4):
        assert gradient(f, 0.3) == pytest.approx((3.0,))
    assert not choice.has_been_recorded(f, (0.3,))


def test_what_stays_in_the_way_is_recorded_from_the_second_call_on() -> None:
    def f(x: float) -> float:
        y = 1.0
        try:
            raise ExceptionGroup("", [ValueError(1.0)])
        except* ValueError:
            y = x * x
        return y

    with pytest.MonkeyPatch.context() as patch:
        tried: list[Any] = []
        original = derivatives._structured_bars
        patch.setattr(derivatives, "_structured_bars", lambda *a: tried.append(1) or original(*a))
        for _ in range(5):
            assert gradient(f, 0.5) == pytest.approx((1.0,))
    assert len(tried) == 2
