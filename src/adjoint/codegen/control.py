"""Statements: assignments, branches, loops, nested functions."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..ir import intrinsics as ir
from ..ir.exceptions import give_up, raise_again
from ..ir.nodes import Atom, Block, Call, Closure, Const, If, Loop, Span, Statement, Undef, Var
from ..ir.types import Scalar
from . import classes, located, memory, records, stores, strings  # noqa: F401  (they register printed forms)
from .attempts import attempt
from .expressions import Printer, Unbound
from .forms import READ, form_of, inplace_operator, is_call_of
from .names import TERNARY
from .places import first_place, origin_of, place_of
from .plan import Plan, short_circuit

ONE_LINE = 88
"""Columns up to which a branch of one statement stands on the line of its `if`."""


_LEAVING = frozenset(map(id, (ir.raise_, raise_again, give_up)))
"""What never comes back, by identity: what is called need not be hashable."""


@dataclass(slots=True)
class Row:
    """A line of text: `parts` come from elsewhere in the user's file, by column; `written` are expressions in it."""

    depth: int
    text: str
    span: Span | None
    forward: bool
    parts: tuple[tuple[int, Span | None], ...] = ()
    written: tuple[Statement, ...] = ()


@dataclass(frozen=True, slots=True)
class Goal:
    """The fate of a block's results: returned, or assigned to `targets`; `loop`: at the end of a round of it."""

    targets: tuple[Var | None, ...] = ()
    returns: bool = False
    loop: Loop | None = None


