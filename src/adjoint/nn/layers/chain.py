"""Layers one after the other, by position or by name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from adjoint.errors import OptionError, calling_place
from adjoint.nn.layers.base import Layer, name_of, train
from adjoint.nn.layers.chained import check_index, check_layers
from adjoint.nn.layers.inheriting import with_fields
from adjoint.rules import non_differentiable


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Chain(Layer):
    """Layers, or any callables, one after the other.

    A layer that stands at several places is one layer: its parameters are tied, and its statistics go on from place to
    place.

    Parameters
    ----------
    layers : by position, with the paths `layers.0`, `layers.1`, ...
    named : by name instead, with the paths `layers.encoder`, ...; the order is that in which they are given.

    Raises
    ------
    OptionError
        If there are layers of both kinds, what is given for one is not a layer, or one is asked for that is not there.

    Examples
    --------
    >>> from adjoint.nn import Dense
    >>> model = Chain(Dense(2, 4, np.tanh), np.sum)
    >>> model
    Chain(Dense(2, 4, activation=tanh), sum)
    >>> float(model(np.zeros((3, 2))))
    0.0
    >>> named = Chain(encoder=Dense(2, 3), head=Dense(3, 1))
    >>> named
    Chain(encoder=Dense(2, 3), head=Dense(3, 1))
    >>> named["head"], len(named), named[:1]
    (Dense(3, 1), 2, Chain(encoder=Dense(2, 3)))
    """

    layers: tuple[Callable[[Any], Any], ...] | dict[str, Callable[[Any], Any]]
    hands_on: ClassVar[tuple[str, ...]] = ("layers",)

    def __init__(self, /, *layers: Callable[[Any], Any], **named: Callable[[Any], Any]) -> None:
        if layers and named:
            raise OptionError(
                "a chain has layers by position and by name",
                "their order would not be seen, and each has one path",
                "give names to all of them, or to none",
                calling_place(),
            )
        check_layers(named or layers)
        object.__setattr__(self, "layers", named or layers)

    def __call__(self, x: Any) -> Any:
        for layer in self.layers.values() if isinstance(self.layers, dict) else self.layers:
            x = layer(x)
        return x

    def train(self, x: Any, rng: np.random.Generator | None = None) -> tuple[Any, Chain]:
        """The output in training, and the chain of the layers as they are afterwards."""
        layers = self.layers.values() if isinstance(self.layers, dict) else self.layers
        trained: list[Any] = []
        if _are_apart(layers):
            for layer in layers:
                x, new = train(layer, x, rng)
                trained.append(new)
        else:
            before, last = _places(layers)
            for layer, place in zip(layers, before, strict=True):
                x, new = train(layer if place < 0 else trained[place], x, rng)
                trained.append(new)
            trained = [trained[place] for place in last]
        if isinstance(self.layers, dict):
            return x, with_fields(self, {"layers": dict(zip(self.layers, trained, strict=True))})
        return x, with_fields(self, {"layers": tuple(trained)})

    def __iter__(self) -> Iterator[Callable[[Any], Any]]:
        return iter(self.layers.values() if isinstance(self.layers, dict) else self.layers)

    def __len__(self) -> int:
        return len(self.layers)

    def __getitem__(self, index: int | str | slice) -> Any:
        if not isinstance(index, slice):
            check_index(index, self.layers)
            layers: Any = self.layers if isinstance(index, str) else [*self]
            return layers[index]
        if isinstance(self.layers, dict):
            return Chain(**dict(list(self.layers.items())[index]))
        return Chain(*self.layers[index])

    def __repr__(self) -> str:
        if isinstance(self.layers, dict):
            return f"Chain({', '.join([f'{name}={name_of(layer)}' for name, layer in self.layers.items()])})"
        return f"Chain({', '.join(map(name_of, self.layers))})"


def _are_apart(layers: Collection[Any]) -> bool:
    """True where each layer that may learn by the way stands at one place: functions may stand at several."""
    learning = [id(layer) for layer in layers if hasattr(layer, "train")]
    return len(set(learning)) == len(learning)


def _places(layers: Iterable[Any]) -> tuple[list[int], list[int]]:
    """For each layer the place where the same one stands before, -1 if it does not, and the last one of all.

    >>> _places([np.sin, np.cos, np.sin])
    ([-1, -1, 0], [2, 1, 2])
    """
    last: dict[int, int] = {}
    before = []
    for i, layer in enumerate(layers):
        before.append(last.get(id(layer), -1))
        last[id(layer)] = i
    return before, [last[id(layer)] for layer in layers]


non_differentiable(_are_apart, _places)
