"""The types of what functions of NumPy give, from the types of their arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..ir.nodes import Atom, Const
from ..ir.types import FLOAT, UNKNOWN, Array, Inert, List, Scalar, Tuple, Type
from .infer import elementwise, is_number, is_real
from .words import arrays_in, kind_of, word


def _chosen(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    """`np.where(c, x, y)`: the condition says nothing of what is chosen."""
    t = elementwise(types[1:]) if len(types) == 3 else UNKNOWN
    if isinstance(t, Scalar):
        return Array("f", "float64", None, False) if t == FLOAT else UNKNOWN
    ranks = [x.ndim if isinstance(x, Array) else 0 if isinstance(x, Scalar) else None for x in types]
    ndim = None if None in ranks else max(rank for rank in ranks if rank is not None)
    return Array(t.kind, t.dtype, ndim, False) if isinstance(t, Array) else UNKNOWN


def _joined(more: int) -> Callable[[Sequence[Type], Sequence[Atom]], Type]:
    """`np.concatenate` and `np.stack` along the first axis."""

    def joined(types: Sequence[Type], args: Sequence[Atom]) -> Type:
        arrays = arrays_in(types[:1])
        along = args[1].value if len(args) > 1 and isinstance(args[1], Const) else 0 if len(args) == 1 else None
        if len(args) > 2 or along is None:  # into an array that is given, or flattened
            return UNKNOWN
        if not arrays or len({t.ndim for t in arrays}) != 1 or arrays[0].ndim is None:
            return word("array", types, ())
        t = word("array", types, ())
        return Array(t.kind, t.dtype, arrays[0].ndim + more, False) if isinstance(t, Array) else UNKNOWN

    return joined


def _filled(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    """`np.zeros(shape)` and its kind, without a dtype."""
    if len(types) != 1:
        return UNKNOWN
    shape = types[0]
    ndim = 1 if isinstance(shape, Scalar) else len(shape.items) if isinstance(shape, Tuple) else None
    return Array("f", "float64", ndim, False)


def _made(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    """`np.array(x)` of an array, or of numbers in lists."""
    if len(types) != 1:
        return UNKNOWN
    t, ndim = types[0], 0
    if isinstance(t, Array) and not t.scalar:
        return t
    while isinstance(t, List):
        t, ndim = t.item, ndim + 1
    if ndim and isinstance(t, Array) and t.dtype and t.kind in "fc" and (t.scalar or t.ndim and t.scalar is False):
        return Array(t.kind, t.dtype, ndim + (0 if t.scalar else t.ndim or 0), False)
    if not ndim or not isinstance(t, Scalar) or t.kind not in ("int", "float"):
        return UNKNOWN
    return Array("f", "float64", ndim, False) if t.kind == "float" else Array("i", "", ndim, False)


def _ranged(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    """`np.arange` and `np.linspace` of numbers."""
    if not all(isinstance(t, Scalar) and t.kind in ("int", "float") for t in types):
        return UNKNOWN
    return Array("f", "", 1, False) if any(t == FLOAT for t in types) else Array("i", "", 1, False)


def _spaced(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    """`np.linspace(start, stop, num, endpoint)` of numbers; what may follow are `retstep` and the dtype."""
    return Array("f", "float64", 1, False) if len(types) <= 4 and all(map(is_real, types[:2])) else UNKNOWN


def _alike(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    """`np.zeros_like(x)` and its kind, `x.copy()`."""
    return types[0] if len(types) == 1 and isinstance(types[0], Array) and not types[0].scalar else UNKNOWN


def _clipped(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    """`np.clip(x, low, high)` of floats; bounds are numbers of Python, or None."""
    x, *bounds = types
    if len(bounds) != 2 or not all(is_real(t) or t == Inert(type(None)) for t in bounds):
        return UNKNOWN
    if x == FLOAT:
        return Array("f", "float64", 0, True)
    return elementwise((x,)) if isinstance(x, Array) and x.kind == "f" else UNKNOWN


def _length(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    """`np.linalg.norm(x)`, `np.linalg.norm(x, ord)`: one number."""
    x = types[0]
    if not isinstance(x, Array) or not is_number(x) or len(types) > 2:
        return UNKNOWN
    return Array("f", x.dtype if x.kind == "f" else "float64" if x.kind in "iu" else "", 0, True)


def _determined(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    """`np.linalg.det` and `np.trace` of one matrix."""
    a = types[0]
    return Array("f", a.dtype, 0, True) if isinstance(a, Array) and a.kind == "f" and a.ndim == 2 else UNKNOWN


def _interpolated(types: Sequence[Type], args: Sequence[Atom]) -> Type:
    """`np.interp(x, xp, fp)` of real values."""
    if len(types) < 3 or kind_of(types[2]) not in "iuf":
        return UNKNOWN
    if is_real(types[0]):
        return Array("f", "float64", 0, True)
    known = isinstance(types[0], Array) and types[0].ndim is not None
    return Array("f", "float64", types[0].ndim, types[0].ndim == 0) if known else UNKNOWN  # type: ignore[attr-defined]


OF_NUMPY: dict[Any, Callable[[Sequence[Type], Sequence[Atom]], Type]] = {
    **dict.fromkeys((np.zeros, np.ones, np.empty), _filled),
    **dict.fromkeys((np.array, np.asarray), _made),
    np.where: _chosen,
    np.concatenate: _joined(0),
    np.stack: _joined(1),
    np.arange: _ranged,
    **dict.fromkeys((np.zeros_like, np.ones_like, np.empty_like, np.copy, np.ndarray.copy), _alike),
    np.full: lambda t, a: _filled(t[:1], a) if len(t) == 2 and t[1] == FLOAT else UNKNOWN,
    np.eye: lambda t, a: Array("f", "float64", 2, False) if len(t) <= 3 else UNKNOWN,  # the next one is the dtype
    np.linspace: _spaced,
    **dict.fromkeys((np.clip, np.ndarray.clip, np.generic.clip), _clipped),
    np.linalg.norm: _length,
    np.linalg.det: _determined,
    **dict.fromkeys((np.trace, np.ndarray.trace), lambda t, a: _determined(t, a) if len(t) == 1 else UNKNOWN),
    np.interp: _interpolated,
}
"""By the function, called without keywords."""
