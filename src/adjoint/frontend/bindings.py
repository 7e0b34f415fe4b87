"""Places that bind a name of a function, and whether they can still run when something sees the name."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

Path = tuple[tuple[int, int], ...]
"""The place of a statement: for every statement list around it, which list and which place in it."""


@dataclass(frozen=True, slots=True)
class Binding:
    """One place that binds a name; `looped` if it can run more than once, `sure` if it runs whenever it is passed."""

    path: Path
    node: ast.AST | None = None
    looped: bool = False
    sure: bool = True

    def before(self, path: Path) -> bool:
        """Tell whether it has run whenever the statement at `path` runs."""
        n = len(self.path)
        if not n:
            return self.sure
        (list_, index), (other, place) = self.path[-1], path[n - 1] if len(path) >= n else (-1, -1)
        return self.sure and path[: n - 1] == self.path[:-1] and list_ == other and index < place

    def over(self, path: Path) -> bool:
        """Tell whether it can't run any more once the statement at `path` runs: it is an argument, or stands in an
        earlier statement of the function itself. (A handler unbinds its name at its end, as `del` does.)"""
        if isinstance(self.node, ast.ExceptHandler) or isinstance(getattr(self.node, "ctx", None), ast.Del):
            return False
        here, there = self.path[:1], path[:1]
        return not here and not self.looped or bool(here and there) and here[0][0] == there[0][0] and here < there


def is_settled(bindings: Sequence[Binding], path: Path) -> bool:
    """Tell whether a name that several places bind, or one that runs several times, is bound for good at `path`."""
    sure = any([not binding.looped and binding.before(path) for binding in bindings])
    return sure and all([binding.over(path) for binding in bindings])


def is_own_def(binding: ast.AST | None, node: ast.AST) -> bool:
    """Tell whether a binding is the undecorated `def` of the function `node`."""
    return binding is node and isinstance(node, ast.FunctionDef) and not node.decorator_list
