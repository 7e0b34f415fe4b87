"""Attributes that objects and their classes hold as they are: in a dict, or in a slot."""

from __future__ import annotations

import types
from typing import Any

from ...identity import IdentityMap
from ...tangents import own_dict
from ...tangents.fields import carried
from .base import Result, read_slot
from .contents import is_out_of_sight

MISSING = object()


def static_of(cls: type, name: str) -> tuple[Any, Any]:
    """The attribute of a class, unbound, and the one of its bases that has it."""
    for base in cls.__mro__:
        if name in base.__dict__:
            return base.__dict__[name], base
    return MISSING, None


def plainly_held(owner: Any, name: str) -> Result | None:
    """An attribute that an object or its class holds as it is, in its dict or a slot, and its `back`; None of any
    other, for which code of the class may be asked."""
    cls: Any = type(owner)
    if cls.__getattribute__ is not object.__getattribute__ or carried(cls) is not None:
        return None
    static, base = static_of(cls, name)
    if (of_class := static is not MISSING) and hasattr(type(static), "__get__"):
        return _in_slot(static, base, owner, name) if type(static) is types.MemberDescriptorType else None
    own = own_dict(owner)
    if type(own) is dict and name in own:
        return read_slot(own[name], own, name)
    if not of_class or type(own) is not dict or name[:2] == "__":
        return None
    return read_slot(static, base, f".{name}")


def _in_slot(static: Any, base: type, owner: Any, name: str) -> Result | None:
    """The same of a slot of a class in Python, whose objects have nothing else."""
    cls = type(owner)
    if "__slots__" not in vars(base) or cls.__dictoffset__:
        return None
    try:
        y = static.__get__(owner)
    except AttributeError:
        return None  # it holds nothing
    in_sight = _IN_SIGHT.get(cls)
    if in_sight is None:
        in_sight = _IN_SIGHT[cls] = not is_out_of_sight(owner)
        _IN_SIGHT.shorten(MAX_CLASSES)
    return read_slot(y, owner, f".{name}") if in_sight else None


_IN_SIGHT: IdentityMap[bool] = IdentityMap()
"""Classes with slots, one of which held something: an object is in sight, or none."""
MAX_CLASSES = 500


def is_without(owner: Any, name: str) -> bool:
    """Tell whether an object has no such attribute, and nothing is asked for it."""
    cls: Any = type(owner)
    if cls.__getattribute__ is not object.__getattribute__:
        return False
    if any([static_of(cls, asked)[0] is not MISSING for asked in ("__getattr__", name)]):
        return False
    return name not in (own_dict(owner) or ())
