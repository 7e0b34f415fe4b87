"""Layers around layers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from adjoint.nn.layers.base import Layer, name_of, train
from adjoint.nn.layers.inheriting import with_fields


@dataclass(frozen=True, repr=False)
class SkipConnection(Layer):
    """A layer whose input goes past it as well: y = connection(layer(x), x), by default their sum.

    K. He, X. Zhang, S. Ren and J. Sun, "Deep residual learning for image recognition", 2016.

    Shapes: those of the layer; for a sum its output has the shape of its input.

    Parameters
    ----------
    layer : any callable.
    connection : of the layer's output and its input, such as `lambda y, x: np.concatenate((y, x), axis=-1)`; one with
        parameters of its own is trained.

    Examples
    --------
    >>> SkipConnection(np.sin)(0.5) == np.sin(0.5) + 0.5
    np.True_
    """

    layer: Callable[[Any], Any]
    connection: Callable[[Any, Any], Any] = np.add
    hands_on: ClassVar[tuple[str, ...]] = ("layer",)

    def __call__(self, x: Any) -> Any:
        return self.connection(self.layer(x), x)

    def train(self, x: Any, rng: np.random.Generator | None = None) -> tuple[Any, SkipConnection]:
        """The output in training, and the same around the layer as it is afterwards."""
        y, layer = train(self.layer, x, rng)
        return self.connection(y, x), with_fields(self, {"layer": layer})

    def __repr__(self) -> str:
        connection = "" if self.connection is np.add else f", {name_of(self.connection)}"
        return f"SkipConnection({name_of(self.layer)}{connection})"
