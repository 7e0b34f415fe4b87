"""Methods that Python calls by itself, of objects whose fields are known.

They are called where the program has an item or a question.
"""

from __future__ import annotations

import inspect
import operator
import types
from typing import TYPE_CHECKING, Any

from ..ir import changes, checks, intrinsics
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.types import BOOL, INT, Record
from .infer import type_of

if TYPE_CHECKING:
    from .resolve import Args, Resolver

SPECIAL: dict[Any, str] = {
    len: "__len__",
    next: "__next__",
    changes.delete_item: "__delitem__",
    operator.contains: "__contains__",
    intrinsics.not_contains: "__contains__",
}
"""The methods that Python calls for what stands in a program as a function of its own."""


def special(r: Resolver, s: Call, base: Var, name: str, args: Args) -> Atom:
    """Result of a special method that Python calls on an object."""
    static = inspect.getattr_static(base.type.cls, name, None) if isinstance(base.type, Record) else None
    if type(static) is not types.FunctionType:
        raise r.sp.heap.escape(base)
    r.guard(base.type.cls, name, static)  # type: ignore[attr-defined]
    return r.general(Call((Var(s.outs[0].name),), Const(static), (), (), s.span), Const(static), [base, *args], [])


def by_special(r: Resolver, s: Call, f: Any, args: Args) -> list[Atom]:
    """The same where a program calls the function that asks for the method."""
    base: Any = args[0]
    given = special(r, s, base, SPECIAL[f], args[1:])
    if f in (operator.contains, intrinsics.not_contains):
        if not _is_flag(given):
            raise r.sp.heap.escape(base)  # Python asks whether it counts as true
        return [given if f is operator.contains else r.emit_call(operator.not_, [given], s.span)]
    made = r.made.get(given)
    counted = isinstance(given, Const) and type(given.value) is int and given.value >= 0
    counted = counted or isinstance(made, Call) and isinstance(made.fn, Const) and made.fn.value is len
    if f is len and not counted:
        if type_of(given) != INT or r.context.plain:
            raise r.sp.heap.escape(base)  # Python refuses what is no length
        r.append(Call((), Const(intrinsics.check), (given, Const(checks.check_length)), (), s.span))
    return [base] if f is changes.delete_item else [given]


def _is_flag(a: Atom) -> bool:
    return type_of(a) == BOOL or isinstance(a, Const) and type(a.value) is bool


def truth_of(r: Resolver, s: Call, a: Any) -> Atom:
    """The question of a branch in place of a user's object: what its `__bool__` gives, or its length."""
    if not r.sp.heap.is_object(a) or type(a.type) is not Record or a in r.sp.heap.contents:
        return a  # type: ignore[no-any-return]
    names = [name for name in ("__bool__", "__len__") if inspect.getattr_static(a.type.cls, name, None) is not None]
    if not names:
        return a  # type: ignore[no-any-return]
    if names[0] == "__len__":
        return r.emit_call(operator.ne, [by_special(r, s, len, [a])[0], Const(0)], s.span)
    given = special(r, s, a, "__bool__", [])
    if not _is_flag(given):
        raise r.sp.heap.escape(a)
    return given
