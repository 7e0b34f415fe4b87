"""Cached functions of `functools`, as Python."""

from __future__ import annotations

import functools
import types
from collections import namedtuple
from typing import Any


class _Value:
    """A remembered result, outside of a recording."""

    def __init__(self, value: Any) -> None:
        self.value = value


class Cache:
    """A function with a cache, as `lru_cache` makes it: its entries have the result as their `value`."""

    def __init__(self, function: Any, maxsize: Any, typed: bool) -> None:
        functools.update_wrapper(self, function)
        self.entries: dict[Any, Any] = {}
        self.maxsize = maxsize
        self.typed = typed
        self.hits = self.misses = 0

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        key = self.key(args, kwargs)
        entry = self.found(key)
        if entry is None:
            entry = self.kept(key, _Value(self.__wrapped__(*args, **kwargs)))  # type: ignore[attr-defined]
        return entry.value

    def key(self, args: Any, kwargs: Any) -> Any:
        """The key that tells calls apart: an integer or a text alone is its own, and equals no key of 2.0 alone."""
        if not self.typed and not kwargs and len(args) == 1 and type(args[0]) in (int, str):
            return args[0]
        return args, tuple(kwargs.items()), tuple([type(x) for x in (*args, *kwargs.values())]) if self.typed else ()

    def found(self, key: Any) -> Any:
        """The entry of a key, which is then the last that was used; None if there is none."""
        entry = self.entries.pop(key, None)
        if entry is None:
            self.misses += 1
        else:
            self.hits += 1
            self.entries[key] = entry
        return entry

    def kept(self, key: Any, entry: Any) -> Any:
        """A new entry, in the place of the one that was used longest ago if there is no other."""
        if self.maxsize != 0:
            if self.maxsize is not None and len(self.entries) >= self.maxsize and key not in self.entries:
                del self.entries[next(iter(self.entries))]
            self.entries[key] = entry
        return entry

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def cache_info(self) -> Any:
        return _CacheInfo(self.hits, self.misses, self.maxsize, len(self.entries))

    def cache_parameters(self) -> dict[str, Any]:
        return {"maxsize": self.maxsize, "typed": self.typed}

    def cache_clear(self) -> None:
        self.entries.clear()
        self.hits = self.misses = 0


_CacheInfo = namedtuple("_CacheInfo", ["hits", "misses", "maxsize", "currsize"])


def lru_cache(maxsize: Any = 128, typed: bool = False) -> Any:
    if callable(maxsize):
        return Cache(maxsize, 128, typed)
    return lambda function: Cache(function, maxsize, typed)


def cache(function: Any) -> Any:
    return Cache(function, None, False)
