"""Axes: which axis of which array runs through the lanes, told by integers, None, and containers of these."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..errors import OptionError, ShapeError, calling_place, class_name
from ..tangents.fields import record_fields
from ..tangents.lanes import Lanes
from ..tangents.structural import Tangent, class_of, fields_of
from ..tangents.tuples import tuple_like

Leaf = Callable[[Any, Any, str], Any]
"""Makes something of an array, its axis (from the front) and its name. The axis is None for numbers of an object."""


def along_axes(leaf: Leaf, x: Any, axis: Any, name: str) -> Any:
    """A value with `leaf` of each array in it that has an axis; `axis` may be one for all of them.

    Raises
    ------
    OptionError
        If `axis` is not of the form of the value.
    ShapeError
        If there is no such axis, or nothing that could have one.
    """
    if axis is None or x is None:
        return x
    if isinstance(axis, (tuple, list, dict)):
        return _by_each(leaf, x, axis, name)
    if not is_integer(axis):
        raise no_axis(axis, f"of {name}")
    if isinstance(x, (np.ndarray, Lanes)):
        return leaf(x, _from_the_front(x, axis, name), name)
    if type(x) is tuple or isinstance(x, tuple):
        return tuple_like(type(x), [along_axes(leaf, item, axis, f"{name}[{i}]") for i, item in enumerate(x)])
    if isinstance(x, list):
        return [along_axes(leaf, item, axis, f"{name}[{i}]") for i, item in enumerate(x)]
    if isinstance(x, dict):
        return {key: along_axes(leaf, item, axis, f"{name}[{key!r}]") for key, item in x.items()}
    if type(x) is Tangent:
        fields = {key: along_axes(leaf, item, axis, f"{name}.{key}") for key, item in fields_of(x).items()}
        return Tangent(class_of(x), fields)
    if isinstance(x, (int, float, complex, np.generic, str, bytes)) or callable(x) and not record_fields(x):
        raise without_axis(x, name)
    return _of_object(leaf, x, axis, name)


def no_axis(axis: Any, of: str) -> OptionError:
    """The error for what stands for an axis and is none."""
    return OptionError(
        f"`{axis!r}` is no axis {of}",
        "an axis is an integer, None, or a tuple, list or dict of these with the form of the argument",
        "write `in_axes=0`, or one for each argument: `in_axes=(0, None)`",
        calling_place(),
    )


def is_integer(axis: Any) -> bool:
    """True if it is an integer of Python or NumPy, and no truth value."""
    return isinstance(axis, (int, np.integer)) and not isinstance(axis, bool)


def _by_each(leaf: Leaf, x: Any, axis: Any, name: str) -> Any:
    fits = isinstance(x, dict) if isinstance(axis, dict) else isinstance(x, (tuple, list))
    if not fits or (axis.keys() != x.keys() if isinstance(axis, dict) else len(axis) != len(x)):
        raise OptionError(
            f"the axes {axis!r} have not the form of {name}",
            f"that is a {class_name(x)}" + (f" of {len(x)} items" if isinstance(x, (tuple, list, dict)) else ""),
            "give one axis for each item, or one integer or None for all of them",
            calling_place(),
        )
    if isinstance(x, dict):
        return {key: along_axes(leaf, item, axis[key], f"{name}[{key!r}]") for key, item in x.items()}
    items = [along_axes(leaf, a, b, f"{name}[{i}]") for i, (a, b) in enumerate(zip(x, axis, strict=True))]
    return items if isinstance(x, list) else tuple_like(type(x), items)


def _from_the_front(x: Any, axis: int, name: str) -> int:
    if not x.ndim:
        raise without_axis(x, name)
    if not -x.ndim <= axis < x.ndim:
        raise ShapeError(
            f"{name} has no axis {axis}",
            f"its shape is {x.shape}",
            f"give an axis from {-x.ndim} to {x.ndim - 1}, or None for what all lanes share",
            calling_place(),
        )
    return axis % int(x.ndim)


def without_axis(x: Any, name: str) -> ShapeError:
    return ShapeError(
        f"{name} has no axis to map over",
        f"it is a {class_name(x)}" + (" without axes" if isinstance(x, np.ndarray) else ""),
        "give an array of one item for each lane, or None among `in_axes` for what all lanes share",
        calling_place(),
    )


def _of_object(leaf: Leaf, x: Any, axis: int, name: str) -> Any:
    """The arrays of an object; what else it holds is the same in all lanes."""
    from ..trees import build, structure_of, values_of

    form = structure_of(x)
    found = values_of(form, x)
    if not any([_is_mapped(end) for end in found]):
        raise without_axis(x, name)
    ends = [
        along_axes(leaf, end, axis, f"{name}.{path}") if _is_mapped(end) else _shared(leaf, end, f"{name}.{path}")
        for end, path in zip(found, form.paths(), strict=True)
    ]
    return build(form, ends)


def _is_mapped(end: Any) -> bool:
    return isinstance(end, np.ndarray) or type(end) is Lanes and end.ndim > 0


def _shared(leaf: Leaf, end: Any, name: str) -> Any:
    return leaf(end, None, name) if type(end) is Lanes else end


def axes_of_leaves(x: Any, axis: Any) -> Any:
    """The axes of an argument as those of each array in it, in tuples and dicts; None for what all lanes share.

    >>> from types import SimpleNamespace
    >>> axes_of_leaves((SimpleNamespace(w=np.ones((2, 3)), scale=2.0), np.ones(3)), (-1, None))
    ({'w': 1, 'scale': None}, None)
    """
    if axis is None or x is None:
        return None
    if isinstance(axis, dict):
        return {key: axes_of_leaves(x[key], at) for key, at in axis.items()}
    if isinstance(axis, (tuple, list)):
        return tuple([axes_of_leaves(item, at) for item, at in zip(x, axis, strict=True)])
    if isinstance(x, (np.ndarray, Lanes)):
        return axis % x.ndim if x.ndim else None
    if isinstance(x, (tuple, list)):
        return tuple([axes_of_leaves(item, axis) for item in x])
    fields = x if isinstance(x, dict) else fields_of(x) if type(x) is Tangent else record_fields(x)
    return None if fields is None else {key: axes_of_leaves(item, axis) for key, item in fields.items()}


def number_of_lanes(args: list[Any], axes: list[Any], names: list[str]) -> int:
    """The number of lanes that arguments have along their axes.

    Raises
    ------
    ShapeError
        If they have different numbers of them.
    OptionError
        If nothing has an axis.
    """
    sizes: dict[str, int] = {}

    def note(x: Any, axis: int, name: str) -> Any:
        sizes[name] = x.shape[axis]
        return x

    for x, axis, name in zip(args, axes, names, strict=True):
        along_axes(note, x, axis, name)
    if not sizes:
        raise OptionError(
            "nothing is mapped over",
            "all of `in_axes` are None" if args else "there are no arguments",
            "call the function itself",
            calling_place(),
        )
    if len({*sizes.values()}) > 1:
        raise ShapeError(
            "the arguments have different numbers of lanes",
            ", ".join([f"{name} has {n}" for name, n in sizes.items()]),
            "give None among `in_axes` for what all lanes share",
            calling_place(),
        )
    return next(iter(sizes.values()))
