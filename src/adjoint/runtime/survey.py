"""Objects that a call can reach, with what they hold: asked before it runs, and put back where it is given up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from ..cells import held_by
from ..ir.lattice import kinds_of
from ..ir.methods import Method, called_class
from ..ir.named import Names, OfClass, touched_in
from ..ir.types import Dict, Keyed, Known, List, Type
from ..tangents import own_dict
from ..tangents.fields import record_fields
from ..tangents.windows import overlaps_itself, owner_of
from ..transforms.chosen_functions import is_plain_function
from ..transforms.memory import Memory, hold, settled
from ..transforms.remembered import is_only_compared
from .conditions import Guard, guard_of_type
from .spec import Spec
from .typeof import typeof

MAX_OBJECTS = 20_000
MAX_KEYS = 16
"""The keys of a dict in a field that are known."""
_CLOSED = frozenset([bool, int, float, complex, str, bytes, type(None), range, slice, np.ndarray, np.float64, np.int64])
_NUMBERS = _CLOSED - {np.ndarray}
_KEPT, _CONTAINERS = (list, dict), (list, tuple, dict)
_NO_OBJECTS = (type, ModuleType, FunctionType, np.ndarray, np.generic)


class Survey:
    """The objects that can be reached from some values, each with a copy of its fields."""

    def __init__(self, roots: Sequence[Any], located: bool = False, scopes: Sequence[Names] = ()) -> None:
        """With `located`, lists, dicts and the memory of arrays are taken up as well. Of `scopes` the names that
        programs touch are taken up."""
        self._given = roots, located, scopes
        self.objects: list[tuple[Any, dict[str, Any]]] = []
        self.containers: list[tuple[Any, Any]] = []
        self.owners: dict[int, tuple[Any, Any]] = {}
        self.is_closed = True
        """True if all memory is that of arrays of one kind, and nobody else's."""
        arrays = [x for x in roots if located and type(x) is np.ndarray]
        holders = [x for x in roots if type(x) not in _CLOSED and not (type(x) is FunctionType and not held_by(x))]
        named = [_fields(names) for names in scopes]
        self.objects += zip(scopes, named, strict=True)
        self._walk([*holders, *(value for fields in named for value in fields.values())], located)
        alone = len(holders) <= 1 and not named
        held = [{*self.owners}] if alone else [{*Survey((x,), True).owners} for x in holders if located]
        for x in arrays:
            self._array(x)
            held.append({id(owner_of(x))})
        seen, self.shared = set[int](), set[int]()
        """The arrays whose memory several arguments have, by identity."""
        for owners in held:
            self.shared |= seen & owners
            seen |= owners

    def _walk(self, todo: list[Any], located: bool) -> None:
        """Take up what can be reached from some values."""
        seen = set[int]()
        while todo:
            x = todo.pop()
            cls = type(x)
            if cls in _NUMBERS:
                continue
            if located and isinstance(x, np.ndarray):
                self._array(x)
            if cls is np.ndarray or id(x) in seen:
                continue
            seen.add(id(x))
            if cls in _KEPT or isinstance(x, _CONTAINERS):
                if located and cls in _KEPT:
                    self.containers.append((x, x.copy()))
                items = [*_items_of(x)]
                if not _NUMBERS.issuperset(map(type, items)):
                    todo += items
            elif cls is FunctionType:
                todo += held_by(x)
            elif cls is MethodType:
                todo.append(x.__self__)
            elif not isinstance(x, _NO_OBJECTS) and (fields := record_fields(x) or own_dict(x)) is not None:
                own = dict(fields)
                self.objects.append((x, own))
                todo += own.values()
            if len(self.objects) + len(self.containers) > MAX_OBJECTS:
                break

    @property
    def shares_unchanged(self) -> bool:
        """True if several arguments have memory that is as it was: unless something was stored, each has a cotangent of
        its own."""
        pairs = [self.owners[key] for key in self.shared]
        return any([owner.tobytes("A") == before.tobytes("A") for owner, before in pairs])

    def _array(self, x: Any) -> None:
        owner = owner_of(x)
        if id(owner) not in self.owners:
            self.owners[id(owner)] = owner, owner.copy("K")
        self.is_closed &= x.dtype == owner.dtype and owner.base is None and type(x) is np.ndarray
        self.is_closed &= not overlaps_itself(x)

    def again(self) -> Survey:
        """The survey of the same values now."""
        return Survey(*self._given)

    @property
    def is_whole(self) -> bool:
        """True if all of them have been found."""
        return self.is_closed and len(self.objects) + len(self.containers) <= MAX_OBJECTS

    def fits(self, spec: Spec) -> bool:
        """Tell whether all fields hold what the program takes for granted."""
        if spec.entry is None:
            spec.entry = Entry(spec)
        return bool(spec.entry.fits(self.objects))

    def learn(self, memory: Memory) -> bool:
        """Take up what the fields hold; whether any of that is news."""
        found = False
        for x, fields in self.objects:
            for name, value in fields.items():
                if type(value) is dict:
                    keys = tuple(value) if len(value) <= MAX_KEYS and {*map(type, value)} <= {str} else None
                    memory.named[type(x), name] = keys if memory.named.get((type(x), name), keys) == keys else None
                if type(value) not in _QUICK or _QUICK[type(value)] not in memory.get((type(x), name), ()):
                    found |= hold(memory, type(x), name, settled(memory, _type_in_field(value)))
        return found

    def meets_tables(self, memory: Memory) -> bool:
        """Tell whether a global that is taken for a value, or a part of one, has been reached: from then on it is
        memory."""
        if not memory.tables or not (reached := {id(x) for x, _ in self.containers}):
            return False
        left = [(key, *held) for key, held in memory.tables.items() if key not in memory.stored_tables]
        met = [key for key, scope, t in left if not reached.isdisjoint(_containers_in(scope.get(key[1]), t))]
        memory.stored_tables.update(met)
        return bool(met)

    def key_types(self) -> set[Type]:
        """Types of keys of dicts."""
        return {typeof(next(iter(x))) for x, _ in self.containers if type(x) is dict and x}

    def restore(self) -> None:
        """Put back what all fields held, and all memory."""
        for x, held in self.containers:
            if type(x) is list:
                x[:] = held
            else:
                x.clear()
                x.update(held)
        for owner, numbers in self.owners.values():
            if owner.flags.writeable:
                owner[...] = numbers
        for x, before in self.objects:
            now, of_class = _fields(x), isinstance(x, OfClass)
            if [*now] != [*before] and not of_class:
                for name in now:
                    object.__delattr__(x, name)
                now = {}
            for name, value in before.items():
                if name not in now or now[name] is not value:
                    (setattr if of_class else object.__setattr__)(x, name, value)


