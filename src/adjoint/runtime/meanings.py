"""What the frontend writes and Python does itself: stores, calls with stars, iteration, attributes, `super`."""

from __future__ import annotations

import builtins
import functools
import itertools
import operator
import types
from typing import Any, NamedTuple

import numpy as np

from ..errors import MutationError, UnsupportedSyntaxError, calling_place
from ..ir import changes, intrinsics
from ..rules.faithful import check_faithful
from ..rules.numpy.shaping import ATTRIBUTES, INACTIVE_ATTRIBUTES
from ..rules.python.containers import add_bars
from ..rules.python.iteration import draw
from ..rules.python.lazy import mapped
from ..rules.registry import Back, find_rules, non_differentiable, rule
from ..tangents import Tangent, field_bar, tangent
from .dispatch import call_pullback
from .targets import chosen, opened_rule, plainly, runs_own_code, special


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
    if name == "__wrapped__" and isinstance(target, types.FunctionType):
        get_attribute(target, name)
    method = getattr(target, name)
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


@special(intrinsics.spread)
def spread(
    f: Any, stars: tuple[bool, ...], names: tuple[str | None, ...], values: tuple[Any, ...], /
) -> tuple[Any, Back]:
    """Arguments laid out for a call; needed where `apply` is itself differentiated."""
    args, kwargs = intrinsics.spread(stars, names, values)
    layout, keywords = _layout(stars, names, values, tuple(kwargs)), tuple(kwargs)

    def spread_back(y_bar: Any) -> tuple[Any, ...]:
        args_bar, kwargs_bar = (None, None) if y_bar is None else y_bar
        args_bar = [None] * len(args) if args_bar is None else args_bar
        kwargs_bar = {} if kwargs_bar is None else kwargs_bar
        return None, None, None, tuple(unspread(layout, [*args_bar, *map(kwargs_bar.get, keywords)]))

    return (args, kwargs), spread_back


@special(intrinsics.apply)
def apply(
    f: Any, function: Any, stars: tuple[bool, ...], names: tuple[str | None, ...], /, *values: Any
) -> tuple[Any, Back]:
    """`function(*xs, a, **options)`. What is run through by code, or only once, is run through here, once."""
    open_ = [star and intrinsics.runs_once(v) for star, v in zip(stars, values, strict=False)]
    pairs = [call_pullback(_items, v) if once else (v, None) for once, v in zip(open_, values, strict=False)]
    held = (*[v for v, _ in pairs], *values[len(stars) :])
    args, kwargs = intrinsics.spread(stars, names, held)
    y, back = call_pullback(function, *args, **kwargs)
    layout = _layout(stars, names, held, tuple(kwargs))

    def apply_back(y_bar: Any) -> tuple[Any, ...]:
        f_bar, *bars = back(y_bar)
        out = unspread(layout, bars)
        given = [d if turn is None or d is None else turn(d)[1] for d, (_, turn) in zip(out, pairs, strict=False)]
        return (None, f_bar, None, None, *given, *out[len(pairs) :])

    return y, apply_back


@chosen(intrinsics.settled)
def settled(x: Any) -> Any:
    """What a star in the middle takes."""
    return _settled if intrinsics.runs_once(x) else _as_it_is


def _settled(f: Any, x: Any) -> tuple[Any, Back]:
    return call_pullback(_items, x)


def _items(x: Any) -> Any:
    """What running through `x` gives."""
    return [item for item in x]  # noqa: C416 - of any iterable, the user's own as well


class _Spread(NamedTuple):
    """Where the cotangents of what was spread for a call go: for each value one place, several of a class, or several
    by name."""

    places: tuple[Any, ...]
    n: int


def _layout(stars: Any, names: Any, values: Any, keywords: tuple[str, ...]) -> _Spread:
    places: list[Any] = []
    at = 0
    for star, value in zip((*stars, *(name is None for name in names)), values, strict=True):
        if star:
            check_faithful(type(value))
    for star, value in zip(stars, values, strict=False):
        n = len(list(value)) if star else 1
        places.append((type(value), range(at, at + n)) if star else at)
        at += n
    by_name = dict(zip(keywords, range(at, at + len(keywords)), strict=True))
    for name, value in zip(names, values[len(stars) :], strict=True):
        places.append({k: by_name[k] for k in value} if name is None else by_name[name])
    return _Spread(tuple(places), at + len(keywords))


