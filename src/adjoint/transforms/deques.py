"""Deques: lists that grow and shrink at both ends. One with a `maxlen` loses an item where it is full.

A deque is one in the program that is made, so that all who only look at it see a deque; and so is its cotangent.
"""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

from ..errors import MutationError
from ..ir import changes, checks, intrinsics
from ..ir.nodes import Atom, Block, Call, Const, If, Var
from ..ir.types import BOTTOM, INT, Array, Deque, Inert, List, Tuple
from ..origin import module_of
from .effects import looks
from .extending import each_put
from .facts import Callee, Items, Structural
from .frames import place_of
from .infer import type_of
from .mapping import named, run
from .resizing import change
from .summary import given_by, kept_by, summary_of
from .uses import is_call_of

if TYPE_CHECKING:
    from .attributes import Folded
    from .resolve import Kwargs, Resolver

_ENDS = {"append": "popleft", "appendleft": "pop"}
_SEVERAL = {"extend": "append", "extendleft": "appendleft"}


def fold_deque(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`deque(xs, maxlen)` as an empty one that is extended."""
    if r.context.plain or r.generation.only_primal or any([name != "maxlen" for name, _ in kwargs]) or len(args) > 2:
        return None
    bound = dict(kwargs).get("maxlen", args[1] if len(args) > 1 else Const(None))
    free = isinstance(bound, Const) and bound.value is None
    if not free and type_of(bound) != INT or args and not isinstance(type_of(args[0]), (List, Tuple)):
        return None
    if isinstance(bound, Const) and not free and bound.value < 1:
        return None
    if not free and not isinstance(bound, Const):
        r.append(Call((), Const(intrinsics.check), (bound, Const(checks.check_bound)), (), s.span))
    made = Var(s.out.name, Deque(BOTTOM, not free), False)
    r.append(Call((made,), s.fn, (Const(()),) if free else (Const(()), bound), (), s.span))
    if not args:
        return [made]
    items = _display(r, args[0])
    if items is None or isinstance(bound, Const) and not free and bound.value < len(items):
        found: Any = each_put(r, s, made, "append", args[0], s.out.name)
        items = ()
    else:
        found = made
    for item in items:
        more = change(r, Call((Var(""), Var(s.out.name)), s.fn, (), (), s.span), found, "append", [item])
        assert more is not None
        found = more[1]
    r.anew.add(found)
    return [found]


def _display(r: Resolver, items: Atom) -> tuple[Any, ...] | None:
    """The items of a list or a tuple that has just been written down."""
    fact, made = r.sp.facts.get(items), r.made.get(items)
    if isinstance(fact, Items):
        return fact.atoms
    return made.args if is_call_of(made, (intrinsics.make_list,)) and made in r.sp.statements[-1:] else None  # type: ignore[union-attr]


def deque_method(r: Resolver, s: Call, target: Atom, name: str, rest: list[Atom]) -> list[Atom]:
    """A method that changes a deque."""
    t = type_of(target)
    assert isinstance(t, Deque)
    several = name in _SEVERAL and len(rest) == 1 and isinstance(type_of(rest[0]), (List, Tuple))
    if several and rest[0] is not target:
        return [Const(None), each_put(r, s, target, _SEVERAL[name], rest[0], s.outs[1].name)]
    if t.bounded and name in _ENDS and len(rest) == 1:
        target = _with_room(r, s, target, name)
    bounded = t.bounded and name == "insert"  # Python refuses it where the deque is full
    found = None if bounded else change(r, s, target, name, rest)
    if found is None:
        raise MutationError(
            f"`.{name}(...)` changes a deque in place",
            "the derivative of this change is not known yet",
            "use `append`, `appendleft`, `pop`, `popleft`, `extend`, `rotate` or an index",
            place_of(r.context.function, s),
        )
    return found


def _with_room(r: Resolver, s: Call, target: Atom, name: str) -> Atom:
    """A deque after it has lost an item at the other end, if it is full."""
    bound = Var("", INT, False)
    r.append(Call((bound,), Const(getattr), (target, Const("maxlen")), (), s.span))
    d, limit = named(r, target), named(r, bound)
    n, full, after, out = Var(), Var(), Var(), Var(s.outs[1].name)
    taken = Call((Var(), after), Const(changes.call_method), (d, Const(_ENDS[name])), span=s.span)
    asked = [Call((n,), Const(len), (d,), span=s.span), Call((full,), Const(operator.eq), (n, limit), span=s.span)]
    return run(r, [*asked, If((out,), full, Block((), (taken,), (after,)), Block((), (), (d,)), s.span)], out)


def check_shown(r: Resolver, statement: Call) -> None:
    """Refuse a deque that is handed to what may keep it, or look at its class: what flows to it is followed by what is
    known to only look."""
    places = [i for i, a in enumerate(statement.args) if isinstance(a, Var) and isinstance(a.type, Deque)]
    if places and not _is_followed(statement, places):
        raise MutationError(
            "a deque is handed on",
            "only what changes it here, or looks at it, is followed",
            "hand on a list: `list(d)`",
            place_of(r.context.function, statement),
        )


def _is_followed(s: Call, places: list[int]) -> bool:
    """Tell whether a call takes deques at these places as it does lists."""
    fn, first = s.fn.value if isinstance(s.fn, Const) else None, type_of(s.args[0])  # type: ignore[arg-type]
    if module_of(fn).startswith("adjoint.tangents."):  # what reverse programs are made of
        return True
    if any([fn is f for f in _OWN]) and isinstance(first, Deque):
        return places == [0] and not (fn is operator.getitem and type_of(s.args[1]) == Inert(slice))  # type: ignore[arg-type]
    if isinstance(s.how, Callee):
        return _only_looks(s, places)
    if isinstance(s.how, Structural):
        return s.how.kind != "repeated" and not isinstance(first, Array)
    computes = bool(s.outs) and not any([out.active for out in s.outs]) and looks(fn, s.args, s.kwargs)
    return computes or any([fn is f for f in _LOOKING])


def _only_looks(s: Call, places: list[int]) -> bool:
    """Tell whether a function whose rule is generated keeps none of its arguments at these places, and gives none."""
    summary = summary_of(s)
    shown = [*kept_by(s, summary), *given_by(s, summary)]
    return summary is not None and not any([a is s.args[i] for i in places for a in shown])


_OWN = (changes.changed, changes.stored, changes.set_item, changes.snapshot, operator.getitem, getattr)
"""What is done to a deque itself."""
_LOOKING = (
    *(len, sum, max, min, sorted, list, tuple, enumerate, zip, reversed, math.fsum, math.dist, intrinsics.unpack),
    *(checks.check_lengths, checks.check_several),
)
"""Functions that have rules for a deque."""
