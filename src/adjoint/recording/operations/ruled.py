"""Calls of functions that have rules, and of those that nobody knows.

A rule keeps what it needs of its arguments and of its result. Arrays and lists may be written later, so that it is
given copies: one for as long as nothing is stored into the array that it is a copy of.
"""

from __future__ import annotations

import functools
import types
from typing import Any

import numpy as np

from ...cells import captured_by
from ...errors import NoRuleError
from ...ops import Returns, find_op
from ...ops.questions import package_of, possible
from ...origin import is_users, module_of
from ...rules.calls import is_time
from ...rules.faithful import special
from ...rules.registry import find_rules, non_differentiable
from ...rules.rulesets import RuleSet
from ...rules.tables import gives_apart, is_of_tables
from ...runtime.handed import check_handed, is_writing
from ...runtime.refusing import no_rule
from ...runtime.targets import select
from ...tangents import Unknown, add_at_location, quietly, tuple_like
from ...tangents.data import holds_data, in_data
from ...tangents.fields import contents_carried, fields_besides
from ...tangents.sweep import in_located_sweep
from ...tangents.tables import CHANGED, is_table, memory_of
from ...tangents.unknown import refused, unknown_in
from ...tangents.windows import owner_of
from ...tangents.zeros import check_numbers
from ..lost import is_any_lost, losses_in
from ..memory import is_foreign
from ..observer import refuse
from ..places import Extended, Held, Placed, field_slot, gather_cotangent, place, scatter_cotangent
from ..sweep import Sweep, is_valued
from .base import NOTHING, WAYS, Result, is_nonzero, is_passive, nothing
from .contents import arrays_in, carries, is_out_of_sight, items_of, library_fields
from .layouts import is_otherwise, only_computes
from .native import check_array
from .opaque import bind_table, losses_of, opaque, plain
from .quick import PLAIN_OPERANDS, planned
from .snapshots import snapshot

_OF_ARRAYS = ("adjoint.rules.numpy", "adjoint.rules.scipy")
"""Modules with rules of functions that make arrays of what they are given."""


