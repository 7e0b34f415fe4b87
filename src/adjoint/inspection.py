"""Looking at what is made: the IR, and the generated source."""

from __future__ import annotations

import types
from collections.abc import Callable, Collection
from typing import Any

from .classify import kind_of
from .codegen.text import Code
from .depth import with_room
from .derivatives.choice import REFUSALS, is_to_be_recorded, keeps_structure
from .derivatives.sharing import sharing_program
from .derivatives.writing import writing_program
from .errors import MutationError
from .options import NO, options_of
from .runtime import tables
from .runtime.argnums import place_of
from .runtime.binding import bind
from .runtime.called import are_types, function_of_call, refuse_types
from .runtime.frules import push_of
from .runtime.spec import Spec, lowered
from .shown import names_explained, text_of, text_of_gradient, texts_called
from .spelling import said

_UNKNOWN_CALL = "a call is known only as it runs"


def spec_of_call(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any], as_run: bool = False
) -> Spec | str:
    """The generated rule of a function for these arguments, made if need be; or why it is recorded instead.

    It takes nothing for granted; with `as_run` it may, as the next run does, what runs before have shown.
    """
    try:
        table = tables.table_of(function)
        flat, _ = bind(function, table.signature, args, kwargs)
        if is_to_be_recorded(function, args):
            spec = None
        elif table.shares is not None:  # a run has found it
            spec = sharing_program(function, flat)
        elif table.writes or _is_refused(function, table, flat):
            spec = writing_program(function, flat) or sharing_program(function, flat)
        else:
            spec = None
        if spec is not None:
            return spec
        spec = tables.find_now(function, table, flat, None) if as_run else tables.find_spec(function, table, flat)
    except REFUSALS as error:
        return error.what
    if not keeps_structure(function, spec):
        return "each round of a loop would copy what it stores into" if spec.copies else _UNKNOWN_CALL
    return "it cannot be, as was found when it ran" if is_to_be_recorded(function, args) else spec


