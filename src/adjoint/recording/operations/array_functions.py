"""Functions and methods that store into arrays: `np.copyto`, `np.put`, `a.fill`, `a.sort`, `rng.shuffle` and the like.

Which places they store into is read off copies of their other arguments, and so is which item of the value goes where.
"""

from __future__ import annotations

import copy
import math
import operator
from typing import Any

import numpy as np

from ...ops.questions import stores_early
from ...rules.faithful import check_faithful
from ...rules.numpy.writing import STORES, Chosen
from ...rules.registry import find_rules, non_differentiable
from ...tangents import Unknown
from ...tangents.windows import DIFFERENTIABLE, Array
from ..memory import check_order, check_store
from ..sweep import Sweep
from . import array_methods as array_methods  # which declares handlers too
from . import ordering as ordering  # which declares how lists are shuffled
from .arrays import by_place
from .base import HANDLERS, NOTHING, Back, Record, Result, handles, handles_methods, nothing
from .opaque import opaque
from .outputs import Operand, Values, check_apart, forgotten, operand, taken
from .partly import store_items
from .ruled import ruled, snapshot

Kwargs = dict[str, Any]


def named(names: tuple[str, ...], args: Values, kwargs: Kwargs) -> Kwargs:
    """The arguments of a call by name, in the order of the operands."""
    return {**dict(zip(names, args, strict=False)), **kwargs}


def at_operand(names: Kwargs, name: str, value_bar: Any) -> Values:
    """The cotangents of the operands, of which one alone has any."""
    return (None, *[value_bar if n == name else None for n in names])


def can_be_followed(a: Any) -> bool:
    """Tell whether something is an array whose items carry derivatives; checks that it may be stored into."""
    if not isinstance(a, np.ndarray):
        return False
    check_faithful(type(a))
    check_store(a)
    return a.dtype.kind in "fc"


# ---- values that are stored


@handles(np.copyto)
def _copyto(record: Record, k: int, f: Any, args: Values, kwargs: Kwargs) -> Result:
    given = named(("dst", "src", "casting", "where"), args, kwargs)
    a: Any = given.get("dst")
    where = given.get("where", True)
    flows, to = can_be_followed(a), operand(given.get("src"))
    if isinstance(a, np.ndarray):
        check_order(a, given.get("src"))
    mask = None if where is True else np.array(where, bool)
    y = f(*args, **kwargs)
    return y, _of_whole(a, to, mask, given, "src") if flows else _forgets(a, mask)


@handles_methods(np.ndarray, "fill")
def _fill(record: Record, k: int, self: Any, args: Values, kwargs: Kwargs) -> Result:
    given = named(("self", "value"), (self, *args), kwargs)
    flows, to = can_be_followed(self), operand(given.get("value"))
    y = self.fill(*args, **kwargs)
    return y, _of_whole(self, to, None, given, "value") if flows else _forgets(self)


def _of_whole(a: Array, to: Operand | None, mask: Any, given: Kwargs, name: str) -> Back:
    """The reverse of a store into all of an array (where the mask is true) of what is broadcast to it."""

    def of_whole_back(sweep: Sweep, y_bar: Any) -> Any:
        d = taken(sweep, a, mask)
        return NOTHING if d is None or to is None else at_operand(given, name, to.give(sweep, d))

    return of_whole_back


def _forgets(a: Any, mask: Any = None) -> Back:
    return forgotten(a, mask) if isinstance(a, np.ndarray) else nothing


def _stores(f: Any, names: tuple[str, ...], value: str, chosen: Chosen) -> None:
    """Declare a function that stores items of a value into places of its first argument."""

    @handles(f)
    def handler(record: Record, k: int, f: Any, args: Values, kwargs: Kwargs) -> Result:
        given = named(names, args, kwargs)
        a: Any = given.get(names[0])
        stored = given.get(value)
        shape_of: Any = np.shape
        flows, to, size = can_be_followed(a), operand(stored), shape_of(stored)
        others = {name: snapshot(v) for name, v in given.items() if name not in (names[0], value)}
        if isinstance(a, np.ndarray) and (stores_early(f) or given.get("axis", -1) is None):
            check_apart(f, a, stored)
        item_by_item = f is np.put and isinstance(a, np.ndarray) and _ends_early(a, given)
        y = store_items(a, lambda target: np.put(**{**given, "a": target})) if item_by_item else f(*args, **kwargs)
        if not isinstance(a, np.ndarray) or 0 in size:
            return y, nothing
        places, sources = chosen(a, others, size)
        last = last_of(places, a.size)

        def stored_back(sweep: Sweep, y_bar: Any) -> Any:
            shadow = sweep.shadow(a) if a.dtype.kind in DIFFERENTIABLE else None
            if shadow is None or type(shadow) is Unknown:
                if shadow is None or to is None or not flows:
                    return NOTHING
                return at_operand(given, value, to.give(sweep, shadow))
            window, index = by_place(shadow, places)
            d = window[index] * last
            window[index] = 0
            if to is None or not flows:
                return NOTHING
            value_bar = np.zeros(size, d.dtype)
            np.add.at(value_bar.reshape(-1), sources, d)
            return at_operand(given, value, to.give(sweep, value_bar))

        return y, stored_back


