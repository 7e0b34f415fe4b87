"""Lists and tuples that are their items: virtual objects whose fields are what is at their places.

A list or a tuple of virtual objects is not made as long as each place that is read or stored of it is known: loops over
it are written out by `unrolling`. `virtual` says what becomes of its items where ways meet, and where it escapes.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..identity import is_hashable
from ..ir import changes, intrinsics
from ..ir.nodes import Atom, Call, Const, Star, Var
from ..ir.types import UNKNOWN, Tuple
from . import groups
from .chosen_functions import under_key
from .facts import Bound
from .infer import type_of
from .inner_layouts import layout_of
from .virtual import hold, real

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

Args = list[Any]
MAX_ITEMS = 64


def of_list(r: Resolver, s: Call, args: Args) -> Var | None:
    """`[A(...), B(...)]` as a virtual list; None where it is made."""
    return _made(r, s, intrinsics.make_list, args) if _is_of_virtual(r, args) else None


def of_tuple(r: Resolver, s: Call, args: Args) -> Var | None:
    """`(A(...), B(...))` as a virtual tuple; None where it is made."""
    if any([layout_of(a) and a in r.sp.heap for a in args]):
        return _made(r, s, intrinsics.make_tuple, args, Tuple(tuple([type_of(a) for a in args])))
    return _made(r, s, intrinsics.make_tuple, args) if _is_of_virtual(r, args) else None


def _is_of_virtual(r: Resolver, items: Args) -> bool:
    """Tell whether a display has virtual objects, in a program that may have virtual containers."""
    return r.generation.memory is None and not r.sp.heap.escaping and any([a in r.sp.heap for a in items])


def _made(r: Resolver, s: Call, make: Any, items: Sequence[Any], t: Any = UNKNOWN) -> Var | None:
    heap = r.sp.heap
    if heap.real is None or s.out in heap.real or len(items) > MAX_ITEMS:
        return None
    return _begun(r, s.out, s.out.name, make, t, items)


def begun(r: Resolver, site: Var, name: str) -> Var:
    """An empty list that takes virtual objects."""
    return _begun(r, site, name, intrinsics.make_list, UNKNOWN)


def tuple_at(r: Resolver, site: Var, items: Args) -> Var:
    """A virtual tuple of what is at a site, or of a part of that."""
    return _begun(r, site, "", intrinsics.make_tuple, UNKNOWN, items)


def _begun(r: Resolver, site: Var, name: str, make: Any, t: Any, items: Sequence[Any] = ()) -> Var:
    out = Var(name, t, True)
    r.sp.heap.made(out, site, r.sp.here)
    r.sp.heap.sequences[out] = make
    r.context.caller.is_virtual = True
    for i, value in enumerate(items):
        _put(r, out, i, value)
    return out


def _put(r: Resolver, own: Var, place: int, value: Any) -> None:
    hold(r, value, own)
    r.sp.heap.set(own, str(place), value)


def items_at(r: Resolver, a: Any) -> list[Atom] | None:
    """The items of a virtual list or tuple; None of anything else."""
    heap = r.sp.heap
    return [heap.get(a, name) for name in heap.names(a)] if a in heap.sequences and a in heap else None


def _members(r: Resolver, a: Any) -> list[Atom] | None:
    """The same, or those of a list of objects of one class."""
    found = items_at(r, a)
    return groups.members(r, a) if found is None else found


def call(r: Resolver, s: Call, fn: Atom, args: Args, kwargs: Kwargs) -> list[Atom] | None:
    """Follow a call that reads of a virtual list or tuple, or changes it; None of any other call."""
    known = fn.value if isinstance(fn, Const) else None
    if known is intrinsics.make_tuple:
        whole = of_tuple(r, s, args)
        return None if whole is None else [whole]
    if isinstance(fact := r.sp.facts.get(fn), Bound) and (items := items_at(r, fact.receiver)) is not None:
        changed = None if kwargs else _changed(r, s, [fact.receiver, Const(fact.name), *args], items)
        return changed[:1] if changed is not None else _of_real(r, s, fact, args, kwargs)
    spread = [_members(r, a.value) if isinstance(a, Star) else None for a in args]
    if any([items is not None for items in spread]):
        given = [[a] if items is None else items for a, items in zip(args, spread, strict=True)]
        return r.call(s, fn, [a for some in given for a in some], kwargs)
    follow = _OWN.get(known) if is_hashable(known) else None
    known_items = _members if known in _OF_GROUPS else items_at
    items = known_items(r, args[0]) if args and follow is not None else None
    found = follow(r, s, args, items) if items is not None and not kwargs else None  # type: ignore[misc]
    if found is None and items is not None:
        return r.call(s, fn, [real(r, args[0]), *args[1:]], kwargs)
    return found


def _of_real(r: Resolver, s: Call, fact: Bound, args: Args, kwargs: Kwargs) -> list[Atom]:
    """A call of a method of the list that a virtual one becomes."""
    method = r.emit_call(getattr, [real(r, fact.receiver), Const(fact.name)], s.span)
    return r.call(s, method, args, kwargs)


def _place(index: Any, items: Args) -> int | None:
    """The place that a constant says, from the beginning; None of any other index."""
    place = index.value if isinstance(index, Const) and type(index.value) is int else None
    return None if place is None or not -len(items) <= place < len(items) else place % len(items)


def _item(r: Resolver, s: Call, args: Args, items: Args) -> list[Atom] | None:
    if isinstance(args[1], Const) and isinstance(args[1].value, slice) and args[1].value.step != 0:
        return _again(r, s, args[0], items[args[1].value])
    place = _place(args[1], items)
    if place is not None:
        return [items[place]]
    chosen = under_key(r, s, args[1], tuple(range(len(items))), items) if items and isinstance(args[1], Var) else None
    return None if chosen is None else [chosen]


def _unpack(r: Resolver, s: Call, args: Args, items: Args) -> list[Atom] | None:
    before, *after = [a.value for a in args[1:]]
    if not after:
        return items if before == len(items) == len(s.outs) else None
    end = len(items) - after[0]
    rest = _made(r, s, intrinsics.make_list, items[before:end]) if end >= before else None
    return None if rest is None else [*items[:before], rest, *items[end:]]


def _length(r: Resolver, s: Call, args: Args, items: Args) -> list[Atom] | None:
    return [Const(len(items))] if len(args) == 1 else None


def _set_item(r: Resolver, s: Call, args: Args, items: Args) -> list[Atom] | None:
    place = _place(args[1], items)
    if place is None or not _is_list(r, args[0]):
        return None
    _put(r, args[0], place, args[2])
    return [args[0]]


def _changed(r: Resolver, s: Call, args: Args, items: Args) -> list[Atom] | None:
    """`xs.append(x)` and the like, at places that are known."""
    own, name, given = args[0], getattr(args[1], "value", None), args[2:]
    change = _METHODS.get(name) if _is_list(r, own) else None  # type: ignore[arg-type]
    found = None if change is None else change(r, items, given)
    if found is None:
        return None
    result, now = found
    for i, value in enumerate(now):
        _put(r, own, i, value)
    for i in range(len(now), len(items)):
        r.sp.heap.remove(own, str(i))
    return [result, own]


def _appended(r: Resolver, items: Args, given: Args) -> tuple[Any, Args] | None:
    return (Const(None), [*items, *given]) if len(given) == 1 else None


def _extended(r: Resolver, items: Args, given: Args) -> tuple[Any, Args] | None:
    more = _members(r, given[0]) if len(given) == 1 else None
    return None if more is None else (Const(None), [*items, *more])


def _inserted(r: Resolver, items: Args, given: Args) -> tuple[Any, Args] | None:
    place = given[0].value if len(given) == 2 and isinstance(given[0], Const) else None
    return (Const(None), [*items[:place], given[1], *items[place:]]) if type(place) is int else None


def _popped(r: Resolver, items: Args, given: Args) -> tuple[Any, Args] | None:
    place = _place(given[0] if given else Const(-1), items) if len(given) < 2 else None
    return None if place is None else (items[place], [*items[:place], *items[place + 1 :]])


_METHODS: dict[str, Callable[[Resolver, Args, Args], tuple[Any, Args] | None]] = {
    "append": _appended,
    "extend": _extended,
    "insert": _inserted,
    "pop": _popped,
    "reverse": lambda r, items, given: None if given else (Const(None), items[::-1]),
}
"""Results of methods of lists, and the items after them; None where Python is to say it."""


def _attribute(r: Resolver, s: Call, args: Args, items: Args) -> list[Atom] | None:
    """`xs.append` that is only called, and the like."""
    name = args[1].value if len(args) == 2 and isinstance(args[1], Const) else None
    if name not in _METHODS or not _is_list(r, args[0]) or s.out not in r.uses.only_called:
        return None
    out = Var(s.out.name, UNKNOWN, True)
    r.sp.facts[out] = Bound(args[0], name, getattr(list, name))
    return [out]


def _joined(r: Resolver, s: Call, args: Args, items: Args) -> list[Atom] | None:
    """`xs + ys`."""
    others, of_one = _members(r, args[1]), _kind(r, args[0]) is _kind(r, args[1])
    return _again(r, s, args[0], [*items, *others]) if others is not None and of_one else None


def _kind(r: Resolver, a: Any) -> Any:
    return intrinsics.make_list if a in r.sp.heap.groups else r.sp.heap.sequences.get(a)


def _grown(r: Resolver, s: Call, args: Args, items: Args) -> list[Atom] | None:
    """`xs += ys`: of a list the same list."""
    if not _is_list(r, args[0]):
        return _joined(r, s, args, items)
    changed = _changed(r, s, [args[0], Const("extend"), args[1]], items)
    return None if changed is None else changed[1:]


def _repeated(r: Resolver, s: Call, args: Args, items: Args) -> list[Atom] | None:
    """`xs * 3`."""
    n = args[1].value if isinstance(args[1], Const) else None
    return _again(r, s, args[0], items * n) if type(n) is int and n * len(items) <= MAX_ITEMS else None


def _again(r: Resolver, s: Call, own: Any, items: Args) -> list[Atom] | None:
    """Another sequence of the kind of one."""
    made = _made(r, s, _kind(r, own), items)
    return None if made is None else [made]


def _as(make: Any) -> Any:
    """`list(xs)` and `tuple(xs)`."""

    def fold(r: Resolver, s: Call, args: Args, items: Args) -> list[Atom] | None:
        made = _made(r, s, make, items) if len(args) == 1 else None
        return None if made is None else [made]

    return fold


def _is_list(r: Resolver, own: Any) -> bool:
    return r.sp.heap.sequences[own] is intrinsics.make_list


_OF_GROUPS = (operator.add, operator.mul)
"""Those that make another list of a list of objects of one class as well."""
_OWN: dict[Any, Callable[[Resolver, Call, Args, Args], list[Atom] | None]] = {
    operator.getitem: _item,
    intrinsics.unpack: _unpack,
    len: _length,
    operator.not_: lambda r, s, args, items: [Const(not items)],
    getattr: _attribute,
    changes.set_item: _set_item,
    changes.call_method: _changed,
    operator.iadd: _grown,
    operator.add: _joined,
    operator.mul: _repeated,
    list: _as(intrinsics.make_list),
    tuple: _as(intrinsics.make_tuple),
}
