"""Lists: their methods, slices that are stored and deleted, concatenation. A slot is a position."""

from __future__ import annotations

import functools
from collections import deque
from typing import Any

from ..sweep import Sweep, is_valued
from . import heaps, ordering
from .base import NOTHING, Back, Record, Result, adapting, after, does, handles_methods, nothing, unfinished, with_first
from .comparisons import place_of
from .deques import delete_in_deque, extended
from .sequences import concatenate, copied, inserted, repeat, repeat_in_place, reversal
from .slots import Args, Drawn, Kwargs, gathered, handed, is_iterable, pure, remapped, spread
from .streaming import check_size

# ---- slices


def _unheard(step: Any) -> None:
    pass


@does("set slice")
def set_slice(owner: Any, index: slice, values: Any, record: Record = _unheard, k: int = 0) -> Back:
    """`owner[index] = values` of a list; the operand is `values`."""
    if not is_iterable(values):
        list.__setitem__(owner, index, values)  # raises
    items, give = gathered(record, k, values, 1, values is owner, check_size)
    n, m = list.__len__(owner), len(items)
    start, stop, step = index.indices(n)
    try:
        list.__setitem__(owner, index, items)
    except ValueError:
        record((k, unfinished(lambda sweep, y_bar: (None, give(sweep, [None] * m)))))
        raise
    places = range(start, stop, step) if step != 1 else range(start, start + m)
    moved_by = m - max(0, stop - start) if step == 1 else 0

    def slice_back(sweep: Sweep, y_bar: Any) -> Any:
        bars = [sweep.take(owner, i) for i in places]
        if moved_by and start + m < n + moved_by:
            spread(sweep, owner, start + m, -moved_by)
        return None, give(sweep, bars)

    return slice_back


def delete_steps(owner: Any, index: slice) -> Back:
    """`del owner[index]` of a list."""
    n = list.__len__(owner)
    gone = range(*index.indices(n))
    list.__delitem__(owner, index)
    gone = gone if gone.step > 0 else gone[::-1]
    first, step, count = gone.start, gone.step, len(gone)

    def delete_back(sweep: Sweep, y_bar: Any) -> Any:
        if step == 1 and first + count == n:
            return NOTHING
        if step == 1:
            spread(sweep, owner, first, count)
        elif count:
            remapped(sweep, owner, lambda s: s if s < first else s + min((s - first) // (step - 1) + 1, count))
        return NOTHING

    return delete_back


# ---- items


@handles_methods(list, "__getitem__")
def _getitem(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    y = list.__getitem__(self, *args, **kwargs)
    at: Any = range(list.__len__(self))[args[0]]
    if isinstance(at, int) and not is_valued(y):
        return y, nothing

    def item_back(sweep: Sweep, y_bar: Any) -> Any:
        if isinstance(at, range):
            handed(sweep, y, self, at)
        else:
            sweep.add(self, at, y_bar)
        return NOTHING

    return y, item_back


@handles_methods(list, "__setitem__")
def _setitem(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    if len(args) == 2 and isinstance(args[0], slice):
        back = set_slice(self, *args, record=adapting(record, lambda back: with_first(with_first(back))), k=k)
        return None, with_first(with_first(back))
    list.__setitem__(self, *args, **kwargs)
    at = range(list.__len__(self))[args[0]]
    return None, lambda sweep, y_bar: (None, None, None, sweep.take(self, at))


@handles_methods(list, "__delitem__")
def _delitem(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    n = list.__len__(self)
    if len(args) == 1 and isinstance(args[0], slice):
        return None, delete_steps(self, args[0])
    list.__delitem__(self, *args, **kwargs)
    return None, _removal(self, range(n)[args[0]], n)


def _removal(self: Any, at: int, n: int) -> Back:
    """The reverse of what took the item at this place away, out of `n`."""

    def removal_back(sweep: Sweep, y_bar: Any) -> Any:
        if at < n - 1:
            spread(sweep, self, at, 1)
        return NOTHING

    return removal_back


@handles_methods(list, "append")
def _append(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    n = list.__len__(self)
    list.append(self, *args, **kwargs)
    if not is_valued(args[0]):
        return None, nothing
    return None, lambda sweep, y_bar: (None, None, sweep.take(self, n))


@handles_methods(list, "insert")
def _insert(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    n = list.__len__(self)
    list.insert(self, *args, **kwargs)
    return None, inserted(self, args[0], n)


@handles_methods(list, "pop")
def _pop(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    n = list.__len__(self)
    y = list.pop(self, *args, **kwargs)
    at = range(n)[args[0] if args else -1]

    def pop_back(sweep: Sweep, y_bar: Any) -> Any:
        if at < n - 1:
            spread(sweep, self, at, 1)
        sweep.add(self, at, y_bar)
        return NOTHING

    return y, pop_back


@handles_methods(list, "remove")
def _remove(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    try:
        if len(args) == 1:
            at, searched = place_of(record, k, args[0], self)
        else:
            at, searched = list.index(self, *args, **kwargs), nothing
    except ValueError:
        raise ValueError("list.remove(x): x not in list") from None
    list.__delitem__(self, at)
    return None, after(_removal(self, at, list.__len__(self) + 1), searched)


@handles_methods(list, "reverse")
def _reverse(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    list.reverse(self, *args, **kwargs)
    return None, reversal(self, list.__len__(self))


@handles_methods(list, "copy", "__copy__")
def _copy(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    y = list.copy(self, *args, **kwargs)
    return y, copied(y, self, list.__len__(self))


pure(list, "clear", "__len__")
pure(tuple, "__len__")


# ---- extension


@handles_methods(list, "extend")
def _extend(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    if len(args) != 1 or kwargs:
        list.extend(self, *args, **kwargs)  # raises
    return None, _extended(record, k, self, args[0])


def _extended(record: Record, k: int, self: Any, values: Any) -> Back:
    n = list.__len__(self)
    check_size(values)
    drawn = Drawn(values, values is self or type(values) in (list, tuple))

    def extend_back(sweep: Sweep, y_bar: Any) -> Any:
        return None, None, drawn.give(sweep, lambda i: sweep.take(self, n + i))

    drawn.into(record, k, functools.partial(list.append, self), extend_back)
    return extend_back


def extend_in_place(record: Record, k: int, owner: Any, values: Any) -> Result:
    """`owner += values` of a list or a deque."""
    if isinstance(owner, deque):
        return owner, extended(record, k, owner, values)
    return owner, _extended(record, k, owner, values)


@handles_methods(list, "__iadd__")
def _iadd(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    return self, _extended(record, k, self, *args)


@handles_methods(list, "__init__")
def _init(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    if len(args) != 1 or kwargs:
        return list.__init__(self, *args, **kwargs), nothing
    if args[0] is self:
        return None, delete_steps(self, slice(None))
    list.clear(self)
    return None, _extended(record, k, self, args[0])


__all__ = [
    "concatenate", "delete_in_deque", "delete_steps", "extend_in_place", "heaps", "ordering", "repeat",
    "repeat_in_place", "set_slice",
]  # fmt: skip
