"""`d.get(key, default)`, `key in d`: what a display or the type of a dict tells, or what is asked before it is read."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

from ..ir.nodes import Atom, Block, Call, Const, If, Var
from ..ir.types import BOTTOM, Dict, Keyed
from ..ops.arithmetic import is_real
from .facts import Entries, is_active
from .infer import type_of
from .mapping import named, run
from .remembered import check_read

if TYPE_CHECKING:
    from .attributes import Folded
    from .resolve import Kwargs, Resolver


def fold_get(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`d.get("a")` of a display, `d.get(key, 0.0)` of a dict of numbers that is stored into."""
    if kwargs or len(args) not in (2, 3):
        return None
    check_read(r, s, args[0], args[1])
    if len(args) == 3 and _counts(r, args[0], args[2]):
        return [_asked(r, s, *args)]
    if (held := holds(args[0], args[1])) is not None:
        if held:
            return [r.emit_call(operator.getitem, args[:2], s.span, s.out.name)]
        return [args[2] if len(args) == 3 else Const(None)]
    fact = r.sp.facts.get(args[0])
    key = args[1].value if isinstance(args[1], Const) else None
    if not isinstance(fact, Entries) or type(key) is not str:
        return None
    return [fact.atoms.get(key, args[2] if len(args) == 3 else Const(None))]


def fold_contains(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`"a" in d`, where the type of a dict says all keys."""
    held = holds(args[0], args[1])
    return None if held is None else [Const(held is (s.fn.value is operator.contains))]  # type: ignore[union-attr]


def holds(d: Atom, key: Atom) -> bool | None:
    """Tell whether a dict has a text as a key; None where that is not known."""
    t = type_of(d)
    if not isinstance(t, Keyed) or t.site is not None or not isinstance(key, Const) or type(key.value) is not str:
        return None
    return key.value in dict(t.entries)


def _counts(r: Resolver, d: Atom, default: Atom) -> bool:
    """Tell whether a dict holds nothing but numbers, or nothing yet, and gives a number where it has no item. A rule
    would want a copy of what is stored into, and its cotangent of what is only read is a dict for each call."""
    t = type_of(d)
    if r.generation.only_primal or r.context.plain or not (r.stores_items or is_active(d)) or not isinstance(t, Dict):
        return False
    return not isinstance(t, Keyed) and (t.item == BOTTOM or is_real(t.item)) and is_real(type_of(default))


def _asked(r: Resolver, s: Call, d: Atom, key: Atom, default: Atom) -> Atom:
    """`d[key] if key in d else default`."""
    held, item, out = Var(), Var(), Var(s.out.name)
    d, key, default = (named(r, a) for a in (d, key, default))
    found = Block((), (Call((item,), Const(operator.getitem), (d, key), span=s.span),), (item,))
    asked = Call((held,), Const(operator.contains), (d, key), span=s.span)
    return run(r, [asked, If((out,), held, found, Block((), (), (default,)), s.span)], out)
