"""Numbers that values hold and may be differentiated, their arrays, whether these are in sight, and what tells whether
something was changed."""

from __future__ import annotations

import functools
import sys
import types
from collections import deque
from typing import Any

import numpy as np

from ...identity import IdentityMap, Same
from ...origin import is_users_class
from ...rules.fields import DELEGATE
from ...rules.registry import non_differentiable
from ...runtime.implicit_calls import PLAIN
from ...tangents.fields import carried, contents_carried, record_fields
from ..captures import variables_of
from ..places import fields_dict, place
from ..sweep import is_valued
from .base import BOUND, is_passive


def carries(x: Any) -> bool:
    """Tell whether a value holds numbers that may be differentiated."""
    if isinstance(x, int | np.integer):
        return False
    if isinstance(x, list | tuple | deque | set | frozenset | dict):
        return any(map(carries, items_of(x)))
    if isinstance(x, np.ndarray):
        return x.dtype.kind in "fcO"
    return is_valued(x) or place(x) is not None


def arrays_in(x: Any) -> list[Any]:
    if isinstance(x, np.ndarray):
        return [x]
    if type(x) in PLAIN:
        return []
    if (parts := contents_carried(x)) is not None:
        return arrays_in(parts)
    if (fields := library_fields(x)) is not None:
        return arrays_in(_holding(fields))
    items = x if isinstance(x, list | tuple) else x.values() if isinstance(x, dict) else ()
    return [a for item in items for a in arrays_in(item)]


def library_fields(x: Any) -> dict[str, Any] | None:
    """The fields of an object of a library's class that holds arrays, such as a polynomial; None of any other."""
    cls = type(x)
    if cls in PLAIN or isinstance(x, _IN_SIGHT) or carried(cls) is not None or not _is_librarys(cls):
        return None
    fields = record_fields(x)
    return fields if fields and arrays_in(_holding(fields)) else None


def _is_librarys(cls: type) -> bool:
    """Tell whether a class is of Python code that is neither the user's nor ours."""
    found = _LIBRARYS.get(cls)
    if found is None:
        in_python = all([base is object or base.__flags__ & _HEAP for base in cls.__mro__])
        found = _LIBRARYS[cls] = in_python and not is_users_class(cls) and not _is_ours(cls)
    return found


_LIBRARYS: IdentityMap[bool] = IdentityMap()
_HEAP = 1 << 9


def _holding(fields: dict[str, Any]) -> list[Any]:
    """Of fields, the arrays and the containers, and what the object delegates to: other objects in them are parts of
    nobody's result."""
    return [
        a for name, a in fields.items()
        if isinstance(a, np.ndarray) or type(a) in (list, tuple, dict) or name == DELEGATE
    ]  # fmt: skip


def items_of(x: Any) -> list[Any]:
    """Items of a container, or the keys and the values of a dict, whatever its class makes of items."""
    if isinstance(x, dict):
        return [*dict.keys(x), *dict.values(x)]
    base: Any = next(cls for cls in (list, tuple, deque, set, frozenset) if isinstance(x, cls))
    return [*base.__iter__(x)]


def contents_of(x: Any, depth: int = 4, around: tuple[int, ...] = ()) -> Any:
    """A snapshot that tells whether an array, a container or an object of the user's was changed; `around` are what it
    is in."""
    if isinstance(x, np.ndarray):
        x = np.asarray(x)  # of what only stands for an array, the array
        return x.shape, np.ndarray.tobytes(x) if x.dtype.kind != "O" else list(map(Same, x.flat))
    if id(x) in around:
        return Same(x)
    if (parts := contents_carried(x)) is not None:
        return contents_of(parts, depth, around)
    around = (*around, id(x))
    if isinstance(x, list | tuple | deque | dict):
        return [contents_of(item, depth, around) for item in items_of(x)]
    if isinstance(x, types.CellType):
        return [contents_of(value, depth, around) for *_, value in variables_of(x)]
    if isinstance(x, functools.partial):
        return Same(x), contents_of((x.func, x.args, x.keywords), depth, around)
    if depth and type(x) not in PLAIN and is_users_class(type(x)) and (fields := fields_dict(x)):
        return Same(x), [(name, contents_of(value, depth - 1, around)) for name, value in fields.items()]
    return Same(x)


_IN_SIGHT = (
    *(type, types.FunctionType, types.ModuleType, types.CellType, types.CodeType, BaseException, super),
    *(list, tuple, dict, set, frozenset, deque, np.ndarray, np.flatiter, functools.partial, *BOUND),
)
"""Classes of which it is known where what they hold has its cotangent."""


def is_out_of_sight(x: Any) -> bool:
    """Tell whether what is stored into an object has no place there: it is one of C code, or keeps its items as C code
    does."""
    if carried(type(x)) is not None:
        return record_fields(x) is None
    if isinstance(x, _IN_SIGHT) or is_passive(x) or is_valued(x) or _is_ours(type(x)):
        return False
    if isinstance(x, np.generic) or record_fields(x) is None:
        return True
    return type(getattr(type(x), "__setitem__", None)) is types.WrapperDescriptorType


def _is_ours(cls: type) -> bool:
    """Tell whether a class is written in this library: some that C code makes are only named after it."""
    return cls.__module__.startswith("adjoint.") and hasattr(
        sys.modules[cls.__module__], cls.__qualname__.split(".")[0]
    )


# What is found out about a value is no part of what is computed of it.
non_differentiable(carries, arrays_in, items_of, contents_of, is_out_of_sight, library_fields)
