"""Exceptions that a program raises itself, and handles itself: exits, as `break` and `return` are.

    try: A; raise E(x); B     thrown, error = True, E(x)      where the type of that is followed; else it is raised
    except E as e: H      →   if thrown: (match the error ? H ... : throw it on)

A function that is called in the body is asked for both beside its result (`throwing`), where it is written out. So what
was done before an exception stays, and is reversed like anything else. What others raise is an attempt's matter.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from types import FunctionType
from typing import Any

from ..errors import AdjointError
from ..ir import exceptions
from ..ir.intrinsics import raise_
from ..ir.nodes import Atom, Call, Const, Var
from ..ops.questions import mutators
from .acting import resolve
from .builder import HANDLED, TRUE, Builder, known, statement
from .calls import REFUSED_CALLS, arguments
from .changing import BY_NAME, OF_HEAPS
from .letting import does_nothing
from .nodes import Called, Given, Step, Throw, Tried
from .source import find, span_of
from .statements import go_on, raise_statement

_ELSEWHERE = (ast.GeneratorExp, ast.Starred, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
"""Expressions in a call that is left where it is."""


# ---- statements in which exceptions are exits


def exits_of(b: Builder, body: Sequence[ast.stmt]) -> list[ast.stmt]:
    """Statements with what throws in them as statements of their own."""
    return [new for s in body for new in _exits(b, s)]


def _exits(b: Builder, s: Any) -> list[ast.stmt]:
    made: Any
    match s:
        case Throw() | Called():
            return [s]
        case ast.Raise():
            return [Throw(s.exc, s.cause, s)]
        case ast.If():
            before, test = _hoisted(b, s.test)
            made = ast.If(test, exits_of(b, s.body), exits_of(b, s.orelse))
        case ast.For():
            before, iterable = _hoisted(b, s.iter)
            made = ast.For(s.target, iterable, exits_of(b, s.body), exits_of(b, s.orelse))
        case ast.While():
            before, made = [], ast.While(s.test, exits_of(b, s.body), exits_of(b, s.orelse))
        case ast.With() if all([does_nothing(b, item.context_expr) for item in s.items]):
            before, made = [], ast.With(s.items, exits_of(b, s.body))
        case ast.Try():
            handlers = [_placed(b, ast.ExceptHandler(h.type, h.name, exits_of(b, h.body)), h) for h in s.handlers]
            before, made = [], Tried(exits_of(b, s.body), handlers, exits_of(b, s.orelse), s.finalbody)
        case ast.Expr(value=ast.Call()) | ast.Assign() | ast.Return(value=ast.expr()):
            before, value = _hoisted(b, s.value)  # type: ignore[arg-type]
            if not before:
                return [s]
            made = ast.Assign(s.targets, value) if isinstance(s, ast.Assign) else type(s)(value)
        case ast.AugAssign(target=ast.Name()) if _stays(b, s.target):
            before, value = _hoisted(b, s.value)
            made = ast.AugAssign(s.target, s.op, value)
        case _:
            return [s]
    return [*before, _placed(b, made, s)]


def _placed(b: Builder, made: Any, s: Any) -> Any:
    """A statement in place of another one, which changes the same names."""
    if s in b.scope.assigned:
        b.scope.assigned[made] = b.scope.assigned[s]
    return ast.copy_location(made, s)


def _hoisted(b: Builder, node: ast.expr) -> tuple[list[ast.stmt], ast.expr]:
    """The calls that may throw in an expression, as statements before it, and what is left of it."""
    before: list[ast.stmt] = []
    return before, _hoist(b, node, before)


def _hoist(b: Builder, node: Any, before: list[ast.stmt]) -> Any:
    """Hoist the calls of an expression, whose rest is given; what is evaluated in front of one is hoisted as well."""
    match node:
        case ast.Call() if _may_throw(b, node):
            return _evaluated(b, _hoisted_parts(b, node, before), before)
        case ast.Call(func) if _is_function(b, func) and not _acts_on_its_own(node):
            return _hoisted_parts(b, node, before)
        case ast.BinOp(left, op, right):
            left, right = _in_order(b, [left, right], before)
            return ast.copy_location(ast.BinOp(left, op, right), node)
        case ast.UnaryOp(op, operand):
            return ast.copy_location(ast.UnaryOp(op, _hoist(b, operand, before)), node)
        case ast.Compare(left, ops, rest):
            first, second = _in_order(b, [left, rest[0]], before)
            return ast.copy_location(ast.Compare(first, ops, [second, *rest[1:]]), node)
        case ast.Tuple(items, ctx):
            return ast.copy_location(ast.Tuple(_in_order(b, items, before), ctx), node)
    return node


def _hoisted_parts(b: Builder, node: ast.Call, before: list[ast.stmt]) -> ast.Call:
    """A call whose parts are hoisted, as far as these have calls in them."""
    func, n = node.func, len(node.args)
    values = [*node.args, *[k.value for k in node.keywords]]
    if isinstance(func, ast.Attribute) and isinstance(func.value, ast.Call):
        base, *values = _in_order(b, [func.value, *values], before)
        func = ast.copy_location(ast.Attribute(base, func.attr, func.ctx), func)
    else:
        values = _in_order(b, values, before)
    named = [ast.copy_location(ast.keyword(k.arg, v), k) for k, v in zip(node.keywords, values[n:], strict=True)]
    return ast.copy_location(ast.Call(func, values[:n], named), node)


def _in_order(b: Builder, items: Sequence[ast.expr], before: list[ast.stmt]) -> list[Any]:
    """Expressions that are evaluated one after the other, hoisted up to the last that has a call in it."""
    calls = [any([isinstance(n, ast.Call) and _may_throw(b, n) for n in ast.walk(item)]) for item in items]
    last = max([i for i, has in enumerate(calls) if has], default=-1)
    found: list[Any] = []
    for i, item in enumerate(items):
        new = _hoist(b, item, before) if i <= last else item
        found.append(new if i >= last or _stays(b, new) else _evaluated(b, new, before))
    return found


def _evaluated(b: Builder, node: Any, before: list[ast.stmt]) -> Given:
    """An expression that is evaluated by a statement of its own."""
    called = Called(node, b.fresh(".called"))
    before.append(called)
    return Given(called.key, node)


def _stays(b: Builder, node: ast.expr) -> bool:
    """Tell whether an expression has the same value after calls: a constant, or a name that no other function binds."""
    if isinstance(node, ast.Name):
        return b.mangle(node.id) in b.visible and b.mangle(node.id) not in b.cells
    return isinstance(node, (Given, ast.Constant))


def _is_function(b: Builder, func: ast.expr) -> bool:
    """Tell whether a call is of a function of a library, by its global name, or puts into a container, which means the
    same afterwards."""
    if isinstance(func, ast.Attribute) and func.attr in mutators():
        return _stays(b, func.value)
    found = resolve(b, func)
    return found is not None and not isinstance(found, FunctionType)


def _acts_on_its_own(node: ast.Call) -> bool:
    return any([isinstance(n, _ELSEWHERE) for n in ast.walk(node)])


def _may_throw(b: Builder, node: ast.Call) -> bool:
    """Tell whether a call may be of a function of the user's, which is written out."""
    if _acts_on_its_own(node):
        return False
    match node.func:
        case ast.Name(id="super"):
            return False
        case ast.Name(id=name):
            if name in REFUSED_CALLS or name in BY_NAME or name in OF_HEAPS:
                return False
            found = resolve(b, node.func)
            return isinstance(found, FunctionType) if found is not None else b.mangle(name) in _names(b)
        case ast.Attribute(attr=name):
            return name not in mutators() and name not in OF_HEAPS and resolve(b, node.func) is None
    return False


