"""Versions of one array: what a store gives of what it stores into, what a loop carries, what branches hand on."""

from __future__ import annotations

import collections
from collections.abc import Container, Sequence
from functools import cached_property
from typing import Any

from ..ir import changes, intrinsics
from ..ir.nodes import Atom, Block, Call, Const, If, Loop, Statement, Undef, Var, blocks_of
from ..ir.types import FLOAT, Array, Dict, Inert, List, Scalar, Tuple, Type
from ..ir.united import United
from ..ops.arithmetic import is_real
from ..ops.questions import of_arrays
from ..origin import module_of
from ..tangents import (
    added,
    added_if_any,
    added_in_row,
    as_dense,
    as_dense_items,
    buffer_like,
    dense_deque,
    dense_entries,
    dense_list,
    set_item_back,
    unbroadcast,
)
from .effects import is_new
from .growth import among_growing
from .infer import is_immutable, type_of
from .sites import CopyOnEntry, Site
from .uses import Definitions, asked_at_once, calls_of, is_call_of

TARGETS: dict[Any, int] = {
    **{changes.stored: 0, changes.stored_in_row: 0, changes.changed: 0, changes.in_place: 1},
    **dict.fromkeys((added, added_if_any, added_in_row, set_item_back), 0),
}
"""Calls of which an out is one of their arguments with something else in it, by the place of that argument."""
_PLACES = {id(f): place for f, place in TARGETS.items()}


OF_ROWS = (changes.stored_in_row, added_in_row)
ITEM_STORES = (changes.stored, *OF_ROWS)
"""Stores of one item; some of these into a row."""
GROWTHS = (changes.list_append, changes.call_method, changes.extended, changes.updated, changes.deleted)
"""Calls after which a list may have another length."""
_STORES = (*GROWTHS, *ITEM_STORES)


def version_of(s: Any) -> Var:
    """Of such a call, that out: a method gives a result before it."""
    out: Var = s.outs[-1] if is_changed(s) else s.outs[0]
    return out


def is_changed(s: Any) -> bool:
    """Tell whether a statement is a method that gives another version of a list; by its rule it gives a tuple."""
    return is_call_of(s, (changes.changed,)) and len(s.outs) == 2


def updated(s: Any) -> Var | None:
    """The array of which a statement gives another version."""
    if not isinstance(s, Call) or not isinstance(s.fn, Const) or not s.outs:
        return None
    fn = s.fn.value
    place = _PLACES.get(id(fn))
    if place is None or fn is changes.changed and not is_changed(s):
        return None
    target = s.args[place]
    if fn in ITEM_STORES and is_table(target) is not (fn in OF_ROWS):
        return None  # a row is put in place of another one, or is of what nobody knows
    return target if isinstance(target, Var) and are_alike(target, version_of(s)) else None


def appended(block: Block) -> set[Var]:
    """The lists that grow at their end, in no other way, in loops that carry them."""
    found = _carried_where_lists_grow(block)
    return among_growing(found, block) if found else found


def _carried_where_lists_grow(block: Block) -> set[Var]:
    found: set[Var] = set()
    for s in block.statements:
        for inner in blocks_of(s):
            found |= _carried_where_lists_grow(inner)
        if isinstance(s, Loop):
            calls = [c for c in calls_of(s.body.statements) if is_call_of(c, GROWTHS)]
            if calls and all(c.fn.value is changes.list_append for c in calls):  # type: ignore[union-attr]
                grown = [*s.body.params[: s.carried], *(out for c in calls for out in c.outs)]
                found |= {v for v in grown if v.active and isinstance(v.type, List)}
    return found


def is_indexed(v: Any) -> bool:
    """Tell whether a variable is surely a list, a dict, or an array of numbers; of integers, where it has no
    cotangent."""
    t = v.type if isinstance(v, Var) else None
    if isinstance(t, Array):
        return t.scalar is False and (t.kind in "fc" or not v.active and t.kind in "iub")
    return isinstance(t, List | Dict)


def is_loose(v: Any) -> bool:
    """Tell whether a variable is surely a list or a dict whose cotangent has one for each item to which something
    came."""
    t = v.type if isinstance(v, Var) and v.active else None
    return isinstance(t, List | Dict) and not (isinstance(t, List) and _is_float(t.item)) and not is_table(v)


def is_table(v: Any) -> bool:
    """Tell whether a variable is surely a list of lists of numbers, or of what has no cotangent."""
    t = v.type if isinstance(v, Var) else None
    row = t.item if isinstance(t, List) else None
    return isinstance(row, List) and (is_real(row.item) or _is_float(row.item) or not v.active and _is_atomic(row.item))


def _is_float(t: Type) -> bool:
    if isinstance(t, Array):
        return t.dtype == "float64" and t.scalar is True
    return isinstance(t, Scalar) and t.kind == "float"


