"""Callables that are neither plain functions nor have rules: methods, classes, partial functions, callable objects."""

from __future__ import annotations

import builtins
import functools
import operator
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..errors import MutationError
from ..ir import intrinsics
from ..rules import registry
from ..rules.python.objects import replace_in_tuple, tuple_as_dict
from ..rules.registry import find_rules
from ..tangents import Tangent, accumulate, add_at_location, field_bar, take_at_location, zeros_like
from ..tangents.sweep import in_pass, in_sweep, memo
from .dispatch import BY_IDENTITY, OPERATORS, Back, Target, call_pullback, find_target, special

Kwargs = dict[str, Any]


def target_of(f: Any, args: tuple[Any, ...], kwargs: Kwargs) -> Target | None:
    """`(y, back)` of such a callable, as a target; None if nothing is known of it."""
    handler: Any = None
    if isinstance(f, types.MethodType):
        handler = _method
    elif isinstance(f, functools.partial):
        handler = _partial
    elif isinstance(f, functools._lru_cache_wrapper):
        handler = _cached
    elif isinstance(f, type):
        handler = _construct
    elif isinstance(f, types.BuiltinMethodType | types.MethodWrapperType) and not isinstance(
        f.__self__, types.ModuleType | type(None)
    ):
        handler = _bound_builtin
    elif isinstance(f, BY_IDENTITY) and f in OPERATORS:
        handler = _operator
    elif isinstance(call := getattr(type(f), "__call__", None), types.FunctionType) or find_rules(call) is not None:
        handler = _object
    if handler is None:
        return None
    return functools.partial(handler, f, kwargs), args, None


def _method(f: Any, kwargs: Kwargs, *args: Any) -> tuple[Any, Back]:
    function = f.__func__
    if isinstance(f.__self__, tuple) and hasattr(f.__self__, "_fields"):
        function = {"_replace": replace_in_tuple, "_asdict": tuple_as_dict}.get(f.__name__, function)
    y, back = call_pullback(function, f.__self__, *args, **kwargs)

    def method_back(y_bar: Any) -> tuple[Any, ...]:
        _, self_bar, *bars = back(y_bar)
        return (None if self_bar is None else Tangent(types.MethodType, {"__self__": self_bar}), *bars)

    return y, method_back


def _object(f: Any, kwargs: Kwargs, *args: Any) -> tuple[Any, Back]:
    y, back = call_pullback(type(f).__call__, f, *args, **kwargs)
    return y, lambda y_bar: back(y_bar)[1:]


def _bound_builtin(f: Any, kwargs: Kwargs, *args: Any) -> tuple[Any, Back]:
    """A method of a builtin class, bound: `xs.index`, `x.sum`."""
    owner = f.__self__
    if isinstance(owner, list | dict | set) and f.__name__ in intrinsics.MUTATORS:
        raise MutationError(
            f"`.{f.__name__}(...)` changes a {type(owner).__name__} in place that others can see",
            "what others can see must not change while the derivative is taken",
            "build a new one instead",
        )
    descriptor = getattr(type(owner), f.__name__)
    y, back = call_pullback(descriptor, owner, *args, **kwargs)

    def method_back(y_bar: Any) -> tuple[Any, ...]:
        _, self_bar, *bars = back(y_bar)
        return (None if self_bar is None else Tangent(types.MethodType, {"__self__": self_bar}), *bars)

    return y, method_back


