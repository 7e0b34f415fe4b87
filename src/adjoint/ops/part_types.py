"""Result types of functions of NumPy that take arrays apart, choose among their items, or give several."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ..ir.types import INT, NONE, UNKNOWN, Array, List, Tuple, Type
from .arithmetic import is_number, is_real, join_all
from .effects import UNSEEN
from .given import Given
from .numpy_types import family, items_of
from .place_types import PLACES
from .registry import gives
from .ufunc_types import by_item, keeping, rounding
from .words import array_of, kind_of, of_rank, of_usual, rank_of

SEVERAL = type(np.broadcast_arrays(1.0, 2.0))
"""The class in which NumPy gives several arrays: a list in older versions."""


def several(items: Sequence[Type]) -> Type:
    """Several arrays, as this version of NumPy gives them."""
    if not all([isinstance(t, Array) for t in items]):
        return UNKNOWN
    return Tuple(tuple(items)) if SEVERAL is tuple else List(join_all(items))


# ---- pairs of numbers


def pair(second: Callable[[Type], Type]) -> Callable[[Sequence[Type]], Type]:
    """Two numbers of what is rounded: `np.modf(x)`."""

    def typed(types: Sequence[Type]) -> Type:
        t = rounding(types[:1])
        return Tuple((t, second(t))) if isinstance(t, Array) else UNKNOWN

    return typed


def quotient(types: Sequence[Type]) -> Type:
    """`np.divmod(a, b)`."""
    t = keeping(types)
    return Tuple((t, t)) if isinstance(t, Array) else UNKNOWN


def exponent(t: Type) -> Type:
    return Array("i", "int32", t.ndim, t.scalar) if isinstance(t, Array) else UNKNOWN


gives(by_item(pair(lambda t: t)), np.modf)
gives(by_item(pair(exponent)), np.frexp)
gives(by_item(quotient), np.divmod)

# ---- parts of arrays, and arrays of one shape


def cut(given: Given) -> Type:
    """`np.split(a, parts, axis)`: a list."""
    t = given.types[0]
    return List(of_rank(t, t.ndim)) if isinstance(t, Array) and is_number(t) and t.ndim else UNKNOWN


def broadcast(given: Given) -> Type:
    """`np.broadcast_arrays(a, b)`: arrays in any case."""
    arrays = _arrays(given)
    ranks = [rank_of(t) for t in arrays]
    known = [ndim for ndim in ranks if ndim is not None]
    ndim = max(known) if known and len(known) == len(ranks) else None
    return several([of_rank(t, ndim, number=False) for t in arrays])


def mesh(given: Given) -> Type:
    """`np.meshgrid(x, y)`: as many axes as there are arrays."""
    return several([of_rank(t, len(given.by_place)) for t in _arrays(given)])


def _arrays(given: Given) -> list[Type]:
    """The arguments as arrays."""
    return [_array(t) for t in given.by_place]


def _array(t: Type) -> Type:
    if is_real(t):
        return Array("f", "float64", 0, False) if t.kind == "float" else Array("i", "", 0, False)  # type: ignore[attr-defined]
    found = array_of(t)
    return found if found is not None and is_number(found) else UNKNOWN


def slopes(given: Given) -> Type:
    """`np.gradient(f, *spacing, axis)`: an array, or one for each axis."""
    f, axis = array_of(given.types[0]), given.value("axis")
    if f is None or not f.ndim or f.kind not in "iufc":
        return UNKNOWN
    t = Array(*(("f", "float64") if f.kind in "iu" else (f.kind, f.dtype)), f.ndim, False)
    if type(axis) is int or axis is UNSEEN and given.type("axis") == INT:
        return t
    if axis is UNSEEN:
        return UNKNOWN
    n = f.ndim if axis is None else len(axis) if isinstance(axis, tuple) else 0
    return t if n == 1 else several((t,) * n) if n else UNKNOWN


def counted_in_bins(given: Given) -> Type:
    """`np.histogram(a, bins, range, density, weights)`: counts and edges."""
    a, bins, weights = given.type("a"), given.type("bins") or INT, given.type("weights") or NONE
    density = given.value("density")
    if not isinstance(a, Array) or a.kind not in "iuf" or density not in (None, False, True) or given.says("normed"):
        return UNKNOWN
    if weights != NONE and not (isinstance(weights, Array) and weights.kind == "f"):
        return UNKNOWN
    edges = _edges(a, bins, given)
    plain = PLACES if weights == NONE else of_rank(weights, 1)
    t = plain if not density else Array("f", "", 1, False)
    return Tuple((t, edges)) if isinstance(edges, Array) else UNKNOWN


def _edges(a: Array, bins: Type, given: Given) -> Type:
    if bins == INT:
        return Array("f", "float64" if a.dtype in ("float64", "int64") and not given.says("range") else "", 1, False)
    edges = array_of(bins)
    return of_rank(edges, 1) if edges is not None and edges.ndim == 1 and edges.kind in "if" else UNKNOWN


family(cut, "split array_split hsplit vsplit dsplit")
gives(broadcast, np.broadcast_arrays)
gives(mesh, np.meshgrid)
gives(slopes, np.gradient)
gives(counted_in_bins, np.histogram)

# ---- items that are chosen


def inserted(given: Given) -> Type:
    """`np.insert(a, at, values, axis)`: without an axis all items are in a row."""
    t, axis = given.type("arr"), given.value("axis")
    if not isinstance(t, Array) or not is_number(t) or not t.ndim:
        return UNKNOWN
    return of_rank(t, 1 if axis is None else t.ndim if type(axis) is int or given.type("axis") == INT else None)


def extracted(given: Given) -> Type:
    """`np.extract(condition, a)`."""
    return of_rank(items_of([given.type("arr") or UNKNOWN]), 1)


@of_usual
def compressed(given: Given) -> Type:
    """`np.compress(condition, a, axis)`; of the method the array stands first."""
    t = given.types[1 if given.function is np.compress else 0]
    if given.names or not isinstance(t, Array) or not t.ndim:
        return UNKNOWN
    return of_rank(t, 1 if len(given.types) == 2 else None)


@of_usual
def chosen_by_number(given: Given) -> Type:
    """`np.choose(a, choices)`."""
    choices = given.type("choices")
    t = items_of([choices]) if isinstance(choices, (List, Tuple)) else UNKNOWN
    return of_rank(t, None)


def selected(given: Given) -> Type:
    """`np.select(conditions, choices, default)`."""
    conditions, choices, default = given.type("condlist"), given.type("choicelist"), given.type("default") or INT
    if not isinstance(choices, (List, Tuple)) or not is_number(default) or not conditions:
        return UNKNOWN
    ranks = [rank_of(t) for t in (*_items(conditions), *_items(choices), default)]
    known = [ndim for ndim in ranks if ndim is not None]
    return of_rank(items_of([choices, default]), max(known) if len(known) == len(ranks) else None, number=None)


def _items(t: Type) -> Sequence[Type]:
    return t.items if isinstance(t, Tuple) else (t.item,) if isinstance(t, List) else (UNKNOWN,)


def trimmed(given: Given) -> Type:
    """`np.trim_zeros(a)` of an array."""
    t = given.types[0]
    return of_rank(t, t.ndim) if isinstance(t, Array) and is_number(t) and t.ndim else UNKNOWN


def reals(given: Given) -> Type:
    """`np.real_if_close(a)` of real numbers: an array in any case."""
    t = given.types[0]
    return of_rank(t, t.ndim, number=False) if isinstance(t, Array) and t.kind in "iuf" else UNKNOWN


def distinct(given: Given) -> Type:
    """`np.unique(a, return_index, return_inverse, return_counts)`."""
    t, asked = items_of(given.types[:1]), [given.value(name, False) for name in _ASKED]
    if not isinstance(t, Array) or not all([type(x) is bool for x in asked]):
        return UNKNOWN
    rank = 1 if given.value("axis") is None else rank_of(given.types[0])
    t = of_rank(t, rank or None)
    more = [PLACES if name != "return_inverse" else Array("i", "", None, None) for name in _ASKED]
    said = [x for x, wanted in zip(more, asked, strict=True) if wanted]
    return Tuple((t, *said)) if said else t


_ASKED = ("return_index", "return_inverse", "return_counts")


def of_both(given: Given) -> Type:
    """`np.union1d(a, b)`."""
    return of_rank(items_of(given.types), 1) if len(given.types) == 2 and not given.names else UNKNOWN


def of_one(given: Given) -> Type:
    """`np.setdiff1d(a, b)`."""
    return of_rank(items_of(given.types[:1]), 1) if kind_of(given.types[0]) != "b" and not given.names else UNKNOWN


gives(inserted, np.insert)
gives(extracted, np.extract)
gives(compressed, np.compress)
gives(chosen_by_number, np.choose)
gives(selected, np.select)
gives(trimmed, np.trim_zeros)
gives(reals, np.real_if_close)
gives(distinct, np.unique)
family(of_both, "union1d intersect1d setxor1d")
family(of_one, "setdiff1d")
