"""Displays of tuples, lists, sets and dicts, and what generators give and take."""
# mypy: disable-error-code="arg-type, assignment"

from __future__ import annotations

import ast
from typing import Any

from ..frontend.sets import kept_set
from .expressions import Expressions, Value


class Displays(Expressions):
    """Rewrites displays and yields."""

    # ---- displays

    def do_Tuple(self, node: Any, out: str) -> Value:
        if any(isinstance(e, ast.Starred) for e in node.elts):
            return self.packed(node, node.elts, out)
        values = self.operands(node.elts)
        if all(v.bar is None for v in values):
            return Value(ast.copy_location(ast.Tuple([v.code for v in values], ast.Load()), node), None)
        out = out or self.new()
        return Value(self.op(node, "build_tuple", [v.code for v in values], out, *(v.bar for v in values)), out)

    def packed(self, node: Any, elements: list[Any], out: str) -> Value:
        """`(a, *b, c)` as a tuple."""
        out = out or self.new()
        elements = [_taken_first(e) if _is_before(elements[i + 1 :]) else e for i, e in enumerate(elements)]
        values = self.operands([e.value if isinstance(e, ast.Starred) else e for e in elements])
        stars = ast.Constant(tuple(isinstance(e, ast.Starred) for e in elements))
        return Value(self.op(node, "packed", [stars, *(v.code for v in values)], out, *(v.bar for v in values)), out)

    def do_List(self, node: Any, out: str) -> Value:
        if not node.elts:
            return Value(node, None)
        if any(isinstance(e, ast.Starred) for e in node.elts):
            items = self.packed(node, node.elts, "")
            return Value(self.op(node, "list_of", [items.code], None, items.bar), None)
        values = self.operands(node.elts)
        return Value(self.op(node, "build_list", [v.code for v in values], None, *(v.bar for v in values)), None)

    def do_Set(self, node: Any, out: str) -> Value:
        kept, is_run_through = kept_set(node)
        if kept is not None:
            code = ast.copy_location(ast.Constant(kept), node)
            made = ast.Set([ast.Starred(code, ast.Load())])
            return Value(code if is_run_through else ast.copy_location(made, node), None)
        items = self.packed(node, node.elts, "")
        return Value(self.op(node, "set_of", [items.code], None, items.bar), None)

    def do_Dict(self, node: Any, out: str, helper: str = "build_dict") -> Value:
        if not node.keys:
            return Value(node, None)
        parts, bars = [], []
        for key, item in zip(node.keys, node.values, strict=True):
            parts.append(self.helper("MERGED") if key is None else self.plain(key))
            value = self.expr(item)
            parts.append(value.code)
            bars.append(value.bar)
        return Value(self.op(node, helper, parts, None, *bars), None)

    # ---- yields

    def do_Yield(self, node: Any, out: str) -> Value:
        value = Value(ast.Constant(None), None) if node.value is None else self.expr(node.value)
        k = self.case("yield", node, None, value.bar)
        stop = ast.copy_location(ast.Yield(self.noted(node, "kept", k, [value.code])), node)
        out = out or self.new()
        return Value(self.noted(node, "kept", self.case("resume", node, out), [stop]), out)

    def do_YieldFrom(self, node: Any, out: str) -> Value:
        value, each, sent = self.expr(node.value), self.new(), self.new()
        out = out or self.new()
        first = self.case("back", node, None, value.bar)
        cases = [
            self.case("back", node, each, sent),
            self.case("yield", node, None, each),
            self.case("resume", node, sent),
            self.case("back", node, out, sent),
        ]
        code = self.noted(node, "delegated", first, [*cases, value.code])
        return Value(ast.copy_location(ast.YieldFrom(code), node), out)


def _is_before(elements: list[Any]) -> bool:
    """Tell whether code runs for an element among these: the items of what stands before it are taken first."""
    inner = [e.value if isinstance(e, ast.Starred) else e for e in elements]
    return not all(isinstance(e, ast.Name | ast.Constant) for e in inner)


def _taken_first(element: Any) -> Any:
    """`*xs` as `*(*xs,)`, whose items are taken where it stands."""
    if not isinstance(element, ast.Starred):
        return element
    items = ast.copy_location(ast.Tuple([element], ast.Load()), element)
    return ast.copy_location(ast.Starred(items, ast.Load()), element)
