"""Dicts that are their items: virtual objects whose fields are what is under their keys.

A dict that a program makes with texts as keys, and that nobody else can have, is not made as long as each key that is
read or stored is known: `virtual` says what becomes of its items where ways meet, and where it escapes.
"""

from __future__ import annotations

import math
import operator
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..identity import is_hashable
from ..ir import changes, intrinsics
from ..ir.nodes import Atom, Call, Const, Star, Var
from ..ir.types import UNKNOWN, Fn
from ..ops.questions import mutators
from . import virtual_sequences
from .chosen_functions import under_key
from .effects import IN_PLACE
from .facts import Bound, Source
from .replacing import display_of, items_of, listed, pairs_of
from .uses import CHANGING, calls_of, is_call_of
from .virtual import bind, hold, real, take

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

Args = list[Any]


def of_display(r: Resolver, s: Call, keys: list[str], values: Args) -> Var | None:
    """`{"a": x}` as a virtual dict; None where it is made."""
    changed = _is_changed(r) or any([a in r.sp.heap for a in values])
    return _made(r, s, dict(zip(keys, values, strict=True))) if changed and _may_be(r, s.out) else None


def _may_be(r: Resolver, site: Var) -> bool:
    heap, context = r.sp.heap, r.context
    if heap.real is None or site in heap.real or heap.escaping or r.generation.memory is not None:
        return False
    return not (context.plain or context.caller is None or r.generation.only_primal)


def begun(r: Resolver, s: Call) -> Var | None:
    """An empty virtual dict; None where it is made."""
    return _made(r, s, {}) if _may_be(r, s.out) else None


def _made(r: Resolver, s: Call, items: dict[str, Atom]) -> Var:
    heap = r.sp.heap
    out = Var(s.out.name, UNKNOWN, True)
    take(r, out, s)
    heap.dicts.add(out)
    for key, value in items.items():
        hold(r, value, out)
        heap.set(out, key, value)
    return out


def _is_changed(r: Resolver) -> bool:
    """Tell whether the function stores items, or calls one that may, or that gives what it makes."""
    calls = [*calls_of(r.sp.frame.function.body.statements)]
    if r.sp.frame.depth or any([is_call_of(c, (*CHANGING, *IN_PLACE)) for c in calls]):
        return True
    methods = {c.out for c in calls if is_call_of(c, (getattr,))}
    known = r.uses.displays.functions
    called = {c.fn: known.get(c.fn) for c in calls if c.args and isinstance(c.fn, Var) and c.fn not in methods}
    return any([f is None or isinstance(f, types.FunctionType) and not _is_known(r, f) for f in called.values()])


def call(r: Resolver, s: Call, fn: Atom, args: list[Any], kwargs: Kwargs) -> list[Atom] | None:
    """A call that is given virtual containers; None of any other, and of one that is written out with them."""
    known = fn.value if isinstance(fn, Const) else None
    if (found := virtual_sequences.call(r, s, fn, args, kwargs)) is not None:
        return found
    fact = r.sp.facts.get(fn)
    bound = isinstance(fact, Bound) and _is_dict(r, fact.receiver)
    given = [a for a in (*args, *(v for _, v in kwargs)) if _is_container(r, a)]
    if not given and not bound:
        return None
    if any([name is None and _is_dict(r, v) for name, v in kwargs]):  # its keys become keywords
        return r.call(s, fn, args, _spread(r, kwargs))
    if isinstance(fact, Bound) and bound:
        return _method(r, s, fact, args, kwargs)
    own = _OWN.get(known) if is_hashable(known) and args and _is_dict(r, args[0]) else None
    s = Call(s.outs, fn, s.args, s.kwargs, s.span)
    if known is changes.call_method and args[1].value == "update" and None not in dict(kwargs):
        named = {str(name): value for name, value in kwargs}
        if own is not None and len(args) < 4 and _put(r, s, args[0], args[2:], named):
            return [Const(None), args[0]]
    elif own is not None and not kwargs and (found := own(r, s, args)) is not None:
        return found
    if is_hashable(known) and known in _READING:
        args = [_snapshot(r, s, a) for a in args]
    if _takes_objects(r, fn, known) and not (known is changes.set_item and args[0] not in r.sp.heap):
        return None
    args = [Star(real(r, a.value)) if isinstance(a, Star) else real(r, a) for a in args]
    return r.call(s, fn, args, [(name, real(r, v)) for name, v in kwargs])


def _spread(r: Resolver, kwargs: Kwargs) -> Kwargs:
    """`**d` of virtual dicts as keywords; where one is given twice as a dict, and Python says so."""
    heap, found = r.sp.heap, list[Any]()
    for name, value in kwargs:
        if name is None and isinstance(value, Var) and _is_dict(r, value):
            found += [(key, heap.get(value, key)) for key in heap.names(value)]
        else:
            found.append((name, value))
    names = [name for name, _ in found]
    return found if len({*names}) == len(names) else [(name, real(r, v) if name is None else v) for name, v in kwargs]


def _is_dict(r: Resolver, a: Any) -> bool:
    return a in r.sp.heap.dicts and a in r.sp.heap


