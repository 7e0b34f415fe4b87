"""Objects of classes of dict and list: virtual objects of which one more field is what they hold.

    class Stack(list):                              class Stack:
        def push(self, v): self.append(v)               def push(self, v): self.items.append(v)
        def peek(self): return self[-1]         →       def peek(self): return self.items[-1]

What such a class says itself is a method like any other. What it leaves to dict or list is done to what the object
holds: a call is given that in place of the object, and its next version where it changes it. `virtual` says what
becomes of the object; where it escapes, the program is read again without it, and the object is made by its class.
"""

from __future__ import annotations

import abc
import builtins
import inspect
import math
import operator
import types
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..identity import is_hashable
from ..ir import changes, intrinsics
from ..ir.nodes import Atom, Block, Call, Const, If, Loop, Star, Var
from ..ir.types import ABSENT, UNKNOWN, Array, Dict, Keyed, Located, Record
from ..ops.python import IN_PLACE
from ..ops.questions import mutators
from ..origin import is_read_class, module_of
from . import virtual_dicts
from .facts import Bound
from .heap import VERSION, Escapes, Memory
from .infer import type_of
from .mapping import named, run
from .superclasses import is_left
from .virtual import changing, hold
from .virtual_methods import truth_of
from .written import target_of

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver
    from .specialise import Specialiser

Args = list[Any]
ITEMS = " items"
"""The name of the field, which no attribute has."""

_BY_ITEMS = ("__iter__",)
_LISTED = ("__iter__", "__len__")
"""Methods that Python calls to make a list, for which it asks how long it will be."""
_AS_ARRAY = ("__array__", "__array_interface__", "__array_struct__", "__array_ufunc__", "__array_function__")
_ASKED: dict[Any, tuple[str, ...]] = {
    operator.getitem: ("__getitem__", "__missing__"),
    changes.set_item: ("__setitem__",),
    changes.delete_item: ("__delitem__",),
    operator.contains: ("__contains__",),
    intrinsics.not_contains: ("__contains__",),
    operator.not_: ("__bool__", "__len__"),
    bool: ("__bool__", "__len__"),
    len: ("__len__",),
    **dict.fromkeys((list, tuple, sorted), _LISTED),
    reversed: ("__reversed__", "__len__", "__getitem__"),
    **dict.fromkeys((iter, sum, min, max, any, all, enumerate, zip, math.fsum, set, map, filter), _BY_ITEMS),
    **dict.fromkeys((np.array, np.asarray), ("__iter__", "__len__", "__getitem__", *_AS_ARRAY)),
    **dict.fromkeys((dict, intrinsics.unpack, intrinsics.entries, intrinsics.settled), _BY_ITEMS),
}
"""Functions that dict and list answer for their first argument, and the methods by which a class would answer them."""
_AFTER = (map, filter)
"""Those that do not ask their first argument, but the others."""
_NAMED: dict[str, Any] = {
    "__getitem__": operator.getitem,
    "__setitem__": changes.set_item,
    "__delitem__": changes.delete_item,
    "__contains__": operator.contains,
    "__len__": len,
    "__iter__": iter,
}
"""Functions for the methods of dict and list that a class calls by their names."""


def base_of(cls: Any) -> type | None:
    """Dict or list, where objects of a class are made and read as those of it are, but for methods in Python."""
    if type(cls) not in (type, abc.ABCMeta) or not is_read_class(cls) or hasattr(cls, "__del__"):
        return None
    base = next((b for b in (dict, list) if issubclass(cls, b)), None)
    others = [b for b in cls.__mro__ if b is not base and b is not object and not is_read_class(b)]
    plain = base is not None and not others and cls.__new__ is base.__new__
    plain = plain and cls.__getattribute__ is base.__getattribute__ and cls.__hash__ is None
    plain = plain and not any([hasattr(cls, name) for name in _AS_ARRAY])
    return base if plain and not getattr(cls, "__abstractmethods__", None) else None


