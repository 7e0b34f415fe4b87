"""Handing cotangents to the user: complete, and sharing memory with nothing else."""

from __future__ import annotations

import enum
import types
from collections import deque
from typing import Any

import numpy as np

from .accumulate import accumulate
from .data import holds_data
from .fields import WITH_DICT, all_fields
from .held import get_own
from .lanes import Lanes
from .project import unbroadcast
from .static import static_fields
from .structural import Tangent, _fields, class_of, fields_of, new_tangent, owner_of
from .tables import KINDS, kind_of, like
from .tuples import tuple_like
from .unknown import Unknown
from .zeros import check_numbers, check_proxy, zeros_like


def release(d: Any, x: Any, taken: dict[int, Any], zeros: bool = True) -> Any:
    """The cotangent `d` of `x` for the user to keep and change.

    With `zeros` there are zeros where nothing flowed, else None. Every array is one of its own: views are copied, and
    so are `x` itself and what is in `taken` (by id), to which the arrays given are added.

    >>> import numpy as np
    >>> y_bar = np.ones(2)
    >>> release(y_bar, np.zeros(2), {id(y_bar): y_bar}) is y_bar
    False
    """
    if type(d) is float and type(x) is float:
        return d
    if type(d) is _ARRAY and (type(x) is _ARRAY or type(x) not in KINDS):
        if d.base is not None or d is x or id(d) in taken:
            d = d.copy()
        taken[id(d)] = d
        return d
    if d is None and (not zeros or type(x) in _REAL):
        return 0.0 if zeros else None
    walk = _WALKS.get(type(x))
    if walk is None:
        walk = _walk_of(x)
    return walk(d, x, taken, zeros)


def _number(d: Any, x: Any, taken: dict[int, Any], zeros: bool) -> Any:
    if zeros and isinstance(x, np.ndarray | np.void):
        check_numbers(x.dtype)
    if isinstance(x, np.generic) and x.dtype.kind not in "biufc":
        return None
    if type(d) is Unknown and not d.lets_through(x):
        d.refuse()
    if d is None or type(d) is Unknown:
        return zeros_like(x)
    if type(d) is Lanes:
        return unbroadcast(d, x)  # in the precision of its primal, as a single one has
    if isinstance(x, np.float32 | np.float16 | np.longdouble) and isinstance(d, float | np.floating):
        return type(x)(d)
    if type(x) is complex and isinstance(d, float | complex):
        return complex(d)
    if isinstance(d, complex) and isinstance(x, float) and not isinstance(x, np.generic):
        d = d.real  # a program may go from real to complex numbers by itself
    return float(d) if type(d) is np.float64 and isinstance(x, int | float) and not isinstance(x, np.generic) else d


def _nothing(d: Any, x: Any, taken: dict[int, Any], zeros: bool) -> Any:
    return d


def _still(d: Any, x: Any, taken: dict[int, Any], zeros: bool) -> Any:
    """A flag or a member of an enum does not move, whatever numbers it is computed with."""
    return None


def _whole(walk: Any, d: Any, x: Any, taken: dict[int, Any], zeros: bool) -> Any:
    """The container that `walk` makes of one; what flows to it where it holds itself is added to what flows to it
    here."""
    key = id(x)
    if taken.get(key) is x:
        if d is not None:
            taken.setdefault(-key, []).append(d)
        return None
    taken[key] = x
    found = walk(d, x, taken, zeros)
    while (more := taken.pop(-key, None)) is not None:
        for inner in more:
            found = accumulate(found, walk(inner, x, taken, False))
    del taken[key]
    return found


def _tuple(d: Any, x: Any, taken: dict[int, Any], zeros: bool) -> Any:
    if type(d) is Unknown:
        d.refuse()
    if d is None and zeros and type(x) is tuple and _REAL.issuperset(map(type, x)):
        return (0.0,) * len(x)
    if not isinstance(d, tuple | None):
        return d
    return _whole(_items_of_tuple, d, x, taken, zeros)


