"""Walks through syntax trees: through all of one, and through what belongs to a function itself."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator
from typing import Any

MARKS = (ast.expr_context, ast.operator, ast.cmpop, ast.unaryop, ast.boolop)
"""Nodes that hold nothing: how another one is meant."""


def parameters(args: ast.arguments) -> list[str]:
    """The names of all parameters."""
    every = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
    return [a.arg for a in every if a is not None]


def body_of(node: Any) -> list[Any]:
    """Statements of a function: of a lambda, its expression."""
    return [node.body] if isinstance(node, ast.Lambda) else node.body


def all_nodes(node: Any) -> Iterator[Any]:
    """A node and all that are in it, also in inner functions."""
    stack = [node]
    while stack:
        node = stack.pop()
        yield node
        stack += children(node)


_NO_NODES = frozenset(["ctx", "op", "ops", "id", "attr", "arg", "kind", "type_comment"])
"""Fields that hold none of `children`."""


@functools.cache
def _parts_of(cls: type[ast.AST]) -> tuple[str, ...]:
    """The fields of a kind of node that may hold nodes."""
    return tuple([name for name in cls._fields if name not in _NO_NODES])


def children(node: Any) -> list[Any]:
    """The nodes that a node directly holds, without those that only say how it is meant (`Load`, `Add`)."""
    found: list[Any] = []
    own = node.__dict__
    for name in _parts_of(node.__class__):
        value = own.get(name)
        if type(value) is list:
            found += [item for item in value if isinstance(item, ast.AST) and not isinstance(item, MARKS)]
        elif isinstance(value, ast.AST) and not isinstance(value, MARKS):
            found.append(value)
    return found


def own_nodes(body: list[Any]) -> Iterator[Any]:
    """The nodes of a function's own scope and of its comprehensions; inner functions and classes themselves, but not
    what is in them (what they evaluate outside: defaults, decorators, bases)."""
    stack = list(reversed(body))
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, ast.Lambda):
            stack += [d for d in (*node.args.defaults, *node.args.kw_defaults) if d is not None]
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            stack += [d for d in (*node.args.defaults, *node.args.kw_defaults, *node.decorator_list) if d is not None]
        elif isinstance(node, ast.ClassDef):
            stack += [*node.bases, *[k.value for k in node.keywords], *node.decorator_list]
        elif isinstance(node, ast.GeneratorExp):
            stack.append(node.generators[0].iter)
        else:
            stack += children(node)
