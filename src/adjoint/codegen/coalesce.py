"""Names for variables: versions of one variable share a name wherever their lives do not overlap.

One walk from the last statement to the first knows at each definition which variables are live, that is, which names
must not be overwritten there: sets of variables are integers with one bit for each, as each definition keeps one and
most hold most of a long program. Then the copies that leaving SSA implies (results of branches, carried values) are
united where that is allowed, and each class of united variables gets a name.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ..ir.nodes import Atom, Block, Call, Closure, If, Loop, Statement, Undef, Var
from ..ir.raising import may_raise
from ..ir.types import Array
from ..ir.united import United
from ..spelling import identifier, numbered
from .forms import inplace_operator
from .plan import Plan


@dataclass(frozen=True, slots=True)
class Naming:
    """The name of every variable that the text mentions, the variables that are never bound, and the names of arrays
    that are read for the last time by a statement of the function's own block."""

    names: dict[Var, str]
    unbound: set[Var]
    last_read: dict[Statement, list[str]]


def assign_names(plan: Plan, last_reads: bool = False) -> Naming:
    """Name the variables of a function; `last_reads` tells whether these are asked for."""
    lives = _Lives(plan)
    lives.function(plan.function.body)
    classes = _Classes(plan, lives)
    names = classes.names()
    return Naming(names, classes.never_bound(), dict(lives.last_reads(names) if last_reads else ()))


class _Bits(dict[Var, int]):
    """The integer of one bit for each variable that is asked for: several make a set."""

    def __init__(self) -> None:
        self.at: list[Var] = []

    def __missing__(self, v: Var) -> int:
        found = self[v] = 1 << len(self.at)
        self.at.append(v)
        return found

    def of(self, variables: Iterable[Var]) -> int:
        """The set of these variables."""
        return functools.reduce(operator.or_, map(self.__getitem__, variables), 0)

    def members(self, mask: int) -> Iterator[Var]:
        """The variables of a set."""
        while mask:
            low = mask & -mask
            yield self.at[low.bit_length() - 1]
            mask ^= low


