"""The lattice of types: the join of two, and types made of others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from .types import (
    BOTTOM,
    FLOAT,
    INT,
    NONE,
    UNKNOWN,
    Among,
    Array,
    Bottom,
    Default,
    Deque,
    Dict,
    Either,
    Fn,
    Inert,
    Keyed,
    List,
    Located,
    Maybe,
    Raised,
    Record,
    Ref,
    Scalar,
    Tuple,
    Type,
    Variadic,
    View,
)

_KINDS = ("bool", "int", "float", "complex")
_LETTERS = {"bool": "b", "int": "i", "float": "f", "complex": "c"}


def join(a: Type, b: Type) -> Type:
    """The smallest type of the lattice that holds both.

    A number that may be an int or a float counts as a float, and `Array` without a dtype holds Python's numbers as
    well: the derivative is the same.
    """
    if a == b or isinstance(b, Bottom):
        return a
    if isinstance(a, Bottom):
        return b
    if isinstance(a, Scalar) and isinstance(b, Scalar):
        kind = max(a.kind, b.kind, key=_KINDS.index)
        return Scalar(kind, kind == "complex")
    if isinstance(a, Scalar) and isinstance(b, Array):
        a, b = b, a
    if isinstance(a, Array) and isinstance(b, Scalar):
        kind = max(a.kind, _LETTERS[b.kind], key="buifc".find)
        if kind != a.kind and (a.scalar is not True or (a.kind, kind) == ("u", "i")):
            return UNKNOWN  # into an array of integers no floats can be stored, and unsigned ones are no signed ones
        # Python's floats are float64, so that a number of either kind is as wide.
        dtype = a.dtype if a.dtype == "float64" and a.scalar and b.kind != "complex" else ""
        return Array(kind, dtype, 0 if a.scalar or a.ndim == 0 else None, True if a.scalar else None)
    if isinstance(a, Array) and isinstance(b, Array) and a.kind == b.kind:
        return Array(
            a.kind,
            a.dtype if a.dtype == b.dtype else "",
            a.ndim if a.ndim == b.ndim else None,
            a.scalar if a.scalar == b.scalar else None,
        )
    if isinstance(a, Tuple) and isinstance(b, Tuple) and len(a.items) == len(b.items) and a.cls is b.cls:
        return Tuple(tuple(join(x, y) for x, y in zip(a.items, b.items, strict=True)), a.cls)
    if isinstance(a, (Tuple, Variadic)) and isinstance(b, (Tuple, Variadic)):
        return _join_tuples(a, b)
    if isinstance(a, List) and isinstance(b, List):
        return of_items(a, join(a.item, b.item)) if of_items(a, BOTTOM) == of_items(b, BOTTOM) else UNKNOWN
    if isinstance(a, Keyed) and isinstance(b, Keyed) and [*dict(a.entries)] == [*dict(b.entries)]:
        others = dict(b.entries)
        return keyed({name: join(t, others[name]) for name, t in a.entries})
    if isinstance(a, Default) or isinstance(b, Default):
        return _join_defaults(a, b)
    if isinstance(a, Dict) and isinstance(b, Dict):
        return Dict(join(a.item, b.item))
    if isinstance(a, View) and isinstance(b, View) and a.cls is b.cls:
        return View(join(a.item, b.item), a.cls)
    if isinstance(a, Record) and isinstance(b, Record) and a.cls is b.cls:
        return _join_records(a, b)
    if isinstance(a, (Ref, Among)) and isinstance(b, (Ref, Among)):
        return among([*kinds_of(a), *kinds_of(b)])
    if _is_raised(a) and _is_raised(b):
        return _raised([*kinds_of(a), *kinds_of(b)])
    if {type(a), type(b)} & {Located, Either, Maybe}:
        return _join_with_array(a, b) or _join_with_none(a, b)
    return _join_with_none(a, b)


def _join_tuples(a: Tuple | Variadic, b: Tuple | Variadic) -> Type:
    """The join of tuples that may have several lengths."""
    item: Type = BOTTOM
    for t in (a, b):
        if isinstance(t, Tuple) and t.cls is not tuple:
            return UNKNOWN
        for u in t.items if isinstance(t, Tuple) else (t.item,):
            item = join(item, u)
    return variadic(item)


def variadic(item: Type) -> Type:
    """The type of a tuple of any length with such items; UNKNOWN if they may change, or of what they are is open."""
    return Variadic(item) if item == BOTTOM or is_value(item) else UNKNOWN


def is_value(t: Type) -> bool:
    """Tell whether what is of a type never changes: numbers, texts, and tuples of these."""
    if isinstance(t, Tuple):
        return t.cls is tuple and all(map(is_value, t.items))
    if isinstance(t, Array):
        return t.scalar is True and bool(t.dtype)
    if isinstance(t, Maybe):
        return isinstance(t.item, Scalar)
    return isinstance(t, (Scalar, Variadic)) or t in (NONE, Inert(str))


MAX_KINDS = 24
"""Classes of which an instance is told to be one."""


def among(kinds: Iterable[Record]) -> Type:
    """The type of an instance of one of these classes; `UNKNOWN` of too many."""
    one = {kind.cls: kind for kind in kinds}
    if len(one) > MAX_KINDS:
        return UNKNOWN
    kinds = sorted(one.values(), key=lambda kind: (kind.cls.__module__, kind.cls.__qualname__, id(kind.cls)))
    return kinds[0] if len(kinds) == 1 else Among(tuple(kinds))


def _is_raised(t: Type) -> bool:
    of_exception = isinstance(t, Record) and not isinstance(t, Ref) and issubclass(t.cls, BaseException)
    return of_exception or isinstance(t, Raised)


def _raised(kinds: Iterable[Record]) -> Type:
    """The type of an exception of one of these classes; `UNKNOWN` of too many."""
    one: dict[type, Record] = {}
    for kind in kinds:
        one[kind.cls] = _join_records(one.get(kind.cls, kind), kind)
    found = among(one.values())
    return Raised(found.kinds) if isinstance(found, Among) else found


def kinds_of(t: Type) -> tuple[Record, ...]:
    """The types of the classes of which an instance is one; none of what is no instance."""
    return t.kinds if isinstance(t, (Among, Raised)) else (t,) if isinstance(t, Record) else ()


MISSING: dict[Any, Type] = {float: FLOAT, int: INT, list: List(BOTTOM)}
"""The items that builtin types make for a `defaultdict`."""


def of_items(t: List, item: Type) -> List:
    """The type of a list or a deque like another, with items of this type."""
    return Deque(item, t.bounded) if isinstance(t, Deque) else List(item)


def of_values(t: Dict, value: Type) -> Dict:
    """The type of a dict like another, with values of this type."""
    return Default(value, t.cls, t.missing) if isinstance(t, Default) else Dict(value)


def _join_defaults(a: Type, b: Type) -> Type:
    """The join of dicts that give something for a key that they have not."""
    alike = isinstance(a, Default) and isinstance(b, Default) and (a.cls, a.missing) == (b.cls, b.missing)
    return Default(join(a.item, b.item), a.cls, a.missing) if alike else UNKNOWN  # type: ignore[attr-defined]


def keyed(entries: Mapping[str, Type], site: Any = None) -> Keyed:
    """The type of a dict with these keys, or of one that is made empty at a site and comes to have them."""
    item: Type = BOTTOM
    for t in entries.values():
        item = join(item, t)
    return Keyed(item, tuple(entries.items()), site)


def _join_with_array(a: Type, b: Type) -> Type | None:
    """The join of arrays that others may have, and numbers; None of anything else."""
    if None in (sides := [_sides(a), _sides(b)]):
        return None
    (array, number), (other, second) = sides  # type: ignore[misc]
    array, known = other if array == BOTTOM else array, array == other or BOTTOM in (array, other)
    if array == BOTTOM or not known:
        return None
    number = join(number, second)
    return Either(array, number) if isinstance(number, (Scalar, Array, Maybe)) else None


def _sides(t: Type) -> tuple[Type, Type] | None:
    """The parts of a type that are of an array, and of a number or None."""
    if isinstance(t, Either):
        return t.array, t.number
    if isinstance(t, Maybe) and isinstance(t.item, Located):
        return t.item, NONE
    if isinstance(t, Maybe) or t == NONE:
        return BOTTOM, t
    if isinstance(t, Located) and isinstance(t.of, Array):
        return t, BOTTOM
    return (BOTTOM, t) if isinstance(t, Scalar) or isinstance(t, Array) and t.scalar is True else None


def named_dict(t: Dict, entries: Mapping[str, Type], site: Any) -> Dict:
    """The type of a dict like another that is made empty at a site, and comes to have these keys."""
    names = keyed(entries, site)
    return replace(t, item=names.item, entries=names.entries, site=site) if isinstance(t, Default) else names


def _join_with_none(a: Type, b: Type) -> Type:
    """The join of numbers that may be None."""
    none = [t == NONE or isinstance(t, Maybe) for t in (a, b)]
    items = [t.item if isinstance(t, Maybe) else t for t in (a, b) if t != NONE]
    if not any(none) or not all(map(_is_single, items)):
        return UNKNOWN
    return Maybe(items[0] if len(items) == 1 else join(*items))


def _is_single(t: Type) -> bool:
    """Tell whether a type is that of one number, which cannot change, or of a reference."""
    return isinstance(t, (Scalar, Ref, Among, Located)) or isinstance(t, Array) and t.scalar is True and bool(t.dtype)


def _join_records(a: Record, b: Record) -> Record:
    fields, others = dict(a.fields or ()), dict(b.fields or ())
    if fields.keys() != others.keys() or None in (a.fields, b.fields):
        return Record(a.cls)
    return Record(a.cls, tuple([(name, join(t, others[name])) for name, t in fields.items()]))


def referenced(t: Type) -> Type:
    """A type of values in which all instances are references."""
    match t:
        case Ref() | Located():
            return t
        case Record(cls):
            return Ref(cls)
        case Among(kinds):
            return Among(tuple([Ref(kind.cls) for kind in kinds]))
        case Tuple(items, cls):
            return Tuple(tuple(map(referenced, items)), cls)
        case Keyed(_, entries, site):
            return keyed({name: referenced(u) for name, u in entries}, site)
        case List(item):
            return of_items(t, referenced(item))
        case Dict(item):
            return of_values(t, referenced(item))
        case Fn():
            keywords = tuple([(name, referenced(u)) for name, u in t.keywords])
            captures, defaults = tuple(map(referenced, t.captures)), tuple(map(referenced, t.defaults))
            return replace(t, captures=captures, defaults=defaults, keywords=keywords)
    return t


def depth(t: Type) -> int:
    """Nesting of containers in a type; specialisation widens what grows too deep."""
    if isinstance(t, Tuple):
        return 1 + max((depth(item) for item in t.items), default=0)
    if isinstance(t, Keyed):
        return 1 + max([depth(entry) for _, entry in t.entries], default=0)
    if isinstance(t, (List, Dict, Variadic, View)):
        return 1 + depth(t.item)
    if isinstance(t, Located):
        return depth(t.of)
    if isinstance(t, Record) and t.fields:
        return 1 + max([depth(field) for _, field in t.fields])
    return 0
