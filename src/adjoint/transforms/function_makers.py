"""Functions that choose other functions, and give these: they are written out where they are called."""

from __future__ import annotations

import functools
import types
from typing import TYPE_CHECKING, Any

from ..ir import intrinsics
from ..ir.nodes import Atom, Const, Function, If, Statement, blocks_of
from ..ir.types import Fn
from .facts import Items
from .infer import type_of
from .partials import Partial
from .uses import is_call_of

if TYPE_CHECKING:
    from .resolve import Resolver

_MAKING = (intrinsics.make_function, intrinsics.annotated, functools.partial)


@functools.lru_cache(maxsize=256)
def gives_functions(lowered: Function) -> bool:
    """Tell whether a function may give one that it makes, alone or in a tuple."""
    made: dict[Any, list[Any]] = {}
    makers = set[Any]()
    todo: list[Statement] = [*lowered.body.statements]
    while todo:
        s = todo.pop()
        todo += [inner for block in blocks_of(s) for inner in block.statements]
        makers.update(s.outs if is_call_of(s, _MAKING) else ())
        if isinstance(s, If):
            made.update({out: [a, b] for out, a, b in zip(s.outs, s.then.results, s.orelse.results, strict=True)})
        elif is_call_of(s, (intrinsics.make_tuple,)):
            made[s.outs[0]] = [*s.args]  # type: ignore[union-attr]
    found, waiting = set[Any](), [*lowered.body.results]
    while waiting:
        a = waiting.pop()
        waiting += [] if a in found else made.get(a, [])
        found.add(a)
    return not found.isdisjoint(makers)


def is_of_functions(r: Resolver, a: Atom) -> bool:
    """Tell whether a value is a function that is known, or a tuple with one."""
    fact = r.sp.facts.get(a)
    if isinstance(fact, Items):
        return any([is_of_functions(r, item) for item in fact.atoms])
    return isinstance(fact, Partial) or isinstance(type_of(a), Fn) or _is_function(a)


def _is_function(a: Atom) -> bool:
    return isinstance(a, Const) and type(a.value) is types.FunctionType


def makes_function(s: Statement) -> bool:
    """Tell whether a statement makes a function, and does nothing else."""
    return is_call_of(s, _MAKING)
