"""`f(x, *ys)` of a function with `*args`, where a list says what these are: the items of one type, in any number.

A tuple has a type for each of its items. So what a function packs is a list to it: of a function that reads items, runs
through them, asks how many there are or hands them on, nobody sees the difference.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import Any

from ..ir import intrinsics
from ..ir.nodes import Call, Const, Function, If, Loop, Statement, Var, atoms_of, blocks_of, statements_within
from .uses import is_call_of

_ALONE = frozenset(["max", "min"])
_FIRST = frozenset(["all", "any", "enumerate", "len", "list", "reversed", "sorted", "sum"])
_ANYWHERE = frozenset(["map", "zip"])
"""Builtin functions that give the same of a list and of a tuple: as their one argument, as the first one, as any."""


def is_read_alone(f: Function, scope: Mapping[str, Any]) -> bool:
    """Tell whether a function only reads what it packs, with these globals."""
    packed = f.params[1 + f.signature.positional + f.signature.kwonly]
    statements: list[Any] = [*statements_within(f.body)]
    names = {s.out: s.args[1].value for s in statements if is_call_of(s, (intrinsics.load_global,))}
    reading = {v: name for v, name in names.items() if name not in scope}
    blocks = [f.body, *[b for s in statements for b in blocks_of(s)]]
    kept = any([packed in b.results for b in blocks])
    return not kept and all([_reads(s, packed, reading) for s in statements if packed in atoms_of(s)])


def _reads(s: Statement, packed: Var, reading: Mapping[Any, str]) -> bool:
    """Tell whether a statement only looks at what is in a sequence, with the builtin functions by their names."""
    if isinstance(s, Loop):
        return packed in s.sequences and atoms_of(s).count(packed) == s.sequences.count(packed)
    if isinstance(s, If):
        return True  # it asks whether there are any
    if not isinstance(s, Call) or s.fn is packed or any([v is packed for _, v in s.kwargs]):
        return False
    item = is_call_of(s, (operator.getitem,)) and isinstance(s.args[1], Const) and type(s.args[1].value) is int
    if packed not in s.args or item:
        return True  # it may be handed on by a star
    name, first = reading.get(s.fn, ""), s.args[0] is packed and packed not in s.args[1:]
    return name in _ANYWHERE or first and (name in _FIRST or name in _ALONE and len(s.args) == 1)
