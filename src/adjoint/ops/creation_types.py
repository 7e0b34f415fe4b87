"""Result types of functions of NumPy that make arrays, of a dtype that they may be told."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ..ir.types import COMPLEX, FLOAT, INT, UNKNOWN, Array, Known, Scalar, Tuple, Type
from .arithmetic import is_number, promoted
from .effects import UNSEEN
from .given import Given
from .numpy import VIEW, of
from .registry import each, gives
from .words import array, as_array, kind_of, nested_rank, rank_of

# ---- arrays that are made


def filled(given: Given) -> Type:
    """`np.zeros(shape, dtype)` and its kind."""
    dtype = dtype_told(given) if given.only("shape", "dtype") else None
    ndim = _rank_of_shape(given.type("shape"))
    return Array("f", "float64", ndim, False) if dtype == "" else _of_dtype(dtype, ndim)


def filled_with(given: Given) -> Type:
    """`np.full(shape, value, dtype)`."""
    dtype = dtype_told(given) if given.only("shape", "fill_value", "dtype") else None
    ndim = _rank_of_shape(given.type("shape"))
    if dtype != "":
        return _of_dtype(dtype, ndim)
    t = given.type("fill_value")
    if isinstance(t, Array) and is_number(t):
        return Array(t.kind, t.dtype, ndim, False)
    return Array("f", "float64", ndim, False) if t == FLOAT else UNKNOWN


def made(given: Given) -> Type:
    """`np.array(x, dtype)` of an array, or of numbers in lists."""
    dtype = dtype_told(given) if given.only("object", "a", "dtype", *_SAME) else None
    t = given.type("object") or given.type("a")
    if dtype is None:
        return array(given)
    if dtype != "" and isinstance(t, (Array, Scalar)) and rank_of(t) == 0 and is_number(t):
        whole = _of_dtype(dtype, 1)
        return replace(whole, ndim=0) if isinstance(whole, Array) else UNKNOWN
    if dtype != "":
        return _of_dtype(dtype, nested_rank(t))
    if isinstance(t, Array):
        return _of_arrays(t)
    return as_array(t)


_SAME = ("copy", "order", "subok")
"""Options of `np.array` and `np.copy` that leave the type as it is."""


def alike(given: Given) -> Type:
    """`np.zeros_like(x, dtype)` and its kind: of a number an array without axes."""
    dtype = dtype_told(given) if given.only("a", "fill_value", "dtype") else None
    t = given.type("a")
    if dtype == "":
        return Array("f", "float64", 0, False) if t == FLOAT else _of_arrays(t)
    if t is None or not is_number(t):
        return _of_dtype(dtype, nested_rank(t))
    whole = _of_dtype(dtype, 1)
    return replace(whole, ndim=rank_of(t)) if isinstance(whole, Array) else UNKNOWN


def _of_arrays(t: Type | None) -> Type:
    """An array like another, or one without axes like a NumPy scalar."""
    if not isinstance(t, Array):
        return UNKNOWN
    return replace(t, ndim=0 if t.scalar else t.ndim, scalar=False)


def required(given: Given) -> Type:
    """`np.require(a, dtype, requirements)`."""
    dtype = dtype_told(given) if given.only("a", "dtype", "requirements") else None
    t = given.type("a")
    if dtype == "":
        return _of_arrays(t) if isinstance(t, Array) else UNKNOWN
    whole = _of_dtype(dtype, 1)
    known = isinstance(whole, Array) and t is not None and is_number(t)
    return replace(whole, ndim=rank_of(t), scalar=False) if known else UNKNOWN  # type: ignore[arg-type, type-var]


def in_common(given: Given) -> Type:
    """`np.common_type(a, b)` of arrays whose dtypes are known: of whole numbers it is that of floats."""
    found = [t for t in given.by_place if isinstance(t, Array) and (t.kind == "i" or t.kind in "fc" and t.dtype)]
    if given.names or not found or len(found) < len(given.by_place):
        return UNKNOWN
    return Known(np.common_type(*[np.empty(0, t.dtype or int) for t in found]))


def copied(given: Given) -> Type:
    """`np.copy(x)`, `x.copy()`."""
    t = given.types[0]
    if len(given.types) == 1 or given.only("a", *_SAME) and given.type("a") is t:
        return t if isinstance(t, Array) and not t.scalar else UNKNOWN
    return array(given)


def converted(given: Given) -> Type:
    """`x.astype(dtype)`: of a number of NumPy's it is one again."""
    if not given.only("self", "x", "dtype"):
        return UNKNOWN
    dtype, t = dtype_told(given), given.types[0]
    if isinstance(t, Array) and not t.ndim and isinstance(dtype, np.dtype):
        whole = _of_dtype(dtype, 1)
        return Array(whole.kind, whole.dtype, t.ndim, t.scalar) if isinstance(whole, Array) else UNKNOWN
    return _of_dtype(dtype, nested_rank(t))


