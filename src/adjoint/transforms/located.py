"""Lists, dicts and arrays that others may have: what they hold is memory, read and stored into where the program does.

A call that is given one of them reads all that it holds, and gets a copy; so no value that is kept for the reverse pass
ever changes. What gives a part of an array, or the array by another form, gives memory again. All else that may show
or keep one of them is refused.
"""

from __future__ import annotations

import bisect
import builtins
import copy
import math
import operator
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..identity import is_hashable
from ..ir import changes, intrinsics
from ..ir import located as ops
from ..ir.nodes import Atom, Call, Const, Star, Var
from ..ir.types import BOOL, INT, NONE, Array, Dict, List, Tuple
from ..ops.questions import left_by, mutators, of_numpy
from ..origin import own_name
from . import steady
from .effects import IN_PLACE, PLAIN
from .facts import Bound, RunThrough, Structural, is_active
from .infer import type_of
from .located_branches import asked
from .located_copies import copied_memory
from .located_entries import entries, numbered
from .located_heaps import changes_in_order
from .located_keys import of_keys
from .located_parts import sort, turn
from .located_reads import (
    CLASSES,
    array_in,
    emitted,
    holds_array,
    item,
    number_in,
    reading,
    values_in,
    whole,
)
from .located_stores import (
    append,
    append_in,
    clear,
    delete_item,
    extend,
    fill,
    in_place,
    insert,
    pop,
    remove,
    set_item,
    set_part,
    update,
)
from .located_views import in_one_row, rows_of, shown_by, uses_in, window_by, window_of_attribute
from .located_writers import by_place, left, outs_of, store_into, written_into
from .locating import can_change, demand, held, is_located, locates, refuse, require, stores, unify_all
from .memory import holds_memory
from .sequence_streams import items_of_memory
from .sorting import by_key, extreme_of_keys, is_dict
from .uses import is_call_of
from .written import TELLING

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver

Args = list[Any]


def call(r: Resolver, s: Call, fn: Atom, args: Args, kwargs: Kwargs) -> list[Atom] | None:
    """A call that stores into a list, a dict or an array, or is given one that others may have; None of any other."""
    value = fn.value if isinstance(fn, Const) and is_hashable(fn.value) else None
    if kwargs and (found := by_key(r, s, value, args, kwargs)) is not None:
        return [found]
    if (memory := locates(r.sp)) is None:
        return None
    if memory.steady:
        steady.check(r, s, fn, args, kwargs)
    args, kwargs = by_place(value, args, kwargs)
    fact = r.sp.facts.get(fn)
    if isinstance(fact, Bound) and is_located(fact.receiver):
        return _method(r, s, fact.function, [fact.receiver, *args], kwargs)
    if isinstance(fact, Bound) and fact.name in mutators() and can_change(r, fact.receiver):
        demand(r, fact.receiver, s)
    target: Any = args[0] if args and not isinstance(args[0], Star) else None
    of_array = isinstance(type_of(target), Array) if target is not None else False
    by_name = of_array and (value is changes.set_attribute or _is_stored_in_one_row(r, s, value, args))
    if by_name and memory.steady:
        refuse(r, s)
    if target is not None and can_change(r, target) and (by_name or stores(Call((), fn, tuple(args)))):
        if (
            value in PLAIN
            and s.outs[0] in r.stored_back
            and is_call_of(r.made.get(target), (ops.load_item, ops.load_part))
        ):
            return r.call(s, Const(PLAIN[value]), args, [])  # entries that an index picks, which are stored next
        demand(r, target, s)
    if (out := written_into(value, args, kwargs)) is not None:
        for a in outs_of(r, s, out):
            if can_change(r, a):
                demand(r, a, s)
    if target is not None and len(args) == 1 and not kwargs and (own := copied_memory(r, s, value, target)) is not None:
        return [own]
    if value is ops.load_whole:
        return [values_in(r, s, target)]
    values = [a.value if isinstance(a, Star) else a for a in (*args, *(v for _, v in kwargs))]
    if not any(map(is_located, values)) and not (out is not None and holds_memory(type_of(out))):
        if value is enumerate and isinstance(r.sp.facts.get(target), RunThrough):
            return numbered(r, s, args) if not kwargs else refuse(r, s)
        holding = any([holds_memory(type_of(a)) for a in values]) and len(values) == len(args) + len(kwargs)
        takes = holding and _takes_values(r, value) and not any([isinstance(a, Star) for a in args])
        return reading(r, s, fn, args, kwargs) if takes else None
    if is_located(target) and (found := changes_in_order(r, s, value, args, kwargs)) is not None:
        return [found, target][: len(s.outs)]
    if value is changes.call_method and is_located(target):
        t: Any = type_of(target)
        method = getattr(CLASSES[type(t.of)], args[1].value, None)
        given = _method(r, s, method, [target, *args[2:]], kwargs)
        return [given[0], target]
    if any([isinstance(a, Star) for a in args]):
        if _is_written(r, value) or isinstance(fn, Var):
            return None  # the items are read one by one, where the function says how many it takes
        if value is not intrinsics.make_list:
            refuse(r, s)
        return r.call(s, fn, [_whole_of(r, s, a) for a in args], kwargs)
    return _known(r, s, fn, value, args, kwargs)


