"""Forward mode: the tangent-linear program, statement by statement beside the program itself.

For each variable that is active there is one that holds its tangent ("dot"). Tangents of numbers and arrays, and of
containers of nothing else, are whole: they have zeros wherever nothing moves. Those of anything else may be None when
the program runs, or hold None. What a region cannot do is left to `Unable`: then the pullback is transposed.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ..ir import changes, intrinsics
from ..ir.nodes import (
    UNDEF,
    Atom,
    Block,
    Call,
    Const,
    Function,
    If,
    Loop,
    Signature,
    Star,
    Statement,
    Var,
    derived,
)
from ..ir.types import INT, UNKNOWN, Array, Bottom, Default, Deque, Inert, List, Scalar, Tuple, Variadic, View
from ..ops.arithmetic import is_number
from ..tangents import (
    ADDITIONS,
    along_partial,
    along_partials,
    dense_deque,
    dense_entries,
    densify,
    passed,
    unbroadcast,
)
from ..tangents import zeros_like as zeros
from .attempted import along_attempt
from .calls import Rules
from .components import dot_name
from .cotangent_map import bar_type
from .facts import Callee, Dynamic, Ruled, Spliced, Structural
from .infer import type_of
from .moving import HANDLERS, STORES, Unable, check_stored, is_whole
from .moving_dicts import along_dict, zeros_of_container
from .moving_memory import along_memory, has_tangent, holds_memory, origin_of, refers_to_memory, slots_that_move
from .moving_sequences import along_sequence
from .primal_builder import Builder
from .simplify import prune
from .splice import instantiate, is_finite, scaled
from .tangent_forms import (
    has_partials,
    is_linear,
    is_none,
    is_wider,
    may_have_no_axes,
    may_stop,
    named,
    plain,
    plain_call,
    whole_exponent,
)
from .uses import in_order


def tangent_linear(
    f: Function, rules: Rules, needs: Sequence[bool], push: Any, callees: Callable[[Any], Atom | None]
) -> Function:
    """`f` in the form `(y, ẏ)`, as IR: its parameters, then one tangent for each that is needed.

    `callees` gives what calls the same form of a function that is known, if it has one; `push` is what calls are made
    by whose tangents are found at run time.

    Raises
    ------
    Unable
        If a statement has no such form.
    """
    F = Builder()
    dots = Dots(rules, push, callees)
    given = [dots.made(p) for p, needed in zip(f.params, needs, strict=True) if needed or holds_memory(p.type)]
    dots.block(f.body.statements, F)
    y_dot = dots.full(f.result, F) if is_whole(type_of(f.result)) else dots.of(f.result)
    pair = F.call(intrinsics.make_tuple, f.result, Const(None) if y_dot is None else y_dot)
    body = prune(Block((*f.params, *given), F.finish(), (pair,)), dots.own.__contains__)
    names = (*f.signature.names, *(v.name for v in given))
    return Function(derived(f.name, "frule"), body, Signature(names, 0, len(names)), f.filename, f.firstline, f.free)


@dataclass
class Region:
    """The region that spliced partials are written into."""

    builder: Builder


class Dots:
    """The tangents by variable, and the handlers of statements; `rules`, `push` and `callees` are all they know of the
    world."""

    def __init__(self, rules: Rules, push: Any, callees: Callable[[Any], Atom | None]) -> None:
        self.rules = rules
        self.push = push
        self.callees = callees
        self.dots: dict[Var, Atom] = {}
        self.parts: dict[Atom, tuple[Atom, ...]] = {}
        self.beside: set[Atom] = set()  # views and the like, whose tangents are lists
        self.own: set[Call] = set()  # calls of the program itself: they print, check and raise, whoever reads them

    # ---- tangents of variables

    def made(self, v: Var) -> Var:
        """The variable for the tangent of `v`."""
        dot = self.dots[v] = Var(dot_name(v), bar_type(v), True)
        return dot

    def of(self, atom: Any) -> Atom | None:
        """The tangent of an atom; None where nothing moves."""
        return self.dots.get(atom) if has_tangent(atom) else None

    def or_none(self, atom: Any) -> Atom:
        """The same, with None as a value."""
        dot = self.of(atom)
        return Const(None) if dot is None else dot

    def given(self, atom: Any, F: Builder) -> Atom:
        """The tangent of what is put into a container: whole if its type can be, else None where nothing moves."""
        return self.full(atom, F) if is_whole(type_of(atom)) else self.or_none(atom)

    def full(self, atom: Atom, F: Builder) -> Atom:
        """The tangent of an atom that has one in any case: zeros where nothing moves."""
        if (dot := self.of(atom)) is not None:
            return dot
        if atom is UNDEF:
            return atom
        t = type_of(atom)
        if (none := origin_of(atom)) is not None:
            return none
        if isinstance(t, Scalar) or isinstance(atom, Const) and type(atom.value) in (int, float, complex):
            return Const(0.0)
        if isinstance(t, Inert):
            return Const(None)
        if (zero := zeros_of_container(atom, t, F)) is not None:
            return zero
        if isinstance(t, Deque):
            zero = Const(0.0 if is_number(t.item) or isinstance(t.item, Bottom) else None)
            return F.call(dense_deque, Const(None), F.call(len, atom, type=INT), zero, type=t)
        return F.call(zeros, atom, type=bar_type(atom) if isinstance(atom, Var) else UNKNOWN)

    def complete(self, atom: Atom, F: Builder) -> Atom:
        """The tangent of an atom with zeros wherever nothing moves, also within it."""
        dot, t = self.of(atom), type_of(atom)
        if dot is None or is_whole(t) or isinstance(t, Deque) or atom in self.beside:
            return self.full(atom, F)
        return F.call(densify, dot, atom, type=bar_type(atom))  # type: ignore[arg-type]

    def bind(self, v: Var, dot: Atom, F: Builder, sure: bool = True) -> None:
        """Let `dot` be the tangent of `v`; unless `sure`, it may turn out to be None, or to hold None for a number."""
        if not sure and isinstance(v.type, Default) and is_whole(v.type):
            dot = F.call(dense_entries, dot, v, name=dot_name(v), type=bar_type(v))
        elif not sure and (is_whole(v.type) or isinstance(v.type, List)) and not isinstance(v.type, Deque):
            dot = F.call(densify, dot, v, name=dot_name(v), type=bar_type(v))
        self.dots[v] = dot

    def bind_list(self, v: Var, dot: Atom) -> None:
        """Let `dot` be the tangent of what is run through: a list, one for each item."""
        self.dots[v] = dot
        self.beside.add(v)

    # ---- statements

    def block(self, statements: Sequence[Statement], F: Builder) -> None:
        for s in statements:
            F.span = s.span
            match s:
                case Call():
                    self.call(s, F)
                case If():
                    self.if_(s, F)
                case Loop():
                    self.loop(s, F)
                case _:
                    raise Unable("a function of a generated program")

    def if_(self, s: If, F: Builder) -> None:
        if s.is_attempt:
            return along_attempt(self, s, F)
        sides = Builder(s.span), Builder(s.span)
        moving = [i for i, out in enumerate(s.outs) if has_tangent(out)]
        blocks = []
        for side, region in zip(sides, (s.then, s.orelse), strict=True):
            self.block(region.statements, side)
            more = [self.full(region.results[i], side) for i in moving]
            blocks.append(Block((), side.finish(), (*region.results, *more)))
        dots = [self.made(s.outs[i]) for i in moving]
        then, orelse = blocks
        F.emit(If((*s.outs, *dots), s.cond, then, orelse, s.span))

    def loop(self, s: Loop, F: Builder) -> None:
        n, body = s.carried, Builder(s.span)
        params, elements = s.body.params[:n], s.body.params[n:]
        moving = [i for i, p in enumerate(params) if has_tangent(p)]
        running = [i for i, e in enumerate(elements) if has_tangent(e)]
        inits = [self.full(s.inits[i], F) for i in moving]
        sequences = [self.sequence(s.sequences[i], F) for i in running]
        carried = [self.made(params[i]) for i in moving]
        given = [self.made(elements[i]) for i in running]
        self.block(s.body.statements, body)
        results = [self.full(s.body.results[i], body) for i in moving]
        kept = [i for i in range(n, len(s.outs)) if has_tangent(s.outs[i])]
        collected = [self.full(s.body.results[i], body) for i in kept]
        made = Block(
            (*params, *carried, *elements, *given),
            body.finish(),
            (*s.body.results[:n], *results, *s.body.results[n:], *collected),
        )
        dots = [self.made(s.outs[i]) if has_tangent(s.outs[i]) else Var("", UNKNOWN, True) for i in moving]
        outs = (*s.outs[:n], *dots, *s.outs[n:], *[self.made(s.outs[i]) for i in kept])
        cond = s.cond
        if cond is not None:
            beside = [Var(dot_name(p), bar_type(p), True) for p in (cond.params[i] for i in moving)]
            cond = Block((*cond.params, *beside), plain(cond.statements), cond.results)
        starts, runs = (*s.inits, *inits), (*s.sequences, *sequences)
        F.emit(replace(s, outs=outs, inits=starts, sequences=runs, cond=cond, body=made, primal=None))

    def sequence(self, xs: Atom, F: Builder) -> Atom:
        """The tangents of what a loop runs through, to be run through beside it."""
        of_objects = isinstance(type_of(xs), View) and has_tangent(xs)
        if not isinstance(type_of(xs), (List, Array, Tuple, Variadic)) and not of_objects and xs not in self.beside:
            raise Unable("a loop through something that is known only when it runs")
        return self.complete(xs, F)

    # ---- calls

    def call(self, s: Call, F: Builder) -> None:
        if along_memory(self, s, F):
            return
        match s.how:
            case None:
                if isinstance(s.fn, Const) and s.fn.value in ADDITIONS and self.moves(s.args):
                    raise Unable("additions to a buffer")
                self.run(s, F)
            case Spliced(method):
                self.run(s, F)
                self.spliced(s, method, F)
            case Structural(kind):
                if kind not in HANDLERS and kind not in STORES:
                    raise Unable(f"variables that are rebound after they were captured ({kind})")
                if kind in STORES:  # what is stored into is as it was only before
                    check_stored(s)
                    held = self.complete(s.args[0], F) if kind != "set_attribute" else self.or_none(s.args[0])  # type: ignore[arg-type]
                    self.run(s, F)
                    STORES[kind](self, s, held, F)
                    return
                self.run(s, F)
                HANDLERS[kind](self, s, F)
            case Ruled(method) if is_linear(s, method, self):
                self.run(s, F)
                self.linear(s, method, F)
            case Ruled(method) if has_partials(s, method):
                self.run(s, F)
                self.by_partials(s, method, F)
            case Callee(handle) if (fn := self.program_of(s, handle)) is not None:
                self.called(s, handle, fn, F)
            case Ruled() | Callee() | Dynamic():
                self.pushed(s, F)
            case _:
                raise Unable("an unknown kind of call")

    def run(self, s: Call, F: Builder) -> None:
        """The call itself, as in the program."""
        plain = plain_call(s)
        self.own.add(plain)
        F.emit(plain)

    def moves(self, atoms: Sequence[Any]) -> bool:
        return any(self.of(a.value if isinstance(a, Star) else a) is not None for a in atoms)

    def spliced(self, s: Call, method: Any, F: Builder) -> None:
        """ẏ = Σ ẋᵢ ∂y/∂xᵢ, with the partials written out."""
        in_place = isinstance(s.fn, Const) and s.fn.value is changes.in_place
        args: Any = s.args[1:] if in_place else s.args
        region: Any = Region(F)
        start = len(F.statements)
        ps = instantiate(
            self.rules.partials(method), (*args, s.out), region, self.rules.find, method.partials.__globals__
        )
        made = F.statements[start:]
        kinds = [type_of(a) for a in (*args, s.out)]
        complex_ = any(getattr(t, "kind", "") in ("c", "complex", "") for t in kinds)
        whole = all(isinstance(t, Scalar) and t.kind == "int" for t in kinds[:-1])
        terms: list[Atom] = []
        for x, p in zip(args, ps, strict=True):
            if (dot := self.of(x)) is None:
                continue
            infinite = method.singular and not is_finite(made, p)
            if complex_ or infinite:
                terms.append(F.call(along_partial, dot, p, Const(infinite), type=bar_type(s.out)))
            else:
                terms.append(scaled(dot, p, region, "", bar_type(s.out), whole))
        self.total(s.out, terms, F, complex_ or is_wider(args, s.out, self))
        if in_place and may_have_no_axes(s.out.type):  # of such arrays arithmetic makes numbers
            self.bind(s.out, F.call(np.array, self.dots[s.out], name=dot_name(s.out), type=bar_type(s.out)), F)

    def total(self, out: Var, terms: Sequence[Atom], F: Builder, fit: bool = False) -> None:
        """The sum of what each argument gives, in the shape and dtype of the result."""
        dot = terms[0] if terms else Const(None)
        for term in terms[1:]:
            dot = F.call(operator.add, dot, term, name=dot_name(out), type=bar_type(out))
        if fit:
            dot = F.call(unbroadcast, dot, out, name=dot_name(out), type=bar_type(out))
        self.bind(out, dot, F, bool(terms))

    def linear(self, s: Call, method: Any, F: Builder) -> None:
        """ẏ = f(ȧ, b) + f(a, ḃ), or f(ȧ, ḃ) where `f` is linear in both together."""
        t = bar_type(s.out)
        if method.linear_in_all:
            together = tuple([self.complete(a, F) for a in s.args])  # type: ignore[arg-type]
            self.total(s.out, [self._again(s, together, s.kwargs, t, F)], F)
            return
        terms = []
        for group in method.linear:
            if any(self.of(a) is not None for name, a in named(s, method) if name in group):
                moved = [self.complete(a, F) if name in group and not is_none(a) else a for name, a in named(s, method)]
                n = len(s.args)
                kwargs = tuple([(name, a) for (name, _), a in zip(s.kwargs, moved[n:], strict=True)])
                terms.append(self._again(s, tuple(moved[:n]), kwargs, t, F))
        self.total(s.out, terms, F)
        if may_stop(s, method, self):
            args = F.call(intrinsics.make_tuple, *s.args, *[v for _, v in s.kwargs])  # type: ignore[arg-type]
            self.bind(s.out, F.call(passed, self.dots[s.out], s.out, args, name=dot_name(s.out), type=t), F)

    def _again(self, s: Call, args: Any, kwargs: Any, t: Any, F: Builder) -> Var:
        dot = Var(dot_name(s.out), t, True)
        F.emit(Call((dot,), s.fn, args, kwargs, s.span))
        return dot

    def by_partials(self, s: Call, method: Any, F: Builder) -> None:
        """ẏ = Σ ẋᵢ ∂y/∂xᵢ, by the function that gives the partials."""
        args: Any = s.args
        n = whole_exponent(s)
        if n is not None and (dot := self.of(args[0])) is not None:  # ẏ = n xⁿ⁻¹ ẋ, which warns of nothing
            t = type_of(args[0])
            p = args[0] if n == 2 else F.call(operator.pow, args[0], Const(n - 1), type=t)
            p = F.call(operator.mul, p, Const(float(n)), type=t)
            self.bind(s.out, F.call(along_partial, dot, p, Const(True), name=dot_name(s.out), type=bar_type(s.out)), F)
            return
        values, dots = [F.call(intrinsics.make_tuple, *xs) for xs in (args, [self.or_none(a) for a in args])]
        partials = Const(method.partials, f"{method.name}_partials")
        given = (partials, Const(method.singular), values, dots, s.out)
        self.bind(s.out, F.call(along_partials, *given, name=dot_name(s.out), type=bar_type(s.out)), F)

    def program_of(self, s: Call, handle: Any) -> Atom | None:
        """The function that calls the tangent-linear program of a callee, if it has one for what moves here."""
        moving = [self.of(a) is not None for a in (s.fn, *in_order(s))]
        needs = handle.needs if handle.primal is None else slots_that_move(handle)
        fits = len(moving) == len(needs) and not any([m > n for m, n in zip(moving, needs, strict=True)])
        return self.callees(handle) if fits else None

    def called(self, s: Call, handle: Any, fn: Atom, F: Builder) -> None:
        """`y, ẏ = frule(args, dots)`."""
        slots = (s.fn, *in_order(s))
        dots = [self.given(a, F) for a, needed in zip(slots, slots_that_move(handle), strict=True) if needed]
        call = Call((s.out, self.made(s.out)), fn, (*slots[0 if handle.takes_self else 1 :], *dots), (), F.span)
        self.own.add(call)
        F.emit(call)

    def pushed(self, s: Call, F: Builder) -> None:
        """`y, ẏ = pushforward(f, args, dots)`, found when the program runs."""
        if along_dict(self, s, F) or along_sequence(self, s, F):
            return
        known = isinstance(s.how, Callee)
        if not known and (any(isinstance(a, Star) for a in s.args) or any(name is None for name, _ in s.kwargs)):
            raise Unable("a call with stars")
        if isinstance(s.fn, Const) and s.fn.value is intrinsics.iterate:  # its result is no iterator, but items
            raise Unable("a loop through something that is known only when it runs")
        values: Any = in_order(s)
        if any([refers_to_memory(type_of(v)) for v in (s.fn, *values)]):
            raise Unable("a call with memory of which nothing is known")
        args = F.call(intrinsics.make_tuple, *values)
        dots = F.call(intrinsics.make_tuple, self.or_none(s.fn), *[self.or_none(v) for v in values])
        bound = known and (s.kwargs or len(values) != len(s.args) or any(isinstance(a, Star) for a in s.args))
        by_name = tuple([name for name, _ in s.kwargs])
        names = (Const(None if bound else by_name),) if bound or by_name else ()
        dot = self.made(s.out)
        call = Call((s.out, dot), self.push, (s.fn, args, dots, *names), (), F.span)
        self.own.add(call)
        F.emit(call)
        if is_whole(s.out.type) and not is_number(s.out.type) or isinstance(s.out.type, List):
            self.bind(s.out, dot, F, False)
