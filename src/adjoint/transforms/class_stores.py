"""Attributes that functions set on classes: a method that is put on a class is another one from then on."""

from __future__ import annotations

import dis
import itertools
import types
from collections.abc import Iterator
from typing import Any

from ..identity import IdentityMap
from ..origin import is_read

MAX_CODES = 300

_STORES: IdentityMap[tuple[tuple[str, str], ...]] = IdentityMap()
"""The stores of code, and of the code in it, into attributes of global names. What the names mean may change."""


def set_on_classes(f: types.FunctionType) -> frozenset[str]:
    """The attributes that a function of the user's or of a library that is read, or one that it names, sets on classes
    that it names: a method that is put on one is another one from then on.

    >>> class Kernel: scale = 1.0
    >>> def configure(scale): Kernel.scale = scale
    >>> set_on_classes(configure)
    frozenset({'scale'})
    """
    todo, seen, found = [f], {f.__code__}, set()
    while todo:
        g = todo.pop()
        found.update([name for on, name in _stores_of(g.__code__) if isinstance(g.__globals__.get(on), type)])
        for code in _codes_of(g.__code__):
            for inner in _named_in(code, g.__globals__):
                if inner.__code__ in seen or len(seen) >= MAX_CODES:
                    continue
                if is_read(inner.__code__.co_filename):
                    seen.add(inner.__code__)
                    todo.append(inner)
    return frozenset(found)


def _stores_of(code: types.CodeType) -> tuple[tuple[str, str], ...]:
    """The stores of code: the global name, and the attribute that is set on what it stands for."""
    known = _STORES.get(code)
    if known is None:
        steps = [step for inner in _codes_of(code) for step in dis.get_instructions(inner)]
        pairs = itertools.pairwise(steps)
        known = _STORES[code] = tuple([(on.argval, step.argval) for on, step in pairs if _is_store(on, step)])
    return known


def _is_store(on: dis.Instruction, step: dis.Instruction) -> bool:
    return on.opname == "LOAD_GLOBAL" and step.opname in ("STORE_ATTR", "DELETE_ATTR")


def _codes_of(code: types.CodeType) -> Iterator[types.CodeType]:
    yield code
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            yield from _codes_of(const)


def _named_in(code: types.CodeType, scope: dict[str, Any]) -> list[types.FunctionType]:
    """The functions that code names, those of modules that it names, and the methods of classes."""
    found = [scope.get(name) for name in code.co_names]
    modules = [x for x in found if isinstance(x, types.ModuleType)]
    found += [vars(module).get(name) for module in modules for name in code.co_names]
    found += [x for cls in found if isinstance(cls, type) for x in vars(cls).values()]
    return [x for x in found if type(x) is types.FunctionType]