class _Lives:
    """The variables that are live where each variable is defined, and the copies between variables."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.bits = _Bits()
        self.overlap: dict[Var, int] = {}
        self.same: dict[Var, int] = {}
        """The variables that are one object, by the one that they come from."""
        self.united: list[tuple[Var, Var]] = []
        self.copies: list[tuple[Var, Var]] = []
        self.sources: dict[Var, list[Atom]] = {}
        self.unbound: set[Var] = set()
        self.params: set[Var] = set()
        self.flags: list[Var] = []
        self.functions: dict[Var, str] = {}
        self.kept = 0
        """The variables that are live in the first block of an attempt wherever an exception may leave it."""
        self.around: dict[Statement, tuple[int, int]] = {}
        """The variables that are live before and after each statement of the function's own block."""
        for v, root in plan.origin.items():
            self.unify(v, root)

    def unify(self, v: Var, root: Var) -> None:
        self.same[root] = self.same.get(root, 0) | self.bits.of((v, root))

    def define(self, outs: Sequence[Var], live: int) -> None:
        """`outs` are assigned together where `live` are live."""
        origin = self.plan.origin
        for out in reversed(outs):
            others = live & ~self.same.get(origin.get(out, out), self.bits[out]) if origin else live
            self.overlap[out] = self.overlap.get(out, 0) | others

    def read(self, atoms: Iterable[Atom]) -> int:
        """The variables that the text of these atoms reads."""
        found = 0
        for atom in atoms:
            if isinstance(atom, Var):
                tree = self.plan.inlined.get(atom)
                found |= self.bits[atom] if tree is None else self.bits.of(tree.leaves)
        return found

    def copy(self, target: Var, source: Atom) -> None:
        self.sources.setdefault(target, []).append(source)
        if isinstance(source, Undef):
            self.unbound.add(target)
        elif isinstance(source, Var) and source not in self.plan.inlined:
            self.copies.append((target, source))

    def function(self, body: Block, around: Iterable[Var] = ()) -> None:
        live = self.bits.of((*around, *self.plan.captured.get(body, ())))
        kept, self.kept = self.kept, 0
        start = self.block(body, live, body.results)
        self.kept = kept
        self.define(body.params, start | self.bits.of(body.params))
        self.params.update(body.params)

    def block(self, block: Block, live: int, results: Sequence[Atom]) -> int:
        """The variables that are live at the start of a block at whose end `live` is, found backwards."""
        plan, bits = self.plan, self.bits
        live |= self.read(results)
        for s in reversed(block.statements):
            if s in plan.dead:
                continue
            after, outs = live, [out for out in s.outs if out in plan.uses]
            expression = len(outs) == 1 and outs[0] in plan.inlined
            if expression:
                live |= bits.of(plan.inlined[outs[0]].leaves)
            if isinstance(s, Call):
                if not expression:
                    live = self.assign(outs, live) | self.read(plan.operands(s))
                    if plan.origin and s.outs and s.outs[-1] in plan.origin:
                        self.copy(s.outs[-1], s.args[0])  # type: ignore[arg-type]
                    elif len(outs) == 1 and s.args and isinstance(s.args[0], Var):
                        self.inplace(s, outs[0])
            elif isinstance(s, If):
                live = self.branches(s, outs, live, expression)
            elif isinstance(s, Loop):
                live = self.comprehension(s, outs, live, expression) if s in plan.expressions else self.loop(s, live)
            elif isinstance(s, Closure):
                live = self.assign([s.out], live)
                self.functions[s.out] = s.function.name
                free = plan.free[s.function.body]
                self.function(s.function.body, free)
                live |= bits.of(free)
            if self.kept and may_raise(s):
                live |= self.kept
            if block is plan.function.body and not expression:
                self.around[s] = live, after
        return live

    def last_reads(self, names: dict[Var, str]) -> Iterator[tuple[Statement, list[str]]]:
        """The statements of the function's own block after which arrays are read no more that calls gave there, and the
        names of these. No other variable has such a name then; what a nested function reads is live to the end."""
        arrays = [out for s in self.around if isinstance(s, Call) for out in s.outs if isinstance(out.type, Array)]
        made, holders = self.bits.of(arrays), dict[str, int]()
        for v, name in names.items() if arrays else ():
            holders[name] = holders.get(name, 0) | self.bits[v]
        for s, (before, after) in self.around.items():
            if dead := before & ~after & made:
                still = after | self.bits.of(s.outs)
                gone = {names[v] for v in self.bits.members(dead)}
                yield s, sorted([name for name in gone if not holders[name] & still])

    def assign(self, outs: Sequence[Var], live: int) -> int:
        """The variables that are live before `outs` are assigned, if `live` is after it."""
        new = self.bits.of(outs)
        self.define(outs, live | new)
        return live & ~new

    def inplace(self, s: Call, out: Var) -> None:
        if inplace_operator(s):
            self.copy(out, s.args[0])  # type: ignore[arg-type]

    def branches(self, s: If, outs: list[Var], live: int, expression: bool) -> int:
        if not expression:
            live = self.assign(outs, live)
        before, kept = self.read([s.cond]), self.kept
        for b in (s.orelse, s.then) if s.is_attempt else (s.then, s.orelse):
            results = [r for out, r in zip(s.outs, b.results, strict=True) if out in self.plan.uses]
            if not expression and s not in self.plan.expressions:
                for out, r in zip(outs, results, strict=True):
                    self.copy(out, r)
            before |= self.block(b, live, results)
            if s.is_attempt:
                self.kept |= before
        self.kept = kept
        return before

    def comprehension(self, s: Loop, outs: list[Var], live: int, expression: bool) -> int:
        if not expression:
            live = self.assign(outs, live)
        value = [r for out, r in zip(s.outs, s.body.results, strict=True) if out in self.plan.uses]
        inside = self.assign(s.body.params, self.block(s.body, 0, value))
        return live | inside | self.read(s.sequences)

    def loop(self, s: Loop, live: int) -> int:
        plan, bits, n = self.plan, self.bits, s.carried
        carried = [i for i in range(n) if i != s.exit_flag or plan.flag_kept(s) or isinstance(s.body.results[i], Var)]
        outs, params = [s.outs[i] for i in carried], [s.body.params[i] for i in carried]
        lists = [out for out in s.outs[n:] if out in plan.uses]
        base = self.assign(outs, live) | self.kept
        base |= bits.of((*lists, *plan.free[s.body], *(plan.free[s.cond] if s.cond is not None else ())))
        for i, out, param in zip(carried, outs, params, strict=True):
            self.united.append((param, out))
            self.copy(param, s.body.results[i])
            self.copy(param, s.inits[i])
        end = base
        if s.exit_flag in carried and self.stays_false(s):
            flag = s.body.params[s.exit_flag]
            end |= bits[flag]
            result = s.body.results[s.exit_flag]
            if isinstance(result, Var):  # written in the branches, with `break`: it may bear the flag's name
                plan.origin[result] = plan.origin.setdefault(flag, flag)
                self.unify(result, plan.origin[flag])
                self.unify(flag, plan.origin[flag])
        start = self.block(s.body, end, s.body.results[:n])
        start |= bits.of(v for out, v in zip(s.outs[n:], s.body.results[n:], strict=True)
                         if out in plan.uses and isinstance(v, Var) and v in s.body.params)  # fmt: skip
        elements = bits.of(s.body.params[n:])
        read = self.read(s.sequences)  # what is run through is read after the carried variables are first assigned
        self.define(params, start & ~elements | read)
        if s.exit_flag in carried:  # its test may have to wait until all others are assigned
            self.define([s.body.params[s.exit_flag]], bits.of(params))
            self.flags.append(s.body.params[s.exit_flag])
        self.define(s.body.params[n:], start | elements)
        if s.cond is None:
            entry = start & ~bits.of(s.body.params)
        else:
            tested = [s.cond.params[i] for i in carried]
            self.united += zip(params, tested, strict=True)
            end = base
            for q, p, o in zip(tested, params, outs, strict=True):
                end |= bits[q] if bits[p] & start or bits[o] & live else 0
            head = self.block(s.cond, end, s.cond.results)
            self.define(tested, head)
            entry = head & ~bits.of(s.cond.params)
        entry |= base | self.read(s.inits) | read
        self.define(lists, entry)
        return entry & ~bits.of(lists)

    def stays_false(self, s: Loop) -> bool:
        """Tell whether a flag that is known to be false at the end of a round is not assigned there: it still is."""
        result = s.body.results[s.exit_flag or 0]
        last = self.plan.printed(s.body)[-1:]
        return not isinstance(result, Var) or (bool(last) and isinstance(last[0], If) and result in last[0].outs)