def unspread(layout: _Spread, bars: Any) -> list[Any]:
    """The cotangents of what was spread, from those of the arguments."""
    out: list[Any] = []
    for place in layout.places:
        if isinstance(place, int):
            out.append(bars[place])
        elif isinstance(place, dict):
            out.append({name: bars[i] for name, i in place.items()})
        else:
            cls, several = place
            items = [bars[i] for i in several]
            out.append(_stacked(items) if cls is np.ndarray else items if cls is list else tuple(items))
    return out


def _stacked(bars: list[Any]) -> Any:
    some = next((bar for bar in bars if bar is not None), None)
    return None if some is None else np.stack([np.zeros_like(some) if bar is None else bar for bar in bars])


non_differentiable(_layout, intrinsics.runs_once)


def respread(layout: _Spread, d: Any) -> list[Any]:
    """The adjoint of `unspread`."""
    bars: list[Any] = [None] * layout.n
    for place, item in zip(layout.places, d, strict=True):
        if isinstance(place, int):
            bars[place] = item
        elif item is not None and isinstance(place, dict):
            for name, i in place.items():
                bars[i] = item.get(name)
        elif item is not None:
            for i, one in zip(place[1], item, strict=True):
                bars[i] = one
    return bars


@rule(unspread)
def unspread_rule(layout: Any, bars: Any) -> tuple[Any, Back]:
    """`unspread` and `respread` are adjoint to each other."""
    return unspread(layout, bars), lambda d: (None, respread(layout, d))


@rule(respread)
def respread_rule(layout: Any, d: Any) -> tuple[Any, Back]:
    """`respread` and `unspread` are adjoint to each other."""
    return respread(layout, d), lambda bars: (None, unspread(layout, bars))


@chosen(intrinsics.iterate)
def iterate(x: Any) -> Any:
    """What a loop runs through: the user's own containers by their `__iter__`, or item by item."""
    if not runs_own_code(x):
        return drawn(x)
    return _by_iter if hasattr(type(x), "__iter__") else _by_index


@chosen(draw)
def drawn(x: Any) -> Any:
    """What an iterator gives: the user's own by its `__next__`."""
    if runs_own_code(x) and isinstance(getattr(type(x), "__next__", None), types.FunctionType):
        return _by_next
    rules = find_rules(intrinsics.iterate)
    rule = None if rules is None else rules.select((type(x),))
    return _as_it_is if rule is None else _opened(rule.call)


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


def _as_it_is(f: Any, x: Any) -> tuple[Any, Back]:
    return x, lambda y_bar: (None, y_bar)


def _opened(call: Any, n: int = 1) -> Any:
    """A rule of one argument as a handler of calls with `n`."""
    return opened_rule(call, (0,), (), tuple(range(n)))


# ---- attributes


@chosen(builtins.getattr)
def get_attribute(x: Any, name: str, *default: Any) -> Any:
    """An attribute: properties by their function, bound methods, fields."""
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
    own = getattr(x, "__dict__", {})
    static = _static(type(x), name)
    if name in own and isinstance(x, int | float | complex):
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
    if isinstance(getattr(type(x), "__getattr__", None), types.FunctionType) and static is None and name not in own:
        return _by_getattr
    if isinstance(x, np.ndarray | np.generic | int | float | complex):
        if name in INACTIVE_ATTRIBUTES:
            return plainly
        if name in changes.MEMORY and isinstance(x, np.ndarray):
            raise MutationError(
                f"`.{name}` of an array is its memory",
                "others may have parts of it, and what flows to them by this name is not followed here",
                "use the array itself",
                calling_place(),
            )
        if name in ATTRIBUTES:
            return _opened(ATTRIBUTES[name], 2 + len(default))
    if isinstance(x, types.ModuleType | type):
        return plainly
    if isinstance(x, types.FunctionType) and name in changes.OF_FUNCTIONS:
        raise UnsupportedSyntaxError(
            f"`{name}` of a function",
            "what flows into the function by this name is not followed",
            "call the function by its own name, and use the variable itself",
            calling_place(),
        )
    if getattr(getattr(x, name), "__self__", None) is x and name not in own:
        return _bound_method
    return _tuple_field if isinstance(x, tuple) and hasattr(x, "_fields") else _field


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
        return (None, cls(*[y_bar if field == name else None for field in cls._fields]), None, *(None,) * n)

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


non_differentiable(_static, _property_beyond)
