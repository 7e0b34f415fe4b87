"""Result types that many functions have in common; rules say them in words: `returns="reduction"`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..ir.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    MIXED,
    UNKNOWN,
    Array,
    Inert,
    Known,
    List,
    Scalar,
    Tuple,
    Type,
)
from .arithmetic import STR, as_real, element_of, is_number, promoted
from .effects import UNSEEN
from .given import Given, Result

TELLING = ("dtype", "out", "retstep", "signature")
"""Parameters that say of what kind a result is."""
NUMBER = Array("f", "float64", 0, True)
"""The type of a float64 of NumPy's."""


def of_numbers(result: Callable[[Given], Type]) -> Callable[[Given], Type]:
    """A result type for calls with arrays of numbers only: of text, times and objects nothing is known."""

    def typed(given: Given) -> Type:
        known = not any([isinstance(t, Array) and not is_number(t) for t in given.by_place])
        return result(given) if known else UNKNOWN

    return typed


def of_usual(result: Callable[[Given], Type]) -> Callable[[Given], Type]:
    """The same, where no option says of what kind it is."""
    return of_numbers(lambda given: UNKNOWN if given.says(*TELLING) else result(given))


def like(given: Given) -> Type:
    """The type of the first argument."""
    types = given.by_place
    return of_any_class(types[0]) if types else UNKNOWN


def of_any_class(t: Type) -> Type:
    """The type of a result as wide as its argument: of a complex number it may be a real one, as that of `np.real`."""
    return MIXED if t == COMPLEX else t


@of_numbers
def elementwise_real(given: Given) -> Type:
    """The type of functions of numbers, and of arrays item by item."""
    types = given.by_place
    t = of_any_class(as_real(types))
    beside = any([isinstance(x, Scalar) for x in types])  # some functions of SciPy compute these in double, and
    if isinstance(t, Array) and (t.dtype == "float16" or beside and t.dtype == "float32"):  # half in single
        return Array(t.kind, "", t.ndim, t.scalar)
    return t


@of_usual
def array(given: Given) -> Type:
    """An array, of the widest kind that is given; its rank is not known."""
    types = given.by_place
    arrays = arrays_in(types)
    if not arrays:
        return UNKNOWN
    kind = promoted({kind_of(t) for t in types})
    if kind == "?":
        return UNKNOWN
    one = len({t.dtype for t in arrays}) == 1 and arrays[0].kind == kind
    if arrays[0].dtype not in ("float64", "complex128", "int64"):
        one &= all([isinstance(t, (Array, Inert, Known)) for t in types])  # numbers beside may widen it
    return Array(kind, arrays[0].dtype if one else "", None, None)


def rank_of(t: Type) -> int | None:
    """The number of axes of a number or an array, if that is known."""
    return t.ndim if isinstance(t, Array) else 0 if isinstance(t, Scalar) else None


def of_rank(t: Type, ndim: int | None, number: bool | None = True) -> Type:
    """An array of these items with so many axes. Without axes it is a number; it may be if `number` is None."""
    if not isinstance(t, Array):
        return UNKNOWN
    return Array(t.kind, t.dtype, ndim, None if ndim is None else number if ndim == 0 else False)


def nested_rank(t: Type | None) -> int | None:
    """The number of axes of an array of this, as of numbers in lists: none known for what may hold sequences."""
    if isinstance(t, Array):
        return t.ndim
    depth = 0
    while isinstance(t, (List, Tuple)):
        t, depth = element_of(t), depth + 1
    if isinstance(t, Array) and is_number(t) and t.scalar is not None:
        return None if t.ndim is None else depth + t.ndim
    return depth if isinstance(t, Scalar) else None


_OF_LISTS = {"float": ("f", "float64"), "int": ("i", ""), "bool": ("b", "bool")}
"""The kinds and dtypes of arrays that are made of numbers in lists."""


def as_array(t: Type | None) -> Type:
    """The type of the array that NumPy makes of numbers in lists or tuples, or of arrays in these."""
    ndim = 0
    while isinstance(t, (List, Tuple)):
        t, ndim = element_of(t), ndim + 1
    if ndim and isinstance(t, Array) and t.dtype and t.kind in "fc" and (t.scalar or t.ndim and t.scalar is False):
        return Array(t.kind, t.dtype, ndim + (0 if t.scalar else t.ndim or 0), False)
    return Array(*_OF_LISTS[t.kind], ndim, False) if isinstance(t, Scalar) and t.kind in _OF_LISTS else UNKNOWN