def ruled(rules: RuleSet, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Result | None:
    """A call by its rule; None if there is none for these arguments. `a.flat` counts as the row of its entries."""
    found = select(rules, snapshot(args) if np.flatiter in map(type, args) else args, kwargs)
    if found is None:
        return None
    if args and isinstance(args[0], np.ndarray) and may_view(rules.function):
        y = f(*args, **kwargs)
        if is_view(y, args):
            return y, nothing
    method, picks, slots = found
    values = (*args, *kwargs.values())
    if is_any_lost() and losses_in([a for a in arrays_in(values) if a.dtype.kind == "O"]):
        return opaque(f, args, kwargs)  # of objects, of which it is not known what they are made of
    if (method.call.__module__ or "").startswith(_OF_ARRAYS):
        for v in values:
            check_array(f, v)
    keywords = {k: i for i, k in enumerate(kwargs, start=len(args)) if i not in picks}
    plain = all([type(v) is float or type(v) is np.float64 or type(v) is int for v in values])
    if plain and not keywords:
        y, rule_back = method.call(*[values[i] for i in picks])
        if is_valued(y):
            return y, _of_numbers(rule_back, slots)
    if any(map(is_time, values)):
        return opaque(f, args, kwargs)
    places = [place(v) for v in values]
    own = is_of_tables(method.call)  # it keeps copies of what it needs
    kept = [
        v if p is None and not is_out_of_sight(v) and (own or not is_table(v)) else snapshot(v)
        for v, p in zip(values, places, strict=True)
    ]
    for i in keywords.values():
        kept[i] = snapshot(values[i])
    y, rule_back = method.call(*[kept[i] for i in picks], **{k: kept[i] for k, i in keywords.items()})
    copies = [k for k, v in zip(kept, values, strict=True) if k is not v]
    again = is_otherwise(method, values, kept) and only_computes(f, values)
    y = quietly(lambda: f(*args, **kwargs)) if again else _apart(y, copies, f, args, kwargs, None if own else rule_back)
    if _holds_records(y):
        check_numbers(y.dtype)
    at = place(y)
    if at is None and not is_valued(y) and not is_passive(y) and any(map(carries, values)):
        refuse(no_rule(f))  # nobody knows what it keeps of what it was given
        return y, nothing

    def ruled_back(sweep: Sweep, y_bar: Any) -> Any:
        d = gather_cotangent(sweep, at, y_bar)
        if d is None and not getattr(rule_back, "always", False):
            return NOTHING
        if (unknown := unknown_in(d, y)) is not None:  # neither is what any argument would get
            return all_unknown(sweep, unknown)
        if cells:
            bars, located = in_located_sweep(rule_back, d)
            for location, bar in located:
                _give_cell(sweep, cells, f, location, bar)
        else:
            try:
                bars = rule_back(d)
            except NoRuleError as error:
                return all_unknown(sweep, refused(error))
        n = len(bars)
        given = [bars[i] if i < n else None for i in slots]
        for i in lost:
            asked: Any = given[i]
            if is_nonzero(asked) and (out_of_sight[i] or is_valued(values[i])):
                for loss in out_of_sight[i]:
                    loss.reach(sweep)
                if i in changed:
                    given[i] = Unknown(*CHANGED)
            elif isinstance(asked, Unknown):
                asked.refuse()
            elif own and holds_data(type(values[i])):
                given[i] = None  # data, which are constants
            elif is_nonzero(asked):
                raise no_rule(f)  # what it would flow to has no place
        return (None, *[scatter_cotangent(sweep, p, bar) for p, bar in zip(places, given, strict=True)])

    def all_unknown(sweep: Sweep, d: Unknown) -> Any:
        flows = [p is not None or is_valued(v) for p, v in zip(places, values, strict=True)]
        for loss in [loss for found in out_of_sight.values() for loss in found]:
            loss.reach(sweep)
        return None, *[scatter_cotangent(sweep, p, d if flow else None) for p, flow in zip(places, flows, strict=True)]

    cells = _cells_in(places)
    lost = [i for i, v in enumerate(values) if places[i] is None and not is_passive(v) and _may_be_lost(v)]
    out_of_sight = {i: losses_in((values[i],)) if is_valued(values[i]) else losses_of(values[i]) for i in lost}
    changed = [i for i, losses in out_of_sight.items() if any([loss.is_changed() for loss in losses])]
    if not gives_apart(method.call):
        bind_table(y, values)
    return y, ruled_back


def _may_be_lost(x: Any) -> bool:
    """Tell whether numbers may have gone into a value where they have no place: into an object, or a labelled array."""
    return not is_valued(x) or holds_data(type(x))


def _cells_in(places: Any) -> list[Any]:
    """The shared variables that functions among the arguments captured, with the places of what they hold."""
    found = []
    for p in places:
        if isinstance(p, Placed):
            found += _cells_in(p.places)
        elif isinstance(p, Held) and p.kind == "cells":
            found += [held for held in p.places if isinstance(held[0], types.CellType)]
            found += _cells_in([held[2] for held in p.places])
        elif isinstance(p, Held):
            found += _cells_in(p.places)
        elif isinstance(p, Extended):
            found += _cells_in((p.place, *p.places))
    return found


def _give_cell(sweep: Sweep, cells: list[Any], f: Any, location: Any, bar: Any) -> None:
    """Hand over what a rule that calls a function adds to a shared variable: this program keeps it elsewhere."""
    for cell, slot, inner in cells:
        if cell is location:
            sweep.add(cell, slot, scatter_cotangent(sweep, inner, bar))
            return
    if isinstance(location, types.CellType):
        raise no_rule(f)
    add_at_location(location, bar)


def _of_numbers(rule_back: Any, slots: tuple[int, ...]) -> Any:
    def numbers_back(sweep: Sweep, y_bar: Any) -> Any:
        if y_bar is None:
            return NOTHING
        bars = rule_back(y_bar)
        n = len(bars)
        return (None, *[bars[i] if i < n else None for i in slots])

    return numbers_back


def _apart(y: Any, copies: list[Any], f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], back: Any) -> Any:
    """The result as the program sees it: what is a view of an argument's copy must be one of the argument, and what
    the rule keeps must be a copy."""
    owners = [owner_of(a) for a in (*arrays_in(copies), *[a for x in copies for a in memory_of(x)])]
    parts = memory_of(y) or arrays_in([y])
    if any(y is x for x in copies) or any(owner_of(part) is owner for part in parts for owner in owners):
        return f(*args, **kwargs)
    if isinstance(y, tuple) and any([isinstance(part, np.ndarray | list | dict) for part in y]):
        return tuple_like(type(y), [_own(part, back) for part in y])
    return _own(y, back)


