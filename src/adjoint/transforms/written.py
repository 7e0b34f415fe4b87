"""Arguments that a program changes: it works on copies, whose stores are versions like any other.

A copy of the memory of such an argument is made when the program begins, and nobody else has it; an object is taken for
its fields (`virtual`). What these hold in the end is written into the argument when all is done: if the run ends in an
error, nothing has been changed, and it can be done again in another way. Which arguments change is found while the
program is read.
"""

from __future__ import annotations

import builtins
import functools
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import MutationError
from ..identity import is_hashable
from ..ir import changes
from ..ir.nodes import Atom, Call, Const, Function, Statement, Var
from ..ir.operations import changed_by
from ..ir.types import BOTTOM, Array, Default, Deque, Dict, Keyed, List, Record, Type, Unknown
from ..tangents.fields import record_fields
from .aliases import Aliases
from .context import Again
from .effects import IN_PLACE
from .facts import Callee, Path, Structural, is_active
from .frames import place_of
from .heap import VERSION, Escapes, Memory
from .infer import is_immutable, type_of
from .sets import SET
from .uses import calls_of, in_order
from .virtual import real

if TYPE_CHECKING:
    from .specialise import Specialiser

MAX_NAMES = 3

Place = tuple[Any, ...]
"""Of an argument, or of something in it: its number, then the names of fields."""


@dataclass(frozen=True, eq=False)
class Object:
    """An argument that is taken for its fields, and what these were when the program began."""

    own: Var
    fields: dict[str, Any]


class Written:
    """The arguments that one program changes."""

    def __init__(self, sp: Specialiser) -> None:
        self.sp = sp
        self.stored = stored_parameters(sp.context.function) if sp.context.writes else frozenset[int]()
        self.entering = False
        self.taken: set[Place] = set()
        self.copies: dict[Memory, Atom] = {}
        self.objects: list[Object] = []

    @property
    def owns(self) -> set[Var]:
        """The arguments that are taken for their fields."""
        return {obj.own for obj in self.objects}

    def enter(self, untyped: Var, param: Var) -> None:
        """Let the program work on a copy of a parameter, if it changes that."""
        context, heap = self.sp.context, self.sp.heap
        if context.writes and heap.real is not None and untyped not in heap.real:
            self.sp.env[untyped] = self.take(untyped, param)
        if context.writes and is_made_anew(param.type) and self.sp.env[untyped] is param:
            raise _not_followed(self.sp, param.name)

    def take(self, untyped: Var, a: Atom) -> Atom:
        """Copy, or object taken for its fields, that stands for what a parameter holds, or is."""
        place, generation = self.place(a), self.sp.resolver.generation
        if not isinstance(a, Var) or place is None:
            return a
        anew = place[0] in self.stored or is_made_anew(a.type)
        found = place in self.sp.context.written or len(place) == 1 and anew
        if isinstance(a.type, Record):
            found = found or bool(generation.names_stored(a.type.cls))
            if found and generation.is_ordinary(a.type.cls) and a not in self.sp.heap:
                self.taken.add(place)
                self.object(untyped, a, self.sp.facts[a].example)
            return a
        if not found or a.type == SET and untyped not in self.sp.resolver.uses.given_sets:
            return a
        self.taken.add(place)
        return self.copy(untyped, a)

    def place(self, a: Any) -> Place | None:
        """Place among the arguments of what may be changed; None of anything else."""
        fact, heap = self.sp.facts.get(a), self.sp.heap
        if not self.sp.context.writes or heap.real is None or not isinstance(fact, Path):
            return None
        if not isinstance(fact.param, int):
            return None  # it is no argument
        own = self.sp.context.function.params[fact.param]
        may_change = isinstance(a.type, Record) or is_flat(a.type) or a.type == SET
        if not may_change or own in heap.real or len(fact.names) >= MAX_NAMES:
            return None
        return (fact.param, *fact.names)

    def object(self, untyped: Var, own: Var, example: Any) -> None:
        """Take an object for its fields."""
        r, heap = self.sp.resolver, self.sp.heap
        names = record_fields(example) or ()
        outer, self.entering = self.entering, True
        fields = {name: r.emit_call(getattr, [own, Const(name)], None, name) for name in names}
        self.entering = outer
        heap.made(own, untyped)  # in no block: it is nothing that the program makes
        for name, a in fields.items():
            heap.set(own, name, self.take(untyped, a))
        self.objects.append(Object(own, heap.objects[own]))

    def type_of_field(self, example: Any) -> Type | None:
        """The type of a container of `collections` in a field of an object that is taken for its fields; None of all
        else."""
        t = self.sp.context.generation.type_changed(example) if self.entering else None
        return t if t is not None and is_flat(t) else None

    def copy(self, untyped: Var, a: Var) -> Var:
        """A copy of memory, whose versions are followed."""
        heap = self.sp.heap
        copy = Var(a.name, a.type, a.active)
        how = Structural("same") if a.active else None
        self.sp.resolver.append(Call((copy,), Const(changes.copied), (a,), (), self.sp.context.function.span, how))
        heap.sites[untyped] = untyped, None
        self.copies[heap.track(copy, untyped)] = a
        return copy

    def changing(self, a: Any) -> None:
        """Read the program again with a copy of what it is about to change."""
        place = self.place(a)
        if place is not None and place not in self.sp.context.written:
            self.sp.context.written.update([place[:n] for n in range(1, len(place) + 1)])
            raise Again

    def leave(self, results: tuple[Atom, ...]) -> tuple[Atom, ...]:
        """Write what has changed into the arguments, when all else is done; the result, which may be one of them."""
        heap, r = self.sp.heap, self.sp.resolver
        self.sp.context.written = self.taken
        stores: list[Atom] = []
        owns = self.owns
        for obj in self.objects:
            for name, value in heap.objects[obj.own].items():
                if value is not obj.fields.get(name):
                    own = value if value in owns else self.copies.get(value)
                    stores += [own or real(r, heap.get(obj.own, name)), obj.own, Const(name)]
        for memory, a in self.copies.items():
            stores += [heap.get(memory, VERSION), a, Const(None)]
        if not stores:
            return results
        (result,) = results
        if self.copies and _tells_copies(self.sp.statements):
            raise Escapes(next(iter(self.copies)).holder)
        out = Var(getattr(result, "name", ""), type_of(result), is_active(result))
        how = Structural("same") if out.active else None
        self.sp.statements.append(Call((out,), Const(changes.written), (result, *stores), (), None, how))
        return (out,)


