"""Facts about references and the contents of their fields: one type a field, for the whole program."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any

from ..ir import changes
from ..ir.lattice import join, keyed, kinds_of, named_dict, of_values, referenced
from ..ir.named import Names
from ..ir.nodes import Function, Var
from ..ir.types import (
    BOTTOM,
    UNKNOWN,
    Among,
    Array,
    Bottom,
    Default,
    Dict,
    Either,
    Fn,
    Inert,
    Keyed,
    Known,
    List,
    Located,
    Maybe,
    Raised,
    Ref,
    Scalar,
    Tuple,
    Type,
    Variadic,
    View,
)
from ..ops.arithmetic import is_number, is_real
from ..tangents import shadow_class
from .infer import type_of
from .uses import calls_of, is_call_of

MAX_KINDS = 3
"""Types of what one field holds."""
MAX_FUNCTIONS = 8
"""Functions of which one field holds one."""


class Memory(dict[tuple[type, str], tuple[Type, ...]]):
    """The contents of the fields of classes, as far as they are known; and what else is found while a program is
    read."""

    def __init__(self, known: Memory | None = None, located: bool = False, steady: bool = False) -> None:
        super().__init__({} if known is None else known)
        self.located: bool = located if known is None else known.located
        """Whether lists, dicts and arrays are memory as well."""
        self.steady: bool = steady if known is None else known.steady
        """Arrays are values all the same: nothing is stored into any."""
        self.wider: dict[Type, Type] = {} if known is None else {**known.wider}
        """What lists and dicts of a type may come to hold, as the type of such."""
        self.sites: set[Var] = set() if known is None else known.sites
        """What is made in the untyped programs, and becomes such memory."""
        self.apart: set[Var] = set() if known is None else known.apart
        """The sites of dicts whose type is told from that of others with the same names."""
        self.key_types: set[Type] = set() if known is None else known.key_types
        """The types of the keys under which dicts that are such memory are stored into, or have something at first."""
        self.made_keys: dict[Var, set[Type]] = {} if known is None else known.made_keys
        """Those of the dicts that the program makes, by the sites of these."""
        self.are_walked: bool = False if known is None else known.are_walked
        """Whether keys of such dicts are run through, and taken for those."""
        self.opened: set[Any] = set() if known is None else known.opened
        """The code of functions that make such memory, and are written out where they are called."""
        self.shadowed: dict[type, Shadowed] = {}
        """The fields of classes that have shadows."""
        self.constants: set[tuple[type, str]] = set()
        """Fields whose functions are called, and not read."""
        self.hidden: set[tuple[type, str]] = set()
        """What is read of classes, and no object of them has itself."""
        self.roots: dict[tuple[int, str], dict[str, Any]] = {} if known is None else known.roots
        """The globals in which there are references, by their scopes and names; found by others as well."""
        self.tables: dict[tuple[int, str], tuple[dict[str, Any], Type]] = {} if known is None else known.tables
        """The globals that are lists or dicts and taken for values, by their scopes and names, with their types."""
        self.stored_tables: set[tuple[int, str]] = set() if known is None else known.stored_tables
        """Those that are stored into, or that can be reached in another way, which are memory."""
        self.boxes: dict[Var, type] = {} if known is None else known.boxes
        """The classes of objects that variables are which functions share, by what makes their cells; found by others
        as well."""
        self.made: dict[tuple[type, str], Var] = {} if known is None else known.made
        """The sites of what the fields of dataclasses begin with, by default; found by others as well."""
        self.empty: dict[Any, Var] = {} if known is None else known.empty
        """The lists that stand for tuples without items, by where these are; found by others as well."""
        self.named: dict[tuple[type, str], tuple[str, ...] | None] = {} if known is None else known.named
        """The keys of the dicts that fields held when that was asked first; None where they differ, or are many."""
        self.latest: set[tuple[type, str]] = set() if known is None else known.latest
        """The fields that tell later calls of which number a result is; found by others as well."""
        self.scopes: dict[int, Names] = {} if known is None else known.scopes
        """Scopes whose names are memory, as objects; found by others as well."""

    def learns_keys(self, site: Var | None, found: AbstractSet[Type]) -> bool:
        """Take up of which types keys are, of a dict that is made at a site of the program if there is one; whether
        that is news, and keys have been run through."""
        own = self.key_types if site is None else self.made_keys.setdefault(site, set())
        is_news = not found <= self.key_types or not found <= own
        self.key_types |= found
        own |= found
        return is_news and self.are_walked

    @property
    def touched(self) -> int:
        """The number of names of scopes that programs touch."""
        return sum([len(names.__touched__) for names in [*self.scopes.values()]]) + len(self.stored_tables)


@dataclass(eq=False)
class Shadowed:
    """The fields of a class that have shadows."""

    cls: type
    memory: Memory
    made: Any = None

    def is_real(self, name: str) -> bool:
        """Tell whether a field holds real numbers of Python."""
        return is_real(held_in(self.memory, self.cls, name))

    def shadow_class(self) -> type:
        """The class of its shadows."""
        if self.made is None:
            names = [name for cls, name in self.memory if cls is self.cls and not name.startswith("__")]
            moving = [name for name in names if held_in(self.memory, self.cls, name).differentiable]
            self.made = shadow_class(self.cls.__name__, {name: self.is_real(name) for name in moving})
        return self.made  # type: ignore[no-any-return]


def settled(memory: Memory, t: Type) -> Type:
    """The type of what is there when a program begins: instances are references, and lists, dicts and arrays memory, if
    these are."""
    return referenced(t) if not memory.located else _located(memory, t)


def widest(memory: Memory, t: Type) -> Type:
    """The type of memory by what it may come to hold; one of a value is as it is."""
    match t:
        case Located():
            return _located(memory, t)
        case Tuple(items, cls):
            return Tuple(tuple([widest(memory, u) for u in items]), cls)
        case List(item) if type(t) is List:
            return List(widest(memory, item))
        case Dict(item) if type(t) is Dict:
            return Dict(widest(memory, item))
        case Fn():
            keywords = tuple([(name, widest(memory, u)) for name, u in t.keywords])
            captures, defaults = [tuple([widest(memory, u) for u in us]) for us in (t.captures, t.defaults)]
            return replace(t, captures=captures, defaults=defaults, keywords=keywords)
    return t


def _located(memory: Memory, t: Type, within: frozenset[Type] = frozenset()) -> Type:
    match t:
        case Located(of):
            return replace(t, of=_widest(memory, _inside(memory, of, within), within))
        case List() | Dict():
            if type(t) not in (List, Dict, Keyed) and not (isinstance(t, Default) and t.cls is defaultdict):
                return UNKNOWN  # deques, counters
            return Located(_widest(memory, _inside(memory, t, within), within))
        case Array(scalar=False):
            return t if memory.steady else Located(t) if t.dtype in _DTYPES else UNKNOWN
        case Tuple(items, cls):
            return Tuple(tuple([_located(memory, u, within) for u in items]), cls)
        case Either(array, number):
            return UNKNOWN if memory.steady else Either(_located(memory, array, within), number)
        case Fn():
            keywords = tuple([(name, _located(memory, u)) for name, u in t.keywords])
            captures, defaults = [tuple([_located(memory, u) for u in us]) for us in (t.captures, t.defaults)]
            return replace(t, captures=captures, defaults=defaults, keywords=keywords)
    return referenced(t)


_DTYPES = ("float64", "float32", "complex128", "complex64", "int64", "bool")
"""The dtypes of arrays that are memory."""


def _inside(memory: Memory, t: Type, within: frozenset[Type]) -> Type:
    match t:
        case List(item):
            return List(_located(memory, item, within))
        case Keyed(_, entries, site):
            return keyed({name: _located(memory, u, within) for name, u in entries}, site)
        case Default(entries=entries, site=site) if entries:
            return named_dict(t, {name: _located(memory, u, within) for name, u in entries}, site)
        case Dict(item):
            return of_values(t, _located(memory, item, within))
    return t


def _widest(memory: Memory, of: Type, within: frozenset[Type]) -> Type:
    """The type by what such memory may come to hold; in what a type comes to hold that one is not looked up again."""
    if of not in memory.wider or of in within:
        return of
    found, seen = of, set(within)
    while found in memory.wider and found not in seen:
        seen.add(found)
        found = memory.wider[found]
    return _inside(memory, found, frozenset(seen))


def class_of(t: Type) -> type | None:
    """The class of a reference; None of any other type."""
    t = t.item if isinstance(t, Maybe) else t
    return t.cls if isinstance(t, Ref) else None


def classes_of(t: Type) -> tuple[type, ...]:
    """The classes of which a reference is to an object of one; none of any other type."""
    t = t.item if isinstance(t, Maybe) else t
    return tuple([kind.cls for kind in kinds_of(t)]) if isinstance(t, (Ref, Among, Raised)) else ()


def held_by(t: Type) -> Any:
    """The type of what memory holds, by the type of that, or of what may be None as well; None of any other type."""
    t = t.item if isinstance(t, Maybe) else t
    return t.of if isinstance(t, Located) else None


def holds_memory(t: Any) -> bool:
    """Tell whether there is memory in what a value is of this type."""
    if isinstance(t, Tuple):
        return any([_is_memory(u) or holds_memory(u) for u in t.items])
    if isinstance(t, Keyed):
        return any([_is_memory(u) or holds_memory(u) for _, u in t.entries])
    return isinstance(t, (List, Dict)) and (_is_memory(t.item) or holds_memory(t.item))


def _is_memory(t: Type) -> bool:
    return held_by(t) is not None or isinstance(t, Either)


def is_data(t: Type) -> bool:
    """Tell whether a type tells that there is no object of the user's in a value, and nothing that is called."""
    if isinstance(t, Tuple):
        return all(map(is_data, t.items))
    if isinstance(t, Keyed):
        return all([is_data(u) for _, u in t.entries])
    if isinstance(t, (List, Dict, Maybe, Variadic, View)):
        return is_data(t.item)
    return isinstance(t, (Scalar, Inert, Bottom)) or isinstance(t, Array) and t.kind in "biufc"


