"""Texts of layers, which tell their widths; those of masks and of other maps of a layer have none."""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Callable
from typing import Any


def by_shapes(describe: Callable[[Any], str]) -> Callable[[Any], str]:
    """A text of a layer by the shapes of its arrays; where something else stands in their places, by its fields.

    >>> from adjoint.nn import Dense, freeze
    >>> freeze(Dense(2, 3), "bias")
    Dense(weight=False, bias=True, activation=identity)
    """

    @functools.wraps(describe)
    def text(layer: Any) -> str:
        try:
            return describe(layer)
        except (AttributeError, TypeError, ValueError, IndexError):
            values = {field.name: getattr(layer, field.name, None) for field in dataclasses.fields(layer)}
            shown = [f"{name}={getattr(x, '__name__', None) or repr(x)}" for name, x in values.items()]
            return f"{type(layer).__name__}({', '.join(shown)})"

    return text
