"""The idea: the derivative of a program, region by region.

Each statement's handler writes the forward half and returns the function that writes the reverse half. F is the
forward region under construction, B the cotangents ("bars") of the reverse region.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeGuard

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
    Signature,
    Statement,
    Var,
    blocks_of,
    derived,
    free_variables,
)
from ..ir.types import BOOL, INT, UNKNOWN, Inert, List, Scalar
from ..tangents import add_at, add_item, apply_back, completed, field_bar, sequence_bar, shortened, slot, tangent
from .bars import Bar, Bars, bar_name, bar_type, key_name, zero_bar
from .callees import in_order
from .forward import Builder, ForwardCall, ForwardIf, ForwardLoop
from .growth import growing_lists
from .infer import is_number, type_of
from .residuals import keep_residuals
from .simplify import EFFECTS, prune
from .specialise import Callee, Dynamic, Ruled, Spliced, Structural
from .splice import splice_back
from .structural import HANDLERS, SLOTS, add_item_back, slot_back, store_cell_back
from .unseen import found_at_run_time
from .uses import first_arguments

Half = Callable[[Bars], None]


@dataclass(frozen=True)
class Rules:
    """What the pass asks of the rest of the system, as values."""

    pullback: Any
    needing: Callable[[tuple[bool, ...]], Any]
    partials: Callable[[Any], Function]
    find: Callable[[Any], Any]
    cells: Any = None


def reverse_differentiate(f: Function, rules: Rules, needs: Sequence[bool], again: bool = False) -> Function:
    """`f` in the form `(y, back)`, as IR. `back(ȳ)` gives one cotangent per parameter, that of `f` itself first.

    `again` says that `f` is itself such a form, or the `back` of one.
    """
    F = Builder()
    half = Reverse(rules, growing_lists(f.body), again).block(f.body.statements, F)
    defined = set(f.params)
    y_bar = Var("y_bar" if not _named(f.result) else f"{f.result.name}_bar", active=True)  # type: ignore[union-attr]
    B = Bars(Builder(), None, defined)
    B.add(f.result, y_bar)
    half(B)
    bars: list[Atom] = []
    sharing = first_arguments(f.body.statements, intrinsics.capture_cell)
    for param, needed in zip(f.params, needs, strict=True):
        bar = B.take(param) if needed else None
        if needed and bar is None and param in sharing:
            # What flowed is at a variable's location: whoever made the function has to run back and take it.
            bar = Bar(B.builder.call(tangent, param, Const(())), True)
        bars.append(Const(None) if bar is None else bar.atom)
    result = B.builder.call(intrinsics.make_tuple, *bars)
    reverse = prune(Block((y_bar,), B.builder.finish(), (result,)))
    reverse = keep_residuals(reverse, F, f.params)
    back = Var(derived(f.name, "pullback"), active=True)
    signature = Signature((y_bar.name,), 0, 1)
    F.emit(Closure(back, Function(back.name, reverse, signature, f.filename, f.firstline)))
    pair = F.call(intrinsics.make_tuple, f.result, back)
    body = Block(f.params, F.finish(), (pair,))
    return Function(derived(f.name, "rrule"), body, f.signature, f.filename, f.firstline, f.free)


class Reverse:
    """The handlers of the pass; `rules` is all they know of the world.

    Cotangents of lists that are `growing` may be longer than the list was where it was made.
    """

    def __init__(self, rules: Rules, growing: set[Var], again: bool) -> None:
        self.rules = rules
        self.growing = growing
        self.again = again

    def block(self, statements: Sequence[Statement], F: Builder) -> Half:
        halves = [half for s in statements for half in self.steps(s, F)]
        outs = {out for s in statements for out in s.outs}

        def back(B: Bars) -> None:
            B.defined |= outs
            for half in reversed(halves):
                half(B)

        return back

    def steps(self, s: Statement, F: Builder) -> list[Half]:
        half = self.statement(s, F)
        display = isinstance(s, Call) and s.how == Structural("list")
        grown = [v for v in s.outs if v in self.growing and v.active and isinstance(v.type, List) and not display]
        return [h for h in (half, *(self.length(out, F) for out in grown)) if h is not None]

    def length(self, out: Var, F: Builder) -> Half:
        """The length of a list before it grows, which its cotangent has from here on."""
        n = Var("", INT, False)
        F.emit(Call((n,), Const(len), (out,)))

        def back(B: Bars) -> None:
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

    # ---- calls

    def call(self, s: Call, F: Builder) -> Half | None:
        match s.how:
            case Spliced(method):
                F.emit(_plain(s))
                return self.spliced(s, method)
            case Structural(kind):
                F.emit(_plain(s))
                return self.structural(s, kind)
            case Ruled(method):
                keywords: tuple[Any, ...] = s.kwargs
                if "needs" in (getattr(method.call, "__kwdefaults__", None) or {}):
                    keywords = (*keywords, ("needs", Const(tuple(_active(a) for a in s.args))))
                exact = (
                    not s.kwargs and all(map(_active, s.args)) and len(s.args) == len(method.names) == method.required
                )
                slots = s.args if exact else None
                return self.closed(s, F, Const(method.call), s.args, keywords, slots, method.name)
            case Callee(handle, takes_self):
                given = in_order(s)
                args = ((s.fn,) if takes_self else ()) + given
                rule = Const(handle.rule if handle.done else handle)
                return self.closed(s, F, rule, args, (), (s.fn, *given), handle.name)
            case Dynamic():
                slots = (s.fn, *s.args, *(value for _, value in s.kwargs))
                name = getattr(getattr(s.fn, "value", None), "__name__", "") or getattr(s.fn, "name", "") or "f"
                needs = tuple(map(_active, slots))
                pullback = self.rules.pullback if all(needs) else self.rules.needing(needs)
                return self.closed(s, F, pullback, (s.fn, *s.args), s.kwargs, slots, name)
        F.emit(_plain(s))
        if isinstance(s.fn, Const) and s.fn.value in (add_item, add_at) and not s.outs:
            return lambda B: add_item_back(s, B)
        return None

    def spliced(self, s: Call, method: Any) -> Half:
        partials = self.rules.partials(method)

        def back(B: Bars) -> None:
            d = B.take(s.out)
            if d is not None:
                B.builder.span = s.span
                args = s.args[1:] if isinstance(s.fn, Const) and s.fn.value is changes.in_place else s.args
                splice_back(method, partials, s, args, d, B, self.rules.find)  # type: ignore[arg-type]

        return back

    def structural(self, s: Call, kind: str) -> Half | None:
        if kind == "store_cell":
            return lambda B: store_cell_back(s, B)
        if kind in SLOTS:
            return lambda B: slot_back(s, kind, B.take(s.out) if s.outs else None, B)

        def back(B: Bars) -> None:
            d = B.take(s.out)
            if d is not None:
                B.builder.span = s.span
                HANDLERS[kind](s, d, B)

        return back

    def closed(
        self, s: Call, F: Builder, fn: Any, args: Any, kwargs: Any, slots: Sequence[Any] | None, name: str
    ) -> Half:
        """`y, back = fn(args)`; `slots` are the atoms that the cotangents are of, None if their number is not known."""
        quiet = isinstance(s.how, Ruled) and all(is_number(type_of(a)) for a in s.args)  # type: ignore[arg-type]
        back_name = f"{name.removesuffix('_rule')}_back" if name.isidentifier() else "back"
        back_var = Var(back_name, UNKNOWN if quiet else EFFECTS, True)
        # What is found at run time may change its arguments, which only its rule would notice: it is never run plainly.
        unseen = found_at_run_time((s,), self.rules.find)
        pending = ForwardCall(_plain(s), Call((s.out, back_var), fn, args, kwargs, s.span), back_var, unseen)
        F.emit(pending)
        cached = is_cached(s)
        for_effect = self.runs_back(s)

        def back(B: Bars) -> None:
            d = B.take(s.out)
            if for_effect and (d is None or not d.definite):
                d = Bar(B.builder.call(completed, Const(None) if d is None else d.atom, s.out), False)
            if d is None and cached:
                d = Bar(Const(None), False)
            if d is None:
                return
            pending.wanted = True
            B.builder.span = s.span
            if slots is None:
                names = s.how.method.names
                places = [*enumerate(s.args), *((names.index(k), v) for k, v in s.kwargs if k in names)]
                bars = self._apply(B, back_var, d, 1 + max((i for i, _ in places), default=0))
                for i, x in places:
                    if _active(x):
                        read = operator.getitem if i < s.how.method.required and d.definite else slot
                        B.add(x, B.builder.call(read, bars, Const(i), name=bar_name(x)), False)
                return
            outs = tuple(slot_bar(x) for x in slots)
            if len(outs) == 1:
                outs = (B.builder.call(operator.getitem, self._apply(B, back_var, d, 1), Const(0), name=outs[0].name),)
            elif d.definite:
                B.builder.unpack(back_var, (d.atom,), outs)
            else:
                B.builder.unpack(Const(apply_back), (back_var, d.atom, Const(len(outs))), outs)
            for x, x_bar in zip(slots, outs, strict=True):
                B.add(x, x_bar, False)

        return back

    def runs_back(self, s: Call) -> bool:
        """A call of a `back` in what is differentiated again. If nothing of its results flows on, it was run for what
        it adds to locations; and that does."""
        back = isinstance(s.fn, Var) or isinstance(s.fn, Const) and s.fn.value is apply_back
        return self.again and back and isinstance(s.how, Dynamic | Callee)

    def acts(self, s: Statement) -> bool:
        """Whether reversing a region does something even where no cotangent enters it."""
        if isinstance(s, Call):
            buffer = not s.outs and isinstance(s.fn, Const) and s.fn.value in (add_item, add_at)
            moves = isinstance(s.how, Structural) and s.how.kind in ("store_cell", *SLOTS)
            return buffer or moves or is_cached(s) or self.runs_back(s)
        return any(self.acts(inner) for block in blocks_of(s) for inner in block.statements)

    def _apply(self, B: Bars, back: Var, d: Bar, n: int) -> Var:
        if d.definite:
            return B.builder.call(back, d.atom)
        return B.builder.call(apply_back, back, d.atom, Const(n))

    # ---- regions

    def if_(self, s: If, F: Builder) -> Half:
        if not _stays(s.cond):
            truth = Var("", BOOL, False)
            F.emit(Call((truth,), Const(bool), (s.cond,), (), s.span))
            s = replace(s, cond=truth)
        blocks = Builder(), Builder()
        halves = [self.block(b.statements, f) for b, f in zip((s.then, s.orelse), blocks, strict=True)]
        mirror = ForwardIf(s, *blocks)
        must = self.acts(s)
        F.emit(mirror)

        def back(B: Bars) -> None:
            ds = [B.take(out) for out in s.outs]
            if all(d is None for d in ds) and not must:
                return
            sides = [Bars(Builder(s.span), B), Bars(Builder(s.span), B)]
            for C, region, half in zip(sides, (s.then, s.orelse), halves, strict=True):
                for result, d in zip(region.results, ds, strict=True):
                    if d is not None:
                        C.add(result, *d)
                half(C)
            keys = list(dict.fromkeys([*sides[0].sums, *sides[1].sums]))
            outs, results = [], ([], [])  # type: ignore[var-annotated]
            for key in keys:
                old = B.sums.get(key, zero_bar(key))
                v = key if isinstance(key, Var) else None
                definite = True
                for C, list_ in zip(sides, results, strict=True):
                    new = C.sums.get(key)
                    bar = old if new is None else C.sum(old, new, v, key_name(key))
                    definite = definite and bar.definite
                    list_.append(bar.atom)
                out = Var(key_name(key), bar_type(v), True)
                outs.append((key, Bar(out, definite)))
            then, orelse = (Block((), C.builder.finish(), tuple(r)) for C, r in zip(sides, results, strict=True))
            B.builder.emit(If(tuple(bar.atom for _, bar in outs), s.cond, then, orelse, s.span, mirror))  # type: ignore[misc]
            B.sums.update(outs)

        return back

    def loop(self, s: Loop, F: Builder) -> Half:
        body = Builder()
        half = self.block(s.body.statements, body)
        mirror = ForwardLoop(s, body)
        must = self.acts(s)
        F.emit(mirror)
        n = s.carried
        carried, elements = s.body.params[:n], s.body.params[n:]

        def back(B: Bars) -> None:
            ds = [B.take(out) for out in s.outs]
            if all(d is None for d in ds) and not must:
                return
            C = Bars(Builder(s.span), B, set(s.body.params), loop=True)
            params, inits = [], []
            for p, d in zip(carried, ds, strict=False):
                start, number = d or zero_bar(p), zero_bar(p).definite
                param = Var(bar_name(p), bar_type(p), True)
                params.append(param)
                inits.append(B.definite(start) if number else start.atom)  # what no round changes stays what it was
                C.add(s.body.results[len(params) - 1], param, number)
            lists = []
            for out, result, d in zip(s.outs[n:], s.body.results[n:], ds[n:], strict=True):
                if d is not None:
                    element = Var(bar_name(result), UNKNOWN, True)
                    lists.append((element, B.backwards(d, out).atom))
                    C.add(result, element, False)
            half(C)
            results: list[Atom] = []
            for p in carried:
                bar = C.take(p) or zero_bar(p)
                atom = bar.atom if bar.definite or not zero_bar(p).definite else C.definite(bar)
                results.append(atom)
            element_bars = [(e, q, taken) for e, q in zip(elements, s.sequences, strict=True) if (taken := C.take(e))]
            sums = []
            for key, delta in list(C.sums.items()):
                v = key if isinstance(key, Var) else None
                start = B.sums.get(key, zero_bar(key))
                definite = zero_bar(key).definite and start.definite
                param = Var(key_name(key), bar_type(v), True)
                more = Bar(C.definite(delta), True) if definite and not delta.definite else delta
                total = C.sum(Bar(param, definite), more, v, key_name(key))
                params.append(param)
                inits.append(start.atom)
                results.append(total.atom)
                sums.append((key, Bar(Var(param.name, param.type, True), definite)))
            outs = [Var(p.name, p.type, True) for p in params[:n]]
            collected = [Var(f"{bar_name(e)}s" if e.name else "", List(UNKNOWN), True) for e, _, _ in element_bars]
            block = Block(
                (*params, *(e for e, _ in lists)),
                C.builder.finish(),
                (*results, *(bar.atom for _, _, bar in element_bars)),
            )
            all_outs = (*outs, *(bar.atom for _, bar in sums), *collected)
            B.builder.emit(
                Loop(all_outs, tuple(inits), tuple(q for _, q in lists), None, block, None, s.span, mirror)  # type: ignore[arg-type]
            )
            B.sums.update(sums)
            for init, p, out in zip(s.inits, carried, outs, strict=True):
                B.add(init, out, zero_bar(p).definite)
            to_end = s.cond is None and s.stop is None and s.steady and (s.even or len(s.sequences) == 1)
            for (_, q, _), bars in zip(element_bars, collected, strict=True):
                if to_end and isinstance(type_of(q), List):
                    B.add(q, *B.backwards(Bar(bars, True), q, bar_name(q)))
                else:
                    B.add(q, B.builder.call(sequence_bar, q, bars, name=bar_name(q)))

        return back

    def closure(self, s: Closure, F: Builder) -> Half:
        """A generated function: what it captures is known by position (see `runtime.generated`)."""
        F.emit(s)
        captures = free_variables(s.function.body)

        def back(B: Bars) -> None:
            d = B.take(s.out)
            if d is None:
                return
            for i, v in enumerate(captures):
                if v.active:
                    B.add(v, B.builder.call(field_bar, d.atom, Const(str(i)), name=bar_name(v)), False)

        return back


def _stays(cond: Atom) -> bool:
    """Whether a condition is as true in the reverse pass as it was: a list may have grown in between."""
    return isinstance(type_of(cond), Scalar | Inert) or is_number(type_of(cond))


def is_cached(s: Statement) -> bool:
    """A call that may be through `lru_cache`: its `back` must run even if nothing flows here, for what flows to its
    cached result elsewhere."""
    if not isinstance(s, Call) or not isinstance(s.how, Dynamic):
        return False
    return isinstance(s.fn, Var) or type(s.fn.value).__name__ == "_lru_cache_wrapper"  # type: ignore[union-attr]


def slot_bar(x: Any) -> Var:
    """A variable for what a rule's `back` gives for `x`."""
    active = _active(x)
    return Var(bar_name(x), bar_type(x) if active else UNKNOWN, active)


def _active(atom: Any) -> TypeGuard[Var]:
    return isinstance(atom, Var) and atom.active


def _named(atom: Atom) -> bool:
    return isinstance(atom, Var) and bool(atom.name)


def _plain(s: Call) -> Call:
    return Call(s.outs, s.fn, s.args, s.kwargs, s.span)
