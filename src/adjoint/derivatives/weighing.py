"""Programs whose objects are memory, in place of such that look for fields as they run.

What is a node or None, or one of several classes, has no type where objects are values: each field of a linked list or
a tree is found as the program runs. Where objects are memory it has a type. So a program that looks for fields is
weighed once against the other, from what it is by then.
"""

from __future__ import annotations

from types import FunctionType
from typing import Any

from ..rules.registry import has_rules
from ..runtime.spec import Spec
from ..runtime.tables import TABLES, Table
from ..tangents.sweep import thread
from .parameters import laid_out
from .plans import forget_plans_of
from .sharing import sharing_program

Args = tuple[Any, ...]
AFTER = 2
"""Calls after which programs are what they stay: the first ones observe."""


def to_be_weighed(table: Table, spec: Spec) -> bool:
    """Tell whether a program looks for fields, and has not been weighed yet."""
    return table.weighed <= AFTER and spec.looks_for_fields


def weigh(f: Any, args: Args, kwargs: dict[str, Any]) -> None:
    """Have later calls of a function take objects for memory, where that is known to be better. Nothing is run."""
    table: Table | None = TABLES.get(id(f.__code__)) if type(f) is FunctionType else None
    if table is None or table.weighed > AFTER or thread.state.trial:
        return
    table.weighed += 1
    if (
        table.weighed <= AFTER
        or has_rules(f)
        or table.shares is not None
        or (found := laid_out(f, args, kwargs)) is None
    ):
        return
    if not any([spec.looks_for_fields for entries in table.entries.values() for _, spec in entries]):
        return
    program = sharing_program(f, found[1])
    if program is None or program.looks_for_fields or program.has_effects:
        table.shares = None
    else:
        table.preferred = True
        forget_plans_of(f.__code__)


def let_be(f: Any) -> None:
    """Go back to the program by structure, where the other has failed that was preferred to it."""
    table = TABLES.get(id(f.__code__)) if type(f) is FunctionType else None
    if table is not None and table.preferred:
        table.preferred, table.shares = False, None
        forget_plans_of(f.__code__)
