"""The cotangents ("bars") of one reverse region: who has received what so far."""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

from ..ir import intrinsics
from ..ir.nodes import Atom, Call, Const, Star, Var
from ..ir.types import FLOAT, INT, MIXED, UNKNOWN, Array, Deque, Keyed, List, Maybe, Scalar, Tuple, Type, Variadic
from ..ops.arithmetic import element_of, is_rank0
from ..tangents import (
    accumulate,
    add_at,
    add_in_row,
    add_item,
    added,
    added_if_any,
    added_in_row,
    as_dense,
    as_dense_items,
    buffer_like,
    element_buffer,
    freeze_elements,
    freeze_tuples,
    instantiate_zeros,
    owned_list,
    reversed_bars,
    row_buffer,
    tangent,
    tangents,
)
from .alike import Shapes, is_float64
from .each import to_each
from .infer import type_of
from .outs import is_none
from .primal_builder import Builder, ForwardLength
from .records import has_fields_alone, in_order, is_list_of_records, owner_of, taken
from .versions import is_loose, is_numbers, names_once

BACKWARDS = slice(None, None, -1)


class Cotangent(NamedTuple):
    """A cotangent; unless `definite`, it may turn out to be None when the program runs."""

    atom: Atom
    definite: bool


Key = Any  # a Var, or (Var, part): the cotangent of one field or item of it
Parts = dict[tuple[str, Any], Cotangent]


def bar_name(v: Atom) -> str:
    return f"{v.name}_bar" if isinstance(v, Var) and v.name else ""


