"""All ways in which a function is differentiated, compared with the plain program: right, or refused."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import value_and_grad, withgradient
from adjoint.calculus import pushforward
from adjoint.errors import AdjointError
from adjoint.recording.entry import recorded
from adjoint.tangents.unknown import check_known


def slope(f: Callable[[float], Any], x: float, h: float = 1e-6) -> float:
    """The derivative of a plain program by differences."""
    return float((f(x + h) - f(x - h)) / (2 * h))


def slopes(f: Callable[[float, float], Any], x: float, y: float, h: float = 1e-6) -> tuple[float, float]:
    """The derivatives of a plain program of two numbers by differences."""
    return (f(x + h, y) - f(x - h, y)) / (2 * h), (f(x, y + h) - f(x, y - h)) / (2 * h)


def check_calls(f: Callable[[float, float], Any], x: float, y: float, near: float = 0.0) -> None:
    """Check value and gradient of three calls, the first of which may be for other types, and forward mode."""
    g = value_and_grad(f, (0, 1))
    for _ in range(3):
        value, bars = g(x, y)
        assert value == f(x, y)
        assert type(value) is type(f(x, y))
        assert bars == pytest.approx(slopes(f, x, y), rel=1e-5, abs=near or None)
    _, along = pushforward(f, (x, y), (1.0, -2.0))
    assert along == pytest.approx(bars[0] - 2 * bars[1], rel=1e-9, abs=near / 1000 or None)


def by_recording(f: Callable[[float], Any], x: float) -> Any:
    """The value and the derivative of a recorded program."""
    y, back, _ = recorded(f, x)
    d = back(1.0)[1]
    check_known(d, x)  # what cannot be differentiated is refused where it is asked for
    return y, 0.0 if d is None else d


WAYS: dict[str, Callable[..., Any]] = {
    "reverse": lambda f, x: [part if i == 0 else part[0] for i, part in enumerate(withgradient(f, x))],
    "recorded": by_recording,
    "forward": lambda f, x: pushforward(f, (x,), (1.0,)),
    "compiled": lambda f, x: value_and_grad(f, compile=True)(x),
}


def _is_rounded(way: str, found: Any, y: Any) -> bool:
    """Whether a compiled sum differs from Python's in rounding: since 3.12 that of floats is compensated."""
    return (
        sys.version_info >= (3, 12)
        and (way, type(found), type(y)) == ("compiled", float, float)
        and abs(found - y) <= 2 * math.ulp(y)
    )


def check_everywhere(f: Callable[[float], Any], x: float = 1.5, d: float | None = None) -> list[str]:
    """Check the value and the derivative in all ways; which of them refuse the function. `d` is the derivative."""
    y, d = f(x), slope(f, x) if d is None else d
    refused = []
    for name, way in WAYS.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what is not compiled runs as it is
            try:
                found, slope_found = way(f, x)
            except AdjointError:
                refused.append(name)
                continue
        assert (type(found), repr(found)) == (type(y), repr(y)) or _is_rounded(name, found, y), name
        assert slope_found == pytest.approx(d, rel=1e-6, abs=1e-7), name
    return refused


def test_what_is_wrong_is_seen() -> None:
    seen = []

    def counting(x: float) -> float:
        seen.append(x)
        return x * len(seen)

    with pytest.raises(AssertionError):
        check_everywhere(counting)
