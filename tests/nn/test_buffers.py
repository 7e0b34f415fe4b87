"""Buffers: leaves that are mapped, named and saved, and that nothing trains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from adjoint import gradient, nn
from adjoint.nn import optimizers
from adjoint.optimize import Objective
from adjoint.testing import check_gradient


@dataclass
class Norm:
    scale: Any
    mean: Any = nn.field(buffer=True)
    counts: Any = nn.field(buffer=True, default_factory=lambda: {"seen": [1.0, 2]})

    def __call__(self, x: Any) -> Any:
        return (x - self.mean) * self.scale * self.counts["seen"][0]


def model() -> Any:
    return [Norm(np.array([2.0, 3.0]), np.array([1.0, -1.0])), nn.Dense(2, 1, rng=np.random.default_rng(0))]


def loss(m: Any) -> Any:
    return (m[1](m[0](np.arange(6.0).reshape(3, 2))) ** 2).sum()


def test_the_gradient_by_a_buffer_is_none() -> None:
    (g,) = gradient(loss, model())
    assert g[0].mean is None and g[0].counts is None and g[0].scale.shape == (2,)
    check_gradient(loss, model(), order=2)


def test_buffers_are_leaves_with_names() -> None:
    paths = [*nn.named_leaves(model())]
    assert paths == ["0.scale", "0.mean", "0.counts.seen.0", "0.counts.seen.1", "1.weight", "1.bias"]
    doubled = nn.tree_map(lambda p: 2 * p, model())
    np.testing.assert_array_equal(doubled[0].mean, [2.0, -2.0])


def test_buffers_are_in_checkpoints() -> None:
    state = nn.state_dict(nn.tree_map(lambda p: 2 * p, model()))
    loaded = nn.load_state_dict(model(), state)
    np.testing.assert_array_equal(loaded[0].mean, [2.0, -2.0])
    assert loaded[0].counts == {"seen": [2.0, 4]}


def test_no_optimizer_moves_them_nor_lets_them_decay() -> None:
    m, optimizer = model(), optimizers.adamw(0.1, weight_decay=0.5)
    state = optimizer.init(m)
    updates, state = optimizer.update(gradient(loss, m)[0], state, m)
    moved = optimizers.apply_updates(m, updates)
    np.testing.assert_array_equal(moved[0].mean, m[0].mean)
    assert moved[0].counts == m[0].counts and not (moved[0].scale == m[0].scale).any()
    # ... also where a program of another's gives them a gradient
    whole = nn.tree_map(np.ones_like, m)
    updates, _ = optimizers.sgd(0.1).update(whole, optimizers.sgd(0.1).init(m), m)
    np.testing.assert_array_equal(updates[0].mean, np.zeros(2))


def test_they_are_not_in_the_vector() -> None:
    vector, unravel = nn.ravel(model())
    assert vector.shape == (2 + 2 + 1,)
    again = unravel(2 * vector)
    np.testing.assert_array_equal(again[0].mean, model()[0].mean)
    np.testing.assert_array_equal(again[0].scale, 2 * model()[0].scale)
    objective = Objective(loss, like=model())
    assert objective.jac(objective.x0).shape == (5,)


def test_what_is_a_parameter_elsewhere_is_one() -> None:
    shared = np.ones(2)
    (updates, _) = optimizers.sgd(1.0).update(
        {"w": np.ones(2), "n": Norm(np.zeros(2), np.zeros(2))},
        optimizers.sgd(1.0).init(m := {"w": shared, "n": Norm(np.ones(2), shared)}),
        m,
    )
    np.testing.assert_array_equal(updates["w"], [-1.0, -1.0])


def test_gradients_are_models_with_zeros_in_their_place() -> None:
    m = model()
    as_one = nn.as_model(gradient(loss, m)[0], like=m)
    np.testing.assert_array_equal(as_one[0].mean, np.zeros(2))
