"""Stores in place, where the array before the store is of no use to anybody.

In the IR a store gives a new array and leaves the old one as it was; printed so, each would copy. This pass goes
through the program that is printed and finds the stores whose old array is new here, held by nobody else and never read
again: those change it. Where something stands in the way a copy is made as far outside of loops as can be. Derivatives
of derivatives start from the program before this pass.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ..ir import changes
from ..ir.nodes import (
    Atom,
    Block,
    Call,
    Closure,
    Const,
    Function,
    If,
    Loop,
    Statement,
    Var,
    atoms_of,
    blocks_of,
)
from ..ir.types import Dict, List, Scalar
from ..tangents import (
    add_at,
    add_item,
    add_item_in_row,
    add_to_key,
    added,
    added_if_any,
    added_in_row,
    set_item_back,
    take_item,
)
from .escape import Escape, Found, is_view
from .facts import Dynamic, Ruled
from .infer import type_of
from .simplify import substitute, substituted
from .sites import CopyArgument, CopyBeforeUpdate, CopyCollected, CopyOnEntry, Site
from .uses import calls_any, calls_of, is_call_of
from .versions import GROWTHS, TARGETS, appended, is_counts, is_indexed, is_numbers, names_once, updated, version_of

MAX_ATTEMPTS = 400
PRECISE_ATTEMPTS = 4
"""How often the program is read again from its beginning for one copy, before a walk gathers several."""


def in_place(function: Function) -> tuple[Function, dict[Var, Atom]]:
    """The function with its stores into arrays in place wherever nobody can tell; and for the versions that are no
    variables of their own any more, the variable that each of them is."""
    if not any(updated(s) is not None for s in calls_of(function.body.statements)):
        return function, {}
    apart: set[Site] = set()
    for attempt in range(MAX_ATTEMPTS):
        walk = Escape(function, apart, going_on=attempt >= PRECISE_ATTEMPTS)
        try:
            walk.block(function.body)
        except Found as found:
            walk.found.add(found.site)
        if not walk.found:
            break
        apart |= walk.found
    else:
        return function, {}
    rewriter = _Rewriter(apart | walk.foreign, walk.owned)
    return replace(function, body=rewriter.block(function.body, {})), rewriter.same


STORES = (
    *(changes.stored_in_row, added_in_row),
    *(changes.stored, changes.stored_unseen, changes.extended, changes.updated, changes.deleted, changes.changed),
    *(added, added_if_any, set_item_back),
)


IN_PLACE = {
    changes.stored: changes.set_item,
    changes.stored_in_row: changes.set_in_row,
    changes.in_place: changes.change,
    added_in_row: add_item_in_row,
}
"""How the same is done in place."""


def copies_in_loop(block: Block, inside: bool = False) -> bool:
    """Tell whether a loop copies a container in each round, to store an item."""
    for s in block.statements:
        if isinstance(s, Call):
            if inside and calls_any((s,), STORES) and not _stores_all(s):
                return True
        elif any([copies_in_loop(b, inside or isinstance(s, Loop)) for b in blocks_of(s)]):
            return True
    return False


def _stores_all(s: Call) -> bool:
    """Tell whether a call stores into all of an array: a copy costs no more than that does."""
    key = s.args[1] if is_call_of(s, (changes.stored, set_item_back)) else None
    return isinstance(key, Const) and key.value is ...


def copies_by_rule(block: Block, inside: bool = False) -> bool:
    """Tell whether a loop of a program that is not reversed yet stores by a rule, which copies the container both
    ways."""
    for s in block.statements:
        if inside and isinstance(s, Call) and isinstance(s.how, (Ruled, Dynamic)) and calls_any((s,), STORES):
            return True
        if any(copies_by_rule(b, inside or isinstance(s, Loop)) for b in blocks_of(s)):
            return True
    return False


def reads_grown(block: Block, grown: frozenset[Any] = frozenset()) -> bool:
    """Tell whether a list that has a cotangent and grows in a loop is read by its index there."""
    for s in block.statements:
        inner = _grown(s) if isinstance(s, Loop) else grown
        if any(reads_grown(b, inner) for b in blocks_of(s)):
            return True
        read = s.args[0] if is_call_of(s, (operator.getitem,)) else None  # type: ignore[union-attr]
        if isinstance(read, Var) and read in grown and read.active and isinstance(read.type, List):
            return True
    return False


def _grown(loop: Loop) -> frozenset[Any]:
    """Versions of lists that a loop carries, and that grow there."""
    first: dict[Any, Any] = {p: p for p in loop.body.params[: loop.carried]}
    growing: set[Any] = set()

    def follow(block: Block) -> None:
        for s in block.statements:
            if isinstance(s, Call):
                target = s.args[0] if calls_any((s,), GROWTHS) and s.args else updated(s)
                if target in first:
                    first.update(dict.fromkeys(s.outs, first[target]))
                    growing.update([first[target]] if calls_any((s,), GROWTHS) else [])
            elif isinstance(s, Loop):
                first.update({p: first[a] for p, a in zip(s.body.params, s.inits, strict=False) if a in first})
                follow(s.body)
                first.update({o: first[a] for o, a in zip(s.outs, s.inits, strict=False) if a in first})
            elif isinstance(s, If):
                for branch in (s.then, s.orelse):
                    follow(branch)
                    first.update({o: first[a] for o, a in zip(s.outs, branch.results, strict=True) if a in first})

    follow(loop.body)
    return frozenset([v for v, of in first.items() if of in growing]) - appended(Block((), (loop,), ()))


class _Rewriter:
    """Writes the program again: what changes in place keeps its variable, also through loops and branches."""

    def __init__(self, apart: set[Site], owned: set[Var]) -> None:
        self.apart = apart
        self.owned = owned
        self.same: dict[Var, Atom] = {}
        self.early = {site.array for site in apart if isinstance(site, CopyBeforeUpdate)}
        self.copies: dict[Var, Var] = {}

    def block(self, block: Block, env: dict[Var, Atom]) -> Block:
        statements: list[Statement] = []
        self.keep(block.params, env, None, statements)
        for s in block.statements:
            match s:
                case Call():
                    self.call(s, env, statements)
                case If():
                    self.branches(s, env, statements)
                case Loop():
                    self.loop(s, env, statements)
                case Closure():
                    body = self.block(s.function.body, dict(env))
                    new: Any = substituted(replace(s, function=replace(s.function, body=Block((), (), ()))), env)
                    statements.append(replace(new, function=replace(new.function, body=body)))
            self.keep(s.outs, env, s, statements)
        self.same.update(env)
        return Block(block.params, tuple(statements), tuple(_of(r, env) for r in block.results))

    def call(self, s: Call, env: dict[Var, Atom], into: list[Statement]) -> None:
        new: Any = substitute(Block((), (s,), ()), env).statements[0]
        target = updated(s)
        for v in dict.fromkeys(atoms_of(s)):
            if isinstance(v, Var) and CopyArgument(s, v) in self.apart:
                new = self.apart_from(new, _of(v, env), changes.copied if v in self.owned else changes.kept, into)
        if target is None or s in self.apart:
            into.append(new)
            return
        fn = new.fn.value
        env[version_of(s)] = new.args[TARGETS[fn]]
        if fn is changes.changed:
            into.append(replace(new, fn=Const(changes.call_method)))
        elif fn is set_item_back:
            into.append(replace(new, outs=s.outs[1:], fn=Const(take_item)))
        elif fn is added or fn is added_if_any:
            index, of_list = type_of(new.args[1]), isinstance(s.outs[0].type, List | Dict)
            numbers = not of_list or is_numbers(s.outs[0].type) and isinstance(index, Scalar)
            simple = fn is added and numbers and (of_list or names_once(index))
            by_key = fn is added and is_counts(s.outs[0].type)
            into.append(replace(new, outs=(), fn=Const(add_to_key if by_key else add_item if simple else add_at)))
        elif fn in IN_PLACE:
            into.append(replace(new, outs=(), fn=Const(IN_PLACE[fn])))

    def apart_from(self, s: Call, v: Any, how: Any, into: list[Statement]) -> Call:
        """A call that is given a copy of an array; of a part of it, what the call gives is copied."""
        if is_view(s):
            part = Var("", s.out.type, s.out.active)
            into.append(replace(s, outs=(part,)))
            return Call(s.outs, Const(changes.copied), (part,), (), s.span)
        copied: Any = substitute(Block((), (s,), ()), {v: self.copy(how, v, s, into)}).statements[0]
        return copied  # type: ignore[no-any-return]

    def keep(self, defined: Sequence[Var], env: dict[Var, Atom], s: Any, into: list[Statement]) -> None:
        """Copy what is collected as it is now and changed before that."""
        for v in self.early.intersection(defined):
            self.copies[v] = self.copy(changes.kept, env.get(v, v), s, into)

    def copy(self, how: Any, x: Any, s: Statement | None, into: list[Statement]) -> Var:
        out = Var(x.name, x.type, x.active)
        into.append(Call((out,), Const(how), (x,), (), None if s is None else s.span))
        return out

    def branches(self, s: If, env: dict[Var, Atom], into: list[Statement]) -> None:
        then, orelse = self.block(s.then, dict(env)), self.block(s.orelse, dict(env))
        left = []
        for i, (out, a, b) in enumerate(zip(s.outs, then.results, orelse.results, strict=True)):
            if a is b and is_indexed(out):
                env[out] = a
            else:
                left.append(i)
        then, orelse = (replace(b, results=tuple(b.results[i] for i in left)) for b in (then, orelse))
        into.append(replace(s, outs=tuple(s.outs[i] for i in left), cond=_of(s.cond, env), then=then, orelse=orelse))

    def loop(self, s: Loop, env: dict[Var, Atom], into: list[Statement]) -> None:
        n = s.carried
        inits = [_of(init, env) for init in s.inits]
        for i, init in enumerate(inits):
            if CopyOnEntry(s, i) in self.apart:
                inits[i] = self.copy(changes.copied, init, s, into)
        same = [i for i in range(n) if is_indexed(s.body.params[i]) and isinstance(inits[i], Var)]
        while True:
            inner = {**env, **{s.body.params[i]: inits[i] for i in same}}
            body = self.block(s.body, inner)
            stay = [i for i in same if body.results[i] is inits[i]]
            if stay == same:
                break
            same = stay
        left = [i for i in range(n) if i not in same]
        cond = s.cond
        if cond is not None:
            cond = self.block(cond, {**env, **{cond.params[i]: inits[i] for i in same}})
            cond = replace(cond, params=tuple(cond.params[i] for i in left))
        env.update({s.outs[i]: inits[i] for i in same})
        params = (*(body.params[i] for i in left), *body.params[n:])
        more: list[Statement] = []
        kept: list[Atom] = [*body.results]
        for i in range(n, len(kept)):
            if CopyCollected(s, i) in self.apart:
                kept[i] = self.copy(changes.kept, kept[i], s, more)
            elif isinstance(r := s.body.results[i], Var) and CopyBeforeUpdate(s, i, r) in self.apart:
                kept[i] = self.copies[r]
        results = (*(body.results[i] for i in left), *kept[n:])
        outs = (*(s.outs[i] for i in left), *s.outs[n:])
        stop = None if s.exit_flag is None else left.index(s.exit_flag)
        sequences = tuple(_of(q, env) for q in s.sequences)
        body = Block(params, (*body.statements, *more), results)
        carried = tuple(inits[i] for i in left)
        into.append(replace(s, outs=outs, inits=carried, sequences=sequences, cond=cond, body=body, exit_flag=stop))


def _of(atom: Atom, env: dict[Var, Atom]) -> Atom:
    return env.get(atom, atom) if isinstance(atom, Var) else atom
