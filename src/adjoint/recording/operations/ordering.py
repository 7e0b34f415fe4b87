"""Operations that put the items of a list into another order: sorting, shuffling, and lists that are kept sorted.

The order of the items decides where their cotangents are, and nothing flows through it. A key is called as an operation
nevertheless: it may store what it is given.
"""

from __future__ import annotations

import bisect
import random
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import reference_programs
from ..sweep import Sweep, add
from .base import NOTHING, Back, Record, Result, handles, handles_methods, nothing, unfinished
from .calls import invoke_method, run
from .comparisons import StandIns, is_compared
from .native import check_index
from .ruled import by_rule
from .slots import Args, Kwargs, bars_of, called, gathered, in_turn, is_written, only, operand_of, remapped
from .streaming import check_size

# ---- sorting


class Keys:
    """The keys of items, and the way back through what they were computed by."""

    def __init__(self, items: Any) -> None:
        self.items = items
        self.keys: list[Any] = []
        self.backs: list[Back] = []
        self.stand: StandIns | None = None

    def compute(self, k: int, key: Any) -> None:
        """Let the keys be those that a function gives."""
        if key is None:
            self.keys = self.items
        else:
            for item in self.items:
                self.keys.append(called(k, key, (item,), self.backs))
        if any(map(is_compared, self.keys)):
            self.stand = StandIns(k)
            self.keys = [self.stand(x) for x in self.keys]

    def give(self, sweep: Sweep, add_to: Callable[[int, Any], None]) -> None:
        """Reverse the comparisons and the calls; `add_to(i, d)` adds to the cotangent of item `i`."""
        if self.stand is not None:
            self.stand.back(sweep, None)
        for i in reversed(range(len(self.backs))):
            d = self.backs[i](sweep, None)[1]
            if d is not None:
                add_to(i, d)


@handles_methods(list, "sort")
def _sort(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    if args or not kwargs.keys() <= {"key", "reverse"}:
        list.sort(self, *args, **kwargs)  # raises
    items = list.copy(self)
    keyed, order = Keys(items), list(range(len(items)))

    def sort_back(sweep: Sweep, y_bar: Any) -> Any:
        remapped(sweep, self, order.__getitem__)
        keyed.give(sweep, lambda i, d: sweep.add(self, i, d))
        return NOTHING

    list.clear(self)  # a list is empty while it is sorted
    try:
        keyed.compute(k, kwargs.get("key"))
        order.sort(key=keyed.keys.__getitem__, reverse=kwargs.get("reverse", False))
        if list.__len__(self):
            raise ValueError("list modified during sort")
    except BaseException:
        record((k, unfinished(sort_back)))
        raise
    finally:
        list.__setitem__(self, slice(None), [items[i] for i in order])
    return None, sort_back


@handles(sorted)
def _sorted(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    if len(args) != 1 or not kwargs.keys() <= {"key", "reverse"}:
        return f(*args, **kwargs), nothing  # raises
    check_size(args[0])
    items, give = gathered(record, k, args[0], 1)
    n = len(items)
    keyed, order = Keys(items), list(range(n))
    y: list[Any] = []
    operands = len(args) + len(kwargs)

    def sorted_back(sweep: Sweep, y_bar: Any) -> Any:
        bars: list[Any] = [None] * n
        for i, d in zip(order, bars_of(sweep, y, n), strict=True):
            bars[i] = d
        keyed.give(sweep, adding(bars))
        return only(operands, 1, give(sweep, bars))

    try:
        keyed.compute(k, kwargs.get("key"))
        order.sort(key=keyed.keys.__getitem__, reverse=kwargs.get("reverse", False))
    except BaseException:
        record((k, unfinished(sorted_back)))
        raise
    y += [items[i] for i in order]
    return y, sorted_back


def adding(bars: list[Any]) -> Callable[[int, Any], None]:
    def add_to(i: int, d: Any) -> None:
        bars[i] = add(bars[i], d)

    return add_to


# ---- shuffling


@handles(random.Random.shuffle)
def _shuffle(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    plainly = len(args) == 2 and type(args[0]) in (random.Random, random.SystemRandom) and _is_plain_list(args[1])
    return _shuffled(f, *args) if plainly else run(record, k, f, args, kwargs)


@handles(np.random.Generator.shuffle, np.random.RandomState.shuffle)
def _shuffle_of_numpy(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    plainly = len(args) == 2 and not kwargs and _is_plain_list(args[1])
    return _shuffled(f, *args) if plainly else by_rule(f, args, kwargs)


def _is_plain_list(x: Any) -> bool:
    return isinstance(x, list) and not is_written(x, "__len__", "__getitem__", "__setitem__")


def _shuffled(f: Any, source: Any, x: Any) -> Result:
    """The places are shuffled as the items would be: it takes the same random numbers."""
    order = list(range(len(x)))
    f(source, order)
    x[:] = [x[i] for i in order]

    def shuffle_back(sweep: Sweep, y_bar: Any) -> Any:
        remapped(sweep, x, order.__getitem__)
        return NOTHING

    return None, shuffle_back


# ---- lists that are kept sorted


@handles(bisect.bisect_left, bisect.bisect_right)
def _searched(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    if kwargs.get("key") is None and not any(map(is_compared, args)) and type(args[0]) in (list, tuple, np.ndarray):
        check_index(*args[:1], *args[2:])
        return f(*args, **kwargs), nothing
    return run(record, k, getattr(reference_programs, f.__name__), args, kwargs)


@handles(bisect.insort_left, bisect.insort_right)
def _insort(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    names = ("a", "x", "lo", "hi", "key")
    values = dict(zip(names, args, strict=False)) | kwargs
    if len(args) > 4 or not {"a", "x"} <= values.keys() <= set(names):
        return f(*args, **kwargs), nothing  # raises
    a, x, key = values["a"], values["x"], values.get("key")
    search: Any = bisect.bisect_left if f is bisect.insort_left else bisect.bisect_right
    number, operands = operand_of(args, kwargs, 1, "x"), len(args) + len(kwargs)
    lo, hi = values.get("lo", 0), values.get("hi")
    in_place = isinstance(a, list | deque)
    places: list[int | None] = []
    backs: list[Back] = []
    steps: list[Any] = []
    stand = StandIns(k)

    def keyed(i: int | None) -> Any:
        places.append(i)
        return called(k, key, (x if i is None else a[i],), backs)

    def insort_back(sweep: Sweep, y_bar: Any) -> Any:
        x_bar = in_turn(steps)(sweep, None)[3] if steps else None
        stand.back(sweep, None)
        for i, back in reversed(list(zip(places, backs, strict=False))):
            d = back(sweep, None)[1]
            if i is None:
                x_bar = add(x_bar, d)
            elif in_place:
                sweep.add(a, i, d)
        return only(operands, 1 + (number or 0), x_bar)

    try:
        if key is None and not (is_compared(x) or is_compared(a)):
            at = search(a, x, lo, hi)
        elif key is None:
            at = search(range(len(a)), stand(x), lo, hi, key=lambda i: stand(a[i]))
        else:
            at = search(range(len(a)), stand(keyed(None)), lo, hi, key=lambda i: stand(keyed(i)))
        _, back = invoke_method(steps.append, k, a, "insert", (at, x), {})
        steps.append((k, back))
    except BaseException:
        record((k, unfinished(insort_back)))
        raise
    return None, insort_back


__all__ = ["Keys", "adding"]
