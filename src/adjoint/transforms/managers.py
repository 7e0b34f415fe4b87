"""Context managers that are generators: what stands before their `yield` is written out where they are entered, and the
rest where they are left.

An exception that leaves the block of the `with` leaves the `yield`: what is around that in the generator handles it.
Where the generator comes to its end then, the exception is taken. So `yield` must stand in no loop and no branch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import CodeType
from typing import TYPE_CHECKING, Any

from ..errors import AdjointError
from ..ir import exceptions, intrinsics
from ..ir.nodes import ATTEMPT, UNDEF, Atom, Block, Call, Const, Function, If, Statement, Var, free_variables
from ..ir.raising import ends
from ..ir.types import UNKNOWN, Fn, Inert, Known
from ..origin import is_ours
from .callees import bind
from .followed import changes_given, sites_of
from .heap import Heap
from .infer import is_immutable, type_of
from .inlining import MAX_VIRTUAL, within
from .locating import locates
from .memory import takes_references
from .uses import GROWING, STORING, calls_any, calls_of, is_call_of
from .written import stored_parameters

if TYPE_CHECKING:
    from .resolve import Args, Kwargs, Resolver

TRUE, FALSE = Const(True), Const(False)
FORM = False, 0, True
"""The form of a generator whose `yield` may stand within `try`."""
_ENDING = frozenset(["next", "StopIteration"])
"""Names of what ends a generator from within: Python raises another error then."""

Way = tuple[tuple[Block, int], ...]
"""From the body of a generator to its `yield`: blocks, each with the place of the statement that leads there."""


@dataclass(frozen=True, eq=False)
class Parts:
    """A generator in parts: up to its `yield`, after that, and after an exception has left it; None where nothing
    handles that. `live` is what these read of the first part; if it `handles` what leaves that it may give nothing."""

    before: tuple[Statement, ...]
    given: Call
    after: tuple[Statement, ...]
    raised: tuple[Statement, ...] | None
    live: tuple[Var, ...]
    handles: bool


@dataclass(frozen=True, eq=False)
class Manager:
    """A generator that a `with` is given, with what it is called, and where; `kept` are its variables while it waits,
    and `stores` how many there had been by then."""

    call: Call
    function: Any
    code: CodeType
    lowered: Function
    parts: Parts
    given: tuple[Atom, ...]
    around: Function
    round: Any
    kept: dict[Var, Atom] = field(default_factory=dict)
    stores: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Managing:
    """A fact: what `contextlib.contextmanager` gives of a function that is made here."""

    function: Atom


def fold_contextmanager(r: Resolver, s: Call, args: Args, kwargs: Kwargs) -> list[Atom] | None:
    """The decorator of a function that is made here, which is only called."""
    heap: Heap = r.sp.heap
    known = len(args) == 1 and isinstance(args[0], Var) and isinstance(args[0].type, Fn) and not kwargs
    if not known or s.out not in r.uses.only_called or heap.real is None or s.out in heap.real or r.context.plain:
        return None
    out = Var(s.out.name, UNKNOWN, True)
    heap.sites[out] = s.out, None
    r.context.caller.is_virtual = True
    r.sp.facts[out] = Managing(args[0])
    return [out]


def managed(r: Resolver, s: Call, fn: Atom, args: Args, kwargs: Kwargs) -> Var | None:
    """The manager that a call gives, if it is written out."""
    if isinstance(fact := r.sp.facts.get(fn), Managing):
        made = make(r, s, type_of(fact.function), fact.function, args, kwargs)
        if made is None:
            raise r.sp.heap.escape(fn)
        return made
    function = exceptions.generator_of(fn.value) if isinstance(fn, Const) else None
    return None if function is None else make(r, s, function, Const(function), args, kwargs)


def make(r: Resolver, s: Call, function: Any, fn: Atom, args: Args, kwargs: Kwargs) -> Var | None:
    """The same of the generator function itself."""
    heap: Heap = r.sp.heap
    own = heap.real is None or s.out in heap.real or r.context.plain
    code = function.code if isinstance(function, Fn) else function.__code__
    own = own or not _ENDING.isdisjoint(code.co_names)
    if own or not (is_ours(code.co_filename) or r.generation.may_be_inlined(r.context, function, True)):
        return None
    try:
        lowered = r.generation.lower(r.context, function, *FORM)
    except AdjointError:
        return None  # Python makes an object of it
    parts = parts_of(lowered)
    t: Any = function if isinstance(function, Fn) else r.generation.typeof(function)
    bound = None if parts is None else bind(r, lowered, t, fn, args, kwargs, s.span)
    if parts is None or bound is None:
        return None
    stored = [a for i, a in enumerate(bound, 1) if i in stored_parameters(lowered)]
    stored = [a for a in stored if not heap.is_held(a) and not takes_references([a])]
    if stored and not changes_given(r, s, lowered, bound):
        return None
    out = Var(s.out.name, UNKNOWN, True)
    heap.sites[out] = s.out, None
    heap.managers[out] = Manager(s, function, code, lowered, parts, (fn, *bound), r.sp.frame.function, r.sp.round)
    r.context.caller.is_virtual = True
    return out


# ---- the parts of a generator


@lru_cache(maxsize=256)
def parts_of(f: Function) -> Parts | None:
    """The parts of a generator; None where its `yield` is not the only one, or stands in a loop or a branch."""
    waits = (intrinsics.yield_, intrinsics.delegate)
    way = _way(f.body)
    if way is None or sum(is_call_of(s, waits) for s in calls_of(f.body.statements)) != 1:
        return None
    block, at = way[-1]
    given: Any = block.statements[at]
    after, raised = _after(way, False), _after(way, True) if len(way) > 1 else None
    rest = Block((), (*after, *(raised or ())), given.args)
    before = _before(way, {*free_variables(rest)})
    made = {*f.params, *(out for s in before for out in s.outs)}
    handles = any(ends(b.statements[k].orelse) for b, k in way[:-1])  # type: ignore[union-attr]
    return Parts(before, given, after, raised, tuple([v for v in free_variables(rest) if v in made]), handles)


def _way(block: Block) -> Way | None:
    for i, s in enumerate(block.statements):
        if is_call_of(s, (intrinsics.yield_,)):
            return ((block, i),)
        if isinstance(s, If) and s.is_attempt and (inner := _way(s.then)) is not None:
            return ((block, i), *inner)
    return None


def _before(way: Way, live: set[Var]) -> tuple[Statement, ...]:
    """The statements before the `yield`: of an attempt around it, the part that has to come to its end first."""
    (block, at), *rest = way
    first = block.statements[:at]
    inner = _before(tuple(rest), live) if rest else ()
    if not inner:
        return first
    s: Any = block.statements[at]
    made = tuple([out for c in inner for out in c.outs if out in live])
    outs = tuple([Var(v.name) for v in made])
    caught = Block((), s.orelse.statements, (UNDEF,) * len(made))
    same = Block((), (), outs)
    return (*first, If(outs, ATTEMPT, Block((), inner, made), caught, s.span), If(made, TRUE, same, same, s.span))


def _after(way: Way, raised: bool) -> tuple[Statement, ...]:
    """The statements behind it: of an attempt around it, the other part, or how it is left by what has been
    `raised`."""
    (block, at), *rest = way
    behind = block.statements[at + 1 :]
    if not rest:
        return behind
    s: Any = block.statements[at]
    inner = _after(tuple(rest), raised)
    cond: Const = FALSE if raised and len(rest) == 1 else ATTEMPT if inner else TRUE
    then = Block((), inner, s.then.results)
    left = raised and not ends(s.orelse) and (cond is FALSE or not ends(then))
    return (If(s.outs, cond, then, s.orelse, s.span), *(() if left else behind))


# ---- where it is entered and left


def enter(r: Resolver, own: Var) -> Atom:
    """Write out a manager up to its `yield`; gives what that gives."""
    sp, heap = r.sp, r.sp.heap
    manager: Manager = heap.managers[own]
    parts, start = manager.parts, len(sp.statements)
    if manager.kept or manager.round is not sp.round:
        raise heap.escape(own)
    body = manager.lowered.body.statements
    r.context.require("stores", not r.stores and calls_any(body, STORING))
    r.context.require("grows", calls_any(body, GROWING))
    sp.env.update(zip(manager.lowered.params, manager.given, strict=True))
    _write(r, own, parts.before)
    if parts.handles and any(isinstance(s, If) and s.is_attempt for s in sp.statements[start:]):
        raise heap.escape(own)  # it may give nothing
    manager.kept.update({v: sp.env[v] for v in parts.live})
    manager.kept[parts.given.out] = Const(None)
    manager.stores.append(heap.stores)
    return sp.atom(parts.given.args[0])  # type: ignore[arg-type]


def leave(r: Resolver, own: Var, error: Atom) -> Atom:
    """Write out the rest of a manager; gives whether an exception has been taken."""
    sp, heap = r.sp, r.sp.heap
    manager: Manager = heap.managers[own]
    rest = manager.parts.after if isinstance(error, Const) else manager.parts.raised
    if not manager.kept or manager.round is not sp.round:
        raise heap.escape(own)
    if rest is None:
        return FALSE
    _check_steady(r, own)
    start = len(sp.statements)
    sp.env.update(manager.kept)
    _write(r, own, rest)
    written = sp.statements[start:]
    if ends(Block((), tuple(written), ())):
        return Const(exceptions.TAKEN)
    if is_call_of(written[-1], (exceptions.raise_again,)):
        sp.statements.pop()  # the `with` does
    return FALSE


def _check_steady(r: Resolver, own: Var) -> None:
    """Read the program again, if what a manager keeps may have been stored into while it waited: its versions are
    followed then."""
    heap: Heap = r.sp.heap
    manager: Manager = heap.managers[own]
    changes = heap.stores > manager.stores[0] and locates(r.sp) is None  # else what is stored into is memory
    loose = [v for v, a in manager.kept.items() if changes and not _is_steady(heap, a)]
    for v in loose:
        if sites_of(manager.lowered, {v}) - heap.real:  # type: ignore[operator]
            r.context.follow(manager.lowered, v)
    for a in manager.call.args if loose else ():
        if isinstance(a, Var) and sites_of(manager.around, {a}) - heap.real:  # type: ignore[operator]
            r.context.follow(manager.around, a)
    if loose:
        raise heap.escape(own)


def _is_steady(heap: Heap, a: Atom) -> bool:
    """Tell whether a variable stays what it is, whatever is stored; or is followed."""
    t = type_of(a)
    shared = isinstance(a, Const) or heap.is_held(a) or takes_references([a])
    return shared or is_immutable(t) or isinstance(t, (Fn, Inert, Known))


def _write(r: Resolver, own: Var, statements: Sequence[Statement]) -> None:
    """Write out statements of a manager."""
    sp = r.sp
    manager: Manager = sp.heap.managers[own]
    start = len(sp.statements)
    if r.written > MAX_VIRTUAL:
        raise sp.heap.escape(own)
    sp.suspended.append(manager.code)
    try:
        with within(r, manager.call, manager.function, manager.lowered):
            types = [type_of(a) for a in manager.given if a not in sp.heap]
            r.generation.check_seen(r.context, manager.function, types)
            for s in statements:
                sp.statement(s)
    except AdjointError:
        raise sp.heap.escape(own) from None
    finally:
        sp.suspended.pop()
        r.written += len(sp.statements) - start
