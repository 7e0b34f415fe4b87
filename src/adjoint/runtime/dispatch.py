"""The knot: `(y, back)` of any callable, by its rule or by one that is generated, and the caches that make it quick.

Inside, `back(ȳ)` gives the cotangents of the function itself, of each positional argument, then of each keyword
argument.
"""

from __future__ import annotations

import functools
import logging
import types
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import AdjointError, NoRuleError, NotDifferentiableError, calling_place
from ..ir import intrinsics
from ..ir.nodes import Signature
from ..ir.types import UNKNOWN, Fn, Nested
from ..rules.registry import RULES, find_rules, on_change, tie
from ..tangents import scalar_seed
from ..tangents.sweep import in_pass, in_sweep
from .guards import guard_of
from .spec import CALLERS, LOCK, OPERATORS, SPECIAL, Spec, World, lowered
from .typeof import typeof

log = logging.getLogger("adjoint")

Back = Callable[[Any], tuple[Any, ...]]
MAX_PER_KEY = 6
MAX_CODES = 512


class Table:
    """The generated rules of one code object, by the classes of the arguments and then by guards."""

    def __init__(self, code: types.CodeType, signature: Signature) -> None:
        self.code = code
        self.signature = signature
        self.simple = not (signature.kwonly or signature.varargs or signature.varkw)
        self.n = signature.positional
        self.entries: dict[Any, list[tuple[Any, Any, Spec]]] = {}


TABLES: OrderedDict[int, Table] = OrderedDict()
"""By the identity of the code, which the table holds."""

STATISTICS = {"generated": 0}


def table_of(function: types.FunctionType) -> Table:
    """The table of a function's code; the least recently made ones are forgotten when there are too many."""
    table = TABLES.get(id(function.__code__))
    if table is None:
        with LOCK:
            table = Table(function.__code__, lowered(function).signature)
            TABLES[id(function.__code__)] = table
            while len(TABLES) > MAX_CODES:
                TABLES.popitem(last=False)
    return table


def find_rule(
    function: types.FunctionType, table: Table, flat: tuple[Any, ...], needs: tuple[bool, ...] | None = None
) -> Any:
    """The generated rule for these arguments (in the order of the parameters), as a function of `(function, *flat)`."""
    key = (needs, *map(type, flat))
    for guard, entry, _ in table.entries.get(key, ()):
        if guard(function, *flat):
            return entry
    return _generate(function, table, flat, needs, key)


def _generate(
    function: types.FunctionType, table: Table, flat: tuple[Any, ...], needs: tuple[bool, ...] | None, key: Any
) -> Any:
    with LOCK:
        known = table.entries.setdefault(key, [])
        for guard, entry, _ in known:
            if guard(function, *flat):
                return entry
        wanted = needs if needs is not None else (True,) * (1 + len(flat))
        if len(known) >= MAX_PER_KEY and function.__code__ in _CALL_CODES:
            known.clear()  # a call of an object is followed only where the object is known
        if len(known) < MAX_PER_KEY:
            arg_types = (typeof(function), *map(typeof, flat))
            examples: tuple[Any, ...] = (function, *flat)
        else:
            blank = Fn(function.__code__, (UNKNOWN,) * len(function.__closure__ or ()), (), None, function.__globals__)
            arg_types = (blank, *(UNKNOWN for _ in flat))
            examples = ()
            log.info("%s: too many kinds of arguments, one generic rule from here on", function.__qualname__)
        whole = key[0] is WHOLE
        spec = World().spec(function, arg_types, wanted, examples, whole)
        guard = guard_of(spec, function, len(flat))
        spec.forget()
        rule = spec.program if whole else spec.rule
        entry = rule if spec.takes_self else _without_self(rule)
        known.insert(0, (guard, entry, spec))
        STATISTICS["generated"] += 1
        return entry


def value_and_bars(f: Any, needs: tuple[bool, ...], args: tuple[Any, ...], kwargs: dict[str, Any], name: str) -> Any:
    """The value of a real scalar function and the cotangents of the slots that are asked for, in one go."""
    gives_gradient = hasattr(type(f), "__adjoint_gradient__") and not kwargs and len(args) in _CALLS
    if gives_gradient and isinstance(typeof(f), Nested):
        y, bars = value_and_bars(_CALLS[len(args)], (False, *needs), (f, *args), kwargs, name)
        return y, bars[1:]
    if type(f) is types.FunctionType and not kwargs and f not in RULES:
        table = TABLES.get(id(f.__code__)) or table_of(f)
        if table.simple and len(args) == table.n:
            for guard, _, spec in table.entries.get((WHOLE, needs, *map(type, args)), ()):
                if guard(f, *args):
                    return (
                        in_pass(in_sweep, spec.program, f, *args)
                        if spec.takes_self
                        else in_pass(in_sweep, spec.program, *args)
                    )
            program = _generate(f, table, args, needs, (WHOLE, needs, *map(type, args)))
            return in_pass(in_sweep, program, f, *args)
    y, back = in_pass(needing(needs), f, *args, **kwargs)
    return y, in_sweep(back, scalar_seed(y, name))


