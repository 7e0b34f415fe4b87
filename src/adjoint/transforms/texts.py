"""Values made of constant texts: pieces, sums, lengths, f-strings, and slices by constants."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from ..ir import intrinsics
from ..ir.nodes import Atom, Call, Const

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

_PLAIN = (str, int, bool, type(None), slice)
MAX_TEXT = 200


def fold_texts(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """A function of constant texts, and of numbers beside them, as what it gives; None of any other, and where it
    raises."""
    function: Any = s.fn.value  # type: ignore[union-attr]
    values = [a.value for a in args if isinstance(a, Const)]
    if kwargs or len(values) < len(args) or not all([type(v) in _PLAIN for v in values]):
        return None
    if function is not slice and str not in map(type, values):
        return None
    try:
        found = function(*values)
    except (TypeError, ValueError, IndexError):
        return None  # Python says it when it runs
    return None if type(found) is str and len(found) > MAX_TEXT else [Const(found)]


FOLDS: dict[Any, Any] = dict.fromkeys((operator.add, slice, intrinsics.format_value, intrinsics.fstring), fold_texts)
