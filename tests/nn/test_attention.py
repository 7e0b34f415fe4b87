"""Attention of several heads: derivatives, masks, dropout, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from adjoint import gradient, nn
from adjoint.errors import OptionError, ShapeError
from adjoint.nn.layers.attention_weights import attention_weights
from adjoint.testing import check_gradient

RNG = np.random.default_rng(0)
X, OTHER = RNG.normal(size=(2, 3, 4)), RNG.normal(size=(2, 5, 4))


def layer_of(**options: Any) -> nn.MultiHeadAttention:
    return nn.MultiHeadAttention(4, 2, rng=np.random.default_rng(1), **options)


def test_both_orders() -> None:
    check_gradient(lambda layer, x: layer(x), layer_of(causal=True), X, order=2)


def test_of_others_with_a_mask() -> None:
    mask = RNG.random((2, 1, 3, 5)) < 0.5
    check_gradient(lambda layer, x, k, v: layer(x, k, v, mask), layer_of(bias=False), X, OTHER, 2 * OTHER)


def test_by_hand_with_one_head() -> None:
    layer = nn.MultiHeadAttention(4, 1, rng=np.random.default_rng(1))
    q, k, v = (part(X) for part in (layer.query, layer.key, layer.value))
    scores = np.einsum("nqf,nkf->nqk", q, k) / 2
    weights = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    assert_allclose(layer(X), layer.output(weights @ v))


def test_what_is_causal_does_not_see_what_comes_later() -> None:
    layer = layer_of(causal=True)
    changed = X.copy()
    changed[:, 2] += 1
    assert_array_equal(layer(changed)[:, :2], layer(X)[:, :2])
    assert_allclose(layer(X), layer_of()(X, mask=nn.causal_mask(3)))
    (x_bar,) = gradient(lambda x: layer(x)[:, 1].sum(), X)
    assert not x_bar[:, 2].any() and x_bar[:, 1].all()


def test_what_may_attend_to_nothing_has_the_bias_alone() -> None:
    mask = np.ones((3, 3), bool)
    mask[1] = False
    layer = layer_of()
    assert_array_equal(layer(X, mask=mask)[:, 1], np.broadcast_to(layer.output.bias, (2, 4)))
    check_gradient(lambda layer, x: layer(x, mask=mask), layer, X, order=2)


def test_large_scores_do_not_overflow() -> None:
    q = np.array([[1e3, -1e3]], np.float32)
    for mask in (None, np.array([[True]])):
        assert_array_equal(attention_weights(q, q, mask), np.ones((1, 1), np.float32))


def test_dropout_of_weights_in_training() -> None:
    layer = layer_of(dropout=0.5)
    first, same = layer.train(X, np.random.default_rng(0))
    again, _ = layer.train(X, np.random.default_rng(0))
    assert same is layer and np.array_equal(first, again) and not np.allclose(first, layer(X))
    assert_array_equal(layer_of().train(X)[0], layer(X))
    many = np.mean([layer.train(X, np.random.default_rng(seed))[0] for seed in range(2000)], axis=0)
    assert_allclose(many, layer(X), atol=0.05)
    check_gradient(lambda layer, x: layer.train(x, np.random.default_rng(0))[0], layer, X)


def test_precision_and_empty_batches() -> None:
    layer = layer_of(dtype=np.float32, causal=True, bias=False)  # that of keys has the gradient 0
    assert layer(X.astype(np.float32)).dtype == np.float32
    check_gradient(lambda layer, x: layer(x), layer, X.astype(np.float32))
    assert layer(X[:0].astype(np.float32)).shape == (0, 3, 4)


def test_in_a_chain_and_by_name() -> None:
    model = nn.Chain(nn.SkipConnection(layer_of(causal=True)), nn.Dense(4, 1))
    assert model(X).shape == (2, 3, 1)
    assert repr(layer_of(causal=True, dropout=0.1)) == "MultiHeadAttention(4, 2, causal=True, dropout=0.1)"
    assert [*nn.named_leaves(layer_of())][:2] == ["query.weight", "query.bias"]


def test_what_is_refused() -> None:
    with pytest.raises(OptionError, match="3 heads do not divide 4 features"):
        nn.MultiHeadAttention(4, 3)
    with pytest.raises(OptionError, match=r"dropout is 1\.0"):
        layer_of(dropout=1.0)
    layer = layer_of()
    for wrong in ((X[0],), (X, OTHER, X), (X, OTHER[:1]), (X, OTHER[..., :2])):
        with pytest.raises(ShapeError, match="query, key and value have the shapes"):
            layer(*wrong)
    for mask in (np.ones((3, 3)), np.ones((3, 4), bool), np.ones((1, 2, 2, 3, 3), bool)):
        with pytest.raises(ShapeError, match="the mask has the shape"):
            layer(X, mask=mask)