class Writer:
    """Writes blocks as rows of text."""

    def __init__(self, plan: Plan, printer: Printer) -> None:
        self.plan = plan
        self.printer = printer
        self.names = printer.names
        self.rows: list[Row] = []
        self.forward = True
        self.known: dict[Atom, bool] = {}
        self.last_read: dict[Statement, list[str]] = {}
        """The variables that are let go of after a statement."""

    def row(self, depth: int, text: str, span: Span | None, parts: tuple[tuple[int, Span | None], ...] = ()) -> None:
        written, self.printer.written = tuple(self.printer.written), []
        self.rows.append(Row(depth, text, span, self.forward, parts, written))

    # Blocks

    def block(self, block: Block, results: Sequence[Atom], goal: Goal, depth: int, span: Span | None) -> bool:
        """Write a block and what becomes of its results; whether control never reaches its end."""
        printed = self.plan.printed(block)
        headed = set(self.plan.headed.values()) if goal.loop is not None else set()
        for s in printed:
            if s is printed[-1] and isinstance(s, If) and self.can_end(s, results, goal):
                return self.ending(s, results, goal, depth)
            if s in headed:
                continue  # the loop has written it, and what is kept of it
            if self.statement(s, depth):
                return True
            self.appends(s, depth)
            if released := self.last_read.get(s):
                self.row(depth, f"del {', '.join(released)}", s.span)
        return self.finish(results, goal, depth, span)

    def statement(self, s: Statement, depth: int) -> bool:
        """Write one statement; whether control never passes it."""
        if isinstance(s, Call):
            self.call(s, depth)
            return isinstance(s.fn, Const) and id(s.fn.value) in _LEAVING
        if s in self.plan.expressions:
            self.assigned_expression(s, depth)
            return False
        if isinstance(s, If):
            goal = Goal(tuple(out if self.plan.used(out) else None for out in s.outs))
            return self.branches(s, s.then.results, s.orelse.results, goal, depth)
        if isinstance(s, Loop):
            self.loop(s, depth)
        elif isinstance(s, Closure) and self.plan.used(s.out):
            self.closure(s, depth)
        return False

    def appends(self, s: Statement, depth: int) -> None:
        """Collect what a statement defined, before its name is overwritten."""
        for out in s.outs:
            for collected in self.plan.appended.get(out, ()):
                if out not in self.plan.inlined:
                    at = origin_of(self.plan, out, s.span)
                    self.row(depth, f"{self.names[collected]}.append({self.names[out]})", at)

    # Simple statements

    def assigned_expression(self, s: Statement, depth: int) -> None:
        i, out = next((i, out) for i, out in enumerate(s.outs) if self.plan.used(out))
        if out in self.plan.inlined:
            text = self.printer.value(out)[0]
            for collected in self.plan.appended[out]:
                self.row(depth, f"{self.names[collected]}.append({text})", s.span)
            return
        text = self.printer.conditional(s, i)[0] if isinstance(s, If) else ""
        if isinstance(s, Loop):
            text = self.printer.comprehension(s, i)[0]
        self.row(depth, f"{self.names[out]} = {text}", s.span)

    def call(self, s: Call, depth: int) -> None:
        plan, p = self.plan, self.printer
        form = form_of(s.fn)
        if form is not None and form.statement is not None:
            same = form.same and bool(s.outs) and plan.used(s.outs[-1])
            old = p.item(s.args[0]) if s.args else ""
            united = not same or self.names[s.outs[-1]] == old
            text = form.statement(p, s) if united or isinstance(s.args[0], Var) else None
            if text is not None:
                self.row(depth, text, s.span)
                if not united:
                    self.row(depth, f"{self.names[s.outs[-1]]} = {old}", s.span)
                return
            if same and united:
                self.row(depth, p.call(s)[0], s.span)
                return
        elif (
            form is not None and form.same and s.out not in plan.inlined and self.names.get(s.out) == p.item(s.args[0])
        ):
            return
        used = [out for out in s.outs if plan.used(out)]
        if len(used) == 1 == len(s.outs) and used[0] in plan.inlined:
            text = p.call(s)[0]
            for collected in plan.appended[used[0]]:
                self.row(depth, f"{self.names[collected]}.append({text})", s.span)
        elif is_call_of(s, ir.unpack) and len(s.outs) > 1:
            self.row(depth, f"{p.pattern(s)} = {p.bare(s.args[0])}", s.span)  # type: ignore[arg-type]
        elif not used:
            self.row(depth, p.call(s)[0], s.span)
        elif len(s.outs) > 1:
            self.row(depth, f"{p.pattern(s)} = {p.call(s)[0]}", s.span)
        else:
            self.assign(self.names[used[0]], s, depth)

    def assign(self, name: str, s: Call, depth: int) -> None:
        """Write `name = call`, as `name op= value` where the call is that."""
        symbol = inplace_operator(s)
        if is_call_of(s, operator.getitem) and isinstance(s.args[0], Var) and s.args[0] in self.plan.inlined:
            inner = self.plan.definition[s.args[0]]
            if isinstance(inner, Call) and is_call_of(inner, ir.unpack):  # the frontend's only reader of such a tuple
                star = "*" if len(inner.args) == 3 else ""
                self.row(depth, f"{star}{name}, = {self.printer.item(inner.args[0])}", s.span)
                return
        if symbol and self.printer.item(s.args[0]) == name:
            self.row(depth, f"{name} {symbol}= {self.printer.item(s.args[1])}", s.span)
        else:
            self.row(depth, f"{name} = {self.printer.call(s)[0]}", s.span)

    def copies(self, pairs: Sequence[tuple[Var, Atom]], depth: int, span: Span | None, place: Any = place_of) -> None:
        """Assign all sources to all targets at once: one after the other if that is the same, else as a tuple."""
        plan = self.plan
        empty = self.printer.unbound
        todo = [(self.names[t], s) for t, s in pairs if not isinstance(s, Undef) and s not in empty and t not in empty]
        todo = [(name, source) for name, source in todo if self.own_name(source) != name]
        reads = {id(source): {self.names[v] for v in plan.leaves(source)} for _, source in todo}
        effects = any(isinstance(s, Var) and s in plan.inlined and plan.inlined[s].level > READ for _, s in todo)
        while todo:
            ready = next(
                (
                    i
                    for i, (name, source) in enumerate(todo)
                    if all(name not in reads[id(other)] for _, other in todo if other is not source)
                ),
                None,
            )
            if ready is None or (effects and ready):
                break
            name, source = todo.pop(ready)
            s = plan.definition.get(source) if isinstance(source, Var) and source in plan.inlined else None
            if isinstance(s, Call):
                self.assign(name, s, depth)
            elif source in plan.unbound:
                self.row(depth, f"try: {name} = {self.printer.text(source)}", place(plan, source, span))
                unbound = self.printer.links.name(NameError)
                self.row(depth, f"except {unbound}: pass", place(plan, source, span))
            else:
                self.row(depth, f"{name} = {self.printer.text(source)}", place(plan, source, span))
        if todo:
            sources = ", ".join(self.printer.text(source, TERNARY) for _, source in todo)
            self.row(depth, f"{', '.join(name for name, _ in todo)} = {sources}", place(plan, todo[0][1], span))

    def own_name(self, atom: Atom) -> str | None:
        return self.names[atom] if isinstance(atom, Var) and atom not in self.plan.inlined else None

    # Branches

    def can_end(self, s: If, results: Sequence[Atom], goal: Goal) -> bool:
        """Tell whether the results may be given in the branches of the last statement: as returns, or with `break`."""
        plan = self.plan
        if s in plan.expressions and (short_circuit(s) or not goal.returns):
            return False
        outs = {out for out in s.outs if plan.used(out)}
        if any(plan.uses[out] != sum(r is out for r in results) or out in plan.appended for out in outs):
            return False
        if any(isinstance(r, Var) and r in plan.inlined for r in results):
            return False
        if goal.returns:
            return True
        stop = goal.loop.exit_flag if goal.loop is not None else None
        return stop is not None and (results[stop] in outs or results[stop] is s.cond)

    def ending(self, s: If, results: Sequence[Atom], goal: Goal, depth: int) -> bool:
        """Write an `if` whose branches do what becomes of the block's results."""
        sides = []
        for b in (s.then, s.orelse):
            given = zip(s.outs, b.results, strict=True)
            ends: dict[Atom, Atom] = {out: Unbound(out.name) if isinstance(r, Undef) else r for out, r in given}
            sides.append([ends.get(r, r) for r in results])
        return self.branches(s, sides[0], sides[1], goal, depth)

    def branches(self, s: If, then: Sequence[Atom], orelse: Sequence[Atom], goal: Goal, depth: int) -> bool:
        """Write both branches, without `else` where control does not come back from the first."""
        if s.is_attempt:
            return attempt(self, s, then, orelse, goal, depth)
        span = place_of(self.plan, s.cond, s.span)
        outer, self.rows = self.rows, []
        known = self.known
        self.known = known | {s.cond: True}
        left = self.block(s.then, then, goal, depth + 1, s.span)
        first, self.rows = self.rows, []
        self.known = known | {s.cond: False}
        right = self.block(s.orelse, orelse, goal, depth + 1, s.span)
        second, self.rows = self.rows, outer
        self.known = known
        cond = self.printer.condition
        if not first and not second:
            tree = self.plan.inlined.get(s.cond) if isinstance(s.cond, Var) else None
            if isinstance(s.cond, Var) and not (
                isinstance(s.cond.type, Scalar) and (tree is None or tree.level <= READ)
            ):
                self.row(depth, f"if {cond(s.cond)}: pass", span)  # its truth may be refused
        elif not first or (right and not left) or (right and second[0].text.startswith("raise ")):
            self.headed(f"if {cond(s.cond, negate=True)}:", span, second, depth)
            self.rows += _shifted(first, -1)
        else:
            self.headed(f"if {cond(s.cond)}:", span, first, depth)
            if left:
                self.rows += _shifted(second, -1)
            elif second and _is_chain(second, depth + 1):
                second[0].text = "el" + second[0].text
                second[0].parts = tuple((column + 2, part) for column, part in second[0].parts)
                self.rows += _shifted(second, -1)
            elif second:
                self.headed("else:", None, second, depth)
        return left and right

    def body(self, block: Block, results: Sequence[Atom], goal: Goal, depth: int, span: Span | None) -> bool:
        """Write a block and what becomes of its results as the body of a statement."""
        n = len(self.rows)
        left = self.block(block, results, goal, depth, span)
        if len(self.rows) == n:
            self.row(depth, "pass", span)
        return left

    def headed(self, head: str, span: Span | None, body: list[Row], depth: int) -> None:
        """Write a head and its body, on one line if that is short."""
        if len(body) == 1 and not body[0].parts and not body[0].text.endswith(":"):
            text = f"{head} {body[0].text}"
            if 4 * depth + len(text) <= ONE_LINE and not body[0].text.startswith(("if ", "for ", "while ")):
                self.row(depth, text, span, ((len(head) + 1, body[0].span),))
                self.rows[-1].written += body[0].written
                return
        self.row(depth, head, span)
        self.rows += body

    def finish(self, results: Sequence[Atom], goal: Goal, depth: int, span: Span | None) -> bool:
        """Write what becomes of a block's results."""
        if goal.returns:
            text, whole = f"return {self.printer.bare(results[0])}", place_of(self.plan, results[0], span)
            first = first_place(self.plan, results[0]) if whole is None else None
            if first is None or not self.forward:
                self.row(depth, text, whole or first)
            else:
                self.row(depth, text, None, ((len("return "), first),))
            return True
        loop = goal.loop
        if loop is None or loop.exit_flag is None:
            pairs = [(t, r) for t, r in zip(goal.targets, results, strict=True) if t is not None]
            self.copies(pairs, depth, span, origin_of)
            return False
        stop, kept = results[loop.exit_flag], self.plan.flag_kept(loop)
        certain = bool(stop.value) if isinstance(stop, Const) else self.known.get(stop)
        false = isinstance(stop, Const) and not stop.value
        if certain is None and not kept:
            targets = {self.names[t] for i, t in enumerate(goal.targets) if t is not None and i != loop.exit_flag}
            kept = not targets.isdisjoint(self.names[v] for v in self.plan.leaves(stop))
        pairs = [
            (t, r)
            for i, (t, r) in enumerate(zip(goal.targets, results, strict=True))
            if t is not None and not (i == loop.exit_flag and (false or not kept))
        ]
        self.copies(pairs, depth, span, origin_of)
        span = origin_of(self.plan, stop, span)
        if certain is not None:
            if certain:
                self.row(depth, "break", span)
            return certain
        if kept:
            flag = goal.targets[loop.exit_flag]
            assert flag is not None
            stop = flag
        self.row(depth, f"if {self.printer.condition(stop)}: break", span)
        return False

    # Loops

    def loop(self, s: Loop, depth: int) -> None:
        plan, p, n = self.plan, self.printer, s.carried
        kept = plan.flag_kept(s)
        carried = [i for i in range(n) if (i != s.exit_flag or kept)]
        params = s.body.params
        lists = [(out, value) for out, value in zip(s.outs[n:], s.body.results[n:], strict=True) if plan.used(out)]
        for out, _ in lists:
            self.row(depth, f"{self.names[out]} = []", s.span)
        read = [i for i in carried if plan.needed(s, i)]
        self.copies([(params[i], s.inits[i]) for i in read], depth, s.span)
        outer, self.rows = self.rows, []
        head = self.while_head(s, depth + 1) if s.cond is not None else f"for {p.header(s)}:"
        for out, value in lists:
            if not (isinstance(value, Var) and value in plan.appended):
                self.row(depth + 1, f"{self.names[out]}.append({p.text(value)})", s.span)
        for unpacking in dict.fromkeys(plan.headed[e] for e in self.unpacked(params[n:])):
            self.appends(unpacking, depth + 1)
        goal = Goal(tuple(params[i] if i in read or i == s.exit_flag else None for i in range(n)), loop=s)
        self.block(s.body, s.body.results[:n], goal, depth + 1, s.span)
        body, self.rows = self.rows, outer
        span = place_of(self.plan, s.sequences[0], s.span) if s.sequences else s.span
        self.row(depth, head, span)
        self.rows += body or [Row(depth + 1, "pass", s.span, self.forward)]

    def unpacked(self, elements: Sequence[Var]) -> list[Var]:
        """The elements that the loop's header unpacks, inner ones included."""
        found = [e for e in elements if e in self.plan.headed]
        for e in found:
            found += [out for out in self.plan.headed[e].outs if out in self.plan.headed]
        return found

    def while_head(self, s: Loop, depth: int) -> str:
        """The head of a `while`; what is no expression goes to the start of the body."""
        assert s.cond is not None
        test = s.cond.results[0]
        if not self.plan.printed(s.cond):
            return f"while {self.printer.condition(test)}:"
        for inner in self.plan.printed(s.cond):
            self.statement(inner, depth)
        self.row(depth, f"if {self.printer.condition(test, negate=True)}: break", place_of(self.plan, test, s.span))
        return "while True:"

    # Functions

    def closure(self, s: Closure, depth: int) -> None:
        """Write a nested function; what it takes from a round of a loop around it is bound when it is made."""
        function = s.function
        params = [self.names[param] for param in function.params]
        bound = [f"{self.names[v]}={self.names[v]}" for v in self.plan.bound.get(s, ())]
        forward, self.forward = self.forward, False
        header = ", ".join([*params, *(["*"] if bound else []), *bound])
        self.row(depth, f"def {self.names[s.out]}({header}):", s.span)
        self.block(function.body, function.body.results, Goal(returns=True), depth + 1, s.span)
        self.forward = forward


def _shifted(rows: list[Row], by: int) -> list[Row]:
    for row in rows:
        row.depth += by
    return rows


def _is_chain(rows: list[Row], depth: int) -> bool:
    """Tell whether the rows are one `if`, with its own `elif` and `else`."""
    return rows[0].text.startswith("if ") and all(
        row.depth > depth or row.text.startswith(("elif ", "else:")) for row in rows[1:]
    )
