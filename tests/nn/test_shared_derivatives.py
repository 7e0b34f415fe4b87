"""Derivatives through maps of models in which one object stands at several places, of both modes and orders."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from adjoint import gradient, jvp, nn

W = np.array([1.0, -2.0])


def of_arrays(m: Any) -> Any:
    return ((m["a"] + m["b"]) ** 2).sum() * m["c"][0]


def of_layers(m: Any) -> Any:
    return (m(np.ones((3, 2))) ** 2).sum()


def models() -> list[tuple[Any, Any]]:
    layer = nn.Dense(2, 2, np.tanh, rng=np.random.default_rng(0))
    items = [1.5]
    return [(of_arrays, {"a": W, "b": W, "c": items, "d": items}), (of_layers, nn.Chain(layer, np.tanh, layer))]


@pytest.mark.parametrize(("loss", "model"), models())
@pytest.mark.parametrize("steps", [1, 3])
def test_the_final_loss_by_the_learning_rate(loss: Any, model: Any, steps: int) -> None:
    def final(rate: float) -> Any:
        m = model
        for _ in range(steps):
            (g,) = gradient(loss, m)
            m = nn.tree_map(lambda p, d: p - rate * d, m, nn.as_model(g, like=m))
        return loss(m)

    rate, h = 0.02, 1e-5
    slope = (final(rate + h) - final(rate - h)) / (2 * h)
    assert gradient(final, rate)[0] == pytest.approx(slope, rel=1e-6)
    assert jvp(final, (rate,), (1.0,))[1] == pytest.approx(slope, rel=1e-6)
    bend = (gradient(final, rate + h)[0] - gradient(final, rate - h)[0]) / (2 * h)
    assert gradient(lambda r: gradient(final, r)[0], rate)[0] == pytest.approx(bend, rel=1e-6)


@pytest.mark.parametrize(("loss", "model"), models())
def test_scaling_what_is_shared(loss: Any, model: Any) -> None:
    def scaled(c: float) -> Any:
        return loss(nn.tree_map(lambda p: p * c, model))

    h = 1e-5
    slope = (scaled(1.2 + h) - scaled(1.2 - h)) / (2 * h)
    assert gradient(scaled, 1.2)[0] == pytest.approx(slope, rel=1e-8)
    assert jvp(scaled, (1.2,), (1.0,))[1] == pytest.approx(slope, rel=1e-8)
