"""Arguments that are moved in place, so that whoever else holds them sees it too."""

from __future__ import annotations

from collections.abc import Callable
from types import CellType, FunctionType
from typing import Any

import numpy as np

from ..finite.structure import Path, Step, is_leaf, take_apart
from ..tangents import own_dict
from ..tangents.tables import is_table


def moved(
    change: Callable[[Path, Any], Any], value: Any, path: Path = (), above: tuple[int, ...] = (), integers: bool = True
) -> Any:
    """`value` with each leaf replaced by `change(path, leaf)`: in place, but for what cannot change, which is made
    again where a part of it is another one."""
    if is_leaf(value, integers):
        return _stored(value, change(path, value))
    if id(value) in above or (node := take_apart(value)) is None:
        return value
    if is_table(value):  # it has its numbers as a copy
        return node.build([change((*path, step), x) for step, x in zip(node.steps, node.children, strict=True)])
    above = (*above, id(value))
    parts = [
        moved(change, child, (*path, step), above, integers)
        for step, child in zip(node.steps, node.children, strict=True)
    ]
    steps = zip(node.steps, node.children, parts, strict=True)
    changed = [(step, part) for step, child, part in steps if part is not child]
    if not changed or all([_set(value, step, part) for step, part in changed]):
        return value
    return node.build(parts)


def _stored(leaf: Any, value: Any) -> Any:
    """An array, with the numbers of another one of its kind."""
    if not isinstance(leaf, np.ndarray) or not leaf.flags.writeable or leaf.dtype != value.dtype:
        return value
    np.copyto(leaf, value)
    return leaf


def _set(holder: Any, step: Step, part: Any) -> bool:
    """Let something hold another part; False if it cannot change."""
    if isinstance(holder, list):
        list.__setitem__(holder, step.key, part)
    elif isinstance(holder, dict):
        dict.__setitem__(holder, step.key, part)
    elif isinstance(holder, FunctionType):
        _cell(holder, step.key).cell_contents = part
    elif step.kind == "field" and step.key in (own_dict(holder) or ()):
        holder.__dict__[step.key] = part
    else:
        return _set_slot(holder, step, part)
    return True


def _set_slot(holder: Any, step: Step, part: Any) -> bool:
    try:
        object.__setattr__(holder, step.key, part)
    except (AttributeError, TypeError):
        return False
    return True


def _cell(function: FunctionType, name: str) -> CellType:
    assert function.__closure__ is not None
    return function.__closure__[function.__code__.co_freevars.index(name)]
