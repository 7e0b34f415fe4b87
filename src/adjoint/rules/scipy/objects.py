"""Objects of SciPy as records: the cotangent of one has fields for the arrays that it holds.

The rules of constructors give the arrays from the data, those of methods the result from the arrays.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

from __future__ import annotations

import inspect
from typing import Any

from ...tangents import Tangent, field_bar
from ..registry import Back, non_differentiable, rule


def slot_of(cls: type, name: str) -> str:
    """The name of the slot that an attribute is kept in, where reading it is the business of a property."""
    return f"_{name}" if isinstance(inspect.getattr_static(cls, name, None), property) else name


def field_of(interpolant: Any, name: str) -> Any:
    """An array that an interpolant holds."""
    return getattr(interpolant, name)


def settings_of(interpolant: Any, *names: str) -> tuple[Any, ...]:
    """What an interpolant holds that carries no derivative."""
    return tuple([getattr(interpolant, name) for name in names])


non_differentiable(slot_of, settings_of)


@rule(field_of)
def field_of_rule(interpolant: Any, name: str) -> tuple[Any, Back]:
    """One field of the cotangent."""
    cls = type(interpolant)

    def field_of_back(y_bar: Any) -> tuple[Any, ...]:
        return Tangent(cls, {slot_of(cls, name): y_bar}), None

    return field_of(interpolant, name), field_of_back


def declare_properties(cls: type, *names: str) -> None:
    """Let arrays be read that a class gives by properties."""
    for name in names:
        found = inspect.getattr_static(cls, name, None)
        if isinstance(found, property):
            rule(found.fget)(_reading(name))


def _reading(name: str) -> Any:
    def reading_rule(self: Any) -> tuple[Any, Back]:
        """An array that the object holds."""
        y, back = field_of_rule(self, name)

        def reading_back(y_bar: Any) -> tuple[Any, ...]:
            return (back(y_bar)[0],)

        return y, reading_back

    return reading_rule


class Shell:
    """What stands for an interpolant in the program of its constructor."""


def assembled(cls: type, names: tuple[str, ...], *arrays: Any) -> Any:
    """An interpolant that holds these arrays: it is known by its fields alone."""
    return Shell()


@rule(assembled)
def assembled_rule(cls: type, names: tuple[str, ...], *arrays: Any) -> tuple[Any, Back]:
    """The fields of the cotangent."""

    def assembled_back(y_bar: Any) -> tuple[Any, ...]:
        return None, None, *[field_bar(y_bar, slot_of(cls, name)) for name in names]

    return assembled(cls, names, *arrays), assembled_back
