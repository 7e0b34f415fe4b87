"""Names for variables: versions of one variable share a name wherever their lives do not overlap.

One walk from the last statement to the first knows at each definition which variables are live, that is, which names
must not be overwritten there. Then the copies that leaving SSA implies (results of branches, carried values) are
united where that is allowed, and each class of united variables gets a name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..ir.nodes import Atom, Block, Call, Closure, If, Loop, Undef, Var
from ..spelling import identifier, suffixed
from .forms import inplace_operator
from .plan import Plan


def assign_names(plan: Plan) -> tuple[dict[Var, str], set[Var]]:
    """The name of every variable that the text mentions, and those variables that are never bound."""
    lives = _Lives(plan)
    lives.function(plan.function.body)
    classes = _Classes(plan, lives)
    return classes.names(), classes.never_bound()


class _Lives:
    """Which variables are live where each variable is defined, and the copies between variables."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.overlap: dict[Var, set[Var]] = {}
        self.united: list[tuple[Var, Var]] = []
        self.copies: list[tuple[Var, Var]] = []
        self.sources: dict[Var, list[Atom]] = {}
        self.unbound: set[Var] = set()
        self.params: set[Var] = set()
        self.flags: list[Var] = []
        self.functions: dict[Var, str] = {}

    def define(self, outs: Iterable[Var], live: set[Var]) -> None:
        """`outs` are assigned together where `live` are live."""
        origin = self.plan.origin
        for out in reversed([*outs]):
            known = self.overlap.get(out)
            others = live
            if origin:
                root = origin.get(out, out)
                others = {v for v in live if origin.get(v, v) is not root}
            self.overlap[out] = others | known if known else set(others)

    def reads(self, atoms: Iterable[Atom], live: set[Var]) -> None:
        for atom in atoms:
            if isinstance(atom, Var):
                tree = self.plan.inlined.get(atom)
                if tree is None:
                    live.add(atom)
                else:
                    live |= tree.leaves

    def copy(self, target: Var, source: Atom) -> None:
        self.sources.setdefault(target, []).append(source)
        if isinstance(source, Undef):
            self.unbound.add(target)
        elif isinstance(source, Var) and source not in self.plan.inlined:
            self.copies.append((target, source))

    def function(self, body: Block, around: Iterable[Var] = ()) -> None:
        live = set(around) | self.plan.captured.get(body, set())
        start = self.block(body, live, body.results)
        self.define(body.params, start | set(body.params))
        self.params.update(body.params)

    def block(self, block: Block, live: set[Var], results: Sequence[Atom]) -> set[Var]:
        """Walk a block backwards; `live` is what is live at its end, changed into what is live at its start."""
        plan = self.plan
        self.reads(results, live)
        for s in reversed(block.statements):
            if s in plan.dead:
                continue
            outs = [out for out in s.outs if out in plan.uses]
            expression = len(outs) == 1 and outs[0] in plan.inlined
            if expression:
                live |= plan.inlined[outs[0]].leaves
            if isinstance(s, Call):
                if not expression:
                    live.update(outs)
                    self.define(outs, live)
                    live.difference_update(outs)
                    self.reads(plan.operands(s), live)
                    if plan.origin and s.outs and s.outs[-1] in plan.origin:
                        self.copy(s.outs[-1], s.args[0])  # type: ignore[arg-type]
                    elif len(outs) == 1 and s.args and isinstance(s.args[0], Var):
                        self.inplace(s, outs[0])
            elif isinstance(s, If):
                live = self.branches(s, outs, live, expression)
            elif isinstance(s, Loop):
                live = self.comprehension(s, outs, live, expression) if s in plan.expressions else self.loop(s, live)
            elif isinstance(s, Closure):
                live.add(s.out)
                self.define([s.out], live)
                live.discard(s.out)
                self.functions[s.out] = s.function.name
                free = plan.free[s.function.body]
                self.function(s.function.body, free)
                live |= free
        return live

    def inplace(self, s: Call, out: Var) -> None:
        if inplace_operator(s):
            self.copy(out, s.args[0])  # type: ignore[arg-type]

    def branches(self, s: If, outs: list[Var], live: set[Var], expression: bool) -> set[Var]:
        if not expression:
            live.update(outs)
            self.define(outs, live)
            live.difference_update(outs)
        before: set[Var] = set()
        for b in (s.then, s.orelse):
            results = [r for out, r in zip(s.outs, b.results, strict=True) if out in self.plan.uses]
            if not expression and s not in self.plan.expressions:
                for out, r in zip(outs, results, strict=True):
                    self.copy(out, r)
            before |= self.block(b, set(live), results)
        self.reads([s.cond], before)
        return before

    def comprehension(self, s: Loop, outs: list[Var], live: set[Var], expression: bool) -> set[Var]:
        if not expression:
            self.define(outs, live | set(outs))
            live.difference_update(outs)
        value = [r for out, r in zip(s.outs, s.body.results, strict=True) if out in self.plan.uses]
        inside = self.block(s.body, set(), value)
        elements = set(s.body.params)
        self.define(s.body.params, inside | elements)
        live |= inside - elements
        self.reads(s.sequences, live)
        return live

    def loop(self, s: Loop, live: set[Var]) -> set[Var]:
        plan, n = self.plan, s.carried
        carried = [i for i in range(n) if i != s.stop or plan.flag_kept(s) or isinstance(s.body.results[i], Var)]
        outs, params = [s.outs[i] for i in carried], [s.body.params[i] for i in carried]
        lists = [out for out in s.outs[n:] if out in plan.uses]
        self.define(outs, live | set(outs))
        after = live.difference(outs)
        base = after.union(lists, plan.free[s.body], *([plan.free[s.cond]] if s.cond is not None else []))
        for i, out, param in zip(carried, outs, params, strict=True):
            self.united.append((param, out))
            self.copy(param, s.body.results[i])
            self.copy(param, s.inits[i])
        end = set(base)
        if s.stop in carried and self.stays_false(s):
            flag = s.body.params[s.stop]
            end.add(flag)
            result = s.body.results[s.stop]
            if isinstance(result, Var):  # written in the branches, with `break`: it may bear the flag's name
                plan.origin[result] = plan.origin.setdefault(flag, flag)
        start = self.block(s.body, end, s.body.results[:n])
        start.update(v for out, v in zip(s.outs[n:], s.body.results[n:], strict=True)
                     if out in plan.uses and isinstance(v, Var) and v in s.body.params)  # fmt: skip
        elements = set(s.body.params[n:])
        read: set[Var] = set()  # what is run through is read after the carried variables are first assigned
        self.reads(s.sequences, read)
        self.define(params, (start - elements) | read)
        if s.stop in carried:  # its test may have to wait until all others are assigned
            self.define([s.body.params[s.stop]], set(params))
            self.flags.append(s.body.params[s.stop])
        self.define(s.body.params[n:], start | elements)
        if s.cond is None:
            entry = start.difference(s.body.params)
        else:
            tested = [s.cond.params[i] for i in carried]
            self.united += zip(params, tested, strict=True)
            end = set(base)
            end.update(q for q, p, o in zip(tested, params, outs, strict=True) if p in start or o in live)
            head = self.block(s.cond, end, s.cond.results)
            self.define(tested, head)
            entry = head.difference(s.cond.params)
        entry |= base
        self.reads(s.inits, entry)
        self.reads(s.sequences, entry)
        self.define(lists, entry)
        return entry.difference(lists)

    def stays_false(self, s: Loop) -> bool:
        """Whether a flag that is known to be false at the end of a round is not assigned there: it still is."""
        result = s.body.results[s.stop or 0]
        last = self.plan.printed(s.body)[-1:]
        return not isinstance(result, Var) or (bool(last) and isinstance(last[0], If) and result in last[0].outs)


