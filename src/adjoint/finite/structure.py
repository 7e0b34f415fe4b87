"""Values taken apart into leaves and put together again, whatever they are made of.

A leaf is what carries a derivative: a real or complex number, or an array of them (integers only on request). Inner
nodes are tuples, named tuples, lists, dicts, records (objects with `__dict__` or `__slots__`), functions with captured
values, partial applications and bound methods. All else is constant.
"""

from __future__ import annotations

import copy
import functools
import sys
from collections.abc import Callable, Iterator
from enum import Enum
from types import CellType, FunctionType, MethodType
from typing import Any, NamedTuple

import numpy as np

from ..cells import captured_by
from ..origin import is_settled
from ..tangents import Tangent, own_dict, own_slots
from ..tangents.fields import carried
from ..tangents.static import static_fields
from ..tangents.tables import kind_of
from ..tangents.tables import part as numbers_of


class Step(NamedTuple):
    """One step into a value: by index, by key, or by the name of a field or captured variable."""

    kind: str
    key: Any

    def __str__(self) -> str:
        return f".{self.key}" if self.kind == "field" else f"[{self.key!r}]"


Path = tuple[Step, ...]

_LIBRARIES = ("numpy", "scipy")


class Node(NamedTuple):
    """An inner node: the steps to its children, the children, and how to build it again from others."""

    steps: list[Step]
    children: list[Any]
    build: Callable[[list[Any]], Any]


def take_apart(value: Any) -> Node | None:
    """The node that `value` is, or None for a leaf or a constant."""
    if isinstance(value, tuple):
        make: Callable[[list[Any]], Any] = value._make if hasattr(value, "_make") else tuple
        return _items(list(tuple.__iter__(value)), make)
    if isinstance(value, list):
        return _items(list(list.__iter__(value)), list)
    if isinstance(value, dict):
        keys = list(dict.keys(value))
        children = list(dict.values(value))
        return Node([Step("key", key) for key in keys], children, lambda new: dict(zip(keys, new, strict=True)))
    if isinstance(value, functools.partial):
        names = ["func", "args", "keywords"]
        return _fields(names, [value.func, value.args, value.keywords], lambda new: _partial(*new))
    if isinstance(value, MethodType):
        return _fields(["__self__"], [value.__self__], lambda new: MethodType(value.__func__, new[0]))
    if type(value) is FunctionType:
        return _take_function_apart(value)
    if isinstance(value, Tangent):
        names = list(value)
        return _fields(names, [value[name] for name in names], lambda new: _tangent(value, names, new))
    if (kind := kind_of(value)) is not None:
        labels = kind.labels(value)
        return _fields(["values"], [kind.values(value)], lambda new: kind.labelled(np.array(new[0]), labels))
    names = _record_fields(value)
    return _fields(names, [getattr(value, name) for name in names], lambda new: _record(value, names, new))


def leaves(value: Any, integers: bool = False, path: Path = (), above: tuple[int, ...] = ()) -> Iterator[Any]:
    """The `(path, leaf)` pairs of `value`, in order."""
    if is_leaf(value, integers):
        yield path, value
    elif id(value) not in above and (node := take_apart(value)) is not None:
        for step, child in zip(node.steps, node.children, strict=True):
            yield from leaves(child, integers, (*path, step), (*above, id(value)))


def rebuild(
    change: Callable[[Path, Any], Any], value: Any, path: Path = (), above: tuple[int, ...] = (), integers: bool = True
) -> Any:
    """`value` built again with each leaf replaced by `change(path, leaf)`; constants are shared."""
    if is_leaf(value, integers):
        return change(path, value)
    if id(value) in above or (node := take_apart(value)) is None or not node.children:
        return value
    return node.build(
        [
            rebuild(change, child, (*path, step), (*above, id(value)), integers)
            for step, child in zip(node.steps, node.children, strict=True)
        ]
    )


def duplicate(value: Any) -> Any:
    """A copy of `value` that shares no array and no container with it."""
    return rebuild(lambda _, leaf: leaf.copy() if isinstance(leaf, np.ndarray) else leaf, value)


def component(cotangent: Any, path: Path) -> Any:
    """The part of a cotangent that belongs to the leaf at `path`; None where nothing flows."""
    for step in path:
        if cotangent is None:
            return None
        if step.kind == "index":
            cotangent = cotangent[step.key]
        elif kind_of(cotangent) is not None:
            cotangent = numbers_of(cotangent)
        else:
            cotangent = cotangent[step.key] if step.key in cotangent else None  # noqa: SIM401  (Tangent has no get)
    return cotangent


def cotangent_like(value: Any, draw: Callable[[Any], Any]) -> Any:
    """A cotangent of the structure of `value`, its leaves made by `draw`; None for constants."""
    if is_leaf(value, integers=True):
        return draw(value)
    if (kind := kind_of(value)) is not None:
        return kind.labelled(draw(kind.values(value)), kind.labels(value))
    node = take_apart(value)
    if node is None or isinstance(value, FunctionType | MethodType | functools.partial):
        return None
    parts = [cotangent_like(child, draw) for child in node.children]
    if isinstance(value, tuple | list | dict | Tangent):
        return node.build(parts)
    names = [step.key for step in node.steps]
    return Tangent(type(value), dict(zip(names, parts, strict=True)))


