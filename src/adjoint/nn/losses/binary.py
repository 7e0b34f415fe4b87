"""Losses of yes and no: cross entropies of one probability each, and the margin."""

from __future__ import annotations

from typing import Any

import numpy as np

from adjoint import rule
from adjoint.errors import StructureError, calling_place
from adjoint.nn.activations import sigmoid
from adjoint.nn.losses.base import Back, Reduction, check, check_shares, epsilon, fitted, reduced, spread
from adjoint.rules import non_differentiable


def binary_cross_entropy(probabilities: Any, labels: Any, *, reduction: Reduction = "mean") -> Any:
    """The cross entropy of yes and no: -y log(p + ε) - (1 - y) log(1 - p + ε); of all elements the mean.

    ε is the spacing of floating-point numbers at 1, so that a probability of 0 costs much, not everything. Where the
    model ends in logits, `logit_binary_cross_entropy` is exact and faster.

    Parameters
    ----------
    probabilities : p of yes, any shape, within [0, 1]: what `sigmoid` returns.
    labels : y, the same shape: flags, 0 and 1, or probabilities.
    reduction : "mean", "sum" or "none" (an array of that shape).

    Returns
    -------
    A number, or with `reduction="none"` an array of the losses.

    Raises
    ------
    StructureError
        If the shapes differ, probabilities or labels are not within [0, 1], as logits and the labels -1 and 1 are not,
        or it is the mean of an empty batch.
    OptionError
        For another reduction.

    Examples
    --------
    >>> binary_cross_entropy(np.array([0.5, 0.9]), np.array([True, False]), reduction="none").round(4)
    array([0.6931, 2.3026])
    """
    check_binary(probabilities, labels, reduction)
    probabilities = np.asarray(probabilities)
    return reduced(_binary(probabilities, fitted(labels, probabilities)), reduction)


@rule(binary_cross_entropy)
def binary_cross_entropy_rule(
    probabilities: Any, labels: Any, *, reduction: Reduction = "mean", needs: tuple[bool, ...] = (True, True)
) -> tuple[Any, Back]:
    """p̄ = ((1 - y) / (1 - p) - y / p) ℓ̄ / n, and ȳ = (log(1 - p) - log(p)) ℓ̄ / n, with ε beside each p and 1 - p."""
    check_binary(probabilities, labels, reduction)
    probabilities = np.asarray(probabilities)
    flags, eps = fitted(labels, probabilities), epsilon(probabilities)

    def binary_cross_entropy_back(loss_bar: Any) -> tuple[Any, ...]:
        scale = spread(loss_bar, np.size(flags), reduction)
        no, yes = 1 - probabilities + eps, probabilities + eps
        return ((1 - flags) / no - flags / yes) * scale, (np.log(no) - np.log(yes)) * scale if needs[1] else None

    return reduced(_binary(probabilities, flags), reduction), binary_cross_entropy_back


def _binary(p: Any, label: Any) -> Any:
    eps = epsilon(p)
    return (label - 1) * np.log(1 - p + eps) - label * np.log(p + eps)


def logit_binary_cross_entropy(logits: Any, labels: Any, *, reduction: Reduction = "mean") -> Any:
    """The cross entropy of yes and no with sigmoid(z): max(z, 0) - y z + log(1 + exp(-|z|)); of all elements the mean.

    No logit is too large or too small for it.

    Parameters
    ----------
    logits : z, any shape: scores before `sigmoid`.
    labels, reduction : as `binary_cross_entropy` has them.

    Returns
    -------
    A number, or with `reduction="none"` an array of the losses.

    Raises
    ------
    StructureError, OptionError
        As `binary_cross_entropy` does.

    Examples
    --------
    >>> logit_binary_cross_entropy(np.array([0.0, 1000.0]), np.array([1, 0]), reduction="none").round(4)
    array([6.931e-01, 1.000e+03])
    """
    check(logits, labels, reduction)
    check_labels(labels)
    logits = np.asarray(logits)
    return reduced(_logit_binary(logits, fitted(labels, logits)), reduction)


