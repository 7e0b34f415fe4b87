"""Functions that copy entries, repeat them to a common shape, or convert them to another dtype."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from collections.abc import Callable
from typing import Any

import numpy as np

from ...tangents import ghost, unbroadcast
from ..registry import Back, Numeric, not_implemented, rule
from .lifting import array_rule, lifted, refuse
from .linear import carried, cast, nested


@array_rule(np.broadcast_to, linear="array")
def broadcast_to_rule(array: np.ndarray, shape, subok=False):
    """a repeated to a shape, so ā = Σ ȳ over what was repeated."""
    like = ghost(array)

    def broadcast_to_back(y_bar):
        return unbroadcast(y_bar, like), None

    return np.broadcast_to(array, shape), broadcast_to_back


@rule(np.broadcast_arrays, linear="*args")
def broadcast_arrays_rule(*args, subok=False):
    """Arrays repeated to their common shape."""
    likes = [ghost(np.asarray(a)) for a in args]

    def broadcast_arrays_back(y_bar):
        return tuple(
            None if d is None else nested(unbroadcast(d, like), a)
            for d, like, a in zip(y_bar, likes, args, strict=True)
        )

    return np.broadcast_arrays(*args), broadcast_arrays_back


@array_rule(np.copy, linear="a")
def copy_rule(a: np.ndarray, order="K", subok=False):
    """A copy of a."""
    return np.copy(a, order), _converted_back(a)


@array_rule(np.ndarray.copy, np.ndarray.__copy__, linear="a")
def copy_method_rule(a: np.ndarray, order="C"):
    """`a.copy()`."""
    return a.copy(order), _converted_back(a)


@rule(np.ndarray.astype, np.generic.astype, linear="a")
def number_astype_rule(a: np.generic, dtype, order="K", casting="unsafe", subok=True, copy=True):
    """A NumPy number in another dtype; through integers nothing flows."""
    y = a.astype(dtype, order, casting, subok, copy)
    flows = carried(a.dtype, np.asarray(y).dtype)  # as an object it is a number of Python

    def number_astype_back(y_bar):
        return unbroadcast(y_bar, a) if flows else None, None

    return y, number_astype_back


@array_rule(np.ndarray.astype, linear="a")
def astype_rule(a: np.ndarray, dtype, order="K", casting="unsafe", subok=True, copy=True):
    """a in another dtype; through integers nothing flows."""
    y = a.astype(dtype, order, casting, subok, copy)
    return y, _converted_back(a, y.dtype)


@array_rule(np.astype, linear="x")
def astype_function_rule(x: np.ndarray, dtype, /, *, copy=True, device=None):
    """`np.astype(x, dtype)`."""
    y = np.astype(x, dtype, copy=copy)
    return y, _converted_back(x, y.dtype)


@array_rule(np.ndarray.view, linear="a")
def view_rule(a: np.ndarray, dtype=None, type=None):
    """`a.view()`: the same entries. Pairs of real numbers may be read as complex ones, and these as pairs."""
    given = [x for x in (dtype, type) if x is not None]
    y = a.view(*given)
    if y.__class__ is not np.ndarray:
        refuse("np.ndarray.view(type)", "the class says what its operations mean", "use arrays of np.ndarray")
    if y.dtype == a.dtype:
        return y, _converted_back(a)
    shape, kind, to = a.shape, a.dtype, y.dtype
    if {kind.kind, to.kind} != {"f", "c"} or np.dtype(f"f{max(kind.itemsize, to.itemsize) // 2}") not in (kind, to):
        refuse("np.ndarray.view(dtype)", "it reads the same bits in another way", "use astype")

    def pairs_back(y_bar):
        d = np.ascontiguousarray(cast(y_bar, to))
        return np.reshape(d.view(kind), shape), None

    return y, pairs_back


@rule(np.generic.view)
def number_view_rule(a: np.generic, *args):
    """`a.view()` of a NumPy number."""
    y: Any = a.view(*args)
    if y.dtype != a.dtype:
        refuse("np.generic.view(dtype)", "it reads the same bits in another way", "use astype")

    def number_view_back(y_bar):
        return (unbroadcast(y_bar, a), *(None for _ in args))

    return y, number_view_back


@rule(np.ndarray.getfield, np.generic.getfield)
def getfield_rule(a: np.ndarray | np.generic, dtype, offset=0):
    """`a.getfield(dtype, offset)`: the numbers themselves, or the real or imaginary parts of complex ones."""
    y = a.getfield(dtype, offset)
    part = np.dtype(f"f{a.dtype.itemsize // 2}") if a.dtype.kind == "c" else None
    if y.dtype not in (a.dtype, part):
        refuse("np.ndarray.getfield", "it reads the same bits in another way", "use astype")
    factor = 1j if y.dtype == part and offset else 1.0
    like = ghost(a)

    def getfield_back(y_bar):
        return unbroadcast(y_bar * factor, like), None

    return y, getfield_back


not_implemented(
    np.ndarray.byteswap,
    np.generic.byteswap,
    why="it makes other numbers of the bytes of its items",
    way_out="use `a.astype(a.dtype.newbyteorder())`, which keeps the numbers",
)


@array_rule(np.require, linear="a")
def require_rule(a: np.ndarray, dtype=None, requirements=None, *, like=None):
    """a, laid out in memory as is asked for."""
    y = np.require(a, dtype, requirements)
    return y, _converted_back(a, y.dtype)


# NumPy 2.0 has it for arrays alone.
@rule(*[cls.to_device for cls in (np.ndarray, np.generic) if hasattr(cls, "to_device")], linear="a")
def to_device_rule(a: np.ndarray | np.generic, device, /, *, stream=None):
    """a, which lies in the memory of the processor."""
    like = ghost(a)

    def to_device_back(y_bar):
        return unbroadcast(y_bar, like), None

    return a.to_device(device, stream=stream), to_device_back


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
    _rule = _converter_rule(_dtype)
    rule(_dtype, linear="x")(_rule)
    rule(_dtype, linear="x")(lifted(_rule, list | tuple))
