"""Programs that remember results between calls, and ask in one place what they store in another: methods of a class,
functions of a module, inner functions; and in containers other than tables."""

from __future__ import annotations

import functools
import math
from collections import OrderedDict, deque, namedtuple
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

# ---- the latest result


class AsksByMethod:
    def __init__(self) -> None:
        self._x: Any = None
        self.count = 0

    def is_new(self, x: Any) -> bool:
        return self._x is None or self._x != x

    def __call__(self, x: Any) -> Any:
        if self.is_new(x):
            self._x = x
            self.y = x * x
            self.count += 1
        return self.y


class StoresByMethod:
    _x: Any = None

    def renew(self, x: Any) -> None:
        self._x = x
        self.y = x * x

    def __call__(self, x: Any) -> Any:
        if self._x != x:
            self.renew(x)
        return self.y


class Asking:
    _x: Any = None

    def changed(self, x: Any) -> bool:
        return self._x is None or self._x != x


class Inherits(Asking):
    def __call__(self, x: Any) -> Any:
        if self.changed(x):
            self._x = x
            self.value = x * x
        return self.value


class Dirty:
    """Computes when it is asked for the result, not when it is given the number."""

    def __init__(self) -> None:
        self._x: Any = None
        self.dirty = True

    def put(self, x: Any) -> None:
        if self._x != x:
            self._x = x
            self.dirty = True

    def solve(self) -> Any:
        if self.dirty:
            self._y = self._x * self._x
            self.dirty = False
        return self._y

    def __call__(self, x: Any) -> Any:
        self.put(x)
        return self.solve()


class Versions:
    """Knows by a number of versions whether the result is the latest one."""

    def __init__(self) -> None:
        self._x: Any = None
        self.version, self.done = 0, -1

    def put(self, x: Any) -> None:
        if x != self._x:
            self._x = x
            self.version += 1

    def __call__(self, x: Any) -> Any:
        self.put(x)
        if self.done != self.version:
            self.y = self._x * self._x
            self.done = self.version
        return self.y


class Lazy:
    _x: Any = None
    _y: Any = None

    @property
    def x(self) -> Any:
        return self._x

    @x.setter
    def x(self, x: Any) -> None:
        if self._x is None or self._x != x:
            self._x, self._y = x, None

    @property
    def y(self) -> Any:
        if self._y is None:
            self._y = self._x * self._x
        return self._y

    def __call__(self, x: Any) -> Any:
        self.x = x
        return self.y


class OfArray:
    def __init__(self) -> None:
        self.last: Any = None

    def same(self, a: Any) -> bool:
        return self.last is not None and np.array_equal(self.last, a)

    def __call__(self, x: Any) -> Any:
        a = np.array([x, 2.0 * x])
        if not self.same(a):
            self.last = a.copy()
            self.value = np.sum(a * a) / 5.0
        return self.value


LAST: dict[str, Any] = {}


def in_dict(x: Any) -> Any:
    if LAST.get("x") != x:
        LAST["x"] = x
        LAST["y"] = x * x
    return LAST["y"]


class Settings:
    """Skips what is equal, under a name that it is given."""

    def __init__(self) -> None:
        self.held: dict[str, Any] = {"x": 0.0, "tolerance": 1e-3}

    def set(self, name: str, value: Any) -> None:
        if self.held[name] != value:
            self.held[name] = value

    def __call__(self, x: Any) -> Any:
        self.set("tolerance", 1e-3)
        self.set("x", x)
        return self.held["x"] ** 2 + 0.0 * self.held["tolerance"]


def _in_list() -> Any:
    last: list[Any] = [None, None]

    def asked(x: Any) -> Any:
        if last[0] is None or last[0] != x:
            last[0] = x
            last[1] = x * x
        return last[1]

    return asked


def in_attribute_of_function(x: Any) -> Any:
    if getattr(in_attribute_of_function, "last", None) != x:
        in_attribute_of_function.last = x  # type: ignore[attr-defined]
        in_attribute_of_function.value = x * x  # type: ignore[attr-defined]
    return in_attribute_of_function.value  # type: ignore[attr-defined]


def latest_arguments(f: Callable[..., Any]) -> Any:
    memo: dict[str, Any] = {"args": None}

    @functools.wraps(f)
    def called(*args: Any) -> Any:
        if memo["args"] != args:
            memo["args"] = args
            memo["value"] = f(*args)
        return memo["value"]

    return called


