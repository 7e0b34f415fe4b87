"""Generated functions and their IR: derivatives of derivatives start from the IR, never from the printed text."""

from __future__ import annotations

import threading
import types
import weakref
from typing import Any

from ..identity import IdentityMap
from ..ir import intrinsics
from ..ir.nodes import Block, Call, Closure, Const, Function, If, Loop, Signature, Statement, Var, captures_of
from ..ir.places import LEFT_OUT, NOTHING, PLACES
from ..ir.types import UNKNOWN, Fn, Known, List, Tuple, Type
from ..origin import is_ours
from ..transforms.simplify import substitute

_IR: IdentityMap[Function] = IdentityMap()
_LINKS: IdentityMap[frozenset[str]] = IdentityMap()
_NESTED: IdentityMap[tuple[Function, tuple[Any, ...], tuple[Any, ...]]] = IdentityMap()
"""By the code of nested functions: the function in the IR around it, and what its free names and its defaults stand
for, each a variable of that IR, or the cell of an object that it uses."""
_CODES: dict[int, weakref.ref[types.CodeType]] = {}
"""The code of such functions, by their identity."""
_ALIVE: dict[int, weakref.ref[types.CodeType]] = {}
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


def type_of_closure(function: Function, held: dict[Var, Type], scope: dict[str, Any]) -> Type:
    """The type of a nested function of a generated program, from the types of what it captures."""
    code = known() if (known := _CODES.get(id(function))) is not None else None
    found = None if code is None else _NESTED.get(code)
    if code is None or found is None or found[0] is not function:
        return UNKNOWN
    _, free, defaults = found
    types_ = {v: UNKNOWN if _nests(t, code) else t for v, t in held.items()}
    captures = [Known(a.cell_contents) if isinstance(a, types.CellType) else types_[a] for a in free]
    return Fn(code, tuple(captures), tuple([types_[v] for v in defaults]), (), None, scope)


def _nests(t: Type, code: types.CodeType, depth: int = 0) -> bool:
    """Tell whether a type leads to functions of such a code, as those of recursions do, or to very many others."""
    if isinstance(t, Tuple):
        return any([_nests(item, code, depth) for item in t.items])
    if isinstance(t, List):
        return _nests(t.item, code, depth)
    return isinstance(t, Fn) and (t.code is code or depth > 2 or any([_nests(p, code, depth + 1) for p in t.parts]))


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
        cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
        _register_nested(function.__code__, ir.body, names, {name: cells[name] for name in links if name in cells})


def _signature(n: int) -> Signature:
    return Signature(tuple(f"a{i}" for i in range(n)), n, n)


def _register_nested(
    code: types.CodeType, block: Block, names: dict[Var, str], links: dict[str, types.CellType]
) -> None:
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    for closure in _closures(block):
        f = closure.function
        for c in inner:
            if c.co_name == f.name:
                _IR[c] = _with_captures(f, c, names)
                _LINKS[c] = frozenset(links)
                _note(f, c, names, links)
                _register_nested(c, f.body, names, links)


def _note(f: Function, code: types.CodeType, names: dict[Var, str], links: dict[str, types.CellType]) -> None:
    """Remember of a nested function what its code captures."""
    held: dict[Any, Any] = {names.get(v): v for v in captures_of(f) if isinstance(v, Var)} | links
    bound = code.co_varnames[code.co_posonlyargcount : code.co_argcount] if code.co_posonlyargcount else ()
    if all([name in held for name in (*code.co_freevars, *bound)]):
        _NESTED[code] = f, tuple([held[n] for n in code.co_freevars]), tuple([held[n] for n in bound])
        _CODES[id(f)] = weakref.ref(code, lambda _: _CODES.pop(id(f), None))


def _note_places(code: types.CodeType, places: dict[str, int]) -> None:
    """Remember where functions of a code have what they capture, for as long as the code lives."""
    key = id(code)

    def forget(_: Any) -> None:
        PLACES.pop(key, None)
        _ALIVE.pop(key, None)

    PLACES[key] = places
    _ALIVE[key] = weakref.ref(code, forget)


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
    places: dict[str, int] = {}
    for i, v in enumerate(captures_of(f)):
        index = _index_of(names.get(v), code) if isinstance(v, Var) else NOTHING
        places[str(i)] = LEFT_OUT if index is None else index
        if not isinstance(v, Var) or v in env:
            continue
        local = Var(v.name)
        if index is None:  # read only by what the text leaves out
            env[v] = Const(None)
            continue
        reads.append(Call((local,), Const(intrinsics.captured), (own, Const(str(i)), Const(index))))
        env[v] = local
    body = substitute(f.body, env)
    _note_places(code, places)
    whole = Block((own, *body.params), (*reads, *body.statements), body.results)
    return Function(f.name, whole, _signature(len(body.params)), f.filename, f.firstline)
