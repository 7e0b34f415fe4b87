"""Lanes in values of any structure: whether there are some, and what a value is in one lane."""

from __future__ import annotations

import copy
import functools
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..cells import held_by
from ..origin import is_users, is_users_class
from ..rules.outside import is_iterator
from ..runtime.generated import generated_ir
from ..runtime.implicit_calls import may_change
from ..tangents.fields import record_fields
from ..tangents.lane_runs import mapped
from ..tangents.lanes import Lanes, NoLanes
from ..tangents.structural import Tangent, fields_of

NUMBERS = (bool, int, float, complex, np.ndarray, np.generic)
"""Classes of what is stacked, or has lanes: numbers and arrays."""
PLAIN = frozenset(
    [int, float, complex, bool, str, bytes, type(None), np.ndarray, np.float64, np.int64, np.bool_, range]
)
"""Classes of values in which there are no lanes."""


def holds_lanes(x: Any) -> bool:
    """True if there are lanes in a value: in its items, in its fields, in what it captures."""
    kind = type(x)
    if kind is Lanes:
        return True
    if kind is tuple:  # most often the arguments of a call, some of which are lanes, or none
        kinds = {*map(type, x)}
        if Lanes in kinds or kinds <= PLAIN:
            return Lanes in kinds
    return not _is_plain(x) and next(lanes_in(x), None) is not None


def lanes_in(x: Any) -> Iterator[Lanes]:
    """The lanes in a value."""
    return (part for part in _within(x) if type(part) is Lanes)


def keeps_state(x: Any, unknown: bool = False) -> bool:
    """True if a function of the user's in a value may change what it captures from one call to the next; where nothing
    is `unknown` to have no effect, also if it calls what its source does not tell."""
    return any(type(f) is types.FunctionType and _is_written(f) and may_change(f, unknown=unknown) for f in _within(x))


def _is_written(f: types.FunctionType) -> bool:
    return is_users(f.__code__.co_filename) and generated_ir(f.__code__) is None


def is_used_up(x: Any) -> bool:
    """True if there is something in a value, or in what it captures, that is another one after it has been read."""
    return any(is_iterator(part) or hasattr(type(part), "__missing__") for part in _within(x))


def by_identity(x: Any) -> bool:
    """True if there is an object in a value that holds lanes and is equal to itself alone: one that was put together
    of those of the lanes is another object."""
    return any(_is_object(part) and holds_lanes(part) for part in _within(x))


def _is_object(x: Any) -> bool:
    cls: Any = type(x)
    return cls.__eq__ is object.__eq__ and is_users_class(cls) and record_fields(x) is not None


def _within(x: Any) -> Iterator[Any]:
    """All that is in a value and may hold other values, each once; and the lanes."""
    todo, seen = [x], set[int]()
    while todo:
        x = todo.pop()
        if _is_plain(x) or id(x) in seen:
            continue
        seen.add(id(x))
        yield x
        if type(x) is not Lanes:
            todo += _parts(x)


def _is_plain(x: Any) -> bool:
    return type(x) in PLAIN or isinstance(x, (type, types.ModuleType, types.BuiltinFunctionType, np.ufunc, np.generic))


def _parts(x: Any) -> Any:
    if isinstance(x, (tuple, list, set, frozenset)):
        return x
    if isinstance(x, dict):
        return x.values()
    if type(x) is Tangent:
        return fields_of(x).values()
    if type(x) is types.FunctionType:
        return held_by(x)
    if isinstance(x, types.MethodType):
        return [x.__self__, x.__func__]
    if isinstance(x, functools.partial):
        return [x.func, *x.args, *x.keywords.values()]
    if isinstance(x, np.vectorize):
        return [x.pyfunc]
    if isinstance(x, slice):
        return [x.start, x.stop, x.step]
    return (record_fields(x) or {}).values()


def lane_of(x: Any, i: int) -> Any:
    """The value in one lane; the value itself if there are no lanes in it.

    >>> lane_of((Lanes(np.array([1.0, 2.0])), "a"), 1)
    (np.float64(2.0), 'a')
    """
    taken: dict[int, Any] = {}  # what is the same object stays so

    def one(lanes: Lanes) -> Any:
        if id(lanes) not in taken:
            taken[id(lanes)] = _one(lanes, i)
        return taken[id(lanes)]

    return one(x) if type(x) is Lanes else of_each(one, x)


def _one(lanes: Lanes, i: int) -> Any:
    if not len(lanes.data):  # no lane is there: one of zeros tells the types
        return np.zeros(lanes.shape, lanes.dtype) if lanes.ndim else lanes.dtype.type(0)
    return lanes.data[i].copy() if lanes.ndim else lanes.data[i]


def of_each(f: Any, x: Any) -> Any:
    """A value with `f` of all lanes in it; what has none in it is the same object."""
    if type(x) is Lanes:
        return f(x)
    if not holds_lanes(x):
        return x
    if isinstance(x, (tuple, list, dict, Tangent)):
        return mapped(lambda item: of_each(f, item), x)
    if type(x) is types.FunctionType:
        return _function(f, x)
    if isinstance(x, types.MethodType):
        return types.MethodType(of_each(f, x.__func__), of_each(f, x.__self__))
    if type(x) is functools.partial:
        return functools.partial(of_each(f, x.func), *of_each(f, x.args), **of_each(f, x.keywords))
    return _record(f, x)


def _function(f: Any, x: types.FunctionType) -> types.FunctionType:
    cells = []
    for cell in x.__closure__ or ():
        try:
            cells.append(types.CellType(of_each(f, cell.cell_contents)))
        except ValueError:
            cells.append(cell)
    made = types.FunctionType(x.__code__, x.__globals__, x.__name__, of_each(f, x.__defaults__), tuple(cells))
    made.__kwdefaults__ = of_each(f, x.__kwdefaults__)
    made.__qualname__, made.__module__, made.__dict__ = x.__qualname__, x.__module__, {**x.__dict__}
    return made


def _record(f: Any, x: Any) -> Any:
    fields = record_fields(x)
    if fields is None or isinstance(x, (set, frozenset)):
        raise NoLanes
    made = copy.copy(x)
    for name, value in fields.items():
        if holds_lanes(value):
            object.__setattr__(made, name, of_each(f, value))
    return made