def _shown_spec(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[types.FunctionType, Spec | str]:
    """The function that is meant by a callable, and its rule for these arguments, or for types in place of them."""
    function, own_args, own_kwargs = function_of_call(f, args, kwargs)
    if are_types(args, kwargs):
        return function, _spec_of_types(function, own_args, own_kwargs)
    if kind_of(f) == "gradient":
        return function, _spec_of_gradient(function, own_args, own_kwargs)
    return function, spec_of_call(function, own_args, own_kwargs)


def _spec_of_gradient(function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Spec | str:
    """The rule for the call of a gradient, made for this one alone, or why there is none: others may be for any."""
    from .reflection.making import spec_of_types

    try:
        spec = spec_of_types(function, args, kwargs)
    except REFUSALS as error:
        return error.what
    return spec if keeps_structure(function, spec) else _UNKNOWN_CALL


def _spec_of_types(
    function: types.FunctionType,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    own: bool = True,
    places: Collection[int] | None = None,
) -> Spec | str:
    """The rule for types, or why there is none."""
    from .reflection.making import spec_of_types

    try:
        return spec_of_types(function, args, kwargs, own, places)
    except MutationError:
        raise  # what runs is told by arguments
    except REFUSALS as error:
        return error.what


def _is_refused(function: types.FunctionType, table: tables.Table, flat: tuple[Any, ...]) -> bool:
    """Tell whether a function stores into what others can see."""
    try:
        return not keeps_structure(function, tables.find_spec(function, table, flat))
    except MutationError:
        return True


def why_recorded(function: types.FunctionType, why: str) -> str:
    """The sentence that says so of a function."""
    return said(f"`{function.__name__}` is recorded as it runs, and not reversed in its structure: {why}")


def _recorded(function: types.FunctionType, why: str) -> str:
    return f"# {why_recorded(function, why)}\n"


def _text_recorded(function: types.FunctionType, why: str) -> str:
    from .recording.printing import shown
    from .recording.program import program_of as recording_of

    return _recorded(function, why) + shown(recording_of(function))


def _no_ir(function: types.FunctionType, why: str) -> str:
    return f"{_recorded(function, why)}# It has no IR: `code_adjoint` shows the two programs that are made for it.\n"


@with_room
def code_ir(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> str:
    """The IR of `f` before anything is known of types, as text; arguments are not needed.

    A function with statements that are only recorded has none, and a comment says so. The page "The printed form of
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

    Examples
    --------
    >>> def foo(x): return x * x + 1
    >>> print(code_ir(foo))
    1: (%1, %2)
      %3 = mul(%2, %2)
      %4 = add(%3, 1)
      return %4
    """
    from .reflection.program import Program
    from .reflection.resolving import handed

    function, _, _ = function_of_call(f, args, kwargs)
    try:
        return Code(str(handed(Program(lowered(function), function))))
    except REFUSALS as error:
        return _no_ir(function, error.what)


@with_room
def code_primal(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> str:
    """The IR of `f` for the types of these arguments, from which its derivative is made; `f` is not run.

    A function that is recorded has none, and a comment says so. The page "The printed form of programs" tells how to
    read it.

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
    from .reflection.making import as_data
    from .reflection.program import Program
    from .reflection.resolving import handed

    function, spec = _shown_spec(f, args, kwargs)
    if isinstance(spec, str):
        return _no_ir(function, spec)
    assert spec.primal is not None
    return Code(str(handed(as_data(Program(spec.primal, function, spec.types)))))


@with_room
def code_pushforward(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> str:
    """The generated source of `(y, ẏ)` for the types of these arguments, all of which move; `f` is not run.

    Of a function that has no such program a comment says why: its pullback is transposed.

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
    function, spec = _shown_spec(f, args, kwargs)
    if isinstance(spec, str):
        return _recorded(function, spec)
    _, args, kwargs = function_of_call(f, args, kwargs)
    table = tables.table_of(function)
    if typed:
        moved = _spec_of_types(function, args, kwargs, own=False)
        return _recorded(function, moved) if isinstance(moved, str) else _pushforward(function, moved)
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
    """The generated source of `(y, back)` for the types of these arguments; `f` is not run.

    With `compile`, the program that `value_and_grad(f, compile=True)` compiles, by all arguments that are floats or
    arrays of them. It consists of loops over numbers, which add the gradients by arrays to the arrays `dx` that they
    are given. It returns a status, the value and the gradients by numbers. A status other than 0 says from where the
    program has left.

    Beside the lines stand, as comments, the user's lines that they were made of, where they are not the same.

    For `grad(f)`, first the program that its call runs. For a function with plain parameters it returns the value and
    the gradient, `(y, (f̄, x̄))`; else it is that of `f` above, of which `back` is called with 1. Then the derivative of
    this gradient, which runs where `grad(f)` is differentiated itself. A comment heads each program, and the functions
    of the library that they call are explained below.

    Of a function that is recorded, its two programs: the forward one notes each operation, under a number, and the
    reverse one says for each number where the cotangents go. A comment says why it is recorded.

    Parameters
    ----------
    f : the function.
    args, kwargs : arguments, whose types count; or types in place of all of them, as in `adjoint.ir.of`.
    compile : as said above.

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
    >>> from collections import deque
    >>> def put(row, y): row[0] = y
    >>> print(code_adjoint(put, deque([1.0]), 2.0).rstrip())
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
        from .compiled.entry import source_of

        refuse_types(args, kwargs, "what is compiled depends on the arguments themselves")
        return Code(source_of(f, args, kwargs))
    function, spec = _shown_spec(f, args, kwargs)
    if isinstance(spec, str):
        return Code(_text_recorded(function, spec))
    return Code(text_of(spec) if kind_of(f) != "gradient" else _of_gradient(f, spec, args, kwargs))


def _of_gradient(g: Any, spec: Spec, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """The text of the program that a gradient runs, and of its derivative."""
    text = text_of(spec)
    called = texts_called(spec, text, "\n\n# The derivative of `{}`, which it calls:\n")
    whole = f"{_what_runs(g, args, kwargs)}\n\n# The derivative of this gradient:\n{text}{called}"
    return whole + names_explained(whole)


def _what_runs(g: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
    """The program that a gradient runs: one that gives it at once, or the rule of the function, called with 1."""
    f, wanted, _, _ = type(g).__adjoint_gradient__(g)
    function, spec = _shown_spec(f, args, kwargs)
    if isinstance(spec, str):
        return _text_recorded(function, spec)
    of_gradient = kind_of(f) == "gradient"
    table = tables.table_of(function)
    plain = of_gradient or function is f and table.simple and len(args) == table.n
    if not plain or kwargs or not wanted or spec.writes or table.shares is not None:
        return f"# The derivative of `{function.__name__}`, whose `back` the gradient calls with 1:\n{text_of(spec)}"
    numbers = (0.0,) * len(args)  # types may stand for arguments
    places = [place_of(f, which, numbers, {}) + of_gradient for which in wanted]
    _, flat, _ = function_of_call(f, args, kwargs)
    if are_types(args, kwargs):
        found = _spec_of_types(function, flat, {}, False, places)
        assert isinstance(found, Spec)  # with fewer cotangents, as with all
    else:
        needs = (False, *(i in places for i in range(len(flat))))
        found = tables.find_spec(function, table, flat, needs)
    text = text_of_gradient(found)
    called = texts_called(found, text, "\n\n# The derivative of `{}`, which it calls:\n") if of_gradient else ""
    return f"# The gradient, which the call runs:\n{text}{called}"
