"""Parts of lists that others may have, and the order of their items: what replaces, deletes and sorts them."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from ..ir import located as ops
from ..ir.nodes import Atom, Call, Const
from ..ir.types import INT, Inert, List
from .facts import Structural
from .infer import type_of
from .located_reads import emitted, stored, whole
from .locating import held, refuse
from .sorting import sorted_in_place

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

Args = list[Any]


def is_slice(key: Atom) -> bool:
    """Tell whether a key names a part of a list."""
    return type_of(key) == Inert(slice) or isinstance(key, Const) and type(key.value) is slice


def replace_part(r: Resolver, s: Call, target: Any, key: Atom, values: Atom) -> None:
    """`target[key] = values` of a list."""
    put_part(r, s, target, emitted(r, s, ops.places_of, [target, key], Inert(range)), values)


def put_part(r: Resolver, s: Call, target: Any, places: Atom, values: Atom) -> None:
    """The same by the places that the slice names."""
    n = r.emit_call(len, [values], s.span)
    how = Structural("replace_part", n) if held(target).differentiable else None
    r.append(Call((), Const(ops.replace_part), (target, places, values), (), s.span, how))
    stored(r, target)


def delete_part(r: Resolver, s: Call, target: Any, key: Atom) -> None:
    """`del target[key]` of a list."""
    places = emitted(r, s, ops.places_of, [target, key], Inert(range))
    drop_part(r, s, target, places, emitted(r, s, ops.places_but, [target, places], List(INT)))


def drop_part(r: Resolver, s: Call, target: Any, places: Atom, kept: Atom) -> None:
    """The same by the places that the slice names, and those of what stays."""
    how = Structural("delete_part") if held(target).differentiable else None
    r.append(Call((), Const(ops.delete_part), (target, places, kept), (), s.span, how))
    stored(r, target)


def sort(r: Resolver, s: Call, args: Args, kwargs: Kwargs) -> Atom:
    """`target.sort(...)`."""
    (target,) = args
    order = sorted_in_place(r, s, args, kwargs, lambda: whole(r, s, target))
    return refuse(r, s) if order is None else ordered(r, s, target, order)


def turn(r: Resolver, s: Call, args: Args) -> Atom:
    """`target.reverse()`."""
    n = emitted(r, s, ops.size_of, args, INT)
    order = r.emit_call(range, [r.emit_call(operator.sub, [n, Const(1)], s.span), Const(-1), Const(-1)], s.span)
    return ordered(r, s, args[0], order)


def ordered(r: Resolver, s: Call, target: Any, order: Atom) -> Atom:
    """The items from other places."""
    how = Structural("take_items") if held(target).differentiable else None
    r.append(Call((), Const(ops.take_items), (target, order), (), s.span, how))
    stored(r, target)
    return Const(None)
