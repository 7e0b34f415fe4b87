"""Rules of attributes of numbers and arrays, as specialisation asks for them."""

from __future__ import annotations

import functools
from typing import Any

from ..rules.numpy.attributes import ATTRIBUTES, INACTIVE_ATTRIBUTES
from ..rules.rulesets import Method


def attribute_rule(name: str) -> tuple[bool, Method | None]:
    """Tell if an attribute of numbers carries no derivative, and give the rule of one that does."""
    call = ATTRIBUTES.get(name)
    method = None if call is None else Method(_attribute(call), f"{name}_rule", ("x", "name"), 2, False)
    return name in INACTIVE_ATTRIBUTES, method


@functools.cache
def _attribute(rule: Any) -> Any:
    """The rule of an attribute as one of `getattr(x, name)`."""

    def attribute_rule(x: Any, name: str) -> Any:
        y, back = rule(x)

        def attribute_back(y_bar: Any) -> Any:
            return (*back(y_bar), None)

        return y, attribute_back

    attribute_rule.__name__ = rule.__name__
    return attribute_rule
