"""Functions of the user's that are handed to code which is not looked into: callbacks, hooks, targets of threads.

Such code calls them by itself, or keeps them and calls them later, so that nothing of what they do is followed. One
that stores is refused where it is handed over; what one that only reads may give away is what it captures.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator
from typing import Any

from ..cells import held_by
from ..classify import call_of, classify, method_of
from ..errors import UnsupportedSyntaxError, calling_place
from ..ops.questions import writing_names
from ..origin import is_users, is_users_class, module_of, own_name
from ..rules.registry import non_differentiable
from .implicit_calls import PLAIN, stores

_OWN = (types.BuiltinFunctionType, types.MethodWrapperType)
"""Methods of builtin classes, bound."""
_IN_THREADS = frozenset(["threading", "_thread", "concurrent", "multiprocessing", "asyncio"])
"""Modules whose functions and classes run what they are given somewhere else."""
_DEPTH = 6


def functions_in(values: Iterable[Any], depth: int = _DEPTH, seen: set[int] | None = None) -> Iterator[Any]:
    """The functions of the user's, and the bound methods of builtin objects, that can be called by who has these
    values: they themselves, in containers and partial functions, and what they capture.

    >>> import functools
    >>> kept = []
    >>> def note(x):
    ...     kept.append(x)
    >>> [f.__name__ for f in functions_in([1.0, (functools.partial(note, 2.0), kept.append)])]
    ['note', 'append']
    """
    seen = set() if seen is None else seen
    for x in values:
        cls = type(x)
        if cls in PLAIN or depth == 0 or id(x) in seen:
            continue
        seen.add(id(x))
        if cls is types.FunctionType:
            if is_users(x.__code__.co_filename):
                yield x
            inner: Iterable[Any] = held_by(x)
        elif cls is types.MethodType:
            inner = (x.__func__, *held_by(x.__func__))
        elif isinstance(x, (list, tuple, set, frozenset, dict)):
            inner = [*(x.values() if isinstance(x, dict) else x)]  # another thread may change it meanwhile
            inner = () if set(map(type, inner)) <= PLAIN else inner
        elif isinstance(x, type):
            inner = _methods_of(x) if is_users_class(x) else ()
        else:
            c = classify(x) if callable(x) else None
            if c is not None and c.kind == "method":
                yield x
                continue
            inner = () if c is None else c.reaches
            inner = [*inner, call_of(cls), *_methods_of(cls)] if is_users_class(cls) else inner
        yield from functions_in(inner, depth - 1, seen)


def _methods_of(cls: type) -> list[Any]:
    """The methods of a class that stand for some of a library's class: its code calls them."""
    theirs = [base for base in cls.__mro__ if not is_users_class(base) and base.__module__ != "builtins"]
    names = {name for base in theirs for name in vars(base) if not name.startswith("__")}
    found = [method_of(cls, name) for name in names]
    return [f for f in found if type(f) is types.FunctionType]


def is_writing(f: Any) -> bool:
    """Tell whether a function is, by its name, a method that may change what it is called on."""
    return own_name(f) in writing_names()


def check_handed(callee: Any, values: Iterable[Any]) -> bool:
    """Raise `UnsupportedSyntaxError` where a callee that is not looked into is handed a function that stores, or, if it
    runs it in another thread, one that captures numbers. Gives whether one captures numbers."""
    functions = list(functions_in(values))
    if not functions:
        return False
    own = getattr(callee, "__self__", None)
    owner = callee if own is None or isinstance(own, types.ModuleType) else own if isinstance(own, type) else type(own)
    threads = module_of(owner).partition(".")[0] in _IN_THREADS
    captures = False
    for f in functions:
        if isinstance(f, _OWN):
            stored = is_writing(f)
        else:
            stored = stores(f)
            captures = captures or any(map(_has_numbers, held_by(f)))
        if threads and (stored or captures):
            raise _of_threads(callee, f)
        if stored:
            raise _of_storing(callee, f)
    return captures


def _has_numbers(x: Any) -> bool:
    """Tell whether what a function captures may hold numbers that are differentiated."""
    if isinstance(x, bool | int | str | bytes | type | types.ModuleType | type(None)):
        return False
    return not callable(x)


def _name(f: Any) -> str:
    name = own_name(f) or type(f).__name__
    if name in ("__init__", "__new__"):
        name = f.__qualname__.split(".")[-2]
    return "a lambda" if name == "<lambda>" else f"`{name}`"


def _of_storing(callee: Any, f: Any) -> UnsupportedSyntaxError:
    wraps = _name(callee) == _name(f)
    return UnsupportedSyntaxError(
        f"{_name(callee)} {'wraps a function' if wraps else f'is handed {_name(f)}'}, which stores",
        "the code that calls it is not looked into, so that what it stores is not followed",
        "call it from Python code of your own, or let it return what it stores",
        calling_place(),
    )


def _of_threads(callee: Any, f: Any) -> UnsupportedSyntaxError:
    return UnsupportedSyntaxError(
        f"{_name(callee)} runs {_name(f)} in a thread, a task or a process of its own",
        "what runs in threads beside the program is not followed: its order is not known",
        "call the function where the thread is started, or differentiate inside of the thread",
        calling_place(),
    )


non_differentiable(check_handed, is_writing, is_users_class)

__all__ = ["check_handed", "functions_in", "is_writing"]
