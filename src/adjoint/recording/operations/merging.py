"""Operations that merge something into a dict: other dicts, mappings, pairs, items by name."""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Sequence
from typing import Any

from ..sweep import Sweep
from .base import Back, Record, nothing, unfinished
from .calls import invoke, invoke_method
from .items import own_method, read_item
from .native import check_key
from .slots import Args, Drawn, Kwargs, behind, gathered, is_iterable, is_written, unheard
from .streaming import check_size

BASES = (OrderedDict, defaultdict, dict)


def base_of(self: Any) -> Any:
    """The builtin class that does the work."""
    return next(cls for cls in BASES if isinstance(self, cls))


def put(record: Record, k: int, self: Any, key: Any, value: Any, minding: type = OrderedDict) -> Any:
    """A store; gives what takes the cotangent of the value. Only this builtin class minds a method in Python."""
    check_key(key)
    own = own_method(self, "__setitem__") if isinstance(self, minding) else None
    if own is not None:
        _, back = invoke(record, k, own, (self, key, value), {})
        return lambda sweep: back(sweep, None)[3]
    base_of(self).__setitem__(self, key, value)
    return lambda sweep: sweep.take(self, key)


class Merging:
    """Pairs on their way into a dict, and the way back of their values, from the last to the first."""

    def __init__(self, holder: Any) -> None:
        self.holder = holder
        self.steps: list[Any] = []

    def merge(self, record: Record, k: int, args: Args, kwargs: Kwargs, back: Back) -> None:
        """`holder.update(*args, **kwargs)`; should that not come to its end, `back` reverses what was done."""
        try:
            if args:
                self._source(k, args[0])
            for i, (key, value) in enumerate(kwargs.items(), start=len(args)):
                self._store(k, key, value, lambda sweep, bars, d, i=i: bars.__setitem__(i, d))
        except BaseException:
            record((k, unfinished(back)))
            raise

    def display(self, record: Record, k: int, keys: Sequence[tuple[Any] | None], values: Args, back: Back) -> None:
        """`{key: value, **mapping}`: no key where a whole mapping is merged in."""
        try:
            for i, (key, value) in enumerate(zip(keys, values, strict=True)):
                if key is not None:
                    self._store(k, *key, value, lambda sweep, bars, d, i=i: bars.__setitem__(i, d))
                elif hasattr(value, "keys"):
                    self._source(k, value)
                else:
                    self.holder = {**value}  # raises
        except BaseException:
            record((k, unfinished(back)))
            raise

    def _record(self, step: Any) -> None:
        """Record in which what is within writes its steps down."""
        self.steps.append(lambda sweep, bars: step[1](sweep, None))

    def _store(self, k: int, key: Any, value: Any, give: Any) -> None:
        stored = put(self._record, k, self.holder, key, value)
        self.steps.append(lambda sweep, bars: give(sweep, bars, stored(sweep)))

    def give(self, sweep: Sweep, n: int) -> list[Any]:
        """The cotangents of the `n` operands."""
        bars: list[Any] = [None] * n
        for step in reversed(self.steps):
            step(sweep, bars)
        return bars

    def _source(self, k: int, source: Any) -> None:
        source = behind(source)
        if is_plain_dict(source, self.holder):
            self._dict(k, source)
        elif hasattr(source, "keys"):
            self._mapping(k, source)
        else:
            self._pairs(k, source)

    def _dict(self, k: int, source: Any) -> None:
        holder, keys = self.holder, list(dict.keys(source))
        if isinstance(holder, OrderedDict) and is_written(holder, "__setitem__"):
            for key in keys:
                value = dict.__getitem__(source, key)
                self._store(k, key, value, lambda sweep, bars, d, key=key: sweep.add(source, key, d))
            return
        base_of(holder).update(holder, source)

        def dict_step(sweep: Sweep, bars: list[Any]) -> None:
            if sweep.slots.get(id(holder)):
                for key in keys:
                    sweep.add(source, key, sweep.take(holder, key))

        if source is not holder:
            self.steps.append(dict_step)

    def _mapping(self, k: int, source: Any) -> None:
        found, found_back = invoke_method(self._record, k, source, "keys", (), {})
        keys, give = gathered(self._record, k, found, 1)
        n = len(keys)
        self.steps.append(lambda sweep, bars: found_back(sweep, give(sweep, [None] * n)))
        for key in keys:
            value, back = read_item(self._record, k, source, key)
            self._store(k, key, value, lambda sweep, bars, d, back=back: back(sweep, d))

    def _pairs(self, k: int, source: Any) -> None:
        drawn = Drawn(source, type(source) in (list, tuple))
        parts: list[Any] = []

        def taken(sweep: Sweep, i: int) -> Any:
            if i >= len(parts):
                return None  # what could not be stored
            stored, give = parts[i]
            return give(sweep, [None, stored(sweep)])

        def pairs_step(sweep: Sweep, bars: list[Any]) -> None:
            bars[0] = drawn.give(sweep, lambda i: taken(sweep, i))

        def merge_pair(pair: Any) -> None:
            items, give = gathered(self._record, k, pair, 1, check=check_size) if is_iterable(pair) else (pair, nothing)
            if items is pair or len(items) != 2:
                cls: Any = OrderedDict if isinstance(self.holder, OrderedDict) else dict
                cls([*[(0, 0)] * len(parts), items])  # raises
            parts.append((put(self._record, k, self.holder, *items), give))

        self.steps.append(pairs_step)
        drawn.into(unheard(self._record), k, merge_pair, nothing)


def is_plain_dict(x: Any, holder: Any = None) -> bool:
    """Tell whether its items are taken as they are, without its methods being asked, into this one."""
    if type(x) is dict or not isinstance(x, dict):
        return isinstance(x, dict)
    by_methods = isinstance(x, OrderedDict) or isinstance(holder, OrderedDict)
    return not is_written(x, "__iter__") and not (by_methods and is_written(x, "__getitem__", "keys"))


def updated(record: Record, k: int, holder: Any, args: Args, kwargs: Kwargs) -> Any:
    """`holder.update(*args, **kwargs)`; gives what gives the cotangents of the arguments."""
    merging, n = Merging(holder), len(args) + len(kwargs)

    def update_back(sweep: Sweep, y_bar: Any) -> Any:
        return (None, None, *merging.give(sweep, n))

    merging.merge(record, k, args, kwargs, update_back)
    return update_back


__all__ = ["Merging", "base_of", "is_plain_dict", "put", "updated"]
