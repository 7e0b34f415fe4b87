"""Functions in fields of objects that others may have, as the activation of a layer: they are known by what the fields
hold when the program begins, and by what it stores. A call of one of several is a branch."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..ir import classes, intrinsics
from ..ir.nodes import Atom, Block, Call, Const, If, Star, Statement, Var
from ..ir.types import BOOL, Known
from .chosen_functions import Held, is_plain_function
from .mapping import named, run
from .memory import Memory

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver


def functions_in(memory: Memory, cls: type, name: str) -> tuple[Any, ...]:
    """The functions of which a field holds one; none where it may hold anything else."""
    kinds = memory.get((cls, name), ())
    found = tuple([kind.value for kind in kinds if isinstance(kind, Known) and is_plain_function(kind.value)])
    return found if len(found) == len(kinds) else ()


def read(r: Resolver, s: Call, base: Atom, cls: type, name: str) -> Atom | None:
    """`base.name`, a function that is known, or one of several that is called; None of any other field."""
    memory: Memory = r.generation.memory
    functions = functions_in(memory, cls, name)
    if not functions or len(functions) > 1 and s.out not in r.uses.only_called:
        return None
    memory.constants.add((cls, name))
    if len(functions) == 1:
        return Const(functions[0])
    out, answers = Var(name), tuple([Var("", BOOL, False) for _ in functions[1:]])
    for answer, f in zip(answers, functions, strict=False):
        r.append(Call((answer,), Const(classes.holds), (base, Const(name), Const(f)), (), s.span))
    r.sp.facts[out] = Held(tuple(map(Const, functions)), answers)
    return out


def call(r: Resolver, s: Call, fact: Held, args: list[Any], kwargs: Kwargs) -> list[Atom]:
    """The call of such a function."""
    given = tuple([Star(named(r, a.value)) if isinstance(a, Star) else named(r, a) for a in args])
    options = tuple([(name, named(r, a)) for name, a in kwargs])
    out = Var(s.outs[0].name if s.outs else "")
    statement = _one_of(r, s, out, fact, given, options)
    return [run(r, [statement], out)][: len(s.outs)]


def _one_of(r: Resolver, s: Call, out: Var, fact: Held, args: Any, kwargs: Any) -> Statement:
    """The call of the first, if it is that one, else of one of the others."""
    first, *others = fact.functions
    if not others:
        return _call_of(r, s, out, fact, first, args, kwargs)
    then, orelse = Var(out.name), Var(out.name)
    rest = _one_of(r, s, orelse, replace(fact, functions=fact.functions[1:], answers=fact.answers[1:]), args, kwargs)
    taken = Block((), (_call_of(r, s, then, fact, first, args, kwargs),), (then,))
    return If((out,), named(r, fact.answers[0]), taken, Block((), (rest,), (orelse,)), s.span)


def _call_of(r: Resolver, s: Call, out: Var, fact: Held, f: Atom, args: Any, kwargs: Any) -> Call:
    if isinstance(f, Const) and type(f.value) is str:
        return Call((out,), Const(intrinsics.invoke), (named(r, fact.receiver), f, *args), kwargs, s.span)
    return Call((out,), named(r, f), args, kwargs, s.span)
