"""Attributes of numbers and arrays: views of their memory, and parts that have rules."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ...rules.numpy.attributes import ATTRIBUTES, INACTIVE_ATTRIBUTES, MEMORY_ATTRIBUTES
from ...runtime.refusing import no_rule
from ...tangents.windows import owner_of
from ..aliases import itself
from ..places import gather_cotangent, place, scatter_cotangent
from ..sweep import Sweep
from .base import Result, bound_to, nothing
from .opaque import losing
from .ruled import by_rule, snapshot


def part_of(owner: Any, name: str) -> Result:
    """An attribute of a number or an array, and its `back`."""
    if name in ("base", "flags") and isinstance(owner, np.ndarray):
        y = getattr(itself(owner), name)
        if (own := itself(y)) is not y:  # the base of such a view of one is that of the array, or the array
            y = own if own.base is None else own.base
        return y, nothing
    y = getattr(owner, name)
    if name in MEMORY_ATTRIBUTES and not isinstance(y, np.ndarray):
        losing_back = losing(no_rule(type(y)), y, (owner,), [place(owner)])
        return y, nothing if isinstance(y, dict) else losing_back  # in a dict it says where the memory is
    if name in INACTIVE_ATTRIBUTES or callable(y):
        return y, bound_to(y, owner)
    if isinstance(y, np.flatiter) and y.base is owner:
        return y, nothing
    if isinstance(owner, np.ndarray) and owner.dtype.names is not None:
        return by_rule(operator.attrgetter(name), (owner,), {})
    if isinstance(y, np.ndarray) and isinstance(owner, np.ndarray) and owner_of(y) is owner_of(owner):
        return y, nothing  # a view
    rule = ATTRIBUTES.get(name)
    if rule is None:
        return y, nothing
    kept, at, to = snapshot(owner), place(y), place(owner)
    back = rule(kept)[1]

    def part_back(sweep: Sweep, y_bar: Any) -> Any:
        d = gather_cotangent(sweep, at, y_bar)
        return (None, None) if d is None else (None, scatter_cotangent(sweep, to, back(d)[0]))

    return y, part_back
