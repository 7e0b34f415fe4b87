"""Callables that are neither plain functions nor have rules: methods, classes, partial functions, callable objects."""

from __future__ import annotations

import functools
import types
from typing import Any

from ..errors import MutationError, calling_place
from ..ir import intrinsics
from ..rules.python.objects import replace_in_tuple, tuple_as_dict
from ..rules.registry import find_rules
from ..tangents import Tangent, accumulate, add_at_location, field_bar, take_at_location, zeros_like
from ..tangents.sweep import memo
from .dispatch import BY_IDENTITY, Back, Target, call_pullback, special
from .operators import call_operator
from .second_order import in_sweep_rule as in_sweep_rule
from .spec import OPERATORS

Kwargs = dict[str, Any]


def target_of(f: Any, args: tuple[Any, ...], kwargs: Kwargs) -> Target | None:
    """`(y, back)` of such a callable, as a target; None if nothing is known of it."""
    handler: Any
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
        handler = call_operator
    else:
        call = getattr(type(f), "__call__", None)  # noqa: B004 - the method itself is wanted
        handler = _object if isinstance(call, types.FunctionType) or find_rules(call) is not None else None
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
            calling_place(),
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


def _construct(cls: type, kwargs: Kwargs, *args: Any) -> tuple[Any, Back]:
    """A new instance: fields by the generated `__init__` of a dataclass, else by what `__init__` stores."""
    from .construct import construct

    return construct(cls, args, kwargs)


def _cached(f: Any, kwargs: Kwargs, *args: Any) -> tuple[Any, Back]:
    """Through `lru_cache`: a private cache for this pass.

    Equal numbers may be different variables, so that each hit runs the `back` of the entry for its own arguments. Where
    what flows can only go to the variables of a closure, a hit adds its cotangent to the entry instead, whose `back`
    runs once, where the result was first computed.
    """
    typed = tuple(map(type, args)) if f.cache_parameters()["typed"] else ()
    key = (id(f), args, tuple(kwargs.items()), typed)
    entries = memo()
    entry = entries.get(key)
    n = 1 + len(args) + len(kwargs)
    if not _is_shared(f.__wrapped__, (*args, *kwargs.values())):
        if entry is None:
            y, back = call_pullback(f.__wrapped__, *args, **kwargs)
            entry = entries[key] = _Entry(y, f, back)
        return entry.value, entry.back
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


def _is_shared(function: Any, args: tuple[Any, ...]) -> bool:
    """Whether a cached function has variables of its own, and labels for arguments."""
    return bool(getattr(function, "__closure__", None)) and all(isinstance(x, int | str | None) for x in args)


class _Entry:
    def __init__(self, value: Any, function: Any, back: Any = None) -> None:
        self.value = value
        self.function = function  # its id is in the key
        self.back = back


@special(functools.update_wrapper)
def update_wrapper(wrapper: Any, wrapped: Any, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """`functools.wraps`: only names and texts are copied."""
    y = functools.update_wrapper(wrapper, wrapped, *args, **kwargs)
    return y, lambda y_bar: (None, y_bar, *(None,) * (1 + len(args) + len(kwargs)))


@special(functools._lru_cache_wrapper)
def make_cached(function: Any, *args: Any) -> tuple[Any, Back]:
    """A function through `lru_cache`, made here: its cotangent is that of the function."""
    y: Any = functools._lru_cache_wrapper(function, *args)  # type: ignore[call-arg]
    return y, lambda y_bar: (None, y_bar, *(None,) * len(args))


@special(functools.lru_cache)
@special(functools.cache)
def cache(function: Any = 128, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
    """`lru_cache(f)`, or the decorator that `lru_cache(maxsize=...)` gives."""
    y = functools.lru_cache(function, *args, **kwargs)
    return y, lambda y_bar: (None, y_bar, *(None,) * (len(args) + len(kwargs)))
