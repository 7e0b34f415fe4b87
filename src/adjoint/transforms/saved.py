"""Saved values: what the reverse regions read of the forward ones is computed again or kept.

Inner regions first. What a reverse region reads of its primal is either a cheap scalar operation, done again from
values that are at hand, or kept: by a branch as one more out, by a loop as one more collected list.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from ..errors import UnsupportedSyntaxError
from ..identity import is_hashable
from ..ir import classes, exceptions, intrinsics
from ..ir.nodes import ATTEMPT, UNDEF, Atom, Block, Call, Const, If, Loop, Star, Statement, Undef, Var, free_variables
from ..ir.types import BOOL, BOTTOM, Array, Inert, List, Scalar, Tuple, Variadic
from ..ir.unbound import read_name
from ..ops.arithmetic import is_rank0
from .infer import type_of
from .primal_builder import Builder, ForwardCall, ForwardIf, ForwardLoop, Pending
from .simplify import substitute
from .uses import uses_of
from .versions import reads_shape

_OF_CLASSES = frozenset([classes.is_of, classes.is_one_of, classes.taken_as])
CHEAP = frozenset(
    [operator.add, operator.sub, operator.mul, operator.truediv, operator.neg, operator.pos]
    + [operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne]
    + [operator.not_, operator.is_, operator.is_not, intrinsics.make_tuple, *_OF_CLASSES]
)


@dataclass(frozen=True)
class Around:
    """The surroundings of a region: the arguments, which nobody writes; the arrays into which something is stored; what
    may have no value; whether there is a loop."""

    arguments: tuple[Var, ...] = ()
    changed: frozenset[Var] = frozenset()
    unbound: frozenset[Var] = frozenset()
    inside: bool = False


def keep_residuals(reverse: Block, forward: Builder, around: Around = Around()) -> Block:
    """The reverse block, with every region reading only what is at hand there; `forward` learns what to keep."""
    statements: list[Statement] = []
    for i, s in enumerate(reverse.statements):
        match s:
            case If(primal=ForwardIf() as primal):
                branch = _branch(s, primal, around)
                if not isinstance(branch.cond, Const):
                    statements.append(branch)
                    continue
                # One block alone comes to its end, and does so whenever the program does.
                end = branch.then if branch.cond.value else branch.orelse
                env = dict(zip(branch.outs, end.results, strict=True))
                rest = substitute(Block((), reverse.statements[i + 1 :], reverse.results), env)
                rest = keep_residuals(rest, forward, around)
                return Block(reverse.params, (*statements, *end.statements, *rest.statements), rest.results)
            case Loop(primal=ForwardLoop() as primal):
                statements += _loop(s, primal, forward, around)
            case If():
                then, orelse = (keep_residuals(b, forward, around) for b in (s.then, s.orelse))
                statements.append(If(s.outs, s.cond, then, orelse, s.span, s.primal))
            case _:
                statements.append(s)
    return Block(reverse.params, tuple(statements), reverse.results)


def _branch(s: If, primal: ForwardIf, around: Around) -> If:
    blocks = []
    for i, (block, region) in enumerate(((s.then, primal.then), (s.orelse, primal.orelse))):
        block = keep_residuals(block, region, around)
        needed = _needed(block, region, ())
        recomputed, kept = _choose(needed, region, (), (), around.arguments)
        kept += _changed(block, region, around)
        env: dict[Var, Atom] = {}
        for original in kept:
            v = bound(original, region)
            out = Var(v.name, v.type, v.active)
            primal.extra.append((out, v, UNDEF) if i == 0 else (out, UNDEF, v))
            env[original] = out
        blocks.append(_again(block, recomputed, env))
    return If(s.outs, s.cond, blocks[0], blocks[1], s.span, s.primal)


def _changed(block: Block, region: Builder, around: Around) -> list[Var]:
    """The variables for arrays that change and that a branch reads: kept by the branch, they are not copied in rounds
    that take the other."""
    if not around.inside:
        return []
    made = {v for v, _ in _defined(region, ())}
    uses = uses_of(block)
    read = [v for v in free_variables(block) if v in around.changed and v not in made]
    return [v for v in read if not all(u is not None and reads_shape(u, v) for u in uses[v])]


def _loop(s: Loop, primal: ForwardLoop, forward: Builder, around: Around) -> list[Statement]:
    region, plain = primal.body, primal.statement
    body = keep_residuals(s.body, region, replace(around, inside=True))
    before: list[Statement] = []
    params, sequences = list(body.params), list(s.sequences)
    env: dict[Var, Atom] = {}
    elements = plain.body.params[plain.carried :]
    needed = _needed(body, region, plain.body.params)
    again = _sequences_again(plain, forward)
    free = tuple([e for e, known in zip(elements, again, strict=True) if known is not None])
    recomputed, kept = _choose(needed, region, plain.body.params, free, around.arguments)
    used = {*needed, *_leaves(recomputed)}

    def run_through(sequence: Atom, element: Var) -> None:
        out = Var("", type_of(sequence), False)
        before.append(Call((out,), Const(reversed), (sequence,), (), s.span))
        params.append(element)
        sequences.append(out)

    for e, known in zip(elements, again, strict=True):
        if known is None or e not in used and (kept or sequences):
            continue
        element = env[e] = Var(e.name, e.type, False)
        sequence, made = known
        if made is not None:
            sequence = Var("", type_of(sequence), False)
            before.append(Call((sequence,), made.fn, made.args, made.kwargs, s.span))
        run_through(sequence, element)
    for v in kept:
        if v in free:
            continue
        if v in around.unbound and v in plain.body.params:
            raise UnsupportedSyntaxError(
                f"`{v.name}` may have no value when a round begins",
                "a loop that is reversed in its structure keeps it for each round",
                "give it a value before the loop",
            )
        values = Var(f"{v.name}s" if v.name else "", List(v.type), v.active)
        primal.extra.append((values, bound(v, region, around.unbound)))
        element = Var(v.name, v.type, v.active)
        env[v] = element
        run_through(values, element)
    if not sequences:
        rounds = Var("rounds", List(Inert(type(None))), False)
        primal.extra.append((rounds, Const(None)))
        run_through(rounds, Var("", Inert(type(None))))
    new = _again(Block(tuple(params), body.statements, body.results), recomputed, env)
    return [*before, Loop(s.outs, s.inits, tuple(sequences), None, new, None, s.span, s.primal, True)]


def _sequences_again(plain: Loop, forward: Builder) -> list[tuple[Atom, Call | None] | None]:
    """Of each that the loop ran through the sequence, and how a `range` is made again; None where it cannot be run
    through backwards beside the others."""
    same_length = len(plain.sequences) == 1 or plain.equal_lengths
    if not same_length or plain.exit_flag is not None or not plain.sequences_invariant:
        return [None] * len(plain.sequences)
    return [_sequence_again(sequence, forward) for sequence in plain.sequences]


def _sequence_again(sequence: Atom, forward: Builder) -> tuple[Atom, Call | None] | None:
    if isinstance(sequence, Undef):
        return None
    t = type_of(sequence)
    if t == Inert(range):
        made = _made(sequence, forward)
        return sequence, made if made is not None and made.fn.value is range else None  # type: ignore[union-attr]
    if isinstance(t, (List, Tuple, Variadic)) or isinstance(t, Array) and not t.scalar:
        return sequence, None
    return None


def _made(v: Atom, region: Builder) -> Call | None:
    for s in region.statements:
        call = s.plain if isinstance(s, ForwardCall) else s
        if isinstance(call, Call) and v in call.outs and isinstance(call.fn, Const):
            return call
    return None


def _defined(region: Builder, params: tuple[Var, ...]) -> Iterator[tuple[Var, Pending | None]]:
    """The variables of a forward region, in order, with the statements that define them."""
    for p in params:
        yield p, None
    for s in region.statements:
        match s:
            case ForwardCall():
                yield from ((out, s) for out in s.plain.outs)
                yield s.back, s
            case ForwardIf() | ForwardLoop():
                yield from ((out, s) for out in s.statement.outs)
                yield from ((more[0], s) for more in s.extra)
            case _:
                yield from ((out, s) for out in s.outs)


def _needed(block: Block, region: Builder, params: tuple[Var, ...]) -> list[Var]:
    """The variables of its primal that a reverse block reads, in the order in which they are defined there."""
    read = set(free_variables(block))
    return [v for v, _ in _defined(region, params) if v in read]


def _reads_argument(s: Call, arguments: tuple[Var, ...]) -> bool:
    """`x[i]` of an array that the function was given: nobody writes it."""
    if s.fn.value is not operator.getitem:  # type: ignore[union-attr]
        return False
    array, index = s.args
    plain = isinstance(array, Var) and array in arguments and isinstance(array.type, Array)
    return plain and isinstance(type_of(index), Scalar) and is_rank0(s.out.type)  # type: ignore[arg-type]


def _choose(
    needed: list[Var],
    region: Builder,
    params: tuple[Var, ...],
    free: tuple[Var, ...] = (),
    arguments: tuple[Var, ...] = (),
) -> tuple[list[Call], list[Var]]:
    """The cheap calls to do again (in order), and the variables to keep."""
    makers = dict(_defined(region, params))
    kept: list[Var] = []
    again: dict[Var, Call] = {}

    def cheap(v: Var) -> Call | None:
        s = makers[v]
        if isinstance(s, ForwardCall):
            if v is s.back:
                return None
            s = s.plain
        if not isinstance(s, Call) or len(s.outs) != 1 or s.kwargs or not isinstance(s.fn, Const):
            return None
        if not is_hashable(s.fn.value) or s.fn.value not in CHEAP:
            return s if _reads_argument(s, arguments) else None
        atoms = [a for a in s.args if not isinstance(a, Star)]
        known = s.fn.value in _OF_CLASSES
        ok = known or all([is_rank0(type_of(a)) or isinstance(type_of(a), (Scalar, Inert)) for a in atoms])
        return s if ok and len(atoms) == len(s.args) else None

    def plan(v: Var, found: dict[Var, Call]) -> bool:
        """Tell whether `v` can be had from what is at hand; `found` gets the calls."""
        if v in free or v in kept or v in again or v not in makers:
            return True
        call = cheap(v)
        if call is None:
            return False
        if not all(plan(a, found) for a in call.args if isinstance(a, Var)):
            return False
        found[v] = call
        return True

    for v in needed:
        if v not in free and cheap(v) is None:
            kept.append(v)
    for v in needed:
        if v in kept or v in free:
            continue
        found: dict[Var, Call] = {}
        if plan(v, found):
            again.update(found)
        else:
            kept.append(v)
    order = [v for v in makers if v in again]
    return [again[v] for v in order], kept


def bound(v: Var, region: Builder, unbound: frozenset[Var] = frozenset()) -> Var:
    """`v`, or where a branch may leave it unbound, a variable that is None then: what is kept again is copied. So is
    what may be `unbound` otherwise, where it is read at once."""
    for s in region.statements:
        if not isinstance(s, ForwardIf):
            continue
        for i, (out, a, b) in enumerate(s.extra):
            if out is v:
                s.extra[i] = (out, _or_none(a, s.then, unbound), _or_none(b, s.orelse, unbound))
                return v
        for out, a, b in zip(s.statement.outs, s.statement.then.results, s.statement.orelse.results, strict=True):
            if out is v and (_may_be_unbound(a, s.then, unbound) or _may_be_unbound(b, s.orelse, unbound)):
                copy = Var(v.name, v.type, v.active)
                s.extra.append((copy, _or_none(a, s.then, unbound), _or_none(b, s.orelse, unbound)))
                return copy
    return _read_if_bound(v, region) if v in unbound else v


def _or_none(atom: Atom, region: Builder, unbound: frozenset[Var]) -> Atom:
    if isinstance(atom, Undef):
        return Const(None)
    return bound(atom, region, unbound) if isinstance(atom, Var) else atom


def _may_be_unbound(atom: Atom, region: Builder, unbound: frozenset[Var]) -> bool:
    """Tell whether an arm may leave a variable unbound, itself or by a branch within."""
    if isinstance(atom, Undef) or atom in unbound:
        return True
    return any(
        out is atom and (_may_be_unbound(a, s.then, unbound) or _may_be_unbound(b, s.orelse, unbound))
        for s in region.statements
        if isinstance(s, ForwardIf)
        for out, a, b in zip(s.statement.outs, s.statement.then.results, s.statement.orelse.results, strict=True)
    )


def _read_if_bound(v: Var, region: Builder) -> Var:
    """A variable that is another one, or None where reading that raises: it is what a loop has left, or carries."""
    read, copy = Var(v.name, v.type, v.active), Var(v.name, v.type, v.active)
    error, found, raised = Var("error", Inert(BaseException)), Var("", BOOL), Var("", BOTTOM)
    first = Call((read,), Const(read_name), (v,))
    again = Block((), (Call((raised,), Const(exceptions.raise_again)),), ())
    caught = (
        Call((error,), Const(exceptions.caught)),
        Call((found,), Const(exceptions.matches), (error, Const(NameError))),
        If((), found, Block((), (), ()), again),
    )
    region.emit(If((copy,), ATTEMPT, Block((), (first,), (read,)), Block((), caught, (Const(None),))))
    return copy


def _leaves(calls: list[Call]) -> set[Any]:
    return {a for call in calls for a in call.args}


def _again(block: Block, recomputed: list[Call], env: dict[Var, Atom]) -> Block:
    """The block with kept variables replaced, after the calls to do again."""
    first: list[Statement] = []
    for call in recomputed:
        out = Var(call.out.name, call.out.type, call.out.active)
        args = tuple(env.get(a, a) if isinstance(a, Var) else a for a in call.args)
        first.append(Call((out,), call.fn, args, (), call.span))
        env[call.out] = out
    new = substitute(block, env)
    return Block(block.params, (*first, *new.statements), new.results)