def begin(r: Resolver, own: Var, cls: type) -> None:
    """Take a new object for one that holds items."""
    if (base := base_of(cls)) is not None:
        r.sp.heap.contents[own] = base


def items_of(r: Resolver, s: Call, own: Any) -> Atom:
    """The items that an object holds now; nothing, as long as its `__init__` has not said it."""
    if ITEMS not in r.sp.heap.names(own):
        fill(r, s, own, [], [])
    return r.sp.heap.get(own, ITEMS)


def fill(r: Resolver, s: Call, own: Any, args: Args, kwargs: Kwargs) -> Atom:
    """Write out `dict.__init__(own, ...)` of an object that holds nothing yet."""
    base = r.sp.heap.contents[own]
    if ITEMS not in r.sp.heap.names(own):
        _hold(r, s, own, base if args or kwargs or base is dict else intrinsics.make_list, args, kwargs)
    elif args or kwargs or base is list:
        raise r.sp.heap.escape(own)
    return Const(None)


def _hold(r: Resolver, s: Call, own: Any, make: Any, args: Args, kwargs: Kwargs) -> None:
    heap = r.sp.heap
    site = r.context.sites.setdefault(heap.sites[own][0], Var("items"))  # the same at each reading
    args, kwargs = _handed(r, s, args, kwargs, make)
    if make is dict and (not args or _is_dict(r, args[0])):
        display = Call((site,), Const(intrinsics.make_dict), (), (), s.span)
        items: Any = virtual_dicts.begun(r, display) or r.call(display, display.fn, [], [])[0]
        update = Call((Var(""), site), Const(changes.call_method), (), (), s.span)
        if args or kwargs:
            items = r.call(update, update.fn, [items, Const("update"), *args], kwargs)[1]
    else:
        items = r.call(Call((site,), Const(make), (), (), s.span), Const(make), args, kwargs)[0]
    hold(r, items, own)
    heap.set(own, ITEMS, items)


def _is_dict(r: Resolver, a: Any) -> bool:
    return not isinstance(a, Star) and (isinstance(type_of(a), (Dict, Keyed)) or a in r.sp.heap.dicts)


def _holds(r: Resolver, a: Any) -> bool:
    return a in r.sp.heap.contents and a in r.sp.heap


def _leaves(r: Resolver, own: Any, names: Iterable[str]) -> bool:
    """Tell whether the class of an object leaves methods to dict or list, on which the program relies from then on."""
    cls, base = own.type.cls, r.sp.heap.contents[own]
    if any([inspect.getattr_static(cls, name, None) is not inspect.getattr_static(base, name, None) for name in names]):
        return False
    for name in names:
        for each in cls.__mro__[: cls.__mro__.index(base)]:
            r.guard(each, name, ABSENT)
    return True


def _handed(r: Resolver, s: Call, args: Args, kwargs: Kwargs, fn: Any = None) -> tuple[Args, Kwargs]:
    """Arguments with the items of objects behind stars, and of those that a function asks for their items."""
    operates = module_of(fn) == "_operator" and fn not in _ASKED
    operators = _operators(r, fn, args) if operates else None
    given = [_given(r, s, a, _asked_at(fn, i, len(args)) or operators) for i, a in enumerate(args)]
    return given, [(name, _items(r, s, v, _BY_ITEMS) if name is None else v) for name, v in kwargs]


def _asked_at(fn: Any, place: int, n: int) -> tuple[str, ...] | None:
    """The methods by which a function asks the argument at a place; None where it does not ask it for its items."""
    names = _ASKED.get(fn) if is_hashable(fn) else None
    if names is None or (fn is min or fn is max) and n > 1:
        return None
    return names if place == 0 and fn not in _AFTER or place > 0 and fn in (zip, *_AFTER) else None