def _is_atomic(t: Type) -> bool:
    """Tell whether what is of this type never changes, and shares memory with nothing."""
    return is_immutable(t) or isinstance(t, Inert) and t.cls in (bool, int, str, type(None))


def are_alike(a: Any, b: Any) -> bool:
    """Tell whether two variables may be versions of one list, dict or array: their cotangents are of one kind."""
    if not is_indexed(a) or not is_indexed(b):
        return False
    return not (a.active and b.active) or (is_loose(a), is_table(a)) == (is_loose(b), is_table(b))


def reads_shape(s: Statement, v: Var) -> bool:
    """Tell whether a statement asks an array for its shape and dtype, for nothing else."""
    if not isinstance(s, Call) or not isinstance(s.fn, Const):
        return False
    fn = s.fn.value
    if fn is unbroadcast or fn is as_dense or fn is as_dense_items:
        return v is not s.args[0]
    if fn is getattr:
        name: Any = s.args[1]
        return name.value in ("shape", "ndim", "size", "dtype")
    return fn is len or fn is buffer_like or fn is intrinsics.position


def makes_array(s: Call) -> bool:
    """Tell whether what a call gives is a new array or list of numbers, which nobody else holds."""
    if not isinstance(s.fn, Const) or len(s.outs) != 1:
        return False
    makers = (
        *(collections.defaultdict, collections.Counter, collections.OrderedDict, collections.deque),
        buffer_like,
        as_dense,
        as_dense_items,
        dense_deque,
        dense_entries,
        dense_list,
        changes.copied,
        intrinsics.make_list,
        intrinsics.make_dict,
    )
    return any(s.fn.value is made for made in makers) or makes_numbers(s, s.fn.value)


def makes_numbers(s: Call, fn: Any) -> bool:
    """Tell whether an operator, or a function of arrays, gives something new."""
    return is_new(s, fn) and (of_arrays(fn) or module_of(fn) == "_operator")


NEW = object()
"""What a variable is that nothing before is."""


