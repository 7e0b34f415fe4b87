"""Variables that stand for versions of one object, and those into which something is stored."""

from __future__ import annotations

import types
from collections.abc import Container
from typing import Any, NamedTuple

from ..ir import changes, intrinsics
from ..ir.intrinsics import make_list, make_tuple
from ..ir.nodes import Atom, Block, Call, Const, If, Loop, Star, Statement, Var
from ..ir.operations import changed_by
from ..ir.types import Array, Dict, List, Record, Scalar, Unknown
from ..ir.united import United
from ..ops.questions import holds_items, of_numpy
from .effects import IN_PLACE, is_new, runs_backwards, viewed
from .facts import Callee
from .infer import is_unseen, is_value, type_of
from .uses import Definitions, calls_of, uses_of


class At(NamedTuple):
    """The position of a statement: its place in the order of the program, and the loops around it."""

    order: int
    around: tuple[Loop, ...]


class Renewed(NamedTuple):
    """A variable that a loop carries, beginning with `init`, and for which each round makes a new object."""

    param: Var
    made: Var
    init: Atom
    loop: Loop
    at: At


class Chosen(NamedTuple):
    """The out of a branch on one side: an object that the round of a loop around it has made."""

    out: Var
    made: Var
    loop: Loop
    at: At


class Aliases(United):
    """Variables that stand for versions of one object, united; and those into which something is stored."""

    def __init__(self, nested: Container[Call] = (), items: bool = False, asked: Container[Var] = ()) -> None:
        """Variables that are only `asked` for their truth are no names of anything."""
        super().__init__()
        self.nested, self.asked = nested, asked
        self.items = items
        self.stored: set[Var] = set()
        self.stores: list[tuple[Var, At]] = []
        self.renewed: list[Renewed] = []
        self.chosen: list[Chosen] = []
        self.joined: set[Var] = set()
        self.bundles: set[Var] = set()
        self.methods: set[Var] = set()
        self.pieces: set[Var] = set()
        self.same: list[tuple[Var, Atom]] = []
        self.around: tuple[Loop, ...] = ()
        self.order = 0
        self.definitions = Definitions()

    @classmethod
    def coarse(cls, block: Block, items: bool = False) -> Aliases:
        """Those of a block, where what a round makes anew for the next counts as what the round was given. With
        `items`, what a container holds counts as the container."""
        aliases = cls(items=items)
        aliases.block(block)
        for r in aliases.renewed:
            aliases.unite(r.param, r.made)
        for c in aliases.chosen:
            aliases.unite(c.out, c.made)
        return aliases

    def settle(self) -> None:
        """Tell apart what a round makes anew for the next, and the object that the round was given. They count as one
        where there are stores into the latter as well, but for those that are done when the loop begins, or where what
        was made has more than one name. So it is with what a branch may give."""
        again = True
        while again:
            self.settle_chosen()
            named = [self.find(v) for v in self.joined] + [self.find(r.made) for r in self.renewed]
            named += [root for r in self.renewed for root in self.carried_as(r.made, r.loop)]
            one = [r for r in self.renewed if self.is_stored_into(r) or named.count(self.find(r.made)) > 1]
            again = any(self.find(r.param) is not self.find(r.made) for r in one)
            for r in one:
                self.unite(r.param, r.made)
        more = self.pieces
        while more:  # a piece of something, under whatever name
            more = {out for out, source in self.same if source in self.pieces} - self.pieces
            self.pieces |= more

    def settle_chosen(self) -> None:
        """The out of a branch is what a round has made, where one of the two is stored into afterwards."""
        again = True
        while again:
            one = [c for c in self.chosen if self.find(c.out) is not self.find(c.made) and self.goes_on(c)]
            again = bool(one)
            for c in one:
                self.unite(c.out, c.made)

    def goes_on(self, c: Chosen) -> bool:
        """Tell whether a store into what a round has made, or into what a branch gives, may come behind the branch: in
        this round, or in a later one to which it is handed on."""
        out, made = self.find(c.out), self.find(c.made)
        loops = [loop for loop in c.at.around if self.carried_as(c.made, loop)]
        for target, at in self.stores:
            root = self.find(target)
            if root is out and (at.around or at.order > c.at.order):
                return True
            if root is made and (at.order > c.at.order or any([loop in at.around for loop in loops])):
                return True
        return False

    def is_stored_into(self, r: Renewed) -> bool:
        """Tell whether a store into what the rounds are given may come while they run, or later."""
        root = self.find(r.param)
        return any(self.find(target) is root and not self.is_done(at, r) for target, at in self.stores)

    def is_done(self, store: At, r: Renewed) -> bool:
        """Tell whether a store is done when a loop begins, and does not come again for what the loop has made."""
        if r.loop in store.around or store.order > r.at.order:
            return False
        both = [loop for loop in store.around if loop in r.at.around]
        return not both or _made_in(r.init, both[-1].body, self.definitions)

    def carried_as(self, made: Var, s: Loop) -> list[Var]:
        """Once for each variable that takes what a round made, or a view of it, to the next round as it is."""
        root = self.find(made)
        return [root for p in s.body.params[: s.carried] if self.find(p) is root]

    def unite(self, a: Atom, b: Atom) -> None:
        if isinstance(a, Var) and isinstance(b, Var):
            self.join(a, b)

    def block(self, block: Block) -> None:
        for s in block.statements:
            self.statement(s)

    def statement(self, s: Statement) -> None:
        self.order += 1
        if isinstance(s, Call) and s in self.nested:
            return  # a new row
        if isinstance(s, Call):
            target = stored_into(s)
            if target is not None:
                if s.outs:
                    self.unite(s.outs[-1], target)
                    self.same.append((s.outs[-1], target))
                self.stored.add(target)
                self.stores.append((target, At(self.order, self.around)))
            else:
                self.view(s)
        elif isinstance(s, If):
            self.block(s.then)
            self.block(s.orelse)
            of_one = {
                out for out, *ways in zip(s.outs, s.then.results, s.orelse.results, strict=True) if self.are_one(*ways)
            }
            for block in (s.then, s.orelse):
                for out, result in zip(s.outs, block.results, strict=True):
                    if out in self.asked:
                        continue
                    if (made := self.made_in_round(result, block)) is not None:
                        self.chosen.append(made._replace(out=out))
                    else:
                        self.unite(out, result)
                    self.bundle(out, result)
            self.joined.update([out for out in s.outs if out not in of_one])
        elif isinstance(s, Loop):
            for element, q in zip(s.body.params[s.carried :], s.sequences, strict=False):
                views = self.items or isinstance(q, Var) and runs_through_views(q, self.bundles)
                if isinstance(q, Var) and views and not is_value(element.type):
                    self.unite(element, q)
                    self.bundle(element, q)
                    self.pieces.add(element)
            for param, init in zip(s.body.params, s.inits, strict=False):
                self.bundle(param, init)
            at = At(self.order, self.around)
            self.around = (*self.around, s)
            if s.cond is not None:
                for param, init in zip(s.cond.params, s.inits, strict=False):
                    self.unite(param, init)
                self.block(s.cond)
            self.block(s.body)
            self.around = at.around
            for i, param in enumerate(s.body.params[: s.carried]):
                self.unite(param, s.inits[i])
                result = s.body.results[i]
                if isinstance(result, Var) and _made_in(result, s.body, self.definitions):
                    self.renewed.append(Renewed(param, result, s.inits[i], s, at))
                else:
                    self.unite(param, result)
                self.unite(s.outs[i], param)
                self.same.append((param, result))
                self.bundle(s.outs[i], param)
                self.bundle(s.outs[i], result)

    def are_one(self, a: Atom, b: Atom) -> bool:
        """Tell whether both ways of a branch give versions of one object: what it gives is no other name of that."""
        return isinstance(a, Var) and isinstance(b, Var) and self.find(a) is self.find(b)

    def made_in_round(self, v: Atom, block: Block) -> Chosen | None:
        """The result of a side of a branch, if that is surely a new object of this round of the loop around it."""
        if not self.around or not isinstance(v, Var):
            return None
        loop = self.around[-1]
        made = any([_made_in(v, of, self.definitions) for of in (block, loop.body)])
        return Chosen(v, v, loop, At(self.order, self.around)) if made else None

    def view(self, s: Call) -> None:
        """Unite what a call gives with the argument of which it may be a view: it is that under another name."""
        if runs_backwards(s):
            self.unite(s.out, s.args[0])  # type: ignore[arg-type]
            return
        fn = s.fn.value if isinstance(s.fn, Const) else None
        held = [a for a in s.args if isinstance(a, Var)] if self.items and holds_items(fn) else []
        for base in held or _given(s) or viewed(s, fn, self.bundles, self.methods):
            for out in s.outs:
                if not is_value(out.type):
                    self.unite(out, base)
                    self.pieces.add(out)
                    if not isinstance(out.type, Array):
                        self.bundles.add(out)
                    if fn is getattr:
                        self.methods.add(out)

    def bundle(self, out: Var, source: Atom) -> None:
        self.same.append((out, source))
        if source in self.bundles:
            self.bundles.add(out)
        if source in self.methods:
            self.methods.add(out)


