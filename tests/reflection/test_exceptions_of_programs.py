"""Programs as data whose handlers look into exceptions: run, they give the value; a derivative never loses a path."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import grad, ir
from adjoint.errors import AdjointError


def looking(x: float) -> float:
    try:
        y = x * 2.0
        raise ValueError(y)
    except ValueError as e:
        z = e.args[0] * x
    return float(z + y)


def in_a_loop(x: float) -> float:
    y = x
    for _ in range(2):
        try:
            y = y * x
            raise ArithmeticError(y, x)
        except ArithmeticError as e:
            y = y + e.args[0] * e.args[1]
    return y


def fail(v: float) -> None:
    raise ValueError(v)


FAILING = [fail]
"""A table: what is called is found when it runs."""


def of_others(x: float) -> float:
    try:
        y = x * 2.0
        FAILING[0](y)
    except ValueError as e:
        z = e.args[0] * x
    return float(z + y)


def hidden(x: float) -> float:
    try:
        raise ValueError(x)
    except BaseException:
        found = sys.exc_info()[1]
    assert found is not None
    return float(found.args[0] * x)


@pytest.mark.parametrize("f", [looking, in_a_loop, of_others])
@pytest.mark.parametrize(
    "made",
    [
        lambda p: lambda x: ir.run(p, x),
        lambda p: lambda x: ir.run(p, x, nested=True),
        ir.function,
        lambda p: pickle.loads(pickle.dumps(ir.function(p))),
        lambda p: ir.function(ir.instrument(p, lambda fn, *args, **kwargs: fn(*args, **kwargs))),
    ],
)
def test_programs_whose_handlers_look_into_exceptions_run(f: Any, made: Callable[[Any], Any]) -> None:
    g, h = made(ir.of(f)), 1e-6
    assert g(1.5) == f(1.5)
    assert grad(g)(1.5) == pytest.approx((f(1.5 + h) - f(1.5 - h)) / (2 * h), rel=1e-7)


@pytest.mark.parametrize("made", [lambda p: ir.reverse_differentiate(p, 1.5), ir.reverse_differentiate])
def test_a_derivative_follows_what_the_program_itself_raises(made: Callable[[Any], Any]) -> None:
    program = made(ir.of(looking))
    for run in (lambda x: ir.run(program, x), ir.function(program)):
        y, back = run(1.5)
        assert y == looking(1.5) and back(1.0) == (None, 8.0)


@pytest.mark.parametrize("typed", [lambda p: ir.reverse_differentiate(p, 1.5), ir.reverse_differentiate])
def test_a_derivative_of_such_a_program_is_refused_as_it_runs(typed: Callable[[Any], Any]) -> None:
    """Run as it stands, it would lose what flows through the exception."""
    program = typed(ir.of(of_others))
    for run in (lambda x: ir.run(program, x), ir.function(program)):
        with pytest.raises(AdjointError, match="the program for any types") as caught:
            run(1.5)
        assert "cannot run the program on from an exception: its handler looks into it" in str(caught.value)


def test_a_program_for_certain_types_says_that_the_one_for_any_runs() -> None:
    for run in (lambda x: ir.run(ir.of(of_others, 1.5), x), ir.function(ir.of(of_others, 1.5))):
        with pytest.raises(AdjointError, match=r"make the program for any types, `adjoint.ir.of\(f\)`"):
            run(1.5)


@pytest.mark.parametrize("run", [lambda p, x: ir.run(p, x), lambda p, x: ir.function(p)(x)])
def test_a_program_without_a_way_on_says_so(run: Callable[..., Any]) -> None:
    assert hidden(1.5) == 2.25 and grad(hidden)(1.5) == 3.0
    with pytest.raises(AdjointError, match="cannot run the program on from an exception: it has no form") as caught:
        run(ir.of(hidden), 1.5)
    assert "call the function that the program was made of" in str(caught.value)
