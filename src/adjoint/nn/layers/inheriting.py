"""Classes below those of layers: what they train as, and how another of them is made."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from adjoint import Tangent, rule
from adjoint.errors import NoRuleError, OptionError, calling_place
from adjoint.rules import non_differentiable
from adjoint.rules.python.copies import copied_by
from adjoint.trees.nodes import rebuilt

L = TypeVar("L")


def owner(cls: type, name: str) -> Any:
    """The class that gives another one an attribute."""
    return next(base for base in cls.__mro__ if name in vars(base))


def refused(layer: Any, x: Any = None, rng: np.random.Generator | None = None) -> tuple[Any, Any]:
    """The `train` of a class that says anew what its call does, and not how it trains: an error."""
    raise OptionError(
        f"`{type(layer).__name__}` has a `__call__` of its own, and no `train`",
        "the `train` that it inherits computes what the call of the class above does, which is another model",
        "write `train(self, x, rng)`, which gives the output in training and the layer afterwards",
        calling_place(),
    )


def with_fields(layer: L, changed: dict[str, Any]) -> L:
    """A layer of the same class, and with what else it has, in which some fields are others."""
    new: L = rebuilt(layer, {}, changed)
    return new


@rule(with_fields)
def with_fields_rule(layer: Any, changed: dict[str, Any]) -> tuple[Any, Callable[[Any], tuple[Any, Any]]]:
    """The cotangents of these fields are those of what they are set to, the others' the layer's."""
    cls, names = type(layer), [*changed]
    check_copies(cls)

    def with_fields_back(new_bar: Any) -> tuple[Any, Any]:
        bars = {name: new_bar[name] for name in new_bar}
        return Tangent(cls, bars | dict.fromkeys(names)), {name: bars.get(name) for name in names}

    return with_fields(layer, changed), with_fields_back


def check_copies(cls: type) -> None:
    """Raise `NoRuleError` for a class that says itself how its objects are copied."""
    name = copied_by(cls)
    if name is not None:
        raise NoRuleError(
            f"a layer of the class `{cls.__name__}` is copied by its `{name}`",
            "training gives a copy with other fields, and Python runs that by itself, so that it is not followed",
            "leave it out, or write a `train` of your own, which makes the layer afterwards",
            calling_place(),
        )


non_differentiable(check_copies)