def _is_container(r: Resolver, a: Any) -> bool:
    return a in r.sp.heap and (a in r.sp.heap.dicts or a in r.sp.heap.sequences)


def _takes_objects(r: Resolver, fn: Atom, known: Any) -> bool:
    """Tell whether what is called is written out, or holds what it is given as it is."""
    if isinstance(fn, Var):
        return fn in r.sp.heap or isinstance(fn.type, Fn) or isinstance(r.sp.facts.get(fn), Bound)
    if is_hashable(known) and known in _HOLDING:
        return True
    user = isinstance(known, (types.FunctionType, type)) and known.__module__ not in ("builtins", "numpy")
    return user and not _is_known(r, known) and known not in _OURS


def _is_known(r: Resolver, f: Any) -> bool:
    """Tell whether a function has rules, and is not written out."""
    return r.generation.find_rules(f) is not None


_HOLDING = (
    *(zip, enumerate, reversed, operator.is_, operator.is_not, changes.set_attribute, changes.set_item),
    object.__setattr__,
    *(intrinsics.make_list, intrinsics.make_tuple, intrinsics.make_dict, intrinsics.make_function),
    *(intrinsics.make_cell, intrinsics.store_cell, intrinsics.capture, intrinsics.capture_cell),
)
_OURS = frozenset([intrinsics.unpack, intrinsics.merge_dicts, intrinsics.dict_from_items, changes.call_method])


_READING = (intrinsics.merge_dicts, operator.or_, operator.eq, operator.ne, dict)
"""Functions that read a dict at once, and keep nothing of it but its items."""


def _snapshot(r: Resolver, s: Call, a: Any) -> Any:
    """A dict of the fields that an object has now, in place of its `__dict__`."""
    if a not in r.sp.heap.views:
        return a
    (made,) = display_of(r, Call((Var(""),), s.fn, (), (), s.span), [a], [])  # type: ignore[misc]
    return made


def _key(r: Resolver, d: Any, key: Atom) -> Any:
    """A key that the dict has; None of any other."""
    value = key.value if isinstance(key, Const) and type(key.value) is str else None
    return value if value in r.sp.heap.names(d) else None


def _item(r: Resolver, s: Call, args: Args) -> list[Atom] | None:
    key, heap = _key(r, args[0], args[1]), r.sp.heap
    if key is not None:
        return [heap.get(args[0], key)]
    names = tuple(heap.names(args[0]))
    values = [heap.get(args[0], name) for name in names]
    chosen = None if not names or isinstance(args[1], Const) else under_key(r, s, args[1], names, values)
    return None if chosen is None else [chosen]


def _set_item(r: Resolver, s: Call, args: Args) -> list[Atom] | None:
    (d, key, value), heap = args, r.sp.heap
    if not isinstance(key, Const) or type(key.value) is not str:
        return None
    if d in heap.views:
        bind(r, s, heap.views[d], key.value, value)
        return [d]
    hold(r, value, d)
    heap.set(d, key.value, value)
    return [d]


def _delete_item(r: Resolver, s: Call, args: Args) -> list[Atom] | None:
    key = _key(r, args[0], args[1])
    if key is None:
        return None
    _remove(r, args[0], key)
    return [args[0]]


def _remove(r: Resolver, d: Any, key: str) -> None:
    if r.sp.heap.views.get(d) in r.sp.written.owns:
        raise r.sp.heap.escape(d)  # fields of arguments are stored in the end, and not taken out
    r.sp.heap.remove(d, key)


def _contains(r: Resolver, s: Call, args: Args) -> list[Atom] | None:
    if not isinstance(args[1], Const) or type(args[1].value) is not str:
        return None
    found = _key(r, args[0], args[1]) is not None
    return [Const(found is (s.fn.value is operator.contains))]  # type: ignore[union-attr]


def _length(r: Resolver, s: Call, args: Args) -> list[Atom] | None:
    return [Const(len(r.sp.heap.names(args[0])))]


def _is_none(r: Resolver, s: Call, args: Args) -> list[Atom] | None:
    if not isinstance(args[1], Const):
        return None
    return [Const(s.fn.value is operator.is_not)]  # type: ignore[union-attr]


def _keys(r: Resolver, s: Call, args: Args) -> list[Atom] | None:
    """`list(d)` and `sorted(d)`."""
    if len(args) > 1:
        return None
    keys = [*r.sp.heap.names(args[0])]
    fn = s.fn.value  # type: ignore[union-attr]
    return [listed(r, s, s.out, tuple(map(Const, sorted(keys) if fn is sorted else keys)))]


def _copied(r: Resolver, s: Call, args: Args) -> list[Atom] | None:
    """`dict(d)` and `d.copy()`."""
    if len(args) > 1:
        return None
    if s.out in (r.sp.heap.real or ()):
        return display_of(r, s, args, []) if args[0] in r.sp.heap.views else None
    return [_made(r, s, {key: r.sp.heap.get(args[0], key) for key in r.sp.heap.names(args[0])})]


