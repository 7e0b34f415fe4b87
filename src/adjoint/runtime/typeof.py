"""Values to types."""

from __future__ import annotations

import abc
import collections
import dataclasses
import enum
import random
import types
from collections.abc import Collection
from typing import Any

import numpy as np

from ..classify import KINDS, kind_of
from ..identity import is_hashable
from ..ir.exceptions import LOCKS
from ..ir.lattice import MISSING, among, join, keyed, variadic
from ..ir.methods import method_of
from ..ir.types import (
    BOOL,
    BOTTOM,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    UNKNOWN,
    Array,
    Default,
    Deque,
    Dict,
    Fn,
    Inert,
    Keyed,
    Known,
    List,
    Maybe,
    Nested,
    Record,
    Ref,
    Scalar,
    Tuple,
    Type,
)
from ..ops.effects import UNSEEN
from ..ops.given import Given, type_given
from ..ops.logs import LOGGERS
from ..ops.words import WORDS
from ..origin import is_read_class
from ..rules.registry import has_rules
from ..tangents import plain_tuple
from ..tangents.data import holds_data
from .generated import links_of

MAX_TUPLE = 12
MAX_DEPTH = 4

_INERT = (
    enum.Enum,
    dataclasses.Field,
    str,
    bytes,
    type(None),
    range,
    slice,
    type(...),
    np.dtype,
    np.random.Generator,
    *LOCKS,
)
_INERT_ALONE = frozenset([np.random.RandomState, random.Random, *LOGGERS])
"""The same, of which a user's class may be another."""
_NUMBERS = "biufc"
_KNOWN = frozenset(["builtin", "dispatcher", "descriptor"])
SCALARS: dict[type, Type] = {float: FLOAT, int: INT, bool: BOOL, complex: COMPLEX}


def typeof(value: Any, level: int = 0, mixed: bool = False) -> Type:
    """The type of a value, as precise as a guard can cheaply check it. Of a list of objects of several classes it is
    known which these are where it may be `mixed`."""
    cls = type(value)
    scalar = SCALARS.get(cls)
    if scalar is not None:
        return scalar
    if cls is np.ndarray:
        return _array_type(value.dtype, value.ndim, False)
    if isinstance(value, np.generic):
        return _array_type(value.dtype, 0, True) if cls is value.dtype.type else UNKNOWN
    if level < MAX_DEPTH:
        if cls is tuple or isinstance(value, tuple) and hasattr(cls, "_fields") and plain_tuple(cls) is cls:
            short = len(value) <= MAX_TUPLE
            return _tuple_type(value, cls, level + 1, mixed) if short else _long_tuple_type(value, cls, level + 1)
        if cls is list:
            return List(_item_type(value, level + 1, mixed)) if value else List(BOTTOM)
        if cls is dict:
            return _dict_type(value, level + 1, mixed) if value else Dict(UNKNOWN)
        if cls is collections.OrderedDict:
            return Default(_item_type(value.values(), level + 1, mixed) if value else BOTTOM, cls, BOTTOM)
        if cls is types.FunctionType and has_rules(value):
            return Known(value)
        if mixed and cls is types.MethodType:
            return _method_type(value)
        if cls is types.FunctionType:
            return function_type(value, level, mixed)
    if hasattr(cls, "__adjoint_gradient__") and hasattr(value, "_f"):
        inner, wanted, single, with_value = cls.__adjoint_gradient__(value)
        if wanted and level < MAX_DEPTH and all(isinstance(i, int) and i >= 0 for i in wanted):
            return Nested(cls, "_f", typeof(inner, level + 1), wanted, single, with_value)
        return UNKNOWN
    if hasattr(cls, "__adjoint_derivative__") and hasattr(value, "_f") and level < MAX_DEPTH:
        inner, order = cls.__adjoint_derivative__(value)
        return Nested(cls, "_f", typeof(inner, level + 1), (0,), True, False, order)
    if isinstance(value, _INERT) or cls in _INERT_ALONE:
        return Inert(cls)
    if isinstance(value, (type, types.ModuleType, np.ufunc)):
        return Known(value)
    if cls in KINDS and kind_of(value) in _KNOWN:
        return Known(value)
    return type_of_objects(cls)


def _method_type(value: types.MethodType) -> Type:
    """The type of a method with its object, where objects are memory."""
    cls = method_of(value)
    return Ref(cls) if cls is not None and isinstance(type_of_objects(cls.owner), Record) else UNKNOWN


def is_nested(f: Any) -> bool:
    """Tell whether a callable gives derivatives of a function that its type says."""
    cls = type(f)
    of_ours = hasattr(cls, "__adjoint_gradient__") or hasattr(cls, "__adjoint_derivative__")
    return of_ours and isinstance(typeof(f), Nested)


