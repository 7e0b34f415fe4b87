"""Lists that grow after they have been handed on: who keeps one is given a copy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..errors import MutationError
from ..ir import changes, intrinsics
from ..ir.nodes import Atom, Call, Const, Statement, Var
from ..ir.types import UNKNOWN, List, Maybe
from ..origin import module_of
from .effects import looks
from .facts import Dynamic, Structural, is_active
from .frames import place_of
from .infer import type_of

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver


def hands_on(s: Statement) -> bool:
    """Tell whether a statement hands what it reads to a function that may read its items."""
    if not isinstance(s, Call) or not isinstance(s.fn, Const):
        return isinstance(s, Call)
    module = module_of(s.fn.value)
    return not module.startswith("adjoint.ir.") and not looks(s.fn.value, s.args, s.kwargs)


def steady_arguments(
    r: Resolver, s: Call, fn: Atom, args: Sequence[Any], kwargs: Kwargs, how: Any
) -> tuple[Sequence[Any], Kwargs]:
    """The arguments of a call for a rule that may keep them: functions that only look are given copies of lists that
    grow. What is known only when it runs may give its argument back, or keep it."""
    target = args[0] if isinstance(fn, Const) and fn.value is intrinsics.apply else fn
    known = isinstance(target, Const) and r.generation.find_rules(target.value) is not None
    if isinstance(how, Dynamic) and not known and any([a in r.unsteady and isinstance(type_of(a), List) for a in args]):
        raise MutationError(
            "a list is handed to a function that is known only as the program runs, and grows afterwards",
            "the derivative would find the list as it is in the end",
            "hand on a copy: `list(xs)`",
            place=place_of(r.context.function, s),
        )
    if isinstance(fn, Const) and looks(fn.value, args, kwargs) or isinstance(how, Dynamic) and not known:
        return [snapshot(r, a, s) for a in args], [(name, snapshot(r, v, s)) for name, v in kwargs]
    return args, kwargs


def snapshot(r: Resolver, a: Atom, s: Call) -> Atom:
    """A list that grows afterwards as it is now, for a rule that keeps it."""
    if not _grows(r, a):
        return a
    copy = Var("", type_of(a), is_active(a))
    r.append(Call((copy,), Const(changes.snapshot), (a,), (), s.span, Structural("same") if copy.active else None))
    return copy


def _grows(r: Resolver, a: Atom) -> bool:
    """Tell whether something may be a list that grows after it has been read here."""
    return a in r.unsteady and (isinstance(type_of(a), List) or type_of(a) == UNKNOWN)


def fold_read_name(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom]:
    """A value that is kept of a variable that may have none, in a program that is differentiated again."""
    out = Var(s.out.name, type_of(args[0]), is_active(args[0]))
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural("same") if out.active else None))
    return [out]


def fold_present(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> list[Atom]:
    """A number that may be None as the number that it is."""
    t = type_of(args[0])
    if not isinstance(t, Maybe):
        return [args[0]]
    out = Var(s.out.name, t.item, is_active(args[0]))
    r.append(Call((out,), s.fn, tuple(args), (), s.span, Structural("same") if out.active else None))
    return [out]
