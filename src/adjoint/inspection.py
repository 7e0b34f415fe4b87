"""Looking at what is made: the IR, the generated source, the caches."""

from __future__ import annotations

import linecache
import sys
import types
from collections.abc import Callable
from typing import Any, NamedTuple

from .classify import kind_of
from .codegen import beside, emit
from .codegen.load import forget_texts
from .derivatives.choice import REFUSALS, forget, is_to_be_recorded, keeps_structure
from .derivatives.sharing import sharing_program
from .derivatives.writing import writing_program
from .errors import MutationError
from .options import NO, options_of
from .runtime import tables
from .runtime.binding import bind
from .runtime.called import are_types, function_of_call, refuse_types
from .runtime.frules import push_of
from .runtime.spec import LOCK, Spec, lowered
from .spelling import said


class Code(str):
    """The text of a program, which a notebook shows as it is."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        from .markup import code

        return code(str(self))


class CacheInfo(NamedTuple):
    """Codes that have rules; rules that exist, and the lines of their source; rules generated since the start.

    Attributes
    ----------
    codes : the number of functions that have generated rules.
    rules : the number of these rules.
    lines : the lines of their source.
    generated : the number of rules generated since the start, with those that are forgotten.

    Examples
    --------
    >>> cache_clear()
    >>> cache_info()._replace(generated=0)
    CacheInfo(codes=0, rules=0, lines=0, generated=0)
    """

    codes: int
    rules: int
    lines: int
    generated: int


def spec_of_call(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any], as_run: bool = False
) -> Spec | str:
    """The generated rule of a function for these arguments, made if need be; or why it is recorded instead.

    It takes nothing for granted; with `as_run` it may, as the next run does, what runs before have shown.
    """
    try:
        table = tables.table_of(function)
        flat, _ = bind(function, table.signature, args, kwargs)
        if not is_to_be_recorded(function, args) and (table.writes or _is_refused(function, table, flat)):
            spec = writing_program(function, flat) or sharing_program(function, flat)
            if spec is not None:
                return spec
        spec = tables.find_now(function, table, flat, None) if as_run else tables.find_spec(function, table, flat)
    except REFUSALS as error:
        return error.what
    if not keeps_structure(function, spec):
        return (
            "each round of a loop would copy what it stores into" if spec.copies else "a call is known only as it runs"
        )
    return "it cannot be, as was found when it ran" if is_to_be_recorded(function, args) else spec


def _shown_spec(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[types.FunctionType, Spec | str]:
    """The function that is meant by a callable, and its rule for these arguments, or for types in place of them."""
    function, own_args, own_kwargs = function_of_call(f, args, kwargs)
    if are_types(args, kwargs):
        return function, _spec_of_types(function, own_args, own_kwargs)
    return function, spec_of_call(function, own_args, own_kwargs)


def _spec_of_types(
    function: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any], own: bool = True
) -> Spec | str:
    """The rule for types, or why there is none."""
    from .reflection.making import spec_of_types

    try:
        return spec_of_types(function, args, kwargs, own)
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


def _no_ir(function: types.FunctionType, why: str) -> str:
    return f"{_recorded(function, why)}# It has no IR: `code_adjoint` shows the two programs that are made for it.\n"


def code_ir(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> str:
    """The IR of `f` before anything is known of types, as text; arguments are not needed.

    A function with statements that are only recorded has none, and a comment says so.

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

    function, _, _ = function_of_call(f, args, kwargs)
    try:
        return Code(str(Program(lowered(function), function)))
    except REFUSALS as error:
        return _no_ir(function, error.what)


def code_primal(f: Callable[..., Any], /, *args: Any, **kwargs: Any) -> str:
    """The IR of `f` for the types of these arguments, from which its derivative is made; `f` is not run.

    A function that is recorded has none, and a comment says so.

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

    function, spec = _shown_spec(f, args, kwargs)
    if isinstance(spec, str):
        return _no_ir(function, spec)
    assert spec.primal is not None
    return Code(str(as_data(Program(spec.primal, function))))


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


def code_adjoint(f: Callable[..., Any], /, *args: Any, compile: bool = NO, **kwargs: Any) -> str:
    """The generated source of `(y, back)` for the types of these arguments; `f` is not run.

    With `compile`, the program that `value_and_grad(f, compile=True)` compiles, by all arguments that are floats or
    arrays of them. It consists of loops over numbers, which add the gradients by arrays to the arrays `dx` that they
    are given. It returns a status, the value and the gradients by numbers. A status other than 0 says from where the
    program has left.

    Beside the lines stand, as comments, the user's lines that they were made of, where they are not the same.

    For `grad(f)`, the source of the calling program, and of what this calls.

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
        from .recording.printing import shown
        from .recording.program import program_of as recording_of

        return Code(_recorded(function, spec) + shown(recording_of(function)))
    text = _text(spec)
    if kind_of(f) != "gradient":
        return Code(text)
    called = [_text(s) for s in spec.uses if f"{s.ir.name}(" in text]  # type: ignore[union-attr]
    return Code("\n\n".join([text, *called]))


def _text(spec: Spec) -> str:
    """The source of a rule, with the user's lines beside it; of a program that was data, which may have been changed
    since these were written, without them."""
    assert spec.ir is not None
    filename = spec.ir.filename
    emitted = emit(spec.printed, drop_self=not spec.takes_self)
    if spec.code.co_filename.startswith("<adjoint ir "):
        return emitted.text
    return beside(emitted, lambda line: _without_comment(linecache.getline(filename, line)))


def _without_comment(line: str) -> str:
    """A line of the user's, or of a cell of a notebook, without what is only said."""
    return line if '"' in line or "'" in line else line.partition("#")[0]


def cache_info() -> CacheInfo:
    """Count functions with generated rules, these rules and their lines, and all rules ever generated.

    Returns
    -------
    A `CacheInfo`, a named tuple of numbers.

    Examples
    --------
    >>> from adjoint import gradient
    >>> before = cache_info().generated
    >>> for _ in range(10): _ = gradient(lambda x: x * x, 3.0)
    >>> cache_info().generated - before
    1
    """
    with LOCK:
        entries = [e for table in tables.TABLES.values() for known in table.entries.values() for e in known]
        lines = sum(len(spec.text.splitlines()) for _, spec in entries)
        return CacheInfo(len(tables.TABLES), len(entries), lines, tables.STATISTICS["generated"])


def cache_clear() -> None:
    """Forget all generated rules, and the programs of what was recorded.

    Examples
    --------
    >>> cache_clear()
    >>> cache_info().rules
    0
    """
    with LOCK:
        tables.TABLES.clear()
        forget_texts()
    forget()
    if (recording := sys.modules.get(f"{__package__}.recording.program")) is not None:
        recording.forget()
