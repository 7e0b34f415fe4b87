"""Calls that are split by the kind of an argument, of which only the run shows what it is.

    left = node.left                      left = node.left
    y, back = pullback(f, left, x)        if type(left) is Node: y, back = f_rrule(left, x)
                                          elif left is None: y = 0.0
                                          else: y, back = pullback(f, left, x)

Which kinds there may be, the profile says. A value of any other kind goes the way that it went before, and is noted.
So nothing is taken for granted of the value; only of what such a call gives then, which is checked.
"""

from __future__ import annotations

import builtins
import inspect
import operator
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ..ir import classes, intrinsics
from ..ir.nodes import Atom, Block, Call, Const, If, Star, Var
from ..ir.types import BOTTOM, NONE, UNKNOWN, Dict, Fn, Inert, List, Record, Scalar, Tuple, Type
from ..ops.arithmetic import join_all
from .facts import Bound, Dynamic, Structural, is_active
from .generators import is_generator
from .infer import type_of
from .mapping import named

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver
    from .specialise import Specialiser

Args = list[Any]


@dataclass(frozen=True)
class Kinds:
    """Kinds of which a value may be where the program is now; `one` if it is known to be of that. Types that split
    calls gave are gathered in `given`."""

    site: Any
    left: tuple[Type, ...]
    one: Type | None = None
    given: tuple[list[Type], ...] = ()


@dataclass(frozen=True)
class OfKind:
    """A fact: the answer to whether a value is of a kind."""

    owner: Atom
    kind: Type


@dataclass(frozen=True)
class Method:
    """A fact: an attribute of a value of one of some kinds, which is only called."""

    receiver: Atom
    name: str


def call(r: Resolver, s: Call, fn: Atom, args: Args, kwargs: Kwargs) -> list[Atom] | None:
    """A call of a function of which an argument is of one of some kinds, or of a method of it; None of any other."""
    if not r.sp.kinds or r.context.plain or len(s.outs) != 1:
        return None
    fact: Any = r.sp.facts.get(fn)
    looked = isinstance(fact, Method) or isinstance(fact, Bound) and fact.function is None
    if looked and fact.receiver in r.sp.kinds:
        read = r.made.get(fn)
        fn, args = Const(intrinsics.invoke), [fact.receiver, Const(fact.name), *args]
    is_method = isinstance(fn, Const) and fn.value is intrinsics.invoke
    if not is_method and not _is_function(r, fn):
        return None
    place = next((i for i, a in enumerate(args) if isinstance(a, Var) and a in r.sp.kinds), None)
    if place is None or is_method and place > 0:
        return None
    values = [a.value if isinstance(a, Star) else a for a in args]
    if not any(map(is_active, [fn, *values, *[v for _, v in kwargs]])):
        return None
    if is_method and any([_gives_generators(kind, args[1].value) for kind in r.sp.kinds[args[place]].left]):
        return None
    kinds = r.sp.kinds[args[place]]
    left = tuple([kind for kind in kinds.left if isinstance(kind, Record if is_method else _ASKED)])
    if kinds.one is None and not left and not kinds.given:
        return None
    if is_method and isinstance(fact, Method):  # the branches look it up
        r.sp.statements[:] = [made for made in r.sp.statements if made is not read]
    if kinds.one is not None:
        return _of_one(r, s, fn, args, kwargs, place)
    return _split(r, s, fn, args, kwargs, place, left[0]) if left else _of_others(r, s, fn, args, kwargs, place)


def _gives_generators(kind: Type, name: str) -> bool:
    """Tell whether a method of objects of a kind makes generators."""
    f = inspect.getattr_static(kind.cls, name, None) if isinstance(kind, Record) else None
    return isinstance(f, FunctionType) and is_generator(f)


def _is_function(r: Resolver, fn: Atom) -> bool:
    """Tell whether a function of the user's is called, or a method that is one. Generators are run through."""
    fact = r.sp.facts.get(fn)
    f = fact.function if isinstance(fact, Bound) else fn.value if isinstance(fn, Const) else None
    if isinstance(fn, Var) and isinstance(fn.type, Fn):
        return not is_generator(fn.type)
    known = isinstance(f, FunctionType) and not is_generator(f) and r.generation.find_rules(f) is None
    return known and r.generation.reads(f.__code__.co_filename)  # type: ignore[union-attr]


