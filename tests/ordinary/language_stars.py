"""What stars take in calls and displays: named tuples, mappings that are no dicts, and what only has `keys`."""

import math
from collections import ChainMap, OrderedDict, UserDict, namedtuple
from collections.abc import MutableMapping
from functools import partial
from types import MappingProxyType, SimpleNamespace
from typing import NamedTuple

from .registry import row

Pair = namedtuple("Pair", "x y")


class Side(NamedTuple):
    """The same, of annotated fields."""

    x: float
    y: float


class Doubling(MutableMapping):
    """A mapping that stores twice what it is given."""

    def __init__(self, **items):
        self.items_ = dict(items)

    def __getitem__(self, key):
        return self.items_[key]

    def __setitem__(self, key, value):
        self.items_[key] = 2.0 * value

    def __delitem__(self, key):
        del self.items_[key]

    def __iter__(self):
        return iter(self.items_)

    def __len__(self):
        return len(self.items_)


class Corner:
    """What has only keys, and items by key."""

    def __init__(self, x):
        self.x = x

    def keys(self):
        return ["w", "h"]

    def __getitem__(self, key):
        return {"w": self.x, "h": self.x * self.x}[key]


def _weighed(a, b, c=3.0):
    return a + 2.0 * b * a + c


def _area(w, h):
    return w * h


@row("stars", "a named tuple in a call", lambda: (0.8,), order=2)
def named_tuple_in_a_call(x):
    p, pairs = Pair(x, x * x), [Side(x, 3.0 * x)]
    return math.hypot(*p) + max(*p) + _weighed(*pairs[0]) * _weighed(*p, *p[:1]) + partial(_weighed, *p)(x)


@row("stars", "a named tuple in a display", lambda: (0.8,), order=2)
def named_tuple_in_a_display(x):
    p = Pair(Side(x, 2.0), x * x)
    a, *b = p
    items, more, some = [*p.x, x], (*p[0], p.y), {*p.x, 5.0}
    return items[0] * more[2] + sum(some) + a.x * b[0] + math.hypot(*p.x, p.y)


@row("stars", "a named tuple in a call, of a nested dict that is changed", lambda: (0.8,), order=2)
def named_tuple_of_a_nested_dict(x):
    d = {1: {2: x}}
    d[1][2] *= 2
    p = Pair(d[1][2], 2.0)
    try:
        return math.hypot(*p) + [*p, x][0] * (*p, x)[2] + sum(tuple(p)) * tuple(p)[0] + list(p)[0] ** 2
    finally:
        d.clear()


@row("stars", "mappings that are no dicts, in a call", lambda: (0.8,), order=2)
def mappings_in_a_call(x):
    view = MappingProxyType({"w": x, "h": x * x})
    chain = ChainMap({"w": x}, {"h": x, "w": 7.0})
    total = _area(**view) + _area(**chain) + _area(**UserDict(w=x, h=x * x)) + _area(**OrderedDict(w=x, h=x))
    return total + SimpleNamespace(**chain).h * x + partial(_area, **view)() + partial(_area, w=2.0)(**{"h": x})


@row("stars", "mappings that are no dicts, in a display and merged", lambda: (0.8,), order=2)
def mappings_in_a_display(x):
    view = MappingProxyType({"w": x, "h": x * x})
    joined = {**view, "d": 1.0, **UserDict(e=x * x)}
    first, second = {"w": 1.0} | view, view | {"h": 2.0}
    return joined["w"] * joined["h"] * joined["e"] + _area(**first) + _area(**second) + (view | view)["h"]


@row("stars", "a mapping of the user's in a call and in a display", lambda: (0.8,), order=2)
def own_mapping(x):
    m = Doubling(w=x)
    m["h"] = x * x
    return _area(**m) * {**m, "w": x}["h"] + dict(**m)["h"] * dict(m, k=x)["k"]


@row("stars", "what only has keys, in a call, in a display and in dict()", lambda: (0.8,), order=2)
def only_keys(x):
    return _area(**Corner(x)) + dict(Corner(x))["h"] * {**Corner(x), "w": 1.0}["h"] * x


@row("stars", "what only has keys, an object of another class meeting an error", lambda: (0.8,), order=2)
def only_keys_after_an_error(x):
    out = {}
    try:
        out = {"a": x, **Corner(x), **5}
    except TypeError:
        out = {**out, **Corner(x)}
    return _area(**out) * dict(Corner(x), h=x)["h"]
