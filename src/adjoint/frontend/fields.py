"""Fields of an object that is being made, as variables: `self.layers = []`, then `self.layers.append(...)`.

What changes in place is followed by the name of a variable. While nothing but this `__init__` can look at the object,
such a field is one; before anything else may look, the object is given what the variable stands for.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..ir.changes import hold_field, set_attribute
from ..ir.nodes import Atom, Const, Var
from ..ops.questions import mutators

if TYPE_CHECKING:
    from .builder import Builder

PREFIX = ".field:"
_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class Fields:
    """The fields of `own` that are variables: those that are changed in place, from a first `self.field = ...` on."""

    def __init__(self, body: list[Any], own: str, chain: tuple[Any, ...] = ()) -> None:
        self.own = own
        classes = [n for n in chain if isinstance(n, ast.ClassDef)]
        self.methods = {s.name for c in classes for s in c.body if isinstance(s, ast.FunctionDef)}
        self.body = frozenset(body)
        self.surely = True
        nodes: list[Any] = [n for s in body for n in _walk(s)]
        self.stored = {n.attr for n in nodes if self._is_own(n) and isinstance(n.ctx, ast.Store)}
        changed = {target.attr for n in nodes if (target := self._changed(n)) is not None}
        rebound = any(isinstance(n, ast.Name) and n.id == own and not isinstance(n.ctx, ast.Load) for n in nodes)
        steady = not rebound and not any(isinstance(n, ast.Return) for n in nodes)
        self.names = {name for name in changed if steady and self._is_made(body, name)}

    def _is_own(self, node: Any) -> bool:
        """Tell whether a node is `self.field`."""
        return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == self.own

    def _changed(self, node: Any) -> Any:
        """The `self.field` that a statement or a target changes in place."""
        match node:
            case ast.Expr(ast.Call(ast.Attribute(target, method))) if method in mutators() and self._is_own(target):
                return target
            case ast.Subscript(target, ctx=ast.Store() | ast.Del()) if self._is_own(target):
                return target
        return None

    def _is_made(self, body: list[Any], name: str) -> bool:
        """Tell whether a field is first met where it is surely stored."""
        for s in body:
            met = [n for n in ast.walk(s) if self._is_own(n) and n.attr == name]  # type: ignore[attr-defined]
            if met:
                annotated = isinstance(s, ast.AnnAssign) and s.value is not None
                return met == (s.targets if isinstance(s, ast.Assign) else [s.target] if annotated else [])
        return False

    def key(self, b: Builder, node: Any) -> str | None:
        """The variable that stands for `self.field` at this point, if one does."""
        key = f"{PREFIX}{node.attr}" if self._is_own(node) else None
        return key if key in b.env else None

    def hold(self, b: Builder, target: ast.Attribute, value: Atom) -> bool:
        """`self.field = value`, if the field is a variable."""
        base = b.env.get(self.own)
        if not self._is_own(target) or target.attr not in self.names or not isinstance(base, Var):
            return False
        if self.key(b, target) is None and not self.surely:
            return False  # it would be one on this path alone
        b.env[self.own] = b.call(hold_field, base, Const(b.mangle(target.attr)), value, at=target, name=self.own)
        b.env[PREFIX + target.attr] = value
        return True

    def settle(self, b: Builder, s: ast.stmt) -> None:
        """Give the object its fields before a statement in which something else may look at it."""
        self.surely = s in self.body
        if not any(True for _ in self._looks(s)):
            return
        for key in [key for key in b.env if key.startswith(PREFIX)]:
            base, value, name = b.env[self.own], b.env.pop(key), Const(b.mangle(key.removeprefix(PREFIX)))
            b.env[self.own] = b.call(set_attribute, base, name, value, at=s, name=self.own)

    def changed_in(self, b: Builder, loop: ast.AST) -> Iterator[str]:
        """The variables that a loop changes."""
        for n in ast.walk(loop):
            stored = self._is_own(n) and isinstance(n.ctx, ast.Store)  # type: ignore[attr-defined]
            key = self.key(b, n if stored else self._changed(n))
            if key is not None:
                yield key

    def _looks(self, node: Any, inner: bool = False) -> Iterator[Any]:
        """The places where something else may look at the object, or a field changes within an expression."""
        if isinstance(node, ast.Name) and node.id in (self.own, "super"):
            yield node
        elif self._is_own(node) and not inner and node.attr not in self.methods and not isinstance(node.ctx, ast.Del):
            return  # a field, or else `ownership` finds that it is none
        elif isinstance(node, ast.Call) and (self._is_method(node.func) or self._changed(ast.Expr(node)) is not None):
            yield node
        else:
            on = isinstance(node, ast.Expr) and self._changed(node) is not None
            for child in [*node.value.args, *node.value.keywords] if on else ast.iter_child_nodes(node):
                yield from self._looks(child, inner or isinstance(node, _INNER))

    def _is_method(self, function: Any) -> bool:
        return self._is_own(function) and function.attr not in self.stored


def _walk(node: Any) -> Iterator[Any]:
    """The nodes of a statement, without those of functions made in it."""
    yield node
    for child in () if isinstance(node, _INNER) else ast.iter_child_nodes(node):
        yield from _walk(child)