def _whole_of(r: Resolver, s: Call, a: Any) -> Atom | Star:
    """The items that a display takes: of a star before memory, all that it holds."""
    return Star(whole(r, s, a.value)) if isinstance(a, Star) and is_located(a.value) else a


def _is_stored_in_one_row(r: Resolver, s: Call, value: Any, args: Args) -> bool:
    """Tell whether an attribute of an array is `flat`, and is stored into."""
    if value is not builtins.getattr or not isinstance(args[1], Const) or args[1].value != "flat":
        return False
    return any([use is not None and is_call_of(use, (changes.set_item,)) for use in uses_in(r, s.outs[0])])


def _known(r: Resolver, s: Call, fn: Atom, value: Any, args: Args, kwargs: Kwargs) -> list[Atom] | None:
    if value in (max, min) and len(args) == 1 and not kwargs and is_dict(args[0]):
        return [extreme_of_keys(r, s, value, args[0])]
    if value in _OF_KEYS and is_located(args[0]) and isinstance(held(args[0]), Dict):
        return of_keys(r, s, fn, args, kwargs)
    if value in _OWN and not kwargs and (given := _OWN[value](r, s, args)) is not None:
        return given
    if value in (intrinsics.make_list, intrinsics.make_dict):
        items = [require(r, a, s) for a in args]
        keys = items[::2] if value is intrinsics.make_dict else []
        if not keys or not all([isinstance(key, Const) and type(key.value) is str for key in keys]):
            unify_all(r, [*map(type_of, items)])
        return None
    arrays = any([isinstance(held(a), Array) for a in args if is_located(a)])
    if value in (operator.is_, operator.is_not) and arrays and NONE not in map(type_of, args):
        refuse(r, s)  # each name of an array is a window of its own
    if value in _LET_PASS or value is changes.set_attribute or isinstance(fn, Var) or _is_written(r, value):
        return None
    if (out := written_into(value, args, kwargs)) is not None:
        return store_into(r, s, fn, args, kwargs, out)
    if value in _VIEWS and is_located(args[0]) and isinstance(held(args[0]), Array):
        return [window_by(r, s, fn, args, kwargs)]
    if value in _REFUSED or value is None or r.generation.find_rules(value) is None and value not in _READING:
        refuse(r, s)
    return reading(r, s, fn, args, kwargs)


def _takes_values(r: Resolver, value: Any) -> bool:
    """Tell whether a function with a rule takes all that it is given at once."""
    moves = value in _LET_PASS or value in _OWN or value in _OF_KEYS
    return is_hashable(value) and not moves and of_numpy(value) and r.generation.find_rules(value) is not None