def _items_of_tuple(d: Any, x: Any, taken: dict[int, Any], zeros: bool) -> Any:
    of = tuple.__iter__(x)  # whatever the class makes of iteration
    bars = [None] * len(x) if d is None else tuple.__iter__(d)
    items = [a if type(a) is type(b) is float else release(a, b, taken, zeros) for a, b in zip(bars, of, strict=True)]
    return tuple(items) if type(x) is tuple else tuple_like(type(x), items)


def _list(d: Any, x: Any, taken: dict[int, Any], zeros: bool) -> Any:
    return _whole(_items_of_list, d, x, taken, zeros)


def _items_of_list(d: Any, x: Any, taken: dict[int, Any], zeros: bool) -> Any:
    if d is None and zeros and _REAL.issuperset(map(type, x)):
        return [0.0] * len(x)
    if d is None or len(d) < len(x):
        d = [*(d or ()), *[None] * (len(x) - len(d or ()))]
    zero = 0.0 if zeros else None
    return [
        a if (of := type(b)) is type(a) is float
        else zero if a is None and of is float
        else release(a, b, taken, zeros)
        for a, b in zip(d, x, strict=False)
    ]  # fmt: skip


def _deque(d: Any, x: Any, taken: dict[int, Any], zeros: bool) -> Any:
    if type(d) is Unknown:
        d.refuse()
    return _whole(_items_of_list, d, x, taken, zeros) if isinstance(d, list | deque | None) else d


def _dict(d: Any, x: Any, taken: dict[int, Any], zeros: bool) -> Any:
    if type(d) is Unknown:
        d.refuse()
    return _whole(_items_of_dict, d, x, taken, zeros)


def _items_of_dict(d: Any, x: Any, taken: dict[int, Any], zeros: bool) -> Any:
    if d is None:
        return {k: release(None, item, taken, zeros) for k, item in x.items()}
    pairs = [(k, d.get(k), item) for k, item in x.items()]
    return {k: a if type(a) is type(b) is float else release(a, b, taken, zeros) for k, a, b in pairs}


def _function(d: Any, x: Any, taken: dict[int, Any], zeros: bool) -> Any:
    return own(d, taken)


def _record(d: Any, x: Any, taken: dict[int, Any], zeros: bool) -> Any:
    """A cotangent of a record that is complete, in the order of the record's fields, is handed over as it is: it cannot
    be changed."""
    if type(d) is Tangent:
        known = _fields(d)
    elif d is None:
        known = {}
    else:
        return d.refuse() if type(d) is Unknown else d
    fields = get_own(x, "__dict__") if type(x) in WITH_DICT else all_fields(x)
    if not fields:
        return d
    key = id(x)
    if taken.get(key) is x:
        if d is not None:
            taken.setdefault(-key, []).append(d)
        return None
    bars: dict[str, Any] | None = None
    if [*known] != [*fields]:
        known = bars = {name: known.get(name) for name in fields} if known else dict.fromkeys(fields)
    walking = False
    for name, item in fields.items():  # a loop, for it takes no frame: chains of objects can be long
        bar: Any = known[name]
        cls, of = type(bar), type(item)
        if cls is float and of is float or bar is None and of in INERT:
            continue
        if cls is _ARRAY and bar.base is None and bar is not item and id(bar) not in taken:
            taken[id(bar)] = bar  # as most are, without a call
            continue
        if bar is None and of is float:
            given = 0.0 if zeros else None
        else:
            if not walking:
                taken[key], walking = x, True
            walk = _WALKS.get(of) if cls is Tangent else None
            given = release(bar, item, taken, zeros) if walk is None else walk(bar, item, taken, zeros)
        if given is not bar:
            if bars is None:
                bars = {**known}
            bars[name] = given
    found = d if bars is None else new_tangent(owner_of(x) if d is None else class_of(d), bars)
    if walking:
        del taken[key]
        if -key in taken:
            for inner in taken.pop(-key):
                found = accumulate(found, _record(inner, x, taken, False))
    return found


