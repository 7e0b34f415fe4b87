"""Special methods that are objects of C code, such as a decorator of wrapt leaves: Python runs them by itself."""

from __future__ import annotations

from ..errors import UnsupportedSyntaxError, calling_place
from ..identity import IdentityMap
from ..rules.registry import non_differentiable
from ..wrappers import stands_for_another

_MAKING = frozenset(["__init__", "__new__", "__init_subclass__", "__class_getitem__", "__wrapped__"])
"""What is called by its name, or to make an object: that is followed."""

_FOUND: IdentityMap[str | None] = IdentityMap()


def check_special(cls: type) -> None:
    """Raise `UnsupportedSyntaxError` where Python runs such a method for objects of a class."""
    if cls.__module__ == "builtins":
        return
    name = _FOUND.get(cls)
    if name is None:
        name = _FOUND[cls] = next(
            (
                name
                for base in cls.__mro__[:-1]
                for name, f in vars(base).items()
                if name[:2] == "__" == name[-2:] and name not in _MAKING and stands_for_another(f)
            ),
            "",
        )
    if name:
        raise UnsupportedSyntaxError(
            f"`{cls.__name__}.{name}` is no function, but a wrapper in C around one",
            "Python runs it by itself, and how it calls the function is not followed there",
            "decorate another method, and call that one from a plain special method",
            calling_place(),
        )


non_differentiable(check_special)
