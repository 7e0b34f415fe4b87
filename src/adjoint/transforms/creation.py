"""The types of what keywords tell: arrays made with a `dtype`, dicts."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..identity import is_hashable
from ..ir.nodes import Atom, Const, Star
from ..ir.types import Array, Dict, Known, List, Scalar, Tuple, Type, join
from .infer import type_of

_PLACES: dict[Any, int] = {
    **dict.fromkeys((np.zeros, np.ones, np.empty, np.array, np.asarray, np.ndarray.astype), 1),
    **dict.fromkeys((np.zeros_like, np.ones_like, np.empty_like), 1),
    np.full: 2,
}
"""Where the `dtype` stands among the arguments."""
_OF_SHAPE = (np.zeros, np.ones, np.empty, np.full)


def created(fn: Any, args: Sequence[Atom | Star], kwargs: Sequence[tuple[str | None, Atom]]) -> Type | None:
    """The type of an array that `fn` makes with a known numeric `dtype`, or of a dict made of keywords; None if
    that is not what it does.

    >>> import numpy as np
    >>> created(np.zeros, [Const(3)], [("dtype", Const(np.float32))])
    Array(kind='f', dtype='float32', ndim=1, scalar=False)
    """
    if fn is dict and not args and kwargs and all([name is not None for name, _ in kwargs]):
        return Dict(functools.reduce(join, [type_of(v) for _, v in kwargs]))
    place = _PLACES.get(fn) if is_hashable(fn) else None
    if place is None or any(isinstance(a, Star) for a in args) or any(name != "dtype" for name, _ in kwargs):
        return None
    atoms: list[Any] = [*args[place : place + 1], *(v for _, v in kwargs)]
    dtype = _dtype_of(atoms[0]) if len(atoms) == 1 else None
    if dtype is None or dtype.kind not in "fciub":
        return None
    source = type_of(args[0])  # type: ignore[arg-type]
    ndim = _rank_of_shape(source) if fn in _OF_SHAPE else _rank_of(source)
    return Array(dtype.kind, dtype.name if dtype.isnative else "", ndim, False) if ndim else None


def _dtype_of(a: Atom) -> np.dtype[Any] | None:
    t = type_of(a)
    value = a.value if isinstance(a, Const) else t.value if isinstance(t, Known) else None
    try:
        return None if value is None else np.dtype(value)
    except TypeError:
        return None


def _rank_of_shape(t: Type) -> int | None:
    return 1 if t == Scalar("int") else len(t.items) if isinstance(t, Tuple) else None


def _rank_of(t: Type) -> int | None:
    """How many axes an array of this has: none known for what may hold sequences."""
    if isinstance(t, Array):
        return t.ndim
    depth = 0
    while isinstance(t, List):
        t, depth = t.item, depth + 1
    return depth if isinstance(t, Scalar) else None
