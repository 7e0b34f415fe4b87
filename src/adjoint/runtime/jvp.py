"""The programs of forward mode: `(y, ẏ)` of a call, each for one way in which its tangent is found.

A program takes the function, its arguments, the tangents of both, and the names of the last arguments. It is ordinary
Python, so that it is differentiated in its turn where derivatives nest.
"""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import NoRuleError, calling_place
from ..ir import intrinsics
from ..rules.calls import of_times
from ..rules.elementwise import takes_whole
from ..rules.registry import Back, non_differentiable
from ..tangents import (
    accumulate,
    along_partials,
    densify,
    field_bar,
    item_bar,
    passed,
    quietly,
    tangent,
    zeros_like,
)
from ..tangents.fields import fields_besides, record_fields
from ..tangents.form import describe
from ..tangents.sweep import in_noted_sweep, in_sweep
from ..tangents.unknown import of_known, unknown_field
from ..tangents.vectors import filled, numbers_in
from ..tangents.zeros import zeros_within
from .argnums import name_of
from .binding import lay_out, lay_out_dots
from .callables import called_plainly, function_behind
from .dispatch import call_pullback, needing
from .jvp_items import densified, filled_up, replaced, taken, widened
from .meanings import is_computed
from .second_order import reversing
from .targets import special

Values = tuple[Any, ...]
Names = tuple[str, ...]
Slots = tuple[int, ...]
"""Slots of the values of a program among the function, its arguments and all their tangents."""

NUMBERS = (float, int, complex, np.ndarray, np.generic)

choice: list[Callable[..., Any]] = []
"""Function that chooses the program of a call (`runtime.forward` ties it here)."""


