"""Functions that only read the object they are given: they store nothing into it, keep it nowhere, and do not give it.

An object that is being made may be handed to these, and go on being made.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable
from typing import Any

from ..errors import AdjointError
from ..ir.nodes import Block, Call, Const, Function, Var, atoms_of, blocks_of
from .effects import is_data


class Readers:
    """Facts about functions, by their IR; `guards` gets the methods that were looked at."""

    def __init__(self, lower: Callable[[Any], Function], guards: dict[tuple[int, str], tuple[Any, str, Any]]) -> None:
        self.lower = lower
        self.guards = guards
        self.known: dict[tuple[Any, type], bool] = {}

    def method(self, cls: type, name: str) -> bool:
        """Tell whether a method or property of a class only reads its object."""
        static = inspect.getattr_static(cls, name, None)
        function = static.fget if isinstance(static, property) else static
        if not isinstance(function, types.FunctionType):
            return False
        self.guards[id(cls), name] = (cls, name, static)
        return self.function(function, cls)

    def function(self, function: types.FunctionType, cls: type) -> bool:
        """Tell whether a function only reads its first argument, an object of this class."""
        key = (function, cls)
        if key not in self.known:
            self.known[key] = True  # a function that calls itself is what the rest of it is
            if not self._reads(function, cls):
                self.known = {other: False for other, reads in self.known.items() if not reads} | {key: False}
        return self.known[key]

    def _reads(self, function: types.FunctionType, cls: type) -> bool:
        try:
            f = self.lower(function)
        except AdjointError:
            return False
        return f.signature.positional > 0 and self._block(f, f.body, cls, set())

    def _block(self, f: Function, block: Block, cls: type, methods: set[Var]) -> bool:
        own = f.params[1]
        for s in block.statements:
            atoms = [a for a in atoms_of(s) if a is own or a in methods]
            if isinstance(s, Call) and isinstance(s.fn, Const) and s.fn.value is getattr and s.args[0] is own:
                _, name = s.args
                if not isinstance(name, Const):
                    return False
                if not is_data(cls, name.value):
                    if not self.method(cls, name.value):
                        return False
                    if not isinstance(inspect.getattr_static(cls, name.value), property):
                        methods.add(s.out)  # to be called, and nothing else
            elif len(atoms) != (isinstance(s, Call) and s.fn in methods):
                return False
            if not all(self._block(f, inner, cls, methods) for inner in blocks_of(s)):
                return False
        return not any(r is own or r in methods for r in block.results)
