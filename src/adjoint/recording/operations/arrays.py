"""Operations that change arrays where they are: `a += b`, `np.add.at`."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ...rules.faithful import check_faithful
from ...rules.numpy.writing import turns
from ...rules.registry import find_rules
from ...runtime.refusing import no_rule
from ...tangents import Unknown, apply_partial, quietly
from ...tangents.windows import DIFFERENTIABLE, Array
from ..memory import check_store
from ..sweep import Sweep
from .base import NOTHING, Back, Record, Result, handles_methods, is_nonzero, nothing
from .opaque import opaque
from .outputs import (
    Operand,
    Values,
    conj,
    followed,
    forgotten,
    kept,
    operand,
    places_stored,
    seen_by_all,
    with_out,
    writes_out,
)
from .partly import wholly
from .ruled import snapshot

NUMERIC = (np.ndarray, np.generic, int, float, complex, list, tuple)
"""Classes of which NumPy makes numbers by itself."""


# ---- `a += b`


def inplace_array(fn: Any, a: Array, b: Any) -> Result:
    """`a += b` and its like, `fn` being `operator.iadd` and its like; the operands are `a` and `b`."""
    stored = places_stored(a, ...)
    y, back = _inplace(fn, a, b)
    return y, seen_by_all(a, stored, back)


@wholly
def _inplace(fn: Any, a: Array, b: Any) -> Result:
    if not isinstance(b, NUMERIC):
        return opaque(fn, (a, b), {})  # its class may have its own way
    for x in (a, b):
        if type(x) is not np.ndarray and isinstance(x, np.ndarray):
            check_faithful(type(x))
    check_store(a, seen=True)
    if a.dtype.kind not in DIFFERENTIABLE:
        return fn(a, b), nothing
    if fn in _IN_PLACE:
        return a, _IN_PLACE[fn](a, b)
    if fn in _BY_RULE:
        f = _BY_RULE[fn]
        rules = find_rules(f)
        found = None if rules is None else followed(f, rules, lambda: fn(a, b), (a, b), {})
        if found is not None:
            return found
    return fn(a, b), forgotten(a)


def _added(a: Array, b: Any) -> Back:
    to = operand(b)
    a += b
    return nothing if to is None else _of_sum(a, to, 1)


def _subtracted(a: Array, b: Any) -> Back:
    to = operand(b)
    a -= b
    return nothing if to is None else _of_sum(a, to, -1)


def _of_sum(a: Array, to: Operand, sign: int) -> Back:
    def of_sum_back(sweep: Sweep, y_bar: Any) -> Any:
        shadow = sweep.shadow(a)
        if shadow is None:
            return NOTHING
        if type(shadow) is Unknown:
            return None, None, to.give(sweep, shadow)
        # NumPy reads all of an array before it adds it to one that overlaps; lists are given item by item.
        d = -shadow if sign < 0 else shadow.copy() if isinstance(to.like, list | tuple) else shadow
        return None, None, to.give(sweep, d)

    return of_sum_back


def _multiplied(a: Array, b: Any) -> Back:
    to, factor = operand(b), kept(b)
    old = None if to is None else a.copy()
    a *= b

    def multiplied_back(sweep: Sweep, y_bar: Any) -> Any:
        shadow = sweep.shadow(a)
        if shadow is None or type(shadow) is Unknown:
            return NOTHING if shadow is None or to is None else (None, None, to.give(sweep, shadow))
        d = None if to is None else shadow * conj(old)
        shadow *= conj(factor)
        return NOTHING if to is None else (None, None, to.give(sweep, d))

    return multiplied_back


def _divided(a: Array, b: Any) -> Back:
    to, divisor = operand(b), kept(b)
    a /= b
    y = None if to is None else a.copy()

    def divided_back(sweep: Sweep, y_bar: Any) -> Any:
        shadow = sweep.shadow(a)
        if shadow is None or type(shadow) is Unknown:
            return NOTHING if shadow is None or to is None else (None, None, to.give(sweep, shadow))
        d = None if y is None else apply_partial(shadow, quietly(np.divide, -y, divisor), True)
        shadow[...] = apply_partial(shadow, quietly(np.divide, 1, divisor), True)
        return NOTHING if to is None else (None, None, to.give(sweep, d))

    return divided_back


_IN_PLACE: dict[Any, Callable[[Array, Any], Back]] = {
    operator.iadd: _added,
    operator.isub: _subtracted,
    operator.imul: _multiplied,
    operator.itruediv: _divided,
}
_BY_RULE: dict[Any, Any] = {operator.ipow: np.power, operator.imod: np.remainder, operator.imatmul: np.matmul}


# ---- `np.add.at(a, indices, b)`


@handles_methods(np.ufunc, "at")
@wholly
def _at(record: Record, k: int, self: Any, args: Values, kwargs: dict[str, Any]) -> Result:
    """The operands are the ufunc, the array, the indices, and what is added there, each time an index names a place."""
    a, chosen, others = args[0] if args else None, snapshot(args[1:2]), args[2:]
    if not isinstance(a, np.ndarray) or a.dtype.kind not in DIFFERENTIABLE or len(args) != self.nin + 1:
        return self.at(*args, **kwargs), nothing
    check_faithful(type(a))
    check_store(a)
    (chosen,) = chosen
    if self is np.add or self is np.subtract:
        return self.at(*args), _of_sum_at(a, chosen, operand(*others), -1 if self is np.subtract else 1)
    rules = find_rules(self)
    if rules is not None and not rules.differentiable:
        return self.at(*args), _forgotten_at(a, chosen)
    method = None if rules is None else rules.select((np.ndarray,) * self.nin)
    if method is None:
        error = no_rule(self)
        return self.at(*args), _refused_at(a, chosen, error)
    old, values = np.array(a), [kept(b) for b in others]
    y = self.at(*args)
    return y, _in_rounds(method, a, old, chosen, values, operand(*others) if others else None)


def _of_sum_at(a: Array, chosen: Any, to: Operand | None, sign: int) -> Back:
    def of_sum_at_back(sweep: Sweep, y_bar: Any) -> Any:
        shadow = sweep.shadow(a)
        if shadow is None or to is None:
            return NOTHING
        d = shadow if type(shadow) is Unknown else np.array(shadow[chosen])
        return None, None, None, None, to.give(sweep, -d if sign < 0 else d)

    return of_sum_at_back


def _forgotten_at(a: Array, chosen: Any) -> Back:
    def forgotten_at_back(sweep: Sweep, y_bar: Any) -> Any:
        shadow = sweep.shadow(a)
        if shadow is not None and type(shadow) is not Unknown:
            shadow[chosen] = 0
        return NOTHING

    return forgotten_at_back


def _refused_at(a: Array, chosen: Any, error: Exception) -> Back:
    def refused_at_back(sweep: Sweep, y_bar: Any) -> Any:
        shadow = sweep.shadow(a)
        if shadow is not None and (type(shadow) is Unknown or is_nonzero(shadow[chosen])):
            raise error
        return NOTHING

    return refused_at_back


def _in_rounds(method: Any, a: Array, old: Array, chosen: Any, values: list[Any], to: Operand | None) -> Back:
    """One round for each time that places are named: the places of a round are all different."""
    places = np.arange(old.size).reshape(old.shape)[chosen]
    current, flat = old.reshape(-1), places.reshape(-1)
    row = [np.broadcast_to(b, places.shape).reshape(-1) for b in values]
    rounds = []
    with np.errstate(all="ignore"):
        for turn in turns(flat):
            at = flat[turn]
            current[at], back = method.call(current[at], *[b[turn] for b in row])
            rounds.append((turn, at, back))

    def in_rounds_back(sweep: Sweep, y_bar: Any) -> Any:
        shadow = sweep.shadow(a)
        if shadow is None or type(shadow) is Unknown:
            return NOTHING if shadow is None or to is None else (None, None, None, None, to.give(sweep, shadow))
        d = np.zeros(flat.shape, np.result_type(shadow, *values))
        for turn, at, back in reversed(rounds):
            window, index = by_place(shadow, at)
            bars = back(window[index])
            window[index] = 0 if bars[0] is None else bars[0]
            if to is not None and bars[1] is not None:
                d[turn] = bars[1]
        return NOTHING if to is None else (None, None, None, None, to.give(sweep, d.reshape(places.shape)))

    return in_rounds_back


def by_place(window: Array, places: Any) -> tuple[Array, Any]:
    """A window and the index that names places of it by their number, row after row."""
    if window.flags.c_contiguous:
        return window.reshape(-1), places
    return window, np.unravel_index(places, window.shape)


__all__ = ["by_place", "inplace_array", "with_out", "writes_out"]
