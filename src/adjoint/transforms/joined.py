"""Reverses of calls that make tuples and lists of the items of others."""

from __future__ import annotations

from typing import Any

from ..ir.nodes import Call, Const, Var
from ..ir.types import INT, UNKNOWN, List
from ..tangents import cut_bar, folded, listed_bar, tupled_bar
from .cotangent_map import Cotangent, CotangentMap, bar_name
from .infer import type_of


def packed_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    """A tuple of the items of a list, or a list of those of a tuple, has their cotangents in the form of its own."""
    of_list = isinstance(type_of(s.args[0]), List)  # type: ignore[arg-type]
    whole, any_ = (list, listed_bar) if of_list else (tuple, tupled_bar)
    items: Any = s.args[0]
    B.add(
        items, B.builder.call(whole if d.definite else any_, d.atom, name=bar_name(items), type=items.type), d.definite
    )


def joined_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    """Each of two tuples has the cotangents of its items."""
    first, second = s.args
    n, end = [B.builder.call(len, a, type=INT) for a in (first, s.out)]  # type: ignore[arg-type]
    for a, start, stop in ((first, Const(0), n), (second, n, end)):
        if isinstance(a, Var) and a.active:
            B.add(a, B.builder.call(cut_bar, d.atom, start, stop, name=bar_name(a), type=a.type), False)


def repeated_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    items: Any = next(a for a in s.args if type_of(a) != INT)  # type: ignore[arg-type]
    n = B.builder.call(len, items, type=INT)
    bar = B.builder.call(folded, d.atom, n, name=bar_name(items), type=List(UNKNOWN))
    of_list = isinstance(items.type, List)
    B.add(items, bar if of_list else B.builder.call(tupled_bar, bar), d.definite)
