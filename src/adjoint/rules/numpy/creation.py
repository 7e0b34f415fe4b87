"""Arrays made of numbers, of nested lists, or of their end points."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from types import FunctionType
from typing import Any

import numpy as np

from ...errors import NoRuleError, calling_place
from ...origin import is_users_class
from ...tangents import check_numbers, ghost, unbroadcast
from ...tangents.fields import record_fields
from ..registry import Numeric, non_differentiable, not_implemented, rule
from .lifting import refuse
from .linear import carried, cast, nested, scatter


def _made_back(y, source):
    """ȳ in the structure of what the array was made of."""
    if type(getattr(type(source), "__array__", None)) is FunctionType and is_users_class(type(source)):
        raise _of_own_array(type(source))
    flows = _flows(source, y.dtype)
    like = ghost(source) if flows else None

    def made_back(y_bar):
        return (nested(y_bar, like) if flows else None,)

    return made_back


def _of_own_array(cls):
    """The refusal of an object that says by a method which array is made of it: a recording calls that."""
    return NoRuleError(
        f"an array is made of a `{cls.__name__}` by its `__array__`",
        "NumPy runs it by itself, so that it is not followed",
        "call it by its name: `np.asarray(x.__array__())`",
        calling_place(),
    )


def _flows(source, target):
    """Tell whether what an array was made of is differentiated through it: `carried`, also of nested lists."""
    if isinstance(source, np.ndarray | np.generic):
        return carried(source.dtype, target)
    if target.kind in "OV":
        if _holds_numbers(source):
            check_numbers(target)
        return False
    return target.kind in "fc" or target == np.asarray(source).dtype


def _holds_numbers(x):
    """Tell whether there are numbers in a structure, or functions and objects that may hold some."""
    if isinstance(x, list | tuple):
        return any(map(_holds_numbers, x))
    if x is None or isinstance(x, str | bytes | bool):
        return False
    return isinstance(x, Numeric | dict) or callable(x) or record_fields(x) is not None


@rule(np.array, linear="object")
def array_rule(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, like=None):
    """y = the array of nested lists, tuples, arrays and numbers; ȳ is given back in that structure."""
    y = np.array(object, dtype, copy=copy, order=order, ndmin=ndmin)
    back = _made_back(y, object)
    added = y.ndim - np.ndim(object) if ndmin else 0

    def array_back(y_bar):
        return back(y_bar if added == 0 else np.reshape(y_bar, y.shape[added:]))

    return y, array_back


@rule(np.asarray, np.asanyarray, linear="a")
def asarray_rule(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    """y = a as an array."""
    y = np.asarray(a, dtype, order, copy=copy)
    return y, _made_back(y, a)


@rule(np.asarray_chkfinite, linear="a")
def asarray_chkfinite_rule(a, dtype=None, order=None):
    """y = a as an array, whose numbers are found to be finite."""
    y = np.asarray_chkfinite(a, dtype, order)
    return y, _made_back(y, a)


@rule(np.from_dlpack, linear="x")
def from_dlpack_rule(x: np.ndarray, /, *, device=None, copy=None):
    """y = x, handed over by a protocol."""
    kind, options = x.dtype, {k: v for k, v in (("device", device), ("copy", copy)) if v is not None}

    def from_dlpack_back(y_bar):
        return (cast(y_bar, kind),)

    return np.from_dlpack(x, **options), from_dlpack_back


@rule(np.frombuffer)
def frombuffer_rule(buffer: np.ndarray, dtype=float, count=-1, offset=0, *, like=None):
    """y = the numbers in the memory of an array, from some place on."""
    y = np.frombuffer(buffer, dtype, count, offset)
    shape, kind, size = buffer.shape, buffer.dtype, buffer.size
    if y.dtype != kind or offset % kind.itemsize:
        refuse("np.frombuffer", "it reads the same bits in another way", "use astype")
    start = offset // kind.itemsize
    places = slice(start, start + y.size)

    def frombuffer_back(y_bar):
        if buffer.flags.f_contiguous and not buffer.flags.c_contiguous:
            return (np.reshape(scatter(y_bar, places, (size,), kind), shape, order="F"),)
        return (np.reshape(scatter(y_bar, places, (size,), kind), shape),)

    return y, frombuffer_back


@rule(np.ascontiguousarray, linear="a")
def ascontiguousarray_rule(a, dtype=None, *, like=None):
    """y = a, one row after the other in memory."""
    y = np.ascontiguousarray(a, dtype)
    back = _made_back(y, a)
    shape = np.shape(a)

    def ascontiguousarray_back(y_bar):
        return back(np.reshape(y_bar, shape))

    return y, ascontiguousarray_back


@rule(np.asfortranarray, linear="a")
def asfortranarray_rule(a, dtype=None, *, like=None):
    """y = a, one column after the other in memory."""
    y = np.asfortranarray(a, dtype)
    back = _made_back(y, a)
    shape = np.shape(a)

    def asfortranarray_back(y_bar):
        return back(np.reshape(y_bar, shape))

    return y, asfortranarray_back


@rule(np.full, linear="fill_value")
def full_rule(shape: Any, fill_value: Any, dtype=None, order="C", *, device=None, like=None):
    """yᵢ = v, so v̄ = Σ ȳᵢ."""
    y = np.full(shape, fill_value, dtype, order)
    return y, _filled_back(y, fill_value)


@rule(np.full_like, linear="fill_value | a")
def full_like_rule(a: Any, fill_value: Any, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """yᵢ = v in the shape of a, so v̄ = Σ ȳᵢ."""
    y = np.full_like(a, fill_value, dtype, order, subok, shape)
    return y, _filled_back(y, fill_value)


def _filled_back(y, fill_value):
    flows = _flows(fill_value, y.dtype)

    def filled_back(y_bar):
        if not flows:
            return None, None
        return None, nested(unbroadcast(y_bar, np.asarray(fill_value)), fill_value)

    return filled_back


non_differentiable(np.fromfile, np.fromregex, np.memmap)

not_implemented(
    np.asmatrix,
    np.bmat,
    np.matrix,
    np.recarray,
    why="objects of this class multiply, or hold, otherwise than arrays do, and have no rules",
    way_out="use arrays of `np.ndarray`",
)
not_implemented(
    np.nditer,
    np.nested_iters,
    np.broadcast,
    why="what such an iterator gives is not followed to the arrays that it runs through",
    way_out="loop over the arrays themselves, or use `np.ndenumerate` and `np.broadcast_arrays`",
)
