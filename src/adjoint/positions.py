"""Places of the instructions of a code object in its file."""

from __future__ import annotations

from types import CodeType

Positions = list[tuple[int | None, int | None, int | None, int | None]]
_KNOWN: dict[int, tuple[CodeType, Positions]] = {}
_MOST = 16


def positions_in(code: CodeType) -> Positions:
    """The positions of the instructions of a code object, kept of a few: who looks on at a run asks for each one."""
    known = _KNOWN.get(id(code))
    if known is None or known[0] is not code:
        if len(_KNOWN) >= _MOST:
            _KNOWN.clear()
        known = _KNOWN[id(code)] = code, list(code.co_positions())
    return known[1]
