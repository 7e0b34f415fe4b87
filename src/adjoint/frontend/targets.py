"""Targets of assignments: names, items and attributes, and displays that unpack a value."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable

from ..ir.changes import set_attribute, set_item
from ..ir.intrinsics import unpack
from ..ir.nodes import Atom, Call, Const, Var
from .builder import Builder, display, known
from .source import span_of


def store(b: Builder, target: ast.expr, value: Atom) -> None:
    """Assign a value to a target."""
    match target:
        case ast.Name():
            b.bind(target.id, value, target)
        case ast.Tuple() | ast.List():
            _unpack(b, target, value)
        case ast.Attribute() if b.fields is not None and b.fields.hold(b, target, value):
            pass
        case ast.Attribute():
            base, name = b.base(target.value)
            attribute = Const(b.mangle(target.attr))
            b.rebind(name, b.call(set_attribute, base, attribute, value, at=target, name=name or ""))
        case ast.Subscript():
            base, name, put_back = holder(b, target.value)
            key = b.expr(target.slice)
            base = b.latest(base, name, target.slice)
            put_back(b.call(set_item, base, key, value, at=target, name=display(name)))
        case _:
            b.refuse(target, "this assignment", "its target is not known")


def holder(b: Builder, node: ast.expr) -> tuple[Atom, str | None, Callable[[Var], None]]:
    """The object whose item is stored into, the variable that names it, and what becomes of its new version.

    An item of a variable, as in `rows[i][j] = v`, is put back where it was.
    """
    base, name = b.base(node.value) if isinstance(node, ast.Subscript) else (Const(None), None)
    if name is None or not isinstance(node, ast.Subscript) or any(isinstance(n, ast.NamedExpr) for n in ast.walk(node)):
        base, name = b.base(node)
        return base, name, lambda new: b.rebind(name, new)
    outer = name
    key = b.expr(node.slice)
    item = b.call(operator.getitem, b.latest(base, outer, node.slice), key, at=node)

    def put_back(new: Var) -> None:
        b.rebind(outer, b.call(set_item, b.env[outer], key, new, at=node, name=display(outer)))

    return item, None, put_back


def _unpack(b: Builder, target: ast.Tuple | ast.List, value: Atom) -> None:
    targets = target.elts
    star = next((i for i, t in enumerate(targets) if isinstance(t, ast.Starred)), None)
    counts = (len(targets),) if star is None else (star, len(targets) - star - 1)
    inner = [t.value if isinstance(t, ast.Starred) else t for t in targets]
    args = (value, *map(Const, counts))
    if len(targets) < 2:
        # A call with one out gives its result as it is, here a tuple of one.
        items = b.call(unpack, *args, at=target)
        if targets:
            store(b, inner[0], b.call(operator.getitem, items, Const(0), at=target, name=b.target_name(inner[0])))
        return
    outs = tuple(Var(b.target_name(t)) for t in inner)
    b.statements.append(Call(outs, known(unpack), args, (), span_of(target)))
    for t, out in zip(inner, outs, strict=True):
        store(b, t, out)
