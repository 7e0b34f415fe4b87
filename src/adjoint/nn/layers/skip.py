"""Layers around layers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from adjoint.nn.arguments import check_functions
from adjoint.nn.layers.base import Layer, name_of, train
from adjoint.nn.layers.inheriting import with_fields
from adjoint.nn.layers.shapes import check_sum


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

    Raises
    ------
    OptionError
        If the layer or the connection cannot be called.
    ShapeError
        If the layer gives another shape than it takes, and both are to be added.

    Examples
    --------
    >>> SkipConnection(np.sin)(0.5) == np.sin(0.5) + 0.5
    np.True_
    """

    layer: Callable[[Any], Any]
    connection: Callable[[Any, Any], Any] = np.add
    hands_on: ClassVar[tuple[str, ...]] = ("layer",)

    def __post_init__(self) -> None:
        check_functions(layer=self.layer, connection=self.connection)

    def __call__(self, x: Any) -> Any:
        return self.joined(self.layer(x), x)

    def train(self, x: Any, rng: np.random.Generator | None = None) -> tuple[Any, SkipConnection]:
        """The output in training, and the same around the layer as it is afterwards."""
        y, layer = train(self.layer, x, rng)
        return self.joined(y, x), with_fields(self, {"layer": layer})

    def joined(self, y: Any, x: Any) -> Any:
        """The connection of the layer's output and its input."""
        if self.connection is np.add:
            check_sum(y, x)
        return self.connection(y, x)

    def __repr__(self) -> str:
        connection = "" if self.connection is np.add else f", {name_of(self.connection)}"
        return f"SkipConnection({name_of(self.layer)}{connection})"
