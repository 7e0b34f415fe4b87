"""Losses of classes: cross entropies and the divergence of probabilities along an axis."""

from __future__ import annotations

from typing import Any

import numpy as np

from adjoint import rule
from adjoint.nn.arguments import check_flag
from adjoint.nn.losses.base import Back, Reduction, epsilon, fitted, precision_of, reduced, spread
from adjoint.nn.losses.class_checks import are_rows, check_probabilities, check_rows, checked_rows, samples_of
from adjoint.rules import non_differentiable


def logit_cross_entropy(logits: Any, labels: Any, *, axis: int = -1, reduction: Reduction = "mean") -> Any:
    """The cross entropy of labels and softmax(logits): -Σⱼ yⱼ log softmax(z)ⱼ, of all samples the mean.

    Probabilities that round to 0 do no harm: the logarithm is taken before the rounding. A logit of -∞, as a mask has
    it, costs nothing where its label is 0, and has no slope by it: 0 log 0 is 0.

    Parameters
    ----------
    logits : scores before `softmax`, (..., classes).
    labels : whole numbers (...), each its sample's class 0 … classes - 1; or rows (..., classes), probabilities or
        one-hot, which need not sum to 1. Numbers have one axis less than rows, so that they cannot be taken for them.
    axis : the axis of the classes.
    reduction : "mean", "sum" or "none" (an array (...)).

    Returns
    -------
    A number, or with `reduction="none"` an array of the losses.

    Raises
    ------
    StructureError
        If the shapes do not fit, a label is none of the classes or no whole number, or it is the mean of an empty
        batch.
    OptionError
        For another reduction, or an axis that is not there.

    References
    ----------
    C. E. Shannon, "A Mathematical Theory of Communication", 1948, section 6: a choice that is not taken counts 0.

    Examples
    --------
    >>> float(logit_cross_entropy(np.array([[0.0, 0.0], [1000.0, 0.0]]), np.array([[1.0, 0.0], [0.0, 1.0]])))
    500.34657...
    >>> float(logit_cross_entropy(np.array([[0.0, 0.0], [1000.0, 0.0]]), np.array([0, 1])))
    500.34657...
    """
    # Compiled programs are made of this; the rule moves no classes where they are many.
    by_rows = checked_rows(logits, labels, axis, reduction)
    scores = np.moveaxis(np.asarray(logits), axis, 0).copy()
    shifted = scores - scores.max(axis=0)
    sums = np.log(np.exp(shifted).sum(axis=0))
    if by_rows:
        rows = np.moveaxis(fitted(labels, logits), axis, 0).copy()
        return _reduced(-(rows * _where_it_counts(shifted - sums, rows)), 0, reduction)
    return reduced(sums - _at(shifted, labels), reduction)


def _at(x: Any, numbers: Any) -> Any:
    """Entries at the numbers of classes, which come first.

    >>> _at(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([0, 1]))
    array([1., 4.])
    """
    numbers = np.asarray(numbers)
    n = numbers.size
    return x.reshape(x.shape[0], n)[numbers.reshape(n), np.arange(n)].reshape(numbers.shape)


def _logit_cross_entropy(logits: Any, labels: Any, axis: int, reduction: Reduction) -> tuple[Any, Any, Any, Any, Any]:
    """The loss, and what its pullback needs, classes along the axis of `_along`: labels, log-probabilities (of rows),
    exponentials and their sums."""
    by_rows = checked_rows(logits, labels, axis, reduction)
    along = _along(logits, axis)
    marks = _placed(fitted(labels, logits), axis, along) if by_rows else np.expand_dims(np.asarray(labels), along)
    scores = _placed(logits, axis, along)
    shifted = scores - scores.max(axis=along, keepdims=True)
    exponentials = np.exp(shifted)
    sums = exponentials.sum(axis=along, keepdims=True)
    if by_rows:
        logs = shifted - np.log(sums)
        logs = logs if (logs > -np.inf).all() else _where_it_counts(logs, marks)
        return _reduced(-(marks * logs), along, reduction), marks, logs, exponentials, sums
    losses = np.log(sums) - np.take_along_axis(shifted, marks, along)
    return _reduced(losses, along, reduction), marks, None, exponentials, sums


@rule(logit_cross_entropy)
def logit_cross_entropy_rule(
    logits: Any,
    labels: Any,
    *,
    axis: int = -1,
    reduction: Reduction = "mean",
    needs: tuple[bool, ...] = (True, True),
) -> tuple[Any, Back]:
    """z̄ = (softmax(z) Σⱼ yⱼ - y) ℓ̄ / n, and ȳ = -logsoftmax(z) ℓ̄ / n."""
    loss, marks, logs, exponentials, sums = _logit_cross_entropy(logits, labels, axis, reduction)
    along, by_rows = _along(logits, axis), are_rows(labels, logits)

    def logit_cross_entropy_back(loss_bar: Any) -> tuple[Any, ...]:
        scale = spread(loss_bar, np.size(sums), reduction)
        scale = np.expand_dims(scale, along) if reduction == "none" else scale
        if not by_rows:
            amounts = scale * np.ones_like(sums)
            return _back_in_place(_less_at(exponentials, scale / sums, amounts, marks, along), along, axis), None
        logits_bar = exponentials * (marks.sum(axis=along, keepdims=True) * scale / sums) - marks * scale
        labels_bar = _back_in_place(logs * -scale, along, axis) if needs[1] else None
        return _back_in_place(logits_bar, along, axis), labels_bar

    return loss, logit_cross_entropy_back


