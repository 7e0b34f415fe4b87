"""Methods of objects as values, as callbacks are: of which method of which class one is stands for its class."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Iterable
from typing import Any, NoReturn

from ..errors import MutationError


class Method:
    """The methods of one name of objects of one class, bound to these. No object is of such a class itself.

    >>> class Clock:
    ...     def tick(self): pass
    >>> ticks = method_class(Clock, "tick", Clock.tick)
    >>> is_bound(Clock().tick, ticks), is_bound(print, ticks)
    (True, False)
    """

    owner: type
    member: str
    function: types.FunctionType


@functools.lru_cache(maxsize=1024)
def method_class(owner: type, member: str, function: types.FunctionType) -> type[Method]:
    """The class that stands for a method of the objects of a class."""
    held = {"owner": owner, "member": member, "function": function, "__module__": owner.__module__}
    return type(f"{owner.__name__}.{member}", (Method,), held)


def method_of(x: types.MethodType) -> type[Method] | None:
    """The class that stands for a method with its object; None of one that its class does not have by its name."""
    owner: Any = type(x.__self__)
    function = x.__func__
    if type(function) is not types.FunctionType or type(owner).__hash__ is None:
        return None
    found = inspect.getattr_static(owner, function.__name__, None)
    return method_class(owner, function.__name__, function) if found is function else None


def called_class(cls: type) -> type:
    """The class whose methods are called: of what stands for one, that of its objects."""
    return cls.owner if issubclass(cls, Method) else cls


def is_bound(x: Any, cls: type[Method]) -> bool:
    """Tell whether a value is this method, bound to an object of the class."""
    return type(x) is types.MethodType and x.__func__ is cls.function and type(x.__self__) is cls.owner


def are_of(items: Iterable[Any], classes: tuple[type, ...]) -> bool:
    """Tell whether all items are such methods, or objects, of one of some classes."""
    plain = frozenset([cls for cls in classes if not issubclass(cls, Method)])
    methods = [cls for cls in classes if issubclass(cls, Method)]
    return all([type(x) in plain or any([is_bound(x, cls) for cls in methods]) for x in items])


def takes_no(x: Any) -> NoReturn:
    """A call of a method that does not take such arguments: Python says so, where the call is recorded."""
    raise MutationError(
        "a call that a method does not take", "it shows when the program runs", "call it otherwise", None
    )
