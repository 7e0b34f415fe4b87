"""Models and losses that are otherwise in training."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from nn.training.small import X, Y, fitted, same
from numpy.testing import assert_allclose

from adjoint import nn
from adjoint.inspect import code_adjoint
from adjoint.nn import optimizers as o
from adjoint.nn.layers.base import is_different_in_training


@dataclass(frozen=True)
class Noisy:
    """A layer that draws in training, and counts."""

    scale: np.ndarray
    seen: int = nn.field(default=0, static=True)

    def __call__(self, x: Any) -> Any:
        return x * self.scale

    def train(self, x: Any, rng: np.random.Generator) -> tuple[Any, Any]:
        return x * self.scale * rng.uniform(0.9, 1.1, x.shape), replace(self, seen=self.seen + 1)


def test_a_model_that_trains_otherwise() -> None:
    start = Noisy(np.ones(2))
    done = fitted(start, batches=[(X, 2 * X)], epochs=30, optimizer=o.sgd(0.2), validation=(X, 2 * X))
    assert done.model.seen == 30 and start.seen == 0
    assert_allclose(done.model.scale, 2, atol=0.05)
    again = fitted(start, batches=[(X, 2 * X)], epochs=30, optimizer=o.sgd(0.2))
    assert same(done.model, again.model), "the draws are those of rng"
    assert_allclose(done.history["validation"][-1], nn.mse(done.model(X), 2 * X))


class OwnLoss:
    """A loss of a dict of models."""

    def __call__(self, models: Any, x: Any) -> Any:
        return np.mean(models["a"](x) ** 2)

    def train(self, models: Any, x: Any, rng: np.random.Generator) -> tuple[Any, Any]:
        y, a = models["a"].train(x, rng)
        return np.mean(y**2), models | {"a": a}


def test_a_loss_that_trains_in_its_own_way() -> None:
    done = fitted({"a": Noisy(np.ones(2))}, loss=OwnLoss(), batches=[X], epochs=3, optimizer=o.sgd(0.1))
    assert done.model["a"].seen == 3 and np.all(done.model["a"].scale < 1)


def test_what_trains_as_it_is_called() -> None:
    """A model of layers without state is run as it is called: nothing is handed on, which takes time."""
    called = []

    class Counted(nn.Layer):
        def __call__(self, x: Any) -> Any:
            called.append("call")
            return x

        def train(self, x: Any, rng: Any = None) -> Any:
            called.append("train")
            return x, self

    assert "recorded" not in code_adjoint(nn.train, nn.Dense(2, 1), X, np.random.default_rng(0))
    assert not is_different_in_training(nn.Chain(nn.SkipConnection(nn.Chain(a=nn.Dense(2, 2))), np.tanh))
    assert is_different_in_training(nn.SkipConnection(nn.Chain(a=nn.Dropout(0.5))))
    for start in (nn.Chain(Counted(), nn.Dense(2, 1)), nn.Chain(a=nn.Dense(2, 1), b=nn.Chain(Counted()))):
        called.clear()
        assert is_different_in_training(start)
        fitted(start, 1, batches=[(X, Y)], validation=(X, Y))
        assert set(called[:-1]) == {"train"} and called[-1] == "call"
