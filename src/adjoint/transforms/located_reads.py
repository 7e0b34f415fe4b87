"""Reads from lists, dicts and arrays that others may have: items, parts, all they hold, and rounds of loops."""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir import intrinsics
from ..ir import located as ops
from ..ir.nodes import Atom, Block, Call, Const, Loop, Var, atoms_of, blocks_of, free_variables
from ..ir.types import (
    BOOL,
    INT,
    UNKNOWN,
    Array,
    Bottom,
    Default,
    Dict,
    Either,
    Empty,
    Inert,
    Keyed,
    List,
    Located,
    Maybe,
    Repeated,
    Scalar,
    Tuple,
    Type,
)
from ..ops.questions import of_arrays
from .effects import is_new, viewed
from .facts import RunThrough, Structural
from .infer import type_of
from .located_branches import of_either
from .located_keys import check_known, key_of_item, known_keys, new_key, walked
from .locating import held, hold_type, is_located, refuse, unify_all
from .mapping import named, run
from .memory import holds_memory, settled
from .operands import Operands
from .remembered import check_found, check_read
from .shadowed_items import item_of
from .uses import is_call_of

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver
    from .specialise import Specialiser

Args = list[Any]
CLASSES: dict[type, type] = {List: list, Dict: dict, Keyed: dict, Default: defaultdict, Array: np.ndarray}


def reading(r: Resolver, s: Call, fn: Atom, args: Args, kwargs: Kwargs) -> list[Atom]:
    """A call that is given what memory holds now."""
    given = [*args, *(v for _, v in kwargs)]
    wholes = [values_in(r, s, a) for a in given]
    copies = {w: a for w, a in zip(wholes, given, strict=True) if w is not a}
    start = len(r.sp.statements)
    named = [(name, w) for (name, _), w in zip(kwargs, wholes[len(args) :], strict=True)]
    found = r.call(s, fn, wholes[: len(args)], named)
    for made in r.sp.statements[start:]:
        if copies.keys().isdisjoint([*atoms_of(made), *(v for b in blocks_of(made) for v in free_variables(b))]):
            continue
        function = made.fn.value if isinstance(made, Call) and isinstance(made.fn, Const) else None
        shown = copies.keys() & viewed(made, function, set(), set()) if isinstance(made, Call) else copies.keys()
        if not all(
            [_never_changes(out.type) or not shown and _is_apart(made, out.type, function) for out in made.outs]
        ):
            refuse(r, s)  # who sees what is stored later is not known
    return [copies.get(out, out) for out in found]  # what gives what it was given gives that memory


def _never_changes(t: Type) -> bool:
    """Tell whether a value of a type shows nothing that can change."""
    if isinstance(t, Tuple):
        return all(map(_never_changes, t.items))
    return isinstance(t, (Scalar, Inert, Bottom)) or isinstance(t, Array) and t.scalar is True


def _is_apart(made: Any, t: Type, function: Any) -> bool:
    """Tell whether a value of a type that a function gives, and that is no view, holds nothing of what it was given."""
    if isinstance(t, Tuple):
        return of_arrays(function) and all([_never_changes(u) or isinstance(u, Array) for u in t.items])
    if isinstance(t, (List, Dict)):
        return _never_changes(t.item) and is_new(made, function)
    return (isinstance(t, Array) or t == UNKNOWN and of_arrays(function)) and is_new(made, function)


def whole(r: Resolver, s: Call, target: Any, again: bool = False) -> Var:
    """All that is held now; `again`, a copy of its own."""
    of = held(target)
    if not again and (known := seen(r, target, None)) is not None:
        return known  # type: ignore[no-any-return]
    if isinstance(type_of(target), Maybe):
        r.append(Call((), Const(ops.check_there), (target,), (), s.span))
    active = of.differentiable
    out = Var(target.name, of, active)
    how = Structural("load_whole") if active else None
    r.append(Call((out,), Const(ops.load_whole), (target,), (), s.span, how))
    if not again:
        see(r, target, None, out)
    return out


def values_in(r: Resolver, s: Call, a: Any) -> Any:
    """The present contents of memory, with all that is memory in it; any other value as it is."""
    t: Any = held(a) if is_located(a) else type_of(a)
    if isinstance(t, Either) or isinstance(t, (List, Dict)) and isinstance(t.item, Either):
        refuse(r, s)  # a copy is taken of arrays only
    if not holds_memory(t):
        return whole(r, s, a) if is_located(a) else a
    made: Any = r.made.get(a)
    if not is_located(a) and is_call_of(made, (intrinsics.make_list,)):
        return r.emit_call(intrinsics.make_list, [values_in(r, s, b) for b in made.args], s.span)
    if isinstance(t, Tuple) and t.cls is tuple:
        items = [r.item(a, i, s.span) for i in range(len(t.items))]
        return r.emit_call(intrinsics.make_tuple, [values_in(r, s, b) for b in items], s.span)
    if isinstance(t, List):
        item, value, out = Var(), Var(), Var(a.name)
        body = Block((item,), (Call((value,), Const(ops.load_whole), (item,), span=s.span),), (value,))
        return run(r, [Loop((out,), (), (named(r, a),), None, body, span=s.span)], out)
    if not is_located(a) or (keys := known_keys(r.generation.memory, type_of(a))) is None:
        refuse(r, s)
    check_known(r, s, a, keys)
    items = [b for key in keys for b in (Const(key), values_in(r, s, load(r, s, a, Const(key))))]
    return r.emit_call(intrinsics.make_dict, items, s.span)


