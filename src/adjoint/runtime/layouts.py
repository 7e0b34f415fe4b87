"""Layouts of classes: names, methods and descriptors, compared with those for which a program was made.

CPython tells nobody when a class changes. Names that come or go are seen by the keys of its dict, methods and
descriptors that are replaced by identity. A program reads the constants of the class: of these it counts that they are
no descriptors.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable
from typing import Any

from ..errors import UnsupportedSyntaxError, calling_place
from ..identity import IdentityMap
from ..origin import is_held

_HEAP, _IMMUTABLE = 1 << 9, 1 << 8
_SETTLED = frozenset({"builtins", "numpy", "scipy", "adjoint", *sys.stdlib_module_names} - {"__main__"})
_TEXT = frozenset(["__doc__", "__module__", "__annotations__", "__annotations_cache__", "__firstlineno__"])
"""Names that say nothing of how an object behaves, and which Python may add when it is asked for them."""
MAX_LAYOUTS = 1000


def may_change(cls: type) -> bool:
    """Tell whether a class is one of a program's, which may put other methods on it.

    >>> may_change(float), may_change(type("A", (), {"__module__": "program"})), may_change(type("A", (), {}))
    (False, True, True)
    """
    changes = cls.__flags__ & _HEAP and not cls.__flags__ & _IMMUTABLE
    return bool(changes) and (str(cls.__module__).partition(".")[0] not in _SETTLED or not is_held(cls))


class Layout:
    """The names, methods and descriptors of a class, of its bases, of its own class and of its descriptors' classes."""

    __slots__ = ("cls", "meta", "mro", "others", "parts")

    def __init__(self, cls: type, seen: frozenset[type] = frozenset()) -> None:
        self.cls, self.meta, self.mro = cls, type(cls), cls.__mro__
        self.parts: list[Any] = []
        others = [self.meta]
        for base in filter(may_change, self.mro):
            own = vars(base)
            keys = frozenset(own.keys() - _TEXT)
            held = {name: value for name, value in own.items() if name in keys and _is_asked(name, value)}
            constants = tuple([name for name in keys if name not in held])
            self.parts.append((own, frozenset(own), keys, _getter(tuple(held)), tuple(held.values()), constants))
            others += map(type, own.values())
        seen |= {cls}
        self.others = [
            Layout(other, seen) for other in dict.fromkeys(others) if may_change(other) and other not in seen
        ]

    def holds(self) -> bool:
        """Tell whether the class is as it was."""
        if self.cls.__mro__ is not self.mro or type(self.cls) is not self.meta:
            return False
        for own, names, keys, held, values, constants in self.parts:
            if own.keys() != names and own.keys() - _TEXT != keys:
                return False
            if not all(map(operator.is_, held(own), values)):
                return False
            if constants and any([hasattr(type(own[name]), "__get__") for name in constants]):
                return False
        return not self.others or all([other.holds() for other in self.others])


def _getter(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """Function that reads these names of a dict that has them."""
    return operator.itemgetter(*names) if len(names) > 1 else lambda own: tuple([own[name] for name in names])


def _is_asked(name: str, value: Any) -> bool:
    """Tell whether Python asks what stands under a name when an object is used."""
    return hasattr(type(value), "__get__") or name.startswith("__") and name.endswith("__")


_LAYOUTS: IdentityMap[Layout] = IdentityMap()


def layout_of(cls: type) -> Layout:
    """The layout of a class: the same object for as long as the class is as it was.

    >>> class A: __module__ = "program"
    >>> before = layout_of(A)
    >>> layout_of(A) is before
    True
    >>> A.__len__ = lambda self: 3
    >>> layout_of(A) is before
    False
    """
    if type(cls).__hash__ is None:
        raise UnsupportedSyntaxError(
            f"the class `{cls.__qualname__}` is not hashable",
            "what is known of classes is kept by them, and its metaclass has `__eq__` without `__hash__`",
            "give the metaclass a `__hash__`: `__hash__ = type.__hash__`",
            calling_place(),
        )
    known = _LAYOUTS.get(cls)
    if known is None or not known.holds():
        known = _LAYOUTS[cls] = Layout(cls)
        _LAYOUTS.shorten(MAX_LAYOUTS)
    return known


__all__ = ["Layout", "layout_of", "may_change"]
