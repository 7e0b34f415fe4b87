"""Generators that call themselves, as functions that give a list of all that they would give."""

from __future__ import annotations
import __future__

import ast
from types import CodeType, FunctionType
from typing import Any

from ..depth import on_ample_stack
from ..identity import IdentityMap
from .copying import Copier
from .generators import waits
from .nodes import copied
from .source import WRITTEN, Found, Source, find

_STARS = 0x04 | 0x08
_MADE: IdentityMap[tuple[CodeType | None]] = IdentityMap()
"""The code of such a function by that of the generator; None where there is none."""
_GIVES = (ast.Yield, ast.YieldFrom)


def is_listing(function: Any) -> bool:
    """Tell whether a function is one that was made here."""
    return type(function) is FunctionType and WRITTEN.get(function.__code__) is not None


def listing_of(function: FunctionType) -> FunctionType | None:
    """The function that gives a list of what a generator gives; None if that cannot be told from its text: it takes
    what is sent, waits within `try` or `with`, or returns a value."""
    code = function.__code__
    if code.co_freevars or code.co_flags & _STARS or code.co_kwonlyargcount:
        return None
    known = _MADE.get(code)
    if known is None:
        known = _MADE[code] = (_written(code, find(code, function.__globals__)),)
    (made,) = known
    return None if made is None else FunctionType(made, function.__globals__, function.__name__, function.__defaults__)


def _written(code: CodeType, found: Found) -> CodeType | None:
    if isinstance(found.node, ast.Lambda):
        return None
    node: Any = copied(found.node)
    taken = {*code.co_varnames, *code.co_names, *code.co_cellvars}
    writer = _Writer(next(name for name in ("items", "found", ".items") if name not in taken))
    body = [writer.statement(s) for s in node.body]
    if writer.refused:
        return None
    start = ast.Assign([ast.Name(writer.items, ast.Store())], ast.List([], ast.Load()))
    node.body = [ast.copy_location(start, node), *body, ast.copy_location(writer.returned(), node)]
    node.decorator_list = []
    around = [c for c in found.chain[:-1] if isinstance(c, ast.ClassDef)][-1:]
    outer: Any = ast.ClassDef(around[0].name, [], [], [node], []) if around else node  # for its private names
    if around:
        outer.type_params = []
    module = ast.fix_missing_locations(ast.Module([ast.copy_location(outer, node)], []))
    flags = code.co_flags & __future__.annotations.compiler_flag
    made: Any = on_ample_stack(compile, module, code.co_filename, "exec", flags, True)
    for _ in range(1 + len(around)):
        made = next(c for c in made.co_consts if isinstance(c, CodeType))
    written: CodeType = made.replace(co_qualname=code.co_qualname, co_firstlineno=code.co_firstlineno)
    source = Source(found.source.filename, found.source.lines, module)
    WRITTEN[written] = Found(source, (module, *([outer] if around else []), node))
    return written


class _Writer(Copier):
    def __init__(self, items: str) -> None:
        super().__init__()
        self.items = items
        self.refused = False

    def statement(self, s: Any) -> Any:
        match s:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                return s
            case ast.Expr(ast.Yield(value)):
                return self.put(s, "append", value or ast.Constant(None))
            case ast.Expr(ast.YieldFrom(value)):
                return self.put(s, "extend", value)
            case ast.Return(None | ast.Constant(None)):
                return ast.copy_location(self.returned(), s)
        self.refused |= isinstance(s, ast.Return) or next(waits(s), None) is not None
        return self.parts(s)

    def returned(self) -> ast.Return:
        """`return items`."""
        return ast.Return(ast.Name(self.items, ast.Load()))

    def put(self, s: ast.stmt, method: str, value: ast.expr) -> ast.stmt:
        """`items.append(value)` or `items.extend(value)`."""
        self.refused |= any(isinstance(n, _GIVES) for n in ast.walk(value))
        target = ast.Attribute(ast.Name(self.items, ast.Load()), method, ast.Load())
        return ast.copy_location(ast.Expr(ast.copy_location(ast.Call(target, [value], []), s.value)), s)  # type: ignore[attr-defined]