# ---- what was read, and nothing was stored since


def _family(target: Any) -> tuple[Any, str]:
    of = held(target)
    return ("located", CLASSES[type(of)].__name__)


def stored(r: Resolver, target: Any) -> None:
    """Forget what such memory holds: any of it may be the one that was stored into."""
    family: Any = _family(target)
    r.sp.changes[family] = r.sp.changes.get(family, 0) + 1


def see(r: Resolver, target: Any, key: Any, value: Atom) -> None:
    since = r.sp.changes.get(_family(target), 0)
    r.sp.seen[target, key] = r.sp.here, r.sp.statements[-1], since, value


def seen(r: Resolver, target: Any, key: Any) -> Any:
    here, statement, since, value = r.sp.seen.get((target, key), (None, None, 0, None))
    fresh = here is r.sp.here and since == r.sp.changes.get(_family(target), 0)
    return value if fresh and any([s is statement for s in reversed(r.sp.statements)]) else None


# ---- items


def item(r: Resolver, s: Call, args: Args) -> list[Atom]:
    """`target[key]`."""
    target, key = args
    if not is_located(target):
        return reading(r, s, s.fn if isinstance(s.fn, Const) else Const(operator.getitem), args, [])
    key = whole(r, s, key) if is_located(key) else key
    of = held(target)
    if isinstance(of, Array):
        return [array_item(r, s, target, key, of)]
    if isinstance(of, List) and not is_whole(key):
        if type_of(key) != Inert(slice) and not (isinstance(key, Const) and type(key.value) is slice):
            refuse(r, s)
        return r.call(s, Const(operator.getitem), [whole(r, s, target), key], [])
    if isinstance(of, Default):  # it stores what it gives where it has none
        hold_type(r, target, new_key(r, s, target, key), settled(r.generation.memory, _made_for(of, key)), s)
        stored(r, target)
        return [load(r, s, target, key)]
    if isinstance(of, Dict):
        check_found(r, s, target, key)
    return [load(r, s, target, place_of_item(r, s, target, key) if isinstance(of, List) else key_of_item(r, s, key))]


def _made_for(of: Default, key: Atom) -> Type:
    """The type of what a `defaultdict` makes under a key: an empty list is told from those under other names."""
    if type(of.missing) is not List:
        return of.missing
    site = of.item.site if isinstance(of.item, Empty) else of.site
    return List(Empty((site, key.value if site is not None and isinstance(key, Const) else None)))


def load(r: Resolver, s: Call, target: Any, key: Atom) -> Atom:
    """An item of a list or a dict, at a place or under a key that is known to be one."""
    known = seen(r, target, name_of(key))
    if known is not None:
        return known  # type: ignore[no-any-return]
    check_read(r, s, target, key)
    t = item_of(held(target), key)
    if isinstance(t, Either):
        return of_either(r, s, target, key)
    if t == UNKNOWN:
        unify_all(r, [u for _, u in getattr(held(target), "entries", ())])
        refuse(r, s)
    return _loaded(r, s, ops.load_item, target, key, t)


def _loaded(r: Resolver, s: Call, read: Any, target: Any, key: Atom, t: Type) -> Var:
    out = Var(s.outs[0].name if s.outs else "", t, t.differentiable)
    how = Structural("load_item") if out.active else None
    r.append(Call((out,), Const(read), (target, key), (), s.span, how))
    see(r, target, name_of(key), out)
    return out


def _of_side(read: Any, side: str) -> Callable[[Resolver, Call, Args], list[Atom]]:
    def fold(r: Resolver, s: Call, args: Args) -> list[Atom]:
        target, key = args
        t = item_of(held(target), key)
        if not isinstance(t, Either):
            refuse(r, s)
        return [_loaded(r, s, read, target, key, getattr(t, side))]

    return fold


array_in, number_in = _of_side(ops.load_array, "array"), _of_side(ops.load_number, "number")


def holds_array(r: Resolver, s: Call, args: Args) -> list[Atom]:
    return [emitted(r, s, ops.holds_array, args, BOOL)]


def name_of(key: Atom) -> Any:
    """The name that tells a key from others."""
    return (type(key.value), repr(key.value)) if isinstance(key, Const) else key


def is_whole(key: Atom) -> bool:
    t = type_of(key)
    return t == INT or isinstance(t, Array) and t.scalar is True and t.kind in "iu"


def place_of_item(r: Resolver, s: Call, target: Any, key: Atom) -> Atom:
    """A place of a list, from the front."""
    if key in r.counted or isinstance(key, Const) and key.value >= 0:
        return key
    return emitted(r, s, ops.place_in, [target, key], INT)


