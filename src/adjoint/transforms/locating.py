"""Values that become memory: the values of which a program that stores into lists, dicts and arrays makes such.

A value that is only read stays one. One that is stored into, or that is kept in a list, a dict or a field, has to be
located where it is made: that is found while the program is read, which is read once more then.
"""

from __future__ import annotations

import enum
import operator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

from ..errors import MutationError
from ..ir import changes, intrinsics
from ..ir import located as ops
from ..ir.lattice import join, named_dict, of_values
from ..ir.nodes import Atom, Call, Const, Star, Var
from ..ir.types import (
    BOTTOM,
    UNKNOWN,
    Array,
    Bottom,
    Default,
    Dict,
    Empty,
    Inert,
    Keyed,
    Known,
    List,
    Located,
    Tuple,
    Type,
)
from ..ops.arithmetic import element_of
from ..ops.questions import mutators
from .context import Again
from .effects import IN_PLACE, is_new, viewed
from .facts import Callee, Structural
from .frames import place_of
from .infer import type_of
from .memory import Memory, held_by, settled
from .uses import calls_of, is_call_of

if TYPE_CHECKING:
    from .resolve import Resolver
    from .specialise import Specialiser

MAX_NAMES = 16
"""Under how many names the type of a dict says what it holds."""
MAX_WIDER = 30
"""How many types of lists and dicts may turn out to hold more."""


def is_located(a: Any) -> bool:
    """Tell whether an atom is a list, a dict or an array that others may have; where it may be None, Python says it."""
    return isinstance(a, Var) and held_by(a.type) is not None


def held(a: Atom) -> Any:
    """The type that says what such an atom holds."""
    return held_by(type_of(a))


def is_changeable(t: Type, memory: Memory | None) -> bool:
    """Tell whether a value of a type can change, and is no such memory."""
    if isinstance(t, Array):
        return t.scalar is not True and not (memory is not None and memory.steady)
    return isinstance(t, (List, Dict))


def can_change(r: Resolver, a: Atom) -> bool:
    """The same of an atom."""
    return is_changeable(type_of(a), r.generation.memory)


def locates(sp: Specialiser) -> Memory | None:
    """The record of memory, where lists, dicts and arrays are that; None elsewhere."""
    memory: Memory | None = sp.context.generation.memory
    read = sp.context.plain or sp.context.caller is None  # partials, and what is only looked at
    return memory if memory is not None and memory.located and not read else None


def require(r: Resolver, a: Atom, s: Any = None) -> Atom:
    """A value that others are to see from now on: located, or one that never changes."""
    t = type_of(a)
    if isinstance(t, Tuple):
        made: Any = r.made.get(a)
        for item in made.args if is_call_of(made, (intrinsics.make_tuple,)) else ():
            require(r, item, s)
        if any([is_changeable(u, r.generation.memory) for u in t.items]):
            refuse(r, s)
    if is_changeable(t, r.generation.memory):
        demand(r, a, s)
    if t == UNKNOWN and a in r.sp.heap:
        raise r.sp.heap.escape(a)  # a method of an object that is taken for its fields
    if t == UNKNOWN or not isinstance(a, (Var, Const)):
        refuse(r, s)
    return a


def demand(r: Resolver, a: Atom, s: Any = None) -> NoReturn:
    """Have the program read again, with a value located where it is made."""
    sites = r.generation.memory.sites
    found = [site for way in _ways(r, a) if (site := r.sp.origin.get(way)) is not None and site not in sites]
    if not found:
        refuse(r, s)
    sites.update(found, _targets(r))
    raise Again


def _targets(r: Resolver) -> list[Any]:
    """The other variables into which the function that is being read stores: it need not be read again for each."""
    body = r.sp.frame.function.body.statements
    return [s.args[0] for s in calls_of(body) if stores(s) and isinstance(s.args[0], Var)]


