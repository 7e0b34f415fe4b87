"""Calls by keyword, of methods and of objects, and calls that leave arguments off: for the ways that take a function
and one argument for each parameter."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any

from ..classify import classify
from ..runtime.binding import Layout, by_values, gather, gathered, lay_out, layout_of
from ..runtime.tables import TABLES, Needs
from ..tangents import tangent

Args = tuple[Any, ...]
_PLAIN = frozenset([bool, int, float, complex, str, bytes, type(None)])


def is_in_order(f: Any, args: Args) -> bool:
    """Tell whether the arguments of a call are one for each parameter of a function of which something is known."""
    table = TABLES.get(id(f.__code__)) if type(f) is FunctionType else None
    return table is not None and table.simple and len(args) == table.n


def with_receiver(f: Any, args: Args) -> tuple[Any, Args]:
    """The function that runs where a method or an object is called, with the object as its first argument; any other
    call as it is."""
    if type(f) is FunctionType:
        return f, args
    c = classify(f)
    of_an_object = c.kind in ("bound", "object") and len(c.args) == 1 and type(c.callee) is FunctionType
    return (c.callee, (*c.args, *args)) if of_an_object else (f, args)


def laid_out(f: Any, args: Args, kwargs: dict[str, Any]) -> tuple[Layout | None, Args] | None:
    """The layout of a call (None: as it stands), and one argument for each parameter. None of a call that does not
    fit, of a function that is not known yet, or where a default is used that can change: others may have it."""
    if not kwargs and is_in_order(f, args):
        return None, args
    table = TABLES.get(id(f.__code__)) if type(f) is FunctionType else None
    layout = None if table is None else layout_of(f, table.signature, len(args), tuple(kwargs))
    if layout is None:
        return None
    flat = lay_out(layout, f, (*args, *kwargs.values()))
    defaults = [x for place, x in zip(layout.places, flat, strict=True) if isinstance(place, str)]
    return (layout, flat) if all(map(_is_constant, defaults)) else None


def _is_constant(x: Any) -> bool:
    return all(map(_is_constant, x)) if type(x) is tuple else type(x) in _PLAIN


def by_parameters(
    way: Callable[..., Any], f: Any, needs: Needs, args: Args, kwargs: dict[str, Any], *rest: Any
) -> tuple[Any, Any, Args] | None:
    """`way(f, needs, flat, *rest)` of a call: `(y, back)`, or `(y, cotangents)`, and what function and arguments looked
    like before. None where it gives that."""
    function, values = with_receiver(f, args)
    if function is not f:
        of_receiver = None if needs is None else (False, *needs)
        of_function = by_parameters(way, function, of_receiver, values, kwargs, *rest)
        return None if of_function is None else _of_receiver(f, *of_function)
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


def _of_receiver(f: Any, y: Any, back: Any, before: Args) -> tuple[Any, Any, Args]:
    """`(y, back)` of a method or an object, by that of the function that takes the object first."""
    is_method = type(f) is MethodType

    def moved(bars: Args) -> Args:
        own = bars[1] if not is_method or bars[1] is None else tangent(f, ("__self__",), bars[1])
        return (own, *bars[2:])

    bars = (lambda y_bar: moved(back(y_bar))) if callable(back) else moved(back)
    return y, bars, (f if is_method else before[1], *before[2:])
