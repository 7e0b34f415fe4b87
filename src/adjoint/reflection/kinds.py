"""Types of arguments: what stands for one, what lies within one, what one is called."""

from __future__ import annotations

import re
from typing import Any, get_args, get_origin

import numpy as np

from ..errors import OptionError, calling_place
from ..ir.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    UNKNOWN,
    Array,
    Dict,
    Inert,
    List,
    Record,
    Scalar,
    Tuple,
    Type,
    Variadic,
)
from ..runtime.typeof import type_of_objects, typeof
from ..spelling import with_article
from ..tangents.showing import cut

_TYPES: dict[Any, Type] = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX, None: NONE}


def type_of_argument(x: Any) -> Type:
    """The type of a value, or the one that a class or an alias such as `list[float]` stands for.

    >>> type_of_argument(2.5) == type_of_argument(float), type_of_argument(list[float]) == type_of_argument([1.0])
    (True, True)
    """
    if isinstance(x, Type):
        return x
    if type(x) is type and x in _TYPES:
        return _TYPES[x]
    origin, items = get_origin(x), get_args(x)
    if origin is list and len(items) == 1:
        return List(type_of_argument(items[0]))
    if origin is tuple and Ellipsis not in items:
        return Tuple(tuple(map(type_of_argument, items)))
    if origin is dict and len(items) == 2:
        return Dict(type_of_argument(items[1]))
    if origin is not None:
        raise OptionError(
            f"`{x}` is no type that a program is made for",
            "these are classes, `list[item]`, `tuple[...]` of a fixed length, and `dict[key, value]`",
            "give an argument itself, or leave all of them out: then the program is for any",
            calling_place(),
        )
    return _type_of_class(x) if isinstance(x, type) else typeof(x)


def refuse_texts(args: tuple[Any, ...]) -> None:
    """Raise `OptionError` for the text of a type among types."""
    for x in args:
        named = isinstance(x, str) and _A_TYPE.fullmatch(x)
        if named and all([isinstance(y, type) or get_origin(y) is not None or isinstance(y, str) for y in args]):
            raise OptionError(
                f"{cut(repr(x))} is a text in place of a type",
                "of a text a program is made for the type `str`",
                f"write the type itself: `{cut(x)}`; for any text, `str`",
                calling_place(),
            )


_A_TYPE = re.compile(r"(float|int|complex|bool|str|(list|tuple|dict)(\[.*\])?|(np|numpy)\.\w+)")


def _type_of_class(cls: type) -> Type:
    if issubclass(cls, np.ndarray):
        return Array("f", "float64", None, False)
    if issubclass(cls, np.generic):
        return _type_of_scalars(cls)
    if cls in (list, tuple, dict):
        raise OptionError(
            f"`{cls.__name__}` says nothing of its items",
            "a program is made for the types of items too",
            f"write {_WITH_ITEMS[cls]}, or give an argument itself",
            calling_place(),
        )
    return type_of_objects(cls)


_DATES = (np.datetime64, np.timedelta64)
"""Scalars that have a unit, which NumPy wants to be told."""


def _type_of_scalars(cls: type) -> Type:
    """The type of scalars of NumPy's; any where a class has subclasses, as `np.floating`, or fields of its own."""
    try:
        return typeof(cls(0, "s") if issubclass(cls, _DATES) else cls())
    except TypeError:
        return UNKNOWN


_WITH_ITEMS = {list: "`list[float]`", tuple: "`tuple[float, int]`", dict: "`dict[str, float]`"}


def lies_within(t: Type, declared: Type) -> bool:
    """True if all values of the first type are of the second.

    >>> lies_within(typeof(np.ones(2)), type_of_argument(np.ndarray)), lies_within(typeof(1), FLOAT)
    (True, False)
    """
    if t == declared or declared == UNKNOWN:
        return True
    match t, declared:
        case Array(), Array():
            alike = (t.kind, t.dtype, t.scalar) == (declared.kind, declared.dtype, declared.scalar)
            return alike and declared.ndim is None
        case (List(item), List(of)) | (Dict(item), Dict(of)) if isinstance(t, type(declared)):
            return lies_within(item, of)
        case Tuple(items, cls), Tuple(of, declared_cls) if cls is declared_cls and len(items) == len(of):
            return all(map(lies_within, items, of))
        case Tuple(items), Variadic(item) if t.cls is tuple:
            return all([lies_within(u, item) for u in items])
        case Record(cls), Record(declared_cls, None):
            return cls is declared_cls
    return False


def classes_of(t: Type) -> frozenset[type]:
    """The classes all of whose objects are of a type of numbers.

    >>> classes_of(FLOAT) == {float}, classes_of(typeof(np.int32(1))) == {np.int32}, classes_of(typeof([1.0]))
    (True, True, frozenset())
    """
    cls = next((cls for cls, found in _TYPES.items() if found == t), None)
    if isinstance(t, Array) and t.scalar and t.dtype:
        cls = np.dtype(t.dtype).type
    return frozenset([cls] if isinstance(cls, type) and type_of_argument(cls) == t else [])


def words_of(t: Type) -> str:
    """The name of a type.

    >>> words_of(typeof(1.0)), words_of(typeof([1, 2]))
    ('a float', 'a list')
    """
    match t:
        case Scalar(kind):
            return with_article(kind)
        case Array(_, dtype, ndim, _):
            return f"an array of {dtype or 'numbers'}" + (f" with {ndim} axes" if ndim is not None else "")
        case Record(cls):
            return with_article(cls.__name__)
        case Variadic():
            return "a tuple"
        case Inert(cls):
            return "None" if cls is type(None) else with_article(cls.__name__)
    return with_article(type(t).__name__.lower())


def kind_of_value(value: Any, t: Type) -> str:
    """The name of the type of a value.

    >>> kind_of_value("a", typeof("a")), kind_of_value(1, typeof(1))
    ('a str', 'an int')
    """
    return (
        words_of(t) if isinstance(t, Scalar | Array | Record) or value is None else with_article(type(value).__name__)
    )
