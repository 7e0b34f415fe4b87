"""Managers that let every exception pass, as far as their source tells: where one takes some after all, that is refused
once types are known."""

from __future__ import annotations

import ast
import inspect
from types import FunctionType, SimpleNamespace
from typing import Any

from ..errors import AdjointError
from ..ir.exceptions import LETTING, generator_of
from .acting import resolve
from .builder import Builder
from .exits import flow_of
from .source import find

_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def does_nothing(b: Builder, manager: ast.expr) -> bool:
    """Tell whether an expression is of a manager that does the same whether an exception leaves it or not."""
    return any(_made_by(b, manager) is cls for cls in LETTING)


def _made_by(b: Builder, manager: ast.expr) -> Any:
    return resolve(b, manager.func) if isinstance(manager, ast.Call) else type(resolve(b, manager))


def lets_pass(b: Builder, manager: ast.expr) -> bool:
    """Tell whether an expression is of a manager that seems to let every exception pass."""
    made = _made_by(b, manager)
    if does_nothing(b, manager):
        return True
    generator = generator_of(made)
    exits = inspect.getattr_static(made, "__exit__", None) if isinstance(made, type) else None
    try:
        if type(generator) is FunctionType:
            return _hands_on(_names_of(generator), find(generator.__code__, generator.__globals__).node.body)
        return type(exits) is FunctionType and _gives_nothing(find(exits.__code__, exits.__globals__).node)
    except AdjointError:
        return False


def _gives_nothing(node: ast.AST) -> bool:
    """Tell whether a function gives nothing, or what is false."""
    if isinstance(node, ast.Return) and node.value is not None:
        return isinstance(node.value, ast.Constant) and not node.value.value
    inner = [child for child in ast.iter_child_nodes(node) if not isinstance(child, _INNER)]
    return not isinstance(node, ast.Lambda) and all(map(_gives_nothing, inner))


def _hands_on(b: Any, body: Any) -> bool:
    """Tell whether what is raised at a `yield` leaves these statements of a generator."""
    for s in body:
        if not any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(s)):
            continue
        match s:
            case ast.Expr() | ast.Assign():
                pass
            case ast.Try():
                handled = any(_comes_to_an_end(h.body) for h in s.handlers)
                if handled or not flow_of(s.finalbody).falls or not _hands_on(b, s.body):
                    return False
            case ast.With():
                if not all(lets_pass(b, item.context_expr) for item in s.items) or not _hands_on(b, s.body):
                    return False
            case _:
                return False
    return True


def _comes_to_an_end(body: list[ast.stmt]) -> bool:
    flow = flow_of(body)
    return flow.falls or bool(flow.exits)


def _names_of(function: FunctionType) -> Any:
    """The names that `resolve` asks of a builder, for another function."""
    code = function.__code__
    own = {*code.co_varnames, *code.co_cellvars, *code.co_freevars}
    return SimpleNamespace(mangle=str, visible=own, env={}, cells={}, imported={}, namespace=function.__globals__)
