"""Results of lanes as arrays with one more axis."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import OptionError, ShapeError, calling_place, class_name
from ..tangents.lanes import Lanes, NoLanes
from ..tangents.structural import Tangent, class_of, fields_of
from ..tangents.tuples import tuple_like
from .values import NUMBERS


def stacked(items: Sequence[Any], axes: Any, name: str = "the result") -> Any:
    """Results of one structure with their arrays stacked along axes; for None what is the same in all lanes.

    Raises
    ------
    ShapeError
        If they cannot be stacked, with the first lane that does not fit.
    """
    first = items[0]
    for i, x in enumerate(items if len({*map(type, items)}) > 1 else ()):
        if type(x) is not type(first) and not (isinstance(x, NUMBERS) and isinstance(first, NUMBERS)):
            raise _unlike(name, i, f"is a {class_name(x)}, and that of lane 0 a {class_name(first)}")
    if first is None:
        return None
    if isinstance(first, NUMBERS):
        return _arrays(items, axes, name)
    if isinstance(first, (tuple, list)):
        for i, x in enumerate(items):
            if len(x) != len(first):
                raise _unlike(name, i, f"has {len(x)} items, and that of lane 0 {len(first)}")
        parts = _axes_of(axes, first, range(len(first)), name)
        found = [stacked([x[k] for x in items], parts[k], f"{name}[{k}]") for k in range(len(first))]
        return found if isinstance(first, list) else tuple_like(type(first), found)
    if isinstance(first, dict) or type(first) is Tangent:
        fields = [fields_of(x) if type(x) is Tangent else x for x in items]
        for i, x in enumerate(fields):
            if x.keys() != fields[0].keys():
                raise _unlike(name, i, f"has the keys {[*x]}, and that of lane 0 {[*fields[0]]}")
        parts = _axes_of(axes, first, fields[0], name)
        made = {key: stacked([x[key] for x in fields], parts[key], f"{name}[{key!r}]") for key in fields[0]}
        return Tangent(class_of(first), made) if type(first) is Tangent else made
    raise ShapeError(
        f"{name} cannot be stacked: it is a {class_name(first)}",
        "numbers and arrays can be, and tuples, lists and dicts of them",
        "return what is needed of it as numbers",
        calling_place(),
    )


def _axes_of(axes: Any, x: Any, keys: Any, name: str) -> Any:
    """The axes of the items of a container; one stands for all of them."""
    if not isinstance(axes, (tuple, list, dict)):
        return dict.fromkeys(keys, axes)
    found = axes if isinstance(axes, dict) else dict(enumerate(axes))
    if {*found} != {*keys}:
        raise OptionError(
            f"the axes {axes!r} have not the form of {name}",
            f"that is a {class_name(x)} of {len(x)} items" if isinstance(x, (tuple, list, dict)) else "",
            "give one axis for each item, or one integer for all of them",
            calling_place(),
        )
    return found


def _unlike(name: str, lane: int, how: str) -> ShapeError:
    return ShapeError(
        f"{name} of lane {lane} {how}",
        "results of one structure, with arrays of one shape, can be stacked",
        "let the function return the same form for all values, padded where need be",
        calling_place(),
    )


def _arrays(items: Sequence[Any], axis: Any, name: str) -> Any:
    arrays = [x if type(x) is np.ndarray else np.asarray(x) for x in items]
    for i, a in enumerate(arrays if len({a.shape for a in arrays}) > 1 else ()):
        if a.shape != arrays[0].shape:
            raise _unlike(name, i, f"has the shape {a.shape}, and that of lane 0 {arrays[0].shape}")
    if axis is None:
        return _same(items, arrays, name)
    return np.stack(arrays, axis=checked_axis(axis, arrays[0].ndim, name))


def checked_axis(axis: Any, ndim: int, name: str) -> int:
    """An axis of what has one more than `ndim`, from the front."""
    is_integer = isinstance(axis, (int, np.integer)) and not isinstance(axis, bool)
    if not is_integer or not -ndim - 1 <= axis <= ndim:
        raise OptionError(
            f"`out_axes={axis!r}` is no axis of {name}",
            f"with that of the lanes it has {ndim + 1} axes",
            f"give an integer from {-ndim - 1} to {ndim}; or a tuple, list or dict of them with the form of the result",
            calling_place(),
        )
    return int(axis) % (ndim + 1)


def _same(items: Sequence[Any], arrays: list[Any], name: str) -> Any:
    if not all([np.array_equal(a, arrays[0], equal_nan=a.dtype.kind in "fc") for a in arrays]):
        raise ShapeError(
            f"{name} differs between the lanes, and `out_axes` is None",
            "None stands for what is the same in all lanes",
            "give the axis along which it is stacked",
            calling_place(),
        )
    return items[0].copy() if isinstance(items[0], np.ndarray) else items[0]


def stacked_lanes(x: Any, n: int, axes: Any, name: str = "the result", taken: set[int] | None = None) -> Any:
    """A result with lanes as `stacked` would give it; what has none is the same in all lanes. No two arrays of it are
    one: those that are `taken` are copied."""
    taken = set() if taken is None else taken
    if type(x) is Lanes:
        if axes is None:
            return _same(list(x.data), list(x.data), name)
        at = checked_axis(axes, x.ndim, name)
        return _own(x.data, taken) if at == 0 else np.moveaxis(x.data, 0, at).copy(order="C")
    if isinstance(x, (tuple, list)):
        parts = _axes_of(axes, x, range(len(x)), name)
        found = [stacked_lanes(item, n, parts[k], f"{name}[{k}]", taken) for k, item in enumerate(x)]
        return found if isinstance(x, list) else tuple_like(type(x), found)
    if isinstance(x, dict) or type(x) is Tangent:
        fields = fields_of(x) if type(x) is Tangent else x
        parts = _axes_of(axes, x, fields, name)
        made = {key: stacked_lanes(item, n, parts[key], f"{name}[{key!r}]", taken) for key, item in fields.items()}
        return Tangent(class_of(x), made) if type(x) is Tangent else made
    if x is None or axes is None and isinstance(x, NUMBERS):
        return x.copy() if isinstance(x, np.ndarray) else x
    if not isinstance(x, NUMBERS):
        raise NoLanes(f"{name} is a {class_name(x)}")
    repeated = np.repeat(np.asarray(x)[None], n, axis=0)
    return np.moveaxis(repeated, 0, checked_axis(axes, np.ndim(x), name)).copy(order="C")


def _own(data: Any, taken: set[int]) -> Any:
    """An array that shares its memory with no other; what is new in a run has no base."""
    is_new = data.base is None and data.flags.writeable and data.flags.c_contiguous and id(data) not in taken
    taken.add(id(data))
    return data if is_new else data.copy(order="C")


def concatenated(items: Sequence[Any], axes: Any, name: str = "the result") -> Any:
    """Stacked results of some lanes after the other, as one of all."""
    first = items[0]
    if isinstance(first, np.ndarray) and axes is not None:
        return np.concatenate(items, axis=checked_axis(axes, first.ndim - 1, name))
    if isinstance(first, (tuple, list)):
        parts = _axes_of(axes, first, range(len(first)), name)
        found = [concatenated([x[k] for x in items], parts[k], f"{name}[{k}]") for k in range(len(first))]
        return found if isinstance(first, list) else tuple_like(type(first), found)
    if isinstance(first, dict) or type(first) is Tangent:
        fields = [fields_of(x) if type(x) is Tangent else x for x in items]
        parts = _axes_of(axes, first, fields[0], name)
        made = {key: concatenated([x[key] for x in fields], parts[key], f"{name}[{key!r}]") for key in fields[0]}
        return Tangent(class_of(first), made) if type(first) is Tangent else made
    return first if first is None else _same(items, [np.asarray(x) for x in items], name)
