"""Lists by keys: where the items come from that `xs.sort(...)` leaves at each place, and what `max`, `min` and `sorted`
give by a function where objects, lists and dicts are memory, of which that may read some."""

from __future__ import annotations

import bisect
import builtins
import operator
from collections import Counter
from typing import TYPE_CHECKING, Any

from ..ir import heaps, intrinsics
from ..ir.nodes import Atom, Block, Call, Const, Loop, Var
from ..ir.types import BOTTOM, INT, Array, Dict, Fn, Inert, List, Located, Scalar, Tuple, Type
from ..ops.arithmetic import element_of, is_rank0
from .facts import is_active
from .infer import type_of
from .locating import refuse
from .mapping import named, run
from .memory import is_data
from .outs import is_none

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver


def sorted_in_place(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs, read: Any = None) -> Atom | None:
    """The order that a `sort` of its first argument brings; None where it is not known what that does. `read` gives
    what a list holds that is memory."""
    items, key = args[0], dict(kwargs).get("key", Const(None))
    of_list = read is not None or len(args) == 2 and type(type_of(items)) is List
    if not of_list or not _sees_no_list(key):
        return None
    return _order(r, s, items, kwargs, read)


def by_key(r: Resolver, s: Call, fn: Any, args: list[Any], kwargs: Kwargs) -> Atom | None:
    """`max(items, key=...)`, `min`, `sorted`; None of any other call."""
    given = dict(kwargs)
    others = {"key", "reverse"} if fn is builtins.sorted else {"key"}
    if fn not in (builtins.max, builtins.min, builtins.sorted) or len(args) != 1 or not {"key"} <= {*given} <= others:
        return None
    copied = fn is builtins.sorted and isinstance(type_of(args[0]), Located)  # the function may change the list
    again = copied or type_of(args[0]) == Inert(range) or is_dict(args[0])
    items = listed(r, s, args[0]) if again else args[0]
    held = t.of if isinstance(t := type_of(items), Located) else t
    if is_none(given["key"]) or type(held) is not List or held.item == BOTTOM:
        return None
    if fn is builtins.sorted:
        order = _order(r, s, items, kwargs)
        return None if order is None else _each(r, s, order, lambda i, x: ((x,), Const(operator.getitem), (items, i)))
    return _extreme(r, s, fn, items, _keys(r, s, items, given["key"]))


def extreme_of_keys(r: Resolver, s: Call, fn: Any, target: Atom) -> Atom:
    """`max(target)` or `min(target)` of a dict that others may have."""
    items = listed(r, s, target)
    found = _extreme(r, s, fn, items, items)
    return r.call(s, Const(fn), [items], [])[0] if found is None else found


def _extreme(r: Resolver, s: Call, fn: Any, items: Atom, keys: Atom) -> Atom | None:
    """The item of the largest key, or of the smallest."""
    if not compares(element_of(type_of(keys))):
        return None
    find = intrinsics.argmax if fn is builtins.max else intrinsics.argmin
    return r.emit_call(operator.getitem, [items, r.emit_call(find, [keys], s.span)], s.span, s.outs[0].name)


def most_common(counts: Counter[Any], n: int | None = None) -> list[tuple[Any, Any]]:
    """`counts.most_common(n)`."""
    return counts.most_common(n)


def fold_most_common(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom]:
    """`counts.most_common(n)`: the items with the largest numbers first, and those that are equal as they stand."""
    target, n = ([*args, *(v for _, v in kwargs)] + [Const(None)])[:2]
    if (
        len(args) + len(kwargs) > 2
        or [name for name, _ in kwargs] not in ([], ["n"])
        or not is_none(n)
        and type_of(n) != INT
    ):
        refuse(r, s)
    items = _each(r, s, r.emit_call(dict.items, [target], s.span))
    counts = _each(r, s, items, lambda x, y: ((y,), Const(operator.getitem), (x, Const(1))))
    if not compares(element_of(type_of(counts))):
        refuse(r, s)
    order = r.emit_call(heaps.order_of_sort, [counts, Const(True)], s.span)
    if not is_none(n):
        end = r.emit_call(builtins.max, [n, Const(0)], s.span)
        order = r.emit_call(operator.getitem, [order, r.emit_call(slice, [Const(None), end], s.span)], s.span)
    return [_each(r, s, order, lambda i, x: ((x,), Const(operator.getitem), (items, i)))]


def fold_place(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom] | None:
    """`bisect_left(xs, x)` and `bisect_right(xs, x)` of numbers."""
    if kwargs or len(args) != 2 or not isinstance(type_of(args[0]), (List, Tuple, Array)):
        return None
    if not is_rank0(element_of(type_of(args[0]))) or not is_rank0(type_of(args[1])):
        return None
    find = heaps.place_before if s.fn.value is bisect.bisect_left else heaps.place_behind  # type: ignore[union-attr]
    out = Var(s.out.name, INT, False)
    r.append(Call((out,), Const(find), tuple(args), (), s.span))
    return [out]


def is_dict(a: Any) -> bool:
    """Tell whether an atom is a dict that others may have."""
    t = type_of(a)
    return isinstance(t, Located) and isinstance(t.of, Dict)


def listed(r: Resolver, s: Call, a: Atom) -> Atom:
    """The list of what a loop takes from a range, or of the keys of a dict."""
    return _each(r, s, a)


def _order(r: Resolver, s: Call, items: Atom, kwargs: Kwargs, read: Any = None) -> Atom | None:
    """The places that the items come from."""
    given = dict(kwargs)
    key, reverse = given.pop("key", Const(None)), given.pop("reverse", Const(False))
    if given or is_active(reverse):
        return None
    keys = (items if read is None else read()) if is_none(key) else _keys(r, s, items, key)
    if not compares(element_of(type_of(keys))):
        return None
    return r.emit_call(heaps.order_of_sort, [keys, reverse], s.span)


def _keys(r: Resolver, s: Call, items: Atom, key: Atom) -> Atom:
    """The results of a function for the items, one after the other."""
    return _each(r, s, items, lambda x, y: ((y,), named(r, key), (x,)))


def _each(r: Resolver, s: Call, items: Atom, call: Any = None) -> Atom:
    """The list of items, or of what a call gives for each."""
    x, y, ys = Var(), Var(), Var()
    body = Block((x,), (), (x,))
    if call is not None:
        outs, fn, args = call(x, y)
        given = tuple([a if a is x else named(r, a) for a in args])
        body = Block((x,), (Call(outs, fn, given, span=s.span),), (y,))
    return run(r, [Loop((ys,), (), (named(r, items),), None, body, span=s.span)], ys)


def _sees_no_list(key: Atom) -> bool:
    """Tell whether a function captures no list: while the list is sorted, Python shows it empty."""
    t = type_of(key)
    if isinstance(key, Const) or not isinstance(t, Fn):
        return isinstance(key, Const)
    return all([isinstance(u, Fn) and not u.parts or is_data(u) and not hasattr(u, "item") for u in t.parts])


def compares(t: Type) -> bool:
    """Tell whether values of a type have an order, so that no comparison raises half-way."""
    if isinstance(t, Tuple):
        return all(map(compares, t.items))
    number = isinstance(t, Array) and t.scalar is True and t.kind in "biuf"
    return number or isinstance(t, Scalar) and t.kind != "complex" or t == Inert(str)


FOLDS: dict[Any, Any] = {
    most_common: fold_most_common,
    **dict.fromkeys((bisect.bisect_left, bisect.bisect_right), fold_place),
}
