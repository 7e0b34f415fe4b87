"""Removal of outs, carried values and parameters that nobody reads, and of reads whose value nobody reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from .intrinsics import capture, capture_cell, make_cell
from .nodes import Atom, Block, Call, Closure, Const, Function, If, Loop, Star, Statement, Var

T = TypeVar("T")

REMOVABLE = (capture, capture_cell, make_cell)


def prune(function: Function) -> Function:
    """The same function without outs of branches, carried values of loops and captures that nobody reads.

    What a loop carries is read if it is read after the loop, or by something that is: a mark over the whole function
    finds them all at once, however deeply loops are nested.
    """
    marks = _Marks()
    marks.block(function.body)
    marks.read(*function.body.results)
    live = marks.reach()
    return replace(function, body=_sweep(function.body, live, None))


class _Marks:
    """Variables that are read for sure (`roots`), and those that are read only if another one is (`needs`)."""

    def __init__(self) -> None:
        self.roots: list[Var] = []
        self.needs: dict[Var, list[Atom]] = {}

    def read(self, *atoms: Atom) -> None:
        self.roots.extend(atom for atom in atoms if isinstance(atom, Var))

    def need(self, out: Var, *atoms: Atom) -> None:
        self.needs.setdefault(out, []).extend(atom for atom in atoms if isinstance(atom, Var))

    def reach(self) -> set[Var]:
        live: set[Var] = set()
        stack = self.roots
        while stack:
            var = stack.pop()
            if var not in live:
                live.add(var)
                stack.extend(atom for atom in self.needs.get(var, ()) if isinstance(atom, Var))
        return live

    def block(self, block: Block) -> None:
        for statement in block.statements:
            match statement:
                case Call():
                    self.call(statement)
                case If(outs, cond, then, orelse):
                    self.read(cond)
                    self.block(then)
                    self.block(orelse)
                    for out, a, b in zip(outs, then.results, orelse.results, strict=True):
                        self.need(out, a, b)
                case Loop():
                    self.loop(statement)
                case Closure(_, function):
                    self.block(function.body)
                    self.read(*function.body.results)

    def call(self, statement: Call) -> None:
        atoms: list[Atom] = [statement.fn]
        atoms += [arg.value if isinstance(arg, Star) else arg for arg in statement.args]
        atoms += [value for _, value in statement.kwargs]
        if _removable(statement):
            self.need(statement.outs[0], *atoms)
        else:
            self.read(*atoms)

    def loop(self, statement: Loop) -> None:
        body, n = statement.body, statement.carried
        self.read(*statement.sequences)
        if statement.cond is not None:
            self.block(statement.cond)
            self.read(*statement.cond.results)
            for tested, param in zip(statement.cond.params, body.params, strict=False):
                self.need(tested, param)
        self.block(body)
        for out, param, init, result in zip(statement.outs, body.params, statement.inits, body.results, strict=False):
            self.need(out, param)
            self.need(param, init, result)
        for out, result in zip(statement.outs[n:], body.results[n:], strict=True):
            self.need(out, result)
        if statement.exit_flag is not None:
            self.read(statement.outs[statement.exit_flag])


def _removable(statement: Call) -> bool:
    fn = statement.fn
    return isinstance(fn, Const) and any(fn.value is removable for removable in REMOVABLE)


def _sweep(block: Block, live: set[Var], keep: Sequence[bool] | None) -> Block:
    """The block with what is not live removed; `keep` says which of its results stay."""
    statements: list[Statement] = []
    for statement in block.statements:
        match statement:
            case Call(outs=(out,)) if out not in live and _removable(statement):
                continue
            case If(outs, cond, then, orelse, span):
                kept = [out in live for out in outs]
                statement = If(_select(outs, kept), cond, _sweep(then, live, kept), _sweep(orelse, live, kept), span)
            case Loop():
                statement = _sweep_loop(statement, live)
            case Closure(out, function, span):
                statement = Closure(out, replace(function, body=_sweep(function.body, live, None)), span)
        statements.append(statement)
    results = block.results if keep is None else _select(block.results, keep)
    return Block(block.params, tuple(statements), results)


def _sweep_loop(loop: Loop, live: set[Var]) -> Loop:
    n = loop.carried
    carried = [p in live or out in live for p, out in zip(loop.body.params[:n], loop.outs[:n], strict=True)]
    collected = [out in live for out in loop.outs[n:]]
    body = _sweep(loop.body, live, [*carried, *collected])
    cond = loop.cond and _sweep(loop.cond, live, None)
    stop = loop.exit_flag
    return Loop(
        _select(loop.outs, [*carried, *collected]),
        _select(loop.inits, carried),
        loop.sequences,
        cond and replace(cond, params=_select(cond.params, carried)),
        replace(body, params=(*_select(body.params[:n], carried), *body.params[n:])),
        stop if stop is None else sum(carried[:stop]),
        loop.span,
        None,
        loop.equal_lengths,
        loop.sequences_invariant,
    )


def _select(items: Sequence[T], keep: Sequence[bool]) -> tuple[T, ...]:
    return tuple(item for item, kept in zip(items, keep, strict=True) if kept)
