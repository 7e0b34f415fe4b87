"""Functions made inside a function: `def` and `lambda`, what they capture, and how a captured name is seen inside."""

from __future__ import annotations
import __future__

import ast
from collections.abc import Callable, Sequence
from itertools import pairwise
from types import CodeType
from typing import Any

from ..errors import SourceUnavailableError
from ..identity import IdentityMap
from ..ir.intrinsics import Template, annotated, capture, capture_cell, make_cell, make_function, store_cell
from ..ir.nodes import Atom, Const
from .bindings import is_own_def
from .builder import NONE, TRUE, Builder, expression, statement
from .scope import COMPREHENSIONS, Scope, private_name, scope_of
from .source import code_of, find, parameters_of, span_of


@expression(ast.Lambda)
def lambda_(b: Builder, node: ast.Lambda, name: str) -> Atom:
    """`lambda: a`."""
    return _make(b, node, name)


@statement(ast.FunctionDef, ast.AsyncFunctionDef)
def def_(b: Builder, node: Any, rest: Sequence[ast.stmt]) -> None:
    """`def` in a function, with decorators."""
    decorators = [b.expr(decorator) for decorator in node.decorator_list]
    name = node.name if b.mangle(node.name) not in b.cells else ""
    value = _make(b, node, "" if decorators else name)
    for decorator, syntax in zip(reversed(decorators), reversed(node.decorator_list), strict=True):
        value = b.apply(decorator, (value,), (), syntax, name)
    b.bind(node.name, value, node)


def _make(b: Builder, node: Any, name: str) -> Atom:
    """Emit the making of a function from the user's own code object."""
    if getattr(node, "type_params", None):
        b.refuse(node, f"the generic function `{node.name}` made inside a function", "its type parameters are a scope")
    return made_with(b, node, b.expr, b.code, name)


def made_with(b: Builder, node: Any, expr: Callable[[Any], Atom], owner: CodeType, name: str = "") -> Atom:
    """Emit the making of a function of a node within the code `owner`, whose defaults and annotations `expr` lowers."""
    defaults = [expr(default) for default in node.args.defaults]
    keywords = [
        (b.mangle(parameter.arg), expr(default))
        for parameter, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
        if default is not None
    ]
    annotations = _annotations(b, node, expr)
    return _made(b, node, name, defaults, keywords, annotations, owner)


def make_generator(b: Builder, node: ast.GeneratorExp, name: str) -> Atom:
    """Emit the making of the generator of an expression: a call of the function that Python makes of it."""
    first = node.generators[0].iter
    given = make_generator(b, first, "") if isinstance(first, ast.GeneratorExp) else b.expr(first)
    return b.apply(_made(b, node, ""), (b.call(iter, given, at=first),), (), node, name)


def _made(
    b: Builder,
    node: Any,
    name: str,
    defaults: Sequence[Atom] = (),
    keywords: Sequence[tuple[str, Atom]] = (),
    annotations: Sequence[tuple[str, Atom]] = (),
    owner: CodeType | None = None,
) -> Atom:
    """Emit the making of the function of a node, of what it captures and is given."""
    code = code_of(node, owner or b.code)
    if code is not None and owner is not None and CLASS in code.co_freevars and CLASS in b.cells:
        code = _sees_class(b, node, code)
    if code is None:
        raise SourceUnavailableError(
            f"cannot differentiate {b.code.co_qualname}: the code of a function made in it cannot be found",
            "several functions that look alike are made on one line",
            "put them on lines of their own",
            b.source.place(span_of(node)),
        )
    captures: list[Atom] = []
    cells: list[bool] = []
    itself = -1
    for index, free in enumerate(code.co_freevars):
        cells.append(free in b.cells)
        if _sees_itself(b, node, free):
            itself = index
            captures.append(NONE)
        else:
            captures.append(b.cells[free] if free in b.cells else b.read(free, node))
    template = Template(
        code, code.co_qualname, None, len(defaults), tuple(k for k, _ in keywords), tuple(cells), itself
    )
    values = (*captures, *defaults, *(value for _, value in keywords))
    made = b.call(make_function, Const(template), b.me, *values, at=node, name=name)
    if not annotations:
        return made
    names = tuple([parameter for parameter, _ in annotations])
    return b.call(annotated, made, Const(names), *(value for _, value in annotations), at=node, name=name)


def _sees_class(b: Builder, node: Any, code: CodeType) -> CodeType:
    """The code of a method that sees its class, which is there only once the methods have been made: in a cell."""
    if any([CLASS in inner.co_freevars for inner in code.co_consts if isinstance(inner, CodeType)]):
        b.refuse(node, "a function made in a method that sees its class", "what it sees is not followed")
    copy = _SEEING.get(code)
    if copy is None:
        copy = _SEEING[code] = code.replace()
        _HELD[copy] = {CLASS: "steady cell"}
    return copy


