"""Functions and attributes that give the same entries another shape or dtype. Their cotangents take the way back."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from collections.abc import Callable
from typing import Any

import numpy as np

from ...tangents import unbroadcast
from ..python.iteration import Materialised, source_of, spread
from ..registry import Back, Numeric, call_pullback, rule
from .lifting import array_rule, refuse
from .linear import axes_of, carried, cast, ghost, nested

# The same entries in the same order


def _reshaped_back(a, order="C"):
    """The back of a function of an array and perhaps of one parameter that says how."""
    shape, kind = a.shape, a.dtype

    def reshaped_back(y_bar):
        d = y_bar if isinstance(y_bar, np.ndarray) else np.asarray(y_bar)
        return cast(d.reshape(shape, order=order), kind), None

    return reshaped_back


def _fixed(a, order):
    """The order that NumPy means by "A" and "K" for this array."""
    if order in ("A", "K"):
        if order == "A" or a.flags.c_contiguous or a.flags.f_contiguous:
            return "F" if a.flags.f_contiguous and not a.flags.c_contiguous else "C"
        refuse("order='K'", "it depends on how the array lies in memory", "use order='C'")
    return order


@array_rule(np.reshape, returns="array")
def reshape_rule(a: np.ndarray, shape, order="C", *, copy=None):
    """The entries of a in another shape."""
    y = a.reshape(shape, order=order) if copy is None else a.reshape(shape, order=order, copy=copy)
    return y, _reshaped_back(a, _fixed(a, order))


@array_rule(np.ndarray.reshape, np.generic.reshape, returns="array")
def reshape_method_rule(a: np.ndarray, *shape, order="C", copy=None):
    """`a.reshape(2, 3)` and `a.reshape((2, 3))`."""
    back = _reshaped_back(a, _fixed(a, order))

    def reshape_method_back(y_bar):
        return back(y_bar)[0], *(None for _ in shape)

    y = a.reshape(*shape, order=order) if copy is None else a.reshape(*shape, order=order, copy=copy)
    return y, reshape_method_back


@array_rule(np.ravel, np.ndarray.ravel, np.generic.ravel, returns="array of rank 1")
def ravel_rule(a: np.ndarray, order="C"):
    """The entries of a in one row."""
    return a.ravel(order), _reshaped_back(a, _fixed(a, order))


@array_rule(np.ndarray.flatten, np.generic.flatten, returns="array of rank 1")
def flatten_rule(a: np.ndarray, order="C"):
    """The entries of a in one row, copied."""
    return a.flatten(order), _reshaped_back(a, _fixed(a, order))


@array_rule(np.squeeze, np.ndarray.squeeze, returns="array")
def squeeze_rule(a: np.ndarray, axis=None):
    """a without axes of length 1."""
    return np.squeeze(a, axis), _reshaped_back(a)


@array_rule(np.expand_dims, returns="array")
def expand_dims_rule(a: np.ndarray, axis):
    """a with new axes of length 1."""
    return np.expand_dims(a, axis), _reshaped_back(a)


@rule(np.atleast_1d, returns="array")
def atleast_1d_rule(*arys):
    """Arrays with at least one axis."""
    return _at_least(np.atleast_1d, arys)


@rule(np.atleast_2d, returns="array")
def atleast_2d_rule(*arys):
    """Arrays with at least two axes."""
    return _at_least(np.atleast_2d, arys)


@rule(np.atleast_3d, returns="array")
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
        return cast(np.reshape(d, like.shape), like.dtype)
    return nested(np.reshape(d, np.shape(like)), like)


@rule(np.squeeze, np.ndarray.squeeze, np.generic.squeeze, np.transpose, np.ndarray.transpose, np.generic.transpose)
@rule(np.ndarray.copy, np.generic.copy)
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


@array_rule(np.transpose, returns="array")
def transpose_rule(a: np.ndarray, axes=None):
    """The axes of a in another order: āᵢⱼ = ȳⱼᵢ."""
    kind = a.dtype

    def transpose_back(y_bar):
        return (cast(transposed(y_bar, axes), kind),)

    return np.transpose(a, axes), transpose_back


@array_rule(np.ndarray.transpose, returns="array")
def transpose_method_rule(a: np.ndarray, *axes):
    """`a.transpose()`, `a.transpose(1, 0)` and `a.transpose((1, 0))`."""
    kind = a.dtype
    order = None if len(axes) == 0 else axes[0] if len(axes) == 1 and np.ndim(axes[0]) else axes

    def transpose_method_back(y_bar):
        return (cast(transposed(y_bar, None if order == (None,) else order), kind), *(None for _ in axes))

    return a.transpose(*axes), transpose_method_back


@array_rule(np.swapaxes, np.ndarray.swapaxes, np.generic.swapaxes, returns="array alike")
def swapaxes_rule(a: np.ndarray, axis1, axis2):
    """Two axes of a exchanged."""
    kind = a.dtype

    def swapaxes_back(y_bar):
        return cast(np.swapaxes(y_bar, axis1, axis2), kind), None, None

    return np.swapaxes(a, axis1, axis2), swapaxes_back


@array_rule(np.moveaxis, returns="array")
def moveaxis_rule(a: np.ndarray, source, destination):
    """Axes of a moved to other places."""
    kind = a.dtype

    def moveaxis_back(y_bar):
        return cast(np.moveaxis(y_bar, destination, source), kind), None, None

    return np.moveaxis(a, source, destination), moveaxis_back


@array_rule(np.rollaxis, returns="array")
def rollaxis_rule(a: np.ndarray, axis, start=0):
    """One axis of a moved before another."""
    (source,) = axes_of(axis, a.ndim)
    destination = start + a.ndim if start < 0 else start
    destination -= source < destination
    kind = a.dtype

    def rollaxis_back(y_bar):
        return cast(np.moveaxis(y_bar, destination, source), kind), None

    return np.rollaxis(a, axis, start), rollaxis_back


@array_rule(np.matrix_transpose, np.linalg.matrix_transpose, returns="array")
def matrix_transpose_rule(x: np.ndarray, /):
    """The last two axes of x exchanged."""
    kind = x.dtype

    def matrix_transpose_back(y_bar):
        return (cast(np.swapaxes(y_bar, -1, -2), kind),)

    return np.swapaxes(x, -1, -2), matrix_transpose_back


# Repeated, copied and converted


@array_rule(np.broadcast_to, returns="array")
def broadcast_to_rule(array: np.ndarray, shape, subok=False):
    """a repeated to a shape, so ā = Σ ȳ over what was repeated."""
    like = ghost(array)

    def broadcast_to_back(y_bar):
        return unbroadcast(y_bar, like), None

    return np.broadcast_to(array, shape), broadcast_to_back


@rule(np.broadcast_arrays)
def broadcast_arrays_rule(*args, subok=False):
    """Arrays repeated to their common shape."""
    likes = [ghost(np.asarray(a)) for a in args]

    def broadcast_arrays_back(y_bar):
        return tuple(
            None if d is None else nested(unbroadcast(d, like), a)
            for d, like, a in zip(y_bar, likes, args, strict=True)
        )

    return np.broadcast_arrays(*args), broadcast_arrays_back


@array_rule(np.copy, returns="array alike alone")
def copy_rule(a: np.ndarray, order="K", subok=False):
    """A copy of a."""
    return np.copy(a, order), _converted_back(a)


@array_rule(np.ndarray.copy, np.ndarray.__copy__)
def copy_method_rule(a: np.ndarray, order="C"):
    """`a.copy()`."""
    return a.copy(order), _converted_back(a)


@rule(np.ndarray.astype, np.generic.astype)
def number_astype_rule(a: np.generic, dtype, order="K", casting="unsafe", subok=True, copy=True):
    """A NumPy number in another dtype; through integers nothing flows."""
    y = a.astype(dtype, order, casting, subok, copy)
    flows = carried(a.dtype, np.asarray(y).dtype)  # as an object it is a number of Python

    def number_astype_back(y_bar):
        return unbroadcast(y_bar, a) if flows else None, None

    return y, number_astype_back


@array_rule(np.ndarray.astype)
def astype_rule(a: np.ndarray, dtype, order="K", casting="unsafe", subok=True, copy=True):
    """a in another dtype; through integers nothing flows."""
    y = a.astype(dtype, order, casting, subok, copy)
    return y, _converted_back(a, y.dtype)


@array_rule(np.astype)
def astype_function_rule(x: np.ndarray, dtype, /, *, copy=True, device=None):
    """`np.astype(x, dtype)`."""
    y = np.astype(x, dtype, copy=copy)
    return y, _converted_back(x, y.dtype)


@array_rule(np.ndarray.view)
def view_rule(a: np.ndarray, dtype=None, type=None):
    """`a.view()`: the same entries; another dtype would be another reading of their bits."""
    if dtype is not None or type is not None:
        refuse("np.ndarray.view(dtype)", "it reads the same bits in another way", "use astype")
    return a.view(), _converted_back(a)


def _converted_back(a, dtype=None):
    """The back of a function of an array and perhaps of a dtype or an order."""
    kind = a.dtype
    flows = dtype is None or carried(kind, dtype)

    def converted_back(y_bar):
        return cast(y_bar, kind) if flows else None, None

    return converted_back


def _converter_rule(dtype: type[np.generic]) -> Callable[..., tuple[Any, Back]]:
    """The rule of `np.float32(x)` and its like."""

    def converter_rule(x: Numeric = 0.0):
        like = ghost(x)

        def converter_back(y_bar):
            return (unbroadcast(y_bar, like),)

        return dtype(x), converter_back

    return converter_rule


for _dtype in (np.float16, np.float32, np.float64, np.longdouble, np.complex64, np.complex128, np.clongdouble):
    rule(_dtype)(_converter_rule(_dtype))


# Attributes


def T_rule(x: np.ndarray) -> tuple[Any, Back]:  # noqa: N802
    """`x.T`: the axes in reverse order."""
    kind = x.dtype

    def T_back(y_bar: Any) -> tuple[Any, ...]:  # noqa: N802
        return (cast(y_bar.T, kind),)

    return x.T, T_back


def mT_rule(x: np.ndarray) -> tuple[Any, Back]:  # noqa: N802
    """`x.mT`: the last two axes exchanged."""
    kind = x.dtype

    def mT_back(y_bar: Any) -> tuple[Any, ...]:  # noqa: N802
        return (cast(y_bar.mT, kind),)

    return x.mT, mT_back


def real_rule(x: np.ndarray | np.generic) -> tuple[Any, Back]:
    """`x.real`: x̄ = ȳ."""
    like = ghost(x)

    def real_back(y_bar: Any) -> tuple[Any, ...]:
        return (unbroadcast(y_bar, like),)

    return x.real, real_back


def imag_rule(x: np.ndarray | np.generic) -> tuple[Any, Back]:
    """`x.imag`: x̄ = i ȳ."""
    like = ghost(x)

    def imag_back(y_bar: Any) -> tuple[Any, ...]:
        return (unbroadcast(1j * y_bar, like),)

    return x.imag, imag_back


def flat_rule(x: np.ndarray) -> tuple[Any, Back]:
    """`x.flat`, for reading: the entries in one row."""
    back = _reshaped_back(x)

    def flat_back(y_bar: Any) -> tuple[Any, ...]:
        return (back(y_bar)[0],)

    return np.ravel(x), flat_back


@rule(np.ndenumerate)
def ndenumerate_rule(arr: Any) -> tuple[Any, Back]:
    """`ndenumerate(x)`: the entries in one row, with their indices."""
    row, back = call_pullback(np.ravel, arr)
    source = source_of(row)

    def ndenumerate_back(y_bar: Any) -> tuple[Any, ...]:
        return (back(spread(source, [None if bar is None else bar[1] for bar in y_bar]))[1],)

    return Materialised([], zip(np.ndindex(np.shape(arr)), row, strict=True)), ndenumerate_back


ATTRIBUTES: dict[str, Callable[[Any], tuple[Any, Back]]] = {
    "T": T_rule,
    "mT": mT_rule,
    "real": real_rule,
    "imag": imag_rule,
    "flat": flat_rule,
}
"""What is read from arrays as an attribute and carries a derivative: `(x) -> (y, back)` by name."""

INACTIVE_ATTRIBUTES = frozenset({"shape", "size", "ndim", "dtype", "itemsize", "nbytes", "strides", "flags", "device"})
"""What is read from arrays as an attribute and carries none."""

MEMORY_ATTRIBUTES = frozenset({"base", "data", "ctypes", "__array_interface__", "__array_struct__"})
"""What is read from arrays as an attribute and leads to their memory, of which others may have parts."""
