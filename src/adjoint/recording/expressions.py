"""The expressions of a recorded program: each operation becomes a call that also writes down how it reverses.

The code keeps its shape: `a[i] * sin(b)` becomes `binary(record, 3, mul, item(record, 1, a, i), call(record, 2, sin,
b))`, so that order, short circuits and comprehensions are Python's own.
"""
# mypy: disable-error-code="arg-type, assignment"

from __future__ import annotations

import ast
import builtins
import types
from typing import Any, NamedTuple

from ..errors import Place
from ..frontend.source import rebound_globals
from ..origin import is_read_module
from .cases import RETURN, Case, moved
from .names import COMPREHENSIONS, Names, is_data

OPERATORS = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv", ast.Mod: "mod",
    ast.Pow: "pow", ast.MatMult: "matmul", ast.LShift: "lshift", ast.RShift: "rshift", ast.BitOr: "or_",
    ast.BitXor: "xor", ast.BitAnd: "and_", ast.USub: "neg", ast.UAdd: "pos", ast.Invert: "invert",
}  # fmt: skip

EAGER = (sum, list, tuple, set, frozenset, dict, max, min, sorted)
"""Functions that run through all of their argument at once: a generator expression given to it may be a list."""

VERBATIM = frozenset(["isinstance", "issubclass", "callable", "range"])
"""Builtins through which nothing flows, and which hold on to nothing."""

UNKNOWN = object()


class Value(NamedTuple):
    """The code of an expression, and the name whose cotangent is its own; None where it has none by value."""

    code: Any
    bar: str | None