def runs_through_views(q: Var, bundles: set[Var]) -> bool:
    """Tell whether the items of what a loop runs through may be views of it."""
    t = q.type
    return q in bundles or isinstance(t, Array) and t.ndim != 1 or isinstance(t, Unknown)


def _made_in(v: Atom, block: Block, definitions: Definitions) -> bool:
    """Tell whether a variable is surely a new object, made by this run of a block."""
    s = definitions.find(v, block)
    if isinstance(s, Call):
        target = stored_into(s)
        if target is not None:
            return v is s.outs[-1] and _made_in(target, block, definitions)
        return is_new(s, s.fn.value if isinstance(s.fn, Const) else None)
    if isinstance(s, Loop):
        i = s.outs.index(v)
        if i >= s.carried:
            return True  # what it collects
        same = _earlier(s.body.results[i], s.body, definitions) is s.body.params[i]
        return same and _made_in(s.inits[i], block, definitions)
    return False


def _earlier(v: Atom, block: Block, definitions: Definitions) -> Atom | None:
    """The variable of which another is a later version, by stores in this block and those within; None if it is
    something else."""
    while (s := definitions.find(v, block)) is not None:
        if isinstance(s, Loop) and s.outs.index(v) < s.carried:
            i = s.outs.index(v)
            if _earlier(s.body.results[i], s.body, definitions) is not s.body.params[i]:
                return None
            v = s.inits[i]
        elif isinstance(s, If):
            i = s.outs.index(v)
            then, orelse = (_earlier(side.results[i], side, definitions) for side in (s.then, s.orelse))
            if then is None or then is not orelse:
                return None
            v = then
        else:
            target = stored_into(s) if isinstance(s, Call) and v is s.outs[-1] else None
            if target is None:
                return None
            v = target
    return v