def last_of(places: Array, size: int) -> Array:
    """Tell whether what is stored into each of these places stays, no later one being the same.

    >>> last_of(np.array([2, 0, 2]), 3)
    array([False,  True,  True])
    """
    order, last = np.arange(places.size), np.empty(size, np.intp)
    last[places] = order
    stays: Array = last[places] == order
    return stays


def _ends_early(a: Array, given: Kwargs) -> bool:
    """Tell whether `np.put` meets an index beyond the array, before which it has stored."""
    places = np.asarray(given.get("ind", ()))
    return bool(np.any((places < -a.size) | (places >= a.size)))


non_differentiable(named, last_of, _ends_early)

for _f, (_names, _value, _chosen) in STORES.items():
    _stores(_f, _names, _value, _chosen)


@handles_methods(np.ndarray, "put")
def _put(record: Record, k: int, self: Any, args: Values, kwargs: Kwargs) -> Result:
    if {*kwargs} - {"mode"}:
        self.put(*args, **kwargs)  # which is an error
    return HANDLERS[np.put](record, k, np.put, (self, *args), kwargs)  # type: ignore[no-any-return]


@handles(np.nan_to_num)
def _nan_to_num(record: Record, k: int, f: Any, args: Values, kwargs: Kwargs) -> Result:
    given = named(("x", "copy", "nan", "posinf", "neginf"), args, kwargs)
    a = given.get("x")
    if given.get("copy", True) or not isinstance(a, np.ndarray):
        rules = find_rules(f)
        return (None if rules is None else ruled(rules, f, args, kwargs)) or opaque(f, args, kwargs)
    if not can_be_followed(a):
        return f(*args, **kwargs), nothing
    old = a.copy()
    others: dict[str, Any] = {name: operand(given.get(name)) for name in ("nan", "posinf", "neginf")}
    y = f(*args, **kwargs)
    masks: dict[str, Any] = {"nan": np.isnan, "posinf": np.isposinf, "neginf": np.isneginf}
    parts = ("real", "imag") if a.dtype.kind == "c" else ("real",)
    replaced = [(part, {name: mask(getattr(old, part)) for name, mask in masks.items()}) for part in parts]
    number = not isinstance(y, np.ndarray)  # of an array without axes

    def nan_to_num_back(sweep: Sweep, y_bar: Any) -> Any:
        if number:
            sweep.add_array(a, y_bar)
        shadow = sweep.shadow(a)
        if shadow is None:
            return NOTHING
        if type(shadow) is Unknown:
            return (None, *[None if others.get(n) is None else others[n].give(sweep, shadow) for n in given])
        bars: Kwargs = {}
        for part, chosen in replaced:
            window = getattr(shadow, part)
            for name, mask in chosen.items():
                bars[name] = np.where(mask, window, 0) + bars.get(name, 0)
                np.copyto(window, 0, where=mask)
        return (None, *[None if others.get(n) is None else others[n].give(sweep, bars[n]) for n in given])

    return y, nan_to_num_back


# ---- items that change places


def _sorting(name: str) -> Any:
    names = ("self", "axis", "kind", "order") if name == "sort" else ("self", "kth", "axis", "kind", "order")

    def handler(record: Record, k: int, self: Any, args: Values, kwargs: Kwargs) -> Result:
        given = named(names, (self, *args), kwargs)
        check_faithful(type(self))
        check_store(self)
        old = self.copy() if self.dtype.kind in DIFFERENTIABLE else None
        y = getattr(self, name)(*args, **kwargs)
        if old is None:
            return y, nothing
        return y, permuted(self, given.get("axis", -1), _permutation(old, self, given.get("axis", -1)))

    return handler


