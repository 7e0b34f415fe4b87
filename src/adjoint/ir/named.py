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


def names_in(scope: dict[str, Any], label: str) -> Any:
    """A scope as an object."""
    names = type(label, (Names,), {"__touched__": set()})()
    names.__dict__ = scope
    return names
