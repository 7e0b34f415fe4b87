"""Copies of programs: what is handed out shares no node with what derivatives are made from."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from ..depth import with_room
from ..ir.intrinsics import Template
from ..ir.nodes import ATTEMPT, Block, Call, Closure, Const, Function, If, Loop, Signature, Star, Var

_FIELDS = {
    cls: tuple([f.name for f in fields(cls) if f.name not in ("free", "how") or cls is Function])
    for cls in (Block, Call, Closure, Const, Function, If, Loop, Signature, Star, Var)
}
"""The fields of each kind of node, but for what is found again."""
_SAID_OF_IT = ("span", "filename", "firstline", "label", "primal")
"""Fields that say something of a node, and do not change what it does."""


@with_room
def copied(function: Function) -> Function:
    """A program with nodes of its own.

    >>> import operator
    >>> f, x, y = Var("f"), Var("x"), Var("y")
    >>> first = Function("f", Block((f, x), (Call((y,), Const(operator.neg), (x,)),), (y,)))
    >>> second = copied(first)
    >>> second.body.statements[0].args[0] is second.params[1], second.params[1] is x
    (True, False)
    """
    made: dict[int, Any] = {}

    def copy(x: Any) -> Any:
        if type(x) is tuple:
            return tuple([copy(part) for part in x])
        if type(x) is Template and x.program is not None:
            return replace(x, program=copied(x.program))
        names = _FIELDS.get(type(x))
        if names is None or x is ATTEMPT:
            return x
        if id(x) not in made:
            made[id(x)] = new = object.__new__(type(x))
            for name in names:
                value = getattr(x, name)
                setattr(new, name, value if type(x) in (Var, Signature) or name == "label" else copy(value))
            if type(x) in (Block, Call):
                setattr(new, "free" if type(x) is Block else "how", None)
        return made[id(x)]

    found: Function = copy(function)
    return found


@with_room
def are_alike(a: Function, b: Function) -> bool:
    """True if two programs do the same, node by node, with variables and places of their own.

    >>> program = Function("f", Block((Var("f"), Var("x")), (), (Const(1.0),)))
    >>> are_alike(program, copied(program)), are_alike(program, Function("f", Block((Var(), Var()), (), (Const(2.0),))))
    (True, False)
    """
    partners: dict[Var, Var] = {}

    def like(x: Any, y: Any) -> bool:
        if type(x) is not type(y):
            return False
        if type(x) is tuple:
            return len(x) == len(y) and all(map(like, x, y))
        if type(x) is Var:
            return partners.setdefault(x, y) is y
        if type(x) is Template:
            return x.code is y.code and x.program is y.program
        names = _FIELDS.get(type(x))
        if names is None:
            return x is y or type(x) in (str, int, bool, type(None)) and x == y
        return all([like(getattr(x, name), getattr(y, name)) for name in names if name not in _SAID_OF_IT])

    return like(a, b)
