"""Calls of methods of objects that others may have, where they are values."""

from __future__ import annotations

import builtins
import operator
from typing import TYPE_CHECKING, Any

from ..identity import is_hashable
from ..ir import intrinsics
from ..ir.counters import Count
from ..ir.methods import takes_no
from ..ir.nodes import Atom, Call, Const, Star, Var
from ..ir.types import BOOL, BOTTOM, List, Maybe, Ref
from . import references
from .bound_methods import equals_itself, is_method, receiver
from .chosen_functions import takes
from .dispatching import place_of_choice
from .facts import Bound
from .infer import type_of
from .memory import classes_of
from .spreading import expand, spread

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver


def call(r: Resolver, s: Call, fn: Atom, args: list[Any], kwargs: Kwargs) -> list[Atom] | None:
    """The call of such a value, or of a function that asks what it is; None of any other."""
    cls: Any = getattr(type_of(fn), "cls", None)
    if isinstance(type_of(fn), Ref) and is_method(cls):
        given: list[Any] = [*(expand(r, args, s.span) or args)]
        kwargs = spread(r, kwargs, s.span)
        if not takes(cls.function, given, kwargs):
            nothing = Var("", BOTTOM, False)
            r.append(Call((nothing,), Const(takes_no), (fn,), (), s.span))
            return [nothing] * len(s.outs)
        bound = references.method(r, s, receiver(r, s, fn, cls), cls.owner, cls.member)
        fact = None if bound is None else r.sp.facts[bound]
        if bound is None or not isinstance(fact, Bound) or fact.function is not cls.function:
            raise references.not_followed(r, s, f"`{cls.member}`, which the class has no longer")
        return r.call(s, bound, given, kwargs)
    asked: Any = fn.value if isinstance(fn, Const) and is_hashable(fn.value) else None
    if asked in _COMPARING and _are_equal_alone(args):
        out = Var(s.outs[0].name, BOOL, False)
        r.append(Call((out,), fn, tuple(args), (), s.span))
        return [out]
    place = 0 if asked in _ASKING else place_of_choice(asked)
    about: Any = args[place] if place is not None and place < len(args) else Const(None)
    found = () if isinstance(about, Star) else classes_of(type_of(about))
    if not any([is_method(cls) or cls is Count for cls in found]):
        return None
    if asked is builtins.callable and all(map(is_method, found)) and not isinstance(type_of(about), Maybe):
        return [Const(True)]
    raise references.not_followed(r, s, f"`{asked.__name__}` of a method or a counter")


def _are_equal_alone(args: list[Any]) -> bool:
    """Tell whether a comparison is of objects, methods or lists of such that Python compares by identity."""
    kinds = [type_of(a) for a in args if not isinstance(a, Star)]
    kinds = [t.item if isinstance(t, List) else t for t in kinds]
    methods = [is_method(cls) for t in kinds for cls in classes_of(t)]
    return len(kinds) == 2 and any(methods) and all(map(equals_itself, kinds))


_COMPARING = (operator.eq, operator.ne, operator.contains, intrinsics.not_contains)
_ASKING = frozenset([builtins.callable, type, isinstance, hasattr])
"""Functions that tell what a value is: the class that stands for it is not its own."""