def stores(s: Call) -> bool:
    """Tell whether a call of the untyped program stores into its first argument, if that can change."""
    if is_call_of(s, (changes.call_method,)):
        return isinstance(s.args[1], Const) and s.args[1].value in mutators()
    return is_call_of(s, _STORES)


_STORES = (changes.set_item, changes.delete_item, changes.append_at, *IN_PLACE)


def _ways(r: Resolver, a: Atom) -> list[Atom]:
    """The variables of which another may be one."""
    found, todo = dict[Atom, None](), [a]
    while todo:
        a = todo.pop()
        if a not in found and can_change(r, a):
            found[a] = None
            todo += r.sp.ways.get(a, ())
    return [*found]


def unite(sp: Specialiser, a: Atom, b: Atom) -> None:
    """Two atoms stand for one variable: if one is located, so is the other, and what they hold is of one type."""
    memory = locates(sp)
    if memory is None:
        return
    t, u = type_of(a), type_of(b)
    for x, other in ((a, u), (b, t)):
        if held_by(other) is not None and is_changeable(type_of(x), memory):
            demand(sp.resolver, x)
    unify(sp.resolver, t, u)


def unify(r: Resolver, t: Type, u: Type) -> None:
    """Have the program read again, where two types of memory that may be one differ in what it holds."""
    a, b = held_by(t), held_by(u)
    if a is None or b is None or a == b:
        return
    of = _merged(r, a, b)
    for old in (a, b):
        if old != of:
            widen(r, old, of)
    raise Again


def unify_all(r: Resolver, types: list[Type]) -> None:
    """The same of all the types of lists, and of those of dicts, that one item may be of."""
    for kind in (List, Dict):
        of_kind = [t for t in types if isinstance(held_by(t), kind)]
        for t in of_kind[1:]:
            unify(r, of_kind[0], t)


def _merged(r: Resolver, a: Type, b: Type) -> Type:
    if isinstance(a, List) and isinstance(b, List):
        return List(_item(r, a.item, b.item))
    if (names := _names_of_both(a, b)) is not None:
        (first, site), (second, other) = _named(a), _named(b)
        entries = {n: _item(r, first.get(n, BOTTOM), second.get(n, BOTTOM)) for n in names}
        one = min([x for x in (site, other) if x is not None], key=id, default=None)  # the same one, either way round
        return named_dict(a, entries, one)  # type: ignore[arg-type]
    if isinstance(a, Dict) and isinstance(b, Dict) and _missing_of(a) == _missing_of(b):
        return of_values(a, _item(r, a.item, b.item))
    refuse(r, None)


def _names_of_both(a: Type, b: Type) -> list[str] | None:
    """The names under which dicts of two types hold something, if the type of one that may be either says them."""
    (first, site), (second, other) = _named(a), _named(b)
    if _missing_of(a) != _missing_of(b):
        return None
    if None in (first, second) or not (first or second) or first.keys() != second.keys() and not (site or other):
        return None
    names = [*first] if [*first] == [*second] else sorted({*first, *second})
    return names if len(names) <= MAX_NAMES or first.keys() == second.keys() else None


def _named(t: Type) -> tuple[Any, Any]:
    """The entries that a dict holds by name, and the site where it is made empty; no names where these are not
    known."""
    if isinstance(t, Keyed):
        return dict(t.entries), t.site
    if isinstance(t, Default) and t.entries:
        return dict(t.entries), t.site
    return ({}, t.item.site) if type(t) in (Dict, Default) and isinstance(t.item, Empty) else (None, None)  # type: ignore[attr-defined]


def _missing_of(t: Type) -> tuple[type, Type] | None:
    """The class of a dict that gives something where it has no item, and the type of that; None of a plain one."""
    return (t.cls, t.missing) if isinstance(t, Default) else None


def _takes_name(entries: Any, site: Any, name: str) -> bool:
    """Tell whether the type of a dict says what it holds under a name."""
    return entries is not None and (site is None or name in entries or len(entries) < MAX_NAMES)