def _containers_in(value: Any, t: Type) -> Iterator[int]:
    """The lists and dicts, by identity, that a value of a type is made of."""
    if type(value) in (list, dict) and isinstance(t, (List, Dict)):
        yield id(value)
        if isinstance(t, Keyed) or isinstance(t.item, (List, Dict)):
            entries: dict[Any, Type] = dict(t.entries) if isinstance(t, Keyed) else {}
            for key, part in value.items() if type(value) is dict else enumerate(value):
                yield from _containers_in(part, entries.get(key, t.item))


def _items_of(x: Any) -> Iterable[Any]:
    """The items of a container, whatever its class makes of iteration."""
    if isinstance(x, dict):
        return dict.values(x)
    return list.__iter__(x) if isinstance(x, list) else tuple.__iter__(x)


def _fields(x: Any) -> dict[str, Any]:
    """The fields of an object, or the names of a scope that programs touch."""
    if isinstance(x, Names):
        return touched_in(x)
    return dict(record_fields(x) or {})


_QUICK: dict[type, Type] = {cls: typeof(x) for cls, x in ((float, 0.0), (int, 0), (bool, True), (type(None), None))}


_CLASSES = {t: cls for cls, t in _QUICK.items()}


class Entry:
    """Assumptions of a program about the fields of objects."""

    def __init__(self, spec: Spec) -> None:
        self.fields: dict[type, list[tuple[str, frozenset[type], list[Any], bool]]] = {}
        self.hidden: dict[type, list[str]] = {}
        layouts, referenced = Guard(), {*_referenced(spec.memory)}
        for (cls, name), kinds in spec.memory.items():
            quick = [_classes_of(t) for t in kinds]
            slow = [guard_of_type(t) for t, known in zip(kinds, quick, strict=True) if not known]
            known = frozenset().union(*quick)
            self.fields.setdefault(cls, []).append((name, known, slow, hasattr(cls, name) and not _is_slot(cls, name)))
            for test in slow:
                referenced.update(test.written.classes)
        for cls in {*self.fields, *referenced}:
            layouts.layout(cls)
        for cls, name in spec.memory.hidden:
            self.hidden.setdefault(cls, []).append(name)
            layouts.layout(cls)
        self.holds = layouts.compile([])
        programs = [part.primal for part in spec.all() if part.primal is not None]
        self.may_run_twice = not spec.has_effects and is_only_compared(programs, spec.memory.latest)
        """True if the latest numbers that objects hold may be put out of the way, and the program run once more."""

    def fits(self, objects: list[tuple[Any, dict[str, Any]]]) -> bool:
        """Tell whether some objects are as it says."""
        if not self.holds():
            return False
        for x, fields in objects:
            cls = type(x)
            for name in self.hidden.get(cls, ()):
                if name in fields:
                    return False
            for name, quick, slow, required in self.fields.get(cls, ()):
                if name not in fields:
                    if required or issubclass(cls, Names):
                        return False
                elif type(value := fields[name]) not in quick and not any([guard(value) for guard in slow]):
                    return False
        return True


def _is_slot(cls: type, name: str) -> bool:
    return type(vars(cls).get(name)).__name__ == "member_descriptor"


def _referenced(memory: Memory) -> list[type]:
    """The classes of objects that fields hold."""
    return [called_class(ref.cls) for kinds in memory.values() for t in kinds for ref in kinds_of(t)]


def _type_in_field(value: Any) -> Type:
    """The type of what a field holds; a function that holds nothing is known."""
    return Known(value) if is_plain_function(value) else typeof(value, mixed=True)


def _classes_of(t: Type) -> tuple[type, ...]:
    """The classes that tell the values of a type, if these do."""
    found = (_CLASSES[t],) if t in _CLASSES else tuple([ref.cls for ref in kinds_of(t)])
    return () if any([issubclass(cls, Method) for cls in found]) else found
