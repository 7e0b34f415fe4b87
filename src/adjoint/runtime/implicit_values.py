"""Classes with implicit calls that store, as a function names them or a value holds them."""

from __future__ import annotations

import dis
import sys
import types
from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import chain
from typing import Any

from ..cells import captured_by
from ..ir.made_classes import layout_of_class
from ..ir.nodes import Block, Const, atoms_of, blocks_of
from ..ir.types import Record, Type
from ..origin import is_users
from ..rules.registry import non_differentiable
from ..tangents import get_own, has_own_dict, own_dict
from ..tangents.fields import carried
from .implicit_calls import PLAIN, check_class, may_be_made, refusal, runs_stores, storing_methods
from .wrapped import check_special

Reader = Callable[[Any], Iterable[Any]]

_CLOSED = PLAIN | {types.FunctionType, types.BuiltinFunctionType, types.ModuleType, type}
"""Classes of values that are not looked into."""
_BUILTIN = (list, tuple, dict)
MAX_DEPTH = 6
"""Number of levels of a value that are looked into."""


def check_seen(function: types.FunctionType, arg_types: Iterable[Type], confined: bool = False) -> list[type]:
    """Raise `UnsupportedSyntaxError` if a function has an argument of a class whose special methods may store, or finds
    an object of one. Gives the classes of that kind that it names: it may make none of their objects. A program that is
    `confined` (`transforms.confined`) lets Python call no method of an object by itself."""
    codes, searches = [function.__code__], False
    names: set[str] = set()
    while codes:
        code = codes.pop()
        names.update(code.co_names)
        searches = searches or dis.opmap["CONTAINS_OP"] in code.co_code[::2]
        codes += [c for c in code.co_consts if isinstance(c, types.CodeType)]
    found = [function.__globals__.get(name) for name in names]
    modules = [x for x in (*found, *map(sys.modules.get, names)) if isinstance(x, types.ModuleType)]
    found += [vars(module).get(name) for module in modules if _is_written(module) for name in names]
    found += captured_by(function).values()
    theirs = [vars(module).get(name) for module in modules if not _is_written(module) for name in names]
    named = [*{id(x): x for x in (*found, *theirs) if isinstance(x, type)}.values()]
    met = [*map(type, found), *(t.cls for t in arg_types if isinstance(t, Record))]
    if confined:
        for cls in (*named, *met):
            check_special(cls)
        return []
    for x in found:
        if holds_storing(x):
            raise refusal(type(x))
    for cls in met:
        check_class(cls)
    for cls in (*named, *met):
        if searches and cls.__module__ != "builtins" and storing_methods(cls, ("__iter__", "__getitem__", "__next__")):
            raise refusal(cls)
    for cls in named:
        check_special(cls)
    # Of what stands for a class made inside, `transforms.inner_objects` knows that Python runs nothing by itself.
    return [cls for cls in named if layout_of_class(cls) is None and not may_be_made(cls)]


def check_named(block: Block, barred: Sequence[type]) -> None:
    """Raise `UnsupportedSyntaxError` if a typed program still names one of these classes, or makes an object of one."""
    if not barred:
        return
    for s in block.statements:
        for a in atoms_of(s):
            if isinstance(a, Const) and any([a.value is cls for cls in barred]):
                raise refusal(a.value)
        for inner in blocks_of(s):
            check_named(inner, barred)


def _is_written(module: types.ModuleType) -> bool:
    return is_users(getattr(module, "__file__", None) or "")


def readers_of(classes: Iterable[type]) -> dict[type, Reader]:
    """Readers of the objects of classes for which Python runs nothing that stores, as long as these do not change."""
    return {cls: _reader_of(cls) for cls in (*_BUILTIN, *classes) if not issubclass(cls, type) and not runs_stores(cls)}


def holds_storing(x: Any, known: dict[type, Reader] | None = None) -> bool:
    """Tell whether an object of such a class is met in a value: asked before every call, level by level. Of `known`
    classes it has been asked what they are."""
    level = [x]
    readers = {} if known is None else known.copy()
    for _ in range(MAX_DEPTH):
        inner: list[Any] = []
        for item in level:
            cls = type(item)
            if cls in _CLOSED:
                continue
            reader = readers.get(cls)
            if reader is None:
                if isinstance(item, type):
                    continue
                if runs_stores(cls):
                    return True
                reader = readers[cls] = _reader_of(cls)
            inner.extend(reader(item))  # `+=` asks a class of lists first
        if _CLOSED.issuperset(map(type, inner)):
            return False
        level = inner
    return False


def _reader_of(cls: type) -> Reader:
    """Function that gives the items of a container, or what the fields of an object hold, if that is to be looked at:
    of one of a library the fields that say something, as a function of Numba's leads to all that Numba knows."""
    if (names := carried(cls)) is not None:
        return lambda x: [getattr(x, name) for name in names]
    if issubclass(cls, dict):
        return lambda x: (*_open(x.values()), *_open(x))
    if issubclass(cls, (list, tuple, set, frozenset)):
        return _open
    return _fields if has_own_dict(cls) else _held


def _open(items: Collection[Any], depth: int = MAX_DEPTH) -> Collection[Any]:
    """Items, or those of lists and tuples, if not all are of classes that are not looked into: most containers hold
    nothing but numbers."""
    classes = {*map(type, items)}
    if _CLOSED.issuperset(classes):
        return ()
    return _open([*chain.from_iterable(items)], depth - 1) if depth and _ROWS.issuperset(classes) else items


_ROWS = frozenset([list, tuple])


def _fields(x: Any) -> Any:
    return get_own(x, "__dict__").values()


def _held(x: Any) -> Any:
    fields = own_dict(x)
    return fields.values() if isinstance(fields, dict) else ()


non_differentiable(holds_storing)
