"""The types of cotangents: what the functions of reverse programs give for what is surely there.

A cotangent that may be None when the program runs has no type here.
"""

from __future__ import annotations

from collections.abc import Callable

from ..ir.types import COMPLEX, FLOAT, MIXED, UNKNOWN, Array, Maybe, Scalar, Tuple, Type
from .arithmetic import is_number, is_real
from .given import Given
from .words import NUMBER


def is_cotangent(t: Type) -> bool:
    """Tell whether a type is that of a number or an array through which something flows."""
    return is_number(t) and (isinstance(t, Array) and t.kind in "fc" or isinstance(t, Scalar) and t.kind != "bool")


def any_of_kind(t: Type) -> Array:
    """The type of a cotangent of something of the type `t`: also a number that stands for an array of any shape."""
    kind = t.kind if isinstance(t, Array) else "c" if t in (COMPLEX, MIXED) else "f"
    return Array(kind)


def brought_back(d: Type, x: Type) -> Type:
    """The type of the cotangent `d` brought back to the shape, dtype and realness of `x`."""
    x = x.item if isinstance(x, Maybe) else x
    if not is_cotangent(d):
        return UNKNOWN
    if isinstance(x, Scalar):
        return _number(d, x)
    if not isinstance(x, Array) or x.kind not in "fc":
        return UNKNOWN
    if x.scalar or x.ndim:
        return x
    return Array(x.kind, x.dtype, x.ndim, None)  # a sum over all axes is a number of NumPy's


def _number(d: Type, x: Scalar) -> Type:
    """The same for a number of Python's: of an array it is the sum."""
    if x.kind == "complex":
        return UNKNOWN if not isinstance(d, Scalar) else MIXED if x.mixed and d.kind == "complex" else d
    if isinstance(d, Scalar):
        return FLOAT if d.kind == "complex" else d
    if isinstance(d, Array) and d.scalar is False:
        return FLOAT
    known = isinstance(d, Array) and d.scalar is True and d.dtype == "float64"
    return NUMBER if known else Array("f", "", 0, True)


def of_second(given: Given) -> Type:
    """The cotangent of the second argument, from that of a result of it."""
    return brought_back(given.types[0], given.types[1])


def of_operands(needs: tuple[bool, ...]) -> Callable[[Given], Type]:
    """The cotangents of the operands that need one, which stand behind that of the result."""

    def typed(given: Given) -> Type:
        d, *operands = given.types
        bars = tuple([brought_back(d, x) for x, needed in zip(operands, needs, strict=False) if needed])
        return bars[0] if len(bars) == 1 else Tuple(bars)

    return typed


def of_store(given: Given) -> Type:
    """The cotangents of an array before a store, and of what was stored, from that of the array after it."""
    d, _, stored = given.types
    if not isinstance(d, Array) or not is_cotangent(d) or not d.ndim:
        return UNKNOWN
    return Tuple((Array(d.kind, d.dtype, d.ndim, False), brought_back(Array(d.kind, d.dtype, None, False), stored)))


def of_product(given: Given) -> Type:
    """The cotangent of a factor of a product of vectors and matrices, from the other factor and that of the result."""
    other, d = given.types
    known = isinstance(other, Array) and other.dtype == "float64" and other.ndim in (1, 2) and other.scalar is False
    rank = 0 if is_real(d) else d.ndim if isinstance(d, Array) and d.dtype == "float64" else None
    if not known or rank is None or other.ndim == 2 and not rank:  # type: ignore[attr-defined]
        return UNKNOWN
    return Array("f", "float64", rank + (other.ndim == 1), False)  # type: ignore[attr-defined]