# ---- tables


class ByMethods:
    def __init__(self) -> None:
        self.found: OrderedDict[Any, Any] = OrderedDict()

    def get(self, key: Any) -> Any:
        if key in self.found:
            self.found.move_to_end(key)
            return self.found[key]
        return None

    def put(self, key: Any, value: Any) -> None:
        self.found[key] = value
        if len(self.found) > 4:
            self.found.popitem(last=False)


STORE = ByMethods()


def by_methods(x: Any) -> Any:
    y = STORE.get(x)
    if y is None:
        y = x * x
        STORE.put(x, y)
    return y


class FindsByMethod:
    def __init__(self) -> None:
        self.cache: dict[Any, Any] = {}

    def key(self, x: Any) -> Any:
        return round(x, 9)

    def _find(self, key: Any) -> Any:
        return self.cache.get(key)

    def __call__(self, x: Any) -> Any:
        key = self.key(x)
        y = self._find(key)
        if y is None:
            y = x * x
            self.cache[key] = y
        return y


TABLE: dict[Any, Any] = {}


def find(key: Any, x: Any) -> Any:
    if key not in TABLE:
        TABLE[key] = x * x
    return TABLE[key]


def under_text_of_caller(x: Any) -> Any:
    return find(str(x), x)


def under_name_of_caller(x: Any) -> Any:
    key = f"{x:.9f}"
    return find(key, x)


class GetsOrMakes:
    def __init__(self) -> None:
        self._made: dict[Any, Any] = {}

    def get(self, key: Any, make: Callable[[], Any]) -> Any:
        if key not in self._made:
            self._made[key] = make()
        return self._made[key]


MADE = GetsOrMakes()


def made_under_text(x: Any) -> Any:
    return MADE.get(f"square of {x!r}", lambda: x * x)


CACHE: dict[Any, Any] = {}


def lookup(key: Any) -> Any:
    return CACHE.get(key)


def store(key: Any, value: Any) -> None:
    CACHE[key] = value


def by_functions(x: Any) -> Any:
    key = "%.9f" % x  # noqa: UP031
    y = lookup(key)
    if y is None:
        y = x * x
        store(key, y)
    return y


ANEW = [
    AsksByMethod(), StoresByMethod(), Inherits(), Dirty(), Versions(), Lazy(), OfArray(), Settings(), in_dict,
    _in_list(), in_attribute_of_function, latest_arguments(lambda x: x * x), by_methods, FindsByMethod(),
    under_text_of_caller, under_name_of_caller, made_under_text, by_functions,
]  # fmt: skip
"""Each gives the square of a number, and computes it anew in each derivative."""


# ---- what is found among others


XS: list[Any] = []
YS: list[Any] = []


def in_two_lists(x: Any) -> Any:
    for known, value in zip(XS, YS, strict=True):
        if known == x:
            return value
    y = x * x
    XS.append(x)
    YS.append(y)
    return y


def by_index(x: Any) -> Any:
    if x in XS:
        return YS[XS.index(x)]
    XS.append(x)
    YS.append(x * x)
    return x * x


PAIRS: list[Any] = []


def in_pairs(x: Any) -> Any:
    for known, value in PAIRS:
        if known == x:
            return value
    PAIRS.append((x, x * x))
    return x * x


def in_latest_pair(x: Any) -> Any:
    if PAIRS and PAIRS[-1][0] == x:
        return PAIRS[-1][1]
    PAIRS.append((x, x * x))
    return PAIRS[-1][1]


Entry = namedtuple("Entry", "x y")  # noqa: PYI024


class Entries:
    def __init__(self) -> None:
        self.entries: list[Any] = []

    def find(self, x: Any) -> Any:
        return next((entry for entry in self.entries if entry.x == x), None)

    def __call__(self, x: Any) -> Any:
        entry = self.find(x)
        if entry is None:
            entry = Entry(x, x * x)
            self.entries.append(entry)
        return entry.y


class Pairs:
    def __init__(self) -> None:
        self.pairs: list[Any] = []


HELD = Pairs()


def among(held: Pairs, x: Any) -> Any:
    for known, value in held.pairs:
        if known == x:
            return value
    held.pairs.append((x, x * x))
    return x * x


def in_an_argument(x: Any) -> Any:
    return among(HELD, x)


