"""Builtins and functions of Python's library that are no arithmetic."""

from __future__ import annotations

import abc
import builtins
import functools
import math
import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import arrays
from ..elementary import ELEMENTARY, GT, LT, SELECT
from ..kernel import Lit
from ..lower import Lower
from ..values import NONE, Arr, CannotCompile, Items, Known, Object, Once, Record, Value, describe, is_number, keys_of
from .calls import MEANINGS, Meaning, entrywise, meaning_of, means

ONE = Lit(1)


@means(builtins.isinstance)
def is_instance(lower: Lower, x: Value, cls: Value) -> Value:
    """Tell whether a value is of a type, where that does not depend on whose number it is, NumPy's or Python's."""
    wanted = tuple([known_class(c) for c in (cls if isinstance(cls, tuple) else (cls,))])
    if isinstance(x, Known):
        return Lit(isinstance(x.value, wanted))
    found = {any(issubclass(c, w) for w in wanted) for c in classes_of(x)}
    if len(found) != 1:
        raise CannotCompile(f"whether {describe(x)} is of a type that only some such are of")
    return Lit(found.pop())


def known_class(c: Value) -> type:
    if not isinstance(c, Known) or not isinstance(c.value, type):
        raise CannotCompile("`isinstance` of a type that is not known")
    if type(c.value).__instancecheck__ not in _CHECKS or type(c.value).__subclasscheck__ not in _CHECKS:
        raise CannotCompile(f"`isinstance` of `{c.value.__qualname__}`, whose metaclass says what its instances are")
    return c.value


_CHECKS = (
    *(type.__instancecheck__, type.__subclasscheck__),
    *(abc.ABCMeta.__instancecheck__, abc.ABCMeta.__subclasscheck__),
)
"""How instances are told by their classes."""


def classes_of(x: Value) -> Sequence[type]:
    """The classes that a value may have."""
    if is_number(x) or isinstance(x, Arr) and not x.shape:
        numbers = {"f": (float, np.float64), "i": (int, np.int64), "b": (bool, np.bool_)}[x.kind]
        return numbers if is_number(x) else (*numbers, np.ndarray)
    match x:
        case Arr():
            return (list if x.listed else np.ndarray,)
        case tuple():
            return (tuple,)
        case Items() | Object():
            return (x.cls,)
        case Record():
            return (type(x.value),)
    raise CannotCompile(f"the type of {describe(x)}")


@means(builtins.list)
def make_list(lower: Lower, x: Value = ()) -> Value:
    """A list of what is run through."""
    if isinstance(x, Arr) and x.ndim == 1:
        made = arrays.copied(lower.w, x, x.kind)
        made.listed = 1
        return made
    return Items(arrays.items_of(lower.w, x))


@means(builtins.tuple)
def make_tuple(lower: Lower, x: Value = ()) -> Value:
    """A tuple of what is written down."""
    return tuple(arrays.items_of(lower.w, x))


def _of_dict(function: Any, view: Any) -> None:
    def of_dict(lower: Lower, x: Value) -> Value:
        """A view of a dict whose keys are known."""
        if not isinstance(x, Items) or x.cls is not dict:
            raise CannotCompile(f"`.{function.__name__}` of {describe(x)}")
        return tuple(view(keys_of(x), x.items))

    MEANINGS[function] = of_dict


_of_dict(dict.keys, lambda keys, items: keys)
_of_dict(dict.values, lambda keys, items: items)
_of_dict(dict.items, lambda keys, items: zip(keys, items, strict=True))


@means(builtins.map)
def map_(lower: Lower, f: Value, *parts: Value) -> Value:
    """The results of a function for items that are written down."""
    rows, stores = zip(*[arrays.items_of(lower.w, p) for p in parts], strict=False), len(lower.delayed.links.stores)
    found = Once(tuple([meaning_of(lower, f, list(row), {}) for row in rows]), lower.round)
    if len(lower.delayed.links.stores) > stores:  # Python does it as late as somebody asks
        raise CannotCompile("`map` of a function that stores")
    return found


@means(functools.reduce)
def reduce(lower: Lower, f: Value, xs: Value, first: Value | None = None) -> Value:
    """Items that are written down, one after the other."""
    items = [*([] if first is None else [first]), *arrays.items_of(lower.w, xs)]
    if not items:
        raise CannotCompile("`reduce` of nothing")
    return functools.reduce(lambda a, b: meaning_of(lower, f, [a, b], {}), items)


def _of_key(function: Any, plain: Meaning, larger: bool) -> None:
    def of_key(lower: Lower, *xs: Value, key: Value = NONE) -> Value:
        """The first of the items of which something is largest or smallest."""
        if key == NONE:
            return plain(lower, *xs)
        items = arrays.items_of(lower.w, xs[0]) if len(xs) == 1 else list(xs)
        sizes = [meaning_of(lower, key, [x], {}) for x in items]
        if not items or not all(map(is_number, [*items, *sizes])):
            raise CannotCompile(f"`{function.__name__}` by the key of what are no numbers")
        best, size = items[0], sizes[0]
        for x, n in zip(items[1:], sizes[1:], strict=True):
            better = lower.w.op(GT if larger else LT, n, size)
            best, size = lower.w.op(SELECT, better, x, best), lower.w.op(SELECT, better, n, size)
        return best

    MEANINGS[function] = of_key


_of_key(builtins.max, MEANINGS[builtins.max], True)
_of_key(builtins.min, MEANINGS[builtins.min], False)


@means(math.prod)
def prod(lower: Lower, xs: Value, *, start: Value = ONE) -> Value:
    """Their product."""
    items = arrays.items_of(lower.w, xs)
    return functools.reduce(lambda a, b: entrywise(lower, ELEMENTARY[operator.mul], [a, b]), items, start)


@means(math.log)
def log(lower: Lower, x: Value, base: Value | None = None) -> Value:
    """To a base, as Python does: a quotient of logarithms."""
    found = entrywise(lower, ELEMENTARY[math.log], [x])
    if base is None:
        return found
    return entrywise(lower, ELEMENTARY[operator.truediv], [found, entrywise(lower, ELEMENTARY[math.log], [base])])
