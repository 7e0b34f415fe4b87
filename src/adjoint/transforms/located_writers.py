"""Functions and methods of NumPy that write into an array that others may have: what they leave is stored there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir import located as ops
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import NONE, Array, List, Tuple
from ..ops import find_op
from ..ops.questions import stores_early
from .facts import Structural
from .infer import type_of
from .located_reads import reading, stored, whole
from .located_stores import fits, store_array
from .locating import held, is_located, refuse

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

Args = list[Any]


def written_into(value: Any, args: Args, kwargs: Kwargs) -> Any:
    """What a function of NumPy is told to write into."""
    if value == np.add.at or left_by(value) is not None:
        return args[0] if args else None
    if isinstance(value, np.ufunc) and len(args) > value.nin:
        return args[value.nin]
    out = dict(kwargs).get("out")
    return None if out is None or type_of(out) == NONE else out


def store_into(r: Resolver, s: Call, fn: Any, args: Args, kwargs: Kwargs, out: Any) -> list[Atom]:
    """A function of NumPy that writes into an array that others may have: what it would give is stored there."""
    value, options = fn.value, [(name, v) for name, v in kwargs if name != "out"]
    if not is_located(out) or not isinstance(held(out), Array):
        refuse(r, s)
    if value == np.add.at:
        return add_at(r, s, args)
    if value is np.copyto and len(args) == 2 and not options:
        store_array(r, s, out, Const(...), args[1])
        return [Const(None)]
    if (after := left_by(value)) is not None:
        return [left(r, s, value, after, args, options)]
    if isinstance(value, np.ufunc) and value.nout == 1 and len(options) == 1 and options[0][0] == "where":
        return [masked(r, s, fn, args[: value.nin], options[0][1], out)]
    if isinstance(value, np.ufunc) and (value.nout > 1 or {name for name, _ in options} - {"axis", "keepdims"}):
        refuse(r, s)
    if not isinstance(value, np.ufunc) and {name for name, _ in options} - {"axis", "keepdims"}:
        refuse(r, s)
    given = args[: value.nin] if isinstance(value, np.ufunc) else args
    if any([isinstance(held(a) if is_located(a) else type_of(a), (List, Tuple)) for a in given]):
        refuse(r, s)  # NumPy writes what it makes of one item before it reads the next
    new = reading(r, Call((Var(out.name),), fn, (), (), s.span), fn, given, options)[0]
    t = type_of(new)
    if not isinstance(t, Array) or t.dtype != "float64" or held(out).dtype != "float64":
        refuse(r, s)
    store_array(r, s, out, Const(...), new)
    return [out]


def left_by(value: Any) -> Any:
    """The function that gives what another leaves in its first argument; None if there is none."""
    row = find_op(value) if value is not None and not isinstance(value, np.ufunc) else None
    return None if row is None else row.leaves


def left(r: Resolver, s: Call, value: Any, after: Any, args: Args, options: Kwargs) -> Atom:
    """A call of what writes into its first argument: what it leaves there is stored."""
    early = stores_early(value) or value is np.put_along_axis and not _has_axis(args, options)
    for a in [*args[1:], *(v for _, v in options)] if early else ():
        if is_located(a):
            r.append(Call((), Const(ops.check_apart), (args[0], a), (), s.span))
    _store_new(r, s, args[0], after, args, options)
    return Const(None)


def _has_axis(args: Args, options: Kwargs) -> bool:
    """Whether `np.put_along_axis` is surely told an axis; of none it goes through the items in turn."""
    axis = args[3] if len(args) > 3 else dict(options).get("axis", Const(-1))
    return isinstance(axis, Const) and type(axis.value) is int


def masked(r: Resolver, s: Call, fn: Any, args: Args, where: Any, out: Any) -> Atom:
    """`ufunc(*args, out=out, where=where)`."""
    _store_new(r, s, out, find_op(np.ufunc.__call__).leaves, [fn, out, where, *args], [])  # type: ignore[union-attr]
    return out  # type: ignore[no-any-return]


def _store_new(r: Resolver, s: Call, target: Any, make: Any, args: Args, options: Kwargs) -> None:
    """Store what a function of the old array gives into all of it."""
    new = reading(r, Call((Var(target.name),), Const(make), (), (), s.span), Const(make), args, options)[0]
    if type_of(new) != held(target):
        refuse(r, s)
    store_array(r, s, target, Const(...), new)


def add_at(r: Resolver, s: Call, args: Args) -> list[Atom]:
    """`np.add.at(target, key, value)`."""
    target, key, value = [whole(r, s, a) if i and is_located(a) else a for i, a in enumerate(args)]
    if isinstance(type_of(value), List):
        value = r.emit_call(np.array, [value], s.span)
    if held(target).dtype != "float64" or not fits(type_of(value), held(target)):
        refuse(r, s)
    r.append(Call((), Const(ops.add_at), (target, key, value), (), s.span, Structural("add_at")))
    stored(r, target)
    return [Const(None)]
