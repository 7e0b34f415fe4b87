"""Calls, of functions and of methods, with whatever stars."""
# mypy: disable-error-code="arg-type, assignment"

from __future__ import annotations

import ast
from typing import Any

from .displays import Displays
from .expressions import UNKNOWN, VERBATIM, Value


class Calls(Displays):
    """Rewrites calls."""

    def do_Call(self, node: Any, out: str) -> Value:
        if getattr(node, "hands_on", False):  # what flows to the result flows to the first argument
            value = self.expr(node.args[0], out)
            code = ast.Call(node.func, [value.code, *map(self.plain, node.args[1:])], [])
            return Value(ast.copy_location(code, node), value.bar)
        if getattr(node, "is_helper", False):
            code = ast.Call(node.func, [self.plain(a) for a in node.args], [])
            return Value(ast.copy_location(code, node), None)
        known = self.known(node.func)
        if known is super and not node.args:
            this = [ast.Name("__class__", ast.Load()), ast.Name(self.first, ast.Load())]
            call = ast.copy_location(ast.Call(node.func, this, []), node)
            return self.called(ast.fix_missing_locations(call), out)
        if known is globals and not (node.args or node.keywords):
            return Value(self.helper("namespace"), None)
        starred = any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords)
        simple = not starred and not node.keywords
        if simple and len(node.args) == 1 and known is len:
            value = self.expr(node.args[0])
            return Value(self.op(node, "size", [value.code], None, value.bar), None)
        if simple and isinstance(node.func, ast.Name) and node.func.id in VERBATIM - self.names.hidden:
            args = self.bounds(node.args) if known is range else [self.plain(a) for a in node.args]
            return Value(ast.copy_location(ast.Call(node.func, args, []), node), None)
        return self.called(node, out)

    def called(self, node: Any, out: str) -> Value:
        starred = any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords)
        is_method = isinstance(node.func, ast.Attribute) and self.known(node.func) is UNKNOWN
        out = out or self.new()
        if is_method:
            owner = self.expr(node.func.value)
            head, bars = [owner.code, ast.Constant(self.private(node.func.attr))], [owner.bar]
        else:
            head, bars = [self.callee(node.func)], []
        if starred:
            items = self.packed(node, node.args, "")
            keys = [None if k.arg is None else ast.Constant(k.arg) for k in node.keywords]
            display = ast.copy_location(ast.Dict(keys, [k.value for k in node.keywords]), node)
            named = self.do_Dict(display, "", "build_keywords")
            helper = "apply_method" if is_method else "apply"
            return Value(self.op(node, helper, [*head, items.code, named.code], out, *bars, items.bar), out)
        values = self.operands([*node.args, *[k.value for k in node.keywords]])
        n = len(node.args)
        keywords = [ast.keyword(k.arg, v.code) for k, v in zip(node.keywords, values[n:], strict=True)]
        args = [*head, *(v.code for v in values[:n])]
        bars += [v.bar for v in values]
        helper = "method" if is_method else "call"
        return Value(self.op(node, helper, args, out, *bars, keywords=keywords), out)

    def callee(self, node: Any) -> Any:
        """The code of what is called: functions have no cotangent by value."""
        return node if isinstance(node, ast.Name) else self.plain(node)  # helpers as well
