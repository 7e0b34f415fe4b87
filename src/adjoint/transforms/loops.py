"""Loops: the reverse of a loop is one that runs the other way. It carries the cotangents of what the loop carries, and
of what its body reads from outside; it runs through those of what the loop collects, and collects those of what the
loop runs through."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..ir.nodes import Atom, Block, Const, Loop, Var, free_variables
from ..ir.types import FLOAT, UNKNOWN, Inert, List
from ..tangents import sequence_bar
from .appending import only_grows
from .cotangent_map import Cotangent, CotangentMap, Parts, bar_name, bar_type, key_name, zero_bar
from .infer import type_of
from .primal_builder import Builder, ForwardLoop
from .uses import outs_of

Elements = list[tuple[Var, Atom, Cotangent, str | None]]


class LoopBack:
    """The reverse of a loop while it is built: `params` begin as `inits`, and a round hands on `results`."""

    def __init__(self, s: Loop, outer: CotangentMap) -> None:
        self.s = s
        self.outer = outer
        self.round = CotangentMap(Builder(s.span), outer, {*s.body.params} | outs_of(s.body), loop=True)
        self.carried, self.elements = s.body.params[: s.carried], s.body.params[s.carried :]
        self.params: list[Var] = []
        self.inits: list[Atom] = []
        self.results: list[Atom] = []
        self.steady: dict[Var, Cotangent] = {}
        """Lists that rounds only append to, each of whose items has one cotangent: what they have is not carried."""
        self.around = {v: Var(bar_name(v), v.type, True) for v in free_variables(s.body) if v in outer.versions}
        for v, param in self.around.items():
            self.round.add_whole(v, param)

    def begin(self, ds: Sequence[Cotangent | None]) -> None:
        """`ds` are the cotangents of what the loop leaves: a round has them for what it hands on."""
        for p, out, result, d in zip(self.carried, self.s.outs, self.s.body.results, ds, strict=False):
            self.params.append(Var(bar_name(p), bar_type(p), True))
            if d is not None and d.atom in self.outer.uniform and only_grows(self.s.body, p, result):
                self.steady[p] = self.round.sums[result] = d
                self.inits.append(Const(None))
                continue
            self.inits.append(self.outer.start(p, out, d))
            self.round.carry(result, self.params[-1], p)

    def run_through(self, ds: Sequence[Cotangent | None], columns: Sequence[Parts]) -> tuple[list[Var], list[Atom]]:
        """`ds` and `columns` are the cotangents of what the loop collects: a round has its item, and they are run
        through."""
        n, items, lists = self.s.carried, [], []
        for out, result, d, fields in zip(self.s.outs[n:], self.s.body.results[n:], ds, columns, strict=True):
            for (_, name), column in fields.items():
                items.append(Var(key_name((result, ("field", name))), UNKNOWN, True))
                lists.append(self.outer.backwards(column, out).atom)
                self.round.add_part(result, ("field", name), items[-1], False)
            if d is not None and d.atom in self.outer.uniform:
                self.round.add(result, *self.outer.uniform[d.atom])
            elif d is not None:
                items.append(Var(bar_name(result), UNKNOWN, True))
                lists.append(self.outer.backwards(d, out).atom)
                self.round.add(result, items[-1], False)
        return items, lists

    def end(self) -> Elements:
        """Hand on the cotangents of a round, and give those of what the loop runs through: an element, its list, its
        bar, and of which field of it, where they come by themselves."""
        for p in self.steady:
            self.round.sums[p] = Cotangent(Const(None), False)
        self.results += [self.round.end(p) for p in self.carried]
        found: Elements = []
        for e, q in zip(self.elements, self.s.sequences, strict=True):
            if self.outer.has_columns(q):
                found += [(e, q, bar, name) for (_, name), bar in self.round.take_fields(e).items()]
            if (bar := self.round.take(e)) is not None:
                found.append((e, q, bar, None))
        return found

    def shared(self) -> list[tuple[Any, Cotangent]]:
        """The sums that all rounds add to: the cotangents of what the body reads from outside, as they are after the
        loop."""
        sums, places = [], self.round.builder.places()
        for key, delta in list(self.round.sums.items()):
            self.round.builder.span = places.get(delta.atom, self.s.span)  # type: ignore[arg-type]
            if key not in self.around:
                sums.append((key, self.added_up(key, delta)))
            elif delta.atom is not self.around[key]:
                self.hand_on(self.around[key], self.outer.whole(key, self.outer.sums.get(key)))
                self.results.append(self.round.whole(key, delta))
                sums.append((key, self.outer.as_whole(Var(bar_name(key), key.type, True))))
        return sums

    def added_up(self, key: Any, delta: Cotangent) -> Cotangent:
        """One sum over all rounds."""
        v = key if isinstance(key, Var) else None
        start = self.outer.sums.get(key, zero_bar(key))
        definite = zero_bar(key).definite and start.definite
        param = Var(key_name(key), bar_type(v), True)
        more = Cotangent(self.round.definite(delta), True) if definite and not delta.definite else delta
        self.hand_on(param, start.atom)
        self.results.append(self.round.sum(Cotangent(param, definite), more, v, key_name(key)).atom)
        return Cotangent(Var(param.name, param.type, True), definite)

    def hand_on(self, param: Var, init: Atom) -> None:
        self.params.append(param)
        self.inits.append(init)

    def emit(self, through: tuple[list[Var], list[Atom]], elements: Elements, primal: ForwardLoop) -> None:
        """Write the loop, and add what it leaves to the cotangents around it."""
        s, outer = self.s, self.outer
        items, lists = through
        sums = self.shared()
        outs = [Var(p.name, p.type, True) for p in self.params[: s.carried]]
        collected = [Var(_name_of_bars(e, field), List(UNKNOWN), True) for e, _, _, field in elements]
        results = (*self.results, *(bar.atom for _, _, bar, _ in elements))
        body = Block((*self.params, *items), self.round.builder.finish(), results)
        all_outs: Any = (*outs, *(bar.atom for _, bar in sums), *collected)
        outer.builder.emit(Loop(all_outs, tuple(self.inits), tuple(lists), None, body, None, s.span, primal))
        outer.sums.update(sums)
        for init, p, out in zip(s.inits, self.carried, outs, strict=True):
            if p in self.steady:
                outer.add(init, *self.steady[p])
            else:
                outer.carry(init, out, p)
        same_length = s.equal_lengths or len(s.sequences) == 1
        to_end = s.cond is None and s.exit_flag is None and same_length
        for (_, q, (_, definite), field), bars in zip(elements, collected, strict=True):
            name = bar_name(q) if field is None else key_name((q, ("column", field)))
            if to_end and isinstance(type_of(q), List) and (s.sequences_invariant or q in outer.lengths):
                bar = outer.backwards(Cotangent(bars, True), q, name)
                if definite and q in outer.lengths and q.type == List(FLOAT):
                    outer.dense.add(bar.atom)
            elif q in outer.lengths:  # it has another length now
                like = outer.builder.call(range, outer.lengths[q].ask(), type=Inert(range))
                bar = Cotangent(outer.builder.call(sequence_bar, like, bars, name=name), True)
            else:
                bar = Cotangent(outer.builder.call(sequence_bar, q, bars, name=name), True)
            if field is None:
                outer.add(q, *bar)
            else:
                outer.add_part(q, ("column", field), *bar)


def _name_of_bars(e: Var, field: str | None) -> str:
    """The name of a list of what rounds give for an element, or for a field of it."""
    name = bar_name(e) if field is None else key_name((e, ("field", field)))
    return f"{name}s" if name else ""