@of_usual
def reduction(given: Given) -> Type:
    """One number of the items along axes, as `np.sum`; of flags a sum is an integer, and a maximum is not."""
    t = given.by_place[0]
    if not isinstance(t, Array):
        t = array(Given((t,), (UNSEEN,)))
    return _along(t, given) if isinstance(t, Array) and t.kind != "b" else UNKNOWN


@of_usual
def mean(given: Given) -> Type:
    """The same as a float."""
    types = given.by_place
    t = types[0] if types else UNKNOWN
    if not isinstance(t, Array):
        return UNKNOWN
    return _along(Array("f", "float64", t.ndim, t.scalar) if t.kind in "biu" else t, given)


@of_usual
def deviation(given: Given) -> Type:
    """The same, which is real."""
    types = given.by_place
    return UNKNOWN if types and isinstance(types[0], Array) and types[0].kind == "c" else mean(given)


def _along(t: Array, given: Given) -> Type:
    whole = len(given.by_place) == 1 and not {"axis", "keepdims"} & {*given.names}
    dtype = "" if t.kind in "iu" and t.dtype not in ("int64", "uint64") else t.dtype  # sums are of wider ones
    return Array(t.kind, dtype, 0, True) if whole else Array(t.kind, dtype, None, None)


def with_axes(result: Callable[[Given], Type]) -> Callable[[Given], Type]:
    """The type of a reduction of NumPy's: its rank is known where the axes are."""

    def typed(given: Given) -> Type:
        t, x = result(given), given.by_place[0] if given.by_place else UNKNOWN
        ndim = rank_left(x.ndim, given) if isinstance(x, Array) and x.ndim is not None else None
        if not isinstance(t, Array) or ndim is None:
            return t
        return Array(t.kind, t.dtype, ndim, None if given.value("keepdims", False) and not ndim else ndim == 0)

    return typed


def rank_left(rank: int, given: Given) -> int | None:
    """The number of axes that a reduction leaves of so many; None if that is not known."""
    axis, keep = given.value("axis"), given.value("keepdims", False)
    if not isinstance(keep, bool):
        return None
    if axis is UNSEEN:
        if given.type("axis") != INT:
            return None
        axis = 0  # any one of them
    axes = axis if isinstance(axis, tuple) else range(rank) if axis is None else (axis,)
    if not all([type(i) is int and -rank <= i < rank for i in axes]):
        return None
    return rank if keep else rank - len({i % rank for i in axes})


# ---- kinds of numbers


def kind_of(t: Type) -> str:
    """Of which kind the numbers in an argument of NumPy's are; "?" if that is not known, "b" for what has none."""
    if isinstance(t, Array):
        return t.kind
    if isinstance(t, Scalar):
        return {"float": "f", "complex": "c", "int": "i"}.get(t.kind, "b")
    if isinstance(t, List):
        return kind_of(t.item)
    if isinstance(t, Tuple):
        return promoted({kind_of(item) for item in t.items})
    if isinstance(t, Known) and isinstance(t.value, (np.ndarray, np.generic)):
        return t.value.dtype.kind
    return "b" if isinstance(t, (Inert, Known)) else "?"


def arrays_in(types: Sequence[Type]) -> list[Array]:
    """The arrays among the arguments, and in tuples and lists of them, where lists of numbers count as arrays; none if
    something in there is not known."""
    found: list[Array] = []
    for t in types:
        if isinstance(t, Array):
            found.append(t)
        elif isinstance(t, Tuple) or isinstance(t, List) and not isinstance(t.item, Scalar):
            inner = [array_of(item) for item in (t.items if isinstance(t, Tuple) else (t.item,))]
            found += [item for item in inner if item is not None] if None not in inner else []
    return found


def array_of(t: Type) -> Array | None:
    """A value that NumPy takes as an array, as one."""
    if isinstance(t, Array):
        return t
    ndim = 0
    while isinstance(t, List):
        t, ndim = t.item, ndim + 1
    if isinstance(t, Scalar) and t.kind in ("float", "int"):
        return Array("f", "float64", ndim, False) if t.kind == "float" else Array("i", "int64", ndim, False)
    return None


WORDS: dict[str, Result] = {
    **{"float": FLOAT, "int": INT, "bool": BOOL, "complex": COMPLEX, "str": STR},
    **{"like": like, "elementwise": elementwise_real, "array": array, "reduction": reduction},
}
"""The words that `returns` may say of a rule."""
