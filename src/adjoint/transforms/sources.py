"""Sources of loops: `zip`, `enumerate` and `reversed` of sequences, run through part by part."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..ir import intrinsics
from ..ir.nodes import Atom, Call, Const, Star, Var
from ..ir.types import INT, UNKNOWN, Array, Inert, List, Tuple, Unknown
from .attributes import Folded
from .cotangent_map import BACKWARDS
from .facts import Source, is_active
from .infer import type_of
from .versions import is_row

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver


_INERT = (Inert(range), Inert(str))
"""Types of sequences without derivatives."""


def fold_source(kind: str) -> Any:
    """`zip` and `enumerate` of sequences, which loops run through part by part."""

    def fold(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
        keyword = "strict" if kind == "zip" else "start"
        option: Atom = dict(kwargs).get(keyword, Const(False) if kind == "zip" else Const(0))
        if not args or len(kwargs) > (keyword in dict(kwargs)):
            return None
        if kind == "enumerate" and len(args) == 2 and not kwargs:
            args, option = args[:1], args[1]
        run_through = s.out in r.uses.only_iterated
        if not (run_through or kind == "zip" and _become_dict(r, s.out, args)) or kwargs and r.generation.only_primal:
            return None
        known = [isinstance(t, (List, Tuple, Array)) or t in _INERT for t in map(type_of, args)]
        known[-1] = known[-1] or kind == "zip" and args[-1] in r.pending
        if not all(known) or kwargs and args[-1] in r.pending:
            return None
        out = Var("", UNKNOWN, False)
        if kind == "enumerate":
            if len(args) > 1 or type_of(option) != INT or is_active(option):
                return None
            n = r.emit_call(len, args, s.span)
            from_zero = isinstance(option, Const) and option.value == 0
            stop = n if from_zero else r.emit_call(operator.add, [n, option], s.span)
            counts = r.emit_call(range, [stop] if from_zero else [option, stop], s.span)
            r.sp.facts[out] = Source("zip", (counts, args[0]), True, is_steady(r, args))
            return [out]
        if not isinstance(option, Const):
            return None
        even = bool(option.value) and len(args) > 1
        if even:
            r.append(Call((), Const(intrinsics.check_lengths), tuple(args), (), s.span))
        r.sp.facts[out] = Source(kind, tuple(args), even, is_steady(r, args))
        return [out]

    return fold


def _become_dict(r: Resolver, pairs: Var, args: Sequence[Atom]) -> bool:
    """Whether `zip` is made into a dict at once, of two sequences whose items are no views."""
    if len(args) != 2 or r.generation.only_primal or r.context.plain or r.grows or pairs not in r.uses.only_consumed:
        return False
    types = [type_of(a) for a in args]
    known = [isinstance(t, (List, Tuple)) or isinstance(t, Array) and t.ndim == 1 or t in _INERT for t in types]
    return all(known) and r.uses.displays.makes_dict(pairs)


def is_steady(r: Resolver, args: Sequence[Atom]) -> bool:
    """Whether none of the sequences of a call is a list that may grow after it."""
    return not any([a in r.unsteady and isinstance(type_of(a), (List, Unknown)) for a in args])


def fold_columns(r: Resolver, s: Call, fn: Atom, args: Sequence[Atom | Star], kwargs: Kwargs) -> Folded:
    """`zip(*rows)` of lists or tuples of numbers, where nobody sees what kind of container a column is."""
    known = isinstance(fn, Const) and fn.value is zip and len(args) == 1 and isinstance(args[0], Star)
    strict = dict(kwargs).get("strict", Const(False))
    if not known or len(kwargs) > ("strict" in dict(kwargs)) or not isinstance(strict, Const):
        return None
    rows = args[0].value  # type: ignore[union-attr]
    t = type_of(rows)
    if not is_active(rows) or not isinstance(t, List) or not is_row(t.item) or r.grows or r.resizes:
        return None
    once = r.uses.only_iterated | r.uses.only_consumed
    hidden = r.uses.displays.shows_no_columns(s.out, once, bool(strict.value))
    if r.generation.only_primal or r.context.plain or not hidden:
        return None
    return [r.emit_call(intrinsics.columns, [rows, strict], s.span, s.out.name)]


def fold_reversed(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`reversed(xs)` that a loop runs through, as `xs[::-1]`."""
    if kwargs or len(args) != 1 or s.out not in r.uses.only_iterated:
        return None
    if type_of(args[0]) == Inert(range) and not r.generation.only_primal:
        backwards = r.emit(s, Const(operator.getitem), [args[0], Const(BACKWARDS)], [], None, Inert(range), False)
        if args[0] in r.counted:
            r.counted.add(backwards)
        return [backwards]
    if not isinstance(type_of(args[0]), (List, Array)):
        return None
    return [r.emit_call(operator.getitem, [args[0], Const(BACKWARDS)], s.span, s.out.name)]