def of_others(block: Block) -> bool:
    """Tell whether a side of a branch is for values of none of the kinds that were seen."""
    first = block.statements[0] if block.statements else None
    return isinstance(first, Call) and isinstance(first.fn, Const) and first.fn.value is intrinsics.observe


_ASKED = (Record, Tuple, List, Dict, Scalar, Inert)
"""Types of kinds that a question tells apart; a value of any other goes the way of those that were not seen."""


def are_split(kinds: tuple[Type, ...]) -> bool:
    """Tell whether calls are split by such kinds: one of them holds something."""
    return any([isinstance(kind, (Record, Tuple, List, Dict)) for kind in kinds])


# ---- the branch


def _split(r: Resolver, s: Call, fn: Atom, args: Args, kwargs: Kwargs, place: int, kind: Type) -> list[Atom]:
    """A call that is a branch on whether an argument is of a kind."""
    owner, before = args[place], r.sp.kinds
    kinds = before[owner]
    if not kinds.given:
        r.sp.kinds = {**before, owner: replace(kinds, given=([],))}
    ask = _asked(r, s, owner, kind)
    fn = named(r, fn)
    given = [Star(named(r, a.value)) if isinstance(a, Star) else named(r, a) for a in args]
    names = [(key, named(r, a)) for key, a in kwargs]
    out = Var(s.outs[0].name)
    sides = []
    for _ in range(2):
        inner = Var(out.name)
        sides.append(Block((), (Call((inner,), fn, tuple(given), tuple(names), s.span),), (inner,)))
    r.sp.statement(If((out,), named(r, ask), sides[0], sides[1], s.span))
    r.sp.kinds = before
    return [r.sp.atom(out)]


def _asked(r: Resolver, s: Call, owner: Atom, kind: Type) -> Var:
    """Ask whether a value is of a kind."""
    out = Var("", Scalar("bool"), False)
    match kind:
        case Tuple(items, cls):
            question: tuple[Any, ...] = (classes.is_tuple_of, cls, len(items))
        case Inert() if kind == NONE:
            question = (operator.is_, None)
        case _:
            question = (classes.is_of, class_of_kind(kind))
    r.append(Call((out,), Const(question[0]), (owner, *map(Const, question[1:])), (), s.span))
    r.sp.facts[out] = OfKind(owner, kind)
    return out


def class_of_kind(kind: Type) -> type:
    """The class of the values of a kind."""
    if isinstance(kind, (Record, Tuple, Inert)):
        return kind.cls
    if isinstance(kind, Scalar):
        return {"bool": bool, "int": int, "float": float, "complex": complex}[kind.kind]
    return list if isinstance(kind, List) else dict


@contextmanager
def told_apart(sp: Specialiser, cond: Atom, holds: bool) -> Iterator[None]:
    """Read a side of a branch, in which a value is of the kind that was asked for, or of one of the others."""
    fact, before = sp.facts.get(cond), sp.kinds
    if isinstance(fact, OfKind) and fact.owner in before:
        kinds = before[fact.owner]
        left = tuple([kind for kind in kinds.left if kind != fact.kind])
        sp.kinds = {**before, fact.owner: replace(kinds, left=left, one=fact.kind if holds else None)}
    try:
        yield
    finally:
        sp.kinds = before


def _of_one(r: Resolver, s: Call, fn: Atom, args: Args, kwargs: Kwargs, place: int) -> list[Atom]:
    """The call for a value of a kind that is known here."""
    owner = args[place]
    kinds = r.sp.kinds[owner]
    found = r.call(s, fn, [*args[:place], taken(r, s, owner, kinds.one), *args[place + 1 :]], kwargs)
    for given in kinds.given:
        given.append(type_of(found[0]))
    return found


def taken(r: Resolver, s: Call, owner: Var, kind: Type) -> Atom:
    """A value as one of a kind."""
    if kind == NONE:
        return Const(None)
    one = Var(owner.name, kind, owner.active and kind.differentiable)
    how = Structural("same") if one.active else None
    r.append(Call((one,), Const(classes.taken_as), (owner, Const(class_of_kind(kind))), (), s.span, how))
    begin_open(r, one)
    return one


