"""Functions in a dict or a list of the program's own, as handlers of events, under a key that only the run shows.

It is one of a few, whose call is a branch (`held_functions`).
"""

from __future__ import annotations

import operator
import types
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir import checks, intrinsics
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import INT, Fn, Inert
from .facts import Bound
from .infer import type_of
from .virtual_classes import is_closed

if TYPE_CHECKING:
    from .resolve import Resolver


@dataclass(frozen=True)
class Held:
    """A fact: one of these functions, by the answers to which of them it is; the last if none says so."""

    functions: tuple[Atom, ...]
    answers: tuple[Var, ...]


def is_plain_function(f: Any) -> bool:
    """Tell whether a function holds nothing that it could change, or show to others: defaults are numbers and texts."""
    if type(f) is types.FunctionType:
        defaults = (*(f.__defaults__ or ()), *(f.__kwdefaults__ or {}).values())
        return not (f.__closure__ or f.__dict__) and is_closed(defaults)
    return isinstance(f, np.ufunc | types.BuiltinFunctionType)


MAX_CHOSEN = 8
"""The number of functions of a container that a call is a branch on."""


def under_key(r: Resolver, s: Call, key: Atom, keys: tuple[Any, ...], values: list[Any]) -> Atom | None:
    """`d[key]`, where each value is a function that is known, and is only called; None of anything else."""
    t = Inert(str) if type(keys[0]) is str else INT
    if type_of(key) != t or s.out not in r.uses.only_called or not 1 < len(keys) <= MAX_CHOSEN:
        return None
    if not all([_is_function(r, f) for f in values]):
        return None
    r.append(Call((), Const(intrinsics.check), (key, Const(checks.check_key), Const(keys)), (), s.span))
    if t == INT:
        key = r.emit_call(operator.mod, [key, Const(len(keys))], s.span)
    answers = tuple([r.emit_call(operator.eq, [key, Const(k)], s.span) for k in keys[:-1]])
    out = Var(s.out.name)
    r.sp.facts[out] = Held(tuple(values), answers)  # type: ignore[arg-type]
    return out


def _is_function(r: Resolver, f: Any) -> bool:
    """Tell whether an item is a function of the program's, or a method of one of its objects."""
    fact = r.sp.facts.get(f)
    held = f in r.sp.heap and (
        isinstance(f.type, Fn) or isinstance(fact, Bound) and type(fact.function) is types.FunctionType
    )
    return held or isinstance(f, Const) and is_plain_function(f.value) or isinstance(type_of(f), Fn)
