"""Functions that take some of what a generator gives, or all as it is: `next`, `any`, `all` and `list`."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from ..ir import intrinsics
from ..ir.nodes import UNDEF, Atom, Block, Call, Const, If, Loop, Statement, Var
from .generators import iterator_of, listed
from .mapping import named, run
from .own_iterators import goes_through, step
from .steps import advance, advanced, stop_unless

if TYPE_CHECKING:
    from .resolve import Resolver

_TAKING = (next, any, all, list, intrinsics.advance)
FALSE, TRUE = Const(False), Const(True)


def taken_from(r: Resolver, s: Call, fn: Atom, args: list[Any]) -> Atom | None:
    """The result of one of these functions for a generator; None of any other call."""
    f = fn.value if isinstance(fn, Const) else None
    if not any([f is taking for taking in _TAKING]) or s.kwargs or not 0 < len(args) <= 1 + (f is next):
        return None
    own = iterator_of(r, s.out, args[0], s.span) if f is any or f is all else args[0]
    own = _iterator_behind(r, own) if f is next or f is intrinsics.advance else own
    if own not in r.sp.heap.generators:
        return _of_own(r, s, f, own, args[1:])
    if f is intrinsics.advance:
        return advance(r, s, own)
    if f is list:
        return listed(r, own)
    if f is any or f is all:
        return _searched(r, s, own, f is all)
    if f is next and (len(args) == 2 or not r.sp.suspended):  # of a generator, the end of another is an error
        found = advanced(r, s, own, Const(None), args[1] if len(args) == 2 else None)
        return _first(r, s, own, args[1:]) if found is None else found
    return None


def _iterator_behind(r: Resolver, own: Any) -> Any:
    """The iterator that is run through where this is one of a class of the user's; else as it is."""
    made = r.sp.heap.generators.get(own)
    return made.given[1] if made is not None and made.function is goes_through else own


def _of_own(r: Resolver, s: Call, f: Any, own: Any, default: list[Atom]) -> Atom | None:
    """The same of an iterator of a class of the user's."""
    if f is intrinsics.advance and (found := step(r, s, own)) is not None:
        return r.emit_call(intrinsics.make_tuple, found, s.span)
    return _next_or(r, s, own, default[0]) if f is next and default else None


def _next_or(r: Resolver, s: Call, own: Var, default: Atom) -> Atom | None:
    """`next(own, default)` of such an object; None of anything else."""
    found = step(r, s, own)
    if found is None:
        return None
    more, value = found
    out = Var(s.out.name)
    there, nothing = [Block((), (), (named(r, a),)) for a in (value, default)]
    return run(r, [If((out,), named(r, more), there, nothing, s.span)], out)


def _searched(r: Resolver, s: Call, own: Var, every: bool) -> Atom:
    """`any` and `all`: a loop that ends at the first value that decides."""
    found, before, now, value = (Var() for _ in range(4))
    test = If((now,), value, Block((), (), (Const(not every),)), Block((), (), (Const(every),)), s.span)
    loop = Loop((found,), (FALSE,), (named(r, own),), None, Block((before, value), (test,), (now,)), 0, s.span)
    answer = run(r, [loop], found)
    return r.emit_call(operator.not_, [answer], s.span, s.out.name) if every else answer


def _first(r: Resolver, s: Call, own: Var, default: list[Atom]) -> Atom:
    """`next` of a generator of which nobody takes more: a loop that ends at the first item."""
    found, item, before, old, value = (Var(name) for name in ("", s.out.name, "", "", ""))
    given = named(r, default[0]) if default else UNDEF
    body = Block((before, old, value), (), (TRUE, value))
    loop = Loop((found, item), (FALSE, given), (named(r, own),), None, body, 0, s.span)
    statements: list[Statement] = [loop]
    if not default:
        statements.append(stop_unless(found, s.span))
    return run(r, statements, item)
