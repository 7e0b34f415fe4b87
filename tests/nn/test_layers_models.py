"""Models of layers: chains in training, shared layers, names, checkpoints, vectors, optimizers, pickles."""

from __future__ import annotations

import pickle
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from adjoint import gradient, nn, pullback
from adjoint.errors import OptionError
from adjoint.nn import BatchNorm, Chain, Conv, Dense, Dropout, MaxPool, SkipConnection
from adjoint.nn import optimizers as o
from adjoint.testing import check_gradient

RNG = np.random.default_rng(0)
X = RNG.normal(size=(3, 6, 6, 1))


def small(seed: int = 0) -> Chain:
    rng = np.random.default_rng(seed)
    return Chain(
        filters=Conv(1, 2, (3, 3), padding="same", rng=rng),
        norm=BatchNorm(2),
        skip=SkipConnection(Conv(2, 2, (3, 3), nn.tanh, padding="same", rng=rng)),
        pool=MaxPool((2, 2)),
        drop=Dropout(0.25),
        flat=nn.flatten,
        head=Dense(18, 2, rng=rng),
    )


def in_training(m: Any) -> Any:
    y, after = m.train(X, np.random.default_rng(1))
    return (y**2).sum(), after


def test_training_and_inference_of_a_chain():
    m = small()
    y, after = m.train(X, np.random.default_rng(1))
    want, rng = X, np.random.default_rng(1)
    for layer in m:
        want, _ = nn.train(layer, want, rng)
    assert_array_equal(y, want)
    assert [*after.layers] == [*m.layers] and (after.layers["norm"].mean != 0).all()
    assert after.layers["filters"] is m.layers["filters"]
    assert_array_equal(m.layers["norm"].mean, [0, 0])
    assert m(X).shape == (3, 2) and not np.array_equal(m(X), after(X))


def test_derivatives_in_training():
    check_gradient(lambda m: in_training(m)[0], small())
    (value, after), back = pullback(in_training, small())
    (g,) = back((1.0, None))[1:]
    assert g.layers["norm"].mean is None
    assert value == in_training(small())[0] and (after.layers["norm"].mean != 0).all()


def test_a_step_of_an_optimizer_leaves_the_statistics_alone():
    (_, after), back = pullback(in_training, small())
    optimizer = o.adamw(0.1, weight_decay=0.5)
    updates, _ = optimizer.update(back((1.0, None))[1], optimizer.init(after), after)
    moved = o.apply_updates(after, updates)
    assert_array_equal(moved.layers["norm"].mean, after.layers["norm"].mean)
    assert_array_equal(moved.layers["norm"].var, after.layers["norm"].var)
    assert in_training(moved)[0] != in_training(after)[0]


def test_paths_and_checkpoints(tmp_path):
    m = in_training(small())[1]
    paths = [*nn.named_leaves(m)]
    assert paths[:6] == [
        "layers.filters.weight",
        "layers.filters.bias",
        "layers.norm.scale",
        "layers.norm.bias",
        "layers.norm.mean",
        "layers.norm.var",
    ]
    nn.save(tmp_path / "model.npz", m)
    again = nn.load(tmp_path / "model.npz", small(seed=1))
    assert_array_equal(again(X), m(X))
    assert [*nn.state_dict(m)] == paths


def test_vectors_pickles_and_maps():
    m = small()
    vector, unravel = nn.ravel(m)
    assert vector.size == sum([p.size for path, p in nn.named_leaves(m).items() if path[12:] not in ("mean", "var")])
    assert_array_equal(unravel(vector)(X), m(X))
    assert_array_equal(pickle.loads(pickle.dumps(m))(X), m(X))
    frozen = nn.freeze(m, "layers.filters", "*.bias")
    assert frozen.layers["filters"].weight and frozen.layers["head"].bias and not frozen.layers["head"].weight


