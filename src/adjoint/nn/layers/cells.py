"""The common part of recurrent cells: their weights, first states, and the shapes that they take."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from adjoint.errors import ShapeError, calling_place
from adjoint.nn.arguments import check_counts, check_dtype, check_flags, source
from adjoint.nn.layers.described import by_shapes
from adjoint.nn.places import Placed, layer_here
from adjoint.rules import non_differentiable


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Cell(Placed):
    """The weights of one recurrent layer, with `blocks` columns of the layer's width for as many gates."""

    weight_ih: np.ndarray
    weight_hh: np.ndarray
    bias_ih: np.ndarray | None
    bias_hh: np.ndarray | None

    def draw(
        self, blocks: int, features: int, hidden: int, bias: bool, rng: np.random.Generator | None, dtype: DTypeLike
    ) -> None:
        """All weights and biases uniform in ±1 / √hidden, as PyTorch has them."""
        check_counts(features=features, hidden=hidden)
        check_flags(bias=bias)
        check_dtype(dtype)
        rng, limit = source(rng), 1 / math.sqrt(hidden)
        columns = blocks * hidden
        shapes: dict[str, tuple[int, ...]] = {"weight_ih": (features, columns), "weight_hh": (hidden, columns)}
        shapes |= {"bias_ih": (columns,), "bias_hh": (columns,)} if bias else {}
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
            value = rng.uniform(-limit, limit, shapes[name]).astype(dtype) if name in shapes else None
            object.__setattr__(self, name, value)

    @property
    def features(self) -> int:
        """The number of features that a step has."""
        return len(self.weight_ih)

    @property
    def hidden(self) -> int:
        """The width of the state."""
        return len(self.weight_hh)

    @by_shapes
    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.features}, {self.hidden}{', bias=False' * (self.bias_ih is None)})"


def zeros_for(cell: Cell, x: Any) -> Any:
    """A hidden state of zeros, (samples, hidden)."""
    return np.zeros((len(x), len(cell.weight_hh)), np.result_type(x, cell.weight_hh))


def as_sequence(x: Any, cell: Cell, ndim: int) -> Any:
    """`x` as an array with its axes: of whole numbers or flags it is an array of the precision of the weights."""
    x = np.asarray(x)
    check_sequence(x, cell, ndim)
    return x if x.dtype.kind == "f" else x.astype(cell.weight_ih.dtype)


def one_step(cell: Any, run: Any, x: Any, hidden: Any) -> Any:
    """The next hidden state of a cell whose state is that alone, by the function that runs it over a sequence."""
    x = as_sequence(x, cell, 2)
    hidden = zeros_for(cell, x) if hidden is None else hidden
    check_state(hidden, (len(x), cell.hidden))
    return run(cell, x[:, None], hidden)[1]


def check_sequence(x: Any, cell: Cell, ndim: int) -> None:
    """Raise unless `x` has `ndim` axes, of which the last are the cell's features, of real numbers."""
    if np.asarray(x).dtype.kind not in "fiub":
        raise ShapeError(
            f"x has the dtype {np.asarray(x).dtype}{layer_here()}",
            "the gates of a recurrent layer are functions of real numbers",
            "give real and imaginary parts as features of their own",
            calling_place(),
        )
    if np.ndim(x) != ndim or np.shape(x)[-1] != cell.features:
        axes = "(samples, features)" if ndim == 2 else "(samples, steps, features)"
        raise ShapeError(
            f"x has the shape {np.shape(x)}, where {axes} with {cell.features} features are taken{layer_here()}",
            "the samples of a batch come first, and each step has its features",
            "add an axis for one sample (`x[None]`), or for one feature (`x[..., None]`)",
            calling_place(),
        )


def check_state(state: Any, shape: tuple[int, ...]) -> None:
    """Raise unless a state has the shape that a layer or a cell gives."""
    if np.shape(state) != shape:
        raise ShapeError(
            f"the state has the shape {np.shape(state)}, where {shape} is taken{layer_here()}",
            "that of a cell is (samples, hidden), that of a layer has one for each layer and direction",
            "hand on what `layer.run(x)` gives, or what the cell gives; None stands for zeros",
            calling_place(),
        )


non_differentiable(check_sequence, check_state)
