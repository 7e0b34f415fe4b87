"""Slips of a first hour with `adjoint.ir` are told in words, at once."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import grad, ir
from adjoint.errors import AdjointError, MutationError, OptionError, StructureError, VerificationError
from adjoint.inspect import code_adjoint, code_ir, code_primal


def f(x: float) -> float:
    return math.sin(x) * x


def put(xs: list[float]) -> float:
    xs[0] = 3.0
    return xs[0]


@pytest.mark.parametrize(
    "call",
    [
        lambda p: ir.run(p, 1.0),
        lambda p: ir.reverse_differentiate(p, float),
        lambda p: ir.primal(p, float),
        lambda p: ir.walk(p),
        lambda p: ir.verify(p),
        lambda p: ir.function(p),
        lambda p: ir.replace_calls(p, {}),
        lambda p: ir.rewrite(p, lambda s: s),
        lambda p: ir.instrument(p, print),
    ],
)
def test_a_function_is_no_program(call: Callable[..., Any]) -> None:
    with pytest.raises(OptionError, match=r"is given the function `f`[\s\S]*make it by `ir.of\(f\)`"):
        call(f)
    with pytest.raises(OptionError, match=r"is given `3`[\s\S]*make it by `ir.of\(f\)` or `ir.Builder`"):
        call(3)


@pytest.mark.parametrize(
    "call",
    [
        lambda: ir.replace_calls(ir.of(f, float), {math.sin: 3}),
        lambda: ir.instrument(ir.of(f, float), 3),  # type: ignore[arg-type]
        lambda: ir.Builder("w", "x").call(3, 1.0),
        lambda: ir.Builder("w", "x").call("mul", 1.0, 1.0),
        lambda: ir.Builder("w", "x").call(ir.Const("mul"), 1.0, 1.0),
    ],
)
def test_only_what_can_be_called_is_called(call: Callable[..., Any]) -> None:
    with pytest.raises(OptionError, match="as a function, and it cannot be called"):
        call()


@pytest.mark.parametrize("names", [("w", "x", "x"), ("w", "not a name"), ("not a name", "x"), ("w", "for"), ("", "x")])
def test_parameters_have_names_of_their_own(names: tuple[str, ...]) -> None:
    with pytest.raises(OptionError, match=r"`ir.Builder` is given the name '.*'"):
        ir.Builder(*names)


def test_a_parameter_may_be_called_as_the_function_is() -> None:
    b = ir.Builder("x", "x")
    assert ir.function(b.build(b.call(operator.neg, *b.params)))(2.0) == -2.0


def test_rounds_give_something_to_the_next_one() -> None:
    b = ir.Builder("w", "xs")
    (xs,) = b.params
    with pytest.raises(OptionError, match="the body of a loop gives None"):
        b.loop(xs, 0.0, lambda s, x: None)
    with pytest.raises(OptionError, match="the body of a loop gives None"):
        b.loop_while(lambda s: b.call(operator.lt, s, 3.0), 0.0, lambda s: None)
    with pytest.raises(OptionError, match="the condition of a loop gives None"):
        b.loop_while(lambda s: None, 0.0, lambda s: s)


@pytest.mark.parametrize("given", [3, "call", [3]])
def test_a_change_gives_statements(given: Any) -> None:
    with pytest.raises(OptionError, match="the function given to `ir.rewrite` gives"):
        ir.rewrite(ir.of(f), lambda s: given)


@pytest.mark.parametrize("make", [ir.primal, ir.reverse_differentiate])
@pytest.mark.parametrize("given", [np.ndarray, str, int, np.ones(2)])
def test_a_program_for_certain_types_is_for_no_others(make: Callable[..., Any], given: Any) -> None:
    with pytest.raises(StructureError, match=r"the program of `f` is not for `x` as an? .*\n[\s\S]*made for a float"):
        make(ir.of(f, float), given)
    make(ir.of(f), given) if given is not str else None
    assert str(make(ir.of(f, float), float)) == str(make(ir.of(f, float), 2.0)) == str(make(ir.of(f, float)))


def test_the_program_for_any_types_is_named_that_there_is() -> None:
    b = ir.Builder("g", "x")
    built = ir.primal(b.build(b.call(operator.mul, *b.params * 2)), float)
    for wrong in (lambda: ir.function(built)("a"), lambda: ir.primal(built, str)):
        with pytest.raises(StructureError, match="for any(| types): the one that was built") as caught:
            wrong()
        assert "ir.of(g)" not in str(caught.value)
    with pytest.raises(StructureError, match=r"for any: `adjoint\.ir\.of\(f\)`"):
        ir.function(ir.reverse_differentiate(ir.of(f, float)))("a")


@pytest.mark.parametrize("cls", [list, tuple, dict])
def test_containers_say_of_what_they_are(cls: type) -> None:
    with pytest.raises(OptionError, match=f"`{cls.__name__}` says nothing of its items"):
        ir.of(f, cls)


@pytest.mark.parametrize(
    ("value", "words"), [(1, "an int"), ("a", "a str"), (None, "None"), ([1.0], "a list"), (np.ones(2), "an array of")]
)
def test_words_of_values(value: Any, words: str) -> None:
    with pytest.raises(StructureError, match=f"made for a float, and that is {words}"):
        ir.function(ir.of(f, float))(value)


def test_no_advice_leads_back_to_what_was_passed() -> None:
    with pytest.raises(MutationError) as caught:
        ir.primal(ir.of(put), [1.0])
    assert "inspect.code_primal(put, ...)` and `code_adjoint(put, ...)`" in caught.value.way_out
    assert "stored(" in code_primal(put, [1.0]) and "def put_rrule(" in code_adjoint(put, [1.0])


def test_advice_on_a_program_that_was_built_names_no_function() -> None:
    b = ir.Builder("built", "x")
    built = ir.primal(b.build(b.call(operator.mul, *b.params, 2.0)), float)
    for call in (lambda: ir.primal(built, str), lambda: ir.function(built)("a")):
        with pytest.raises(StructureError) as caught:
            call()
        assert caught.value.way_out.endswith(": the one that was built")
    with pytest.raises(StructureError) as caught:
        ir.function(ir.of(f, float))("a")
    assert caught.value.way_out.endswith("for any: `adjoint.ir.of(f)`")


def test_what_changes_notes_and_replaces_is_a_function_or_a_dict_of_them() -> None:
    program: Any = ir.of(f, float)
    wrong: Any = 3
    for call, words in (
        (lambda: ir.rewrite(program, wrong), r"`ir\.rewrite` is to change by is 3"),
        (lambda: ir.run(program, 1.0, hook=wrong), r"`hook` of `ir\.run` is 3"),
        (lambda: ir.replace_calls(program, wrong), r"`ir\.replace_calls` is given 3 for functions"),
        (lambda: ir.replace_calls(program, program), r"is given the program of `f` for functions"),
    ):
        with pytest.raises(OptionError, match=words) as caught:
            call()
        assert "give " in caught.value.way_out


def test_a_constant_that_cannot_be_called_is_no_call() -> None:
    program = ir.of(f, float)
    call: Any = program.statements[0]
    with pytest.raises(VerificationError, match="a call of 3, which cannot be called"):
        ir.rewrite(program, lambda s: ir.Call(s.outs, ir.Const(3), call.args) if s is call else s)


@pytest.mark.parametrize("given", [(1.0, 2.0), ()])
@pytest.mark.parametrize("make", [lambda: ir.of(f), lambda: ir.of(f, float)])
def test_calls_with_other_arguments_fail_as_those_of_the_function(make: Callable[[], Any], given: Any) -> None:
    with pytest.raises(TypeError) as expected:
        f(*given)
    with pytest.raises(TypeError) as found:
        ir.function(make())(*given)
    assert str(found.value) == str(expected.value)


@pytest.mark.parametrize("face", [ir.of, code_ir, code_adjoint, code_primal, adjoint.explore, grad])
def test_a_program_is_no_function_and_is_not_printed_into_the_message(face: Any) -> None:
    program = ir.of(f, 1.0)
    with pytest.raises(AdjointError) as caught:
        face(program)
    assert "the program of `f`" in caught.value.what and "mul" not in caught.value.what
    assert caught.value.way_out == "make it a function: `adjoint.ir.function(program)`"


@pytest.mark.parametrize("face", [ir.of, code_ir, grad])
def test_long_values_are_told_by_their_class(face: Any) -> None:
    for value in (np.ones((50, 50)), [0.0] * 100):
        with pytest.raises(AdjointError) as caught:
            face(value)
        assert type(value).__name__ in caught.value.what and len(caught.value.what) < 60


LONG = [0.5] * 100_000


@pytest.mark.parametrize(
    "slip",
    [
        lambda: ir.function(ir.of(taken, float))(LONG),
        lambda: ir.run(ir.of(taken, float), LONG),
        lambda: ir.function(ir.of(taken, float))("a" * 100_000),
        lambda: ir.walk(LONG),
        lambda: ir.Builder("f", "x").call(LONG, 1.0),
        lambda: ir.Builder("f", "a" * 100_000 + "!"),
        lambda: ir.Builder("f", "x").branch(True, LONG, LONG),
        lambda: ir.rewrite(ir.of(taken), lambda s: [LONG]),
        lambda: ir.of(taken, f"list[{'a' * 100_000}]"),
    ],
)
def test_refusals_of_long_values_are_short(slip: Any) -> None:
    with pytest.raises(AdjointError) as error:
        slip()
    assert len(str(error.value)) < 1000


def test_refusals_of_arguments_run_no_code_of_the_user() -> None:
    class Strange:
        def __repr__(self) -> str:
            raise AssertionError

    with pytest.raises(StructureError, match=r"is not for `x`\n"):
        ir.function(ir.of(taken, float))(Strange())


def taken(x: Any) -> Any:
    return x * 2
