"""The types of atoms and of arithmetic on numbers and arrays; UNKNOWN where that is not sure."""

from __future__ import annotations

import collections
import operator
import types
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..classify import Kind, kind_of
from ..ir.named import Names
from ..ir.nodes import ATTEMPT, Atom, Const, Var
from ..ir.types import (
    BOTTOM,
    NONE,
    UNKNOWN,
    Among,
    Array,
    Deque,
    Dict,
    Fn,
    Inert,
    Keyed,
    Known,
    List,
    Located,
    Maybe,
    Record,
    Ref,
    Scalar,
    Tuple,
    Type,
    Unknown,
    Variadic,
)
from ..ops import OPS
from ..ops.arithmetic import is_number
from ..wrappers import plainly, storing_in

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
    return Ref(kind) if isinstance(value, Names) else Known(value)


_CONSTANT: frozenset[Kind] = frozenset(
    ["python", "suspended", "dispatch", "builtin", "ufunc", "dispatcher", "descriptor", "cached", "class"]
)


def is_constant(value: Any) -> bool:
    """Functions, classes and modules: what a global name may be taken to mean, under a guard."""
    if not callable(value):
        return isinstance(value, types.ModuleType)
    if plainly(value) is not value:
        return True
    if id(value) in OPS:  # an operation that is an object, such as a transform of `scipy.fft`
        return True
    kind = kind_of(value)
    if kind == "compiled":
        return storing_in(value) is not None  # its function is followed; of others it is not known what they store
    return kind in _CONSTANT or isinstance(value, (np.ufunc, operator.itemgetter, operator.attrgetter))


def is_simple(x: Any) -> bool:
    """Tell whether a value never changes, and is known by itself."""
    if type(x) is tuple:
        return all(map(is_simple, x))
    return x is None or type(x) in (bool, int, float, complex, str) or is_constant(x)


OF_PYTHON = 1 << 9
"""Py_TPFLAGS_HEAPTYPE: the flag of a class that a `class` statement made."""


def certain(atom: Atom) -> bool | None:
    """Tell whether an atom is true, if that is known once and for all: a metaclass may say at each time what a class
    is."""
    if isinstance(atom, Var) and atom.type == NONE:
        return False
    if not isinstance(atom, Const) or atom is ATTEMPT or type(atom.value).__flags__ & OF_PYTHON:
        return None
    return bool(atom.value)


def type_of(atom: Atom) -> Type:
    """The type of an atom."""
    if isinstance(atom, Var):
        return atom.type
    return type_of_constant(atom.value) if isinstance(atom, Const) else BOTTOM


def type_given(a: Atom) -> Type:
    """The type of an argument; a text or a flag that stands at the call, or is a default, is known in the callee, so
    that branches on it are not read where they are not taken."""
    return type_of_default(a.value, type_of(a)) if isinstance(a, Const) else type_of(a)


def type_of_default(value: Any, t: Type) -> Type:
    """The type of a parameter that is left to its default, whose type is given."""
    return Known(value) if type(value) in _LABELS else t


def without_label(t: Type) -> Type:
    """The type of any text or flag, where one is that of one of them."""
    return type_of_constant(t.value) if isinstance(t, Known) and type(t.value) in _LABELS else t


_LABELS = (str, bool)


_INERT = (Inert(range), Inert(str))
"""Types of sequences without derivatives."""


def is_sequence(a: Atom) -> bool:
    """Tell whether an atom is known to be a sequence, which may be run through again."""
    t = type_of(a)
    return (
        isinstance(t, (List, Tuple, Variadic, Array))
        or t in _INERT
        or isinstance(t, Located)
        and is_sequence(Var("", t.of))
    )


def is_immutable(t: Type) -> bool:
    """Surely a number that cannot change: one of Python's or a scalar of NumPy's. An array without axes can."""
    return isinstance(t, (Scalar, Maybe)) or isinstance(t, Array) and t.scalar is True


def is_value(t: Type) -> bool:
    """Tell whether nothing is ever stored into what is of a type: a reference stays the one that it is."""
    if isinstance(t, Among):
        return all(map(is_value, t.kinds))
    return is_immutable(t) or isinstance(t, (Scalar, Inert, Ref))


def is_unseen(t: Type) -> bool:
    """Tell whether only the run shows what a variable of this type is: also whether it is an array or an item of
    one."""
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
    if isinstance(t, Variadic):
        return tuple
    if isinstance(t, List):
        return collections.deque if isinstance(t, Deque) else list
    if isinstance(t, Dict):
        return dict
    if isinstance(t, Inert):
        return t.cls
    if isinstance(t, Known):
        return type(t.value)
    if isinstance(t, Fn):
        return types.FunctionType
    return getattr(t, "cls", None)


_AS_THEY_STAND = frozenset([operator.add, operator.sub, operator.mul, np.add, np.subtract, np.multiply])
"""Functions whose partials are operands and ones."""


def is_whole_power(fn: Any, args: Sequence[Any]) -> bool:
    """Tell whether a call is a power of a number of NumPy with a whole number above zero, whose partial is finite where
    its base is. (Entries of an array may be infinite where nothing flows.)"""
    if fn is not operator.pow and fn is not np.power or len(args) != 2:
        return False
    base, exponent = type_of(args[0]), args[1]
    known = isinstance(exponent, Const) and type(exponent.value) is int and exponent.value > 0
    return known and isinstance(base, Array) and base.scalar is True and base.kind in "fc"


def is_narrowed(fn: Any, types: Iterable[Type]) -> bool:
    """Tell whether there may be integers or flags of NumPy among the operands, and the partials compute with them: of
    few bits they overflow."""
    return fn not in _AS_THEY_STAND and any(isinstance(t, Array) and t.kind not in "fc" for t in types)


def is_known(t: Type) -> bool:
    """Tell whether a type says enough for a callee to be specialised without looking at the value."""
    if isinstance(t, Tuple):
        return all(is_known(item) for item in t.items)
    if isinstance(t, Keyed):
        return all([is_known(u) for _, u in t.entries])
    if isinstance(t, (List, Dict, Variadic)):
        return is_known(t.item)
    if isinstance(t, Fn):
        return all(is_known(u) for u in t.parts)
    if isinstance(t, (Ref, Among)):
        return True  # what its fields hold is known for the whole program
    if isinstance(t, Record):
        return t.fields is not None and all([is_known(u) for _, u in t.fields])
    return t != UNKNOWN


def shallow(t: Type) -> Type:
    """The kind of values of a type: of a container without its items."""
    match t:
        case Tuple(items, cls):
            return Tuple((UNKNOWN,) * len(items), cls)
        case List() if type(t) is List:
            return List(UNKNOWN)
        case Dict() if type(t) in (Dict, Keyed):
            return Dict(UNKNOWN)
    return t


def is_whole(t: Type) -> bool:
    """Tell whether a number can be an index: other numbers in a slice are the ends of a grid."""
    return not is_number(t) or getattr(t, "kind", "") in ("int", "bool", "i", "u", "b")
