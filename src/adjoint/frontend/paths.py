"""Bindings of a function's names, and the paths by which it reaches what others see."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ..ir.nodes import FIELDS
from .walking import all_nodes


@dataclass
class Bindings:
    """Values that the names of a function are assigned, and those from which loops and comprehensions take them."""

    bound: dict[str, list[Any]] = field(default_factory=dict)
    taken: dict[str, list[Any]] = field(default_factory=dict)

    def values(self, name: str) -> list[Any]:
        """Values that a local name is assigned, or is taken from by loops."""
        return [v for v in (*self.bound.get(name, ()), *self.taken.get(name, ())) if v is not None]

    def behind(self, node: Any) -> Iterator[Any]:
        """The nodes that a value is made of, and those that the names in it were assigned."""
        seen, todo = set[str](), [node]
        while todo:
            for inner in all_nodes(todo.pop()):
                yield inner
                if isinstance(inner, ast.Name) and inner.id not in seen:
                    seen.add(inner.id)
                    todo += self.values(inner.id)


def path_of(node: Any) -> str | None:
    """The text of a name, or of what is reached from one by attributes and constant items; None of anything else."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return None if (path := path_of(node.value)) is None else f"{path}.{node.attr}"
    inner = node
    while (
        isinstance(inner, ast.Attribute) or isinstance(inner, ast.Subscript) and isinstance(inner.slice, ast.Constant)
    ):
        inner = inner.value
    return ast.unparse(node) if isinstance(inner, ast.Name) else None


ANY = FIELDS[1:]
"""The name of a field that only the run knows: `getattr(self, name)` is at `self.*`."""


def field_of(node: Any) -> tuple[Any, Any] | None:
    """The object and the name of a field that is reached by that: `getattr(x, name)`, `vars(x)[name]`; None of others.
    Of all fields of an object the name is `ANY`."""
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[of, name, *_]):
            return of, name
        case ast.Attribute(value=of, attr="__dict__") | ast.Call(func=ast.Name(id="vars"), args=[of]):
            return of, ast.Constant(ANY)
        case (
            ast.Subscript(value=fields, slice=name)
            | ast.Call(func=ast.Attribute(value=fields, attr="get"), args=[name, *_])
        ):
            whole = field_of(fields) if _is_dict_of_fields(fields) else None
            return None if whole is None else (whole[0], name)
    return None


def _is_dict_of_fields(node: Any) -> bool:
    return isinstance(node, ast.Attribute) or isinstance(node, ast.Call) and name_of(node.func) == "vars"


def stored_field(node: Any, own: str) -> tuple[Any, Any, Any] | None:
    """The object, the name and the value of a store by a name: `setattr(x, name, value)`; None of another node."""
    match node:
        case ast.Call(func=ast.Name(id="setattr"), args=[of, name, value]):
            return of, name, value
        case ast.Call(func=ast.Attribute(attr="__setattr__"), args=[of, name, value]):
            return of, name, value
        case ast.Call(func=ast.Attribute(value=of, attr="__setattr__"), args=[name, value]):
            return ast.Name(own, ast.Load()) if isinstance(of, ast.Call) else of, name, value
    return None


def as_field(of: Any, name: Any) -> ast.Attribute:
    """A field by a name that may be known: `x.field`, or else `x.*`."""
    known = isinstance(name, ast.Constant) and isinstance(name.value, str)
    return ast.Attribute(of, name.value if known else ANY, ast.Load())


def as_place(node: Any) -> Any:
    """`last["x"]` for `last.get("x")`, `f.last` for `getattr(f, "last", None)`; any other node as it is."""
    if (found := field_of(node)) is not None:
        return as_field(*found)
    match node:
        case ast.Call(func=ast.Attribute(value=table, attr="get"), args=[ast.Constant() as key, *_]):
            return ast.Subscript(table, key, ast.Load())
    return node


def root_of(path: str) -> str:
    """The name that a path begins with."""
    return path.partition(".")[0].partition("[")[0]


def name_of(func: Any) -> str:
    return func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")


def assign(names: dict[str, list[Any]], target: Any, value: Any, whole: bool = False) -> None:
    """Note what names are bound to; each to `whole`, where a loop takes it from there."""
    if isinstance(target, ast.Tuple | ast.List):
        display = not whole and isinstance(value, ast.Tuple | ast.List) and len(value.elts) == len(target.elts)
        for i, part in enumerate(target.elts):
            assign(names, part, value.elts[i] if display else value, whole)
    elif isinstance(target, ast.Starred):
        assign(names, target.value, value, whole)
    elif isinstance(target, ast.Name):
        names.setdefault(target.id, []).append(value)