def of_one_kind(r: Resolver, s: Call, owner: Atom) -> Atom | None:
    """An object of which an attribute is read as one of its class, if it always was of that; this is checked."""
    profile = r.context.profile
    if profile is None or r.context.plain or not isinstance(owner, Var) or owner.type != UNKNOWN or owner in r.sp.facts:
        return None
    where, one = r.sp.told.get(owner, (None, owner))
    if where is r.sp.here and any([made is r.made[one] for made in reversed(r.sp.statements)]):
        return one
    key = (r.sp.types, *r.sp.frame.calls, s.out, "owner")
    if (site := profile.site_at(key, None)) is None:
        return None
    found = profile.kinds_at(key)
    if found is None and not site.kinds and profile.generations <= profile.most:
        note, given = profile.noted(site, owner)
        r.append(Call((), note, given, (), s.span))
    if found is None or len(found[1]) > 1 or not isinstance(found[1][0], Record):
        return None
    kind, (check, expectation) = profile.granted(*found)
    r.append(Call((), check, (owner, expectation), (), s.span))
    r.context.waits = True
    one = taken(r, s, owner, kind)
    r.sp.told[owner] = r.sp.here, one
    return one


def begin_open(r: Resolver, value: Var) -> None:
    """Note that no more is known of a value than of which kind it is."""
    r.sp.open.add(value)
    if isinstance(value.type, Record):
        r.rely_on(value.type.cls)


def _of_others(r: Resolver, s: Call, fn: Atom, args: Args, kwargs: Kwargs, place: int) -> list[Atom]:
    """The call for a value of any other kind, found as it runs: what it gives is of the type that the others give."""
    owner, before = args[place], r.sp.kinds
    kinds, profile = before[owner], r.context.profile
    note, given = profile.noted(kinds.site, owner)
    r.append(Call((), note, given, (), s.span))
    r.sp.kinds = {k: v for k, v in before.items() if k is not owner}
    found = r.call(s, fn, args, kwargs)
    r.sp.kinds = before
    value = found[0]
    key, t = (r.sp.types, *r.sp.frame.calls, s.span, kinds.site, "others"), join_all([BOTTOM, *kinds.given[0]])
    r.context.waits = True
    made: Any = r.made.get(value)
    alone = is_call_of_one(made) and made in r.sp.statements
    if not alone or not isinstance(value, Var) or (told := profile.expected(key, t)) is None:
        return found
    t, (check, expectation) = told
    one = Var(value.name, t, value.active and t.differentiable)
    r.made[one] = typed = replace(made, outs=(one,), how=made.how and Dynamic(True))
    r.sp.statements[r.sp.statements.index(made)] = typed
    r.append(Call((), check, (one, expectation), (), s.span))
    return [one]


def is_call_of_one(made: Any) -> bool:
    """Tell whether one value is made by a call that is found as it runs, or made plainly."""
    return isinstance(made, Call) and len(made.outs) == 1 and (made.how is None or isinstance(made.how, Dynamic))


def place_of(r: Resolver, made: Call) -> tuple[Any, ...] | None:
    """The place that is read, as profiles know it: a field of a class, an item of a tuple, a dict or a list."""
    fn = made.fn.value if isinstance(made.fn, Const) else None
    if fn not in (builtins.getattr, operator.getitem) or len(made.args) != 2:
        return None
    owner: Any = made.args[0]
    t, key = type_of(owner), getattr(made.args[1], "value", None)
    if fn is builtins.getattr:
        return (t.cls, key) if isinstance(t, Record) else None
    if isinstance(t, Tuple):
        return None if isinstance(key, slice) else (t.cls, len(t.items), key)
    if isinstance(t, Dict):
        return (*holder_of(r, owner), dict, key) if type(key) is str else (*holder_of(r, owner), dict)
    return (*holder_of(r, owner), list) if isinstance(t, List) else None


def holder_of(r: Resolver, container: Atom) -> tuple[Any, ...]:
    """The field that holds a list or a dict, if it has been read of one."""
    made = r.made.get(container)
    by_field = isinstance(made, Call) and isinstance(made.fn, Const) and made.fn.value is builtins.getattr
    return (by_field and place_of(r, made)) or ()  # type: ignore[arg-type]
