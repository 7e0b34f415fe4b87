"""Expressions: each becomes calls of functions, short circuits become branches."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from ..ir.intrinsics import (
    delegate,
    format_value,
    fstring,
    make_dict,
    make_list,
    make_set,
    make_tuple,
    merge_dicts,
    not_contains,
    yield_,
)
from ..ir.nodes import Atom, Const, Star
from .builder import NONE, Builder, expression
from .comprehensions import items, merged
from .exits import truth_of
from .nodes import Given
from .sets import kept_set
from .source import span_of

BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.MatMult: operator.matmul,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.BitAnd: operator.and_,
}
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
    ast.Not: operator.not_,
}
COMPARISON: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: operator.contains,
    ast.NotIn: not_contains,
}
CONVERSIONS = {-1: "", 114: "r", 115: "s", 97: "a"}


@expression(ast.Constant)
def constant(b: Builder, node: ast.Constant, name: str) -> Atom:
    """A literal."""
    return Const(node.value, None, span_of(node))


@expression(Given)
def given(b: Builder, node: Given, name: str) -> Atom:
    """The value that has been evaluated before."""
    return b.env[node.key]


@expression(ast.Name)
def variable(b: Builder, node: ast.Name, name: str) -> Atom:
    """The present value of a name."""
    return b.read(node.id, node)


@expression(ast.NamedExpr)
def walrus(b: Builder, node: ast.NamedExpr, name: str) -> Atom:
    """`name := value`."""
    value = b.expr(node.value, b.target_name(node.target))
    b.bind(node.target.id, value, node)
    return value


@expression(ast.BinOp)
def binary(b: Builder, node: ast.BinOp, name: str) -> Atom:
    """`a + b`: the function of `operator`."""
    left = b.expr(node.left)
    return b.call(BINARY[type(node.op)], left, b.expr(node.right), at=node, name=name)


@expression(ast.UnaryOp)
def unary(b: Builder, node: ast.UnaryOp, name: str) -> Atom:
    """`-a`; a negative number is a literal."""
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=value)) if type(value) in (int, float, complex):
            return Const(-value, None, span_of(node))  # type: ignore[operator]
    return b.call(UNARY[type(node.op)], b.expr(node.operand), at=node, name=name)


@expression(ast.BoolOp)
def short_circuit(b: Builder, node: ast.BoolOp, name: str) -> Atom:
    """`a and b`, `a or b`: a branch on each operand but the last."""

    def value(index: int) -> Atom:
        first = b.expr(node.values[index])
        if index == len(node.values) - 1:
            return first
        known = truth_of(node.values[index])
        if known is not None:
            return value(index + 1) if known is isinstance(node.op, ast.And) else first
        if isinstance(node.op, ast.And):
            return b.branch(first, lambda: value(index + 1), lambda: first, node, name)
        return b.branch(first, lambda: first, lambda: value(index + 1), node, name)

    return value(0)


@expression(ast.Compare)
def comparison(b: Builder, node: ast.Compare, name: str) -> Atom:
    """`a < b <= c`: each operand is evaluated once, and only as far as needed."""

    def value(left: Atom, index: int) -> Atom:
        right = b.expr(node.comparators[index])
        op = node.ops[index]
        swapped = isinstance(op, (ast.In, ast.NotIn))
        first, second = (right, left) if swapped else (left, right)
        last = index == len(node.ops) - 1
        result = b.call(COMPARISON[type(op)], first, second, at=node, name=name if last and not index else "")
        if last:
            return result
        return b.branch(result, lambda: value(right, index + 1), lambda: result, node, name)

    return value(b.expr(node.left), 0)


@expression(ast.IfExp)
def ternary(b: Builder, node: ast.IfExp, name: str) -> Atom:
    """`a if c else b`: a branch."""
    known = truth_of(node.test)
    if known is not None:
        return b.expr(node.body if known else node.orelse, name)
    return b.branch(b.expr(node.test), lambda: b.expr(node.body), lambda: b.expr(node.orelse), node, name)


@expression(ast.Attribute)
def attribute(b: Builder, node: ast.Attribute, name: str) -> Atom:
    """`a.name`."""
    key = None if b.fields is None else b.fields.key(b, node)
    if key is not None:
        return b.env[key]
    if node.attr == "f_locals":
        b.refuse(node, "`f_locals` of a frame", "the variables of generated code are not the function's own")
    return b.call(getattr, b.expr(node.value), Const(b.mangle(node.attr)), at=node, name=name)


@expression(ast.Subscript)
def subscript(b: Builder, node: ast.Subscript, name: str) -> Atom:
    """`a[i]`."""
    base = b.expr(node.value)
    return b.call(operator.getitem, base, b.expr(node.slice), at=node, name=name)


@expression(ast.Slice)
def slice_(b: Builder, node: ast.Slice, name: str) -> Atom:
    """`i:j:k`; with constant bounds a constant."""
    bounds = [NONE if part is None else b.expr(part) for part in (node.lower, node.upper, node.step)]
    if all(isinstance(bound, Const) for bound in bounds):
        return Const(slice(*(bound.value for bound in bounds if isinstance(bound, Const))))
    return b.call(slice, *bounds, at=node)


# Displays


@expression(ast.Tuple)
def tuple_(b: Builder, node: ast.Tuple, name: str) -> Atom:
    """`(a, *b)`."""
    return b.call(make_tuple, *items(b, node.elts), at=node, name=name)


@expression(ast.List)
def list_(b: Builder, node: ast.List, name: str) -> Atom:
    """`[a, *b]`."""
    return b.call(make_list, *items(b, node.elts), at=node, name=name)


@expression(ast.Set)
def set_(b: Builder, node: ast.Set, name: str) -> Atom:
    """`{a, *b}`."""
    kept, is_run_through = kept_set(node)
    if kept is not None:
        return Const(kept) if is_run_through else b.call(set, Const(kept), at=node, name=name)
    return b.call(make_set, *items(b, node.elts), at=node, name=name)


@expression(ast.Dict)
def dict_(b: Builder, node: ast.Dict, name: str) -> Atom:
    """`{a: b, **c}`."""
    parts: list[Atom] = []
    pairs: list[Atom] = []
    for key, value in zip(node.keys, node.values, strict=True):
        if key is not None:
            pairs += [b.expr(key), b.expr(value)]
            continue
        if pairs:
            parts.append(b.call(make_dict, *pairs, at=node))
            pairs = []
        parts.append(merged(b, value))
    if not parts:
        return b.call(make_dict, *pairs, at=node, name=name)
    if pairs:
        parts.append(b.call(make_dict, *pairs, at=node))
    return b.call(merge_dicts, *parts, at=node, name=name)


@expression(ast.JoinedStr)
def f_string(b: Builder, node: ast.JoinedStr, name: str) -> Atom:
    """`f"{a}"`."""
    parts = [b.expr(value) for value in node.values]
    if all(isinstance(part, Const) for part in parts):
        return Const("".join(part.value for part in parts if isinstance(part, Const)))
    return b.call(fstring, *parts, at=node, name=name)


@expression(ast.FormattedValue)
def formatted_value(b: Builder, node: ast.FormattedValue, name: str) -> Atom:
    """`{a!r:spec}` of an f-string."""
    value = b.expr(node.value)
    spec = Const("") if node.format_spec is None else b.expr(node.format_spec)
    return b.call(format_value, value, Const(CONVERSIONS[node.conversion]), spec, at=node)


# What is refused


@expression(ast.Yield, ast.YieldFrom)
def waiting(b: Builder, node: ast.Yield | ast.YieldFrom, name: str) -> Atom:
    """A call for whoever runs through the generator; refused of a function that is none to be run through."""
    if b.generator:
        give = yield_ if isinstance(node, ast.Yield) else delegate
        return b.call(give, NONE if node.value is None else b.expr(node.value), at=node, name=name)
    b.refuse(
        node,
        "a generator function",
        "it runs in pieces, between which its caller runs",
        "return a list, or use a comprehension",
    )


@expression(ast.Await)
def await_(b: Builder, node: ast.AST, name: str) -> Atom:
    """Refused."""
    b.refuse(
        node, "asynchronous code", "it runs in pieces, between which others run", "await the data first, then call"
    )


@expression(ast.Starred)
def starred(b: Builder, node: ast.Starred, name: str) -> Atom:
    """`x[*a]`, the one place where a star stands alone."""
    # `x[*a]` before it becomes a tuple, the only place left.
    return b.call(make_tuple, Star(b.expr(node.value)), at=node)
