"""Convolutional layers, in one to three dimensions or more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from adjoint.errors import OptionError, calling_place
from adjoint.nn.arguments import check_counts, check_flags, check_functions
from adjoint.nn.convolution import conv
from adjoint.nn.initializers import Initializer, first_weight, glorot_uniform
from adjoint.nn.layers.base import Layer, identity, with_activation
from adjoint.nn.layers.described import by_shapes
from adjoint.nn.tree import field
from adjoint.nn.windows import Padding, Size, check_options, each


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Conv(Layer):
    """A convolution: y = activation(conv(x, weight, bias)), of as many dimensions as the kernel has.

    Shapes: (samples, length, inputs) to (samples, windows, outputs) with a kernel of one number, (samples, height,
    width, inputs) with two, and so on; weight (*kernel, inputs / groups, outputs), bias (outputs,). `nn.conv` has the
    formula.

    Parameters
    ----------
    inputs, outputs : numbers of channels.
    kernel : the size of a window along each axis, `(3, 3)`.
    activation : any callable; one with parameters of its own is trained.
    stride, padding, dilation, groups : as `nn.conv` has them; static.
    bias : whether there is one; else it is `None`.
    initializer : of the weight, called with its shape (`nn.glorot_uniform`); the bias starts at zero.
    rng : source of the initial weights.
    dtype : of weight and bias.

    Raises
    ------
    OptionError
        If `kernel` is no tuple of positive numbers, `groups` does not divide the channels, or another argument is not
        what it is said to be.
    ShapeError
        If an array has another number of axes or channels, or is smaller than the kernel.

    Examples
    --------
    >>> layer = Conv(1, 8, (3, 3), np.tanh, padding="same")
    >>> layer
    Conv(1, 8, (3, 3), padding='same', activation=tanh)
    >>> layer(np.zeros((2, 28, 28, 1))).shape
    (2, 28, 28, 8)
    """

    weight: np.ndarray
    bias: np.ndarray | None
    activation: Callable[[Any], Any]
    stride: Size = field(static=True)
    padding: Padding = field(static=True)
    dilation: Size = field(static=True)
    groups: int = field(static=True)

    def __init__(
        self,
        inputs: int,
        outputs: int,
        kernel: tuple[int, ...],
        activation: Callable[[Any], Any] = identity,
        *,
        stride: Size = 1,
        padding: Padding = "valid",
        dilation: Size = 1,
        groups: int = 1,
        bias: bool = True,
        initializer: Initializer = glorot_uniform,
        rng: np.random.Generator | None = None,
        dtype: DTypeLike = np.float64,
    ) -> None:
        check_counts(inputs=inputs, outputs=outputs, groups=groups)
        check_functions(activation=activation)
        check_flags(bias=bias)
        shape = (*_kernel(kernel), _of_each_group(inputs, outputs, groups), outputs)
        check_options(len(shape) - 2, stride=stride, padding=padding, dilation=dilation)
        object.__setattr__(self, "weight", first_weight(initializer, shape, rng, dtype))
        object.__setattr__(self, "bias", np.zeros(outputs, dtype=dtype) if bias else None)
        object.__setattr__(self, "activation", activation)
        object.__setattr__(self, "stride", stride)
        object.__setattr__(self, "padding", padding)
        object.__setattr__(self, "dilation", dilation)
        object.__setattr__(self, "groups", groups)

    def __call__(self, x: Any) -> Any:
        y = conv(
            x,
            self.weight,
            self.bias,
            stride=self.stride,
            padding=self.padding,
            dilation=self.dilation,
            groups=self.groups,
        )
        return self.activation(y)

    @by_shapes
    def __repr__(self) -> str:
        *kernel, inputs, outputs = self.weight.shape
        text = f"Conv({inputs * self.groups}, {outputs}, {tuple(kernel)}"
        usual = {"stride": 1, "padding": "valid", "dilation": 1, "groups": 1}
        text += "".join([f", {name}={getattr(self, name)!r}" for name, x in usual.items() if getattr(self, name) != x])
        return with_activation(text + ", bias=False" * (self.bias is None), self.activation)


def _kernel(kernel: Any) -> tuple[int, ...]:
    if not isinstance(kernel, tuple | list) or not kernel:
        raise OptionError(
            f"`kernel` is {kernel!r}",
            "its length says along how many axes it moves",
            f"give a tuple with one number for each, such as `({kernel!r}, {kernel!r})` for images",
            calling_place(),
        )
    return each("kernel", tuple(kernel), len(kernel))


def _of_each_group(inputs: int, outputs: int, groups: int) -> int:
    if inputs % groups or outputs % groups:
        raise OptionError(
            f"`groups` is {groups!r}, and there are {inputs} inputs and {outputs} outputs",
            "each group has as many of them as any other",
            "give a number that divides inputs and outputs",
            calling_place(),
        )
    return inputs // groups
