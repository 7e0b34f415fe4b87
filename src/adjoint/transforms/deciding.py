"""Questions that constants and types decide: comparisons of constants, and what kind of container a value is."""

from __future__ import annotations

import builtins
import operator
from typing import TYPE_CHECKING, Any

from ..ir import intrinsics
from ..ir.nodes import Atom, Call, Const
from ..ir.types import Array, Dict, Inert, List, Scalar, Tuple, Variadic
from .infer import type_of
from .objects import fold_instance
from .virtual_classes import fold_has

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

_PLAIN = (int, str, bool)
"""Classes of constants that are compared as everybody knows."""


def fold_comparison(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """`a == b`, `a < b` and the others, of two constants."""
    values = [a.value for a in args if isinstance(a, Const)]
    if kwargs or len(values) != 2 or not all([type(v) in _PLAIN for v in values]):
        return None
    both_texts = sum([type(v) is str for v in values]) != 1
    compare: Any = s.fn.value  # type: ignore[union-attr]
    return [Const(compare(*values))] if both_texts or compare in (operator.eq, operator.ne) else None


def fold_is_sequence(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """Fold the question whether a pattern of items may match."""
    t = type_of(args[0])
    if isinstance(t, (List, Tuple, Variadic)):
        return [Const(True)]
    return [Const(False)] if isinstance(t, (Dict, Scalar, Array)) or t == Inert(str) else None


def fold_is_mapping(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """Fold the question whether a pattern of keys may match."""
    t = type_of(args[0])
    if isinstance(t, Dict):
        return [Const(True)]
    return [Const(False)] if isinstance(t, (List, Tuple, Variadic, Scalar, Array)) or t == Inert(str) else None


FOLDS: dict[Any, Any] = {
    builtins.isinstance: fold_instance,
    builtins.hasattr: fold_has,
    intrinsics.is_sequence: fold_is_sequence,
    intrinsics.is_mapping: fold_is_mapping,
    **dict.fromkeys((operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge), fold_comparison),
}
