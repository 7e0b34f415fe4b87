"""Class labels to one-hot rows and back."""

from __future__ import annotations

import reprlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from adjoint.errors import OptionError, StructureError, calling_place
from adjoint.nn.arguments import is_whole
from adjoint.rules import non_differentiable


def onehot(labels: Any, classes: int | Sequence[Any], *, axis: int = -1, dtype: DTypeLike = np.float64) -> np.ndarray:
    """Return an array that is 1 at each label's class and 0 elsewhere; `axis` is the new axis of the classes.

    `classes` is the list of possible labels, or a number n for 0 … n-1.

    Parameters
    ----------
    labels : an array, a list or one label.
    classes : the list of possible labels, or a number n for 0 … n-1.
    axis : the axis of the classes in the result.
    dtype : of the result.

    Returns
    -------
    An array of zeros and ones, with one axis more than the labels.

    Raises
    ------
    StructureError
        If a label is not one of the classes, or the labels are a ragged list.
    OptionError
        If the classes are neither a positive number nor a list in which each is there once, or there is no such axis.

    Examples
    --------
    >>> onehot([0, 2, 1], 3)
    array([[1., 0., 0.],
           [0., 0., 1.],
           [0., 1., 0.]])
    >>> onehot(["b", "a"], ["a", "b"], dtype=int)
    array([[0, 1],
           [1, 0]])
    """
    names, given = _names(classes), _array_of(labels)
    _check_axis(axis, given.ndim + 1)
    hits = given[..., np.newaxis] == names
    missing = given[~hits.any(axis=-1)]
    if missing.size:
        raise StructureError(
            f"label {missing.flat[0].item()!r} is not one of the classes {reprlib.repr(names.tolist())}",
            "each label has its class, and a row is 1 there",
            "count classes from 0, or give the list of all that there are",
            calling_place(),
        )
    return np.moveaxis(hits.astype(dtype), -1, axis)


def _array_of(labels: Any) -> np.ndarray:
    """An array of labels or classes."""
    try:
        return np.asarray(labels)
    except ValueError:
        raise StructureError(
            "labels or classes are no array: their lists differ in length",
            "each sample has one label, and each class one name",
            "give as many labels for each sample, or make rows of each list by itself",
            calling_place(),
        ) from None


def _names(classes: Any) -> np.ndarray:
    """The classes as an array."""
    if is_whole(classes) and classes > 0:
        return np.arange(classes)
    names = _array_of(classes)
    if names.ndim != 1 or not names.size or len(set(names.tolist())) != names.size:
        raise OptionError(
            f"classes={reprlib.repr(classes)} are no classes",
            "there is one or more, and each is there once",
            "give how many there are, or the list of them",
            calling_place(),
        )
    return names


def _check_axis(axis: Any, axes: int) -> None:
    if not is_whole(axis) or not -axes <= axis < axes:
        raise OptionError(
            f"axis={axis!r} is no axis of {axes}",
            "along it are the classes",
            f"give a whole number from {-axes} to {axes - 1}" if axes else "give an array with an axis of classes",
            calling_place(),
        )


def onecold(scores: Any, classes: Sequence[Any] | None = None, *, axis: int = -1) -> np.ndarray:
    """Return the class with the highest score along `axis`: its index, or its entry in `classes`.

    Parameters
    ----------
    scores : an array, with one entry for each class along `axis`.
    classes : what the classes are called, in their order; their numbers if not given.
    axis : the axis of the classes.

    Returns
    -------
    An array of indices or of entries of `classes`, without the axis of the scores.

    Raises
    ------
    StructureError
        If there are no scores along the axis, or another number than there are classes.
    OptionError
        If there is no such axis.

    Examples
    --------
    >>> onecold(np.array([[0.1, 0.9], [0.8, 0.2]]))
    array([1, 0])
    >>> onecold(np.array([[0.1, 0.9], [0.8, 0.2]]), ["cat", "dog"]).tolist()
    ['dog', 'cat']
    """
    _check_scores(scores, classes, axis)
    winners: np.ndarray = np.argmax(scores, axis=axis)
    return winners if classes is None else np.asarray(classes)[winners]


def _check_scores(scores: Any, classes: Sequence[Any] | None, axis: int) -> None:
    shape = np.shape(scores)
    _check_axis(axis, len(shape))
    n = shape[axis]
    if not n or classes is not None and len(classes) != n:
        known = "" if classes is None else f", and {len(classes)} classes"
        raise StructureError(
            f"there are {n} scores along axis {axis}{known}",
            "each class has a score, and the highest is taken",
            "give scores with the classes along that axis, and a name for each",
            calling_place(),
        )


non_differentiable(onehot, _check_scores)
