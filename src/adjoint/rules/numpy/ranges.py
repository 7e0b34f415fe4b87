"""Arrays that go from one number to another, and the grids that are made of them."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from typing import Any

import numpy as np

from ...tangents import ghost, unbroadcast
from ..registry import non_differentiable, rule
from .lifting import composed, refuse
from .linear import carried, nested, scatter


def _ends_back(start, stop, num, endpoint, axis):
    """The back of y = (1 - t) start + t stop."""

    def ends_back(y_bar):
        d = np.moveaxis(y_bar, axis, 0)
        t = np.arange(num) / max(num - 1 if endpoint else num, 1)
        t = np.reshape(t, (-1,) + (1,) * (d.ndim - 1))
        start_bar = unbroadcast(np.sum(d * (1 - t), axis=0), np.asarray(start))
        return nested(start_bar, start), nested(unbroadcast(np.sum(d * t, axis=0), np.asarray(stop)), stop)

    return ends_back


def _added(a, b):
    """The sum of two cotangents, numbers, arrays or nested lists."""
    if a is None:
        return b
    if isinstance(a, list | tuple):
        return type(a)([_added(x, y) for x, y in zip(a, b, strict=True)])
    return a + b


@rule(np.linspace, linear="start+stop")
def linspace_rule(start: Any, stop: Any, num=50, endpoint=True, retstep=False, dtype=None, axis=0, *, device=None):
    """yₖ = (1 - tₖ) a + tₖ b, so ā = Σ ȳₖ (1 - tₖ) and b̄ = Σ ȳₖ tₖ."""
    result = np.linspace(start, stop, num, endpoint, retstep, dtype, axis)
    back = _ends_back(start, stop, num, endpoint, axis)
    whole = (result[0] if retstep else result).dtype.kind not in "fc"

    def linspace_back(y_bar):
        if whole and not retstep:
            return None, None
        if not retstep:
            return back(y_bar)
        steps = num - 1 if endpoint else num
        bars = (None, None) if y_bar[0] is None or whole else back(y_bar[0])
        if y_bar[1] is None or steps < 1:
            return bars
        return tuple(
            _added(bar, nested(unbroadcast(y_bar[1] * (sign / steps), np.asarray(end)), end))
            for bar, sign, end in zip(bars, (-1, 1), (start, stop), strict=True)
        )

    return result, linspace_back


@composed(np.logspace)
def logspace_by_powers(
    start: Any, stop: Any, num: Any = 50, endpoint: Any = True, base: Any = 10.0, dtype: Any = None, axis: Any = 0
) -> Any:
    """yₖ = bˣᵏ for xₖ as in `np.linspace`; with several bases they broadcast against the ends."""
    b = np.asarray(base)
    if b.ndim:
        ndim = max(np.ndim(start), np.ndim(stop), b.ndim)
        b = np.reshape(b, (1,) * (ndim - b.ndim) + b.shape)
        start = start + np.zeros((1,) * ndim)
        b = np.expand_dims(b, axis)
    y = np.power(b, np.linspace(start, stop, num, endpoint, axis=axis))
    return y if dtype is None else y.astype(dtype)


@composed(np.geomspace)
def geomspace_by_powers(
    start: Any, stop: Any, num: Any = 50, endpoint: Any = True, dtype: Any = None, axis: Any = 0
) -> Any:
    """yₖ = a (b / a)ᵗᵏ for tₖ from 0 to 1."""
    a, b = np.asarray(start), np.asarray(stop)
    ndim = max(a.ndim, b.ndim)
    t = np.reshape(_from_0_to_1(num, endpoint), (num,) + (1,) * ndim)
    y = np.moveaxis(a * (b / a) ** t, 0, axis)
    return y if dtype is None else y.astype(dtype)


def _from_0_to_1(num, endpoint):
    return np.arange(num) / max(num - 1 if endpoint else num, 1)


def _counted_back(k, start, step):
    def counted_back(y_bar):
        return unbroadcast(np.sum(y_bar), start), unbroadcast(np.sum(y_bar * k), step)

    return counted_back


@rule(np.arange)
def arange_rule(start: Any, stop: Any, step: Any, dtype=None, *, device=None, like=None):
    """yₖ = a + k s, so ā = Σ ȳₖ and s̄ = Σ k ȳₖ; the stop only counts."""
    y = np.arange(start, stop, step, dtype)
    back = _counted_back(np.arange(len(y)), start, step)
    flows = carried(np.result_type(start, stop, step), y.dtype)

    def arange_back(y_bar):
        if not flows:
            return None, None, None
        start_bar, step_bar = back(y_bar)
        return start_bar, None, step_bar

    return y, arange_back


@rule(np.arange)
def arange_from_rule(start: Any, stop: Any, *, dtype=None, device=None, like=None):
    """`np.arange(a, b)`: yₖ = a + k."""

    y = np.arange(start, stop, dtype=dtype)
    flows = carried(np.result_type(start, stop), y.dtype)

    def arange_from_back(y_bar):
        return unbroadcast(np.sum(y_bar), start) if flows else None, None

    return y, arange_from_back


@rule(np.arange)
def arange_to_rule(stop: Any, *, dtype=None, device=None, like=None):
    """`np.arange(n)` only counts."""

    def arange_to_back(y_bar):
        return (None,)

    return np.arange(stop, dtype=dtype), arange_to_back


@rule(np.meshgrid, linear="*xi")
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


@rule(type(np.r_).__getitem__)
def concatenator_rule(self: Any, key: Any):
    """`np.r_[x, 1.0, y]` and `np.c_[x, y]`: each array and number has its own part of ȳ; slices only count."""
    items = key if isinstance(key, tuple) else (key,)
    if isinstance(items[0], str) and (len(items) == 1 or items[0].strip("rc") != items[0]):
        refuse("np.r_", "it makes a matrix, of which the class says what its operations mean", "use np.concatenate")
    y = self[key]
    source, sizes = _sources(self, items)
    flows = [carried(np.asarray(item).dtype, y.dtype) and size > 0 for item, size in zip(items, sizes, strict=True)]
    ends = np.cumsum(sizes)

    def concatenator_back(y_bar):
        row = scatter(y_bar, source, (int(ends[-1]) + 1,), y.dtype)
        bars = [
            nested(np.reshape(row[end - size : end], np.shape(item)), item) if flow else None
            for item, size, end, flow in zip(items, sizes, ends, flows, strict=True)
        ]
        return None, tuple(bars) if isinstance(key, tuple) else bars[0]

    return y, concatenator_back


def _sources(concatenator, items):
    """For each entry of a result the number of the entry it is, counted through all items; the last stands for none."""
    sizes = [0 if isinstance(item, str | slice) else np.size(item) for item in items]
    total, start = sum(sizes), 0
    numbered: list[Any] = []
    for item, size in zip(items, sizes, strict=True):
        if isinstance(item, slice):
            numbered.append(np.full(np.r_[item].shape, total))
        elif isinstance(item, str):
            numbered.append(item)
        else:
            numbers = np.reshape(np.arange(start, start + size), np.shape(item))
            numbered.append(numbers if np.ndim(item) or isinstance(item, np.ndarray) else int(numbers))
        start += size
    return concatenator[tuple(numbered)], sizes


non_differentiable(_from_0_to_1, _sources)
