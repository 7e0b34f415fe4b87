"""Reverses of calls: by a rule put in their place, by their structure, or by the `back` that a rule gave."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from ..classify import kind_of
from ..ir import changes, intrinsics
from ..ir.nodes import Call, Const, Function, Star, Statement, Var, atoms_of
from ..ir.types import INT, UNKNOWN, Array, Fn, Keyed, List, Maybe, Tuple
from ..ops.arithmetic import is_number, is_real
from ..tangents import ADDITIONS, accumulate, apply_back, completed, densify, instantiate_zeros, slot
from .cotangent_map import Cotangent, CotangentMap, bar_name, bar_type
from .facts import Callee, Dynamic, Ruled, Spliced, Structural
from .infer import type_of
from .lifted import Held, Parts, add_parts, held_by, part_bar, same_function_back
from .memory import takes_references
from .primal_builder import Builder, ForwardCall, ForwardLength
from .resizing import changed_back
from .simplify import EFFECTS
from .splice import splice_back
from .structural import HANDLERS, SLOTS, STORES, WHOLES, add_item_back, columns_back, slot_back
from .unseen import found_at_run_time
from .uses import in_order

Half = Callable[[CotangentMap], None]


@dataclass(frozen=True)
class Rules:
    """Questions of the pass to the rest of the system, as values."""

    pullback: Any
    needing: Callable[[tuple[bool, ...]], Any]
    partials: Callable[[Any], Function]
    find: Callable[[Any], Any]
    settled: Callable[[Any], Any]
    """The same of functions that neither act nor draw from iterators: a run that may be repeated need not ask them."""
    cells: Any = None


class Calls:
    """The handlers of calls; `rules` is all they know of the world, `again` says that what is differentiated is a
    reverse program itself."""

    def __init__(self, rules: Rules, again: bool) -> None:
        self.rules = rules
        self.again = again
        self.held: Held = {}

    def call(self, s: Call, F: Builder) -> Half | None:
        match s.how:
            case Spliced(method):
                F.emit(_plain(s))
                return self.spliced(s, method)
            case Structural(kind):
                F.emit(_plain(s))
                return self.structural(s, kind)
            case Ruled(method) if _is_direct(s, method):
                F.emit(_plain(s))
                return self.direct(s, method.direct)
            case Ruled(method) if (bars := _opened(s, method)) is not None:
                F.emit(_plain(s))
                return self.opened(s, bars)
            case Ruled(method):
                keywords: tuple[Any, ...] = s.kwargs
                if "needs" in (getattr(method.call, "__kwdefaults__", None) or {}):
                    keywords = (*keywords, ("needs", Const(tuple(_active(a) for a in s.args))))
                exact = (
                    not (s.kwargs or method.named)
                    and all(map(_active, s.args))
                    and len(s.args) == len(method.names) == method.required
                )
                slots = s.args if exact else None
                return self.closed(s, F, Const(method.call), s.args, keywords, slots, method.name)
            case Callee(handle, takes_self):
                given = in_order(s)
                args = ((s.fn,) if takes_self else ()) + given
                rule = Const(handle.rule if handle.done else handle)
                slots = given if handle.parts else (s.fn, *given)
                return self.closed(s, F, rule, args, (), slots, handle.name, handle.parts, handle.is_called)
            case Dynamic(whole):
                slots = (s.fn, *s.args, *(value for _, value in s.kwargs))
                name = getattr(getattr(s.fn, "value", None), "__name__", "") or getattr(s.fn, "name", "") or "f"
                needs = tuple(map(_active, slots))
                pullback = self.rules.pullback if all(needs) else self.rules.needing(needs)
                return self.closed(s, F, pullback, (s.fn, *s.args), s.kwargs, slots, name, zeros=whole)
        F.emit(_plain(s))
        if isinstance(s.fn, Const) and s.fn.value in ADDITIONS and not s.outs:
            return lambda B: add_item_back(s, B)
        return None

    def spliced(self, s: Call, method: Any) -> Half:
        partials = self.rules.partials(method)

        def back(B: CotangentMap) -> None:
            d = B.take(s.out)
            if d is not None:
                args = s.args[1:] if isinstance(s.fn, Const) and s.fn.value is changes.in_place else s.args
                splice_back(method, partials, s, args, d, B, self.rules.find)  # type: ignore[arg-type]

        return back

    def direct(self, s: Call, bars: Any) -> Half:
        """A product of two arguments: the cotangent of each is a product of the other, which is seen here."""

        def back(B: CotangentMap) -> None:
            d = B.take(s.out)
            if d is None:
                return
            for x, other, bar in zip(s.args, reversed(s.args), bars, strict=True):
                if _active(x):
                    x_bar = B.builder.call(bar, other, d.atom, name=bar_name(x), type=bar_type(x))  # type: ignore[arg-type]
                    B.add_whole(x, x_bar) if d.definite else B.add(x, x_bar, False)

        return back

    def opened(self, s: Call, bars: Any) -> Half:
        """A call whose cotangents are computed from arguments and result, of their full shapes."""

        def back(B: CotangentMap) -> None:
            d = B.take(s.out)
            if d is None:
                return
            outs = tuple(slot_bar(x) for x in s.args if _active(x))
            B.builder.unpack(Const(bars), (B.definite(d), *s.args, s.out), outs)  # type: ignore[arg-type]
            for x, x_bar in zip(filter(_active, s.args), outs, strict=True):
                B.add_whole(x, x_bar)

        return back

    def structural(self, s: Call, kind: str) -> Half | None:
        if kind in ("function", "same") and isinstance(s.out.type, Fn):
            self.held |= held_by(s, self.held)
        if kind in STORES:
            return lambda B: STORES[kind](s, B)
        if kind in SLOTS:
            return lambda B: slot_back(s, kind, B.take(s.out) if s.outs else None, B)

        if kind == "changed":
            return lambda B: changed_back(s, B)
        if kind in WHOLES:
            return lambda B: WHOLES[kind](s, B)
        if kind == "same" and isinstance(s.out.type, Fn):
            return lambda B: same_function_back(s, B)

        def back(B: CotangentMap) -> None:
            if kind == "element":
                columns_back(s, B)
            d = B.take(s.out)
            if d is not None:
                HANDLERS[kind](s, d, B)

        return back

    def closed(
        self,
        s: Call,
        F: Builder,
        fn: Any,
        args: Any,
        kwargs: Any,
        slots: Sequence[Any] | None,
        name: str,
        parts: Parts = (),
        whole: bool = False,
        zeros: bool = False,
    ) -> Half:
        """`y, back = fn(args)`; `slots` are the atoms that the cotangents are of, None if their number is not known.
        Those of the `parts` of the function come before. With `whole`, those of numbers are never None; `zeros`
        stand for None."""
        quiet = isinstance(s.how, Ruled) and all(is_number(type_of(a)) for a in s.args)  # type: ignore[arg-type]
        back_name = f"{name.removesuffix('_rule')}_back" if name.isidentifier() else "back"
        back_var = Var(back_name, UNKNOWN if quiet else EFFECTS, True)
        # What is found at run time may change its arguments, which only its rule would notice: it is never run plainly.
        unseen = found_at_run_time((s,), self.rules.settled)
        pending = ForwardCall(_plain(s), Call((s.out, back_var), fn, args, kwargs, s.span), back_var, unseen)
        F.emit(pending)
        cached, shared = is_cached(s), is_shared(s)
        length = ForwardLength(Call((Var("", INT),), Const(len), (s.out,)))
        F.emit(length)
        for_effect = self.runs_back(s)

        def back(B: CotangentMap) -> None:
            d = B.take(s.out)
            if for_effect and (d is None or not d.definite):
                d = Cotangent(B.builder.call(completed, Const(None) if d is None else d.atom, s.out), False)
            if shared and (d is None or not d.definite):
                d = Cotangent(_zero_or(d, s.out, B, length), True)
            if d is None and cached:
                d = Cotangent(Const(None), False)
            if d is None:
                return
            pending.wanted = True
            if slots is None:
                names = s.how.method.names
                places = [*enumerate(s.args), *((names.index(k), v) for k, v in s.kwargs if k in names)]
                bars = self._apply(B, back_var, d, 1 + max((i for i, _ in places), default=0))
                for i, x in places:
                    if _active(x):
                        read = operator.getitem if i < s.how.method.required and d.definite else slot
                        B.add(x, B.builder.call(read, bars, Const(i), name=bar_name(x)), False)
                return
            own = [part_bar(name, t) for name, t in parts]
            outs = (*own, *(slot_bar(x) for x in slots))
            if len(outs) == 1:
                outs = (B.builder.call(operator.getitem, self._apply(B, back_var, d, 1), Const(0), name=outs[0].name),)
            elif d.definite:
                B.builder.unpack(back_var, (d.atom,), outs)
            else:
                B.builder.unpack(Const(apply_back), (back_var, d.atom, Const(len(outs))), outs)
            add_parts(B, s.fn, parts, outs[: len(own)], d.definite, self.held)
            for x, x_bar in zip(slots, outs[len(own) :], strict=True):
                real = is_real(type_of(x))
                if zeros and real and _active(x):
                    x_bar = B.builder.call(instantiate_zeros, x_bar, name=x_bar.name, type=x_bar.type)
                B.add(x, x_bar, real and (zeros or whole and d.definite))

        return back

    def runs_back(self, s: Call) -> bool:
        """A call of a `back` in what is differentiated again. If nothing of its results flows on, it was run for what
        it adds to locations; and that does."""
        applied = isinstance(s.fn, Const) and s.fn.value is apply_back
        dynamic = isinstance(s.how, (Dynamic, Callee)) and (applied or isinstance(s.fn, Var))
        return self.again and (dynamic or applied and isinstance(s.how, Ruled))

    def _apply(self, B: CotangentMap, back: Var, d: Cotangent, n: int) -> Var:
        if d.definite:
            return B.builder.call(back, d.atom)
        return B.builder.call(apply_back, back, d.atom, Const(n))


def is_cached(s: Statement) -> bool:
    """A call that may be through `lru_cache`: its `back` must run even if nothing flows here, for what flows to its
    cached result elsewhere."""
    if not isinstance(s, Call) or not isinstance(s.how, Dynamic):
        return False
    return isinstance(s.fn, Var) or kind_of(s.fn.value) == "cached"  # type: ignore[union-attr]


def is_shared(s: Statement) -> bool:
    """A call that is given references, or gives one: its `back` must run even if nothing flows here, for what it does
    to shadows."""
    return isinstance(s, Call) and isinstance(s.how, Callee) and takes_references((*atoms_of(s), *s.outs))


def _zero_or(d: Cotangent | None, out: Var, B: CotangentMap, length: ForwardLength) -> Any:
    """The cotangent of a value, with zeros where nothing has come, or None for items; `length` is that of a list."""
    t = out.type.item if isinstance(out.type, Maybe) else out.type
    given = Const(None) if d is None else d.atom
    if isinstance(t, Array) and out.active:
        return B.builder.call(densify, given, out, type=bar_type(out))
    if isinstance(t, List) and out.active:
        start, n, zero = length.start(t, not is_real(t.item))
        return B.builder.call(start, given, n, zero, type=bar_type(out) if is_real(t.item) else UNKNOWN)
    if isinstance(t, Tuple | Keyed) and out.active:
        keys = [a for key, _ in t.entries for a in (Const(key), Const(None))] if isinstance(t, Keyed) else []
        nothing = B.builder.call(intrinsics.make_dict, *keys) if keys else Const((None,) * len(t.items))  # type: ignore[union-attr]
        return nothing if d is None else B.builder.call(accumulate, given, nothing)
    return Const(0.0 if is_real(t) else None) if d is None else B.definite(d)


def _is_direct(s: Call, method: Any) -> bool:
    """Tell whether a call is a product of vectors and matrices whose cotangents are products of what is seen."""
    if not method.direct or s.kwargs or len(s.args) != 2 or None in (_needed(s, method.direct)):
        return False
    return all(map(_rank, s.args))


def _needed(s: Call, bars: Any) -> list[Any]:
    return [bar for a, bar in zip(s.args, bars, strict=True) if _active(a)]


def _opened(s: Call, method: Any) -> Any:
    """The function that gives the cotangents of the arguments that need one, if it has only to know these and the
    result."""
    if method.bars is None or s.kwargs or not all(map(_is_double, s.args)):
        return None
    return method.bars(tuple(map(_active, s.args)))


def _is_double(a: Any) -> bool:
    """An array of float64, or a real number."""
    t = UNKNOWN if isinstance(a, Star) else type_of(a)
    return is_real(t) or isinstance(t, Array) and t.dtype == "float64"


def _rank(a: Any) -> int:
    """1 for a vector, 2 for a matrix of float64, 0 for anything else."""
    t = UNKNOWN if isinstance(a, Star) else type_of(a)
    if isinstance(t, Array) and t.dtype == "float64" and t.scalar is False and t.ndim in (1, 2):
        return t.ndim
    return 0


def slot_bar(x: Any) -> Var:
    """A variable for what a rule's `back` gives for `x`."""
    active = _active(x)
    return Var(bar_name(x), bar_type(x) if active else UNKNOWN, active)


def _active(atom: Any) -> TypeGuard[Var]:
    return isinstance(atom, Var) and atom.active


def _plain(s: Call) -> Call:
    return Call(s.outs, s.fn, s.args, s.kwargs, s.span)
