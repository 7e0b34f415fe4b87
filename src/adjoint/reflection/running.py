"""Programs that run statement by statement, with a hook on each call."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from ..depth import room
from ..errors import AdjointError
from ..ir.interpret import apply as call_as_python
from ..ir.interpret import interpret
from ..ir.intrinsics import load_global
from ..ir.nodes import Call, Function, statements_within
from ..ir.printer import printed_statement
from ..origin import is_users
from .callees import as_called, given_by
from .checking import check_function, check_program
from .functions import bound
from .given_up import as_run
from .loading import loaded, settled, tests_of
from .making import of
from .program import Program


def run(
    program: Program, /, *args: Any, hook: Callable[..., Any] | None = None, nested: bool = False, **kwargs: Any
) -> Any:
    """Run a program statement by statement, as its meaning is defined: slowly.

    What a call raises comes out with a note of its statement and line; the hook does not see that call.

    Parameters
    ----------
    program : a program.
    args, kwargs : its arguments.
    hook : called after each call as ``hook(fn, args, kwargs, y)``.
    nested : run the programs of the user's functions and methods that it calls too, as far as they have one. The hook
        is called as ``hook(fn, args, kwargs, y, depth)``, with depth 0 for the calls of the program itself.

    Raises
    ------
    StructureError
        If the program is for certain types, and the arguments are of others.

    Examples
    --------
    >>> from adjoint import ir
    >>> def f(x): return x * x + 1
    >>> ir.run(ir.of(f), 3.0, hook=lambda fn, args, kwargs, y: print(fn.__name__, args, y))
    mul (3.0, 3.0) 9.0
    add (9.0, 1) 10.0
    10.0
    >>> def g(x): return f(x) * 2.0
    >>> tell = lambda fn, args, kwargs, y, depth: print("  " * depth + fn.__name__, y)
    >>> ir.run(ir.of(g, 3.0), 3.0, hook=tell, nested=True)
      mul 9.0
      add 10.0
    f 10.0
    mul 20.0
    20.0
    """
    check_program("run", program)
    if hook is not None:
        check_function("`hook` of `ir.run`", hook, "is called after each call of the program", "hook=print")
    with room():
        return _Run(hook, nested).program(program, args, kwargs, 0)


class _Run:
    def __init__(self, hook: Callable[..., Any] | None, nested: bool) -> None:
        self.hook = hook
        self.nested = nested

    def program(self, program: Program, args: tuple[Any, ...], kwargs: dict[str, Any], depth: int) -> Any:
        """Run one program, whose calls are at this depth."""
        own = loaded(program) if program.own is None else program.own
        flat, _ = bound(program, own, args, kwargs)
        typed = program.types is not None  # it may be a derivative
        for test, value in zip(tests_of(program), flat, strict=False):
            if test is not None:
                test(value)

        def apply(fn: Any, given: Any, named: dict[str, Any]) -> Any:
            if fn is load_global and given[0] is None:  # in what was made of the program, for this function
                given = (own, *given[1:])
            called, of_call, by_name = as_called(fn, tuple(given), named)
            y = self.call(as_run(called, typed), of_call, by_name, depth)
            if self.hook is not None:
                self.hook(called, of_call, by_name, y, *([depth] if self.nested else []))
            return given_by(fn, tuple(given), y)

        failures: list[tuple[Exception, Call]] = []

        def failed(error: Exception, s: Call) -> None:
            if not failures or failures[0][0] is not error:
                failures[:] = [(error, s)]

        running = settled(program)
        try:
            return interpret(running, own, *flat, apply=apply, failed=failed)
        except Exception as error:
            if failures and failures[0][0] is error:
                error.add_note(_where(program, running, failures[0][1]))
            raise
        finally:
            failures.clear()  # an error holds the frame that holds it

    def call(self, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any], depth: int) -> Any:
        """Make a call: as Python does, or by the program of what is called."""
        if self.nested and isinstance(fn, types.MethodType):
            fn, args = fn.__func__, (fn.__self__, *args)
        program = _program_of(fn) if self.nested else None
        if program is None:
            return call_as_python(fn, args, kwargs)
        return self.program(program, args, kwargs, depth + 1)


def _where(program: Program, running: Function, failing: Call) -> str:
    """A statement as the program prints it, and its line."""
    pairs = zip(statements_within(running.body), statements_within(program.function.body), strict=False)
    printed = next((s for made, s in pairs if made is failing), failing)
    text = printed_statement(program.function, printed)
    span = failing.span
    at = "" if span is None else f", {program.function.filename}:{(span.calls() or [span])[-1].line}"
    return f"in `{text}` of the program of `{program.name}`{at}"


def _program_of(fn: Any) -> Program | None:
    """The program of a function of the user's; None of what has none."""
    if not isinstance(fn, types.FunctionType) or not is_users(fn.__code__.co_filename):
        return None
    try:
        return of(fn)
    except AdjointError:
        return None
