"""Sums of the cotangents of lists of numbers, item by item: loops, which are differentiated like any other."""

from __future__ import annotations

import collections
import operator

from ..ir.nodes import Atom, Block, Call, Const, Loop, Var
from ..ir.types import FLOAT, UNKNOWN, Deque, List
from ..tangents import accumulate
from .primal_builder import Builder
from .versions import is_loose


def to_each(builder: Builder, bars: Atom, d: Atom, v: Var, several: bool = False) -> Var:
    """The cotangent `bars` of `v`, a list of numbers, with `d` added to each item; of `several`, each its own."""
    t = UNKNOWN if is_loose(v) else FLOAT
    item, more, total = Var("", t, True), Var("", t, True), Var("", t, True)
    sum_of = Call((total,), Const(accumulate if is_loose(v) else operator.add), (item, more if several else d))
    body = Block((item, more) if several else (item,), (sum_of,), (total,))
    out = Var(f"{v.name}_bar" if v.name else "", List(t), True)
    lists = (bars, d) if several else (bars,)
    builder.emit(Loop((out,), (), lists, None, body, None, builder.span, equal_lengths=True))
    return like_a_deque(builder, out, v)


def like_a_deque(builder: Builder, bars: Var, v: Var) -> Var:
    """The list of the cotangents of `v`, which may be a deque: then it is one as well."""
    return builder.call(collections.deque, bars, name=bars.name, type=v.type) if isinstance(v.type, Deque) else bars
