"""Counters that a module or a class has for all: `next(ids)` of an `itertools.count` of integers."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from ..ir.counters import count_on
from ..ir.nodes import Atom, Call
from ..ir.types import Inert, Type
from .infer import type_of

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

COUNTER = Inert(itertools.count)


def counter_type(value: Any) -> Type | None:
    """The type of a counter that gives integers for ever; None of anything else.

    >>> counter_type(itertools.count(3)), counter_type(itertools.count(0.5))
    (Inert(cls=<class 'itertools.count'>), None)
    """
    if type(value) is not itertools.count:
        return None
    reduced: Any = value.__reduce__()
    return COUNTER if {*map(type, reduced[1])} <= {int} else None


def fold_next(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """`next(counter)`."""
    if len(args) != 1 or kwargs or type_of(args[0]) != COUNTER:
        return None
    return [r.emit_call(count_on, args, s.span, s.out.name)]
