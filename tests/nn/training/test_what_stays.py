"""What training leaves as it is: frozen leaves and statistics, ties."""

from __future__ import annotations

from typing import Any

import numpy as np
from nn.training.small import X, Y, fitted, model, same
from numpy.testing import assert_allclose

from adjoint import nn
from adjoint.nn import optimizers as o


def test_frozen_leaves_stay() -> None:
    start = model()
    mask = nn.freeze(start, "layers.0", "*.bias")
    done = fitted(start, frozen=mask)
    assert np.array_equal(done.model.layers[0].weight, start.layers[0].weight)
    assert np.array_equal(done.model.layers[1].bias, start.layers[1].bias)
    assert not np.array_equal(done.model.layers[1].weight, start.layers[1].weight)
    selective = fitted(start, optimizer=o.selective_transform(o.adam(0.01), freeze_mask=mask))
    assert same(selective.model, done.model) and same(selective.state, done.state)
    rest = fitted(done.model, frozen=mask, state=done.state)
    assert np.array_equal(rest.model.layers[0].weight, start.layers[0].weight)


def test_frozen_statistics_stay() -> None:
    start = nn.Chain(nn.Dense(2, 3, rng=np.random.default_rng(0)), nn.BatchNorm(3), nn.Dropout(0.1), nn.Dense(3, 1))
    free, held = fitted(start).model, fitted(start, frozen=nn.freeze(start, "layers.1")).model
    assert not np.array_equal(free.layers[1].mean, start.layers[1].mean)
    for path in ("mean", "var", "scale", "bias"):
        assert np.array_equal(getattr(held.layers[1], path), getattr(start.layers[1], path))
    assert not np.array_equal(held.layers[0].weight, start.layers[0].weight)


def test_statistics_are_trained_and_saved(tmp_path: Any) -> None:
    start = nn.Chain(nn.Dense(2, 3, rng=np.random.default_rng(0)), nn.BatchNorm(3), nn.Dense(3, 1))
    done = fitted(start, validation=(X, Y), callbacks=[nn.Checkpoint(tmp_path / "a.npz")])
    loaded = nn.load(tmp_path / "a.npz", {"model": start, "state": o.adam(0.01).init(start)})
    assert same(loaded["model"], done.model) and not np.array_equal(done.model.layers[1].var, start.layers[1].var)
    assert_allclose(done.history["validation"][-1], nn.mse(loaded["model"](X), Y))


def test_tied_layers_stay_tied() -> None:
    layer = nn.Dense(2, 2, nn.tanh, rng=np.random.default_rng(0))
    done = fitted(nn.Chain(layer, layer, nn.Dense(2, 1, rng=np.random.default_rng(1))))
    assert done.model.layers[0] is done.model.layers[1]