def type_changed(value: Any) -> Type | None:
    """The type of a container of `collections`, or of a set, that a program may change; None of any other value."""
    cls = type(value)
    given: Type = BOTTOM
    if cls is set:
        return Inert(set) if is_steady(value) else None
    if cls is collections.deque:
        return Deque(_item_type(value, 1, False) if value else BOTTOM, value.maxlen is not None)
    if cls is collections.defaultdict and value.default_factory is not None:
        given = MISSING.get(value.default_factory, UNKNOWN) if is_hashable(value.default_factory) else UNKNOWN
    if cls is collections.Counter:
        given = INT
    if cls not in (collections.defaultdict, collections.Counter) or given == UNKNOWN:
        return None
    return Default(_item_type(value.values(), 1, False) if value else BOTTOM, cls, given)


def is_steady(items: Collection[Any]) -> bool:
    """Tell whether items are texts, integers and tuples of such, which do not move, and are compared as Python has
    it."""
    return all([type(x) in _STEADY or type(x) is tuple and is_steady(x) for x in items])


_STEADY = frozenset([str, bytes, int, bool, type(None)])


def type_of_objects(cls: type) -> Type:
    """The type of objects that are neither numbers, containers nor called: those of one class."""
    if issubclass(cls, _INERT) or cls in _INERT_ALONE:
        return Inert(cls)
    known = cls is types.SimpleNamespace or cls.__module__ not in ("builtins", "functools", "types")
    return Record(cls) if _makes_plainly(cls) and known and _plain_record(cls) else UNKNOWN


def _tuple_type(items: tuple[Any, ...], cls: type, level: int, mixed: bool) -> Type:
    return Tuple(tuple([typeof(item, level, mixed) for item in items]), cls)


def _long_tuple_type(items: tuple[Any, ...], cls: type, level: int) -> Type:
    """Of a tuple of which not each item has a type of its own: if all are of one."""
    return variadic(_item_type(items, level, False)) if cls is tuple else UNKNOWN


def _array_type(dtype: np.dtype[Any], ndim: int, scalar: bool) -> Type:
    """The type of an array or scalar of NumPy's: of numbers by their dtype, of anything else by its kind."""
    if dtype.kind not in _NUMBERS:
        known = not scalar or np.dtype(dtype.kind).type is dtype.type  # a record is another class than `np.void`
        return Array(dtype.kind, "", ndim, scalar) if known else UNKNOWN
    name = dtype.name if dtype.isnative else ""
    if scalar and (not name or np.dtype(name).type is not dtype.type):  # `np.longlong`, where it is another int64
        return UNKNOWN
    return Array(dtype.kind, name, ndim, scalar)


def contradicted(returns: str | None, values: tuple[Any, ...], names: tuple[str, ...], y: Any) -> str:
    """Type that a rule says of a result that has another; nothing if it is right, or allows for
    more."""
    given = Given(tuple(map(typeof, values)), (UNSEEN,) * len(values), names)
    said, got = type_given(WORDS.get(returns or ""), given), typeof(y)
    if said == COMPLEX != got:
        return str(said)
    if said == UNKNOWN or join(said, got) == said:
        return ""
    dtypes, ranks = [_dtype_of(t) for t in (said, got)], [getattr(t, "ndim", 0) for t in (said, got)]
    if any(dtype is None for dtype in dtypes) or None not in ranks and ranks[0] != ranks[1]:
        return str(said)
    return "" if np.can_cast(dtypes[1], dtypes[0]) else str(said)


def _dtype_of(t: Type) -> Any:
    """The dtype of numbers, the widest one where only the kind is known; None for what is no number."""
    if isinstance(t, Scalar):
        return np.dtype({"int": np.int64, "float": np.float64, "complex": np.complex128, "bool": np.bool_}[t.kind])
    if isinstance(t, Array) and t.kind in _NUMBERS:
        return np.dtype(t.dtype or {"b": np.bool_, "c": np.clongdouble, "f": np.longdouble}.get(t.kind, np.int64))
    return None


MAX_LEAVES = 50
MAX_NAMED = 8
"""Keys of a dict of arrays that are known; of more the one type of all values."""
MAX_ITEMS = 500
"""Items, other than numbers, of which each is looked at before a call; of more each is told as it is read."""


def _dict_type(value: dict[Any, Any], level: int, mixed: bool) -> Type:
    """With known keys if these are few, and values are of several types, or arrays that go by names; of values of one
    type otherwise."""
    item = _item_type(value.values(), level, mixed)
    named = item in (UNKNOWN, Inert(str)) or _is_named(item) and len(value) <= MAX_NAMED
    if not named or len(value) > MAX_LEAVES or set(map(type, value)) != {str}:
        return Dict(item)
    entries = {key: typeof(v, level) for key, v in value.items()}
    known = all([_is_of_numbers(t) or t in _PLAIN_INERT for t in entries.values()])
    return keyed(entries) if known and _leaves(entries.values()) <= MAX_LEAVES else Dict(UNKNOWN)


def _is_named(item: Type) -> bool:
    """Tell whether values of a type are arrays, or dicts of these."""
    return isinstance(item, Array) and item.scalar is False or isinstance(item, Keyed)


_PLAIN_INERT = (Inert(str), Inert(type(None)))


