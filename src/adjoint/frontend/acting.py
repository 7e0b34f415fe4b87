"""Calls that may do more than compute, by what their functions are called."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np

from ..ir.intrinsics import load_global
from .builder import Builder

_COMPUTING = (abs, bool, divmod, enumerate, float, int, len, list, max, min, pow, range, round, sum, tuple, zip)


def acting_calls(b: Builder, tree: ast.AST) -> list[ast.Call]:
    """The calls in a tree that may show others something, draw numbers or advance an iterator."""
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call) and not _computes(resolve(b, node.func))]


def _computes(f: Any) -> bool:
    """Tell whether a function does no more than compute."""
    module = getattr(f, "__module__", None) if isinstance(f, type(abs)) else None
    return any([f is known for known in _COMPUTING]) or module in ("math", "cmath") or isinstance(f, np.ufunc)


def resolve(b: Builder, node: ast.expr) -> Any:
    """The object that a global name, one that the function imports, or a dotted path through modules stands for now;
    None if it is anything else."""
    if isinstance(node, ast.Name):
        name = b.mangle(node.id)
        if (imported := b.imported.get(b.env.get(name))) is not None:
            return imported
        if name in b.visible or name in b.env or name in b.cells:
            return None
        try:
            return load_global(_Scope(b.namespace), name)
        except NameError:
            return None
    if isinstance(node, ast.Attribute):
        owner = resolve(b, node.value)
        return vars(owner).get(node.attr) if type(owner) is type(ast) else None
    return None


class _Scope:
    def __init__(self, namespace: dict[str, Any]) -> None:
        self.__globals__ = namespace
