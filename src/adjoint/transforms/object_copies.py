"""Copies of virtual objects: `copy.copy` and `copy.deepcopy` give one more with its fields, or with copies of these.

A list, a dict or an array that both hold is one memory: a store by either is seen by both. A deep copy has its own, and
copies each object once, however often it is held.
"""

from __future__ import annotations

import copy
import inspect
from typing import TYPE_CHECKING, Any

from ..ir.classes import WAYS_OF_COPYING, is_copied_plainly
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import ABSENT, Record
from .facts import Path
from .heap import Heap
from .infer import is_immutable, type_of
from .virtual import hold, is_memory, take

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver


_new: Any = object.__new__


def call(r: Resolver, s: Call, fn: Atom, args: list[Any], kwargs: Kwargs) -> list[Atom] | None:
    """`copy.copy(base)` and `copy.deepcopy(base)` of a virtual object, and `object.__new__(cls)`, which has no fields;
    None of anything else."""
    function = fn.value if isinstance(fn, Const) and len(args) == 1 and not kwargs else None
    heap: Heap = r.sp.heap
    if heap.real is None or not s.outs or s.out in heap.real or r.generation.only_primal or r.context.plain:
        return None
    if function is _new and isinstance(args[0], Const) and r.generation.is_ordinary(args[0].value):
        return [_begun(r, s, args[0].value)]
    if function is not copy.copy and function is not copy.deepcopy or not heap.is_object(args[0]):
        return None
    return [_copied(r, s, args[0], {} if function is copy.deepcopy else None)]


def _begun(r: Resolver, s: Call, cls: type) -> Var:
    """A new object without fields."""
    out = Var(s.out.name, Record(cls), True)
    take(r, out, s)
    return out


def _copied(r: Resolver, s: Call, base: Any, memo: dict[Any, Atom] | None) -> Atom:
    """A new object with the fields of another one; with copies of them where there is a `memo`, which has the copies
    made so far."""
    heap: Heap = r.sp.heap
    if not _is_plain(heap, base, r.sp.facts.get(base)):
        raise heap.escape(base)
    cls = base.type.cls
    for name in WAYS_OF_COPYING:
        r.guard(cls, name, inspect.getattr_static(cls, name, ABSENT))
    heap.check_own(base)
    out = _begun(r, s, cls)
    if memo is not None:
        memo[base] = out
    for name in heap.names(base):
        value = heap.get(base, name)
        value = value if memo is None else _deep(r, s, base, value, memo)
        hold(r, value, out)
        heap.set(out, name, value)
    return out


def _deep(r: Resolver, s: Call, base: Any, value: Any, memo: dict[Any, Atom]) -> Atom:
    """The copy of what a field holds."""
    heap: Heap = r.sp.heap
    kept: Any = heap.memory(value) or value
    if kept in memo:
        return heap.now(memo[kept])
    if heap.is_object(value):
        return _copied(r, s, value, memo)
    t = type_of(value)
    if is_immutable(t):
        return value  # type: ignore[no-any-return]
    if value in heap or not is_memory(t):
        raise heap.escape(base)
    (memo[kept],) = r.call(Call((Var(s.out.name),), s.fn, (), (), s.span), Const(copy.deepcopy), [value], [])
    return memo[kept]


def _is_plain(heap: Heap, base: Any, fact: Any) -> bool:
    """Tell whether all that an object holds is known, and a copy of it holds the same."""
    known = isinstance(base.type, Record) and base not in heap.items and base not in heap.contents
    known = known and base not in heap.unordered and not isinstance(fact, Path) and base not in heap.cells
    return known and is_copied_plainly(base.type.cls)
