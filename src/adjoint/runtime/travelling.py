"""The texts that a function needs where it is sent: its own, and those of what it may call there.

cloudpickle and dill send what is not found by its name in a module as bytecode, without a text. Python's own pickle
sends names only, and needs none.
"""

from __future__ import annotations

import functools
import importlib.util
import sys
from collections.abc import Iterable, Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, MemberDescriptorType, MethodType, ModuleType, NoneType
from typing import Any

import numpy as np

from ..cells import held_by
from ..errors import UnpicklingError
from ..frontend.pieces import check, piece_of
from ..frontend.source import nested_codes
from ..frontend.texts import Piece, came_with, keep
from ..origin import is_users
from ..rules.libraries import FOLLOWED, follow
from ..rules.registry import non_differentiable

Sources = tuple[tuple[Piece, tuple[CodeType, ...]], ...]
"""Pieces of files, each with the code objects of the pickle that stand in it."""

_LONGEST = 1000
"""Longer sequences are data."""

_ATOMS = frozenset((str, int, float, complex, bool, bytes, NoneType, np.float64, BuiltinFunctionType))
"""Classes of objects that hold no functions."""

_BY_VALUE = frozenset(("cloudpickle", "dill"))
_PYTHON = sys.implementation.cache_tag or sys.version
"""Says whose bytecode it is."""


class Python:
    """The Python whose bytecode comes next in a pickle: another one loads no more of it."""

    def __reduce__(self) -> Any:
        return check_python, (_PYTHON,)


_THIS = Python()


def check_python(made_by: str) -> Python:
    """Raise `UnpicklingError` for the bytecode of another Python.

    >>> check_python("cpython-27")
    Traceback (most recent call last):
        ...
    adjoint.errors.UnpicklingError: this pickle was made by cpython-27, and is loaded by cpython-...
      ...
    """
    if made_by != _PYTHON:
        raise UnpicklingError(
            f"this pickle was made by {made_by}, and is loaded by {_PYTHON}",
            "functions of `__main__`, of notebooks, lambdas and closures are pickled as bytecode, of which each version"
            " of Python has its own",
            "run the same version of Python in all processes, or put the functions into a module, which both import",
        )
    return _THIS


def with_texts(make: Any, parts: tuple[Any, ...], held: Iterable[Any] | None = None) -> Any:
    """The way in which an object is made of its parts, as `__reduce__` says it, and with the texts that these need, or
    what it held.

    >>> make, parts = with_texts(functools.partial, (print,))
    >>> make(*parts)
    functools.partial(<built-in function print>)
    """
    sources = texts_of(parts if held is None else held) if asked_by() in _BY_VALUE else ()
    return with_libraries(*((rebuilt, (_THIS, sources, make, parts)) if sources else (make, parts)))


def with_libraries(make: Any, parts: tuple[Any, ...]) -> Any:
    """The same of an object, with the libraries whose rules this program has asked for: they are loaded there, too."""
    return (following, (tuple(FOLLOWED), make, parts)) if FOLLOWED else (make, parts)


def following(libraries: Iterable[str], make: Any, parts: tuple[Any, ...]) -> Any:
    """An object of a process that had asked for rules of libraries; one that is not installed has no objects here."""
    for library in libraries:
        if library not in FOLLOWED and importlib.util.find_spec(library) is not None:
            follow(library)
    return make(*parts)


def texts_of(held: Iterable[Any]) -> Sources:
    """The texts of the functions that are pickled by value with objects.

    >>> f = lambda x: x
    >>> texts_of([f])[0][0].text, texts_of([functools.wraps])
    ('f = lambda x: x\\n', ())
    """
    found: dict[Piece, list[CodeType]] = {}
    seen: dict[int, Any] = {}  # by their ids, which others would have if they were let go
    reached = list(_functions(held, seen))
    others = _functions([x for f in reached for x in _called(f.__globals__, seen)], seen)
    for f in reached:
        if (piece := _piece_of(f)) is not None:
            found.setdefault(piece, []).append(f.__code__)
    for f in others:  # whose code is not in the pickle, or not with these
        if (piece := _piece_of(f)) is not None:
            found.setdefault(piece, [])
    for other in [other for piece in found for other in came_with(piece)]:
        found.setdefault(other, [])
    return tuple([(piece, tuple(codes)) for piece, codes in found.items()])


def _piece_of(f: FunctionType) -> Piece | None:
    """The piece of a file that a function stands in, unless that is installed wherever its library is."""
    piece = piece_of(f)
    return piece if piece is not None and is_users(piece.filename) else None