def test_chains_by_name():
    m = small()
    assert m["head"] is m.layers["head"] and m[-1] is m["head"] and len(m) == 7
    assert [*m[1:3].layers] == ["norm", "skip"] and isinstance(m[:2], Chain)
    assert (
        repr(m[3:6])
        == "Chain(pool=MaxPool(kernel=(2, 2), stride=None, padding='valid'), drop=Dropout(rate=0.25), flat=flatten)"
    )
    assert [layer for layer in m] == [*m.layers.values()]
    plain = Chain(*m)
    assert_array_equal(plain(X), m(X))
    assert isinstance(plain[:2], Chain) and plain[0] is m[0]
    with pytest.raises(KeyError, match="no names"):
        plain["head"]
    with pytest.raises(OptionError, match="by position and by name"):
        Chain(np.sin, head=np.cos)
    check_gradient(lambda m: (m(X) ** 2).sum(), m)


@pytest.mark.parametrize("named", [False, True])
def test_a_layer_at_two_places(named):
    dense, norm = Dense(3, 3, nn.tanh, rng=np.random.default_rng(0)), BatchNorm(3)
    layers = [dense, norm, dense, norm, nn.sigmoid, norm]
    m = Chain(**{f"l{i}": layer for i, layer in enumerate(layers)}) if named else Chain(*layers)
    x = RNG.normal(size=(5, 3))
    y, after = m.train(x)
    assert after[0] is after[2] is dense and after[1] is after[3] is after[5] is not norm
    want, now = x, norm
    for layer in layers:
        if layer is norm:
            want, now = now.train(want)
        else:
            want = layer(want)
    assert_allclose(y, want, rtol=1e-13)
    assert_allclose(after[1].mean, now.mean, rtol=1e-13)
    assert len(nn.named_leaves(after)) == 6
    check_gradient(lambda m: (m.train(x)[0] ** 2).sum(), m)
    (g,) = gradient(lambda m: (m.train(x)[0] ** 2).sum(), m)
    updates, _ = o.sgd(0.1).update(g, o.sgd(0.1).init(after), after)
    moved = o.apply_updates(after, updates)
    assert moved[0] is moved[2] and moved[1] is moved[3]


@dataclass(frozen=True)
class Counting:
    """A stateful layer of one's own, which inherits nothing."""

    slope: float
    calls: int = nn.field(default=0, buffer=True)

    def __call__(self, x: Any) -> Any:
        return self.slope * x

    def train(self, x: Any, rng: Any) -> Any:
        return self.slope * x, Counting(self.slope, self.calls + 1)


def test_layers_of_ones_own_need_no_class():
    m = Chain(Counting(2.0), np.sin, Chain(inner=Counting(3.0)))
    y, after = m.train(0.5)
    assert y == 3 * np.sin(1.0) and after[0].calls == after[2]["inner"].calls == 1
    check_gradient(lambda m, x: m.train(x)[0], m, 0.5)


def test_activations_with_parameters_are_trained():
    @dataclass
    class Leaky:
        slope: Any

        def __call__(self, x: Any) -> Any:
            return nn.leaky_relu(x, self.slope)

    for layer in (Dense(6, 2, Leaky(0.2)), Conv(1, 2, (3, 3), Leaky(0.2))):
        assert "activation.slope" in nn.named_leaves(layer)
        check_gradient(lambda layer: layer(X).sum(), layer if isinstance(layer, Conv) else Dense(1, 2, Leaky(0.2)))


@pytest.mark.parametrize("initializer", [nn.glorot_normal, nn.he_uniform, nn.he_normal, nn.glorot_uniform])
def test_variances_of_initializers(initializer):
    weight = initializer(3, 3, 20, 50, rng=np.random.default_rng(0), dtype=np.float32)
    assert weight.dtype == np.float32 and weight.shape == (3, 3, 20, 50)
    want = 2 / (9 * 70) if "glorot" in initializer.__name__ else 2 / (9 * 20)
    assert_allclose(weight.var(), want, rtol=0.05)
    assert abs(weight.mean()) < 0.01