def _record_with_static(d: Any, x: Any, taken: dict[int, Any], zeros: bool) -> Any:
    """The same of a class with static fields, which get nothing; of a recorded argument there is what keeps its
    structure, a `Tangent` of the class."""
    found = _record(d, x, taken, zeros)
    static = static_fields(class_of(x) if type(x) is Tangent else type(x))
    if type(found) is not Tangent or not static:
        return found
    fields = fields_of(found)
    return new_tangent(class_of(found), {name: None if name in static else bar for name, bar in fields.items()})


def _iterator(d: Any, x: Any, taken: dict[int, Any], zeros: bool) -> Any:
    """Of what is used up nothing is left to have a cotangent; but the user's own is an object."""
    return None if isinstance(d, list) else _record(d, x, taken, zeros)


def _proxy(d: Any, x: Any, taken: dict[int, Any], zeros: bool) -> Any:
    if zeros and all([isinstance(of, np.ndarray | list | tuple | dict) for of in taken.values()]):
        check_proxy(x)  # objects of libraries hold such views, of what is no parameter
    return None


def _table(d: Any, x: Any, taken: dict[int, Any], zeros: bool) -> Any:
    """A labelled array has one of its own; others of libraries of data have none."""
    if type(d) is Unknown:
        d.refuse()
    kind = kind_of(x)
    if kind is None or d is None and not zeros:
        return None
    return like(0.0 if d is None else d, x, kind)


_ARRAY = np.ndarray
_REAL = frozenset([float, int])
"""Classes whose zero is 0.0."""
INERT = frozenset([types.FunctionType, types.BuiltinFunctionType, type(None), str, bool])
"""Classes without zeros."""

_WALKS: dict[type, Any] = {}
"""By class; forgotten when there are many, so that classes made while a program runs do not pile up."""
MAX_CLASSES = 500


def _walk_of(x: Any) -> Any:
    """The walk along the cotangents of values of a class."""
    static = static_fields(type(x))  # which are refused of containers
    walk: Any = _record
    if x is None or isinstance(x, str | bytes):
        walk = _nothing
    elif type(x) is types.MappingProxyType:
        walk = _proxy
    elif isinstance(x, bool | enum.Enum):
        walk = _still
    elif isinstance(x, int | float | complex | np.ndarray | np.generic):
        walk = _number
    elif isinstance(x, tuple):
        walk = _tuple
    elif isinstance(x, list):
        walk = _list
    elif isinstance(x, deque):
        walk = _deque
    elif isinstance(x, dict):
        walk = _dict
    elif hasattr(type(x), "__code__"):
        walk = _function
    elif hasattr(type(x), "__next__"):
        walk = _iterator
    elif type(x) is Tangent or static:
        walk = _record_with_static
    elif holds_data(type(x)):
        walk = _table
    if len(_WALKS) > MAX_CLASSES:
        _WALKS.clear()
    _WALKS[type(x)] = walk
    return walk


def is_plain_record(cls: type) -> bool:
    """Tell whether cotangents of objects of a class have been handed over, field by field along their `__dict__`."""
    reads: Any = cls.__getattribute__
    return _WALKS.get(cls) is _record and cls in WITH_DICT and reads is object.__getattribute__


def own(d: Any, taken: dict[int, Any]) -> Any:
    """A cotangent of any structure, with arrays of its own."""
    if isinstance(d, np.ndarray):
        return release(d, None, taken)
    if isinstance(d, tuple):
        items = [own(item, taken) for item in d]
        return tuple_like(type(d), items)
    if isinstance(d, list):
        return [own(item, taken) for item in d]
    if isinstance(d, dict):
        return {key: own(item, taken) for key, item in d.items()}
    if isinstance(d, Tangent):
        return Tangent(class_of(d), {name: own(item, taken) for name, item in fields_of(d).items()})
    return d


def apart(bars: tuple[Any, ...], args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Cotangents, of which none is an argument itself: those that are, are copied."""
    return tuple([d.copy() if isinstance(d, np.ndarray) and any(d is x for x in args) else d for d in bars])
