"""The types of arithmetic on numbers and arrays, and of running through a value; UNKNOWN where that is not sure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ..ir.lattice import join
from ..ir.types import (
    BOTTOM,
    COMPLEX,
    FLOAT,
    INT,
    UNKNOWN,
    Array,
    Bottom,
    Inert,
    List,
    Maybe,
    Scalar,
    Tuple,
    Type,
    Variadic,
    View,
)

STR = Inert(str)
_ELEMENTS: dict[type, Type] = {range: INT, str: STR, bytes: INT}


def is_number(t: Type) -> bool:
    """A Python number, a NumPy number or an array of numbers."""
    return isinstance(t, Scalar) or isinstance(t, Array) and t.kind in "biufc"


def is_real(t: Type) -> bool:
    """A real number of Python."""
    return isinstance(t, Scalar) and t.kind in ("int", "float")


def is_rank0(t: Type) -> bool:
    """Surely a single number, so that nothing broadcasts."""
    return isinstance(t, (Scalar, Maybe)) or isinstance(t, Array) and (t.scalar is True or t.ndim == 0)


def promoted(kinds: Collection[str]) -> str:
    """The kind of numbers of several kinds together; "?" if it is not known, as of signed and unsigned integers: these
    make signed ones, or floats where both are of 64 bits."""
    widest = max(kinds, key="biufc".find, default="b")
    return "?" if not {*"biufc"}.issuperset(kinds) or widest == "u" and "i" in kinds else widest


def elementwise(types: Sequence[Type]) -> Type:
    """The result of an arithmetic operation on numbers and arrays that broadcast."""
    if types and isinstance(types[0], Scalar) and all([t is types[0] for t in types]):
        return INT if types[0].kind == "bool" else types[0]
    if any([isinstance(t, Bottom) for t in types]):
        return BOTTOM
    if not all([is_number(t) for t in types]):
        return UNKNOWN
    kinds = {t.kind for t in types if isinstance(t, Array)}
    if promoted(kinds) == "?":
        return UNKNOWN
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


def as_real(types: Sequence[Type]) -> Type:
    """As `elementwise`, but integers become floats, as under `/` and `sin`."""
    t = elementwise(types)
    if isinstance(t, Scalar):
        return FLOAT if t.kind in ("int", "bool") else t
    if isinstance(t, Array) and t.kind in "biu":
        return Array("f", "", t.ndim, t.scalar)
    return t


def element_of(t: Type) -> Type:
    """The type of the items of a value of this type."""
    if isinstance(t, Bottom):
        return BOTTOM
    if isinstance(t, (List, Variadic, View)):
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


def join_all(types: Sequence[Type]) -> Type:
    """The join of several types; BOTTOM of none."""
    result: Type = BOTTOM
    for t in types:
        result = join(result, t)
    return result
