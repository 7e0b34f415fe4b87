"""The idea: the derivative of a program, region by region.

Each statement's handler writes the forward half and returns the function that writes the reverse half. F is the
forward region under construction, B the cotangents ("bars") of the reverse region.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..ir import intrinsics
from ..ir.nodes import (
    Atom,
    Block,
    Call,
    Closure,
    Const,
    Function,
    If,
    Loop,
    Signature,
    Statement,
    Var,
    atoms_of,
    blocks_of,
    captures_of,
    derived,
)
from ..ir.raising import ends
from ..ir.types import BOOL, INT, Inert, List, Scalar
from ..ir.unbound import maybe_unbound
from ..ops.arithmetic import is_number, is_real
from ..tangents import ADDITIONS, accumulate, field_bar, shortened, tangent
from .alike import Shapes
from .calls import Calls, Half, Rules, is_cached, is_shared
from .cotangent_map import Cotangent, CotangentMap, bar_name, bar_type, key_name, zero_bar
from .facts import Structural
from .growth import growing_lists
from .infer import type_of
from .lifted import Parts, first_reads, take_parts
from .loops import LoopBack
from .objects import without_unread_lengths
from .primal_builder import Builder, ForwardIf, ForwardLength, ForwardLoop
from .saved import Around, bound, keep_residuals
from .simplify import prune, substitute
from .structural import SLOTS, STORES, rows_read
from .turning import turned
from .uses import calls_of, first_arguments, outs_of
from .versions import Versions, appended


def reverse_differentiate(
    f: Function,
    rules: Rules,
    needs: Sequence[bool],
    again: bool = False,
    parts: Parts = (),
    whole: bool = False,
) -> Function:
    """`f` in the form `(y, back)`, as IR. `back(ȳ)` gives one cotangent per parameter, that of `f` itself first; in its
    place those of its `parts`, if there are some.

    `again` says that `f` is itself such a form, or the `back` of one. With `whole`, that of a number is never None.
    """
    F = Builder()
    versions = Versions(f.body)
    reverse = Reverse(rules, growing_lists(f.body), versions, again)
    reverse.held |= first_reads(f.body.statements, f.params[0])
    reverse.lengths_of(f.params, F)
    half = reverse.block(f.body.statements, F)
    defined = {*f.params} | outs_of(f.body)
    y_bar = Var("y_bar" if not _named(f.result) else f"{f.result.name}_bar", active=True)  # type: ignore[union-attr]
    B = CotangentMap(Builder(), None, defined)
    B.versions |= versions.arrays()
    B.lengths |= reverse.lengths
    B.appended |= appended(f.body) - B.versions
    B.rows |= rows_read(f.body.statements)
    B.shapes = Shapes(f.body)
    B.unbound = frozenset(maybe_unbound(f.body))
    B.add(f.result, y_bar)
    half(B)
    bars: list[Atom] = []
    sharing = first_arguments(f.body.statements, intrinsics.capture_cell)
    for param, needed in zip(f.params, needs, strict=True):
        if parts and param is f.params[0]:
            bars += take_parts(B, param, parts)
            continue
        bar = B.take(param, others=True) if needed else None
        if needed and param in sharing and (bar is None or not bar.definite):
            # What flowed is at a variable's location: whoever made the function has to run back and take it.
            own = B.builder.call(tangent, param, Const(()))
            bar = Cotangent(own if bar is None else B.builder.call(accumulate, bar.atom, own), True)
        if needed and whole and is_real(param.type):
            bar = Cotangent(Const(0.0) if bar is None else B.definite(bar), True)
        bars.append(Const(None) if bar is None else bar.atom)
    result = B.builder.call(intrinsics.make_tuple, *bars)
    block = prune(Block((y_bar,), B.builder.finish(), (result,)))
    block = keep_residuals(block, F, Around(f.params, frozenset(B.versions), B.unbound))
    read = {a for s in block.statements for a in atoms_of(s) if isinstance(a, Var) and a in B.unbound}
    block = turned(substitute(block, {v: bound(v, F) for v in read}))
    back = Var(derived(f.name, "pullback"), active=True)
    signature = Signature((y_bar.name,), 0, 1)
    F.emit(Closure(back, Function(back.name, block, signature, f.filename, f.firstline)))
    pair = F.call(intrinsics.make_tuple, f.result, back)
    body = Block(f.params, F.finish(), (pair,))
    if any([_keeps_place(s) for s in calls_of(f.body.statements)]):
        body = without_unread_lengths(body)  # without places that nobody asked for
    return Function(derived(f.name, "rrule"), body, f.signature, f.filename, f.firstline, f.free)


class Reverse(Calls):
    """The handlers of the pass; `rules` is all they know of the world.

    Cotangents of lists that are `growing` may be longer than the list was where it was made.
    """

    def __init__(self, rules: Rules, growing: set[Var], versions: Versions, again: bool) -> None:
        super().__init__(rules, again)
        self.growing = growing
        self.versions = versions
        self.lengths: dict[Var, ForwardLength] = {}
        self.acting: dict[Statement, bool] = {}

    def block(self, statements: Sequence[Statement], F: Builder) -> Half:
        halves = [(half, s) for s in statements for half in self.steps(s, F)]

        def back(B: CotangentMap) -> None:
            around = B.builder.span
            for half, s in reversed(halves):
                B.builder.span = s.span or around  # all that is written now is the reverse of this statement
                half(B)
            B.builder.span = around

        return back

    def steps(self, s: Statement, F: Builder) -> list[Half]:
        half = self.statement(s, F)
        self.lengths_of(s.outs, F)
        display = isinstance(s, Call) and s.how == Structural("list")
        grown = [v for v in s.outs if v in self.growing and v.active and isinstance(v.type, List) and not display]
        grown = [v for v in grown if v not in self.lengths]
        return [h for h in (half, *(self.length(out, F) for out in grown)) if h is not None]

    def lengths_of(self, outs: Sequence[Var], F: Builder) -> None:
        """Note the lengths of the versions of lists that change them: their cotangents have as many items."""
        for out in outs:
            if isinstance(out.type, List) and self.versions.is_resized(out):
                self.lengths[out] = ForwardLength(Call((Var("", INT),), Const(len), (out,)))
                F.emit(self.lengths[out])

    def length(self, out: Var, F: Builder) -> Half:
        """The length of a list before it grows, which its cotangent has from here on."""
        n = Var("", INT, False)
        F.emit(Call((n,), Const(len), (out,)))

        def back(B: CotangentMap) -> None:
            d = B.take(out)
            if d is not None:
                B.add(out, B.builder.call(shortened, d.atom, n, name=bar_name(out)), False)

        return back

    def statement(self, s: Statement, F: Builder) -> Half | None:
        match s:
            case Call():
                return self.call(s, F)
            case If():
                return self.if_(s, F)
            case Loop():
                return self.loop(s, F)
            case Closure():
                return self.closure(s, F)

    def acts(self, s: Statement) -> bool:
        """Tell whether reversing a region does something equal_lengths where no cotangent enters it."""
        if isinstance(s, Call):
            buffer = not s.outs and isinstance(s.fn, Const) and s.fn.value in ADDITIONS
            moves = isinstance(s.how, Structural) and s.how.kind in (*STORES, *SLOTS)
            return buffer or moves or is_cached(s) or is_shared(s) or self.runs_back(s)
        if s not in self.acting:  # asked of each region around it, too
            self.acting[s] = any(self.acts(inner) for block in blocks_of(s) for inner in block.statements)
        return self.acting[s]

    # ---- regions

    def if_(self, s: If, F: Builder) -> Half:
        if not s.is_attempt and not _stays(s.cond):
            truth = Var("", BOOL, False)
            F.emit(Call((truth,), Const(bool), (s.cond,), (), s.span))
            s = replace(s, cond=truth)
        blocks = Builder(), Builder()
        halves = [self.block(b.statements, f) for b, f in zip((s.then, s.orelse), blocks, strict=True)]
        primal = ForwardIf(s, *blocks)
        must = self.acts(s)
        F.emit(primal)
        cond = s.cond
        if s.is_attempt:
            cond = _completed(primal) if ends(s.orelse) and ends(s.then) else Const(ends(s.then))

        def back(B: CotangentMap) -> None:
            ds = [B.take(out) for out in s.outs]
            if all(d is None for d in ds) and not must:
                return
            sides = [CotangentMap(Builder(s.span), B, outs_of(region)) for region in (s.then, s.orelse)]
            given = {v: B.sums[v] for v in B.versions & B.sums.keys()}
            for C, region, half in zip(sides, (s.then, s.orelse), halves, strict=True):
                C.sums.update(given)
                for result, d in zip(region.results, ds, strict=True):
                    if d is not None:
                        C.add(result, *d)
                half(C)
            keys = [key for key in dict.fromkeys([*sides[0].sums, *sides[1].sums]) if not _unchanged(key, given, sides)]
            outs, results = [], ([], [])  # type: ignore[var-annotated]
            places = [C.builder.places() for C in sides]
            for key in keys:
                old = B.sums.get(key, zero_bar(key))
                v = key if isinstance(key, Var) else None
                bars = []
                new = [C.sums.get(key) for C in sides]
                at = [bar and made.get(bar.atom) for bar, made in zip(new, places, strict=True)]  # type: ignore[arg-type]
                for C, bar, span in zip(sides, new, at, strict=True):
                    C.builder.span = span or s.span
                    bars.append(old if bar is None else bar if key in given else C.sum(old, bar, v, key_name(key)))
                if v is not None and v in B.versions and any(B.is_whole(bar.atom, v) for bar in bars):
                    # Made whole after the branches it would be copied where it is whole already.
                    bars = [Cotangent(C.whole(v, bar), True) for C, bar in zip(sides, bars, strict=True)]
                if bars[0] == bars[1] and bars[0].atom in B.uniform:
                    B.sums[key] = bars[0]
                    continue
                for bar, list_ in zip(bars, results, strict=True):
                    list_.append(bar.atom)
                out = Var(key_name(key), bar_type(v), True)
                if all(B.is_whole(list_[-1], v) for list_ in results):
                    B.dense.add(out)
                B.builder.within[out] = at[0] or at[1] or s.span
                outs.append((key, Cotangent(out, all(bar.definite for bar in bars))))
            then, orelse = (Block((), C.builder.finish(), tuple(r)) for C, r in zip(sides, results, strict=True))
            B.builder.emit(If(tuple(bar.atom for _, bar in outs), cond, then, orelse, s.span, primal))  # type: ignore[misc]
            B.sums.update(outs)

        return back

    def loop(self, s: Loop, F: Builder) -> Half:
        body = Builder()
        self.lengths_of(s.body.params[: s.carried], body)
        half = self.block(s.body.statements, body)
        primal = ForwardLoop(s, body)
        must = self.acts(s)
        F.emit(primal)

        def back(B: CotangentMap) -> None:
            columns = [B.take_columns(out) for out in s.outs[s.carried :]]
            ds = [B.take(out) for out in s.outs]
            if all(d is None for d in ds) and not any(columns) and not must:
                return
            loop = LoopBack(s, B)
            loop.begin(ds[: s.carried])
            through = loop.run_through(ds[s.carried :], columns)
            half(loop.round)
            loop.emit(through, loop.end(), primal)

        return back

    def closure(self, s: Closure, F: Builder) -> Half:
        """A generated function: what it captures is known by position (see `runtime.generated`)."""
        captures = captures_of(s.function)
        F.emit(replace(s, function=replace(s.function, captures=captures)))

        def back(B: CotangentMap) -> None:
            d = B.take(s.out)
            if d is None:
                return
            for i, v in enumerate(captures):
                if isinstance(v, Var) and v.active:
                    B.add(v, B.builder.call(field_bar, d.atom, Const(str(i)), name=bar_name(v)), False)

        return back


def _unchanged(key: Any, given: dict[Any, Cotangent], sides: Sequence[CotangentMap]) -> bool:
    """Tell whether nothing has come in a branch to what it was given."""
    return key in given and all(C.sums.get(key) is given[key] for C in sides)


def _completed(primal: ForwardIf) -> Var:
    """The flag that the first block of an attempt has come to its end."""
    s = primal.statement
    for out, a, b in zip(s.outs, s.then.results, s.orelse.results, strict=True):
        if isinstance(a, Const) and a.value is True and isinstance(b, Const) and b.value is False:
            return out
    flag = Var("completed", BOOL, False)
    primal.extra.append((flag, Const(True), Const(False)))
    return flag


def _stays(cond: Atom) -> bool:
    """Tell whether a condition is as true in the reverse pass as it was: a list may have grown in between."""
    return isinstance(type_of(cond), (Scalar, Inert)) or is_number(type_of(cond))


def _keeps_place(s: Call) -> bool:
    """Tell whether a call appends to a list, and is to know where."""
    return isinstance(s.how, Structural) and s.how.kind == "append" and s.how.extra is not None


def _named(atom: Atom) -> bool:
    return isinstance(atom, Var) and bool(atom.name)