@rule(logit_binary_cross_entropy)
def logit_binary_cross_entropy_rule(
    logits: Any, labels: Any, *, reduction: Reduction = "mean", needs: tuple[bool, ...] = (True, True)
) -> tuple[Any, Back]:
    """z̄ = (sigmoid(z) - y) ℓ̄ / n, and ȳ = -z ℓ̄ / n."""
    check(logits, labels, reduction)
    check_labels(labels)
    logits = np.asarray(logits)
    flags = fitted(labels, logits)

    def logit_binary_cross_entropy_back(loss_bar: Any) -> tuple[Any, ...]:
        scale = spread(loss_bar, np.size(flags), reduction)
        return (sigmoid(logits) - flags) * scale, logits * -scale if needs[1] else None

    return reduced(_logit_binary(logits, flags), reduction), logit_binary_cross_entropy_back


def _logit_binary(z: Any, label: Any) -> Any:
    return np.maximum(z, 0) - label * z + np.log1p(np.exp(-np.abs(z)))


def hinge(scores: Any, targets: Any, *, reduction: Reduction = "mean") -> Any:
    """The max-margin loss max(0, 1 - y ŷ), of all elements the mean; its derivative is 0 at the margin.

    Parameters
    ----------
    scores : ŷ, any shape.
    targets : y, the same shape: -1 and 1.
    reduction : as `binary_cross_entropy` has it.

    Returns
    -------
    A number, or with `reduction="none"` an array of the losses.

    Raises
    ------
    StructureError, OptionError
        As `binary_cross_entropy` does, and for targets that are flags or other whole numbers, such as 0.

    Examples
    --------
    >>> float(hinge(np.array([0.5, -2.0, 3.0]), np.array([1.0, -1.0, -1.0])))
    1.5
    """
    check(scores, targets, reduction)
    check_signs(targets)
    scores = np.asarray(scores)
    return reduced(np.maximum(1 - np.multiply(fitted(targets, scores), scores), 0), reduction)


@rule(hinge)
def hinge_rule(
    scores: Any, targets: Any, *, reduction: Reduction = "mean", needs: tuple[bool, ...] = (True, True)
) -> tuple[Any, Back]:
    """ŷ̄ᵢ = -yᵢ ℓ̄ / n and ȳᵢ = -ŷᵢ ℓ̄ / n within the margin, 0 beyond it."""
    check(scores, targets, reduction)
    check_signs(targets)
    scores = np.asarray(scores)
    signs = fitted(targets, scores)
    margins = np.maximum(1 - np.multiply(signs, scores), 0)

    def hinge_back(loss_bar: Any) -> tuple[Any, ...]:
        inside = (margins > 0) * -spread(loss_bar, np.size(margins), reduction)
        return inside * signs, inside * scores if needs[1] else None

    return reduced(margins, reduction), hinge_back


def check_binary(probabilities: Any, labels: Any, reduction: str) -> None:
    """Raise unless both fit each other and are within [0, 1]."""
    check(probabilities, labels, reduction)
    check_shares("probabilities", probabilities, "of logits take `nn.logit_binary_cross_entropy`")
    check_labels(labels)


def check_labels(labels: Any) -> None:
    """Raise `StructureError` unless labels of yes and no are within [0, 1]."""
    check_shares("labels", labels, "give flags, or 0 and 1: of -1 and 1 `(labels + 1) / 2`")


def check_signs(targets: Any) -> None:
    """Raise `StructureError` if targets are flags or other whole numbers than -1 and 1: 0 has no sign.

    >>> check_signs(np.array([0.0, 1.0]))
    Traceback (most recent call last):
        ...
    adjoint.errors.StructureError: targets of a margin are neither -1 nor 1, from 0 to 1 ...
    """
    targets = np.asarray(targets)
    if targets.dtype.kind == "b":
        raise _sideless("the targets of a margin are flags", "2 * flags - 1")
    sizes = np.abs(targets)
    if np.any((sizes != 1) & (sizes == np.floor(sizes))):
        low, high = targets.min(), targets.max()
        raise _sideless(f"targets of a margin are neither -1 nor 1, from {low:g} to {high:g}", "2 * labels - 1")


def _sideless(what: str, signs: str) -> StructureError:
    return StructureError(
        what,
        "it has two sides, -1 and 1; of 0 nothing would be learned",
        f"give `{signs}`",
        calling_place(),
    )


non_differentiable(check_binary, check_labels, check_signs)

hinge_loss = hinge
"""The same under its name in scikit-learn."""