def _call_with_one(f: Any, a: Any) -> Any:
    return f(a)


def _call_with_two(f: Any, a: Any, b: Any) -> Any:
    return f(a, b)


def _call_with_three(f: Any, a: Any, b: Any, c: Any) -> Any:
    return f(a, b, c)


_CALLS = {1: _call_with_one, 2: _call_with_two, 3: _call_with_three}
_CALL_CODES = frozenset(call.__code__ for call in _CALLS.values())
"""Programs in which a gradient is called: so that gradients of gradients are made from programs."""

WHOLE = "whole"
"""Marks the keys of programs that give value and cotangents at once."""


def _without_first(back: Any) -> Any:
    return lambda y_bar: back(y_bar)[1:]


def _without_self(rule: Any) -> Any:
    return lambda function, *flat: rule(*flat)


# ---- calls


@functools.cache
def needing(needs: tuple[bool, ...] | None) -> Callable[..., tuple[Any, Back]]:
    """`(y, back)` of any call, for some of its slots: the cotangents of the others are not asked for, and not computed
    where that is cheap to know. `needs` has one flag for the function and one per argument; None stands for all.

    What is quick is written out, so that a call costs one frame: recursion through it goes nearly as deep as Python's.
    """
    of_object = None if needs is None else (False, *needs)

    def pullback(f: Any, *args: Any, **kwargs: Any) -> tuple[Any, Back]:
        if not kwargs:
            cls = type(f)
            if cls is types.FunctionType:
                table = TABLES.get(id(f.__code__))
                if table is not None and table.simple and len(args) == table.n and f not in RULES:
                    for guard, _, spec in table.entries.get((needs, *map(type, args)), ()):
                        if guard(f, *args):
                            return spec.rule(f, *args) if spec.takes_self else spec.rule(*args)  # type: ignore[no-any-return]
            elif (function := _CALLABLES.get(cls)) is not None and cls.__call__ is function:
                table = TABLES.get(id(function.__code__))
                if table is not None and table.simple and len(args) + 1 == table.n and function not in RULES:
                    for guard, _, spec in table.entries.get((of_object, cls, *map(type, args)), ()):
                        if guard(function, f, *args):
                            y, back = spec.rule(function, f, *args) if spec.takes_self else spec.rule(f, *args)
                            return y, _without_first(back)
        target, target_args, adapt = find_target(f, args, kwargs, needs)
        y, back = target(*target_args)
        return y, back if adapt is None else adapt(back)

    if needs is not None:
        pullback.__name__ = "pullback_" + "".join("01"[need] for need in needs)
    CALLERS.add(pullback)
    return pullback


_CALLABLES: dict[type, types.FunctionType] = {}
"""The `__call__` of the user's classes, as met."""

call_pullback = needing(None)

on_change.append(TABLES.clear)
tie(call_pullback)

BY_IDENTITY = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.ClassMethodDescriptorType,
    type,
    np.ufunc,
    type(np.sum),
    type(np.random.random),
)
"""What rules are kept for: hashed by identity, without running code of the user's."""


def overridden(f: Any, args: tuple[Any, ...]) -> bool:
    """Whether `f` is an operator that the class of an operand defines in Python: then that counts, not the rule."""
    names = OPERATORS.get(f)
    if names is None:
        return False
    return any(
        isinstance(getattr(type(a), name, None), types.FunctionType)
        for a, name in zip(args, names, strict=False)
        if name is not None
    )


Target = tuple[Any, tuple[Any, ...], Any]


def find_target(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], needs: tuple[bool, ...] | None = None) -> Target:
    """What to call for `(y, back)`, on what, and how its `back` becomes ours (None if it is ours already)."""
    kind = type(f)
    if kind is types.FunctionType and f in CALLERS:
        f = call_pullback
    if hasattr(kind, "__adjoint_gradient__") and not kwargs and len(args) in _CALLS and isinstance(typeof(f), Nested):
        target, target_args, _ = find_target(_CALLS[len(args)], (f, *args), kwargs)
        return target, target_args, _without_first
    if isinstance(f, BY_IDENTITY):
        known = SPECIAL.get(f)
        if known is not None:
            return functools.partial(known, **kwargs), args, None
        rules = find_rules(f)
        if rules is not None and not overridden(f, args):
            found = _ruled(f, rules, args, kwargs, needs)
            if found is not None:
                return found
    if kind is types.FunctionType:
        return _transformed(f, args, kwargs, needs)
    call = kind.__call__
    if isinstance(call, types.FunctionType) and "__call__" in kind.__dict__ and not kwargs:
        if len(_CALLABLES) > MAX_CODES:
            _CALLABLES.clear()
        _CALLABLES[kind] = call
        table = table_of(call)
        if table.simple and len(args) + 1 == table.n and call not in RULES:
            wanted = None if needs is None else (False, *needs)
            return find_rule(call, table, (f, *args), wanted), (call, f, *args), _without_first
    return _callable(f, args, kwargs)