class CotangentMap:
    """Cotangents by variable. A first contribution binds, later ones add; `take` gives the sum and forgets it.

    Contributions to variables that the region does not define stay in the table: whoever closes the region hands them
    on. Those to items of `versions`, arrays into which something is stored, go into what has come from later versions:
    `whole` are the cotangents that are arrays of their full shape, to which that can be done. `rows` says of lists of
    numbers that are items of a list where they were read, `uniform` of cotangents of lists what each item is.
    """

    def __init__(
        self, builder: Builder, parent: CotangentMap | None = None, defined: set[Var] | None = None, loop: bool = False
    ) -> None:
        self.builder = builder
        self.parent = parent
        self.defined = defined if defined is not None else set()
        self.sums: dict[Key, Cotangent] = {}
        self.buffers: dict[Any, Var] = {}
        self.turned: dict[Atom, Atom] = {}
        self.loop = loop
        self.versions: set[Var] = parent.versions if parent is not None else set()
        self.appended: set[Var] = parent.appended if parent is not None else set()
        self.lists: set[Atom] = parent.lists if parent is not None else set()
        self.rows: dict[Var, Call] = parent.rows if parent is not None else {}
        self.uniform: dict[Atom, Cotangent] = parent.uniform if parent is not None else {}
        self.dense: set[Atom] = parent.dense if parent is not None else set()
        self.unbound: frozenset[Var] = parent.unbound if parent is not None else frozenset()
        self.shapes: Shapes | None = parent.shapes if parent is not None else None
        self.lengths: dict[Var, ForwardLength] = parent.lengths if parent is not None else {}

    # ---- contributions

    def add(self, v: Atom, d: Atom | None, definite: bool = True) -> None:
        """Add `d` to the cotangent of `v`."""
        if not isinstance(v, Var) or not v.active or d is None or is_none(d):
            return
        if v in self.appended and self.in_loop(self.scope_of(v)):
            self.builder.effect(add_at, self.owned(v), Const(slice(None)), d)
        else:
            self._add(v, Cotangent(d, definite), v)

    def add_part(self, v: Atom, part: tuple[str, Any], d: Atom, definite: bool = True) -> None:
        """Add `d` to the cotangent of the field or item `part` of `v`."""
        if not isinstance(v, Var) or not v.active or is_none(d):
            return
        if v not in self.rows or not self.in_row(self.rows[v], v, Const(part[1]), Cotangent(d, definite)):
            self._add((v, part), Cotangent(d, definite), None)

    def _add(self, key: Key, new: Cotangent, v: Var | None) -> None:
        old = self.sums.get(key)
        self.sums[key] = new if old is None else self.sum(old, new, v, key_name(key))

    def sum(self, a: Cotangent, b: Cotangent, v: Var | None, name: str = "") -> Cotangent:
        """a + b, in the region's code."""
        if is_none(a.atom):
            return b
        if is_none(b.atom):
            return a
        if _is_zero(a.atom) and v is not None and is_rank0(v.type):
            return b
        both = a.definite and b.definite
        if v in self.lengths and (isinstance(v.type, Deque) or is_numbers(v.type) and {a.atom, b.atom} <= self.dense):
            return self.as_whole(to_each(self.builder, self.whole(v, a), self.whole(v, b), v, several=True))
        plain = both and v is not None and isinstance(v.type, (Scalar, Array, Maybe))
        fn = operator.add if plain else accumulate
        total = self.builder.call(fn, a.atom, b.atom, name=name, type=bar_type(v))
        if self.is_whole(a.atom, v) and self.is_whole(b.atom, v):
            self.dense.add(total)
        return Cotangent(total, a.definite or b.definite)

    def add_element(self, v: Atom, index: Atom, d: Atom, definite: bool) -> None:
        """Add `d` to item `index` of the cotangent of `v`: into a buffer made where `v` is defined."""
        if not isinstance(v, Var) or not v.active:
            return
        if v in self.versions:
            whole = self.whole(v, self.sums.get(v))
            add = added if definite else added_if_any
            self.sums[v] = self.as_whole(self.builder.call(add, whole, index, d, name=bar_name(v), type=v.type))
            return
        if v in self.appended:
            self.builder.effect(add_at, self.owned(v), index, d)
            return
        number = isinstance(type_of(index), Scalar)
        if number and v in self.rows and self.in_row(self.rows[v], v, index, Cotangent(d, definite)):
            return
        item = (is_numbers(v.type) or v.type == Variadic(FLOAT)) and number
        simple = definite and (item or isinstance(v.type, Array) and names_once(type_of(index)))
        flat = isinstance(v.type, Array) and v.type.ndim == 1
        one = simple and number and (item or flat and self.in_loop(self.scope_of(v)))
        buffer = self.buffer(v, element_buffer if one else buffer_like)
        self.builder.effect(add_item if simple else add_at, buffer, index, d)

    def add_to_row(self, rows: Atom, path: tuple[Atom, Atom], d: Atom, definite: bool) -> None:
        """Add `d` to the cotangent of `rows[i][j]`."""
        if not isinstance(rows, Var) or not rows.active:
            return
        d = self.definite(Cotangent(d, definite))
        if rows in self.versions:
            whole = self.whole(rows, self.sums.get(rows))
            more = self.builder.call(added_in_row, whole, *path, d, name=bar_name(rows), type=rows.type)
            self.sums[rows] = self.as_whole(more)
            return
        n = self.builder.call(len, self.builder.call(operator.getitem, rows, path[0]), type=INT)
        self.builder.effect(add_in_row, self.buffer(rows, row_buffer), path[0], n, path[1], d)

    def in_row(self, read: Call, v: Var, index: Atom, d: Cotangent) -> bool:
        """Add to item `index` of a list or a tuple that is an item itself, in a buffer of the list that holds it."""
        rows, row = read.args
        assert isinstance(rows, Var) and not isinstance(row, Star)
        if rows in self.versions or rows in self.appended:
            return False
        t = v.type
        n = Const(len(t.items)) if isinstance(t, Tuple) else self.builder.call(len, v, type=INT)
        self.builder.effect(add_in_row, self.buffer(rows, row_buffer), row, n, index, self.definite(d))
        return True

    def buffer(self, v: Var, make: Any) -> Var:
        """The buffer that the cotangents of items of `v` are added into, made where `v` is defined."""
        t = List(element_of(v.type)) if isinstance(v.type, (Tuple, Variadic)) else v.type
        return self._made_with(v, make, make, bar_name(v), t)

    def add_column(self, v: Var, part: tuple[str, Any], index: Atom, d: Atom) -> None:
        """Add `d` to those of the cotangents of a field of the records of `v` that an index names."""
        column = self._made_with(v, part, buffer_like, key_name((v, part)), UNKNOWN)
        self.builder.effect(add_at, column, index, d)

    def _made_with(self, v: Var, key: Any, make: Any, name: str, t: Type) -> Var:
        scope = self.scope_of(v)
        if (v, key) not in scope.buffers:
            prelude = Builder(self.builder.span)
            scope.buffers[(v, key)] = prelude.call(make, v, name=name, type=t)
            scope.builder.prelude += prelude.statements
        return scope.buffers[(v, key)]

    def owned(self, v: Var) -> Atom:
        """The cotangent of a list that grows, into which is added: it shrinks with each round, and is not copied."""
        scope = self
        while v not in scope.sums and v not in scope.defined and scope.parent is not None:
            scope = scope.parent
        bar = scope.sums.get(v)
        if bar is None or bar.atom not in self.lists:
            args = (Const(None), v) if bar is None else (bar.atom,) if bar.definite else (bar.atom, v)
            bar = scope.sums[v] = Cotangent(scope.builder.call(owned_list, *args, name=bar_name(v), type=v.type), True)
            self.lists.add(bar.atom)
        return bar.atom

    def whole(self, v: Var, bar: Cotangent | None) -> Atom:
        """The cotangent of an array as an array of its shape."""
        if bar is not None and self.is_whole(bar.atom, v):
            return bar.atom
        d = Const(None) if bar is None else bar.atom
        start: Any = as_dense_items if is_loose(v) else as_dense
        start, *like = self.lengths[v].start(v.type, is_loose(v)) if v in self.lengths else (start, self.like(v))
        made = self.builder.call(start, d, *like, name=bar_name(v), type=v.type)
        return self.as_whole(made).atom

    def like(self, v: Var) -> Var:
        """An array of the shape of `v`; for what a round makes one from outside, which need not be kept for each."""
        first = self.shapes.find(v) if self.shapes is not None and is_float64(v) else v
        return v if self.scope_of(first) is self.scope_of(v) else first

    def fits(self, v: Var, out: Var, d: Atom) -> bool:
        """Tell whether what is computed elementwise from `d`, the cotangent of `out`, has the shape of `v`."""
        return self.shapes is not None and d in self.dense and self.shapes.same(v, out)

    def is_whole(self, d: Atom, v: Var | None) -> bool:
        """Tell whether `d` is surely of the full shape of `v`: that of a list of anything has None where nothing
        came."""
        return d in self.dense and (is_loose(v) or not is_loose(d))

    def as_whole(self, d: Var) -> Cotangent:
        """`d` as what it is known to be: of the full shape of its array."""
        self.dense.add(d)
        return Cotangent(d, True)

    def add_whole(self, v: Atom, d: Atom) -> None:
        """Add `d`, of the full shape of `v`."""
        self.dense.add(d)
        self.add(v, d)

    # ---- what loops carry

    def start(self, p: Var, out: Var, d: Cotangent | None) -> Atom:
        """The initial cotangent, in a loop, of the carried variable `p`, of which `d` has come at its end."""
        if p in self.versions:
            return self.whole(out, d)
        if p in self.appended:
            given = Const(None) if d is None else d.atom
            return self.builder.call(owned_list, given, out, name=bar_name(p), type=p.type)
        start = d or zero_bar(p)  # what no round changes stays what it was
        return self.definite(start) if zero_bar(p).definite else start.atom

    def carry(self, v: Atom, d: Var, p: Var) -> None:
        """Add `d`, which a loop carries for `p`, to the cotangent of `v`."""
        if p in self.versions:
            self.add_whole(v, d)
        else:
            self.add(v, d, zero_bar(p).definite or p in self.appended)

    def end(self, p: Var) -> Atom:
        """The cotangent of `p` that a round hands on."""
        bar = self.take(p) or zero_bar(p)
        if p in self.versions:
            return self.whole(p, bar)
        return bar.atom if bar.definite or not zero_bar(p).definite else self.definite(bar)

    def in_loop(self, scope: CotangentMap) -> bool:
        """Tell whether a loop stands between a scope around this one and this one."""
        inner: CotangentMap | None = self
        while inner is not None and inner is not scope:
            if inner.loop:
                return True
            inner = inner.parent
        return False

    def scope_of(self, v: Var) -> CotangentMap:
        scope = self
        while v not in scope.defined and scope.parent is not None:
            scope = scope.parent
        return scope

    # ---- sums

    def take_parts(self, v: Var) -> tuple[Parts, Cotangent | None]:
        """The cotangents of the parts of `v` that came by themselves, and what came for the whole."""
        return self.take_columns(v) | taken(self.sums, v, ""), self.with_buffers(v, self.sums.pop(v, None))

    def has_columns(self, v: Any) -> bool:
        """Tell whether fields of the records of a list may have their cotangents by themselves."""
        return is_list_of_records(v) and v not in self.versions and v not in self.appended

    def take_fields(self, v: Var) -> Parts:
        """The cotangents of the fields of a record, if nothing else came."""
        return taken(self.sums, v, "field") if has_fields_alone(self.sums, v) else {}

    def take_columns(self, v: Var) -> Parts:
        """The cotangents of the fields of the records of a list that came by themselves."""
        for key in [key for key in self.buffers if key[0] is v and isinstance(key[1], tuple)]:
            column = self.builder.call(intrinsics.freeze, self.buffers.pop(key), name=key_name(key))
            self._add(key, Cotangent(column, True), None)
        return taken(self.sums, v, "column")

    def take(self, v: Var, others: bool = False) -> Cotangent | None:
        """The cotangent of `v`, which is complete; None if nothing came. With `others`, one of a record names also the
        fields for which nothing came: it may be handed over as it is."""
        parts, total = self.take_parts(v)
        if parts:
            whole = self._whole(v, {part: bar.atom for part, bar in parts.items()}, others and total is None)
            total = whole if total is None else self.sum(total, whole, None, bar_name(v))
        return total

    def with_buffers(self, v: Var, total: Cotangent | None) -> Cotangent | None:
        """The sum of what came for `v` and of what was added to its items."""
        for make in (buffer_like, element_buffer, row_buffer):
            buffer = self.buffers.pop((v, make), None)
            if buffer is not None:
                of_array = make is element_buffer and isinstance(v.type, Array)
                args = (buffer, v) if of_array else (buffer,)
                freeze = freeze_elements if of_array else intrinsics.freeze
                if make is row_buffer and isinstance(v.type, List) and isinstance(v.type.item, Tuple):
                    freeze = freeze_tuples
                whole = self.builder.call(freeze, *args, name=bar_name(v), type=buffer.type)
                if isinstance(v.type, (Tuple, Variadic)):
                    whole = self.builder.call(tuple, whole, name=bar_name(v), type=v.type)
                frozen = Cotangent(whole, True)
                if make is element_buffer and not of_array:
                    self.dense.add(frozen.atom)
                total = frozen if total is None else self.sum(total, frozen, v, bar_name(v))
        return total

    def peek(self, v: Var) -> Cotangent | None:
        """The cotangent of `v` so far, which stays (for buffers, to which everything is added)."""
        scope: CotangentMap | None = self
        while scope is not None:
            if v in scope.sums:
                return scope.sums[v]
            scope = scope.parent
        return None

    def _whole(self, v: Var, bars: dict[tuple[str, Any], Atom], others: bool) -> Cotangent:
        """The cotangent of a structure from those of its parts."""
        if isinstance(v.type, Tuple):
            none: Atom = Const(None)
            items = [bars.get(("item", i), none) for i in range(len(v.type.items))]
            make: Any = v.type.cls if v.type.cls is not tuple else intrinsics.make_tuple
            return Cotangent(self.builder.call(make, *items, name=bar_name(v), type=UNKNOWN), True)
        if isinstance(v.type, Keyed):
            entries = [a for key, _ in v.type.entries for a in (Const(key), bars.get(("key", key), Const(None)))]
            return Cotangent(self.builder.call(intrinsics.make_dict, *entries, name=bar_name(v), type=UNKNOWN), True)
        record = v.type.item if isinstance(v.type, List) else v.type
        fields = in_order({name: atom for (_, name), atom in bars.items()}, record, others)
        names = Const(tuple(fields))
        if isinstance(v.type, List):
            return Cotangent(self.builder.call(tangents, v, names, *fields.values(), name=bar_name(v)), False)
        return Cotangent(self.builder.call(tangent, owner_of(v), names, *fields.values(), name=bar_name(v)), True)

    def backwards(self, d: Cotangent, like: Atom, name: str = "") -> Cotangent:
        """The cotangents of items (of `like`) turned round: a list that has been turned before is there already."""
        if not d.definite:
            return Cotangent(self.builder.call(reversed_bars, d.atom, like, name=name), False)
        scope: CotangentMap | None = self
        while scope is not None:
            if d.atom in scope.turned:
                return Cotangent(scope.turned[d.atom], True)
            scope = scope.parent
        out = self.builder.call(operator.getitem, d.atom, Const(BACKWARDS), name=name)
        self.turned[out] = d.atom
        return Cotangent(out, True)

    def definite(self, bar: Cotangent) -> Atom:
        """The cotangent as something to calculate with: zero for None."""
        return bar.atom if bar.definite else self.builder.call(instantiate_zeros, bar.atom)


def bar_type(v: Var | None) -> Type:
    """The type of the cotangent of `v`."""
    if v is None:
        return UNKNOWN
    if isinstance(v.type, Maybe):
        return bar_type(Var("", v.type.item))
    if isinstance(v.type, Scalar):
        return {"int": FLOAT, "complex": MIXED}.get(v.type.kind, v.type)  # that of a complex number may be real
    if isinstance(v.type, Array) and v.type.kind in "iu":
        return Array("f", "", v.type.ndim, v.type.scalar)
    return v.type


def zero_bar(key: Key) -> Cotangent:
    """The cotangent that a region starts from where nothing has come yet."""
    if isinstance(key, Var) and is_rank0(key.type):
        return Cotangent(Const(0.0), True)
    return Cotangent(Const(None), False)


def key_name(key: Key) -> str:
    if isinstance(key, Var):
        return bar_name(key)
    part = key[1][1]
    return f"{part}_bar" if isinstance(part, str) and part.isidentifier() else ""


def _is_zero(atom: Atom) -> bool:
    return isinstance(atom, Const) and type(atom.value) is float and atom.value == 0.0
