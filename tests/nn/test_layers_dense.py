"""Dense layers and chains."""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose

from adjoint import gradient
from adjoint.nn import Chain, Dense, glorot_uniform, mse, relu, softmax, tanh
from adjoint.testing import check_gradient

X = np.random.default_rng(0).standard_normal((5, 2))


def test_dense_is_an_affine_map():
    layer = Dense(2, 3, rng=np.random.default_rng(1))
    assert_allclose(layer(X), X @ layer.weight + layer.bias)
    assert_allclose(layer(X[0]), layer(X)[0])


def test_the_matrix_product_of_the_series():
    a = np.array([[4.4, 6.9, 6.2, 8.4], [9.2, 7.4, 8.0, 0.3], [0.6, 0.4, 0.5, 0.7]])
    x = np.array([[1.1, 6.5], [3.7, 8.5], [9.8, 6.6], [6.1, 2.4]])
    d = np.array([[5.6, 5.3], [2.8, 6.9], [8.9, 1.0]])
    assert_allclose(a @ x, [[142.37, 148.33], [117.73, 176.22], [11.31, 12.28]])
    a_bar, x_bar = gradient(lambda a, x: np.sum(a @ x * d), a, x)
    assert_allclose(a_bar, d @ x.T)
    assert_allclose(x_bar, a.T @ d)


def test_glorot_uniform():
    weight = glorot_uniform(30, 20, rng=np.random.default_rng(0), dtype=np.float32)
    assert weight.shape == (30, 20) and weight.dtype == np.float32
    assert 0.9 * np.sqrt(6 / 50) < np.abs(weight).max() <= np.sqrt(6 / 50)


def test_layers_are_frozen_and_repeatable():
    first, second = (Dense(2, 3, relu, rng=np.random.default_rng(7)) for _ in range(2))
    assert_allclose(first.weight, second.weight)
    with pytest.raises(dataclasses.FrozenInstanceError):
        first.bias = np.ones(3)


def test_chain():
    layers = Dense(2, 3, relu), np.sin, Dense(3, 1)
    model = Chain(*layers)
    assert_allclose(model(X), layers[2](np.sin(layers[0](X))))
    assert len(model) == 3 and model[0] is layers[0] and tuple(model) == layers
    assert repr(model) == "Chain(Dense(2, 3, activation=relu), sin, Dense(3, 1))"
    assert Chain()(X) is X


def test_gradient_by_the_model():
    model = Chain(Dense(2, 4, tanh, rng=np.random.default_rng(1)), Dense(4, 2), softmax)
    (model_bar,) = gradient(lambda m: mse(m(X), np.ones((5, 2))), model)
    first = model_bar.layers[0]
    assert first.weight.shape == (2, 4) and first.bias.shape == (4,) and first.activation is None
    check_gradient(lambda m: mse(m(X), np.ones((5, 2))), model)


def test_gradient_by_the_input():
    model = Chain(Dense(2, 4, relu, rng=np.random.default_rng(1)), Dense(4, 1, rng=np.random.default_rng(2)))
    check_gradient(lambda x: np.sum(model(x)), X)
