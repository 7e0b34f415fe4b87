"""Dicts: their methods, merging, and new ones. A slot is a key; nothing flows through keys."""

from __future__ import annotations

import types
from collections import OrderedDict, defaultdict
from typing import Any

from ..given import note_made
from ..sweep import Sweep, add
from .base import NOTHING, Back, Record, Result, handles, handles_methods, nothing, unfinished
from .calls import invoke, invoke_method
from .entries import read_entry
from .items import own_method
from .merging import base_of, is_plain_dict, put, updated
from .native import check_keys
from .sets import combine_in_place, combined
from .slots import Args, Kwargs, behind, called, gathered, only, operand_of, pure, unheard


def _plain(self: Any, name: str, args: Args, kwargs: Kwargs) -> Any:
    return getattr(base_of(self), name)(self, *args, **kwargs)


def _given(args: Args, kwargs: Kwargs, position: int, name: str) -> Any:
    """An argument; None if it has its default."""
    at = operand_of(args, kwargs, position, name)
    return None if at is None else (*args, *kwargs.values())[at]


def _for_default(args: Args, kwargs: Kwargs) -> Any:
    """Function that gives a cotangent to the operand `default`, if there is one."""
    at, n = operand_of(args, kwargs, 1, "default"), 1 + len(args) + len(kwargs)
    return lambda d: NOTHING if at is None else only(n, at + 2, d)


# ---- one item


