"""Iterators of classes of the user's, in loops and where items are taken one by one: `__next__` is written out there.

It says whether there is one more item (`frontend.stepping`), so that a loop over such an object is a loop in which its
class does what it does in a round:

    for v in Geometric(x, r, 4):        while True:
        total += v                  →       if left == 0: break
                                            left -= 1
                                            value, v = value * r, value
                                            total += v
"""

from __future__ import annotations

import inspect
import operator
import types
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..errors import AdjointError
from ..ir import intrinsics
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import Record, Ref
from ..origin import is_ours
from .facts import Callee, Dynamic
from .infer import type_of
from .inlining import MAX_VIRTUAL, within
from .uses import GROWING, STORING, calls_any, calls_of

if TYPE_CHECKING:
    from .resolve import Resolver

SIZES = "__len__", "__length_hint__"
"""The methods by which an iterator is asked how many items there are."""
STEPS = False, 0, False, True
"""The form of a `__next__` that says whether there is nothing more."""


def says_its_size(a: Any) -> bool:
    """Tell whether an object may be asked how many items it has, by what makes a container of it."""
    return any([hasattr(getattr(type_of(a), "cls", None), name) for name in SIZES])


def goes_through(items: Any) -> Any:
    """Run through an iterator as Python does in a loop."""
    while True:
        more, item = intrinsics.advance(items)
        if not more:
            return
        yield item


def next_of(r: Resolver, own: Any) -> types.FunctionType | None:
    """The `__next__` of an object whose fields are known, or are memory; None of anything else."""
    t = type_of(own) if isinstance(own, Var) else None
    if not isinstance(t, Record) or not (own in r.sp.heap or isinstance(t, Ref)) or r.context.plain:
        return None
    static = inspect.getattr_static(t.cls, "__next__", None)
    return static if type(static) is types.FunctionType else None


def step(r: Resolver, s: Call, own: Var) -> tuple[Atom, Atom] | None:
    """Tell whether such an object gives one more item, and that; None of anything else."""
    method = next_of(r, own)
    if method is None:
        return None
    try:
        lowered = r.generation.lower(r.context, method, *STEPS)
    except AdjointError:
        return None
    sp, body, start = r.sp, lowered.body.statements, len(r.sp.statements)
    written = r.generation.may_be_inlined(r.context, method, True) and len(lowered.params) == 2
    if not written or sp.is_read(lowered) or r.written > MAX_VIRTUAL:
        return None
    r.guard(type_of(own).cls, "__next__", method)  # type: ignore[attr-defined]
    r.context.require("stores", not r.stores and calls_any(body, STORING))
    r.context.require("grows", calls_any(body, GROWING))
    try:
        with within(r, s, method, lowered):
            sp.env.update(zip(lowered.params, (Const(method), own), strict=True))
            r.generation.check_seen(r.context, method, [])
            sp.block(lowered.body)
            value, ended = [sp.atom(a) for a in lowered.body.results]
    except AdjointError:
        if own in sp.heap:
            raise sp.heap.escape(own) from None
        raise
    finally:
        r.written += len(sp.statements) - start
    if own in sp.heap and _may_end_otherwise(sp.statements[start:]):
        raise sp.heap.escape(own)
    return r.emit_call(operator.not_, [ended], s.span), value


def check_asked_again(r: Resolver, own: Var) -> None:
    """Refuse an iterator of the user's whose `__iter__` does more than give it, where a starred target takes the rest:
    Python makes a list of the iterator, and asks it again in the middle."""
    made = r.sp.heap.generators[own]
    if made.function is not goes_through:
        return
    found = made.given[1]
    static = inspect.getattr_static(type_of(found).cls, "__iter__", None)  # type: ignore[attr-defined]
    lowered = r.generation.lower(r.context, static) if type(static) is types.FunctionType else None
    if lowered is None or lowered.body.statements or lowered.body.results != (lowered.params[-1],):
        raise r.sp.heap.escape(own)


def _may_end_otherwise(statements: Iterable[Any], within_rules: bool = True) -> bool:
    """Tell whether statements may raise `StopIteration`, which ends a loop in Python as well."""
    return any([_may_end(s, within_rules) for s in calls_of(statements)])  # type: ignore[arg-type]


def _may_end(s: Call, within_rules: bool) -> bool:
    value = s.fn.value if isinstance(s.fn, Const) else None
    if isinstance(s.how, Callee):
        parts = [part.primal for part in s.how.handle.all()] if within_rules else []
        return any([part is None or _may_end_otherwise(part.body.statements, False) for part in parts])
    if isinstance(s.how, Dynamic) or value is None or value is next:
        return True
    written = isinstance(value, types.FunctionType) and not is_ours(value.__code__.co_filename)
    return written or any([_may_be_end(getattr(a, "value", None)) for a in (s.fn, *s.args)])


def _may_be_end(x: Any) -> bool:
    """Tell whether something is `StopIteration`, or one of these."""
    return isinstance(x, StopIteration) or isinstance(x, type) and issubclass(x, StopIteration)
