"""Generators that are run through where they are made: their body is the loop, and each `yield` runs what that does.

A generator that only one loop sees, or a function that takes all it gives, runs in no pieces that anybody could tell
apart: its statements are written out there. What the loop carries are fields of a virtual object, which the loops and
branches of the generator hand on as they hand on others.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import AdjointError, UnsupportedSyntaxError
from ..ir import intrinsics
from ..ir.nodes import UNDEF, Atom, Call, Const, Function, Loop, Span, Var
from ..ir.types import UNKNOWN, Array, Deque, Dict, Fn, List, Record, Ref, Tuple, Variadic
from .collecting import collecting
from .facts import is_active
from .frames import place_of
from .groups import append_to
from .heap import Heap
from .infer import type_of
from .inlining import MAX_VIRTUAL, inlined, within
from .listing import calls_itself, listed_at_once, may_be_listed
from .own_iterators import goes_through, next_of, says_its_size
from .steps import remaining, start
from .uses import GROWING, STORING, calls_any, is_call_of
from .virtual import real

if TYPE_CHECKING:
    from .resolve import Args, Resolver
    from .specialise import Specialiser

GENERATOR = 0x20
WHOLE = False, 0
"""The form of a generator that runs to its end, and that is not within itself."""
MAX_WITHIN = 3
"""How often a generator may stand within itself: one that calls itself does so no one knows how often."""


@dataclass(frozen=True, eq=False)
class Made:
    """A generator that has not begun: the function, and what it is called with."""

    call: Call
    function: Any
    given: tuple[Atom, ...]
    round: Any
    """The round of a loop in which it was made: where it is run through, or it may be so several times."""
    here: Any
    """The block in which it was made."""
    at: int
    """The number of statements that block had then."""


def is_generator(function: Any) -> bool:
    """Tell whether a function, or one of this type, makes generators."""
    return bool(_code(function).co_flags & GENERATOR)


def _code(function: Any) -> Any:
    return function.code if isinstance(function, Fn) else function.__code__


def gives_in_turns(f: Any) -> bool:
    """Tell whether a function is a generator that calls itself."""
    return isinstance(f, types.FunctionType) and is_generator(f) and calls_itself(f.__code__)


def read_at_once(r: Resolver, s: Call, fn: Atom) -> Atom:
    """The function to call in a program that is only read: of a generator that calls itself, and of which all is
    taken, the one that gives a list of that."""
    f = fn.value if isinstance(fn, Const) else None
    if not r.context.plain or not gives_in_turns(f) or not r.uses.displays.is_taken(s.out):
        return fn
    function = r.generation.listing(f)
    return fn if function is None else Const(function)


def make(r: Resolver, s: Call, function: Any, fn: Atom, bound: Args) -> Var | None:
    """The generator that a call gives; None where it is a real one."""
    may = r.generation.may_be_inlined(r.context, function, True)
    return begin(r, s, function, (fn, *bound)) if may else None


def may_be_virtual(r: Resolver, site: Var) -> bool:
    """Tell whether what a call gives may be a generator that is written out."""
    real = r.sp.heap.real
    return real is not None and site not in real and not r.context.plain


def begin(r: Resolver, s: Call, function: Any, given: Sequence[Atom]) -> Var | None:
    """The same of any function, such as one of the library's own."""
    heap: Heap = r.sp.heap
    if not may_be_virtual(r, s.out):
        return None
    out = Var(s.out.name, UNKNOWN, True)
    heap.sites[out] = s.out, None
    heap.generators[out] = Made(s, function, tuple(given), r.sp.round, r.sp.here, len(r.sp.statements))
    r.context.caller.is_virtual = True
    if s.out in r.context.started:
        start(r, out, early=True)
    return out


def iterator_of(r: Resolver, site: Var, a: Any, span: Span | None, asks: bool = True) -> Any:
    """The generator by which Python runs through an object whose `__iter__` is one, or gives an iterator of a class of
    the user's; anything else as it is. What makes a container of it `asks` it how many items there are."""
    t = type_of(a) if isinstance(a, Var) else None
    known = isinstance(t, Record) and (is_active(a) or isinstance(t, Ref)) and may_be_virtual(r, site)
    static = inspect.getattr_static(t.cls, "__iter__", None) if known else None  # type: ignore[union-attr]
    if not isinstance(static, types.FunctionType):
        return a
    if is_generator(static):
        r.guard(t.cls, "__iter__", static)  # type: ignore[union-attr]
        return r.general(Call((site,), Const(static), (), (), span), Const(static), [a], [])
    start, state = len(r.sp.statements), r.sp.heap.state
    found = _given_by_iter(r, Call((Var(site.name),), Const(static), (), (), span), static, a)
    if (items := _items_of(r, found)) is not None:
        r.guard(t.cls, "__iter__", static)  # type: ignore[union-attr]
        return items
    answers = asks and says_its_size(found)
    if found not in r.sp.heap.generators and (answers or next_of(r, found) is None):
        if a in r.sp.heap:
            raise r.sp.heap.escape(a)
        del r.sp.statements[start:]
        r.sp.heap.state = state
        return a
    r.guard(t.cls, "__iter__", static)  # type: ignore[union-attr]
    if found in r.sp.heap.generators:
        return found
    return begin(r, Call((site,), Const(goes_through), (), (), span), goes_through, [Const(goes_through), found])


