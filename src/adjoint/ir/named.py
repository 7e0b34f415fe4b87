"""Scopes as objects: what a global name, or an attribute of a function or a class, stands for is a field of one."""

from __future__ import annotations

from typing import Any


class Names:
    """An object whose fields are the names of a scope: it has the scope's own dict, and each scope a class of its own.

    >>> scope = {"count": 1}
    >>> names = names_in(scope, "here")
    >>> names.count = names.count + 1
    >>> scope, type(names).__name__
    ({'count': 2}, 'here')
    """

    __touched__: set[str]
    """The names that programs read or store, by the class of each scope."""


class OfClass(Names):
    """Attributes that a class has itself, as the fields of an object."""

    __owner__: type

    def __getattr__(self, name: str) -> Any:
        if name in vars(self.__owner__):
            return vars(self.__owner__)[name]
        raise AttributeError(f"type object {self.__owner__.__name__!r} has no attribute {name!r}", name=name, obj=self)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.__owner__, name, value)


def box_class(name: str) -> type:
    """A class of objects that have one name: a variable which functions share."""
    return type(f"variable {name}", (Names,), {"__touched__": {name}, "__getattr__": _unbound})


def _unbound(box: Any, name: str) -> Any:
    message = f"cannot access free variable {name!r} where it is not associated with a value in enclosing scope"
    raise NameError(message, name=name)


def names_in(scope: dict[str, Any], label: str) -> Any:
    """A scope as an object."""
    names = type(label, (Names,), {"__touched__": set()})()
    names.__dict__ = scope
    return names


def names_of_class(owner: type) -> Any:
    """The attributes of a class as an object.

    >>> class Counted: made = 0
    >>> names = names_of_class(Counted)
    >>> names.made += 1
    >>> Counted.made
    1
    """
    return type(owner.__name__, (OfClass,), {"__touched__": set(), "__owner__": owner})()


def touched_in(names: Names) -> dict[str, Any]:
    """The present values of the names of a scope that programs touch."""
    held = vars(names.__owner__) if isinstance(names, OfClass) else vars(names)
    return {name: held[name] for name in names.__touched__ if name in held}
