"""Lists and dicts of numbers and texts that stand in globals: values also where such are memory, as long as no program
stores into them, and none that it can reach in another way is one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..ir.nodes import Call
from ..ir.types import Dict, Inert, Keyed, List, Scalar, Tuple, Type, Variadic
from .context import Again
from .locating import locates

if TYPE_CHECKING:
    from .resolve import Resolver


def type_of_table(r: Resolver, s: Call, scope: dict[str, Any], name: str) -> Type | None:
    """The type of such a value; None where it is memory, or something else."""
    memory, key = locates(r.sp), (id(scope), name)
    if memory is None or type(scope[name]) not in (list, dict):
        return None
    if s.out in memory.sites and key not in memory.stored_tables:
        memory.stored_tables.add(key)
        if memory.tables.pop(key, None) is not None:
            raise Again  # it has been read as a value before
    t = r.generation.typeof(scope[name], False)
    if key in memory.stored_tables or not is_table(t):
        return None
    memory.tables[key] = scope, t
    return t


def is_table(t: Type) -> bool:
    """Tell whether a type is that of lists and dicts of what never changes, or of such."""
    if isinstance(t, Keyed):
        return t.site is None and all([is_table(u) or _never_changes(u) for _, u in t.entries])
    return type(t) in (List, Dict) and (is_table(t.item) or _never_changes(t.item))  # type: ignore[attr-defined]


def _never_changes(t: Type) -> bool:
    if isinstance(t, Tuple):
        return all(map(_never_changes, t.items))
    return isinstance(t, (Scalar, Variadic)) or t == Inert(str)
