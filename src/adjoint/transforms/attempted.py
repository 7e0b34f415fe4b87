"""Forward mode of attempts: tangents once the program's own part is over, as they may raise what it does not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..ir.nodes import UNDEF, Block, Call, Const, If, Statement, Var, atoms_of, blocks_of, free_variables
from ..ir.types import BOOL
from .aliases import stored_into
from .attempts import changes_memory
from .components import dot_name
from .cotangent_map import bar_type
from .hoisting import is_pure
from .moving import Unable
from .primal_builder import Builder
from .simplify import renamed, substitute
from .uses import calls_of, outs_of

if TYPE_CHECKING:
    from .tangent_linear import Dots


def along_attempt(dots: Dots, s: If, F: Builder) -> None:
    """Write an attempt of the program alone, and a branch on how that went, with the tangents.

    Statements of their own are moved there. Else the branch does it all again, if nobody can tell.
    """
    if any(map(changes_memory, calls_of(s.then.statements))):
        raise Unable("a `try` whose body stores into what others may have")
    moving = [i for i, out in enumerate(s.outs) if out.active]
    side, other = Builder(s.span), Builder(s.span)
    dots.block(s.then.statements, side)
    more = [dots.full(s.then.results[i], side) for i in moving]
    written = side.finish()
    dots.block(s.orelse.statements, other)
    more_caught = [dots.full(s.orelse.results[i], other) for i in moving]
    caught = Block((), other.finish(), (*s.orelse.results, *more_caught))
    own = _own_part(dots, s, written)
    stores = any(stored_into(c) is not None for c in calls_of(s.then.statements))
    early = _early(written, own or ())
    if early is None:
        own = None
    for c in early or ():
        F.emit(c)
    if own is None and (stores or not is_pure(s.then)):
        raise Unable("a `try` whose body may do more than compute")
    again = s.then if own is None else Block((), own, ())
    first = renamed(Block((), again.statements, tuple(outs_of(again)) if own is not None else ()))
    kept = dict(zip(outs_of(again), first.results, strict=True)) if own is not None else {}
    rest = written if own is None else tuple([c for c in written if c not in dots.own and c not in (early or ())])
    after = substitute(Block((), rest, (*s.then.results, *more)), kept)

    outs = [Var(out.name, out.type, out.active) for out in s.outs]
    outs += [Var(dot_name(s.outs[i]), bar_type(s.outs[i]), True) for i in moving]
    read = [v for v in free_variables(after) if v in first.results]
    given = {v: Var(v.name, v.type, v.active) for v in read}
    completed = Var("completed", BOOL, False)
    _emit(dots, F, If(
        (*outs, *given.values(), completed),
        s.cond,
        Block((), first.statements, (*[UNDEF] * len(outs), *given, Const(True))),
        Block((), caught.statements, (*caught.results, *[UNDEF] * len(given), Const(False))),
        s.span,
    ))  # fmt: skip
    results = (*s.outs, *[dots.made(s.outs[i]) for i in moving])
    F.emit(If(results, completed, substitute(after, given), Block((), (), tuple(outs)), s.span))


def _emit(dots: Dots, F: Builder, s: If) -> None:
    """Write a branch whose first block is the program's: it stays, whoever reads what it gives."""
    todo: list[Statement] = [*s.then.statements]
    while todo:
        inner = todo.pop()
        if isinstance(inner, Call):
            dots.own.add(inner)
        todo += [c for b in blocks_of(inner) for c in b.statements]
    F.emit(s)


def _own_part(dots: Dots, s: If, written: tuple[Statement, ...]) -> tuple[Call, ...] | None:
    """The calls of the program itself, if what was written is no more than these and others that they do not need."""
    own = tuple([c for c in written if isinstance(c, Call) and c in dots.own])
    made = {v for c in own for v in c.outs}
    alone = made == {*outs_of(s.then)} and not made & {v for c in written if c not in own for v in c.outs}
    others = [c for c in written if not isinstance(c, Call)]
    return own if alone and dots.own.isdisjoint(calls_of(others)) else None


def _early(written: tuple[Statement, ...], own: Sequence[Call]) -> list[Call] | None:
    """The calls for tangents that read what the program stores into: they come before. None where they cannot."""
    targets = {stored_into(c) for c in own} - {None}
    made = {v for c in written for v in c.outs}
    read = {c: {*atoms_of(c), *(v for b in blocks_of(c) for v in free_variables(b))} for c in written}
    early = [c for c in written if c not in own and not targets.isdisjoint(read[c])]
    if any(not isinstance(c, Call) or not made.isdisjoint(atoms_of(c)) for c in early):
        return None
    return [c for c in early if isinstance(c, Call)]
