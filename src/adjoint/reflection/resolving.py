"""Programs that are handed out: functions that they make stand in them, with the names known that they look up."""

from __future__ import annotations

import builtins
import types
from dataclasses import replace

from ..ir.intrinsics import capture, load_global
from ..ir.nodes import Call, Const, Function, Statement, Var
from ..transforms.simplify import substitute
from .copying import copied
from .program import Program
from .rewriting import rewritten
from .templates import Scope, as_read, inner_of, statements_in, template_of, with_inner


def handed(program: Program) -> Program:
    """A program that a user gets, with nodes of its own."""
    scope = getattr(program.own, "__globals__", {})
    return replace(program, function=opened(program.function, scope, program.types is not None))


def opened(function: Function, scope: Scope, is_typed: bool) -> Function:
    """A program with nodes of its own, in which the functions that it makes stand as programs. Where it `is_typed`, the
    functions that these name are known."""

    def change(s: Statement) -> Statement:
        template = template_of(s)
        if template is None or template.program is not None:
            return s
        inner = as_read(template, scope)
        if inner is None:
            return s
        return with_inner(s, opened(resolved(inner, scope) if is_typed else inner, scope, is_typed))

    return copied(rewritten(function, change))


def resolved(function: Function, scope: Scope) -> Function:
    """The program in which the functions and modules that it names stand themselves.

    >>> import math
    >>> from adjoint.ir.nodes import Block
    >>> f, m, s = Var("f"), Var("math"), Var()
    >>> reads = Call((m,), Const(load_global), (f, Const("math"))), Call((s,), Const(getattr), (m, Const("sin")))
    >>> resolved(Function("f", Block((f,), reads, (s,))), {"math": math}).body
    Block(params=(%f,), statements=(), results=(math.sin,))
    """
    known: dict[Var, Const] = {}

    def change(s: Statement) -> Statement | None:
        found = _named(s, function.params[0], known, scope)
        if found is None:
            return s
        known[s.outs[0]] = found
        return None

    body = rewritten(function, change).body
    return replace(function, body=substitute(body, dict(known)))


def _named(s: Statement, own: Var, known: dict[Var, Const], scope: Scope) -> Const | None:
    """The function or module that a statement looks up by its name."""
    if not (isinstance(s, Call) and isinstance(s.fn, Const) and len(s.args) == 2 and isinstance(s.args[1], Const)):
        return None
    of, name = s.args[0], s.args[1].value
    if s.fn.value is load_global and of is own:
        value, label = scope.get(name, getattr(builtins, name, None)), name
    elif s.fn.value is getattr and isinstance(of, Var) and of in known:
        module = known[of]
        if not isinstance(module.value, types.ModuleType):
            return None
        value, label = getattr(module.value, name, None), f"{module.label}.{name}"
    else:
        return None
    return Const(value, label) if callable(value) or isinstance(value, types.ModuleType) else None


def known_in(program: Program) -> dict[Var, Const]:
    """The functions and modules that variables of a program hold, by the names that it and the functions inside look
    up."""
    scope: Scope = getattr(program.own, "__globals__", {})
    cells = getattr(program.own, "__closure__", None) or ()
    known: dict[Var, Const] = {}
    for s in statements_in(program.function.body):
        if isinstance(s, Call) and isinstance(s.fn, Const) and s.fn.value is capture and s.args[0] is program.params[0]:
            name, index = [a.value for a in s.args[1:] if isinstance(a, Const)]
            known[s.outs[0]] = Const(getattr(cells[index], "cell_contents", None), name)
    inner = [made for s in statements_in(program.function.body) if (made := inner_of(s)) is not None]
    for function in (program.function, *inner):
        for s in statements_in(function.body):
            if (found := _named(s, function.params[0], known, scope)) is not None:
                known[s.outs[0]] = found
    return known
