"""Constants that functions give, told where they are called from the types of their arguments."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

from ..ir import intrinsics
from ..ir.nodes import Atom, Call, Const, Function, Statement
from ..ir.types import NONE, Fn
from .facts import Path
from .function_makers import is_of_functions, makes_function
from .infer import is_known, is_simple, type_of
from .inlining import inlined
from .uses import is_call_of

if TYPE_CHECKING:
    from .resolve import Args, Resolver

MAX_DEPTH = 2
"""The depth to which calls that may give a constant are looked into: each is read once more if it does not."""


def constant(r: Resolver, s: Call, function: Any, lowered: Function, fn: Atom, bound: Args) -> Atom | None:
    """The constant that a function gives, written out where it is called, if it only reads fields for that; or the
    functions, if it only makes these."""
    if r.sp.frame.depth > MAX_DEPTH or r.generation.writes:
        return None
    start, unsure, heap = len(r.sp.statements), r.context.unsure, r.sp.heap.state
    found = inlined(r, s, function, lowered, fn, bound, True)
    made = r.sp.statements[start:]
    if found is not None and is_of_functions(r, found) and all([_only_reads(r, c) or makes_function(c) for c in made]):
        return found
    del r.sp.statements[start:]
    r.context.unsure, r.sp.heap.state = unsure, heap
    return found if isinstance(found, Const) and all([_only_reads(r, c) for c in made]) else None


def _only_reads(r: Resolver, s: Statement) -> bool:
    """Tell whether a statement reads a field that is surely there, or makes a tuple."""
    if is_call_of(s, (builtins.getattr,)):
        return isinstance(r.sp.facts.get(s.outs[0]), Path)
    return is_call_of(s, (intrinsics.make_tuple,))


def only_gives(handle: Any) -> Const | None:
    """The constant that a function gives which does nothing else for arguments of these types."""
    primal = handle.primal if handle.done else None
    if primal is None or not isinstance(primal.result, Const) or not is_simple(primal.result.value):
        return None
    reads = all([is_call_of(s, (intrinsics.capture, intrinsics.load_global)) for s in primal.body.statements])
    return primal.result if reads else None


def given_by_itself(r: Resolver, function: Any, own: Fn, bound: Args) -> Const | None:
    """The constant that a function gives for other arguments than those for which it is being read."""
    types_ = tuple(map(type_of, bound))
    if r.context.plain or not all(map(is_known, types_)):
        return None
    handle = r.generation.callee(r.context, function, (own, *types_), (False,) * (1 + len(bound)))
    given = None if handle is None else only_gives(handle)
    for param, names, u in handle.paths.values() if given is not None else ():  # those of global names
        r.context.rely(param, names, u)
    return given


def decides(a: Atom) -> bool:
    """Tell whether an argument is an option that is constant."""
    return isinstance(a, Const) and type(a.value) in (bool, type(None), str) or type_of(a) == NONE
