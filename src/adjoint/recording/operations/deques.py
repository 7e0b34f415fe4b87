"""Deques: both ends cost the same, and what does not fit falls off the other end. A slot is a position."""

from __future__ import annotations

import operator
from collections import deque
from typing import Any

from ..sweep import Sweep
from .base import NOTHING, Back, Record, Result, after, handles, handles_methods, nothing, read_slot
from .comparisons import place_of
from .sequences import copied, inserted, reversal
from .slots import Args, Drawn, Kwargs, bars_of, gathered, is_iterable, moved, only, operand_of, pure, spread


def _undo_append(sweep: Sweep, self: Any, n: int, full: bool) -> Any:
    """An item that was appended to `n` is taken away again, and what fell off the left comes back."""
    d = sweep.take(self, n - 1 if full else n)
    if full:
        moved(sweep, self, 1)
    return d


def _undo_appendleft(sweep: Sweep, self: Any) -> Any:
    d = sweep.take(self, 0)
    moved(sweep, self, -1)
    return d


# ---- one item


@handles_methods(deque, "append")
def _append(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    n = deque.__len__(self)
    deque.append(self, *args, **kwargs)
    full = deque.__len__(self) == n
    return None, lambda sweep, y_bar: (None, None, _undo_append(sweep, self, n, full))


@handles_methods(deque, "appendleft")
def _appendleft(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    deque.appendleft(self, *args, **kwargs)
    return None, lambda sweep, y_bar: (None, None, _undo_appendleft(sweep, self))


@handles_methods(deque, "pop")
def _pop(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    y = deque.pop(self, *args, **kwargs)
    return read_slot(y, self, deque.__len__(self))


@handles_methods(deque, "popleft")
def _popleft(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    y = deque.popleft(self, *args, **kwargs)

    def popleft_back(sweep: Sweep, y_bar: Any) -> Any:
        moved(sweep, self, 1)
        sweep.add(self, 0, y_bar)
        return NOTHING

    return y, popleft_back


@handles_methods(deque, "insert")
def _insert(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    n = deque.__len__(self)
    deque.insert(self, *args, **kwargs)
    return None, inserted(self, args[0], n)


@handles_methods(deque, "remove")
def _remove(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    try:
        if len(args) == 1:
            at, searched = place_of(record, k, args[0], self)
        else:
            at, searched = deque.index(self, *args, **kwargs), nothing
    except ValueError:
        return deque.remove(self, *args, **kwargs), nothing  # raises
    return None, after(delete_in_deque(self, at), searched)


@handles_methods(deque, "__getitem__")
def _getitem(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    y = deque.__getitem__(self, *args, **kwargs)
    return read_slot(y, self, range(deque.__len__(self))[args[0]])


@handles_methods(deque, "__setitem__")
def _setitem(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    deque.__setitem__(self, *args, **kwargs)
    at = range(deque.__len__(self))[args[0]]
    return None, lambda sweep, y_bar: (None, None, None, sweep.take(self, at))


@handles_methods(deque, "__delitem__")
def _delitem(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    return None, delete_in_deque(self, *args)


def delete_in_deque(owner: Any, index: Any) -> Back:
    """`del owner[index]` of a deque."""
    n = deque.__len__(owner)
    deque.__delitem__(owner, index)
    at = range(n)[index]

    def delete_back(sweep: Sweep, y_bar: Any) -> Any:
        spread(sweep, owner, at, 1)
        return NOTHING

    return delete_back


# ---- all items


@handles_methods(deque, "extend")
def _extend(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    if len(args) != 1 or kwargs:
        deque.extend(self, *args, **kwargs)  # raises
    return None, extended(record, k, self, args[0])


@handles_methods(deque, "__iadd__")
def _iadd(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    return self, extended(record, k, self, *args)


def extended(record: Record, k: int, self: Any, values: Any) -> Back:
    """`self.extend(values)`."""
    n, limit = deque.__len__(self), self.maxlen
    drawn = Drawn(values, values is self)

    def taken(sweep: Sweep, i: int) -> Any:
        if limit is None or n + i < limit:
            return _undo_append(sweep, self, n + i, False)
        return _undo_append(sweep, self, limit, True)

    def extend_back(sweep: Sweep, y_bar: Any) -> Any:
        return None, None, drawn.give(sweep, lambda i: taken(sweep, i))

    drawn.into(record, k, lambda y: deque.append(self, y), extend_back)
    return extend_back


@handles_methods(deque, "extendleft")
def _extendleft(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    if len(args) != 1 or kwargs:
        deque.extendleft(self, *args, **kwargs)  # raises
    drawn = Drawn(args[0], args[0] is self)

    def extendleft_back(sweep: Sweep, y_bar: Any) -> Any:
        return None, None, drawn.give(sweep, lambda i: _undo_appendleft(sweep, self))

    drawn.into(record, k, lambda y: deque.appendleft(self, y), extendleft_back)
    return None, extendleft_back


@handles_methods(deque, "rotate")
def _rotate(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    deque.rotate(self, *args, **kwargs)
    n = deque.__len__(self)
    by = operator.index(args[0] if args else 1) % (n or 1)
    by = by if 2 * by <= n else by - n

    def rotate_back(sweep: Sweep, y_bar: Any) -> Any:
        """All move, and those that came around go back: it costs as much as the smaller of both parts."""
        moved(sweep, self, -by)
        for i in range(-by, 0) if by > 0 else range(n, n - by):
            sweep.add(self, i % n, sweep.take(self, i))
        return NOTHING

    return None, rotate_back


@handles_methods(deque, "reverse")
def _reverse(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    deque.reverse(self, *args, **kwargs)
    return None, reversal(self, deque.__len__(self))


@handles_methods(deque, "copy", "__copy__")
def _copy(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    y = deque.copy(self, *args, **kwargs)
    return y, copied(y, self, deque.__len__(self))


pure(deque, "clear", "__len__")


# ---- new ones


@handles(deque)
def _deque(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    at = operand_of(args, kwargs, 0, "iterable")
    values = (*args, *kwargs.values())
    if at is None or not is_iterable(values[at]):
        return f(*args, **kwargs), nothing
    items, give = gathered(record, k, values[at], at + 1)
    y = f(items, *args[1:], **kwargs) if at == 0 and args else f(*args, **{**kwargs, "iterable": items})
    n, lost = len(y), len(items) - len(y)

    def deque_back(sweep: Sweep, y_bar: Any) -> Any:
        return only(len(values), at + 1, give(sweep, [None] * lost + bars_of(sweep, y, n)))

    return y, deque_back


@handles_methods(deque, "__init__")
def _init(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    at = operand_of(args, kwargs, 0, "iterable")
    values = (*args, *kwargs.values())
    if at is None or values[at] is self:
        return deque.__init__(self, *args, **kwargs), nothing
    empty = {"iterable": ()} if "iterable" in kwargs else {}
    deque.__init__(self, *() if empty else ((), *args[1:]), **{**kwargs, **empty})
    back = extended(record, k, self, values[at])
    return None, lambda sweep, y_bar: only(len(values) + 1, at + 2, back(sweep, None)[2])


__all__ = ["delete_in_deque", "extended"]
