"""Comparisons, membership, truth and size: the methods that a class has for them in Python are recorded, for they may
store what they are given.

Where the interpreter compares by itself, as in sorting or in `x in xs`, it is given stand-ins that compare as the
things they stand for: so it asks for the same comparisons, in the same order.
"""

from __future__ import annotations

import operator
import types
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from ...rules.registry import non_differentiable
from .. import reference_programs
from ..aliases import itself
from .base import METHODS, NOTHING, Record, Result, as_is, dropped, handles, nothing, turned, unfinished
from .calls import invoke, invoke_as, run
from .functions import written
from .native import check_key, check_keys

PLAIN = frozenset(
    [
        float,
        int,
        bool,
        complex,
        str,
        bytes,
        type(None),
        range,
        slice,
        type,
        np.ndarray,
        np.float64,
        np.float32,
        np.int64,
    ]
    + [np.bool_, types.FunctionType, types.BuiltinFunctionType, types.ModuleType]
)
"""Classes whose comparisons and truth are no code of the user's."""

HOLDERS = (list, tuple, deque)

_HASHED: tuple[Any, ...] = (set, frozenset, type({}.keys()), type({}.items()))
"""Containers that C code compares item by item."""

SIGNS = {"lt": "<", "le": "<=", "eq": "==", "ne": "!=", "gt": ">", "ge": ">="}
TURNED = {"lt": "gt", "le": "ge", "eq": "eq", "ne": "ne", "gt": "lt", "ge": "le"}


def _compares(cls: type) -> bool:
    return written(cls, *(f"__{name}__" for name in SIGNS)) is not None


def is_compared(x: Any) -> bool:
    """Tell whether a comparison of `x` may run methods that are recorded."""
    cls = type(x)
    if cls in PLAIN:
        return False
    if isinstance(x, HOLDERS):
        kinds = set(map(type, x)) - PLAIN
        return bool(kinds) and any(map(is_compared, x)) or _compares(cls)
    if isinstance(x, dict):
        return any(map(is_compared, x.values())) or _compares(cls)
    return _compares(cls)


# ---- one comparison


def compare(record: Record, k: int, fn: Any, a: Any, b: Any) -> Any:
    """`a < b` and the like."""
    if type(a) in PLAIN and type(b) in PLAIN:
        return fn(a, b)
    for x in (a, b):
        if isinstance(x, _HASHED):
            check_keys(x)
    if not (is_compared(a) or is_compared(b)):
        return fn(a, b)
    y, back = compared(record, k, fn, a, b)
    record((k, back))
    return y


def compared(record: Record, k: int, fn: Any, a: Any, b: Any) -> Result:
    """A comparison in Python's order: by the method of `a`, then by that of `b`; of the narrower class first."""
    if isinstance(a, (*HOLDERS, dict)) and not _compares(type(a)) and not _compares(type(b)):
        stand = StandIns(k)
        return stand.asked(record, lambda: fn(stand(a), stand(b))), stand.back
    name = fn.__name__
    order = [(a, b, name, as_is), (b, a, TURNED[name], turned)]
    if type(a) is not type(b) and issubclass(type(b), type(a)):
        order.reverse()
    for x, other, by, adapt in order:
        y, back = _by_method(record, k, x, other, by, adapt)
        if y is not NotImplemented:
            return y, back
        record((k, dropped(back)))
    if name in ("eq", "ne"):
        return (a is b) is (name == "eq"), nothing
    names = f"'{type(a).__name__}' and '{type(b).__name__}'"
    raise TypeError(f"'{SIGNS[name]}' not supported between instances of {names}")


def _by_method(record: Record, k: int, x: Any, other: Any, name: str, adapt: Any) -> Result:
    cls = type(x)
    method = written(cls, f"__{name}__")
    if method is not None:
        return invoke_as(adapt, record, k, method, (x, other), {})
    if name == "ne" and getattr(cls, "__ne__", None) is object.__ne__ and written(cls, "__eq__") is not None:
        y, back = invoke_as(adapt, record, k, cls.__eq__, (x, other), {})
        return (y if y is NotImplemented else not y), back
    return getattr(cls, f"__{name}__")(x, other), nothing