def _leaves(types_: Collection[Type]) -> int:
    return sum([_leaves(inner) if (inner := _parts(t)) else 1 for t in types_])


def _parts(t: Type) -> Collection[Type]:
    if isinstance(t, Keyed):
        return [u for _, u in t.entries]
    return t.items if isinstance(t, Tuple) else ()


def _item_type(items: Collection[Any], level: int, mixed: bool) -> Type:
    """The type that all items have, if they are numbers, texts, arrays, lists and tuples of numbers and arrays, or
    objects."""
    kinds = set(map(type, items))
    if len(kinds) == 2 and type(None) in kinds and not kinds.isdisjoint(SCALARS):
        return Maybe(SCALARS[next(kind for kind in kinds if kind in SCALARS)])
    if len(kinds) > 1 or mixed and kinds == {types.MethodType}:
        return _type_of_mixed(items, kinds) if mixed and len(items) <= MAX_ITEMS else UNKNOWN
    kind = kinds.pop()
    if kind in SCALARS:
        return SCALARS[kind]
    if kind is str:
        return Inert(str)
    if len(items) > MAX_ITEMS:
        return UNKNOWN
    made = _makes_plainly(kind) and kind not in _HOLDING
    if made and isinstance(t := typeof(next(iter(items)), level), Record):
        return t
    if kind not in _HOLDING and not issubclass(kind, np.generic) or level >= MAX_DEPTH:
        return UNKNOWN
    first, *others = [typeof(item, level) for item in items]
    found: Type | None = first
    for t in dict.fromkeys(others):
        found = found and _or_none(found, t)
    return found if found is not None and _is_of_numbers(found) else UNKNOWN


def _or_none(a: Type, b: Type) -> Type | None:
    """The type of what is of one of two, if these are one but for numbers that are None in some."""
    if a == b:
        return a
    if isinstance(a, Tuple) and isinstance(b, Tuple) and a.cls is b.cls and len(a.items) == len(b.items):
        items = [_or_none(*pair) for pair in zip(a.items, b.items, strict=True)]
        return None if None in items else Tuple(tuple(items), a.cls)  # type: ignore[arg-type]
    if type(a) is List and type(b) is List:
        item = _or_none(a.item, b.item)
        return item and List(item)
    numbers = {t.item if isinstance(t, Maybe) else t for t in (a, b)} - {NONE}
    return Maybe(numbers.pop()) if len(numbers) == 1 and isinstance(join(a, b), Maybe) else None


def _type_of_mixed(items: Collection[Any], kinds: set[type]) -> Type:
    """The type of objects of several classes."""
    if not kinds.isdisjoint([*SCALARS, *_HOLDING]):
        return UNKNOWN
    methods = {method_of(item): item for item in items if type(item) is types.MethodType}
    others = {type(item): item for item in items if type(item) is not types.MethodType}
    found = [typeof(item, mixed=True) for item in (*methods.values(), *others.values())]
    records = [t for t in found if isinstance(t, Record)]
    return among(records) if len(records) == len(found) else UNKNOWN


_HOLDING = (np.ndarray, list, tuple, dict)


def _is_of_numbers(t: Type) -> bool:
    if isinstance(t, (Tuple, Keyed)):
        return all([_is_of_numbers(u) or u in _PLAIN_INERT for u in _parts(t)])
    if isinstance(t, (List, Dict, Maybe)):
        return _is_of_numbers(t.item) or isinstance(t, List) and t.item == Inert(str)
    return isinstance(t, Scalar) or isinstance(t, Array) and t.kind in "fc"


def _makes_plainly(cls: type) -> bool:
    """Tell whether a class makes its objects as `type` has it: an abstract one of the user's does, too."""
    return type(cls) is type or type(cls) is abc.ABCMeta and is_read_class(cls)


def _plain_record(cls: type) -> bool:
    if isinstance(cls.__getattribute__, types.FunctionType):
        return False
    if holds_data(cls):
        return False
    return not issubclass(cls, (BaseException, list, dict, tuple, set, str, int, float, complex, np.ndarray))


def function_type(function: types.FunctionType, level: int = 0, mixed: bool = False) -> Type:
    """The type of a Python function: its code, and the types of what it captures and of its defaults."""
    captures: list[Type] = []
    links = links_of(function.__code__)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            value = cell.cell_contents
            captures.append(Known(value) if name in links else typeof(value, level + 1, mixed))
        except ValueError:
            captures.append(UNKNOWN)
    defaults = tuple(typeof(d, level + 1, mixed) for d in function.__defaults__ or ())
    keywords = tuple((name, typeof(d, level + 1, mixed)) for name, d in (function.__kwdefaults__ or {}).items())
    return Fn(function.__code__, tuple(captures), defaults, keywords, None, function.__globals__)


def function_of(t: Fn) -> types.FunctionType:
    """A function of a type, with nothing in its cells."""
    assert t.scope is not None
    return types.FunctionType(t.code, t.scope, closure=tuple([types.CellType() for _ in t.code.co_freevars]))
