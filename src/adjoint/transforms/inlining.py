"""Inline expansion: small functions that a loop calls stand in the loop: no rule is called, and no `back` is kept.

A function is written out at its call if it is short, has no loop, and does nothing but compute: what it is made of is
then resolved where it stands, with the types of the call. The statements are the user's own, each with its line.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..errors import AdjointError
from ..identity import is_hashable
from ..ir import intrinsics
from ..ir.nodes import Atom, Block, Call, Closure, Const, Function, If, Loop, Star, Statement
from ..ir.types import Fn
from .facts import Dynamic
from .few import given_few
from .followed import changes_given
from .frames import Frame
from .infer import type_of
from .inner_layouts import layout_of
from .locating import noted
from .memory import takes_references
from .remembered import check_asked
from .uses import GROWING, STORING, calls_any, calls_of

if TYPE_CHECKING:
    from .resolve import Resolver

MAX_STATEMENTS = 12
"""Of a function that is written out; half as many of one within it, and so on."""
MAX_WRITTEN = 120
"""In one function, attempts and the rounds in which types settle included."""
MAX_VIRTUAL = 1000
"""The same, of functions that are called with virtual objects."""

_NAMES = (intrinsics.load_global, intrinsics.capture)
_COMPUTING = (
    *(intrinsics.load_global, intrinsics.capture, intrinsics.default, intrinsics.present, intrinsics.unpack),
    *(intrinsics.make_tuple, intrinsics.make_function, intrinsics.position),
    *(intrinsics.argmax, intrinsics.argmin),
)


def inlined(
    r: Resolver, s: Call, function: Any, lowered: Function, fn: Atom, bound: Sequence[Atom], surely: bool = False
) -> Atom | None:
    """Result of a function, written out where it is called, `surely` even if it is long; None where its rule is to be
    called instead."""
    sp = r.sp
    surely = surely or any(a in sp.heap or layout_of(a) for a in (fn, *bound))  # a virtual object can't be handed over
    surely = surely or takes_references((fn, *bound)) or changes_given(r, s, lowered, bound)
    surely = surely or is_opened(r, function)
    if sp.is_read(lowered) or not r.generation.may_be_inlined(r.context, function, surely):
        return None
    few = given_few(r, s, lowered, bound) if sp.loops and not surely else set()
    short = _is_short(lowered.body, MAX_STATEMENTS >> sp.frame.depth, few)
    if surely and r.written > MAX_VIRTUAL or not surely and (not sp.loops or not short or r.written > MAX_WRITTEN):
        return None
    body = lowered.body.statements
    if not surely and r.grows and not r.reads_items and calls_any(body, (operator.getitem,)):
        return None  # the places of a growing list are kept for those who read them
    r.context.require("stores", not r.stores and calls_any(body, STORING))
    r.context.require("grows", surely and calls_any(body, GROWING))
    statements, unsure, start, heap = sp.statements, r.context.unsure, len(sp.statements), sp.heap.state
    try:
        with within(r, s, function, lowered):
            given = [noted(sp, param, a, s) for param, a in zip(lowered.params[1:], bound, strict=True)]
            sp.env.update(zip(lowered.params, (fn, *given), strict=True))
            others = [type_of(a) for a in bound if a not in sp.heap and layout_of(a) is None]
            r.generation.check_seen(r.context, function, others)
            check_asked(r, lowered, given)
            sp.block(lowered.body)
            looped = few and any([isinstance(made, Loop) for made in statements[start:]])
            if surely or not looped and all(_computes(r, call) for call in calls_of(statements[start:])):
                _note_call(statements[start:], s)
                return sp.atom(lowered.result)
    except AdjointError:
        pass  # met again, with its place, if the call is ever reached
    finally:
        r.written += len(statements) - start
    del statements[start:]
    r.context.unsure, sp.heap.state = unsure, heap
    return None


def _note_call(statements: Sequence[Statement], s: Call) -> None:
    """Note the call in the places of statements that were written out for it, after the calls within."""
    for made in calls_of(statements) if s.span is not None else ():
        if made.span is not None:
            made.span = made.span.within(s.span)  # type: ignore[misc, arg-type]  # it is new: nobody has read it


@contextmanager
def within(r: Resolver, s: Call, function: Any, lowered: Function) -> Iterator[None]:
    """Read the statements of a function where it is called; whatever happens, those around are read next."""
    sp = r.sp
    around = sp.statements, sp.here, sp.round, sp.loops, sp.frame, sp.later, sp.iterated, sp.appended, r.uses
    sp.frame = Frame(lowered, r.generation.scope_of(function), s, sp.frame)
    r.uses, sp.later = r.uses_in(lowered), frozenset(r.unsteady)
    if lowered not in sp.known:
        sp.know(lowered)
    try:
        yield
    finally:
        sp.statements, sp.here, sp.round, sp.loops, sp.frame, sp.later, sp.iterated, sp.appended, r.uses = around


def place_given_back(lowered: Function) -> int | None:
    """The place of the argument that a function gives as it is, and does nothing else."""
    result, params = lowered.body.results[0], lowered.params[1:]
    return params.index(result) if not lowered.body.statements and result in params else None


def in_memory(r: Resolver) -> bool:
    """Tell whether objects are memory in what is read: what a function does there plainly is not known to leave them
    alone, unless it is written out."""
    return r.generation.memory is not None and not r.context.plain and r.context.caller is not None


def is_opened(r: Resolver, function: Any) -> bool:
    """Tell whether a function makes what becomes memory, or assigns to names that others can see."""
    memory = r.generation.memory
    code = function.code if isinstance(function, Fn) else getattr(function, "__code__", None)
    return memory is not None and code in memory.opened


def _is_short(block: Block, limit: int, few: Collection[Atom] = ()) -> bool:
    """Tell whether a block has no function within, no loop but over what is `few`, and not many statements."""
    for n, s in enumerate(_statements(block), 1):
        looped = isinstance(s, Loop) and (s.cond is not None or len(s.sequences) != 1 or s.sequences[0] not in few)
        if n > limit or isinstance(s, Closure) or looped:
            return False
    return True


def _statements(block: Block) -> Iterator[Statement]:
    """The statements of a block and of those within, without the names that they read."""
    for s in block.statements:
        if isinstance(s, If):
            yield from _statements(s.then)
            yield from _statements(s.orelse)
        if isinstance(s, Loop):
            yield from _statements(s.body)
        if not (isinstance(s, Call) and isinstance(s.fn, Const) and s.fn.value in _NAMES):
            yield s


def _computes(r: Resolver, s: Call) -> bool:
    """Tell whether a typed call computes something, and does nothing else."""
    if not s.outs or isinstance(s.how, Dynamic) or any(isinstance(a, Star) for a in s.args):
        return False
    if s.how is not None:
        return True
    known = isinstance(s.fn, Const) and is_hashable(s.fn.value)
    return known and (s.fn.value in _COMPUTING or r.generation.settled_rules(s.fn.value) is not None)  # type: ignore[union-attr]
