"""Generator expressions that are not consumed where they stand: functions with a `yield`, as Python makes of them."""

from __future__ import annotations

import ast
from typing import Any

GIVEN = ".0"
"""The parameter of such a function: the iterator over what the first `for` runs through."""
NAME = "<genexpr>"
_CONSUMERS = frozenset(
    ["sum", "list", "tuple", "set", "frozenset", "dict", "sorted", "max", "min", "any", "all", "next"]
    + ["fsum", "prod", "reduce", "join"]
)
"""Names of functions and methods that consume a generator expression at once, most times."""


def consumed_in(node: ast.AST) -> list[ast.AST]:
    """The generator expressions that a node consumes itself, as far as names tell."""
    match node:
        case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called)):
            given = node.args if called in _CONSUMERS else []
        case ast.For(iter=given) | ast.comprehension(iter=given) | ast.Starred(value=given):
            given = [given]
        case _:
            given = []
    return [n for n in given if isinstance(n, ast.GeneratorExp)]


def keeps_to_itself(node: ast.GeneratorExp) -> bool:
    """Tell whether a generator binds no name of the function around it."""
    return not any([isinstance(n, ast.NamedExpr) for n in ast.walk(node)])


def as_function(node: ast.GeneratorExp) -> ast.FunctionDef:
    """The function that makes the generator of an expression, always the same one: `yield` stands in its loops."""
    known: ast.FunctionDef | None = getattr(node, "function", None)
    if known is not None:
        return known
    body: Any = _at(ast.Expr(_at(ast.Yield(node.elt), node.elt)), node.elt)
    for i, generator in reversed([*enumerate(node.generators)]):
        for test in reversed(generator.ifs):
            body = _at(ast.If(test, [body], []), test)
        iterable = generator.iter if i else _at(ast.Name(GIVEN, ast.Load()), generator.iter)
        kind = ast.AsyncFor if generator.is_async else ast.For
        body = _at(kind(generator.target, iterable, [body], []), generator.iter)
    empty: Any = {"kwonlyargs": [], "kw_defaults": [], "defaults": []}
    given = ast.arguments(posonlyargs=[], args=[_at(ast.arg(GIVEN), node)], **empty)
    function = ast.FunctionDef(NAME, given, [body], [], None)
    function.type_params = []  # type: ignore[attr-defined, unused-ignore]
    node.function = _at(function, node)  # type: ignore[attr-defined]
    return function


def _at(new: Any, old: ast.AST) -> Any:
    return ast.copy_location(new, old)
