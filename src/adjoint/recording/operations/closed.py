"""Objects that may hold more than their places tell, or change without being told: those of libraries."""

from __future__ import annotations

import types
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np

from ...origin import is_users_class, module_of, own_name
from ...rules.registry import non_differentiable
from ...tangents.data import holds_data, in_data
from ...tangents.fields import carried
from ...tangents.tables import is_table, part
from ..sweep import is_valued
from .base import is_passive
from .contents import is_out_of_sight, items_of

Values = tuple[Any, ...]


def closed(x: Any, depth: int = 3) -> Iterator[Any]:
    """Parts of a value that may hold more than their places tell: objects of C code and of libraries, arrays of
    objects."""
    if is_passive(x) and not isinstance(x, bytes | str) or _is_plain(x):
        return
    if is_valued(x) and not isinstance(x, tuple) and not holds_data(type(x)):
        return
    if isinstance(x, types.MappingProxyType):
        yield from closed(dict(x), depth)
    elif isinstance(x, list | tuple | dict | set | frozenset | deque) and carried(type(x)) is None:
        for item in items_of(x) if depth else ():
            yield from closed(item, depth - 1)
    elif isinstance(x, np.ndarray):
        if x.dtype.kind == "O":
            yield x
    elif is_out_of_sight(x) or holds_data(type(x)) or not is_users_class(type(x)):
        yield x


def _is_plain(x: Any) -> bool:
    """Tell whether a value is one that everybody shares, and that holds no numbers."""
    if isinstance(x, types.BuiltinFunctionType):
        return isinstance(x.__self__, types.ModuleType | None)
    return isinstance(x, _SHARED) or x is NotImplemented


_SHARED = (
    *(type, np.dtype, np.ufunc, types.FunctionType, types.ModuleType, types.CodeType, types.MemberDescriptorType),
    *(types.WrapperDescriptorType, types.MethodDescriptorType, types.ClassMethodDescriptorType),
    types.GetSetDescriptorType,
)


def numbers_in(values: Values) -> list[bytes]:
    """The numbers of the labelled arrays among values."""
    return [part(v).tobytes() for v in values if is_table(v)]


def is_changing(f: Any, args: Values, kwargs: dict[str, Any]) -> bool:
    """Tell whether a function of a library of data may store into what it is given: these say so by their names."""
    name = own_name(f)
    flags = [x for x in (*args, kwargs.get("inplace")) if x is True]
    return in_data(module_of(f)) and (name in _CHANGING or bool(flags))


_CHANGING = frozenset(
    [
        *("__setitem__", "__delitem__", "__setattr__", "__delattr__", "insert", "pop", "update", "isetitem"),
        *[f"__i{name}__" for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul")],
        *[f"__i{name}__" for name in ("and", "or", "xor", "lshift", "rshift")],
    ]
)


# What is found out about a call is no part of what it computes.
non_differentiable(closed, numbers_in, is_changing)
