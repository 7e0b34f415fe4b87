"""The types of atoms and of arithmetic on numbers and arrays; UNKNOWN where that is not sure."""

from __future__ import annotations

import operator
import types
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..classify import Kind, kind_of
from ..ir.nodes import Atom, Const, Var
from ..ir.types import (
    BOTTOM,
    COMPLEX,
    INT,
    UNKNOWN,
    Array,
    Bottom,
    Dict,
    Fn,
    Inert,
    Keyed,
    Known,
    List,
    Maybe,
    Record,
    Scalar,
    Tuple,
    Type,
    Unknown,
    View,
    join,
)

_STR = Inert(str)
_ELEMENTS: dict[type, Type] = {range: INT, str: _STR, bytes: INT}


_OF_LITERALS: dict[type, Type] = {
    **{kind: Scalar(kind.__name__) for kind in (bool, int, float, complex)},
    **{kind: Inert(kind) for kind in (type(None), str, bytes, slice, range, type(...))},
}


def type_of_constant(value: Any) -> Type:
    """The type of a literal or of a known object."""
    kind = type(value)
    if (known := _OF_LITERALS.get(kind)) is not None:
        return known
    if kind is tuple:
        return Tuple(tuple(type_of_constant(item) for item in value))
    return Known(value)


_CONSTANT: frozenset[Kind] = frozenset(
    ["python", "suspended", "dispatch", "builtin", "ufunc", "dispatcher", "descriptor", "cached", "class"]
)


def is_constant(value: Any) -> bool:
    """Functions, classes and modules: what a global name may be taken to mean, under a guard."""
    if not callable(value):
        return isinstance(value, types.ModuleType)
    return kind_of(value) in _CONSTANT or isinstance(value, (np.ufunc, operator.itemgetter, operator.attrgetter))


OF_PYTHON = 1 << 9
"""Py_TPFLAGS_HEAPTYPE: the flag of a class that a `class` statement made."""


def certain(atom: Atom) -> bool | None:
    """Whether an atom is true, if that is known once and for all: a metaclass may say at each time what a class is."""
    if not isinstance(atom, Const) or type(atom.value).__flags__ & OF_PYTHON:
        return None
    return bool(atom.value)


def type_of(atom: Atom) -> Type:
    """The type of an atom."""
    if isinstance(atom, Var):
        return atom.type
    return type_of_constant(atom.value) if isinstance(atom, Const) else BOTTOM


def is_number(t: Type) -> bool:
    """A Python number, a NumPy number or an array of numbers."""
    return isinstance(t, Scalar) or isinstance(t, Array) and t.kind in "biufc"


def is_real(t: Type) -> bool:
    """A real number of Python."""
    return isinstance(t, Scalar) and t.kind in ("int", "float")


def is_rank0(t: Type) -> bool:
    """Surely a single number, so that nothing broadcasts."""
    return isinstance(t, (Scalar, Maybe)) or isinstance(t, Array) and (t.scalar is True or t.ndim == 0)


def is_immutable(t: Type) -> bool:
    """Surely a number that cannot change: one of Python's or a scalar of NumPy's. An array without axes can."""
    return isinstance(t, (Scalar, Maybe)) or isinstance(t, Array) and t.scalar is True


def is_unseen(t: Type) -> bool:
    """Whether only the run shows what a variable of this type is: also whether it is an array or an item of one."""
    return isinstance(t, Unknown) or isinstance(t, Array) and t.ndim is None and t.scalar is None


def representatives(types: Iterable[Type]) -> list[tuple[type | None, ...]]:
    """Classes by which to dispatch on rules: one of each argument, and once more with numbers of Python in place of the
    arrays that may be such."""
    known = tuple(types)
    classes = tuple(map(representative, known))
    numbers = tuple(
        float if isinstance(t, Array) and t.scalar is None and not t.dtype else c
        for t, c in zip(known, classes, strict=True)
    )
    return [classes] if numbers == classes else [classes, numbers]


def representative(t: Type) -> type | None:
    """A class by which to dispatch on rules, or None if the type is not known well enough."""
    if isinstance(t, Scalar):
        return {"bool": bool, "int": int, "float": float, "complex": complex}[t.kind]
    if isinstance(t, Array):
        return np.ndarray if not t.scalar else np.float64 if t.kind == "f" else np.generic
    if isinstance(t, Tuple):
        return t.cls
    if isinstance(t, List):
        return list
    if isinstance(t, Dict):
        return dict
    if isinstance(t, Inert):
        return t.cls
    if isinstance(t, Known):
        return type(t.value)
    if isinstance(t, Fn):
        return types.FunctionType
    return getattr(t, "cls", None)


