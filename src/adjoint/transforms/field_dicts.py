"""The `__dict__` of a virtual object: a virtual dict whose items are the fields of the object.

Of an object that is given, and whose fields are only read, it is a display of these.
"""

from __future__ import annotations

import builtins
import inspect
import types
from typing import TYPE_CHECKING, Any

from ..ir import intrinsics
from ..ir.lattice import keyed
from ..ir.made_classes import MADE_BY
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import UNKNOWN, Record
from ..origin import looks_up_plainly
from ..tangents import own_dict
from .facts import Path
from .heap import Heap
from .infer import type_of

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
    if base not in heap:
        return _of_given(r, s, base)
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


def _of_given(r: Resolver, s: Call, base: Any) -> list[Atom] | None:
    """The fields of an object that is given, or found, as a display, where they are only read."""
    fact, t = r.sp.facts.get(base), type_of(base)
    if not isinstance(fact, Path) or not isinstance(t, Record) or not looks_up_plainly(t.cls):
        return None
    if r.context.plain or r.generation.only_primal or r.generation.memory is not None or r.generation.writes:
        return None
    names = [*(own_dict(fact.example) or ())]
    known = all([type(name) is str and not _is_hidden(t.cls, name) for name in names])
    if not known or not 0 < len(names) <= MAX_FIELDS or not r.uses.displays.is_only_read(s.out):
        return None
    if not _has_no_others(r, base):
        return None
    fields = [a for name in names for a in (Const(name), r.emit_call(getattr, [base, Const(name)], s.span, name))]
    return [r.emit_call(intrinsics.make_dict, fields, s.span, s.out.name)]


MAX_FIELDS = 24
"""The number of fields of an object that is given, up to which they are read one by one."""


def _is_hidden(cls: type, name: str) -> bool:
    """Tell whether a class gives something else under the name of a field."""
    static = inspect.getattr_static(cls, name, None)
    return hasattr(type(static), "__set__") or hasattr(type(static), "__delete__")


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
