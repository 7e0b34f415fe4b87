"""Lists that change their length: each method that does so gives another version of the list.

The cotangent of such a list has at each point as many items as the list has there, and is one list that the reverse
changes in place: what was taken out is put back where it was, what was put in is taken out. So the reverse of each
method is one of these methods, and derivatives of derivatives need nothing more.
"""

from __future__ import annotations

import heapq
import operator
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import MutationError
from ..ir import changes, heaps, intrinsics, ordered
from ..ir.heaps import FUNCTIONS
from ..ir.lattice import join, of_items
from ..ir.nodes import Atom, Block, Call, Closure, Const, Function, If, Loop, Statement, Var
from ..ir.types import BOTTOM, FLOAT, INT, NONE, UNKNOWN, Default, Deque, Dict, Inert, Keyed, List, Type
from ..ops.arithmetic import element_of
from ..tangents import dense_list
from .cotangent_map import Cotangent, CotangentMap, bar_name
from .facts import Structural, is_active
from .frames import place_of
from .growth import one_list
from .hoisting import is_settled
from .infer import is_immutable, type_of
from .memory import classes_of, takes_references
from .simplify import substituted
from .uses import calls_of, is_call_of, uses_of
from .versions import Versions, is_counts, is_loose, is_numbers, updated

if TYPE_CHECKING:
    from .resolve import Resolver


class Resizing(NamedTuple):
    """A method that changes the length of a list, or the order of its items: the types of its arguments, of which None
    is that of an item, LIST that of several and ORDER that of places; whether it gives an item; and its reverse."""

    back: Callable[[Call, Atom, Cotangent | None, CotangentMap], None]
    takes: tuple[Any, ...] = ()
    gives: bool = False


LIST, ORDER = object(), object()
CHANGED = Structural("changed")


# ---- types


def change(r: Resolver, s: Call, target: Atom, name: str, rest: list[Atom]) -> list[Atom] | None:
    """`target.name(...)` of a list: what it gives, and the next version; None if it is no method that is known here."""
    t = type_of(target)
    if isinstance(t, Dict) and isinstance(target, Var):
        return _change_dict(r, s, target, name, rest)
    methods = OF_DEQUES if isinstance(t, Deque) else METHODS
    if name == "remove" and isinstance(t, List) and len(rest) == 1 and _are_compared(t.item, type_of(rest[0])):
        name, rest = "__delitem__", [r.emit_call(heaps.place_of, [target, *rest], s.span)]
    if name not in methods or not isinstance(t, List) or not isinstance(target, Var):
        return None
    if name == "pop" and rest and isinstance(rest[0], Const) and rest[0].value == -1 and not isinstance(t, Deque):
        rest = []
    method = methods[name] if rest or name != "pop" else LAST
    if len(rest) != len(method.takes) or not all(map(_fits, method.takes, map(type_of, rest))):
        return None
    put = [type_of(a) if want is None else element_of(type_of(a)) for a, want in _items(method, rest)]
    numbers = is_numbers(t) and is_numbers(s.outs[1].type)  # so said the program that is differentiated once more
    for u in put:
        t = t if numbers and u == UNKNOWN else of_items(t, join(t.item, u))
    active = (is_active(target) or any([is_active(a) for a, _ in _items(method, rest)])) and t.differentiable
    rest = [
        _from_front(r, s, target, name, a) if want == INT and name not in _STEPS else a
        for a, want in zip(rest, method.takes, strict=True)
    ]
    result = Var(s.outs[0].name, t.item if method.gives else NONE, method.gives and active)
    version = Var(s.outs[1].name, t, active)
    how = CHANGED if active else None
    r.append(Call((result, version), Const(changes.changed), (target, Const(name), *rest), (), s.span, how))
    return [result if method.gives else Const(None), version]


def _are_compared(*kinds: Type) -> bool:
    """Tell whether items are numbers, or references, of which only their classes say what equals what."""
    return all([is_immutable(t) or bool(classes_of(t)) for t in kinds])


def _change_dict(r: Resolver, s: Call, target: Var, name: str, rest: list[Atom]) -> list[Atom] | None:
    """The same of a dict, whose cotangent has the keys to which something has come."""
    t = type_of(target)
    assert isinstance(t, Dict)
    if name == "move_to_end" and isinstance(t, Default) and t.cls is OrderedDict and 1 <= len(rest) <= 2:
        rest = [*rest, Const(True)][:2]
    elif len(rest) != OF_DICTS.get(name, -1):
        return None
    if not t.differentiable:
        return None
    result = Var(s.outs[0].name, t.item if name == "pop" else NONE, name == "pop" and t.item.differentiable)
    version = Var(s.outs[1].name, Dict(t.item) if isinstance(t, Keyed) else t, True)
    r.append(Call((result, version), Const(changes.changed), (target, Const(name), *rest), (), s.span, CHANGED))
    return [result if name == "pop" else Const(None), version]


