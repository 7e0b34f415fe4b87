"""Losses: a mean over the samples, as a number. Predictions come first, targets second, and their shapes must agree.

(A column of predictions against a row of targets would broadcast to a matrix and train on nonsense.)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from adjoint import rule

Back = Callable[[Any], tuple[Any, Any]]


def _same_shape(predictions: Any, targets: Any) -> None:
    shapes = np.shape(predictions), np.shape(targets)
    if shapes[0] != shapes[1]:
        raise ValueError(f"predictions and targets differ in shape: {shapes[0]} and {shapes[1]}; reshape one of them")


def _samples(x: Any, axis: int) -> int:
    """How many sums there are along `axis`: 1 for a vector, the number of rows for a batch."""
    return int(np.size(x) // max(np.shape(x)[axis], 1))


def mse(predictions: Any, targets: Any) -> Any:
    """Return the mean squared error, 1/n Σᵢ (ŷᵢ - yᵢ)² over all n elements.

    >>> float(mse(np.array([4.0, 2.0, -3.0, 1.5]), np.array([6.0, -2.0, -1.0, 1.5])))
    6.0
    """
    _same_shape(predictions, targets)
    difference = np.subtract(predictions, targets)
    return np.mean(difference * difference)


@rule(mse)
def mse_rule(predictions: Any, targets: Any) -> tuple[Any, Back]:
    """ŷ̄ = 2 (ŷ - y) ℓ̄ / n, and ȳ = -ŷ̄."""
    _same_shape(predictions, targets)
    difference = np.subtract(predictions, targets)

    def mse_back(loss_bar: Any) -> tuple[Any, Any]:
        predictions_bar = difference * (2 * loss_bar / np.size(difference))
        return predictions_bar, -predictions_bar

    return np.mean(difference * difference), mse_back


def logit_cross_entropy(logits: Any, labels: Any, *, axis: int = -1) -> Any:
    """Return the cross entropy of labels and softmax(logits): the mean over samples of -Σⱼ yⱼ log softmax(z)ⱼ.

    Probabilities that round to 0 do no harm: the logarithm is taken before the rounding.

    Parameters
    ----------
    logits : scores before `softmax`, (samples, classes).
    labels : probabilities or one-hot rows, the same shape; rows need not sum to 1.
    axis : the axis of the classes.

    >>> float(logit_cross_entropy(np.array([[0.0, 0.0], [1000.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 1.0]])))
    500.34657...
    """
    return _logit_cross_entropy(logits, labels, axis)[0]


def _logit_cross_entropy(logits: Any, labels: Any, axis: int) -> tuple[Any, Any, Any, Any, Any]:
    """The loss, and what its pullback needs, classes first: labels, log-probabilities, exponentials and their sums."""
    _same_shape(logits, labels)
    scores, labels = _classes_first(logits, axis), _classes_first(labels, axis)
    shifted = scores - scores.max(axis=0)
    exponentials = np.exp(shifted)
    sums = exponentials.sum(axis=0)
    logs = shifted - np.log(sums)
    return -(labels * logs).sum() / _samples(logits, axis), labels, logs, exponentials, sums


def _classes_first(x: Any, axis: int) -> Any:
    """`x` with `axis` in front, in memory too: a short last axis is slow to reduce."""
    return np.swapaxes(x, axis, 0).copy()


@rule(logit_cross_entropy)
def logit_cross_entropy_rule(
    logits: Any, labels: Any, *, axis: int = -1, needs: tuple[bool, ...] = (True, True)
) -> tuple[Any, Back]:
    """z̄ = (softmax(z) Σⱼ yⱼ - y) ℓ̄ / n, and ȳ = -logsoftmax(z) ℓ̄ / n."""
    loss, targets, logs, exponentials, sums = _logit_cross_entropy(logits, labels, axis)

    def logit_cross_entropy_back(loss_bar: Any) -> tuple[Any, Any]:
        scale = loss_bar / _samples(logits, axis)
        logits_bar = (exponentials * (targets.sum(axis=0) / sums) - targets) * scale
        labels_bar = np.swapaxes(logs * -scale, axis, 0) if needs[1] else None
        return np.swapaxes(logits_bar, axis, 0), labels_bar

    return loss, logit_cross_entropy_back


def cross_entropy(probabilities: Any, labels: Any, *, axis: int = -1) -> Any:
    """Return the cross entropy of labels and probabilities: the mean over samples of -Σⱼ yⱼ log(pⱼ + ε).

    ε is the spacing of floating-point numbers at 1, so that a probability of 0 costs much, not everything. Where the
    model ends in logits, `logit_cross_entropy` is exact and faster.

    Parameters
    ----------
    probabilities : what `softmax` returns, (samples, classes).
    labels : probabilities or one-hot rows, the same shape.
    axis : the axis of the classes.

    >>> round(float(cross_entropy(np.array([[0.5, 0.5], [0.0, 1.0]]), np.array([[1.0, 0.0], [0.0, 1.0]]))), 4)
    0.3466
    """
    _same_shape(probabilities, labels)
    padded = probabilities + _epsilon(probabilities)
    return -np.sum(labels * np.log(padded)) / _samples(labels, axis)


def _epsilon(x: Any) -> Any:
    dtype = np.asarray(x).dtype
    return np.finfo(dtype if dtype.kind == "f" else np.float64).eps


@rule(cross_entropy)
def cross_entropy_rule(probabilities: Any, labels: Any, *, axis: int = -1) -> tuple[Any, Back]:
    """p̄ = -y / (p + ε) ℓ̄ / n, and ȳ = -log(p + ε) ℓ̄ / n."""
    _same_shape(probabilities, labels)
    padded = probabilities + _epsilon(probabilities)
    logs = np.log(padded)
    samples = _samples(labels, axis)

    def cross_entropy_back(loss_bar: Any) -> tuple[Any, Any]:
        scale = -loss_bar / samples
        return labels / padded * scale, logs * scale

    return -np.sum(labels * logs) / samples, cross_entropy_back


def hinge_loss(scores: Any, targets: Any) -> Any:
    """Return the max-margin loss 1/n Σᵢ max(0, 1 - yᵢ ŷᵢ), for targets -1 and 1; its derivative is 0 at the margin.

    >>> float(hinge_loss(np.array([0.5, -2.0, 3.0]), np.array([1.0, -1.0, -1.0])))
    1.5
    """
    _same_shape(scores, targets)
    return np.mean(np.maximum(1 - np.multiply(targets, scores), 0))


@rule(hinge_loss)
def hinge_loss_rule(scores: Any, targets: Any) -> tuple[Any, Back]:
    """ŷ̄ᵢ = -yᵢ ℓ̄ / n and ȳᵢ = -ŷᵢ ℓ̄ / n within the margin, 0 beyond it."""
    _same_shape(scores, targets)
    margins = np.maximum(1 - np.multiply(targets, scores), 0)

    def hinge_loss_back(loss_bar: Any) -> tuple[Any, Any]:
        inside = (margins > 0) * (-loss_bar / np.size(margins))
        return inside * targets, inside * scores

    return np.mean(margins), hinge_loss_back
