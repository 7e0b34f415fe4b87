"""Functions and classes that a program makes: they stay as they are, but for what is evaluated as they are made."""
# mypy: disable-error-code="arg-type, assignment"

from __future__ import annotations

import ast
from typing import Any

from .comprehensions import Comprehensions

Code = list[ast.stmt]


class Definitions(Comprehensions):
    """Rewrites definitions."""

    def stored(self, name: str, node: Any) -> Code:
        """Statements that follow a binding of a shared variable."""
        raise NotImplementedError

    def refused_in_class(self, node: Any) -> Exception:
        raise NotImplementedError

    def on_Expr(self, node: Any) -> Code:
        raise NotImplementedError

    @staticmethod
    def statement_of(expression: Any) -> ast.stmt:
        """A call as a statement."""
        return ast.copy_location(ast.Expr(expression), expression)

    def on_FunctionDef(self, node: Any) -> Code:
        code, decorators = self.decorators(node)
        args, bars = self.defaults(node.args)
        same = [ast.copy_location(self.helper("same"), node.decorator_list[0])] if node.decorator_list else []
        made = ast.copy_location(ast.FunctionDef(node.name, args, node.body, same, node.returns), node)
        made.type_comment = None
        code.append(made)
        if any(bars):
            name = ast.copy_location(ast.Name(node.name, ast.Load()), node)
            code.append(self.statement_of(self.op(node, "with_defaults", [name], None, *bars)))
        return [*code, *self.decorated(node, decorators)]

    def decorators(self, node: Any) -> tuple[Code, list[str]]:
        code: Code = []
        names = [self.new() for _ in node.decorator_list]
        for name, decorator in zip(names, node.decorator_list, strict=True):
            value = self.plain(decorator)
            code.append(ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value), decorator))
        return code, names

    def decorated(self, node: Any, decorators: list[str]) -> Code:
        code: Code = []
        for name in reversed(decorators):
            made = ast.Name(node.name, ast.Load())
            call = ast.copy_location(ast.Call(ast.Name(name, ast.Load()), [made], []), node)
            ast.fix_missing_locations(call)
            value = self.called(call, "").code
            code.append(ast.copy_location(ast.Assign([ast.Name(node.name, ast.Store())], value), node))
        if self.is_inner(node.name):  # of a class: what is bound in its body is its field
            return [*code, *[ast.copy_location(ast.Delete([ast.Name(name, ast.Del())]), node) for name in decorators]]
        if node.name in self.names.globals:
            code += self.stored(node.name, node)
        return code

    def handed(self, node: Any) -> Any:
        """Value that is handed to the making of a class: code that is not looked into."""
        value = self.expr(node)
        return value.code if value.bar is None else self.op(node, "handed", [value.code], None, value.bar)

    def on_AsyncFunctionDef(self, node: Any) -> Code:
        return [node]

    def on_ClassDef(self, node: Any) -> Code:
        code, decorators = self.decorators(node)
        bases = [self.plain(b) for b in node.bases]
        keywords = [ast.keyword(k.arg, self.handed(k.value)) for k in node.keywords]
        body: list[Any] = []
        fields: list[tuple[str, str]] = []
        own: dict[str, str | None] = {}
        self.inner.append(own)
        around, self.mangled = self.mangled, node.name
        for s in node.body:
            target = s.targets[0] if isinstance(s, ast.Assign) else getattr(s, "target", None)
            if isinstance(s, ast.Assign | ast.AnnAssign) and s.value is not None and isinstance(target, ast.Name):
                t = self.new()
                value = self.into(s.value, t)
                fields.append((self.private(target.id), t))
                own[target.id] = t
                copy = (
                    ast.Assign(s.targets, value) if isinstance(s, ast.Assign)
                    else ast.AnnAssign(target, s.annotation, value, s.simple)
                )  # fmt: skip
                body.append(ast.copy_location(copy, s))
            elif isinstance(s, ast.FunctionDef) and _has_values(s.args):
                own[s.name] = None
                body += self.on_FunctionDef(s)
            elif isinstance(s, ast.ClassDef):
                own[s.name] = None
                body += self.on_ClassDef(s)
            elif _is_passive(s):
                body.append(s)
            elif isinstance(s, ast.Expr):
                body += self.on_Expr(s)
            else:
                raise self.refused_in_class(s)
        self.inner.pop()
        self.mangled = around
        same = [ast.copy_location(self.helper("same"), node.decorator_list[0])] if node.decorator_list else []
        code.append(ast.copy_location(ast.ClassDef(node.name, bases, keywords, body, same), node))
        if fields or bases:
            name = ast.copy_location(ast.Name(node.name, ast.Load()), node)
            slots = ast.Constant(tuple(f".{field}" for field, _ in fields))
            bars = [t for _, t in fields]
            code.append(self.statement_of(self.op(node, "with_fields", [name, slots], None, *bars)))
        return [*code, *self.decorated(node, decorators)]


def _is_passive(s: Any) -> bool:
    """Tell whether a statement of a class's body only names things."""
    if isinstance(s, ast.Expr):
        return isinstance(s.value, ast.Constant)
    if isinstance(s, ast.AnnAssign):
        return s.value is None
    if isinstance(s, ast.Delete):
        return all(isinstance(target, ast.Name) for target in s.targets)
    return isinstance(s, ast.FunctionDef | ast.Pass | ast.Import | ast.ImportFrom)


def _has_values(args: ast.arguments) -> bool:
    """Tell whether parameters have defaults that are evaluated as the function is made."""
    return any(d is not None and not isinstance(d, ast.Constant) for d in (*args.defaults, *args.kw_defaults))
