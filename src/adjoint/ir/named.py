"""Scopes as objects: what a global name, or an attribute of a function, stands for is a field of one."""

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