def is_held(t: Type) -> bool:
    """The same of a value in which there may be references."""
    if isinstance(t, Tuple):
        return all(map(is_held, t.items))
    if isinstance(t, Keyed):
        return all([is_held(u) for _, u in t.entries])
    if isinstance(t, (List, Dict, Maybe, View)):
        return is_held(t.item)
    if isinstance(t, Fn):
        return all(map(is_held, t.parts))
    return isinstance(t, (Ref, Among, Located, Either)) or is_data(t)


def refers(t: Type) -> bool:
    """Tell whether there are references in a value, or in what a function captures or has as defaults."""
    return any(map(refers, t.parts)) if isinstance(t, Fn) else is_held(t) and not is_data(t)


def takes_references(args: Iterable[Any]) -> bool:
    """Tell whether a call is given references, or what holds some."""
    return any(map(refers, map(type_of, args)))


def has_nothing(t: Type) -> bool:
    """Tell whether a type has a cotangent which says that nothing has come: it needs no value for that."""
    if isinstance(t, Maybe):
        return is_real(t.item)
    return is_number(t) or isinstance(t, (Tuple, Variadic, List)) or isinstance(t, Keyed) and t.site is None


def held_in(memory: Memory, cls: type, name: str, but: Type | None = None) -> Type:
    """The type of what a field holds, `but` for values of one of its types."""
    t: Type = BOTTOM
    for kind in memory.get((cls, name), ()):
        t = t if kind == but else join(t, settled(memory, kind))
    return t