def _item(r: Resolver, a: Type, b: Type) -> Type:
    unify(r, a, b)
    t = join(a, b)
    if t == UNKNOWN:
        refuse(r, None)
    return t


def widen(r: Resolver, of: Type, more: Type) -> None:
    """Take it up that lists or dicts of a type hold more than it says."""
    wider = r.generation.memory.wider
    if len(wider) > MAX_WIDER or of == more or wider.get(of) == more:  # it was taken up, and did not help
        refuse(r, None)
    wider[of] = more


def hold(r: Resolver, target: Atom, key: Atom | None, value: Atom, s: Call) -> None:
    """Take it up that a list or a dict may hold a value, under a key."""
    hold_type(r, target, key, type_of(value), s)


def hold_type(r: Resolver, target: Atom, key: Atom | None, t: Type, s: Call) -> None:
    """The same of a value of a type."""
    of = held(target)
    entries, site = _named(of)
    if isinstance(key, Const) and type(key.value) is str and _takes_name(entries, site, key.value):
        old = entries.get(key.value, BOTTOM)
        new: Type = named_dict(of, {**entries, key.value: join(old, t)}, site)
    else:
        old = of.item
        new = of_values(of, join(old, t)) if isinstance(of, Dict) else List(join(old, t))
    unify(r, old, t)
    if join(old, t) == UNKNOWN:
        refuse(r, s)
    if new != of:
        widen(r, of, new)
        raise Again


# ---- where values are made


def noted(sp: Specialiser, out: Var, value: Atom, s: Any) -> Atom:
    """The result of a statement of the program: located, if it has to be."""
    memory = locates(sp)
    if memory is None or not isinstance(value, Var) or not is_changeable(value.type, memory):
        return value
    if value not in sp.origin and is_call_of(s, (intrinsics.capture,)):
        return value  # which is made elsewhere
    made = sp.origin.setdefault(value, out)
    if out not in memory.sites:
        return value
    if made is not out:  # a name for what was made before, which is located there
        memory.sites.add(made)
        raise Again
    return located(sp.resolver, value, s)


def located(r: Resolver, value: Var, s: Any) -> Var:
    """A new list, dict or array as memory."""
    made = r.made.get(value)
    if made is None:
        refuse(r, s)
    if isinstance(made, Call):
        _check_new(r, value, made, s)
    of = value.type
    for item in _items(of):
        if is_changeable(item, r.generation.memory):
            for a in _given(r, value):
                if not isinstance(a, Star) and can_change(r, a):
                    demand(r, a, s)
            refuse(r, s)
    t = settled(r.generation.memory, _of_site(r.generation.memory, of, r.sp.origin.get(value)))
    if not isinstance(t, Located):
        refuse(r, s)
    if isinstance(of, Dict):
        _know_keys(r, value, of, made)
    out = Var(value.name, t, False)
    place = r.emit_call(len, [value], r.sp.span(s)) if isinstance(of, List) and value.active else None
    how = Structural("located", place) if value.active else None
    apart = is_call_of(made, (intrinsics.make_list, intrinsics.make_dict, ops.load_whole))  # no rule keeps what it gave
    make = ops.located if apart else ops.located_copy
    r.append(Call((out,), Const(make), (value,), (), r.sp.span(s), how))
    if value in r.sp.origin:
        r.sp.origin[out] = r.sp.origin[value]
    return out


def tell_apart(r: Resolver, value: Atom) -> None:
    """Have the program read again, with a dict told from others with the same names: it is kept where others are, and
    these may have some of the names only."""
    memory, t, site = r.generation.memory, held(value), r.sp.origin.get(value)
    if isinstance(t, Keyed) and t.site is None and site is not None and site not in memory.apart:
        memory.apart.add(site)
        raise Again


def _of_site(memory: Memory, of: Any, site: Var | None) -> Type:
    """The type of what is made at a site, which tells empty lists and dicts from those of other sites."""
    if isinstance(of, Keyed) and site in memory.apart:
        return replace(of, site=site)
    if type(of) in (List, Dict, Default) and isinstance(of.item, Bottom):
        return replace(of, item=Empty(site))  # type: ignore[no-any-return]
    return of  # type: ignore[no-any-return]