def _names(b: Builder) -> set[str]:
    """The names that stand for what this function, or one around it, has bound."""
    return {*b.visible, *b.env, *b.cells}


def is_raised_here(b: Builder, handler: ast.ExceptHandler, body: Sequence[ast.stmt]) -> bool:
    """Tell whether a handler seems to be there for exceptions that the program makes: of a class of its own, or of one
    that these statements, or functions of which it is seen, raise."""
    value = None if handler.type is None else _caught(b, handler.type)
    if value is None:
        return False
    if any([cls.__module__ != "builtins" for cls in value]):
        return True
    called = [n.func for s in body for n in ast.walk(s) if isinstance(n, ast.Call)]
    trees = [b.chain[-1], *[tree for func in called for tree in _text_of(resolve(b, func))]]
    raised = [_raised(n) for tree in trees for n in ast.walk(tree)]
    return any([name == base.__name__ for name in raised if name for cls in value for base in (cls, *_below(cls))])


def _text_of(function: Any) -> list[ast.AST]:
    try:
        known = isinstance(function, FunctionType)
        return [find(function.__code__, function.__globals__).node] if known else []
    except AdjointError:
        return []


def caught_by(b: Builder, handlers: Sequence[ast.ExceptHandler], needed: bool) -> exceptions.Catching:
    """Classes that handlers catch, with those that others around them do."""
    found = [(BaseException,) if h.type is None else _caught(b, h.type) for h in handlers]
    classes = [cls for own in found for cls in (own if own is not None else (BaseException,))]
    outer = b.catching
    return exceptions.Catching(needed or outer.needed, (*classes, *outer.classes))