@dataclass(frozen=True, slots=True)
class _Holders:
    """The holders of one name, what lives while one of them does, and whether one may have no value."""

    members: int = 0
    overlap: int = 0
    unbound: bool = False

    def goes_with(self, other: _Holders) -> bool:
        """Tell whether both may have one name."""
        apart = not (self.members & other.overlap or other.members & self.overlap)
        return apart and not (self.unbound or other.unbound)

    def joined(self, other: _Holders) -> _Holders:
        return _Holders(self.members | other.members, self.overlap | other.overlap, self.unbound or other.unbound)


class _Series:
    """A name and the same with numbers, in the order in which they are tried."""

    SIZE = 32

    def __init__(self, base: str) -> None:
        self.names: list[str] = []
        self.more = numbered(base)
        self.some: list[int] = []
        """One of the variables of each name so far."""
        self.blocks: list[int] = []
        """These of so many names each: where all of them are live, none of the names is free."""

    def first(self, mine: _Holders, holders: dict[str, _Holders], reserved: set[str]) -> str:
        """The first name that what is given may have."""
        for block, some in enumerate(self.blocks):
            if some & ~mine.overlap:
                start = block * self.SIZE
                for k, name in enumerate(self.names[start : start + self.SIZE], start):
                    if name not in reserved and holders[name].goes_with(mine):
                        self.note(k, mine)
                        return name
        for name in self.more:
            known = None if name in reserved else holders.get(name, mine)
            self.names.append(name)
            self.some.append(0)
            self.note(len(self.some) - 1, known)
            if known is not None and (known is mine or known.goes_with(mine)):
                break
        return name

    def note(self, k: int, held: _Holders | None) -> None:
        """Note who has a name now."""
        self.some[k] = 0 if held is None else held.members & -held.members
        block, start = k // self.SIZE, k - k % self.SIZE
        self.blocks[block : block + 1] = [functools.reduce(operator.or_, self.some[start : start + self.SIZE])]