def identical(a: Any, b: Any, ulps: int = 0, above: tuple[tuple[int, int], ...] = (), *, size: float = 0.0) -> bool:
    """True if two values are the same, type for type and part for part: to the last bit, or to `ulps` units of the
    largest number's in a leaf, or of `size` if that is larger."""
    if a is b or (id(a), id(b)) in above:
        return True
    if type(a) is not type(b):
        return False
    if isinstance(a, np.ndarray | np.generic | float | complex):
        x, y = np.asarray(a), np.asarray(b)
        same = x.dtype == y.dtype and x.shape == y.shape
        return same and (_equal(x, y) or ulps > 0 and x.dtype.kind in "fc" and _near(x, y, ulps, size))
    above, known = (*above, (id(a), id(b))), carried(type(a))
    if known is not None and not identical(_others(a, known), _others(b, known), 0, above):
        return False
    if not all(identical(getattr(a, name, None), getattr(b, name, None), 0, above) for name in static_fields(type(a))):
        return False
    first, second = take_apart(a), take_apart(b)
    if first is None or second is None:
        return known is not None or bool(a == b) or "__eq__" not in vars(type(a))
    return first.steps == second.steps and all(
        identical(x, y, ulps, above, size=size) for x, y in zip(first.children, second.children, strict=True)
    )


def _others(value: Any, own: tuple[str, ...]) -> dict[str, Any]:
    """The other fields of an object of a library, such as the pattern of a sparse matrix; not what it remembers of
    them, which reading changes."""
    return {name: field for name, field in vars(value).items() if name not in own and not isinstance(field, bool)}


def _equal(x: Any, y: Any) -> bool:
    if x.dtype.char in "gG":  # with bits that mean nothing
        x, y = (np.stack([v.real, v.imag]) for v in (x, y))
        return bool(np.array_equal(x, y, equal_nan=True) and np.array_equal(np.signbit(x), np.signbit(y)))
    return bool(x.tobytes() == y.tobytes())


def _near(x: Any, y: Any, ulps: int, size: float) -> bool:
    scale = np.max(np.abs(y), initial=size, where=np.isfinite(y))
    return bool(np.allclose(x, y, rtol=0.0, atol=float(ulps * np.finfo(y.dtype).eps * scale), equal_nan=True))


def is_leaf(value: Any, integers: bool) -> bool:
    """True if `value` carries a derivative by itself; bools and strings never do."""
    kinds = "fciu" if integers else "fc"
    if isinstance(value, np.ndarray | np.generic):
        return value.dtype.kind in kinds
    return isinstance(value, float | complex) or (integers and isinstance(value, int) and _is_plain_integer(value))


def _is_plain_integer(value: int) -> bool:
    return not isinstance(value, bool | Enum)


def _items(children: list[Any], build: Callable[[list[Any]], Any]) -> Node:
    return Node([Step("index", i) for i in range(len(children))], children, build)


def _fields(names: list[str], children: list[Any], build: Callable[[list[Any]], Any]) -> Node | None:
    return Node([Step("field", name) for name in names], children, build) if names else None


def _partial(function: Any, args: Any, keywords: Any) -> Any:
    return functools.partial(function, *args, **keywords)


def _tangent(value: Tangent[Any], names: list[str], parts: list[Any]) -> Tangent[Any]:
    cls, _ = value.__reduce__()[1]
    return Tangent(cls, dict(zip(names, parts, strict=True)))


def _take_function_apart(function: FunctionType) -> Node | None:
    if (function.__globals__.get("__name__") or "").partition(".")[0] in _LIBRARIES:
        return None  # rules know it by its identity
    cells = function.__closure__ or ()
    bound = captured_by(function)

    def build(new: list[Any]) -> FunctionType:
        values = dict(zip(bound, new, strict=True))
        names = function.__code__.co_freevars
        closure = tuple(CellType(values[n]) if n in values else c for n, c in zip(names, cells, strict=True))
        code, scope, defaults = function.__code__, function.__globals__, function.__defaults__
        again = FunctionType(code, scope, function.__name__, defaults, closure)
        again.__kwdefaults__ = function.__kwdefaults__
        again.__dict__.update(function.__dict__)
        return again

    return _fields(list(bound), list(bound.values()), build)


def _record_fields(value: Any) -> list[str]:
    """The names of a user's object's fields, from `__dict__` and `__slots__`, but for static ones; those that carry a
    derivative of objects of libraries; none for what is not a record."""
    cls = type(value)
    if (names := carried(cls)) is not None:
        return list(names)
    if isinstance(value, type | Enum) or cls.__module__ != "types" and is_settled(sys.modules.get(cls.__module__)):
        return []
    slots = [slot for base in cls.__mro__ for slot in _slots_of(base)]
    static = static_fields(cls)
    return [name for name in [*own_slots(value, slots), *(own_dict(value) or ())] if name not in static]


def _slots_of(cls: type) -> list[str]:
    slots = cls.__dict__.get("__slots__", ())
    names = [slots] if isinstance(slots, str) else list(slots)
    hidden = cls.__name__.lstrip("_")
    return [
        f"_{hidden}{name}" if name.startswith("__") and not name.endswith("__") else name
        for name in names
        if name not in ("__dict__", "__weakref__")
    ]


def _record(value: Any, names: list[str], parts: list[Any]) -> Any:
    again = copy.copy(value) if carried(type(value)) is None else copy.deepcopy(value)
    for name, part in zip(names, parts, strict=True):
        object.__setattr__(again, name, part)
    return again
