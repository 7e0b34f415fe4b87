"""Forward mode does all that the plain program does: what it prints, what it checks, what it raises."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import gradient, jvp, linearize
from adjoint.calculus import derivative, pushforward

SEEN: list[Any] = []


def check_positive(x: float) -> None:
    if x <= 0:
        raise ValueError("not positive")


def note(x: float) -> None:
    SEEN.append(float(x))


def test_what_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x: float) -> float:
        print("at", x)
        for k in range(2):
            if k:
                print("round", k)
        return x * x

    assert pushforward(f, (3.0,), (1.0,)) == (9.0, 6.0)
    assert capsys.readouterr().out == "at 3.0\nround 1\n"


def test_what_is_checked() -> None:
    def f(x: float, scale: float) -> float:
        check_positive(scale)
        return x * x

    assert pushforward(f, (3.0, 1.0), (1.0, None)) == (9.0, 6.0)
    with pytest.raises(ValueError, match="not positive"):
        pushforward(f, (3.0, -1.0), (1.0, None))
    with pytest.raises(ValueError, match="not positive"):
        pushforward(f, (3.0, -1.0), (1.0, 1.0))


def test_what_is_raised_by_what_nobody_uses() -> None:
    def f(x: Any) -> Any:
        x[7]
        return x[0] * x[1]

    for mode in (lambda: jvp(f, (np.ones(3),), (np.ones(3),)), lambda: linearize(f, np.ones(3))):
        with pytest.raises(IndexError):
            mode()


def test_what_is_noted() -> None:
    def f(x: float) -> float:
        note(x)
        return x**3

    SEEN.clear()
    assert derivative(f)(2.0) == 12.0
    assert SEEN == [2.0]


def counted(c: float) -> float:
    SEEN.append(c)
    return c * c


def test_what_is_watched_inside_moves_outside() -> None:
    """A call through which nothing moves, and which may store, where something moves in the derivative around it."""

    def scaled(c: Any) -> Any:
        return pushforward(lambda x: x * counted(c), (1.0,), (1.0,))[1]

    assert derivative(scaled)(3.0) == 6.0
    assert gradient(scaled, 3.0) == (6.0,)
