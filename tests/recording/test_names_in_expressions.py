"""Names in expressions of numbers, where what is called in these binds them anew."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from recording.test_expressions import at_once, recorded  # noqa: F401

from adjoint import gradient, hessian, pullback

SHARED = 1.5


def doubles(x: float) -> float:
    global SHARED
    SHARED = SHARED * 2.0
    return x


def of_global(x: float) -> float:
    global SHARED
    SHARED = 1.5 * x
    return SHARED + doubles(x) * 2.0 - SHARED * x


def of_captured(x: float) -> float:
    s = x

    def squares() -> float:
        nonlocal s
        s = s * s
        return x

    return s + squares() * 2.0 - s * s


def of_free(x: float) -> float:
    s = x

    def squares() -> float:
        nonlocal s
        s = s * s
        return x

    def within() -> float:
        return s + squares() * 2.0 - s * s

    return within() - s * x


def of_nonlocal(x: float) -> float:
    s = x

    def squares() -> float:
        nonlocal s
        s = s * s
        return x

    def within() -> float:
        nonlocal s
        s = s + 1.0
        return s + squares() * 2.0 - s

    return within() - s * x


def of_property(x: float) -> float:
    s = x

    class Halves:
        @property
        def half(self) -> float:
            nonlocal s
            s = s * 0.5
            return x

    h = Halves()
    return s + h.half * 2.0 - s


@pytest.mark.parametrize("f", [of_global, of_captured, of_free, of_nonlocal, of_property], ids=lambda f: f.__name__)
def test_names_that_a_call_in_the_expression_binds_anew(f: Callable[[float], float]) -> None:
    run, (y, slope) = recorded(f), (f(1.1), (f(1.1 + 1e-6) - f(1.1 - 1e-6)) / 2e-6)
    assert pullback(run, 1.1)[0] == y
    assert gradient(run, 1.1)[0] == pytest.approx(slope, rel=1e-7)
    curve = (gradient(run, 1.1 + 1e-6)[0] - gradient(run, 1.1 - 1e-6)[0]) / 2e-6
    assert hessian(run, 1.1) == pytest.approx(curve, rel=1e-6)