def _given(r: Resolver, value: Any) -> Any:
    """The items of which a list or a dict was made, for all that is known."""
    made = r.made.get(value)
    if is_call_of(made, (intrinsics.dict_from_items,)):
        return _given(r, made.args[1])  # type: ignore[union-attr]
    return made.args if isinstance(made, Call) else r.sp.items.get(value, ())


def _know_keys(r: Resolver, value: Var, of: Dict, made: Any) -> None:
    """Take it up of which types the keys of a new dict are."""
    if is_call_of(made, (ops.load_whole,)) or isinstance(of.item, Bottom):
        return
    found: set[Type] = {Inert(str)}
    if is_call_of(made, (intrinsics.make_dict,)) and not isinstance(of, Keyed):
        found = {type_of_key(key) for key in made.args[::2]}
    if is_call_of(made, (intrinsics.dict_from_items,)) and not isinstance(of, Keyed):
        found = {element_of(type_of(made.args[0]))} - {BOTTOM}
    if r.generation.memory.learns_keys(r.sp.origin.get(value), found):
        raise Again


def type_of_key(key: Atom) -> Type:
    """The type of a key; that of a member of an enumeration tells only which it is of."""
    t = type_of(key)
    return Inert(type(t.value)) if isinstance(t, Known) and isinstance(t.value, enum.Enum) else t


def _check_new(r: Resolver, value: Var, made: Call, s: Any) -> None:
    """Raise where what a call gives may be, or be a part of, something else: that has to be located first."""
    fn = made.fn.value if isinstance(made.fn, Const) else None
    if fn in (intrinsics.make_list, intrinsics.make_dict, ops.load_whole) or is_new(made, fn):
        return
    if fn in (ops.load_item, ops.load_part) and isinstance(held(made.args[0]), Array):  # type: ignore[arg-type]
        return  # entries that an index picks, or a copy of a part
    if fn is operator.getitem and can_change(r, made.args[0]) and not isinstance(type_of(made.args[0]), Array):  # type: ignore[arg-type]
        demand(r, made.args[0], s)  # type: ignore[arg-type]
    _open(r, made)
    for a in viewed(made, fn, set(), set()):
        if can_change(r, a):
            demand(r, a, s)
    refuse(r, s)


def _open(r: Resolver, made: Call) -> None:
    """Have a function that gives something, alone or in a tuple, written out where it is called."""
    if is_call_of(made, (operator.getitem,)) and isinstance(type_of(made.args[0]), Tuple):  # type: ignore[arg-type]
        inner = r.made.get(made.args[0])  # type: ignore[arg-type]
        return _open(r, inner) if isinstance(inner, Call) else None
    code = getattr(made.fn.value, "__code__", None) if isinstance(made.fn, Const) else None
    if isinstance(made.how, Callee) and code is not None and code not in r.generation.memory.opened:
        r.generation.memory.opened.add(code)
        raise Again


def _items(of: Type) -> list[Type]:
    if isinstance(of, Keyed):
        return [t for _, t in of.entries]
    return [of.item] if isinstance(of, (List, Dict)) else []


def refuse(r: Resolver, s: Any) -> NoReturn:
    """Refuse the program; where the function stores into more that may become memory, have it read with that first."""
    memory = r.generation.memory
    if memory is not None:
        targets = [r.sp.env[v] for v in _targets(r) if v in r.sp.env]
        if more := {r.sp.origin[way] for a in targets for way in _ways(r, a) if way in r.sp.origin} - memory.sites:
            memory.sites.update(more)
            raise Again
    raise MutationError(
        f"`{r.sp.frame.function.name}` stores into lists, dicts or arrays that others may have",
        "what one of them is, or may be a part of, is known only when it runs",
        "store into lists and dicts of numbers, and arrays of float64",
        place_of(r.context.function, s),
    )
