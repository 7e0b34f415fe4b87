"""Builtins that run through all of what they are given: `sum`, `min`, `max`, `any`, `all`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...runtime.targets import runs_own_code
from .. import reference_programs
from ..sweep import Sweep, add, is_valued
from .base import NOTHING, Record, Result, handles, unfinished
from .calls import invoke, run
from .comparisons import PLAIN, StandIns
from .iteration import materialised, stream_of
from .ruled import by_rule
from .streaming import Stream

Args = tuple[Any, ...]

PLAIN_NUMBERS = frozenset([float, int, bool, complex])


@handles(any, all)
def _any_or_all(record: Record, k: int, f: Any, args: Args, kwargs: Any) -> Result:
    return _quick(record, k, f, *args)


@handles(sum)
def _sum(record: Record, k: int, f: Any, args: Args, kwargs: Any) -> Result:
    if args and _of_numbers(args, kwargs):
        return by_rule(f, args, kwargs)
    start = (*args[1:], *kwargs.values(), 0)[0]
    if len(args) + len(kwargs) not in (1, 2) or not args or type(start) not in PLAIN_NUMBERS:
        return run(record, k, reference_programs.total, args, kwargs)
    return _drawn_sum(record, k, args[0], start)


class _From(Stream):
    """The items of a stream from one on that was taken already."""

    def __init__(self, taken: Any, stream: Stream) -> None:
        self.taken: Any = taken
        self.stream = stream

    def step(self, record: Record, k: int) -> Any:
        taken, self.taken = self.taken, None
        return self.stream.step(record, k) if taken is None else taken


def _drawn_sum(record: Record, k: int, iterable: Any, start: Any) -> Result:
    """A sum that begins with plain numbers, which are for Python to add: it may do better than one after the other.
    From the first item on that is something else, each is added by the methods of its class."""
    items: list[Any] = []
    steps: list[Any] = []
    stream, first = stream_of(record, k, iterable)
    rest: Any = None
    backs: list[Any] = []

    def sum_back(sweep: Sweep, y_bar: Any) -> Any:
        left = None
        if rest is not None:
            left, _, y_bar = rest(sweep, y_bar)[:3]
        start_bar = None
        for back in backs:
            start_bar = back(sweep, y_bar)[2]
        bars = [sweep.take(items, i) for i in range(len(items))]
        return (left, _give(sweep, steps, first, bars), start_bar)

    try:
        while True:
            try:
                y, back = stream.step(steps.append, k)
            except StopIteration:
                break
            if type(y) not in PLAIN_NUMBERS:
                total, plain_back = by_rule(sum, (items, start), {})
                backs.append(plain_back)
                y, rest = run(steps.append, k, reference_programs.total, (_From((y, back), stream), total), {})
                return y, sum_back
            steps.append((False, back, len(items)))
            items.append(y)
    except BaseException:
        record((k, unfinished(lambda sweep, y_bar: sum_back(sweep, None))))
        raise
    y, plain_back = by_rule(sum, (items, start), {})
    backs.append(plain_back)
    return y, sum_back


def _of_numbers(args: Args, kwargs: Any) -> bool:
    """Tell whether a sum is one of numbers, as the rule has it: not of what is added by methods, and may be given
    back."""
    start = args[1] if len(args) > 1 else kwargs.get("start", 0)
    items = args[0]
    if not is_number(start) or runs_own_code(items):
        return False
    return type(items) in (np.ndarray, range) or type(items) in (list, tuple) and all(map(is_number, items))


def is_number(x: Any) -> bool:
    """Tell whether `x` is a number of Python or NumPy: a class of the user's may have its own operators."""
    return type(x) in PLAIN_NUMBERS or isinstance(x, np.generic)


@handles(min, max)
def _extreme(record: Record, k: int, f: Any, args: Args, kwargs: Any) -> Result:
    if len(args) > 1:
        if "key" not in kwargs and all(map(is_number, args)):
            return by_rule(f, args, kwargs)
        y, back = _selected(record, k, f, args, kwargs)
        n = len(args)

        def spread_back(sweep: Sweep, y_bar: Any) -> Any:
            d = back(sweep, y_bar)
            return (None, *(d[1] if d[1] is not None else (None,) * n), *NOTHING)

        return y, spread_back
    if args and "key" not in kwargs and _of_numbers(args, {}) and len(args[0]):
        return by_rule(f, args, kwargs)
    return _selected(record, k, f, args[0] if args else (), kwargs)


def _selected(record: Record, k: int, f: Any, iterable: Any, kwargs: Any) -> Result:
    """One of the items, the first whose key is extreme; each key is asked for when its item comes."""
    key = kwargs.get("key")
    items: list[Any] = []
    keys: list[Any] = []
    steps: list[Any] = []  # what came to no end, and what gave an item or its key, with the place of that
    stream, first = stream_of(record, k, iterable)
    try:
        while True:
            y, back = stream.step(steps.append, k)
            steps.append((False, back, len(items)))
            items.append(y)
            if key is not None:
                y, back = invoke(steps.append, k, key, (y,), {})
                steps.append((True, back, len(keys)))
            keys.append(y)
    except StopIteration:
        pass
    except BaseException:
        record((k, unfinished(lambda sweep, y_bar: (None, _give(sweep, steps, first, [None] * len(items)), *NOTHING))))
        raise
    n, labels = len(items), list(kwargs)
    if not items:
        if "default" not in kwargs:
            f(())  # it raises, in the words of this Python
        at = labels.index("default")
        given = [i == at for i in range(len(labels))]
        return kwargs["default"], lambda sweep, y_bar: (None, None, *[y_bar if here else None for here in given])
    stand = StandIns(k)
    keys = [stand(x) for x in keys]
    chosen = f(range(n), key=keys.__getitem__)
    valued = is_valued(items[chosen])

    def selected_back(sweep: Sweep, y_bar: Any) -> Any:
        stand.back(sweep, None)
        bars = [y_bar if i == chosen and valued else None for i in range(n)]
        return (None, _give(sweep, steps, first, bars), *NOTHING)

    return items[chosen], selected_back


def _give(sweep: Sweep, steps: list[Any], first: Any, bars: list[Any]) -> Any:
    """Cotangents that the items and their keys give to what was run through."""
    for step in reversed(steps):
        if len(step) == 2:
            step[1](sweep, None)
        elif step[0]:
            bars[step[2]] = add(bars[step[2]], step[1](sweep, None)[1])
        else:
            step[1](sweep, bars[step[2]])
    return first(sweep, None)[1]


def _quick(record: Record, k: int, f: Any, x: Any) -> Result:
    """`any` and `all`, which stop as soon as they know."""
    stream, first = stream_of(record, k, x)
    steps: list[Any] = []
    wanted = f is any

    def quick_back(sweep: Sweep, y_bar: Any) -> Any:
        for step in reversed(steps):
            step[1](sweep, None)
        return None, first(sweep, None)[1]

    try:
        while True:
            try:
                item, back = stream.step(steps.append, k)
            except StopIteration:
                return not wanted, quick_back
            steps.append((k, back))
            if type(item) not in PLAIN:
                item, back = invoke(steps.append, k, bool, (item,), {})
                steps.append((k, back))
            if bool(item) is wanted:
                return wanted, quick_back
    except BaseException:
        record((k, unfinished(quick_back)))
        raise


__all__ = ["is_number", "materialised"]