def _given(r: Resolver, s: Call, a: Any, names: Iterable[str] | None) -> Any:
    if isinstance(a, Star):
        return Star(_items(r, s, a.value, _LISTED))
    return a if names is None else _items(r, s, a, names)


def _items(r: Resolver, s: Call, a: Any, names: Iterable[str]) -> Any:
    return items_of(r, s, a) if _holds(r, a) and _leaves(r, a, names) else a


def _operators(r: Resolver, fn: Any, args: Args) -> tuple[str, ...] | None:
    """The methods by which an operator of such objects may be looked up; None where other objects have it."""
    others = [isinstance(type_of(a), Record) and not _holds(r, a) for a in args]
    if any(others) or not r.generation.overridden(fn, [type_of(a) for a in args]):
        return None
    names, reflected = r.generation.operator_methods(fn)
    asked: tuple[str, ...] = _LISTED if fn in IN_PLACE else ()  # which take the items of what is added
    asked = _ASKED[np.array] if any([isinstance(type_of(a), Array) for a in args]) else asked
    return (*names, *asked) if reflected is None else (*names, reflected, *asked)


def call(sp: Specialiser, s: Call, fn: Atom, args: Args, kwargs: Kwargs) -> list[Atom]:
    """The results of a call; of what dict and list do for such objects, it is one of what these hold."""
    given = [a.value if isinstance(a, Star) else a for a in (*args, *[v for _, v in kwargs])]
    asked = sp.heap.contents and any([_holds(sp.resolver, a) for a in given])
    found = _of_items(sp, s, fn, args, kwargs) if asked else None
    return _called(sp, s, fn, args, kwargs, sp.changed(s, args)) if found is None else found


def _called(sp: Specialiser, s: Call, fn: Atom, args: Args, kwargs: Kwargs, memory: Memory | None) -> list[Atom]:
    results = sp.resolver.call(s, fn, args, kwargs)
    if memory is not None:
        sp.heap.set(memory, VERSION, results[-1])
    return results


def _of_items(sp: Specialiser, s: Call, fn: Atom, args: Args, kwargs: Kwargs) -> list[Atom] | None:
    r, value = sp.resolver, fn.value if isinstance(fn, Const) else None
    own = args[0] if args and _holds(r, args[0]) else None
    if own is not None and is_left(r, own, getattr(value, "__name__", ""), value):
        return [called(r, s, Bound(own, value.__name__, value), args[1:], kwargs)]  # type: ignore[union-attr]
    if value is operator.getitem and own is not None and (item := _item(r, s, own, args[1])) is not None:
        return [item]
    if value not in (changes.call_method, builtins.getattr):
        found = _handed(r, s, args, kwargs, value)
    elif not isinstance(args[1], Const) or own is not None and not _is_method(r, own, args[1].value):
        return None
    else:
        rest, options = _handed(r, s, args[2:], kwargs, sorted if args[1].value in _TAKING else None)
        found = [items_of(r, s, own) if own is not None else args[0], args[1], *rest], options
    if found == (args, kwargs):
        return None
    place = target_of(s)
    if place is None or not _holds(r, args[place]):
        return _called(sp, s, fn, *found, sp.changed(s, found[0]))
    results = _called(sp, s, fn, *found, _changing(r, args[place], found[0][place]))
    return [*results[:-1], args[place]]


_TAKING = ("extend", "update")
"""Methods of containers that ask what they are given for its items."""


def _item(r: Resolver, s: Call, own: Any, key: Atom) -> Atom | None:
    """`own[key]` of a dict whose class says what it gives under a key that it has not; None of any other."""
    missing = inspect.getattr_static(own.type.cls, "__missing__", None)
    if r.sp.heap.contents[own] is not dict or type(missing) is not types.FunctionType:
        return None
    if not _leaves(r, own, ["__getitem__"]):
        return None
    r.guard(own.type.cls, "__missing__", missing)
    d, k, o = named(r, items_of(r, s, own)), named(r, key), named(r, own)
    has, there, made, out = Var(), Var(s.out.name), Var(s.out.name), Var(s.out.name)
    asked = Call((has,), Const(operator.contains), (d, k), (), s.span)
    found = Block((), (Call((there,), Const(operator.getitem), (d, k), (), s.span),), (there,))
    given = Block((), (Call((made,), Const(missing), (o, k), (), s.span),), (made,))
    return run(r, [asked, If((out,), has, found, given, s.span)], out)


