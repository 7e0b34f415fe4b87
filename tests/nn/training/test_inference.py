"""A loss that runs a model as in inference is warned of, and no other is."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from nn.training.small import X, Y, fitted, model

from adjoint import nn
from adjoint.nn import Chain, mse

RNG = np.random.default_rng(0)


def normed() -> Any:
    return Chain(nn.Dense(2, 3, rng=RNG), nn.BatchNorm(3), nn.Dropout(0.1), nn.Dense(3, 1, rng=RNG))


def own(m: Any, x: Any, y: Any) -> Any:
    return mse(nn.train(m, x, RNG)[0], y)


LOSSES = {"own": own}


@dataclass
class Record:
    inner: Any

    def __call__(self, x: Any) -> Any:
        return self.inner.train(x)[0]


@pytest.mark.parametrize("loss", [lambda m, x, y: nn.mse(m(x), y), lambda m, x, y: mse(m(x), y) + np.sum(x * 0)])
def test_a_slip(loss: Any) -> None:
    with pytest.warns(
        UserWarning, match=r"the layer `layers\.1`, a `BatchNorm`, as in inference.*supervised"
    ) as caught:
        fitted(normed(), loss=loss)
    assert len(caught) == 1 and caught[0].filename.endswith("small.py") and caught[0].category is UserWarning
    with pytest.warns(UserWarning, match=r"the layer `a\.layers\.1`"):
        fitted({"a": normed()}, loss=lambda m, x, y: nn.mse(m["a"](x), y))


@pytest.mark.parametrize(
    ("start", "loss"),
    [
        (normed(), nn.supervised(mse)),
        (normed(), own),
        (normed(), lambda m, x, y: own(m, x, y)),
        (normed(), lambda m, x, y: mse(m.train(x)[0], y)),
        (normed(), lambda m, x, y: LOSSES["own"](m, x, y)),
        (normed(), lambda m, x, y: mse(getattr(m, "train")(x)[0], y)),  # noqa: B009
        (Record(normed()), lambda m, x, y: mse(m(x), y)),
        (model(), lambda m, x, y: mse(m(x), y)),
    ],
)
def test_no_slip(start: Any, loss: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fitted(start, loss=loss, batches=[(X, Y)])
