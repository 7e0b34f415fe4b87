"""Intrinsics of the frontend at run time: stores, calls with stars, iteration, attributes, `super`."""

from __future__ import annotations

import builtins
import functools
import itertools
import operator
import types
from typing import Any

import numpy as np

from ..errors import MutationError, UnsupportedSyntaxError, calling_place
from ..ir import changes, intrinsics
from ..rules.numpy.attributes import ATTRIBUTES, INACTIVE_ATTRIBUTES, MEMORY_ATTRIBUTES
from ..rules.python.containers import add_bars
from ..rules.python.iteration import draw
from ..rules.python.lazy import mapped
from ..rules.registry import Back, find_rules, non_differentiable
from ..tangents import Tangent, field_bar, own_dict, tangent, tuple_like
from ..transforms.generators import is_generator
from .callables import function_behind
from .dispatch import call_pullback
from .listing import listing
from .targets import as_it_is, chosen, opened_rule, plainly, runs_own_code, special


def _store(f: Any, target: Any, /, *args: Any) -> tuple[Any, Back]:
    raise MutationError(
        f"a store changes a {type(target).__name__} that others can see",
        "whoever else holds it would see the change, and its derivative cannot follow yet",
        "change a copy that is made here, or build a new value instead",
        calling_place(),
    )


for _store_function in ("set_item", "delete_item", "set_attribute", "hold_field", "delete_attribute", "call_method"):
    special(getattr(changes, _store_function))(_store)


