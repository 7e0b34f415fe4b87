"""Sets that a program makes and changes, and that nobody else has: nothing flows through such a set.

A `seen` of a search gets numbers that may be differentiated, and gives none of them back: it tells truths and a
length. So its elements need not be followed, and to change it is no effect that others see. Where a set is read as
well, as in `sorted(active)`, what it is given may not move; what is read is a list of what is there then.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import MutationError
from ..identity import is_hashable
from ..ir import changes, intrinsics
from ..ir.nodes import Atom, Block, Call, Const, Function, If, Loop, Star, Statement, Var, blocks_of
from ..ir.types import NONE, UNKNOWN, Inert, List
from ..ir.united import United
from .facts import is_active
from .frames import place_of
from .infer import type_of
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
_TAKES_OUT = frozenset(["discard", "remove", "clear", "difference_update", "pop"])
"""Changes by which nothing comes in."""
_IN_PLACE = (operator.ior, operator.ixor, operator.iand, operator.isub)
"""The same by operators."""
_ASKS = frozenset([len, bool])
_READS = frozenset([builtins.sorted, builtins.list, builtins.tuple, builtins.min, builtins.max, builtins.enumerate])
"""Functions that run through a set."""
_TESTS = (operator.contains, intrinsics.not_contains)


def own_sets(function: Function, functions: Mapping[Any, Any], given: Sequence[Var] = ()) -> dict[Var, bool]:
    """The variables of a function that hold such a set, and whether it is read as well; `functions` are those that
    stand for known ones. Parameters that are `given` hold one, too, if it is a copy that they hold."""
    made: set[Any] = {*given}
    for s in calls_of(function.body.statements):
        if is_call_of(s, (intrinsics.make_set,)) or functions.get(s.fn) is set and not s.kwargs:
            made.update(s.outs)
    if not made:
        return {}
    groups, followed = United(), set(made)
    _follow(function.body, groups, followed)
    members: dict[Any, list[Any]] = {groups.find(v): [] for v in made}
    for v in {*made, *groups.parent, *groups.parent.values()}:
        if (root := groups.find(v)) in members:
            members[root].append(v)
    places = places_of(function.body)

    found: dict[Var, bool] = {}
    for group in members.values():
        uses = [(s, i, v) for v in group for s, i in places.get(v, ())]
        others = [(s, v) for s, i, v in uses if not _only_asks(s, i, v, functions)]
        if followed.issuperset(group) and all([_reads(s, v, group, functions) for s, v in others]):
            found.update(dict.fromkeys(group, bool(others)))
    return found


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
        elif isinstance(s, Call) and is_call_of(s, (changes.call_method, *_IN_PLACE)):
            pairs = [(s.outs[-1:], s.args[:1])]
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
    if is_call_of(s, _IN_PLACE):
        return s.args[0] is v
    asked = is_call_of(s, _TESTS) or is_call_of(s, (operator.not_,)) or functions.get(s.fn) in _ASKS
    return asked and s.args[0] is v


def _reads(s: Any, v: Atom, group: list[Any], functions: Mapping[Any, Any]) -> bool:
    """Tell whether a use of a set runs through it, and changes it no more meanwhile; or takes an element."""
    if isinstance(s, Loop):
        changed = [
            c
            for c in calls_of(s.body.statements)
            if is_call_of(c, (changes.call_method, *_IN_PLACE)) and c.args[0] in group
        ]
        return v in s.sequences and v not in s.inits and not changed
    if not isinstance(s, Call) or list(s.args).count(v) != 1 or any(a is v for _, a in s.kwargs):
        return False
    if is_call_of(s, (changes.call_method,)):
        return s.args[0] is v and getattr(s.args[1], "value", None) == "pop" and len(s.args) == 2 and not s.kwargs
    return s.args[0] is v and len(s.args) == 1 and functions.get(s.fn) in _READS


def elements(r: Resolver, a: Any, span: Any) -> Any:
    """The elements of such a set now, as a list; anything else as it is."""
    if isinstance(a, Star) or type_of(a) != SET or r.context.plain:
        return a
    listed = Var(a.name, List(UNKNOWN), False)
    r.append(Call((listed,), Const(builtins.list), (a,), (), span))
    return listed


def with_elements(r: Resolver, fn: Atom, args: list[Any], s: Call) -> list[Any]:
    """The arguments of a function that runs through such a set."""
    reads = isinstance(fn, Const) and is_hashable(fn.value) and fn.value in _READS
    return [elements(r, a, s.span) for a in args] if reads else args


def _moves(a: Any) -> bool:
    return is_active(a) and type_of(a).differentiable


def fold_set(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`set()`, `set(items)` and `{a, b}`, of a set that nobody else has."""
    sets = r.uses_in(r.sp.frame.function).own_sets
    if kwargs or r.context.plain or s.out not in sets or sets[s.out] and any(map(_moves, args)):
        return None
    out = Var(s.out.name, SET, False)
    r.append(Call((out,), s.fn, tuple(args), (), s.span))
    return [out]


def change_set(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom]:
    """A change of such a set: what it is given goes in, and no way leads out where it moves."""
    if args[1].value not in _TAKES_OUT:  # type: ignore[union-attr]
        _check_put(r, s, args)
    gives = NONE if args[1].value in _CHANGES else UNKNOWN  # type: ignore[union-attr]
    result, out = Var(s.outs[0].name, gives, False), Var(s.outs[1].name, SET, False)
    r.append(Call((result, out), s.fn, tuple(args), tuple(kwargs), s.span))
    return [result, out]


def change_by_operator(r: Resolver, s: Call, args: list[Atom]) -> list[Atom]:
    """The same by `|=` and its like."""
    if s.fn.value in (operator.ior, operator.ixor):  # type: ignore[union-attr]
        _check_put(r, s, args)
    out = Var(s.outs[-1].name, SET, False)
    r.append(Call((out,), Const(changes.change_set), (args[0], s.fn, args[1]), (), s.span))
    return [out]


def _check_put(r: Resolver, s: Call, args: list[Atom]) -> None:
    """Refuse to put what moves into a set that is read."""
    uses = r.uses_in(r.sp.frame.function)
    is_read = uses.own_sets.get(s.outs[-1], uses.given_sets.get(s.outs[-1]))
    if is_read and any(map(_moves, args)):
        raise MutationError(
            "a set is given what is differentiated, and is run through",
            "what comes out of it is not followed",
            "use a list, or a dict whose keys do not move",
            place_of(r.context.function, s),
        )


FOLDS: dict[Any, Any] = dict.fromkeys((builtins.set, intrinsics.make_set), fold_set)

__all__ = ["FOLDS", "SET", "change_by_operator", "change_set", "elements", "own_sets", "with_elements"]
