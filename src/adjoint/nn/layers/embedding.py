"""Layers that take numbers of words or the like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from adjoint.errors import ShapeError, calling_place
from adjoint.nn.arguments import check_counts
from adjoint.nn.initializers import Initializer, first_weight, truncated_normal
from adjoint.nn.layers.base import Layer
from adjoint.nn.layers.described import by_shapes
from adjoint.nn.places import layer_here
from adjoint.rules import non_differentiable


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Embedding(Layer):
    """A table with a row of features for each of so many words: y = weight[x].

    Shapes: integers of any shape (...) to (..., features); weight (words, features).

    Parameters
    ----------
    words : how many there are; they have the numbers 0 to words - 1.
    features : the width of a row.
    initializer : of the weight, called with its shape (`nn.truncated_normal`, of deviation 1).
    rng : source of the initial weights.
    dtype : of the weight.

    Raises
    ------
    OptionError
        If a number is no positive whole one, or another argument is not what it is said to be.
    ShapeError
        If what the layer is called with are no such numbers.

    Examples
    --------
    >>> layer = Embedding(10, 3)
    >>> layer
    Embedding(10, 3)
    >>> layer(np.array([[1, 9], [0, 1]])).shape
    (2, 2, 3)
    """

    weight: np.ndarray

    def __init__(
        self,
        words: int,
        features: int,
        *,
        initializer: Initializer = truncated_normal,
        rng: np.random.Generator | None = None,
        dtype: DTypeLike = np.float64,
    ) -> None:
        check_counts(words=words, features=features)
        object.__setattr__(self, "weight", first_weight(initializer, (words, features), rng, dtype))

    def __call__(self, x: Any) -> Any:
        return self.weight[checked(x, len(self.weight))]

    @by_shapes
    def __repr__(self) -> str:
        words, features = self.weight.shape
        return f"Embedding({words}, {features})"


def checked(x: Any, words: int) -> Any:
    """The numbers of words as an array, if each is one: negative ones would count from the end."""
    numbers = np.asarray(x)
    if numbers.dtype.kind not in "iu":
        raise _refusal(f"an array of {numbers.dtype}", words)
    if numbers.size and not 0 <= numbers.min() <= numbers.max() < words:
        raise _refusal(f"the word {numbers.min() if numbers.min() < 0 else numbers.max()}", words)
    return numbers


def _refusal(given: str, words: int) -> ShapeError:
    return ShapeError(
        f"an embedding of {words} words is given {given}{layer_here()}",
        "words are whole numbers from 0 on",
        f"give an array of integers from 0 to {words - 1}",
        calling_place(),
    )


non_differentiable(checked)
