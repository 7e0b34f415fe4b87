"""`adjoint.ir` on every program of the corpus: what is made of a program as data is the program."""

from __future__ import annotations

import copy
import types
from typing import Any

import numpy as np
import pytest
from programs import PROGRAMS, Program

from adjoint import ir, pullback
from adjoint.errors import AdjointError, SourceUnavailableError, UnsupportedSyntaxError
from adjoint.finite.differences import random_like
from adjoint.finite.structure import cotangent_like, identical

pytestmark = pytest.mark.filterwarnings("ignore")
WITHOUT_SOURCE = {"partial_as_program"}
"""Programs that have no source of their own."""
OF_OBJECTS = {"bound_method_as_program", "callable_object", "network_as_program"}
"""Methods, and objects that are called: as data, programs of these objects too."""
RECORDED = {"composite_of_callables", "two_means"}
"""Programs that are recorded for the types of their arguments."""
OF_GRADIENTS = {"hessian_vector_product", "learning_to_learn"}
"""Programs that take a derivative which, for certain types, is not recorded again."""


def fresh(program: Program) -> tuple[tuple[Any, ...], dict[str, Any]]:
    return copy.deepcopy((program.args, program.kwargs))  # type: ignore[no-any-return]


def own_of(program: Program) -> tuple[Any, ...]:
    """The object of a method, or that is called, as the first argument of its program."""
    f: Any = program.function
    return (getattr(f, "__self__", f),) if str(program) in OF_OBJECTS else ()


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
    f, own = ir.function(data), own_of(program)
    for run in (f, lambda *args, **kwargs: ir.run(data, *args, **kwargs)):
        args, kwargs = fresh(program)
        same(run(*own, *args, **kwargs), y)
    args, kwargs = fresh(program)
    try:
        _, back = pullback(f, *own, *args, **kwargs)
    except AdjointError as error:
        of_gradients = "a derivative that was not recorded" in str(error)
        assert typed and of_gradients and str(program) in OF_GRADIENTS
        return
    assert not (typed and str(program) in OF_GRADIENTS)
    args, kwargs = fresh(program)
    y, expected = pullback(program.function, *args, **kwargs)
    rng = np.random.default_rng(0)
    y_bar = cotangent_like(y, lambda leaf: random_like(leaf, rng))
    own_bar, *bars = expected(y_bar)
    if isinstance(program.function, types.MethodType):
        own_bar = own_bar["__self__"]
    same(back(y_bar)[1:], (*[own_bar for _ in own], *bars))


def test_a_question_stands_once_in_what_is_made_of_a_typed_program() -> None:
    def f(x: float, y: float) -> float:
        return x**y + x**0.5 if y > 0.0 else (x + y) ** 1.5

    typed = ir.of(f, float, float)
    assert str(typed).count("only_real") == 3
    for program in (
        ir.primal(typed, float, float),
        ir.reverse_differentiate(typed),
        ir.reverse_differentiate(ir.of(f), float, float),
    ):
        assert str(program).count("only_real") == 3
    derivative = ir.reverse_differentiate(ir.function(typed).program)
    text, _, names = derivative.python.partition("# Names:")
    assert str(derivative).count("only_real") == text.count("only_real") == 3 and "# only_real: " in names
    assert ir.function(derivative)(4.0, 2.0)[1](1.0)[1] == pytest.approx(8.25)
    with pytest.raises(UnsupportedSyntaxError, match="a power of a negative number is complex"):
        ir.function(derivative)(-2.0, 2.0)
