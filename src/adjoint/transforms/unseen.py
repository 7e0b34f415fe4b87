"""Calls of which only the run shows what they are of: they may change their arguments, as only a rule would notice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..ir.nodes import Const, Statement, blocks_of
from .effects import IN_PLACE
from .facts import Callee, Dynamic


def found_at_run_time(statements: Sequence[Statement], find: Callable[[Any], Any]) -> bool:
    """Tell whether there are calls of which only the run shows what they are of, in functions that are called as well;
    of functions that `find` has no rules of."""

    def unseen(s: Statement) -> bool:
        match getattr(s, "how", None):
            case Dynamic():
                fn = s.fn  # type: ignore[union-attr]
                return not (isinstance(fn, Const) and fn.value not in IN_PLACE and find(fn.value))
            case Callee(handle):
                return handle.unseen  # type: ignore[no-any-return]
        return any(found_at_run_time(block.statements, find) for block in blocks_of(s))

    return any(map(unseen, statements))
