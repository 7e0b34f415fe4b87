"""Arrays that are made of displays: `np.array([[x, y], [y, x]])`.

Stores make new values, so that what is read of such an array at a known place is what was written there. It is read as
ever, since it is a number of NumPy's then; but its cotangent goes to the item, and none of the array is made for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir import intrinsics
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import List, Scalar, Type
from ..tangents import listed
from .cotangent_map import Cotangent, CotangentMap, bar_name
from .facts import Items, Rows, Structural, is_active
from .infer import type_of

if TYPE_CHECKING:
    from .attributes import Folded
    from .resolve import Kwargs, Resolver


def fold_made(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`np.array` of a display of floats."""
    if kwargs or len(args) != 1 or r.context.plain or r.generation.only_primal or not is_active(args[0]):
        return None
    rows, t = _rows(r, args[0]), r.result(np.array, args)
    if rows is None or getattr(t, "dtype", "") != "float64":
        return None
    out = Var(s.out.name, t, True)
    r.sp.facts[out] = Rows(rows)
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural("array", _shape(rows))))
    return [out]


def _rows(r: Resolver, display: Atom) -> tuple[Any, ...] | None:
    """The items of a list display, and of those within it, if these are numbers in full rows."""
    made = r.made.get(display)
    if not isinstance(made, Call) or not isinstance(made.fn, Const) or made.fn.value is not intrinsics.make_list:
        return None
    items = [_rows(r, a) if isinstance(type_of(a), List) else a for a in made.args]  # type: ignore[arg-type]
    if None in items or len({_shape(item) for item in items}) != 1:
        return None
    numbers = all([isinstance(a, tuple) or isinstance(type_of(a), Scalar) for a in items])  # type: ignore[arg-type]
    return tuple(items) if numbers else None


def _shape(rows: Any) -> tuple[int, ...]:
    return (len(rows), *_shape(rows[0])) if isinstance(rows, tuple) else ()


def array_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    """The items of the cotangent of the whole array."""
    items: Any = s.args[0]
    items_bar = B.builder.call(listed, d.atom, Const(s.how.extra), name=bar_name(items), type=items.type)
    B.add_whole(items, items_bar)


# What is read of them


def part_of(r: Resolver, rows: Rows, index: Atom) -> Any:
    """The part at a known place, an atom or several in tuples; None if that is not known."""
    fact = r.sp.facts.get(index)
    places: Sequence[Any] = fact.atoms if isinstance(fact, Items) else (index,)
    if len(places) == 1 and isinstance(places[0], Const) and type(places[0].value) is tuple:
        places = [Const(place) for place in places[0].value]
    part: Any = rows.atoms
    for i, place in enumerate(places):
        value: Any = place.value if isinstance(place, Const) else None
        if not isinstance(part, tuple):
            return None
        here = type(value) is int and -len(part) <= value < len(part)
        if not here and not (type(value) is slice and i == len(places) - 1 and part[value]):
            return None
        part = part[value]
    return part


def read(r: Resolver, s: Call, args: Sequence[Atom], item: Atom, t: Type) -> Atom:
    """A call that reads one number, which stands for an item."""
    active = is_active(item)
    value = Var("" if active else s.out.name, t, False)
    r.append(Call((value,), s.fn, tuple(args), (), s.span))
    if not active:
        return value
    out = Var(s.out.name, t, True)
    r.append(Call((out,), Const(intrinsics.read_from), (value, item), (), s.span, Structural("entry")))
    return out


def fold_read(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """The same in a program that is differentiated again: what is read may be followed by itself."""
    value, item = args
    if is_active(value) or not is_active(item):
        return [value]
    out = Var(s.out.name, type_of(value), True)
    r.append(Call((out,), s.fn, (value, item), (), s.span, Structural("entry")))
    return [out]


def entry_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    """All of it goes to the item."""
    B.add(s.args[1], *d)  # type: ignore[arg-type]


def fold_number(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`a.item()` of an array of one number."""
    fact = r.sp.facts.get(args[0]) if len(args) == 1 and isinstance(args[0], Var) else None
    item: Any = fact.atoms if isinstance(fact, Rows) else None
    while isinstance(item, tuple):
        item = item[0] if len(item) == 1 else None
    return None if item is None or kwargs else [read(r, s, args, item, r.result(s.fn.value, args))]  # type: ignore[union-attr]


def fold_listing(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`a.tolist()`, of which may be read as of the array."""
    fact = r.sp.facts.get(args[0]) if len(args) == 1 and isinstance(args[0], Var) else None
    if kwargs or not isinstance(fact, Rows):
        return None
    out = r.general(s, s.fn, args, [])
    if isinstance(out, Var):
        r.sp.facts[out] = fact
    return [out]
