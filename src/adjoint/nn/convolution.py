"""Convolutions of batches, as one product of matrices for each part of a batch.

The array is written out as a matrix whose rows are its windows (K. Chellapilla, S. Puri and P. Simard, "High
performance convolutional neural networks for document processing", 2006), some samples at a time, so that the matrix is
small. Three maps are bilinear, and each has its derivatives in the other two: the output by array and weight, the
cotangent of the array by that of the output and the weight, and that of the weight by the array and that of the output.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from adjoint import rule
from adjoint.errors import OptionError, ShapeError, calling_place
from adjoint.nn.arguments import is_whole
from adjoint.nn.places import layer_here
from adjoint.nn.pooling import spread, weighted
from adjoint.nn.windows import Padding, Size, Windows, windows_of
from adjoint.rules import non_differentiable

Back = Callable[[Any], tuple[Any, ...]]
Needs = tuple[bool, ...]

PART = 1 << 20
"""Bytes of windows that are written out at a time, if a single sample has no more: they stay in the cache."""
KEPT = 1 << 24
"""Bytes of freed memory that the process keeps, from the first convolution on."""
NARROW = 5
"""Below so many adjacent entries a window is written out entry by entry, for all windows at once."""


def conv(
    x: Any,
    weight: Any,
    bias: Any = None,
    *,
    stride: Size = 1,
    padding: Padding = "valid",
    dilation: Size = 1,
    groups: int = 1,
) -> Any:
    """The convolution of a batch with a weight: y[n, p, o] = Σₖ Σᵢ x[n, s p + d k, i] w[k, i, o] + b[o].

    As everywhere in this field the kernel is not turned around (V. Dumoulin and F. Visin, "A guide to convolution
    arithmetic for deep learning", 2016).

    Parameters
    ----------
    x : (samples, *spatial, inputs), with as many spatial axes as the kernel has.
    weight : (*kernel, inputs / groups, outputs).
    bias : (outputs,), or `None`.
    stride : s, by how much windows are apart; a number, or one for each axis.
    padding : zeros around the array: `"valid"` none, `"same"` so many that there are ⌈n / s⌉ windows, a number for both
        sides of all axes, or for each axis a number or a pair (before, after).
    dilation : d, by how much the entries of a window are apart.
    groups : in how many groups inputs and outputs are divided, each convolved by itself.

    Returns
    -------
    (samples, *windows, outputs), with ⌊(n + padding - d (k - 1) - 1) / s⌋ + 1 windows along an axis.

    Raises
    ------
    ShapeError
        If shapes do not fit.
    OptionError
        If an option has a value that it does not take.

    Examples
    --------
    >>> x = np.arange(5.0).reshape(1, 5, 1)
    >>> conv(x, np.array([-1.0, 1.0]).reshape(2, 1, 1))[0, :, 0]
    array([1., 1., 1., 1.])
    >>> conv(x, np.ones((3, 1, 2)), stride=2, padding="same").shape
    (1, 3, 2)
    """
    x, weight = np.asarray(x), np.asarray(weight)
    check_channels(x, weight, bias, groups)
    windows = windows_of(x, np.shape(weight)[:-2], stride, padding, dilation)
    if bias is None:
        return convolved(x, weight, windows, groups)
    return affine(x, weight, bias, windows, groups)


def check_channels(x: Any, weight: Any, bias: Any, groups: int) -> None:
    """Raise an error unless the channels of an array, a weight and a bias fit."""
    if np.ndim(weight) < 3:
        raise ShapeError(
            f"a weight of shape {np.shape(weight)}",
            "it has the axes of the kernel, one or more, and then those of inputs and outputs",
            "give a weight of shape (*kernel, inputs / groups, outputs)",
            calling_place(),
        )
    inputs, outputs = np.shape(weight)[-2:]
    if not is_whole(groups) or groups < 1 or outputs % groups:
        raise OptionError(
            f"`groups` is {groups!r}, and there are {outputs} outputs",
            "each group has the same number of outputs",
            "give a number that divides inputs and outputs",
            calling_place(),
        )
    if np.ndim(x) and np.shape(x)[-1] != inputs * groups:
        raise ShapeError(
            f"an array of shape {np.shape(x)} for a weight of shape {np.shape(weight)}{layer_here()}",
            f"the weight takes {inputs * groups} channels, which come last",
            f"give an array whose last axis has the length {inputs * groups}",
            calling_place(),
        )
    if bias is not None and np.shape(bias) != (outputs,):
        raise ShapeError(
            f"a bias of shape {np.shape(bias)} for a weight of shape {np.shape(weight)}",
            f"there are {outputs} outputs",
            f"give a bias of shape ({outputs},)",
            calling_place(),
        )


non_differentiable(check_channels)


def affine(x: Any, weight: Any, bias: Any, windows: Windows, groups: int) -> Any:
    """The convolution with windows that are known, and a bias."""
    y, bias = convolved(x, weight, windows, groups), np.asarray(bias)
    if np.result_type(y, bias) != y.dtype or not y.flags.c_contiguous:  # a sum of products has the layout of the array
        return y + bias
    wide = y.reshape(math.prod(y.shape[:-2]), y.shape[-2] * y.shape[-1])
    wide += np.tile(bias, y.shape[-2])  # as long rows: an axis of few channels is slow
    return y


def affine_tangent(dots: Any, y: Any, x: Any, weight: Any, bias: Any, windows: Any, groups: Any) -> Any:
    """ẏ = conv(ẋ, w) + conv(x, ẇ) + ḃ."""
    x_dot, weight_dot, bias_dot = dots[:3]
    y_dot = np.zeros_like(y) if bias_dot is None else np.broadcast_to(bias_dot, np.shape(y))
    if x_dot is not None:
        y_dot = y_dot + convolved(x_dot, weight, windows, groups)
    return y_dot if weight_dot is None else y_dot + convolved(x, weight_dot, windows, groups)


@rule(affine, forward=affine_tangent)
def affine_rule(
    x: Any, weight: Any, bias: Any, windows: Any, groups: Any, *, needs: Needs = (True, True, True)
) -> tuple[Any, Back]:
    """b̄[o] = Σ ȳ[n, p, o]; the others as without a bias."""

    def affine_back(y_bar: Any) -> tuple[Any, ...]:
        x_bar = in_kind_of(input_bar(y_bar, weight, windows, groups), x) if needs[0] else None
        weight_bars = in_kind_of(weight_bar(x, y_bar, windows, groups), weight) if needs[1] else None
        # over the samples first: of few channels at a time sums are slow, and less exact
        total = np.sum(np.sum(y_bar, 0), tuple(range(np.ndim(y_bar) - 2)))
        return x_bar, weight_bars, in_kind_of(total, bias), None, None

    return affine(x, weight, bias, windows, groups), affine_back


def convolved(x: Any, weight: Any, windows: Windows, groups: int) -> Any:
    """The convolution with windows that are known."""
    _keep_memory()
    x, weight = np.asarray(x), np.asarray(weight)
    if _is_channelwise(weight, groups):
        return weighted(x, _shares(weight, windows), windows)
    y = np.empty((len(x), *windows.out, weight.shape[-1]), np.result_type(x, weight))
    matrix = _of_groups(weight, groups)
    for part in _parts(x, windows):
        np.matmul(_rows(windows.padded(x[part]), windows, groups), matrix, out=_of_groups(y[part], groups))
    return y


@rule(convolved, linear="x weight")
def convolved_rule(x: Any, weight: Any, windows: Any, groups: Any, *, needs: Needs = (True, True)) -> tuple[Any, Back]:
    """Each cotangent is linear in that of the output, and in the other argument."""

    def convolved_back(y_bar: Any) -> tuple[Any, ...]:
        x_bar = in_kind_of(input_bar(y_bar, weight, windows, groups), x) if needs[0] else None
        return x_bar, in_kind_of(weight_bar(x, y_bar, windows, groups), weight) if needs[1] else None, None, None

    return convolved(x, weight, windows, groups), convolved_back


def input_bar(y_bar: Any, weight: Any, windows: Windows, groups: int) -> Any:
    """x̄[n, s p + d k, i] = Σₒ ȳ[n, p, o] w[k, i, o]*, summed over the windows that have the entry."""
    y_bar, weight = np.asarray(y_bar), _conjugate(np.asarray(weight))
    if _is_channelwise(weight, groups):
        return spread(y_bar.astype(np.result_type(y_bar, weight), copy=False), _shares(weight, windows), windows)
    turned = _turned(windows)
    if turned is not None:
        return convolved(y_bar, _turned_weight(weight, groups), turned, groups)
    x_bar = np.empty((len(y_bar), *windows.spatial, weight.shape[-2] * groups), np.result_type(y_bar, weight))
    matrix = _of_groups(weight, groups).swapaxes(-1, -2)
    for part in _parts(x_bar, windows):
        whole = windows.margins(x_bar[part])
        rows = _of_groups(y_bar[part], groups) @ matrix
        entries = rows.reshape(groups, len(whole), *windows.out, *windows.kernel, weight.shape[-2])
        sums = _split(whole, groups)
        for entry, place in windows.offsets():
            sums[(slice(None), *place)] += entries[(..., *entry, slice(None))]
        x_bar[part] = whole[windows.inner()]
    return x_bar


@rule(input_bar, linear="y_bar weight")
def input_bar_rule(
    y_bar: Any, weight: Any, windows: Any, groups: Any, *, needs: Needs = (True, True)
) -> tuple[Any, Back]:
    """ȳ gets the convolution of what flows here, and the weight what it gets where that is the array."""

    def input_bar_back(d: Any) -> tuple[Any, ...]:
        first = in_kind_of(convolved(d, weight, windows, groups), y_bar) if needs[0] else None
        return first, in_kind_of(weight_bar(d, y_bar, windows, groups), weight) if needs[1] else None, None, None

    return input_bar(y_bar, weight, windows, groups), input_bar_back


def weight_bar(x: Any, y_bar: Any, windows: Windows, groups: int) -> Any:
    """w̄[k, i, o] = Σₙ Σₚ x[n, s p + d k, i]* ȳ[n, p, o]."""
    x, y_bar = np.asarray(x), np.asarray(y_bar)
    inputs, outputs = x.shape[-1] // groups, y_bar.shape[-1]
    if inputs == 1 and groups == outputs:
        whole, axes = _conjugate(windows.padded(x)), [*range(x.ndim)]
        sums = [np.einsum(whole[place], axes, y_bar, axes, axes[-1:]) for _, place in windows.offsets()]
        return np.reshape(sums, (*windows.kernel, 1, outputs))
    total = np.zeros((groups, math.prod(windows.kernel) * inputs, outputs // groups), np.result_type(x, y_bar))
    for part in _parts(x, windows):
        rows = _conjugate(_rows(windows.padded(x[part]), windows, groups))
        total += rows.swapaxes(-1, -2) @ _of_groups(y_bar[part], groups)
    return total.swapaxes(0, 1).reshape(*windows.kernel, inputs, outputs)


@rule(weight_bar, linear="x y_bar")
def weight_bar_rule(x: Any, y_bar: Any, windows: Any, groups: Any, *, needs: Needs = (True, True)) -> tuple[Any, Back]:
    """ȳ gets the convolution with what flows here, and the array what it gets where that is the weight."""

    def weight_bar_back(d: Any) -> tuple[Any, ...]:
        first = in_kind_of(input_bar(y_bar, d, windows, groups), x) if needs[0] else None
        return first, in_kind_of(convolved(x, d, windows, groups), y_bar) if needs[1] else None, None, None

    return weight_bar(x, y_bar, windows, groups), weight_bar_back


def _is_channelwise(weight: Any, groups: int) -> bool:
    """True where each channel is convolved by itself: then there are no products of matrices, and sums are quicker."""
    return bool(weight.shape[-2] == 1 and groups == weight.shape[-1])


def _shares(weight: Any, windows: Windows) -> list[Any]:
    """For each entry of the kernel what each channel is multiplied with, at each place of a row: rows are long."""
    entries = weight.reshape(math.prod(weight.shape[:-1]), 1, weight.shape[-1])
    return list(np.tile(entries, (1, windows.out[-1], 1)))


def _turned(windows: Windows) -> Windows | None:
    """The windows of the convolution that is the transpose of one, where that is one: for windows side by side."""
    reach = [(k - 1) * d for k, d in zip(windows.kernel, windows.dilation, strict=True)]
    pads = tuple([(r - low, r - high) for r, (low, high) in zip(reach, windows.pads, strict=True)])
    if max(windows.stride) > 1 or min(map(min, pads)) < 0:
        return None
    return windows._replace(spatial=windows.out, pads=pads, out=windows.spatial)


def _turned_weight(weight: Any, groups: int) -> Any:
    """The weight with its kernel turned around, and inputs and outputs exchanged in each group."""
    *kernel, inputs, outputs = weight.shape
    turned = weight[(slice(None, None, -1),) * len(kernel)].reshape(*kernel, inputs, groups, outputs // groups)
    return turned.swapaxes(-1, -3).reshape(*kernel, outputs // groups, groups * inputs)


def in_kind_of(bar: Any, x: Any) -> Any:
    """A cotangent in the precision of what it is of: real for real numbers, as it is for integers."""
    like = np.asarray(x).dtype
    if bar.dtype == like or like.kind not in "fc":
        return bar
    return (bar.real if like.kind == "f" and bar.dtype.kind == "c" else bar).astype(like)


def _parts(x: Any, windows: Windows) -> Iterator[slice]:
    """Some samples after the other, so that their windows are no more than `PART` bytes."""
    size = math.prod(windows.out) * math.prod(windows.kernel) * x.shape[-1] * x.dtype.itemsize
    step = max(PART // max(size, 1), 1)
    for start in range(0, len(x), step):
        yield slice(start, start + step)


def _rows(x: Any, windows: Windows, groups: int) -> Any:
    """The windows of a padded array, one a row: (groups, samples · windows, entries of a window)."""
    x = np.ascontiguousarray(_split(x, groups))  # what a group has in a window lies together
    spatial, channels = x.strides[2:-1], x.shape[-1]
    apart = [s * n for s, n in zip(windows.stride, spatial, strict=True)]
    within = [d * n for d, n in zip(windows.dilation, spatial, strict=True)]
    shape = (*x.shape[:2], *windows.out, *windows.kernel, channels)
    view = as_strided(x, shape, (*x.strides[:2], *apart, *within, x.strides[-1]), writeable=False)
    adjacent = channels * (windows.kernel[-1] if windows.dilation[-1] == 1 else 1)
    if adjacent < NARROW:
        rows = np.empty(shape, x.dtype)
        for entry in np.ndindex(*windows.kernel, channels):
            rows[(..., *entry)] = view[(..., *entry)]
        view = rows
    return view.reshape(groups, math.prod(shape[1 : 2 + len(spatial)]), math.prod(shape[2 + len(spatial) :]))


def _split(x: Any, groups: int) -> Any:
    """The channels in groups, which come first: (groups, samples, *spatial, channels of a group)."""
    if groups == 1:
        return x[None]
    return np.moveaxis(x.reshape(*x.shape[:-1], groups, x.shape[-1] // groups), -2, 0)


def _of_groups(y: Any, groups: int) -> Any:
    """Outputs in groups: (groups, samples · windows, outputs of a group); of a weight (groups, entries, outputs)."""
    return y.reshape(math.prod(y.shape[:-1]), groups, y.shape[-1] // groups).swapaxes(0, 1)


@functools.cache
def _keep_memory() -> None:
    """Let what is freed be used again.

    glibc gives freed memory back to the system beyond twice the largest block that has been freed, and each page that
    comes again costs a fault: half of the time of a step of a small network. A block is asked for, and not touched.
    """
    np.empty(KEPT, np.uint8)


def _conjugate(x: Any) -> Any:
    return x.conj() if x.dtype.kind == "c" else x