OF_DICTS = {"pop": 1, "clear": 0, "__delitem__": 1}
"""Methods of dicts, and how many arguments they have."""


def _items(method: Resizing, rest: list[Atom]) -> list[tuple[Atom, Any]]:
    """The arguments that are items, or hold some."""
    return [(a, want) for a, want in zip(rest, method.takes, strict=True) if want is None or want is LIST]


def _fits(want: Any, t: Type) -> bool:
    if want is ORDER:
        return isinstance(t, List)
    return want is None or (isinstance(t, List) if want is LIST else t == want)


def _from_front(r: Resolver, s: Call, target: Atom, name: str, place: Atom) -> Atom:
    """A place from the front, where the list has as many items as it has now."""
    first = isinstance(place, Const) and place.value == 0
    if name == "insert":  # beyond the end it is at the end
        known = first or is_call_of(r.made.get(place), (changes.insertion,))
        return place if known else r.emit_call(changes.insertion, [target, place], s.span)
    known = isinstance(place, Const) and place.value >= 0 or place in r.counted
    known = known or is_call_of(r.made.get(place), (intrinsics.position, changes.insertion, heaps.place_of))
    return place if known else r.emit_call(intrinsics.position, [target, place], s.span)


_STEPS = ("rotate", *FUNCTIONS)
"""Methods whose numbers are no places that may be counted from the end."""


def fold_changed(r: Resolver, s: Call, args: list[Atom], kwargs: Any) -> list[Atom] | None:
    """A version of a list, in a program that is differentiated once more."""
    target, name, *rest = args
    return change(r, s, target, name.value, rest) if len(s.outs) == 2 else None  # type: ignore[union-attr]


def fold_call_with(r: Resolver, s: Call, args: list[Atom], kwargs: Any) -> list[Atom]:
    """`heappush(heap, item)` and the like."""
    target, fn, *rest = args
    f, t = fn.value if isinstance(fn, Const) else None, type_of(target)
    of_list = isinstance(t, List) and isinstance(target, Var) and f in HEAPS and len(rest) == (f is heapq.heappush)
    followed, shared = any(map(is_active, [target, *rest])), takes_references([target, *rest])
    if of_list and (followed or shared) and not (r.context.plain or r.generation.only_primal):
        settled = shared or all([u == BOTTOM or is_settled(u) for u in (t.item, *map(type_of, rest))])  # type: ignore[attr-defined]
        place = r.emit_call(HEAPS[f][not settled], [target, *rest], s.span)
        name = heaps.BY_PLACE[f.__name__] if shared else f.__name__  # type: ignore[union-attr]
        found = change(r, s, target, name, [place, *rest])
        assert found is not None
        return found
    if not of_list or any(map(is_active, [target, *rest])):
        return [r.general(Call((s.outs[0],), fn, (), (), s.span), fn, [target, *rest], []), target]
    item = join(t.item, type_of(rest[0])) if rest else t.item  # type: ignore[attr-defined]
    outs = Var(s.outs[0].name, item if f is heapq.heappop else NONE), Var(s.outs[1].name, List(item))
    r.append(Call(outs, s.fn, tuple(args), (), s.span))
    return [*outs]


HEAPS: dict[Any, Any] = {
    heapq.heappush: (heaps.place_of_push, ordered.place_of_push),
    heapq.heappop: (heaps.place_of_pop, ordered.place_of_pop),
    heapq.heapify: (heaps.order_of_heapify, ordered.order_of_heapify),
}
"""The functions that tell where items go: in a list of plain values, and where only the run shows what they are."""


# ---- reverse


def changed_back(s: Call, B: CotangentMap) -> None:
    """The cotangent of a list before a method from that after it."""
    result, version = s.outs
    item, bar = B.take(result), B.take(version)
    if item is None and bar is None:
        return
    whole = B.whole(version, bar)
    name: Any = s.args[1].value  # type: ignore[union-attr]
    if isinstance(version.type, Dict):
        return _changed_dict_back(s, name, whole, item, B)
    methods = OF_DEQUES if isinstance(version.type, Deque) else METHODS
    (methods[name] if len(s.args) > 2 or name != "pop" else LAST).back(s, whole, item, B)


