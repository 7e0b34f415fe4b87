"""Functions and methods of NumPy that write into an array that others may have: what they leave is stored there."""

from __future__ import annotations

import inspect
import operator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir import intrinsics
from ..ir import located as ops
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import NONE, Array, List, Tuple
from ..ops import find_op, parameters_of
from ..ops.questions import left_by, stores_early
from .facts import Structural
from .infer import type_of
from .located_reads import reading, stored, whole
from .located_stores import fits, store_array
from .locating import held, is_located, refuse
from .uses import is_call_of

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

Args = list[Any]


def by_place(value: Any, args: Args, kwargs: Kwargs) -> tuple[Args, Kwargs]:
    """Arguments of what writes into its first one, with those that it must be given by position: of
    `np.copyto(src=a, dst=c)`, and none of its options; and the `start` of numbers."""
    if value is enumerate and len(args) == 1 and [name for name, _ in kwargs] == ["start"]:
        return [*args, kwargs[0][1]], []
    after = left_by(value) if kwargs else None
    if after is None:
        return args, kwargs
    names, given, args = parameters_of(value, find_op(value)).names, dict(kwargs), [*args]  # type: ignore[arg-type]
    required = [p for p in inspect.signature(after).parameters.values() if p.default is p.empty]
    while len(args) < min(len(required), len(names)) and names[len(args)] in given:
        args.append(given.pop(names[len(args)]))
    return args, list(given.items())


def written_into(value: Any, args: Args, kwargs: Kwargs) -> Any:
    """The target into which a function of NumPy is told to write: an array, or a tuple of some."""
    if left_by(value) is not None:
        return args[0] if args else None
    if isinstance(value, np.ufunc) and len(args) > value.nin:
        return args[value.nin]
    out = dict(kwargs).get("out")
    return None if out is None or type_of(out) == NONE else out


def store_into(r: Resolver, s: Call, fn: Any, args: Args, kwargs: Kwargs, out: Any) -> list[Atom]:
    """A function of NumPy that writes into an array that others may have: what it would give is stored there."""
    value, options = fn.value, [(name, v) for name, v in kwargs if name != "out" and not _is_loose(name, v)]
    outs = outs_of(r, s, out)
    if not all([is_located(a) and isinstance(held(a), Array) for a in outs]):
        refuse(r, s)
    if value == np.add.at or value == np.subtract.at:
        return add_at(r, s, args, value == np.subtract.at)
    if value is np.copyto and len(args) == 2 and not options:
        store_array(r, s, out, Const(...), args[1])
        return [Const(None)]
    if (after := left_by(value)) is not None:
        return [left(r, s, value, after, args, options)]
    if isinstance(value, np.ufunc) and value.nout == 1 and len(options) == 1 and options[0][0] == "where":
        return [masked(r, s, fn, args[: value.nin], options[0][1], outs[0])]
    if {name for name, _ in options} - _options_of(value) or len(outs) != getattr(value, "nout", 1):
        refuse(r, s)
    given = args[: value.nin] if isinstance(value, np.ufunc) else args
    for a in given:
        _check_items(r, s, a, outs)
    new = reading(r, Call((Var(outs[0].name),), fn, (), (), s.span), fn, given, options)[0]
    _store_each(r, s, value, outs, [r.item(new, i, s.span) for i in range(len(outs))] if len(outs) > 1 else [new])
    return [r.emit_call(intrinsics.make_tuple, outs, s.span) if len(outs) > 1 else outs[0]]


def _store_each(r: Resolver, s: Call, value: Any, outs: list[Any], news: list[Any]) -> None:
    """Store what a function gives into arrays, of which no part is one of another."""
    for i, (out, new) in enumerate(zip(outs, news, strict=True)):
        t = type_of(new)
        if not isinstance(t, Array) or t.kind != held(out).kind or t.kind not in "fc":
            refuse(r, s)
        if not isinstance(value, np.ufunc) and t.dtype != held(out).dtype:
            refuse(r, s)  # a sum goes on in the precision of what it is written into
        for other in outs[:i]:
            r.append(Call((), Const(ops.check_apart), (other, out), (), s.span))
        store_array(r, s, out, Const(...), new)


def outs_of(r: Resolver, s: Call, out: Any) -> list[Any]:
    """The arrays that a function is told to write into."""
    t = type_of(out)
    return [r.item(out, i, s.span) for i in range(len(t.items))] if isinstance(t, Tuple) else [out]


def _options_of(value: Any) -> set[str]:
    """Options beside which a function writes all that it gives; `where` is one of what has axes."""
    row = None if isinstance(value, np.ufunc) else find_op(value)
    reduces = row is not None and "axis" in parameters_of(value, row).names
    return {"axis", "keepdims"} | ({"where", "initial"} if reduces else set())


def _is_loose(name: str | None, value: Any) -> bool:
    """Tell whether an option lets a ufunc write into another precision, as it is let where nothing is said."""
    return name == "casting" and isinstance(value, Const) and value.value in ("same_kind", "unsafe")


def _check_items(r: Resolver, s: Call, given: Any, outs: list[Any]) -> None:
    """Refuse a list of arrays of which one is written into: NumPy writes what it makes of one before it reads the
    next."""
    if not isinstance(held(given) if is_located(given) else type_of(given), (List, Tuple)):
        return
    made = r.made.get(given)
    if not is_call_of(made, (intrinsics.make_list, intrinsics.make_tuple)):
        refuse(r, s)
    for a in made.args:  # type: ignore[union-attr]
        _check_items(r, s, a, outs)
        for out in outs if is_located(a) else ():
            r.append(Call((), Const(ops.check_apart), (out, a), (), s.span))


def left(r: Resolver, s: Call, value: Any, after: Any, args: Args, options: Kwargs) -> Atom:
    """A call of what writes into its first argument: what it leaves there is stored."""
    early = stores_early(value) or value is np.put_along_axis and not _has_axis(args, options)
    for a in [*args[1:], *(v for _, v in options)] if early else ():
        if is_located(a):
            r.append(Call((), Const(ops.check_apart), (args[0], a), (), s.span))
    owner = getattr(value, "__self__", None)
    given = [Const(owner), *args] if isinstance(owner, np.ufunc) else args
    _store_new(r, s, args[0], after, given, options)
    return Const(None)


def _has_axis(args: Args, options: Kwargs) -> bool:
    """Tell whether `np.put_along_axis` is surely told an axis; of none it goes through the items in turn."""
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


def add_at(r: Resolver, s: Call, args: Args, subtracts: bool = False) -> list[Atom]:
    """`np.add.at(target, key, value)`, `np.subtract.at`."""
    target, key, value = [whole(r, s, a) if i and is_located(a) else a for i, a in enumerate(args)]
    if isinstance(type_of(value), List):
        value = r.emit_call(np.array, [value], s.span)
    if held(target).dtype != "float64" or not fits(type_of(value), held(target)):
        refuse(r, s)
    value = r.emit_call(operator.neg, [value], s.span) if subtracts else value
    r.append(Call((), Const(ops.add_at), (target, key, value), (), s.span, Structural("add_at")))
    stored(r, target)
    return [Const(None)]
