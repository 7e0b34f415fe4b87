"""Calls: of functions, of methods that may change a local variable, and of what consumes a generator at once."""

from __future__ import annotations

import ast
import builtins
import functools
import heapq
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..ir.changes import append_at, call_method, call_with, check_none, initialise
from ..ir.intrinsics import raise_, write_out
from ..ir.nodes import UNDEF, Atom, Call, Const, Star, Var
from ..ops.questions import left_by, mutators
from .acting import resolve
from .builder import FALSE, TRUE, Builder, display, expression, known
from .changing import BY_NAME, OF_HEAPS, written_by_name
from .comprehensions import as_list, comprehension_loops, items, merged
from .source import span_of

REFUSED_CALLS = {
    "exec": "what it runs is not known before it runs",
    "eval": "what it runs is not known before it runs",
    "locals": "the variables of generated code are not the function's own",
    "globals": "what is stored there cannot be followed",
}
HEAPS = [getattr(heapq, name) for name in OF_HEAPS]
CONSUMERS: tuple[Any, ...] = (
    *(builtins.sum, builtins.list, builtins.tuple, builtins.set, builtins.frozenset, builtins.dict),
    *(builtins.sorted, builtins.max, builtins.min, math.fsum, math.prod, functools.reduce),
)


@expression(ast.Call)
def call(b: Builder, node: ast.Call, name: str) -> Atom:
    """`f(a, *b, c=d, **e)`."""
    match node.func:
        case ast.Name(id="super") if not node.args and not node.keywords and "__class__" in b.code.co_freevars:
            first = b.read(b.code.co_varnames[0] if b.code.co_argcount else "self", node)
            return b.apply(b.read("super", node.func), (b.read("__class__", node), first), (), node, name)
        case ast.Name(id=called) if called in REFUSED_CALLS and not _is_local(b, called):
            b.refuse(node, f"a call of `{called}`", REFUSED_CALLS[called])
        case ast.Name(id="vars" | "dir" as called) if not (node.args or node.keywords or _is_local(b, called)):
            b.refuse(node, f"a call of `{called}` without argument", REFUSED_CALLS["locals"])
        case ast.Attribute(value=ast.Name() as receiver, attr=method) if method in mutators() and (
            _is_local(b, receiver.id) or b.mangle(receiver.id) in b.env or b.mangle(receiver.id) in b.cells
        ):
            return _mutating_call(b, node, receiver, method, name)
        case ast.Attribute(value=ast.Attribute() as field, attr=method) if method in mutators() and (
            b.fields is not None and b.fields.key(b, field) is not None
        ):
            return _mutating_call(b, node, field, method, name)
        case ast.Attribute(value=ast.Subscript(value=ast.Name() as receiver) as item, attr="append") if (
            b.mangle(receiver.id) in b.env and len(node.args) == 1 and not node.keywords
        ):
            return _append_to_item(b, node, receiver, item)
        case ast.Name(id=".initialise"):
            return _initialise(b, node, name)
        case ast.Name(id=".check_none"):
            return b.call(check_none, b.expr(node.args[0]), at=node)
    if _changes_a_local(b, node) or _stores_by_name(b, node):
        return _mutating_call(b, node, node.args[0], None, name)
    if (out := _out_of(b, node)) is not None:
        return _mutating_call(b, node, out, None, name)
    result = _consuming_call(b, node, name)
    if result is not None:
        return result
    fn = b.expr(node.func)
    args, kwargs = arguments(b, node)
    return b.apply(fn, args, kwargs, node, name)


def _initialise(b: Builder, node: ast.Call, name: str) -> Atom:
    """The function that may go on with an object that is being made: a method of its own, or of a class that is
    named."""
    function, own, *args_ = node.args
    handed = args_[:1] and isinstance(args_[0], ast.Name) and args_[0].id == own.id  # type: ignore[attr-defined]
    if handed and isinstance(function, ast.Attribute) and function.attr not in ("__init__", "__setattr__"):
        owner = function.value
        of_own = isinstance(owner, ast.Call) or isinstance(owner, ast.Name) and owner.id == own.id  # type: ignore[attr-defined]
        goes_on = isinstance(resolve(b, owner), type) or resolve(b, function) is functools.update_wrapper
        if not of_own and not goes_on:
            b.expr(ast.copy_location(ast.Call(function, args_, node.keywords), node))
            return b.expr(own)
    args, kwargs = arguments(b, node)
    return b.apply(known(initialise), args, kwargs, node, name)


def arguments(b: Builder, node: ast.Call) -> tuple[list[Atom | Star], list[tuple[str | None, Atom]]]:
    """Lower the arguments of a call."""
    return items(b, node.args), _keywords(b, node)


def _keywords(b: Builder, node: ast.Call) -> list[tuple[str | None, Atom]]:
    return [(k.arg, b.expr(k.value) if k.arg is not None else merged(b, k.value)) for k in node.keywords]


def _is_local(b: Builder, name: str) -> bool:
    return b.mangle(name) in b.visible


