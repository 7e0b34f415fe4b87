"""The code that a run came to, and the rules among it: calls that only the run tells are in no program that is made."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import CodeType, FrameType, FunctionType
from typing import Any

from ..recording.program import known_program
from ..runtime.spec import Spec
from ..runtime.tables import TABLES

Codes = dict[int, CodeType]
"""By identity: Python hashes all of a code object."""


def entered(f: Callable[[], Any]) -> Codes:
    """The code of each function that `f()` runs."""
    found: Codes = {}

    def note(frame: FrameType, event: str, arg: Any) -> None:
        found[id(frame.f_code)] = frame.f_code

    before = sys.gettrace()
    sys.settrace(note)
    try:
        f()
    finally:
        sys.settrace(before)
    return found


def rules_of(code: CodeType) -> list[Spec]:
    """The rules that there are for code, as its table has them."""
    table = TABLES.get(id(code))
    return [] if table is None else [spec for known in table.entries.values() for _, spec in known]


def was_recorded(function: FunctionType, ran: Codes) -> bool:
    """True if the recorded form of a function is among what ran."""
    program = known_program(function)
    return program is not None and id(program.forward) in ran
