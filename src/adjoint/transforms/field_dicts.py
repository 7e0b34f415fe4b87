"""The `__dict__` of a virtual object: a virtual dict whose items are the fields of the object."""

from __future__ import annotations

import builtins
import types
from typing import TYPE_CHECKING, Any

from ..ir.lattice import keyed
from ..ir.made_classes import MADE_BY
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import UNKNOWN, Record
from ..tangents import own_dict
from .facts import Path
from .heap import Heap

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver


def call(r: Resolver, s: Call, fn: Atom, args: list[Any], kwargs: Kwargs) -> list[Atom] | None:
    """`base.__dict__` and `vars(base)`; None of anything else, and where a field may be elsewhere."""
    value = fn.value if isinstance(fn, Const) and not kwargs else None
    named = args[1].value if len(args) == 2 and isinstance(args[1], Const) else None
    if not (value is vars and len(args) == 1 or value is builtins.getattr and named == "__dict__"):
        return None
    heap: Heap = r.sp.heap
    base = args[0]
    t = base.type if heap.is_object(base) else None
    if not isinstance(t, Record) or not t.cls.__dictoffset__ or base in heap.items or base in heap.contents:
        return None
    slots = [name for cls in t.cls.__mro__ for name, x in vars(cls).items() if type(x) is types.MemberDescriptorType]
    if MADE_BY in heap.names(base) or {*slots} - {"__dict__"}:
        return None
    if base in heap.unordered or not _has_no_others(r, base):
        raise heap.escape(base)
    found = next((view for view, own in heap.views.items() if own is base), None)
    return [_begun(heap, s, base) if found is None else found]


def _has_no_others(r: Resolver, base: Any) -> bool:
    """Rely on it that an argument has the fields that were found in it, in their order, and no others."""
    fact = r.sp.facts.get(base)
    if not isinstance(fact, Path):
        return True
    own = own_dict(fact.example)
    if own is None:
        return False
    r.context.rely(fact.param, (*fact.names, "__dict__"), keyed(dict.fromkeys(own, UNKNOWN)))
    return True


def _begun(heap: Heap, s: Call, base: Var) -> Var:
    out = Var(s.out.name, UNKNOWN, True)
    heap.sites[out] = heap.sites[base]
    heap.views[out] = base
    heap.dicts.add(out)
    return out
