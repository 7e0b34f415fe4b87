"""What training leaves as it is: frozen leaves and statistics, ties."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from nn.training.small import X, Y, fitted, model, same
from numpy.testing import assert_allclose

from adjoint import gradient, nn
from adjoint.errors import OptionError
from adjoint.nn import optimizers as o
from adjoint.nn.optimizers import base
from adjoint.trees import structure_of


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


MASKS: dict[str, Any] = {
    "flags of NumPy": lambda model: nn.tree_map(np.bool_, nn.freeze(model, "layers.1"), is_leaf=lambda x: x in (0, 1)),
    "function": lambda model: lambda values: {path: path.startswith("layers.1.") for path in values},
    "function of a fixed mask": lambda model: lambda values: nn.freeze(model, "layers.1"),
}


@pytest.mark.parametrize("name", MASKS)
def test_statistics_stay_by_masks_of_every_form(name: str) -> None:
    start = nn.Chain(nn.Dense(2, 3, rng=np.random.default_rng(0)), nn.BatchNorm(3), nn.Dense(3, 1))
    held = fitted(start, frozen=MASKS[name](start)).model
    for path in ("mean", "var", "scale", "bias"):
        assert np.array_equal(getattr(held.layers[1], path), getattr(start.layers[1], path))
    assert not np.array_equal(held.layers[0].weight, start.layers[0].weight)


def test_masks_of_another_model_are_refused_when_it_goes_on() -> None:
    tied = np.ones(2)
    start, optimizer = {"enc": tied, "dec": tied}, o.sgd(0.1)
    for mask, said in (({"enc": False, "dec": True}, "says True at `dec`"), ({"enc": True, "x": True}, "flag at `x`")):
        for state in (None, o.selective_transform(optimizer, freeze_mask={"enc": True}).init(start)):
            with pytest.raises(OptionError, match=said):
                fitted(start, loss=lambda m, x, y: np.sum(m["enc"]), frozen=mask, optimizer=optimizer, state=state)


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


def test_what_is_no_parameter_is_the_very_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """A step reads the model once, and builds what moves."""
    tied = [np.ones(2)]
    start = {"w": 1.0, "a": tied, "b": (tied, "name"), "n": 3, "still": {"k": np.arange(2)}, "z": np.array(1.0)}

    def loss(m: Any, x: Any) -> Any:
        return np.sum(m["a"][0] * m["b"][0][0] * x) * m["w"] * m["z"]

    read = []
    monkeypatch.setattr(base, "structure_of", lambda model: read.append(model) or structure_of(model))
    done = fitted(start, 1, loss=loss, batches=[np.ones(2)] * 5)
    assert len(read) == 6, "once for each step, and once for the first state"
    model, optimizer = start, o.adam(0.01)
    state = optimizer.init(model)
    for _ in range(5):
        updates, state = optimizer.update(gradient(loss, model, np.ones(2))[0], state, model)
        model = o.apply_updates(model, updates)
    assert same(done.model, model) and same(done.state, state)
    assert done.model["a"] is done.model["b"][0] and done.model["still"] is start["still"] and done.model["n"] == 3
    assert type(done.model["w"]) is float and isinstance(done.model["z"], np.ndarray)
