"""`try`: the clauses of an attempt, as its second block tells the exceptions apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from ..errors import PASSING
from ..ir import exceptions as ir
from ..ir.nodes import Atom, Block, Call, Const, If, Span, Statement, Var
from .expressions import Printer
from .forms import READ, is_call_of, statement, syntax
from .names import Text

if TYPE_CHECKING:
    from .control import Goal, Writer


@syntax(ir.caught, ir.matches, ir.swallows, level=READ)
def _asked(p: Printer, s: Call) -> Text | None:
    return None


@statement(ir.raise_again)
def _raise_again(p: Printer, s: Call) -> str | None:
    return "raise"


def attempt(w: Writer, s: If, then: Sequence[Atom], orelse: Sequence[Atom], goal: Goal, depth: int) -> bool:
    """Write an attempt; whether control never passes it."""
    if _raises_again(_printed(w, s.orelse)):  # what Python does by itself
        return w.block(s.then, then, goal, depth, s.span)
    w.row(depth, "try:", s.span)
    left = w.body(s.then, then, goal, depth + 1, s.span)
    if any(map(catches_ours, caught_classes(w, s.orelse))):
        w.row(depth, f"except {w.printer.links.name(PASSING, 'of_adjoint')}: raise", s.span)
    return _clauses(w, s.orelse, orelse, goal, depth, s.span) and left


def caught_classes(w: Writer, block: Block) -> list[object]:
    """The classes for which there are clauses."""
    asked = _asks(w, _printed(w, block))
    return [] if asked is None else [asked[1].value, *caught_classes(w, asked[0].orelse)]


@cache
def catches_ours(classes: object) -> bool:
    """Tell whether `except classes` may catch what is no exception of the program's own."""
    todo, mine = [*PASSING], classes if isinstance(classes, tuple) else (classes,)
    while todo:
        ours = todo.pop()
        if any(c in ours.__mro__ for c in mine):
            return True
        todo += ours.__subclasses__()
    return False


def _clauses(
    w: Writer, block: Block, results: Sequence[Atom], goal: Goal, depth: int, span: Span | None, error: Any = None
) -> bool:
    """Write the clauses of a block; `error` is the call that gives the exception to all of them."""
    printed = _printed(w, block)
    asked = _asks(w, printed)
    error = error or next((s for s in block.statements if is_call_of(s, ir.caught)), None)
    block = replace(block, statements=tuple([s for s in block.statements if s is not error]))
    if asked is None:
        if _raises_again(printed):
            return True
        _head(w, f"except {w.printer.links.name(BaseException)}", error, depth, span)
        return w.body(block, results, goal, depth + 1, span)
    s, classes = asked
    _head(w, f"except {w.printer.text(classes)}", error, depth, s.span)
    if _raises_again(s.orelse.statements) and not s.then.statements:
        after = tuple([other for other in block.statements if other is not s])
        return w.body(replace(block, statements=after), results, goal, depth + 1, s.span)
    sides = []
    for b in (s.then, s.orelse):
        ends: dict[Atom, Atom] = dict(zip(s.outs, b.results, strict=True))
        sides.append([ends.get(r, r) for r in results])
    left = w.body(s.then, sides[0], goal, depth + 1, s.span)
    return _clauses(w, s.orelse, sides[1], goal, depth, s.span, error) and left


def _head(w: Writer, head: str, error: Call | None, depth: int, span: Span | None) -> None:
    """Write the head of a clause, and the name of the exception. Python takes a name behind `as` back at the end of the
    clause, so nothing else may have it."""
    if error is None or error.out in w.plan.inlined or not w.plan.used(error.out):
        return w.row(depth, f"{head}:", span)
    name = w.names[error.out]
    if Counter(w.names.values())[name] == 1:
        return w.row(depth, f"{head} as {name}:", span)
    w.row(depth, f"{head}:", span)
    w.row(depth + 1, f"{name} = {w.printer.links.name(ir.caught)}()", span)


def _printed(w: Writer, block: Block) -> list[Statement]:
    return [s for s in w.plan.printed(block) if not is_call_of(s, ir.caught)]


def _raises_again(printed: Sequence[Statement]) -> bool:
    return len(printed) == 1 and is_call_of(printed[0], ir.raise_again)


def _asks(w: Writer, printed: Sequence[Statement]) -> tuple[If, Const] | None:
    """The branch on whether the exception is of a class that is known, if there is nothing else."""
    if not printed or not isinstance(s := printed[0], If) or not isinstance(s.cond, Var):
        return None
    if len(printed) > 1 and not (_raises_again(s.orelse.statements) and not s.then.statements):
        return None
    test = w.plan.definition.get(s.cond)
    if s.cond not in w.plan.inlined or not isinstance(test, Call) or not is_call_of(test, ir.matches):
        return None
    classes = test.args[1]
    return (s, classes) if isinstance(classes, Const) else None
