"""Generators of which a program takes one item after another, by `next` and `send`: what they keep from one step to the
next are fields of a virtual object.

That is so of generators that end with a loop of which each round gives one value. A step does the rest of a round that
waits, asks if there is another one, and goes as far as the value.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ..errors import AdjointError
from ..ir import intrinsics
from ..ir.nodes import UNDEF, Atom, Block, Call, Const, Function, If, Loop, Span, Statement, Var, free_variables
from ..ir.types import INT, UNKNOWN, Fn, Known
from .heap import Heap
from .infer import certain, is_immutable, is_sequence, type_of
from .inlining import MAX_VIRTUAL, within
from .uses import calls_of, is_call_of

if TYPE_CHECKING:
    from .generators import Made
    from .resolve import Resolver

BEGUN, PLACE = "begun", "place"
NAMES = (intrinsics.load_global, intrinsics.capture)
ARITHMETIC = (operator.add, operator.sub, operator.mul, operator.neg, *NAMES, intrinsics.make_tuple, range)
"""What is done before the loop may be done when the generator is made, if it is no more than this: of numbers."""
TESTS = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne, operator.not_, *ARITHMETIC)
"""The test of the loop may be done again when it has failed, if it is no more than this."""
_APART = 1000
"""Generators that go on have variables of their own: counted from here."""


@dataclass(frozen=True, eq=False)
class Steps:
    """The parts of such a generator: what comes before its loop, a round up to the value, the rest of the round, and
    what that reads of the part before."""

    before: tuple[Statement, ...]
    loop: Loop
    first: tuple[Statement, ...]
    given: Call
    rest: tuple[Statement, ...]
    live: tuple[Var, ...]

    @property
    def waits(self) -> bool:
        """Tell whether anything is left of a round that has given its value."""
        return bool(self.rest) or self.given.out in self.loop.body.results


@dataclass(frozen=True, eq=False)
class Frame:
    """A generator that has begun: its IR and parts, and the virtual object that has what it keeps."""

    function: Function
    steps: Steps
    cell: Var
    sequence: Atom | None


@lru_cache(maxsize=256)
def steps_of(f: Function) -> Steps | None:
    """The parts of a generator; None where it is another."""
    loop = f.body.statements[-1] if f.body.statements else None
    waiting = [s for s in calls_of(f.body.statements) if is_call_of(s, (intrinsics.yield_, intrinsics.delegate))]
    if not isinstance(loop, Loop) or loop.exit_flag is not None or len(loop.sequences) > 1 or len(waiting) != 1:
        return None
    (given,), statements = waiting, loop.body.statements
    tests = loop.cond.statements if loop.cond is not None else ()
    if given not in statements or is_call_of(given, (intrinsics.delegate,)) or not _calls_only(tests, TESTS):
        return None
    at = statements.index(given)
    first, rest = statements[:at], statements[at + 1 :]
    made = {*loop.body.params[loop.carried :], *(out for s in first for out in s.outs)}
    live = tuple([v for v in free_variables(Block((), rest, loop.body.results)) if v in made])
    return Steps(f.body.statements[:-1], loop, first, given, rest, live)


def frame_of(r: Resolver, own: Var) -> Frame | None:
    """A generator as one that has begun; None where it is run through at once, if at all."""
    heap: Heap = r.sp.heap
    if own in heap.frames:
        frame: Frame = heap.frames[own]
        if frame.cell not in heap.objects or own in heap.run:
            raise heap.escape(own)
        return frame
    made: Made = heap.generators[own]
    if own in heap.run or steps_of(_own_form(r, made, 0)) is None:
        return None
    if made.here is not r.sp.here:  # it begins where it is made
        r.context.start(heap.sites[own][0])
    return start(r, own)


def _own_form(r: Resolver, made: Made, number: int) -> Function:
    return r.generation.lower(r.context, made.function, False, number)


def start(r: Resolver, own: Var, early: bool = False) -> Frame:
    """Do what a generator does before its loop; `early` is before anybody asks for an item."""
    sp, heap = r.sp, r.sp.heap
    made: Made = heap.generators[own]
    f = _own_form(r, made, _APART + len(heap.frames))
    steps = steps_of(f)
    start_at = len(sp.statements)
    try:
        with within(r, made.call, made.function, f):
            sp.env.update(zip(f.params, made.given, strict=True))
            r.generation.check_seen(r.context, made.function, [type_of(a) for a in made.given if a not in heap])
            for s in steps.before if steps is not None else ():
                sp.statement(s)
    except AdjointError:
        raise heap.escape(own) from None
    if steps is None or early and not (_is_fixed(steps.before) and all(map(_is_quiet, sp.statements[start_at:]))):
        raise heap.escape(own)
    sequence = _run_through(r, steps.loop.sequences[0]) if steps.loop.sequences else None
    if sequence is not None and (not is_sequence(sequence) or sequence in r.unsteady or heap.memory(sequence)):
        raise heap.escape(own)
    cell = Var("", UNKNOWN, True)
    heap.made(cell, *heap.sites[own])
    frame = heap.frames[own] = Frame(f, steps, cell, sequence)
    _keep(r, own, BEGUN, Const(not steps.waits))
    _keep(r, own, PLACE, Const(0))
    for i, a in enumerate(steps.loop.inits):
        _keep(r, own, _name(steps, i), sp.atom(a))
    for v in steps.live if steps.waits else ():
        heap.set(cell, _live(v, steps), UNDEF)
    return frame


def _run_through(r: Resolver, sequence: Atom) -> Atom:
    """The iterable of a generator's loop; of an expression's, which alone has its iterator, its list or tuple."""
    found = r.sp.atom(sequence)
    made = r.made.get(found)
    own = isinstance(sequence, Var) and sequence.name == ".0" and is_call_of(made, (builtins.iter,))
    return made.args[0] if own and len(made.args) == 1 else found  # type: ignore[union-attr, return-value]


def _calls_only(statements: Sequence[Statement], functions: tuple[Any, ...]) -> bool:
    return all([is_call_of(s, functions) for s in statements])


def _is_fixed(statements: Sequence[Statement]) -> bool:
    """Tell whether statements give the same whenever they run: they only calculate, and call what is global."""
    names = {out for s in statements if is_call_of(s, (intrinsics.load_global,)) for out in s.outs}
    return _calls_only([s for s in statements if not isinstance(s, Call) or s.fn not in names], ARITHMETIC)


def _is_quiet(s: Statement) -> bool:
    """Tell whether a typed statement only calculates with numbers, and raises nothing."""
    if not isinstance(s, Call) or not is_call_of(s, ARITHMETIC):
        return False
    ts = [type_of(a) for a in s.args]  # type: ignore[arg-type]
    return is_call_of(s, NAMES) or all([t == INT if s.fn.value is range else is_immutable(t) for t in ts])  # type: ignore[union-attr]


def _name(steps: Steps, i: int) -> str:
    return f"{steps.loop.body.params[i].name or 'carried'}_{i}"


def _live(v: Var, steps: Steps) -> str:
    return f"{v.name or 'kept'}_live_{steps.live.index(v)}"


def _keep(r: Resolver, own: Var, name: str, a: Atom) -> None:
    """Keep a number for the next step."""
    heap: Heap = r.sp.heap
    plain = isinstance(a, Const) or is_immutable(type_of(a))
    if not plain or a in heap:
        raise heap.escape(own)
    heap.set(heap.frames[own].cell, name, a)


def advanced(r: Resolver, s: Call, own: Var, sent: Atom, default: Atom | None) -> Atom | None:
    """The result of `next` for a generator, or of `send`; None of one that does not go by steps."""
    found = _advanced(r, s, own, sent, default)
    return None if found is None else found[1]


def advance(r: Resolver, s: Call, own: Var) -> Atom:
    """A tuple of whether a generator gives one more item, and of that."""
    found = _advanced(r, s, own, Const(None), UNDEF)
    if found is None:
        raise r.sp.heap.escape(own)
    return r.emit_call(intrinsics.make_tuple, found, s.span)


def _advanced(r: Resolver, s: Call, own: Var, sent: Atom, default: Atom | None) -> tuple[Atom, Atom] | None:
    """Tell whether there is one more item, and what is given."""
    frame = frame_of(r, own)
    if frame is None:
        return None
    sp, heap, made = r.sp, r.sp.heap, r.sp.heap.generators[own]
    start_at = len(sp.statements)
    if r.written > MAX_VIRTUAL:
        raise heap.escape(own)
    try:
        with within(r, made.call, made.function, frame.function):
            more, names = _resumed(r, own, frame, sent)
            if certain(more) is not True and default is None:
                _raise_at_the_end(r, s, own, more)
                more = Const(True)
            return more, _given(r, s, own, frame, more, names, default)
    except AdjointError:
        raise heap.escape(own) from None
    finally:
        r.written += len(sp.statements) - start_at


def _resumed(r: Resolver, own: Var, frame: Frame, sent: Atom) -> tuple[Atom, list[Atom]]:
    """Do the rest of the round that waits; gives whether there is another round, and what that begins with."""
    sp, heap, steps = r.sp, r.sp.heap, frame.steps
    names = resume(r, frame, sent)
    carried = [sp.atom(a) for a in names]
    if steps.loop.cond is not None:
        sp.env.update(zip(steps.loop.cond.params, carried, strict=True))
        sp.block(steps.loop.cond)
        return sp.atom(steps.loop.cond.results[0]), carried
    n = r.emit_call(len, [frame.sequence], None)  # type: ignore[list-item]
    return r.emit_call(operator.lt, [heap.get(frame.cell, PLACE), n], None), carried


def resume(r: Resolver, frame: Frame, sent: Atom) -> list[Var]:
    """Do the rest of the round that waits, if one does; gives variables for what the next round begins with."""
    sp, heap, steps = r.sp, r.sp.heap, frame.steps
    loop, n = steps.loop, steps.loop.carried
    sp.env.update((p, heap.get(frame.cell, _name(steps, i))) for i, p in enumerate(loop.body.params[:n]))
    if not steps.waits:
        return [*loop.body.params[:n]]
    sp.env.update((v, heap.get(frame.cell, _live(v, steps))) for v in steps.live)
    sp.env[steps.given.out] = sent
    begun, outs = Var(), tuple([Var(p.name) for p in loop.body.params[:n]])
    sp.env[begun] = heap.get(frame.cell, BEGUN)
    then = Block((), steps.rest, loop.body.results[:n])
    sp.statement(If(outs, begun, then, Block((), (), loop.body.params[:n]), steps.given.span))
    return [*outs]


def _raise_at_the_end(r: Resolver, s: Call, own: Var, more: Atom) -> None:
    """Raise `StopIteration`: of a generator that returns something, a real one has that in its first one alone."""
    result = r.sp.heap.frames[own].function.result
    if not (isinstance(result, Const) and result.value is None):
        raise r.sp.heap.escape(own)
    test = Var()
    r.sp.env[test] = more
    r.sp.statement(stop_unless(test, s.span))


def stop_unless(test: Atom, span: Span | None) -> If:
    """A branch that raises `StopIteration` where there is no item."""
    error = Var()
    made = Call((error,), Const(StopIteration), (), (), span)
    raising = Call((Var(),), Const(intrinsics.raise_), (error,), (), span)
    return If((), test, Block((), (), ()), Block((), (made, raising), ()), span)


def _given(r: Resolver, s: Call, own: Var, frame: Frame, more: Atom, carried: list[Atom], default: Atom | None) -> Atom:
    """Go on with a round as far as its value, if there is `more`."""
    sp, heap, steps = r.sp, r.sp.heap, frame.steps
    loop, n = steps.loop, steps.loop.carried
    sp.env.update(zip(loop.body.params, carried, strict=False))
    test, place, after, instead = Var(), Var(), Var(), Var()
    sp.env[test], sp.env[place] = more, heap.get(frame.cell, PLACE)
    sp.env[instead] = Const(None) if default is None else default
    taken: list[Statement] = []
    if frame.sequence is not None:
        items = Var()
        sp.env[items] = frame.sequence
        taken.append(Call((loop.body.params[-1],), Const(operator.getitem), (items, place), (), loop.span))
        taken.append(Call((after,), Const(operator.add), (place, Const(1)), (), loop.span))
    kept = loop.body.params[:n] if steps.waits else loop.body.results[:n]
    values: tuple[Any, ...] = (
        steps.given.args[0],
        place if frame.sequence is None else after,
        *kept,
        *steps.live * steps.waits,
    )
    old: tuple[Any, ...] = (instead, place, *loop.body.params[:n], *(UNDEF,) * (len(steps.live) * steps.waits))
    outs = tuple([Var(getattr(a, "name", "")) for a in values])
    then = Block((), (*taken, *steps.first), values)
    sp.statement(If(outs, test, then, Block((), (), old), s.span))
    value, *found = [sp.atom(out) for out in outs]
    fields = [PLACE, *(_name(steps, i) for i in range(n)), *(_live(v, steps) for v in steps.live * steps.waits)]
    for name, a in zip(fields, found, strict=True):
        _keep(r, own, name, a)
    if steps.waits:
        _keep(r, own, BEGUN, more)
    return value


def remaining(r: Resolver, own: Var) -> Function:
    """The IR of what a generator that has begun still gives; what it reads is bound where it is written out."""
    frame: Frame = r.sp.heap.frames[own]
    loop, f = frame.steps.loop, frame.function
    made: Made = r.sp.heap.generators[own]
    with within(r, made.call, made.function, f):
        inits = tuple(resume(r, frame, Const(None)))
    if frame.sequence is not None:
        items, places, place = Var(), Var(), Var()
        n = r.emit_call(len, [frame.sequence], loop.span)
        r.sp.env[places] = r.emit_call(range, [r.sp.heap.get(frame.cell, PLACE), n], loop.span)
        r.sp.env[items] = frame.sequence
        *params, element = loop.body.params
        item = Call((element,), Const(operator.getitem), (items, place), (), loop.span)
        body = Block((*params, place), (item, *loop.body.statements), loop.body.results)
        loop = replace(loop, sequences=(places,), body=body)
    return replace(f, body=replace(f.body, statements=(replace(loop, inits=inits),)))


def sent_to(r: Resolver, s: Call, own: Var, args: list[Atom]) -> Atom:
    """The item that a generator gives when it is sent something."""
    frame = frame_of(r, own) if len(args) == 1 and not r.sp.suspended else None
    if frame is None or not frame.steps.waits or certain(r.sp.heap.get(frame.cell, BEGUN)) is not True:
        raise r.sp.heap.escape(own)  # one that has not begun takes nothing
    found = advanced(r, s, own, args[0], None)
    assert found is not None
    return found


def is_sent_to(r: Resolver, s: Call, fn: Atom) -> bool:
    """Tell whether a generator is made that takes what it is sent: that may move where nothing that it is given
    does."""
    uses: Any = r.uses.displays.uses.get(s.out, ())
    names = [getattr(u.args[1], "value", None) for u in uses if is_call_of(u, (builtins.getattr,))]
    return "send" in names and isinstance(type_of(fn), (Fn, Known))


def closed(r: Resolver, s: Call, own: Var, args: list[Atom]) -> Atom:
    """`close()` of a generator where it was made: its `yield` stands in no `try`, and nobody asks it for more."""
    heap: Heap = r.sp.heap
    here = heap.generators[own].here is r.sp.here
    frame = frame_of(r, own) if here and not args and not r.sp.suspended else None
    if frame is None:
        raise heap.escape(own)
    heap.run.add(own)
    return Const(None)
