"""The functions that calls of a program mean: methods by their names, and calls with stars."""

from __future__ import annotations

import builtins
import inspect
import types
from collections.abc import Iterator
from typing import Any

from ..ir.changes import call_method, call_with
from ..ir.heaps import FUNCTIONS
from ..ir.intrinsics import apply, capture, default, invoke, load_global, spread
from ..ir.nodes import Atom, Call, Const, Function, Star, Statement, Var
from ..ir.types import Record
from ..origin import module_of
from .templates import statements_in

OF_THE_IR = ("adjoint.ir.", "adjoint.runtime.", "adjoint.transforms.", "adjoint.rules.")
"""Modules of functions that stand for syntax, names, stores and checks; others of the library are called by users."""
CHANGING = (call_method, call_with)
"""Those that give the object afterwards too, since what they call may change it."""
READS = (capture, default, load_global)
"""Those that give what a name of the program means."""


def is_of_the_ir(s: Call) -> bool:
    """True if a call is one that only the IR has.

    >>> is_of_the_ir(Call((), Const(load_global))), is_of_the_ir(Call((), Const(len)))
    (True, False)
    """
    return isinstance(s.fn, Const) and module_of(s.fn.value).startswith(OF_THE_IR)


def callee_of(s: Call) -> tuple[Atom, tuple[Any, ...]]:
    """The function of a call, and what it is called with: of a method of a known class, that of the class.

    >>> callee_of(Call((), Const(len), (Const("a"),)))
    (len, ('a',))
    >>> callee_of(Call((), Const(call_with), (Const("a"), Const(len))))
    (len, ('a',))
    """
    if isinstance(s.fn, Const) and s.fn.value is call_with:
        target, function, *rest = s.args
        return function, (target, *rest)  # type: ignore[return-value]  # no star
    target, name = _invoked(s)
    cls = target.type.cls if isinstance(target, Var) and isinstance(target.type, Record) else None
    method = None if cls is None else inspect.getattr_static(cls, name, None)
    return (Const(method), (target, *s.args[2:])) if isinstance(method, types.FunctionType) else (s.fn, s.args)


def through(around: Const, s: Call) -> Iterator[Statement]:
    """A call as one of `around`, which is given the function first; those that only the IR has as they are.

    The object afterwards is no result of it: that is the object itself, as `changed_by` tells.
    """
    target, name = _invoked(s)
    fn, args = callee_of(s)
    if target is not None:
        method = Var(name)
        yield Call((method,), around, (Const(builtins.getattr), target, Const(name)), (), s.span)
        yield Call(results_of(s), around, (method, *s.args[2:]), s.kwargs, s.span)
    elif isinstance(s.fn, Const) and s.fn.value is apply and isinstance(s.args[1], Const):
        f, _, names, *values = s.args
        with_function = Const((False, *s.args[1].value))
        yield Call(s.outs, s.fn, (around, with_function, names, f, *values), s.kwargs, s.span)
    elif fn is s.fn and is_of_the_ir(s):
        yield s
    else:
        yield Call(results_of(s), around, (fn, *args), s.kwargs, s.span)


def changed_by(s: Call) -> tuple[Var, Any] | None:
    """The name that a call gives to the object afterwards, which it may have changed, and the object.

    >>> changed_by(Call((Var("y"), Var("rows")), Const(call_method), (Var("rows"), Const("pop"))))
    (%rows, %rows)
    """
    meant = _invoked(s)[0] is not None or callee_of(s)[0] is not s.fn
    return (s.outs[1], s.args[0]) if meant and len(s.outs) == 2 and _is_changing(s) else None


def results_of(s: Call) -> tuple[Var, ...]:
    """The result of a call, without the object afterwards.

    >>> results_of(Call((Var("y"), Var("rows")), Const(call_method), (Var("rows"), Const("pop"))))
    (%y,)
    """
    return s.outs[:1] if _is_changing(s) else s.outs


def _is_changing(s: Call) -> bool:
    return isinstance(s.fn, Const) and s.fn.value in CHANGING


def _invoked(s: Call) -> tuple[Any, str]:
    """The object and the name of the method that a call is of; None of another one."""
    if isinstance(s.fn, Const) and s.fn.value in (invoke, call_method) and not isinstance(s.args[0], Star):
        target, name = s.args[:2]
        if isinstance(name, Const) and name.value not in FUNCTIONS:  # those are no methods
            return target, name.value
    return None, ""


def is_written_out(program: Function, function: Any) -> bool:
    """True if statements of a program for types are of a function that is written out where it is called."""
    code = getattr(function, "__code__", None)
    if not isinstance(code, types.CodeType):
        return False
    lines = {line for _, _, line in code.co_lines()}
    spans = [s.span for s in statements_in(program.body) if s.span is not None]
    return any([span.line in lines for span in spans if span.calls()])


def as_called(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, tuple[Any, ...], dict[str, Any]]:
    """The function that runs, and its arguments: of a method that is called by its name, the method; of a call with
    stars, what these take.

    >>> as_called(invoke, ("a", "join", ["b"]), {})[1:], as_called(apply, (max, (True,), (), [1, 2]), {})[1:]
    (((['b'],), {}), ((1, 2), {}))
    """
    if _calls_a_method(fn, args):
        return getattr(args[0], args[1]), args[2:], kwargs
    if fn is call_with:
        return args[1], (args[0], *args[2:]), kwargs
    if fn is apply and not kwargs:
        given, named = spread(args[1], args[2], args[3:])
        return args[0], tuple(given), named
    return fn, args, kwargs


def given_by(fn: Any, args: tuple[Any, ...], y: Any) -> Any:
    """The value of a call of which `as_called` gives the function that ran, and which gave `y`.

    >>> given_by(call_method, ([1.0], "pop"), 1.0), given_by(invoke, ("a", "upper"), "A")
    ((1.0, [1.0]), 'A')
    """
    return (y, args[0]) if fn is call_with or fn is call_method and _calls_a_method(fn, args) else y


def _calls_a_method(fn: Any, args: tuple[Any, ...]) -> bool:
    return fn is invoke or fn is call_method and args[1] not in FUNCTIONS