def _changed_dict_back(s: Call, name: str, whole: Atom, item: Cotangent | None, B: CotangentMap) -> None:
    """Give nothing to what is not there any more, but for what was given back."""
    target, _, *key = s.args
    if not key:
        return
    if name == "move_to_end":
        B.add_whole(target, whole)  # type: ignore[arg-type]
        return
    version = s.outs[1]
    before = Var(bar_name(target), version.type, True)  # type: ignore[arg-type]
    if name == "pop" and item is not None:
        d = B.definite(item) if is_counts(version.type) else item.atom
        B.builder.emit(Call((before,), Const(changes.stored), (whole, *key, d), (), s.span))
    else:
        B.builder.emit(
            Call((Var(""), before), Const(changes.changed), (whole, Const("pop"), *key, Const(None)), (), s.span)
        )
    B.add_whole(target, before)  # type: ignore[arg-type]


def _undone(s: Call, whole: Atom, B: CotangentMap, name: str, *args: Any) -> Var:
    """The result of a method of the cotangent, whose next version is that of the list before."""
    target: Any = s.args[0]
    item = Var("", FLOAT if not is_loose(s.outs[1]) else UNKNOWN, True)
    before = Var(bar_name(target), s.outs[1].type, True)
    B.builder.emit(Call((item, before), Const(changes.changed), (whole, Const(name), *args), (), s.span))
    B.add_whole(target, before)
    return item


def _put_back(s: Call, whole: Atom, item: Cotangent | None, B: CotangentMap) -> None:
    """Put back where it was what was taken out."""
    loose = is_loose(s.outs[1])
    d: Any = Const(None if loose else 0.0)
    if item is not None:
        d = item.atom if loose else B.definite(item)
    place: Any = s.args[2:]
    name: Any = s.args[1].value  # type: ignore[union-attr]
    _undone(s, whole, B, _BACK_IN.get(name, "insert" if place else "append"), *place, d)


_BACK_IN = {"popleft": "appendleft", "heappop": "unpop", "pop_at": "unpop", "unpush": "push_at"}
_BACK_OUT = {"appendleft": "popleft", "heappush": "unpush", "push_at": "unpush", "unpop": "pop_at"}
"""How an item goes back that was not taken from a place, or the end."""


def _taken_out(s: Call, whole: Atom, _: Cotangent | None, B: CotangentMap) -> None:
    """Take out what was put in."""
    *place, put = s.args[2:]
    name: Any = s.args[1].value  # type: ignore[union-attr]
    if place and isinstance(s.outs[1].type, Deque):  # a deque gives no item but at its ends
        item = B.builder.call(operator.getitem, whole, *place, type=FLOAT if not is_loose(s.outs[1]) else UNKNOWN)  # type: ignore[arg-type]
        _undone(s, whole, B, "__delitem__", *place)
    else:
        item = _undone(s, whole, B, _BACK_OUT.get(name, "pop"), *place)
    B.add(put, item, not is_loose(s.outs[1]))  # type: ignore[arg-type]


def _cut(s: Call, whole: Atom, _: Cotangent | None, B: CotangentMap) -> None:
    """The items of another list are taken off the end."""
    target, items = s.args[0], s.args[2]
    end = B.builder.call(slice, B.lengths[target].ask(), Const(None), type=Inert(slice))  # type: ignore[index]
    B.add(items, B.builder.call(operator.getitem, whole, end, name=bar_name(items), type=s.outs[1].type))  # type: ignore[arg-type]
    _undone(s, whole, B, "__delitem__", end)


def _emptied(s: Call, whole: Atom, _: Cotangent | None, B: CotangentMap) -> None:
    """Nothing comes to what was in the list."""


def _deleted(s: Call, whole: Atom, _: Cotangent | None, B: CotangentMap) -> None:
    """Give nothing to what is deleted: an item, or (of a cotangent) all from one on."""
    if type_of(s.args[2]) == INT:  # type: ignore[arg-type]
        return _put_back(s, whole, None, B)
    before, after = B.lengths[s.args[0]].ask(), B.lengths[s.outs[1]].ask()  # type: ignore[index]
    n = B.builder.call(operator.sub, before, after, type=INT)
    zeros = B.builder.call(dense_list, Const(None), n, Const(None if is_loose(s.outs[1]) else 0.0), type=s.outs[1].type)
    _undone(s, whole, B, "extend", zeros)
    return None


def _turned(s: Call, whole: Atom, _: Cotangent | None, B: CotangentMap) -> None:
    _undone(s, whole, B, "reverse")


def _rotated(s: Call, whole: Atom, _: Cotangent | None, B: CotangentMap) -> None:
    _undone(s, whole, B, "rotate", B.builder.call(operator.neg, s.args[2], type=INT))  # type: ignore[arg-type]


def _ordered(s: Call, whole: Atom, _: Cotangent | None, B: CotangentMap) -> None:
    _undone(s, whole, B, "permute" if s.args[1].value == "unpermute" else "unpermute", s.args[2])  # type: ignore[union-attr]


