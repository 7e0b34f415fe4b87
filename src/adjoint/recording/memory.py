"""The memory of arrays: whose it is for a sweep, and which stores into it can be followed."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from ..errors import MutationError, calling_place
from ..identity import IdentityMap
from ..rules.registry import non_differentiable
from ..tangents.windows import (
    DIFFERENTIABLE,
    Array,
    _once,
    address_of,
    bar_dtype,
    overlaps_itself,
    owner_of,
    reads_bits,
)


def owner_among(a: Array, apart: dict[int, Array]) -> Array:
    """The same, unless one of these comes first."""
    while id(a) not in apart:
        base: Any = a.base
        if base is not None and not isinstance(base, np.ndarray):
            base = getattr(base, "base", None)
        if not isinstance(base, np.ndarray):
            return a
        a = base
    return a


_WATCHED: IdentityMap[list[int]] = IdentityMap()
"""Number of stores into the memory of some arrays."""


def watched(owner: Array) -> list[int]:
    """A count of the stores into the memory of an owner from now on."""
    count = _WATCHED.get(owner)
    if count is None or count[0]:
        count = _WATCHED[owner] = [0]
    return count


_TWINS: weakref.WeakValueDictionary[int, Array] = weakref.WeakValueDictionary()
"""Owners of second shadows, by identity: the memory of another owner as a row, which `stop_gradient` gave a name."""
_TWINS_OF: IdentityMap[list[weakref.ref[Array]]] = IdentityMap()
"""Those of one owner."""


def twins() -> dict[int, Array]:
    """All twins, by identity: a sweep takes each for the owner of its views."""
    return dict(_TWINS.items()) if _TWINS else {}


def cut_view(a: Array, made: dict[int, Array]) -> Array | None:
    """A second name of an array, of whose items nothing flows to those of the first; None where there can be none.

    It lies in the same memory, but its owner is a twin with a shadow of its own. What is stored there later is seen by
    both (`seen_by_all`). `made` are the twins of this cut, by the identity of the owner.
    """
    root = owner_of(a)
    if type(a) is not np.ndarray or a.dtype.kind not in "fciub" or root.dtype.kind not in "fciub":
        return None
    if not root.flags.forc or a.size == 0:
        return None
    twin = made.get(id(root))
    if twin is None:
        twin = made[id(root)] = np.lib.stride_tricks.as_strided(root.ravel("K"))
        _TWINS[id(twin)] = twin
        _TWINS_OF[root] = [*_alive(root), weakref.ref(twin)]
    view: Array = np.ndarray(a.shape, a.dtype, twin, address_of(a) - address_of(root), a.strides)
    view.flags.writeable = a.flags.writeable
    return view


def _alive(root: Array) -> list[weakref.ref[Array]]:
    return [twin for twin in _TWINS_OF.get(root) or () if twin() is not None]


def other_owners(a: Array) -> list[Array]:
    """The owners of the memory of an array besides its own: there are some where `stop_gradient` named it again."""
    if not _TWINS:
        return []
    root = owner_of(a)
    own = owner_among(a, twins())
    found = [root, *[twin for ref in _alive(root) if (twin := ref()) is not None]]
    return [owner for owner in found if owner is not own]


def is_foreign(a: Array) -> bool:
    """Tell whether the memory belongs to something else than an array: nobody knows who else sees it."""
    return owner_of(a).base is not None


non_differentiable(is_foreign, address_of, overlaps_itself, bar_dtype, reads_bits, _once)


def check_store(a: Array, seen: bool = False) -> None:
    """Raise `MutationError` where a store cannot be followed; count it, where that is asked for. Who follows it by all
    names of the memory says that it is `seen`."""
    if not seen and _TWINS and other_owners(a):
        raise MutationError(
            "a store into an array that `stop_gradient`, or a function that is declared non-differentiable, has given "
            "as a constant",
            "the array and the constant are one memory, and which items are stored by this call is not followed for "
            "both",
            "store by `a[index] = value`, or make the constant of a copy: `stop_gradient(a.copy())`",
            calling_place(),
        )
    if len(_WATCHED) and (count := _WATCHED.get(owner_of(a))) is not None:
        count[0] += 1
    flags, kind = a.flags, a.dtype.kind
    if not flags.writeable or a.base is None and flags.forc and kind in DIFFERENTIABLE:
        return  # NumPy itself refuses; or it is the owner, whose items lie side by side
    if kind in "OV" or a.dtype.names is not None:
        raise MutationError(
            f"a store into an array of {a.dtype}",
            "its items are objects or records, whose cotangents have no place",
            "use arrays of numbers, or lists",
            calling_place(),
        )
    owner = owner_of(a)
    if owner.base is not None:
        raise MutationError(
            "a store into memory that is not NumPy's own",
            "other objects may see the same bytes, and their derivatives would not follow",
            "copy it into an array first: `np.array(a)`",
            calling_place(),
        )
    if owner.dtype.kind in "fcV" and reads_bits(a, owner):
        raise MutationError(
            f"a store into an array of {a.dtype}, which is a view of the bits of an array of {owner.dtype}",
            "what it makes of the floats or records there is not known",
            "store numbers into an array of numbers",
            calling_place(),
        )
    if overlaps_itself(a):
        raise MutationError(
            "a store into an array of which several items are at one place",
            "which of the stores wins is not defined",
            "store into a copy of it",
            calling_place(),
        )


def check_order(a: Array, value: Any) -> None:
    """Raise `MutationError` where NumPy stores into a row `a` before it has read all of what it stores.

    It copies what lies in the memory of `a` for more than one axis, and goes backwards where that is enough; not where
    a row of a matrix is stored into a column that crosses it.
    """
    if not isinstance(value, np.ndarray) or a.ndim != 1 or value.ndim == 0 or value.shape[-1] != a.shape[0]:
        return
    stride, step = a.strides[0], value.strides[-1]
    if stride == step or stride * step <= 0 or owner_of(a) is not owner_of(value) or not a.flags.writeable:
        return
    numbers = np.arange(len(a))[:: 1 if stride > 0 else -1]
    places = address_of(a) + numbers * stride
    sources = address_of(value) + numbers * step
    _, stored, read = np.intersect1d(places, sources, return_indices=True)
    backwards = sources[0] < places[0] < sources[0] + len(a) * abs(step)
    if np.any(stored > read if backwards else stored < read):
        raise MutationError(
            "a part of an array is stored into a part that crosses it",
            "NumPy stores there before it has read all, so that the result depends on where the two meet",
            "store a copy: `a[:, 2] = a[1].copy()`",
            calling_place(),
        )


non_differentiable(owner_among, watched, check_store, check_order, twins, cut_view, other_owners)
