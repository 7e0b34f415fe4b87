"""Whose memory an array is, and what a function can get hold of without being given it."""

from __future__ import annotations

import functools
import gc
import sys
import types
from typing import Any

import numpy as np
import numpy.typing as npt

from ..identity import IdentityMap
from ..origin import is_users, is_users_class
from ..rules.registry import non_differentiable
from ..tangents import own_dict
from ..tangents.windows import owner_of
from .layouts import Layout, layout_of
from .local_stores import all_code

Array = npt.NDArray[Any]

CLOSED = frozenset(
    [float, int, complex, bool, str, bytes, type(None), range, slice, type, types.ModuleType, np.float64, np.float32]
    + [types.CodeType, types.BuiltinFunctionType, types.FrameType, np.dtype, np.ufunc]
)
"""Classes of values that lead to nothing else."""
DEEP = CLOSED - {type, types.ModuleType, types.BuiltinFunctionType}
"""The same where what classes and modules of the user's hold counts."""
MAX_FUNCTIONS = 50


def is_namespace(x: dict[Any, Any]) -> bool:
    """Tell whether a dict is that of a module, by whose names alone its variables have cotangents."""
    name = dict.get(x, "__name__")
    return isinstance(name, str) and getattr(sys.modules.get(name), "__dict__", None) is x


def reached(
    *roots: Any,
    closed: frozenset[Any] = CLOSED,
    named: bool = True,
    methods: bool = True,
    at_most: int = sys.maxsize,
) -> tuple[set[int], set[int]]:
    """By identity, the owners of the arrays that values lead to, and all else on the way: by what functions capture,
    hold, or name (unless not `named`), in all that it can reach, one step of references at a time. Code that is not the
    user's is not looked into, and classes and modules only if they are not `closed`; nor `methods` that are called by
    their names alone, unless they are asked for. The search ends where more than `at_most` objects have been met."""
    owners: set[int] = set()
    seen: set[int] = set()
    functions = 0
    step: list[Any] = [*roots]
    while len(seen) <= at_most and not closed.issuperset(map(type, step)):
        found = {id(x): x for x in step if type(x) not in closed}
        step = [x for key, x in found.items() if key not in seen]
        seen.update(found)
        plain: list[Any] = []
        more: list[Any] = []
        for x in step:
            cls = type(x)
            if cls is list or cls is tuple or cls is types.CellType:
                plain.append(x)
            elif cls is dict:
                plain += [] if "__name__" in x and is_namespace(x) else [x]
            elif issubclass(cls, np.ndarray):  # a proxy whose object is gone must not be asked
                owners.add(id(owner_of(x)))
                more += [*(x.ravel().tolist() if x.dtype.hasobject else ()), own_dict(x)]
            elif cls is types.FunctionType:
                functions += 1
                more += _held_by(x)
                more += _named_by(x) if named and (functions <= MAX_FUNCTIONS or closed is DEEP) else ()
            elif cls is np.flatiter or cls is memoryview or cls is types.BuiltinFunctionType:
                more.append(x.base if cls is np.flatiter else x.obj if cls is memoryview else x.__self__)
            elif cls is types.GeneratorType:
                more += x.gi_frame.f_locals.values() if x.gi_frame is not None else ()
            elif issubclass(cls, type):
                users = [base for base in x.__mro__ if is_users_class(base)] if methods else []
                more += [y for base in users for y in vars(base).values()] if methods else class_data(x)
            elif cls is types.ModuleType:
                more += vars(x).values() if is_users(getattr(x, "__file__", None) or "") else ()
            else:
                plain.append(x)
        step = [*more, *gc.get_referents(*plain)]
    return owners, seen


def class_data(cls: type) -> list[Any]:
    """The values that objects of a class have from it but the methods that a program names: attributes that are no
    constants, and special methods, which Python may run by itself."""
    if type(cls).__hash__ is None:  # nothing is kept of such a class
        places = _places(cls)
    else:
        known = _DATA.get(cls)
        if known is None or known[0] is not layout_of(cls):
            known = _DATA[cls] = layout_of(cls), _places(cls)
            _DATA.shorten(MAX_FUNCTIONS)
        places = known[1]
    found = [own[name] for own, name in places]
    return [x for x in found if type(x) not in DEEP]


def _places(cls: type) -> list[_Place]:
    held = [(vars(base), name) for base in cls.__mro__ if is_users_class(base) for name in vars(base)]
    return [(own, name) for own, name in held if not _is_form(name, own[name])]


_Place = tuple[Any, str]
_DATA: IdentityMap[tuple[Layout, list[_Place]]] = IdentityMap()
_OF_FORM = frozenset(
    ["__annotations__", "__annotations_cache__", "__orig_bases__", "__dataclass_fields__", "__dataclass_params__"]
    + ["__doc__", "__module__", "__firstlineno__"]
)
"""Names under which a class says of which form its objects are, and texts."""
_METHODS = (types.FunctionType, property, staticmethod, classmethod)


def _is_form(name: str, x: Any) -> bool:
    """Tell whether what a class has under a name is a method that runs where a program names it, one that `dataclass`
    has written, or says of which form its objects are."""
    if name in _OF_FORM or type(x) in (types.GetSetDescriptorType, types.MemberDescriptorType):
        return True
    if type(x) is types.FunctionType and (x.__code__.co_filename == "<string>" or not is_users(x.__code__.co_filename)):
        return True
    special = name.startswith("__") and name.endswith("__") and name != "__init__"
    return type(x) in _METHODS and not special


def _held_by(f: types.FunctionType) -> list[Any]:
    """The captures of a function and its defaults."""
    return [*(f.__closure__ or ()), f.__defaults__, f.__kwdefaults__, f.__dict__]


def _named_by(f: types.FunctionType) -> list[Any]:
    """The globals that a function names; of the library's own, none: the tables of its modules hold nothing of the
    program's."""
    if str(f.__globals__.get("__name__")).startswith("adjoint."):
        return []
    scope = f.__globals__
    return [scope[name] for name in _names_in(f.__code__) if name in scope]


@functools.lru_cache(maxsize=1000)
def _names_in(code: types.CodeType) -> tuple[str, ...]:
    """The names of globals and attributes that a code, or what is defined in it, has."""
    return tuple(dict.fromkeys([name for part in all_code(code) for name in part.co_names]))


non_differentiable(class_data, owner_of, is_namespace, reached, _held_by, _named_by)
