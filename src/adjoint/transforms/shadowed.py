"""Reverses of reads and stores of fields: what they do with the shadow of the object."""

from __future__ import annotations

from typing import Any

from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import FLOAT, UNKNOWN, Maybe
from ..tangents import (
    add_number_to_field,
    add_to_field,
    cotangent_of_field,
    set_cotangent_of_field,
    shadow_of,
    shadows_here,
)
from .cotangent_map import Cotangent, CotangentMap, bar_name
from .primal_builder import Builder


def load_field_back(s: Call, d: Cotangent, B: CotangentMap) -> None:
    """A read adds to what has come to its field."""
    owner, name = s.args
    add = add_number_to_field if d.definite and s.how.extra.is_real(name.value) else add_to_field  # type: ignore[union-attr]
    B.builder.effect(add, _shadow(owner, s.how.extra, B), name, d.atom)  # type: ignore[arg-type]


def store_field_back(s: Call, B: CotangentMap) -> None:
    """A store takes what has come to its field: what was there before gets none of it."""
    owner, name, value = s.args
    real = s.how.extra.is_real(name.value)  # type: ignore[union-attr]
    shadow = _shadow(owner, s.how.extra, B)
    if isinstance(value, Var) and value.active:
        t = FLOAT if real else UNKNOWN
        d = B.builder.call(cotangent_of_field, shadow, name, name=bar_name(value), type=t)  # type: ignore[arg-type]
        B.add(value, d, real)
    B.builder.effect(set_cotangent_of_field, shadow, name, Const(0.0 if real else None))  # type: ignore[arg-type]


def _shadow(owner: Any, fields: Any, B: CotangentMap) -> Atom:
    """The shadow of an object."""
    return found_once(B, shadow_of, owner, Const(fields.shadow_class()))


def found_once(B: CotangentMap, find: Any, owner: Any, *more: Atom) -> Atom:
    """The shadow that a function finds, once where its owner is known; of what may be None, where it is asked for."""
    known = isinstance(owner, Const)  # a scope
    if not known and (not isinstance(owner, Var) or owner in B.unbound or isinstance(owner.type, Maybe)):
        return B.builder.call(find, all_shadows(B), owner, *more)
    scope = _outermost(B) if known else B.scope_of(owner)
    key = id(owner.value) if known else owner, find
    if key not in scope.buffers:
        label = type(owner.value).__name__ if known else owner.name
        name = f"{label}_shadow" if label else ""
        scope.buffers[key] = _first(scope, find, all_shadows(B), owner, *more, name=name)
    return scope.buffers[key]


def all_shadows(B: CotangentMap) -> Var:
    """The shadows of the sweep, found when it begins."""
    B = _outermost(B)
    if (None, shadows_here) not in B.buffers:
        B.buffers[None, shadows_here] = _first(B, shadows_here, name="shadows")
    return B.buffers[None, shadows_here]


def _outermost(B: CotangentMap) -> CotangentMap:
    while B.parent is not None:
        B = B.parent
    return B


def _first(scope: CotangentMap, fn: Any, *args: Atom, name: str) -> Var:
    """The result of a call that a region begins with."""
    prelude = Builder(scope.builder.span)
    out = prelude.call(fn, *args, name=name)
    scope.builder.prelude += prelude.statements
    return out
