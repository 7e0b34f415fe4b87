"""Looking at what is made: the IR, the generated source, the caches."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, NamedTuple

from .ir.printer import format_function
from .runtime import dispatch
from .runtime.spec import LOCK, Spec, lowered


class CacheInfo(NamedTuple):
    """Codes that have rules, rules that exist, and rules generated since the start."""

    codes: int
    rules: int
    generated: int


def _spec(f: Callable[..., Any], args: tuple[Any, ...]) -> Spec:
    from .runtime.dispatch import call_pullback

    function, all_args = _function(f, args)
    call_pullback(function, *all_args)
    table = dispatch.table_of(function)
    key = (None, *map(type, all_args))
    for guard, _, spec in table.entries.get(key, ()):
        if guard(function, *all_args):
            return spec
    raise LookupError(f"no rule was generated for {f!r}")


def _function(f: Any, args: tuple[Any, ...]) -> tuple[types.FunctionType, tuple[Any, ...]]:
    if isinstance(f, types.MethodType):
        return f.__func__, (f.__self__, *args)  # type: ignore[return-value]
    if not isinstance(f, types.FunctionType) and isinstance(getattr(type(f), "__call__", None), types.FunctionType):
        return type(f).__call__, (f, *args)
    return f, args


def code_ir(f: Callable[..., Any], *args: Any) -> str:
    """The IR of `f` before anything is known of types, as text; `f` is not run.

    Examples
    --------
    >>> def foo(x): return x * x + 1
    >>> print(code_ir(foo))
    1: (%1, %2)
      %3 = mul(%2, %2)
      %4 = add(%3, 1)
      return %4
    """
    return format_function(lowered(_function(f, args)[0]))


def code_primal(f: Callable[..., Any], *args: Any) -> str:
    """The IR of `f` for the types of these arguments, from which its derivative is made; runs `f` once.

    Examples
    --------
    >>> def foo(x): return x * x
    >>> print(code_primal(foo, 1.0))
    1: (%1, %2)
      %3 = mul(%2, %2)
      return %3
    """
    spec = _spec(f, args)
    assert spec.primal is not None
    return format_function(spec.primal)


def code_adjoint(f: Callable[..., Any], *args: Any) -> str:
    """The generated source of `(y, back)` for the types of these arguments; runs `f` once.

    Examples
    --------
    >>> def foo(x, y): return x * y
    >>> print(code_adjoint(foo, 1.0, 2.0))
    def foo_rrule(x, y):
        t = x * y
        def foo_pullback(y_bar):
            return None, y_bar * y, y_bar * x
        return t, foo_pullback
    """
    return _spec(f, args).text


def cache_info() -> CacheInfo:
    """How many codes have generated rules, how many rules there are, and how many were ever generated.

    Examples
    --------
    >>> cache_info().codes >= 0
    True
    """
    with LOCK:
        rules = sum(len(entries) for table in dispatch.TABLES.values() for entries in table.entries.values())
        return CacheInfo(len(dispatch.TABLES), rules, dispatch.STATISTICS["generated"])


def cache_clear() -> None:
    """Forget all generated rules.

    Examples
    --------
    >>> cache_clear()
    >>> cache_info().rules
    0
    """
    with LOCK:
        dispatch.TABLES.clear()
