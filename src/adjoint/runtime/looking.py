"""Programs that look for fields as they run."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..ir.intrinsics import invoke
from ..ir.nodes import Block, Call, Const, Var, blocks_of
from ..ir.types import UNKNOWN
from ..transforms.facts import Dynamic
from ..transforms.splitting import of_others


def looks_for_fields(block: Block) -> bool:
    """Tell whether a block looks for fields of what only the run shows."""
    return any(map(_is_looking, _usual_calls(block)))


def _usual_calls(block: Block) -> Iterator[Call]:
    """The calls of a block and of those within, but for what is done with values of kinds that were not seen."""
    for s in block.statements:
        if isinstance(s, Call):
            yield s
        for inner in blocks_of(s):
            if not of_others(inner):
                yield from _usual_calls(inner)


def _is_looking(s: Call) -> bool:
    """Tell whether a call looks for a field of what has no type, or is of a method of such a thing."""
    looks = isinstance(s.fn, Const) and (s.fn.value is getattr or s.fn.value is invoke)
    owner: Any = s.args[0] if looks else None
    return isinstance(s.how, Dynamic) and isinstance(owner, Var) and owner.type == UNKNOWN