def _less_at(x: Any, factors: Any, amounts: Any, numbers: Any, along: int) -> Any:
    """x times factors, less amounts at the numbers of classes: one of each for each sample.

    >>> _less_at(np.ones((2, 3)), np.array([[2.0], [3.0]]), np.ones((2, 1)), np.array([[0], [2]]), 1)
    array([[1., 2., 2.],
           [3., 3., 2.]])
    """
    y = x * factors
    np.put_along_axis(y, numbers, np.take_along_axis(y, numbers, along) - amounts, along)
    return y


@rule(_less_at)
def less_at_rule(x: Any, factors: Any, amounts: Any, numbers: Any, along: int) -> tuple[Any, Back]:
    """x̄ = ȳ f, f̄ = Σ ȳ x, and the amounts get -ȳ at their classes."""

    def less_at_back(y_bar: Any) -> tuple[Any, ...]:
        factors_bar = np.expand_dims(np.sum(y_bar * x, axis=along), along)
        return y_bar * factors, factors_bar, -np.take_along_axis(y_bar, numbers, along), None, None

    return _less_at(x, factors, amounts, numbers, along), less_at_back


def cross_entropy(probabilities: Any, labels: Any, *, axis: int = -1, reduction: Reduction = "mean") -> Any:
    """The cross entropy of labels and probabilities: -Σⱼ yⱼ log(pⱼ + ε), of all samples the mean.

    ε is the spacing of floating-point numbers at 1, so that a probability of 0 costs much, not everything. Where the
    model ends in logits, `logit_cross_entropy` is exact and faster.

    Parameters
    ----------
    probabilities : what `softmax` returns, (..., classes).
    labels, axis, reduction : as `logit_cross_entropy` has them.

    Returns
    -------
    A number, or with `reduction="none"` an array of the losses.

    Raises
    ------
    StructureError, OptionError
        As `logit_cross_entropy` does, and for predictions that are not within [0, 1], as logits are not.

    Examples
    --------
    >>> round(float(cross_entropy(np.array([[0.5, 0.5], [0.0, 1.0]]), np.array([[1.0, 0.0], [0.0, 1.0]]))), 4)
    0.3466
    >>> cross_entropy(np.array([[0.5, 0.5], [0.0, 1.0]]), np.array([0, 1]), reduction="none").round(4) + 0.0
    array([0.6931, 0.    ])
    """
    rows = _rows(labels, probabilities, axis, reduction)
    probabilities = np.asarray(probabilities)
    return _reduced(-(rows * np.log(probabilities + epsilon(probabilities))), axis, reduction)


@rule(cross_entropy)
def cross_entropy_rule(
    probabilities: Any,
    labels: Any,
    *,
    axis: int = -1,
    reduction: Reduction = "mean",
    needs: tuple[bool, ...] = (True, True),
) -> tuple[Any, Back]:
    """p̄ = -y / (p + ε) ℓ̄ / n, and ȳ = -log(p + ε) ℓ̄ / n."""
    rows = _rows(labels, probabilities, axis, reduction)
    probabilities = np.asarray(probabilities)
    padded = probabilities + epsilon(probabilities)
    logs = np.log(padded)
    by_rows = needs[1] and are_rows(labels, probabilities)

    def cross_entropy_back(loss_bar: Any) -> tuple[Any, ...]:
        scale = -_per_row(loss_bar, rows, axis, reduction)
        return rows / padded * scale, logs * scale if by_rows else None

    return _reduced(-(rows * logs), axis, reduction), cross_entropy_back


