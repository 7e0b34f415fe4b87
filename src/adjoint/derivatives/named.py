"""Functions that are made of other functions, and are called as these."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from ..rules.registry import non_differentiable
from ..runtime.travelling import asked_by, is_by_name, with_texts

_NAMES = ("__module__", "__name__", "__qualname__", "__doc__")


class Importable:
    """An object that is pickled by its name where it is found by that: a decorated function; else by its parts, with
    the texts of the functions among them that are pickled by value."""

    def __reduce_ex__(self, protocol: Any) -> Any:
        name = getattr(self, "__qualname__", None)
        found: Any = sys.modules.get(getattr(self, "__module__", ""))
        for part in name.split(".") if isinstance(name, str) else ():
            found = getattr(found, part, None)
        if found is self and (is_by_name(self) or not asked_by()):
            return name
        reduced: Any = self.__reduce__()
        return with_texts(*reduced)


class Named(Importable):
    """A function made of another one, `_f`, whose names, docstring and signature it has."""

    _f: Callable[..., Any]

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        return self._f


class NamedFunction(Named):
    """One that is a method where it stands in a class."""

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        made: Any = self
        return made if instance is None else functools.partial(made, instance)


def name_after(made: Named, f: Any, own: str | None = None) -> None:
    """Give a function the names and the docstring of another one, or a name of its `own` beside these."""
    for name in _NAMES:
        if hasattr(f, name):
            setattr(made, name, getattr(f, name))
    if own is not None:
        setattr(made, "__name__", own)  # noqa: B010 - not every one has it


non_differentiable(name_after)
