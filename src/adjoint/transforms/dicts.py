"""Dicts that a program makes and changes: what their methods do, by asking for a key and by stores of items.

Which keys there are only the run shows. So `d.setdefault(k, v)` is `d[k]` or a store of `v`, as the answer to `k in d`
says, which is what the reverse keeps. An item that a `defaultdict` makes where it has none is a constant, to which
nothing flows back.
"""

from __future__ import annotations

import collections
import operator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..errors import MutationError
from ..ir import changes, checks, intrinsics
from ..ir.lattice import MISSING, join, keyed
from ..ir.nodes import Atom, Block, Call, Const, If, Loop, Span, Var
from ..ir.types import (
    BOTTOM,
    INT,
    UNKNOWN,
    Array,
    Bottom,
    Default,
    Dict,
    Inert,
    Keyed,
    List,
    Scalar,
    Tuple,
    Type,
    Variadic,
    View,
)
from ..ops.arithmetic import element_of
from .facts import Dynamic, is_active
from .frames import place_of
from .infer import type_of
from .lookups import holds
from .mapping import named, run
from .replacing import items_of, pairs_of
from .sets import elements
from .uses import calls_of, is_call_of

if TYPE_CHECKING:
    from .attributes import Folded
    from .resolve import Kwargs, Resolver

_OF_KEYS = (Inert(str), Inert(range))
"""What gives keys, besides lists, tuples and dicts."""


