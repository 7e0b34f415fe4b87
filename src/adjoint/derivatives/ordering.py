"""Outermost calls as calls of a function with one argument for each parameter, by which their plans are found."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from ..rules.registry import has_rules
from ..runtime.argnums import name_of
from ..runtime.calls import make_program_of_call
from ..runtime.tables import TABLES, table_of
from ..runtime.targets import only_once
from .choice import REFUSALS
from .parameters import is_in_order, laid_out, opened
from .plans import ALL, TANGENT, planned, planned_along

Args = tuple[Any, ...]
ORDERED = object()
"""Marks the requests of calls whose arguments do not stand as the parameters do."""


class Ordered(NamedTuple):
    """A call as one of a function, with one argument for each parameter."""

    function: FunctionType
    values: Args
    wanted: Any
    """The request, by which plans are found."""
    places: tuple[int, ...]
    """The places of the arguments that it is by, among the values."""


@only_once
def ordered(f: Any, asked: Any, args: Args, kwargs: dict[str, Any]) -> Ordered | None:
    """The order of a call of which a gradient is asked: by an argument (its position or name), several, or `ALL` by
    position. None of one that is not known yet, or asks for what is no parameter of its own."""
    if asked is ALL and not kwargs and is_in_order(f, args):
        return Ordered(f, args, ALL, tuple(range(len(args))))
    function, values, named = opened(f, args, kwargs)
    if (found := laid_out(function, values, named)) is None:
        return None
    layout, flat = found
    n = len(values) - len(args)
    names = TABLES[id(function.__code__)].signature.names
    slots = range(len(flat)) if layout is None else layout.places
    places = []
    for which in range(len(args)) if asked is ALL else asked if type(asked) is tuple else (asked,):
        if type(which) is str and which in names:
            place = names.index(which)
        elif type(which) is int and 0 <= which < len(args):
            place = n + which
        else:
            return None
        slot = slots[place] if place < len(slots) else None
        if type(slot) is not int or slot != place and type(which) is int:  # left off, or packed with others
            return None
        if not n <= slot < len(values) and which not in kwargs:  # by what is called
            return None
        places.append(place)
    wanted = asked if function is f and layout is None else (ORDERED, type(asked) is int or type(asked) is str, *places)
    return Ordered(function, flat, wanted, tuple(places))


@only_once
def planned_gradient(f: Any, asked: Any, args: Args, kwargs: dict[str, Any]) -> Any:
    """Value and gradient of an outermost call by its plan; None where it has none."""
    if not kwargs and type(f) is FunctionType:
        given = planned(f, asked, args)
        if given is not None or is_in_order(f, args):
            return given
    call = ordered(f, asked, args, kwargs)
    return None if call is None or call.wanted is asked else planned(call.function, call.wanted, call.values)


class Line(NamedTuple):
    """A call as one of a function whose arguments all go by position, and their tangents: None for what stays."""

    function: FunctionType
    values: Args
    dots: Args
    places: tuple[int, ...]
    """The places of the arguments of the call among the values."""


@only_once
def in_line(f: Any, args: Args, dots: Args, kwargs: dict[str, Any]) -> Line | None:
    """The same call without a method, an object, a partial function, names and defaults. None where the call is one as
    it stands, or is not known yet. A function with stars, or parameters by name only, is the first argument of a
    program that calls it."""
    function, values, named = opened(f, args, kwargs)
    if (found := laid_out(function, values, named)) is None:
        return None
    layout, flat = found
    n = len(values) - len(args)
    if layout is None:
        if function is f:
            return None
        return Line(function, flat, ((None,) * n + dots), tuple(range(n, n + len(args))))
    if not TABLES[id(function.__code__)].simple:
        program = _program_for(function.__code__, len(values), tuple(named))
        flat, places = (function, *values, *named.values()), tuple(range(1 + n, 1 + len(values)))
        return Line(program, flat, ((None,) * (1 + n) + dots + (None,) * len(named)), places)
    at = {slot: place for place, slot in enumerate(layout.places) if type(slot) is int}
    places = tuple([at[n + i] for i in range(len(args))])
    moving = dict(zip(places, dots, strict=True))
    return Line(function, flat, tuple([moving.get(i) for i in range(len(flat))]), places)


@functools.lru_cache(maxsize=256)
def _program_for(code: CodeType, n: int, names: tuple[str, ...]) -> FunctionType:
    """The program that calls a function of such a code: one for each, which has its own plans."""
    program = make_program_of_call(n, names)
    program.__name__, program.__qualname__ = code.co_name, code.co_qualname
    return program


def by_line(
    way: Callable[[Any, Any, Args, dict[str, Any]], Any], f: Any, needs: Any, args: Args, kwargs: dict[str, Any]
) -> Any:
    """`(y, back)` or `(y, cotangents)` by `way(f, needs, args, kwargs)`, and what function and arguments looked like.

    A gradient is replaced by that of a function whose arguments all go by position. None where the way gives that."""
    line = None
    if hasattr(type(f), "__adjoint_gradient__") and needs is not None and not any((needs[0], *needs[1 + len(args) :])):
        line = _gradient_in_line(f, args, kwargs)
    if line is None:
        return way(f, needs, args, kwargs)
    slope, values, _, places = line
    asked = [needs[1 + i] for i in range(len(args))]
    flat = [False, *[False for _ in values]]
    for place, need in zip(places, asked, strict=True):
        flat[1 + place] = need
    if (found := way(slope, tuple(flat), values, {})) is None:
        return None
    y, back, before = found

    def moved(bars: Args) -> Args:
        return (None, *[bars[1 + i] for i in places], *(None,) * len(kwargs))

    bars = (lambda y_bar: moved(back(y_bar))) if callable(back) else moved(back)
    return y, bars, (f, *[before[1 + i] for i in places], *kwargs.values())


def _gradient_in_line(f: Any, args: Args, kwargs: dict[str, Any]) -> Line | None:
    """`in_line` of a call of a gradient, or of one of a gradient: the function is then a gradient as well."""
    inner, wanted, _, _ = type(f).__adjoint_gradient__(f)
    still = (None,) * len(args)
    of_gradient = hasattr(type(inner), "__adjoint_gradient__")
    if not of_gradient:
        function = opened(inner, args, kwargs)[0]
        if name_of(function) != name_of(inner):
            return None  # errors name what the user has called
        _know(function)
    line = _gradient_in_line(inner, args, kwargs) if of_gradient else in_line(inner, args, still, kwargs)
    if line is None or not all([type(which) is int and 0 <= which < len(args) for which in wanted]) or not wanted:
        return None
    return line._replace(function=f.of(line.function, tuple([line.places[which] for which in wanted])))


def _know(function: Any) -> None:
    """Read a function: how a call is laid out is asked of functions that have been read."""
    if type(function) is FunctionType and not has_rules(function):
        with contextlib.suppress(*REFUSALS):  # the call itself says that
            table_of(function)


def planned_in_line(f: Any, kind: Any, args: Any, dots: Any, kwargs: dict[str, Any]) -> tuple[Any, Line | None]:
    """The answer to an outermost call along tangents by its plan, None where it has none; and the call that was put in
    line for it."""
    if not kwargs and (given := planned_along(f, kind, args, dots)) is not None:
        return given, None
    if type(args) is not tuple or type(dots) is not tuple or len(args) != len(dots):
        return None, None
    line = in_line(f, args, dots, kwargs)
    return None if line is None else planned_along(line.function, kind, line.values, line.dots), line


@only_once
def planned_tangent(f: Any, args: Any, dots: Any, kwargs: dict[str, Any]) -> Any:
    """Value and tangent of an outermost call, by its plan; None where it has none."""
    return planned_in_line(f, TANGENT, args, dots, kwargs)[0]
