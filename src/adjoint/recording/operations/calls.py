"""Calls: of the user's functions, which are recorded in their turn, of methods, of classes, of what has rules."""

from __future__ import annotations

import types
import weakref
from collections import deque
from typing import Any

import numpy as np

from ...classify import Kind, classify, kind_of
from ...errors import AdjointError, MutationError, calling_place
from ...identity import is_hashable
from ...rules.calls import OF_MATH, of_numbers
from ...rules.numpy.callables import PROGRAMS
from ...rules.numpy.entries import as_numbers, is_of_numbers
from ...rules.registry import find_rules, non_differentiable
from ...runtime.spec import OPERATORS
from ...runtime.targets import ONLY_ONCE, runs_users_code
from ...runtime.wrapped import special_method
from ...tangents.data import holds_data
from ...wrappers import PASSING, STORING, called_by, called_for, function_of
from ..alive import referent
from ..cuts import noted
from ..lost import is_any_lost
from ..places import check_proxy, gather_cotangent, place
from ..reached import note_stored
from ..sweep import Sweep, is_valued
from .array_calls import called
from .base import (
    HANDLERS,
    METHODS,
    NOTHING,
    WAYS,
    Record,
    Result,
    adapting,
    behind_super,
    is_nonzero,
    nothing,
    of_bound,
    with_first,
    without_first,
)
from .conversions import makes_arrays, on_arrays, on_numbers
from .functions import is_library, run
from .listed import JOINING, RUNS_THROUGH, completing, on_lists, takes_own
from .native import DISPATCHING, INDEXED, check_asked, check_key, check_numbers_of, taken_over
from .opaque import opaque, plain
from .outputs import with_out, writes_out
from .quick import PLAIN_OPERANDS, PLANS, planned
from .ruled import as_arrays, by_tables, knows_tables, ruled, ruled_or_lost

Args = tuple[Any, ...]
Kwargs = dict[str, Any]


def call(record: Record, k: int, f: Any, /, *args: Any, **kwargs: Any) -> Any:
    """`f(*args, **kwargs)`."""
    plan = PLANS.get((f, type(args[0]))) if len(args) == 1 and type(f) is types.BuiltinFunctionType else None
    y, back = invoke(record, k, f, args, kwargs) if plan is None or kwargs else plan(*args)
    record((k, back))
    return y