def _own(y: Any, back: Any) -> Any:
    """A result, or one of several, that the rule does not keep: one without a `back` keeps none."""
    if back is None:
        return y
    changes = isinstance(y, np.ndarray | list | dict) or (contents_carried(y) or library_fields(y)) is not None
    return snapshot(y) if changes and keeps(back, y) else y


def keeps(back: Any, y: Any, depth: int = 3) -> bool:
    """Tell whether a `back` may hold on to a result."""
    if type(back) is not types.FunctionType:
        return True
    for value in captured_by(back).values():
        if value is y or isinstance(value, np.ndarray) and isinstance(y, np.ndarray) and np.may_share_memory(value, y):
            return True
        if type(value) is types.FunctionType and depth and keeps(value, y, depth - 1):
            return True
        if isinstance(value, list | dict | tuple):
            return True
    return False


@functools.cache
def may_view(f: Any) -> bool:
    """Tell whether a function with a rule may give an argument, or its memory in another form."""
    row = find_op(f)
    shown = [e for e in possible(f) if isinstance(e, Returns) and e.how in ("", "view") and e.ref != "out"]
    return row is not None and package_of(f) == "numpy" and bool(shown)


def is_view(y: Any, args: tuple[Any, ...]) -> bool:
    """Tell whether a result, or all that is in it, lies in the memory of an argument: who has one has the other."""
    parts, owners = arrays_in(y), [owner_of(a) for a in arrays_in(args)]
    return len(parts) > 0 and all([any([owner_of(part) is owner for owner in owners]) for part in parts])


