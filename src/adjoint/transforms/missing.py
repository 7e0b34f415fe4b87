"""Attributes that values of a type never have: to read or to store one raises, and nothing behind that is reached."""

from __future__ import annotations

import builtins
from typing import TYPE_CHECKING, Any

from ..ir import changes, exceptions, intrinsics
from ..ir.nodes import UNDEF, Atom, Call, Const, Statement, Var
from ..ir.types import Array, Inert, Scalar
from .infer import type_of
from .uses import is_call_of
from .virtual_classes import has

if TYPE_CHECKING:
    from .resolve import Resolver


def raised(r: Resolver, s: Call, base: Atom, name: str, *value: Any) -> list[Atom] | None:
    """The result of a read, or of a store of a value, of an attribute that numbers and arrays do not have: nothing.
    None of others."""
    if not isinstance(type_of(base), (Array, Scalar)) or has(r, base, Const(name)) is not False:
        return None
    error = Var("error", Inert(AttributeError))
    r.append(Call((error,), Const(exceptions.missing), (base, Const(name), *value), (), s.span))
    r.append(Call((Var(""),), Const(intrinsics.raise_), (error,), (), s.span))
    return [UNDEF] * len(s.outs)


def leaves(s: Statement, written: list[Statement]) -> bool:
    """Tell whether a statement of a program that is read was such a read or store, by what has been written last."""
    of_field = is_call_of(s, (builtins.getattr, changes.set_attribute, changes.hold_field))
    return of_field and bool(written) and is_call_of(written[-1], (intrinsics.raise_,))
