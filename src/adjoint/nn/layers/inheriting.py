"""Classes below those of layers: what they train as, and how another of them is made."""

from __future__ import annotations

import copy
from typing import Any, TypeVar

import numpy as np

from adjoint import OptionError, non_differentiable
from adjoint.errors import calling_place

L = TypeVar("L")


def owner(cls: type, name: str) -> Any:
    """The class that gives another one an attribute."""
    return next(base for base in cls.__mro__ if name in vars(base))


def refused(layer: Any, x: Any = None, rng: np.random.Generator | None = None) -> tuple[Any, Any]:
    """What `train` is where a class says anew what its call does, and not how it trains."""
    raise OptionError(
        f"`{type(layer).__name__}` has a `__call__` of its own, and no `train`",
        "the `train` that it inherits computes what the call of the class above does, which is another model",
        "write `train(self, x, rng)`, which gives the output in training and the layer afterwards",
        calling_place(),
    )


def is_made_as(layer: Any, base: Any) -> bool:
    """Whether a layer has the fields of a class alone and is made as it is, so that its class can make another one."""
    cls: Any = type(layer)
    names = getattr(base, "__dataclass_fields__", {})
    return cls is base or (cls.__init__ is base.__init__ and vars(layer).keys() <= names.keys())


def with_fields(layer: L, changed: dict[str, Any]) -> L:
    """A layer of the same class, and with what else it has, in which some fields are others; it takes longer."""
    new = copy.copy(layer)
    for name, value in changed.items():
        object.__setattr__(new, name, value)
    return new


non_differentiable(is_made_as)
