"""`fit`: what it computes and hands on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from nn.training.small import X, Y, fitted, model, same
from numpy.testing import assert_allclose

from adjoint import nn, withgradient
from adjoint.errors import OptionError
from adjoint.nn import optimizers as o


def test_the_steps_by_hand() -> None:
    m, optimizer, losses = model(), o.adam(0.01), []
    state, batches = optimizer.init(m), nn.minibatches(X, Y, size=16, rng=np.random.default_rng(1))
    for _ in range(2):
        for x, y in batches:
            value, (g,) = withgradient(lambda m, x=x, y=y: nn.mse(m(x), y), m)
            updates, state = optimizer.update(g, state, m)
            m = o.apply_updates(m, updates)
            losses.append(float(value))
    done = fitted()
    assert same(done.model, m) and same(done.state, state)
    assert done.history.steps == losses and len(losses) == 8
    weights = np.array([16, 16, 16, 2])
    assert_allclose(done.history["loss"], np.reshape(losses, (2, 4)) @ weights / 50)


def test_it_learns_and_changes_nothing() -> None:
    start = model()
    before = nn.state_dict(start)
    done = fitted(start, epochs=60, optimizer=o.adam(0.03))
    assert done.history["loss"][-1] < 0.05 * done.history["loss"][0]
    assert all(np.array_equal(before[path], leaf) for path, leaf in nn.named_leaves(start).items())
    assert done.stopped is None and type(done.model) is nn.Chain


def test_the_same_seed_gives_the_same_training() -> None:
    assert same(fitted(seed=3).model, fitted(seed=3).model) and not same(fitted(seed=3).model, fitted(seed=4).model)


def test_it_goes_on_where_it_was() -> None:
    whole = fitted(epochs=4)
    batches, rng = nn.minibatches(X, Y, size=16, rng=np.random.default_rng(1)), np.random.default_rng(1)
    half = fitted(epochs=2, batches=batches, rng=rng)
    rest = fitted(half.model, epochs=2, batches=batches, rng=rng, state=half.state)
    assert same(rest.model, whole.model) and half.history.steps + rest.history.steps == whole.history.steps


def test_no_epochs() -> None:
    start = model()
    done = fitted(start, epochs=0, callbacks=[nn.EarlyStopping()])
    assert done.model is start and done.history.steps == [] and done.history["loss"] == []


def test_batches_of_any_form() -> None:
    def loss(m: Any, x: Any) -> Any:
        return np.sum((m["w"] - x) ** 2)

    for batches in ([np.ones(2)], [(np.ones(2),)], [[np.ones(2)]], iter([np.ones(2)])):
        assert fitted({"w": 0.0}, 1, loss=loss, batches=batches, optimizer=o.sgd(0.25)).model == {"w": 1.0}
    done = fitted({"w": 0.0}, 1, loss=lambda m, d: (m["w"] - d["x"]) ** 2, batches=[{"x": 1.0}], optimizer=o.sgd(0.5))
    assert done.model == {"w": 1.0}


def test_each_batch_counts_by_its_samples() -> None:
    def of_lists(m: Any, rows: Any) -> Any:
        return m["w"] * sum([sum(row) for row in rows]) / len(rows)

    done = fitted({"w": 1.0}, 1, loss=of_lists, batches=[[[[1.0, 2.0], [3.0]]], [[[4.0]]]], optimizer=o.sgd(0.0))
    assert_allclose(done.history["loss"], [(2 * 3.0 + 4.0) / 3])

    def of_dicts(m: Any, d: Any) -> Any:
        return m["w"] * np.mean(d["x"])

    batches = [{"n": 5, "x": np.ones(3)}, {"n": 5, "x": np.full(1, 5.0)}]
    done = fitted({"w": 1.0}, 1, loss=of_dicts, batches=batches, optimizer=o.sgd(0.0))
    assert_allclose(done.history["loss"], [2.0])


def test_validation_of_every_form() -> None:
    one = fitted(validation=(X, Y))
    assert_allclose(one.history["validation"][-1], nn.mse(one.model(X), Y))
    assert_allclose(fitted(validation=nn.minibatches(X, Y, size=7)).history["validation"], one.history["validation"])
    assert fitted(validation=lambda m: 2.0).history["validation"] == [2.0, 2.0]
    several = fitted(validation=lambda m: {"accuracy": 0.5, "validation": 1.0}).history
    assert several["accuracy"] == [0.5, 0.5] and several["validation"] == [1.0, 1.0]
    with pytest.raises(OptionError, match="nothing was logged as `accurracy`"):
        several["accurracy"]


def test_losses_of_one_number_in_an_array() -> None:
    expected = fitted(validation=(X, Y))
    for shape in ((1,), (1, 1)):
        done = fitted(loss=lambda m, x, y, shape=shape: np.reshape(nn.mse(m(x), y), shape), validation=(X, Y))
        assert same(done.model, expected.model)
        assert done.history.steps == expected.history.steps and type(done.history.steps[0]) is float
        assert done.history["validation"] == expected.history["validation"]


def test_seeds_are_sources_of_random_numbers() -> None:
    start = nn.Chain(model(), nn.Dropout(0.5))
    for seed in (0, 3):
        done, again = (fitted(start, batches=[(X, Y)], rng=rng) for rng in (seed, np.random.default_rng(seed)))
        assert same(done.model, again.model)
    assert not same(done.model, fitted(start, batches=[(X, Y)], rng=4).model)