def _is_written(r: Resolver, value: Any) -> bool:
    """Tell whether a function is one of the user's, which is written out where it is called."""
    made = isinstance(value, types.FunctionType) and r.generation.find_rules(value) is None
    return made or isinstance(value, type) and value.__module__ not in ("builtins", "numpy")


# ---- methods


def _method(r: Resolver, s: Call, method: Any, args: Args, kwargs: Kwargs) -> list[Atom]:
    """`target.name(...)`, by the method of its class."""
    if any([isinstance(a, Star) for a in args]):
        refuse(r, s)
    if method is list.sort and len(args) == 1:
        return [sort(r, s, args, kwargs)]
    if method is dict.update:
        return [update(r, s, args, kwargs)]
    if method in _METHODS and not kwargs:
        return [_METHODS[method](r, s, args)]
    if (after := left_by(method)) is not None:
        return [left(r, s, method, after, args, kwargs)]
    if method is None or own_name(method) in mutators():
        refuse(r, s)
    one = s if len(s.outs) == 1 else Call((s.outs[0],), s.fn, (), (), s.span)
    found = _known(r, one, Const(method), method, args, kwargs)
    return found if found is not None else refuse(r, s)


def copied(r: Resolver, s: Call, args: Args) -> Atom:
    """A copy of what is there now, in the order that is asked for."""
    order = args[1] if len(args) > 1 else Const("C")
    if len(args) > 2 or not isinstance(order, Const):
        refuse(r, s)
    found = whole(r, s, args[0], again=True)
    if not isinstance(found.type, Array) or found.type.ndim == 1:
        return found
    out, how = Var(found.name, found.type, found.active), Structural("same") if found.active else None
    r.append(Call((out,), Const(changes.copied), (found, order), (), s.span, how))
    return out


def attribute(r: Resolver, s: Call, args: Args) -> list[Atom]:
    """`target.name`."""
    target, named = args[:2]
    if len(args) > 2 or not isinstance(named, Const) or not is_located(target):
        refuse(r, s)
    of, name = held(target), named.value
    cls = CLASSES[type(of)]
    static: Any = getattr(cls, name, None)
    if isinstance(static, types.MethodDescriptorType) and s.outs[0] in r.uses.only_called:
        out = Var(s.outs[0].name, type_of(target), False)
        r.sp.facts[out] = Bound(target, name, static)
        return [out]
    if isinstance(of, Array) and shown_by(of, name) is not None:
        return [window_of_attribute(r, s, Const(operator.attrgetter(name)), target)]
    if isinstance(of, Array) and name == "flat":
        return [in_one_row(r, s, target)]
    if isinstance(of, Array) and name == "ndim" and of.ndim is not None:
        return [Const(of.ndim)]
    if isinstance(of, Array) and name in ("shape", "size") and of.ndim is not None:
        return [emitted(r, s, ops.shape_of, args, INT if name != "shape" else Tuple((INT,) * of.ndim))]
    refuse(r, s)


def _listed(r: Resolver, s: Call, args: Args) -> list[Atom]:
    """`list(target)`: a list of its own of the same items."""
    same = isinstance(held(args[0]), List) and len(args) == 1
    return [copied(r, s, args)] if same else reading(r, s, Const(list), args, [])


def _copied(r: Resolver, s: Call, args: Args) -> list[Atom]:
    """`copy.copy(target)`, and `copy.deepcopy(target)` of numbers."""
    if len(args) > 1:
        refuse(r, s)
    return [copied(r, s, [*args, Const("K")])]


def _unpacked(r: Resolver, s: Call, args: Args) -> list[Atom]:
    """`a, b = target`: its items, memory or not."""
    of = held(args[0])
    if isinstance(of, Array) and len(args) == 2 and len(s.outs) == args[1].value != 1 and (of.ndim or 0) > 1:
        return rows_of(r, s, args[0])
    if not isinstance(of, List):
        return reading(r, s, Const(intrinsics.unpack), args, [])
    return r.call(s, Const(intrinsics.unpack), [whole(r, s, args[0]), *args[1:]], [])


