"""Attributes that functions set on classes: a method that is put on a class is another one from then on."""

from __future__ import annotations

import dis
import functools
import types
from collections.abc import Iterator
from typing import Any

from ..origin import is_read

MAX_FUNCTIONS = 5000
MAX_CODES = 300


@functools.lru_cache(MAX_FUNCTIONS)
def set_on_classes(f: types.FunctionType) -> frozenset[str]:
    """The attributes that a library's function, or one that it names, sets on classes that it names: a method that is
    put on one is another one from then on.

    >>> class Kernel: scale = 1.0
    >>> def configure(scale): Kernel.scale = scale
    >>> set_on_classes(configure)
    frozenset({'scale'})
    """
    todo, seen, found = [f], {f.__code__}, set()
    while todo:
        g = todo.pop()
        for code in _codes_of(g.__code__):
            steps = [*dis.get_instructions(code)]
            for before, step in zip(steps, steps[1:], strict=False):
                on = g.__globals__.get(before.argval) if before.opname == "LOAD_GLOBAL" else None
                if step.opname in ("STORE_ATTR", "DELETE_ATTR") and isinstance(on, type):
                    found.add(step.argval)
            for inner in _named_in(code, g.__globals__):
                own = is_read(inner.__code__.co_filename) and len(seen) < MAX_CODES
                if own and inner.__code__ not in seen:
                    seen.add(inner.__code__)
                    todo.append(inner)
    return frozenset(found)


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