def call_pushforward(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """The value of `f(*args)`, whose last arguments are given by these names, and the tangent of its result.

    `dots` are the tangents of `f` and of each argument, None for what stays. That of a number or an array is never
    None.
    """
    for x, d in zip(args, dots[1:], strict=True):
        if d is not None and isinstance(x, (set, frozenset)):
            check_tangent(f, x)
    program = choice[0](f, args, dots, names)
    y, y_dot = program(f, args, dots, names)
    return y, completed(y_dot, y)


def completed(y_dot: Any, y: Any) -> Any:
    """The tangent of a result: that of a number or an array is never None."""
    return zeros_like(y) if y_dot is None and isinstance(y, NUMBERS) else y_dot


def split(args: Values, names: Names) -> tuple[Values, dict[str, Any]]:
    """The arguments by position, and those by name."""
    n = len(args) - len(names)
    return args[:n], {name: args[n + i] for i, name in enumerate(names)}


def unmoved(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """A call of which nothing moves."""
    positional, keywords = split(args, names)
    return f(*positional, **keywords), None


def transposed(f: Any, args: Values, kwargs: dict[str, Any]) -> tuple[Any, Any]:
    """The value of a call and ẋ ↦ J ẋ, as the pullback of its pullback."""
    y, back = call_pullback(f, *args, **kwargs) if kwargs else call_pullback(f, *args)
    check_tangent(f, y)
    _, again = call_pullback(in_sweep, back, somewhere(y))
    return y, lambda dots: in_sweep(again, dots)[2]


def transposed_here(f: Any, args: Values, kwargs: dict[str, Any]) -> tuple[Any, Any]:
    """`transposed` where no derivative is taken of it: the partials, of which the pullback is made, do not move."""
    y, back = call_pullback(f, *args, **kwargs)
    check_tangent(f, y)
    (bars, again), shared = in_noted_sweep(_OF_COTANGENT, back, somewhere(y))
    if shared:  # what flows by locations is no part of what is given to `back`
        bars, again = in_sweep(call_pullback, back, somewhere(y))
    xs = (f, *args, *kwargs.values())
    return y, of_known(lambda dots: in_sweep(reversing, again, dots, bars, shared)[1], bars, xs)


_OF_COTANGENT = needing((False, True))
"""The pullback of a pullback, by the cotangent alone."""


@special(transposed_here)
def transposed_here_rule(own: Any, f: Any, args: Values, kwargs: Any, /) -> tuple[Any, Back]:
    """Its derivative is that of `transposed`, in which the partials move."""
    return call_pullback(transposed, f, args, kwargs)


def somewhere(y: Any) -> Any:
    """A cotangent of `y` at which to transpose: where a rule looks whether anything flows (to vectors whose phase is
    not determined, say), zero would be an answer."""
    like = zeros_within(y)
    return filled(like, np.cos(np.arange(1.0, 1.0 + numbers_in(like))))


def transposed_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """The same, along one tangent."""
    positional, keywords = split(args, names)
    y, push = transposed_here(f, positional, keywords)
    return y, push(dots)


def through(push: Any, slots: Slots, f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """By the program that was generated; nothing is filled up of what it does not take, as objects that stay."""
    known = (f, *args)
    values, moving = halves(slots, len(known))
    result: tuple[Any, Any] = push(*taken(known, values), *densified(taken(dots, moving), taken(known, moving)))
    return result


def halves(slots: Slots, n: int) -> tuple[Slots, Slots]:
    """The places of values and of tangents, among `n` each, that slots stand for: values come first."""
    return tuple([i for i in slots if i < n]), tuple([i - n for i in slots if i >= n])


def ordered_along(
    push: Any,
    slots: Slots,
    function: Any,
    layout: Any,
    received: bool,
    f: Any,
    args: Values,
    dots: Values,
    names: Names = (),
) -> tuple[Any, Any]:
    """By the program of the function that a call comes to, given its arguments in the order of the parameters; an
    object is the first of them."""
    values, moving = ((f, *args), (None, *dots)) if received else (args, dots)
    flat = lay_out(layout, function, values)
    return through(push, slots, function, flat, (moving[0], *lay_out_dots(layout, function, moving)))


def together(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """A function that is linear in all its arguments together."""
    positional, keywords = split(args, names)
    f = of_number(f, args)
    y = f(*positional, **keywords)
    y_dot = f(*densified(dots[1 : 1 + len(positional)], positional), **keywords)
    return y, passed(y_dot, y, args)


def in_turn(groups: Any, f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """A function that is linear in the arguments at the places of each group together, while the others stay."""
    positional, keywords = split(args, names)
    f = of_number(f, args)
    y, y_dot = f(*positional, **keywords), None
    for group in groups:
        positional, keywords = split(replaced(group, args, densified(dots[1:], args)), names)
        y_dot = accumulate(y_dot, f(*positional, **keywords))
    return y, passed(y_dot, y, args)


def of_number(f: Any, args: Values) -> Any:
    """A method of arrays, for what turns out to be a number of NumPy: that of its class."""
    scalar = type(f) is types.MethodDescriptorType and args and isinstance(args[0], np.generic)
    return getattr(type(args[0]), f.__name__, f) if scalar else f


def item_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """An item of a container."""
    return f(*args), item_bar(dots[1], args[1])


def rearranged(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """A tuple, a list or an array, copied or taken apart."""
    return f(*args), f(filled_up(dots[1], args[0]), *args[1:])


def made_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """A tuple or a list of these."""
    if f is intrinsics.make_tuple:
        return args, dots[1:]
    return list(args), list(dots[1:])


def entered_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """A dict that two stars take."""
    return f(*args), dots[1]


def entries_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """A dict, from its keys and values."""
    keys, values = args
    return f(keys, values), f(keys, filled_up(dots[2], values))


def attribute_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """An attribute: of an array, of a record, or a method, whose tangent is that of what it is bound to."""
    x, name, *_ = args
    if is_computed(x, name):
        return transposed_along(f, args, dots, names)  # which may store it as a field: that is asked there
    y = f(*args)
    if is_linear_attribute(x, name):
        return y, getattr(densify(dots[1], x), name)
    if is_bound(y, x):
        return y, tangent(y, ("__self__",), dots[1])
    if dots[1] is not None and name in (fields_besides(x) or ()) and zeros_like(y) is not None:
        return y, unknown_field(type(x), name)
    if is_field(x, name, y):
        return y, field_bar(dots[1], name)
    return transposed_along(f, args, dots, names)


def partial_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """`functools.partial(...)`, and what it holds."""
    positional, keywords = split(args, names)
    y = f(*positional, **keywords)
    n = len(positional)
    moving = dict(zip(names, dots[1 + n :], strict=True))
    if y.func is not positional[0]:
        check_tangent(f, iter(()))  # a partial of a partial became one
    return y, tangent(y, ("func", "args", "keywords"), dots[1], dots[2 : 1 + n], moving)


def called_partial(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """A call of what `functools.partial` made."""
    held, moving = {**f.keywords}, field_bar(dots[0], "keywords") or {}
    positional, keywords = split(args, names)
    n = len(positional)
    given = {**{k: moving.get(k) for k in held}, **dict(zip(names, dots[1 + n :], strict=True))}
    values = {**held, **keywords}
    own = field_bar(dots[0], "args") or (None,) * len(f.args)
    first = (field_bar(dots[0], "func"), *own, *dots[1 : 1 + n])
    return call_pushforward(
        f.func, (*f.args, *positional, *values.values()), (*first, *[given[k] for k in values]), tuple(values)
    )


def passed_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """Pass a call on as it is."""
    return call_pushforward(called_plainly(f), args, (dots[0] if type(f) is staticmethod else None, *dots[1:]), names)


def method_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """A bound method: its function, of what it is bound to."""
    own = field_bar(dots[0], "__self__")
    return call_pushforward(function_behind(f), (f.__self__, *args), (None, own, *dots[1:]), names)


def by_partials(
    partials: Any, singular: bool, f: Any, args: Values, dots: Values, names: Names = ()
) -> tuple[Any, Any]:
    """ẏ = Σ ẋᵢ ∂y/∂xᵢ."""
    y = f(*args)
    if of_times(args, y):
        return y, None
    args = widened(args, takes_whole(partials))
    return y, along_partials(partials, singular, args, dots[1:], y)


def by_tangent(
    program: Any, picks: Slots, given: Any, f: Any, args: Values, dots: Values, names: Names = ()
) -> tuple[Any, Any]:
    """By the program of a rule that gives ẏ, from the tangents of its parameters; `given` has for each where its value
    is among the arguments, and its default. None: the call is made as it was written."""
    positional, keywords = split(args, names)
    y = of_number(f, args)(*positional, **keywords)
    moving = picked(picks, dots)
    if given is None:
        return y, passed(program(moving, y, *positional, **keywords), y, args)
    return y, passed(program(moving, y, *[default if i < 0 else args[i] for i, default in given]), y, args)


def picked(picks: Slots, dots: Values) -> Values:
    """The tangents of the parameters of a rule, from those of the function and of all arguments; -1 is for none."""
    return tuple([None if i < 0 else dots[i] for i in picks])


def transposing_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """A tangent of what is transposed."""
    return call_pushforward(transposed, args, (None, *dots[1:]), names)


def called_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """Tangent of a call that runs another function, as it is."""
    return call_pushforward(args[0], args[1:], dots[1:], names)


def tangent_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """A tangent of a record or function: linear in those of its fields."""
    return f(*args), f(*args[:2], *dots[3:])


def quietly_along(f: Any, args: Values, dots: Values, names: Names = ()) -> tuple[Any, Any]:
    """The same, without warnings."""
    pair: tuple[Any, Any] = quietly(call_pushforward, args[0], args[1:], dots[1:])
    return pair


def is_linear_attribute(x: Any, name: str) -> bool:
    """Tell whether an attribute of an array is linear in it."""
    return isinstance(x, NUMBERS) and name in ("T", "mT", "real", "imag")


def is_bound(y: Any, x: Any) -> bool:
    """Tell whether an attribute is a method of the object."""
    return isinstance(y, (types.MethodType, types.BuiltinMethodType)) and y.__self__ is x


def is_field(x: Any, name: str, y: Any) -> bool:
    """Tell whether an attribute is a field of a record."""
    fields = record_fields(x)
    return fields is not None and name in fields and fields[name] is y


def check_tangent(f: Any, y: Any) -> None:
    """Raise where a result may hold what moves, but has no tangent that could be asked for."""
    if (held := _opaque(y)) is not None:
        raise NoRuleError(
            f"`{name_of(f)}` gives {describe(held)}, whose tangent is not known",
            "forward mode follows numbers, arrays, containers and records, and functions that programs make",
            "take the derivative of what it is used for, or use `adjoint.pullback`",
            calling_place(),
        )


def _opaque(y: Any, seen: frozenset[int] = frozenset()) -> Any:
    """Parts of a value that may hold numbers and has no zeros."""
    if isinstance(y, _INERT) or id(y) in seen:
        return None
    seen = seen | {id(y)}
    if isinstance(y, (tuple, list, dict)):
        items = y.values() if isinstance(y, dict) else y
        return next((held for item in items if (held := _opaque(item, seen)) is not None), None)
    if type(y) is types.FunctionType:
        defaults = (*(y.__defaults__ or ()), *(y.__kwdefaults__ or {}).values())
        return y if y.__closure__ or any(not isinstance(x, _SAYING) for x in defaults) else None
    if isinstance(y, (types.BuiltinFunctionType, np.ufunc)):
        return None if isinstance(getattr(y, "__self__", None), types.ModuleType | None) else y
    if hasattr(type(y), "__next__") or isinstance(y, (set, frozenset)):
        return y
    fields = None if isinstance(y, NUMBERS) else record_fields(y)
    if fields is not None:
        return next((held for item in fields.values() if (held := _opaque(item, seen)) is not None), None)
    return y if zeros_like(y) is None else None


_SAYING = (str, bytes, bool, type, type(None), types.ModuleType)
_INERT = (
    str,
    bytes,
    bool,
    np.generic,
    np.ndarray,
    range,
    slice,
    type,
    type(None),
    type(...),
    np.dtype,
    types.ModuleType,
)
"""Values that hold nothing which moves."""


non_differentiable(
    halves, of_number, somewhere, is_linear_attribute, is_bound, is_field, check_tangent, fields_besides, unknown_field
)
