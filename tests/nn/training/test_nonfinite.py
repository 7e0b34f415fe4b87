"""A training stops at the first nan, and says where it is from."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from nn.training.small import X, Y, fitted, model

from adjoint import nn
from adjoint.errors import NonFiniteError
from adjoint.nn import optimizers as o


class TestNonFinite:
    """It stops at the first nan, and says where it is from."""

    def test_in_the_batch(self) -> None:
        bad = X.copy()
        bad[20, 1] = np.nan
        with pytest.raises(NonFiniteError, match=r"(?s)the loss is nan at step 2, in epoch 1.*item 0 of it has a nan"):
            fitted(batches=nn.minibatches(bad, Y, size=16))

    def test_in_a_parameter(self) -> None:
        start = model()
        start.layers[1].bias[0] = np.inf
        with pytest.raises(NonFiniteError, match=r"(?s)at step 1, in epoch 1.*parameter `layers.1.bias` is not finite"):
            fitted(start)

    @pytest.mark.filterwarnings("ignore::RuntimeWarning")
    def test_in_a_layer(self) -> None:
        @dataclass(frozen=True)
        class Root:
            shift: np.ndarray

            def __call__(self, x: Any) -> Any:
                return np.sqrt(x - self.shift)

        start = nn.Chain(nn.Dense(2, 3), Root(np.full(3, 1e3)), nn.Dense(3, 1))
        with pytest.raises(
            NonFiniteError, match="(?s)the loss is nan at step 1.*what the layer `layers.1` gives is the"
        ):
            fitted(start)
        start = nn.Chain(nn.Dense(2, 3), lambda x: np.log(x - 1e3), nn.Dense(3, 1))
        with pytest.raises(NonFiniteError, match="(?s)what goes into the layer `layers.2` is the first"):
            fitted(start)

    @pytest.mark.filterwarnings("ignore::RuntimeWarning")
    def test_in_the_loss(self) -> None:
        with pytest.raises(NonFiniteError, match="(?s)the loss is nan.*it comes about in the loss itself"):
            fitted(loss=lambda m, x, y: np.mean(np.log(-(m(x) ** 2))))

    @pytest.mark.filterwarnings("ignore::RuntimeWarning")
    def test_in_a_gradient(self) -> None:
        start = {"a": np.ones(2), "b": np.zeros(2)}
        with pytest.raises(
            NonFiniteError, match="(?s)the gradient by `b` is not finite at step 1.*a slope is infinite"
        ):
            fitted(start, loss=lambda m, x: np.sum(m["a"] + np.sqrt(m["b"])), batches=[X])

    @pytest.mark.filterwarnings("ignore::RuntimeWarning")
    def test_by_an_update(self) -> None:
        with pytest.raises(NonFiniteError, match="the parameter `w` is not finite after step 1, the last of epoch 1"):
            fitted({"w": 1.0}, 1, loss=lambda m, x: m["w"] * 1e200, batches=[X], optimizer=o.sgd(1e200))

    def test_from_the_start_where_nothing_flows(self) -> None:
        """A bound in a record is a parameter, unless it is static."""
        for low in (-np.inf, np.nan):
            with pytest.raises(NonFiniteError, match="`low` is not finite before the first step") as caught:
                fitted({"w": 1.0, "low": low}, loss=lambda m, x: m["w"] * 2.0, batches=[X])
            assert "nn.field(static=True)" in caught.value.way_out
        with pytest.raises(
            NonFiniteError, match="(?s)the loss is -inf at step 1.*`low` is not finite before the"
        ) as caught:
            fitted({"w": 1.0, "low": -np.inf}, loss=lambda m, x: m["w"] * m["low"], batches=[X])
        assert "nn.field(static=True)" in caught.value.way_out and "learning rate" not in caught.value.way_out

    def test_buffers_may_be_infinite_from_the_start(self) -> None:
        @dataclass
        class Bounded:
            w: float
            low: float = nn.field(default=-np.inf, buffer=True)

        done = fitted(Bounded(1.0), loss=lambda m, x: np.sum(np.maximum(m.w * x, m.low)), batches=[X])
        assert done.model.low == -np.inf and done.model.w != 1.0

    def test_in_validation(self) -> None:
        bad = X.copy()
        bad[1, 1] = np.nan
        said = "(?s)the loss of `validation` is nan after epoch 1.*item 0 of it has a nan"
        for validation in ((bad, Y), [(X, Y), (bad, Y)]):
            with pytest.raises(NonFiniteError, match=said):
                fitted(validation=validation)

    @pytest.mark.filterwarnings("ignore::RuntimeWarning")
    def test_in_what_was_drawn(self) -> None:
        @dataclass(frozen=True)
        class Sometimes:
            scale: np.ndarray

            def __call__(self, x: Any) -> Any:
                return x * self.scale

            def train(self, x: Any, rng: np.random.Generator) -> tuple[Any, Any]:
                return x * self.scale * (np.inf if rng.uniform() < 0.3 else 1.0), self

        with pytest.raises(NonFiniteError, match="what the model gives is the first that is not finite"):
            fitted(Sometimes(np.ones(2)), batches=[(X, X)] * 50, epochs=1)

    @pytest.mark.filterwarnings("ignore::RuntimeWarning")
    def test_a_model_that_cannot_be_copied(self) -> None:
        @dataclass
        class Held:
            w: float

            def __call__(self, x: Any) -> Any:
                return np.log(self.w * 0 - 1) * x

            def __deepcopy__(self, memo: Any) -> Any:
                raise TypeError("no")

        with pytest.raises(
            NonFiniteError, match=r"(?s)the loss is nan at step 1.*could not be looked at: TypeError \(no\)"
        ):
            fitted(Held(1.0), batches=[(X, X)])

    @pytest.mark.filterwarnings("ignore::RuntimeWarning")
    def test_a_gradient_of_a_model_that_cannot_be_copied(self) -> None:
        @dataclass
        class Held:
            w: float
            lock: Any = nn.field(static=True)

            def __call__(self, x: Any) -> Any:
                return np.sqrt(self.w) * x

        with pytest.raises(NonFiniteError, match=r"(?s)the gradient by `w`.*could not be looked at: TypeError"):
            fitted(Held(0.0, threading.Lock()), batches=[(X, X)])

    @pytest.mark.filterwarnings("ignore::RuntimeWarning")
    def test_of_a_descent(self) -> None:
        with pytest.raises(NonFiniteError, match="the loss is (inf|nan) at step"):
            nn.gradient_descent(nn.Dense(2, 1), nn.mse, X, Y, learning_rate=1e200, steps=10, progress=False)
