"""Bringing a cotangent back to its primal: sum broadcast axes, keep the dtype, real for real."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from .lanes import Lanes
from .partials import ROW
from .tables import KINDS, like_values
from .unknown import Unknown

_DOUBLE = np.dtype(np.float64)
_DOUBLES = (np.float64, np.complex128)  # they are numbers of Python, too
_sum: Any = np.add.reduce  # what the method `sum` calls in the end


def unbroadcast(d: Any, like: Any) -> Any:
    """The cotangent `d` of a broadcast `like`, brought back to the shape, dtype and realness of `like`.

    x̄ = Σ d over the axes along which `like` was repeated; the real part for a real `like`; float32 stays float32.
    Numbers (Python or NumPy) count as arrays without axes. Never changes `d`; may return it.

    Examples
    --------
    >>> import numpy as np
    >>> unbroadcast(np.ones((3, 2)), np.zeros(2))
    array([3., 3.])
    >>> unbroadcast(np.ones(4), 1.5), unbroadcast(np.float32(2.0), 1.5)
    (4.0, 2.0)
    """
    cls = type(d)
    if cls is type(like) and (cls is float or cls is np.ndarray and d.dtype is like.dtype and d.shape == like.shape):
        return d
    if d is None:
        return None
    if type(like) is Lanes:
        return _as_lanes(d, like)
    if cls is complex and (type(like) is complex or type(like) is float):
        return d if type(like) is complex else d.real
    if isinstance(like, np.ndarray):
        if not isinstance(d, np.ndarray):
            if isinstance(d, Unknown):
                return d
            if type(d) is Lanes:
                return _of_lanes(d, like.shape, like.dtype)
            d = np.asarray(d)
        shape = like.shape
        if d.shape != shape:
            extra = d.ndim - len(shape)
            if extra > 1:  # one axis before the others: sums of a few numbers at a time are slow, and less exact
                d = _sum(d, axis=0)
                extra -= 1
            if extra > 0:
                d = _sum(d, axis=0 if extra == 1 else tuple(range(extra)))
            elif extra < 0:
                d = d.reshape((1,) * -extra + d.shape)
            if d.shape != shape:
                axes = tuple(i for i, n in enumerate(shape) if n == 1 and d.shape[i] != 1)
                d = d.sum(axis=axes, keepdims=True) if axes else d
                d = d if d.shape == shape else np.broadcast_to(d, shape)  # of a zero that stands for an array
        dtype = like.dtype
        if d.dtype is dtype:
            return d
        if dtype.kind != "c" and d.dtype.kind == "c":
            d = d.real
        if dtype.kind in "fc" and d.dtype != dtype:
            d = d.astype(dtype)
        return d
    if type(like) in KINDS:
        return like_values(d, like, unbroadcast)
    if isinstance(d, np.ndarray):
        d = _sum(d, axis=None) if type(d) is np.ndarray else d.sum()
        d = d.item() if isinstance(d, np.generic) and not isinstance(like, np.generic) else d  # of objects it is one
    elif type(d) is Lanes:
        dtype = (
            like.dtype if isinstance(like, np.generic) else np.dtype(complex if isinstance(like, complex) else float)
        )
        return _of_lanes(d, (), dtype)
    if isinstance(like, np.generic):
        kind = like.dtype.kind
        if kind != "c" and isinstance(d, complex | np.complexfloating):
            d = d.real
        if isinstance(d, Unknown):
            return d
        return like.dtype.type(d) if kind in "fc" and getattr(d, "dtype", None) != like.dtype else d
    if not isinstance(like, complex) and isinstance(d, complex | np.complexfloating):
        d = d.real
    if isinstance(d, np.number) and type(d) not in _DOUBLES:
        d = complex(d) if isinstance(d, np.complexfloating) else float(d)
    return d


def sum_of_product(d: Any, p: Any, like: Any) -> Any:
    """`unbroadcast(d * p, like)` of a number `like`: the cotangent of one that is a factor of all entries.

    Of vectors of float64 it is an inner product, which sums in another order; longer ones than `ROW` some libraries
    would take in several threads.

    Examples
    --------
    >>> import numpy as np
    >>> sum_of_product(np.array([1.0, 2.0]), np.array([3.0, 4.0]), 1.5)
    11.0
    """
    cls = type(like)
    vectors = (cls is float or cls is np.float64) and type(d) is np.ndarray is type(p)
    if vectors and d.dtype is _DOUBLE is p.dtype and d.shape == p.shape and d.size <= ROW:
        total = d.dot(p) if d.ndim == 1 else np.vdot(d, p)
        return total.item() if cls is float else total
    return unbroadcast(d * p, like)


def _as_lanes(d: Any, like: Lanes) -> Any:
    """A cotangent of what has lanes itself; without any it is the same in all."""
    if type(d) is Lanes:
        return _of_lanes(d, like.shape, like.dtype)
    return unbroadcast(d, np.broadcast_to(np.zeros((), like.dtype), like.shape) if like.ndim else like.dtype.type(0))


def _of_lanes(d: Lanes, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Lanes:
    """The same in each lane."""
    data = d.data
    if data.shape[1:] == shape and data.dtype == dtype:
        return d
    extra = d.ndim - len(shape)
    axes = tuple([1 + i for i, n in enumerate(d.shape) if i < extra or shape[i - extra] == 1 and n != 1])
    if axes:
        data = _sum(data, axis=axes, keepdims=True)
    data = data.reshape(len(data), *(1,) * -extra, *data.shape[1 + max(extra, 0) :])
    data = np.broadcast_to(data, (len(data), *shape))
    if dtype.kind != "c" and data.dtype.kind == "c":
        data = data.real
    return Lanes(data.astype(dtype, copy=False) if dtype.kind in "fc" else data)


project = unbroadcast


def ghost(x: Any) -> Any:
    """Something with the type, shape and dtype of `x`, for `unbroadcast`: a large array is not kept alive by it.

    >>> import numpy as np
    >>> ghost(2.0), ghost(np.ones((100, 100))).strides
    (2.0, (0, 0))
    """
    if not isinstance(x, np.ndarray) or x.size < 4096:
        return x
    return _zeros_of(x.shape, x.dtype)


@functools.lru_cache(maxsize=256)
def _zeros_of(shape: tuple[int, ...], dtype: Any) -> Any:
    """Zeros of this form, made once: one entry, of which there are views."""
    return np.broadcast_to(np.zeros((), dtype), shape)
