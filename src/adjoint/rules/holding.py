"""Functions that are handed to functions with a rule: the rule is given them as they are at the call.

A function may read a variable that is bound anew after it was made. What flows to such a variable goes to its place,
beside the cotangents that are returned. But a rule runs the functions it is handed when and how often it likes, in the
reverse pass as well, and does with their cotangents what it likes. So it is given a copy of each, which captures the
present values; what flows to these in the end goes to the variables when the call is reversed.
"""

from __future__ import annotations

import functools
import types
from collections.abc import Callable, Iterable
from typing import Any

from ..cells import held_by
from ..errors import UnsupportedSyntaxError, calling_place
from ..identity import IdentityMap
from ..ir.intrinsics import Template
from ..tangents import own_dict

_SHARED: IdentityMap[frozenset[str]] = IdentityMap()
_COPIES: IdentityMap[types.CodeType] = IdentityMap()
_PLAIN = frozenset([float, int, bool, complex, str, bytes, type(None), type, types.ModuleType])
_DEPTH = 6

# Set by the runtime: which variables a function shares with others that may bind them anew; its code as one that
# captures values, where those of some names are the function itself.
shared_names: list[Callable[[types.FunctionType], frozenset[str]]] = []
held_code: list[Callable[[types.CodeType, tuple[str, ...]], types.CodeType]] = []


def holding(call: Callable[..., Any], pullback: Callable[..., Any]) -> Callable[..., Any]:
    """`call`, a rule `(*args) -> (y, back)`, which is given the functions among its arguments as they are now."""

    @functools.wraps(call)
    def holding_rule(*args: Any, **kwargs: Any) -> Any:
        if not shares((*args, *kwargs.values())):
            return call(*args, **kwargs)
        pairs = [pullback(held, x) for x in (*args, *kwargs.values())]
        values = [x for x, _ in pairs]
        n = len(args)
        y, back = call(*values[:n], **dict(zip(kwargs, values[n:], strict=True)))

        def holding_back(y_bar: Any) -> Any:
            bars = back(y_bar)
            return tuple([d if d is None else of(d)[1] for d, (_, of) in zip(bars, pairs, strict=False)])

        return y, holding_back

    made: Any = holding_rule
    made.__kwdefaults__ = call.__kwdefaults__  # who calls it says what is needed, as it would to the rule
    return made  # type: ignore[no-any-return]


def shares(values: Iterable[Any], depth: int = _DEPTH, seen: set[int] | None = None) -> bool:
    """Tell whether a function that can be called by who has these values reads a variable that may be bound anew."""
    seen = set() if seen is None else seen
    for x in values:
        cls = type(x)
        if cls in _PLAIN or not depth or id(x) in seen:
            continue
        seen.add(id(x))
        if cls is types.FunctionType:
            if _names_shared(x) or shares(held_by(x), depth - 1, seen):
                return True
        elif cls is types.MethodType:
            if shares((x.__func__, x.__self__), depth - 1, seen):
                return True
        elif shares(_parts_of(x), depth - 1, seen):
            return True
    return False


def _names_shared(f: types.FunctionType) -> frozenset[str]:
    if f.__closure__ is None:
        return frozenset()
    known = _SHARED.get(f.__code__)
    if known is None:
        known = _SHARED[f.__code__] = shared_names[0](f)
    return known


def _parts_of(x: Any) -> Iterable[Any]:
    if isinstance(x, functools.partial):
        return (x.func, *x.args, *x.keywords.values())
    if isinstance(x, list | tuple | dict):
        items = x.values() if isinstance(x, dict) else x
        return () if {*map(type, items)} <= _PLAIN else items
    fields = own_dict(x)
    return fields.values() if type(fields) is dict else ()


def held(x: Any) -> Any:
    """A value in which functions capture the present values of variables that may be bound anew.

    >>> held(2.0)
    2.0
    """
    if not shares((x,)):
        return x
    if type(x) is types.FunctionType:
        return made_again(x, [content(x, i) for i in range(len(x.__code__.co_freevars))])
    if isinstance(x, functools.partial):
        keywords = {key: held(value) for key, value in x.keywords.items()}
        return functools.partial(held(x.func), *[held(value) for value in x.args], **keywords)
    if type(x) is tuple:
        return tuple([held(item) for item in x])
    if type(x) is list:
        return [held(item) for item in x]
    if type(x) is dict:
        return {key: held(item) for key, item in x.items()}
    return refuse_object(x)


def content(f: types.FunctionType, i: int) -> Any:
    """The present value of a free variable of a function; None where it is the function itself."""
    value = captured(f, i)
    return None if value is f else held(value)


def captured(f: types.FunctionType, i: int) -> Any:
    """The value of a free variable of a function."""
    return f.__closure__[i].cell_contents  # type: ignore[index]


def location_of(f: types.FunctionType, i: int) -> Any:
    """The place of such a variable, if it may be bound anew; else None."""
    return f.__closure__[i] if f.__code__.co_freevars[i] in _names_shared(f) else None  # type: ignore[index]


def made_again(f: types.FunctionType, values: list[Any]) -> types.FunctionType:
    """A function with the code of `f`, that captures these values."""
    own = [cell.cell_contents is f for cell in f.__closure__ or ()]
    itself = tuple([name for name, is_own in zip(f.__code__.co_freevars, own, strict=True) if is_own])
    code = _COPIES.get(f.__code__)
    if code is None:
        code = _COPIES[f.__code__] = held_code[0](f.__code__, itself)
    cells = [types.CellType(value) for value in values]
    copy = types.FunctionType(code, f.__globals__, f.__name__, f.__defaults__, tuple(cells))
    copy.__kwdefaults__ = f.__kwdefaults__
    copy.__qualname__ = f.__qualname__
    copy.__dict__.update(f.__dict__)
    for cell, is_own in zip(cells, own, strict=True):
        if is_own:
            cell.cell_contents = copy
    return copy


def labels_of(f: types.FunctionType) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The names by which the cotangent of a function has what flows to what it captured, and to its defaults."""
    n = len(f.__code__.co_freevars)
    template = Template(f.__code__, "", None, len(f.__defaults__ or ()), tuple(f.__kwdefaults__ or ()))
    return template.labels[:n], template.labels[n:]


def refuse_object(x: Any) -> Any:
    """Raise for an object that holds such functions."""
    raise UnsupportedSyntaxError(
        f"a function with a rule is handed a {type(x).__name__} that holds a function which reads a variable that is "
        "bound more than once",
        "when the rule calls it the variable may be another, and which one is meant is not known",
        "hand over the function itself, or give the variable a new name where it is bound again",
        calling_place(),
    )
