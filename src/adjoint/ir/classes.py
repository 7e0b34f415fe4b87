"""Questions of which of a few classes an object is, as far as they are known, and the object as one of such a class."""

from __future__ import annotations

import copyreg
from typing import Any, NoReturn

from ..errors import MutationError


def is_of(x: Any, cls: type) -> bool:
    """`type(x) is cls`."""
    return type(x) is cls


def is_one_of(x: Any, classes: tuple[type, ...]) -> bool:
    """`type(x) in classes`."""
    return type(x) in classes


def is_tuple_of(x: Any, cls: type, n: int) -> bool:
    """`type(x) is cls and len(x) == n`."""
    return type(x) is cls and len(x) == n  # type: ignore[arg-type]


def taken_as(x: Any, cls: type) -> Any:
    """An object of which it is known that it is of a class (printed as itself)."""
    return x


def is_instance(x: Any, cls: type) -> bool:
    """`isinstance(x, cls)` of an abstract class."""
    return isinstance(x, cls)


def holds(x: Any, name: str, f: Any) -> bool:
    """`x.name is f`."""
    return getattr(x, name) is f


def has(x: Any, name: str) -> bool:
    """`hasattr(x, name)` of an object whose class looks for nothing else."""
    return hasattr(x, name)


def look_up(x: Any, name: str) -> None:
    """`x.name`, for the error where there is nothing."""
    getattr(x, name)


def has_no(x: Any, name: str) -> NoReturn:
    """`x.name` of an object that has no such attribute: Python says so."""
    refuse_found(getattr(x, name))


def refuse_found(value: Any) -> NoReturn:
    """Refuse an attribute that an object was taken not to have."""
    raise MutationError("an attribute that comes later", "it shows when the program runs", "make it before", None)


QUESTIONS = (is_of, is_one_of, is_tuple_of, is_instance, has, holds)
"""Functions that tell something of an object."""


def is_frozen(cls: Any) -> bool:
    """Tell whether a class is a dataclass that refuses stores, once its objects are made."""
    owner = next((c for c in cls.__mro__ if "__setattr__" in vars(c)), object)
    params = vars(owner).get("__dataclass_params__")
    return params is not None and bool(params.frozen)


_OWN_WAYS = ("__copy__", "__deepcopy__", "__setstate__", "__getnewargs__", "__getnewargs_ex__", "__getattr__")
_USUAL_WAYS = ("__new__", "__reduce__", "__reduce_ex__", "__getstate__", "__setattr__", "__getattribute__")
WAYS_OF_COPYING = (*_OWN_WAYS, *_USUAL_WAYS)
"""Methods by which a class may say what its copies are."""


def is_copied_plainly(cls: type) -> bool:
    """Tell whether a copy of an object is a new one with the same fields."""
    own = any([hasattr(cls, name) for name in _OWN_WAYS]) or cls in copyreg.dispatch_table
    return not own and all([getattr(cls, name, None) is getattr(object, name, None) for name in _USUAL_WAYS])
