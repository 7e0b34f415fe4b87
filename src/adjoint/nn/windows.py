"""The places of the windows of a convolution or a pooling: kernels that are moved along the spatial axes of an array.

Arrays have the shape (samples, *spatial, channels), with one to three spatial axes or more.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from adjoint.errors import OptionError, ShapeError, calling_place
from adjoint.nn.arguments import is_whole
from adjoint.nn.places import layer_here
from adjoint.rules import non_differentiable

Size = int | tuple[int, ...]
"""A number for all spatial axes, or one for each."""
Padding = str | int | tuple[int | tuple[int, int], ...]
"""`"valid"`, `"same"`, entries on both sides of all axes, or for each axis a number or a pair (before, after)."""


class Windows(NamedTuple):
    """The windows of one shape of arrays: all has one entry for each spatial axis."""

    spatial: tuple[int, ...]
    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    dilation: tuple[int, ...]
    pads: tuple[tuple[int, int], ...]
    out: tuple[int, ...]

    def offsets(self) -> Iterator[tuple[tuple[int, ...], tuple[slice, ...]]]:
        """For each entry of the kernel its indices, and where the padded array has it for all windows."""
        for entry in product(*map(range, self.kernel)):
            starts = [i * d for i, d in zip(entry, self.dilation, strict=True)]
            axes = zip(starts, self.out, self.stride, strict=True)
            yield entry, (slice(None), *[slice(start, start + (n - 1) * s + 1, s) for start, n, s in axes])

    def padded(self, x: Any, fill: Any = 0) -> Any:
        """The array with its margins; itself if there are none."""
        if not any(map(any, self.pads)):
            return x
        shape = [n + sum(pads) for n, pads in zip(self.spatial, self.pads, strict=True)]
        new = (len(x), *shape, x.shape[-1])
        whole = np.full(new, fill, x.dtype) if fill else np.zeros(new, x.dtype)
        whole[self.inner()] = x
        return whole

    def inner(self) -> tuple[slice, ...]:
        """The part of the padded array that is the array itself."""
        return (slice(None), *[slice(low, low + n) for n, (low, _) in zip(self.spatial, self.pads, strict=True)])

    def margins(self, x: Any) -> Any:
        """Zeros of the shape of the padded array, in the dtype of `x`, which has its samples and channels."""
        shape = [n + sum(pads) for n, pads in zip(self.spatial, self.pads, strict=True)]
        return np.zeros((len(x), *shape, x.shape[-1]), x.dtype)


def windows_of(
    x: Any, kernel: tuple[int, ...], stride: Size = 1, padding: Padding = "valid", dilation: Size = 1
) -> Windows:
    """The windows for an array.

    Raises
    ------
    ShapeError
        If the array has another number of axes, or is smaller than the kernel.
    OptionError
        If an option has a value that it does not take.

    Examples
    --------
    >>> windows_of(np.zeros((1, 5, 1)), (3,), stride=2, padding="same").pads
    ((1, 1),)
    >>> windows_of(np.zeros((1, 5, 1)), (3,)).out
    (3,)
    """
    shape = np.shape(x)
    rank = len(kernel)
    if len(shape) != rank + 2:
        axes = ", ".join(["samples", *["length"] * (rank == 1), *["height", "width"] * (rank == 2), "channels"])
        raise ShapeError(
            f"an array of shape {shape}, and a kernel of {rank} axes: {kernel}{layer_here()}",
            f"the array has samples first and channels last{'' if rank > 2 else f': ({axes})'}",
            "reshape it; a single sample is `x[None]`, a single channel `x[..., None]`",
            calling_place(),
        )
    spatial = shape[1:-1]
    strides, dilations = each("stride", stride, rank), each("dilation", dilation, rank)
    extents = tuple([(k - 1) * d + 1 for k, d in zip(kernel, dilations, strict=True)])
    pads = _pads(padding, spatial, extents, strides)
    free = [n + sum(p) - e for n, p, e in zip(spatial, pads, extents, strict=True)]
    if min(free) < 0:
        raise ShapeError(
            f"an array of shape {shape} is smaller than the kernel {kernel}{layer_here()}",
            f"the kernel reaches over {extents} entries, and no window lies within the array",
            'pad it, as `padding="same"` does, or take a smaller kernel',
            calling_place(),
        )
    out = tuple([n // s + 1 for n, s in zip(free, strides, strict=True)])
    return Windows(spatial, kernel, strides, dilations, pads, out)


def each(name: str, size: Size, rank: int) -> tuple[int, ...]:
    """One positive whole number for each spatial axis.

    >>> each("stride", 2, 3)
    (2, 2, 2)
    """
    sizes = tuple(size) if isinstance(size, tuple | list) else (size,) * rank
    if len(sizes) != rank or not all([is_whole(n) and n > 0 for n in sizes]):
        raise OptionError(
            f"`{name}` is {size!r}, for {rank} spatial {'axis' if rank == 1 else 'axes'}",
            "each axis has a positive number",
            "give a positive whole number, or a tuple with one for each spatial axis",
            calling_place(),
        )
    return sizes


def check_options(rank: int | None = None, *, padding: Any = "valid", **sizes: Any) -> None:
    """Raise `OptionError` unless options are such for so many spatial axes; for any number of them, if it is not known.

    >>> check_options(padding="smae")
    Traceback (most recent call last):
        ...
    adjoint.errors.OptionError: `padding` is 'smae' ...
    """
    for name, size in sizes.items():
        each(name, size, rank or rank_of(size))
    _margins(padding, rank or rank_of(padding))


def rank_of(option: Any) -> int:
    """The number of axes that an option is for: one number is for any of them, and so for one."""
    return max(len(option), 1) if isinstance(option, tuple | list) else 1


def _pads(
    padding: Any, spatial: tuple[int, ...], extents: tuple[int, ...], strides: tuple[int, ...]
) -> tuple[tuple[int, int], ...]:
    """The margins before and after each axis."""
    margins = _margins(padding, len(spatial))
    if margins is not None:
        return margins
    axes = zip(spatial, extents, strides, strict=True)
    totals = [max((math.ceil(n / s) - 1) * s + e - n, 0) for n, e, s in axes]
    return tuple([(total // 2, total - total // 2) for total in totals])


def _margins(padding: Any, rank: int) -> tuple[tuple[int, int], ...] | None:
    """The margins that are given; `None` for `"same"`, which asks for as many as the windows need."""
    if isinstance(padding, str) and padding.lower() in ("valid", "same"):
        return ((0, 0),) * rank if padding.lower() == "valid" else None
    given = padding if isinstance(padding, tuple | list) else (padding,) * rank
    pads = tuple([tuple(p) if isinstance(p, tuple | list) else (p, p) for p in given])
    if len(pads) != rank or not all([len(p) == 2 and all([is_whole(n) and n >= 0 for n in p]) for p in pads]):
        raise OptionError(
            f"`padding` is {padding!r}",
            "margins are whole numbers from 0 on, for each spatial axis",
            'give "valid", "same", a number, or a tuple with one number or one pair (before, after) for each axis',
            calling_place(),
        )
    return pads


non_differentiable(windows_of, check_options)