def _items_of(r: Resolver, found: Any) -> Atom | None:
    """The sequence of which `__iter__` has given the iterator, in place of that; None of another one."""
    made = r.made.get(found)
    if not is_call_of(made, (iter,)) or len(made.args) != 1 or made is not r.sp.statements[-1]:  # type: ignore[union-attr]
        return None
    items: Any = made.args[0]  # type: ignore[union-attr]
    if not isinstance(type_of(items), (List, Tuple, Variadic, Deque, Dict, Array)):
        return None
    r.sp.statements.pop()
    return items  # type: ignore[no-any-return]


def _given_by_iter(r: Resolver, s: Call, method: types.FunctionType, a: Var) -> Any:
    """The result of `__iter__`, written out; None where it cannot be."""
    try:
        lowered = r.generation.lower(r.context, method)
    except AdjointError:
        return None
    return inlined(r, s, method, lowered, Const(method), [a], True) if len(lowered.params) == 2 else None


def run_through(sp: Specialiser, s: Loop) -> bool:
    """Write out a loop over a generator; tells if it is one that can be."""
    if len(s.sequences) != 1 or s.cond is not None:
        return False
    own = iterator_of(sp.resolver, s.body.params[-1], sp.atom(s.sequences[0]), sp.span(s), asks=False)
    if own not in sp.heap.generators:
        if own is not sp.atom(s.sequences[0]):
            sp.env[s.sequences[0]] = own  # type: ignore[index]
        return False
    heap, n = sp.heap, s.carried
    made: Made = heap.generators[own]
    listed = calls_itself(_code(made.function)) and may_be_listed(sp, s, made)
    if listed and (items := listed_at_once(sp, own, made)) is not None:
        sp.env[s.sequences[0]] = items  # type: ignore[index]
        return False
    lowered = _form(sp, own, s.exit_flag is not None)
    cell, names = _cell(sp, own, s.outs[:n], [sp.atom(a) for a in s.inits])
    one = collecting(lowered) if len(s.outs) == n + 1 and s.exit_flag is None else None
    lists = [_list(sp, cell, out.name) for out in s.outs[n:]] if one is None else []
    around = sp.frame, sp.resolver.uses, sp.later, sp.receive

    def receive(value: Atom) -> Atom:
        inner = sp.frame, sp.resolver.uses, sp.later, sp.receive
        sp.frame, sp.resolver.uses, sp.later, sp.receive = around
        sp.env.update(zip(s.body.params, [*[heap.get(cell, name) for name in names], value], strict=True))
        sp.block(s.body)
        results = [sp.atom(a) for a in s.body.results]
        for name, a in zip(names, results, strict=False):
            heap.set(cell, name, a)
        for name, a in zip(lists, results[n:], strict=False):
            append_to(sp.resolver, cell, name, real(sp.resolver, a))
        sp.frame, sp.resolver.uses, sp.later, sp.receive = inner
        return results[n] if one is not None else Const(None) if s.exit_flag is None else results[s.exit_flag]

    items = _run(sp, own, receive, *(one or (lowered,)))
    found = [heap.get(cell, name) for name in (*names, *lists)] + [items] * (one is not None)
    sp.env.update(zip(s.outs, found, strict=True))
    heap.forget(cell)
    return True


def sent(sp: Specialiser, s: Call, args: Sequence[Any]) -> Atom | None:
    """The value that `yield` or `yield from` gives a generator that is being written out; None of any other call."""
    f = s.fn.value if isinstance(s.fn, Const) else None
    assert sp.receive is not None
    if f is intrinsics.yield_:
        return sp.receive(args[0])
    if f is not intrinsics.delegate:
        return None
    own = iterator_of(sp.resolver, s.out, args[0], sp.span(s))
    if own in sp.heap.generators:
        lowered = _form(sp, own)
        return _run(sp, own, sp.receive, lowered, lowered.result)
    raise UnsupportedSyntaxError(
        "what `yield from` gives",
        "an iterator that is known only as it runs may return something",
        "run through it in a loop",
        place_of(sp.frame.function, s),
    )


