"""Indices that pick entries of an array: NumPy gives a copy, and what is stored into that is not seen in the array."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..ir.nodes import Atom, Call
from ..ir.types import UNKNOWN, Array, Inert, List, Scalar, Tuple, Type
from .infer import type_of
from .locating import held, is_located
from .versions import names_once

if TYPE_CHECKING:
    from .resolve import Resolver


def is_lost(r: Resolver, s: Call, target: Any, key: Atom) -> bool:
    """Tell whether `target[key][i] = v` stores into a copy, so that nothing is put back under the key.

    Raises
    ------
    MutationError
        Where only the run shows it.
    """
    of = held(target) if is_located(target) else type_of(target)
    if not isinstance(of, Array) and of != UNKNOWN or _gives_view(type_of(key)):
        return False
    if not isinstance(of, Array) or not _picks(type_of(key)):
        r.store(s, "store may change")
    return True


def _gives_view(t: Type) -> bool:
    if isinstance(t, Tuple):
        return all([_gives_view(item) and not isinstance(item, Tuple) for item in t.items])
    if isinstance(t, Array):
        return t.kind in "iu" and t.scalar is True
    return names_once(t) or isinstance(t, Inert) and t.cls is str


def _picks(t: Type, within: bool = False) -> bool:
    """Tell whether an index, or one `within` a tuple, surely picks entries."""
    if isinstance(t, Tuple):
        return within or any([_picks(item, True) for item in t.items])
    if isinstance(t, Array):
        return t.kind in "biu" and t.scalar is False
    return isinstance(t, List) or isinstance(t, Scalar) and t.kind == "bool"
