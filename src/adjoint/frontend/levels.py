"""Statements that the compiler leaves out at its levels of optimization: asserts, and what stands under `__debug__`.

Code may run in another process than compiled it, and `.pyc` files may be of another level than the process that imports
them. A derivative follows what the code does, and not the flags of its own process.
"""

from __future__ import annotations
import __future__

import ast
import sys
from types import CodeType
from typing import TYPE_CHECKING, Any

from .instructions import alike
from .nodes import copied
from .rewriting import names_within, rewriting

if TYPE_CHECKING:  # it asks for trees by level
    from .source import Source

_HIGHEST = 2


def _levels() -> tuple[int, ...]:
    """All levels, that of this process first."""
    own = min(sys.flags.optimize, _HIGHEST)
    return (own, *[level for level in range(_HIGHEST + 1) if level != own])


def level_of(source: Source, code: CodeType) -> int | None:
    """The level of optimization at which the text, compiled as it is now, gives the code that runs, if there is one.

    `x + x` has the names and lines of `x * x`. Another process may have compiled it without asserts or docstrings.
    """
    known = source.levels.get(code)
    if known is not None:
        return known
    flags, asserts = code.co_flags & __future__.annotations.compiler_flag, rewriting(names_within(code))
    place = code.co_name, code.co_firstlineno
    for level in _levels():
        if any(alike(code, other) for other in source.compiled(flags, asserts, level).get(place, ())):
            source.levels[code] = level
            return level
    return None


def depends_on_level(lines: list[str], level: int) -> bool:
    """Tell whether a text may hold what a level makes something else of."""
    return any("__debug__" in line or level > 0 and "assert" in line for line in lines)


def as_compiled(tree: ast.Module, level: int, keeps_asserts: bool) -> ast.Module:
    """A copy of a tree that says what its code does: `__debug__` is a constant, and asserts that are left out are dead.

    They stay within `if False`, as names that are bound there are local at each level.

    >>> tree = ast.parse("if __debug__: x = 1\\nassert x, y")
    >>> print(ast.unparse(as_compiled(tree, 1, False)))
    if False:
        x = 1
    if False:
        x
        y
    """
    made: ast.Module = _AsCompiled(level, keeps_asserts).visit(copied(tree))
    return made


class _AsCompiled(ast.NodeTransformer):
    """Changes a tree in place."""

    def __init__(self, level: int, keeps_asserts: bool) -> None:
        self.level, self.keeps_asserts = level, keeps_asserts

    def visit_Name(self, node: ast.Name) -> Any:
        return ast.copy_location(ast.Constant(self.level == 0), node) if node.id == "__debug__" else node

    def visit_Assert(self, node: ast.Assert) -> Any:
        self.generic_visit(node)
        if self.level == 0 or self.keeps_asserts:
            return node
        parts = [node.test, *([] if node.msg is None else [node.msg])]
        body: list[ast.stmt] = [ast.copy_location(ast.Expr(part), part) for part in parts]
        return ast.copy_location(ast.If(ast.copy_location(ast.Constant(False), node), body, []), node)


__all__ = ["as_compiled", "depends_on_level", "level_of"]
