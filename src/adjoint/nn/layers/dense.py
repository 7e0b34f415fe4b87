"""Fully connected layers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from adjoint.nn.arguments import check_counts, check_flags, check_functions
from adjoint.nn.initializers import Initializer, first_weight, glorot_uniform
from adjoint.nn.layers.base import Layer, identity, with_activation
from adjoint.nn.layers.described import by_shapes
from adjoint.nn.layers.shapes import check_inputs


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Dense(Layer):
    """A fully connected layer: y = activation(x W + b), along the last axis.

    Shapes: (..., inputs) to (..., outputs); weight (inputs, outputs), bias (outputs,).

    Parameters
    ----------
    inputs, outputs : the layer's widths.
    activation : any callable, applied to the whole batch; one with parameters of its own is trained.
    bias : whether there is one; else it is `None`.
    initializer : of the weight, called with its shape (`nn.glorot_uniform`); the bias starts at zero.
    rng : source of the initial weights.
    dtype : of weight and bias.

    Raises
    ------
    OptionError
        If a width is no positive whole number, or another argument is not what it is said to be.
    ShapeError
        If the last axis of what the layer is called with has another length than `inputs`.

    Examples
    --------
    >>> layer = Dense(2, 3, activation=np.tanh, rng=np.random.default_rng(0))
    >>> layer
    Dense(2, 3, activation=tanh)
    >>> layer(np.ones((5, 2))).shape
    (5, 3)
    """

    weight: np.ndarray
    bias: np.ndarray | None
    activation: Callable[[Any], Any]

    def __init__(
        self,
        inputs: int,
        outputs: int,
        activation: Callable[[Any], Any] = identity,
        *,
        bias: bool = True,
        initializer: Initializer = glorot_uniform,
        rng: np.random.Generator | None = None,
        dtype: DTypeLike = np.float64,
    ) -> None:
        check_counts(inputs=inputs, outputs=outputs)
        check_functions(activation=activation)
        check_flags(bias=bias)
        object.__setattr__(self, "weight", first_weight(initializer, (inputs, outputs), rng, dtype))
        object.__setattr__(self, "bias", np.zeros(outputs, dtype=dtype) if bias else None)
        object.__setattr__(self, "activation", activation)

    def __call__(self, x: Any) -> Any:
        check_inputs(x, len(self.weight))
        y = x @ self.weight
        return self.activation(y if self.bias is None else y + self.bias)

    @by_shapes
    def __repr__(self) -> str:
        inputs, outputs = self.weight.shape
        return with_activation(f"Dense({inputs}, {outputs}" + ", bias=False" * (self.bias is None), self.activation)
