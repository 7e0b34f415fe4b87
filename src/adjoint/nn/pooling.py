"""Pooling of batches: the largest entry of each window, and the mean.

Both are sums over the entries of a window, y[p] = Σₖ aₖ[p] x[s p + k], in which the shares a are known: 1 / n for a
mean, and for the largest entry 1 where it stands, or equal parts where it stands at several places. This sum and its
transpose are linear, and each other's derivatives.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from adjoint import rule
from adjoint.errors import OptionError, calling_place
from adjoint.nn.places import layer_here
from adjoint.nn.windows import Padding, Size, Windows, check_options, each, rank_of, windows_of
from adjoint.rules import non_differentiable

Back = Callable[[Any], tuple[Any, ...]]


def max_pool(x: Any, kernel: Size, *, stride: Size | None = None, padding: Padding = "valid") -> Any:
    """The largest entry of each window: y[n, p, c] = maxₖ x[n, s p + k, c].

    Where it stands at several places, they share its cotangent equally, as for `np.max`; PyTorch gives all of it to the
    first.

    Parameters
    ----------
    x : (samples, *spatial, channels), with as many spatial axes as the kernel has numbers.
    kernel : the size of a window along each axis; one number for all of them.
    stride : s, by how much windows are apart; the kernel if not given.
    padding : as `conv` has it; margins are smaller than the kernel, and are never the largest.

    Returns
    -------
    (samples, *windows, channels).

    Raises
    ------
    ShapeError
        If the array has another number of axes, or is smaller than the kernel.
    OptionError
        If an option has a value that it does not take.

    Examples
    --------
    >>> max_pool(np.array([1.0, 3.0, 2.0, -1.0]).reshape(1, 4, 1), (2,))[0, :, 0]
    array([3., 2.])
    """
    x = np.asarray(x)
    return pooled(x, pools_of(x, kernel, stride, padding))


def avg_pool(
    x: Any,
    kernel: Size,
    *,
    stride: Size | None = None,
    padding: Padding = "valid",
    count_include_pad: bool = True,
) -> Any:
    """The mean of each window: y[n, p, c] = 1/|K| Σₖ x[n, s p + k, c].

    Parameters
    ----------
    x, kernel, stride, padding : as `max_pool` has them.
    count_include_pad : whether the zeros of the margins are counted; else a mean is of the entries of the array alone.

    Returns
    -------
    (samples, *windows, channels).

    Raises
    ------
    ShapeError, OptionError
        As `max_pool` does.

    Examples
    --------
    >>> x = np.array([1.0, 3.0, 2.0]).reshape(1, 3, 1)
    >>> avg_pool(x, (2,), padding=((0, 1),))[0, :, 0]
    array([2., 1.])
    >>> avg_pool(x, (2,), padding=((0, 1),), count_include_pad=False)[0, :, 0]
    array([2., 2.])
    """
    x = np.asarray(x)
    windows = pools_of(x, kernel, stride, padding)
    return weighted(x, mean_shares(x, windows, count_include_pad), windows)


def pools_of(x: Any, kernel: Size, stride: Size | None, padding: Padding) -> Windows:
    """The windows of a pooling, each of which has an entry of the array."""
    kernel = each("kernel", kernel, rank_of(kernel) if isinstance(kernel, tuple | list) else max(np.ndim(x) - 2, 1))
    windows = windows_of(x, kernel, kernel if stride is None else stride, padding)
    if any([max(pads) >= k for pads, k in zip(windows.pads, windows.kernel, strict=True)]):
        raise OptionError(
            f"`padding` is {padding!r} for a kernel of {kernel}{layer_here()}",
            "windows would lie in the margins alone",
            "take margins that are smaller than the kernel",
            calling_place(),
        )
    return windows


def check_pooling(kernel: Any, stride: Any, padding: Any) -> None:
    """Raise `OptionError` unless options are such of a pooling, of as many axes as the kernel has if it is a tuple."""
    rank = rank_of(kernel) if isinstance(kernel, tuple | list) else None
    check_options(rank, kernel=kernel, stride=1 if stride is None else stride, padding=padding)


def pooled(x: Any, windows: Windows) -> Any:
    """The largest entries of windows that are known: along one axis after the other."""
    y = windows.padded(x, least(x))
    for axis, (k, s, n) in enumerate(zip(windows.kernel, windows.stride, windows.out, strict=True), start=1):
        before = (slice(None),) * axis
        parts = [y[(*before, slice(i, i + (n - 1) * s + 1, s))] for i in range(k)]
        y = parts[0].copy() if k == 1 else np.maximum(parts[0], parts[1])
        for part in parts[2:]:
            np.maximum(y, part, out=y)
    return y


def pooled_tangent(dots: Any, y: Any, x: Any, windows: Any) -> Any:
    """ẏ[p] = Σₖ aₖ[p] ẋ[s p + k]."""
    return weighted(dots[0], largest_shares(x, y, windows), windows)


@rule(pooled, forward=pooled_tangent)
def pooled_rule(x: Any, windows: Any) -> tuple[Any, Back]:
    """The places of the largest entry share its cotangent."""
    y = pooled(x, windows)
    return y, lambda y_bar: (spread(y_bar, largest_shares(x, y, windows), windows), None)


def weighted(x: Any, shares: list[Any], windows: Windows) -> Any:
    """y[p] = Σₖ aₖ[p] x[s p + k], for shares of entries that broadcast with y."""
    whole, y = windows.padded(x), None
    for (_, place), share in zip(windows.offsets(), shares, strict=True):
        term = whole[place] * share
        y = term if y is None else np.add(y, term, out=y)
    return y


@rule(weighted, linear="x | shares windows")
def weighted_rule(x: Any, shares: Any, windows: Any) -> tuple[Any, Back]:
    """x̄ is the transpose of this sum."""
    return weighted(x, shares, windows), lambda y_bar: (spread(y_bar, shares, windows), None, None)


def spread(y_bar: Any, shares: list[Any], windows: Windows) -> Any:
    """x̄[s p + k] = Σ aₖ[p] ȳ[p], over the windows that have the entry."""
    whole = windows.margins(y_bar)
    axes = zip(windows.stride, windows.kernel, windows.dilation, strict=True)
    apart = all([s > (k - 1) * d for s, k, d in axes])
    for (_, place), share in zip(windows.offsets(), shares, strict=True):
        if apart:  # each entry is in one window at most
            np.multiply(y_bar, share, out=whole[place])
        else:
            whole[place] += y_bar * share
    return whole[windows.inner()]


@rule(spread, linear="y_bar | shares windows")
def spread_rule(y_bar: Any, shares: Any, windows: Any) -> tuple[Any, Back]:
    """ȳ gets the sum of what flows to the entries of its window."""
    return spread(y_bar, shares, windows), lambda d: (weighted(d, shares, windows), None, None)


def largest_shares(x: Any, y: Any, windows: Windows) -> list[Any]:
    """For each entry of a window 1 where it alone is the largest, equal parts where several are, and 0 elsewhere.

    Where the largest is nan, the entries that are nan have nan, as for `np.max`.
    """
    whole = windows.padded(x, least(x))
    entries = [whole[place] for _, place in windows.offsets()]
    are_largest = [entry == y for entry in entries]
    counts = np.zeros(y.shape, np.min_scalar_type(len(entries)))
    for flags in are_largest:
        counts += flags
    if not counts.size or counts.min() == counts.max() == 1:
        return are_largest
    parts = np.reciprocal(np.maximum(counts, 1), dtype=y.dtype if y.dtype.kind == "f" else np.float64)
    shares = [flags * parts for flags in are_largest]
    if counts.min() > 0:
        return shares
    return [np.where(np.isnan(entry), np.nan, share) for entry, share in zip(entries, shares, strict=True)]


def mean_shares(x: Any, windows: Windows, count_include_pad: bool) -> list[Any]:
    """For each entry of a window what it counts for in the mean."""
    n = math.prod(windows.kernel)
    if count_include_pad or not any(map(any, windows.pads)):
        return [1 / n] * n
    dtype = x.dtype
    ones = windows.padded(np.ones((1, *windows.spatial, 1), dtype if dtype.kind == "f" else np.float64))
    counts = sum([ones[place] for _, place in windows.offsets()])
    return [1 / counts] * n


def least(x: Any) -> Any:
    """The least number of the dtype of `x`."""
    dtype = x.dtype
    if dtype.kind == "f":
        return -np.inf
    return np.iinfo(dtype).min if dtype.kind in "iu" else 0


non_differentiable(pools_of, check_pooling, largest_shares, mean_shares)