def rebuilt(python: Python, sources: Sources, make: Any, parts: tuple[Any, ...]) -> Any:
    """An object that was pickled with texts, if these are the texts of its code; they are compiled, and not run."""
    for piece, codes in sources:
        check(piece, codes)
    keep([piece for piece, _ in sources])
    return make(*parts)


def asked_by() -> str:
    """The library that pickles: "cloudpickle", "dill" or "" for those that send names; there is no sign but the
    callers."""
    frame = sys._getframe(1)
    seen = 0
    while frame is not None and seen < 4:
        name = frame.f_globals.get("__name__") or ""
        for part in reversed(name.split(".")):
            if part.lstrip("_") in _BY_VALUE:
                return part.lstrip("_")
        seen += name not in ("pickle", __name__)
        frame = frame.f_back  # type: ignore[assignment]
    return ""


def is_by_name(x: Any) -> bool:
    """Tell whether a function or class is found by its name in a module that another process imports."""
    module = x.__module__
    if module == "__main__" or not isinstance(module, str) or _is_sent(module):
        return False
    found: Any = sys.modules.get(module)
    for part in x.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is x


def _is_sent(module: str) -> bool:
    """Tell whether cloudpickle was told to send what is in a module by value."""
    sent: set[str] = getattr(sys.modules.get("cloudpickle"), "list_registry_pickle_by_value", set)()
    return any(module == name or module.startswith(f"{name}.") for name in sent)


def _functions(held: Iterable[Any], seen: dict[int, Any]) -> Iterator[FunctionType]:
    """The functions that are reached from objects and are pickled by value."""
    todo = list(held)
    while todo:
        x = todo.pop()
        if type(x) in _ATOMS or id(x) in seen:
            continue
        seen[id(x)] = x
        if type(x) is FunctionType:
            if not is_by_name(x):
                yield x
                todo += _captures(x)
                todo += _named(x.__code__, x.__globals__)
        elif isinstance(x, type):
            if not is_by_name(x):
                todo += [*x.__bases__, *(f for held in list(vars(x).values()) for f in _underlying(held))]
        elif isinstance(x, ModuleType):
            todo += [] if sys.modules.get(x.__name__) is x else vars(x).values()
        else:
            todo += _parts(x)


def _captures(f: FunctionType) -> Iterator[Any]:
    yield from held_by(f)
    yield from f.__dict__.values()


def _named(code: CodeType, namespace: dict[str, Any]) -> Iterator[Any]:
    """Global names of a function, or of one that it makes."""
    yield from (namespace[name] for name in code.co_names if name in namespace)
    for inner in nested_codes(code):
        yield from _named(inner, namespace)


def _called(namespace: dict[str, Any], seen: dict[int, Any]) -> list[Any]:
    """The functions and classes that a function may be handed, objects of theirs too, where no module has them."""
    name = namespace.get("__name__")
    module = sys.modules.get(name) if isinstance(name, str) and name != "__main__" else None
    if id(namespace) in seen or vars(module or object) is namespace:
        return []
    seen[id(namespace)] = namespace
    return [x for x in list(namespace.values()) if isinstance(x, (FunctionType, type))]


def _parts(x: Any) -> list[Any]:
    if isinstance(x, MethodType):
        return [x.__func__, x.__self__]
    if isinstance(x, functools.partial):
        return [x.func, *x.args, *x.keywords.values()]
    if isinstance(x, (tuple, list, set, frozenset)):
        return list(x) if len(x) <= _LONGEST else []
    if isinstance(x, dict):
        return [*x, *x.values()] if len(x) <= _LONGEST else []
    if isinstance(x, np.ndarray):
        return x.ravel().tolist() if x.dtype == object and x.size <= _LONGEST else []
    if type(x).__module__ == "builtins":
        return []
    fields = getattr(x, "__dict__", None)
    return [type(x), *_slots(x), *(fields.values() if isinstance(fields, dict) else ())]


def _slots(x: Any) -> Iterator[Any]:
    for cls in type(x).__mro__:
        slots = vars(cls).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            member = vars(cls).get(name)
            if isinstance(member, MemberDescriptorType):
                try:
                    yield member.__get__(x)
                except AttributeError:
                    continue  # nothing was stored


def _underlying(x: Any) -> tuple[Any, ...]:
    """The functions in a descriptor."""
    if isinstance(x, property):
        return x.fget, x.fset, x.fdel
    return (getattr(x, "__func__", getattr(x, "func", x)),)


non_differentiable(with_texts, texts_of, rebuilt, following)
