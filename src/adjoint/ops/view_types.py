"""Result types of functions of NumPy that show the same items in another form: how many axes that has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from ..ir.types import INT, Array, List, Tuple, Type
from .arithmetic import is_rank0
from .effects import UNSEEN
from .given import Given
from .numpy_types import SHAPED, family, one_or_more
from .registry import gives
from .words import rank_of

Ranked: TypeAlias = "Callable[[Given, int], int | None]"
"""The rank of a result, by the call and the rank of its first argument."""


def ranked(rank: Ranked, otherwise: Callable[[Given], Type] = SHAPED) -> Callable[[Given], Type]:
    """The items of the first argument in another form, of a rank that the call says."""

    def typed(given: Given) -> Type:
        t, ndim = otherwise(given), rank_of(given.types[0])
        if not isinstance(t, Array) or ndim is None:
            return t
        found = rank(given, ndim)
        return t if found is None or found < 1 else Array(t.kind, t.dtype, found, False)

    return typed


def _count(given: Given, name: str, default: Any = UNSEEN) -> int | None:
    """The number of axes, or sizes, that a parameter names: a number, or a tuple of such; None if that is not known."""
    value, t = given.value(name, default), given.type(name)
    if isinstance(value, int) or t == INT:
        return 1
    if isinstance(value, tuple):
        return len(value)
    return len(t.items) if isinstance(t, Tuple) else None


def _same(given: Given, ndim: int) -> int:
    return ndim


def _less(given: Given, ndim: int) -> int | None:
    n = _count(given, "axis")
    return None if n is None else ndim - n


def squeezed(given: Given) -> Type:
    """`np.squeeze(a, axis)`: without an axis it goes by the sizes; of what has no axes it is the same."""
    t = given.types[0]
    return t if isinstance(t, Array) and t.ndim == 0 and len(given.types) == 1 else ranked(_less)(given)


def _more(given: Given, ndim: int) -> int | None:
    n = _count(given, "axis")
    return None if n is None else ndim + n


def _of_shape(given: Given, ndim: int) -> int | None:
    return _count(given, "shape")


def _in_windows(given: Given, ndim: int) -> int | None:
    n = _count(given, "window_shape")
    return None if n is None else ndim + n


def _tiled(given: Given, ndim: int) -> int | None:
    n = _count(given, "reps")
    return None if n is None else max(ndim, n)


def _repeated(given: Given, ndim: int) -> int | None:
    axis = given.value("axis", None)
    return 1 if axis is None else None if axis is UNSEEN else ndim


def diagonal(given: Given) -> Type:
    """`np.diag` of a matrix, or of a vector or a list of numbers, which makes one."""
    t, of = SHAPED(given), given.types[0]
    items = of.items if isinstance(of, Tuple) else (of.item,) if isinstance(of, List) else ()
    rank = 1 if items and all(map(is_rank0, items)) else rank_of(of)
    return Array(t.kind, t.dtype, 3 - rank, False) if isinstance(t, Array) and rank in (1, 2) else t


def at_least(least: int) -> Callable[[Given], Type]:
    """`np.atleast_1d(x)` and its kind."""
    return ranked(lambda given, ndim: max(ndim, least), one_or_more)


family(ranked(_same), "moveaxis rollaxis rot90 matrix_transpose ascontiguousarray asfortranarray")
family(ranked(_same), "matrix_transpose", np.linalg)
family(squeezed, "squeeze")
family(ranked(_more), "expand_dims")
family(diagonal, "diag")
family(ranked(lambda given, ndim: 2), "diagflat")
family(ranked(_same), "pad")
family(ranked(_tiled), "tile")
family(ranked(_repeated), "repeat")
family(ranked(lambda given, ndim: ndim - 1), "diagonal")
family(ranked(lambda given, ndim: ndim - 1), "diagonal", np.linalg)
family(ranked(_of_shape), "broadcast_to")
gives(ranked(_in_windows), sliding_window_view)
for _n, _name in enumerate(("atleast_1d", "atleast_2d", "atleast_3d"), 1):
    family(at_least(_n), _name)
