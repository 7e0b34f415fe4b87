"""Programs that find again what an earlier call has stored: under keys that callers make, by methods, in lists side by
side, as the latest result in a dict or within a tolerance."""

from __future__ import annotations

import bisect
import collections
import math
from typing import Any

import numpy as np


class Table:
    def __init__(self) -> None:
        self.found: dict[Any, Any] = {}

    def get(self, key: Any, default: Any = None) -> Any:
        return self.found.get(key, default)

    def put(self, key: Any, value: Any) -> None:
        self.found[key] = value

    def __contains__(self, key: Any) -> bool:
        return key in self.found

    def __getitem__(self, key: Any) -> Any:
        return self.found[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.found[key] = value


# ---- under keys that callers make: computed anew


def by_key(make: Any) -> Any:
    memo: dict[Any, Any] = {}

    def find(key: Any, x: Any) -> Any:
        if key not in memo:
            memo[key] = x * x
        return memo[key]

    def f(x: Any) -> Any:
        return find(make(x), x)

    return f


def among_keys(make: Any) -> Any:
    memo: dict[Any, Any] = {}

    def f(x: Any) -> Any:
        key = make(x)
        if key in memo.keys():  # noqa: SIM118
            return memo[key]
        memo[key] = x * x
        return memo[key]

    return f


def by_default(make: Any) -> Any:
    def find(key: Any, x: Any, memo: dict[Any, Any] = {}) -> Any:  # noqa: B006
        if key not in memo:
            memo[key] = x * x
        return memo[key]

    def f(x: Any) -> Any:
        return find(make(x), x)

    return f


def as_text(x: Any) -> Any:
    return str(x)


def formatted(x: Any) -> Any:
    return f"square of {x:.9f}"


def by_format(x: Any) -> Any:
    return "{:.9f}|{}".format(x, "square")


def by_percent(x: Any) -> Any:
    return "%.9f" % x  # noqa: UP031


def joined(x: Any) -> Any:
    return "-".join(["square", repr(x)])


def added(x: Any) -> Any:
    return "square" + str(2.0 * x)


def in_tuple(x: Any) -> Any:
    return (str(x), 1)


def rounded(x: Any) -> Any:
    return round(x * 1e6)


def to_digits(x: Any) -> Any:
    return round(x, 9)


def as_hex(x: Any) -> Any:
    return x.hex()


def as_bytes(x: Any) -> Any:
    return np.asarray(x).tobytes()


KEYS = [as_text, formatted, by_format, by_percent, joined, added, in_tuple, rounded, to_digits, as_hex, as_bytes]


# ---- by methods that store: refused


def by_methods(make: Any) -> Any:
    table = Table()

    def f(x: Any) -> Any:
        key = make(x)
        y = table.get(key)
        if y is None:
            y = x * x
            table.put(key, y)
        return y

    return f


def by_special_methods(make: Any) -> Any:
    table = Table()

    def f(x: Any) -> Any:
        key = make(x)
        if key not in table:
            table[key] = x * x
        return table[key]

    return f


METHOD_KEYS = [as_text, formatted, added, in_tuple, to_digits]


# ---- in lists side by side, and as pairs: refused


def in_lists() -> Any:
    keys: list[Any] = []
    values: list[Any] = []

    def f(x: Any) -> Any:
        if x in keys:
            return values[keys.index(x)]
        y = x * x
        keys.append(x)
        values.append(y)
        return y

    return f


def run_through() -> Any:
    keys: list[Any] = []
    values: list[Any] = []

    def f(x: Any) -> Any:
        for key, value in zip(keys, values, strict=True):
            if key == x:
                return value
        y = x * x
        keys.append(x)
        values.append(y)
        return y

    return f


def as_pairs() -> Any:
    pairs: list[Any] = []

    def f(x: Any) -> Any:
        for key, value in pairs:
            if abs(key - x) < 1e-12:
                return value
        y = x * x
        pairs.append((x, y))
        return y

    return f


class Entries:
    def __init__(self) -> None:
        self.keys: list[float] = []
        self.values: list[float] = []

    def place(self, x: Any) -> Any:
        for i, key in enumerate(self.keys):
            if key == x:
                return i
        return -1

    def __call__(self, x: Any) -> Any:
        i = self.place(x)
        if i < 0:
            self.keys.append(x)
            self.values.append(x * x)
            i = len(self.keys) - 1
        return self.values[i]


def in_entries() -> Any:
    entries = Entries()
    return lambda x: entries(x)


def in_set() -> Any:
    seen: set[Any] = set()
    latest: dict[str, Any] = {}

    def f(x: Any) -> Any:
        if x not in seen:
            seen.add(x)
            latest["value"] = x * x
        return latest["value"]

    return f


def in_deque() -> Any:
    recent: collections.deque[Any] = collections.deque(maxlen=3)

    def f(x: Any) -> Any:
        for key, value in recent:
            if key == x:
                return value
        y = x * x
        recent.append((x, y))
        return y

    return f


def in_sorted_list() -> Any:
    keys: list[Any] = []
    values: list[Any] = []

    def f(x: Any) -> Any:
        i = bisect.bisect_left(keys, x)
        if i < len(keys) and math.isclose(keys[i], x):
            return values[i]
        keys.insert(i, x)
        values.insert(i, x * x)
        return values[i]

    return f


# ---- the latest result


def in_dict() -> Any:
    latest: dict[str, Any] = {}

    def f(x: Any) -> Any:
        if latest.get("x") != x:
            latest["x"] = x
            latest["value"] = x * x
        return latest["value"]

    return f


def in_list() -> Any:
    latest: list[Any] = [None, None]

    def f(x: Any) -> Any:
        if latest[0] == x:
            return latest[1]
        latest[0] = x
        latest[1] = x * x
        return latest[1]

    return f


class Near:
    def __init__(self, x: Any = 1e9) -> None:
        self.x = x
        self.value = 0.0

    def __call__(self, x: Any) -> Any:
        if self.x is not None and abs(x - self.x) < 1e-12:
            return self.value
        self.x = x
        self.value = x * x
        return self.value


def within_tolerance() -> Any:
    near = Near()
    return lambda x: near(x)


def from_nothing() -> Any:
    near = Near(None)
    return lambda x: near(x)


class Split:
    def __init__(self) -> None:
        self.x: Any = None
        self.value: Any = None

    def is_same(self, x: Any) -> bool:
        return bool(self.x == x)

    def store(self, x: Any, value: Any) -> None:
        self.x = x
        self.value = value

    def __call__(self, x: Any) -> Any:
        if not self.is_same(x):
            self.store(x, x * x)
        return self.value


def in_two_functions() -> Any:
    split = Split()
    return lambda x: split(x)


class Dirty:
    def __init__(self) -> None:
        self.x: Any = None
        self.value: Any = None
        self.dirty = True

    def __call__(self, x: Any) -> Any:
        if x != self.x:
            self.x = x
            self.dirty = True
        return self.computed()

    def computed(self) -> Any:
        if self.dirty:
            self.value = self.x * self.x
            self.dirty = False
        return self.value


def by_flag() -> Any:
    dirty = Dirty()
    return lambda x: dirty(x)


class Between(Near):
    def __call__(self, x: Any) -> Any:
        if -1e-9 < x - self.x < 1e-9:
            return self.value
        self.x = x
        self.value = x * x
        return self.value


def between_bounds() -> Any:
    near = Between()
    return lambda x: near(x)


class Squared(Near):
    def __call__(self, x: Any) -> Any:
        d = x - self.x
        if d * d > 1e-20:
            self.x = x
            self.value = x * x
        return self.value


def by_square() -> Any:
    near = Squared()
    return lambda x: near(x)


LISTS = [in_lists, run_through, as_pairs, in_entries, in_set, in_deque, in_sorted_list]
LATEST = [in_dict, in_list, within_tolerance, from_nothing, in_two_functions, by_flag, between_bounds, by_square]