@dataclass
class _Holders:
    """What has one name: these variables, what lives while one of them does, and whether one may have no value."""

    members: set[Var] = field(default_factory=set)
    overlap: set[Var] = field(default_factory=set)
    unbound: bool = False


class _Classes:
    """Variables united under one name."""

    def __init__(self, plan: Plan, lives: _Lives) -> None:
        self.plan = plan
        self.lives = lives
        self.parent: dict[Var, Var] = {}
        self.members: dict[Var, set[Var]] = {}
        self.overlap = lives.overlap
        self.label: dict[Var, str] = {}
        self.fixed = set(plan.function.params)
        for a, b in lives.united:
            self.unite(a, b, force=True)
        for a, b in lives.copies:
            self.unite(a, b)

    def find(self, v: Var) -> Var:
        while v in self.parent:
            v = self.parent[v]
        return v

    def of(self, root: Var) -> set[Var]:
        return self.members.get(root) or {root}

    def apart(self, a: Var, b: Var) -> bool:
        """Whether two classes may share a name."""
        empty: set[Var] = set()
        return self.of(a).isdisjoint(self.overlap.get(b, empty)) and self.of(b).isdisjoint(self.overlap.get(a, empty))

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
        self.parent[b] = a
        self.members[a] = self.of(a) | self.of(b)
        self.overlap[a] = self.overlap.get(a, set()) | self.overlap.get(b, set())
        self.label[a] = left or right

    def never_bound(self) -> set[Var]:
        """Variables that no path assigns: the text must not take their names for global ones."""
        never: set[Var] = set()
        for root in {self.find(v) for v in self.lives.unbound}:
            members = self.of(root)
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

            def free(name: str, root: Var = root) -> bool:
                if name in reserved:
                    return False
                others = holders.get(name)
                if others is None:
                    return True
                if root in unbound or others.unbound:
                    return False
                return self.of(root).isdisjoint(others.overlap) and others.members.isdisjoint(
                    self.overlap.get(root, ())
                )

            if base:
                name = suffixed(identifier(base), free)
            else:
                temporaries += 1
                while f"t{temporaries}" in wanted or f"t{temporaries}" in reserved:
                    temporaries += 1
                name = f"t{temporaries}"
            held = holders.setdefault(name, _Holders())
            held.members |= self.of(root)
            held.overlap |= self.overlap.get(root, set())
            held.unbound = held.unbound or root in unbound
            names[root] = names[v] = name
        for v in self.overlap:
            root = self.find(v)
            if root in names:
                names[v] = names[root]
        return names
