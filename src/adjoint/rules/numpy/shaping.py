"""Functions that give the same entries another shape or another order of axes. Their cotangents take the way back."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from typing import Any

import numpy as np

from ...tangents import as_array, ghost, unbroadcast
from ..registry import non_differentiable, rule
from .lifting import array_rule, lifted, refuse
from .linear import axes_of, cast, nested

# The same entries in the same order


def reshaped_back(a, order="C"):
    """The back of a function of an array and perhaps of one parameter that says how."""
    shape, kind = a.shape, a.dtype
    if not isinstance(order, str):
        lying = tuple(shape[i] for i in order)

        def laid_back(y_bar):
            return cast(transposed(np.reshape(y_bar, lying), order), kind), None

        return laid_back

    def reshaped_back(y_bar):
        d = y_bar if isinstance(y_bar, np.ndarray) else as_array(y_bar)
        return cast(d.reshape(shape, order=order) if order != "C" else reshaped(d, shape), kind), None

    return reshaped_back


def reshaped(d, shape):
    """The entries of `d` in another shape: a view of it, or an array of its own, where `reshape` gives a view of that.

    >>> reshaped(np.array([[1.0, 2.0], [3.0, 4.0]]).T, (4,)).base is None
    True
    """
    if type(d) is not np.ndarray or d.ndim <= 1 or d.flags.c_contiguous:
        return d.reshape(shape)
    y = np.empty(shape, d.dtype)
    y.reshape(d.shape)[...] = d
    return y


@rule(reshaped, linear="d")
def reshaped_rule(d, shape):
    """The same entries in the shape that they had."""
    before = d.shape

    def reshaped_rule_back(y_bar):
        return reshaped(y_bar, before), None

    return reshaped(d, shape), reshaped_rule_back


def _fixed(a, order):
    """The order that NumPy means by "A" and "K" for this array: "C", "F", or its axes as they lie in memory."""
    if order in ("A", "K", "a", "k"):
        if order in "Aa" or a.flags.c_contiguous or a.flags.f_contiguous:
            return "F" if a.flags.f_contiguous and not a.flags.c_contiguous else "C"
        steps = [abs(step) for step, n in zip(a.strides, a.shape, strict=True) if n > 1]
        if len(steps) > 1 and (0 in steps or len(set(steps)) < len(steps)):
            refuse("order='K'", "axes of this array lie in the same memory, so that none comes first", "use order='C'")
        return tuple(sorted(range(a.ndim), key=lambda i: -abs(a.strides[i]) if a.shape[i] > 1 else 0))
    return "C" if order is None else order


non_differentiable(_fixed)


@array_rule(np.reshape, linear="a")
def reshape_rule(a: np.ndarray, shape=None, order="C", *, newshape=None, copy=None):
    """The entries of a in another shape."""
    shape = newshape if shape is None else shape
    y = a.reshape(shape, order=order) if copy is None else a.reshape(shape, order=order, copy=copy)
    return y, reshaped_back(a, _fixed(a, order))


@array_rule(np.ndarray.reshape, np.generic.reshape, linear="a")
def reshape_method_rule(a: np.ndarray, *shape, order="C", copy=None):
    """`a.reshape(2, 3)` and `a.reshape((2, 3))`."""
    back, rest = reshaped_back(a, "C" if order == "C" else _fixed(a, order)), (None,) * len(shape)

    def reshape_method_back(y_bar):
        return back(y_bar)[0], *rest

    y = a.reshape(*shape, order=order) if copy is None else a.reshape(*shape, order=order, copy=copy)
    return y, reshape_method_back


@rule(np.reshape, linear="a")
def reshape_number_rule(a: np.generic, *args, **kwargs):
    """A NumPy number, which stays one without axes."""
    return _number_or_array(lifted(reshape_rule), a, *args, **kwargs)


@rule(np.generic.reshape, linear="a")
def reshape_number_method_rule(a: np.generic, *shape, **kwargs):
    """The same as a method."""
    return _number_or_array(lifted(reshape_method_rule), a, *shape, **kwargs)


def _number_or_array(call, *args, **kwargs):
    y, back = call(*args, **kwargs)
    return y if y.ndim else y[()], back


@array_rule(np.ravel, np.ndarray.ravel, np.generic.ravel, linear="a")
def ravel_rule(a: np.ndarray, order="C"):
    """The entries of a in one row."""
    return a.ravel(order), reshaped_back(a, _fixed(a, order))


@array_rule(np.ndarray.flatten, np.generic.flatten, linear="a")
def flatten_rule(a: np.ndarray, order="C"):
    """The entries of a in one row, copied."""
    return a.flatten(order), reshaped_back(a, _fixed(a, order))


@array_rule(np.squeeze, np.ndarray.squeeze, linear="a")
def squeeze_rule(a: np.ndarray, axis=None):
    """a without axes of length 1."""
    return np.squeeze(a, axis), reshaped_back(a)


@array_rule(np.expand_dims, linear="a")
def expand_dims_rule(a: np.ndarray, axis):
    """a with new axes of length 1."""
    return np.expand_dims(a, axis), reshaped_back(a)


@rule(np.atleast_1d, linear="*arys")
def atleast_1d_rule(*arys):
    """Arrays with at least one axis."""
    return _at_least(np.atleast_1d, arys)


@rule(np.atleast_2d, linear="*arys")
def atleast_2d_rule(*arys):
    """Arrays with at least two axes."""
    return _at_least(np.atleast_2d, arys)


@rule(np.atleast_3d, linear="*arys")
def atleast_3d_rule(*arys):
    """Arrays with at least three axes."""
    return _at_least(np.atleast_3d, arys)


def _at_least(f, arys):
    likes = [ghost(a) for a in arys]
    single = len(arys) == 1

    def at_least_back(y_bar):
        return tuple(reshaped_like(d, like) for d, like in zip((y_bar,) if single else y_bar, likes, strict=True))

    return f(*arys), at_least_back


def reshaped_like(d: Any, like: Any) -> Any:
    """`d` in the shape, dtype and structure of `like`: an array, a number or a sequence."""
    if d is None:
        return None
    if isinstance(like, np.ndarray):
        same = type(d) is np.ndarray and d.shape == like.shape
        return cast(d if same else np.reshape(d, like.shape), like.dtype)
    return nested(np.reshape(d, np.shape(like)), like)


@rule(np.squeeze, np.ndarray.squeeze, np.generic.squeeze, linear="a")
@rule(np.transpose, np.ndarray.transpose, np.generic.transpose, linear="a")
@rule(np.ndarray.copy, np.generic.copy, linear="a")
def same_number_rule(a: np.generic, *args):
    """A NumPy number, which these leave as it is (an array without axes they do not make a number)."""

    def same_number_back(y_bar):
        return (unbroadcast(y_bar, a), *(None for _ in args))

    return a, same_number_back


# Axes in another order


def transposed(d, axes=None):
    """The cotangent of an array that was transposed by `axes`.

    >>> transposed(np.ones((2, 3, 4)), (1, 2, 0)).shape
    (4, 2, 3)
    """
    return d.transpose() if axes is None else np.transpose(d, np.argsort([i % d.ndim for i in axes]))


@array_rule(np.transpose, linear="a")
def transpose_rule(a: np.ndarray, axes=None):
    """The axes of a in another order: āᵢⱼ = ȳⱼᵢ."""
    kind = a.dtype

    def transpose_back(y_bar):
        return (cast(transposed(y_bar, axes), kind),)

    return np.transpose(a, axes), transpose_back


@array_rule(np.ndarray.transpose, linear="a")
def transpose_method_rule(a: np.ndarray, *axes):
    """`a.transpose()`, `a.transpose(1, 0)` and `a.transpose((1, 0))`."""
    kind = a.dtype
    order = None if len(axes) == 0 else axes[0] if len(axes) == 1 and np.ndim(axes[0]) else axes

    def transpose_method_back(y_bar):
        return (cast(transposed(y_bar, None if order == (None,) else order), kind), *(None for _ in axes))

    return a.transpose(*axes), transpose_method_back


@array_rule(np.swapaxes, np.ndarray.swapaxes, np.generic.swapaxes, linear="a")
def swapaxes_rule(a: np.ndarray, axis1, axis2):
    """Two axes of a exchanged."""
    kind = a.dtype

    def swapaxes_back(y_bar):
        return cast(np.swapaxes(y_bar, axis1, axis2), kind), None, None

    return np.swapaxes(a, axis1, axis2), swapaxes_back


@array_rule(np.moveaxis, linear="a")
def moveaxis_rule(a: np.ndarray, source, destination):
    """Axes of a moved to other places."""
    kind = a.dtype

    def moveaxis_back(y_bar):
        return cast(np.moveaxis(y_bar, destination, source), kind), None, None

    return np.moveaxis(a, source, destination), moveaxis_back


@array_rule(np.rollaxis, linear="a", asks=True)
def rollaxis_rule(a: np.ndarray, axis, start=0):
    """One axis of a moved before another."""
    (source,) = axes_of(axis, a.ndim)
    destination = start + a.ndim if start < 0 else start
    destination -= source < destination
    kind = a.dtype

    def rollaxis_back(y_bar):
        return cast(np.moveaxis(y_bar, destination, source), kind), None

    return np.rollaxis(a, axis, start), rollaxis_back


@array_rule(np.matrix_transpose, np.linalg.matrix_transpose, linear="x")
def matrix_transpose_rule(x: np.ndarray, /):
    """The last two axes of x exchanged."""
    kind = x.dtype

    def matrix_transpose_back(y_bar):
        return (cast(np.swapaxes(y_bar, -1, -2), kind),)

    return np.swapaxes(x, -1, -2), matrix_transpose_back