@handles(*[getattr(object, f"__{name}__") for name in ("lt", "le", "eq", "ne", "gt", "ge")])
def _of_object(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    return f(*args, **kwargs), nothing


# ---- what the interpreter compares


class StandIns:
    """Stand-ins for things, one for each, and the steps of the comparisons that were asked of them."""

    def __init__(self, k: int) -> None:
        self.k = k
        self.steps: list[Any] = []
        self.made: dict[int, Any] = {}

    def __call__(self, x: Any) -> Any:
        """A stand-in that compares as `x` does."""
        if not is_compared(x):
            return x
        found = self.made.get(id(x))
        if found is None:
            if isinstance(x, list | tuple | deque) and not _compares(type(x)):
                items = [self(item) for item in x]
                found = tuple(items) if isinstance(x, tuple) else deque(items) if isinstance(x, deque) else items
            elif isinstance(x, dict) and not _compares(type(x)):
                found = {key: self(item) for key, item in x.items()}
            else:
                found = StandIn(self, x)
            self.made[id(x)] = found
        return found

    def back(self, sweep: Any, y_bar: Any) -> Any:
        """Reverse the comparisons."""
        for step in reversed(self.steps):
            step[1](sweep, None)
        return NOTHING

    def asked(self, record: Record, ask: Callable[[], Any]) -> Any:
        """`ask()`, which compares stand-ins; should it not come to its end, what was compared was run all the same."""
        try:
            return ask()
        except BaseException:
            record((self.k, unfinished(self.back)))
            raise


def _asking(fn: Any) -> Callable[[Any, Any], Any]:
    def ask(self: Any, other: Any) -> Any:
        stand = self.stand
        b = other.thing if type(other) is StandIn else other
        y, back = compared(stand.steps.append, stand.k, fn, self.thing, b)
        stand.steps.append((stand.k, back))
        return y

    return ask


class StandIn:
    """A stand-in that compares as a thing does, and writes it down."""

    __slots__ = ("stand", "thing")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, stand: StandIns, thing: Any) -> None:
        self.stand = stand
        self.thing = thing

    __lt__ = _asking(operator.lt)
    __le__ = _asking(operator.le)
    __eq__ = _asking(operator.eq)
    __ne__ = _asking(operator.ne)
    __gt__ = _asking(operator.gt)
    __ge__ = _asking(operator.ge)


# ---- membership


def contains(record: Record, k: int, x: Any, whole: Any, wanted: bool) -> bool:
    """`x in whole`, or `x not in whole`; the operands are the two."""
    cls = type(whole)
    if isinstance(x, np.ndarray) and cls in (tuple, list) and any([itself(item) is itself(x) for item in whole]):
        return wanted
    if cls in PLAIN or (cls is dict or cls is set) and type(x) in PLAIN:
        return (x in whole) is wanted
    y, back = member(record, k, x, whole)
    if back is not nothing:
        record((k, back))
    return y is wanted


def member(record: Record, k: int, x: Any, whole: Any) -> Result:
    """Tell whether something is in something else; the operands are the two."""
    cls = type(whole)
    own = written(cls, "__contains__")
    if own is not None:
        y, back = invoke_as(turned, record, k, own, (whole, x), {})
        return bool(y), back
    if getattr(cls, "__contains__", None) is None and written(cls, "__iter__", "__getitem__") is not None:
        return run(record, k, reference_programs.member, (x, whole), {})
    if isinstance(whole, (*HOLDERS, _VALUES)) and (is_compared(x) or any(map(is_compared, whole))):
        stand = StandIns(k)
        return stand.asked(record, lambda: stand(x) in [stand(item) for item in whole]), stand.back
    if isinstance(whole, dict | set | frozenset):
        check_key(x)
    return x in whole, nothing


_VALUES: Any = type({}.values())


def place_of(record: Record, k: int, x: Any, items: Any, *ends: Any) -> tuple[int, Any]:
    """Place of something in a list or deque, and the reverse of the search; `ValueError` if it is nowhere."""
    stand = StandIns(k)
    if not (is_compared(x) or is_compared(items)):
        return items.index(x, *ends), nothing
    return stand.asked(record, lambda: [stand(item) for item in items].index(stand(x), *ends)), stand.back


