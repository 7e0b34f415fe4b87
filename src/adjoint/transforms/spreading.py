"""`*xs` and `**d` in calls, where what they stand for is known."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from ..ir import intrinsics
from ..ir.nodes import Atom, Const, Span, Star
from ..ir.types import BOTTOM, Dict, Keyed, Tuple
from .infer import type_of
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
