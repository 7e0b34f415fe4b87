"""Programs that remember results between calls: in tables, and as the latest one."""

from __future__ import annotations

import functools
import math
import pickle
from collections import OrderedDict
from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

import numpy as np

TABLE: dict[Any, Any] = {}
ORDERED: OrderedDict[Any, Any] = OrderedDict()


def asked_first(x: Any) -> Any:
    if x not in TABLE:
        TABLE[x] = x * x
    return TABLE[x]


def returned_at_once(x: Any) -> Any:
    if x in TABLE:
        return TABLE[x]
    y = TABLE[x] = x * x
    return y


def tried(x: Any) -> Any:
    try:
        return TABLE[x]
    except KeyError:
        TABLE[x] = x * x
        return TABLE[x]


def tried_before(x: Any) -> Any:
    try:
        return TABLE[x]
    except KeyError:
        pass
    TABLE[x] = y = x * x
    return y


def got(x: Any) -> Any:
    y = TABLE.get(x)
    if y is None:
        y = TABLE[x] = x * x
    return y


def named(x: Any) -> Any:
    if (y := TABLE.get(x)) is not None:
        return y
    TABLE[x] = y = x * x
    return y


def defaulted(x: Any) -> Any:
    return TABLE.setdefault(x, x * x)


def under_tuple(x: Any) -> Any:
    key = ("square", x)
    if key not in TABLE:
        TABLE[key] = x * x
    return TABLE[key]


def under_set(x: Any) -> Any:
    key = frozenset([("x", x)])
    if key not in TABLE:
        TABLE[key] = x * x
    return TABLE[key]


def under_text(x: Any) -> Any:
    key = f"{x:.6f}"
    if key not in TABLE:
        TABLE[key] = x * x
    return TABLE[key]


def under_str(x: Any) -> Any:
    if str(x) not in TABLE:
        TABLE[str(x)] = x * x
    return TABLE[str(x)]


def under_rounded(x: Any) -> Any:
    key = round(x, 12)
    if key not in TABLE:
        TABLE[key] = x * x
    return TABLE[key]


def under_hash(x: Any) -> Any:
    key = hash(x)
    if key not in TABLE:
        TABLE[key] = x * x
    return TABLE[key]


def under_thousandths(x: Any) -> Any:
    key = int(x * 1000)
    if key not in TABLE:
        TABLE[key] = x * x
    return TABLE[key]


def under_pickle(*args: Any) -> Any:
    key = pickle.dumps(args)
    if key not in TABLE:
        TABLE[key] = args[0] * args[0]
    return TABLE[key]


def _key(x: Any) -> Any:
    return "k", round(x, 6)


def under_called(x: Any) -> Any:
    if _key(x) not in TABLE:
        TABLE[_key(x)] = x * x
    return TABLE[_key(x)]


@dataclass(frozen=True)
class Point:
    x: float
    y: float


def under_record(x: Any) -> Any:
    p = Point(x, 1.0)
    if p not in TABLE:
        TABLE[p] = p.x * p.x
    return TABLE[p]


def of_array(x: Any) -> Any:
    if x not in TABLE:
        TABLE[x] = np.array([x, x * x])
    return TABLE[x][1]


def of_record(x: Any) -> Any:
    if x not in TABLE:
        TABLE[x] = Point(x * x, 0.0)
    return TABLE[x].x


def by_default(x: Any, _table: dict[Any, Any] = {}) -> Any:  # noqa: B006
    if x not in _table:
        _table[x] = x * x
    return _table[x]


def of_function(x: Any) -> Any:
    if x not in of_function.table:  # type: ignore[attr-defined]
        of_function.table[x] = x * x  # type: ignore[attr-defined]
    return of_function.table[x]  # type: ignore[attr-defined]


of_function.table = {}  # type: ignore[attr-defined]


def evicted(x: Any) -> Any:
    if x in ORDERED:
        ORDERED.move_to_end(x)
        return ORDERED[x]
    ORDERED[x] = x * x
    if len(ORDERED) > 4:
        ORDERED.popitem(last=False)
    return ORDERED[x]


def got_by_text(x: Any) -> Any:
    key = str(x)
    y = TABLE.get(key)
    if y is None:
        y = x * x
        TABLE[key] = y
    return y


def under_either(x: Any) -> Any:
    key = str(x) if x > 0.0 else "-" + str(-x)
    if key not in TABLE:
        TABLE[key] = x * x
    return TABLE[key]


def under_joined(x: Any) -> Any:
    return 0.5 * _squares([x, -x])


def _squares(xs: Any) -> Any:
    key = ",".join(f"{x:.9f}" for x in xs)
    if key not in TABLE:
        TABLE[key] = sum(x * x for x in xs)
    return TABLE[key]