def _caught(b: Builder, node: ast.expr) -> tuple[Any, ...] | None:
    """The classes that a handler names; None where that is not known."""
    found = [resolve(b, n) for n in (node.elts if isinstance(node, ast.Tuple) else [node])]
    return tuple(found) if all([isinstance(cls, type) for cls in found]) else None


def _below(cls: type) -> list[type]:
    return [other for other in vars(builtins).values() if isinstance(other, type) and issubclass(other, cls)]


def _raised(node: ast.AST) -> str:
    """The name of the class of what a statement raises."""
    made = node.exc if isinstance(node, ast.Raise) else node.value if isinstance(node, Throw) else None
    made = made.func if isinstance(made, ast.Call) else made
    return made.id if isinstance(made, ast.Name) else ""


# ---- what they are


def throw(b: Builder, error: Atom, at: Any) -> None:
    """Leave what is around by an exception that was made here: for the handlers around, or for good."""
    if b.throwing is None:
        b.call(raise_, error, at=at)
        b.dead = True
        return
    b.env.update({b.throwing.raised: TRUE, b.throwing.error: error})
    b.leave(at, ".return", *b.exits)


@statement(Throw)
def throw_(b: Builder, node: Throw, rest: Sequence[ast.stmt]) -> bool:
    """`raise`, where a handler may be here."""
    handled = b.env.get(HANDLED)
    if node.value is None and handled is not None and handled in b.thrown:
        throw(b, handled, node)
        return True
    if b.throwing is None or node.value is None:
        raise_statement(b, ast.copy_location(ast.Raise(node.value, node.cause), node), rest)
        return True
    error = b.call(exceptions.made_here, b.expr(node.value), at=node)
    cause = [] if node.cause is None else [b.expr(node.cause)]

    def leave() -> None:
        b.call(raise_, error, *cause, at=node)
        b.dead = True

    def go() -> None:
        throw(b, b.call(exceptions.caused, error, *cause, at=node) if cause else error, node)

    b.branch(b.call(exceptions.is_made, error, Const(b.catching), at=node), go, leave, node)
    return True


@statement(Called)
def called_(b: Builder, node: Called, rest: Sequence[ast.stmt]) -> bool:
    """A call whose function may throw."""
    call: Any = node.value
    if b.throwing is None or not isinstance(call, ast.Call) or not _may_throw(b, call):
        b.env[node.key] = b.expr(call)
        return go_on(b, node, rest)
    fn = b.expr(call.func)
    args, kwargs = arguments(b, call)
    outs = (Var(), Var("thrown"), Var("error"))
    b.statements.append(
        Call(outs, known(exceptions.throwing), (Const(b.catching), fn, *args), tuple(kwargs), span_of(call))
    )
    left = {flag: outs[1] for flag in (".return", *b.exits, b.throwing.raised) if flag is not None}
    b.env.update({b.throwing.error: outs[2], **left})

    def bind(b: Builder) -> None:
        b.env[node.key] = b.call(exceptions.returned, outs[0], at=call)

    return go_on(b, node, [Step(bind, node), *rest])
