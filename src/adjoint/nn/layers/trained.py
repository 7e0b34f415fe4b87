"""Checks of the form of `train` in classes of others: what it is called with, and what it gives."""

from __future__ import annotations

import functools
from typing import Any

from adjoint.errors import OptionError, calling_place
from adjoint.nn.given import names_of, takes
from adjoint.rules import non_differentiable

FORM = "write `def train(self, x, rng)` that ends in `return y, self`, or in the layer as it is afterwards"


def check_form(layer: Any) -> None:
    """Raise `OptionError` unless the `train` of a layer can be called with an array and a generator."""
    method = getattr(type(layer), "train", layer.train)
    if not _fits(method, 2 if method is layer.train else 3):
        given = f"takes {names_of(method)}" if callable(method) else f"is {method!r}"
        raise OptionError(
            f"`train` of `{type(layer).__name__}` {given}",
            "in training it is called with an array and a generator of numbers, `layer.train(x, rng)`",
            f"{FORM}; or give it another name, if it is for something else",
            calling_place(),
        )


@functools.lru_cache(maxsize=256)
def _fits(method: Any, arguments: int) -> bool:
    return callable(method) and (not hasattr(method, "__code__") or takes(method, *[None] * arguments))


def check_trained(layer: Any, trained: Any) -> None:
    """Raise `OptionError` unless a `train` has given an output and a layer."""
    is_pair = isinstance(trained, tuple | list) and len(trained) == 2
    if not is_pair or (callable(layer) and not callable(trained[1])):
        given = f"a pair with {_short(trained[1])} for the layer" if is_pair else _short(trained)
        raise OptionError(
            f"`train` of `{type(layer).__name__}` gives {given}",
            "it gives two: the output, and the layer as it is afterwards",
            FORM,
            calling_place(),
        )


def _short(x: Any) -> str:
    if isinstance(x, tuple | list):
        return f"a {type(x).__name__} of {len(x)}"
    return "None" if x is None else f"a {type(x).__name__}"


non_differentiable(check_form, check_trained)