def fold_missing(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`defaultdict(float)`, `Counter()` and `Counter(items)`, and `OrderedDict()`."""
    cls: Any = s.fn.value  # type: ignore[union-attr]
    if r.context.plain or r.generation.only_primal:
        return None
    if cls is collections.OrderedDict:
        return _ordered(r, s, args, kwargs)
    if kwargs:
        return None
    if cls is collections.Counter and len(args) == 1 and _are_counted(args[0]):
        out = Var(s.out.name, Default(INT, cls, INT), False)
        r.append(Call((out,), s.fn, tuple(args), (), s.span))
        return [out]
    if len(args) != (cls is collections.defaultdict):
        return None
    make = args[0] if args else Const(int)
    if not isinstance(make, Const) or make.value not in MISSING:
        return None
    out = Var(s.out.name, Default(BOTTOM, cls, MISSING[make.value]), False)
    r.append(Call((out,), s.fn, tuple(args), (), s.span))
    return [out]


def _ordered(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`OrderedDict()`, and what it is given by name: stored one after the other."""
    if args or any([name is None for name, _ in kwargs]):
        return None
    out = Var(s.out.name, Default(BOTTOM, collections.OrderedDict, BOTTOM), False)
    r.append(Call((out,), s.fn, (), (), s.span))
    found = updated(r, s, out, {str(name): value for name, value in kwargs})
    r.anew.add(found)
    return [found]


def _are_counted(items: Atom) -> bool:
    """Tell whether items are texts and numbers that do not move: to count them runs nothing of the user's."""
    t = type_of(items)
    of = (t.item,) if type(t) is List else t.items if isinstance(t, Tuple) else ()
    return not is_active(items) and (t == Inert(str) or bool(of) and all(map(_is_plain, of)))


def _is_plain(t: Type) -> bool:
    return all(map(_is_plain, t.items)) if isinstance(t, Tuple) else isinstance(t, Scalar) or t == Inert(str)


def fold_from_keys(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
    """`dict.fromkeys(keys, x)` of a number, as `{key: x for key in keys}`."""
    if kwargs or r.context.plain or r.generation.only_primal or len(args) != 2:
        return None
    if not isinstance(type_of(args[1]), Scalar):
        return None  # all keys have one object
    if not isinstance(type_of(args[0]), (List, Tuple, Dict)) and type_of(args[0]) not in _OF_KEYS:
        return None
    keys, value = named(r, args[0]), named(r, args[1])
    key, names, values = Var(), Var(), Var()
    body = Block((key,), (), (key, value))
    made = Call((s.out,), Const(intrinsics.dict_from_items), (names, values), span=s.span)
    return [run(r, [Loop((names, values), (), (keys,), None, body, span=s.span), made], s.out)]


def run_through(r: Resolver, s: Loop, sequence: Atom) -> Atom:
    """The sequence that a loop runs through: of a dict that changes meanwhile, its keys as they are now."""
    d = elements(r, r.sp.atom(sequence), r.sp.span(s))
    return keys_of(r, d, r.sp.span(s)) if sequence in s.inits and _is_followed(r, d) else d


def iterable(r: Resolver, sequence: Atom, span: Span | None) -> Atom:
    """The sequence that a loop runs through: containers as they are, of dicts the keys, anything else as `iterate`
    makes of it."""
    t = type_of(sequence)
    if not is_active(sequence) or isinstance(t, (List, Array, Bottom, Tuple, Variadic)):
        return sequence
    if isinstance(t, Dict):
        return keys_of(r, sequence, span)
    made: Any = r.made.get(sequence)
    if is_call_of(made, _VIEWS) and not isinstance(type_of(made.args[0]), Default):
        return r.emit_call(list, [sequence], span)
    iterate = Call((Var(""),), Const(intrinsics.iterate), (sequence,), span=span)
    given = List(t.item) if isinstance(t, View) and not t.is_used_up else UNKNOWN
    return r.emit(iterate, iterate.fn, [sequence], [], Dynamic(), given, True)


_VIEWS = (dict.keys, dict.values, dict.items)


def key_type(r: Resolver, d: Atom) -> Type:
    """The type of the keys of a dict: of one with known keys texts, of one that is made of lists the type in these."""
    made = r.made.get(d)
    if is_call_of(made, (intrinsics.dict_from_items,)) and isinstance(keys := type_of(made.args[0]), List):  # type: ignore[arg-type, union-attr]
        return keys.item
    return Inert(str) if isinstance(type_of(d), Keyed) else UNKNOWN


def element_type(r: Resolver, sequence: Atom) -> Type:
    """The type of what a loop over a sequence gets: of a dict a key."""
    t = type_of(sequence)
    return key_type(r, sequence) if isinstance(t, Dict) else element_of(t)


def keys_of(r: Resolver, d: Atom, span: Span | None, make: Any = list, name: str = "") -> Var:
    """The keys of a dict, as `list` or `sorted` makes them: they do not move."""
    keys = Var(name, List(key_type(r, d)), False)
    r.append(Call((keys,), Const(make), (d,), (), span))
    return keys


def typed_pairs(r: Resolver, s: Call, d: Atom) -> list[Atom] | None:
    """`d.items()` of a dict whose keys have a known type; None of any other."""
    key, t = key_type(r, d), type_of(d)
    if key == UNKNOWN or not isinstance(t, Dict) or r.context.plain or isinstance(t, Keyed):
        return None
    found = r.general(s, s.fn, [d], [])
    made = r.sp.statements[-1] if r.sp.statements else None
    if not isinstance(made, Call) or made.outs != (found,) or not isinstance(view := type_of(found), View):
        return [found]
    out = Var(made.out.name, View(Tuple((key, t.item)), view.cls), made.out.active)
    r.sp.statements.pop()
    r.append(replace(made, outs=(out,)))
    return [out]


def fold_keys(fold: Any) -> Any:
    """`list(d)` and `sorted(d)` of a dict that moves; of anything else as `fold` has it."""

    def folded(r: Resolver, s: Call, args: list[Atom], kwargs: Kwargs) -> Folded:
        of_dict = len(args) == 1 and isinstance(type_of(args[0]), Dict) and is_active(args[0])
        if kwargs or not of_dict or not _is_followed(r, args[0]):
            return fold(r, s, args, kwargs)  # type: ignore[no-any-return]
        return [keys_of(r, args[0], s.span, s.fn.value, s.out.name)]  # type: ignore[union-attr]

    return folded


def check_keys(r: Resolver, s: Loop, sequences: list[Atom]) -> None:
    """Look whether such dicts have as many keys when the loop is done. Where keys are taken out meanwhile, Python says
    what comes of that, and when."""
    for q, keys in zip(s.sequences, sequences, strict=False):
        after = r.sp.atom(s.outs[s.inits.index(q)]) if q in s.inits else None
        if after is not None and _is_followed(r, after):
            if any(map(_takes_out, calls_of(s.body.statements))):
                raise MutationError(
                    f"`{r.context.function.name}` may take items out of a dict that it runs through",
                    "Python raises an error there, or meets an item again",
                    "run through a list of its keys",
                    place_of(r.context.function, s),
                )
            span = r.sp.span(s)
            same = r.emit_call(operator.eq, [r.emit_call(len, [a], span) for a in (after, keys)], span)
            r.append(Call((), Const(intrinsics.check), (same, Const(checks.check_size)), (), span))


def _takes_out(s: Call) -> bool:
    """Tell whether a call takes items out of a dict."""
    by_name = is_call_of(s, (changes.call_method,)) and getattr(s.args[1], "value", None) in ("pop", "popitem", "clear")
    return by_name or is_call_of(s, (changes.delete_item, changes.deleted))


def _is_followed(r: Resolver, d: Atom) -> bool:
    """Tell whether something is a dict of a program that is reversed."""
    return isinstance(type_of(d), Dict) and not r.context.plain and not r.generation.only_primal


def by_asking(r: Resolver, s: Call, d: Atom, name: str, rest: list[Atom]) -> list[Atom] | None:
    """`d.setdefault(k, v)`, `d.pop(k, v)` and `d.popitem()`; None of any other method."""
    if r.context.plain or r.generation.only_primal or len(s.outs) != 2:
        return None
    if name == "popitem" and len(rest) <= 1 and is_active(d):
        return _item_at_end(r, s, d, rest)
    if name not in ("setdefault", "pop") or len(rest) != 2:
        return None
    known = holds(d, rest[0])
    if known is False:  # of `**options`, mostly
        return [rest[1], d if name == "pop" else updated(r, s, d, {rest[0].value: rest[1]})]  # type: ignore[union-attr]
    if known and name == "setdefault":
        return [r.emit_call(operator.getitem, [d, rest[0]], s.span, s.outs[0].name), d]
    d, key, value = named(r, d), named(r, rest[0]), named(r, rest[1])
    held, item, out, after, new = Var(), Var(), Var(s.outs[0].name), Var(s.outs[1].name), Var(s.outs[1].name)
    if name == "setdefault":
        there = Block((), (Call((item,), Const(operator.getitem), (d, key), span=s.span),), (item, d))
        stored = Call((new,), Const(changes.set_item), (d, key, value), span=s.span)
        missing = Block((), (stored,), (value, new))
    else:
        taken = Call((item, new), Const(changes.call_method), (d, Const("pop"), key), span=s.span)
        there, missing = Block((), (taken,), (item, new)), Block((), (), (value, d))
    asked = Call((held,), Const(operator.contains), (d, key), span=s.span)
    found = run(r, [asked, If((out, after), held, there, missing, s.span)], out)
    return [found, r.sp.atom(after)]


def _item_at_end(r: Resolver, s: Call, d: Atom, rest: list[Atom]) -> list[Atom]:
    """`d.popitem()`, by its key."""
    key = Var("", UNKNOWN, False)
    r.append(Call((key,), Const(changes.end_key), (d, *rest), (), s.span))
    item, after = Var(), Var(s.outs[1].name)
    taken = Call((item, after), Const(changes.call_method), (named(r, d), Const("pop"), named(r, key)), span=s.span)
    value = run(r, [taken], item)
    return [r.emit_call(intrinsics.make_tuple, [key, value], s.span), r.sp.atom(after)]


def with_others(r: Resolver, s: Call, d: Atom, *others: Atom) -> Atom | None:
    """A dict after `d.update(other)` for each of these; None where what these hold is not known."""
    if r.context.plain or r.generation.only_primal:
        return None
    known = [found if (found := items_of(r, s, a)) is not None else pairs_of(r, s, a) for a in others]
    if None not in known:
        for items in known:
            d = updated(r, s, d, items or {})
        return d
    if isinstance(type_of(d), Default) or not all([isinstance(type_of(a), Dict) for a in others]):
        return None
    both = Const(changes.updated)
    return r.general(Call((s.outs[-1],), both, (d, *others), (), s.span), both, [d, *others], [])


def updated(r: Resolver, s: Call, d: Atom, items: dict[str, Atom]) -> Atom:
    """A dict after stores of all of these items."""
    for key, value in items.items():
        d = r.emit_call(changes.set_item, [d, Const(key), value], s.span, s.outs[-1].name)
    return d


def with_item(t: Dict, key: Atom, value: Type) -> Dict:
    """The type of a dict after a store."""
    if isinstance(t, Keyed) and isinstance(key, Const) and type(key.value) is str:
        return keyed({**dict(t.entries), key.value: value})
    if isinstance(t, Default):
        return Default(join(t.item, value), t.cls, t.missing)
    return Dict(join(t.item, value))
