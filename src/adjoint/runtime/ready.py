"""Calls that are ready: what is done for a builtin function and arguments of certain classes, found once.

A call of the same function on arguments of the same classes then costs one look-up. Entries are made only where nothing
but rules decides what happens: for functions that nobody can change, of classes that nobody can change, that do no more
than compute. They are forgotten when rules change.
"""

from __future__ import annotations

import functools
import types
from typing import Any

import numpy as np

from ..ir import intrinsics
from ..rules.libraries import on_change
from ..rules.outside import acts, is_iterator
from ..rules.ready import Ready, ready_elementwise
from ..rules.ready_items import ready_item
from ..rules.ready_products import ready_product
from ..rules.registry import RULES, find_rules
from ..tangents.lane_runs import has_lanes
from ..tangents.lanes import NoLanes, current
from ..tangents.sweep import thread
from .effects import effects_of
from .slots import arranged
from .spec import CALLERS, SPECIAL
from .targets import CHOICES, TOLD, as_it_is, select

Flags = tuple[bool, ...]
Entries = dict[Any, Ready | None]
"""By the function and the classes of three arguments, that of `ABSENT` for those not given. None where the call is to
be looked at each time."""

KINDS = frozenset(
    [
        types.FunctionType,
        types.BuiltinFunctionType,
        types.MethodDescriptorType,
        types.WrapperDescriptorType,
        type,
        np.ufunc,
        type(np.sum),
    ]
)
"""Classes of functions that have entries: hashed by identity, held by their entries."""

_VALUES = frozenset([float, int, bool, complex, str, bytes, type(None), slice, np.ndarray, *np.sctypeDict.values()])
_FUNCTIONS = frozenset([types.FunctionType, types.BuiltinFunctionType, type, np.ufunc, np.dtype])
_CONTAINERS = frozenset([list, tuple, dict])
SETTLED = _VALUES | _FUNCTIONS | _CONTAINERS
"""Classes of arguments that nobody can change, and that are no iterators."""

MAX_ENTRIES = 1000


class _Absent:
    """Of what stands for an argument that is not given."""


ABSENT = _Absent()

_all: list[Entries] = []
_changes = [0]


def new_entries() -> Entries:
    """A table that is emptied when rules change."""
    entries: Entries = {}
    _all.append(entries)
    return entries


def _forget() -> None:
    _changes[0] += 1
    for entries in _all:
        entries.clear()


on_change.append(_forget)


def learn(entries: Entries, f: Any, args: tuple[Any, ...], needs: Flags | None) -> None:
    """Make the entry of a call that has just been done, if it can have one."""
    try:
        key = (f, *map(type, args), *[type(ABSENT)] * (3 - len(args)))
        if key in entries or not SETTLED.issuperset(map(type, args)) or not _may_be_held(f):
            return
    except TypeError:
        return  # the class of an argument is no key
    before = _changes[0]
    if len(entries) >= MAX_ENTRIES:
        entries.clear()
    entries[key] = entry_of(f, args, needs)
    if _changes[0] != before:  # rules were changed by another thread, meanwhile
        entries.pop(key, None)


def _may_be_held(f: Any) -> bool:
    """Tell whether a function is there as long as its library, or as its rule."""
    if type(f) is types.BuiltinFunctionType:
        return isinstance(f.__self__, types.ModuleType | type | None)
    return type(f) not in (types.FunctionType, type) or f in RULES


def entry_of(f: Any, args: tuple[Any, ...], needs: Flags | None) -> Ready | None:
    """Make what computes `(y, back)` of a call by its rule, for any arguments of these classes."""
    if f is intrinsics.iterate and len(args) == 1:
        return _run_through(f, args)
    if f in SPECIAL or f in CALLERS or acts(f):
        return None
    rules = find_rules(f)
    if rules is None:
        return None
    if not rules.differentiable:
        return _checked(_constant(f, len(args)), args)
    found = select(rules, args, {})
    if found is None:
        return None
    method, n = found[0], len(args)
    wanted = None if needs is None else needs[1 : 1 + n]
    classes = tuple(map(type, args))
    ready = ready_elementwise(f, method, classes, wanted) or ready_product(f, method, classes, wanted)
    if ready is not None:
        return ready
    item = ready_item(method, classes)
    if item is not None:
        return _checked(item, args)
    told = wanted is not None and "needs" in (method.call.__kwdefaults__ or {})
    call = functools.partial(method.call, needs=wanted) if told else method.call
    return _checked(_by_rule(call, n), args)


def _run_through(f: Any, args: tuple[Any, ...]) -> Ready | None:
    """Make the entry of what a loop runs through."""
    rules = find_rules(f)
    rule = None if rules is None else rules.select(tuple(map(type, args)))
    return _checked(functools.partial(as_it_is, f) if rule is None else _by_rule(rule.call, 1), args)


def _by_rule(call: Any, n: int) -> Ready:
    """By the rule itself."""
    nothing, slots = (None,) * (1 + n), tuple(range(n))

    def by_rule(*args: Any) -> tuple[Any, Any]:
        y, back = call(*args)

        def rule_back(y_bar: Any) -> tuple[Any, ...]:
            bars = None if y_bar is None else back(y_bar)
            if bars is None:
                return nothing
            return (None, *bars) if len(bars) == n else arranged(bars, slots)

        return y, rule_back

    return by_rule


def _constant(f: Any, n: int) -> Ready:
    """Nothing flows through it."""
    nothing = (None,) * (1 + n)

    def back(y_bar: Any) -> tuple[Any, ...]:
        return nothing

    return lambda *args: (f(*args), back)


def _checked(ready: Ready, args: tuple[Any, ...]) -> Ready:
    """The same for containers, which may hold what rules are not about."""
    if _CONTAINERS.isdisjoint(map(type, args)):
        return ready

    def checked(*args: Any) -> tuple[Any, Any]:
        if current.count is not None and has_lanes(args):
            raise NoLanes
        return ready(*args)

    return checked


# ---- what the runtime itself knows


def handler_now(f: Any, args: tuple[Any, ...], needs: Flags | None) -> Any:
    """The handler of a function that the runtime itself knows; None where `find_target` has to look at the call."""
    if current.count is not None or f in CALLERS:
        return None
    if f is intrinsics.iterate and (type(args[0]) is list or type(args[0]) is tuple or type(args[0]) is np.ndarray):
        return None  # it gets an entry
    if thread.state.trial:
        found = effects_of(f)
        if found.acts or found.runs_through and any(map(is_iterator, args)):
            return None
    if needs is not None and f in TOLD:
        return TOLD[f](needs)
    return CHOICES[f](*args) if f in CHOICES else SPECIAL[f]
