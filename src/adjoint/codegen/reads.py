"""Reads of values: how often each is read, by which statement, and what blocks read of what is around them."""

from __future__ import annotations

from collections.abc import Sequence

from ..ir import intrinsics as ir
from ..ir.nodes import Atom, Block, Call, Closure, If, Loop, Star, Statement, Var
from .forms import constant, is_call_of
from .plan import Plan, short_circuit


class Reads:
    """Counts reads, from the last statement to the first, so that what nobody reads is known before what it reads."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.reader: dict[Var, tuple[Block, Statement | None]] = {}
        self.closures: list[tuple[Closure, Block]] = []

    def function(self, body: Block) -> set[Var]:
        return self.block(body, body.results, body, 0)

    def read(self, atoms: Sequence[Atom], block: Block, s: Statement | None, free: set[Var]) -> None:
        uses = self.plan.uses
        for atom in atoms:
            if isinstance(atom, Var):
                uses[atom] = uses.get(atom, 0) + 1
                self.reader[atom] = block, s
                free.add(atom)

    def block(self, block: Block, results: Sequence[Atom], owner: Block, depth: int) -> set[Var]:
        plan, free = self.plan, set[Var]()
        self.read(results, block, None, free)
        for s in reversed(block.statements):
            for out in s.outs:
                plan.home[out] = owner, depth
                plan.definition[out] = s
                free.discard(out)
            if isinstance(s, Call):
                if plan.is_local_read(s):
                    plan.globals_read.add(constant(s.args[1]))
                if (
                    is_call_of(s, ir.make_tuple)
                    and not plan.used(s.out)
                    and not any(isinstance(a, Star) for a in s.args)
                ):
                    plan.dead.add(s)
                else:
                    self.read(plan.operands(s), block, s, free)
            elif isinstance(s, If):
                self.branch(s, block, owner, depth, free)
            elif isinstance(s, Loop):
                self.loop(s, block, owner, depth, free)
            else:
                self.closures.append((s, owner))
                free |= self.function(s.function.body)
        for param in block.params:
            plan.home[param] = owner, depth
            free.discard(param)
        plan.free[block] = free
        return free

    def branch(self, s: If, block: Block, owner: Block, depth: int, free: set[Var]) -> None:
        short = short_circuit(s)
        for b, skipped in ((s.orelse, short == "and"), (s.then, short == "or")):
            wanted = [r for out, r in zip(s.outs, b.results, strict=True) if self.plan.used(out)]
            free |= self.block(b, [] if skipped else wanted, owner, depth)
        self.read([s.cond], block, s, free)

    def loop(self, s: Loop, block: Block, owner: Block, depth: int, free: set[Var]) -> None:
        n, plan = s.carried, self.plan
        results = list(s.body.results[:n])
        inside = {out for inner in s.body.statements for out in inner.outs}
        for out, value in zip(s.outs[n:], s.body.results[n:], strict=True):
            if plan.used(out):
                results.append(value)
                if value in inside:
                    plan.appended.setdefault(value, []).append(out)
        free |= self.block(s.body, results, owner, depth + 1)
        if s.cond is not None:
            free |= self.block(s.cond, s.cond.results, owner, depth + 1)
        self.read([*s.inits, *s.sequences], block, s, free)
