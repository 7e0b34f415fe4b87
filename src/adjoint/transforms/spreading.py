"""`*xs` and `**d` in calls, where what they stand for is known."""

from __future__ import annotations

import itertools
import operator
from typing import TYPE_CHECKING

from ..ir import intrinsics
from ..ir.nodes import Atom, Call, Const, Span, Star
from ..ir.types import BOTTOM, Dict, Keyed, List, Tuple
from .infer import type_of
from .sources import fold_columns, is_steady
from .uses import is_call_of

if TYPE_CHECKING:
    from .resolve import Args, Kwargs, Resolver


def expand(r: Resolver, args: list[Atom | Star], span: Span | None) -> Args | None:
    """`*xs` of a tuple of known length becomes its items; None if a star remains."""
    plain: Args = []
    for arg in args:
        if not isinstance(arg, Star):
            plain.append(arg)
            continue
        t = type_of(arg.value)
        if not isinstance(t, Tuple):
            return None
        plain += [r.item(arg.value, i, span) for i in range(len(t.items))]
    return plain


def fold_stars(r: Resolver, s: Call, fn: Atom, args: list[Atom | Star], kwargs: Kwargs) -> list[Atom] | None:
    """The result of a call with stars whose number of arguments is not known; None where that is not known either."""
    display = isinstance(fn, Const) and fn.value is intrinsics.make_list
    return _joined(r, s, args) if display else fold_columns(r, s, fn, args, kwargs)


def _joined(r: Resolver, s: Call, args: list[Atom | Star]) -> list[Atom] | None:
    """`[*xs, y, *zs]` of lists as `xs + [y] + zs`."""
    lists = [a.value for a in args if isinstance(a, Star) and not isinstance(type_of(a.value), Tuple)]
    if not all([type(type_of(a)) is List or type_of(a) == BOTTOM for a in lists]) or not is_steady(r, lists):
        return None
    pieces: Args = []
    for is_list, group in itertools.groupby(args, lambda a: isinstance(a, Star) and a.value in lists):
        items = [*group]
        pieces += [a.value for a in items] if is_list else [r.emit_call(intrinsics.make_list, items, s.span)]  # type: ignore[union-attr]
    total = r.emit_call(list, pieces, s.span) if len(pieces) == 1 else pieces[0]
    for piece in pieces[1:]:
        total = r.emit_call(operator.add, [total, piece], s.span, s.out.name)
    return [total]


def spread(r: Resolver, kwargs: Kwargs, span: Span | None) -> Kwargs:
    """`**d` of a dict whose keys are known as keywords; where one is given twice it stays, and Python says so."""
    found: Kwargs = []
    for name, value in kwargs:
        t = type_of(value)
        if name is None and t == Dict(BOTTOM) and is_call_of(r.made.get(value), (intrinsics.make_dict,)):
            r.emit_call(len, [value], span)  # a wrapper's `**kwargs`, where none were given: read, and nothing in it
            continue
        if name is not None or not isinstance(t, Keyed):
            found.append((name, value))
            continue
        found += [(key, r.emit_call(operator.getitem, [value, Const(key)], span)) for key, _ in t.entries]
    names = [name for name, _ in found]
    return found if len(set(names)) == len(names) else kwargs
