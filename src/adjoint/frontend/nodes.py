"""Copies of syntax trees.

The parser gives one `ast.Load()`, one `ast.Add()` to every tree of the process, and other tools hang what they like on
nodes: `executing`, by which IPython and `stack_data` show tracebacks, the node around each. Only fields and positions
are of the tree.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any


class Step(ast.stmt):
    """A statement that is lowered by `run`; it may be left as `body` may, and as a `return` does if it `fails`.

    `body` has all that is lowered: whoever walks through a tree sees it there.
    """

    _fields = ("run", "body", "fails")

    def __init__(
        self, run: Callable[[Any], None], at: ast.AST, body: Sequence[ast.stmt] = (), fails: bool = False
    ) -> None:
        super().__init__()
        self.run = run
        self.body = [*body]
        self.fails = fails
        ast.copy_location(self, at)


class Throw(ast.Return):
    """`raise value from cause` of an exception whose handler may be here: it leaves what is around as `return` does."""

    _fields = ("value", "cause")
    _field_types = {"value": ast.expr | None, "cause": ast.expr | None}  # asked for since Python 3.13
    cause: ast.expr | None

    def __init__(self, value: ast.expr | None, cause: ast.expr | None, at: ast.AST) -> None:
        super().__init__(value, cause)  # type: ignore[call-arg, arg-type]
        ast.copy_location(self, at)


class Called(ast.Expr):
    """An expression whose value stands under a key of the environment; it is left by an exception as by a `return`."""

    _fields = ("value", "key")
    _field_types = {"value": ast.expr, "key": str}
    key: str

    def __init__(self, value: ast.expr, key: str) -> None:
        super().__init__(value, key)  # type: ignore[call-arg, arg-type]
        ast.copy_location(self, value)


class Tried(ast.Try):
    """A `try` that is left by exceptions as by a `return`."""

    def __init__(  # which says what it holds
        self,
        body: list[ast.stmt],
        handlers: list[ast.ExceptHandler],
        orelse: list[ast.stmt],
        finalbody: list[ast.stmt],
    ) -> None:
        super().__init__(body, handlers, orelse, finalbody)


class Given(ast.expr):
    """An expression whose value stands under a key of the environment."""

    _fields = ("key",)

    def __init__(self, key: str, at: ast.AST) -> None:
        super().__init__()
        self.key = key
        ast.copy_location(self, at)


def copied(node: Any) -> Any:
    """A copy of a tree."""
    made = shallow(node)
    own = made.__dict__
    for name in node._fields:
        value = own.get(name)
        if isinstance(value, ast.AST):
            own[name] = copied(value)
        elif isinstance(value, list):
            own[name] = [copied(item) if isinstance(item, ast.AST) else item for item in value]
    return made


def shallow(node: Any) -> Any:
    """A copy of one node, with the same children."""
    cls: Any = type(node)
    made = cls.__new__(cls)
    held = node.__dict__
    made.__dict__.update((name, held[name]) for name in (*node._fields, *node._attributes) if name in held)
    return made
