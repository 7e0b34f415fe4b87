"""The heap of a program that is specialised: fields of virtual objects, and versions of what these hold.

`virtual` says what calls do with such objects; here is what is known of them at one point of the program, and what
becomes of it where ways meet.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ..errors import UnsupportedSyntaxError
from ..ir.nodes import Atom, Const, Function, Var
from .context import Again
from .frames import place_of

Fields = dict[str, Any]
Objects = dict[Any, Fields]


class Escapes(Exception):
    """An object that was taken for its fields alone is seen by others: the program is read again, where the call that
    makes it makes an object."""

    def __init__(self, site: Var) -> None:
        self.site = site


MAX_ESCAPES = 20
"""How many objects of a program may turn out to escape before none is taken for its fields."""


MAX_READINGS = 400
"""How often a program is read, as more is found of it each time."""


def settled(read: Callable[[], Function], context: Any) -> Function:
    """The typed program that `read` gives once no virtual object of it escapes."""
    escapes = 0
    for _ in range(MAX_READINGS):
        try:
            return read()
        except Again:
            continue
        except Escapes as escaped:
            escapes += 1
            if escapes < MAX_ESCAPES:
                context.real.add(escaped.site)
            else:
                context.real = None
    raise UnsupportedSyntaxError(
        "a program whose types do not settle",
        f"it has been read {MAX_READINGS} times, and each time more was found of what it holds",
        "write what changes as functions of their own",
        place_of(context.function, None),
    )


@dataclass(eq=False, frozen=True)
class Memory:
    """A list, dict or array that a virtual object holds: all who have it see the version that it has at the time."""

    name: str
    holder: Var


Owner = Var | Memory
"""Of fields: a virtual object, or such memory, whose one field is its version."""
VERSION = ""


class Heap:
    """The fields of all virtual objects at one point of a program, by the variable that stands for the object."""

    def __init__(self, real: set[Var] | None) -> None:
        """`real` are what calls give that make objects which escape; None where every call does."""
        self.real = real
        self.objects: dict[Owner, Fields] = {}
        self.sites: dict[Var, tuple[Var, Any]] = {}
        """Where each was made: what the call gives in the untyped program, and in which block."""
        self.versions: dict[Atom, Memory] = {}
        """Whose versions variables are."""
        self.real_ones: dict[Atom, Var] = {}
        """The objects that virtual ones have become."""
        self.groups: dict[Var, Any] = {}
        """Those that are lists of objects, and what these are: `groups` says it."""
        self.dicts: set[Var] = set()
        """Those that are dicts, whose fields are their items."""
        self.sequences: dict[Var, Any] = {}
        """Those that are lists or tuples in which there are some, and what makes such a one."""
        self.views: dict[Var, Var] = {}
        """Those that are dicts of the fields of others, and of which: `field_dicts` says it."""
        self.unordered: set[Owner] = set()
        """Those whose fields came in another order on another way."""
        self.contents: dict[Var, type] = {}
        """Those that are objects of classes of dict and list, and which of the two: `contents` says it."""
        self.items: dict[Var, Any] = {}
        """Those that are at a place of such a list."""
        self.generators: dict[Var, Any] = {}
        """Those that are generators, and what these are: `generators` says it."""
        self.frames: dict[Var, Any] = {}
        """Those of these that have begun, and what they keep: `steps` says it."""
        self.managers: dict[Var, Any] = {}
        """Those that are generators which a `with` enters, and what these are: `managers` says it."""
        self.cells: set[Var] = set()
        """Those that are variables which functions share: whoever reads one that may be unbound has it made."""
        self.stores = 0
        """How many stores into memory have been met."""
        self.removals = 0
        """How many items of dicts have been taken out."""
        self.top = object()
        """Stands for the outermost block of the program."""
        self.only: dict[Any, Var] = {}
        """Atoms of the classes that a program makes once, by their layouts."""
        self.shown = False
        """Tell whether objects of these are made of their fields."""
        self.run: set[Var] = set()
        """Generators that have been run through."""
        self.on_change: Callable[[Owner], None] | None = None
        """Who is told of what changes."""
        self.reads: set[Owner] = set()
        """Owners of which a field has been read since somebody has begun to look."""
        self.aliased: set[Owner] = set()
        """Those that a loop replaces by others, and what stands for these: if no round runs, both are one object."""
        self.escaping: set[Var] = set()
        """Those that are about to become some: what they hold may not lead back to them."""

    def __contains__(self, a: object) -> bool:
        """Tell whether a variable stands for a virtual object."""
        return a in self.sites and a not in self.real_ones

    @property
    def state(self) -> Any:
        """The state that an attempt leaves as it was when it is taken back."""
        return self.objects, self.real_ones.copy(), self.items

    @state.setter
    def state(self, state: Any) -> None:
        self.objects, self.real_ones, self.items = state

    def made(self, a: Var, site: Var, block: Any = None) -> None:
        """Take a variable for a virtual object that was made at a site."""
        self.objects = {**self.objects, a: {}}
        self.sites[a] = site, block

    def names(self, a: Var) -> Fields:
        """The fields of a virtual object, by their names."""
        owner = self.items[a].group if a in self.items else self.views.get(a, a)
        self.reads.add(owner)
        return self.objects[owner]

    def get(self, owner: Owner, name: str) -> Atom:
        """The value of a field; of memory that it holds the version of now."""
        owner = self.views.get(owner, owner)  # type: ignore[arg-type]
        self.reads.add(owner)
        return self._value(owner, name)

    def _value(self, owner: Owner, name: str) -> Atom:
        value: Any = self.objects[owner][name]
        value = self.real_ones.get(value, value)
        return self.objects[value][VERSION] if isinstance(value, Memory) else value  # type: ignore[no-any-return]

    def set(self, owner: Owner, name: str, value: Atom) -> None:
        """Let a field have a value; what it holds of memory is the memory."""
        if self.on_change is not None:
            self.on_change(owner)
        if isinstance(owner, Memory):
            self.versions[value] = owner
        elif (memory := self.memory(value)) is not None:
            value = memory  # type: ignore[assignment]
        self.objects = {**self.objects, owner: {**self.objects[owner], name: value}}

    def check_own(self, *objects: Any) -> None:
        """Raise `Escapes` for the first of these that may be the same object as another virtual one."""
        for a in objects if self.aliased else ():
            if a in self.aliased:
                raise self.escape(a)

    def remove(self, owner: Owner, name: str) -> None:
        """Let a field be gone."""
        owner = self.views.get(owner, owner)  # type: ignore[arg-type]
        self.check_own(owner)
        self.removals += 1
        if self.on_change is not None:
            self.on_change(owner)
        fields = {key: value for key, value in self.objects[owner].items() if key != name}
        self.objects = {**self.objects, owner: fields}

    def fit(self, owner: Owner, one: Fields, other: Fields) -> bool:
        """Tell whether an object has the same fields on two ways; the items of a dict in one order."""
        if one.keys() != other.keys() or [*one] == [*other]:
            return one.keys() == other.keys()
        self.unordered.add(owner)
        return owner not in self.dicts and all([own is not owner for own in self.views.values()])

    def memory(self, a: Any) -> Memory | None:
        """The memory of which a variable is a version."""
        found = self.versions.get(a) if self.versions else None
        return found if found in self.objects else None

    def now(self, a: Atom) -> Atom:
        """A variable, or the version of now of what it is a version of."""
        memory = self.memory(a)
        return self.real_ones.get(a, a) if memory is None else self.get(memory, VERSION)

    def track(self, a: Var, holder: Var) -> Memory:
        """The memory, held by `holder`, of which a variable is the first version."""
        memory = Memory(a.name, holder)
        self.objects = {**self.objects, memory: {}}
        self.set(memory, VERSION, a)
        return memory

    def forget(self, holder: Var) -> None:
        """Let go of an object that nobody has any more: what it alone held is memory of nobody."""
        self.objects = {
            owner: fields
            for owner, fields in self.objects.items()
            if owner is not holder and not (isinstance(owner, Memory) and owner.holder is holder)
        }

    @property
    def growing(self) -> list[Atom]:
        """The versions of now of all memory."""
        return [self._value(owner, VERSION) for owner in self.objects if isinstance(owner, Memory)]

    def is_one(self, a: Any, b: Any) -> bool:
        """Tell whether two atoms are one virtual object, or versions of one memory."""
        return a in self and a is b or (m := self.memory(a)) is not None and m is self.memory(b)

    def is_object(self, a: Any) -> bool:
        """Tell whether an atom is a virtual object, and no list of these."""
        return a in self and a not in self.groups

    def is_held(self, a: Any) -> bool:
        """Tell whether an atom is a virtual object or a version of memory, which no branch and no loop hands on."""
        return a in self or self.memory(a) is not None

    def holds(self, a: Any, objects: Objects) -> bool:
        """Tell whether an atom is one of these virtual objects, or a version of memory among them."""
        return a in self and a in objects or (m := self.memory(a)) is not None and m in objects

    def is_from(self, a: Any, block: Any) -> bool:
        """Tell whether an atom is a virtual object that was made in a block."""
        return a in self and self.sites[a][1] is block

    def escape(self, a: Any) -> Escapes:
        memory = a if isinstance(a, Memory) else self.memory(a)
        return Escapes(self.sites[a if memory is None else memory.holder][0])

    def check(self, atoms: Iterable[Any]) -> None:
        """Raise `Escapes` for the first of these that is virtual."""
        for a in atoms if self.sites else ():
            if a in self:
                raise self.escape(a)


# ---- where ways meet


def meet(heap: Heap, then: Objects, orelse: Objects, before: Objects) -> list[Any]:
    """The differences that two branches leave: owner, field, and the two values. The fields that are the same on both
    sides are those of the heap afterwards."""
    differ = []
    for owner in before:
        one, other = then[owner], orelse[owner]
        if one is not other and not heap.fit(owner, one, other):
            if owner not in heap.cells:
                raise heap.escape(owner)
            then, orelse, one = {**then, owner: {}}, {**orelse, owner: {}}, {}
        differ += [(owner, name) for name in one if not same(one[name], other[name])]
    found = []
    for owner, name in differ:
        values = []
        for heap.objects in (then, orelse):
            values.append(heap.get(owner, name))
            heap.check(values)
        found.append((owner, name, *values))
    heap.objects = {owner: then[owner] for owner in before}
    return found


def same(a: Any, b: Any) -> bool:
    """Tell whether two atoms are one variable, or equal constants."""
    if isinstance(a, Const) and isinstance(b, Const):
        return type(a.value) is type(b.value) and repr(a.value) == repr(b.value) and is_plain(a.value)
    return a is b


def is_plain(x: Any) -> bool:
    return type(x) in (int, float, complex, bool, str, type(None))
