"""Objects of libraries as records: the cotangent of one has fields for the arrays that it holds.

The rules of constructors give the arrays from the data, those of methods the result from the arrays.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, import-untyped"

from __future__ import annotations

import inspect
from typing import Any

from ..tangents import Tangent, field_bar
from ..tangents.fields import carry_whole
from .registry import Back, non_differentiable, rule

DELEGATE = "_delegate_to"
"""The field in which classes of SciPy since 1.18 hold the object of a backend that has their arrays."""


def path_of(cls: type, name: str) -> tuple[str, ...]:
    """The path of an attribute: its name, another one that its property reads (if that is none itself), or one in an
    object that the class delegates to."""
    found = inspect.getattr_static(cls, name, None)
    if not isinstance(found, property) or found.fget is None:
        return (name,)
    if DELEGATE in found.fget.__code__.co_names:
        return DELEGATE, name
    hidden = f"_{name}"
    return (name,) if isinstance(inspect.getattr_static(cls, hidden, None), property) else (hidden,)


def classes_along(interpolant: Any, name: str) -> list[tuple[type, str]]:
    """The classes and names of the fields that lead to an attribute."""
    steps = []
    for step in path_of(type(interpolant), name):
        steps.append((type(interpolant), step))
        interpolant = getattr(interpolant, step)
    return steps


def field_of(interpolant: Any, name: str) -> Any:
    """An array that an interpolant holds."""
    return getattr(interpolant, name)


def settings_of(interpolant: Any, *names: str) -> tuple[Any, ...]:
    """The attributes of an interpolant that carry no derivative."""
    return tuple([getattr(interpolant, name) for name in names])


non_differentiable(path_of, classes_along, settings_of)


def field_along(dots: Any, y: Any, interpolant: Any, name: str) -> Any:
    """The field of the tangent."""
    return bar_along(dots[0], path_of(type(interpolant), name))


@rule(field_of, forward=field_along)
def field_of_rule(interpolant: Any, name: str) -> tuple[Any, Back]:
    """One field of the cotangent."""
    steps = classes_along(interpolant, name)

    def field_of_back(y_bar: Any) -> tuple[Any, ...]:
        bar = y_bar
        for cls, step in steps[::-1]:
            bar = Tangent(cls, {step: bar})
        return bar, None

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
    """A stand-in for an interpolant in the program of its constructor."""


carry_whole(Shell)


def bar_along(d: Any, path: tuple[str, ...]) -> Any:
    """The cotangent of a field within fields."""
    for step in path:
        d = field_bar(d, step)
    return d


def assembled(cls: type, names: tuple[str, ...], *arrays: Any) -> Any:
    """An interpolant that holds these arrays: it is known by its fields alone."""
    return Shell()


def assembled_along(dots: Any, y: Any, cls: type, names: tuple[str, ...], *arrays: Any) -> Any:
    """The tangents of the fields, which are all in one object."""
    paths = [path_of(cls, name) for name in names]
    moving: Tangent[Any] = Tangent(cls, {path[-1]: dot for path, dot in zip(paths, dots[2:], strict=True)})
    for step in paths[0][-2::-1]:
        moving = Tangent(cls, {step: moving})
    return moving


@rule(assembled, forward=assembled_along)
def assembled_rule(cls: type, names: tuple[str, ...], *arrays: Any) -> tuple[Any, Back]:
    """The fields of the cotangent."""

    def assembled_back(y_bar: Any) -> tuple[Any, ...]:
        return None, None, *[bar_along(y_bar, path_of(cls, name)) for name in names]

    return assembled(cls, names, *arrays), assembled_back