def _annotations(b: Builder, node: Any, expr: Callable[[Any], Atom]) -> list[tuple[str, Atom]]:
    """The annotations of a `def`, in the order in which Python evaluates them."""
    if isinstance(node, ast.Lambda):
        return []
    a = node.args
    parameters = [*a.args, *a.posonlyargs, a.vararg, *a.kwonlyargs, a.kwarg]
    found = [(b.mangle(p.arg), p.annotation) for p in parameters if p is not None and p.annotation is not None]
    found += [("return", node.returns)] if node.returns is not None else []
    if b.code.co_flags & __future__.annotations.compiler_flag:
        return [(name, Const(ast.unparse(annotation))) for name, annotation in found]
    return [(name, expr(annotation)) for name, annotation in found]


def _sees_itself(b: Builder, node: Any, free: str) -> bool:
    """Tell whether the name that an inner function captures is its own, and stays so."""
    name = getattr(node, "name", None)
    if name is None or b.mangle(name) != free or free in b.cells or name not in b.scope.bound:
        return False
    return b.scope.bound[name][0].node is node


CELLS = ("cell", "steady cell")
CLASS = "__class__"
"""The name of the cell by which a method sees its class."""


def open_cells(b: Builder, node: Any) -> None:
    """Emit, at the entry of a function, the reading of what it captures and the making of its own cells."""
    held = _HELD.get(b.code) or {}
    for index, name in enumerate(b.code.co_freevars):
        kind = held.get(name) or _kind_of_capture(b.chain, b.source.scopes, b.private, name)
        if kind == "itself":
            b.env[name] = b.me
        elif kind in CELLS:
            steady = [TRUE] if kind == "steady cell" else []
            b.cells[name] = b.call(capture_cell, b.me, Const(name), Const(index), *steady, at=node, name=f"{name}_cell")
        else:
            b.env[name] = b.call(capture, b.me, Const(name), Const(index), at=node, name=name)
    parameters = frozenset(parameters_of(node.args))
    for written in b.scope.bound:
        if b.scope.owns(written) and b.scope.is_cell(written):
            name = b.mangle(written)
            cell = b.call(make_cell, Const(name), at=node, name=f"{name}_cell")
            if written in parameters:
                b.call(store_cell, cell, b.env.pop(name), at=node)
            b.cells[name] = cell


def _kind_of_capture(chain: Sequence[Any], scopes: dict[ast.AST, Scope], private: str, name: str) -> str:
    """The kind of a free variable: the function "itself", a "cell", or a "value" that is bound once, before.

    A "steady cell" is bound by the function alone that it is local to: it stays while a function that sees it runs. (A
    generator could go on in the meantime, with nothing that moves: `send` has no derivative.)
    """
    prefix = f"_{private}__"
    spellings = {name, name[len(prefix) - 2 :]} if private and name.startswith(prefix) else {name}
    for outer, child in reversed(list(pairwise(chain))):
        if not _encloses(outer, child, chain):
            continue
        scope = scope_of(outer, scopes)
        for spelling in spellings:
            if scope.owns(spelling):
                if scope.is_cell(spelling):
                    own_only = spelling not in scope.rebound_inside and not isinstance(outer, ast.AsyncFunctionDef)
                    return "steady cell" if own_only else "cell"
                binding = scope.bound[spelling][0].node if scope.bound[spelling] else None
                return "itself" if is_own_def(binding, chain[-1]) else "value"
    return "value"


def _encloses(outer: Any, child: ast.AST, chain: Sequence[ast.AST]) -> bool:
    """Tell whether `outer` is a scope and what follows in the chain lies in it, not in its defaults or first
    iterable."""
    if isinstance(outer, COMPREHENSIONS):
        return outer.generators[0].iter not in chain
    if isinstance(outer, ast.Lambda):
        return child is outer.body
    return isinstance(outer, (ast.FunctionDef, ast.AsyncFunctionDef)) and any(child is s for s in outer.body)


# Functions that are given what they captured as values

_SEEING: IdentityMap[CodeType] = IdentityMap()
"""Copies of the code of methods, by that."""

_HELD: IdentityMap[dict[str, str]] = IdentityMap()
"""The way in which the copies of code that `held_code` made see their free variables."""


def shared_names(code: CodeType, namespace: dict[str, Any]) -> frozenset[str]:
    """The free variables of a function that are rebound after their capture: it reads what they are when it runs."""
    held = _HELD.get(code) or {}
    names = [name for name in code.co_freevars if name not in held]
    if not names:
        return frozenset()
    found = find(code, namespace)
    chain, scopes = found.chain, found.source.scopes
    private = private_name(chain)
    return frozenset([name for name in names if _kind_of_capture(chain, scopes, private, name) in CELLS])


def held_code(code: CodeType, itself: Sequence[str]) -> CodeType:
    """A copy of the code of a function, for one whose free variables stay as they are; those named by `itself` are the
    function."""
    return _copy(code, {name: "itself" if name in itself else "value" for name in code.co_freevars})


def _copy(code: CodeType, kinds: dict[str, str]) -> CodeType:
    # What is made in the function sees these variables as values too.
    consts = [
        _copy(c, {name: "value" for name in c.co_freevars if name in kinds}) if isinstance(c, CodeType) else c
        for c in code.co_consts
    ]
    copy = code.replace(co_consts=tuple(consts))
    _HELD[copy] = kinds
    return copy
