"""Loops over lists and dicts that others may have: numbers, keys, values and items, in loops or at once."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..ir import located as ops
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import BOTTOM, INT, Dict, List, Located
from .facts import RunThrough, Source
from .infer import type_of
from .located_keys import keys_at_once
from .located_reads import emitted, whole
from .locating import held, refuse
from .sorting import listed

if TYPE_CHECKING:
    from .resolve import Resolver

Args = list[Any]


def numbered(r: Resolver, s: Call, args: Args) -> list[Atom]:
    """`enumerate(target, start)` of a list or a dict, or of the values of one, which a loop runs through."""
    start = args[1] if len(args) > 1 else Const(0)
    if len(args) > 2 or type_of(start) != INT or s.outs[0] not in r.uses.only_iterated:
        refuse(r, s)
    out, kind = Var("", BOTTOM, False), r.sp.facts.get(args[0])
    target = kind.target if isinstance(kind, RunThrough) else args[0]
    if isinstance(held(target), Dict):
        if len(args) > 1:
            refuse(r, s)
        rounds = emitted(r, s, ops.rounds_of, [target], Located(List(INT)))
        r.sp.facts[out] = Source("zip", (rounds, args[0]), False, False)
    else:
        r.sp.facts[out] = RunThrough(target, "enumerate", start)
    return [out]


def entries(part: str) -> Callable[[Resolver, Call, Args], Atom]:
    def fold(r: Resolver, s: Call, args: Args) -> Atom:
        if s.outs[0] not in r.uses.only_iterated and takers_of(r, s.outs[0]) != [enumerate]:
            return _read_at_once(r, s, part, args)
        out = Var("", BOTTOM, False)
        r.sp.facts[out] = RunThrough(args[0], part)
        return out

    return fold


def _read_at_once(r: Resolver, s: Call, part: str, args: Args) -> Atom:
    """The items of memory that `sum` and its like take, before anything may be stored."""
    if not is_taken_at_once(r, s.outs[0]):
        refuse(r, s)
    if part == "items":
        taken = Var("", BOTTOM, False)
        r.sp.facts[taken] = RunThrough(args[0], part)
        return listed(r, s, taken)
    if part == "keys":
        return keys_at_once(r, s, args[0])
    return r.call(s, Const(getattr(dict, part)), [whole(r, s, args[0])], [])[0]


def is_taken_at_once(r: Resolver, out: Var) -> bool:
    """Tell whether something is given to one function, which takes all of it before anything may be stored."""
    takers = takers_of(r, out)
    return out in r.uses.only_consumed and len(takers) == 1 and takers[0] in _TAKERS


def takers_of(r: Resolver, out: Var) -> list[Any]:
    """The functions that something is given to, None of each other use."""
    displays = r.uses.displays
    return [displays.functions.get(use.fn) if isinstance(use, Call) else None for use in displays.uses.get(out, [])]


_TAKERS = frozenset([sum, max, min, sorted, list, tuple, set, frozenset, any, all, len, math.prod, math.fsum])
