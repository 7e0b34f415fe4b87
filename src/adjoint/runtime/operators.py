"""Operators on the user's objects, by the methods that Python looks them up in."""

from __future__ import annotations

import math
import operator
import types
from typing import Any

import numpy as np

from ..errors import MutationError, calling_place, restate
from ..rules.registry import Back, non_differentiable
from ..transforms.effects import PLAIN
from .dispatch import call_pullback
from .elementwise import check_whole
from .refusing import no_rule
from .spec import OPERATORS, STEPS
from .targets import plainly
from .typeof import typeof

for _in_place, _operation in PLAIN.items():
    _name = _operation.__name__.strip("_")
    OPERATORS[_operation] = (f"__{_name}__", f"__r{_name}__")
    OPERATORS[_in_place] = (f"__i{_name}__", None)
for _name, _reflected in (("lt", "gt"), ("le", "ge"), ("gt", "lt"), ("ge", "le"), ("eq", "eq"), ("ne", "ne")):
    OPERATORS[getattr(operator, _name)] = (f"__{_name}__", f"__{_reflected}__")
for _name in ("neg", "pos", "invert", "getitem", "contains"):
    OPERATORS[getattr(operator, _name)] = (f"__{_name}__", None)
OPERATORS[operator.inv] = ("__invert__", None)
OPERATORS[operator.concat], OPERATORS[operator.iconcat] = ("__add__", "__radd__"), ("__iadd__", None)
for _function in (math.floor, math.ceil, math.trunc, round, abs, len, iter, reversed, float, bool):
    OPERATORS[_function] = (f"__{_function.__name__}__", None)
OPERATORS[divmod] = ("__divmod__", "__rdivmod__")
OPERATORS[pow] = ("__pow__", "__rpow__")
STEPS.update(
    [
        operator.floordiv,
        operator.invert,
        operator.inv,
        operator.lshift,
        operator.rshift,
        math.floor,
        math.ceil,
        math.trunc,
    ]
)
STEPS.update([operator.ifloordiv, operator.ilshift, operator.irshift, round])


def _by_plain(f: Any, a: Any, b: Any) -> tuple[Any, Back]:
    """`a += b` where the class of `a` says nothing of it."""
    try:
        return call_pullback(PLAIN[f], a, b)
    except TypeError as error:
        restate(error, a, b)
        raise


def call_operator(f: Any, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """An operator, as Python looks it up: by the left operand's class, else by the right one's."""
    name, reflected = OPERATORS[f]
    if f is operator.concat or f is operator.iconcat:
        if not all(map(is_sequence, args)):
            return plainly(f, *args)  # Python says what it is
        if f is operator.iconcat and not hasattr(type(args[0]), name):
            return call_pullback(operator.concat, *args)
    if f in PLAIN:
        if not hasattr(type(args[0]), name):
            return _by_plain(f, *args)
        if isinstance(args[0], (np.ndarray, list, set, dict)):
            raise MutationError(
                "an in-place operation changes an array or container that others can see",
                "what others can see must not change while the derivative is taken",
                "write `x = x + y` instead of `x += y`",
                calling_place(),
            )
    for method, swapped in _candidates(args, name, reflected):
        if isinstance(method, types.FunctionType):
            if swapped and reflected is not None and reflected.startswith("__r"):
                check_whole(args[0], args[1], reflected)
            y, back = call_pullback(method, *(args[::-1] if swapped else args))
            if y is not NotImplemented:
                return y, _swapped(back) if swapped else back
    y, back = plainly(f, *args, **kwargs)
    if typeof(y).differentiable and any(typeof(a).differentiable for a in args):
        raise no_rule(f)
    return y, back


def _candidates(args: tuple[Any, ...], name: str, reflected: str | None) -> list[tuple[Any, bool]]:
    """The methods that Python asks, in its order, and whether the operands change places."""
    methods = [(getattr(type(args[0]), name, None), False)]
    if reflected is None or len(args) != 2:
        return methods
    left, right = type(args[0]), type(args[1])
    method = getattr(right, reflected, None)
    comparison = not reflected.startswith("__r")
    if comparison or left is not right:
        methods.append((method, True))
    derived = left is not right and issubclass(right, left)
    if method is not None and derived and (comparison or method is not getattr(left, reflected, None)):
        methods.reverse()
    return methods


def _swapped(back: Back) -> Back:
    def swapped_back(y_bar: Any) -> tuple[Any, ...]:
        f_bar, *bars = back(y_bar)
        return (f_bar, *bars[::-1])

    return swapped_back


def is_sequence(x: Any) -> bool:
    """Tell whether something can be concatenated: what has items, but for dicts."""
    return hasattr(type(x), "__getitem__") and not isinstance(x, dict)


non_differentiable(_candidates, is_sequence)
