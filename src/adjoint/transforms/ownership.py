"""Ownership, which says what may be changed: only what the function itself made, and nobody else can have seen.

A store in the IR is a function from the old to the new version of one object. That is the truth as long as no one else
holds the object; this pass refuses the stores where that cannot be shown.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

from ..errors import MutationError
from ..ir import changes, intrinsics
from ..ir.nodes import Block, Call, Const, Function, If, Loop, Star, Statement, Var, atoms_of
from ..ir.raising import ends
from ..ir.types import Array, Inert, List, Record, Scalar
from .aliases import Aliases, parts_of, passed_on, runs_through_views, stored_into
from .attempts import half_done
from .effects import gives_new, is_new, runs_backwards, shows, viewed
from .frames import place_of
from .infer import is_immutable, type_of
from .leaving import giving_up, seen_half_done
from .nests import nested_stores
from .outs import is_none
from .owning import own_in_place
from .readers import Readers
from .summary import given_by, kept_by, summary_of
from .uses import asked_at_once, calls_of, has_attempts, is_call_of


def check_ownership(
    function: Function, readers: Readers, owned: Sequence[Var] = (), in_memory: bool = False
) -> Function:
    """Raise `MutationError` for a store into what others can see; the parameters `owned` nobody else has seen. With
    `in_memory` stores into arrays are let pass: whoever reads the program has them seen by all.

    Returns the function, with in-place operations as stores where nobody else can hold what they change.
    """

    def failed(tried: Function, targets: Sequence[Var]) -> tuple[Sequence[Var], Callable[[Var], Var]]:
        walk = _walk(tried, readers, owned, targets, in_memory)
        return [v for v in targets if walk.find(v) in walk.failed], walk.find

    checked, targets = own_in_place(giving_up(function), failed)
    stores = any(stored_into(s) is not None for s in calls_of(checked.body.statements))
    if stores or has_attempts(checked.body):
        _walk(checked, readers, owned, targets, in_memory)
    return checked


def _walk(function: Function, readers: Readers, owned: Sequence[Var], tried: Sequence[Var], in_memory: bool) -> _Walk:
    """Go through a function; errors about what is only `tried` are noted, not raised."""
    aliases = Aliases(nested_stores(function.body), asked=asked_at_once(function.body))
    aliases.block(function.body)
    aliases.settle()
    walk = _Walk(function, aliases, readers, owned, in_memory)
    walk.tried = {aliases.find(v) for v in tried}
    seen: set[Var] = set()
    walk.block(function.body, seen)
    walk.finish(seen)
    return walk


def stands(s: Statement) -> bool:
    """Tell whether what is made stands for another object, which has the same fields."""
    return is_call_of(s, (changes.object_of,)) and isinstance(s.args[1].value, changes.FieldsOf)  # type: ignore[union-attr]


class _Walk:
    """The program in its order: what has been seen by others when it is stored into, and who is read afterwards."""

    def __init__(
        self, function: Function, aliases: Aliases, readers: Readers, owned: Sequence[Var], in_memory: bool
    ) -> None:
        self.function = function
        self.in_memory = in_memory
        self.readers = readers
        self.find = aliases.find
        self.aliases = aliases
        self.stored = {aliases.find(v) for v in aliases.stored}
        self.valid: dict[Var, set[Var]] = {}  # of what has been stored into: the names that are not out of date
        self.touched: set[Var] = set()
        self.tried: set[Var] = set()
        self.failed: set[Var] = set()
        self.passed_on = passed_on(function.body)
        self.parts, self.called = parts_of(function.body)
        self.held: dict[Var, set[Any]] = {}
        self.made = {out: s for s in calls_of(function.body.statements) for out in s.outs}
        others = [p for p in function.params if p not in owned] + [out for out, s in self.made.items() if stands(s)]
        self.foreign = {aliases.find(v) for v in others} & self.stored

    def block(self, block: Block, seen: set[Var]) -> None:
        for s in block.statements:
            for atom in atoms_of(s):
                self.fresh(s, atom)
            self.statement(s, seen)
            self.define(s.outs)
        for result in block.results:
            self.fresh(None, result)

    def define(self, outs: Sequence[Var]) -> None:
        """Count as up to date what comes from names that are."""
        for out in outs:
            if (names := self.valid.get(self.find(out))) is not None:
                names.add(out)

    def fresh(self, s: Statement | None, atom: Any) -> None:
        """An older version of what has been stored into is read: under another name, it would have changed too."""
        if not isinstance(atom, Var) or is_immutable(atom.type):
            return
        names = self.valid.get(self.find(atom))
        if names is not None and atom not in names and not self.notes(atom):
            name = f"`{atom.name}`" if atom.name else "what"
            raise MutationError(
                f"{name} is read after a store into what it is a view of, or another name for",
                "a store gives a new value here, and this would still be the old one",
                "read it again after the store, or copy it before",
                place_of(self.function, s),
            )

    def statement(self, s: Statement, seen: set[Var]) -> None:
        if isinstance(s, Call):
            self.call(s, seen)
        elif isinstance(s, If):
            if s.is_attempt and (call := seen_half_done(s, self.find)) is not None:
                raise half_done("what others see", place_of(self.function, call))
            other, before = set(seen), _copied(self.valid)
            self.block(s.then, seen)
            after, self.valid = self.valid, before
            self.block(s.orelse, other)
            self.valid = _both(after, self.valid) if ends(s.orelse) or not s.is_attempt else after
            seen |= other
        elif isinstance(s, Loop):
            self.loop(s, seen)
        else:
            self.use(tuple(atoms_of(s)), seen)

    def finish(self, seen: set[Var]) -> None:
        """Refuse what keeps a copy of an argument, or is a part of it: it would be another array."""
        for s in self.function.body.statements:
            if isinstance(s, Call) and isinstance(s.fn, Const) and s.fn.value is changes.written:
                stores: Any = [*zip(s.args[1::3], s.args[3::3], strict=True)]
                copies = [value for value, name in stores if is_none(name)]
                others = [value for value, name in stores if not is_none(name)]
                others += [] if s.args[0] in copies else [s.args[0]]
                shown = seen | {self.find(a) for a in others if isinstance(a, Var) and not is_immutable(a.type)}
                for copy in copies:
                    of_set = isinstance(copy.type, Inert)  # nobody has another name for it
                    if self.find(copy) in shown and not of_set:
                        self.refuse(s, copy)

    def loop(self, s: Loop, seen: set[Var]) -> None:
        for element, q in zip(s.body.params[s.carried :], s.sequences, strict=False):
            if not isinstance(q, Var) or not runs_through_views(q, self.aliases.bundles):
                self.origin(element)
        touched, self.touched = self.touched, set()
        before = _copied(self.valid)
        for _ in range(2):
            if s.cond is not None:
                self.define(s.cond.params)
                self.block(s.cond, seen)
            self.define(s.body.params)
            self.block(s.body, seen)
            self.use(s.body.results[s.carried :], seen)  # the next round finds what this one has collected
        self.valid = _both(before, self.valid)
        for q in s.sequences:
            if isinstance(q, Var) and self.find(q) in self.touched:
                self.refuse(s, q)  # what a loop runs through changes while it runs
        self.touched |= touched
        for out in s.outs[s.carried :]:
            seen.discard(self.find(out))

    def call(self, s: Call, seen: set[Var]) -> None:
        fn = s.fn.value if isinstance(s.fn, Const) else None
        target = None if s in self.aliases.nested else stored_into(s)
        if target is not None and self.in_memory and isinstance(target.type, Array):
            return
        if target is not None and target in s.args[1:] and fn in (changes.list_append, changes.stored):
            self.refuse(s, target)
        if target is not None:
            root = self.find(target)
            self.touched.add(root)
            if fn is changes.stored and isinstance(target.type, Array) and self.crosses(s, root):
                self.refuse(s, target)
            hidden = fn is changes.call_method and isinstance(target.type, Array)  # what was read of it is not kept
            piece = fn in _INTO_PIECES and target in self.aliases.pieces  # it may have been put there
            if root in seen or root in self.foreign or hidden or piece:
                self.refuse(s, target)
            self.into(s, fn, target, seen)
            self.valid[root] = set(s.outs[-1:])
            for taken in s.outs[:-1]:
                self.origin(taken)  # whoever put it there may hold it
            return
        if runs_backwards(s):
            return
        for a in s.args if self.held else ():
            held = self.held.get(self.find(a)) if isinstance(a, Var) else None
            if held and (shows(s, fn) or fn is getattr and s.args[1].value in held):  # type: ignore[union-attr]
                self.refuse(s, a)  # type: ignore[arg-type]  # it has not been given all its fields yet
        known = summary_of(s)
        if known is not None:
            self.use(kept_by(s, known), seen)
        elif shows(s, fn) and s not in self.passed_on and s not in self.parts:
            args = s.args[1:] if self.only_reads(s, fn) or self.is_method_of_array(s, fn) else s.args
            self.use([*args, *(v for _, v in s.kwargs)], seen)
        views = bool(given_by(s, known) or viewed(s, fn, self.aliases.bundles, self.aliases.methods))
        new = known.fresh if known is not None else is_new(s, fn) or s in self.aliases.nested
        for out in s.outs:
            if new or gives_new(s) and self.find(out) in self.tried:
                seen.discard(self.find(out))
            elif not views:
                self.origin(out)

    def into(self, s: Call, fn: Any, target: Var, seen: set[Var]) -> None:
        """Hold, from here on, what is stored; but not in arrays, which keep the values."""
        root = self.find(target)
        if fn is changes.hold_field:
            self.held.setdefault(root, set()).add(s.args[1].value)  # type: ignore[union-attr]
            return
        if fn is changes.set_attribute:
            self.held.get(root, set()).discard(s.args[1].value)  # type: ignore[union-attr]
            if s.args[2] is target:
                self.refuse(s, target)  # what it holds of itself would be an older version
        if not isinstance(target.type, Array) and fn is not changes.in_place:
            if any(self.is_itself(a, root) for a in s.args if a is not target):
                self.refuse(s, target)
            self.use([*(a for a in s.args if a is not target), *(v for _, v in s.kwargs)], seen)

    def crosses(self, s: Call, root: Var) -> bool:
        """Tell whether an array is stored into itself under another stride: NumPy may read there what it has just
        stored."""
        _, key, value = s.args[:3]
        if not isinstance(value, Var) or is_immutable(value.type) or self.find(value) is not root:
            return False
        read = self.made.get(value)
        part = isinstance(read, Call) and isinstance(read.fn, Const) and read.fn.value is operator.getitem
        return not part or self.strides(read.args[1]) != self.strides(key)  # type: ignore[union-attr]

    def strides(self, key: Any) -> Any:
        """The effect of an index on the strides; itself where that is not known."""
        made = self.made.get(key)
        fn = made.fn.value if isinstance(made, Call) and isinstance(made.fn, Const) else None
        if isinstance(key, Const) and isinstance(key.value, tuple):
            return tuple(self.strides(Const(i)) for i in key.value)
        if fn is intrinsics.make_tuple:
            return tuple(map(self.strides, made.args))  # type: ignore[union-attr]
        if isinstance(key, Const) and isinstance(key.value, slice):
            return "slice", key.value.step
        if fn is slice and len(made.args) == 3 and isinstance(made.args[2], Const):  # type: ignore[union-attr]
            return "slice", made.args[2].value  # type: ignore[union-attr]
        return "item" if isinstance(type_of(key), Scalar) else key

    def is_itself(self, a: Any, root: Var) -> bool:
        """Tell whether what is stored into an object is that object, not a piece of it."""
        return isinstance(a, Var) and self.find(a) is root and a not in self.aliases.pieces

    def is_method_of_array(self, s: Call, fn: Any) -> bool:
        """Tell whether a call is of a method of what is tried to be an array: it keeps nothing but what its result
        shows."""
        first = s.args[0] if s.args else None
        return fn is intrinsics.invoke and isinstance(first, Var) and self.find(first) in self.tried

    def only_reads(self, s: Call, fn: Any) -> bool:
        """Tell whether a call is of a method that only reads its object, the first argument."""
        first = s.args[0] if s.args else None
        t = type_of(first) if isinstance(first, Var) and self.find(first) in self.stored else None
        if not isinstance(t, Record):
            return False
        if isinstance(fn, FunctionType) and fn not in intrinsics.INVOKING:
            return self.readers.function(fn, t.cls)
        name = s.args[1] if len(s.args) > 1 else None
        called = fn is getattr and s in self.called or isinstance(fn, FunctionType) and fn in intrinsics.INVOKING
        return called and isinstance(name, Const) and self.readers.method(t.cls, name.value)

    def origin(self, v: Var) -> None:
        """`v` comes from somewhere else: whoever gave it may hold it."""
        root = self.find(v)
        if root in self.stored and not is_immutable(v.type):
            self.foreign.add(root)

    def use(self, atoms: Sequence[Any], seen: set[Var]) -> None:
        """These may be held by others from here on."""
        for atom in atoms:
            atom = atom.value if isinstance(atom, Star) else atom
            if isinstance(atom, Var) and not isinstance(type_of(atom), Scalar):
                seen.add(self.find(atom))

    def notes(self, v: Var) -> bool:
        """Tell whether what would be an error is about something that is only tried."""
        tried = (root := self.find(v)) in self.tried
        if tried:
            self.failed.add(root)
        return tried

    def refuse(self, s: Statement | None, target: Var) -> None:
        if self.notes(target):
            return
        what = {List: "a list", Array: "an array", Record: "an object"}.get(type(target.type), "something")
        name = f"`{target.name}`, " if target.name else ""
        raise MutationError(
            f"`{self.function.name}` changes {name}{what} that others can see",
            "whoever else holds it would see the change, and its derivative cannot follow yet",
            "change a copy that is made here, or build a new value instead",
            place_of(self.function, s),
        )


_INTO_PIECES = (changes.stored_unseen, changes.set_attribute, changes.hold_field)
"""Stores into what is surely no array: a piece of something new may be somebody else's."""


def _copied(valid: dict[Var, set[Var]]) -> dict[Var, set[Var]]:
    return {root: set(names) for root, names in valid.items()}


def _both(a: dict[Var, set[Var]], b: dict[Var, set[Var]]) -> dict[Var, set[Var]]:
    """The names that are not out of date on either way; where nothing was stored, all are."""
    one = {root: a[root] & b[root] for root in a.keys() & b.keys()}
    return {**a, **b, **one}
