"""Passes over programs: to walk, to check, to change, to instrument."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ..depth import with_room
from ..errors import OptionError, calling_place
from ..ir.nodes import Atom, Block, Call, Const, Function, Statement, Var
from ..transforms.simplify import substitute
from .callees import callee_of, changed_by, is_written_out, results_of, through
from .checking import check_called, check_function, check_mapping, check_program
from .constants import constant
from .program import Program
from .resolving import known_in
from .rewriting import Change, rewritten
from .templates import inner_of, statements_in, verify_all, with_inner


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
    ...     plus = isinstance(s, ir.Call) and s.callee is operator.add
    ...     return ir.Call(s.outs, ir.Const(operator.sub), s.args) if plus else s
    >>> ir.function(ir.rewrite(ir.of(f), subtract))(3.0)
    8.0
    """
    check_program("rewrite", program)
    check_function("what `ir.rewrite` is to change by", change, "gives a statement for each one", "lambda s: s")
    return _of_function(program, rewritten(program.function, change))


def _of_function(program: Program, function: Function) -> Program:
    """A program that was changed, if it is well formed."""
    verify_all(function)
    return replace(program, function=function)


class _Calls:
    """A change of calls that give no object afterwards: it goes on under the name that it had."""

    def __init__(self, change: Callable[[Call], Iterable[Statement]]) -> None:
        self.change = change
        self.same: dict[Var, Atom] = {}
        """The object by the name that a call gave it afterwards."""

    def __call__(self, s: Statement) -> list[Statement]:
        if not isinstance(s, Call):
            return [s]
        made = [*self.change(s)]
        if made != [s] and (changed := changed_by(s)) is not None:
            after, target = changed
            self.same[after] = self.same.get(target, target)
        return made

    def of(self, function: Function) -> Function:
        """The function with its calls changed, those of functions that it makes too."""
        return self._settled(rewritten(rewritten(function, self), self._within))

    def _settled(self, function: Function) -> Function:
        return replace(function, body=substitute(function.body, self.same)) if self.same else function

    def _within(self, s: Statement) -> Statement:
        inner = inner_of(s)
        return s if inner is None else with_inner(s, self._settled(inner))


@with_room
def replace_calls(program: Program, functions: Mapping[Any, Any]) -> Program:
    """The program with other functions called in place of some.

    Parameters
    ----------
    program : a program. In one for any types, `of(f)`, calls are found by their names, and methods are not. In one for
        types, small functions are written out where they are called, and their calls are gone.
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
    known = known_in(program)

    def change(s: Call) -> list[Statement]:
        called, args = callee_of(s)
        called = known.get(called, called) if isinstance(called, Var) else called
        for old, new in functions.items():
            if isinstance(called, Const) and called.value is old:
                missing.pop(id(old), None)
                return [Call(results_of(s), constant(new), args, s.kwargs, s.span)]
        return [s]

    changed = _of_function(program, _Calls(change).of(program.function))
    for old in missing.values():
        raise _not_called(program, old)
    return changed


def _not_called(program: Program, old: Any) -> OptionError:
    """The refusal to replace a function that a program has no call of."""
    why = "it stands in a function that this one calls"
    way_out = "change the program of the function which calls it"
    if program.types is None:
        why += ", or only the run shows what is called"
        way_out = f"make the program for types, `ir.of(f, float)`, or {way_out}"
    elif is_written_out(program.function, old):
        why = "it is small: in a program for types, what it does is written out where it is called"
        way_out = f"replace it in the program for any types, and go on with `ir.primal(..., float)`; or {way_out}"
    return OptionError(
        f"the program of `{program.name}` has no call of `{getattr(old, '__name__', old)}`",
        why,
        way_out,
        calling_place(),
    )


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


@with_room
def instrument(program: Program, around: Callable[..., Any]) -> Program:
    """The program in which each call goes through a function: ``around(fn, *args, **kwargs)`` in place of
    ``fn(*args, **kwargs)``.

    Operators, attributes, items and methods are calls as well (`operator.mul`, `getattr`, `operator.getitem`, `append`
    of a list). What stands for names, stores and checks stays as it is. The program for any types, `of(f)`, has the
    calls that the text has. In one for types, lists, dicts and deques that are made there are values: methods that
    change them are no calls. What stands there instead may be some: `len` for `rows.append(x)`, and `operator.getitem`
    for `a, b = divmod(x, 2)`.

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

    calls = _Calls(lambda s: through(Const(around), s))
    return _of_function(program, calls.of(program.function))
