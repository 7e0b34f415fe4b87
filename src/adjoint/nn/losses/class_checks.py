"""Checks of predictions and labels of classes, which are numbers or rows."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from adjoint.errors import StructureError, calling_place
from adjoint.nn.arguments import check_axis
from adjoint.nn.losses.base import Reduction, check, check_arrays, check_reduction, check_shares
from adjoint.rules import non_differentiable


def checked_rows(predictions: Any, labels: Any, axis: int, reduction: Reduction) -> bool:
    """Raise unless labels fit predictions; True for labels that are rows."""
    check_arrays(predictions, labels)
    if are_rows(labels, predictions):
        _check_fit(predictions, labels, axis, reduction, True)
        return True
    check_numbers(labels, predictions, axis, reduction)
    return False


def are_rows(labels: Any, predictions: Any) -> bool:
    """True for labels that are rows of all classes: else each is the number of one."""
    kind = np.asarray(labels).dtype.kind
    return (kind != "i" and kind != "u") or np.ndim(labels) != np.ndim(predictions) - 1


def check_probabilities(predictions: Any) -> None:
    """Raise `StructureError` unless predictions are within [0, 1]: logits are not."""
    check_shares("predictions", predictions, "take `nn.logit_cross_entropy` for logits, or `nn.softmax` of them")


def check_rows(predictions: Any, rows: Any, axis: int, reduction: Reduction, of_labels: bool = True) -> None:
    """Raise unless rows, of labels or of other probabilities, fit predictions."""
    check_arrays(predictions, rows)
    _check_fit(predictions, rows, axis, reduction, of_labels)


def _check_fit(predictions: Any, rows: Any, axis: int, reduction: Reduction, of_labels: bool) -> None:
    check_axis("predictions", predictions, axis)
    if of_labels:
        check_apart(predictions, rows, axis)
    check(predictions, rows, "sum")
    check_reduction(reduction, samples_of(predictions, axis))


def check_apart(predictions: Any, labels: Any, axis: int) -> None:
    """Raise for one label for each sample that is no whole number, as a float or a flag: rows it is none."""
    shape, given = np.shape(predictions), np.asarray(labels)
    if given.ndim != len(shape) - 1 or given.shape != tuple(np.delete(shape, axis)):
        return
    if given.dtype.kind != "f" or np.all(given == np.round(given)):
        raise StructureError(
            f"labels of {given.dtype}, one for each sample, are no numbers of classes",
            f"rows and predictions must not differ in shape, {shape}; labels with one axis less are whole numbers",
            "give `labels.astype(int)`; of names `nn.onehot(labels, names)`, which makes rows",
            calling_place(),
        )


def samples_of(x: Any, axis: int) -> int:
    """The number of sums along `axis`: 1 for a vector, the number of rows for a batch."""
    shape = np.shape(x)
    return math.prod(shape) // shape[axis] if shape[axis] else int(np.prod(np.delete(shape, axis)))


def check_numbers(labels: Any, predictions: Any, axis: int, reduction: Reduction) -> None:
    """Raise unless each label is the number of a class."""
    check_axis("predictions", predictions, axis)
    numbers, shape = np.asarray(labels), np.shape(predictions)
    classes, wanted = shape[axis], np.shape(np.moveaxis(np.asarray(predictions), axis, 0)[0])
    if np.shape(numbers) != wanted:
        raise StructureError(
            f"predictions and labels differ in shape: {shape} and {np.shape(numbers)}",
            f"along axis {axis} there are {classes} classes, and each sample has the number of one",
            f"give whole numbers of shape {wanted}, or rows of shape {shape}",
            calling_place(),
        )
    if np.any(numbers < 0) or np.any(numbers >= classes):
        raise _stranger(numbers, classes, axis)
    check_reduction(reduction, np.size(numbers))


def _stranger(numbers: Any, classes: int, axis: int) -> StructureError:
    label = numbers[(numbers < 0) | (numbers >= classes)].flat[0]
    return StructureError(
        f"the label {label} is not one of {classes} classes",
        f"along axis {axis} there are predictions for the classes 0 … {classes - 1}",
        "count classes from 0, and let the model end in one output for each",
        calling_place(),
    )


non_differentiable(checked_rows, are_rows, check_probabilities, check_apart, check_rows, check_numbers, samples_of)
