"""The generated Python of derivatives."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from ..classify import kind_of
from ..codegen.text import Code
from ..depth import with_room
from ..options import NO, options_of
from ..runtime import tables
from ..runtime.binding import bind
from ..runtime.called import are_types, function_of_call, refuse_types
from ..runtime.frules import push_of
from ..runtime.spec import Spec
from ..shown import text_of
from ..spelling import said
from .gradients import text_of_gradient_call
from .recorded import comment, text_recorded
from .specs import may_be_given_up, shown_spec, spec_or_reason


@with_room
def code_pushforward(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> str:
    """The generated source of `(y, ẏ)` for the types of these arguments, all of which move.

    Of a function that has no such program a comment says why: its pullback is transposed. `f` is not run, unless only a
    run can tell that it is recorded: see `code_adjoint`.

    Parameters
    ----------
    f : the function.
    args, kwargs : arguments, whose types count; or types in place of all of them, as in `adjoint.ir.of`.

    Returns
    -------
    Python source, as text.

    Raises
    ------
    SourceUnavailableError
        If there is no source of `f`.
    UnsupportedSyntaxError
        If a statement is one that is refused.

    Examples
    --------
    >>> def foo(x, y): return x * y
    >>> print(code_pushforward(foo, 1.0, 2.0))
    def foo_frule(x, y, x_dot, y_dot):
        return x * y, x_dot * y + y_dot * x
    """
    typed = are_types(args, kwargs)
    function, spec = shown_spec(f, args, kwargs)
    if isinstance(spec, str):
        return comment(function, spec)
    _, args, kwargs = function_of_call(f, args, kwargs)
    table = tables.table_of(function)
    if typed:
        moved = spec_or_reason(function, args, kwargs, own=False)
        return comment(function, moved) if isinstance(moved, str) else _pushforward(function, moved)
    flat, _ = bind(function, table.signature, args, kwargs)
    moving = (False, *(True,) * len(flat))
    if (memory := table.shares) is not None:
        spec = tables.find_sharing(function, table, flat, moving, memory)
    else:
        find = tables.find_writing if spec.writes else tables.find_spec
        spec = find(function, table, flat, moving)
    return _pushforward(function, spec, table.shares is not None)


def _pushforward(function: types.FunctionType, spec: Spec, by_rows: bool = False) -> str:
    """The program along tangents that a rule has, or why there is none."""
    if push_of(spec) is None:
        name = f"`{function.__name__}`"
        way = f"The Jacobian of {name} is taken by rows" if by_rows else f"The pullback of {name} is transposed"
        return f"# {said(f'{way}: it has {spec.unable}.')}\n"
    return Code(spec.push_text)


@with_room
def code_adjoint(f: Callable[..., Any], /, *args: Any, compile: bool = NO, **kwargs: Any) -> str:
    """The generated source of `(y, back)` for the types of these arguments.

    `f` is not run, unless only a run can tell whether it is recorded, as of a handler that looks into its exception.
    Such a run does no more than compute, and the reason names the call. For types alone nothing is run.

    Beside the lines stand, as comments, the user's lines that they were made of, where they are not the same. Of a
    gradient, of a function that is recorded, and with `compile`, it is what runs in their case: the page "Look inside a
    derivative" tells of each form.

    Parameters
    ----------
    f : the function.
    args, kwargs : arguments, whose types count; or types in place of all of them, as in `adjoint.ir.of`.
    compile : True for the program that `value_and_grad(f, compile=True)` compiles.

    Returns
    -------
    Python source, as text.

    Raises
    ------
    SourceUnavailableError
        If there is no source of `f`.
    UnsupportedSyntaxError
        If a statement is one that is refused.

    Examples
    --------
    >>> def foo(x, y): return x * y
    >>> print(code_adjoint(foo, 1.0, 2.0))
    def foo_rrule(x, y):
        def foo_pullback(y_bar):
            ...
        return x * y, foo_pullback
    >>> from adjoint import grad
    >>> print(code_adjoint(grad(foo), 1.0, 2.0))
    # The gradient, which the call runs:
    def foo_gradient(x, y):
        t1 = x * y  # def foo(x, y): return x * y
        y_bar = scalar_seed(t1, 'foo')
        x_bar = y_bar * y
        return t1, (None, x_bar, None)
    <BLANKLINE>
    <BLANKLINE>
    # The derivative of this gradient:
    ...
    >>> from collections import UserList
    >>> def put(row, y): row[0] = y
    >>> print(code_adjoint(put, UserList([1.0]), 2.0).rstrip())
    # `put` is recorded as it runs, and not reversed in its structure: ...
    def put_forward(record, /, row, y):
        set_item(record, 1, row, 0, y)...
    <BLANKLINE>
    <BLANKLINE>
    def put_reverse(steps, sweep, return_bar):
        row_bar = y_bar = None
        for k, back in reversed(steps):
            y_bar = add(y_bar, back(sweep, None)[1])...
        return (row_bar, y_bar)
    """
    if compile is not NO and options_of("code_adjoint", f, compile=compile)[0]:
        return Code(_compiled(f, args, kwargs))
    function, spec = shown_spec(f, args, kwargs)
    note = _GIVEN_UP if are_types(args, kwargs) and not isinstance(spec, str) and may_be_given_up(spec) else ""
    if kind_of(f) == "gradient":
        return Code(note + text_of_gradient_call(f, spec, args, kwargs))
    return Code(note + (text_recorded(function, spec) if isinstance(spec, str) else text_of(spec)))


_GIVEN_UP = (
    "# A run is given up where a handler looks into an exception that may carry what is differentiated: such a call\n"
    "# is recorded. Give arguments in place of types to see what runs.\n"
)


def _compiled(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """The program that is compiled, by all arguments that are floats or arrays of them."""
    from ..compiled.entry import source_of

    refuse_types(args, kwargs, "what is compiled depends on the arguments themselves")
    return source_of(f, args, kwargs)
