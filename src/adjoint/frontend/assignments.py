"""Assignments as statements: plain, annotated, in place, and `del`."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from typing import Any

from ..ir.changes import delete_attribute, delete_item, set_attribute, set_item
from ..ir.intrinsics import delete_cell
from ..ir.nodes import UNDEF, Atom, Const
from .builder import Builder, display, statement
from .comprehensions import consumed
from .targets import holder, store

IN_PLACE: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.iadd,
    ast.Sub: operator.isub,
    ast.Mult: operator.imul,
    ast.Div: operator.itruediv,
    ast.FloorDiv: operator.ifloordiv,
    ast.Mod: operator.imod,
    ast.Pow: operator.ipow,
    ast.MatMult: operator.imatmul,
    ast.LShift: operator.ilshift,
    ast.RShift: operator.irshift,
    ast.BitOr: operator.ior,
    ast.BitXor: operator.ixor,
    ast.BitAnd: operator.iand,
}


@statement(ast.Assign)
def assign(b: Builder, node: ast.Assign, rest: Sequence[ast.stmt]) -> None:
    """`a = b = c`."""
    if len(node.targets) == 1 and _is_parallel(node.targets[0], node.value):
        for target, value in _parallel(b, node.targets[0], node.value):
            store(b, target, value)
        return
    unpacked = isinstance(node.targets[0], (ast.Tuple, ast.List)) and len(node.targets) == 1
    value = consumed(b, node.value) if unpacked else b.expr(node.value, b.target_name(node.targets[0]))
    for target in node.targets:
        store(b, target, value)


@statement(ast.AnnAssign)
def annotated(b: Builder, node: ast.AnnAssign, rest: Sequence[ast.stmt]) -> None:
    """`a: T = b`; the annotation is dropped."""
    if node.value is not None:
        store(b, node.target, b.expr(node.value, b.target_name(node.target)))


def _is_parallel(target: ast.expr, value: ast.expr) -> bool:
    """Tell whether both sides are displays of the same length: nothing needs to be unpacked then."""
    return (
        isinstance(target, (ast.Tuple, ast.List))
        and isinstance(value, (ast.Tuple, ast.List))
        and len(target.elts) == len(value.elts)
        and not any(isinstance(e, ast.Starred) for e in (*target.elts, *value.elts))
    )


def _parallel(b: Builder, target: Any, value: Any) -> list[tuple[ast.expr, Atom]]:
    """All right sides, evaluated in order, each with its target."""
    pairs: list[tuple[ast.expr, Atom]] = []
    for t, v in zip(target.elts, value.elts, strict=True):
        if _is_parallel(t, v):
            pairs += _parallel(b, t, v)
        else:
            pairs.append((t, b.expr(v, b.target_name(t))))
    return pairs


@statement(ast.AugAssign)
def augmented(b: Builder, node: ast.AugAssign, rest: Sequence[ast.stmt]) -> None:
    """`a += b`: reads, changes in place, stores back."""
    op = IN_PLACE[type(node.op)]
    match node.target:
        case ast.Name(id=name):
            old = b.read(name, node.target)
            new = b.call(op, old, b.expr(node.value), at=node, name=b.target_name(node.target))
            b.bind(name, new, node.target)
        case ast.Attribute() if b.fields is not None and (field := b.fields.key(b, node.target)) is not None:
            new = b.call(op, b.env[field], b.expr(node.value), at=node, name=display(field))
            b.fields.hold(b, node.target, new)
        case ast.Attribute(value=owner, attr=attr):
            base, variable = b.base(owner)
            attribute = Const(b.mangle(attr))
            old = b.call(getattr, base, attribute, at=node.target)
            new = b.call(op, old, b.expr(node.value), at=node)
            base = b.latest(base, variable, node.value)
            b.rebind(variable, b.call(set_attribute, base, attribute, new, at=node, name=variable or ""))
        case ast.Subscript(value=owner, slice=index):
            base, variable, put_back = holder(b, owner)
            key = b.expr(index)
            base = b.latest(base, variable, index)
            old = b.call(operator.getitem, base, key, at=node.target)
            new = b.call(op, old, b.expr(node.value), at=node)
            base = b.latest(base, variable, node.value)
            put_back(b.call(set_item, base, key, new, at=node, name=display(variable)))


@statement(ast.Delete)
def delete(b: Builder, node: ast.Delete, rest: Sequence[ast.stmt]) -> None:
    """`del a, b.c, d[e]`."""
    for target in node.targets:
        _delete(b, target)


def _delete(b: Builder, target: ast.expr) -> None:
    match target:
        case ast.Name(id=name):
            cell = b.cells.get(b.mangle(name))
            if cell is not None:
                b.call(delete_cell, cell, Const(name), at=target)
            elif b.depth:
                b.refuse(
                    target,
                    f"`del {name}` in a loop",
                    "whether the name is bound in the next round is not followed",
                    "let the name be, or bind it to None",
                )
            else:
                b.read(name, target)
                b.bind(name, UNDEF, target)
        case ast.Tuple() | ast.List():
            for inner in target.elts:
                _delete(b, inner)
        case ast.Attribute():
            base, variable = b.base(target.value)
            attribute = Const(b.mangle(target.attr))
            b.rebind(variable, b.call(delete_attribute, base, attribute, at=target, name=variable or ""))
        case ast.Subscript():
            base, variable = b.base(target.value)
            key = b.expr(target.slice)
            base = b.latest(base, variable, target.slice)
            b.rebind(variable, b.call(delete_item, base, key, at=target, name=display(variable)))
