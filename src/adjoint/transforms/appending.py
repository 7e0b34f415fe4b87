"""Lists that a loop carries and does nothing with but append to them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..ir import changes
from ..ir.nodes import Atom, Block, Closure, If, Loop, Statement, Var, atoms_of, free_variables
from .uses import is_call_of


def only_grows(block: Block, p: Var, result: Atom) -> bool:
    """Tell whether a round only appends to a list that it carries, asks for its length, and hands it on."""
    versions: set[Any] = {p}
    return _only_append(block.statements, versions) and result in versions


def _only_append(statements: Iterable[Statement], versions: set[Any]) -> bool:
    """The same of statements; adds the versions of the list that they make."""
    return all([_only_appends(s, versions) for s in statements])


def _only_appends(s: Statement, versions: set[Any]) -> bool:
    match s:
        case If():
            inside = [_only_append(block.statements, versions) for block in (s.then, s.orelse)]
            ways = zip(s.outs, s.then.results, s.orelse.results, strict=True)
            return all(inside) and s.cond not in versions and _hand_on(ways, versions)
        case Loop():
            return _loop_only_appends(s, versions)
        case Closure():
            return versions.isdisjoint(free_variables(s.function.body))
    if is_call_of(s, (changes.list_append,)) and s.args[0] in versions and s.args[1] not in versions:
        versions.update(s.outs)
        return True
    return versions.isdisjoint(atoms_of(s)) or is_call_of(s, (len,))


def _loop_only_appends(s: Loop, versions: set[Any]) -> bool:
    n = s.carried
    params = [s.body.params[:n], s.outs[:n]] if s.cond is None else [s.body.params[:n], s.cond.params, s.outs[:n]]
    for names in params:
        versions.update([name for name, init in zip(names, s.inits, strict=True) if init in versions])
    inside = [_only_append(block.statements, versions) for block in (s.cond, s.body) if block is not None]
    tests = () if s.cond is None else s.cond.results
    unread = versions.isdisjoint([*s.sequences, *tests, *s.body.results[n:]])
    return all(inside) and unread and _hand_on(zip(s.outs, s.inits, s.body.results[:n], strict=False), versions)


def _hand_on(ways: Iterable[tuple[Var, Atom, Atom]], versions: set[Any]) -> bool:
    """Tell whether what becomes of two values is the list where both are, or neither is; adds it to the versions."""
    pairs = [(out, a in versions, b in versions) for out, a, b in ways]
    versions.update([out for out, a, _ in pairs if a])
    return all([a == b for _, a, b in pairs])
