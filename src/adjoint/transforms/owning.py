"""Changes of what only the run shows to be a number, an array, a list: `h = p[0] * 1.0; h += p[1]; h[0] = p[2]`.

In-place operations are taken for stores where nobody else can hold the operand. Where somebody may, the run decides: a
number has no other holder, an array is refused. A store of an item is one where nobody else can hold the target.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from ..identity import is_hashable
from ..ir import changes
from ..ir.nodes import Block, Call, Const, Function, If, Loop, Statement, Var, blocks_of
from ..ir.types import Record, Unknown
from .effects import IN_PLACE, gives_new
from .facts import Dynamic
from .infer import is_unseen
from .uses import calls_of

Failed = Callable[[Function, Sequence[Var]], tuple[Sequence[Var], Callable[[Var], Var]]]


def own_in_place(function: Function, failed: Failed) -> tuple[Function, list[Var]]:
    """The function with such operations as stores, and what these change.

    `failed` tells of which operands that is not the truth, and which variables are one object.
    """
    found = [s for s in calls_of(function.body.statements) if _is_candidate(s)]
    while found:
        tried = replace(function, body=_rewritten(function.body, {s: () for s in found}))
        wrong, find = failed(tried, [_target(s) for s in found])
        if not wrong:
            sources = _sources(function, found, find)
            if None not in sources.values():
                return replace(function, body=_rewritten(function.body, sources)), [_target(s) for s in found]
            wrong = [_target(s) for s, given in sources.items() if given is None]
        found = [s for s in found if _target(s) not in wrong]
    return function, []


def _sources(function: Function, found: Sequence[Call], find: Callable[[Var], Var]) -> dict[Call, Any]:
    """For each operation, what its operand was computed from by operators; None where that is out of reach."""
    operands: dict[Var, dict[Var, None]] = {}
    for s in calls_of(function.body.statements):
        if isinstance(s.fn, Const) and gives_new(s) and isinstance(s.out.type, Unknown):
            given = [a for a in s.args if isinstance(a, Var) and isinstance(a.type, (Unknown, Record))]
            operands.setdefault(find(s.out), {}).update(dict.fromkeys(given))
    sources: dict[Call, Any] = {}

    def walk(block: Block, defined: set[Var]) -> None:
        defined = {*defined, *block.params}
        for s in block.statements:
            if s in found:
                needed = operands.get(find(_target(s)), {})  # type: ignore[arg-type]
                sources[s] = tuple(needed) if defined >= needed.keys() else None  # type: ignore[index]
            for inner in blocks_of(s):
                walk(inner, defined)
            defined.update(s.outs)

    walk(function.body, set(function.params))
    return sources


def _is_candidate(s: Call) -> bool:
    if not isinstance(s.fn, Const) or not is_hashable(s.fn.value):
        return False
    found = s.fn.value in IN_PLACE and isinstance(s.how, Dynamic) or _is_unseen(s) or _is_store(s)
    return found and not s.kwargs and isinstance(_target(s), Var) and is_unseen(_target(s).type)


def _target(s: Call) -> Any:
    """The argument that a candidate changes."""
    return s.args[1 if _is_unseen(s) else 0]


def _is_unseen(s: Call) -> bool:
    return isinstance(s.fn, Const) and s.fn.value is changes.in_place_unseen


def _is_store(s: Call) -> bool:
    return isinstance(s.fn, Const) and s.fn.value is changes.stored_unseen


def _rewritten(block: Block, found: dict[Call, Any]) -> Block:
    return replace(block, statements=tuple([_statement(s, found) for s in block.statements]))


def _statement(s: Statement, found: dict[Call, Any]) -> Statement:
    if isinstance(s, Call) and s in found:
        if _is_store(s):
            return replace(s, args=(*s.args, *found[s]))
        args = s.args if _is_unseen(s) else (s.fn, *s.args)
        return replace(s, fn=Const(changes.in_place), args=(*args, *found[s]))
    if isinstance(s, If):
        return replace(s, then=_rewritten(s.then, found), orelse=_rewritten(s.orelse, found))
    if isinstance(s, Loop):
        cond = None if s.cond is None else _rewritten(s.cond, found)
        return replace(s, body=_rewritten(s.body, found), cond=cond)
    return s
