"""Operations that lists, deques and tuples have in common: copies, concatenation, repetition."""

from __future__ import annotations

import operator
from collections import deque
from typing import Any

from ..patterns import items_of
from ..sweep import Sweep, add, is_valued
from .base import NOTHING, Back, Record, Result, handles, handles_methods, nothing
from .items import size
from .iteration import materialised
from .slots import Args, Kwargs, as_tuple, bars_of, gathered, handed, is_iterable, remapped, spread
from .streaming import check_size


def inserted(self: Any, index: Any, n: int) -> Back:
    """The reverse of `insert` into a list or a deque of `n` items."""
    at = operator.index(index)
    at = max(at + n, 0) if at < 0 else min(at, n)

    def insert_back(sweep: Sweep, y_bar: Any) -> Any:
        d = sweep.take(self, at)
        if at < n:
            spread(sweep, self, at + 1, -1)
        return None, None, None, d

    return insert_back


def reversal(self: Any, n: int) -> Back:
    """The reverse of `reverse`."""

    def reverse_back(sweep: Sweep, y_bar: Any) -> Any:
        remapped(sweep, self, lambda s: n - 1 - s)
        return NOTHING

    return reverse_back


def copied(y: Any, self: Any, n: int) -> Back:
    """The reverse of a copy of a sequence."""

    def copy_back(sweep: Sweep, y_bar: Any) -> Any:
        handed(sweep, y, self, range(n))
        return NOTHING

    return copy_back


# ---- concatenation


def concatenate(a: Any, b: Any, plain: Any = operator.add) -> Result:
    """`a + b` of lists, deques or tuples."""
    n, m = size(a), size(b)
    y = plain(a, b)
    if y is NotImplemented:
        return y, nothing
    if isinstance(y, tuple):
        return y, _of_tuples(type(a), type(b), n) if is_valued(y) else nothing
    lost = n + m - size(y)  # what fell off the left of a deque

    def concatenate_back(sweep: Sweep, y_bar: Any) -> Any:
        for i, d in sweep.take_slots(y).items():
            if isinstance(i, int):
                at = i + lost
                sweep.add(*(a, at) if at < n else (b, at - n), d)
        return NOTHING

    return y, concatenate_back


def _of_tuples(first: Any, second: Any, n: int) -> Back:
    def tuples_back(sweep: Sweep, y_bar: Any) -> Any:
        return NOTHING if y_bar is None else (None, as_tuple(first, y_bar[:n]), as_tuple(second, y_bar[n:]))

    return tuples_back


def repeat(a: Any, n: Any, plain: Any = operator.mul) -> Result:
    """`a * n` of a list, a deque or a tuple."""
    y, m, cls = plain(a, n), size(a), type(a)
    if y is NotImplemented or not isinstance(y, list | deque | tuple):
        return y, nothing
    if isinstance(y, tuple):
        return y, _of_repeated(cls, m) if m and is_valued(y) else nothing
    lost = m * max(0, operator.index(n)) - size(y)
    held = [item is not None for item in a]  # cotangents of what is None may be of any kinds, and do not add up

    def repeat_back(sweep: Sweep, y_bar: Any) -> Any:
        for i, d in sweep.take_slots(y).items():
            if isinstance(i, int) and held[(i + lost) % m]:
                sweep.add(a, (i + lost) % m, d)
        return NOTHING

    return y, repeat_back


def _of_repeated(cls: Any, m: int) -> Back:
    def repeated_back(sweep: Sweep, y_bar: Any) -> Any:
        if y_bar is None:
            return NOTHING
        bars: list[Any] = [None] * m
        for i, d in enumerate(y_bar):
            bars[i % m] = add(bars[i % m], d)
        return None, as_tuple(cls, bars), None

    return repeated_back


def repeat_in_place(owner: Any, n: Any) -> Result:
    """`owner *= n` of a list or a deque."""
    m, y = size(owner), owner
    y *= n
    return _repeated(owner, y, m, n)


def _repeated(owner: Any, y: Any, m: int, n: Any) -> Result:
    if y is NotImplemented or not m:
        return y, nothing
    lost = m * max(0, operator.index(n)) - size(owner)

    def repeat_back(sweep: Sweep, y_bar: Any) -> Any:
        slots = sweep.take_slots(owner)
        for i, d in slots.items():
            sweep.add(owner, (i + lost) % m if isinstance(i, int) else i, d)
        return NOTHING

    return owner, repeat_back


def arithmetic(cls: Any) -> None:
    """Declare the operators of a class of sequences, called by their names."""

    @handles_methods(cls, "__add__")
    def _add(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
        return concatenate(self, args[0], cls.__add__)

    @handles_methods(cls, "__mul__", "__rmul__")
    def _mul(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
        return repeat(self, args[0], cls.__mul__)

    if cls is not tuple:

        @handles_methods(cls, "__imul__")
        def _imul(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
            m = cls.__len__(self)
            return _repeated(self, cls.__imul__(self, *args), m, *args)


arithmetic(list)
arithmetic(tuple)
arithmetic(deque)


# ---- new ones


@handles(list)
def _list(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    if len(args) != 1 or kwargs or not is_iterable(args[0]):
        return f(*args, **kwargs), nothing
    check_size(args[0])
    items, give = gathered(record, k, args[0], 1)
    y = items if f is list else f(items)
    n = len(items)
    return y, lambda sweep, y_bar: (None, give(sweep, bars_of(sweep, y, n)))


@handles(items_of)
def _items_of(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    items, back = materialised(record, k, args[0])
    y = items_of(items, *args[1:])
    n = len(y)
    return y, lambda sweep, y_bar: (*back(sweep, bars_of(sweep, y, n)), None, None)


@handles(tuple)
def _tuple(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    if len(args) != 1 or kwargs or not is_iterable(args[0]):
        return f(*args, **kwargs), nothing
    if f is tuple and type(args[0]) is tuple:
        return args[0], lambda sweep, y_bar: (None, y_bar)
    check_size(args[0])
    items, give = gathered(record, k, args[0], 1)
    n = len(items)
    return f(items), lambda sweep, y_bar: (None, give(sweep, [None] * n if y_bar is None else y_bar))


__all__ = ["concatenate", "copied", "inserted", "repeat", "repeat_in_place", "reversal"]
