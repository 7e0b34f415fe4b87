"""Counters that objects and functions keep, as those that number events: `itertools.count` whose place is memory."""

from __future__ import annotations

import itertools
import operator
from typing import TYPE_CHECKING, Any

from ..ir import changes, intrinsics
from ..ir.counters import Count
from ..ir.nodes import Atom, Call, Const, Star
from ..ir.types import INT
from . import references
from .infer import type_of
from .memory import class_of
from .uses import is_call_of

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver


def call(r: Resolver, s: Call, fn: Atom, args: list[Any], kwargs: Kwargs) -> list[Atom] | None:
    """A call that makes such a counter, or takes its next number; None of any other."""
    value = fn.value if isinstance(fn, Const) else None
    if value is itertools.count and not r.context.plain and _is_kept(r, s):
        given: dict[Any, Any] = {**dict(zip(("start", "step"), args, strict=False)), **dict(kwargs)}
        start, step = [given.pop(name, Const(n)) for name, n in (("start", 0), ("step", 1))]
        if given or len(args) > 2 or any([isinstance(a, Star) or type_of(a) != INT for a in (start, step)]):
            return None
        return [references.of_fields(r, s, Count, {"at": start, "step": step})]
    if value is next and len(args) == 1 and not isinstance(args[0], Star) and class_of(type_of(args[0])) is Count:
        at, step = [references.read(r, s, args[0], Count, name)[0] for name in ("at", "step")]
        after = r.emit_call(operator.add, [at, step], s.span)
        references.store(r, Call((), Const(changes.set_attribute), (), (), s.span), args[0], Count, "at", after)
        return [at]
    return None


def _is_kept(r: Resolver, s: Call) -> bool:
    """Tell whether an object or a function keeps what a call gives."""
    uses = r.uses.displays.uses.get(s.outs[0], []) if s.outs else []
    return any([is_call_of(use, (changes.set_attribute, intrinsics.make_function)) for use in uses])
