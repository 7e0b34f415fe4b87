"""Copies of objects, and of lists, dicts and arrays that others may have: memory of their own, which holds the same.

What comes to a copy comes to what it was made of. All that was copied is known when that is done, so that a copy of
what holds itself, or holds something twice, is one like any other.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from ..ir import located as ops
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import Among, Array, Dict, Inert, List, Ref
from .facts import Structural
from .infer import is_immutable, type_of
from .locating import demand, held, is_located
from .memory import holds_memory

if TYPE_CHECKING:
    from .resolve import Resolver


def copied_memory(r: Resolver, s: Call, function: Any, target: Any) -> Atom | None:
    """`copy.copy(target)` and `copy.deepcopy(target)`; None of what is copied as a value."""
    if function is not copy.copy and function is not copy.deepcopy:
        return None
    t, deep = type_of(target), function is copy.deepcopy
    if deep and isinstance(t, (List, Dict)) and holds_memory(t):
        demand(r, target, s)
    if not isinstance(t, (Ref, Among)) and not (deep and is_located(target) and _holds(target)):
        return None
    out, pairs = Var(s.outs[0].name, t, False), Var("", Inert(list), False)
    make = Const(ops.copy_all if deep else ops.copy_one)
    r.append(Call((out, pairs), make, (target,), (), s.span, Structural("copied_memory")))
    return out


def _holds(target: Any) -> bool:
    """Tell whether such memory holds something that may change in its turn."""
    of = held(target)
    return not isinstance(of, Array) and not is_immutable(of.item)