def in_a_loop(x: Any) -> Any:
    total = 0.0
    for i in range(4):
        t = x * (1 - 2 * (i % 2))
        key = round(t, 9)
        if key in TABLE:
            v = TABLE[key]
        else:
            v = t * t
            TABLE[key] = v
        total += v
    return 0.25 * total


def in_comprehension(x: Any) -> Any:
    return 0.5 * sum([TABLE[v] if v in TABLE else TABLE.setdefault(v, v * v) for v in [x, -x]])


def memoised(f: Callable[..., Any]) -> Any:
    found: dict[Any, Any] = {}

    @functools.wraps(f)
    def called(*args: Any) -> Any:
        if args not in found:
            found[args] = f(*args)
        return found[args]

    return called


def memoised_by_text(f: Callable[..., Any]) -> Any:
    found = f.found = {}  # type: ignore[attr-defined]

    @functools.wraps(f)
    def called(*args: Any, **options: Any) -> Any:
        key = str(args) + str(options)
        if key not in found:
            found[key] = f(*args, **options)
        return found[key]

    return called


@memoised
def decorated(x: Any) -> Any:
    return x * x


@memoised_by_text
def decorated_by_text(x: Any) -> Any:
    return x * x


def through_decorators(x: Any) -> Any:
    return 0.5 * (decorated(x) + decorated_by_text(x))


