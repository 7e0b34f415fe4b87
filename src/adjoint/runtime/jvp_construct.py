"""Tangents of new instances of the user's classes."""

from __future__ import annotations

from typing import Any

from ..tangents import field_bar, tangent, with_field
from .construct import blank, by_init, constructor_of, dataclass, fields_given, initialiser_of
from .initialise import (
    by_function,
    by_method,
    by_store,
    by_wrapping,
    check_plain_store,
    check_same,
    fields_wrapped,
    initialise,
    initialiser,
    initialiser_among,
    with_fields,
)
from .jvp import Names, Values, call_pushforward, split, transposed_along


def construction_along(cls: type) -> Any:
    """Function that gives the tangent of an instance: that of each field where arguments are fields, else by what
    `__init__` makes of a new object."""
    handler = constructor_of(cls)
    if handler is by_init:
        return initialised_along
    return fields_along if handler is dataclass else transposed_along


def initialised_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """By an ordinary `__init__`, run as a function from a new object to that object with its fields."""
    new = blank(f)
    y, y_dot = call_pushforward(initialiser_of(f, "__init__"), (new, *args), (None, None, *dots[1:]), names)
    check_same(y, new)
    return y, y_dot


def fields_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """Each argument is a field."""
    positional, keywords = split(args, names)
    y = f(*positional, **keywords)
    return y, tangent(y, fields_given(f, len(positional), names), *dots[1:])


def going_on_along(function: Any, new: Any, *args: Any) -> Any:
    """Function that gives the tangent of an object with which something goes on within its `__init__`."""
    return _GOING_ON.get(initialise(function, new, *args), left_along)


def by_method_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """A method of its own."""
    function, new, *rest = args
    y, y_dot = call_pushforward(initialiser(function.__func__), (new, *rest), (None, *dots[2:]), names)
    check_same(y, new)
    return y, y_dot


def by_function_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """A function that is given the object."""
    function, new, _, *rest = args
    y, y_dot = call_pushforward(initialiser_among((function,)), (new, *rest), (None, dots[2], *dots[4:]), names)
    check_same(y, new)
    return y, y_dot


def by_store_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """`setattr`."""
    function, new, target, name, value = args
    check_plain_store(function, target, name)
    return with_fields(target, (name,), (value,)), with_field(dots[2], name, dots[5], new)


def by_wrapping_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """`functools.update_wrapper`."""
    _, new, _, wrapped, *_ = args
    positional, keywords = split(args, names)
    y = f(*positional, **keywords)
    new_dot = with_field(dots[2], "__wrapped__", dots[4], new)
    for name in fields_wrapped(new, wrapped):
        new_dot = with_field(new_dot, name, field_bar(dots[4], name), new)
    return y, new_dot


def left_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """Leave it as it is."""
    positional, keywords = split(args, names)
    return f(*positional, **keywords), dots[2]


_GOING_ON = {
    by_method: by_method_along,
    by_function: by_function_along,
    by_store: by_store_along,
    by_wrapping: by_wrapping_along,
}
