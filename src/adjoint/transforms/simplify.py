"""Dead code of reverse regions, and replacing variables in regions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from ..ir.nodes import (
    Atom,
    Block,
    Call,
    Closure,
    Const,
    If,
    Loop,
    Star,
    Statement,
    Var,
    atoms_of,
    free_variables,
)
from ..ir.types import Inert
from ..tangents import (
    add_at_location,
    add_in,
    add_number_to_field,
    add_to_field,
    put_in,
    read_in,
    set_cotangent_of_field,
    take_at_location,
    take_in,
)
from ..tangents.located import ADDING, TAKING

Env = Mapping[Var, Atom]
Stays = Callable[[Call], bool]
"""Which calls stay though nobody reads what they give."""

LOCATIONS = (
    *(*ADDING, *TAKING),
    *(add_at_location, take_at_location, add_in, take_in, read_in, put_in),
    *(add_to_field, add_number_to_field, set_cotangent_of_field),
)


class Effects:
    """Marks the type of a `back` which may add to locations beside giving cotangents: it must run."""


EFFECTS = Inert(Effects)


def has_effect(s: Call) -> bool:
    """Tell whether a call of a reverse region does more than give its results."""
    if isinstance(s.fn, Var):
        return s.fn.type == EFFECTS
    if not isinstance(s.fn, Const):
        return False
    first = s.args[0] if s.args else None
    return s.fn.value in LOCATIONS or isinstance(first, Var) and first.type == EFFECTS


def substitute(block: Block, env: Env) -> Block:
    """The block with outer variables replaced."""
    if not env:
        return block
    return Block(
        block.params,
        tuple([substituted(s, env) for s in block.statements]),
        tuple([_atom(r, env) for r in block.results]),
    )


def _within(block: Block, env: Env) -> Block:
    """The same of a region that lies in it: as it is, if it reads none of them."""
    return block if env.keys().isdisjoint(free_variables(block)) else substitute(block, env)


def _atom(atom: Atom, env: Env) -> Atom:
    return env.get(atom, atom) if isinstance(atom, Var) else atom


def _call(s: Call, outs: tuple[Var, ...], env: Env) -> Call:
    args = tuple([Star(_atom(a.value, env)) if isinstance(a, Star) else _atom(a, env) for a in s.args])
    kwargs = tuple([(name, _atom(value, env)) for name, value in s.kwargs])
    return Call(outs, _atom(s.fn, env), args, kwargs, s.span, s.how)


def substituted(s: Statement, env: Env) -> Statement:
    """The statement with variables replaced."""
    match s:
        case Call():
            return _call(s, s.outs, env)
        case If():
            return If(s.outs, _atom(s.cond, env), _within(s.then, env), _within(s.orelse, env), s.span, s.primal)
        case Loop():
            return Loop(
                s.outs,
                tuple(_atom(a, env) for a in s.inits),
                tuple(_atom(a, env) for a in s.sequences),
                None if s.cond is None else _within(s.cond, env),
                _within(s.body, env),
                s.exit_flag,
                s.span,
                s.primal,
                s.equal_lengths,
                s.sequences_invariant,
            )
        case Closure():
            function = s.function
            held = None if function.captures is None else tuple([_atom(a, env) for a in function.captures])
            return Closure(s.out, replace(function, body=_within(function.body, env), captures=held), s.span)


def renamed(block: Block, env: dict[Var, Atom] | None = None) -> Block:
    """The block with variables of its own for all that it defines."""
    env = {} if env is None else env

    def new(variables: tuple[Var, ...]) -> tuple[Var, ...]:
        made = tuple([Var(v.name, v.type, v.active) for v in variables])
        env.update(zip(variables, made, strict=True))
        return made

    def statement(s: Statement) -> Statement:
        match s:
            case Call():
                return _call(s, new(s.outs), env)
            case If():
                then, orelse = renamed(s.then, env), renamed(s.orelse, env)
                return If(new(s.outs), _atom(s.cond, env), then, orelse, s.span, s.primal)
            case Loop():
                inits, sequences = (tuple([_atom(a, env) for a in atoms]) for atoms in (s.inits, s.sequences))
                cond, body = s.cond and renamed(s.cond, env), renamed(s.body, env)
                return replace(s, outs=new(s.outs), inits=inits, sequences=sequences, cond=cond, body=body)
            case Closure():
                held = None if s.function.captures is None else tuple([_atom(a, env) for a in s.function.captures])
                function = replace(s.function, body=renamed(s.function.body, env), captures=held)
                return Closure(new(s.outs)[0], function, s.span)

    params = new(block.params)
    return Block(params, tuple(map(statement, block.statements)), tuple([_atom(r, env) for r in block.results]))


def prune(block: Block, stays: Stays = has_effect) -> Block:
    """The block without what its results do not need, but for calls of which `stays` is true. A call without outs is an
    addition into a buffer, its first argument: it is needed if the buffer is."""
    live = {r for r in block.results if isinstance(r, Var)}
    return Block(block.params, _live_statements(block.statements, live, stays), block.results)


def _live_statements(statements: tuple[Statement, ...], live: set[Var], stays: Stays) -> tuple[Statement, ...]:
    kept: list[Statement] = []
    for s in reversed(statements):
        new = _live(s, live, stays)
        if new is not None:
            kept.append(new)
    return tuple(reversed(kept))


def _read(live: set[Var], *atoms: Atom | Star) -> None:
    for atom in atoms:
        atom = atom.value if isinstance(atom, Star) else atom
        if isinstance(atom, Var):
            live.add(atom)


def _live(s: Statement, live: set[Var], stays: Stays) -> Statement | None:
    match s:
        case Call():
            wanted = stays(s) or (not live.isdisjoint(s.outs) if s.outs else s.args[0] in live)
            if not wanted:
                return None
            live.update([a for a in atoms_of(s) if isinstance(a, Var)])
            return s
        case If():
            return _live_if(s, live, stays)
        case Loop():
            return _live_loop(s, live, stays)
        case Closure():
            if s.out not in live:
                return None
            _read(live, *free_variables(s.function.body))
            return s


def _live_if(s: If, live: set[Var], stays: Stays) -> Statement | None:
    keep = [i for i, out in enumerate(s.outs) if out in live]
    blocks = []
    for block in (s.then, s.orelse):
        results = tuple(block.results[i] for i in keep)
        _read(live, *results)
        blocks.append(Block((), _live_statements(block.statements, live, stays), results))
    if not keep and not any(b.statements for b in blocks):
        return None
    _read(live, s.cond)
    return If(tuple(s.outs[i] for i in keep), s.cond, blocks[0], blocks[1], s.span, s.primal)


def _live_loop(s: Loop, live: set[Var], stays: Stays) -> Statement | None:
    n = s.carried
    keep = {i for i, out in enumerate(s.outs) if out in live} | ({s.exit_flag} if s.exit_flag is not None else set())
    while True:
        inner = set(live)
        _read(inner, *(s.body.results[i] for i in keep))
        statements = _live_statements(s.body.statements, inner, stays)
        if s.cond is not None:
            _read(inner, *(free_variables(s.cond)))
            keep_cond = {i for i, p in enumerate(s.cond.params) if p in _reads(s.cond)}
        else:
            keep_cond = set()
        more = {i for i, p in enumerate(s.body.params[:n]) if p in inner} | keep_cond
        if more <= keep:
            break
        keep |= more
    if not keep and not statements:
        return None
    live |= inner
    order = [i for i in range(len(s.outs)) if i in keep]
    carried = [i for i in order if i < n]
    _read(live, *(s.inits[i] for i in carried), *s.sequences)
    params = (*(s.body.params[i] for i in carried), *s.body.params[n:])
    body = Block(params, statements, tuple(s.body.results[i] for i in order))
    cond = s.cond and Block(tuple(s.cond.params[i] for i in carried), s.cond.statements, s.cond.results)
    stop = None if s.exit_flag is None else carried.index(s.exit_flag)
    outs = tuple(s.outs[i] for i in order)
    return Loop(
        outs,
        tuple(s.inits[i] for i in carried),
        s.sequences,
        cond,
        body,
        stop,
        s.span,
        s.primal,
        s.equal_lengths,
        s.sequences_invariant,
    )


def _reads(block: Block) -> set[Var]:
    inside = Block((), block.statements, block.results)
    return set(free_variables(inside))
