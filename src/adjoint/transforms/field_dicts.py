"""The `__dict__` of a virtual object: its items are the fields, which are read and stored by known keys."""

from __future__ import annotations

import builtins
import operator
import types
from typing import TYPE_CHECKING, Any

from ..ir import changes, intrinsics
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import UNKNOWN, Record
from . import virtual
from .facts import Bound
from .heap import Heap

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver


def begin(r: Resolver, s: Call, base: Any) -> list[Atom] | None:
    """`base.__dict__` and `vars(base)`; None of anything else, and where a field may be elsewhere."""
    heap: Heap = r.sp.heap
    t = base.type if heap.is_object(base) else None
    if not isinstance(t, Record) or not t.cls.__dictoffset__ or base in heap.items or base in heap.contents:
        return None
    if any([isinstance(x, types.MemberDescriptorType) for cls in t.cls.__mro__ for x in vars(cls).values()]):
        return None
    out = Var(s.out.name, UNKNOWN, True)
    heap.sites[out] = heap.sites[base]
    heap.views[out] = base
    return [out]


def call(r: Resolver, s: Call, fn: Atom, args: list[Any], kwargs: Kwargs) -> list[Atom] | None:
    """What is done with such a dict; None of any other call."""
    heap: Heap = r.sp.heap
    value, fact = fn.value if isinstance(fn, Const) else None, r.sp.facts.get(fn)
    named = args[1].value if len(args) == 2 and isinstance(args[1], Const) else None
    if not kwargs and (value is vars and len(args) == 1 or value is builtins.getattr and named == "__dict__"):
        return begin(r, s, args[0])
    if isinstance(fact, Bound) and fact.receiver in heap.views:
        args, value = [fact.receiver, *args], dict.get
    if not args or args[0] not in heap.views or kwargs:
        return None
    if value is builtins.getattr and named == "get" and s.out in r.uses.only_called:
        out = Var(s.out.name, UNKNOWN, True)
        r.sp.facts[out] = Bound(args[0], "get", dict.get)
        return [out]
    key = args[1].value if len(args) > 1 and isinstance(args[1], Const) else None
    return _by_key(r, s, value, args, key) if type(key) is str else None


def _by_key(r: Resolver, s: Call, value: Any, args: list[Any], key: str) -> list[Atom] | None:
    heap: Heap = r.sp.heap
    own = heap.views[args[0]]
    has = key in heap.names(own)
    if value in (operator.contains, intrinsics.not_contains):
        return [Const(has is (value is operator.contains))]
    if value is operator.getitem and has or value is dict.get and len(args) < 4:
        return [heap.get(own, key) if has else [*args, Const(None)][2]]
    if value is changes.set_item:
        virtual.bind(r, s, own, key, args[2])
        return [args[0]]
    return None
