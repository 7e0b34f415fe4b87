"""Checks of the layers of a chain, and of the names and numbers by which it gives one of them."""

from __future__ import annotations

import difflib
import reprlib
from typing import Any

from adjoint.errors import OptionError, calling_place
from adjoint.nn.arguments import is_whole
from adjoint.nn.places import Placed
from adjoint.rules import non_differentiable


def check_layers(layers: tuple[Any, ...] | dict[str, Any]) -> None:
    """Raise `OptionError` unless each can be called: a list of layers cannot be, nor one that is still to be made."""
    places = layers.items() if isinstance(layers, dict) else enumerate(layers)
    for place, layer in places:
        if not callable(layer) or (isinstance(layer, type) and issubclass(layer, Placed)):
            raise OptionError(
                f"the layer `{place}` of a chain is {reprlib.repr(layer)}, which is not a layer",
                "a chain calls its layers with an array, one after the other",
                _instead(layer),
                calling_place(),
            )


def _instead(layer: Any) -> str:
    if isinstance(layer, type):
        return f"make one: `{layer.__name__}(...)`"
    if isinstance(layer, list | tuple):
        return "give the layers one by one: `Chain(*layers)`"
    if isinstance(layer, dict):
        return "give the layers by name: `Chain(**layers)`"
    return "leave it out; `nn.identity` stands for a layer that does nothing"


class NoLayerError(OptionError, KeyError, IndexError):
    """A chain has no layer of this name or number: an error of the family, and what Python has for it."""


def check_index(index: Any, layers: tuple[Any, ...] | dict[str, Any]) -> None:
    """Raise `NoLayerError` unless a chain has a layer of that name or number."""
    names = [*layers] if isinstance(layers, dict) else []
    if not (index in names if isinstance(index, str) else is_whole(index) and -len(layers) <= index < len(layers)):
        near = difflib.get_close_matches(index, names, 1) if isinstance(index, str) else []
        raise NoLayerError(
            f"there is no layer {index!r} in this chain",
            f"its layers are {', '.join(names)}" if names else f"it has {len(layers)} layers, which have no names",
            f"did you mean `{near[0]}`?" if near else "take one of these",
            calling_place(),
        )


non_differentiable(check_layers, check_index)
