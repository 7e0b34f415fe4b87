"""Slips with nodes, builders and types are told in words, with a way out, and not by an error of Python's own."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import adjoint
from adjoint import ir
from adjoint.errors import OptionError, StructureError, VerificationError


def f(x: float) -> float:
    y = math.sin(x)
    return y * x


X, Y = ir.Var("x"), ir.Var("y")
ONE = ir.Const(1.0)
WRONG: list[tuple[Any, str]] = [
    (ir.Call(Y, ir.Const(abs), (X,)), "%y is not a tuple, in `outs` of an `ir.Call`"),  # type: ignore[arg-type]
    (ir.Call((Y,), abs, (X,)), "is not an atom, in `fn` of an `ir.Call`"),  # type: ignore[arg-type]
    (ir.Call((Y,), ir.Const(abs), X), "%x is not a tuple, in `args`"),  # type: ignore[arg-type]
    (ir.Call((Y,), ir.Const(abs), (3,)), "3 is not an atom, in `args`"),  # type: ignore[arg-type]
    (ir.Call((3,), ir.Const(abs), (ONE,)), "3 is not a variable, in `outs`"),  # type: ignore[arg-type]
    (ir.Call((Y,), ir.Const(abs), (ONE,), {"a": 1}), "{'a': 1} is not a tuple of pairs, in `kwargs`"),  # type: ignore[arg-type]
    (ir.Call((Y,), ir.Const(abs), (ONE,), (("a", 1),)), "1 is not an atom, in `kwargs`"),  # type: ignore[arg-type]
    (ir.If((Y,), True, None, None), "True is not an atom, in `cond` of an `ir.If`"),  # type: ignore[arg-type]
    (ir.If((Y,), ONE, [], ir.Block((), (), (ONE,))), "[] is not a block, in `then` of an `ir.If`"),  # type: ignore[arg-type]
    (ir.Loop((Y,), (1.0,), (), None, ir.Block((), (), ())), "1.0 is not an atom, in `inits` of an `ir.Loop`"),  # type: ignore[arg-type]
    (ir.Call((Y,), ir.Const(abs), (ir.Const(X),)), "%x is not a value, in `value` of an `ir.Const`"),
    (ir.Call((Y,), ir.Const(ir.Const(abs)), (X,)), "abs is not a value, in `value` of an `ir.Const`"),
    (ir.Call((Y,), ir.Const(abs), ([0.5] * 100_000,)), "a list is not an atom, in `args`"),  # type: ignore[arg-type]
    (ir.Closure(Y, f), "is not a function, in `function` of an `ir.Closure`"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize(("statement", "message"), WRONG)
def test_fields_of_nodes_hold_nodes(statement: Any, message: str) -> None:
    def before(s: Any) -> Any:
        return [statement, s]

    program = ir.of(f, float)
    program.function.body.statements = (statement, *program.statements)
    uses: list[Callable[[], Any]] = [
        lambda: ir.rewrite(ir.of(f, float), before),
        lambda: ir.verify(program),
        lambda: ir.function(program),
        lambda: ir.run(program, 1.0),
        lambda: ir.primal(program, float),
        lambda: ir.reverse_differentiate(program),
        lambda: program.python,
    ]
    for use in uses:
        with pytest.raises(VerificationError) as caught:
            use()
        assert message in str(caught.value) and caught.value.way_out


def test_what_is_not_well_formed_is_shown_with_its_line_and_a_way_out() -> None:
    def unread(s: Any) -> Any:
        return None if s.fn.value is math.sin else s

    with pytest.raises(VerificationError) as caught:
        ir.rewrite(ir.of(f, float), unread)
    text = str(caught.value)
    assert "%3:y is read where it is not defined" in text and "return y * x" in text
    assert "why: it stands in `%4 = mul(%3, %2)`" in text and "help: let an earlier statement give it" in text


@pytest.mark.parametrize(
    "use", [lambda x: x * 2, lambda x: 2 - x, lambda x: -x, lambda x: x < 1.0, lambda x: x[0], math.sin, np.sin]
)
def test_a_variable_is_no_number(use: Callable[..., Any]) -> None:
    b = ir.Builder("f", "x")
    with pytest.raises(OptionError, match=r"used as a number[\s\S]*help: add a call"):
        b.build(use(*b.params))


BUILDS: list[tuple[Callable[[Any, Any], Any], str]] = [
    (lambda b, x: b.loop_while(3, x, lambda s: s), "the condition of a loop is 3, and no function"),
    (lambda b, x: b.loop_while(lambda s: s, x, 4), "the body of a loop is 4, and no function"),
    (lambda b, x: b.loop_while(lambda: x, x, lambda s: s), "the condition of a loop cannot be called with a variable"),
    (lambda b, x: b.loop_while(lambda s: (s, s), x, lambda s: s), "the condition of a loop gives 2 values, and 1 is"),
    (lambda b, x: b.loop_while(lambda s: s, x, lambda s: (s, s)), "the body of a loop gives 2 values, and 1 is needed"),
    (lambda b, x: b.loop(x, 0.0, lambda s: s), "the body of a loop cannot be called with 2 variables"),
    (lambda b, x: b.loop(x, (0.0, 1.0), lambda s, t, i: s), "the body of a loop gives 1 value, and 2 are needed"),
    (lambda b, x: b.loop(x, 0.0, None), "the body of a loop is None, and no function"),
    (lambda b, x: b.branch(x, x, lambda: x), "the first branch is %x, and no function"),
    (lambda b, x: b.branch(x, lambda: x, lambda y: x), "the other branch cannot be called with nothing"),
    (lambda b, x: b.branch(x, lambda: (x, x), lambda: x), "the other branch gives 1 value, and 2 are needed"),
]


@pytest.mark.parametrize(("build", "message"), BUILDS)
def test_parts_of_loops_and_branches_are_functions_that_give_what_is_needed(build: Any, message: str) -> None:
    b = ir.Builder("f", "x")
    with pytest.raises(OptionError) as caught:
        build(b, *b.params)
    assert message in str(caught.value) and caught.value.way_out
    assert ir.function(b.build(b.call(operator.mul, *b.params * 2)))(3.0) == 9.0  # the builder goes on


def test_arguments_that_a_program_is_not_for_are_refused_where_it_is_run() -> None:
    for given, shown in (("a", "x='a'`"), (1, "x=1`"), (np.ones(2), "x`")):
        with pytest.raises(StructureError, match=f"is not for `{shown}"):
            ir.run(ir.of(f, float), given)
    assert ir.run(ir.of(f), 1) == math.sin(1)


@pytest.mark.parametrize("args", [("float",), ("float", int), (float, "int"), ("list[float]",), ("np.ndarray",)])
def test_texts_are_no_types(args: Any) -> None:
    for call in (ir.of, lambda f, *args: ir.primal(ir.of(f), *args)):
        with pytest.raises(OptionError, match=r"is a text in place of a type[\s\S]*write the type itself: `"):
            call(f, *args)


def test_texts_beside_arguments_are_arguments() -> None:
    def power(x: Any, dtype: str) -> Any:
        return np.asarray(x, dtype) * x

    assert ir.function(ir.of(power, 2.0, "float"))(3.0, "float") == 9.0


def test_a_page_is_written_where_there_is_a_folder(tmp_path: Path) -> None:
    page = adjoint.explore(f, 1.0)
    with pytest.raises(FileNotFoundError, match="there is no folder .*; make it first, or write to one that is there"):
        page.save(tmp_path / "none" / "page.html")
    assert page.save(tmp_path / "page.html").read_text(encoding="utf-8") == page.html
