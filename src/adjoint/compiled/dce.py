"""Kernels made plain: cotangents that are assigned once are what they are assigned, and what nobody reads goes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from .accumulation import accumulated
from .elementary import LINK, STOP
from .kernel import (
    Atom,
    Back,
    Block,
    Buf,
    Call,
    Check,
    Cut,
    Eigen,
    For,
    If,
    Load,
    New,
    Op,
    Pack,
    Pop,
    Push,
    Reg,
    Replay,
    Set,
    Size,
    Stack,
    Statement,
    Store,
    Unpack,
    While,
    bufs_of,
    made_by,
    reads_of,
    walk,
)


def tidied(body: Block, results: Sequence[Any], for_good: bool = False) -> tuple[Block, list[Any]]:
    """The same program, and its results; `for_good` if it is not differentiated any more."""
    known = _assigned_once(body)
    if for_good:
        body = accumulated(body)
        copies = [s for s in walk(body) if isinstance(s, Op) and s.fn in (LINK, STOP)]
        known.update({s.out: s.args[0] for s in copies if s.out.kind == s.args[0].kind})

    def atom(a: Any) -> Any:
        while isinstance(a, Reg) and a in known:
            a = known[a]
        return a

    body, results = _replaced(body, atom), [atom(r) for r in results]
    while True:
        live = _live(body, results)
        smaller = _without(body, live)
        if smaller is body:
            return body, results
        body = smaller


def _live(body: Block, results: Sequence[Any]) -> set[Any]:
    """The registers and buffers that what is done or returned depends on.

    What loops carry and branches give counts if it is read, or if it is needed for what is; buffers count if they are
    read, or were not made here.
    """
    sources: dict[Any, list[Any]] = {}
    todo: list[Any] = [*results]
    made = {b for s in walk(body) for b in made_by(s)}
    for s in walk(body):
        match s:
            case Op() | Load() | Size():
                sources.setdefault(s.out, []).extend([*reads_of(s), *([] if isinstance(s, Op) else [s.buf])])
            case Set():
                sources.setdefault(s.reg, []).append(s.value)
            case Store():
                sources.setdefault(s.buf, []).extend(reads_of(s))
                if s.buf not in made:
                    todo.append(s.buf)
            case New():
                sources.setdefault(s.buf, []).extend(s.shape)
            case Eigen():
                for buf in made_by(s):
                    sources.setdefault(buf, []).append(s.matrix)
            case If():
                todo.append(s.cond)
                for out, x, y in zip(s.outs, s.then.results, s.orelse.results, strict=True):
                    sources.setdefault(out, []).extend((x, y))
            case For() | While():
                todo += [s.start, s.stop, s.step] if isinstance(s, For) else [*s.cond.results, *s.inits, *s.outs]
                for p, out, first, r in zip(s.body.params, s.outs, s.inits, s.body.results, strict=True):
                    sources.setdefault(out, []).append(p)
                    sources.setdefault(p, []).extend((first, r, out))
                if isinstance(s, While):
                    for p, q in zip(s.body.params, s.cond.params, strict=True):
                        sources.setdefault(q, []).append(p)
                    todo += s.body.params
            case Check() | Push() | Call() | Back():
                todo += (*reads_of(s), *bufs_of(s))
            case Pack() | Unpack() | Cut() | Pop() | Stack() | Replay():
                pass
    live: set[Any] = set()
    while todo:
        x = todo.pop()
        if x not in live:
            live.add(x)
            todo += sources.get(x, ())
    return live


def _assigned_once(body: Block) -> dict[Reg, Atom]:
    """Registers that vary in name only, and what they are."""
    sets: dict[Reg, list[Atom]] = {}
    for s in walk(body):
        if isinstance(s, Set):
            sets.setdefault(s.reg, []).append(s.value)
    once = {r: values[0] for r, values in sets.items() if len(values) == 1}
    return {r: v for r, v in once.items() if not (isinstance(v, Reg) and v.varies and v not in once)}


def _replaced(block: Block, atom: Any) -> Block:
    """A block with other atoms."""

    def inner(b: Block) -> Block:
        return _replaced(b, atom)

    def again(s: Statement) -> Statement | None:
        return None if isinstance(s, Set) and atom(s.reg) is not s.reg else replaced_in(s, atom, inner)

    statements = tuple([t for s in block.statements if (t := again(s)) is not None])
    return Block(statements, block.params, tuple([atom(a) for a in block.results]))


def replaced_in(s: Statement, atom: Any, block: Callable[[Block], Block]) -> Statement:
    """A statement with other atoms and regions."""

    def all_of(atoms: Sequence[Atom | Buf]) -> tuple[Any, ...]:
        return tuple([atom(a) for a in atoms])

    match s:
        case Op():
            return Op(s.out, s.fn, all_of(s.args))
        case Load():
            return Load(s.out, s.buf, all_of(s.index))
        case Store():
            return Store(s.buf, all_of(s.index), atom(s.value), s.adds)
        case New():
            return New(s.buf, all_of(s.shape), s.zero)
        case Set():
            return Set(s.reg, atom(s.value))
        case If():
            return If(s.outs, atom(s.cond), block(s.then), block(s.orelse))
        case For():
            start, stop, step = all_of((s.start, s.stop, s.step))
            return replace(s, inits=all_of(s.inits), start=start, stop=stop, step=step, body=block(s.body))
        case While():
            return While(s.outs, all_of(s.inits), block(s.cond), block(s.body))
        case Check():
            return Check(atom(s.bad), s.status)
        case Push():
            return Push(s.stack, all_of(s.values))
        case Call():
            return Call(s.outs, s.place, s.routine, all_of(s.args), s.plan)
        case Back():
            return Back(s.outs, s.routine, all_of(s.args), atom(s.place), all_of(s.seeds), s.shadows, s.plan)
    return s


def _without(block: Block, live: set[Any]) -> Block:
    """A block without what nobody needs; the block itself if there is no such thing."""
    kept: list[Statement] = []
    for s in block.statements:
        match s:
            case Op() | Load() | Size() if s.out not in live:
                continue
            case Set() if s.reg not in live:
                continue
            case Store() | New() if s.buf not in live:
                continue
            case Eigen() if live.isdisjoint(made_by(s)):
                continue
            case If():
                s = _branch_without(s, live)
                if not s.outs and not s.then.statements and not s.orelse.statements:
                    continue
            case For():
                s = _loop_without(s, live)
                if not s.outs and not s.body.statements:
                    continue
            case While() if (body := _without(s.body, live)) is not s.body:
                s = While(s.outs, s.inits, s.cond, body)
        kept.append(s)
    if len(kept) == len(block.statements) and all(a is b for a, b in zip(kept, block.statements, strict=True)):
        return block
    return Block(tuple(kept), block.params, block.results)


def _branch_without(s: If, live: set[Any]) -> If:
    """A branch without what it gives in vain."""
    places = [i for i, out in enumerate(s.outs) if out in live]
    then, orelse = [_chosen(_without(b, live), (), places, len(s.outs)) for b in (s.then, s.orelse)]
    if then is s.then and orelse is s.orelse:
        return s
    return If(tuple([s.outs[i] for i in places]), s.cond, then, orelse)


def _loop_without(s: For, live: set[Any]) -> For:
    """A loop without what it carries in vain."""
    places = [i for i, p in enumerate(s.body.params) if p in live]
    body = _chosen(_without(s.body, live), s.body.params, places, len(s.outs))
    if body is s.body:
        return s
    outs, inits = tuple([s.outs[i] for i in places]), tuple([s.inits[i] for i in places])
    return replace(s, outs=outs, inits=inits, body=body)


def _chosen(block: Block, params: Sequence[Reg], places: Sequence[int], n: int) -> Block:
    """A block with some of its parameters and results."""
    if len(places) == n:
        return block
    results = tuple([block.results[i] for i in places])
    return Block(block.statements, tuple([params[i] for i in places]) if params else (), results)
