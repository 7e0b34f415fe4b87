"""The common part of losses: checks of predictions and targets, and reductions to one number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from adjoint.errors import OptionError, StructureError, calling_place
from adjoint.rules import non_differentiable

Back = Callable[[Any], tuple[Any, ...]]
Reduction = Literal["mean", "sum", "none"]


def check(predictions: Any, targets: Any, reduction: str) -> None:
    """Raise `StructureError` or `OptionError` unless the shapes agree, and the reduction is one.

    >>> check([1.0, 2.0], [1.0], "mean")
    Traceback (most recent call last):
        ...
    adjoint.errors.StructureError: predictions and targets differ in shape: (2,) and (1,) ...
    """
    shapes = np.shape(predictions), np.shape(targets)
    if shapes[0] != shapes[1]:
        raise StructureError(
            f"predictions and targets differ in shape: {shapes[0]} and {shapes[1]}",
            "broadcasting would compare each with each",
            "reshape one of them",
            calling_place(),
        )
    check_reduction(reduction, int(np.size(predictions)))


def check_reduction(reduction: str, losses: int) -> None:
    """Raise unless the reduction is one, and there is a mean of so many losses.

    >>> check_reduction("average", 3)
    Traceback (most recent call last):
        ...
    adjoint.errors.OptionError: reduction='average' is not known ...
    """
    if reduction not in ("mean", "sum", "none"):
        raise OptionError(
            f"reduction={reduction!r} is not known",
            "losses are reduced to their mean, to their sum, or not at all",
            'give "mean", "sum" or "none"',
            calling_place(),
        )
    if losses == 0 and reduction == "mean":
        raise StructureError(
            "there is no mean of an empty batch",
            "no losses have a sum, which is 0, and no mean",
            'leave the batch out, or take reduction="sum"',
            calling_place(),
        )


def fitted(targets: Any, predictions: Any) -> Any:
    """Targets, those that are integers or flags in the precision of the predictions.

    >>> fitted(np.array([1, 0]), np.zeros(2, np.float32))
    array([1., 0.], dtype=float32)
    """
    kind = np.asarray(targets).dtype.kind
    if kind == "i" or kind == "u" or kind == "b":
        return np.asarray(targets).astype(precision_of(predictions))
    return targets


def precision_of(predictions: Any) -> Any:
    """The dtype of floating-point predictions; that of doubles for all others."""
    dtype = np.asarray(predictions).dtype
    return dtype if dtype.kind == "f" else DOUBLE


def epsilon(predictions: Any) -> Any:
    """The spacing of the predictions' numbers at 1."""
    dtype = precision_of(predictions)
    return EPSILON if dtype == DOUBLE else np.finfo(dtype).eps


DOUBLE = np.dtype(np.float64)
EPSILON = float(np.finfo(DOUBLE).eps)


def reduced(losses: Any, reduction: Reduction) -> Any:
    """Their mean, their sum, or the losses themselves.

    >>> reduced(np.array([1.0, 3.0]), "mean")
    np.float64(2.0)
    """
    return np.mean(losses) if reduction == "mean" else np.sum(losses) if reduction == "sum" else losses


def spread(loss_bar: Any, losses: int, reduction: Reduction) -> Any:
    """The share of each of so many losses of ℓ̄, the cotangent of what `reduced` gave: a number, or an array of them."""
    return loss_bar / losses if reduction == "mean" else loss_bar


non_differentiable(check, check_reduction, precision_of, epsilon)