def test_orthogonal_and_truncated_initializers():
    for shape in [(4, 4), (6, 3), (3, 6), (2, 2, 3, 5)]:
        q = nn.orthogonal(*shape, gain=2.0, rng=np.random.default_rng(0)).reshape(-1, shape[-1])
        small = q.T @ q if q.shape[0] >= q.shape[1] else q @ q.T
        assert_allclose(small, 4 * np.eye(len(small)), atol=1e-12)
    x = nn.truncated_normal(50, 40, std=0.5, rng=np.random.default_rng(0))
    assert np.abs(x).max() <= 1.0 and abs(x.std() - 0.5 * 0.88) < 0.02
    assert nn.truncated_normal(3, 0).shape == (3, 0) and nn.truncated_normal().shape == ()
    with pytest.raises(OptionError, match="two axes"):
        nn.orthogonal(4)
    with pytest.raises(OptionError, match="bound is 0"):
        nn.truncated_normal(4, bound=0)


@pytest.mark.parametrize("bound", [1e-300, 1e-6, 0.1, 0.5, 0.99, 1.0, 2.0, 5.0, np.inf])
def test_truncated_initializers_of_any_bound(bound):
    n = 100_000
    x = nn.truncated_normal(n, bound=bound, rng=np.random.default_rng(0)) / min(bound, 1)
    reach = bound / min(bound, 1)
    assert np.abs(x).max() <= reach
    points = np.linspace(-min(reach, 8), min(reach, 8), 2001)
    density = np.exp(-0.5 * (points * min(bound, 1)) ** 2)
    for power in (1, 2, 4):  # moments, as far from those of the density as four deviations of their mean
        want, spread = ((points**p * density).sum() / density.sum() for p in (power, 2 * power))
        assert abs((x**power).mean() - want) < 4 * np.sqrt((spread - want**2) / n) + 2e-3


LAYERS = [
    nn.Dense(3, 2),
    nn.Conv(2, 4, (3, 3)),
    nn.Embedding(5, 3),
    nn.BatchNorm(3),
    nn.LayerNorm(3),
    nn.LSTM(3, 2),
    nn.GRUCell(3, 2),
    nn.MultiHeadAttention(4, 2),
]


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: type(layer).__name__)
def test_masks_and_other_maps_of_layers_have_a_text(layer: Any) -> None:
    path = next(iter(nn.named_leaves(layer)))
    assert "True" in repr(nn.freeze(layer, path)) and "True" not in repr(layer)
    assert repr(nn.tree_map(np.size, layer)).startswith(type(layer).__name__)
    assert repr(nn.tree_map(lambda p: 2 * p, layer)) == repr(layer)


def test_one_number_is_the_kernel_of_a_pool_along_each_axis() -> None:
    x = np.random.default_rng(0).normal(size=(2, 6, 6, 3))
    np.testing.assert_array_equal(nn.MaxPool(2)(x), nn.MaxPool((2, 2))(x))
    np.testing.assert_array_equal(nn.AvgPool(3, stride=1)(x[:, 0]), nn.AvgPool((3,), stride=1)(x[:, 0]))


def test_recurrent_layers_take_lists() -> None:
    x = np.random.default_rng(0).normal(size=(2, 4, 3))
    for layer in (nn.RNN(3, 2), nn.GRU(3, 2), nn.LSTM(3, 2)):
        np.testing.assert_array_equal(layer(x.tolist()), layer(x))


def test_a_seed_orders_batches_as_its_generator_does() -> None:
    a = [batch[0].tolist() for batch in nn.minibatches(np.arange(7), size=3, rng=5)]
    assert a == [batch[0].tolist() for batch in nn.minibatches(np.arange(7), size=3, rng=np.random.default_rng(5))]
