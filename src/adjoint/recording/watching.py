"""The form in which a function is recorded for an observer: what it says, and besides where derivatives end.

A statement that is refused stays as it is; a value that goes where nothing is differentiated is handed on by `ended`.
"""
# mypy: disable-error-code="arg-type, assignment"

from __future__ import annotations

import ast
from typing import Any

from ..errors import UnsupportedSyntaxError
from .expressions import Value
from .statements import Code, Statements

COMPARISONS = (ast.Lt, ast.Gt, ast.LtE, ast.GtE, ast.Eq, ast.NotEq, ast.In, ast.NotIn)


def _roles(node: Any) -> dict[int, tuple[str, Any]]:
    """What the expressions are for that nothing is differentiated through, by identity, with what they stand in."""
    found: dict[int, tuple[str, Any]] = {}
    for inner in ast.walk(node):
        match inner:
            case ast.If() | ast.While() | ast.IfExp() | ast.Assert():
                found[id(inner.test)] = "a test", inner.test
            case ast.comprehension():
                found.update({id(test): ("a test", test) for test in inner.ifs})
            case ast.Compare() if all(isinstance(op, COMPARISONS) for op in inner.ops):
                found.update({id(operand): ("a comparison", inner) for operand in (inner.left, *inner.comparators)})
            case ast.UnaryOp(op=ast.Not()):
                found[id(inner.operand)] = "a test", inner
            case ast.Call(func=ast.Name(id="bool"), args=[operand]):
                found[id(operand)] = "a test", inner
            case ast.FormattedValue():
                found[id(inner.value)] = "text", inner.value
            case ast.Subscript():
                found[id(inner.slice)] = "an index or a key", inner
                if isinstance(inner.slice, ast.Slice):
                    parts = (inner.slice.lower, inner.slice.upper, inner.slice.step)
                    found.update({id(part): ("an index", inner) for part in parts})
            case ast.Dict():
                found.update({id(key): ("a key", key) for key in inner.keys})
            case ast.DictComp():
                found[id(inner.key)] = "a key", inner.key
    return found


class Watching(Statements):
    """Rewrites a function for an observer."""

    def __init__(self, node: Any, *others: Any) -> None:
        super().__init__(node, *others)
        self.roles = _roles(self.node)
        self.fuses = False
        self.refusals: list[UnsupportedSyntaxError] = []

    # ---- what is refused

    def statement(self, node: Any) -> Code:
        depth = len(self.inner)
        try:
            return super().statement(node)
        except UnsupportedSyntaxError as error:
            del self.inner[depth:]
            self.refusals.append(error)
            return [node]

    # ---- where derivatives end

    def at_end(self, value: Value, node: Any, role: str) -> Value:
        """The same value, which goes where nothing is differentiated."""
        if value.bar is None:
            return value
        k = self.case("back", node, None, value.bar)
        return Value(self.noted(node, "ended", k, [ast.Constant(role), value.code]), value.bar)

    def in_role(self, value: Value, node: Any) -> Value:
        role, around = self.roles.get(id(node), ("", None))
        return self.at_end(value, around, role) if role else value

    def expr(self, node: Any, out: str | None = None) -> Value:
        return self.in_role(super().expr(node, out), node)

    def held(self, node: Any, code: Code) -> Value:
        value = super().held(node, code)
        if (ended := self.in_role(value, node)) is not value:
            code.append(self.statement_of(ended.code))
        return value
