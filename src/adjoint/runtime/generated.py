"""Generated functions and their IR: derivatives of derivatives start from the IR, never from the printed text."""

from __future__ import annotations

import threading
import types
from typing import Any

from ..identity import IdentityMap
from ..ir import intrinsics
from ..ir.nodes import Block, Call, Closure, Const, Function, If, Loop, Signature, Statement, Var, captures_of
from ..origin import is_ours
from ..transforms.simplify import substitute

_IR: IdentityMap[Function] = IdentityMap()
_LINKS: IdentityMap[frozenset[str]] = IdentityMap()
_LOCK = threading.Lock()


def generated_ir(code: types.CodeType) -> Function | None:
    """The IR of a function that was generated, or None if it was not."""
    return _IR.get(code)


def is_derivative(code: types.CodeType) -> bool:
    """Tell whether a program may be a rule, or the `back` of one: those of this library count as such."""
    return generated_ir(code) is not None or is_ours(code.co_filename)


def links_of(code: types.CodeType) -> frozenset[str]:
    """The free names of generated code that stand for objects it uses, not for values it captures."""
    return _LINKS.get(code) or frozenset()


def register(
    function: types.FunctionType, ir: Function, names: dict[Var, str], drop_self: bool, links: frozenset[str]
) -> None:
    """Remember the IR of a generated function and of the functions nested in it."""
    if drop_self:
        own = Var(ir.name)
        body = Block((own, *ir.params[1:]), ir.body.statements, ir.body.results)
        ir = Function(ir.name, body, _signature(len(ir.params) - 1), ir.filename, ir.firstline)
    else:
        # The function object that the original receives is here the first ordinary argument.
        own = Var(ir.name)
        body = Block((own, *ir.params), ir.body.statements, ir.body.results)
        ir = Function(ir.name, body, _signature(len(ir.params)), ir.filename, ir.firstline)
    with _LOCK:
        _IR[function.__code__] = ir
        _LINKS[function.__code__] = links
        _register_nested(function.__code__, ir.body, names, links)


def _signature(n: int) -> Signature:
    return Signature(tuple(f"a{i}" for i in range(n)), n, n)


def _register_nested(code: types.CodeType, block: Block, names: dict[Var, str], links: frozenset[str]) -> None:
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    for closure in _closures(block):
        f = closure.function
        for c in inner:
            if c.co_name == f.name:
                _IR[c] = _with_captures(f, c, names)
                _LINKS[c] = links
                _register_nested(c, f.body, names, links)


def _closures(block: Block) -> list[Closure]:
    found = []
    statements: list[Statement] = list(block.statements)
    while statements:
        s = statements.pop()
        if isinstance(s, Closure):
            found.append(s)
        elif isinstance(s, If):
            statements += [*s.then.statements, *s.orelse.statements]
        elif isinstance(s, Loop):
            statements += s.body.statements
    return found


def _index_of(name: str | None, code: types.CodeType) -> int | None:
    """The place of a variable among those that code captures; one below zero is that of a default."""
    if name in code.co_freevars:
        return code.co_freevars.index(name)
    bound = code.co_varnames[code.co_posonlyargcount : code.co_argcount] if code.co_posonlyargcount else ()
    return -1 - bound.index(name) if name in bound else None


def _with_captures(f: Function, code: types.CodeType, names: dict[Var, str]) -> Function:
    """A nested function as one that stands alone: its captures read from its cells, known by position."""
    own = Var(f.name)
    reads: list[Statement] = []
    env: dict[Var, Any] = {}
    for i, v in enumerate(captures_of(f)):
        if not isinstance(v, Var) or v in env:
            continue
        local = Var(v.name)
        index = _index_of(names.get(v), code)
        if index is None:  # read only by what the text leaves out
            env[v] = Const(None)
            continue
        reads.append(Call((local,), Const(intrinsics.captured), (own, Const(str(i)), Const(index))))
        env[v] = local
    body = substitute(f.body, env)
    whole = Block((own, *body.params), (*reads, *body.statements), body.results)
    return Function(f.name, whole, _signature(len(body.params)), f.filename, f.firstline)
