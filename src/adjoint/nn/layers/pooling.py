"""Layers that pool windows, in one to three dimensions or more. They have no parameters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from adjoint.nn.arguments import check_flags
from adjoint.nn.layers.base import Layer
from adjoint.nn.pooling import avg_pool, check_pooling, max_pool
from adjoint.nn.tree import field
from adjoint.nn.windows import Padding, Size


@dataclass(frozen=True)
class MaxPool(Layer):
    """The largest entry of each window, channel by channel; `nn.max_pool` has the formula.

    Shapes: (samples, length, channels) to (samples, windows, channels) with a kernel of one number, (samples, height,
    width, channels) with two, and so on.

    Parameters
    ----------
    kernel : the size of a window along each axis, `(2, 2)`; one number, 2, for all of them.
    stride : by how much windows are apart; the kernel if not given.
    padding : `"valid"`, `"same"` or margins, as `nn.conv` has them, smaller than the kernel.

    Raises
    ------
    OptionError
        If an option has a value that it does not take.
    ShapeError
        If an array has another number of axes, or is smaller than the kernel.

    Examples
    --------
    >>> import numpy as np
    >>> MaxPool((2, 2))(np.arange(16.0).reshape(1, 4, 4, 1))[0, :, :, 0]
    array([[ 5.,  7.],
           [13., 15.]])
    """

    kernel: Size = field(static=True)
    stride: Size | None = field(static=True, default=None)
    padding: Padding = field(static=True, default="valid")

    def __post_init__(self) -> None:
        check_pooling(self.kernel, self.stride, self.padding)

    def __call__(self, x: Any) -> Any:
        return max_pool(x, self.kernel, stride=self.stride, padding=self.padding)


@dataclass(frozen=True)
class AvgPool(Layer):
    """The mean of each window, channel by channel; `nn.avg_pool` has the formula.

    Shapes: as those of `MaxPool`. The mean over all places is `x.mean((1, 2))`.

    Parameters
    ----------
    kernel, stride, padding : as `MaxPool` has them.
    count_include_pad : whether the zeros of the margins are counted.

    Raises
    ------
    OptionError, ShapeError
        As `MaxPool` does.

    Examples
    --------
    >>> import numpy as np
    >>> AvgPool((2, 2))(np.arange(16.0).reshape(1, 4, 4, 1))[0, :, :, 0]
    array([[ 2.5,  4.5],
           [10.5, 12.5]])
    """

    kernel: Size = field(static=True)
    stride: Size | None = field(static=True, default=None)
    padding: Padding = field(static=True, default="valid")
    count_include_pad: bool = field(static=True, default=True)

    def __post_init__(self) -> None:
        check_pooling(self.kernel, self.stride, self.padding)
        check_flags(count_include_pad=self.count_include_pad)

    def __call__(self, x: Any) -> Any:
        return avg_pool(
            x, self.kernel, stride=self.stride, padding=self.padding, count_include_pad=self.count_include_pad
        )