class Bounded(MutableMapping[Any, Any]):
    def __init__(self) -> None:
        self.held: dict[Any, Any] = {}

    def __getitem__(self, key: Any) -> Any:
        return self.held[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.held[key] = value

    def __delitem__(self, key: Any) -> None:
        del self.held[key]

    def __iter__(self) -> Any:
        return iter(self.held)

    def __len__(self) -> int:
        return len(self.held)


def cached(table: Any, key: Any) -> Any:
    def decorate(f: Callable[..., Any]) -> Any:
        @functools.wraps(f)
        def called(*args: Any) -> Any:
            k = key(*args)
            try:
                return table[k]
            except KeyError:
                pass
            y = f(*args)
            table[k] = y
            return y

        return called

    return decorate


@cached(Bounded(), str)
def bounded(x: Any) -> Any:
    return x * x


@cached({}, lambda x: round(x, 9))
def by_rounded_key(x: Any) -> Any:
    return x * x


class Model:
    shared: dict[Any, Any] = {}

    def __init__(self) -> None:
        self.table: dict[Any, Any] = {}

    def value(self, x: Any) -> Any:
        if x not in self.table:
            self.table[x] = x * x
        return self.table[x]

    def aliased(self, x: Any) -> Any:
        table = self.table
        key = (type(self).__name__, x)
        if key in table:
            return table[key]
        y = table[key] = x * x
        return y

    @classmethod
    def of_class(cls, x: Any) -> Any:
        if x not in cls.shared:
            cls.shared[x] = x * x
        return cls.shared[x]


MODEL = Model()


def of_object(x: Any) -> Any:
    return MODEL.value(x)


def by_alias(x: Any) -> Any:
    return MODEL.aliased(x)


def of_class(x: Any) -> Any:
    return Model.of_class(x)


class Latest:
    def __init__(self) -> None:
        self._x: Any = None
        self._value: Any = None
        self.count = 0

    def value(self, x: Any) -> Any:
        if self._x != x:
            self._x = x
            self._value = x * x
            self.count += 1
        return self._value

    def returned(self, x: Any) -> Any:
        if x == self._x:
            return self._value
        self.count = self.count + 1
        self._x = x
        self._value = x * x
        return self._value

    def same(self, x: Any) -> Any:
        if self._x is not x:
            self._x, self._value = x, x * x
        return self._value


class LatestPair:
    def __init__(self) -> None:
        self.last: Any = None
        self.text: Any = None

    def paired(self, x: Any) -> Any:
        if self.last is None or self.last[0] != x:
            self.last = (x, x * x)
        return self.last[1]

    def by_text(self, x: Any) -> Any:
        text = f"{x:.12f}"
        if text != self.text:
            self.text = text
            self.value = x * x
        return self.value


class LatestArray:
    def __init__(self) -> None:
        self.__a: Any = None
        self.__value: Any = None

    def _update(self, a: Any) -> None:
        same = self.__a is not None and np.array_equal(a, self.__a)
        if not same:
            self.__a = a.copy()
            self.__value = np.sum(a * a)

    def value(self, a: Any) -> Any:
        self._update(a)
        return self.__value

    def compared(self, a: Any) -> Any:
        if self.__a is None or not np.all(self.__a == a):
            self.__a = np.copy(a)
            self.__value = np.sum(a * a)
        return self.__value


LATEST, RETURNED, SAME = Latest(), Latest(), Latest()


def latest(x: Any) -> Any:
    return LATEST.value(x)


def latest_returned(x: Any) -> Any:
    return RETURNED.returned(x)


def latest_object(x: Any) -> Any:
    return SAME.same(x)


latest_x: Any = None
latest_value: Any = None


def latest_names(x: Any) -> Any:
    global latest_x, latest_value
    if latest_x != x:
        latest_x = x
        latest_value = x * x
    return latest_value


def _with_cells() -> Any:
    last: Any = None
    value: Any = None

    def asked(x: Any) -> Any:
        nonlocal last, value
        if last != x:
            last = x
            value = x * x
        return value

    return asked


latest_cells = _with_cells()

SQUARES = [
    asked_first, returned_at_once, tried, tried_before, got, named, defaulted, under_tuple, under_set, under_text,
    under_str, under_rounded, under_hash, under_thousandths, under_pickle, under_called, under_record, of_array,
    of_record, by_default, of_function, evicted, got_by_text, under_either, under_joined, in_a_loop,
    in_comprehension, bounded, by_rounded_key, through_decorators, of_object, by_alias, of_class, latest,
    latest_returned, latest_object, latest_names, latest_cells, Model().value, Latest().value, LatestPair().paired,
    LatestPair().by_text, functools.partial(by_default, _table={}),
]  # fmt: skip
"""Each gives the square of a number."""


def under_bytes(a: Any) -> Any:
    key = a.tobytes()
    if key not in TABLE:
        TABLE[key] = np.sum(a * a)
    return TABLE[key]


def under_entries(a: Any) -> Any:
    key = tuple(a)
    if key not in TABLE:
        TABLE[key] = np.sum(a * a)
    return TABLE[key]


def under_first(a: Any) -> Any:
    key = float(a[0])
    if key not in TABLE:
        TABLE[key] = a * a
    return np.sum(TABLE[key])


SUMS = [under_bytes, under_entries, under_first, LatestArray().value, LatestArray().compared]
"""Each gives the sum of the squares of an array."""


def climbed(x: Any, n: int) -> Any:
    if n < 2:
        return x
    if (x, n) not in TABLE:
        TABLE[x, n] = climbed(x, n - 1) * x + climbed(x, n - 2)
    return TABLE[x, n]


# ---- what is no result of the number


DATA = {1: 2.0, "a": 3.0, 300.0: 4.0}
WEIGHTS: dict[str, float] = {}
TOTALS: dict[str, float] = {}
RATES: dict[float, float] = {}


def of_data(x: Any, at: float = 300.0) -> Any:
    return DATA[int(x)] * x + DATA["a"] * x + DATA[at] * x


def filled_once(x: Any, name: str = "w") -> Any:
    if name not in WEIGHTS:
        WEIGHTS[name] = 2.5
    return WEIGHTS[name] * x


def summed_up(x: Any) -> Any:
    TOTALS["all"] = TOTALS.get("all", 0.0) + x * x
    return TOTALS["all"]


def of_another_number(x: Any) -> Any:
    at = 310.0
    if at not in RATES:
        RATES[at] = math.exp(at / 300.0)
    return RATES[at] * x


def in_a_dict_of_its_own(x: Any) -> Any:
    found = {x: x * x, 2.0 * x: x}

    def climb(v: Any, n: int) -> Any:
        if n == 0:
            return found[x]
        if (v, n) not in found:
            found[v, n] = climb(0.5 * v, n - 1) + v
        return found[v, n]

    return climb(x, 3) + climb(x, 2)


ORDINARY = [of_data, filled_once, summed_up, of_another_number, in_a_dict_of_its_own]


# ---- what cannot be computed again


class Squares(dict[Any, Any]):
    def __missing__(self, key: Any) -> Any:
        y = self[key] = key * key
        return y


MISSING = Squares()


def by_missing(x: Any) -> Any:
    return MISSING[x]


DRAWN: dict[Any, float] = {}
DRAWS = iter(range(1, 1000))


def drawn(x: Any) -> Any:
    if x not in DRAWN:
        DRAWN[x] = float(next(DRAWS))
    return DRAWN[x] * x


class Filter:
    def __init__(self) -> None:
        self.x: Any = None
        self.state = 0.0

    def value(self, x: Any) -> Any:
        if x != self.x:
            self.x = x
            self.state = 0.5 * self.state + x
        return self.state


FILTER = Filter()


def filtered(x: Any) -> Any:
    return FILTER.value(x)


REFUSED: list[tuple[Any, str]] = [
    (by_missing, "a dict holds under a number that is differentiated what was there before"),
    (drawn, "a table under 3.0 holds a result of an earlier call, and this call computes another one"),
    (filtered, "`state` holds a result of an earlier call, and this call computes another one"),
]
