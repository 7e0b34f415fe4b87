"""The doings of statements when an exception leaves them, and who may see it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..ir.nodes import Atom
from ..ops.questions import mutators
from .builder import Builder
from .changing import changed_by_call
from .first_use import bound_in, first_use, half_way, reads_of
from .nodes import Step, Throw


@dataclass(frozen=True, slots=True)
class Attempt:
    """Statements that an exception may leave, what is done then, and the statements of that, by which it may go on."""

    node: ast.stmt
    body: Sequence[ast.stmt]
    on_error: Callable[[Builder], None]
    handlers: Sequence[Sequence[ast.stmt]]
    manager: Atom | None = None
    """The manager that is left then, if one is."""


def steps_of(b: Builder, body: Sequence[ast.stmt], attempt: Attempt) -> list[list[ast.stmt]]:
    """Statements in groups, so that none is behind one that has changed what may be seen if it raises."""
    steps: list[list[ast.stmt]] = [[]]
    for s in body:
        if steps[-1] and not _is_quiet(s) and any(is_seen(b, name, attempt) for name in changed_in(steps[-1])):
            steps.append([])
        steps[-1].append(s)
    return steps


def half_done(b: Builder, s: ast.stmt, attempt: Attempt) -> str:
    """A name that a statement may have changed when it raises, and that is seen then; else nothing."""
    return next((name for name in sorted(half_way([s])) if is_seen(b, name, attempt)), "")


def _is_quiet(s: ast.stmt) -> bool:
    """Tell whether a statement surely raises nothing."""
    return isinstance(s, (ast.Pass, ast.Break, ast.Continue, Step)) or (
        isinstance(s, (ast.Assign, ast.Return)) and not isinstance(s, Throw)
        and isinstance(s.value, ast.Constant | None)
        and all(isinstance(t, ast.Name) for t in getattr(s, "targets", ()))
    )  # fmt: skip


def changed_in(body: Sequence[ast.AST]) -> set[str]:
    """The names that are bound anywhere in statements, and those of what they store into."""
    found = {*bound_in(body)}
    for n in (n for s in body for n in ast.walk(s)):
        match n:
            case (
                ast.Attribute(value=owner, ctx=ast.Store() | ast.Del())
                | ast.Subscript(value=owner, ctx=ast.Store() | ast.Del())
            ):
                found |= _root(owner)
            case ast.Call() if changed := changed_by_call(n):
                found.add(changed)
            case ast.Call(func=ast.Attribute(value=owner, attr=method)) if method in mutators():
                found |= _root(owner)
            case ast.AugAssign(target=target):
                found |= _root(target)
    return found


def _root(owner: ast.expr) -> set[str]:
    while isinstance(owner, (ast.Attribute, ast.Subscript)):
        owner = owner.value
    return {owner.id} if isinstance(owner, ast.Name) else set()


def is_seen(b: Builder, name: str, attempt: Attempt) -> bool:
    """Tell whether anybody may read what a name was when an exception left the body."""
    name = b.mangle(name)
    if name in b.cells or name in b.scope.globals or name in b.scope.nonlocals:
        return True
    if name not in b.visible:
        return False
    uses = [first_use(name, body) for body in attempt.handlers] or [""]
    if "read" in uses or "" not in uses:
        return "read" in uses
    function: Any = b.chain[-1]
    elsewhere = _count(name, function.body) > _count(name, [attempt.node])
    again = [*attempt.body, *getattr(attempt.node, "orelse", ())]  # in the next round of a loop
    return elsewhere or first_use(name, again) == "read"


def _count(name: str, body: Sequence[ast.AST]) -> int:
    """The number of times that a name is read."""
    return sum(1 for s in body for _ in reads_of(name, s))
