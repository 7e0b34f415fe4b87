"""Generators that are run through where they are made: their body is the loop, and each `yield` runs what that does.

A generator that only one loop sees, or a function that takes all it gives, runs in no pieces that anybody could tell
apart: its statements are written out there. What the loop carries are fields of a virtual object, which the loops and
branches of the generator hand on as they hand on others.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import AdjointError
from ..ir import intrinsics
from ..ir.nodes import Atom, Call, Const, Function, Loop, Var
from ..ir.types import UNKNOWN, Fn
from .groups import append_to
from .heap import Heap
from .infer import type_of
from .inlining import MAX_VIRTUAL, within
from .uses import STORING, calls_any
from .virtual import real

if TYPE_CHECKING:
    from .resolve import Args, Resolver
    from .specialise import Specialiser

GENERATOR = 0x20

CONSUMERS = (builtins.sum, builtins.list, builtins.tuple, builtins.sorted, builtins.max, builtins.min)
"""Functions that take all that a generator gives, before they do anything else."""


@dataclass(frozen=True, eq=False)
class Made:
    """A generator that has not begun: the function, its IR, and what it is called with."""

    call: Call
    function: Any
    lowered: Function
    given: tuple[Atom, ...]
    here: Any
    """The block in which it was made: where it is run through, or it may be so several times."""


def takes_all(fn: Atom, args: Sequence[Any]) -> bool:
    """Whether a function takes all that its first argument gives: of two, `max` and `min` compare these."""
    value = fn.value if isinstance(fn, Const) else None
    compares = len(args) > 1 and (value is max or value is min)
    return not compares and any([value is f for f in CONSUMERS])


def is_generator(function: Any) -> bool:
    """Whether a function, or one of this type, makes generators."""
    code = function.code if isinstance(function, Fn) else function.__code__
    return bool(code.co_flags & GENERATOR)


def make(r: Resolver, s: Call, function: Any, lowered: Function, fn: Atom, bound: Args) -> Var | None:
    """The generator that a call gives; None where it is a real one."""
    heap: Heap = r.sp.heap
    if heap.real is None or s.out in heap.real or r.context.plain or r.generation.only_primal:
        return None
    if not r.generation.may_be_inlined(r.context, function, True):
        return None
    out = Var(s.out.name, UNKNOWN, True)
    heap.sites[out] = s.out, None
    heap.generators[out] = Made(s, function, lowered, (fn, *bound), r.sp.here)
    r.context.caller.is_virtual = True
    return out


def run_through(sp: Specialiser, s: Loop) -> bool:
    """Write out a loop over a generator; tells if it is one that can be."""
    own: Any = sp.atom(s.sequences[0]) if len(s.sequences) == 1 else None
    if own not in sp.heap.generators or s.cond is not None or s.exit_flag is not None:
        return False
    heap, n = sp.heap, s.carried
    cell, names = _cell(sp, own, [sp.atom(a) for a in s.inits])
    lists = [_list(sp, cell, out.name) for out in s.outs[n:]]
    frame, uses, later = sp.frame, sp.resolver.uses, sp.later

    def receive(value: Atom) -> None:
        inner = sp.frame, sp.resolver.uses, sp.later
        sp.frame, sp.resolver.uses, sp.later = frame, uses, later
        sp.env.update(zip(s.body.params, [*[heap.get(cell, name) for name in names], value], strict=True))
        sp.block(s.body)
        results = [sp.atom(a) for a in s.body.results]
        for name, a in zip(names, results, strict=False):
            heap.set(cell, name, a)
        for name, a in zip(lists, results[n:], strict=True):
            append_to(sp.resolver, cell, name, real(sp.resolver, a))
        sp.frame, sp.resolver.uses, sp.later = inner

    _run(sp, own, receive)
    sp.env.update(zip(s.outs, [heap.get(cell, name) for name in (*names, *lists)], strict=True))
    return True


def listed(r: Resolver, own: Var) -> Atom:
    """A list of all that a generator gives."""
    cell, _ = _cell(r.sp, own, [])
    name = _list(r.sp, cell, own.name)
    _run(r.sp, own, lambda value: append_to(r, cell, name, real(r, value)))
    return r.sp.heap.get(cell, name)


def _run(sp: Specialiser, own: Var, receive: Callable[[Atom], None]) -> None:
    """Write out the body of a generator, each `yield` as what is done with the value."""
    made: Made = sp.heap.generators[own]
    r, body = sp.resolver, made.lowered.body.statements
    once = own not in sp.heap.run and made.here is sp.here
    if not once or sp.is_read(made.lowered) or r.written > MAX_VIRTUAL:
        raise sp.heap.escape(own)
    sp.heap.run.add(own)
    r.context.require("stores", not r.stores and calls_any(body, STORING))
    r.context.require("grows", True)
    outer, sp.receive = sp.receive, receive
    sp.suspended.append(made.lowered)
    start = len(sp.statements)
    try:
        with within(r, made.call, made.function, made.lowered):
            sp.env.update(zip(made.lowered.params, made.given, strict=True))
            r.generation.check_seen(r.context, made.function, [type_of(a) for a in made.given if a not in sp.heap])
            sp.block(made.lowered.body)
    except AdjointError:
        raise sp.heap.escape(own) from None
    finally:
        sp.suspended.pop()
        sp.receive = outer
        r.written += len(sp.statements) - start


def _cell(sp: Specialiser, own: Var, inits: list[Atom]) -> tuple[Var, list[str]]:
    """A virtual object for what a loop carries, and the names of its fields."""
    heap = sp.heap
    cell = Var("", UNKNOWN, True)
    heap.made(cell, *heap.sites[own])
    names = []
    for i, a in enumerate(inits):
        names.append(f"{getattr(a, 'name', '') or 'carried'}_{i}")
        heap.set(cell, names[-1], a)
    return cell, names


def _list(sp: Specialiser, cell: Var, name: str) -> str:
    """An empty list as a field of such an object; gives its name."""
    heap = sp.heap
    field = f"{name or 'items'}_{len(heap.objects[cell])}"
    empty: Any = sp.resolver.emit_call(intrinsics.make_list, [], None, name)
    heap.track(empty, cell)
    heap.set(cell, field, empty)
    return field
