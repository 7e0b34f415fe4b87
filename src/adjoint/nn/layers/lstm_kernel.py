"""An LSTM over a whole sequence: one program of NumPy forwards, and one backwards.

All inputs are projected at once, gates are kept where they were made, and the gradients of the weights are one product
each at the end.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np


class Run(NamedTuple):
    """The remains of a run, steps first: inputs as rows, gates after their activations, states, tanh of the cells."""

    rows: np.ndarray
    gates: np.ndarray
    hidden: np.ndarray
    cells: np.ndarray
    squashed: np.ndarray


def forward(x: Any, hidden: Any, cell: Any, weight_ih: Any, weight_hh: Any, bias: Any) -> Run:
    """σ(a) is (1 + tanh(a / 2)) / 2, so that one tanh does for all gates, and half of the weights are halved before."""
    samples, steps, features = x.shape
    width = hidden.shape[1]
    dtype = np.result_type(*[part for part in (x, hidden, cell, weight_ih, weight_hh, bias) if part is not None])
    scale, shift = np.full(4 * width, 0.5, dtype), np.full(4 * width, 0.5, dtype)
    scale[2 * width : 3 * width], shift[2 * width : 3 * width] = 1, 0
    rows = np.ascontiguousarray(x.swapaxes(0, 1), dtype).reshape(steps * samples, features)
    gates = (rows @ (weight_ih * scale)).reshape(steps, samples, 4 * width)
    if bias is not None:
        gates += bias * scale
    recurrent = weight_hh * scale
    hiddens, cells = np.empty((2, steps + 1, samples, width), dtype)
    squashed = np.empty((steps, samples, width), dtype)
    hiddens[0], cells[0] = hidden, cell
    product, fresh = np.empty((samples, 4 * width), dtype), np.empty((samples, width), dtype)
    i, f, g, o = (gates[..., k * width : (k + 1) * width] for k in range(4))
    for t in range(steps):
        a, c = gates[t], cells[t + 1]
        np.matmul(hiddens[t], recurrent, out=product)
        a += product
        np.tanh(a, out=a)
        a *= scale
        a += shift
        np.multiply(f[t], cells[t], out=c)
        np.multiply(i[t], g[t], out=fresh)
        c += fresh
        np.tanh(c, out=squashed[t])
        np.multiply(o[t], squashed[t], out=hiddens[t + 1])
    return Run(rows, gates, hiddens, cells, squashed)


def backward(
    run: Run, of_x: bool, bars: Any, x: Any, hidden: Any, cell: Any, weight_ih: Any, weight_hh: Any, bias: Any
) -> tuple[Any, ...]:
    """With G the cotangents of all gates before their activations, one row a step and sample:

    W̄ᵢₕ = Xᵀ G, W̄ₕₕ = Hᵀ G, b̄ = Gᵀ 1 and, where it is asked for, X̄ = G Wᵢₕᵀ.
    """
    steps, samples, width = run.squashed.shape
    dtype = run.gates.dtype
    slopes, through = _slopes(run)
    blocks = slopes.reshape(steps, samples, 4, width)
    y_bars = None if bars[0] is None else bars[0].swapaxes(0, 1)
    hidden_bar, cell_bar = (np.zeros((samples, width), dtype) if bar is None else bar.astype(dtype) for bar in bars[1:])
    product, transposed = np.empty_like(cell_bar), np.ascontiguousarray(weight_hh.T, dtype)
    for t in range(steps - 1, -1, -1):
        if y_bars is not None:
            hidden_bar += y_bars[t]
        np.multiply(hidden_bar, through[t], out=product)
        cell_bar += product
        blocks[t, :, :3] *= cell_bar[:, None]
        blocks[t, :, 3] *= hidden_bar
        cell_bar *= run.gates[t, :, width : 2 * width]
        np.matmul(slopes[t], transposed, out=hidden_bar)
    g = slopes.reshape(steps * samples, 4 * width)
    x_bar = (g @ weight_ih.T).reshape(steps, samples, x.shape[2]).swapaxes(0, 1) if of_x else None
    weight_ih_bar, weight_hh_bar = run.rows.T @ g, run.hidden[:-1].reshape(steps * samples, width).T @ g
    bias_bar = None if bias is None else np.ones(len(g), dtype) @ g
    found = (x_bar, hidden_bar, cell_bar, weight_ih_bar, weight_hh_bar, bias_bar)
    return tuple(map(_like, found, (x, hidden, cell, weight_ih, weight_hh, bias)))


def _slopes(run: Run) -> tuple[np.ndarray, np.ndarray]:
    """Factors of the cotangent of the cell that give those of i, f and g before their activations, and that
    of the hidden state to give that of o; and with what that of the hidden state goes to the cell."""
    width = run.squashed.shape[2]
    i, f, g, o = (run.gates[..., k * width : (k + 1) * width] for k in range(4))
    slopes = run.gates * run.gates
    for gate in (slice(0, 2 * width), slice(3 * width, None)):
        np.subtract(run.gates[..., gate], slopes[..., gate], out=slopes[..., gate])
    np.subtract(1, slopes[..., 2 * width : 3 * width], out=slopes[..., 2 * width : 3 * width])
    for k, factor in enumerate((g, run.cells[:-1], i, run.squashed)):
        slopes[..., k * width : (k + 1) * width] *= factor
    through = run.squashed * run.squashed
    np.subtract(1, through, out=through)
    through *= o
    return slopes, through


def _like(bar: Any, primal: Any) -> Any:
    """A cotangent of the precision of what it is of; that of integers is a float."""
    return bar.astype(primal.dtype, copy=False) if bar is not None and primal.dtype.kind == "f" else bar
