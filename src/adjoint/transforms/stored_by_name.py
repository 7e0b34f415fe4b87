"""Stores into fields by their names: `setattr(target, name, value)` and `delattr(target, name)`."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

from ..identity import is_hashable
from ..ir import changes
from ..ir.nodes import Atom, Call, Const
from .resizing import HEAPS

if TYPE_CHECKING:
    from .resolve import Resolver

_STORES = {builtins.setattr: changes.set_attribute, builtins.delattr: changes.delete_attribute}


def stored_by_name(r: Resolver, s: Call, given: Atom, args: list[Any]) -> list[Atom] | None:
    """The results of a call that stores into a field of an object, and the object after it: as the statement does
    where the name is known. None of any other call, and where it is of a function of heaps."""
    if not isinstance(given, Const) or given.value is not changes.call_with:
        return None
    target, fn, *rest = args
    value = fn.value if isinstance(fn, Const) and is_hashable(fn.value) else None
    if value in HEAPS:
        return None
    name = rest[0].value if isinstance(rest[0], Const) else None
    if value not in _STORES or type(name) is not str:
        return [*r.call(Call((s.outs[0],), fn, (), (), s.span), fn, [target, *rest], []), target]
    store = Const(_STORES[value])
    return [Const(None), *r.call(Call((s.outs[1],), store, (), (), s.span), store, [target, *rest], [])]