@handles_methods(dict, "get")
def _get(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    y = dict.get(self, *args, **kwargs)
    if dict.__contains__(self, args[0]):
        return read_entry(y, self, args[0])
    return y, lambda sweep, y_bar: (None, None, None, y_bar)


@handles_methods(dict, "setdefault")
def _setdefault(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    key = _given(args, kwargs, 0, "key")
    known = dict.__contains__(self, key)
    y = _plain(self, "setdefault", args, kwargs)
    if known:
        return read_entry(y, self, key)
    give = _for_default(args, kwargs)
    return y, lambda sweep, y_bar: give(add(y_bar, sweep.take(self, key)))


@handles_methods(dict, "pop")
def _pop(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    key = _given(args, kwargs, 0, "key")
    known = dict.__contains__(self, key)
    y = _plain(self, "pop", args, kwargs)
    if known:
        return y, _popping(self, key, lambda y_bar: y_bar)
    give = _for_default(args, kwargs)
    return y, lambda sweep, y_bar: give(y_bar)


def _popping(self: Any, key: Any, part: Any) -> Back:
    def pop_back(sweep: Sweep, y_bar: Any) -> Any:
        sweep.take(self, key)  # what was there afterwards is another item
        if y_bar is not None:
            sweep.add(self, key, part(y_bar))
        return NOTHING

    return pop_back


@handles_methods(dict, "popitem")
def _popitem(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    y = _plain(self, "popitem", args, kwargs)
    return y, _popping(self, y[0], lambda y_bar: y_bar[1])


@handles_methods(dict, "__getitem__")
def _getitem(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    if len(args) == 1 and not dict.__contains__(self, args[0]):
        missing = own_method(self, "__missing__")
        if missing is not None:
            return invoke(record, k, missing, (self, *args), {})
        if isinstance(self, defaultdict):
            made: Result = _missing(record, k, self, args, {})
            return made
    return read_entry(dict.__getitem__(self, *args, **kwargs), self, args[0] if args else None)


@handles_methods(defaultdict, "__missing__")
def _missing(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    """An item that is made and stored."""
    if self.default_factory is None or len(args) != 1:
        return defaultdict.__missing__(self, *args, **kwargs), nothing  # raises
    key = args[0]
    backs: list[Back] = []
    stored: Any = None

    def missing_back(sweep: Sweep, y_bar: Any) -> Any:
        d = add(y_bar, None if stored is None else stored(sweep))
        for back in backs:
            back(sweep, d)
        return NOTHING

    try:
        y = called(k, self.default_factory, (), backs)
        stored = put(unheard(record), k, self, key, y, defaultdict)
    except BaseException:
        record((k, unfinished(missing_back)))
        raise
    return y, missing_back


@handles_methods(dict, "__setitem__")
def _setitem(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    _plain(self, "__setitem__", args, kwargs)
    return None, lambda sweep, y_bar: (None, None, None, sweep.take(self, args[0]))


@handles_methods(dict, "__delitem__")
def _delitem(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    _plain(self, "__delitem__", args, kwargs)
    return None, _popping(self, args[0], lambda y_bar: None)


@handles_methods(dict, "clear")
def _clear(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    keys = list(dict.keys(self))
    _plain(self, "clear", args, kwargs)

    def clear_back(sweep: Sweep, y_bar: Any) -> Any:
        if sweep.slots.get(id(self)):
            for key in keys:
                sweep.take(self, key)
        return NOTHING

    return None, clear_back


pure(dict, "keys", "values", "items", "__len__", "__contains__")
pure(OrderedDict, "keys", "values", "items", "move_to_end")


def _shown(name: str) -> Any:
    def handler(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
        return invoke_method(record, k, behind(self), name, args, kwargs)

    return handler


for _name in ("get", "copy", "__getitem__"):
    handles_methods(types.MappingProxyType, _name)(_shown(_name))


# ---- all items


@handles_methods(dict, "update")
def _update(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    if len(args) > 1:
        _plain(self, "update", args, kwargs)  # raises
    return None, updated(record, k, self, args, kwargs)


def merge_in_place(record: Record, k: int, owner: Any, other: Any) -> Result:
    """`owner |= other`."""
    return owner, updated(record, k, owner, (other,), {})


@handles_methods(dict, "__ior__")
def _ior(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    return merge_in_place(record, k, self, *args)


def merged(record: Record, k: int, a: Any, b: Any) -> Result:
    """`a | b`."""
    plain = is_plain_dict(a) and is_plain_dict(b)
    if not plain and isinstance(b, dict) and base_of(a) is base_of(b) is dict:
        return _merged_by_methods(record, k, a, b)
    return _merged(a | b, a, b)


def _merged_by_methods(record: Record, k: int, *sources: Any) -> Result:
    """The items of dicts that have an idea of their own of what these are, in a plain dict."""
    y: dict[Any, Any] = {}
    backs = [updated(record, k, y, (source,), {}) for source in sources]

    def by_methods_back(sweep: Sweep, y_bar: Any) -> Any:
        for back in reversed(backs):
            back(sweep, None)
        sweep.take_slots(y)
        return NOTHING

    return y, by_methods_back


def _merged(y: Any, a: Any, b: Any) -> Result:
    if y is NotImplemented or not isinstance(a, dict) or not isinstance(b, dict):
        return y, nothing
    second = frozenset(dict.keys(b))

    def merged_back(sweep: Sweep, y_bar: Any) -> Any:
        for key, d in sweep.take_slots(y).items():
            sweep.add(b if key in second else a, key, d)
        return NOTHING

    return y, merged_back


@handles_methods(dict, "__or__")
def _or(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    return _merged(_plain(self, "__or__", args, kwargs), self, args[0])


@handles_methods(dict, "__ror__")
def _ror(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    return _merged(_plain(self, "__ror__", args, kwargs), args[0], self)


@handles_methods(dict, "copy", "__copy__")
def _copy(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    if not is_plain_dict(self) and not args and base_of(self) is dict:
        return _merged_by_methods(record, k, self)
    y = _plain(self, "copy", args, kwargs)

    def copy_back(sweep: Sweep, y_bar: Any) -> Any:
        for key, d in sweep.take_slots(y).items():
            sweep.add(self, key, d)
        return NOTHING

    return y, copy_back


# ---- new ones


@handles(dict, OrderedDict, defaultdict)
def _dict(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    first = 1 if issubclass(f, defaultdict) else 0
    if len(args) > first + 1:
        return f(*args, **kwargs), nothing  # raises
    own = args[:first]
    y = f(*own)
    back = updated(record, k, y, args[first:], kwargs)
    note_made(y)
    return y, lambda sweep, y_bar: (None, *(None,) * len(own), *back(sweep, None)[2:])


@handles_methods(dict, "__init__")
def _init(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    """A dict takes these items in addition to those that it has."""
    first = 1 if base_of(self) is defaultdict else 0
    if len(args) > first + 1:
        return _plain(self, "__init__", args, kwargs), nothing  # raises
    own = args[:first]
    _plain(self, "__init__", own, {})
    back = updated(record, k, self, args[first:], kwargs)
    return None, lambda sweep, y_bar: (None, None, *(None,) * len(own), *back(sweep, None)[2:])


@handles_methods(dict, "fromkeys")
def _fromkeys(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    """`dict.fromkeys(keys, value)`."""
    if not args:
        return self.fromkeys(*args, **kwargs), nothing  # raises
    source, *rest = args
    keys, give = gathered(record, k, source, 2)
    check_keys(keys)
    y = self.fromkeys(keys, *rest, **kwargs)

    def fromkeys_back(sweep: Sweep, y_bar: Any) -> Any:
        total: Any = None
        for key in keys:
            total = add(total, sweep.take(y, key))
        return None, None, give(sweep, [None] * len(keys)), total

    return y, fromkeys_back


__all__ = ["combine_in_place", "combined", "merge_in_place", "merged"]
