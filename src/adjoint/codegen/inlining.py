"""Placement of values: which are written into the expression that reads them.

A value read once may be inlined into its reader if nothing that can be observed changes: the order of effects, of reads
with respect to effects, and the number of evaluations. The walk keeps the candidates as *trees* in their order of
evaluation; a reader takes the trees of its operands unless that would move one past something it may not pass.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence

from ..ir import intrinsics as ir
from ..ir.nodes import UNDEF, Atom, Block, Call, Closure, Function, If, Loop, Statement, Var
from ..ir.raising import may_raise
from ..ir.unbound import maybe_unbound
from .forms import (
    EFFECT,
    FREE,
    READ,
    form_of,
    inplace_operator,
    is_call_of,
    iteration_level,
    level_of,
)
from .plan import Plan, Tree, clash, short_circuit
from .reads import Reads
from .widths import SMALL, WIDTH, atom_width, call_width


def make_plan(function: Function) -> Plan:
    """Count the reads, then decide what is inlined."""
    plan = Plan(function, unbound=maybe_unbound(function.body))
    counter = Reads(plan)
    counter.function(function.body)
    for closure, owner in counter.closures:
        bound = plan.bound[closure] = []
        for var in plan.free[closure.function.body]:
            home, depth = plan.home[var]
            if depth:
                bound.extend([var] if home is owner else [])
            else:
                plan.captured.setdefault(home, set()).add(var)
    _Inliner(plan, counter.reader).block(function.body, nested=False)
    return plan


class _Inliner:
    """Decides what is inlined, from the first statement of each block to the last."""

    def __init__(self, plan: Plan, reader: dict[Var, tuple[Block, Statement | None]]) -> None:
        self.plan = plan
        self.reader = reader
        self.pending: dict[Var, Tree] = {}
        self.attempts = 0
        """Number of attempts around: in these what may raise keeps its order."""

    def block(self, block: Block, nested: bool, results: Sequence[Atom] | None = None) -> int:
        """Plan one block; `nested`: it is part of a pullback. Returns the level of the whole block."""
        outer, self.pending = self.pending, {}
        live = [(i, s) for i, s in enumerate(block.statements) if s not in self.plan.dead]
        level = max([FREE, *[self.statement(s, i, block, nested) for i, s in live]])
        results = [
            r
            for r in (block.results if results is None else results)
            if not (isinstance(r, Var) and r in self.plan.appended)
        ]
        self.take(results, FREE, 0, root=True)
        while self.pending:
            self.settle(next(iter(self.pending.values())))
        self.pending = outer
        return level

    def statement(self, s: Statement, index: int, block: Block, nested: bool) -> int:
        plan = self.plan
        if isinstance(s, Call):
            atoms = plan.operands(s)
            level, width = level_of(s, atoms), call_width(s, atoms)
            if self.attempts and level != EFFECT and may_raise(s):
                level = EFFECT
            leaves: set[Var] = set()
            form = form_of(s.fn)
            if form is not None and form.same and s.outs and s.args and isinstance(s.args[0], Var):
                plan.origin[s.outs[-1]] = plan.origin.get(s.args[0], s.args[0])
            for tree in [*self.pending.values()] if form is not None and form.augmented else ():
                if tree.var in atoms and tree.level == EFFECT:
                    self.settle(tree)
        elif isinstance(s, If):
            level, width, atoms, leaves = self.branch(s, nested)
        elif isinstance(s, Loop):
            level, width, atoms, leaves = self.loop(s, nested)
        else:
            self.block(s.function.body, nested=True)
            level, width, atoms, leaves = FREE, 0, [], set()
        out = self.expression_out(s)
        candidate = out is not None and self.is_candidate(s, out, level, width, block, nested)
        taken = self.take(atoms, level, width, root=not candidate)
        if out is not None:
            level, width = max([level, *[t.level for t in taken]]), width + sum([t.width for t in taken])
            collected = plan.uses[out] == 1 and out in plan.appended and (nested or not self.is_named(s, out))
            if candidate or collected:
                leaves = leaves.union(*map(plan.leaves, atoms))
                plan.inlined[out] = Tree(out, level, width, leaves, index)
            if candidate:
                self.pending[out] = plan.inlined[out]
        return level

    def expression_out(self, s: Statement) -> Var | None:
        """The one value that a statement computes by an expression, if it is read at all."""
        if isinstance(s, Closure) or (isinstance(s, Call) and len(s.outs) != 1):
            return None
        if isinstance(s, Call):
            form = form_of(s.fn)
            if form is not None and form.statement is not None:
                return None
        elif s not in self.plan.expressions:
            return None
        used = [out for out in s.outs if self.plan.used(out)]
        return used[0] if len(used) == 1 else None

    def is_candidate(self, s: Statement, out: Var, level: int, width: int, block: Block, nested: bool) -> bool:
        plan = self.plan
        if plan.uses[out] != 1 or out in plan.appended:
            return False
        where, reader = self.reader[out]
        returned = reader is None and plan.home[out][0] is block
        if where is not block or (returned and isinstance(s, If) and not short_circuit(s)):
            return False
        if self.is_named(s, out) and not (nested and level <= READ and (reader is None or width <= SMALL)):
            return False
        if isinstance(reader, Call) and reader.args and reader.args[0] is out:
            form = form_of(reader.fn)
            if form is not None and form.same and reader.outs and plan.used(reader.outs[-1]):
                return False
            if inplace_operator(reader):
                return isinstance(s, Call) and (is_call_of(s, operator.getitem) or is_call_of(s, getattr))
        return True

    def is_named(self, s: Statement, out: Var) -> bool:
        """Tell whether the user gave the value a name of its own: a global that is read has one without us."""
        return bool(out.name) and not (isinstance(s, Call) and self.plan.is_local_read(s))

    def take(self, atoms: Sequence[Atom], level: int, width: int, root: bool) -> list[Tree]:
        """Inline what can be inlined of the operands `atoms` of a statement; what cannot is settled."""
        pending = self.pending
        taken = [pending[atom] for atom in atoms if atom in pending] if pending else []
        if not taken and (not root or level == FREE):
            return []
        while taken and width + sum(t.width for t in taken) > WIDTH:
            widest = max(taken, key=lambda t: t.width)
            if widest.width <= SMALL // 3 or (len(taken) == 1 and width <= SMALL // 2):
                break
            self.settle(widest)
            taken = [t for t in taken if t.var in pending]
        rest = [t for t in pending.values() if t not in taken]
        for j, later in enumerate(taken):
            if any(t.index > later.index and clash(t.level, later.level) for t in [*taken[:j], *rest]):
                self.settle(later)
        if root:
            taken = [t for t in taken if t.var in pending]
            top = max([level, *(t.level for t in taken)])
            for t in rest:
                if clash(t.level, top):
                    self.settle(t)
        taken = [t for t in taken if t.var in pending]
        for t in taken:
            pending.pop(t.var, None)
        return taken

    def settle(self, tree: Tree) -> None:
        """Print a tree where it stands; what would now be moved past it is settled, too."""
        if self.pending.pop(tree.var, None) is not None:
            del self.plan.inlined[tree.var]
            for other in [*self.pending.values()]:
                if other.index < tree.index and clash(other.level, tree.level):
                    self.settle(other)

    def branch(self, s: If, nested: bool) -> tuple[int, int, list[Atom], set[Var]]:
        plan = self.plan
        if s.is_attempt:  # it gives its values once nothing can raise any more
            self.attempts += 1
            self.block(s.then, nested, [])
            self.attempts -= 1
            self.block(s.orelse, nested, [])
            return EFFECT, 0, [], set()
        level = max(self.block(s.then, nested), self.block(s.orelse, nested))
        used = [i for i, out in enumerate(s.outs) if plan.used(out)]
        atoms, leaves, width = [s.cond], set[Var](), 10
        if len(used) == 1 and not s.outs[used[0]].name and not plan.printed(s.then) and not plan.printed(s.orelse):
            ends = (s.then.results[used[0]], s.orelse.results[used[0]])
            width += sum(self.atom_width(end) for end in ends if end is not s.cond)
            if UNDEF not in ends and width <= WIDTH - 8:
                plan.expressions.add(s)
                for end in ends:
                    leaves |= plan.leaves(end)
                if short_circuit(s):
                    leaves.discard(s.cond)
        if s not in plan.expressions and short_circuit(s) and s.cond in self.pending:
            self.settle(self.pending[s.cond])
        return level, width, atoms, leaves

    def loop(self, s: Loop, nested: bool) -> tuple[int, int, list[Atom], set[Var]]:
        plan, n = self.plan, s.carried
        needed = [i for i in range(n) if plan.needed(s, i)]
        read = [
            r
            for i, r in enumerate(s.body.results)
            if i in needed or i == s.exit_flag or (i >= n and plan.used(s.outs[i]))
        ]
        level = self.block(s.body, nested, read)
        if s.cond is not None:
            level = max(level, self.block(s.cond, nested))
        self.header(s)
        leaves, width = set[Var](), 16
        if s.sequences:
            level = max(level, max(map(iteration_level, s.sequences)))
            used = [i for i in range(n, len(s.outs)) if plan.used(s.outs[i])]
            if n == 0 and len(used) == 1 and s.exit_flag is None:
                value = s.body.results[used[0]]
                headed = set(plan.headed.values())
                alone = all(
                    p in headed or (p.outs and p.outs[0] is value and value in plan.inlined)
                    for p in plan.printed(s.body)
                )
                if alone and not isinstance(value, type(UNDEF)):
                    plan.expressions.add(s)
                    bound = set(s.body.params).union(*(p.outs for p in plan.printed(s.body)))
                    leaves = plan.leaves(value) - bound
                    width += self.atom_width(value)
        return level, width, [*(s.inits[i] for i in needed), *s.sequences], leaves

    def header(self, s: Loop) -> None:
        """Find the unpackings at the start of the body that can stand in the loop's header."""
        plan = self.plan
        targets = set(s.body.params[s.carried :])
        for p in plan.printed(s.body):
            if not (is_call_of(p, ir.unpack) and isinstance(p, Call) and p.args[0] in targets):
                break
            source = p.args[0]
            if not isinstance(source, Var) or plan.uses[source] != 1 or len(p.outs) < 2:
                break
            plan.headed[source] = p
            if any(out in plan.appended for out in p.outs):
                break
            targets.update(p.outs)

    def atom_width(self, atom: Atom) -> int:
        tree = self.plan.inlined.get(atom) if isinstance(atom, Var) else None
        return tree.width if tree is not None else atom_width(atom)