def hold(memory: Memory, cls: type, name: str, t: Type) -> bool:
    """Take it up that a field may hold a value of a type; whether that was not known."""
    kinds = memory.get((cls, name), ())
    if t in kinds or isinstance(t, Bottom) or kinds == (UNKNOWN,):
        return False
    for kind in kinds:
        if (one := _of_references(kind, t)) is not None:
            memory[cls, name] = tuple([one if k is kind else k for k in kinds])
            return one != kind
    if isinstance(t, Located) and t in [settled(memory, kind) for kind in kinds]:
        return False
    most = MAX_FUNCTIONS if isinstance(t, Known) else MAX_KINDS
    memory[cls, name] = (*kinds, t) if len(kinds) < most else (UNKNOWN,)
    return True


def _of_references(a: Type, b: Type) -> Type | None:
    """The type of references, or lists of such, of either type; None of any others."""
    if type(a) is List and type(b) is List:
        items = _of_references(a.item, b.item)
        return None if items is None else List(items)
    both = isinstance(a, (Ref, Among)) and isinstance(b, (Ref, Among))
    return one if both and (one := join(a, b)) != UNKNOWN else None


def used_by(functions: Iterable[Function], memory: Memory) -> Memory:
    """The facts of memory on which programs rely."""
    calls = [s for f in functions for s in calls_of(f.body.statements) if is_call_of(s, _ACCESSES)]
    keys = [(class_of(type_of(s.args[0])), s.args[1].value) for s in calls]  # type: ignore[union-attr, arg-type]
    used = Memory(memory)
    for key in memory.keys() - keys - memory.constants:
        del used[key]
    used.hidden, used.constants, used.latest = memory.hidden, memory.constants, {*memory.latest}
    return used


_ACCESSES = (changes.load_field, changes.store_field)
