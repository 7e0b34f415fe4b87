"""Values as they are now, for rules that keep what they are given."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np

from ...identity import IdentityMap
from ...tangents import own_dict
from ...tangents.fields import contents_carried
from ...tangents.tables import is_table
from .contents import contents_of, library_fields


def snapshot(x: Any) -> Any:
    """A value as it is now, whatever is stored into it later."""
    if isinstance(x, np.ndarray):
        # Its axes lie in memory as those of `x`, so that results are laid out alike, and sums go the same way.
        if any([stride < 0 for stride in x.strides]):
            turned = tuple([slice(None, None, -1 if stride < 0 else 1) for stride in x.strides])
            return snapshot(x[turned])[turned]
        return np.ndarray.copy(x, "C" if 0 in x.strides else "K")
    if isinstance(x, list):
        return [snapshot(item) for item in x]
    if type(x) is tuple:
        return tuple([snapshot(item) for item in x])
    if type(x) is dict:
        return {key: snapshot(item) for key, item in x.items()}
    if isinstance(x, deque):
        return type(x)(map(snapshot, x), x.maxlen)
    if contents_carried(x) is not None:
        return _copy_of(x)
    if (fields := library_fields(x)) is not None:
        return _with_fields(x, snapshot(fields))
    return x.copy() if type(x) is np.flatiter or is_table(x) and hasattr(x, "copy") else x


def own_copy(a: Any) -> Any:
    """The same of an array that lies in one piece."""
    return a.copy()


def _with_fields(x: Any, fields: dict[str, Any]) -> Any:
    """An object of a library's class as `x` is, with these fields."""
    made, own = object.__new__(type(x)), own_dict(x) or {}
    for name, value in fields.items():
        if name in own:
            own_dict(made)[name] = value
        else:
            object.__setattr__(made, name, value)
    return made


def _copy_of(x: Any) -> Any:
    """The copy of an object of a library's class; the same for as long as nothing is stored into the object."""
    copy, contents = _COPIES.get(x) or (None, None)
    if copy is None or contents != contents_of(x):
        copy = x.copy()
        _COPIES[x] = copy, contents_of(copy)
    return copy


_COPIES: IdentityMap[tuple[Any, Any]] = IdentityMap()
