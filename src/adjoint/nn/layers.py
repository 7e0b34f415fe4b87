"""Layers: frozen records of arrays that can be called."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import DTypeLike


def identity(x: Any) -> Any:
    """Return `x`: the activation of a linear layer.

    >>> identity(3.0)
    3.0
    """
    return x


def glorot_uniform(
    inputs: int, outputs: int, *, rng: np.random.Generator | None = None, dtype: DTypeLike = np.float64
) -> np.ndarray:
    """Return an (inputs, outputs) matrix, uniform in ±√(6 / (inputs + outputs)).

    Signals then keep their variance in both directions through a layer (X. Glorot and Y. Bengio, "Understanding the
    difficulty of training deep feedforward neural networks", 2010).

    >>> weight = glorot_uniform(3, 3, rng=np.random.default_rng(0))
    >>> weight.shape, bool(np.abs(weight).max() <= 1)
    ((3, 3), True)
    """
    limit = np.sqrt(6 / (inputs + outputs))
    return (rng or np.random.default_rng()).uniform(-limit, limit, (inputs, outputs)).astype(dtype, copy=False)


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Dense:
    """A fully connected layer: activation(x @ weight + bias), for `x` of shape (samples, inputs).

    Parameters
    ----------
    inputs, outputs : the layer's widths.
    activation : any callable, applied to the whole batch.
    rng : source of the initial weights (`glorot_uniform`); the bias starts at zero.
    dtype : of weight and bias.

    >>> layer = Dense(2, 3, activation=np.tanh, rng=np.random.default_rng(0))
    >>> layer
    Dense(2, 3, activation=tanh)
    >>> layer(np.ones((5, 2))).shape
    (5, 3)
    """

    weight: np.ndarray
    bias: np.ndarray
    activation: Callable[[Any], Any]

    def __init__(
        self,
        inputs: int,
        outputs: int,
        activation: Callable[[Any], Any] = identity,
        *,
        rng: np.random.Generator | None = None,
        dtype: DTypeLike = np.float64,
    ) -> None:
        object.__setattr__(self, "weight", glorot_uniform(inputs, outputs, rng=rng, dtype=dtype))
        object.__setattr__(self, "bias", np.zeros(outputs, dtype=dtype))
        object.__setattr__(self, "activation", activation)

    def __call__(self, x: Any) -> Any:
        return self.activation(x @ self.weight + self.bias)

    def __repr__(self) -> str:
        inputs, outputs = self.weight.shape
        name = getattr(self.activation, "__name__", repr(self.activation))
        return f"Dense({inputs}, {outputs}" + ("" if self.activation is identity else f", activation={name}") + ")"


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Chain:
    """Layers, or any callables, one after the other.

    >>> model = Chain(Dense(2, 4, np.tanh), np.sum)
    >>> model
    Chain(Dense(2, 4, activation=tanh), sum)
    >>> float(model(np.zeros((3, 2))))
    0.0
    """

    layers: tuple[Callable[[Any], Any], ...]

    def __init__(self, *layers: Callable[[Any], Any]) -> None:
        object.__setattr__(self, "layers", layers)

    def __call__(self, x: Any) -> Any:
        for layer in self.layers:
            x = layer(x)
        return x

    def __iter__(self) -> Iterator[Callable[[Any], Any]]:
        return iter(self.layers)

    def __len__(self) -> int:
        return len(self.layers)

    def __getitem__(self, index: int) -> Callable[[Any], Any]:
        return self.layers[index]

    def __repr__(self) -> str:
        names = [getattr(layer, "__name__", None) or repr(layer) for layer in self.layers]
        return f"Chain({', '.join(names)})"
