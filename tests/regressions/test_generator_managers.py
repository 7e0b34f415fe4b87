"""Managers that are generators: written out where they are entered and left, with the block of the `with` between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from adjoint import grad, gradient, jvp
from adjoint.derivatives.choice import is_structured_call

from .differences import check
from .generator_managers import FOLLOWED, LEFT, RAISING, called_with_too_much, waiting


def name_of(x: Any) -> str | None:
    return getattr(x, "__name__", None)


@pytest.mark.parametrize(("f", "args"), FOLLOWED, ids=name_of)
def test_reversed_in_its_structure(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    check(f, *args, order=2)
    assert is_structured_call(f, args), "it was recorded"


@pytest.mark.parametrize(("f", "args"), LEFT, ids=name_of)
def test_recorded(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    check(f, *args)
    assert not is_structured_call(f, args)


@pytest.mark.parametrize(("f", "args"), [*FOLLOWED, *LEFT], ids=name_of)
def test_along_a_tangent(f: Callable[..., Any], args: tuple[Any, ...]) -> None:
    dots = tuple(np.cos(np.arange(np.size(x)).reshape(np.shape(x)) + 0.3) for x in args)
    y, y_dot = jvp(f, args, dots)
    flow = sum(np.sum(d * bar) for d, bar in zip(dots, gradient(f, *args), strict=True))
    np.testing.assert_allclose(y_dot, flow, 1e-9)
    np.testing.assert_allclose(y, f(*args), 1e-15)


@pytest.mark.parametrize("f", RAISING)
def test_errors_are_those_of_the_plain_program(f: Callable[[float], float]) -> None:
    def error_of(run: Callable[[float], Any]) -> Any:
        with pytest.raises(Exception) as caught:  # noqa: PT011
            run(1.5)
        error = caught.value
        context = () if f is called_with_too_much else type(error.__context__)
        return type(error), error.args, type(error.__cause__), context

    plain = error_of(f)
    assert error_of(lambda x: gradient(f, x)) == plain
    assert error_of(lambda x: jvp(f, (x,), (1.0,))) == plain


def in_rounds(x: float, n: int) -> float:
    s = 0.0
    for _ in range(n):
        with waiting(x) as y:
            try:
                s = s * 0.9 + y
            finally:
                s = s * x
    return s


def test_what_raises_nothing_is_compiled() -> None:
    pytest.importorskip("numba")
    expected = gradient(in_rounds, 0.7, 5)[0]
    assert grad(in_rounds, compile=True)(0.7, 5) == pytest.approx(expected, rel=1e-12)
