"""The texts that a function needs where it is sent: its own, and those of what it may call there."""

from __future__ import annotations

import functools
import linecache
import sys
from collections.abc import Iterable, Iterator
from types import FunctionType, MethodType, ModuleType
from typing import Any

from ..frontend.texts import carried, keep
from ..rules.registry import non_differentiable

_LONGEST = 1000
"""Longer sequences are data."""


def texts_of(held: Iterable[Any]) -> dict[str, str]:
    """The texts, by file, of the functions that are pickled by value with objects.

    >>> def f(x): return x
    >>> [f.__code__.co_filename in texts_of(held) for held in ([lambda x: f(x)], [functools.wraps])]
    [True, False]
    """
    namespaces = {f.__code__.co_filename: f.__globals__ for f in _functions(held)}
    texts = {name: "".join(linecache.getlines(name, namespace)) for name, namespace in namespaces.items()}
    if not all(texts.values()):  # a function came from another process itself
        texts |= carried()
    return {name: text for name, text in texts.items() if text}


def rebuilt(texts: dict[str, str], make: Any, parts: tuple[Any, ...]) -> Any:
    """An object that was pickled with texts."""
    keep(texts)
    return make(*parts)


def _functions(held: Iterable[Any]) -> Iterator[FunctionType]:
    """The functions that are reached from objects and are pickled by value."""
    seen: dict[int, Any] = {}  # by their ids, which others would have if they were let go
    todo = list(held)
    while todo:
        x = todo.pop()
        if id(x) in seen or isinstance(x, ModuleType):
            continue
        seen[id(x)] = x
        if type(x) is FunctionType:
            if not _is_by_name(x):
                yield x
                todo += _captures(x)
                todo += _called(x.__globals__, seen)
        elif isinstance(x, type):
            if not _is_by_name(x):
                todo += [*x.__bases__, *(f for held in vars(x).values() for f in _underlying(held))]
        else:
            todo += _parts(x)


def _captures(f: FunctionType) -> Iterator[Any]:
    for cell in f.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:
            continue  # still empty
    yield from f.__defaults__ or ()
    yield from (f.__kwdefaults__ or {}).values()
    yield from f.__dict__.values()


def _called(namespace: dict[str, Any], seen: dict[int, Any]) -> list[Any]:
    """What a function may call by its global names, where it takes these along: no module has them."""
    name = namespace.get("__name__")
    module = sys.modules.get(name) if isinstance(name, str) and name != "__main__" else None
    if id(namespace) in seen or vars(module or object) is namespace:
        return []
    seen[id(namespace)] = namespace
    return [x for x in list(namespace.values()) if callable(x)]


def _parts(x: Any) -> list[Any]:
    if isinstance(x, MethodType):
        return [x.__func__, x.__self__]
    if isinstance(x, functools.partial):
        return [x.func, *x.args, *x.keywords.values()]
    if isinstance(x, (tuple, list, set, frozenset)):
        return list(x) if len(x) <= _LONGEST else []
    if isinstance(x, dict):
        return list(x.values()) if len(x) <= _LONGEST else []
    fields = getattr(x, "__dict__", None)
    return [type(x), *fields.values()] if isinstance(fields, dict) else [type(x)]


def _underlying(x: Any) -> tuple[Any, ...]:
    """The functions in a descriptor."""
    if isinstance(x, property):
        return x.fget, x.fset, x.fdel
    return (getattr(x, "__func__", getattr(x, "func", x)),)


def _is_by_name(x: Any) -> bool:
    """Whether a function or class is found by its name in a module that another process imports."""
    if x.__module__ == "__main__":
        return False
    found: Any = sys.modules.get(x.__module__) if isinstance(x.__module__, str) else None
    for part in x.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is x


non_differentiable(texts_of, rebuilt)