def _length(r: Resolver, s: Call, args: Args) -> list[Atom]:
    return [emitted(r, s, ops.size_of, args, INT)]


def _holds_none(r: Resolver, s: Call, args: Args) -> list[Atom]:
    if isinstance(held(args[0]), Array):
        refuse(r, s)
    return [emitted(r, s, ops.is_empty, args, BOOL)]


def _contains(operation: Any, plain: Any) -> Callable[[Resolver, Call, Args], list[Atom]]:
    def fold(r: Resolver, s: Call, args: Args) -> list[Atom]:
        if is_located(args[0]) and isinstance(held(args[0]), Dict) and not is_active(args[1]):
            return [emitted(r, s, operation, args, BOOL)]
        return reading(r, s, Const(plain), args, [])

    return fold


_OWN: dict[Any, Callable[[Resolver, Call, Args], list[Atom] | None]] = {
    operator.getitem: item,
    ops.load_array: array_in,
    ops.load_number: number_in,
    ops.holds_array: holds_array,
    changes.set_item: set_item,
    changes.delete_item: delete_item,
    changes.append_at: append_in,
    len: _length,
    list: _listed,
    **dict.fromkeys((copy.copy, copy.deepcopy), _copied),
    intrinsics.unpack: _unpacked,
    enumerate: numbered,
    np.ndenumerate: items_of_memory,
    operator.not_: _holds_none,
    operator.contains: _contains(ops.has_key, operator.contains),
    changes.set_attribute: set_part,
    intrinsics.not_contains: _contains(ops.has_no_key, intrinsics.not_contains),
    builtins.getattr: attribute,
    **{operation: in_place(operation) for operation in IN_PLACE},
}
_METHODS: dict[Any, Callable[[Resolver, Call, Args], Atom]] = {
    list.append: append,
    list.extend: extend,
    list.insert: insert,
    list.remove: remove,
    list.reverse: turn,
    list.clear: clear,
    dict.clear: clear,
    dict.get: asked(stores=False),
    dict.setdefault: asked(stores=True),
    list.pop: pop,
    dict.pop: pop,
    **{getattr(dict, part): entries(part) for part in ("keys", "values", "items")},
    np.ndarray.fill: fill,
    **dict.fromkeys((list.copy, dict.copy, np.ndarray.copy), copied),
}
_VIEWS = frozenset(
    [np.ndarray.reshape, np.ndarray.ravel, np.ndarray.transpose, np.ndarray.swapaxes, np.ndarray.squeeze]
    + [np.reshape, np.ravel, np.transpose, np.swapaxes, np.squeeze, np.moveaxis, np.rollaxis, np.rot90]
    + [np.flip, np.fliplr, np.flipud, np.expand_dims, np.atleast_1d, np.atleast_2d, np.atleast_3d]
    + [np.ndarray.diagonal, np.diagonal, np.broadcast_to, np.lib.stride_tricks.sliding_window_view]
    + [np.asarray, np.asanyarray, np.ascontiguousarray, np.real, np.imag]
)
"""What gives the array by another form."""
_LET_PASS = frozenset(
    [operator.is_, operator.is_not, intrinsics.make_tuple, changes.object_of, zip]
    + [intrinsics.load_global, intrinsics.capture, intrinsics.default]
)
"""What is told how to go on with them elsewhere."""
_REFUSED = frozenset([reversed, iter, map, filter, next, np.ndenumerate, hash, isinstance, type, setattr, *TELLING])
_OF_KEYS = frozenset([sorted, list, tuple, set, frozenset, max, min, sum, any, all])
"""What takes the keys of a dict."""
_READING = frozenset(
    [sum, max, min, sorted, any, all, abs, round, float, int, bool, list, tuple, intrinsics.unpack]
    + [math.prod, math.fsum, bisect.bisect, bisect.bisect_left, bisect.bisect_right]
)
