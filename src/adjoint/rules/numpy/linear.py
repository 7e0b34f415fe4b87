"""Linear maps that rules send their cotangents through, and the rules of these maps themselves.

They write only into arrays of their own, so that what a rule computes can be differentiated again.
"""

from collections import deque
from typing import Any

import numpy as np

from ...tangents import Unknown, add_at, as_array, check_numbers, ghost, lane_zeros, listed, unbroadcast
from ...tangents.data import framework_of, refused_framework
from ...tangents.lanes import Lanes
from ..registry import Back, non_differentiable, rule


def carried(source: np.dtype, target: np.dtype) -> bool:
    """Tell whether the derivative of an array lives on in another dtype; through integers nothing flows.

    Raises
    ------
    NotDifferentiableError
        If numbers become objects or records.

    >>> carried(np.dtype(float), np.dtype(int))
    False
    """
    if target.kind in "fc" or source == target:
        return True
    if source.kind in "iufc":
        check_numbers(target)
    return False


def cast(d: Any, dtype: np.dtype) -> Any:
    """The cotangent `d` of an array of this dtype: float32 stays float32, the real part for a real array.

    >>> cast(np.array([1 + 2j]), np.dtype(np.float32))
    array([1.], dtype=float32)
    """
    if type(d) is np.ndarray and d.dtype == dtype:
        return d
    d = as_array(d)
    if d.dtype.kind == "c" and dtype.kind != "c":
        d = d.real
    return d.astype(dtype) if dtype.kind in "fc" and d.dtype != dtype else d


@rule(as_array, returns="like")
def as_array_rule(d: Any) -> tuple[Any, Back]:
    """y = d."""
    like = ghost(d)
    return as_array(d), lambda y_bar: (unbroadcast(y_bar, like),)


@rule(cast)
def cast_rule(d: Any, dtype: Any) -> tuple[Any, Back]:
    """y = d in another precision, so d̄ = ȳ in that of d."""
    like = ghost(d)

    def cast_back(y_bar: Any) -> tuple[Any, ...]:
        return unbroadcast(y_bar, like), None

    return cast(d, dtype), cast_back


