"""Programs as data that assign to global names."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from adjoint import grad, ir
from adjoint.errors import MutationError

held = 0.0
called = math.sin


def stores(x: float) -> float:
    global held
    held = x
    return held * x


def adds(x: float) -> float:
    global held
    if x > 0.0:
        held = x
    for _ in range(2):
        held += x
    return held * x


def binds_a_function(x: float) -> float:
    global called
    called = math.cos
    return called(x)


RUNS = [
    lambda p: lambda x: ir.run(p, x),
    lambda p: lambda x: ir.run(p, x, nested=True, hook=lambda *_: None),
    ir.function,
    lambda p: ir.function(pickle.loads(pickle.dumps(p))),
    lambda p: ir.function(ir.instrument(p, lambda fn, *args, **kwargs: fn(*args, **kwargs))),
]


@pytest.mark.parametrize("made", RUNS)
@pytest.mark.parametrize("f, y, bar, left", [(stores, 4.0, 4.0, 2.0), (adds, 12.0, 12.0, 6.0)])
def test_programs_that_assign_to_global_names_run(
    f: Any, y: float, bar: float, left: float, made: Callable[[Any], Any]
) -> None:
    global held
    g = made(ir.of(f))
    held = 0.0
    assert g(2.0) == y and held == left
    held = 0.0
    assert grad(g)(2.0) == bar and held == left


@pytest.mark.parametrize("made", RUNS)
def test_a_function_that_is_bound_anew_is_the_one_that_is_called(made: Callable[[Any], Any]) -> None:
    global called
    called = math.sin
    assert made(ir.of(binds_a_function))(1.0) == math.cos(1.0)
    called = math.sin
    assert grad(made(ir.of(binds_a_function)))(1.0) == -math.sin(1.0)


def test_the_derivative_as_a_program_is_refused_by_what_is_wrong() -> None:
    with pytest.raises(MutationError, match="the assignment to the global name `held`"):
        ir.reverse_differentiate(ir.of(stores), 2.0)
    ir.verify(ir.of(stores))