@special(intrinsics.invoke)
def invoke(f: Any, target: Any, name: str, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """`target.name(...)`: a method of the target, or a function that it holds."""
    if name == "__wrapped__" and type(target) is types.FunctionType:
        get_attribute(target, name)
    method = getattr(target, name)
    if type(method) is types.MethodType and method.__self__ is target:
        return _method(function_behind(method), target, args, kwargs)
    y, back = call_pullback(method, *args, **kwargs)
    of_super = isinstance(target, super)
    bound = getattr(method, "__self__", None) is target or of_super

    def invoke_back(y_bar: Any) -> tuple[Any, ...]:
        method_bar, *bars = back(y_bar)
        if of_super:
            target_bar = method_bar
        elif bound:
            target_bar = field_bar(method_bar, "__self__")
        else:
            target_bar = None if method_bar is None else tangent(target, (name,), method_bar)
        return (None, target_bar, None, *bars)

    return y, invoke_back


@special(intrinsics.invoke_whole)
def invoke_whole(f: Any, target: Any, name: str, /, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """The same; of a generator the list that it gives."""
    method = getattr(target, name)
    function = function_behind(method) if type(method) is types.MethodType and method.__self__ is target else None
    whole = listing(function) if type(function) is types.FunctionType and is_generator(function) else None
    return invoke(f, target, name, *args, **kwargs) if whole is None else _method(whole, target, args, kwargs)


def _method(f: Any, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, Back]:
    y, back = call_pullback(f, target, *args, **kwargs)

    def method_back(y_bar: Any) -> tuple[Any, ...]:
        _, target_bar, *bars = back(y_bar)
        return (None, target_bar, None, *bars)

    return y, method_back


@chosen(intrinsics.iterate)
def iterate(x: Any) -> Any:
    """Iterable that a loop runs through: the user's own containers by their `__iter__`, or item by item."""
    if not runs_own_code(x):
        return drawn(x)
    return _by_iter if hasattr(type(x), "__iter__") else _by_index


@chosen(draw)
def drawn(x: Any) -> Any:
    """Next item of an iterator: the user's own by its `__next__`."""
    if runs_own_code(x) and isinstance(getattr(type(x), "__next__", None), types.FunctionType):
        return _by_next
    rules = find_rules(intrinsics.iterate)
    rule = None if rules is None else rules.select((type(x),))
    return as_it_is if rule is None else _opened(rule.call)


def _by_iter(f: Any, x: Any) -> tuple[Any, Back]:
    iterator, back = call_pullback(type(x).__iter__, x)
    y, turn = call_pullback(draw, iterator)
    return y, lambda y_bar: (None, back(turn(y_bar)[1])[1])


def _by_next(f: Any, x: Any) -> tuple[Any, Back]:
    return _asked((), type(x).__next__, x)


def _by_index(f: Any, x: Any) -> tuple[Any, Back]:
    return _asked(IndexError, operator.getitem, x, itertools.count())


def _asked(end: Any, function: Any, x: Any, *others: Any) -> tuple[Any, Back]:
    """The items that an object gives, one for each call, up to an error."""
    (y,), back = call_pullback(mapped, 0, end, x, function, itertools.repeat(x), *others)
    return y, lambda y_bar: (None, add_bars(back((y_bar,))[5]))


def _opened(call: Any, n: int = 1) -> Any:
    """A rule of one argument as a handler of calls with `n`."""
    return opened_rule(call, (0,), (), tuple(range(n)))


# ---- attributes


@chosen(builtins.getattr)
def get_attribute(x: Any, name: str, *default: Any) -> Any:
    """An attribute: properties by their function, bound methods, fields."""
    cls = type(x)
    if type(cls) is type and not default and _is_own_field(x, cls, name):
        return _field
    if isinstance(x, super) and name != "__self__":
        return _property_of_super if _property_beyond(x, name) is not None else _of_super
    if isinstance(type(x).__getattribute__, types.FunctionType):
        raise UnsupportedSyntaxError(
            f"`{type(x).__name__}` has a `__getattribute__` of its own",
            "what reading an attribute does there is not looked into",
            "use a property, or `__getattr__`",
            calling_place(),
        )
    if isinstance(x, Tangent) and name not in vars(Tangent):
        return _field if name in x or not default else _default
    if isinstance(x, Tangent) and name in Tangent.__slots__:
        raise UnsupportedSyntaxError(
            f"`.{name}` of a cotangent is the library's own",
            "it hides a field of that name",
            f"read the field as an item, `g[{name!r}]`",
            calling_place(),
        )
    own = own_dict(x) or {}
    static = _static(type(x), name)
    if name in own and isinstance(x, (int, float, complex)):
        raise UnsupportedSyntaxError(
            f"`{name}` is a field of a number", "a number has a cotangent by value alone",
            "keep the number in a field of an ordinary object", calling_place(),
        )  # fmt: skip
    if default and not hasattr(x, name):
        return _default
    if name == "__dict__":
        return _opened(_vars, 2)
    if isinstance(static, property) and isinstance(static.fget, types.FunctionType):
        return _property
    if isinstance(static, functools.cached_property) and name not in own:
        raise MutationError(
            f"reading `.{name}` for the first time stores it in the object",
            "others can see that it is there",
            "read it before, or use a property",
            calling_place(),
        )
    getter = getattr(type(static), "__get__", None)
    if isinstance(getter, types.FunctionType) and not isinstance(static, types.FunctionType):
        stored = name in own and not hasattr(type(static), "__set__")
        if not stored and not isinstance(static, functools.cached_property):
            return _descriptor
    if hasattr(type(x), "__getattr__") and static is None and name not in own and type(x) is not Tangent:
        return _by_getattr
    if isinstance(x, (np.ndarray, np.generic, int, float, complex)):
        if name in INACTIVE_ATTRIBUTES:
            return plainly
        if name in MEMORY_ATTRIBUTES and isinstance(x, np.ndarray):
            raise MutationError(
                f"`.{name}` of an array is its memory",
                "others may have parts of it, and what flows to them by this name is not followed here",
                "use the array itself",
                calling_place(),
            )
        if name in ATTRIBUTES:
            return _opened(ATTRIBUTES[name], 2 + len(default))
    if isinstance(x, (types.ModuleType, type)):
        return plainly
    if type(x) is types.FunctionType and name in changes.OF_FUNCTIONS:
        raise UnsupportedSyntaxError(
            f"`{name}` of a function",
            "what flows into the function by this name is not followed",
            "call the function by its own name, and use the variable itself",
            calling_place(),
        )
    if getattr(getattr(x, name), "__self__", None) is x and name not in own:
        return _bound_method
    return _tuple_field if isinstance(x, tuple) and name in getattr(x, "_fields", ()) else _field


def _is_own_field(x: Any, cls: Any, name: str) -> bool:
    """Tell whether an attribute is surely a field of an ordinary object: its class is derived from none that says more,
    and has nothing of this name."""
    return (
        cls.__new__ is object.__new__
        and cls.__getattribute__ is object.__getattribute__
        and cls.__dictoffset__ != 0
        and name in x.__dict__
        and _static(cls, name) is None
        and name != "__dict__"
    )


def _vars(x: Any) -> tuple[Any, Back]:
    y, back = call_pullback(vars, x)
    return y, lambda y_bar: back(y_bar)[1:]


def _property(f: Any, x: Any, name: str, *default: Any) -> tuple[Any, Back]:
    y, back = call_pullback(_static(type(x), name).fget, x)
    n = len(default)
    return y, lambda y_bar: (None, back(y_bar)[1], None, *(None,) * n)


def _descriptor(f: Any, x: Any, name: str, *default: Any) -> tuple[Any, Back]:
    static = _static(type(x), name)
    y, back = call_pullback(type(static).__get__, static, x, type(x))
    n = len(default)
    return y, lambda y_bar: (None, back(y_bar)[2], None, *(None,) * n)


def _by_getattr(f: Any, x: Any, name: str, *default: Any) -> tuple[Any, Back]:
    y, back = call_pullback(type(x).__getattr__, x, name)
    n = len(default)
    return y, lambda y_bar: (None, back(y_bar)[1], None, *(None,) * n)


def _default(f: Any, x: Any, name: str, default: Any) -> tuple[Any, Back]:
    return default, lambda y_bar: (None, None, None, y_bar)


def _property_of_super(f: Any, x: Any, name: str, *default: Any) -> tuple[Any, Back]:
    y, back = call_pullback(_property_beyond(x, name), x.__self__)
    n = len(default)
    return y, lambda y_bar: (None, tangent(x, ("__self__",), back(y_bar)[1]), None, *(None,) * n)


def _of_super(f: Any, x: Any, name: str, *default: Any) -> tuple[Any, Back]:
    n = len(default)
    return getattr(x, name), lambda y_bar: (None, y_bar, None, *(None,) * n)


def _bound_method(f: Any, x: Any, name: str, *default: Any) -> tuple[Any, Back]:
    n = len(default)
    return getattr(x, name), lambda y_bar: (None, field_bar(y_bar, "__self__"), None, *(None,) * n)


def _tuple_field(f: Any, x: Any, name: str, *default: Any) -> tuple[Any, Back]:
    cls: Any = type(x)
    n = len(default)

    def tuple_field_back(y_bar: Any) -> tuple[Any, ...]:
        return (None, tuple_like(cls, [y_bar if field == name else None for field in cls._fields]), None, *(None,) * n)

    return getattr(x, name), tuple_field_back


def _field(f: Any, x: Any, name: str, *default: Any) -> tuple[Any, Back]:
    n = len(default)

    def field_back(y_bar: Any) -> tuple[Any, ...]:
        return (None, None if y_bar is None else tangent(x, (name,), y_bar), None, *(None,) * n)

    return getattr(x, name), field_back


@special(super)
def super_(f: Any, /, *args: Any) -> tuple[Any, Back]:
    """`super()`: its cotangent is that of the bound method read from it."""
    return super(*args), lambda y_bar: (None, None, field_bar(y_bar, "__self__"))


def is_computed(x: Any, name: str) -> bool:
    """Tell whether reading an attribute runs code of a descriptor, other than that of a property."""
    static = _static(type(x), name)
    own = own_dict(x)
    if isinstance(own, dict) and name in own and not hasattr(type(static), "__set__"):
        return False
    getter = getattr(type(static), "__get__", None)
    return isinstance(getter, types.FunctionType) and not isinstance(static, types.FunctionType)


def _static(cls: type, name: str) -> Any:
    for base in cls.__mro__:
        if name in base.__dict__:
            return base.__dict__[name]
    return None


def _property_beyond(x: Any, name: str) -> Any:
    """The function of a property that `super()` finds, or None if it finds something else."""
    classes = type(x.__self__).__mro__ if not isinstance(x.__self__, type) else x.__self__.__mro__
    for base in classes[classes.index(x.__thisclass__) + 1 :]:
        if name in base.__dict__:
            found = base.__dict__[name]
            return found.fget if isinstance(found, property) and isinstance(found.fget, types.FunctionType) else None
    return None


non_differentiable(is_computed, _static, _property_beyond)
