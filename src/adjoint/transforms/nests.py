"""Stores into what a container holds, `rows[i][j] = v`, where surely nobody else holds `rows[i]`.

The frontend writes them as `row = rows[i]; row' = (row with v at j); rows' = (rows with row' at i)`. That is the truth
if each row was made for its place, and if nothing but single items of it is ever read.
"""

from __future__ import annotations

import itertools
import operator
from typing import Any

from ..ir import changes, intrinsics
from ..ir.nodes import Block, Call, Const, Loop, Statement, Var, blocks_of
from ..ir.types import Dict, List
from ..ops.questions import is_looker, of_arrays
from .aliases import Aliases, stored_into
from .effects import is_new, shows
from .infer import is_immutable
from .uses import calls_of, is_call_of, uses_of


def nested_stores(block: Block) -> set[Call]:
    """The stores into rows that are followed."""
    stores = [s for s in calls_of(block.statements) if is_call_of(s, _STORES)]
    changed = {out for s in stores for out in s.outs}
    if not any([s.fn.value is changes.stored and s.args[-1] in changed for s in stores]):  # type: ignore[union-attr]
        return set()  # nothing that has changed is put back
    return {*Nests(block).followed().values()}


_STORES = (changes.stored, changes.extended)


class Nests:
    """The containers whose items are stored into where they lie, and who reads them."""

    def __init__(self, block: Block) -> None:
        self.uses = uses_of(block)
        self.made: dict[Var, Statement] = {}
        self.after: dict[Statement, int] = {}
        self.loops: list[Loop] = []
        self.home: dict[Statement, Block] = {}
        self.order: dict[Statement, int] = {}
        self.around: dict[Statement, tuple[Loop, ...]] = {}
        self.aliases = Aliases.coarse(block)
        self.define(block, ())

    def define(self, block: Block, around: tuple[Loop, ...]) -> None:
        for i, s in enumerate(block.statements):
            self.made.update(dict.fromkeys(s.outs, s))
            self.home[s] = block
            self.order[s] = len(self.order)
            self.around[s] = around
            if _function(s) is operator.getitem:
                self.after[s] = i + 1
            if isinstance(s, Loop):
                self.loops.append(s)
            for inner in blocks_of(s):
                self.define(inner, (*around, s) if isinstance(s, Loop) else around)

    def followed(self) -> dict[Call, Call]:
        """The stores that put rows back, and those into the rows."""
        calls = [s for s in self.made.values() if isinstance(s, Call)]
        stores = {s: inner for s in calls if (inner := self.inner(s)) is not None}
        roots: dict[Var, bool] = {}
        followed = {}
        for outer, inner in stores.items():
            root = self.aliases.find(outer.args[0])  # type: ignore[arg-type]
            if root not in roots:
                roots[root] = self.is_nest(root, stores)
            if roots[root]:
                followed[outer] = inner
        return followed

    def inner(self, s: Statement) -> Call | None:
        """The store into a row whose new version this statement puts back where the row was read."""
        if not isinstance(s, Call) or _function(s) is not changes.stored:
            return None
        container, key, value = s.args
        inner = self.made.get(value)  # type: ignore[arg-type]
        if not isinstance(inner, Call) or not is_call_of(inner, _STORES) or not self.is_used_once(value):
            return None
        read = self.made.get(inner.args[0])  # type: ignore[arg-type]
        there = isinstance(read, Call) and _function(read) is operator.getitem and self.is_key(read.args[1], key)
        return inner if there and self.one(read.args[0], container) else None  # type: ignore[union-attr]

    def is_nest(self, root: Var, stores: dict[Any, Call]) -> bool:
        """Tell whether each item of a container was made for it, and none is held by anything else."""
        inner = set(stores.values())
        members = [v for v in {*self.made, *self.params()} if self.aliases.find(v) is root]
        before = [v for v in members if not (self.is_view(v) and self.is_after(self.made[v], inner))]
        return all(self.is_filled_so(v, stores) and self.is_used_so(v, inner) for v in before)

    def is_view(self, v: Var) -> bool:
        """Tell whether a variable is what a call gives that is no store: an iterator over a container."""
        s = self.made.get(v)
        return isinstance(s, Call) and stored_into(s) is None

    def params(self) -> list[Var]:
        return [p for s in self.loops for b in blocks_of(s) for p in b.params]

    def is_filled_so(self, v: Var, stores: dict[Any, Call]) -> bool:
        s = self.made.get(v)
        if isinstance(s, Loop) and s.outs.index(v) >= s.carried:
            return self.is_fresh(s.body.results[s.outs.index(v)], s.body)
        if not isinstance(s, Call):
            return s is not None or v in self.params()
        fn = _function(s)
        if fn is intrinsics.make_list:
            return all(self.is_fresh(a, self.home[s]) for a in s.args)
        if fn is intrinsics.make_dict:
            return all(self.is_fresh(a, self.home[s]) for a in s.args[1::2])
        if fn is intrinsics.dict_from_items:
            values: Any = s.args[1]
            loop = self.made.get(values)
            collected = isinstance(loop, Loop) and loop.outs.index(values) >= loop.carried
            return collected and self.is_used_once(values) and self.is_filled_so(values, stores)
        if fn is changes.list_append or fn is changes.stored:
            return s in stores or self.is_fresh(s.args[-1], self.home[s])
        return False

    def is_fresh(self, value: Any, home: Block) -> bool:
        """Tell whether a value is new, and only put where it is, once: a block that is run again makes another."""
        s = self.made.get(value) if isinstance(value, Var) else None
        if s is None or self.home[s] is not home:
            return False
        collected = isinstance(s, Loop) and s.outs.index(value) >= s.carried
        return (collected or isinstance(s, Call) and is_new(s, _function(s))) and self.is_used_once(value)

    def is_used_so(self, v: Var, inner: set[Call]) -> bool:
        return all(self.is_after(s, inner) or self.is_harmless(v, s, inner) for s in self.uses.get(v, []))

    def is_after(self, s: Statement | None, inner: set[Call]) -> bool:
        """Tell whether a statement runs when all stores are done."""
        if s is None or s in inner:
            return False
        shared = any({s, *self.around[s]} & {*self.around[store]} for store in inner)
        return not shared and all(self.order[s] > self.order[store] for store in inner)

    def is_harmless(self, v: Var, s: Statement | None, inner: set[Call]) -> bool:
        """Tell whether a use of a container lets nobody hold its items, or all who see it."""
        if isinstance(s, Loop):
            elements = s.body.params[s.carried :]
            return all(self.is_confined(e, inner) for e, q in zip(elements, s.sequences, strict=False) if q is v)
        if not isinstance(s, Call):
            return True
        fn = _function(s)
        if fn is operator.getitem and s.args[0] is v:
            return _is_number(s.out) or self.is_confined(s.out, inner) and self.is_read_at_once(s)
        if stored_into(s) is v:
            return True
        return shows(s, fn) or _only_looks(s, fn)

    def is_confined(self, row: Var, inner: set[Call]) -> bool:
        """Tell whether a row is only looked at: of a list any item may be taken, of an array, which gives views,
        numbers."""
        items = isinstance(row.type, (List, Dict))

        def harmless(s: Statement | None) -> bool:
            if not isinstance(s, Call):
                return isinstance(s, Loop) and (items or all(map(_is_number, s.body.params[s.carried :])))
            fn = _function(s)
            taken = fn is operator.getitem or items and is_looker(fn)
            return s in inner or taken and (items or _is_number(s.out)) or _only_looks(s, fn)

        return _is_number(row) or all(map(harmless, self.uses.get(row, [])))

    def is_key(self, index: Any, key: Any) -> bool:
        """Tell whether a row was read at this key: in a list that grows, from the front."""
        s = self.made.get(index)
        return index is key or s is not None and _function(s) is intrinsics.position and s.args[1] is key  # type: ignore[union-attr]

    def is_read_at_once(self, read: Call) -> bool:
        """Tell whether a row is done with before anything is stored again."""
        left = {*self.uses.get(read.out, [])}
        for s in itertools.islice(self.home[read].statements, self.after[read], None):
            left.discard(s)
            if not left:
                return True
            if _stores(s):
                return False
        return False

    def one(self, a: Any, b: Any) -> bool:
        return isinstance(a, Var) and isinstance(b, Var) and self.aliases.find(a) is self.aliases.find(b)

    def is_used_once(self, v: Any) -> bool:
        return len(self.uses.get(v, [])) == 1


def _function(s: Statement) -> Any:
    return s.fn.value if isinstance(s, Call) and isinstance(s.fn, Const) else None


def _stores(s: Statement) -> bool:
    """Tell whether a statement stores into anything."""
    if isinstance(s, Call):
        return stored_into(s) is not None
    return isinstance(s, Loop) or any(_stores(inner) for block in blocks_of(s) for inner in block.statements)


def _is_number(v: Var) -> bool:
    return is_immutable(v.type)


def _only_looks(s: Call, fn: Any) -> bool:
    """Tell whether a call gives nothing of what it is called with."""
    return is_looker(fn) and all(map(_is_number, s.outs)) or of_arrays(fn) and is_new(s, fn)