def elementwise(types: Sequence[Type]) -> Type:
    """The result of an arithmetic operation on numbers and arrays that broadcast."""
    if any([isinstance(t, Bottom) for t in types]):
        return BOTTOM
    if not all([is_number(t) for t in types]):
        return UNKNOWN
    kinds = {t.kind for t in types if isinstance(t, Array)}
    if {"i", "u"} <= kinds:
        return UNKNOWN  # signed, or float64 where both are of 64 bits
    result = types[0]
    for t in types[1:]:
        result = _broadcast(result, t)
    if isinstance(result, Scalar):
        return INT if result.kind == "bool" else result
    assert isinstance(result, Array)
    return _drop_rank0(result)


def _broadcast(a: Type, b: Type) -> Type:
    if isinstance(a, Scalar) and isinstance(b, Scalar):
        return COMPLEX if COMPLEX in (a, b) else join(a, b)
    if isinstance(a, Scalar):
        a, b = b, a
    assert isinstance(a, Array)
    if isinstance(b, Scalar):
        letter = {"bool": "b", "int": "i", "float": "f", "complex": "c"}[b.kind]
        same = "biufc".find(letter) <= "biufc".find(a.kind) or letter == "i" and a.kind == "u"
        return Array(a.kind if same else letter, a.dtype if same else "", a.ndim, a.scalar)
    assert isinstance(b, Array)
    kind = max(a.kind, b.kind, key="biufc".find)
    ndim = None if a.ndim is None or b.ndim is None else max(a.ndim, b.ndim)
    scalar = False if ndim else True if a.scalar and b.scalar else None
    return Array(kind, a.dtype if a.dtype == b.dtype else "", ndim, scalar)


def _drop_rank0(t: Array) -> Array:
    """Arithmetic on 0-d arrays gives NumPy scalars."""
    return Array(t.kind, t.dtype, 0, True) if t.ndim == 0 else t


def element_of(t: Type) -> Type:
    """What iterating over a value of this type yields."""
    if isinstance(t, Bottom):
        return BOTTOM
    if isinstance(t, (List, View)):
        return t.item
    if isinstance(t, Tuple):
        result: Type = BOTTOM
        for item in t.items:
            result = join(result, item)
        return result
    if isinstance(t, Inert):
        return _ELEMENTS.get(t.cls, UNKNOWN)
    if isinstance(t, Array) and t.ndim and is_number(t):
        return Array(t.kind, t.dtype, t.ndim - 1, t.ndim == 1)
    if isinstance(t, Array):
        return Array(t.kind, t.dtype, None, None)
    return UNKNOWN


_AS_THEY_STAND = frozenset([operator.add, operator.sub, operator.mul, np.add, np.subtract, np.multiply])
"""Functions whose partials are operands and ones."""


def is_whole_power(fn: Any, args: Sequence[Any]) -> bool:
    """Whether a call is a power of a number of NumPy with a whole number above zero, whose partial is finite where its
    base is. (Entries of an array may be infinite where nothing flows.)"""
    if fn is not operator.pow and fn is not np.power or len(args) != 2:
        return False
    base, exponent = type_of(args[0]), args[1]
    known = isinstance(exponent, Const) and type(exponent.value) is int and exponent.value > 0
    return known and isinstance(base, Array) and base.scalar is True and base.kind in "fc"


def is_narrowed(fn: Any, types: Iterable[Type]) -> bool:
    """Whether there may be integers or flags of NumPy among the operands, and the partials compute with them: of few
    bits they overflow."""
    return fn not in _AS_THEY_STAND and any(isinstance(t, Array) and t.kind not in "fc" for t in types)


def is_known(t: Type) -> bool:
    """Whether a type says enough for a callee to be specialised without looking at the value."""
    if isinstance(t, Tuple):
        return all(is_known(item) for item in t.items)
    if isinstance(t, Keyed):
        return all([is_known(u) for _, u in t.entries])
    if isinstance(t, (List, Dict)):
        return is_known(t.item)
    if isinstance(t, Fn):
        return all(is_known(u) for u in t.parts)
    if isinstance(t, Record):
        return t.fields is not None and all([is_known(u) for _, u in t.fields])
    return t != UNKNOWN