def listed(r: Resolver, own: Var, packed: bool = False) -> Atom:
    """A list of all that a generator gives; `packed` where a tuple is made of it."""
    made: Made = r.sp.heap.generators[own]
    if calls_itself(_code(made.function)) and (items := listed_at_once(r.sp, own, made)) is not None:
        return items
    lowered = _form(r.sp, own)
    if (one := collecting(lowered)) is not None:
        packs = r.sp.packed
        r.sp.packed = {*packs, one[1]} if packed else packs - {one[1]}
        found = _run(r.sp, own, lambda value: value, *one)
        r.sp.packed = packs
        return found
    cell, _ = _cell(r.sp, own, [], [])
    name = _list(r.sp, cell, own.name)

    def receive(value: Atom) -> Atom:
        append_to(r, cell, name, real(r, value))
        return Const(None)

    _run(r.sp, own, receive, lowered)
    items = r.sp.heap.get(cell, name)
    r.sp.heap.forget(cell)
    return items


def _first_of(items: Any, n: Any) -> Any:
    i = 0
    for item in items:
        yield item
        i += 1  # noqa: SIM113 - not `enumerate`, of which nothing is known here
        if i == n:
            return


def unpacked(r: Resolver, s: Call, own: Any, n: Any, *behind: Any) -> Atom:
    """A list of what a generator gives that is unpacked: with a star of all, else of one item more than there are
    targets."""
    more = (Const(_first_of), own, Const(n.value + 1))
    first = begin(r, Call(s.outs[:1], s.fn, (), (), s.span), _first_of, more) if not behind else None
    return listed(r, first or own)


def _form(sp: Specialiser, own: Var, leaves: bool = False) -> Function:
    """The IR of a generator, for one who may `leave` it; of one within itself with variables of its own."""
    made: Made = sp.heap.generators[own]
    within = sp.suspended.count(_code(made.function))
    if within == MAX_WITHIN or leaves and own in sp.heap.frames:
        raise sp.heap.escape(own)
    try:
        if own in sp.heap.frames:
            return remaining(sp.resolver, own)
        return sp.resolver.generation.lower(sp.context, made.function, leaves, within)
    except AdjointError:
        raise sp.heap.escape(own) from None


def _run(sp: Specialiser, own: Var, receive: Callable[[Atom], Atom], lowered: Function, result: Atom = UNDEF) -> Atom:
    """Write out a generator in one of its forms, each `yield` as what is done with the value; gives what an atom is."""
    made: Made = sp.heap.generators[own]
    r = sp.resolver
    once = own not in sp.heap.run and made.round is sp.round
    if not once or r.written > MAX_VIRTUAL:
        raise sp.heap.escape(own)
    sp.heap.run.add(own)
    r.context.require("stores", not r.stores and calls_any(lowered.body.statements, STORING))
    r.context.require("grows", calls_any(lowered.body.statements, GROWING))
    r.context.require("collects", result is UNDEF)
    outer, sp.receive = sp.receive, receive
    sp.suspended.append(_code(made.function))
    start = len(sp.statements)
    try:
        with within(r, made.call, made.function, lowered):
            sp.env.update(zip(lowered.params, made.given, strict=True))
            r.generation.check_seen(r.context, made.function, [type_of(a) for a in made.given if a not in sp.heap])
            sp.block(lowered.body)
            return sp.atom(result)
    except AdjointError:
        raise sp.heap.escape(own) from None
    finally:
        sp.suspended.pop()
        sp.receive = outer
        r.written += len(sp.statements) - start


def _cell(sp: Specialiser, own: Var, outs: Sequence[Var], inits: Sequence[Atom]) -> tuple[Var, list[str]]:
    """A virtual object for what a loop carries, and the names of its fields."""
    heap = sp.heap
    cell = Var("", UNKNOWN, True)
    heap.made(cell, *heap.sites[own])
    names: list[str] = []
    for i, (out, a) in enumerate(zip(outs, inits, strict=True)):
        names.append(f"{out.name or 'carried'}_{i}" if not out.name or out.name in names else out.name)
        heap.set(cell, names[-1], a)
    return cell, names


def _list(sp: Specialiser, cell: Var, name: str) -> str:
    """An empty list as a field of such an object; gives its name."""
    heap = sp.heap
    field = f"{name or 'items'}_{len(heap.objects[cell])}" if name in ("", *heap.objects[cell]) else name
    empty: Any = sp.resolver.emit_call(intrinsics.make_list, [], None, name)
    heap.track(empty, cell)
    heap.set(cell, field, empty)
    return field