def stored_into(s: Call) -> Var | None:
    """The variable that a call changes, unless it is a number."""
    if not isinstance(s.fn, Const):
        return None
    place = changed_by(s.fn.value) if going_on(s) is None else s.args.index(going_on(s)) + 1
    if isinstance(s.fn.value, types.BuiltinFunctionType) and s.fn.value in IN_PLACE:
        t = type_of(s.args[0])  # type: ignore[arg-type]
        place = 0 if isinstance(t, (List, Dict, Record, Array)) and not is_unseen(t) else None
    target = None if place is None else s.args[place]
    if not isinstance(target, Var) or is_value(target.type):
        return None
    if s.fn.value is changes.call_method and isinstance(target.type, Record):
        return None
    return target


def passed_on(block: Block) -> set[Call]:
    """The displays that are only passed to a function of NumPy: `np.stack([a, b])` makes an array of its own."""
    uses = uses_of(block)
    found = set()
    for s in calls_of(block.statements):
        fn = s.fn.value if isinstance(s.fn, Const) else None
        if (fn is make_list or fn is make_tuple) and all(map(_is_array, s.args)):
            user = _only(uses, s.out)
            if isinstance(user, Call) and isinstance(user.fn, Const) and of_numpy(user.fn.value):
                found.add(s)
    return found


def _is_array(a: Any) -> bool:
    """An array or a number: its rule keeps what it was, while a list that grows is the same list."""
    return not isinstance(a, Star) and isinstance(type_of(a), (Array, Scalar))


def _given(s: Call) -> list[Var]:
    """The arguments that a call of a function whose rule is generated may give back."""
    if not isinstance(s.how, Callee):
        return []
    from .summary import given_by, summary_of

    return given_by(s, summary_of(s))


def parts_of(block: Block) -> tuple[set[Call], set[Call]]:
    """The calls whose results are only used to go on with an object, so that nobody sees it: the method in
    `super().__init__(...)` and `self.build(...)`; and the reads of what is only called."""
    uses = uses_of(block)
    parts, called = set[Call](), set[Call]()
    for read in reversed([*calls_of(block.statements)]):
        if not isinstance(read.fn, Const) or not any(read.fn.value is fn for fn in (getattr, super)):
            continue
        user = _only(uses, read.out)
        if isinstance(user, Call) and (user in parts or going_on(user) is read.out):
            parts.add(read)
        if isinstance(user, Call) and user.fn is read.out:
            called.add(read)
    return parts, called


def going_on(s: Call) -> Any:
    """The method that goes on with an object which is being made, the next argument; None for other calls."""
    if not isinstance(s.fn, Const) or s.fn.value is not changes.initialise and s.fn.value is not intrinsics.apply:
        return None
    if s.fn.value is changes.initialise:
        return s.args[0]
    function = s.args[0]
    return s.args[3] if isinstance(function, Const) and function.value is changes.initialise else None


def _only(uses: dict[Atom, list[Statement | None]], v: Var) -> Statement | None:
    """The use of a variable, if that is one thing; None otherwise."""
    found = uses.get(v, [])
    return found[0] if len(found) == 1 else None