def ruled_or_lost(rules: RuleSet, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Result | None:
    """The same; a function that is refused as a whole, or of arrays of a class that no rule is true of, as a call
    through which nothing can flow."""
    try:
        return ruled(rules, f, args, kwargs)
    except NoRuleError as error:
        values = (*args, *kwargs.values())
        if in_data(module_of(f)):
            return opaque(f, args, kwargs, error)
        if _is_of_masked(f) or any([isinstance(x, np.ndarray) and type(x) is not np.ndarray for x in values]):
            return as_arrays(rules, f, args, kwargs) or opaque(f, args, kwargs, error)
        if not _runs_as_it_is(rules, f, args, kwargs):
            raise
        if type(f) is types.FunctionType and is_users(f.__code__.co_filename):
            check_handed(f, (f,))
        y, back = opaque(f, args, kwargs, error)
        if rules.refusal is None and not _is_data(y):
            raise  # the rules of its methods may know nothing of such objects
        if any([a.dtype.kind == "V" for a in arrays_in([y])]) and any(map(carries, values)):
            raise  # what flows to records has no place
        return y, back


def _runs_as_it_is(rules: RuleSet, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Tell whether a call that its rule refuses can run, and be refused where something flows through it: if the rule
    has not run it, or it does the same again, and if what it stores into is told."""
    values = (*args, *kwargs.values())
    ours = module_of(f).startswith("adjoint.")
    stores = is_writing(f) and contents_carried(values[0]) is None
    if ours or stores or "out" in kwargs:
        return False
    refuses_all = rules.refusal is not None and all(method.name.endswith("_refused") for method in rules.methods)
    return refuses_all or all(map(_is_data, values))


def _is_data(x: Any) -> bool:
    """Tell whether a function gives the same of a value again: of numbers, texts, arrays, and what is made of these."""
    if isinstance(x, tuple) or type(x) in (list, dict):
        return all(map(_is_data, items_of(x)))
    data = type(x) is not types.FunctionType and is_passive(x) or isinstance(x, int | float | complex | np.generic)
    return data or type(x) is np.ndarray and x.dtype.kind != "O" or contents_carried(x) is not None


def _holds_records(y: Any) -> bool:
    """Tell whether a result is an array of objects some of which hold numbers: what flows to these has no place in
    it."""
    objects = isinstance(y, np.ndarray) and y.dtype.kind == "O"
    return objects and any([not isinstance(x, np.ndarray) and place(x) is not None for x in y.flat])


def _is_of_masked(f: Any) -> bool:
    """Tell whether a function is one of `numpy.ma`."""
    return any([module_of(x).startswith("numpy.ma") for x in (f, type(f))])


def knows_tables(rules: RuleSet) -> bool:
    """Tell whether a function is the user's or ours, whose rules take labelled arrays as they are."""
    return rules.is_users or module_of(rules.function).startswith("adjoint.")


def by_tables(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Result | None:
    """A call with labelled arrays by a rule that is for them; None where there is none."""
    rules = find_rules(f)
    found = None if rules is None else select(rules, args, kwargs)
    if rules is None or found is None or not is_of_tables(found[0].call):
        return None
    try:
        return ruled(rules, f, args, kwargs)
    except NoRuleError as error:
        return opaque(f, args, kwargs, error)


def as_arrays(rules: RuleSet, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Result | None:
    """A call with tables of a library, or arrays of a class that has methods of its own: by the rule for the arrays
    that NumPy makes of them, if that computes the same; None if it does not, or there are none."""
    made = [_as_array(x) for x in args]
    if all(x is a for x, (a, _) in zip(args, made, strict=True)):
        return None
    y = f(*args, **kwargs)
    if not isinstance(y, np.ndarray | np.generic | float) or is_view(y, args):
        return None
    try:
        found = ruled(rules, f, tuple([a for a, _ in made]), kwargs)
    except NoRuleError:
        return None
    if found is None or np.asarray(found[0]).tobytes() != np.asarray(y).tobytes():
        return None
    z, turn = found
    at, to, fields = place(y), place(z), _given_on(y, args, f)

    def arrays_back(sweep: Sweep, y_bar: Any) -> Any:
        for own, name, source in fields:
            if is_nonzero(d := sweep.take(own, name)):
                if isinstance(source, Exception):
                    raise source
                source(sweep, d)
        d = list(turn(sweep, scatter_cotangent(sweep, to, gather_cotangent(sweep, at, y_bar))))
        for i, (_, back) in enumerate(made, start=1):
            if back is not None:
                d[i] = back(sweep, d[i])[1]
        return d

    return y, arrays_back


def _as_array(x: Any) -> Result:
    """Array with which NumPy computes for a table or an array of a class of its own: its numbers, or its memory."""
    if holds_data(type(x)):
        return by_tables(np.asarray, (x,), {}) or opaque(np.asarray, (x,), {})
    own = (
        isinstance(x, np.ndarray)
        and type(x) is not np.ndarray
        and special(f"{type(x).__module__}.{type(x).__name__}") is None
    )
    return (x.view(np.ndarray) if own else x), None  # type: ignore[return-value]


def _given_on(y: Any, args: tuple[Any, ...], f: Any) -> list[Any]:
    """The fields of a result, which the class has copied from an argument: where each has its cotangent, and where that
    goes to."""
    found = []
    for name, value in (fields_besides(y) or {}).items():
        if not is_valued(value):
            continue
        same = [x for x in args if (fields_besides(x) or {}).get(name, MISSING) is value]
        own, slot = field_slot(y, name)
        found.append((own, slot, _adding(*field_slot(same[0], name)) if same else no_rule(f)))
    return found


def _adding(own: Any, slot: Any) -> Any:
    return lambda sweep, d: sweep.add(own, slot, d)


MISSING = object()


def by_rule(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Result:
    """A call by the rules of a function alone."""
    if args and not kwargs and type(args[0]) in PLAIN_OPERANDS:
        plan = planned(f, args)
        if plan is not None:
            return plan(*args)  # type: ignore[no-any-return]
    return unplanned(f, args, kwargs)


def unplanned(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Result:
    """The same of operands that no plan is for."""
    rules = find_rules(f)
    if rules is None:
        return opaque(f, args, kwargs)
    return WAYS["plain operands"](rules, f, args, kwargs) or long_way(rules, f, args, kwargs)


def long_way(rules: RuleSet, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Result:
    """The same of any operands: places are asked for, and what has none is looked into."""
    if not rules.differentiable:
        return plain(f, args, kwargs)
    return ruled_or_lost(rules, f, args, kwargs) or opaque(f, args, kwargs)


# What is found out about a call is no part of what it computes.
non_differentiable(is_time, select, keeps, no_rule, find_rules, _given_on, _holds_records, check_numbers)

__all__ = [
    "Held", "Placed", "by_tables", "find_rules", "is_foreign", "keeps", "opaque", "plain", "ruled", "snapshot",
]  # fmt: skip
