"""Recurrent layers and cells: their derivatives, their states, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from adjoint import gradient, hvp, nn
from adjoint.errors import ShapeError
from adjoint.nn.layers.lstm_steps import lstm, lstm_by_steps
from adjoint.testing import check_gradient

RNG = np.random.default_rng(0)
LAYERS = {"RNN": nn.RNN, "GRU": nn.GRU, "LSTM": nn.LSTM}
CELLS = {"RNN": nn.RNNCell, "GRU": nn.GRUCell, "LSTM": nn.LSTMCell}
kinds = pytest.mark.parametrize("kind", LAYERS)


def outputs(layer: Any, x: Any) -> Any:
    return layer(x)


def run(layer: Any, x: Any, state: Any) -> Any:
    return layer.run(x, state)


def parts(n: int = 3, t: int = 4, f: int = 2, h: int = 3, dtype: Any = float) -> tuple[Any, ...]:
    """What `lstm` takes."""
    shapes = ((n, t, f), (n, h), (n, h), (f, 4 * h), (h, 4 * h), (4 * h,))
    return tuple([np.random.default_rng(1).standard_normal(shape).astype(dtype) for shape in shapes])


@kinds
def test_both_orders(kind: str) -> None:
    check_gradient(outputs, LAYERS[kind](2, 3, rng=np.random.default_rng(1)), RNG.normal(size=(2, 2, 2)), order=2)


@kinds
def test_layers_and_directions(kind: str) -> None:
    layer = LAYERS[kind](2, 3, layers=2, bidirectional=True, bias=False, rng=np.random.default_rng(1))
    x = RNG.normal(size=(2, 2, 2))
    check_gradient(run, layer, x, layer.run(x[:, :1])[1])


def test_both_orders_of_the_steps_of_an_lstm() -> None:
    check_gradient(lstm, *parts(t=2), order=2)
    check_gradient(lambda x, h: lstm(x, h, *parts()[2:5], None), *parts()[:2])


def test_stores_into_outputs_leave_what_is_kept() -> None:
    def loss(layer: Any, x: Any) -> Any:
        y, state = layer.run(x)
        y[:, 1] = 0.5
        y *= 2.0
        return (y**2).sum() + (state.hidden**3).sum()

    check_gradient(loss, nn.LSTM(2, 3, layers=2, rng=np.random.default_rng(1)), RNG.normal(size=(2, 3, 2)))


def test_the_fast_steps_are_the_plain_ones() -> None:
    for t in (0, 1, 7):
        for fast, plain in zip(lstm(*parts(t=t)), lstm_by_steps(*parts(t=t)), strict=True):
            assert fast.shape == plain.shape
            assert_allclose(fast, plain, rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize("shape", [(0, 4, 2, 3), (3, 0, 2, 3), (1, 1, 1, 1)], ids=repr)
def test_empty_and_single(shape: Any) -> None:
    check_gradient(lstm, *parts(*shape), order=1 if shape[1] else 2)
    n, t, f, h = shape
    for layer in LAYERS.values():
        y, state = layer(f, h, layers=2).run(np.zeros((n, t, f)))
        assert y.shape == (n, t, h) and np.shape(state)[-3:] == (2, n, h)


@kinds
def test_precision_is_kept(kind: str) -> None:
    layer = LAYERS[kind](2, 3, dtype=np.float32)
    x = RNG.normal(size=(2, 2, 2)).astype(np.float32)
    check_gradient(outputs, layer, x)
    y, state = layer.run(x)
    assert y.dtype == np.float32 and np.asarray(state).dtype == np.float32


@kinds
def test_a_sequence_in_two_halves(kind: str) -> None:
    layer = LAYERS[kind](2, 3, layers=2, rng=np.random.default_rng(1))
    x = RNG.normal(size=(2, 6, 2))
    whole, last = layer.run(x)
    first, state = layer.run(x[:, :2])
    second, end = layer.run(x[:, 2:], state)
    assert_allclose(np.concatenate([first, second], axis=1), whole)
    assert_allclose(end, last)
    assert_array_equal(layer(x), whole)
    y, trained = nn.train(layer, x)
    assert trained is layer and np.array_equal(y, whole)


@kinds
def test_cells_step_by_step(kind: str) -> None:
    cell = CELLS[kind](2, 3, rng=np.random.default_rng(1))
    layer = LAYERS[kind](2, 3, rng=np.random.default_rng(1))
    x = RNG.normal(size=(2, 4, 2))
    state = None
    for t in range(4):
        state = cell(x[:, t], state)
        hidden = state.hidden if kind == "LSTM" else state
        assert_allclose(hidden, layer(x)[:, t])
    check_gradient(lambda cell, x, state: cell(x, state), cell, x[:, 0], state)


def test_both_directions_meet() -> None:
    layer = nn.GRU(2, 3, bidirectional=True, rng=np.random.default_rng(1))
    ahead, back = nn.GRU(2, 3), nn.GRU(2, 3)
    object.__setattr__(ahead, "cells", layer.cells[:1])
    object.__setattr__(back, "cells", layer.cells[1:])
    x = RNG.normal(size=(2, 4, 2))
    assert_allclose(layer(x)[..., :3], ahead(x))
    assert_allclose(layer(x)[..., 3:], back(x[:, ::-1])[:, ::-1])


def test_whole_numbers_are_taken_as_floats() -> None:
    onehot = np.eye(2, dtype=int)[[[0, 1, 1]]]
    layer = nn.LSTM(2, 3, dtype=np.float32)
    assert layer(onehot).dtype == np.float32
    assert_array_equal(layer(onehot), layer(onehot.astype(np.float32)))


def test_second_derivatives_are_of_programs_not_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any) -> None:
        raise AssertionError("recorded")

    monkeypatch.setattr("adjoint.derivatives.recording", refuse)
    x = RNG.normal(size=(2, 3, 2))
    layer = nn.LSTM(2, 3, layers=2)
    hvp(lambda x: (layer(x) ** 2).sum(), (x,), (x,))


def test_what_a_layer_is_called() -> None:
    assert repr(nn.LSTM(2, 3)) == "LSTM(2, 3)" and repr(nn.GRUCell(2, 3, bias=False)) == "GRUCell(2, 3, bias=False)"
    layer = nn.RNN(2, 3, layers=2, bias=False, bidirectional=True)
    assert repr(layer) == "RNN(2, 3, layers=2, bias=False, bidirectional=True)"
    assert [*nn.named_leaves(nn.LSTM(2, 3, layers=2))][3:5] == ["cells.0.bias_hh", "cells.1.weight_ih"]


def test_wrong_shapes_are_refused() -> None:
    layer = nn.LSTM(2, 3)
    for x in (np.ones((5, 2)), np.ones((1, 5, 3)), np.float64(1.0)):
        with pytest.raises(ShapeError, match="samples, steps, features"):
            layer(x)
    with pytest.raises(ShapeError, match=r"\(1, 4, 3\) is taken"):
        layer(np.ones((4, 5, 2)), layer.run(np.ones((1, 5, 2)))[1])
    with pytest.raises(ShapeError, match="is taken"):
        nn.GRUCell(2, 3)(np.ones((4, 2)), np.ones((1, 3)))
    with pytest.raises(ShapeError, match="complex128"):
        layer(np.ones((4, 5, 2), complex))
    with pytest.raises(ShapeError, match="samples, features"):
        gradient(lambda x: nn.RNNCell(2, 3)(x).sum(), np.ones((4, 3)))
