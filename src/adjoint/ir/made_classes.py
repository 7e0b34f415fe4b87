"""Classes that stand for those which a class statement in a function makes, where nobody can tell the difference.

A class is made anew each time its statement runs. What is the same each time is its layout: the names of its methods
and attributes. Two classes made once, from the text of the statement, have that layout: an object of the `namespace`
class stands for a class that was made, and holds its methods and attributes; an object of the `instance` class stands
for one of its objects, and knows the former. `super` stands for what `super()` gives.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..errors import UnsupportedSyntaxError

MADE_BY, BASE, RECEIVER = "__made_by__", "__base_namespace__", "__receiver__"
"""Fields of what stands for an object: its class; for a class: that behind it; for `super()`: its object."""

METHOD, STATIC, OF_CLASS, PROPERTY, VALUE = "method", "static", "of class", "property", "value"
"""Kinds of what a class statement binds."""


def hidden(name: str, use: str = "own") -> str:
    """The field that holds a special method, the function behind a property, or an attribute.

    >>> hidden("__add__"), hidden("gain", "value")
    ('__own_add__', '__value_gain__')
    """
    return f"__{use}_{name.strip('_') if is_special(name) else name}__"


def is_special(name: str) -> bool:
    """Tell whether Python calls a method of this name by itself.

    >>> is_special("__add__"), is_special("__add")
    (True, False)
    """
    return name.startswith("__") and name.endswith("__")


@dataclass(eq=False)
class Layout:
    """The layout of the classes that a statement makes: `own` has the kinds of the names that it binds."""

    name: str
    own: dict[str, str]
    base: Layout | None = None
    setters: frozenset[str] = frozenset()
    slots: frozenset[str] | None = None
    """The names that its objects may have, if the statement limits them."""
    namespace: Any = None
    instance: Any = None
    super: Any = None

    @property
    def kinds(self) -> dict[str, str]:
        """The kinds of all names, those of the classes behind included."""
        return {**(self.base.kinds if self.base is not None else {}), **self.own}

    def owner(self, name: str) -> Layout:
        """The layout of the class that binds a name."""
        return self if name in self.own or self.base is None else self.base.owner(name)


_LAYOUT = "__layout__"


def stand_for(layout: Layout, namespace: Any, instance: Any, above: Any) -> None:
    """Let classes stand for what a layout is of."""
    layout.namespace, layout.instance, layout.super = namespace, instance, above
    for cls in (namespace, instance, above):
        setattr(cls, _LAYOUT, layout)


def layout_of_class(cls: type) -> Layout | None:
    """The layout that a class is of: as a namespace, an instance or a `super`; None of any other class.

    >>> layout_of_class(float) is None
    True
    """
    return cls.__dict__.get(_LAYOUT)


def finished(made: Any) -> Any:
    """An object that has been made, and has what its `__init__` gives it."""
    return made


def plain_attribute(value: Any) -> Any:
    """An attribute of a class, as its objects have it: of what Python asks for another value there is none.

    >>> plain_attribute(2.0)
    2.0
    """
    if any([hasattr(type(value), name) for name in ("__get__", "__set__", "__set_name__")]):
        raise UnsupportedSyntaxError(
            "a class made inside a function has a descriptor for an attribute",
            "what Python reads of it for an object is not followed",
            "define the class outside of the function",
        )
    return value