METHODS = {
    "append": Resizing(_taken_out, (None,)),
    "insert": Resizing(_taken_out, (INT, None)),
    "extend": Resizing(_cut, (LIST,)),
    "pop": Resizing(_put_back, (INT,), gives=True),
    "clear": Resizing(_emptied),
    "reverse": Resizing(_turned),
    "__delitem__": Resizing(_deleted, (INT,)),
    **dict.fromkeys(("heappush", "push_at", "unpop"), Resizing(_taken_out, (INT, None))),
    **dict.fromkeys(("heappop", "pop_at", "unpush"), Resizing(_put_back, (INT,), gives=True)),
    **dict.fromkeys(("heapify", "permute", "unpermute"), Resizing(_ordered, (ORDER,))),
}
LAST = Resizing(_put_back, gives=True)
"""`pop()`."""
OF_DEQUES = {
    **{name: METHODS[name] for name in ("append", "insert", "clear", "reverse", "__delitem__")},
    "appendleft": Resizing(_taken_out, (None,)),
    "pop": LAST,
    "popleft": LAST,
    "rotate": Resizing(_rotated, (INT,)),
}


# ---- all that changes such a list


def resized(function: Function) -> Function:
    """The function with all that changes such a list as versions of it.

    Raises
    ------
    MutationError
        If a list may be unbound, or be another object on one of two ways, or comes to hold items of another kind.
    """
    calls = [c for c in calls_of(function.body.statements) if c.how == CHANGED]
    if not calls:
        return function
    root = one_list(function.body)
    body = _Rewriter(root, {root(c.args[0]) for c in calls}, uses_of(function.body)).block(function.body)  # type: ignore[arg-type]
    lists = Versions(body).arrays()
    for c in calls_of(body.statements):
        if c.how == CHANGED and (c.outs[1] not in lists or updated(c) is None):
            raise MutationError(
                "a list changes its length, and may not be there, or holds items of several kinds",
                "the derivative of this change is not known yet",
                "make the list on all ways that lead here",
                place_of(function, c),
            )
    return replace(function, body=body)


class _Rewriter:
    def __init__(self, root: Callable[[Var], Var], roots: set[Var], uses: dict[Atom, list[Statement | None]]) -> None:
        self.root = root
        self.roots = roots
        self.uses = uses
        self.env: dict[Any, Any] = {}
        self.places: set[Any] = set()
        """The lengths that were noted for lists that only grow."""

    def block(self, block: Block) -> Block:
        statements = [new for s in block.statements if (new := self.statement(s)) is not None]
        statements = [s for s in statements if self.places.isdisjoint(s.outs)]
        return replace(block, statements=tuple(statements), results=tuple([self.env.get(r, r) for r in block.results]))

    def statement(self, s: Statement) -> Statement | None:
        match s:
            case Call():
                return self.call(substituted(s, self.env))  # type: ignore[arg-type]
            case If():
                new: Any = substituted(replace(s, then=_EMPTY, orelse=_EMPTY), self.env)
                both: If = replace(new, then=self.block(s.then), orelse=self.block(s.orelse))
                return both
            case Loop():
                new = substituted(replace(s, body=_EMPTY, cond=None), self.env)
                cond = None if s.cond is None else self.block(s.cond)
                loop: Loop = replace(new, body=self.block(s.body), cond=cond)
                return loop
            case Closure():
                made: Any = substituted(replace(s, function=replace(s.function, body=_EMPTY)), self.env)
                closure: Closure = replace(made, function=replace(made.function, body=self.block(s.function.body)))
                return closure

    def call(self, s: Call) -> Call | None:
        target: Any = s.args[0] if s.args else None
        if not isinstance(target, Var) or self.root(target) not in self.roots:
            return s
        if is_call_of(s, (intrinsics.position,)) and all([_names_item(u, s.out) for u in self.uses[s.out]]):
            self.env[s.out] = s.args[1]
            return None
        self.places.add(getattr(s.how, "extra", None))
        how = CHANGED if s.outs and s.outs[-1].active else None
        if is_call_of(s, (changes.list_append,)):
            outs, args = (Var("", NONE), s.out), (target, Const("append"), s.args[1])
            return Call(outs, Const(changes.changed), args, (), s.span, how)
        if is_call_of(s, (changes.call_method,)) and getattr(s.args[1], "value", None) in {**METHODS, **OF_DEQUES}:
            return replace(s, fn=Const(changes.changed), how=how)
        return s


def _names_item(s: Statement | None, place: Var) -> bool:
    """Tell whether a statement reads or replaces the item at a place: the cotangent is then as long as the list is, so
    that the place need not be counted from the front."""
    return is_call_of(s, (operator.getitem, changes.stored)) and s.args[1] is place  # type: ignore[union-attr]


_EMPTY = Block((), (), ())
