"""Reverse loops that only collect: each round is by itself, so that they may run from the front.

The reverse of a map runs through reversed sequences, and what it collects is turned round. Without either each list is
collected by itself, where they share no computation: then it is a comprehension.
"""

from __future__ import annotations

import builtins
import operator
from dataclasses import replace

from ..identity import is_hashable
from ..ir.nodes import Atom, Block, Call, Const, If, Loop, Star, Statement, Var, free_variables
from .cotangent_map import BACKWARDS
from .saved import CHEAP
from .simplify import substitute, substituted
from .uses import uses_of

Uses = dict[Atom, list[Statement | None]]


def turned(block: Block) -> Block:
    """The block with such loops turned round, and within it."""
    block = replace(block, statements=tuple([_within(s) for s in block.statements]))
    if not any([isinstance(s, Loop) for s in block.statements]):
        return block
    uses = uses_of(block)
    calls = {s.outs[0]: s for s in block.statements if isinstance(s, Call) and len(s.outs) == 1}
    env: dict[Var, Atom] = {}
    gone: set[Statement] = set()
    kept: list[Statement] = []
    for s in block.statements:
        reversals = _reversals(s, calls, uses)
        backs = _turned_back(s, calls, uses) if isinstance(s, Loop) and reversals else None
        if not isinstance(s, Loop) or backs is None:
            kept.append(s)
            continue
        gone |= {*backs, *reversals}
        env |= {out: env.get(init, init) for out, init in zip(s.outs, s.inits, strict=False)}  # type: ignore[arg-type]
        env |= {back.outs[0]: _first(back) for back in backs}
        kept += _from_front(s, list(map(_first, reversals)))
    if not env:
        return block
    return substitute(replace(block, statements=tuple([s for s in kept if s not in gone])), env)


def _within(s: Statement) -> Statement:
    if isinstance(s, If):
        return replace(s, then=turned(s.then), orelse=turned(s.orelse))
    return replace(s, body=turned(s.body)) if isinstance(s, Loop) else s


def _reversals(s: Statement, calls: dict[Var, Call], uses: Uses) -> list[Call]:
    """The calls that reverse the sequences of a loop, if that is all that is done with the reversed ones."""
    sequences = s.sequences if isinstance(s, Loop) else ()
    found = [calls[q] for q in sequences if isinstance(q, Var) and q in calls and len(uses[q]) == 1]
    return found if len(found) == len(sequences) and all([_is_call(r, builtins.reversed) for r in found]) else []


def _first(s: Call) -> Atom:
    first = s.args[0]
    assert not isinstance(first, Star)
    return first


def _is_call(s: Call, function: object) -> bool:
    return isinstance(s.fn, Const) and s.fn.value is function


def _turned_back(s: Loop, calls: dict[Var, Call], uses: Uses) -> list[Call] | None:
    """The calls that turn round the lists that a loop collects, if that is all that is done with them, and all that it
    does: what it carries stays as it is."""
    if s.cond is not None or s.exit_flag is not None or not (s.equal_lengths or len(s.sequences) == 1):
        return None
    if not all(map(operator.is_, s.body.results[: s.carried], s.body.params)):
        return None
    if len(s.outs) == s.carried or not all(map(_is_plain, s.body.statements)):
        return None
    readers = [reader for out in s.outs[s.carried :] for reader in uses.get(out, [])]
    backs = [r for r in readers if isinstance(r, Call) and r in calls.values() and _turns(r)]
    return backs if len(backs) == len(readers) else None


def _turns(s: Call) -> bool:
    """Tell whether a call is `xs[::-1]`."""
    index = s.args[1] if _is_call(s, operator.getitem) else None
    return isinstance(index, Const) and type(index.value) is slice and index.value == BACKWARDS


def _is_plain(s: Statement) -> bool:
    """Tell whether a statement is arithmetic, which does the same in any order."""
    return isinstance(s, Call) and isinstance(s.fn, Const) and is_hashable(s.fn.value) and s.fn.value in CHEAP


def _from_front(s: Loop, sequences: list[Atom]) -> list[Statement]:
    """The loop through these sequences: one for each of its lists, if they share nothing that is computed."""
    known = dict(zip(s.body.params, s.inits, strict=False))
    block = substitute(replace(s.body, params=s.body.params[s.carried :], results=s.body.results[s.carried :]), known)
    slices = [_slice(block, result) for result in block.results]
    if sum(map(len, slices)) > len({*[x for part in slices for x in part]}):
        return [Loop(s.outs[s.carried :], (), tuple(sequences), None, block, None, s.span, None, True)]
    whole = zip(s.outs[s.carried :], block.results, slices, strict=True)
    return [_collecting(s, out, result, part, block, sequences) for out, result, part in whole]


def _slice(block: Block, result: Atom) -> list[Statement]:
    """The statements that one of the results needs."""
    needed, found = {result}, list[Statement]()
    for s in reversed(block.statements):
        if not needed.isdisjoint(s.outs):
            found.insert(0, s)
            needed |= {*free_variables(Block((), (s,), ()))}
    return found


def _collecting(
    s: Loop, out: Var, result: Atom, statements: list[Statement], block: Block, sequences: list[Atom]
) -> Loop:
    """A loop that collects one list, through the sequences that it needs."""
    read = {result, *free_variables(Block((), tuple(statements), ()))}
    pairs = [(p, q) for p, q in zip(block.params, sequences, strict=True) if p in read]
    pairs = pairs or [(block.params[0], sequences[0])]
    own: dict[Var, Atom] = {p: Var(p.name, p.type, p.active) for p, _ in pairs}
    body = Block(tuple(own.values()), tuple([substituted(x, own) for x in statements]), (own.get(result, result),))  # type: ignore[arg-type]
    return Loop((out,), (), tuple([q for _, q in pairs]), None, body, None, s.span, None, True)