class _Classes(United):
    """Variables united under one name."""

    def __init__(self, plan: Plan, lives: _Lives) -> None:
        super().__init__()
        self.plan = plan
        self.lives = lives
        self.members: dict[Var, int] = {}
        self.overlap = lives.overlap
        self.label: dict[Var, str] = {}
        self.fixed = set(plan.function.params)
        for a, b in lives.united:
            self.unite(a, b, force=True)
        for a, b in lives.copies:
            self.unite(a, b)

    def of(self, root: Var) -> int:
        return self.members.get(root) or self.lives.bits[root]

    def apart(self, a: Var, b: Var) -> bool:
        """Tell whether two classes may share a name."""
        return not (self.of(a) & self.overlap.get(b, 0) or self.of(b) & self.overlap.get(a, 0))

    def unite(self, a: Var, b: Var, force: bool = False) -> None:
        """Unite the classes of a target `a` and its source `b`, if nothing forbids it."""
        a, b = self.find(a), self.find(b)
        if a is b:
            return
        left, right = self.label.get(a, a.name), self.label.get(b, b.name)
        if not force:
            top = self.plan.function.body
            if left and right and left != right and (self.plan.home[a][0] is top or self.plan.home[b][0] is top):
                return
            if (a in self.fixed and b in self.fixed) or not self.apart(a, b):
                return
        if b in self.fixed:
            a, b, left, right = b, a, right, left
        self.join(b, a)
        self.members[a] = self.of(a) | self.of(b)
        self.overlap[a] = self.overlap.get(a, 0) | self.overlap.get(b, 0)
        self.label[a] = left or right

    def never_bound(self) -> set[Var]:
        """Variables that no path assigns: the text must not take their names for global ones."""
        never: set[Var] = set()
        for root in {self.find(v) for v in self.lives.unbound}:
            members = {*self.lives.bits.members(self.of(root))}
            phis = [m for m in members if m in self.lives.sources]
            sources = [source for m in phis for source in self.lives.sources.get(m, [])]
            if len(phis) == len(members) and all(isinstance(s, Undef) or s in members for s in sources):
                never |= members
        return never

    def names(self) -> dict[Var, str]:
        """A name for each variable, in the order of the text; parameters keep theirs."""
        plan = self.plan
        reserved = plan.globals_read | {plan.unread}
        unbound = {self.find(v) for v in self.lives.unbound}
        holders: dict[str, _Holders] = {}
        series: dict[str, _Series] = {}
        names: dict[Var, str] = {}
        hidden = plan.inlined.keys() | plan.headed.keys()
        params = self.lives.params
        mentioned = [v for v in reversed(self.overlap) if v in params or (v in plan.uses and v not in hidden)]
        temporaries = 0
        wanted = {v.name for v in self.overlap if v.name}
        for v in [*plan.function.params, *mentioned, *self.lives.flags]:
            root = self.find(v)
            if root in names:
                names[v] = names[root]
                continue
            base = self.label.get(root, root.name) or self.lives.functions.get(root, "")
            mine = _Holders(self.of(root), self.overlap.get(root, 0), root in unbound)
            if base:
                name = series.setdefault(base, _Series(identifier(base))).first(mine, holders, reserved)
            else:
                temporaries += 1
                while f"t{temporaries}" in wanted or f"t{temporaries}" in reserved:
                    temporaries += 1
                name = f"t{temporaries}"
            holders[name] = mine if name not in holders else holders[name].joined(mine)
            names[root] = names[v] = name
        for v in self.overlap:
            root = self.find(v)
            if root in names:
                names[v] = names[root]
        return names
