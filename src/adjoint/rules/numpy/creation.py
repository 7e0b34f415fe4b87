"""Arrays made of numbers, of nested lists, or of their end points."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from typing import Any

import numpy as np

from ...tangents import check_numbers, unbroadcast
from ...tangents.zeros import record_fields
from ..registry import Numeric, rule
from .linear import carried, ghost, nested


def _made_back(y, source):
    """ȳ in the structure of what the array was made of."""
    flows = _flows(source, y.dtype)
    like = ghost(source) if flows else None

    def made_back(y_bar):
        return (nested(y_bar, like) if flows else None,)

    return made_back


def _flows(source, target):
    """Whether what an array was made of is differentiated through it: `carried`, also of nested lists."""
    if isinstance(source, np.ndarray | np.generic):
        return carried(source.dtype, target)
    if target.kind in "OV":
        if _holds_numbers(source):
            check_numbers(target)
        return False
    return target.kind in "fc" or target == np.asarray(source).dtype


def _holds_numbers(x):
    """Whether there are numbers in a structure, or functions and objects that may hold some."""
    if isinstance(x, list | tuple):
        return any(map(_holds_numbers, x))
    if x is None or isinstance(x, str | bytes | bool):
        return False
    return isinstance(x, Numeric | dict) or callable(x) or record_fields(x) is not None


@rule(np.array, returns="array")
def array_rule(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, like=None):
    """y = the array of nested lists, tuples, arrays and numbers; ȳ is given back in that structure."""
    y = np.array(object, dtype, copy=copy, order=order, ndmin=ndmin)
    back = _made_back(y, object)
    added = y.ndim - np.ndim(object) if ndmin else 0

    def array_back(y_bar):
        return back(y_bar if added == 0 else np.reshape(y_bar, y.shape[added:]))

    return y, array_back


@rule(np.asarray, np.asanyarray, returns="array")
def asarray_rule(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    """y = a as an array."""
    y = np.asarray(a, dtype, order, copy=copy)
    return y, _made_back(y, a)


@rule(np.ascontiguousarray, returns="array")
def ascontiguousarray_rule(a, dtype=None, *, like=None):
    """y = a, one row after the other in memory."""
    y = np.ascontiguousarray(a, dtype)
    back = _made_back(y, a)
    shape = np.shape(a)

    def ascontiguousarray_back(y_bar):
        return back(np.reshape(y_bar, shape))

    return y, ascontiguousarray_back


@rule(np.asfortranarray, returns="array")
def asfortranarray_rule(a, dtype=None, *, like=None):
    """y = a, one column after the other in memory."""
    y = np.asfortranarray(a, dtype)
    back = _made_back(y, a)
    shape = np.shape(a)

    def asfortranarray_back(y_bar):
        return back(np.reshape(y_bar, shape))

    return y, asfortranarray_back


@rule(np.full, returns="array")
def full_rule(shape: Any, fill_value: Any, dtype=None, order="C", *, device=None, like=None):
    """yᵢ = v, so v̄ = Σ ȳᵢ."""
    y = np.full(shape, fill_value, dtype, order)
    return y, _filled_back(y, fill_value)


@rule(np.full_like, returns="array")
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


# From one point to another


def _ends_back(start, stop, num, endpoint, axis, slope=1.0):
    """The back of y = g((1 - t) start + t stop) with the derivative `slope` of g."""

    def ends_back(y_bar):
        d = np.moveaxis(y_bar * slope, axis, 0)
        t = np.arange(num) / max(num - 1 if endpoint else num, 1)
        t = np.reshape(t, (-1,) + (1,) * (d.ndim - 1))
        start_bar = unbroadcast(np.sum(d * (1 - t), axis=0), np.asarray(start))
        return nested(start_bar, start), nested(unbroadcast(np.sum(d * t, axis=0), np.asarray(stop)), stop)

    return ends_back


@rule(np.linspace, returns="array")
def linspace_rule(start: Any, stop: Any, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None):
    """yₖ = (1 - tₖ) a + tₖ b, so ā = Σ ȳₖ (1 - tₖ) and b̄ = Σ ȳₖ tₖ."""
    result = np.linspace(start, stop, num, endpoint, retstep, dtype, axis)
    back = _ends_back(start, stop, num, endpoint, axis)

    def linspace_back(y_bar):
        if not retstep:
            return back(y_bar)
        steps = num - 1 if endpoint else num
        bars = (None, None) if y_bar[0] is None else back(y_bar[0])
        if y_bar[1] is None or steps < 1:
            return bars
        d = y_bar[1] / steps
        return tuple(d * sign if bar is None else bar + d * sign for bar, sign in zip(bars, (-1, 1), strict=True))

    return result, linspace_back


@rule(np.logspace, returns="array")
def logspace_rule(start: Any, stop: Any, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """yₖ = bˣᵏ for xₖ as in `np.linspace`."""
    y = np.logspace(start, stop, num, endpoint, base, dtype, axis)
    return y, _ends_back(start, stop, num, endpoint, axis, np.log(base) * y)


@rule(np.geomspace, returns="array")
def geomspace_rule(start: Any, stop: Any, num=50, endpoint=True, dtype=None, axis=0):
    """log yₖ = (1 - tₖ) log a + tₖ log b."""
    y = np.geomspace(start, stop, num, endpoint, dtype, axis)
    back = _ends_back(start, stop, num, endpoint, axis, y)

    def geomspace_back(y_bar):
        start_bar, stop_bar = back(y_bar)
        return start_bar / start, stop_bar / stop

    return y, geomspace_back


def _counted_back(k, start, step):
    def counted_back(y_bar):
        return unbroadcast(np.sum(y_bar), start), unbroadcast(np.sum(y_bar * k), step)

    return counted_back


@rule(np.arange, returns="array")
def arange_rule(start: Any, stop: Any, step: Any, dtype=None, *, device=None, like=None):
    """yₖ = a + k s, so ā = Σ ȳₖ and s̄ = Σ k ȳₖ; the stop only counts."""
    y = np.arange(start, stop, step, dtype)
    back = _counted_back(np.arange(len(y)), start, step)

    def arange_back(y_bar):
        start_bar, step_bar = back(y_bar)
        return start_bar, None, step_bar

    return y, arange_back


@rule(np.arange, returns="array")
def arange_from_rule(start: Any, stop: Any, *, dtype=None, device=None, like=None):
    """`np.arange(a, b)`: yₖ = a + k."""

    def arange_from_back(y_bar):
        return unbroadcast(np.sum(y_bar), start), None

    return np.arange(start, stop, dtype=dtype), arange_from_back


@rule(np.arange)
def arange_to_rule(stop: Any, *, dtype=None, device=None, like=None):
    """`np.arange(n)` only counts."""

    def arange_to_back(y_bar):
        return (None,)

    return np.arange(stop, dtype=dtype), arange_to_back


@rule(np.meshgrid)
def meshgrid_rule(*xi, copy=True, sparse=False, indexing="xy"):
    """Coordinates repeated over a grid, so each gets the sum of its ȳ over the other axes."""
    likes = [ghost(x) for x in xi]

    def meshgrid_back(y_bar):
        bars = []
        for i, (like, d) in enumerate(zip(likes, y_bar, strict=True)):
            along = 1 - i if indexing == "xy" and i < 2 and len(likes) > 1 else i
            others = None if d is None else tuple(j for j in range(d.ndim) if j != along)
            bars.append(None if d is None else nested(np.reshape(np.sum(d, axis=others), np.shape(like)), like))
        return tuple(bars)

    return np.meshgrid(*xi, copy=copy, sparse=sparse, indexing=indexing), meshgrid_back