def _tells_copies(statements: Sequence[Statement]) -> bool:
    """Tell whether a program asks which array it has: a copy is another one."""
    return any([_tells_copy(s) for s in calls_of(statements)])


TELLING = (builtins.id, np.shares_memory, np.may_share_memory)
"""Functions that tell which array they are given."""


def _tells_copy(s: Call) -> bool:
    if isinstance(s.how, Callee) and any([isinstance(type_of(a), Array) for a in in_order(s)]):
        return s.how.handle.primal is None or _tells_copies(s.how.handle.primal.body.statements)
    fn = s.fn.value if isinstance(s.fn, Const) else None
    name = s.args[1].value if fn is getattr and isinstance(s.args[1], Const) else None
    if is_hashable(fn) and fn in TELLING or name in ("flags", "base", "data", "ctypes", "__array_interface__"):
        return True
    compared = s.args if fn is operator.is_ or fn is operator.is_not else ()
    return bool(compared) and all([isinstance(type_of(a), Array | Unknown) for a in compared])  # type: ignore[arg-type]


class _Versions(Aliases):
    """Variables that are versions of one object, by stores, branches and loops: an item of it is none."""

    def view(self, s: Call) -> None:
        pass


@functools.lru_cache(maxsize=256)
def stored_parameters(function: Function) -> frozenset[int]:
    """The places of the parameters that the statements of an untyped function store into."""
    aliases = _Versions.coarse(function.body)
    targets = [s.args[place] for s in calls_of(function.body.statements) if (place := target_of(s)) is not None]
    roots = {aliases.find(a) for a in targets if isinstance(a, Var)}
    return frozenset([i for i, param in enumerate(function.params) if aliases.find(param) in roots])


def target_of(s: Call) -> int | None:
    """The place of the argument of a call that may change in place."""
    if not isinstance(s.fn, Const) or not is_hashable(s.fn.value):
        return None
    place = 0 if s.fn.value in IN_PLACE else changed_by(s.fn.value)
    return None if place is None or place >= len(s.args) else place


def _not_followed(sp: Specialiser, name: str) -> MutationError:
    return MutationError(
        f"`{sp.context.function.name}` is given `{name}`, a set, or a container of `collections`",
        "what becomes of it here is known only when it runs",
        "use a list or a dict",
        place_of(sp.context.function, None),
    )


def is_made_anew(t: Type) -> bool:
    """Tell whether a type is of deques, dicts of `collections` or sets: the program is given none but its own."""
    return isinstance(t, Deque | Default) or t == SET


def is_flat(t: Type) -> bool:
    """Tell whether values of a type are arrays of numbers, or lists and dicts of what cannot change."""
    if isinstance(t, Array):
        return t.scalar is False and t.kind in "biufc"
    if isinstance(t, Keyed):
        return all([is_immutable(u) for _, u in t.entries])
    return isinstance(t, (List, Dict)) and (t.item == BOTTOM or is_immutable(t.item))
