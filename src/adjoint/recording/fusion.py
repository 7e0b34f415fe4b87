"""Expressions of numbers that are one operation: where their operands are floats and integers, a program computes the
value and its partials at once. Else they run operation by operation.

What they read from objects, or call, is evaluated first, and so are the variables before it that others share: all of
this has to stand before all arithmetic. Then `s + self.v * dt`
becomes `t2 if (t2 := fused_1[type(s), type(t1 := attribute(...)), type(dt)](record, s, t1, dt)) is not None else
binary(...)`.
"""
# mypy: disable-error-code="arg-type"

from __future__ import annotations

import ast
import types
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from ..frontend.nodes import shallow
from ..origin import is_ours
from ..rules.registry import find_rules
from .names import all_nodes

ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)
NUMBERS = (int, float)
FEWEST, MOST = 2, 8
"""So many operations are worth a program of their own, for at most so many operands."""


@dataclass
class Expression:
    """A fused expression: what computes it, of parameters that stand for its operands and for the functions that it
    calls."""

    body: Any
    operands: list[str]
    functions: list[str]


class Program(Protocol):
    """What is asked of the function that an expression stands in."""

    filename: str
    scope: dict[str, Any]

    def new(self, stem: str = "t") -> str: ...
    def known(self, node: Any) -> Any: ...
    def is_inner(self, name: str) -> bool: ...
    def is_free(self, name: str) -> bool: ...
    def is_shared(self, name: str) -> bool: ...
    def is_global(self, name: str) -> bool: ...


class _NotOneError(Exception):
    """An expression that has to run operation by operation."""


@dataclass
class Fusing:
    """Reads an expression: what computes it, and what is evaluated for that."""

    program: Program
    sure: set[str]
    reads: list[Any] = field(default_factory=list)
    """What the operands are read by: names, and what new names are bound to."""
    names: list[str] = field(default_factory=list)
    functions: list[Any] = field(default_factory=list)
    operations: int = 0

    def read(self, node: Any) -> tuple[Any, Any]:
        """An expression of parameters, and the same expression of names that are bound by then."""
        match node:
            case ast.Constant(value=int() | float()) if type(node.value) in NUMBERS:
                return node, node
            case ast.Name(id=name) if self._is_plain(name):
                if self.operations == 0 and self._is_others(name):
                    return self._first(node)
                return self._operand(name, node), node
            case ast.BinOp(op=op) if isinstance(op, ARITHMETIC):
                (a, first), (b, second) = self.read(node.left), self.read(node.right)
                self.operations += 1
                return ast.BinOp(a, op, b), ast.copy_location(ast.BinOp(first, op, second), node)
            case ast.UnaryOp(op=ast.USub() as op):
                a, first = self.read(node.operand)
                self.operations += 1
                return ast.UnaryOp(op, a), ast.copy_location(ast.UnaryOp(op, first), node)
            case ast.Call(func=function, keywords=[]) if self._is_known(function):
                f = f"f{len(self.functions)}"
                self.functions.append(function)
                pairs = [self.read(a) for a in node.args]
                self.operations += 1
                call = ast.Call(function, [first for _, first in pairs], [])
                return ast.Call(ast.Name(f, ast.Load()), [a for a, _ in pairs], []), ast.copy_location(call, node)
        return self._first(node)

    def _operand(self, name: str, read: Any) -> ast.Name:
        if name not in self.names:
            self.names.append(name)
            self.reads.append(read)
        return ast.Name(f"x{self.names.index(name)}", ast.Load())

    def _is_plain(self, name: str) -> bool:
        """Tell whether a name is a variable that is surely bound."""
        program = self.program
        if program.is_global(name):
            return isinstance(program.scope.get(name), int | float)
        return name in self.sure or program.is_inner(name) or program.is_free(name) and name != "__class__"

    def _is_others(self, name: str) -> bool:
        """Tell whether what is evaluated after a name may bind it anew: a function that shares the variable."""
        return self.program.is_global(name) or self.program.is_shared(name)

    def _is_known(self, node: Any) -> bool:
        """Tell whether what is called is a function of numbers, in a module or a builtin."""
        return is_of_numbers(self.program.known(node))

    def _first(self, node: Any) -> tuple[Any, Any]:
        """What is evaluated before all arithmetic, under a new name."""
        if self.operations or isinstance(node, ast.Constant | ast.Starred) or _binds(node):
            raise _NotOneError
        name = self.program.new()
        bound = ast.copy_location(ast.NamedExpr(ast.Name(name, ast.Store()), node), node)
        return self._operand(name, bound), ast.copy_location(ast.Name(name, ast.Load()), node)


def is_of_numbers(f: Any) -> bool:
    """Tell whether something is a function in C with a rule: it reads nothing but what it is given."""
    return isinstance(f, types.BuiltinFunctionType | np.ufunc) and find_rules(f) is not None


def _binds(node: Any) -> bool:
    return any([isinstance(n, ast.NamedExpr | ast.Yield | ast.YieldFrom | ast.Await) for n in all_nodes(node)])


def fusing(program: Program, node: Any, sure: set[str]) -> tuple[Fusing, Expression, Any] | None:
    """How an expression is one operation, what computes it, and the expression that runs where it is not; None if it
    cannot be, or is not worth it."""
    if is_ours(program.filename) or _operations(node) < FEWEST:
        return None
    found = Fusing(program, sure)
    try:
        body, plain = found.read(node)
    except _NotOneError:
        return None
    if found.operations < FEWEST or not 0 < len(found.names) <= MOST:
        return None
    operands = [f"x{i}" for i in range(len(found.names))]
    return found, Expression(body, operands, [f"f{i}" for i in range(len(found.functions))]), plain


def unfused(node: Any, first: dict[str, Any] | None = None) -> Any:
    """The code that runs operation by operation: a derivative of a derivative records that. What was to be
    evaluated `first` is where it is used first."""
    if (reads := getattr(node, "reads", None)) is not None:
        return unfused(node.orelse, {**(first or {}), **reads})
    if first and isinstance(node, ast.Name) and node.id in first:
        return unfused(first.pop(node.id), first)
    changed: dict[str, Any] = {}
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, ast.AST):
            new: Any = unfused(value, first)
        elif isinstance(value, list):
            items = [unfused(item, first) if isinstance(item, ast.AST) else item for item in value]
            new = value if all([a is b for a, b in zip(items, value, strict=True)]) else items
        else:
            continue
        if new is not value:
            changed[name] = new
    if not changed:
        return node
    made = shallow(node)
    made.__dict__.update({**node.__dict__, **changed})
    return made


def _operations(node: Any) -> int:
    """How many operations an expression has at most, where that is quick to say."""
    if isinstance(node, ast.BinOp):
        return 1 + _operations(node.left) + _operations(node.right)
    if isinstance(node, ast.UnaryOp):
        return 1 + _operations(node.operand)
    return 1 + sum(map(_operations, node.args)) if isinstance(node, ast.Call) else 0