@special(functools.partial)
def make_partial(func: Any, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """`functools.partial(...)`: its cotangent has the fields `func`, `args` and `keywords`."""
    y = functools.partial(func, *args, **kwargs)
    nested = isinstance(func, functools.partial)
    before = len(func.args) if nested else 0

    def make_partial_back(y_bar: Any) -> tuple[Any, ...]:
        if y_bar is None:
            return (None,) * (2 + len(args) + len(kwargs))
        func_bar = field_bar(y_bar, "func")
        own = field_bar(y_bar, "args") or (None,) * len(y.args)
        keywords = field_bar(y_bar, "keywords") or {}
        if nested:
            rest = {k: v for k, v in keywords.items() if k not in kwargs}
            fields = {"func": func_bar, "args": own[:before], "keywords": rest}
            func_bar = Tangent(functools.partial, fields)
        return (None, func_bar, *own[before:], *(keywords.get(k) for k in kwargs))

    return y, make_partial_back


def _partial(f: Any, kwargs: Kwargs, *args: Any) -> tuple[Any, Back]:
    keywords = {**f.keywords, **kwargs}
    stored = len(f.args)
    y, back = call_pullback(f.func, *f.args, *args, **keywords)

    def partial_back(y_bar: Any) -> tuple[Any, ...]:
        func_bar, *bars = back(y_bar)
        own, given = tuple(bars[:stored]), bars[stored : stored + len(args)]
        by_name = dict(zip(keywords, bars[stored + len(args) :], strict=True))
        fields = {"func": func_bar, "args": own, "keywords": {k: by_name[k] for k in f.keywords if k not in kwargs}}
        return (Tangent(functools.partial, fields), *given, *(by_name[k] for k in kwargs))

    return y, partial_back


# ---- classes


def _construct(cls: type, kwargs: Kwargs, *args: Any) -> tuple[Any, Back]:
    """A new instance: fields by the generated `__init__` of a dataclass, else by what `__init__` stores."""
    from .construct import construct

    return construct(cls, args, kwargs)


# ---- operators on the user's objects

for _name in "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift".split():
    _plain = _name.strip("_")
    OPERATORS[getattr(operator, _name)] = (f"__{_plain}__", f"__r{_plain}__")
    OPERATORS[getattr(operator, f"i{_plain}")] = (f"__i{_plain}__", None)
for _name, _reflected in (("lt", "gt"), ("le", "ge"), ("gt", "lt"), ("ge", "le"), ("eq", "eq"), ("ne", "ne")):
    OPERATORS[getattr(operator, _name)] = (f"__{_name}__", f"__{_reflected}__")
for _name in ("neg", "pos", "invert", "getitem", "contains"):
    OPERATORS[getattr(operator, _name)] = (f"__{_name}__", None)
OPERATORS[abs] = ("__abs__", None)
OPERATORS[len] = ("__len__", None)
OPERATORS[iter] = ("__iter__", None)
OPERATORS[round] = ("__round__", None)
OPERATORS[float] = ("__float__", None)
OPERATORS[bool] = ("__bool__", None)


def _operator(f: Any, kwargs: Kwargs, *args: Any) -> tuple[Any, Back]:
    """An operator, as Python looks it up: by the left operand's class, else by the right one's."""
    name, reflected = OPERATORS[f]
    if f in _IN_PLACE:
        if not hasattr(type(args[0]), name):
            return call_pullback(_IN_PLACE[f], *args)
        if isinstance(args[0], np.ndarray | list | set | dict):
            raise MutationError(
                "an in-place operation changes an array or container that others can see",
                "what others can see must not change while the derivative is taken",
                "write `x = x + y` instead of `x += y`",
            )
    first = getattr(type(args[0]), name, None)
    swap = False
    if reflected is not None and len(args) == 2:
        right = getattr(type(args[1]), reflected, None)
        derived = type(args[0]) is not type(args[1]) and issubclass(type(args[1]), type(args[0]))
        if right is not None and derived and right is not getattr(type(args[0]), reflected, None):
            first, swap = right, True
    for _ in range(2):
        if isinstance(first, types.FunctionType):
            operands = args[::-1] if swap else args
            y, back = call_pullback(first, *operands)
            if y is not NotImplemented:
                flipped = swap

                def operator_back(y_bar: Any) -> tuple[Any, ...]:
                    _, *bars = back(y_bar)
                    return (None, *(bars[::-1] if flipped else bars))

                return y, operator_back
        if reflected is None or len(args) != 2:
            break
        first, swap = getattr(type(args[1]), reflected, None), True
    y = f(*args, **kwargs)
    return y, lambda y_bar: (None,) * (1 + len(args))


_IN_PLACE = {
    getattr(operator, "i" + n.strip("_")): getattr(operator, n)
    for n in "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift".split()
}


# ---- what the frontend writes


def _store(target: Any, *args: Any) -> tuple[Any, Back]:
    raise MutationError(
        f"a store changes a {type(target).__name__} that others can see",
        "whoever else holds it would see the change, and its derivative cannot follow yet",
        "change a copy that is made here, or build a new value instead",
    )


for _store_function in ("set_item", "delete_item", "set_attribute", "delete_attribute", "stored", "call_method"):
    special(getattr(intrinsics, _store_function))(_store)


@special(intrinsics.invoke)
def invoke(target: Any, name: str, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    method = getattr(target, name)
    y, back = call_pullback(method, *args, **kwargs)
    bound = getattr(method, "__self__", None) is target or isinstance(target, super)

    def invoke_back(y_bar: Any) -> tuple[Any, ...]:
        f_bar, *bars = back(y_bar)
        if bound:
            target_bar = f_bar
            if not isinstance(target, super):
                target_bar = field_bar(f_bar, "__self__")
        else:
            target_bar = None if f_bar is None else Tangent(type(target), {name: f_bar})
        return (None, target_bar, None, *bars)

    return y, invoke_back


@special(intrinsics.spread)
def spread(stars: tuple[bool, ...], names: tuple[str | None, ...], values: tuple[Any, ...]) -> tuple[Any, Back]:
    """Arguments laid out for a call; needed where `apply` is itself differentiated."""
    args, kwargs = intrinsics.spread(stars, names, values)
    lengths = [len(list(v)) if star else 1 for star, v in zip(stars, values, strict=False)]

    def spread_back(y_bar: Any) -> tuple[Any, ...]:
        args_bar, kwargs_bar = (None, None) if y_bar is None else y_bar
        args_bar = [None] * len(args) if args_bar is None else args_bar
        kwargs_bar = {} if kwargs_bar is None else kwargs_bar
        starts = [sum(lengths[:i]) for i in range(len(lengths))]
        parts = [args_bar[at : at + n] for at, n in zip(starts, lengths, strict=True)]
        positional = [tuple(part) if star else part[0] for star, part in zip(stars, parts, strict=True)]
        named = [
            {k: kwargs_bar.get(k) for k in value} if name is None else kwargs_bar.get(name)
            for name, value in zip(names, values[len(stars) :], strict=True)
        ]
        return (None, None, None, (*positional, *named))

    return (args, kwargs), spread_back


@special(intrinsics.apply)
def apply(f: Any, stars: tuple[bool, ...], names: tuple[str | None, ...], *values: Any) -> tuple[Any, Back]:
    args, kwargs = intrinsics.spread(stars, names, values)
    y, back = call_pullback(f, *args, **kwargs)
    lengths = [len(list(v)) if star else 1 for star, v in zip(stars, values, strict=False)]

    def apply_back(y_bar: Any) -> tuple[Any, ...]:
        f_bar, *bars = back(y_bar)
        out, at = [], 0
        for star, value, n in zip(stars, values, lengths, strict=False):
            part = bars[at : at + n]
            at += n
            out.append((part if isinstance(value, list) else np.stack(part) if isinstance(value, np.ndarray) else tuple(part)) if star else part[0])
        by_name = dict(zip(kwargs, bars[at:], strict=True))
        for name, value in zip(names, values[len(stars) :], strict=True):
            out.append({k: by_name[k] for k in value} if name is None else by_name[name])
        return (None, f_bar, None, None, *out)

    return y, apply_back


@special(intrinsics.iterate)
def iterate(x: Any) -> tuple[Any, Back]:
    """What a loop runs through: the user's own containers by their `__iter__`."""
    method = getattr(type(x), "__iter__", None)
    if isinstance(method, types.FunctionType) and not isinstance(x, Iterator):
        y, back = call_pullback(method, x)
        return y, lambda y_bar: (None, back(y_bar)[1])
    if method is None and isinstance(getattr(type(x), "__getitem__", None), types.FunctionType):
        raise MutationError("iteration by `__getitem__` alone is not supported", "", "give the class an `__iter__`")
    rules = find_rules(intrinsics.iterate)
    rule = None if rules is None else rules.select((type(x),))
    if rule is None:
        return x, lambda y_bar: (None, y_bar)
    y, back = rule.call(x)
    return y, lambda y_bar: (None, *back(y_bar))


@special(builtins.getattr)
def get_attribute(x: Any, name: str, *default: Any) -> tuple[Any, Back]:
    """An attribute: properties by their function, bound methods, fields."""
    static = _static(type(x), name)
    if isinstance(static, property) and isinstance(static.fget, types.FunctionType):
        y, back = call_pullback(static.fget, x)
        return y, lambda y_bar: (None, back(y_bar)[1], None, *(None for _ in default))
    getter = getattr(type(static), "__get__", None)
    if isinstance(getter, types.FunctionType) and not isinstance(static, types.FunctionType):
        stored = name in getattr(x, "__dict__", {}) and not hasattr(type(static), "__set__")
        if not stored and not isinstance(static, functools.cached_property):
            y, back = call_pullback(getter, static, x, type(x))
            return y, lambda y_bar: (None, back(y_bar)[2], None, *(None for _ in default))
    if isinstance(static, functools.cached_property) and name not in vars(x):
        y, back = call_pullback(static.func, x)
        return y, lambda y_bar: (None, back(y_bar)[1], None, *(None for _ in default))
    getter = getattr(type(x), "__getattr__", None)
    if isinstance(getter, types.FunctionType) and static is None and name not in getattr(x, "__dict__", {}):
        y, back = call_pullback(getter, x, name)
        return y, lambda y_bar: (None, back(y_bar)[1], None, *(None for _ in default))
    if isinstance(x, np.ndarray | np.generic | int | float | complex):
        from ..rules.numpy.shaping import ATTRIBUTES

        if name in ATTRIBUTES:
            y, back = ATTRIBUTES[name](x)
            return y, lambda y_bar: (None, back(y_bar)[0], None)
    y = getattr(x, name, *default)

    def attribute_back(y_bar: Any) -> tuple[Any, ...]:
        rest = (None,) * (1 + len(default))
        if y_bar is None:
            return (None, None, *rest)
        if default and y is default[0] and not hasattr(x, name):
            return (None, None, None, y_bar)
        if isinstance(x, super):
            return (None, y_bar, *rest)
        if getattr(y, "__self__", None) is x and isinstance(y_bar, Tangent):
            return (None, y_bar["__self__"], *rest)
        if isinstance(x, tuple) and hasattr(x, "_fields"):
            return (None, type(x)(*(y_bar if f == name else None for f in x._fields)), *rest)
        if isinstance(x, types.ModuleType | type):
            return (None, None, *rest)
        return (None, Tangent(type(x), {name: y_bar}), *rest)

    return y, attribute_back


@special(super)
def super_(*args: Any) -> tuple[Any, Back]:
    """`super()`: its cotangent is that of the bound method read from it."""
    return super(*args), lambda y_bar: (None, None, field_bar(y_bar, "__self__"))


def _cached(f: Any, kwargs: Kwargs, *args: Any) -> tuple[Any, Back]:
    """Through `lru_cache`: a private cache for this pass. A hit adds its cotangent to the entry, whose `back` runs once,
    where the result was first computed."""
    key = (id(f), args, tuple(kwargs.items()))
    entries = memo()
    entry = entries.get(key)
    n = 1 + len(args) + len(kwargs)
    if entry is not None:
        location = entry

        def hit_back(y_bar: Any) -> tuple[Any, ...]:
            add_at_location(location, y_bar)
            return (None,) * n

        return entry.value, hit_back
    y, back = call_pullback(f.__wrapped__, *args, **kwargs)
    made = entries[key] = _Entry(y, f)

    def first_back(y_bar: Any) -> tuple[Any, ...]:
        total = accumulate(y_bar, take_at_location(made))
        if total is None:  # results that were first computed in here may be waiting for theirs
            total = zeros_like(y)
        return (None,) * n if total is None else back(total)

    first_back.always = True  # type: ignore[attr-defined]
    return y, first_back


class _Entry:
    def __init__(self, value: Any, function: Any) -> None:
        self.value = value
        self.function = function  # its id is in the key


def _static(cls: type, name: str) -> Any:
    for base in cls.__mro__:
        if name in base.__dict__:
            return base.__dict__[name]
    return None


@special(registry.call_pullback)
@special(call_pullback)
def pullback_of_pullback(f: Any, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """The derivative of taking a derivative: `(f, args) -> (y, back)` is itself a function, the rule of `f`."""
    target, target_args, adapt = find_target(f, args, kwargs)
    (y, raw), outer = call_pullback(target, *target_args)
    back = raw if adapt is None else adapt(raw)
    own = isinstance(f, types.FunctionType) and target_args and target_args[0] is f

    def outer_back(d: Any) -> tuple[Any, ...]:
        if d is None:
            return (None,) * (2 + len(args) + len(kwargs))
        y_bar, back_bar = d
        if adapt is not None:
            back_bar = field_bar(back_bar, "back")
        target_bar, *bars = outer((y_bar, back_bar))
        # The cotangents of the target's arguments, as a `back` of the call would give them.
        f_bar, *of_args = bars if own else (None, *bars)
        if adapt is not None:
            _, *of_args = adapt(_Given((f_bar, *of_args) if own else tuple(of_args)))(())
        elif kwargs:
            stored = None if target_bar is None else target_bar["keywords"] or target_bar["args"][1]
            of_args = [*of_args, *(None if stored is None else stored.get(k) for k in kwargs)]
        return (None, accumulate(f_bar, _of_partial(target, f, target_bar)), *of_args)

    return (y, back), outer_back


@special(in_sweep)
def in_sweep_rule(f: Any, *args: Any) -> tuple[Any, Back]:
    """A derivative's reverse run, inside of what is differentiated."""
    y, back = in_sweep(call_pullback, f, *args)
    return y, lambda y_bar: (None, *back(y_bar))


@special(in_pass)
def in_pass_rule(f: Any, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """A derivative's forward run, inside of what is differentiated."""
    y, back = in_pass(call_pullback, f, *args, **kwargs)
    return y, lambda y_bar: (None, *back(y_bar))


class _Given:
    """A `back` that gives what it was made with."""

    def __init__(self, bars: tuple[Any, ...]) -> None:
        self.bars = bars

    def __call__(self, y_bar: Any) -> tuple[Any, ...]:
        return self.bars


def _of_partial(target: Any, f: Any, target_bar: Any) -> Any:
    """The cotangent of `f` where it is the first thing that a target has stored."""
    stored = isinstance(target, functools.partial) and target.args and target.args[0] is f
    return target_bar["args"][0] if stored and target_bar is not None else None


@special(find_target)
def find_target_rule(f: Any, args: tuple[Any, ...], kwargs: Kwargs) -> tuple[Any, Back]:
    """Third derivatives and higher differentiate `pullback_of_pullback`, which looks for the target."""
    found = find_target(f, args, kwargs)
    target, target_args, _ = found
    own = target_args and target_args[0] is f and len(target_args) == len(args) + 1

    def find_target_back(d: Any) -> tuple[Any, ...]:
        target_bar, bars, _ = (None, None, None) if d is None else d
        bars = (None,) * len(target_args) if bars is None else bars
        f_bar = _of_partial(target, f, target_bar)
        if own:
            f_bar, bars = accumulate(f_bar, bars[0]), bars[1:]
        return (None, f_bar, tuple(bars[: len(args)]), None)

    return found, find_target_back


@special(functools.update_wrapper)
def update_wrapper(wrapper: Any, wrapped: Any, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """`functools.wraps`: only names and texts are copied."""
    y = functools.update_wrapper(wrapper, wrapped, *args, **kwargs)
    return y, lambda y_bar: (None, y_bar, *(None,) * (1 + len(args) + len(kwargs)))


@special(functools._lru_cache_wrapper)
def make_cached(function: Any, *args: Any) -> tuple[Any, Back]:
    """A function through `lru_cache`, made here: its cotangent is that of the function."""
    y = functools._lru_cache_wrapper(function, *args)
    return y, lambda y_bar: (None, y_bar, *(None,) * len(args))


@special(functools.lru_cache)
@special(functools.cache)
def cache(function: Any = 128, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """`lru_cache(f)`, or the decorator that `lru_cache(maxsize=...)` gives."""
    y = functools.lru_cache(function, *args, **kwargs)
    return y, lambda y_bar: (None, y_bar, *(None,) * (len(args) + len(kwargs)))
