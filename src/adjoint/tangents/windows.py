"""The shadow of an array's memory: where the cotangents of its items are while a sweep runs.

A view is a window on the memory of its owner, and its shadow the same window on the owner's shadow. So whoever holds an
array, or a part of it, finds the same cotangents.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import NoRuleError, calling_place

Array = np.ndarray[Any, Any]

DIFFERENTIABLE = "fciu"
"""The kinds of dtypes whose items have cotangents."""


def owner_of(a: Array) -> Array:
    """The array at the end of the chain of bases: whose memory it is."""
    while True:
        base: Any = a.base
        if base is None:
            return a
        if not isinstance(base, np.ndarray):  # `as_strided` puts something in between, and so does a buffer
            base = base.obj if type(base) is memoryview else getattr(base, "base", None)
            if not isinstance(base, np.ndarray):
                return a
        a = base


def address_of(a: Array) -> int:
    """The address of the first item, in bytes."""
    address: int = a.__array_interface__["data"][0]
    return address


def overlaps_itself(a: Array) -> bool:
    """Tell whether several items of `a` may be at one place, as in what `broadcast_to` gives."""
    if a.flags.forc:
        return False
    if a.ndim == 1:
        return abs(a.strides[0]) < a.itemsize and len(a) > 1
    reach = a.itemsize
    for stride, n in sorted((abs(s), n) for s, n in zip(a.strides, a.shape, strict=True) if n > 1):
        if stride < reach:
            return True
        reach += stride * (n - 1)
    return False


def share_memory(x: Array, y: Array) -> bool:
    """Tell whether two arrays have entries in common; also where that is too hard to find out."""
    shares: Any = np.shares_memory  # what is declared of it differs among versions
    try:
        return bool(shares(x, y, max_work=1000))
    except np.exceptions.TooHardError:
        return True


def bar_dtype(a: Array) -> Any:
    """The dtype of cotangents of `a`: its own, or float64 for integers."""
    return a.dtype if a.dtype.kind in "fc" else np.dtype(np.float64)


def reads_bits(a: Array, owner: Array) -> bool:
    """Tell whether a view takes the bytes of its owner for items of another kind. Parts of complex numbers it may
    take."""
    x, y = a.dtype, owner.dtype
    if x is y or x == y:
        return False
    return x.kind not in "fc" or y.kind not in "fc" or _part_of(x) != _part_of(y)


def _part_of(dtype: Any) -> tuple[int, bool]:
    """The size of a real number of this dtype, or of a part of a complex one, and whether its bytes are in order."""
    return dtype.itemsize // (2 if dtype.kind == "c" else 1), dtype.isnative


class Memory:
    """The shadow of one owner: zeros at first."""

    __slots__ = ("bits", "flat", "low", "main", "owner", "read")

    def __init__(self, owner: Array) -> None:
        self.owner = owner
        self.bits: dict[Any, Array] = {}
        self.read: dict[Any, tuple[Array, Array]] = {}
        self.flat: Any = None
        self.low = 0
        flags, dtype = owner.flags, bar_dtype(owner)
        if flags.forc:
            self.main = np.zeros(owner.shape, dtype, "C" if flags.c_contiguous else "F")
        else:
            self.low, high = np.lib.array_utils.byte_bounds(owner)
            self.flat = np.zeros((high - self.low) // owner.itemsize, dtype)
            self.main = self.window(owner)

    def window(self, a: Array) -> Array:
        """The shadow of `a`, a view of the owner: a view of the shadow."""
        if a.size == 0:
            return np.zeros(a.shape, bar_dtype(a))
        if reads_bits(a, self.owner):
            return self._of_bits(a)
        if self.flat is None:
            self.flat, self.low = self.main.ravel("K"), address_of(self.owner)
        offset = address_of(a) - self.low
        dtype = a.dtype
        if dtype.kind in "fc":
            return np.ndarray(a.shape, dtype, self.flat, offset, a.strides)
        scale = self.flat.itemsize / self.owner.itemsize
        strides = tuple([round(stride * scale) for stride in a.strides])
        return np.ndarray(a.shape, self.flat.dtype, self.flat, round(offset * scale), strides)

    def _of_bits(self, a: Array) -> Array:
        """The bits of floats are not to be read. In those of integers, of a buffer say, and of records there may be
        floats, whose cotangents are beside those of the owner: through the bits themselves nothing flows."""
        if self.owner.dtype.kind in "fc":
            raise NoRuleError(
                f"an array of {a.dtype} is a view of the bits of an array of {self.owner.dtype}",
                "what flows into one of them would have no meaning for the other",
                "use `astype`, or cut the derivative with `adjoint.stop_gradient`",
                calling_place(),
            )
        dtype, (low, high) = bar_dtype(a), np.lib.array_utils.byte_bounds(self.owner)
        scale = 1 if a.dtype.kind in "fc" else dtype.itemsize // (a.itemsize or 1)
        if scale == 0 or a.dtype.kind not in DIFFERENTIABLE:
            return np.zeros(a.shape, dtype)
        kind = _part_of(dtype) if scale == 1 else a.dtype
        at = kind, dtype, address_of(a) - low, a.shape, a.strides
        known = self.read.get(at)
        if known is None:
            if kind not in self.bits:
                self.bits[kind] = np.zeros((high - low) * scale, np.uint8)
            strides = tuple([stride * scale for stride in a.strides])
            shadow: Array = np.ndarray(a.shape, dtype, self.bits[kind], (address_of(a) - low) * scale, strides)
            known = self.read[at] = a, shadow
        return known[1]

    def add_scaled(self, other: Memory, by: Any) -> None:
        """Add the cotangents of another shadow of the same owner, multiplied by a number; it is not needed any more."""
        self.main += other.main * by
        for a, shadow in other.read.values():
            add_to(self.window(a), take_from(shadow) * by)


def add_to(window: Array, d: Any) -> None:
    """Add to a shadow; where several items are at one place, each adds."""
    if getattr(d, "dtype", None) is not window.dtype and window.dtype.kind != "c" and np.iscomplexobj(d):
        d = np.real(d)
    if overlaps_itself(window):
        _add_each(window, np.broadcast_to(d, window.shape))
    else:
        window += d


def _add_each(window: Array, d: Array) -> None:
    repeated = tuple([i for i, stride in enumerate(window.strides) if stride == 0])
    d = d.sum(axis=repeated, keepdims=True)  # a copy where nothing is repeated: `d` may be of the same memory
    window = window[_once(window)]
    if overlaps_itself(window):
        line, places = _line(window)
        np.add.at(line, places, d)
    else:
        window += d


def take_from(window: Array) -> Array:
    """Take what a shadow holds; it is zero afterwards. Each place is given once, at its first item."""
    if not overlaps_itself(window):
        d = window.copy()
        window[...] = 0
        return d
    d = np.zeros(window.shape, window.dtype)
    once = _once(window)
    window = window[once]
    if overlaps_itself(window):
        line, places = _line(window)
        named, first = np.unique(places, return_index=True)
        taken = np.zeros(places.size, window.dtype)
        taken[first] = line[named]
        d[once] = taken.reshape(window.shape)
        line[named] = 0
    else:
        d[once] = window
        window[...] = 0
    return d


def _once(window: Array) -> tuple[slice, ...]:
    """The index of the part of a window in which nothing is repeated by a stride of zero."""
    return tuple([slice(None, 1 if stride == 0 else None) for stride in window.strides])


def _line(window: Array) -> tuple[Array, Array]:
    """The memory that a window lies in as a row, and the place of each item there."""
    places, unit = np.zeros((), np.intp), window.itemsize
    for stride, n in zip(window.strides, window.shape, strict=True):
        steps = np.arange(n) * (stride // unit)
        places = places[..., None] + (steps - steps.min())
    lowest = window[tuple([slice(-1, None) if stride < 0 else slice(1) for stride in window.strides])]
    return np.lib.stride_tricks.as_strided(lowest, (int(np.max(places)) + 1,), (unit,)), places