def _changing(r: Resolver, own: Any, items: Any) -> Memory | None:
    """The memory that an object's items are, which are about to change; None where these are followed otherwise."""
    heap, memory = r.sp.heap, changing(r, items)
    if memory is None and items not in heap and not isinstance(type_of(items), Located):
        site = r.context.sites[heap.sites[own][0]]  # nobody would see what is stored into them
        raise heap.escape(own) if site in (heap.real or ()) else Escapes(site)
    return memory


def _is_method(r: Resolver, own: Any, name: Any) -> bool:
    """Tell whether a method is one of dict or list that an object's class leaves to it, and that calls no other."""
    static = None if name in r.sp.heap.names(own) else inspect.getattr_static(own.type.cls, name, None)
    return name[:2] != "__" and is_left(r, own, name, static) and _leaves(r, own, [name])


def called(r: Resolver, s: Call, fact: Bound, args: Args, kwargs: Kwargs) -> Atom:
    """The result of a method of dict or list for such an object."""
    heap, own, name = r.sp.heap, fact.receiver, fact.name
    if name == "__init__":
        return fill(r, s, own, args, kwargs)
    args, kwargs = _handed(r, s, args, kwargs, sorted if name in _TAKING else None)
    items: Any = items_of(r, s, own)
    fn, given, changes_it = _NAMED.get(name), [items, *args], name in ("__setitem__", "__delitem__")
    if name in mutators() and fn is None:
        fn, given, changes_it = changes.call_method, [items, Const(name), *args], True
    if fn is None:
        if name[:2] == "__":
            raise heap.escape(own)
        method = Var(name, UNKNOWN, True)
        r.sp.facts[method] = Bound(items, name, fact.function)
        return r.call(Call((Var(s.out.name),), method, (), (), s.span), method, args, kwargs)[0]
    memory = _changing(r, own, items) if changes_it else None
    heap.stores += changes_it
    outs = (Var(s.out.name), Var("")) if fn is changes.call_method else (Var(s.out.name),)
    results = r.call(Call(outs, Const(fn), (), (), s.span), Const(fn), given, kwargs)
    if memory is not None:
        heap.set(memory, VERSION, results[-1])
    return Const(None) if changes_it and len(outs) == 1 else results[0]


def of_loop(sp: Specialiser, s: Loop) -> Loop:
    """A loop that runs through what such objects hold."""
    if not any([_holds(sp.resolver, sp.atom(a)) for a in s.sequences]):
        return s
    sequences: list[Atom] = []
    for a in s.sequences:
        items = _items(sp.resolver, Call((Var(""),), Const(iter), (), (), sp.span(s)), own := sp.atom(a), _BY_ITEMS)
        sequences.append(a if items is own else named(sp.resolver, items))
    return replace(s, sequences=tuple(sequences))


def truth(sp: Specialiser, a: Atom, read: Atom) -> Atom:
    """The question of a branch in place of an object that the program has `read`: its class or its items answer it."""
    r, s = sp.resolver, Call((Var(""),), Const(bool), (), ())
    if read in r.uses.joined and sp.heap.is_object(a):
        raise sp.heap.escape(a)  # `a or b` has asked it, and Python need not ask it again
    found: Any = truth_of(r, s, _items(r, s, a, _ASKED[bool]))
    return Const(bool(sp.heap.names(found))) if found in sp.heap.dicts and found in sp.heap else found
