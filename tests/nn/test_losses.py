"""Losses: the values of the MicroGrad.jl series, stability, and their derivatives."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from adjoint import gradient, pullback
from adjoint.nn import cross_entropy, hinge_loss, logit_cross_entropy, mse, onehot, softmax
from adjoint.testing import check_gradient, check_rule

PREDICTIONS = np.array([4.0, 2.0, -3.0, 1.5])
TARGETS = np.array([6.0, -2.0, -1.0, 1.5])
LOGITS = np.array([[-0.5, 0.6, -1.0], [1.0, 0.3, 0.4]])
LABELS = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])


def test_mse():
    loss, back = pullback(mse, PREDICTIONS, TARGETS)
    assert loss == 6.0
    _, predictions_bar, targets_bar = back(1.0)
    assert_allclose(predictions_bar, [-1.0, 2.0, -1.0, 0.0])
    assert_allclose(targets_bar, [1.0, -2.0, 1.0, 0.0])


def test_mse_of_the_polynomial():
    loss, back = pullback(mse, np.array([3.0, 3.0, 9.0, 27.0]), np.array([2.0, 1.0, 3.0, 15.0]))
    assert loss == 46.25
    assert_allclose(back(1.0)[1], [0.5, 1.0, 3.0, 6.0])


def test_mse_of_numbers():
    loss, back = pullback(mse, 3.0, 1.0)
    assert loss == 4.0
    assert back(1.0)[1:] == (4.0, -4.0)


def test_logit_cross_entropy_of_a_vector():
    loss, back = pullback(logit_cross_entropy, PREDICTIONS, TARGETS)
    assert_allclose(loss, -6.3613271992582145)
    _, logits_bar, labels_bar = back(1.0)
    assert_allclose(logits_bar, [-2.306426003013708, 2.4998708830375276, 1.003368103516293, -1.1968129835401118])
    assert_allclose(labels_bar, [0.1974828446092856, 2.1974828446092856, 7.197482844609286, 2.6974828446092856])


def test_logit_cross_entropy_of_columns():
    loss, back = pullback(logit_cross_entropy, LOGITS, LABELS, axis=0)
    assert_allclose(loss, 1.3920619774565768)
    _, logits_bar, labels_bar = back(1.0)
    assert_allclose(
        logits_bar,
        [
            [-0.2725248253978812, 0.19148083893721968, -0.2673946295195272],
            [0.2725248253978812, -0.19148083893721962, 0.26739462951952725],
        ],
    )
    assert_allclose(
        labels_bar,
        [
            [0.5671377593275841, 0.184785081489509, 0.5401391366394835],
            [0.06713775932758415, 0.284785081489509, 0.07347246997281694],
        ],
    )


def test_cross_entropy_of_softmax_is_that_of_the_logits():
    for axis in (0, -1):
        separate = cross_entropy(softmax(LOGITS, axis=axis), LABELS, axis=axis)
        assert_allclose(separate, logit_cross_entropy(LOGITS, LABELS, axis=axis))


def test_batches_come_first_by_default():
    assert_allclose(logit_cross_entropy(LOGITS.T, LABELS.T), logit_cross_entropy(LOGITS, LABELS, axis=0))


def test_hinge_loss():
    scores, targets = np.array([0.5, -2.0, 3.0, 1.0]), np.array([1.0, -1.0, -1.0, 1.0])
    loss, back = pullback(hinge_loss, scores, targets)
    assert_allclose(loss, (0.5 + 0 + 4 + 0) / 4)
    assert_allclose(back(1.0)[1], [-0.25, 0.0, 0.25, 0.0])


@pytest.mark.parametrize("loss", [mse, hinge_loss, logit_cross_entropy, cross_entropy])
def test_rules(loss):
    rng = np.random.default_rng(0)
    check_rule(loss, rng.uniform(0.1, 0.9, (4, 3)), rng.uniform(0.1, 0.9, (4, 3)))


@pytest.mark.parametrize("loss", [logit_cross_entropy, cross_entropy])
def test_rules_along_the_first_axis(loss):
    rng = np.random.default_rng(1)
    check_rule(loss, rng.uniform(0.1, 0.9, (4, 3)), rng.uniform(0.1, 0.9, (4, 3)), kwargs={"axis": 0})


@pytest.mark.parametrize("loss", [mse, logit_cross_entropy, cross_entropy])
def test_second_derivatives(loss):
    x, y = np.array([[0.2, 0.7, 0.1], [0.4, 0.3, 0.6]]), onehot([1, 0], 3)
    check_gradient(loss, x, y, order=2)
    check_gradient(lambda x: np.sum(gradient(lambda x: loss(x, y), x)[0] ** 2), x)


@pytest.mark.parametrize("loss", [mse, hinge_loss, logit_cross_entropy, cross_entropy])
def test_float32_stays_float32(loss):
    x, y = np.full((4, 2), 0.3, dtype=np.float32), onehot([0, 1, 1, 0], 2, dtype=np.float32)
    y = 2 * y - 1 if loss is hinge_loss else y
    value, back = pullback(loss, x, y)
    assert np.asarray(value).dtype == np.float32
    assert back(np.float32(1))[1].dtype == np.float32


@pytest.mark.parametrize("loss", [mse, hinge_loss, logit_cross_entropy, cross_entropy])
def test_shapes_must_agree(loss):
    with pytest.raises(ValueError, match="differ in shape"):
        loss(np.ones((3, 1)), np.ones(3))
    with pytest.raises(ValueError, match="differ in shape"):
        gradient(loss, np.ones((3, 1)), np.ones(3))


def test_huge_logits_and_lost_probabilities():
    logits, labels = np.array([[1e4, -1e4], [1e4, -1e4]]), onehot([1, 0], 2)
    assert logit_cross_entropy(logits, labels) == 1e4
    for loss, x in [(logit_cross_entropy, logits), (cross_entropy, softmax(logits))]:
        value, back = pullback(loss, x, labels)
        assert np.isfinite(value)
        assert np.isfinite(back(1.0)[1]).all()
