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
    check_arrays(predictions, targets)
    if not are_numbers(targets):
        raise _no_array(targets)
    shapes = np.shape(predictions), np.shape(targets)
    if shapes[0] != shapes[1]:
        raise StructureError(
            f"predictions and targets differ in shape: {shapes[0]} and {shapes[1]}",
            "broadcasting would compare each with each",
            "reshape one of them",
            calling_place(),
        )
    check_reduction(reduction, int(np.size(np.asarray(predictions))))


def check_arrays(predictions: Any, targets: Any) -> None:
    """Raise `StructureError` unless arrays can be made of both, of predictions one of numbers."""
    if not are_numbers(predictions):
        raise _no_array(predictions)
    if not is_array(targets):
        raise _no_array(targets)


def are_numbers(x: Any) -> bool:
    """False for what NumPy makes no array of numbers of.

    >>> are_numbers([1, 2.0]), are_numbers(["a"]), are_numbers([[1.0], [1.0, 2.0]])
    (True, False, False)
    """
    if not is_array(x):
        return False
    kind = np.asarray(x).dtype.kind
    return kind != "U" and kind != "S"


def is_array(x: Any) -> bool:
    """False for what NumPy makes no array of: rows of several lengths, tensors with a gradient of their own."""
    return isinstance(x, (np.ndarray, float)) or _becomes_array(x)


def _becomes_array(x: Any) -> bool:
    # Compiled programs have arrays and floats, and no form of this.
    try:
        np.asarray(x)
    except Exception:  # whatever the class of another library raises
        return False
    return True


def _no_array(x: Any) -> StructureError:
    return StructureError(
        f"no array of numbers can be made of what a loss is given, a {type(x).__name__}",
        "predictions and targets are arrays, or what `np.asarray` takes",
        "give rows of one length; of a tensor `x.detach().numpy()`, of names `nn.onehot(labels, names)`",
        calling_place(),
    )


def check_shares(name: str, shares: Any, way_out: str) -> None:
    """Raise `StructureError` unless numbers are probabilities, within [0, 1] but for rounding; nan goes through.

    >>> check_shares("labels", np.array([-1, 1]), "give flags")
    Traceback (most recent call last):
        ...
    adjoint.errors.StructureError: the labels reach from -1 to 1 ...
    """
    shares = np.asarray(shares)
    kind = shares.dtype.kind
    if (kind == "f" or kind == "i" or kind == "u") and shares.size > 0:
        low, high = shares.min(), shares.max()
        if low < -ROUNDING or high > 1 + ROUNDING:
            raise StructureError(
                f"the {name} reach from {low:.4g} to {high:.4g}",
                "they are probabilities, from 0 to 1, and of others the logarithm makes no loss",
                way_out,
                calling_place(),
            )


ROUNDING = 1e-3
"""By so much may probabilities be off: halves of precision round by it, and differences step over the end."""


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
    """Targets as an array, those that are integers or flags in the precision of the predictions.

    >>> fitted(np.array([1, 0]), np.zeros(2, np.float32))
    array([1., 0.], dtype=float32)
    """
    targets = np.asarray(targets)
    kind = targets.dtype.kind
    if kind == "i" or kind == "u" or kind == "b":
        return targets.astype(precision_of(predictions))
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


non_differentiable(
    check, check_reduction, check_arrays, are_numbers, is_array, _becomes_array, check_shares, precision_of, epsilon
)
