"""Activations: the values of the MicroGrad.jl series, stability, and their derivatives."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from adjoint import pullback
from adjoint.nn import logsoftmax, relu, sigmoid, softmax, tanh
from adjoint.testing import check_gradient, check_rule

VECTOR = np.array([2.0, -1.0, 0.5])
MATRIX = np.array([[2.0, 2.0], [-1.0, 0.4], [0.5, 9.0]])
POINTS = np.array([[-1.2, 0.5], [2.1, -0.5]])


@pytest.mark.parametrize(
    ("function", "y", "x_bar"),
    [(sigmoid, 0.6224593312018546, 0.2350037122015945), (tanh, 0.46211715726000974, 0.7864477329659274)],
)
def test_of_a_number(function, y, x_bar):
    value, back = pullback(function, 0.5)
    assert_allclose(value, y, rtol=1e-14)
    assert_allclose(back(1.0)[1], x_bar, rtol=1e-14)


@pytest.mark.parametrize(
    ("function", "x_bar"),
    [
        (sigmoid, [[0.177894, 0.235004], [0.0971947, 0.235004]]),
        (tanh, [[0.30502, 0.786448], [0.058223, 0.786448]]),
        (relu, [[0.0, 1.0], [1.0, 0.0]]),
    ],
)
def test_of_a_matrix(function, x_bar):
    _, back = pullback(function, POINTS)
    assert_allclose(back(np.ones((2, 2)))[1], x_bar, rtol=1e-5)


def test_softmax_of_a_vector():
    y, back = pullback(softmax, VECTOR)
    assert_allclose(y, [0.7855970345892759, 0.03911257327068745, 0.1752903921400367])
    x_bar = [-0.04655011041061041, 0.01837295773064898, 0.028177152679961473]
    assert_allclose(back(np.array([0.46, 0.989, 0.68]))[1], x_bar)
    assert_allclose(back(np.ones(3))[1], np.zeros(3), atol=1e-16)


def test_softmax_of_columns():
    y, back = pullback(softmax, MATRIX, axis=0)
    assert_allclose(y, [[0.785597, 0.000910884], [0.0391126, 0.000183904], [0.17529, 0.998905]], rtol=1e-5)
    seed = np.array([[0.46, -0.95], [0.989, -8.6], [0.68, 6.3]])
    x_bar = [[-0.0465501, -0.0065954], [0.018373, -0.00273845], [0.0281772, 0.00933385]]
    assert_allclose(back(seed)[1], x_bar, rtol=1e-5)


def test_logsoftmax_of_a_vector():
    y, back = pullback(logsoftmax, VECTOR)
    assert_allclose(y, [-0.24131129665715703, -3.241311296657157, -1.7413112966571571])
    assert_allclose(back(np.ones(3))[1], [-1.3567911037678275, 0.8826622801879377, 0.47412882357988995])


def test_logsoftmax_of_columns():
    y, back = pullback(logsoftmax, MATRIX, axis=0)
    assert_allclose(y, [[-0.241311, -7.0011], [-3.24131, -8.6011], [-1.74131, -0.00109539]], rtol=1e-5)
    x_bar = [
        [-1.3567911037678275, 0.997267349055322],
        [0.8826622801879377, 0.9994482872893747],
        [0.47412882357988995, -1.996715636344697],
    ]
    assert_allclose(back(np.ones((3, 2)))[1], x_bar)


@pytest.mark.parametrize("function", [relu, sigmoid, tanh])
@pytest.mark.parametrize("x", [0.7, -0.7, POINTS], ids=["positive", "negative", "matrix"])
def test_elementwise_rules(function, x):
    check_rule(function, x)


@pytest.mark.parametrize("function", [softmax, logsoftmax])
@pytest.mark.parametrize("axis", [-1, 0])
def test_softmax_rules(function, axis):
    check_rule(function, MATRIX, kwargs={"axis": axis})


@pytest.mark.parametrize("function", [relu, sigmoid, tanh, softmax, logsoftmax])
def test_second_derivatives(function):
    check_gradient(function, VECTOR, order=2)


def test_relu_has_slope_zero_at_zero():
    assert pullback(relu, 0.0)[1](1.0)[1] == 0


@pytest.mark.parametrize("function", [relu, sigmoid, tanh, softmax, logsoftmax])
def test_float32_stays_float32(function):
    x = POINTS.astype(np.float32)
    y, back = pullback(function, x)
    assert y.dtype == np.float32
    assert back(np.ones_like(x))[1].dtype == np.float32


@pytest.mark.parametrize("function", [sigmoid, tanh, softmax, logsoftmax])
def test_huge_arguments(function):
    x = np.array([-1e4, 0.0, 1e4])
    y, back = pullback(function, x)
    assert np.isfinite(y).all()
    assert np.isfinite(back(np.ones(3))[1]).all()


def test_sigmoid_is_exact_far_below_zero():
    assert_allclose(sigmoid(-700.0), np.exp(-700.0), rtol=1e-14)
