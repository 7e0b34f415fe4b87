"""Plain recurrent layers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from adjoint.nn.arguments import check_functions
from adjoint.nn.layers.cells import Cell, one_step
from adjoint.nn.layers.sequences import Recurrent

Activation = Callable[[Any], Any]


@dataclass(frozen=True, init=False, eq=False, repr=False)
class RNNCell(Cell):
    """One step of a plain recurrent layer: h' = activation(x Wᵢₕ + bᵢₕ + h Wₕₕ + bₕₕ).

    (J. Elman, "Finding structure in time", 1990.) Shapes: x (samples, features), h (samples, hidden), weight_ih
    (features, hidden), weight_hh (hidden, hidden), biases (hidden,).

    Parameters
    ----------
    features, hidden : the widths of a step and of the state.
    activation : any callable.
    bias : whether there are biases, two as in PyTorch; else they are `None`.
    rng : source of the weights, uniform in ±1 / √hidden.
    dtype : of the weights.

    Raises
    ------
    OptionError
        If a number is no positive whole one, or another argument is not what it is said to be.
    ShapeError
        If `x` is not (samples, features), or a state is of another shape.

    Examples
    --------
    >>> cell = RNNCell(2, 3)
    >>> hidden = cell(np.ones((5, 2)))
    >>> cell(np.ones((5, 2)), hidden).shape
    (5, 3)
    """

    activation: Activation

    def __init__(
        self,
        features: int,
        hidden: int,
        activation: Activation = np.tanh,
        *,
        bias: bool = True,
        rng: np.random.Generator | None = None,
        dtype: DTypeLike = np.float64,
    ) -> None:
        check_functions(activation=activation)
        self.draw(1, features, hidden, bias, rng, dtype)
        object.__setattr__(self, "activation", activation)

    def __call__(self, x: Any, hidden: Any = None) -> Any:
        return one_step(self, run_rnn, x, hidden)


def run_rnn(cell: RNNCell, x: Any, hidden: Any) -> tuple[Any, Any]:
    """The hidden states of all steps, (samples, steps, hidden), and the last of them."""
    projected = x @ cell.weight_ih
    if cell.bias_ih is not None:
        projected = projected + (cell.bias_ih + cell.bias_hh)
    outputs = [projected[:, :0]]
    for t in range(x.shape[1]):
        hidden = cell.activation(projected[:, t] + hidden @ cell.weight_hh)
        outputs.append(hidden[:, None])
    return np.concatenate(outputs, axis=1), hidden


@dataclass(frozen=True, init=False, eq=False, repr=False)
class RNN(Recurrent):
    """Plain recurrent layers over a sequence, each step as `RNNCell` has it.

    Shapes: x (samples, steps, features) to (samples, steps, hidden); the state is (layers, samples, hidden). In both
    directions the outputs are (samples, steps, 2 hidden), the state (2 layers, samples, hidden).

    Parameters
    ----------
    features, hidden : the widths of a step and of the state.
    activation : any callable.
    layers : how many lie on each other.
    bias : whether there are biases.
    bidirectional : whether each layer runs over the sequence in both directions.
    rng, dtype : of the weights.

    Raises
    ------
    OptionError
        If a number is no positive whole one, or another argument is not what it is said to be.
    ShapeError
        If `x` is not (samples, steps, features), or a state is of another shape.

    Examples
    --------
    >>> layer = RNN(2, 3, layers=2)
    >>> y, state = layer.run(np.ones((5, 7, 2)))
    >>> y.shape, state.shape, layer(np.ones((5, 7, 2)), state).shape
    ((5, 7, 3), (2, 5, 3), (5, 7, 3))
    """

    def __init__(
        self,
        features: int,
        hidden: int,
        activation: Activation = np.tanh,
        *,
        layers: int = 1,
        bias: bool = True,
        bidirectional: bool = False,
        rng: np.random.Generator | None = None,
        dtype: DTypeLike = np.float64,
    ) -> None:
        self.stack(
            RNNCell, features, hidden, layers, bidirectional, activation=activation, bias=bias, rng=rng, dtype=dtype
        )

    def through(self, cell: RNNCell, x: Any, state: Any) -> tuple[Any, Any]:
        """The outputs of one cell over all steps, and its last state."""
        return run_rnn(cell, x, state)