class Known:
    def __init__(self) -> None:
        self.xs: list[Any] = []
        self.ys: list[Any] = []

    def has(self, x: Any) -> bool:
        return x in self.xs

    def __call__(self, x: Any) -> Any:
        if self.has(x):
            return self.ys[self.xs.index(x)]
        self.xs.append(x)
        self.ys.append(x * x)
        return self.ys[-1]


class Queue:
    def __init__(self) -> None:
        self.held: deque[Any] = deque(maxlen=3)

    def look(self, x: Any) -> Any:
        for known, value in self.held:
            if known == x:
                return value
        return None

    def __call__(self, x: Any) -> Any:
        y = self.look(x)
        if y is None:
            y = x * x
            self.held.append((x, y))
        return y


class Replaced:
    state: Any = None

    def __call__(self, x: Any) -> Any:
        state = self.state
        if state is None or state["x"] != x:
            state = self.state = {"x": x, "y": x * x}
        return state["y"]


class Rows:
    def __init__(self) -> None:
        self.rows = np.empty((0, 2))

    def __call__(self, x: Any) -> Any:
        found = np.where(self.rows[:, 0] == x)[0]
        if len(found):
            return self.rows[found[0], 1]
        y = x * x
        self.rows = np.vstack([self.rows, [[x, y]]])
        return y


LATEST: Any = None
RESULT: Any = None


def is_new(x: Any) -> bool:
    return LATEST is None or x != LATEST


def renew(x: Any) -> None:
    global LATEST, RESULT
    LATEST = x
    RESULT = x * x


def by_global_names(x: Any) -> Any:
    if is_new(x):
        renew(x)
    return RESULT


def _by_inner_functions() -> Any:
    last: Any = None
    value: Any = None

    def new(x: Any) -> bool:
        return last != x

    def put(x: Any) -> None:
        nonlocal last, value
        last = x
        value = x * x

    def asked(x: Any) -> Any:
        if new(x):
            put(x)
        return value

    return asked


AMONG = [in_two_lists, by_index, in_pairs, in_latest_pair, in_an_argument, Entries(), Known(), Queue(), Rows()]
"""Each gives the square of a number; a derivative at one that it has met is refused."""


ANEW += [Replaced(), by_global_names, _by_inner_functions()]


# ---- what looks like that


@dataclass
class Body:
    x: Any
    v: Any

    def moved(self, dt: Any) -> None:
        self.x = self.x + self.v * dt

    def meets(self, other: Body) -> bool:
        return bool(self.x == other.x)


BODIES = [Body(0.5, 1.0), Body(1.5, -1.0)]


def collisions(dt: Any) -> Any:
    total = 0.0
    for a in BODIES:
        a.x = a.v * 0.5
        a.moved(dt)
        total = total + a.x * a.x
    return total if not BODIES[0].meets(BODIES[1]) else 0.0


KNOTS = [0.0, 1.0, 2.0]


def piecewise(x: Any) -> Any:
    for left in KNOTS:
        if x == left:
            return 2.0 * x
    return x * x


class Rates:
    def __init__(self) -> None:
        self.rates: dict[Any, Any] = {}

    def set(self, at: Any, rate: Any) -> None:
        self.rates[at] = rate

    def at(self, at: Any) -> Any:
        return self.rates[at]


RATES = Rates()


def set_and_read(x: Any) -> Any:
    RATES.set(300.0, x * x)
    RATES.set(310.0, x)
    return RATES.at(300.0) * RATES.at(310.0)


CELLS = Rates()
for _i in range(8):
    CELLS.set(_i, 0.5 + _i)


def by_cell(x: Any) -> Any:
    return CELLS.at(int(x)) * x * x


def converges(x: Any) -> Any:
    steps = [x]
    for _ in range(60):
        y = 0.5 * (steps[-1] + 2.0 / steps[-1]) + 0.0 * x
        if y == steps[-1]:
            break
        steps.append(y)
    return steps[-1] * x


class Held:
    """Holds a sample as long as the number is near: that is what it does, and its derivative is zero there."""

    def __init__(self) -> None:
        self.at = math.nan

    def __call__(self, x: Any) -> Any:
        if not abs(x - self.at) <= 0.5:
            self.at = x
            self.y = x * x
        return self.y


ORDINARY = [collisions, piecewise, set_and_read, by_cell, converges]
"""These remember no results."""
