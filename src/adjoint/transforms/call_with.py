"""Calls of functions that change their first argument: `setattr(target, name, value)`, `np.fill_diagonal(a, v)`."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

import numpy as np

from ..identity import is_hashable
from ..ir import changes, intrinsics
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import Array
from ..ops import find_op
from ..ops.questions import left_by
from . import named_fields
from .effects import is_new
from .infer import is_immutable, type_of
from .locating import locates
from .resizing import HEAPS

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

_STORES = {builtins.setattr: changes.set_attribute, builtins.delattr: changes.delete_attribute}


def changed_by_call(r: Resolver, s: Call, given: Atom, args: list[Any], kwargs: Kwargs) -> list[Atom] | None:
    """The results of a call that stores into its first argument, and that after it: as the statement does that stores
    the same. None of any other call, and where it is of a function of heaps."""
    if not isinstance(given, Const) or given.value is not changes.call_with:
        return None
    target, fn, *rest = args
    value = fn.value if isinstance(fn, Const) and is_hashable(fn.value) else None
    if value in HEAPS:
        return None
    if value is intrinsics.write_out:
        return _written_out(r, s, target, rest[0], rest[1:], kwargs)
    if (later := written(r, s, target, value, rest, kwargs)) is not None:
        return [Const(None), later]
    found = named_fields.store(r, s, target, *rest) if value is builtins.setattr and len(rest) == 2 else None
    if found is not None:
        return found
    name = rest[0].value if rest and isinstance(rest[0], Const) else None
    if value not in _STORES or type(name) is not str:
        return [*r.call(Call((s.outs[0],), fn, (), (), s.span), fn, [target, *rest], kwargs), target]
    store = Const(_STORES[value])
    return [Const(None), *r.call(Call((s.outs[1],), store, (), (), s.span), store, [target, *rest], [])]


def written(r: Resolver, s: Call, target: Any, function: Any, rest: list[Any], kwargs: Kwargs) -> Atom | None:
    """The version of an array after a function that writes into it: what that leaves there is stored. None where arrays
    are memory, and where what is written may be a part of the array."""
    after, t = left_by(function), type_of(target)
    in_memory = r.context.plain or locates(r.sp) is not None
    if after is None or in_memory or not isinstance(t, Array) or t.scalar is not False:
        return None
    if not all([_is_apart(r, a) for a in (*rest, *(v for _, v in kwargs))]):
        return None
    out = Var(s.outs[1].name)
    new = r.call(Call((out,), Const(after), (), (), s.span), Const(after), [target, *rest], kwargs)[0]
    return _stored(r, s, target, new) if type_of(new) == t else None


def _written_out(r: Resolver, s: Call, out: Any, fn: Atom, args: list[Any], kwargs: Kwargs) -> list[Atom]:
    """The array that a ufunc gives and writes into, twice: what it leaves there is stored."""
    t, value, names = type_of(out), fn.value if isinstance(fn, Const) else None, [name for name, _ in kwargs]
    known = (
        isinstance(t, Array) and t.scalar is False and t.dtype and not (r.context.plain or locates(r.sp) is not None)
    )
    if known and isinstance(value, np.ufunc) and value.nout == 1 and len(args) == value.nin:
        by, given = fn, args
        if names == ["where"]:
            after = find_op(np.ufunc.__call__).leaves  # type: ignore[union-attr]
            by, given = Const(after), [fn, out, kwargs[0][1], *args]
        if names in ([], ["where"]) and r.result(by.value, given) == t:  # type: ignore[union-attr]
            new = r.call(Call((Var(s.outs[1].name),), by, (), (), s.span), by, given, [])[0]
            return [_stored(r, s, out, new)] * 2
    return [*r.call(Call((s.outs[0],), fn, (), (), s.span), fn, args, [*kwargs, ("out", out)]), out]


def method_written(r: Resolver, s: Call, target: Any, name: str, rest: list[Any], kwargs: Kwargs) -> Atom | None:
    """The same after a method of arrays."""
    t = type_of(target)
    if name == "fill" and len(rest) == 1 and not kwargs and isinstance(t, Array) and is_immutable(type_of(rest[0])):
        return None if t.scalar is not False or locates(r.sp) is not None else _stored(r, s, target, rest[0])
    return written(r, s, target, getattr(np.ndarray, name, None), rest, kwargs)


def _stored(r: Resolver, s: Call, target: Any, value: Any) -> Atom:
    """`target[...] = value`."""
    store, out = Const(changes.set_item), Var(s.outs[1].name)
    return r.call(Call((out,), store, (), (), s.span), store, [target, Const(...), value], [])[0]


def _is_apart(r: Resolver, a: Any) -> bool:
    """Tell whether what a function is given shares no memory with anything."""
    made = r.made.get(a)
    new = isinstance(made, Call) and isinstance(made.fn, Const) and is_new(made, made.fn.value)
    return isinstance(a, Const) or is_immutable(type_of(a)) or isinstance(type_of(a), Array) and new
