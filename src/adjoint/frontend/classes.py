"""Classes made inside a function: the statement as what makes the class of its methods and attributes."""

from __future__ import annotations
import __future__

import ast
from collections.abc import Iterator, Sequence
from types import CodeType
from typing import Any, NoReturn

from ..identity import IdentityMap
from ..ir.intrinsics import Template, make_cell, make_function, store_cell
from ..ir.made_classes import METHOD, OF_CLASS, PROPERTY, STATIC, VALUE, Layout, is_special, plain_attribute
from ..ir.nodes import Atom, Const
from .acting import resolve
from .builder import Builder, known, statement
from .class_data import POST_INIT, is_dataclass, is_field, methods
from .class_texts import fields_of, make
from .functions import CLASS, made_with
from .scope import COMPREHENSIONS
from .source import first_line

_KINDS = {staticmethod: STATIC, classmethod: OF_CLASS, property: PROPERTY}
_UNKNOWN_IN_BODY = (*COMPREHENSIONS, ast.Lambda, ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await)
_OPERATORS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "matmul")
_OTHERS = (
    *("init", "call", "neg", "pos", "abs", "eq", "ne", "lt", "le", "gt", "ge", "len", "bool", "getitem", "setitem"),
    *("contains", "iter", "next", "enter", "exit", "repr", "str"),
)
_SPECIAL = frozenset(
    [
        *(f"__{way}{name}__" for name in _OPERATORS for way in ("", "r", "i")),
        *(f"__{name}__" for name in _OTHERS),
    ]
)
"""The special methods that are handed on to what a statement binds."""

_LAYOUTS: IdentityMap[Layout] = IdentityMap()
"""Layouts by the code of the statement."""


@statement(ast.ClassDef)
def class_(b: Builder, node: ast.ClassDef, rest: Sequence[ast.stmt]) -> None:
    """`class` in a function."""
    layout, made = _Statement(b, node, b.code).lower()
    b.bind(node.name, made, node)
    if len(b.scope.bound[node.name]) == 1 and node.name not in b.scope.rebound_inside:
        b.layouts[node.name] = layout


