"""Comparisons, truth, size and text in a recorded program: what may ask an object by a method of its class."""
# mypy: disable-error-code="arg-type, assignment"

from __future__ import annotations

import ast
from typing import Any

from ..frontend.nodes import copied
from .calls import Calls
from .cases import placed
from .expressions import OPERATORS, VERBATIM, Expressions, Value
from .names import is_data

COMPARISONS = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne"}


class Conditions(Calls):
    """Rewrites what asks for the truth, the order, the size or the text of a value."""

    def do_UnaryOp(self, node: Any, out: str) -> Value:
        if isinstance(node.op, ast.Not):
            return Value(ast.copy_location(ast.UnaryOp(node.op, self.test(node.operand)), node), None)
        out = out or self.new()
        a = self.expr(node.operand)
        return Value(self.op(node, "unary", [self.helper(OPERATORS[type(node.op)]), a.code], out, a.bar), out)

    def do_IfExp(self, node: Any, out: str) -> Value:
        out = out or self.new()
        test = self.test(node.test)
        code = ast.IfExp(test, self.into(node.body, out), self.into(node.orelse, out))
        return Value(ast.copy_location(code, node), out)

    def do_Compare(self, node: Any, out: str) -> Value:
        if len(node.ops) > 1 and self.in_head:
            values = self.operands([node.left, *node.comparators])
            compare = ast.Compare(values[0].code, node.ops, [v.code for v in values[1:]])
            return Value(ast.copy_location(compare, node), None)
        if len(node.ops) > 1:
            return self.chain(node, out)
        op = node.ops[0]
        a, b = self.operands([node.left, node.comparators[0]])
        if isinstance(op, ast.Is | ast.IsNot):
            left, right = [self.itself(v.code) for v in (a, b)]
            return Value(ast.copy_location(ast.Compare(left, node.ops, [right]), node), None)
        out = out or self.new()
        if isinstance(op, ast.In | ast.NotIn):
            wanted = ast.Constant(isinstance(op, ast.In))
            return Value(self.op(node, "contains", [a.code, b.code, wanted], out, a.bar, b.bar), out)
        fn = self.helper(COMPARISONS[type(op)])
        return Value(self.op(node, "compare", [fn, a.code, b.code], out, a.bar, b.bar), out)

    def itself(self, code: Any) -> Any:
        """The code of a value that is compared by identity: of an array that the program has a view of, the array."""
        if isinstance(code, ast.Constant):
            return code
        return ast.copy_location(ast.Call(self.helper("itself"), [code], []), code)

    def chain(self, node: Any, out: str) -> Value:
        """`a < b < c` as `a < (t := b) and t < c`."""
        left, parts = node.left, []
        for i, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            if i < len(node.ops) - 1 and not isinstance(right, ast.Constant):
                t = self.new()
                first: Any = ast.NamedExpr(ast.Name(t, ast.Store()), right)
                right = ast.Name(t, ast.Load())
            else:
                first = right
            parts.append(ast.copy_location(ast.Compare(left, [op], [first]), node))
            left = right
        whole = ast.copy_location(ast.BoolOp(ast.And(), parts), node)
        return self.do_BoolOp(placed(whole, node), out)

    def test(self, node: Any) -> Any:
        """The code of an expression of which only the truth is asked."""
        if isinstance(node, ast.BoolOp):
            return ast.copy_location(ast.BoolOp(node.op, [self.test(v) for v in node.values]), node)
        value = self.expr(node)
        if _is_bool(node, self.names.hidden) or is_data(node, self.names.data, self.names.hidden):
            return value.code
        return self.op(node, "truth", [value.code], None, value.bar)

    def do_BoolOp(self, node: Any, out: str) -> Value:
        """`a and b`; where `a` may say in Python whether it is true, as `b if truth(t := a) else t`.

        In `v = a and v * x` the cotangents of `a` and of the old `v` are two: neither is that of the new one.
        """
        others = node.values[1:]
        if not out or any([isinstance(n, ast.Name) and n.id == out for other in others for n in ast.walk(other)]):
            out = self.new()
        return Value(self._either(node, node.values, out), out)

    def _either(self, node: Any, values: list[Any], out: str) -> Any:
        """The code of some values of `node`, each of which is asked once, and the last one not at all."""
        value, *rest = values
        code = self.into(value, out)
        if not rest:
            return code
        if _is_bool(value, self.names.hidden) or self.in_head or code is value and isinstance(value, ast.Constant):
            return ast.copy_location(ast.BoolOp(node.op, [code, self._either(node, rest, out)]), node)
        t = self.new()
        named = ast.copy_location(ast.NamedExpr(ast.Name(t, ast.Store()), code), node)
        test = self.op(value, "truth", [named], None, out)
        kept, other = ast.copy_location(ast.Name(t, ast.Load()), node), self._either(node, rest, out)
        both = (other, kept) if isinstance(node.op, ast.And) else (kept, other)
        return ast.copy_location(ast.IfExp(test, *both), node)

    def sized(self, node: Any) -> Any:
        """A counter's code, with the sizes in it asked for as operations."""
        if not any(isinstance(n, ast.Call) for n in ast.walk(node)):
            return node
        return _Sizes(self).visit(copied(node))

    def bounds(self, nodes: list[Any]) -> list[Any]:
        """The arguments of `range`, of which the numbers are asked."""
        values = [(node, self.expr(node)) for node in nodes]
        return [v.code if v.bar is None else self.op(node, "counter", [v.code], None, v.bar) for node, v in values]

    def do_JoinedStr(self, node: Any, out: str) -> Value:
        values = [
            v if isinstance(v, ast.Constant)
            else self.formatted(v)
            for v in node.values
        ]  # fmt: skip
        return Value(ast.copy_location(ast.JoinedStr(values), node), None)

    def formatted(self, node: Any) -> Any:
        """A value in a text."""
        value = self.expr(node.value)
        spec = ast.Constant("") if node.format_spec is None else self.plain(node.format_spec)
        shown = isinstance(node.value, _SHOWN) and value.bar is None
        if value.bar is None and not shown or is_data(node.value, self.names.data, self.names.hidden):
            return ast.copy_location(
                ast.FormattedValue(value.code, node.conversion, self.plain(node.format_spec)), node
            )
        code = self.op(node, "formatted", [value.code, ast.Constant(node.conversion), spec], None, value.bar)
        return ast.copy_location(ast.FormattedValue(code, -1), node)


_SHOWN = (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp)
"""Displays, whose items are asked for their text."""


def _is_bool(node: Any, hidden: set[str]) -> bool:
    """Tell whether an expression gives True or False, or something else whose truth is no code of the user's."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in VERBATIM - hidden
    if isinstance(node, ast.Constant | ast.Compare | ast.JoinedStr | ast.Lambda):
        return True
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


class _Sizes(ast.NodeTransformer):
    """Calls of `len` and `bool`, as operations."""

    def __init__(self, program: Expressions) -> None:
        self.program = program

    def visit_Call(self, node: ast.Call) -> Any:
        """A call of a function through which nothing flows."""
        name, program = node.func.id, self.program  # type: ignore[attr-defined]
        if not program.is_global(name) or name in program.names.hidden:
            return node
        if name == "range":
            node.args = program.bounds(node.args)
        if name not in ("len", "bool") or len(node.args) != 1:
            return node
        arg = self.visit(node.args[0])
        return program.op(node, "size" if name == "len" else "truth_of", [arg], None)