def spread(d: Any, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """`d` repeated to a shape: the adjoint of a sum. A new array, in the precision of the array that was summed.

    >>> spread(2.0, (3,), np.dtype(np.float64))
    array([2., 2., 2.])
    """
    kind = dtype.kind
    if kind == "f" and (isinstance(d, complex) or getattr(d, "dtype", dtype).kind == "c"):
        d = d.real
    if type(d) is Lanes:
        return np.broadcast_to(d, shape).copy()
    if kind not in "fc":
        return np.full(shape, d)
    y = np.empty(shape, dtype)
    y[...] = d
    return y


@rule(spread)
def spread_rule(d: Any, shape: Any, dtype: Any) -> tuple[Any, Back]:
    """y = d repeated, so d̄ = Σ ȳ."""

    def spread_back(y_bar: Any) -> tuple[Any, ...]:
        return unbroadcast(y_bar, d), None, None

    return spread(d, shape, dtype), spread_back


def axes_of(axis: Any, ndim: int) -> tuple[int, ...]:
    """The axes that a NumPy function means by `axis`, counted from the front.

    >>> axes_of(None, 2), axes_of(-1, 3), axes_of([0, -1], 3)
    ((0, 1), (2,), (0, 2))
    """
    if axis is None or ndim == 0:
        return tuple(range(ndim))
    if isinstance(axis, tuple | list | np.ndarray) and np.ndim(axis):
        return tuple([i + ndim if i < 0 else i for i in axis])
    return (axis + ndim if axis < 0 else axis,)


def kept(d: Any, shape: tuple[int, ...], axis: Any) -> Any:
    """`d`, reduced from `shape` along `axis`, with the reduced axes again as axes of length 1.

    >>> kept(np.ones(2), (2, 3), 1).shape
    (2, 1)
    """
    if axis is None:
        return d if np.ndim(d) == 0 else np.reshape(d, ())
    if type(d) is np.ndarray and d.ndim == len(shape):
        return d
    ones = kept_shape(shape, axis)
    return d.reshape(ones) if type(d) is np.ndarray else np.reshape(d, ones)


def kept_shape(shape: tuple[int, ...], axis: Any) -> list[int]:
    """A shape after a reduction that keeps its axes.

    >>> kept_shape((2, 3), -1)
    [2, 1]
    """
    ones = list(shape)
    for i in axis if isinstance(axis, tuple) else (axis,):
        ones[i] = 1
    return ones


def masked(d: Any, condition: Any) -> Any:
    """`d` where a condition holds, else 0: nothing of `d` is seen elsewhere, not even a nan.

    >>> masked(np.array([1.0, np.nan]), np.array([True, False]))
    array([1., 0.])
    """
    if not _is_mask(d, condition):
        return np.where(condition, d, 0.0)
    # By their bits, all of them or none: no branch, which would be guessed wrong for half of the entries.
    y = np.empty(d.shape)
    bits = y.view(np.int64)
    np.negative(condition.view(np.int8), out=bits, dtype=np.int64)
    np.bitwise_and(bits, d.view(np.int64), out=bits)
    return y


def _is_mask(d: Any, condition: Any) -> bool:
    if type(d) is not np.ndarray or d.size < 4096 or type(condition) is not np.ndarray:
        return False
    return bool(d.dtype == np.float64 and condition.dtype == np.bool_ and condition.shape == d.shape)


@rule(masked)
def masked_rule(d: Any, condition: Any) -> tuple[Any, Back]:
    """y = d or 0, so d̄ = ȳ or 0."""
    like = ghost(d)

    def masked_back(y_bar: Any) -> tuple[Any, ...]:
        return unbroadcast(masked(y_bar, condition), like), None

    return masked(d, condition), masked_back


def scatter(d: Any, index: Any, shape: tuple[int, ...], dtype: np.dtype) -> Any:
    """Zeros of a shape, with `d` added in at an index, repeated positions each time: the adjoint of `x[index]`.

    >>> scatter(np.array([1.0, 2.0]), [0, 0], (3,), np.dtype(np.float64))
    array([3., 0., 0.])
    """
    real = dtype.kind != "c"
    x_bar = lane_zeros(shape, dtype if dtype.kind in "fc" else np.float64)
    if real and (isinstance(d, complex) or getattr(d, "dtype", dtype).kind == "c"):
        d = d.real
    if isinstance(index, int | slice):
        x_bar[index] = d
    else:
        add_at(x_bar, index, d)
    return x_bar


@rule(scatter)
def scatter_rule(d: Any, index: Any, shape: Any, dtype: Any) -> tuple[Any, Back]:
    """y[index] += d, so d̄ = ȳ[index]."""
    like = ghost(d)

    def scatter_back(y_bar: Any) -> tuple[Any, ...]:
        return unbroadcast(y_bar[index], like), None, None, None

    return scatter(d, index, shape, dtype), scatter_back


def scatter_diagonal(d: Any, shape: tuple[int, ...], offset: int, axis1: int, axis2: int) -> Any:
    """Zeros of a shape, with the last axis of `d` on a diagonal: the adjoint of `np.diagonal`.

    >>> scatter_diagonal(np.array([1.0, 2.0]), (2, 2), 0, 0, 1)
    array([[1., 0.],
           [0., 2.]])
    """
    x_bar = lane_zeros(shape, d.dtype)
    if len(shape) == 2 and type(x_bar) is np.ndarray and axis1 % 2 < axis2 % 2:
        step, start = shape[1] + 1, offset if offset >= 0 else -offset * shape[1]
        x_bar.reshape(-1)[start : start + len(d) * step : step] = d
        return x_bar
    moved = np.moveaxis(x_bar, (axis1, axis2), (-2, -1))
    i = np.arange(np.shape(d)[-1])
    moved[..., i + max(-offset, 0), i + max(offset, 0)] = d
    return x_bar


@rule(scatter_diagonal)
def scatter_diagonal_rule(d: Any, shape: Any, offset: Any, axis1: Any, axis2: Any) -> tuple[Any, Back]:
    """y = d on a diagonal, so d̄ = the diagonal of ȳ."""
    like = ghost(d)

    def scatter_diagonal_back(y_bar: Any) -> tuple[Any, ...]:
        return unbroadcast(np.diagonal(y_bar, offset, axis1, axis2), like), None, None, None, None

    return scatter_diagonal(d, shape, offset, axis1, axis2), scatter_diagonal_back


def nested(d: Any, like: Any) -> Any:
    """The array cotangent `d` of `np.array(like)` in the structure of `like`: lists, tuples, arrays and numbers.

    >>> nested(np.array([1.0, 2.0]), [3, 4.5])
    [1.0, 2.0]
    """
    if d is None or isinstance(like, bool | np.bool_):
        return None
    if isinstance(d, Unknown):
        return _unknown_in(d, like)
    if isinstance(like, list | tuple | deque):
        if set(map(type, like)) <= {float, int} and d.dtype.kind != "c":
            items = d.tolist()
        else:
            items = [nested(d[i], item) for i, item in enumerate(like)]
        if not isinstance(like, tuple):
            return items
        return type(like)(*items) if hasattr(like, "_fields") else tuple(items)
    if isinstance(like, int | float | complex | np.generic | np.ndarray):
        return unbroadcast(d, like)
    if (framework := framework_of(type(like).__module__)) is not None:
        raise refused_framework(f"an array is made of a `{type(like).__name__}` of {framework[0]}'s", *framework)
    if like is not None and not isinstance(like, str | bytes):
        check_numbers(np.dtype(object))
    return None


def _unknown_in(d: Any, like: Any) -> Any:
    """The same of a cotangent that is not known: integers have none."""
    if isinstance(like, list | tuple):
        items = [_unknown_in(d, item) for item in like]
        return items if isinstance(like, list) else tuple(items)
    return None if d.lets_through(like) else d


@rule(nested)
def nested_rule(d: Any, like: Any) -> tuple[Any, Back]:
    """The items of d, so d̄ = their cotangents stacked."""
    if isinstance(d, Unknown):
        return nested(d, like), lambda y_bar: (None, None)
    dtype = np.result_type(d)

    def nested_back(y_bar: Any) -> tuple[Any, ...]:
        return cast(stacked(y_bar, like), dtype), None

    return nested(d, like), nested_back


def stacked(d: Any, like: Any) -> Any:
    """The array of a cotangent `d` that has the structure of `like`, zeros where it is None: the adjoint of `nested`.

    >>> stacked([1.0, None], [3.0, 4.5])
    array([1., 0.])
    """
    if d is None:
        return np.zeros(np.shape(like))
    if isinstance(d, list | tuple):
        items = [stacked(item, like[i]) for i, item in enumerate(d)]
        return np.stack(items) if items else np.zeros(0)
    return as_array(d)


@rule(stacked)
def stacked_rule(d: Any, like: Any) -> tuple[Any, Back]:
    """The array of the items of d, so each has its part of ȳ."""

    def stacked_back(y_bar: Any) -> tuple[Any, ...]:
        return nested(y_bar, d), None

    return stacked(d, like), stacked_back


@rule(listed, linear="d | shape")
def listed_rule(d: Any, shape: Any) -> tuple[Any, Back]:
    """The items of d, so d̄ = their cotangents stacked."""

    def listed_back(y_bar: Any) -> tuple[Any, ...]:
        return None if d is None else unbroadcast(stacked(y_bar, np.empty(shape)), d), None

    return listed(d, shape), listed_back


def bring_back(d: Any, like: Any) -> Any:
    """`unbroadcast`, for sequences too.

    >>> bring_back(np.ones((2, 3)), [1.0, 2.0, 3.0])
    [2.0, 2.0, 2.0]
    """
    if isinstance(like, list | tuple | deque):
        return nested(unbroadcast(d, np.asarray(like)), like)
    return unbroadcast(d, like)


non_differentiable(axes_of, ghost, kept_shape)
