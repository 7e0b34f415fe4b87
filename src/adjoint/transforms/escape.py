"""Escape: holders of the arrays of a program, and the versions that are read: where a store must not be in place."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from ..ir import changes, intrinsics
from ..ir.nodes import (
    Atom,
    Block,
    Call,
    Closure,
    Const,
    Function,
    If,
    Loop,
    Star,
    Statement,
    Undef,
    Var,
    free_variables,
)
from ..ir.raising import final_calls
from ..ir.types import INT, Array, Dict, List
from ..ops.questions import is_looker
from ..tangents import ADDITIONS, as_dense
from .aliases import stored_into
from .infer import is_value
from .sites import CopyArgument, CopyBeforeUpdate, CopyCollected, CopyOnEntry, Site
from .uses import calls_of, only_tested, places_of, uses_of
from .versions import Versions, is_indexed, is_table, makes_array, makes_numbers, reads_shape, updated, version_of


class Found(Exception):
    """The sites that have to copy."""

    def __init__(self, site: Site) -> None:
        self.site = site


class Escape:
    """The program in its order: which arrays are new here, who else holds them, which are overwritten.

    A copy that is made where an array is handed on changes nothing of what has been read since: it goes to `apart` at
    once. At any other the walk ends, for what comes after depends on it; unless it is `going_on`, past whole loops, and
    gathers in `found` what may be one copy too many.
    """

    def __init__(self, function: Function, apart: set[Site], going_on: bool = False) -> None:
        self.apart = apart
        self.going_on = going_on
        self.found: set[Site] = set()
        self.function, self.body = function, function.body
        self.versions = Versions(function.body, apart, renew=True)
        self.find = self.versions.find
        self.owned: set[Var] = set()
        self.defined: dict[Var, dict[Var, None]] = {}
        self.stale: dict[Var, Call] = {}
        self.held: dict[Var, Site | None] = {}
        self.holders: dict[Var, list[tuple[Site | None, int]]] = {}
        self.regions = 0
        """How often a branch, a loop or a function has been entered or left."""
        self.loops: list[tuple[Loop, set[Var], set[Var]]] = []
        self.around: dict[Call, list[tuple[Loop, set[Var], set[Var]]]] = {}
        self.foreign: set[Call] = set()
        self.excluded = self.versions.excluded()
        self.given = {site.array for site in apart if isinstance(site, CopyArgument)}
        self.updates: dict[Block, list[tuple[Call, Var]]] = {}

    @cached_property
    def uses(self) -> dict[Atom, list[tuple[Any, int | None]]]:
        return places_of(self.body)

    @cached_property
    def tested(self) -> set[Var]:
        return only_tested(self.function)

    # ---- statements

    def block(self, block: Block) -> None:
        self.regions += 1
        for s in block.statements:
            match s:
                case Call():
                    self.call(s)
                case If():
                    self.branches(s)
                case Loop():
                    self.loop_or_past(s)
                case Closure():
                    self.closure(s)
        self.regions += 1

    def copy_at(self, site: Site) -> None:
        """Something has to copy: where a store in a loop does, what comes after is as if it did."""
        if not self.going_on or self.loops and not isinstance(site, Call):
            raise Found(site)
        self.found.add(site)

    def loop_or_past(self, s: Loop) -> None:
        """A loop, as far as it can be read: what stands in the way behind that the next walk finds."""
        around = len(self.loops)
        try:
            self.loop(s)
        except Found as found:
            del self.loops[around:]
            self.regions += 1
            self.copy_at(found.site)
            self.owned.update(s.outs)
            for out in s.outs:
                self.define(out)

    def call(self, s: Call) -> None:
        target = updated(s)
        for atom in (*s.args, *(v for _, v in s.kwargs), s.fn):
            atom = atom.value if isinstance(atom, Star) else atom
            if isinstance(atom, Var) and atom is not target:
                self.use(s, atom)
        if target is not None:
            self.update(s, target)
        elif self.is_asked_for(s) and (makes_array(s) or is_view(s) and CopyArgument(s, s.args[0]) in self.apart):  # type: ignore[arg-type]
            self.owned.update(s.outs)
        for out in s.outs:
            self.define(out)

    def is_asked_for(self, s: Call) -> bool:
        """Tell whether what a call gives has versions, or is copied for somebody."""
        return any([out in self.versions.parent or out in self.given for out in s.outs])

    def update(self, s: Call, target: Var) -> None:
        self.read(target)
        self.owned.add(version_of(s))
        if s in self.apart:
            return
        root = self.find(target)
        if target not in self.owned or s in self.foreign or root in self.excluded:
            self.foreign.add(s)
            return
        self.around[s] = [*self.loops]
        if root in self.held and not self.is_copied_for(root):
            self.copy_at(self.held.pop(root) or self.outermost(root, s))
        for old in self.defined.get(root, ()):
            self.stale.setdefault(old, s)

    def is_copied_for(self, root: Var) -> bool:
        """Tell whether all who hold an array are given a copy now: calls since when the program has gone straight
        on."""
        sites = self.holders.pop(root, [])
        straight = all([isinstance(s, CopyArgument) and not is_view(s.call) and at == self.regions for s, at in sites])
        if not straight or not sites or sites[-1][0] is not self.held[root]:
            return False
        self.apart.update([site for site, _ in sites if site is not None])
        del self.held[root]
        return True

    def branches(self, s: If) -> None:
        stale, held = dict(self.stale), dict(self.held)
        self.block(s.then)
        self.results(s.then.results)
        after = self.stale, self.held
        if s.is_attempt:  # the second block sees what the first has stored, if anything has raised after that
            final = final_calls(s.then)
            stale |= {old: call for old, call in self.stale.items() if call not in final}
        self.stale, self.held = stale, held
        self.block(s.orelse)
        self.results(s.orelse.results)
        self.stale = {**self.stale, **after[0]}
        self.held = {**self.held, **after[1]}
        for out, a, b in zip(s.outs, s.then.results, s.orelse.results, strict=True):
            if out not in self.tested:  # `while queue and n < 9`: nobody has what only decides
                self.pass_on(a, out)
                self.pass_on(b, out)
            if a in self.owned and b in self.owned:
                self.owned.add(out)
            self.define(out)

    def loop(self, s: Loop) -> None:
        for q in s.sequences:
            if isinstance(q, Var):
                self.use(s, q)
        for i, init in enumerate(s.inits):
            self.start(s, i, init)
        carried = enumerate(s.body.params[: s.carried])
        same = {self.find(p) for i, p in carried if CopyOnEntry(s, i) not in self.versions.renewed}
        outside, held = self.defined.keys() | same, set(self.held)
        escaped: dict[Var, Site | None] = {}
        for _ in range(2):  # what the end of a round leaves meets the next one
            self.loops.append((s, {v for vs in self.defined.values() for v in vs}, held))
            self.round(s)
            self.loops.pop()
            given_on = self.given_on(s)
            escaped.update({made: self.held[made] for made in given_on.values()})
            for root in self.defined.keys() - outside:  # another object in each round
                del self.defined[root]
                self.held.pop(root, None)
            self.held.update({param: escaped[made] for param, made in given_on.items()})
        for i in range(s.carried):
            self.end(s, i)
        self.held.update(escaped)
        self.owned.update(out for out in s.outs[s.carried :] if is_indexed(out))  # a list that the loop makes
        for out in s.outs:
            self.define(out)

    def start(self, s: Loop, i: int, init: Atom) -> None:
        """Note what a loop starts with."""
        param, site = s.body.params[i], CopyOnEntry(s, i)
        if site not in self.apart:
            self.pass_on(init, param)
        if not is_indexed(param) or not isinstance(init, Var):
            return
        self.read(init)
        if self.find(init) in self.excluded:  # it may be unbound: nothing to copy
            self.excluded.add(self.find(s.outs[i]))
            return
        if init in self.owned or site in self.apart:
            self.owned.add(param)
        elif self.first_update(s, param) is not None:
            raise Found(site)
        if site in self.versions.renewed and site not in self.apart and self.is_stored_into(s.outs[i], param):
            raise Found(site)  # without a round, what comes out is what went in

    def round(self, s: Loop) -> None:
        for param in s.body.params:
            self.define(param)
        if s.cond is not None:
            self.owned.update(q for q, p in zip(s.cond.params, s.body.params, strict=False) if p in self.owned)
            for param in s.cond.params:
                self.define(param)
            self.block(s.cond)
        self.block(s.body)
        self.results(s.body.results[: s.carried])
        for i, result in enumerate(s.body.results):
            if i < s.carried:
                self.pass_on(result, s.outs[i] if CopyOnEntry(s, i) in self.versions.renewed else s.body.params[i])
            elif isinstance(result, Var) and result in self.versions.parent and not self.asks_shape(s.outs[i]):
                self.collect(s, i, result)

    def collect(self, s: Loop, i: int, result: Var) -> None:
        early = CopyBeforeUpdate(s, i, result)
        if early in self.apart:
            return
        if result in self.stale:
            self.apart.add(early)
            return
        self.hold(result, CopyCollected(s, i))

    def given_on(self, s: Loop) -> dict[Var, Var]:
        """Of the arrays that a round makes for the next one, those that somebody has: what is given, what was made."""
        renewed = [i for i in range(s.carried) if CopyOnEntry(s, i) in self.versions.renewed]
        made = {self.find(s.body.params[i]): self.find(s.outs[i]) for i in renewed}
        return {param: array for param, array in made.items() if array in self.held}

    def end(self, s: Loop, i: int) -> None:
        """Note that what a loop leaves is new here if what it starts with and what each round gives is."""
        param, result = s.body.params[i], s.body.results[i]
        if param in self.owned and result not in self.owned:
            self.owned.discard(param)
            update = self.first_update(s, param)
            if update is not None:
                raise Found(update)
        unbound = isinstance(s.inits[i], Undef) and CopyOnEntry(s, i) in self.versions.renewed
        if param in self.owned or unbound and result in self.owned:
            self.owned.add(s.outs[i])

    def closure(self, s: Closure) -> None:
        reads = uses_of(s.function.body)
        for v in free_variables(s.function.body):
            if not all(r is not None and self.asks_any(r, v) for r in reads[v]):
                self.hold(v, None)
        owned, self.owned = self.owned, set()
        loops, self.loops = self.loops, []
        self.block(s.function.body)
        self.owned, self.loops = owned, loops

    def pass_on(self, v: Atom, to: Var) -> None:
        """An array goes on under a name that is not known to be one of its versions: that may be held by anybody."""
        if isinstance(v, Var) and v in self.versions.parent and self.find(to) is not self.find(v):
            self.hold(v, None)

    def results(self, results: Sequence[Atom]) -> None:
        for r in results:
            if isinstance(r, Var):
                self.read(r)

    # ---- variables

    def define(self, v: Var) -> None:
        if v in self.versions.parent:
            self.defined.setdefault(self.find(v), {})[v] = None
            self.stale.pop(v, None)

    def read(self, v: Var) -> None:
        """An old version is read: whoever has overwritten it must not."""
        update = self.stale.pop(v, None)
        if update is not None:
            self.copy_at(self.outermost(self.find(v), update, outside=v))

    def asks_any(self, s: Statement, v: Var) -> bool:
        """Tell whether a statement asks an array for its shape, which any version may tell."""
        return reads_shape(s, v) and not self.versions.is_resized(v)

    def use(self, s: Statement, v: Var) -> None:
        if v not in self.versions.parent or self.asks_any(s, v):
            return  # there is one version, or all have the same shape
        if _looks(s, v):
            self.read(v)
        else:
            self.hold(v, CopyArgument(s, v) if isinstance(s, Call) and stored_into(s) is not v else None)

    def hold(self, v: Var, site: Site | None) -> None:
        """Somebody has the array from here on, unless it is given a copy."""
        self.read(v)
        if v in self.versions.parent and site not in self.apart:
            root = self.find(v)
            before = self.holders.get(root, [(None, 0)]) if root in self.held else []
            self.holders[root] = [*before, (site, self.regions)]
            self.held[root] = site

    def asks_shape(self, v: Var) -> bool:
        """Tell whether of an array, or of the arrays in a list that a loop collects, nothing is asked but their
        shapes."""
        return all(self.is_shape_use(use, v) for use in self.uses.get(v, ()))

    def is_shape_use(self, use: Any, v: Var) -> bool:
        s, i = use
        if isinstance(s, Call):
            turned = isinstance(s.fn, Const) and s.fn.value is reversed
            return self.asks_shape(s.out) if turned else self.asks_any(s, v)
        if isinstance(s, Loop) and i is None:
            return all(
                self.asks_shape(e) for e, q in zip(s.body.params[s.carried :], s.sequences, strict=False) if q is v
            )
        return isinstance(s, Loop) and i >= s.carried and self.asks_shape(s.outs[i])

    # ---- what stands in the way

    def outermost(self, root: Var, s: Call, outside: Var | None = None) -> Site:
        """The place to copy instead of at a store: the start of the outermost loop around it before which the array was
        held, or which the variable that is read stands outside of."""
        for loop, before, held in self.around[s]:
            there = root in held if outside is None else outside in before
            i = next((i for i, p in enumerate(loop.body.params[: loop.carried]) if self.find(p) is root), None)
            if there and i is not None and CopyOnEntry(loop, i) not in self.apart:
                return CopyOnEntry(loop, i)
        return s

    def is_stored_into(self, *versions: Var) -> bool:
        """Tell whether any of these arrays is changed anywhere in the function."""
        roots = {self.find(v) for v in versions}
        return any(self.find(target) in roots for _, target in self.updates_in(self.body))

    def first_update(self, s: Loop, param: Var) -> Call | None:
        root = self.find(param)
        return next((c for c, target in self.updates_in(s.body) if self.find(target) is root), None)

    def updates_in(self, block: Block) -> list[tuple[Call, Var]]:
        """The stores in place in a block, and what each changes: a block is gone through once."""
        if block not in self.updates:
            calls = [(c, updated(c)) for c in calls_of(block.statements) if c not in self.apart]
            self.updates[block] = [(c, target) for c, target in calls if target is not None]
        return self.updates[block]


def _looks(s: Statement, v: Var) -> bool:
    """Tell whether a statement leaves nobody who holds one of its operands."""
    if isinstance(s, Loop):  # what a list is run through for are its items, as of one that is read by its index
        elements = zip(s.body.params[s.carried :], s.sequences, strict=True)
        return isinstance(v.type, List) and (not is_table(v) or all([is_value(e.type) for e, q in elements if q is v]))
    if not isinstance(s, Call) or not isinstance(s.fn, Const):
        return False
    fn = s.fn.value
    if fn is operator.getitem:  # what is read of a list is an object of its own, unless rows are stored into
        of_items = isinstance(v.type, List | Dict) and not is_table(v)
        return of_items or is_value(s.outs[0].type) or s.args[0] is not v
    if fn is intrinsics.item_in_row:
        return True
    if (target := updated(s)) is not None:  # what is put into a list is held by it
        return v is not target and (isinstance(target.type, Array) or is_value(v.type))
    if fn in ADDITIONS:
        return v is not s.args[0]
    if (
        isinstance(v.type, List | Dict)
        and (is_looker(fn) or fn is getattr)
        and all([is_value(out.type) or out.type == List(INT) for out in s.outs])
    ):
        return True
    keys = fn is list and isinstance(v.type, Dict)
    return keys or fn is as_dense or fn is changes.copied or makes_numbers(s, fn)


def is_view(s: Any) -> bool:
    """Tell whether a call reads a part of an array: it may as well be a copy."""
    return isinstance(s, Call) and isinstance(s.fn, Const) and s.fn.value is operator.getitem and is_indexed(s.outs[0])