class Versions(United):
    """Variables that are versions of one array, but for those on the two sides of what stands `apart`: a store that
    copies, the start `(loop, i)` of what a loop carries. An array that a round makes for the next is another one than
    the round was given: such are `renewed`, all of them or only those that are first bound in the loop."""

    def __init__(self, body: Block, apart: Container[Site] = (), renew: bool = False) -> None:
        super().__init__()
        self.apart = apart
        self.renew = renew
        self.asked = asked_at_once(body)
        self.renewed: set[CopyOnEntry] = set()
        self.changed: list[Var] = []
        self.grown: list[Var] = []
        self.resized: list[Var] = []
        self.definitions = Definitions()
        self.origins: dict[tuple[Atom, Block], Any] = {}
        self.round = body
        """That of the innermost loop around what is looked at."""
        self.chosen: list[tuple[Var, Atom]] = []
        """The outs of branches, and what one of their sides has made for that."""
        self.block(body)
        self.settle()

    def arrays(self) -> set[Var]:
        """All versions of arrays that have cotangents and into which something is stored; of lists that keep their
        length."""
        roots = {self.find(v) for v in self.changed if v.active} - self.excluded()
        return {v for v in self.parent if v.active and self.find(v) in roots}

    @cached_property
    def lists(self) -> set[Var]:
        """The first versions of lists that change their length by what gives another version."""
        return {self.find(v) for v in self.resized}

    def is_resized(self, v: Var) -> bool:
        """Tell whether a variable is a version of such a list, which may have another length than others."""
        return bool(self.lists) and self.find(v) in self.lists

    def excluded(self) -> set[Var]:
        """Lists that may change their length, and what may be unbound: of these nobody knows the shape beforehand."""
        return {self.find(v) for v in self.grown}

    def unite(self, a: Atom, b: Atom) -> None:
        if isinstance(b, Undef) and isinstance(a, Var):
            self.grown.append(a)
        if isinstance(a, Var) and isinstance(b, Var) and are_alike(a, b):
            self.parent.setdefault(a, a)
            self.parent.setdefault(b, b)
            self.join(a, b)

    def block(self, block: Block) -> None:
        for s in block.statements:
            target = updated(s)
            if target is not None and s not in self.apart:
                self.unite(version_of(s), target)
                self.changed.append(version_of(s))
                self.resized += [target] if is_changed(s) and isinstance(target.type, List) else []
            elif isinstance(s, Call) and is_call_of(s, GROWTHS if target else _STORES):
                self.grown += [v for v in (s.args[0], *s.outs) if isinstance(v, Var)]
            elif isinstance(s, If):
                self.branches(s, block)
            elif isinstance(s, Loop):
                self.loop(s)
            around, self.round = self.round, s.body if isinstance(s, Loop) else self.round
            for inner in blocks_of(s):
                self.block(inner)
            self.round = around

    def branches(self, s: If, block: Block) -> None:
        for out, a, b in zip(s.outs, s.then.results, s.orelse.results, strict=True):
            if out in self.asked:
                continue  # it is no version, as nobody has it
            new = [self.is_made(r, (side, block, self.round)) for r, side in ((a, s.then), (b, s.orelse))]
            for result, is_made in zip((a, b), new, strict=True):
                if self.renew and is_made and not all(new):
                    self.chosen.append((out, result))
                else:
                    self.unite(out, result)

    def is_made(self, v: Atom, blocks: Sequence[Block]) -> bool:
        """Tell whether a run of one of these blocks, each within the next, surely makes an array."""
        for block in blocks:
            if v is not NEW and v is not None:
                v = self.origin(v, block)
        return v is NEW

    def settle(self) -> None:
        """The out of a branch may be another array than what one of its sides has made, unless it is stored into."""
        again = True
        while again:
            stored = {self.find(v) for v in self.changed}
            again = False
            for out, made in self.chosen:
                if isinstance(made, Var) and self.find(out) is not self.find(made) and self.find(out) in stored:
                    self.unite(out, made)
                    again = self.find(out) is self.find(made) or again

    def loop(self, s: Loop) -> None:
        for i, (init, param) in enumerate(zip(s.inits, s.body.params, strict=False)):
            result = s.body.results[i]
            if CopyOnEntry(s, i) not in self.apart:
                self.unite(param, init)
            renews = self.renew or isinstance(init, Undef)
            if renews and is_indexed(s.outs[i]) and self.origin(result, s.body) is NEW:
                self.renewed.add(CopyOnEntry(s, i))
                self.unite(s.outs[i], result)
            else:
                self.unite(param, result)
                self.unite(s.outs[i], param)
            if s.cond is not None:
                self.unite(s.cond.params[i], param)

    def origin(self, v: Atom, block: Block) -> Any:
        """The array that a variable is a version of: NEW if a run of the block makes it, a variable from outside of it,
        or None if it may be one or another."""
        key = v, block
        if key not in self.origins:  # both ways of a branch lead to what was before it
            self.origins[key] = self.found_origin(v, block)
        return self.origins[key]

    def found_origin(self, v: Atom, block: Block) -> Any:
        s = self.definitions.find(v, block)
        if s is None:
            return v
        if isinstance(s, Call):
            target = updated(s)
            if target is None:
                return NEW if makes_array(s) else None
            return NEW if s in self.apart else self.origin(target, block)
        if isinstance(s, If):
            i = s.outs.index(v)
            a, b = (self.origin(self.origin(side.results[i], side), block) for side in (s.then, s.orelse))
            return a if a is b else None
        i = s.outs.index(v) if isinstance(s, Loop) else -1
        if not isinstance(s, Loop) or i >= s.carried:
            return NEW if isinstance(s, Loop) else None
        start = NEW if CopyOnEntry(s, i) in self.apart else self.origin(s.inits[i], block)
        end = self.origin(s.body.results[i], s.body)
        return start if end is s.body.params[i] or end is NEW is start else None


def is_numbers(t: Type) -> bool:
    """Tell whether a type is that of lists of floats, whose cotangents are numbers as well."""
    return isinstance(t, List) and t.item == FLOAT


def is_counts(t: Type) -> bool:
    """Tell whether a type is that of dicts of floats: the cotangent of one has a number for each key to which something
    has come."""
    return isinstance(t, Dict) and t.item == FLOAT


def is_row(t: Type) -> bool:
    """Tell whether a type is that of such a list, or of a tuple of floats."""
    return is_numbers(t) or isinstance(t, Tuple) and t.cls is tuple and all([item == FLOAT for item in t.items])


def names_once(t: Type) -> bool:
    """Tell whether an index names each place once, so that `+=` adds all of it: no index arrays."""
    if isinstance(t, Tuple):
        return all(map(names_once, t.items))
    return isinstance(t, Scalar) and t.kind == "int" or isinstance(t, Inert) and t.cls in (slice, type(...), type(None))


def is_element(array: Var, index: Any) -> bool:
    """Tell whether an index surely names one number of an array of float64."""
    t, i = array.type, type_of(index)
    if isinstance(t, List):
        return isinstance(i, Scalar) and i.kind == "int"
    if not isinstance(t, Array) or t.dtype != "float64" or t.ndim is None:
        return False
    if not isinstance(i, Tuple):
        return t.ndim == 1 and isinstance(i, Scalar) and names_once(i)
    return len(i.items) == t.ndim and all(isinstance(item, Scalar) for item in i.items) and names_once(i)
