"""Layers that draw in training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from adjoint.errors import OptionError, calling_place
from adjoint.nn.arguments import is_between, source
from adjoint.nn.layers.base import Layer
from adjoint.nn.tree import field
from adjoint.rules import non_differentiable


@dataclass(frozen=True)
class Dropout(Layer):
    """A layer that in training sets entries to 0, each with probability p, and scales the others: x / (1 - p).

    The mean stays what it is, so that in inference nothing is to be done (N. Srivastava, G. Hinton, A. Krizhevsky,
    I. Sutskever and R. Salakhutdinov, "Dropout: a simple way to prevent neural networks from overfitting", 2014).

    Shapes: any to the same.

    Parameters
    ----------
    rate : p, from 0 to 1; static.

    Raises
    ------
    OptionError
        If the rate is no probability, or `rng` no generator.

    Examples
    --------
    >>> layer = Dropout(0.5)
    >>> layer(np.ones(4))
    array([1., 1., 1., 1.])
    >>> layer.train(np.ones(4), np.random.default_rng(0))[0]
    array([2., 2., 2., 0.])
    """

    rate: float = field(static=True)

    def __post_init__(self) -> None:
        if not is_between(0, 1, self.rate):
            raise OptionError(
                f"`rate` is {self.rate!r}", "it is a probability", "give a number from 0 to 1", calling_place()
            )

    def __call__(self, x: Any) -> Any:
        return x

    def train(self, x: Any, rng: np.random.Generator | None = None) -> tuple[Any, Dropout]:
        """The input with entries dropped, as `rng` draws them (without one, as a new one does), and the layer."""
        return x * drawn(x, self.rate, rng), self


def drawn(x: Any, rate: float, rng: np.random.Generator | None) -> Any:
    """Factors of the entries of `x`: 0 for those that are dropped, 1 / (1 - p) for the others."""
    dtype = np.result_type(x) if np.result_type(x).kind == "f" else np.float64
    if rate == 1:
        return np.zeros(np.shape(x), dtype)
    kept = source(rng).random(np.shape(x), np.float32) >= rate
    return np.multiply(kept, 1 / (1 - rate), dtype=dtype)


non_differentiable(drawn)
