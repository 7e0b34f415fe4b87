"""Class labels to one-hot rows and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike


def onehot(labels: Any, classes: int | Sequence[Any], *, axis: int = -1, dtype: DTypeLike = np.float64) -> np.ndarray:
    """Return an array that is 1 at each label's class and 0 elsewhere; `axis` is the new axis of the classes.

    `classes` is the list of possible labels, or a number n for 0 … n-1.

    >>> onehot([0, 2, 1], 3)
    array([[1., 0., 0.],
           [0., 0., 1.],
           [0., 1., 0.]])
    >>> onehot(["b", "a"], ["a", "b"], dtype=int)
    array([[0, 1],
           [1, 0]])

    Raises
    ------
    ValueError
        If a label is not one of the classes.
    """
    names = np.arange(classes) if isinstance(classes, (int, np.integer)) else np.asarray(classes)
    labels = np.asarray(labels)
    hits = labels[..., np.newaxis] == names
    missing = labels[~hits.any(axis=-1)]
    if missing.size:
        raise ValueError(f"label {missing.flat[0].item()!r} is not one of the classes {names.tolist()}")
    return np.moveaxis(hits.astype(dtype), -1, axis)


def onecold(scores: Any, classes: Sequence[Any] | None = None, *, axis: int = -1) -> np.ndarray:
    """Return the class with the highest score along `axis`: its index, or its entry in `classes`.

    >>> onecold(np.array([[0.1, 0.9], [0.8, 0.2]]))
    array([1, 0])
    >>> onecold(np.array([[0.1, 0.9], [0.8, 0.2]]), ["cat", "dog"]).tolist()
    ['dog', 'cat']
    """
    winners: np.ndarray = np.argmax(scores, axis=axis)
    return winners if classes is None else np.asarray(classes)[winners]
