"""Calls by keyword, of methods, of objects and of partial functions, and calls that leave arguments off: for the ways
that take a function and one argument for each parameter."""

from __future__ import annotations

import collections
from collections.abc import Callable
from functools import partial
from types import FunctionType, MethodType
from typing import Any

from ..classify import call_of, kind_of
from ..rules.found_by import BY_CLASS, OF_OBJECTS
from ..rules.registry import has_rules
from ..runtime.binding import Layout, by_values, gather, gathered, lay_out, layout_of
from ..runtime.tables import MAX_LAYOUTS, TABLES, Needs, Table
from ..tangents import tangent

Args = tuple[Any, ...]
Given = tuple[Any, Any, Args]
"""Value, pullback or cotangents, and what function and arguments looked like before."""
_PLAIN = frozenset([bool, int, float, complex, str, bytes, type(None)])


def is_in_order(f: Any, args: Args) -> bool:
    """Tell whether the arguments of a call are one for each parameter of a function of which something is known."""
    table = TABLES.get(id(f.__code__)) if type(f) is FunctionType else None
    return table is not None and table.simple and len(args) == table.n


def with_receiver(f: Any, args: Args, kwargs: dict[str, Any]) -> tuple[Any, Args, dict[str, Any]]:
    """The function that runs where a method, an object or a partial function is called, with what that holds as its
    first arguments, and by name; any other call as it is."""
    cls = type(f)
    if cls is FunctionType:
        return f, args, kwargs
    if cls in OF_OBJECTS and has_rules(f):
        return f, args, kwargs
    if cls is partial:
        return f.func, (*f.args, *args), {**f.keywords, **kwargs} if f.keywords else kwargs
    function, own = None, f
    if cls is MethodType:
        function, own = f.__func__, f.__self__
    elif kind_of(f) == "object" and f.__class__ is cls and cls not in BY_CLASS:  # no proxy
        function = call_of(cls)
    written = type(function) is FunctionType and function.__globals__ is not vars(collections)  # by `namedtuple`
    return (function, (own, *args), kwargs) if written else (f, args, kwargs)


def opened(f: Any, args: Args, kwargs: dict[str, Any]) -> tuple[Any, Args, dict[str, Any]]:
    """`with_receiver`, again and again: of a partial function of a method, and the like."""
    while type(f) is not FunctionType:
        function, args, kwargs = with_receiver(f, args, kwargs)
        if function is f:
            break
        f = function
    return f, args, kwargs


def laid_out(f: Any, args: Args, kwargs: dict[str, Any]) -> tuple[Layout | None, Args] | None:
    """The layout of a call (None: as it stands), and one argument for each parameter. None of a call that does not
    fit, of a function that is not known yet, or where a default is used that can change: others may have it."""
    if not kwargs and is_in_order(f, args):
        return None, args
    table = TABLES.get(id(f.__code__)) if type(f) is FunctionType else None
    layout = None if table is None else _layout_in(table, f, len(args), tuple(kwargs))
    if layout is None:
        return None
    flat = lay_out(layout, f, (*args, *kwargs.values()))
    defaults = [x for place, x in zip(layout.places, flat, strict=True) if isinstance(place, str)]
    return (layout, flat) if all(map(_is_constant, defaults)) else None


def _layout_in(table: Table, f: FunctionType, n: int, names: tuple[str, ...]) -> Layout | None:
    """The layout of a call with so many arguments by position, and with these names."""
    layout: Layout | None = table.forms.get((n, *names))
    if layout is not None and layout.holds(f):
        return layout
    layout = layout_of(f, table.signature, n, names)
    if layout is not None and len(table.forms) < MAX_LAYOUTS:
        table.forms[n, *names] = layout
    return layout


def _is_constant(x: Any) -> bool:
    return all(map(_is_constant, x)) if type(x) is tuple else type(x) in _PLAIN


def by_parameters(
    way: Callable[..., Any], f: Any, needs: Needs, args: Args, kwargs: dict[str, Any], *rest: Any
) -> Given | None:
    """`way(f, needs, flat, *rest)` of a call: `(y, back)`, or `(y, cotangents)`, and what function and arguments looked
    like before. None where it gives that."""
    if type(f) is FunctionType and not kwargs and is_in_order(f, args):
        return way(f, needs, args, *rest)  # type: ignore[no-any-return]
    return by_receiver(lambda *call: by_layout(way, *call, *rest), f, needs, args, kwargs)


def by_layout(
    way: Callable[..., Any], f: Any, needs: Needs, args: Args, kwargs: dict[str, Any], *rest: Any
) -> Given | None:
    """The same of a call of a function."""
    found = laid_out(f, args, kwargs)
    if found is None:
        return None
    layout, flat = found
    if layout is None:
        return way(f, needs, flat, *rest)  # type: ignore[no-any-return]
    if (given := way(f, layout.needs(needs), flat, *rest)) is None:
        return None
    y, back, before = given
    bars = gathered(layout, f, back) if callable(back) else gather(layout, f, back)
    return y, bars, (before[0], *by_values(layout, before[1:])[0])


def by_receiver(
    way: Callable[[Any, Needs, Args, dict[str, Any]], Given | None],
    f: Any,
    needs: Needs,
    args: Args,
    kwargs: dict[str, Any],
) -> Given | None:
    """The same of a way that takes a function and what a method, an object or a partial function gives it besides."""
    function, values, named = with_receiver(f, args, kwargs)
    if function is f:
        return way(f, needs, args, kwargs)
    held = None
    if needs is not None:
        given = dict(zip(kwargs, needs[1 + len(args) :], strict=True))
        own = (needs[0],) * (len(values) - len(args))
        by_name = [given.get(name, needs[0]) for name in named]
        held = (needs[0] and type(f) is partial, *own, *needs[1 : 1 + len(args)], *by_name)
    found = by_receiver(way, function, held, values, named)
    return None if found is None else _of_receiver(f, len(values) - len(args), tuple(named), tuple(kwargs), *found)


def _of_receiver(
    f: Any, n: int, named: tuple[str, ...], names: tuple[str, ...], y: Any, back: Any, before: Args
) -> Given:
    """`(y, back)` of what gives a function its first `n` arguments and some of the `named` ones, by that of the
    function. The others by name are `names`."""
    cls = type(f)

    def own(function_bar: Any, bars: Args, by_name: dict[str, Any]) -> Any:
        if cls is partial:
            return tangent(f, ("func", "args", "keywords"), function_bar, bars, by_name)
        return bars[0] if cls is not MethodType or bars[0] is None else tangent(f, ("__self__",), bars[0])

    def moved(bars: Args) -> Args:
        last = len(bars) - len(named)
        by_name = dict(zip(named, bars[last:], strict=True))
        given = [by_name.pop(name) for name in names]
        return (own(bars[0], bars[1 : 1 + n], by_name), *bars[1 + n : last], *given)

    bars = (lambda y_bar: moved(back(y_bar))) if callable(back) else moved(back)
    last = len(before) - len(named)
    by_name = dict(zip(named, before[last:], strict=True))
    held = f if cls is MethodType or cls is partial else before[1]
    return y, bars, (held, *before[1 + n : last], *[by_name[name] for name in names])
