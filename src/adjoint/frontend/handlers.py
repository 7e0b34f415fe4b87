"""Bodies and handlers that are not followed: those that look at variables or exceptions by other ways than names."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from ..errors import AdjointError
from .acting import resolve
from .builder import Builder
from .first_use import bound_in, reads, reads_of
from .letting import lets_pass
from .nodes import Throw
from .scope import COMPREHENSIONS, FUNCTIONS
from .statements import refuse_word

_LOOKING = frozenset(["locals", "vars", "dir", "eval", "exec"])
"""Names that look at the variables of a function."""


_ASKING = frozenset(["exc_info", "exception", "format_exc", "print_exc"])
"""Names that give what is being handled."""


_SHOWING = frozenset(["print", "str", "repr", "format", "type", "isinstance"])


def check(b: Builder, node: Any, what: str, way_out: str) -> None:
    """Refuse what looks at variables or exceptions by other ways than their names."""
    word = "with" if isinstance(node, ast.With) else "try"
    body = [*node.body] if word == "with" else [*node.body, *node.orelse, *node.finalbody]
    if b.fields is not None and not (word == "with" and all([lets_pass(b, item.context_expr) for item in node.items])):
        refuse_word(b, node, word, what, "it is in an `__init__` whose object is not made yet", way_out)
    for n in (n for s in body for n in ast.walk(s)):
        if isinstance(n, (ast.Yield, ast.YieldFrom)) and not b.manages:
            refuse_word(b, node, word, what, "a generator waits within it", way_out)
        if isinstance(n, ast.Name) and n.id in _LOOKING:
            refuse_word(b, node, word, what, f"`{n.id}` looks at the variables of the function", way_out)
    for handler in getattr(node, "handlers", ()):
        _check_handler(b, node, handler, way_out)


def _check_handler(b: Builder, node: ast.Try, handler: ast.ExceptHandler, way_out: str) -> None:
    """Refuse handlers of errors of `adjoint`, which are none of the program's own."""
    classes = [] if handler.type is None else [n for n in ast.walk(handler.type) if isinstance(n, ast.expr)]
    found = [c for n in classes for c in _flat(resolve(b, n))]
    ours = str(b.namespace.get("__name__")).startswith("adjoint.")
    if ours or any(isinstance(c, type) and issubclass(c, AdjointError) for c in found):
        refuse_word(b, node, "try", "`try`", "errors of `adjoint` would be caught by it", way_out)


def looks_into(b: Builder, handler: ast.ExceptHandler) -> bool:
    """Tell whether a handler does more with the exception than to show it, to ask for its class, and to raise it."""
    if handler.name is None:
        return False
    shown = {id(n) for s in handler.body for node in ast.walk(s) for n in _shown(node)}
    return any(id(n) not in shown for s in handler.body for n in reads_of(handler.name, s))


def is_hidden(b: Builder, handler: ast.ExceptHandler) -> bool:
    """Tell whether others than the statements of a handler look into its exception, or these otherwise than by its
    name."""
    nodes = [n for s in handler.body for n in ast.walk(s)]
    name = handler.name
    if any(isinstance(n, (ast.Name, ast.Attribute, ast.keyword)) and _word(n) in _ASKING for n in nodes):
        return True
    if name is None:
        return False
    inner = any(isinstance(n, (*FUNCTIONS, *COMPREHENSIONS)) and reads(name, n) for n in nodes)
    function: Any = b.chain[-1]
    handlers = [s for s in ast.walk(function) if isinstance(s, ast.ExceptHandler) and s.name == name]
    of_handlers = {id(n) for h in handlers for s in h.body for n in ast.walk(s)}
    elsewhere = any(id(n) not in of_handlers for s in function.body for n in reads_of(name, s))
    return (
        elsewhere
        or inner
        or b.mangle(name) in b.cells
        or b.mangle(name) not in b.visible
        or name in bound_in(handler.body)
    )


def _flat(value: Any) -> Sequence[Any]:
    return value if isinstance(value, tuple) else (value,)


def _word(node: Any) -> str:
    return str(getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "arg", None))


def _shown(node: Any) -> Sequence[ast.AST]:
    """The exceptions that a node shows, or raises."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=args) if name in _SHOWING:
            return args
        case ast.FormattedValue(value=value):
            return [value]
        case ast.Raise(exc=exc, cause=cause) | Throw(value=exc, cause=cause):
            return [part for part in (exc, cause) if part is not None]
    return []
