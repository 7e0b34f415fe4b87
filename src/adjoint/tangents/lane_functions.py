"""NumPy's functions on lanes: those that only arrange what is there, sum it, or multiply it."""

from __future__ import annotations

import math
import string
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from ..ops.registry import batches
from .lane_runs import lane_count
from .lanes import Lanes, NoLanes, in_step, padded


def _of(*functions: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def register(f: Callable[..., Any]) -> Callable[..., Any]:
        batches(f, *functions, rules=True)
        return f

    return register


def _lanes(x: Any) -> Lanes:
    if type(x) is not Lanes:
        raise NoLanes
    return x


# ---- what is asked of an array


@_of(np.shape)
def _shape(a: Any) -> Any:
    return a.shape


@_of(np.ndim)
def _ndim(a: Any) -> int:
    return int(a.ndim)


@_of(np.size)
def _size(a: Any, axis: Any = None) -> int:
    return int(a.size if axis is None else a.shape[axis])


@_of(np.result_type)
def _result_type(*xs: Any) -> Any:
    return np.result_type(*[x.dtype if type(x) is Lanes else x for x in xs])


@_of(np.iscomplexobj)
def _iscomplexobj(x: Any) -> bool:
    return bool(x.dtype.kind == "c")


@_of(np.isrealobj)
def _isrealobj(x: Any) -> bool:
    return bool(x.dtype.kind != "c")


# ---- new arrays


@_of(np.zeros_like, np.empty_like)
def _zeros_like(a: Any, dtype: Any = None) -> Lanes:
    return Lanes(np.zeros_like(a.data, dtype))


@_of(np.ones_like)
def _ones_like(a: Any, dtype: Any = None) -> Any:
    return np.ones(a.shape, dtype or a.dtype)


@_of(np.copy)
def _copy(a: Any, order: Any = "K") -> Lanes:
    return _lanes(a).copy()


@_of(np.real)
def _real(x: Any) -> Lanes:
    return Lanes(_lanes(x).data.real)


@_of(np.imag)
def _imag(x: Any) -> Lanes:
    return Lanes(_lanes(x).data.imag)


@_of(np.where)
def _where(condition: Any, x: Any, y: Any) -> Lanes:
    return Lanes(np.where(*in_step((condition, x, y))))


# ---- other arrangements of the same numbers


@_of(np.reshape)
def _reshape(a: Any, /, shape: Any, order: Any = "C") -> Lanes:
    return _lanes(a).reshape(shape, order=order)


@_of(np.ravel)
def _ravel(a: Any, order: Any = "C") -> Lanes:
    return _lanes(a).ravel(order)


@_of(np.transpose, np.permute_dims)
def _transpose(a: Any, axes: Any = None) -> Lanes:
    return _lanes(a).transpose() if axes is None else _lanes(a).transpose(axes)


@_of(np.swapaxes)
def _swapaxes(a: Any, axis1: Any, axis2: Any) -> Lanes:
    (i,), (j,) = _lanes(a).axes(axis1), a.axes(axis2)
    return Lanes(a.data.swapaxes(i, j))


@_of(np.matrix_transpose)
def _matrix_transpose(x: Any, /) -> Lanes:
    (i,), (j,) = _lanes(x).axes(-1), x.axes(-2)
    return Lanes(x.data.swapaxes(i, j))


@_of(np.moveaxis)
def _moveaxis(a: Any, source: Any, destination: Any) -> Lanes:
    def tuple_of(axis: Any) -> Any:
        return _lanes(a).axes(tuple(axis) if isinstance(axis, tuple | list) else axis)

    return Lanes(np.moveaxis(a.data, tuple_of(source), tuple_of(destination)))


@_of(np.expand_dims)
def _expand_dims(a: Any, axis: Any) -> Lanes:
    given = tuple(axis) if isinstance(axis, tuple | list) else (axis,)
    n = _lanes(a).ndim + len(given)
    return Lanes(np.expand_dims(a.data, tuple([1 + normalize_axis_index(i, n) for i in given])))


@_of(np.squeeze)
def _squeeze(a: Any, axis: Any = None) -> Lanes:
    axes = tuple([1 + i for i, n in enumerate(_lanes(a).shape) if n == 1]) if axis is None else a.axes(axis)
    return Lanes(a.data.squeeze(axes))


@_of(np.broadcast_to)
def _broadcast_to(array: Any, shape: Any) -> Lanes:
    shape = tuple(shape) if isinstance(shape, tuple | list) else (shape,)
    return Lanes(np.broadcast_to(padded(_lanes(array), len(shape)), (len(array.data), *shape)))


@_of(np.flip)
def _flip(m: Any, axis: Any = None) -> Lanes:
    return Lanes(np.flip(_lanes(m).data, m.axes(axis)))


@_of(np.roll)
def _roll(a: Any, shift: Any, axis: Any = None) -> Lanes:
    if axis is None:
        return Lanes(_roll(_lanes(a).ravel(), shift, 0).data.reshape(a.data.shape))
    return Lanes(np.roll(_lanes(a).data, shift, a.axes(tuple(axis) if isinstance(axis, list) else axis)))


@_of(np.repeat)
def _repeat(a: Any, repeats: Any, axis: Any = None) -> Lanes:
    rows = _lanes(a).ravel() if axis is None else a
    (at,) = rows.axes(0 if axis is None else axis)
    return Lanes(np.repeat(rows.data, repeats, at))


@_of(np.tril)
def _tril(m: Any, k: int = 0) -> Lanes:
    return _triangle(np.tril, m, k)


@_of(np.triu)
def _triu(m: Any, k: int = 0) -> Lanes:
    return _triangle(np.triu, m, k)


def _triangle(f: Any, m: Any, k: int) -> Lanes:
    if m.ndim < 2:
        raise NoLanes
    return Lanes(f(m.data, k))


@_of(np.concatenate)
def _concatenate(arrays: Sequence[Any], axis: Any = 0) -> Lanes:
    if axis is None:
        arrays, axis = [np.ravel(a) for a in arrays], 0
    return _side_by_side(np.concatenate, arrays, normalize_axis_index(axis, np.ndim(arrays[0])))


@_of(np.stack)
def _stack(arrays: Sequence[Any], axis: Any = 0) -> Lanes:
    return _side_by_side(np.stack, arrays, normalize_axis_index(axis, np.ndim(arrays[0]) + 1))


def _side_by_side(f: Any, arrays: Sequence[Any], axis: int) -> Lanes:
    n = next(len(a.data) for a in arrays if type(a) is Lanes)
    full = [a.data if type(a) is Lanes else np.broadcast_to(a, (n, *np.shape(a))) for a in arrays]
    return Lanes(f(full, axis=1 + axis))


@_of(np.take)
def _take(a: Any, indices: Any, axis: Any = None) -> Lanes:
    if type(indices) is Lanes:
        raise NoLanes
    rows = _lanes(a) if axis is not None else a.ravel()
    (at,) = rows.axes(0 if axis is None else axis)
    return Lanes(np.take(rows.data, indices, axis=at))


@_of(np.diagonal)
def _diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Lanes:
    (i,), (j,) = _lanes(a).axes(axis1), a.axes(axis2)
    return Lanes(np.diagonal(a.data, offset, i, j))


# ---- sums and products


@_of(np.sum)
def _sum(a: Any, axis: Any = None, dtype: Any = None, *, keepdims: Any = False) -> Lanes:
    return _lanes(a).sum(axis, dtype, None, keepdims is True)


@_of(np.mean)
def _mean(a: Any, axis: Any = None, dtype: Any = None, *, keepdims: Any = False) -> Lanes:
    return Lanes(np.mean(_lanes(a).data, a.axes(axis), dtype, keepdims=keepdims is True))


@_of(np.cumsum)
def _cumsum(a: Any, axis: Any = None, dtype: Any = None) -> Lanes:
    rows = a.ravel() if axis is None else _lanes(a)
    (at,) = rows.axes(0 if axis is None else axis)
    return Lanes(np.cumsum(rows.data, at, dtype))


@_of(np.matmul)
def _matmul(a: Any, b: Any) -> Lanes:
    m, n = np.ndim(a), np.ndim(b)
    if not m or not n:
        raise NoLanes
    if type(b) is not Lanes and n <= 2:  # one product for all lanes
        rows = a.data.reshape(math.prod(a.data.shape[:-1]), a.shape[-1]) @ b
        return Lanes(rows.reshape(*a.data.shape[:-1], *b.shape[1:]))
    if type(a) is not Lanes and m == 2 and n == 1:
        return Lanes(b.data @ np.transpose(a))
    if m == n == 1:
        return Lanes(np.vecdot(np.conj(b.data), a) if type(a) is not Lanes else np.einsum("ki,ki->k", a.data, b.data))
    axes = max(m, n, 2)
    left = padded(np.expand_dims(a, 0) if m == 1 else a, axes)
    right = padded(np.expand_dims(b, 1) if n == 1 else b, axes)
    product = np.matmul(left, right)
    dropped = tuple([i for i, one in ((-2, m == 1), (-1, n == 1)) if one])
    return Lanes(product.squeeze(dropped) if dropped else product)


@_of(np.dot)
def _dot(a: Any, b: Any) -> Any:
    if not np.ndim(a) or not np.ndim(b):
        return a * b
    if np.ndim(b) <= 2 and np.ndim(a) <= 2:
        return _matmul(a, b)
    raise NoLanes


@_of(np.outer)
def _outer(a: Any, b: Any) -> Any:
    if type(a) is Lanes and type(b) is Lanes:
        return Lanes(a.data.reshape(len(a.data), a.size, 1) * b.data.reshape(len(b.data), 1, b.size))
    return np.ravel(a)[:, None] * np.ravel(b)[None, :]


@_of(np.tensordot)
def _tensordot(a: Any, b: Any, axes: Any = 2) -> Lanes:
    if type(a) is Lanes and type(b) is Lanes:
        raise NoLanes
    m, n = np.ndim(a), np.ndim(b)
    of_a, of_b = (range(m - axes, m), range(axes)) if isinstance(axes, int) else axes
    of_a, of_b = [
        [normalize_axis_index(i, k) for i in ([x] if isinstance(x, int) else x)] for x, k in ((of_a, m), (of_b, n))
    ]
    if type(b) is Lanes:
        product = np.tensordot(a, b.data, (of_a, [1 + i for i in of_b]))
        return Lanes(np.moveaxis(product, m - len(of_a), 0))
    return Lanes(np.tensordot(a.data, b, ([1 + i for i in of_a], of_b)))


@_of(np.linalg.solve)
def _solve(a: Any, b: Any) -> Lanes:
    if type(a) is Lanes or np.ndim(a) != 2 or b.ndim > 2:
        raise NoLanes
    columns = np.moveaxis(b.data, 0, -1)  # one factorisation for all lanes
    return Lanes(np.moveaxis(np.linalg.solve(a, columns.reshape(len(columns), -1)).reshape(columns.shape), -1, 0))


@_of(np.einsum)
def _einsum(subscripts: Any, *operands: Any, optimize: Any = False) -> Lanes:
    if not isinstance(subscripts, str) or any(
        [type(x) is np.ndarray and x.dtype.kind not in "biufc" for x in operands]
    ):
        raise NoLanes
    free = next((c for c in string.ascii_letters[::-1] if c not in subscripts), None)
    left, arrow, right = subscripts.replace(" ", "").partition("->")
    if free is None or not arrow:
        raise NoLanes
    terms = [free + term if type(x) is Lanes else term for term, x in zip(left.split(","), operands, strict=True)]
    data = [x.data if type(x) is Lanes else x for x in operands]
    return Lanes(np.einsum(f"{','.join(terms)}->{free}{right}", *data, optimize=optimize))


def lane_zeros(shape: Any, dtype: Any) -> Any:
    """Zeros into which the running program adds: with its lanes, if it has some."""
    n = lane_count()
    return np.zeros(shape, dtype) if n is None else Lanes(np.zeros((n, *shape), dtype))
