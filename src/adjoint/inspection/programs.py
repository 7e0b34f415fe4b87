"""The IR of a function as text."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from typing import Any

from ..codegen.text import Code
from ..depth import with_room
from ..derivatives.choice import REFUSALS
from ..ir.nodes import Function
from ..runtime.called import function_of_call
from ..runtime.forms import lowered_generator
from ..runtime.spec import lowered
from .recorded import no_ir
from .specs import shown_spec


@with_room
def code_ir(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> str:
    """The IR of `f` before anything is known of types, as text; arguments are not needed.

    In a generator function each `yield` is a call of `yield_`. A function with statements that are only recorded has no
    IR, and a comment says so. The page "The printed form of
    programs" tells how to read it.

    Parameters
    ----------
    f : the function.
    args, kwargs : arguments, which are not needed for a plain function.

    Returns
    -------
    The program, as text.

    Raises
    ------
    SourceUnavailableError
        If there is no source of `f`.
    UnsupportedSyntaxError
        If a statement is one that is refused.

    Examples
    --------
    >>> def foo(x): return x * x + 1
    >>> print(code_ir(foo))
    1: (%1, %2)
      %3 = mul(%2, %2)
      %4 = add(%3, 1)
      return %4
    """
    from ..reflection.program import Program
    from ..reflection.resolving import handed

    function, _, _ = function_of_call(f, args, kwargs)
    try:
        return Code(str(handed(Program(_read(function), function))))
    except REFUSALS as error:
        return no_ir(function, error.what)


def _read(function: types.FunctionType) -> Function:
    """The program of a function as it was read."""
    if function.__code__.co_flags & inspect.CO_GENERATOR:
        return lowered_generator(function, leaves=False, within=0, manages=True)
    return lowered(function)


def _is_read(function: types.FunctionType) -> bool:
    """True for a function that the IR has a form for."""
    try:
        _read(function)
    except REFUSALS:
        return False
    return True


@with_room
def code_primal(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> str:
    """The IR of `f` for the types of these arguments, from which its derivative is made.

    `f` is not run, unless only a run can tell that it is recorded: see `code_adjoint`.
    Of a function that stores into what others can see, it is the program for these very arguments, and for no other
    arguments of their types. A function that is recorded has none, and a comment says so. The page "The printed form of
    programs" tells how to read it.

    Parameters
    ----------
    f : the function.
    args, kwargs : arguments, whose types count; or types in place of all of them, as in `adjoint.ir.of`.

    Returns
    -------
    The program, as text.

    Raises
    ------
    MutationError
        If types are given, and `f` stores into what others can see: what runs then is told by arguments.
    SourceUnavailableError
        If there is no source of `f`.
    UnsupportedSyntaxError
        If a statement is one that is refused.

    Examples
    --------
    >>> def foo(x): return x * x
    >>> print(code_primal(foo, 1.0))
    1: (%1, %2)
      %3 = mul(%2, %2)
      return %3
    """
    from ..reflection.making import as_data
    from ..reflection.program import Program
    from ..reflection.resolving import handed

    function, spec = shown_spec(f, args, kwargs)
    if isinstance(spec, str):
        return no_ir(function, spec, _is_read(function))
    assert spec.primal is not None
    return Code(str(handed(as_data(Program(spec.primal, function, spec.types)))))
