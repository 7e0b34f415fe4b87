"""Looking at what is made: the IR, the generated source, the caches."""

from __future__ import annotations

import functools
import inspect
import linecache
import types
from collections.abc import Callable
from typing import Any, NamedTuple

from .codegen import beside, emit
from .codegen.load import forget_texts
from .errors import SourceUnavailableError, calling_place
from .ir.printer import format_function
from .runtime import tables
from .runtime.binding import bind
from .runtime.spec import LOCK, Spec, lowered


class CacheInfo(NamedTuple):
    """Codes that have rules; rules that exist, and the lines of their source; rules generated since the start."""

    codes: int
    rules: int
    lines: int
    generated: int


def _spec(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Spec:
    """The generated rule of `f` for these arguments, made if need be."""
    function, args, kwargs = _function(f, args, kwargs)
    table = tables.table_of(function)
    flat, _ = bind(function, table.signature, args, kwargs)
    return tables.find_spec(function, table, flat)


def _function(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[types.FunctionType, tuple[Any, ...], dict[str, Any]]:
    """The function behind a callable, and what it is called with."""
    while not isinstance(f, types.FunctionType):
        if isinstance(f, types.MethodType):
            f, args = f.__func__, (f.__self__, *args)
        elif isinstance(f, functools.partial):
            f, args, kwargs = f.func, (*f.args, *args), {**f.keywords, **kwargs}
        elif isinstance(f, functools._lru_cache_wrapper):
            f = f.__wrapped__
        elif isinstance(call := inspect.getattr_static(type(f), "__call__", None), types.FunctionType):
            f, args = call, (f, *args)
        else:
            raise SourceUnavailableError(
                f"there is no source of `{getattr(f, '__qualname__', f)}` to show",
                "it is not a function that is written in Python",
                "show the function that calls it",
                calling_place(),
            )
    return f, args, kwargs


def code_ir(f: Callable[..., Any], *args: Any, **kwargs: Any) -> str:
    """The IR of `f` before anything is known of types, as text; arguments are not needed.

    Examples
    --------
    >>> def foo(x): return x * x + 1
    >>> print(code_ir(foo))
    1: (%1, %2)
      %3 = mul(%2, %2)
      %4 = add(%3, 1)
      return %4
    """
    return format_function(lowered(_function(f, args, kwargs)[0]))


def code_primal(f: Callable[..., Any], *args: Any, **kwargs: Any) -> str:
    """The IR of `f` for the types of these arguments, from which its derivative is made; `f` is not run.

    Examples
    --------
    >>> def foo(x): return x * x
    >>> print(code_primal(foo, 1.0))
    1: (%1, %2)
      %3 = mul(%2, %2)
      return %3
    """
    spec = _spec(f, args, kwargs)
    assert spec.primal is not None
    return format_function(spec.primal)


def code_adjoint(f: Callable[..., Any], *args: Any, **kwargs: Any) -> str:
    """The generated source of `(y, back)` for the types of these arguments; `f` is not run.

    Beside the lines stand, as comments, the user's lines that they were made of, where they are not the same.

    Examples
    --------
    >>> def foo(x, y): return x * y
    >>> print(code_adjoint(foo, 1.0, 2.0))
    def foo_rrule(x, y):
        def foo_pullback(y_bar):
            ...
        return x * y, foo_pullback
    """
    spec = _spec(f, args, kwargs)
    assert spec.ir is not None
    filename = spec.ir.filename
    emitted = emit(spec.printed, drop_self=not spec.takes_self)
    return beside(emitted, lambda line: _without_comment(linecache.getline(filename, line)))


def _without_comment(line: str) -> str:
    """A line of the user's, or of a cell of a notebook, without what is only said."""
    return line if '"' in line or "'" in line else line.partition("#")[0]


def cache_info() -> CacheInfo:
    """How many functions have generated rules, how many rules and lines there are, and how many were ever generated.

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
    """Forget all generated rules.

    Examples
    --------
    >>> cache_clear()
    >>> cache_info().rules
    0
    """
    with LOCK:
        tables.TABLES.clear()
        forget_texts()