class _Statement:
    """Lowers one class statement; `owner` is the code that it stands in."""

    def __init__(self, b: Builder, node: ast.ClassDef, owner: CodeType) -> None:
        self.b = b
        self.node = node
        lines = (node.lineno, first_line(node))
        codes = [c for c in owner.co_consts if isinstance(c, CodeType) and c.co_name == node.name]
        codes = [c for c in codes if c.co_firstlineno in lines]
        if len(codes) != 1:
            self.refuse()
        self.code = codes[0]
        self.names: dict[str, str] = {}
        """The atoms of the names that are bound so far, in the environment."""
        self.kinds: dict[str, str] = {}
        self.held: dict[str, Atom] = {}
        self.setters: dict[str, Atom] = {}
        self.slots: frozenset[str] | None = None
        self.fields: dict[str, ast.expr | None] | None = None
        """The fields of a dataclass."""
        self.bound = frozenset(_bound_in(node.body))

    def refuse(self) -> NoReturn:
        line, column = self.node.lineno, self.node.col_offset
        self.b.refuse(
            ast.Pass(lineno=line, col_offset=column, end_lineno=line, end_col_offset=column + len("class")),
            f"the class `{self.node.name}` made inside a function",
            "each call makes another class",
            "define the class outside of the function",
        )

    def lower(self) -> tuple[Layout, Atom]:
        """Emit what makes the class; gives its layout as well."""
        b, node = self.b, self.node
        if node.decorator_list and is_dataclass(b, node.decorator_list) and not node.bases:
            self.fields = {}
        elif node.decorator_list:
            self.refuse()
        if node.keywords or getattr(node, "type_params", None) or len(node.bases) > 1:
            self.refuse()
        base = self.base()
        behind = b.read(node.bases[0].id, node) if base is not None else None  # type: ignore[attr-defined]
        sees_itself = CLASS in self.code.co_cellvars
        around = b.cells.get(CLASS)
        if sees_itself:
            b.cells[CLASS] = b.call(make_cell, Const(CLASS), at=node, name=f"{CLASS}_cell")
        for s in node.body:
            self.statement(s)
        if self.fields is not None:
            self.write_methods(self.fields)
        for name in self.names.values():
            b.env.pop(name, None)
        layout = self.layout(base)
        values = [] if behind is None else [behind]
        for name in self.kinds:
            values += [self.held[name], *([self.setters[name]] if name in self.setters else [])]
        assert len(values) == len(fields_of(layout))
        made = b.apply(known(layout.namespace), values, (), self.header(), node.name)
        if sees_itself:
            b.call(store_cell, b.cells.pop(CLASS), made, at=node)
            if around is not None:
                b.cells[CLASS] = around
        return layout, made

    def header(self) -> ast.AST:
        line, column = self.node.lineno, self.node.col_offset
        end = column + len("class ") + len(self.node.name.encode())
        return ast.Pass(lineno=line, col_offset=column, end_lineno=line, end_col_offset=end)

    def base(self) -> Layout | None:
        """The layout of the class behind; None if that is `object`."""
        match self.node.bases:
            case []:
                return None
            case [ast.Name(id=name)] if name in self.b.layouts:
                return self.b.layouts[name]
            case [ast.Name() as base] if resolve(self.b, base) is object:
                return None
        self.refuse()

    def layout(self, base: Layout | None) -> Layout:
        """The layout of what the statement binds, made once."""
        layout = _LAYOUTS.get(self.code)
        if layout is None or layout.base is not base:
            slots = self.slots
            if base is not None:
                slots = None if slots is None or base.slots is None else slots | base.slots
            layout = Layout(self.node.name, dict(self.kinds), base, frozenset(self.setters), slots)
            make(layout, self.b.namespace.get("__name__", ""), self.code.co_qualname)
            _LAYOUTS[self.code] = layout
        return layout

    # Statements of the body

    def statement(self, s: ast.stmt) -> None:
        """Lower a statement of the body."""
        match s:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                pass
            case ast.Assign(targets=[ast.Name(id="__slots__")], value=value):
                self.limit(value)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=of)) if self.is_method(of):
                if is_special(name) and name not in _SPECIAL:
                    self.refuse()
                self.keep(name, METHOD, self.held[self.mangle(of)])
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                self.assign(name, value)
            case ast.AnnAssign(target=ast.Name(id=name), value=value, simple=1):
                if self.fields is not None:
                    self.field(name, s)
                elif value is not None:
                    self.assign(name, value)
                if not self.b.code.co_flags & __future__.annotations.compiler_flag:
                    self.expr(s.annotation)
            case ast.FunctionDef():
                self.function(s)
            case ast.ClassDef():
                layout, made = _Statement(self.b, s, self.code).lower()
                self.keep(s.name, VALUE, made)
            case _:
                self.refuse()

    def is_method(self, name: str) -> bool:
        return name in self.names and self.kinds.get(self.mangle(name)) == METHOD

    def field(self, name: str, s: ast.AnnAssign) -> None:
        """Take up a field of a dataclass."""
        fields: Any = self.fields
        last = next(reversed(fields.values()), None)
        if not is_field(s) or name.startswith("__") or name in fields or s.value is None and last is not None:
            self.refuse()
        fields[name] = s.value

    def write_methods(self, fields: dict[str, ast.expr | None]) -> None:
        """Bind the methods that `dataclass` writes."""
        if not self.kinds.keys().isdisjoint(fields):
            self.refuse()
        codes = methods(self.code, fields, POST_INIT in self.kinds)
        for name, code in codes.items():
            if name not in self.kinds:
                defaults = [Const(v.value) for v in fields.values() if v is not None] if name == "__init__" else []  # type: ignore[attr-defined]
                template = Template(code, code.co_qualname, None, len(defaults))
                made = self.b.call(make_function, Const(template), self.b.me, *defaults, at=self.header())
                self.keep(name, METHOD, made)

    def limit(self, value: ast.expr) -> None:
        match value:
            case ast.Tuple(elts=items) | ast.List(elts=items):
                given = [i.value for i in items if isinstance(i, ast.Constant) and isinstance(i.value, str)]
                if len(given) != len(items) or any([name[:2] == "__" for name in given]):
                    self.refuse()
                self.slots = frozenset(given)
            case ast.Constant(value=str() as name) if name[:2] != "__":
                self.slots = frozenset([name])
            case _:
                self.refuse()

    def assign(self, name: str, value: ast.expr) -> None:
        if is_special(name):
            self.refuse()
        self.keep(name, VALUE, self.b.call(plain_attribute, self.expr(value, name), at=value, name=name))

    def keep(self, name: str, kind: str, value: Atom) -> None:
        """Bind a name of the class."""
        mangled = self.mangle(name)
        self.kinds[mangled], self.held[mangled] = kind, value
        self.setters.pop(mangled, None)
        self.names[name] = f".class:{name}"
        self.b.env[self.names[name]] = value

    def mangle(self, name: str) -> str:
        own = self.node.name.lstrip("_")
        return f"_{own}{name}" if own and name.startswith("__") and not is_special(name) else name

    def function(self, node: ast.FunctionDef) -> None:
        """Lower a method."""
        kind, name = METHOD, node.name
        known = name in _SPECIAL or name == POST_INIT and self.fields is not None
        if is_special(name) and not known or name == "__init__" and _gives(node):
            self.refuse()
        sets = False
        match node.decorator_list:
            case []:
                pass
            case [ast.Name(id=word) as decorator] if word not in self.bound and resolve(self.b, decorator) in _KINDS:
                kind = _KINDS[resolve(self.b, decorator)]
            case [ast.Attribute(value=ast.Name(id=of), attr="setter")] if (
                of == name and self.kinds.get(self.mangle(name)) == PROPERTY
            ):
                sets = True
            case _:
                self.refuse()
        if kind != METHOD and is_special(name) or getattr(node, "type_params", None):
            self.refuse()
        made = made_with(self.b, node, self.expr, self.code)
        if sets:
            self.setters[self.mangle(name)] = made
        else:
            self.keep(name, kind, made)
            if kind != METHOD:
                del self.b.env[self.names.pop(name)]  # it names no function

    def expr(self, node: ast.expr, name: str = "") -> Atom:
        """Lower an expression of the body, which sees the names that are bound in it."""
        read = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)} & self.bound
        unsure = any([isinstance(n, _UNKNOWN_IN_BODY) for n in ast.walk(node)])
        if not read <= self.names.keys() or unsure and (read or not _is_lowered_alone(node)):
            self.refuse()
        return self.b.expr(_Renamed(self.names).visit(_copy(node)) if read else node, name)


def _is_lowered_alone(node: ast.expr) -> bool:
    inner = (ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await, ast.Lambda, ast.GeneratorExp)
    return not any([isinstance(n, inner) for n in ast.walk(node)])


def _copy(node: Any) -> Any:
    """A copy of an expression with its places."""
    if isinstance(node, list):
        return [_copy(n) for n in node]
    if not isinstance(node, ast.AST):
        return node
    new = type(node)(**{name: _copy(value) for name, value in ast.iter_fields(node)})
    return ast.copy_location(new, node)


class _Renamed(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.names.get(node.id, node.id)
        return node


def _bound_in(body: Sequence[ast.stmt]) -> Iterator[str]:
    for s in body:
        if isinstance(s, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield s.name
        else:
            yield from [n.id for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]


def _gives(node: ast.FunctionDef) -> bool:
    """Tell whether an `__init__` may give something, which Python refuses."""
    returns = [n for n in ast.walk(node) if isinstance(n, ast.Return) and n.value is not None]
    waits = any([isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(node)])
    return waits or not all([isinstance(n.value, ast.Constant) and n.value.value is None for n in returns])
