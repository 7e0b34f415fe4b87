"""Calls of functions that change what a name stands for, told from the text alone."""

from __future__ import annotations

import ast

OF_HEAPS = ("heappush", "heappop", "heapify")
"""Functions of `heapq` that change a list, by their names."""


BY_NAME = ("setattr", "delattr")
"""Builtins that store into a field, by their names."""


_WRITING = ("copyto", "fill_diagonal", "place", "put", "put_along_axis", "putmask")
"""Functions of NumPy that write into their first argument, by their names."""


def changed_by_call(node: ast.AST) -> str:
    """The name of what a call changes, if it is of such a function, or is told to write into `out`; else nothing."""
    match node:
        case ast.Call(func=ast.Name(id=called), args=[ast.Name(id=name), *_]) if called in BY_NAME:
            return name
        case ast.Call(func=ast.Name(id=called) | ast.Attribute(attr=called), args=[ast.Name(id=name), *_]) if (
            called in OF_HEAPS or called in _WRITING and _is_of_numpy(node.func)
        ):
            return name
        case ast.Call():
            return written_by_name(node)
    return ""


def _is_of_numpy(func: ast.expr) -> bool:
    """Tell whether a function may be NumPy's by how it is written: objects have methods of these names as well."""
    return not isinstance(func, ast.Attribute) or isinstance(func.value, ast.Name) and func.value.id in ("np", "numpy")


def written_by_name(node: ast.Call) -> str:
    """The name that a call is told to write into, by the keyword `out`; else nothing."""
    outs = [k.value for k in node.keywords if k.arg == "out"]
    return outs[0].id if len(outs) == 1 and isinstance(outs[0], ast.Name) else ""
