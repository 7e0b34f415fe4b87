"""Passes over programs: to walk, to change, to instrument, to run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..depth import with_room
from ..errors import OptionError, calling_place
from ..ir.nodes import Block, Call, Const, Function, Statement
from .callees import callee_of, through
from .checking import check_called, check_function, check_mapping, check_program
from .constants import constant
from .program import Program
from .rewriting import Change, rewritten
from .templates import statements_in, verify_all


def walk(program: Program | Function | Block) -> Iterator[Statement]:
    """All statements in order, each before those of its branches and rounds, and of the function that it makes.

    Parameters
    ----------
    program : a program, or a function or block in one.

    Returns
    -------
    An iterator of each `Call`, `If`, `Loop` and `Closure`.

    Examples
    --------
    >>> from adjoint import ir
    >>> def f(x):
    ...     if x > 0: x = x * 2
    ...     return x
    >>> [type(s).__name__ for s in ir.walk(ir.of(f))]
    ['Call', 'If', 'Call']
    """
    check_program("walk", program, Function, Block)
    return statements_in(program if isinstance(program, Block) else body_of(program))


def body_of(program: Program | Function) -> Block:
    """The block of a program."""
    return program.function.body if isinstance(program, Program) else program.body


@with_room
def rewrite(program: Program, change: Change) -> Program:
    """The program with each statement as `change` gives it, those of functions that it makes too.

    Parameters
    ----------
    program : a program; it stays as it is.
    change : a function of one statement, innermost ones first: it gives the statement itself, another one, several, or
        None to leave it out. What it gives has to define what later statements read.

    Raises
    ------
    VerificationError
        If what comes of it is not well formed.

    Examples
    --------
    >>> import operator
    >>> from adjoint import ir
    >>> def f(x): return x * x + 1
    >>> def subtract(s):
    ...     plus = isinstance(s, ir.Call) and s.fn.value is operator.add
    ...     return ir.Call(s.outs, ir.Const(operator.sub), s.args) if plus else s
    >>> ir.function(ir.rewrite(ir.of(f), subtract))(3.0)
    8.0
    """
    check_program("rewrite", program)
    check_function("what `ir.rewrite` is to change by", change, "gives a statement for each one", "lambda s: s")
    function = rewritten(program.function, change)
    verify_all(function)
    return replace(program, function=function)


def replace_calls(program: Program, functions: Mapping[Any, Any]) -> Program:
    """The program with other functions called in place of some.

    Parameters
    ----------
    program : one in which it is known what is called: `of(f, *args)`, not `of(f)`.
    functions : by each function that is called, the one to call, also in functions that the program makes. What the
        functions that it calls do stays.

    Raises
    ------
    OptionError
        If one of them is not called in the program.

    Examples
    --------
    >>> import math
    >>> from adjoint import ir
    >>> def f(x): return math.sin(x) * 2
    >>> ir.replace_calls(ir.of(f, float), {math.sin: math.cos})
    1: (%1, %2)
      %3 = math.cos(%2)
      %4 = mul(%3, 2)
      return %4
    """
    check_program("replace_calls", program)
    check_mapping("replace_calls", functions)
    for new in functions.values():
        check_called("replace_calls", new)
    missing = {id(old): old for old in functions}

    def change(s: Statement) -> Statement:
        if not isinstance(s, Call):
            return s
        called, args = callee_of(s)
        for old, new in functions.items():
            if isinstance(called, Const) and called.value is old:
                missing.pop(id(old), None)
                return Call(s.outs, constant(new), args, s.kwargs, s.span)
        return s

    changed = rewrite(program, change)
    for old in missing.values():
        raise OptionError(
            f"the program of `{program.name}` has no call of `{getattr(old, '__name__', old)}`",
            "it stands in a function that this one calls, or names are looked up only as the program runs",
            "make the program for types, `ir.of(f, float)`, or change that of the function which calls it",
            calling_place(),
        )
    return changed


@with_room
def verify(program: Program | Function) -> None:
    """Check that a program is well formed.

    Every variable is assigned once, before it is read; the results of branches and rounds match what they are given to.

    Parameters
    ----------
    program : a program, or the function in one.

    Raises
    ------
    VerificationError
        If it is not; the message says what is wrong and where.

    Examples
    --------
    >>> from adjoint import ir
    >>> ir.verify(ir.of(lambda x: x * x))
    """
    check_program("verify", program, Function)
    verify_all(program.function if isinstance(program, Program) else program)


def instrument(program: Program, around: Callable[..., Any]) -> Program:
    """The program in which each call goes through a function: ``around(fn, *args, **kwargs)`` in place of
    ``fn(*args, **kwargs)``.

    Operators, attributes and items are calls as well (`operator.mul`, `getattr`, `operator.getitem`). What stands for
    names, stores and checks stays as it is.

    Parameters
    ----------
    program : the program, as `ir.of` gives it.
    around : the function that each call goes through; it has a derivative, as any function has.

    Returns
    -------
    Another program.

    Examples
    --------
    >>> import math
    >>> from adjoint import grad, ir
    >>> def f(x): return math.sin(x) * 2
    >>> calls = []
    >>> def noted(fn, *args):
    ...     calls.append(fn.__name__)
    ...     return fn(*args)
    >>> g = ir.function(ir.instrument(ir.of(f, float), noted))
    >>> g(0.0), calls
    (0.0, ['sin', 'mul'])
    """
    check_program("instrument", program)
    check_called("instrument", around)

    def change(s: Statement) -> Statement | list[Statement]:
        return list(through(Const(around), s)) if isinstance(s, Call) and len(s.outs) == 1 else s

    return rewrite(program, change)
