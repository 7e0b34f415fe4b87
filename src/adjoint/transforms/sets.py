"""Sets that a program makes, changes, and only asks what is in them: nothing flows through such a set.

A `seen` of a search gets numbers that may be differentiated, and gives none of them back: it tells truths and a
length. So its elements need not be followed, and to change it is no effect that others see.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..ir import changes, intrinsics
from ..ir.nodes import Atom, Block, Call, Const, Function, If, Loop, Statement, Var, blocks_of
from ..ir.types import UNKNOWN, Inert
from .united import United
from .uses import calls_of, is_call_of, places_of

if TYPE_CHECKING:
    from .attributes import Folded
    from .resolve import Kwargs, Resolver

SET = Inert(set)
"""The type of a set that is only asked."""
_CHANGES = frozenset(
    ["add", "discard", "remove", "clear", "update"]
    + ["difference_update", "intersection_update", "symmetric_difference_update"]
)
_ASKS = frozenset([len, bool])
_TESTS = (operator.contains, intrinsics.not_contains)


def asked_sets(function: Function, functions: Mapping[Any, Any]) -> frozenset[Var]:
    """The variables of a function that hold such a set; `functions` are those that stand for known ones."""
    made: set[Any] = set()
    for s in calls_of(function.body.statements):
        if is_call_of(s, (intrinsics.make_set,)) or functions.get(s.fn) is set and not s.kwargs:
            made.update(s.outs)
    if not made:
        return frozenset()
    groups, followed = United(), set(made)
    _follow(function.body, groups, followed)
    members: dict[Any, list[Any]] = {groups.find(v): [] for v in made}
    for v in {*made, *groups.parent, *groups.parent.values()}:
        if (root := groups.find(v)) in members:
            members[root].append(v)
    places = places_of(function.body)

    def is_asked(v: Any) -> bool:
        return v in followed and all([_only_asks(s, i, v, functions) for s, i in places.get(v, ())])

    return frozenset([v for group in members.values() if all(map(is_asked, group)) for v in group])


def _follow(block: Block, groups: United, followed: set[Any]) -> None:
    """Unite what branches, loops and changes hand on, and note what they define: any other variable of a group holds
    something else than a set that is made here."""
    for s in block.statements:
        pairs: list[tuple[Sequence[Any], Sequence[Any]]] = []
        if isinstance(s, If):
            pairs = [(s.outs, s.then.results), (s.outs, s.orelse.results)]
        elif isinstance(s, Loop):
            carried, outs = s.body.params[: s.carried], s.outs[: s.carried]
            pairs = [(carried, s.inits), (carried, s.body.results), (outs, carried)]
            pairs += [(s.cond.params, carried)] if s.cond is not None else []
        elif isinstance(s, Call) and is_call_of(s, (changes.call_method,)):
            pairs = [(s.outs[1:], s.args[:1])]
        for defined, given in pairs:
            followed.update(defined)
            for a, b in zip(defined, given, strict=False):
                groups.join(a, b)
        for inner in blocks_of(s):
            _follow(inner, groups, followed)


def _only_asks(s: Statement | None, result: int | None, v: Atom, functions: Mapping[Any, Any]) -> bool:
    """Tell whether a use of a set changes it, asks what is in it, or hands it to the next block."""
    if result is not None:
        return isinstance(s, If | Loop) and (not isinstance(s, Loop) or result < s.carried)
    if isinstance(s, If):
        return True  # its condition
    if isinstance(s, Loop):
        return v in s.inits and v not in s.sequences
    if not isinstance(s, Call) or list(s.args).count(v) != 1 or any(a is v for _, a in s.kwargs):
        return False
    if is_call_of(s, (changes.call_method,)):
        return s.args[0] is v and isinstance(s.args[1], Const) and s.args[1].value in _CHANGES
    asked = is_call_of(s, _TESTS) or is_call_of(s, (operator.not_,)) or functions.get(s.fn) in _ASKS
    return asked and s.args[0] is v


def fold_set(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`set()`, `set(items)` and `{a, b}`, of a set that is only asked."""
    if kwargs or r.context.plain or s.out not in r.uses_in(r.sp.frame.function).asked_sets:
        return None
    out = Var(s.out.name, SET, False)
    r.append(Call((out,), s.fn, tuple(args), (), s.span))
    return [out]


def change_set(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom]:
    """A change of such a set: what it is given goes in, and no way leads out."""
    result, out = Var(s.outs[0].name, UNKNOWN, False), Var(s.outs[1].name, SET, False)
    r.append(Call((result, out), s.fn, tuple(args), tuple(kwargs), s.span))
    return [result, out]


FOLDS: dict[Any, Any] = dict.fromkeys((builtins.set, intrinsics.make_set), fold_set)

__all__ = ["FOLDS", "SET", "asked_sets", "change_set"]