def emitted(r: Resolver, s: Call, fn: Any, args: Args, t: Type) -> Var:
    """A call that only looks at what it is given."""
    out = Var("", t, False)
    r.append(Call((out,), Const(fn), tuple(args), (), s.span))
    return out


def array_part(r: Resolver, target: Any, key: Atom) -> Type:
    """The type of a part of an array."""
    of = held(target)
    t: Type = r.result(operator.getitem, [Var("", of, True), key])
    if isinstance(u := type_of(key), Array) and u.scalar is False and u.ndim or isinstance(u, List):
        t = Array(of.kind, of.dtype, getattr(t, "ndim", None), False)  # a mask, or indices: they pick entries
    if not isinstance(t, Array) or t.scalar is None:
        refuse(r, None)
    return t


FLAT = object()
"""A fact: what gives copies of its parts, as `flat` of an array does."""


def array_item(r: Resolver, s: Call, target: Any, key: Atom, of: Array) -> Atom:
    t: Any = array_part(r, target, key)
    made = Call((Var("", t),), Const(operator.getitem), (Var("", of, True), key))
    shows = t.scalar is False and viewed(made, operator.getitem, set(), set())
    repeated = isinstance(type_of(target), Repeated)
    if repeated and not shows and not t.scalar:
        return r.call(s, Const(operator.getitem), [whole(r, s, target), key], [])[0]
    copies = r.sp.facts.get(target) is FLAT or not repeated and is_operand(r, s.outs[0])
    if shows and not copies:
        out = Var(s.outs[0].name, form_of_part(target, t), False)
        r.append(Call((out,), Const(ops.window), (target, key), (), s.span))
        return out
    if (known := seen(r, target, name_of(key))) is not None:
        return known  # type: ignore[no-any-return]
    out = Var(s.outs[0].name, t, of.differentiable)
    how = Structural("load_item") if out.active else None
    read = ops.load_part if shows else ops.load_item
    r.append(Call((out,), Const(read), (target, key), (), s.span, how))
    if t.scalar:
        see(r, target, name_of(key), out)
    return out


def is_operand(r: Resolver, out: Var) -> bool:
    """Tell whether a part of an array is read at once, so that no one sees what is stored later."""
    function = r.sp.frame.function
    if function not in r.sp.operands:
        r.sp.operands[function] = Operands(function, r.uses.displays)
    return out in r.sp.operands[function] and out not in r.generation.memory.sites


def form_of_part(target: Any, t: Type) -> Located:
    """The type of a part of an array, in the same memory."""
    return Repeated(t) if isinstance(type_of(target), Repeated) else Located(t)


# ---- loops


def walk(sp: Specialiser, s: Loop, sequence: Atom, sequences: list[Atom]) -> Any:
    """The plan by which a loop runs through memory, or the items of a dict that is: by places or keys, each item as it
    is then; None for what is no memory."""
    r = sp.resolver
    kind, target = sp.facts.get(sequence), sequence
    if isinstance(kind, RunThrough):
        target = kind.target
    if not is_located(target):
        return None
    if is_call_of(r.made.get(target), ops.WALKS):  # the keys or places themselves, in a tangent-linear program
        sequences.append(target)
        return ("walk", lambda key, name: _counted(r, key), ("key", held(target).item))
    here = Call((Var(""),), Const(None), (), (), sp.span(s))
    of: Any = held(target)
    of_dict = isinstance(kind, RunThrough) and kind.part != "enumerate"
    if isinstance(of, Array) and not of.ndim or isinstance(of, Dict) < of_dict:
        refuse(r, s)
    run, given, key_type = _keys(r, here, target, kind)
    keys = Var("", Located(List(key_type)), False)
    r.append(Call((keys,), Const(run), given, (), here.span))
    sequences.append(keys)

    def element(key: Atom, name: str) -> Atom:
        if isinstance(of, Dict) and (not isinstance(kind, RunThrough) or kind.part == "keys"):
            return key
        if isinstance(of, (List, Array)):
            r.counted.add(key)
        at = Call((Var(name),), Const(operator.getitem), (), (), here.span)
        value = array_item(r, at, target, key, of) if isinstance(of, Array) else load(r, at, target, key)
        if isinstance(kind, RunThrough) and kind.part in ("items", "enumerate"):
            if not (isinstance(kind.start, Const) and kind.start.value == 0):
                key = r.emit_call(operator.add, [key, kind.start], here.span)
            return r.emit_call(intrinsics.make_tuple, [key, value], here.span, name)
        return value

    return ("walk", element, ("key", key_type))


def _counted(r: Resolver, place: Atom) -> Atom:
    r.counted.add(place)
    return place


def _keys(r: Resolver, s: Call, target: Any, kind: Any) -> tuple[Any, tuple[Atom, ...], Type]:
    """The function that runs through the places or keys, its arguments, and the type of these."""
    if not isinstance(held(target), Dict):
        return ops.places_in, (target,), INT
    if isinstance(kind, RunThrough) and kind.part == "values":
        return ops.entries_in, (target,), Inert(object)
    return walked(r, s, target)