def dtype_told(given: Given) -> Any:
    """The dtype that a call is told; "" if it is told none, None if that is not known."""
    value = given.value("dtype")
    if value is None and given.at("dtype") is None:
        return ""
    if value is None or value is UNSEEN:
        return None
    try:
        return np.dtype(value)
    except (TypeError, ValueError):
        return None


def _of_dtype(dtype: Any, ndim: int | None) -> Type:
    """An array of a numeric dtype; of one without axes it may be a number."""
    if not isinstance(dtype, np.dtype) or dtype.kind not in "fciub" or not ndim:
        return UNKNOWN
    return Array(dtype.kind, dtype.name if dtype.isnative else "", ndim, False)


def _rank_of_shape(t: Type | None) -> int | None:
    return 1 if isinstance(t, Scalar) else len(t.items) if isinstance(t, Tuple) else None


def ranged(given: Given) -> Type:
    """`np.arange` of numbers."""
    kind = promoted({kind_of(t) for t in given.types}) if given.only("start", "stop", "step") else "?"
    if given.types == (INT,):
        return Array("i", _WHOLE, 1, False)
    double = kind == "f" and all([t in (FLOAT, INT) for t in given.types])
    return Array(kind, "float64" if double else "", 1, False) if kind in "iuf" else UNKNOWN


_WHOLE = np.arange(1).dtype.name
"""The dtype of the numbers up to one: of larger ones no memory would hold all."""


def unit(given: Given) -> Type:
    """`np.eye(n, m, k)`."""
    return Array("f", "float64", 2, False) if given.only("N", "M", "k", "n") else UNKNOWN


def numbered(given: Given) -> Type:
    """`np.float64(x)` and its kind: of an array an array of this dtype."""
    cls: Any = given.function
    kind, name = np.dtype(cls).kind, np.dtype(cls).name
    t = given.types[0] if len(given.types) == 1 else UNKNOWN
    if not is_number(t) or t == COMPLEX or isinstance(t, Array) and t.kind == "c" != kind:
        return UNKNOWN
    ndim = rank_of(t)
    return Array(kind, name, ndim, None if ndim is None else ndim == 0)


_SCALARS = (np.float64, np.float32, np.float16, np.complex128, np.complex64)
_WHOLE_NUMBERS = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64, np.bool_)

each(VIEW, *_SCALARS, *_WHOLE_NUMBERS)  # of an array they give it, or a view of it
gives(numbered, *_SCALARS, *_WHOLE_NUMBERS)
gives(filled, np.zeros, np.empty, parameters="shape dtype order")
gives(filled, np.ones)
gives(filled_with, np.full)
gives(made, np.array, parameters="object dtype")
gives(made, np.asarray, np.asanyarray, parameters="a dtype order")
gives(alike, np.zeros_like, np.ones_like, np.full_like)
gives(alike, np.empty_like, parameters="a dtype order subok shape")
gives(copied, np.copy)
gives(required, np.require)
each((), np.common_type)
gives(in_common, np.common_type)
gives(converted, np.ndarray.astype, *of(np, "astype"))
gives(ranged, np.arange, parameters="start stop step dtype")
gives(unit, np.eye, np.identity)
