"""A small network and its training, of which tests are made."""

from __future__ import annotations

from typing import Any

import numpy as np

from adjoint import nn
from adjoint.nn import optimizers as o

X = np.random.default_rng(0).normal(size=(50, 2))
Y = np.sin(X[:, :1]) * X[:, 1:]


def model(seed: int = 0) -> Any:
    rng = np.random.default_rng(seed)
    return nn.Chain(nn.Dense(2, 8, nn.tanh, rng=rng), nn.Dense(8, 1, rng=rng))


def fitted(m: Any = None, epochs: int = 2, seed: int = 1, **options: Any) -> Any:
    given: dict[str, Any] = {"optimizer": o.adam(0.01), "rng": np.random.default_rng(seed), "progress": False} | options
    batches = given.pop("batches", None) or nn.minibatches(X, Y, size=16, rng=np.random.default_rng(seed))
    loss = given.pop("loss", nn.supervised(nn.mse))
    return nn.fit(m or model(), loss, batches, given.pop("optimizer"), epochs=epochs, **given)


def same(a: Any, b: Any) -> bool:
    return all(np.array_equal(p, q) for p, q in zip(nn.tree_leaves(a), nn.tree_leaves(b), strict=True))