def _searched(record: Record, k: int, self: Any, args: Any, kwargs: Any) -> Result:
    """`index` and `count`."""
    if not args or not (is_compared(args[0]) or is_compared(self)):
        return type(self).count(self, *args), nothing
    stand = StandIns(k)
    return stand.asked(record, lambda: [stand(item) for item in self].count(stand(args[0]))), stand.back


for _cls in HOLDERS:
    METHODS[_cls, "count"] = _searched
    METHODS[_cls, "index"] = lambda record, k, self, args, kwargs: place_of(record, k, args[0], self, *args[1:])
    METHODS[_cls, "__contains__"] = lambda record, k, self, args, kwargs: _turned_result(
        member(record, k, args[0], self)
    )


def _turned_result(found: Result) -> Result:
    return found[0], found[1] if found[1] is nothing else turned(found[1])


@handles(operator.contains)
def _contains(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    return _turned_result(member(record, k, args[1], args[0]))


@handles(operator.lt, operator.le, operator.eq, operator.ne, operator.gt, operator.ge)
def _comparison(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    if len(args) != 2 or not (is_compared(args[0]) or is_compared(args[1])):
        return f(*args, **kwargs), nothing
    return compared(record, k, f, *args)


# ---- truth and size


def truth(record: Record, k: int, x: Any) -> Any:
    """A value as true as `x`: itself, unless its class says so in Python."""
    cls = type(x)
    if cls in PLAIN:
        return x
    own = _truth_of(cls)
    if own is None:
        return x
    y, back = _asked(record, k, own, x)
    record((k, back))
    return y


def _truth_of(cls: type) -> Any:
    own = written(cls, "__bool__")
    return own if own is not None or hasattr(cls, "__bool__") else written(cls, "__len__")


def _asked(record: Record, k: int, own: Any, x: Any) -> Result:
    """Answer of `__bool__` or `__len__`; the operand is the object."""
    y, back = invoke(record, k, own, (x,), {})
    return (bool(_True(y)) if own.__name__ == "__bool__" else len(_Sized(y))), back


class _Sized:
    """An object of a given length: the interpreter checks it."""

    def __init__(self, n: Any) -> None:
        self.n = n

    def __len__(self) -> Any:
        return self.n


class _True:
    """An object as true as it is said to be: the interpreter checks it, too."""

    def __init__(self, y: Any) -> None:
        self.y = y

    def __bool__(self) -> Any:
        return self.y


def truth_of(record: Record, k: int, x: Any) -> bool:
    """`bool(x)`."""
    return bool(truth(record, k, x))


def as_bool(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    """`bool(x)`, as a function."""
    own = _truth_of(type(args[0])) if len(args) == 1 and not kwargs else None
    if own is None:
        return f(*args, **kwargs), nothing
    y, back = _asked(record, k, own, *args)
    return bool(y), back


@handles(operator.truth, operator.not_)
def _truth(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    y, back = as_bool(record, k, bool, args, kwargs)
    return y is (f is operator.truth), back


def size(record: Record, k: int, x: Any) -> int:
    """`len(x)`."""
    own = None if type(x) in _SIZED else written(type(x), "__len__")
    if own is None:
        return len(x)
    y, back = _asked(record, k, own, x)
    record((k, back))
    return y  # type: ignore[no-any-return]


_SIZED = frozenset([list, tuple, dict, set, str, np.ndarray, range, deque])


@handles(len)
def _len(record: Record, k: int, f: Any, args: Any, kwargs: Any) -> Result:
    own = written(type(args[0]), "__len__") if len(args) == 1 and not kwargs else None
    if own is None:
        return f(*args, **kwargs), nothing
    return _asked(record, k, own, *args)


# Who is asked is no part of what is computed.
non_differentiable(is_compared, _truth_of)

__all__ = ["StandIns", "compare", "compared", "contains", "is_compared", "member", "size", "truth"]


@handles(id, operator.is_, operator.is_not)
def _identity(record: Record, k: int, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Result:
    return f(*map(itself, args), **kwargs), nothing
