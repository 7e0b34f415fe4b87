"""Private names as the compiler writes them: `__x` in a class `A` is `_A__x`, also that of a parameter."""

from __future__ import annotations

import ast
from typing import Any


class PrivateNames(ast.NodeTransformer):
    """Writes out the private names of a function's variables and parameters; those of attributes stay.

    >>> ast.unparse(PrivateNames("A").within(ast.parse("def f(__x): return __x + self.__x")))
    'def f(_A__x):\\n    return _A__x + self.__x'
    """

    def __init__(self, around: str) -> None:
        self.own = around.lstrip("_")

    def spelled(self, name: Any) -> Any:
        """A name as it is in the code."""
        private = self.own and type(name) is str and name.startswith("__") and not name.endswith("__")
        return f"_{self.own}{name}" if private else name

    def within(self, node: Any) -> Any:
        """A function with the names in it written out."""
        return self.generic_visit(node) if self.own else node

    def visit(self, node: ast.AST) -> Any:
        """Write out the names in a node."""
        for field in _NAMED.get(type(node), ()):
            value = getattr(node, field)
            named = list(map(self.spelled, value)) if isinstance(value, list) else self.spelled(value)
            setattr(node, field, named)
        if not isinstance(node, ast.ClassDef | ast.FunctionDef):
            return self.generic_visit(node)
        if isinstance(node, ast.FunctionDef):  # a class has private names of its own
            self.generic_visit(node)
        spelled = self.spelled(node.name)
        if spelled == node.name:
            return node
        both = ast.Name(spelled, ast.Store()), ast.Name(node.name, ast.Load())  # what it says its name is stays
        return [node, ast.copy_location(ast.Assign([both[0]], ast.copy_location(both[1], node)), node)]


_NAMED: dict[type, tuple[str, ...]] = {
    ast.Name: ("id",),
    ast.arg: ("arg",),
    ast.alias: ("asname",),
    ast.Global: ("names",),
    ast.Nonlocal: ("names",),
    ast.ExceptHandler: ("name",),
    ast.MatchAs: ("name",),
    ast.MatchStar: ("name",),
    ast.MatchMapping: ("rest",),
}
