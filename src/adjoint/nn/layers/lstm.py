"""Long short-term memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from adjoint.nn.layers.cells import Cell, as_sequence, check_state, zeros_for
from adjoint.nn.layers.lstm_steps import lstm
from adjoint.nn.layers.sequences import Recurrent


class LSTMState(NamedTuple):
    """The state of an LSTM: of a cell both (samples, hidden), of a layer (layers, samples, hidden).

    Attributes
    ----------
    hidden : the hidden state h, which is the output as well.
    cell : the state c of the cell.

    Examples
    --------
    >>> state = LSTMCell(2, 3)(np.ones((5, 2)))
    >>> state.hidden.shape, state.cell.shape
    ((5, 3), (5, 3))
    """

    hidden: Any
    cell: Any


@dataclass(frozen=True, init=False, eq=False, repr=False)
class LSTMCell(Cell):
    """One step of a long short-term memory: c' = σ(f) c + σ(i) tanh(g), h' = σ(o) tanh(c').

    (i, f, g, o) = x Wᵢₕ + bᵢₕ + h Wₕₕ + bₕₕ, as in PyTorch (S. Hochreiter and J. Schmidhuber, "Long short-term memory",
    1997; F. Gers et al., "Learning to forget", 2000). Shapes: x (samples, features), h and c (samples, hidden),
    weight_ih (features, 4 hidden), weight_hh (hidden, 4 hidden), biases (4 hidden,), columns in the order i, f, g, o.

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
    >>> cell = LSTMCell(2, 3)
    >>> state = cell(np.ones((5, 2)))
    >>> cell(np.ones((5, 2)), state).hidden.shape
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
        self.draw(4, features, hidden, bias, rng, dtype)

    def __call__(self, x: Any, state: LSTMState | None = None) -> LSTMState:
        x = as_sequence(x, self, 2)
        state = zeros_of_both(self, x) if state is None else state
        for part in state:
            check_state(part, (len(x), self.hidden))
        return run_lstm(self, x[:, None], state)[1]


def run_lstm(cell: LSTMCell, x: Any, state: LSTMState) -> tuple[Any, LSTMState]:
    """The hidden states of all steps, (samples, steps, hidden), and the last state."""
    bias = None if cell.bias_ih is None else cell.bias_ih + cell.bias_hh
    y, *last = lstm(x, state[0], state[1], cell.weight_ih, cell.weight_hh, bias)
    return y, LSTMState(*last)


def zeros_of_both(cell: LSTMCell, x: Any) -> LSTMState:
    """A state of zeros."""
    return LSTMState(zeros_for(cell, x), zeros_for(cell, x))


@dataclass(frozen=True, init=False, eq=False, repr=False)
class LSTM(Recurrent):
    """Long short-term memory over a sequence, each step as `LSTMCell` has it.

    Shapes: x (samples, steps, features) to (samples, steps, hidden); the state is an `LSTMState` of (layers, samples,
    hidden). In both directions the outputs are (samples, steps, 2 hidden), the state of (2 layers, samples, hidden).

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
    >>> layer = LSTM(2, 3, layers=2)
    >>> y, state = layer.run(np.ones((5, 7, 2)))
    >>> y.shape, state.cell.shape, layer(np.ones((5, 7, 2)), state).shape
    ((5, 7, 3), (2, 5, 3), (5, 7, 3))
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
        self.stack(LSTMCell, features, hidden, layers, bidirectional, bias=bias, rng=rng, dtype=dtype)

    def through(self, cell: LSTMCell, x: Any, state: LSTMState) -> tuple[Any, LSTMState]:
        """The outputs of one cell over all steps, and its last state."""
        return run_lstm(cell, x, state)

    def start(self, cell: LSTMCell, x: Any) -> LSTMState:
        """The state of a cell before the first step."""
        return zeros_of_both(cell, x)

    def split(self, state: Any, samples: int) -> list[LSTMState]:
        """The state of each cell."""
        for part in state:
            check_state(part, (len(self.cells), samples, self.cells[0].hidden))
        return [LSTMState(state[0][k], state[1][k]) for k in range(len(self.cells))]

    def joined(self, states: list[LSTMState]) -> LSTMState:
        """The state of all cells."""
        return LSTMState(np.stack([state.hidden for state in states]), np.stack([state.cell for state in states]))