def special(f: Any) -> Callable[[Any], Any]:
    """Declare how a function is treated that the runtime itself knows: `handler(*args) -> (y, back)`."""

    def register(handler: Any) -> Any:
        SPECIAL[f] = handler
        return handler

    return register


def _ruled(
    f: Any, rules: Any, args: tuple[Any, ...], kwargs: dict[str, Any], needs: tuple[bool, ...] | None
) -> Target | None:
    if not rules.differentiable:
        return _plainly(f, args, kwargs)
    n, keywords = len(args), tuple(kwargs)
    if kwargs and (moved := rules.moved(n, keywords)):
        args = (*args, *(kwargs[k] for k in moved))
        kwargs = {k: v for k, v in kwargs.items() if k not in moved}
    method = rules.select(tuple(map(type, args)))
    if method is None:
        return _iterated(f, args, kwargs) if any(map(_iterates, args)) else None
    if needs is not None and "needs" in (method.call.__kwdefaults__ or {}) and len(args) == n:
        kwargs = {**kwargs, "needs": needs[1 : 1 + n]}
    call = functools.partial(method.call, **kwargs) if kwargs else method.call
    return call, args, RuleBack.adapter(n, len(args), method.names, keywords)


def _plainly(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Target:
    """A call through which nothing flows."""
    n = 1 + len(args) + len(kwargs)

    def plain(*values: Any) -> tuple[Any, Back]:
        y = f(*values, **kwargs)
        return y, lambda y_bar: (None,) * n

    return plain, args, None


def _iterates(x: Any) -> bool:
    """Whether iterating over `x` runs Python code."""
    return isinstance(getattr(type(x), "__iter__", None), types.FunctionType)


def _iterated(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Target:
    """`zip(xs, ys)` and the like of the user's own iterables."""

    def iterated(*values: Any) -> tuple[Any, Back]:
        pairs = [call_pullback(intrinsics.iterate, v) if _iterates(v) else (v, None) for v in values]
        y, back = call_pullback(f, *(v for v, _ in pairs), **kwargs)

        def iterated_back(y_bar: Any) -> tuple[Any, ...]:
            f_bar, *bars = back(y_bar)
            given = [
                bar if turn is None or bar is None else turn(bar)[1]
                for bar, (_, turn) in zip(bars, pairs, strict=False)
            ]
            return (f_bar, *given, *bars[len(pairs) :])

        return y, iterated_back

    return iterated, args, None


class RuleBack:
    """A rule's `back` with the slot of the function in front, and one slot for every argument."""

    __slots__ = ("back", "n", "places")

    def __init__(self, back: Any, n: int, places: tuple[int, ...]) -> None:
        self.back = back
        self.n = n
        self.places = places

    @staticmethod
    def adapter(n: int, passed: int, names: tuple[str, ...], keywords: tuple[str, ...]) -> Callable[[Any], RuleBack]:
        """`passed` of the arguments went by position; the cotangents of keywords that no parameter names come last."""
        extras = [k for k in keywords if k not in names]
        first = max(passed, len(names))
        places = tuple(names.index(k) if k in names else first + extras.index(k) for k in keywords)
        return lambda back: RuleBack(back, n, places)

    def __call__(self, y_bar: Any) -> tuple[Any, ...]:
        if y_bar is None:
            return (None,) * (1 + self.n + len(self.places))
        bars = self.back(y_bar)
        given = tuple(bars[i] if i < len(bars) else None for i in range(self.n))
        more = tuple(bars[i] if 0 <= i < len(bars) else None for i in self.places)
        return (None, *given, *more)


def _transformed(
    f: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any], needs: tuple[bool, ...] | None
) -> Target:
    table = table_of(f)
    if table.simple and not kwargs and len(args) == table.n:
        return find_rule(f, table, args, needs), (f, *args), None
    from .binding import bind

    flat, spread = bind(f, table.signature, args, kwargs)
    return find_rule(f, table, flat), (f, *flat), spread


def _callable(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Target:
    from .callables import target_of

    found = target_of(f, args, kwargs)
    if found is not None:
        return found
    if not any(_carries(a) for a in (*args, *kwargs.values())):
        return _plainly(f, args, kwargs)
    raise no_rule(f)


def _carries(value: Any) -> bool:
    t = typeof(value)
    return t.differentiable


def no_rule(f: Any) -> AdjointError:
    """The error for a function that can neither be looked into nor has a rule."""
    name = getattr(f, "__qualname__", None) or getattr(f, "__name__", None) or repr(f)
    module = getattr(f, "__module__", None)
    full = f"{module}.{name}" if module and module != "builtins" else name
    if not callable(f):
        return NotDifferentiableError(
            f"{f!r} is not callable", "only functions are differentiated", "pass a function", calling_place()
        )
    return NoRuleError(
        f"there is no rule for `{full}`, which meets a value that is differentiated",
        "it is not written in Python, so that there is no source to look into",
        f"write a rule: `@adjoint.rule({full})`, or cut the derivative with `adjoint.stop_gradient`",
        calling_place(),
    )