def apply(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Any:
    """`f(*args, **kwargs)`, the operand being the tuple `args`; `kwargs` has been made for this call."""
    y, back = invoke_as(lambda back: _gathered(back, 0, len(args), kwargs), record, k, f, args, kwargs)
    record((k, back))
    return y


def method(record: Record, k: int, owner: Any, name: str, /, *args: Any, **kwargs: Any) -> Any:
    """`owner.name(*args, **kwargs)`."""
    cls = type(owner)
    handler = METHODS.get((cls, name)) if cls is list or cls is deque else None
    if handler is not None:
        if noted.open:
            note_stored((owner,), (*args, *kwargs.values()))
        if name in INDEXED:
            check_numbers_of(owner, name, args)
        y, back = handler(record, k, owner, args, kwargs)
    elif cls is str and not kwargs and _TEXTUAL.issuperset(map(type, args)) and not is_any_lost():
        y, back = getattr(owner, name)(*args), nothing
    elif (own := _function_of(owner, name)) is not None:  # at once: each frame here is one less for recursion
        y, back = invoke(record, k, own, (owner, *args), kwargs)
    else:
        y, back = _invoke_other(record, k, owner, name, args, kwargs)
    record((k, back))
    return y


_TEXTUAL = frozenset([str, bytes, int, bool, type(None)])
"""Classes of what a method of a text makes no text of a number of."""


def apply_method(record: Record, k: int, owner: Any, name: str, args: Args, kwargs: Kwargs) -> Any:
    """`owner.name(*args, **kwargs)`, the operands being `owner` and the tuple `args`."""

    def adapt(back: Any) -> Any:
        return _gathered(back, 1, len(args), kwargs)

    y, back = invoke_method(adapting(record, adapt), k, owner, name, args, kwargs)
    record((k, adapt(back)))
    return y


def _gathered(back: Any, first: int, n: int, kwargs: Kwargs) -> Any:
    def reverse(sweep: Sweep, y_bar: Any) -> Any:
        d = back(sweep, y_bar)
        given = d[1 + first : 1 + first + n]
        for name, bar in zip(kwargs, d[1 + first + n :], strict=False):
            sweep.add(kwargs, name, bar)
        bar = tuple(given) if any(g is not None for g in given) else None
        return (*d[: 1 + first], bar)

    return reverse


def invoke(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    """The result of a call, and its `back`."""
    cls = type(f)
    if cls is types.FunctionType:
        if PASSING and (passed := called_for(f, args, kwargs)) is not None:
            return invoke(record, k, passed, args, kwargs)
        if (handler := HANDLERS.get(f)) is not None:
            if noted.open:
                note_stored(args, (*args, *kwargs.values()))
            return handler(record, k, f, args, kwargs)  # type: ignore[no-any-return]
        rules = find_rules(f)
        if rules is not None:
            return by_rules(record, k, f, rules, args, kwargs)
        if f in ONLY_ONCE:
            return None, nothing
        return run(record, k, f, args, kwargs)
    if cls is types.MethodType:
        return invoke_as(of_bound(f), record, k, f.__func__, (f.__self__, *args), kwargs)
    kind = kind_of(f)
    if kind == "partial":
        return WAYS["partial"](record, k, f, args, kwargs)  # type: ignore[no-any-return]
    if (cls in DISPATCHING or "like" in kwargs) and (refusal := taken_over(f, args, kwargs)) is not None:
        return opaque(f, args, kwargs, refusal)
    handler = HANDLERS.get(f) if f.__class__ is cls and is_hashable(f) else None
    if handler is not None:
        if noted.open:
            note_stored(args, (*args, *kwargs.values()))
        return handler(record, k, f, args, kwargs)  # type: ignore[no-any-return]
    if isinstance(f, weakref.ref) and cls.__module__ == "weakref":
        return referent(f), nothing
    if kind == "method" or kind == "builtin" and isinstance(f.__self__, type):
        adapt = of_bound(f)
        y, back = _of_builtin(adapting(record, adapt), k, f.__self__, f.__name__, f, args, kwargs)
        return y, adapt(back)
    if args and kind == "descriptor":
        return _of_builtin(record, k, args[0], f.__name__, f, args[1:], kwargs, f.__objclass__)
    called = called_by(f)
    rules = None if called is not None and STORING.get(called) else find_rules(f)
    if rules is not None and called is None:
        return by_rules(record, k, f, rules, args, kwargs)
    if rules is not None:
        return _dispatched(record, k, f, called, rules, args, kwargs)
    if kind == "class" or kind == "getter" or kind == "cached" and called is not None:
        return WAYS[kind](record, k, f, args, kwargs)  # type: ignore[no-any-return]
    if kind == "entries" and cls is np.ufunc and is_of_numbers(args, kwargs):
        return invoke(record, k, function_of(f), as_numbers(args), kwargs)
    found = _by_class(record, k, f, kind, args, kwargs)
    if found is not None:
        return found
    if called is not None:
        return invoke(record, k, called, args, kwargs)
    special_method(cls, "__call__")
    check_proxy(f)  # what the program has stored into the object behind it would be out of sight
    return opaque_on_lists(record, k, f, args, kwargs)


def _by_class(record: Record, k: int, f: Any, kind: Kind, args: Args, kwargs: Kwargs) -> Result | None:
    """A call of an object by the `__call__` of its class; None where that is not looked into."""
    if kind == "object" and not (c := classify(f)).args:
        return invoke(record, k, c.callee, args, kwargs)
    own = getattr(type(f), "__call__", None)  # noqa: B004 - the method itself is wanted
    if own in HANDLERS:
        return invoke_as(without_first, record, k, own, (f, *args), kwargs)
    rules = find_rules(own)
    if rules is not None and own in PROGRAMS:
        y, back = run(record, k, PROGRAMS[own], (f, *args), kwargs)
        return y, without_first(back)
    compiled = type(own).__name__ == "cython_function_or_method" and rules is not None
    # A proxy has the fields of another object.
    looked_into = isinstance(own, types.FunctionType) and f.__class__ is type(f)
    if compiled or looked_into and (not is_library(own) or rules is not None):
        return invoke_as(without_first, record, k, own, (f, *args), kwargs)
    return None


def _dispatched(record: Record, k: int, f: Any, called: Any, rules: Any, args: Args, kwargs: Kwargs) -> Result:
    """A call of a compiled function with a rule of its own: where that cannot be, of the function it is made of."""
    try:
        return by_rules(record, k, f, rules, args, kwargs)
    except MutationError:
        STORING[called] = True
        return invoke(record, k, called, args, kwargs)


def opaque_on_lists(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    """A call of what is not looked into, which is given lists for the iterators of this program."""
    args, completed = on_lists(record, k, args)
    return completing(record, k, completed, lambda: opaque(f, args, kwargs))


def invoke_as(adapt: Any, record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    """A call within an operation with other operands: `adapt` makes of its `back` that of the operation."""
    y, back = invoke(adapting(record, adapt), k, f, args, kwargs)
    return y, adapt(back)


def by_rules(record: Record, k: int, f: Any, rules: Any, args: Args, kwargs: Kwargs) -> Result:
    """A call of what has rules."""
    if not is_hashable(f):  # a program's own rule of an object
        args, completed = on_lists(record, k, args)
        return completing(
            record, k, completed, lambda: ruled_or_lost(rules, f, args, kwargs) or opaque(f, args, kwargs)
        )
    if args and not kwargs and type(args[0]) in PLAIN_OPERANDS:
        plan = planned(f, args)
        if plan is not None:
            return plan(*args)  # type: ignore[no-any-return]
    if (found := called(rules, f, args, kwargs)) is not None:
        return found
    if rules.differentiable and of_numbers(f):
        numbers, completed = on_numbers(invoke, record, k, f, args)
        return completing(record, k, completed, lambda: _ruled(record, k, f, rules, numbers, kwargs))
    if rules.differentiable and makes_arrays(f, kwargs):
        arrays, completed = on_arrays(invoke, record, k, f, args)
        if completed is not None:
            return completing(record, k, completed, lambda: by_rules(record, k, f, rules, arrays, kwargs))
    iterated = rules.differentiable and f not in OPERATORS and any(map(runs_users_code, args))
    own = f in OF_MATH or f in JOINING or iterated and not takes_own(f, rules, args)
    if rules.differentiable and not knows_tables(rules) and any([holds_data(type(x)) for x in args]):
        return by_tables(f, args, kwargs) or as_arrays(rules, f, args, kwargs) or opaque(f, args, kwargs)
    listed = rules.differentiable or f in RUNS_THROUGH
    args, completed = on_lists(record, k, args, f if own else None) if listed else (args, None)
    return completing(record, k, completed, lambda: _ruled(record, k, f, rules, args, kwargs))


def _ruled(record: Record, k: int, f: Any, rules: Any, args: Args, kwargs: Kwargs) -> Result:
    if writes_out(f, args, kwargs):
        found = with_out(record, k, f, args, kwargs)
        if found is not None:
            return found
    if not rules.differentiable:
        return plain(f, args, kwargs)
    found = ruled_or_lost(rules, f, args, kwargs)
    if found is not None:
        return found
    try:
        rules.check_number(len(args))
    except AdjointError as error:
        return _refused_later(error, f, args, kwargs)
    if type(f) is types.FunctionType:
        return run(record, k, f, args, kwargs)
    if isinstance(f, type):
        return WAYS["class"](record, k, f, args, kwargs)  # type: ignore[no-any-return]
    return opaque(f, args, kwargs)


def invoke_method(record: Record, k: int, owner: Any, name: str, args: Args, kwargs: Kwargs) -> Result:
    """The result of a method call; `back` has the owner as its first operand."""
    own = _function_of(owner, name)
    if own is not None:
        return invoke(record, k, own, (owner, *args), kwargs)
    return _invoke_other(record, k, owner, name, args, kwargs)


def _function_of(owner: Any, name: str) -> Any:
    """The function of a method that the class of an object has in Python, where nothing hides it."""
    if type(getattr(type(owner), name, None)) is types.FunctionType:
        m = getattr(owner, name)
        if type(m) is types.MethodType and m.__self__ is owner:
            return m.__func__
    return None


def _invoke_other(record: Record, k: int, owner: Any, name: str, args: Args, kwargs: Kwargs) -> Result:
    """The same of any other method."""
    if isinstance(owner, types.ModuleType):
        return invoke_as(with_first, record, k, getattr(owner, name), args, kwargs)
    m, reading = _method_of(record, k, owner, name)
    if isinstance(owner, super) and is_valued(getattr(m, "__self__", None)):
        return _of_super(record, k, owner, m, name, args, kwargs)
    if type(m) is types.MethodType and m.__self__ is owner:
        return invoke(record, k, m.__func__, (owner, *args), kwargs)
    if type(m) in (types.BuiltinFunctionType, types.MethodWrapperType) and m.__self__ is owner and m not in HANDLERS:
        return _of_builtin(record, k, owner, name, m, args, kwargs)
    if reading is nothing:
        return invoke_as(with_first, record, k, m, args, kwargs)

    def read_and_called(back: Any) -> Any:
        def reverse(sweep: Sweep, y_bar: Any) -> Any:
            d = back(sweep, y_bar)
            return (d[0], reading(sweep, None)[1], *d[1:])

        return reverse

    return invoke_as(read_and_called, record, k, m, args, kwargs)


def _of_super(record: Record, k: int, owner: Any, m: Any, name: str, args: Args, kwargs: Kwargs) -> Result:
    """A method of a tuple or number by `super()`."""
    adapt = behind_super(owner)
    inner = adapting(record, adapt)
    if type(m) is types.MethodType:
        y, back = invoke(inner, k, m.__func__, (owner.__self__, *args), kwargs)
    else:
        y, back = _of_builtin(inner, k, owner.__self__, name, m, args, kwargs)
    return y, adapt(back)


def _method_of(record: Record, k: int, owner: Any, name: str) -> Result:
    """The callee of a method call, and the reverse of reading it."""
    static = getattr(type(owner), name, None)
    if isinstance(static, types.FunctionType | types.MethodDescriptorType):
        return getattr(owner, name), nothing
    return WAYS["attribute"](record, k, owner, name)  # type: ignore[no-any-return]


def _of_builtin(
    record: Record, k: int, owner: Any, name: str, f: Any, args: Args, kwargs: Kwargs, cls: Any = None
) -> Result:
    """A method of a builtin class; the owner is the first operand."""
    if noted.open:
        note_stored((owner,), (*args, *kwargs.values()))
    if isinstance(owner, dict | set) and args:
        check_key(args[0])
    elif isinstance(owner, str):
        check_asked(str.format, (*args, *kwargs.values()))
    check_numbers_of(owner, name, args)
    for base in (*(type.mro(owner) if isinstance(owner, type) else ()), *type(owner).__mro__):
        if base is object and name == "__init__" and getattr(f, "__objclass__", object) is not object:
            break  # another class in C has one, which does more
        if (handler := METHODS.get((base, name))) is not None:
            return handler(record, k, owner, args, kwargs)  # type: ignore[no-any-return]
    if isinstance(owner, np.ufunc):
        rules = find_rules(f)
        if rules is not None:
            found = with_out(record, k, f, args, kwargs)
            if found is None:
                found = ruled(rules, f, args, kwargs) if rules.differentiable else plain(f, args, kwargs)
            if found is not None:
                return found[0], with_first(found[1])
    for base in type(owner).__mro__:
        function = vars(base).get(name)
        rules = None if function is None or type(function) is types.FunctionType else find_rules(function)
        if rules is not None:
            if type(owner) is np.ndarray and (found := called(rules, function, (owner, *args), kwargs)) is not None:
                return found
            if isinstance(owner, np.ndarray):
                found = with_out(record, k, function, (owner, *args), kwargs)
                if found is not None:
                    return found
            if function in RUNS_THROUGH:
                return by_rules(record, k, function, rules, (owner, *args), kwargs)
            if not rules.differentiable:
                return plain(function, (owner, *args), kwargs)
            found = ruled_or_lost(rules, function, (owner, *args), kwargs)
            if found is not None:
                return found
    if cls is not None:
        return opaque_on_lists(record, k, f, (owner, *args), kwargs)
    y, back = opaque_on_lists(adapting(record, with_first), k, f, args, kwargs)
    return y, with_first(back)


def _refused_later(error: AdjointError, f: Any, args: Args, kwargs: Kwargs) -> Result:
    """A call that must not be differentiated: an error if anything flows through it."""
    y = f(*args, **kwargs)
    at = place(y)

    def refused_back(sweep: Sweep, y_bar: Any) -> Any:
        if is_nonzero(gather_cotangent(sweep, at, y_bar)):
            raise error
        return NOTHING

    return y, refused_back


non_differentiable(calling_place, called_for)


__all__ = ["call", "invoke", "invoke_method", "method", "run"]