for _name in ("sort", "partition"):
    handles_methods(np.ndarray, _name)(_sorting(_name))


def _permutation(old: Array, new: Array, axis: int) -> Array:
    """`p` with `new = old[p]` along an axis. Of equal items it does not matter which is which."""
    before = np.argsort(old, axis, "stable")
    p = np.empty_like(before)
    np.put_along_axis(p, np.argsort(new, axis, "stable"), before, axis)
    return p


non_differentiable(_permutation)


def permuted(a: Array, axis: int, p: Array) -> Back:
    """The reverse of `a[...] = a[p]` along an axis."""

    def permuted_back(sweep: Sweep, y_bar: Any) -> Any:
        shadow = sweep.shadow(a)
        if shadow is not None and type(shadow) is not Unknown:
            np.put_along_axis(shadow, p, shadow.copy(), axis)
        return NOTHING

    return permuted_back


_OTHERWISE = {f: HANDLERS.get(f) for f in (np.random.Generator.shuffle, np.random.RandomState.shuffle)}


@handles(*_OTHERWISE)
def _shuffle(record: Record, k: int, f: Any, args: Values, kwargs: Kwargs) -> Result:
    """The permutation is what another generator in the same state makes of the numbers of the items."""
    given: Any = named(("self", "x", "axis"), args, kwargs)
    x, axis = given.get("x"), given.get("axis", 0)
    if not isinstance(x, np.ndarray):
        otherwise = _OTHERWISE[f]
        return opaque(f, args, kwargs) if otherwise is None else otherwise(record, k, f, args, kwargs)
    check_faithful(type(x))
    check_store(x)
    if x.ndim == 0 or x.size == 0 or x.dtype.kind not in DIFFERENTIABLE:
        return f(*args, **kwargs), nothing
    along = operator.index(axis) % x.ndim
    shape = tuple([n if i == along else 1 for i, n in enumerate(x.shape)])
    p = np.arange(x.shape[along]).reshape(shape)
    copy.deepcopy(given["self"]).shuffle(p, **({} if along == 0 else {"axis": along}))
    return f(*args, **kwargs), permuted(x, along, np.broadcast_to(p, x.shape))


def _draws(f: Any, parameter: str) -> None:
    """Declare a method of generators that gives items of an array in a random order: those whose numbers another
    generator in the same state would give."""

    @handles(f)
    def handler(record: Record, k: int, f: Any, args: Values, kwargs: Kwargs) -> Result:
        values = [*args, *kwargs.values()]
        at = 1 if len(args) > 1 else len(args) + [*kwargs, parameter].index(parameter)
        x: Any = values[at] if at < len(values) else None
        if isinstance(x, int | np.integer):
            return f(*args, **kwargs), nothing
        to = operand(x) if isinstance(x, np.ndarray | list | tuple) else None
        out = kwargs.get("out")
        if isinstance(out, np.ndarray):
            check_faithful(type(out))
            check_store(out)
            if out is not x:
                check_apart(f, out, x)
        if to is None:
            return opaque(f, args, kwargs) if out is None else (f(*args, **kwargs), forgotten(out))
        size = np.shape(x)
        values[at] = np.arange(math.prod(size)).reshape(size)
        twin, options = copy.deepcopy(args[0]), dict(zip(kwargs, values[len(args) :], strict=True))
        options.pop("out", None)
        places = np.asarray(f(twin, *values[1 : len(args)], **options))
        y, n = f(*args, **kwargs), len(values)

        def drawn_back(sweep: Sweep, y_bar: Any) -> Any:
            d = sweep.take_array(y) if isinstance(y, np.ndarray) else y_bar
            if d is None:
                return NOTHING
            x_bar = np.zeros(size, np.result_type(d))
            np.add.at(x_bar.reshape(-1), places, d)
            bar = to.give(sweep, x_bar)
            return (None, *[bar if i == at else None for i in range(n)])

        return y, drawn_back


for _generator in (np.random.Generator, np.random.RandomState):
    _draws(_generator.permutation, "x")
_draws(np.random.Generator.permuted, "x")


__all__ = ["at_operand", "can_be_followed", "last_of", "named", "permuted"]
