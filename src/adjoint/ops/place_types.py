"""Result types of functions of NumPy that give flags, integers and places of items."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ..ir.types import BOOL, INT, NONE, UNKNOWN, Array, Inert, List, Scalar, Tuple, Type
from .arithmetic import elementwise
from .given import Given
from .numpy_types import chosen, family
from .other_types import along, tested
from .registry import gives
from .ufunc_types import WHOLE, declare, keeping, rounding
from .words import kind_of, nested_rank, of_rank, of_usual, rank_of

PLACE = np.dtype(np.intp).name
"""The dtype of places and counts."""
PLACES = Array("i", PLACE, 1, False)


def places(ndim: int | None) -> Type:
    """Places, or counts, with so many axes; without axes it is a number of NumPy's."""
    return of_rank(PLACES, ndim)


# ---- flags


def compared(given: Given) -> Type:
    """`np.isclose(a, b, rtol, atol)`."""
    t = tested([t for name in ("a", "b", "rtol", "atol") if (t := given.type(name)) is not None])
    return Array("b", "bool", None, None) if t == UNKNOWN else t


def contained(given: Given) -> Type:
    """`np.isin(element, test_elements)`: an array in any case."""
    t = given.type("element")
    return Array("b", "bool", nested_rank(t), False)


def real_numbers(types: Sequence[Type]) -> Type:
    """`np.isreal(x)`: of a number of Python's a flag of Python's."""
    return BOOL if isinstance(types[0], Scalar) else tested(types[:1])


gives(compared, np.isclose)
gives(contained, np.isin)
declare(real_numbers, "isreal")
declare(lambda types: tested(types[:1]), "iscomplex isneginf isposinf")
family(BOOL, "can_cast issubdtype may_share_memory shares_memory")

# ---- integers


def bits(types: Sequence[Type]) -> Type:
    """`np.bitwise_and(a, b)`: of flags flags."""
    if all([t == BOOL for t in types]):
        return Array("b", "bool", 0, True)
    t = elementwise(types)
    return WHOLE if t == INT else t if isinstance(t, Array) and t.kind in "biu" else UNKNOWN


def bits_set(types: Sequence[Type]) -> Type:
    """`np.bitwise_count(x)`."""
    t = bits(types)
    return Array("u", "uint8", t.ndim, t.scalar) if isinstance(t, Array) and t.kind != "b" else UNKNOWN


def whole(types: Sequence[Type]) -> Type:
    """`np.gcd(a, b)` and `np.left_shift(a, n)`: of flags alone they are narrow integers, if any."""
    t = keeping(types)
    return t if isinstance(t, Array) and t.kind in "iu" else UNKNOWN


declare(bits, "bitwise_and bitwise_or bitwise_xor invert")
declare(bits_set, "bitwise_count")
declare(whole, "gcd lcm left_shift right_shift")
declare(rounding, "spacing")

# ---- places


def found(given: Given) -> Type:
    """`np.nonzero(a)`: an array of places for each axis."""
    ndim = nested_rank(given.types[0])
    return Tuple((PLACES,) * ndim) if ndim else UNKNOWN


def chosen_or_found(given: Given) -> Type:
    """`np.where(c, x, y)`, and `np.where(c)`."""
    return found(given) if len(given.types) == 1 else chosen(given)


def sought(name: str) -> Callable[[Given], Type]:
    """`np.digitize(x, bins)`, `np.searchsorted(a, v)`: as many as what is sought."""
    return lambda given: places(nested_rank(given.type(name)))


def in_order(given: Given) -> Type:
    """`np.lexsort(keys)` of a tuple of arrays."""
    t = given.types[0]
    ranks = {*map(rank_of, t.items)} if isinstance(t, Tuple) else {None}
    ndim = ranks.pop() if len(ranks) == 1 else None
    return replace(PLACES, ndim=ndim) if ndim else Array("i", PLACE, None, None)


def counts(given: Given) -> Type:
    """`np.bincount(x, weights, minlength)`: of weights their sums, in double precision; of no places zeros that are
    integers, which there are where a length is told."""
    weights = given.type("weights")
    if weights is None or weights == NONE:
        return PLACES
    known = isinstance(weights, (Array, List, Tuple)) and given.value("minlength", 0) == 0
    return Array("f", "float64", 1, False) if known else UNKNOWN


def unravelled(given: Given) -> Type:
    """`np.unravel_index(indices, shape)`."""
    shape = given.type("shape")
    n = len(shape.items) if isinstance(shape, Tuple) else 1 if shape == INT else None
    return UNKNOWN if n is None else Tuple((places(nested_rank(given.type("indices"))),) * n)


def ravelled(given: Given) -> Type:
    """`np.ravel_multi_index(indices, dims)` of a tuple."""
    t = given.type("multi_index")
    ranks = [nested_rank(item) for item in t.items] if isinstance(t, Tuple) else [None]
    known = [ndim for ndim in ranks if ndim is not None]
    return places(max(known) if known and len(known) == len(ranks) else None)


def numbered_axes(given: Given) -> Type:
    """`np.indices(shape)`."""
    t = given.type("dimensions")
    known = given.only("dimensions") and isinstance(t, Tuple)
    return Array("i", np.dtype(int).name, len(t.items) + 1, False) if known else UNKNOWN  # type: ignore[union-attr]


def on_diagonal(given: Given) -> Type:
    """`np.diag_indices(n, ndim)`."""
    ndim = given.value("ndim", 2)
    if kind_of(given.types[0]) != "i":
        return UNKNOWN
    return Tuple((Array("i", "", 1, False),) * ndim) if type(ndim) is int and ndim >= 0 else UNKNOWN


def on_diagonal_of(given: Given) -> Type:
    """`np.diag_indices_from(a)`."""
    return Tuple((Array("i", "", 1, False),) * (rank_of(given.types[0]) or 0)) if rank_of(given.types[0]) else UNKNOWN


@of_usual
def open_mesh(given: Given) -> Type:
    """`np.ix_(i, j)` of places and flags, each with all axes."""
    n = len(given.types)
    kinds = [_axis(t, n) for t in given.by_place]
    return UNKNOWN if UNKNOWN in kinds or given.names else Tuple(tuple(kinds))


def _axis(t: Type, n: int) -> Type:
    if t in (List(INT), Inert(range)):
        return Array("i", "", n, False)
    if not isinstance(t, Array) or t.kind not in "ib" or t.ndim != 1:
        return UNKNOWN
    return Array("i", PLACE if t.kind == "b" or t.dtype == PLACE else "", n, False)


gives(found, np.nonzero)
gives(chosen_or_found, np.where, parameters="condition x y")
gives(PLACES, np.flatnonzero)
gives(Array("i", PLACE, 2, False), np.argwhere)
gives(sought("x"), np.digitize)
gives(sought("v"), np.searchsorted)
gives(in_order, np.lexsort, parameters="keys axis")
gives(counts, np.bincount, parameters="x weights minlength")
gives(unravelled, np.unravel_index, parameters="indices shape order")
gives(ravelled, np.ravel_multi_index, parameters="multi_index dims mode order")
gives(numbered_axes, np.indices)
gives(on_diagonal, np.diag_indices)
gives(on_diagonal_of, np.diag_indices_from)
gives(open_mesh, np.ix_)
family(along("i"), "nanargmax nanargmin")
family(Tuple((PLACES, PLACES)), "tril_indices triu_indices tril_indices_from triu_indices_from")