def _mutating_call(b: Builder, node: ast.Call, receiver: ast.expr, method: str | None, name: str) -> Atom:
    """A call that changes a local variable in place, by a method; by a function where `method` is None."""
    function = None if method else b.expr(node.func)
    target, variable = b.base(receiver)
    args, kwargs = arguments(b, node)
    target = b.latest(target, variable, *node.args, *(k.value for k in node.keywords))
    outs = (Var(name), Var(display(variable)))
    if function is None:
        by: tuple[Atom, ...] = known(call_method), target, Const(method)
    elif receiver in node.args:
        by, args = (known(call_with), target, function), args[1:]
    else:
        by = known(call_with), target, known(write_out), function
        kwargs = [(key, value) for key, value in kwargs if key != "out"]
    b.statements.append(Call(outs, by[0], (*by[1:], *args), tuple(kwargs), span_of(node)))
    if variable is not None and b.env[variable] is target:
        b.rebind(variable, outs[1])
    return outs[0]


def _changes_a_local(b: Builder, node: ast.Call) -> bool:
    """Tell whether a call is of a function of `heapq` that changes a local list, or of one like `np.fill_diagonal`,
    which writes into a local array."""
    match node:
        case ast.Call(args=[ast.Name(id), *rest]) if b.mangle(id) in b.env or b.mangle(id) in b.cells:
            if any([isinstance(a, ast.Starred) for a in rest]) or any([k.arg is None for k in node.keywords]):
                return False
            called = resolve(b, node.func)
            return not node.keywords and any([called is f for f in HEAPS]) or left_by(called) is not None
    return False


def _out_of(b: Builder, node: ast.Call) -> ast.expr | None:
    """The local array that a ufunc is told to write into; None of any other call."""
    name = b.mangle(written_by_name(node))
    if not (name in b.env or name in b.cells) or any([k.arg is None for k in node.keywords]):
        return None
    starred = any([isinstance(a, ast.Starred) for a in node.args])
    called = None if starred else resolve(b, node.func)
    return next(k.value for k in node.keywords if k.arg == "out") if isinstance(called, np.ufunc) else None


def _stores_by_name(b: Builder, node: ast.Call) -> bool:
    """Tell whether a call is `setattr(target, name, value)`, or `delattr(target, name)`."""
    called = resolve(b, node.func) if isinstance(node.func, ast.Name) and node.func.id in BY_NAME else None
    n = 3 if called is builtins.setattr else 2 if called is builtins.delattr else -1
    return n == len(node.args) and not (node.keywords or any([isinstance(a, ast.Starred) for a in node.args]))


def _append_to_item(b: Builder, node: ast.Call, receiver: ast.Name, item: ast.Subscript) -> Atom:
    """`rows[i].append(v)`: a store into `rows`."""
    container, variable = b.base(receiver)
    key = b.expr(item.slice)
    value = b.expr(node.args[0])
    container = b.latest(container, variable, item.slice, node.args[0])
    b.rebind(variable, b.call(append_at, container, key, value, at=node, name=display(variable)))
    return Const(None)


def _consuming_call(b: Builder, node: ast.Call, name: str) -> Atom | None:
    """Lower a call that consumes a generator expression at once (`sum(... for ...)`); None if it does not."""
    place = next((i for i, arg in enumerate(node.args[:2]) if isinstance(arg, ast.GeneratorExp)), None)
    if place is None:
        return None
    called = resolve(b, node.func)
    alone = len(node.args) == 1 and not node.keywords
    if alone and (called is any or called is all):
        return _search(b, node.args[0], node, name, called is all)
    if (
        place == 0
        and called is next
        and not any(isinstance(n, ast.Call) for arg in node.args[1:] for n in ast.walk(arg))
    ):
        return _first(b, node.args[0], node, name)
    joins = isinstance(node.func, ast.Attribute) and node.func.attr == "join" and alone
    if not joins and (place != (called is functools.reduce) or not any(called is c for c in CONSUMERS)):
        return None
    fn = b.expr(node.func)
    before = items(b, node.args[:place])
    values = as_list(b, node.args[place])
    return b.apply(fn, (*before, values, *items(b, node.args[place + 1 :])), _keywords(b, node), node, name)


def _first(b: Builder, node: Any, at: ast.Call, name: str) -> Atom:
    """`next(... for ...)`: a loop that ends at the first item."""
    found, item = f".found{b.depth}", f".item{b.depth}"
    b.depth += 1

    def take() -> Sequence[Atom]:
        b.env[item], b.env[found] = b.expr(node.elt), TRUE
        return ()

    def end() -> None:
        b.call(raise_, b.call(StopIteration, at=at), at=at)

    b.env[found], b.env[item] = FALSE, b.expr(at.args[1]) if len(at.args) > 1 else UNDEF
    comprehension_loops(b, node, take, (), (found, item), stop=found)
    b.depth -= 1
    was_found = b.env.pop(found)
    if len(at.args) == 1:
        b.branch(was_found, lambda: None, end, at)
    return b.env.pop(item)


def _search(b: Builder, node: Any, at: ast.Call, name: str, every: bool) -> Atom:
    """`any` and `all`: a loop that ends at the first value that decides."""
    key = f".found{b.depth}"
    b.depth += 1

    def test() -> Sequence[Atom]:
        def found() -> None:
            b.env[key] = TRUE

        value = b.expr(node.elt)
        go_on: Callable[[], None] = lambda: None  # noqa: E731
        b.branch(value, go_on if every else found, found if every else go_on, node)
        return ()

    b.env[key] = FALSE
    comprehension_loops(b, node, test, (), (key,), stop=key)
    b.depth -= 1
    found = b.env.pop(key)
    return b.call(operator.not_, found, at=at, name=name) if every else found
