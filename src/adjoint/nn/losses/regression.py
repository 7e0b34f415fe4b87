"""Losses of numbers: squared, absolute, Huber's, and Poisson's of counts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from adjoint import rule
from adjoint.errors import OptionError, calling_place
from adjoint.nn.arguments import check_flag, is_between
from adjoint.nn.losses.base import Back, Reduction, check, fitted, reduced, spread
from adjoint.rules import non_differentiable


def differences(predictions: Any, targets: Any, reduction: str) -> Any:
    """ŷ - y, in the precision of ŷ, of predictions and targets that fit.

    >>> differences(np.ones(2, np.float32), np.array([1, 0]), "mean")
    array([0., 1.], dtype=float32)
    """
    check(predictions, targets, reduction)
    return np.subtract(np.asarray(predictions), fitted(targets, predictions))


def mse(predictions: Any, targets: Any, *, reduction: Reduction = "mean") -> Any:
    """The squared error (ŷ - y)², of all elements the mean.

    Parameters
    ----------
    predictions : ŷ, any shape.
    targets : y, the same shape.
    reduction : "mean", "sum" or "none" (an array of that shape).

    Returns
    -------
    A number, or with `reduction="none"` an array of the losses.

    Raises
    ------
    StructureError
        If the shapes differ, something is no array of numbers, or it is the mean of an empty batch.
    OptionError
        For another reduction.

    Examples
    --------
    >>> float(mse(np.array([4.0, 2.0, -3.0, 1.5]), np.array([6.0, -2.0, -1.0, 1.5])))
    6.0
    """
    difference = differences(predictions, targets, reduction)
    return reduced(difference * difference, reduction)


@rule(mse)
def mse_rule(
    predictions: Any, targets: Any, *, reduction: Reduction = "mean", needs: tuple[bool, ...] = (True, True)
) -> tuple[Any, Back]:
    """ŷ̄ = 2 (ŷ - y) ℓ̄ / n, and ȳ = -ŷ̄."""
    difference = differences(predictions, targets, reduction)

    def mse_back(loss_bar: Any) -> tuple[Any, ...]:
        predictions_bar = difference * (2 * spread(loss_bar, np.size(difference), reduction))
        return predictions_bar, -predictions_bar if needs[1] else None

    return reduced(difference * difference, reduction), mse_back


def mae(predictions: Any, targets: Any, *, reduction: Reduction = "mean") -> Any:
    """The absolute error |ŷ - y|, of all elements the mean; its derivative is 0 where both agree.

    Parameters
    ----------
    predictions, targets, reduction : as `mse` has them.

    Returns
    -------
    A number, or with `reduction="none"` an array of the losses.

    Raises
    ------
    StructureError, OptionError
        As `mse` does.

    Examples
    --------
    >>> float(mae(np.array([1.0, 2.0]), np.array([3.0, 2.0])))
    1.0
    >>> mae(np.array([1.0, 2.0]), np.array([3.0, 2.0]), reduction="none")
    array([2., 0.])
    """
    return reduced(np.abs(differences(predictions, targets, reduction)), reduction)


@rule(mae)
def mae_rule(
    predictions: Any, targets: Any, *, reduction: Reduction = "mean", needs: tuple[bool, ...] = (True, True)
) -> tuple[Any, Back]:
    """ŷ̄ = sign(ŷ - y) ℓ̄ / n, and ȳ = -ŷ̄."""
    difference = differences(predictions, targets, reduction)

    def mae_back(loss_bar: Any) -> tuple[Any, ...]:
        predictions_bar = np.sign(difference) * spread(loss_bar, np.size(difference), reduction)
        return predictions_bar, -predictions_bar if needs[1] else None

    return reduced(np.abs(difference), reduction), mae_back


def huber(predictions: Any, targets: Any, delta: Any = 1.0, *, reduction: Reduction = "mean") -> Any:
    """Huber's loss: d² / 2 where |d| ≤ δ, and δ (|d| - δ / 2) beyond, for d = ŷ - y; of all elements the mean.

    Parameters
    ----------
    predictions, targets : as `mse` has them.
    delta : δ, a positive number: from where on errors count as they are, not squared.
    reduction : as `mse` has it.

    Returns
    -------
    A number, or with `reduction="none"` an array of the losses.

    Raises
    ------
    StructureError
        As `mse` does.
    OptionError
        If δ is not positive, or for another reduction.

    References
    ----------
    P. J. Huber, "Robust Estimation of a Location Parameter", 1964.

    Examples
    --------
    >>> huber(np.array([0.5, 3.0]), np.array([0.0, 0.0]), reduction="none")
    array([0.125, 2.5  ])
    """
    difference = differences(predictions, targets, reduction)
    check_delta(delta)
    return reduced(_huber(difference, delta), reduction)


@rule(huber)
def huber_rule(
    predictions: Any,
    targets: Any,
    delta: Any = 1.0,
    *,
    reduction: Reduction = "mean",
    needs: tuple[bool, ...] = (True, True, True),
) -> tuple[Any, Back]:
    """ŷ̄ = (ŷ - y, clipped to ±δ) ℓ̄ / n, and ȳ = -ŷ̄; δ̄ = Σ max(|ŷ - y| - δ, 0) ℓ̄ / n."""
    difference = differences(predictions, targets, reduction)
    check_delta(delta)
    by_delta = len(needs) < 3 or needs[2]  # given by name, nothing is said of it

    def huber_back(loss_bar: Any) -> tuple[Any, ...]:
        scale = spread(loss_bar, np.size(difference), reduction)
        predictions_bar = np.minimum(np.maximum(difference, -delta), delta) * scale
        delta_bar = np.sum(np.maximum(np.abs(difference) - delta, 0) * scale) if by_delta else None
        return predictions_bar, -predictions_bar if needs[1] else None, delta_bar

    return reduced(_huber(difference, delta), reduction), huber_back


def check_delta(delta: Any) -> None:
    """Raise `OptionError` unless δ is a positive number."""
    if not is_between(0, math.inf, delta) or delta == 0:
        raise OptionError(
            f"delta={delta!r} is no positive number",
            "errors up to δ are squared, and those beyond are not",
            "give a positive number; `mae` is what is left of it for small ones",
            calling_place(),
        )


non_differentiable(check_delta)


def _huber(difference: Any, delta: Any) -> Any:
    # c (|d| - c / 2) with c = min(|d|, δ) is both branches.
    size = np.abs(difference)
    inner = np.minimum(size, delta)
    return inner * (size - 0.5 * inner)


def poisson(predictions: Any, targets: Any, *, log_input: bool = False, reduction: Reduction = "mean") -> Any:
    """The negative logarithm of Poisson's probability of counts: λ - y log λ, without log y!; of all elements the mean.

    Parameters
    ----------
    predictions : the rates λ, any shape; 0 log 0 counts as 0.
    targets : the counts y, the same shape.
    log_input : whether the predictions are log λ: then it is exp(ŷ) - y ŷ, which is good everywhere.
    reduction : as `mse` has it.

    Returns
    -------
    A number, or with `reduction="none"` an array of the losses.

    Raises
    ------
    StructureError, OptionError
        As `mse` does.

    Examples
    --------
    >>> poisson(np.array([0.0, 1.0, 2.0]), np.array([0, 3, 2]), reduction="none").round(4)
    array([0.    , 1.    , 0.6137])
    >>> float(poisson(np.log([2.0]), np.array([2]), log_input=True).round(4))
    0.6137
    """
    check_flag("log_input", log_input)
    check(predictions, targets, reduction)
    predictions = np.asarray(predictions)
    return reduced(_poisson(predictions, fitted(targets, predictions), log_input), reduction)


@rule(poisson)
def poisson_rule(
    predictions: Any,
    targets: Any,
    *,
    log_input: bool = False,
    reduction: Reduction = "mean",
    needs: tuple[bool, ...] = (True, True),
) -> tuple[Any, Back]:
    """λ̄ = (1 - y / λ) ℓ̄ / n, of logarithms (λ - y) ℓ̄ / n; ȳ = -log λ ℓ̄ / n."""
    check_flag("log_input", log_input)
    check(predictions, targets, reduction)
    predictions = np.asarray(predictions)
    counts = fitted(targets, predictions)

    def poisson_back(loss_bar: Any) -> tuple[Any, ...]:
        scale = spread(loss_bar, np.size(counts), reduction)
        slopes = np.exp(predictions) - counts if log_input else 1 - counts / np.where(counts == 0, 1, predictions)
        counts_bar = (predictions if log_input else np.log(predictions)) * -scale if needs[1] else None
        return slopes * scale, counts_bar

    return reduced(_poisson(predictions, counts, log_input), reduction), poisson_back


def _poisson(predictions: Any, counts: Any, log_input: bool) -> Any:
    if log_input:
        return np.exp(predictions) - np.multiply(counts, predictions)
    return np.subtract(predictions, counts * np.log(np.where(counts == 0, 1, predictions)))