class Expressions:
    """Rewrites expressions; `Statements` builds on it."""

    filename: str

    def __init__(self, names: Names, scope: dict[str, Any], free: tuple[str, ...], mangled: str, first: str) -> None:
        self.names = names
        self.scope = scope
        self.free = set(free)
        self.mangled = mangled
        self.first = first
        self.cases: list[Case] = []
        self.helpers: set[str] = set()
        self.cells: set[str] = set()
        self.inner: list[dict[str, str | None]] = []
        self.hoisted: list[ast.stmt] = []
        self.numbers = 0
        self.linked: list[Any] = []
        self.in_head = False  # of a comprehension, where no names may be bound

    # ---- names

    def new(self, stem: str = "t") -> str:
        """A name that occurs nowhere else."""
        while True:
            self.numbers += 1
            name = f"{stem}{self.numbers}"
            if name not in self.names.every:
                self.names.bound.add(name)
                return name

    def helper(self, name: str) -> ast.Name:
        """A function of the runtime, under a name that the program does not use."""
        self.helpers.add(name)
        return ast.Name(self.spelled(name), ast.Load())

    def spelled(self, name: str) -> str:
        """The name of a helper in generated code."""
        while name in self.names.every:
            name += "_"
        return name

    def bar_of(self, name: str) -> str | None:
        """Whose cotangent a local name has: those of comprehensions have their own."""
        for inner in reversed(self.inner):
            if name in inner:
                return inner[name]
        return name

    def is_inner(self, name: str) -> bool:
        return any(name in inner for inner in self.inner)

    def is_shared(self, name: str) -> bool:
        """Tell whether a variable is shared with other functions."""
        return not self.is_inner(name) and (
            name in self.names.captured or name in self.names.nonlocals or self.is_free(name)
        )

    def is_free(self, name: str) -> bool:
        return name in self.free and name not in self.names.bound

    def is_global(self, name: str) -> bool:
        if self.is_inner(name) or name in self.free:
            return False
        return name in self.names.globals or name not in self.names.bound

    def known(self, node: Any) -> Any:
        """Value of a global name, or of an attribute of a module."""
        if isinstance(node, ast.Name) and self.is_global(node.id):
            found = self.scope.get(node.id, UNKNOWN)
            return getattr(builtins, node.id, UNKNOWN) if found is UNKNOWN else found
        if isinstance(node, ast.Attribute):
            owner = self.known(node.value)
            if isinstance(owner, types.ModuleType):
                return getattr(owner, node.attr, UNKNOWN)
        return UNKNOWN

    def is_rebound(self, name: str) -> bool:
        """Tell whether a function of the module may bind a global name anew, whatever it stands for now."""
        return name in rebound_globals(self.filename, self.scope)

    # ---- operations

    def case(self, kind: str, node: Any, out: Any, *operands: str | None, slot: Any = None) -> ast.Constant:
        """Number a new operation."""
        self.cases.append(Case(kind, out, operands, node, slot))
        return ast.Constant(len(self.cases))

    def op(self, node: Any, helper: str, args: list[Any], out: Any, *operands: str | None, **extra: Any) -> ast.Call:
        """A call of the runtime that writes a step down, to be reversed by its `back`."""
        k = self.case("back", node, out, *operands)
        return self.noted(node, helper, k, args, **extra)

    def noted(self, node: Any, helper: str, k: ast.Constant, args: list[Any], keywords: Any = ()) -> ast.Call:
        call = ast.Call(self.helper(helper), [self.record(), k, *args], list(keywords))
        return ast.copy_location(call, node)

    def record(self) -> ast.Name:
        return ast.Name(self.spelled("record"), ast.Load())

    def cell(self, name: str) -> ast.Name:
        """The cell of a shared variable."""
        self.cells.add(name)
        return ast.Name(self.spelled(f"{name}_cell"), ast.Load())

    # ---- expressions

    def plain(self, node: Any) -> Any:
        """The code of an expression of which no cotangent is asked."""
        return None if node is None else self.expr(node).code

    def into(self, node: Any, out: str) -> Any:
        """The code of an expression whose cotangent is that of `out`."""
        value = self.expr(node, out)
        if value.bar == out or out in self.names.data and not self.is_inner(out):
            return value.code
        if value.bar is None:
            if _never_number(node):
                return value.code
            return self.noted(node, "kept", self.case("drop", node, out), [value.code])
        return self.noted(node, "kept", self.case("copy", node, out, value.bar), [value.code])

    def operands(self, nodes: list[Any]) -> list[Value]:
        """Expressions that are evaluated one after the other, and used afterwards."""
        values = []
        for i, node in enumerate(nodes):
            later = {n.target.id for rest in nodes[i + 1 :] for n in ast.walk(rest) if isinstance(n, ast.NamedExpr)}
            if isinstance(node, ast.Name) and node.id in later and not self.is_shared(node.id):
                t = self.new()
                values.append(Value(self.into(node, t), t))
            else:
                values.append(self.expr(node))
        return values

    def expr(self, node: Any, out: str | None = None) -> Value:
        """The code of an expression; if it is an operation, its cotangent is that of `out` (or of a new name)."""
        data = self.names.data
        for inner in self.inner:
            data = (data - inner.keys()) | {name for name, bar in inner.items() if bar is None}
        if is_data(node, data, self.names.hidden):
            return Value(self.sized(node), None)
        method = getattr(self, f"do_{type(node).__name__}", None)
        if method is None:
            raise self.refused(node)
        value: Value = method(node, out or "")
        return value

    def refused(self, node: Any) -> Exception:
        raise NotImplementedError

    def place(self, node: Any) -> Place:
        raise NotImplementedError

    def test(self, node: Any) -> Any:
        """The code of an expression of which only the truth is asked."""
        raise NotImplementedError

    def sized(self, node: Any) -> Any:
        """A counter's code, with the sizes in it asked for as operations."""
        raise NotImplementedError

    def bounds(self, nodes: list[Any]) -> list[Any]:
        """The arguments of `range`, of which the numbers are asked."""
        raise NotImplementedError

    def do_Constant(self, node: Any, out: str) -> Value:
        return Value(node, None)

    def do_Name(self, node: Any, out: str) -> Value:
        name = node.id
        if self.is_shared(name):
            if name == "__class__":
                return Value(node, None)
            out = out or self.new()
            k = self.case("load", node, out, slot=0)
            return Value(self.noted(node, "load", k, [self.cell(name), node]), out)
        if self.is_global(name):
            known = self.known(node)
            if known is UNKNOWN or name in self.names.globals or _may_change(known) or self.is_rebound(name):
                out = out or self.new()
                k = self.case("load", node, out, slot=name)
                return Value(self.noted(node, "load", k, [self.helper("namespace"), node]), out)
            return Value(node, None)
        return Value(node, self.bar_of(name))

    def do_Attribute(self, node: Any, out: str) -> Value:
        known = self.known(node)
        if known is not UNKNOWN and not self.is_read_anew(node.value, node.attr, known):
            return Value(node, None)
        out = out or self.new()
        owner = self.expr(node.value)
        name = ast.Constant(self.private(node.attr))
        return Value(self.op(node, "attribute", [owner.code, name], out, owner.bar), out)

    def is_read_anew(self, node: Any, name: str, known: Any) -> bool:
        """Tell whether an attribute of a module may become something else while the program runs: of one in Python."""
        module = self.known(node)
        if module.__dict__ is not self.scope and not is_read_module(module):
            return False
        file = getattr(module, "__file__", None)
        rebound = file is not None and name in rebound_globals(file, module.__dict__)
        return rebound or _may_change(known) or isinstance(known, str | bool)

    def private(self, name: str) -> str:
        """A name as the compiler writes it in a class."""
        own = self.mangled.lstrip("_")
        return f"_{own}{name}" if own and name.startswith("__") and not name.endswith("__") else name

    def do_Subscript(self, node: Any, out: str) -> Value:
        out = out or self.new()
        values = self.operands([node.value, node.slice])
        return Value(self.at("item", node, [v.code for v in values], out, values[0].bar, values[1].bar), out)

    def at(self, helper: str, node: Any, args: list[Any], out: Any, *operands: str | None) -> ast.Call:
        """An operation at an index, which is the last operand: most are no numbers that are differentiated."""
        if operands[-1] is None:
            return self.op(node, helper, args, out, *operands[:-1])
        return self.op(node, f"{helper}_at", args, out, *operands)

    def do_Slice(self, node: Any, out: str) -> Value:
        parts = [self.plain(p) or ast.Constant(None) for p in (node.lower, node.upper, node.step)]
        literal = all(p is None or isinstance(p, ast.Constant) for p in (node.lower, node.upper, node.step))
        helper = self.helper("slice" if literal else "slice_of")
        return Value(ast.copy_location(ast.Call(helper, parts, []), node), None)

    def do_BinOp(self, node: Any, out: str) -> Value:
        out = out or self.new()
        a, b = self.operands([node.left, node.right])
        fn = self.helper(OPERATORS[type(node.op)])
        return Value(self.op(node, "binary", [fn, a.code, b.code], out, a.bar, b.bar), out)

    def do_NamedExpr(self, node: Any, out: str) -> Value:
        name = node.target.id
        if self.is_shared(name) or name in self.names.globals:
            t = out or self.new()
            value = self.bound_value(name, t, self.into(node.value, t), node)
            k, holder = self.store(name, node, t)
            value = self.noted(node, "keep", k, [*holder, value])
            return Value(ast.copy_location(ast.NamedExpr(node.target, value), node), t)
        value = self.bound_value(name, name, self.into(node.value, name), node)
        return Value(ast.copy_location(ast.NamedExpr(node.target, value), node), name)

    def bound_value(self, name: str, bar: str, code: Any, node: Any) -> Any:
        """The code of a value that `:=` gives a name; `bar` is whose cotangent it has."""
        return code

    def store(self, name: str, node: Any, bar: str) -> tuple[ast.Constant, list[Any]]:
        raise NotImplementedError

    def do_Lambda(self, node: Any, out: str) -> Value:
        defaults, bars = self.defaults(node.args)
        if not any(bars):
            return Value(node, None)
        made = ast.copy_location(ast.Lambda(defaults, node.body), node)
        return Value(self.op(node, "with_defaults", [made], None, *bars), None)

    def defaults(self, args: ast.arguments) -> tuple[ast.arguments, list[str | None]]:
        """Parameters with the code of their defaults, and the names of these: positional ones, then those by name."""
        positional = [self.expr(d) for d in args.defaults]
        named = [None if d is None else self.expr(d) for d in args.kw_defaults]
        made = ast.arguments(
            args.posonlyargs, args.args, args.vararg, args.kwonlyargs,
            [None if v is None else v.code for v in named], args.kwarg, [v.code for v in positional],
        )  # fmt: skip
        return made, [*(v.bar for v in positional), *(v.bar for v in named if v is not None)]


def cell_of(name: str, node: Any) -> Any:
    """The code that gives the cell of a variable: what a function captures that names it."""
    return moved(ast.parse(f"(lambda: {name}).__closure__[0]", mode="eval").body, node)


def without_stars(target: Any) -> Any:
    """A target for values that have been gathered already."""
    if isinstance(target, ast.Starred):
        return target.value
    if isinstance(target, ast.Tuple | ast.List):
        return ast.copy_location(ast.Tuple([without_stars(e) for e in target.elts], ast.Store()), target)
    return target


def _never_number(node: Any) -> bool:
    """Tell whether an expression gives no number and no tuple."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str | bytes | bool | type(None))
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    return isinstance(node, (ast.List, ast.Dict, ast.Set, ast.Lambda, ast.JoinedStr, ast.Compare, *COMPREHENSIONS))


def _may_change(value: Any) -> bool:
    """Tell whether what a global name stands for may be a number, or be bound to one."""
    return not callable(value) and not isinstance(value, types.ModuleType | str | bool)


__all__ = ["OPERATORS", "RETURN", "UNKNOWN", "Expressions", "Value"]
