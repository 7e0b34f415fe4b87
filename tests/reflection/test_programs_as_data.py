"""`adjoint.ir` on every program of the corpus: what is made of a program as data is the program."""

from __future__ import annotations

import copy
import functools
import types
from typing import Any

import numpy as np
import pytest
from programs import PROGRAMS, Program

from adjoint import ir, pullback
from adjoint.errors import AdjointError, SourceUnavailableError
from adjoint.finite.differences import random_like
from adjoint.finite.structure import cotangent_like, identical

pytestmark = pytest.mark.filterwarnings("ignore")
METHODS = {"bound_method_as_program", "callable_object", "network_as_program"}
"""Programs whose data take the object that they are of as their first argument."""
WITHOUT_SOURCE = {"partial_as_program"}
"""Programs that are no functions, and have no one function behind them."""
RECORDED = {"composite_of_callables", "two_means"}
"""Programs that are recorded for the types of their arguments."""
OF_GRADIENTS = {"hessian_vector_product", "learning_to_learn"}
"""Programs that take a derivative which, for certain types, is not recorded again."""
OF_STORES = {"cheapest_path"}
"""Programs that store into what others see, which programs as data cannot do in derivatives."""


def fresh(program: Program) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return copy.deepcopy((program.args, program.kwargs))  # type: ignore[no-any-return]


def same(found: Any, expected: Any) -> None:
    assert identical(found, expected, ulps=64), (found, expected)


def data_of(program: Program, typed: bool) -> ir.Program:
    args, kwargs = fresh(program) if typed else ((), {})
    return ir.of(program.function, *args, **kwargs)


def test_most_programs_are_followed_with_types() -> None:
    found = [isinstance(_made(program), ir.Program) for program in PROGRAMS.values()]
    assert sum(found) >= 0.95 * len(found) and len(found) > 250


def _made(program: Program) -> Any:
    try:
        return data_of(program, True)
    except AdjointError as error:
        return error


@pytest.mark.parametrize("typed", [False, True], ids=["any", "typed"])
@pytest.mark.parametrize("program", PROGRAMS.values(), ids=str)
def test_a_program_as_data_is_the_program(program: Program, typed: bool) -> None:
    try:
        data = data_of(program, typed)
    except SourceUnavailableError:
        assert type(program.function) is not types.FunctionType and str(program) in WITHOUT_SOURCE
        return
    except AdjointError:
        assert typed and str(program) in RECORDED
        return
    assert str(program) not in WITHOUT_SOURCE and not (typed and str(program) in RECORDED)
    args, kwargs = fresh(program)
    y = program.function(*args, **kwargs)
    of = [getattr(program.function, "__self__", program.function)] if str(program) in METHODS else []
    f = functools.partial(ir.function(data), *of) if of else ir.function(data)
    for run in (f, lambda *args, **kwargs: ir.run(data, *of, *args, **kwargs)):
        args, kwargs = fresh(program)
        same(run(*args, **kwargs), y)
    args, kwargs = fresh(program)
    try:
        _, back = pullback(f, *args, **kwargs)
    except AdjointError as error:
        of_gradients = "a derivative that was not recorded" in str(error)
        assert str(program) in OF_STORES or typed and of_gradients and str(program) in OF_GRADIENTS
        return
    assert str(program) not in OF_STORES and not (typed and str(program) in OF_GRADIENTS)
    args, kwargs = fresh(program)
    y, expected = pullback(program.function, *args, **kwargs)
    rng = np.random.default_rng(0)
    y_bar = cotangent_like(y, lambda leaf: random_like(leaf, rng))
    same(back(y_bar)[1:], expected(y_bar)[1:])