def kl_divergence(
    predictions: Any, targets: Any, *, axis: int = -1, log_input: bool = False, reduction: Reduction = "mean"
) -> Any:
    """The Kullback-Leibler divergence Σⱼ yⱼ (log yⱼ - log(pⱼ + ε)), of all samples the mean; 0 log 0 is 0.

    How much is lost by taking p for y. It is the cross entropy without the entropy of the targets, so that its gradient
    by the predictions is the same.

    Parameters
    ----------
    predictions : probabilities p, (..., classes); ε is as `cross_entropy` has it.
    targets : probabilities y, the same shape. The derivative by one that is 0 is infinite, as it is.
    axis : the axis of the classes.
    log_input : whether the predictions are logarithms of probabilities, as `logsoftmax` returns them: then it is exact.
    reduction : as `logit_cross_entropy` has it.

    Returns
    -------
    A number, or with `reduction="none"` an array of the losses.

    Raises
    ------
    StructureError, OptionError
        As `logit_cross_entropy` does.

    References
    ----------
    S. Kullback and R. A. Leibler, "On Information and Sufficiency", 1951.

    Examples
    --------
    >>> float(kl_divergence(np.array([[0.5, 0.5]]), np.array([[1.0, 0.0]])).round(4))
    0.6931
    >>> float(kl_divergence(np.log([[0.25, 0.75]]), np.array([[0.25, 0.75]]), log_input=True))
    0.0
    """
    check_flag("log_input", log_input)
    check_rows(predictions, targets, axis, reduction, of_labels=False)
    predictions = np.asarray(predictions)
    logs = predictions if log_input else np.log(predictions + epsilon(predictions))
    rows = fitted(targets, predictions)
    return _reduced(rows * (_logs(rows) - _where_it_counts(logs, rows)), axis, reduction)


@rule(kl_divergence)
def kl_divergence_rule(
    predictions: Any,
    targets: Any,
    *,
    axis: int = -1,
    log_input: bool = False,
    reduction: Reduction = "mean",
    needs: tuple[bool, ...] = (True, True),
) -> tuple[Any, Back]:
    """p̄ = -y / (p + ε) ℓ̄ / n, of logarithms -y ℓ̄ / n; ȳ = (log y + 1 - log(p + ε)) ℓ̄ / n."""
    check_flag("log_input", log_input)
    check_rows(predictions, targets, axis, reduction, of_labels=False)
    predictions = np.asarray(predictions)
    padded = predictions if log_input else predictions + epsilon(predictions)
    logs = padded if log_input else np.log(padded)
    rows = fitted(targets, predictions)

    def kl_divergence_back(loss_bar: Any) -> tuple[Any, ...]:
        scale = _per_row(loss_bar, rows, axis, reduction)
        predictions_bar = (rows if log_input else rows / padded) * -scale
        return predictions_bar, (_slopes(rows) - logs) * scale if needs[1] else None

    return _reduced(rows * (_logs(rows) - _where_it_counts(logs, rows)), axis, reduction), kl_divergence_back


def _logs(rows: Any) -> Any:
    """log y, and 0 for 0, which it is multiplied with."""
    return np.log(np.where(rows == 0, 1, rows))


def _slopes(rows: Any) -> Any:
    """The derivative of y log y: 1 + log y, and -∞ at 0."""
    return 1 + np.where(rows == 0, -np.inf, _logs(rows))


def _rows(labels: Any, predictions: Any, axis: int, reduction: Reduction) -> Any:
    """Labels as rows of the shape of predictions that are probabilities."""
    by_rows = checked_rows(predictions, labels, axis, reduction)
    check_probabilities(predictions)
    return fitted(labels, predictions) if by_rows else _one_hot(labels, predictions, axis)


def _one_hot(labels: Any, predictions: Any, axis: int) -> Any:
    """Rows of numbers of classes, in the predictions' precision."""
    numbers, shape = np.asarray(labels), np.shape(predictions)
    numbered = np.arange(shape[axis]).reshape((shape[axis],) + (1,) * (len(shape) - 1))
    rows = np.expand_dims(numbers, axis) == np.moveaxis(numbered, 0, axis)
    return rows.astype(precision_of(predictions))


MANY = 48
"""So many classes are reduced where they are; fewer in front, in memory too: a short last axis is slow to reduce."""


def _along(logits: Any, axis: int) -> int:
    return axis % np.ndim(logits) if np.shape(logits)[axis] >= MANY else 0


def _placed(x: Any, axis: int, along: int) -> Any:
    """`x` with the classes along an axis where they are quick to reduce."""
    x = np.asarray(x)
    if axis % x.ndim == along:
        return x
    return x.T.copy() if x.ndim == 2 else np.moveaxis(x, axis, 0).copy()


def _back_in_place(x: Any, along: int, axis: int) -> Any:
    if axis % x.ndim == along:
        return x
    return x.T if x.ndim == 2 else np.moveaxis(x, along, axis)


def _where_it_counts(logs: Any, rows: Any) -> Any:
    """Logarithms, and 0 for one of 0 that is multiplied with 0."""
    return np.where((rows == 0) & (logs == -np.inf), 0.0, logs)


def _reduced(terms: Any, axis: int, reduction: Reduction) -> Any:
    """Terms of losses, summed along an axis and reduced."""
    if reduction == "none":
        return np.sum(terms, axis=axis)
    return np.sum(terms) / samples_of(terms, axis) if reduction == "mean" else np.sum(terms)


def _per_row(loss_bar: Any, rows: Any, axis: int, reduction: Reduction) -> Any:
    """The share of ℓ̄ of each row of classes: a number, or an array with an axis for them."""
    scale = spread(loss_bar, samples_of(rows, axis), reduction)
    return np.expand_dims(scale, axis) if reduction == "none" else scale


non_differentiable(_one_hot, _along)
