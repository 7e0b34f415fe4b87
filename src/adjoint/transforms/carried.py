"""Variables that a loop carries from round to round: names, and the fields of virtual objects that its rounds
change."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..ir.lattice import depth, join
from ..ir.nodes import Atom, Loop, Var
from ..ir.types import UNKNOWN, Among, Located, Record, Ref, Type
from .facts import is_active
from .heap import Memory, Owner, same
from .infer import type_of
from .joined_objects import is_plain
from .locating import unite
from .standing import ask_for, stand_in

if TYPE_CHECKING:
    from .specialise import Specialiser

MAX_DEPTH = 4

Field = tuple[Owner, str]


class Carried:
    """The carried values of one loop, while their types settle: by the places of names, then by object and field."""

    def __init__(self, sp: Specialiser, s: Loop, inits: Sequence[Atom]) -> None:
        self.sp, self.heap, self.loop = sp, sp.heap, s
        self.given = [stand_in(sp, s, i, a) for i, a in enumerate(inits)]
        self.replacing: set[Any] = set()
        """Objects that stand for those of all rounds."""
        self.before = sp.heap.objects
        self.settled = sp.settled.setdefault(s, {})
        names = [i for i, a in enumerate(inits) if not self._stays(a) or i in self.settled]
        fields = [key for key in self.settled if not isinstance(key, int) and key[1] in self.before.get(key[0], ())]
        self.keys: list[int | Field] = [*names, *fields]
        self.results: list[Atom] = []
        for key in self.keys:
            self._begin(key)

    def _stays(self, a: Atom) -> bool:
        """Tell whether a name is not carried, as long as no round binds it anew: it stands for what has an identity."""
        return self.heap.is_held(a) or isinstance(type_of(a), (Ref, Among, Located, Record))

    def _begin(self, key: int | Field) -> None:
        """A value starts with the type of what it is before the loop, or of what it was seen to be."""
        init = self._init(key)
        t, active = widened(type_of(init)), is_active(init)
        u, also = self.settled.get(key, (t, active))
        self.settled[key] = join(t, u), active or also

    def _init(self, key: int | Field) -> Atom:
        if isinstance(key, int):
            return self.given[key]
        self.heap.objects, after = self.before, self.heap.objects
        init = self.heap.get(*key)
        self.heap.objects = after
        return init

    @property
    def inits(self) -> list[Atom]:
        """The values before the loop."""
        return [self._init(key) for key in self.keys]

    @property
    def state(self) -> list[tuple[Type, bool]]:
        """Type and activity of each value."""
        return [self.settled[key] for key in self.keys]

    def place(self, name: int | None) -> int | None:
        """The place of a name among the carried values."""
        return None if name is None else self.keys.index(name)

    def enter(self, params: Sequence[Var]) -> list[Var]:
        """Bind names and fields at the beginning of a round."""
        return self._bind(params)

    def exit(self, outs: Sequence[Var]) -> list[Var]:
        """Bind names and fields after the loop."""
        return self._bind(outs)

    def _bind(self, names: Sequence[Var]) -> list[Var]:
        self.heap.objects = self.before
        self.sp.env.update(zip(names, self.given, strict=False))  # those that are virtual
        bound = []
        read = len(self.results) == len(self.keys)
        results: Sequence[Atom | None] = self.results if read else [None] * len(self.keys)
        for key, result in zip(self.keys, results, strict=True):
            name = names[key].name if isinstance(key, int) else key[1] or getattr(key[0], "name", "")
            bound.append(Var(name, *self.settled[key]))
            self.sp.ways[bound[-1]] = (self._init(key), *([] if result is None else [result]))
            if isinstance(key, int):
                self.sp.env[names[key]] = bound[-1]
            else:
                self.heap.set(*key, bound[-1])
        self.entered = self.heap.objects
        return bound

    def check_unchanged(self, results: Sequence[Atom]) -> None:
        """The test of a loop stores into no object, and gives none."""
        self.heap.check(results)
        for a, fields in self.entered.items():
            if self.heap.objects[a] is not fields:
                raise self.heap.escape(a)

    def leave(self, names: Sequence[Atom]) -> bool:
        """Take up what a round gives; tells if it changes fields that were not carried."""
        names = [self._replaced(i, a, names) for i, a in enumerate(names)]
        after, found = self.heap.objects, list[int | Field]()
        for a, fields in self.entered.items():
            if after[a] is fields:
                continue
            if not self.heap.fit(a, after[a], fields):
                if a in self.heap.cells and not fields:
                    continue  # bound anew in each round, and not there after the last
                raise self.heap.escape(a)
            keys = [(a, name) for name, old in fields.items() if not same(old, after[a][name])]
            found += [key for key in keys if key not in self.keys]
        for i, (result, init) in enumerate(zip(names, self.given, strict=True)):
            if i in self.keys or result is init or self.heap.is_one(result, init):
                continue
            if init in self.heap:
                raise self.heap.escape(init)
            found.append(i)
        for key in found:
            self._begin(key)
            self.keys.append(key)
        self.results = [names[key] if isinstance(key, int) else self.heap.get(*key) for key in self.keys]
        self.heap.check([*self.results, *self.inits])
        return bool(found)

    def kept(self, results: Sequence[Any]) -> set[Any]:
        """The results of a round that are objects which take the place of those before: of these the fields are
        carried, as in `s = State(...)`."""
        given = [self.sp.atom(r) for r in results]
        return {r for i, (r, a) in enumerate(zip(results, given, strict=True)) if self._is_replaced(i, a, given)}

    def _is_replaced(self, i: int, a: Any, given: Sequence[Any]) -> bool:
        """Tell whether a name has an object that this round has made, that nothing else has, and that holds no others,
        but lists, dicts and arrays of its own."""
        heap, after = self.heap, self.heap.objects
        own: Any = self.given[i]
        if a is own or i in self.keys or not all([is_plain(heap, x, after) for x in (a, own)]) or a in self.entered:
            return False
        if after[own] is not self.entered.get(own) or a.type != own.type or [*after[a]] != [*after[own]]:
            return False
        held = [x for fields in after.values() for x in fields.values() if x is a]
        parts = {name: x for name, x in after[a].items() if isinstance(x, Memory) or x in heap}
        if {name for name, x in after[own].items() if isinstance(x, Memory)} - {*parts}:
            return False
        own_parts = all([self._is_own(x, a, given) and self._stays_in(own, name) for name, x in parts.items()])
        return not held and own_parts and sum(x is a for x in given) == 1

    def _is_own(self, part: Any, a: Any, given: Sequence[Any]) -> bool:
        """Tell whether what an object holds is memory that the round has made for it, and that nothing else has."""
        if not isinstance(part, Memory) or part.holder is not a or part in self.entered:
            return False
        held = [x for fields in self.heap.objects.values() for x in fields.values() if x is part]
        return len(held) == 1 and all([self.heap.memory(x) is not part for x in given])

    def _stays_in(self, own: Any, name: str) -> bool:
        """Tell whether an object holds memory in a field that has not changed in this round."""
        memory = self.entered[own][name]
        return isinstance(memory, Memory) and self.heap.objects[memory] is self.entered.get(memory)

    def _replaced(self, i: int, a: Any, given: Sequence[Any]) -> Atom:
        """The value that a round gives for a name: for such an object the one that stands for those of all rounds."""
        if not self._is_replaced(i, a, given):
            return a  # type: ignore[no-any-return]
        own, heap = self._stand_in(i), self.heap
        fields = dict(heap.objects[a])
        for name, value in fields.items():
            if isinstance(value, Memory):
                fields[name] = memory = self.entered[own][name]
                heap.objects = {**heap.objects, memory: heap.objects[value]}
        heap.objects = {**heap.objects, own: fields}
        return own  # type: ignore[no-any-return]

    def _stand_in(self, i: int) -> Any:
        """The object that stands for those of all rounds, which holds memory like that of the first one."""
        heap, first = self.heap, self.given[i]
        if first in self.replacing:
            return first
        own = self.given[i] = Var(first.name, first.type, first.active)  # type: ignore[union-attr]
        heap.sites[own] = heap.sites[first]  # type: ignore[index]
        if first in heap.contents:
            heap.contents[own] = heap.contents[first]
        fields = dict(self.before[first])  # type: ignore[index]
        for name, value in fields.items():
            if isinstance(value, Memory):
                fields[name] = memory = Memory(value.name, own)
                self.before = {**self.before, memory: self.before[value]}
                self.entered = {**self.entered, memory: self.before[value]}
                heap.aliased |= {value, memory}
        heap.aliased |= {first, own}  # type: ignore[arg-type]
        self.replacing.add(own)
        self.before = {**self.before, own: fields}
        self.entered = {**self.entered, own: fields}
        return own

    def widen(self, final: bool) -> None:
        """Join the types of what a round gave to those that it began with; what still grows in the end is unknown."""
        for key, result in zip(self.keys, self.results, strict=True):
            t, active = self.settled[key]
            unite(self.sp, self._init(key), result)
            ask_for(self.sp, self.loop, key, self._init(key), result)
            grown = widened(join(t, type_of(result)))
            u = UNKNOWN if final and grown != t else grown
            self.settled[key] = u, (active or is_active(result)) and u.differentiable


def widened(t: Type) -> Type:
    """Types that would grow without end become UNKNOWN."""
    return UNKNOWN if depth(t) > MAX_DEPTH else t


__all__ = ["Carried"]
