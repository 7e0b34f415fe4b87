"""Programs that store into lists and dicts, and into no array: arrays are values there, as numbers are.

An array that nobody stores into needs no memory of its own: what is read of it may be kept as it is, and its cotangent
goes where the value goes. Whether a program is one of these is asked of each call as it is read, by what the operation
says that it writes, and of all calls of the typed program once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..errors import MutationError
from ..identity import is_hashable
from ..ir import changes, intrinsics
from ..ir.nodes import Atom, Call, Const, Function, Star
from ..ir.types import Array, Either, List, Tuple, Type, Unknown
from ..ops.questions import mutators, writing_names
from .effects import IN_PLACE, writes
from .facts import Bound
from .frames import place_of
from .infer import type_of
from .uses import calls_of

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

_STORES = frozenset(
    [changes.set_item, changes.set_in_row, changes.delete_item, changes.append_at, changes.set_attribute]
    + [changes.call_method, changes.call_with, changes.changed, *IN_PLACE]
)


def check(r: Resolver, s: Call, fn: Atom, args: Sequence[Any], kwargs: Kwargs) -> None:
    """Refuse a call that stores into an array."""
    fact = r.sp.facts.get(fn)
    by_name = isinstance(fact, Bound) and fact.name in mutators() and _may_be_array(type_of(fact.receiver))
    if by_name or isinstance(fn, Const) and _stores(fn.value, args, kwargs):
        raise _refusal(r.context.function, s)


def check_all(function: Function) -> None:
    """Refuse a typed program in which a call stores into an array."""
    for s in calls_of(function.body.statements):
        if isinstance(s.fn, Const) and _stores(s.fn.value, s.args, s.kwargs):
            raise _refusal(function, s)


def _stores(fn: Any, args: Sequence[Any], kwargs: Sequence[tuple[str | None, Any]]) -> bool:
    """Tell whether a call may store into an array that it is given."""
    values = [a.value if isinstance(a, Star) else a for a in args] + [a for _, a in kwargs]
    types = [type_of(a) for a in values]
    if not is_hashable(fn) or not any(map(_may_be_array, types)):
        return False
    if fn in _STORES:
        return _may_be_array(types[0])
    if fn in intrinsics.INVOKING:
        name = getattr(values[1], "value", None)
        return _may_be_array(types[0]) and (name is None or name in writing_names() or "out" in dict(kwargs))
    return writes(fn, args, [name for name, _ in kwargs])


def _may_be_array(t: Type) -> bool:
    """Tell whether a value may be an array, or hold some as the outs of a function do."""
    if isinstance(t, Tuple):
        return any(map(_may_be_array, t.items))
    if isinstance(t, List):
        return _may_be_array(t.item)
    return isinstance(t, (Unknown, Either)) or isinstance(t, Array) and t.scalar is not True


def _refusal(function: Function, s: Call) -> MutationError:
    return MutationError(
        f"`{function.name}` stores into an array",
        "arrays are taken for values here",
        "make a new array",
        place_of(function, s),
    )