def _attribute(r: Resolver, s: Call, args: Args) -> list[Atom] | None:
    name = args[1].value if len(args) == 2 and isinstance(args[1], Const) else ""
    method = getattr(dict, name, None)
    if not isinstance(method, types.MethodDescriptorType) or s.out not in r.uses.only_called:
        return None
    out = Var(s.out.name, UNKNOWN, True)
    r.sp.facts[out] = Bound(args[0], name, method)
    return [out]


def _updated(r: Resolver, s: Call, args: Args) -> list[Atom] | None:
    """`d |= e`."""
    return [args[0]] if _put(r, s, args[0], args[1:], {}) else None


def _put(r: Resolver, s: Call, d: Any, others: Args, named: dict[str, Atom]) -> bool:
    """Store the items of others in their order; tells whether these are known."""
    found = [items_of(r, s, a) or pairs_of(r, s, a) for a in others]
    if None in found:
        return False
    for items in (*found, named):
        for key, value in items.items():  # type: ignore[union-attr]
            _set_item(r, s, [d, Const(key), value])
    return True


def _changed(r: Resolver, s: Call, args: Args) -> list[Atom] | None:
    """`d.pop("a")`, `d.setdefault("a", x)` and `d.clear()`."""
    d, name, rest = args[0], args[1].value, args[2:]
    key = _key(r, d, rest[0]) if rest and len(rest) < 3 else None
    if name == "clear" and not rest:
        for each in [*r.sp.heap.names(d)]:
            _remove(r, d, each)
        return [Const(None), d]
    if name == "pop" and key is not None:
        value = r.sp.heap.get(d, key)
        _remove(r, d, key)
        return [value, d]
    if name == "setdefault" and len(rest) == 2:
        if key is None and _set_item(r, s, [d, *rest]) is None:
            return None
        return [r.sp.heap.get(d, rest[0].value), d]
    return None


_OWN: dict[Any, Callable[[Resolver, Call, Args], list[Atom] | None]] = {
    operator.getitem: _item,
    changes.set_item: _set_item,
    changes.delete_item: _delete_item,
    changes.call_method: _changed,
    operator.contains: _contains,
    intrinsics.not_contains: _contains,
    operator.is_: _is_none,
    operator.is_not: _is_none,
    operator.ior: _updated,
    intrinsics.entries: lambda r, s, args: args,
    len: _length,
    list: _keys,
    sorted: _keys,
    dict: _copied,
    getattr: _attribute,
}


def _method(r: Resolver, s: Call, fact: Bound, args: Args, kwargs: Kwargs) -> list[Atom] | None:
    """`d.name(...)`."""
    d: Any = fact.receiver
    if fact.name in mutators():
        changing = Call(s.outs, Const(changes.call_method), (), (), s.span)
        return (call(r, changing, changing.fn, [d, Const(fact.name), *args], kwargs) or [])[: len(s.outs)]
    if fact.name in ("keys", "values", "items") and not args and not kwargs:
        if s.out in r.uses.only_iterated:
            out = Var("", UNKNOWN, False)
            r.sp.facts[out] = Source(fact.name, (d,))
            r.pending[out] = (Const(fact.function), [d], [])
            return [out]
        if _is_taken_at_once(r, s.out) and not any([r.sp.heap.get(d, key) in r.sp.heap for key in r.sp.heap.names(d)]):
            return [_run_through(r, s, d, fact.name)]
    if fact.name == "copy" and not args and not kwargs and (copy := _copied(r, s, [d])) is not None:
        return copy
    if fact.name == "get" and len(args) in (1, 2) and isinstance(args[0], Const) and not kwargs:
        key = _key(r, d, args[0])
        return [r.sp.heap.get(d, key) if key is not None else args[1] if len(args) == 2 else Const(None)]
    made = real(r, d)
    fn = Var(s.out.name, UNKNOWN, True)
    r.sp.facts[fn] = Bound(made, fact.name, fact.function)
    return r.call(s, fn, args, kwargs)


_AT_ONCE = frozenset([all, any, len, list, max, min, set, sorted, sum, tuple, math.fsum, math.prod])
"""Functions that run through the first thing that they are given before they give anything."""


def _is_taken_at_once(r: Resolver, view: Var) -> bool:
    """Tell whether one function runs through what `d.values()` gives, before anything else is done."""
    uses = r.uses.displays.uses.get(view, []) if view in r.uses.only_consumed else []
    return any(
        [
            isinstance(use, Call)
            and not use.kwargs
            and use.args[0] is view
            and r.uses.displays.functions.get(use.fn) in _AT_ONCE
            for use in uses
        ]
    )


def _run_through(r: Resolver, s: Call, d: Any, part: str) -> Atom:
    """`d.values()` and its like as a list, for a function that runs through it at once."""
    items = items_of(r, s, d) or {}
    given: dict[str, list[Atom]] = {"keys": [*map(Const, items)], "values": [*items.values()]}
    found = (
        given[part]
        if part in given
        else [r.emit_call(intrinsics.make_tuple, [Const(k), v], s.span) for k, v in items.items()]
    )
    return listed(r, s, s.out, tuple(found))
