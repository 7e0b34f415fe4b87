"""An LSTM over a whole sequence, by the fast programs of `lstm_kernel`, and what these are derivatives of.

The program `lstm_by_steps` means the same. Tangents are those of it, and so are derivatives of derivatives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from adjoint import pullback, rule
from adjoint.nn.activations import sigmoid
from adjoint.nn.layers.lstm_kernel import Run, backward, forward
from adjoint.rules import non_differentiable

Bars = tuple[Any, ...]

non_differentiable(forward)


def lstm_step(gates: Any, cell: Any) -> tuple[Any, Any]:
    """One step: c' = σ(f) c + σ(i) tanh(g), h' = σ(o) tanh(c'), where `gates` holds i, f, g, o beside each other.

    (S. Hochreiter and J. Schmidhuber, "Long Short-Term Memory", 1997; F. Gers et al., "Learning to Forget", 2000; the
    order is that of PyTorch.)
    """
    width = cell.shape[-1]
    i, f = sigmoid(gates[..., :width]), sigmoid(gates[..., width : 2 * width])
    g, o = np.tanh(gates[..., 2 * width : 3 * width]), sigmoid(gates[..., 3 * width :])
    cell = f * cell + i * g
    return o * np.tanh(cell), cell


def lstm_by_steps(x: Any, hidden: Any, cell: Any, weight_ih: Any, weight_hh: Any, bias: Any) -> tuple[Any, Any, Any]:
    """The outputs, the last hidden state and the last cell, step by step."""
    projected = x @ weight_ih if bias is None else x @ weight_ih + bias
    outputs = [projected[:, :0, : hidden.shape[1]]]
    for t in range(x.shape[1]):
        hidden, cell = lstm_step(projected[:, t] + hidden @ weight_hh, cell)
        outputs.append(hidden[:, None])
    return np.concatenate(outputs, axis=1), hidden, cell


def lstm(x: Any, hidden: Any, cell: Any, weight_ih: Any, weight_hh: Any, bias: Any) -> tuple[Any, Any, Any]:
    """The same as `lstm_by_steps`, fast.

    Shapes: `x` (samples, steps, features), `hidden` and `cell` (samples, hidden), `weight_ih` (features, 4 hidden),
    `weight_hh` (hidden, 4 hidden), `bias` (4 hidden) or None.
    """
    run = forward(x, hidden, cell, weight_ih, weight_hh, bias)
    return _results(run, x, hidden, cell, weight_ih, weight_hh, bias)


def _results(run: Run, *parts: Any) -> tuple[Any, Any, Any]:
    return run.hidden[1:].swapaxes(0, 1), run.hidden[-1].copy(), run.cells[-1].copy()


def _results_by_steps(run: Run, *parts: Any) -> tuple[Any, Any, Any]:
    return lstm_by_steps(*parts)


@rule(_results, program=_results_by_steps)
def _results_rule(run: Run, *parts: Any, needs: tuple[bool, ...] = (False, True)) -> tuple[Any, Callable[[Any], Bars]]:
    """Backward through time (P. Werbos, "Backpropagation through time: what it does and how to do it", 1990)."""

    def results_back(bars: Any) -> Bars:
        return None, *backward(run, needs[1], bars, *parts)

    return _results(run, *parts), results_back


def _backward_by_steps(run: Run, of_x: bool, bars: Any, *parts: Any) -> Bars:
    """The same; where there are no steps, nothing flows to the weights."""
    found = pullback(lstm_by_steps, *parts)[1](bars)[1:]
    x_bar = found[0] if of_x else None
    if parts[0].shape[1] > 0:
        return (x_bar, *found[1:])
    zeros = [None if part is None else np.zeros_like(part) for part in parts[3:]]
    return (x_bar, *found[1:3], *zeros)


@rule(backward, calls=True, program=_backward_by_steps)
def _backward_rule(run: Run, of_x: bool, bars: Any, *parts: Any) -> tuple[Bars, Callable[[Any], Bars]]:
    """Second derivatives are those of the steps."""

    def backward_back(bars_bar: Any) -> Bars:
        return None, None, *pullback(_backward_by_steps, run, of_x, bars, *parts)[1](bars_bar)[3:]

    return backward(run, of_x, bars, *parts), backward_back
