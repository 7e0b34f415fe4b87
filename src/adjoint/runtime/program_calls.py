"""The calls of a program, what they are of, and which are nobody else's: draws from generators of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..ir.nodes import Block, Call, Const, Loop, Statement, Var, blocks_of
from ..ir.types import BOTTOM, List
from ..ir.watch import watched
from ..ops.draws import draw_of, is_draw
from ..transforms.drawing import makes_generator
from ..transforms.infer import type_of

_NOTHING = List(BOTTOM)


def statements_of(block: Block) -> Iterator[Statement]:
    """All statements of a block and of those within it, without a call for each: chains of conditions nest deeply. What
    is done with each item of an empty list is done to none."""
    todo = [block]
    while todo:
        for s in todo.pop().statements:
            yield s
            if not (isinstance(s, Loop) and _NOTHING in map(type_of, s.sequences)):
                todo += blocks_of(s)


def called(s: Call) -> Any:
    """The atom that is called; of a call that is watched, the one that is."""
    return s.args[0] if isinstance(s.fn, Const) and s.fn.value is watched else s.fn


def function_called(s: Call) -> Any:
    """The function that a call is of, where that is known."""
    fn = called(s)
    return fn.value if isinstance(fn, Const) else None


def shared_calls_of(block: Block) -> list[Call]:
    """The calls of a program, but for draws from generators that it makes of numbers: a second run makes them anew, and
    draws the same."""
    calls = [s for s in statements_of(block) if isinstance(s, Call)]
    own = {s.out for s in calls if makes_generator(s)}
    if not own:
        return calls
    methods = {s.out for s in calls if _is_method_of(s, own)}
    return [s for s in calls if not (s.outs and s.outs[0] in own or called(s) in methods or _is_draw_from(s, own))]


def _is_method_of(s: Call, own: set[Var]) -> bool:
    if function_called(s) is not getattr or s.args[0] not in own or not isinstance(name := s.args[1], Const):
        return False
    return draw_of(type_of(s.args[0]), name.value) is not None


def _is_draw_from(s: Call, own: set[Var]) -> bool:
    given = s.args[called(s) is not s.fn :]
    return is_draw(function_called(s)) and bool(given) and given[0] in own
