"""The form in which a function is recorded for an observer: what it says, and besides where derivatives end, and what
names are bound to.

A statement that is refused stays as it is; a value that goes where nothing is differentiated is handed on by `ended`,
one that gets a name by `named`.
"""
# mypy: disable-error-code="arg-type, assignment"

from __future__ import annotations

import ast
from typing import Any

from ..errors import UnsupportedSyntaxError
from .cases import RETURN
from .expressions import Value
from .observer import RETURNED, YIELDED
from .statements import Code, Statements

COMPARISONS = (ast.Lt, ast.Gt, ast.LtE, ast.GtE, ast.Eq, ast.NotEq, ast.In, ast.NotIn)


def _roles(node: Any) -> dict[int, tuple[str, Any]]:
    """Roles of the expressions that nothing is differentiated through, by identity, with what they stand in."""
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
        self.refusals: list[UnsupportedSyntaxError] = []
        self.yielded: dict[int, Any] = {}
        """The `yield` that gives a value, by the identity of that one."""

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
        value = self.in_role(super().expr(node, out), node)
        given = self.yielded.pop(id(node), None)
        return value if given is None else Value(self.named(YIELDED, value.bar, value.code, given), value.bar)

    def held(self, node: Any, code: Code) -> Value:
        value = super().held(node, code)
        if (ended := self.in_role(value, node)) is not value:
            code.append(self.statement_of(ended.code))
        return value

    # ---- what names are bound to

    def named(self, name: str, bar: str | None, code: Any, node: Any) -> Any:
        """The code of a value that gets a name; `bar` is whose cotangent it has."""
        k = self.case("back", node, bar, *([] if bar is None else [bar]))
        return self.noted(node, "named", k, [ast.Constant(name), code])

    def name_noted(self, name: str, node: Any) -> Code:
        """Statements that follow the binding of a name."""
        if self.is_inner(name):
            return []
        bar = None if name in self.names.data else name
        code = self.named(name, bar, ast.copy_location(ast.Name(name, ast.Load()), node), node)
        # No assignment: statements of a `with` are looked at once more, and these would be taken for the user's.
        return [self.statement_of(ast.NamedExpr(ast.Name(name, ast.Store()), code))]

    def parameters(self, args: ast.arguments) -> Code:
        given = [*args.posonlyargs, *args.args, *args.kwonlyargs, *([args.vararg] if args.vararg else [])]
        named = [s for a in given for s in self.name_noted(a.arg, a)]
        code = super().parameters(args)
        if args.kwarg is not None:  # its dict is new, which is noted first
            code[1:1] = self.name_noted(args.kwarg.arg, args.kwarg)
        return [*named, *code]

    def target(self, node: Any, read: set[str] | None = None) -> tuple[Any, list[Any]]:
        made, after = super().target(node, read)
        if isinstance(node, ast.Name) and made is node:
            after = [lambda: self.name_noted(node.id, node), *after]
        return made, after

    def assigned(self, target: Any, value: Any, node: Any) -> Code:
        code = super().assigned(target, value, node)
        if isinstance(target, ast.Name):
            code[1:1] = self.name_noted(target.id, node)
        return code

    def on_AugAssign(self, node: Any) -> Code:
        code = super().on_AugAssign(node)
        if isinstance(node.target, ast.Name):
            code[1:1] = self.name_noted(node.target.id, node)
        return code

    def do_Yield(self, node: Any, out: str) -> Value:
        if node.value is not None:
            self.yielded[id(node.value)] = node
        return super().do_Yield(node, out)

    def on_Return(self, node: Any) -> Code:
        code = super().on_Return(node)
        if node.value is None or self.names.is_generator:
            return code
        return [ast.Return(self.named(RETURNED, RETURN, s.value, node)) for s in code if isinstance(s, ast.Return)]

    def bound_value(self, name: str, bar: str, code: Any, node: Any) -> Any:
        return code if self.is_inner(name) else self.named(name, bar, code, node)
