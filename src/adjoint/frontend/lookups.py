"""Look-ups in tables, and what is no result in one."""

from __future__ import annotations

import ast
from typing import Any

_LOOKING_UP = frozenset(["get", "pop", "__contains__", "__getitem__"])


def looked_up(node: Any) -> tuple[Any, Any] | None:
    """The table and the key that are looked up by a node itself."""
    match node:
        case ast.Compare(left=key, ops=[ast.In() | ast.NotIn()], comparators=[asked]):
            table: Any = asked
            return table.func.value if gives_keys(table) else table, key
        case ast.Subscript(value=table, slice=key, ctx=ast.Load()):
            return table, key
        case ast.Call(func=ast.Attribute(value=table, attr=name), args=[key, *_]) if name in _LOOKING_UP:
            return table, key
        case ast.Call(func=ast.Attribute(value=table, attr="setdefault"), args=[key, value]) if is_result(value):
            return table, key
    return None


def as_read(target: Any) -> Any:
    """The expression that an augmented assignment reads."""
    if isinstance(target, ast.Subscript):
        return ast.Subscript(target.value, target.slice, ast.Load())
    return target


def asks_whether(node: Any) -> bool:
    """Tell whether a look-up is also one where there is nothing, and says so: it does not give a number instead."""
    match node:
        case ast.Call(func=ast.Attribute(attr="get"), args=[_, default]):
            return not (isinstance(default, ast.Constant) and default.value is not None)
    return not isinstance(node, ast.Subscript)


def gives_keys(node: Any) -> bool:
    """Tell whether a node asks a table for its keys."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "keys"


def is_result(value: Any) -> bool:
    """Tell whether a default may be what a call has computed: a constant, or something empty to fill, is not."""
    empty = isinstance(value, ast.List | ast.Set | ast.Tuple) and not value.elts
    empty = empty or isinstance(value, ast.Dict) and not value.keys
    made = isinstance(value, ast.Call) and not value.args and not value.keywords and isinstance(value.func, ast.Name)
    return not (empty or isinstance(value, ast.Constant) or made and value.func.id in _EMPTY)


_EMPTY = frozenset(["list", "dict", "set", "deque", "float", "int"])
