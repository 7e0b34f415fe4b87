"""Gated recurrent units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from adjoint.nn.activations import sigmoid
from adjoint.nn.layers.cells import Cell, one_step
from adjoint.nn.layers.sequences import Recurrent


@dataclass(frozen=True, init=False, eq=False, repr=False)
class GRUCell(Cell):
    """One step of a gated recurrent unit: h' = (1 - z) n + z h, with gates r, z and n.

    r = σ(x Wᵢᵣ + bᵢᵣ + h Wₕᵣ + bₕᵣ), z = σ(x Wᵢz + bᵢz + h Wₕz + bₕz), n = tanh(x Wᵢₙ + bᵢₙ + r (h Wₕₙ + bₕₙ)): the
    gates of K. Cho et al., "Learning phrase representations using RNN encoder-decoder", 2014, with r after the product,
    as in PyTorch. Shapes: x (samples, features), h (samples, hidden), weight_ih (features, 3 hidden), weight_hh
    (hidden, 3 hidden), biases (3 hidden,), columns in the order r, z, n.

    Parameters
    ----------
    features, hidden : the widths of a step and of the state.
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
    >>> cell = GRUCell(2, 3)
    >>> hidden = cell(np.ones((5, 2)))
    >>> cell(np.ones((5, 2)), hidden).shape
    (5, 3)
    """

    def __init__(
        self,
        features: int,
        hidden: int,
        *,
        bias: bool = True,
        rng: np.random.Generator | None = None,
        dtype: DTypeLike = np.float64,
    ) -> None:
        self.draw(3, features, hidden, bias, rng, dtype)

    def __call__(self, x: Any, hidden: Any = None) -> Any:
        return one_step(self, run_gru, x, hidden)


def run_gru(cell: GRUCell, x: Any, hidden: Any) -> tuple[Any, Any]:
    """The hidden states of all steps, (samples, steps, hidden), and the last of them."""
    projected = x @ cell.weight_ih
    if cell.bias_ih is not None:
        projected = projected + cell.bias_ih
    width = cell.hidden
    outputs = [projected[:, :0, :width]]
    for t in range(x.shape[1]):
        of_x, of_h = projected[:, t], hidden @ cell.weight_hh
        if cell.bias_hh is not None:
            of_h = of_h + cell.bias_hh
        gates = sigmoid(of_x[:, : 2 * width] + of_h[:, : 2 * width])
        r, z = gates[:, :width], gates[:, width:]
        n = np.tanh(of_x[:, 2 * width :] + r * of_h[:, 2 * width :])
        hidden = n + z * (hidden - n)
        outputs.append(hidden[:, None])
    return np.concatenate(outputs, axis=1), hidden


@dataclass(frozen=True, init=False, eq=False, repr=False)
class GRU(Recurrent):
    """Gated recurrent units over a sequence, each step as `GRUCell` has it.

    Shapes: x (samples, steps, features) to (samples, steps, hidden); the state is (layers, samples, hidden). In both
    directions the outputs are (samples, steps, 2 hidden), the state (2 layers, samples, hidden).

    Parameters
    ----------
    features, hidden : the widths of a step and of the state.
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
    >>> layer = GRU(2, 3, bidirectional=True)
    >>> y, state = layer.run(np.ones((5, 7, 2)))
    >>> y.shape, state.shape
    ((5, 7, 6), (2, 5, 3))
    """

    def __init__(
        self,
        features: int,
        hidden: int,
        *,
        layers: int = 1,
        bias: bool = True,
        bidirectional: bool = False,
        rng: np.random.Generator | None = None,
        dtype: DTypeLike = np.float64,
    ) -> None:
        self.stack(GRUCell, features, hidden, layers, bidirectional, bias=bias, rng=rng, dtype=dtype)

    def through(self, cell: GRUCell, x: Any, state: Any) -> tuple[Any, Any]:
        """The outputs of one cell over all steps, and its last state."""
        return run_gru(cell, x, state)
