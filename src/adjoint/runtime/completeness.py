"""Trees of objects whose cotangents come complete: proven from the programs, and asked of the objects before a run.

A program that reads numbers of objects of a few classes makes a `Tangent` for each, with all fields in their order. Of
that nothing is left to do (`tangents.release`), as long as the objects have just these fields, those that it reads hold
floats and objects of these classes, and the others nothing that moves. So one look at the objects, printed for their
classes, takes the place of two walks: of the one that asks what they may run, and the one that hands over.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, NamedTuple

from ..ir import classes
from ..ir.atoms import Undef
from ..ir.nodes import Atom, Block, Call, Closure, Const, Function, If, Statement, Var, statements_within
from ..ir.types import FLOAT, INT, Record
from ..tangents import tangent
from ..tangents.fields import has_besides
from ..transforms.uses import is_call_of
from .spec import Spec

_ARITHMETIC = (operator.add, operator.sub, operator.mul, operator.truediv, operator.neg, operator.pos)
"""Functions that give a float for floats, as their type says."""


class Slot(NamedTuple):
    """The cotangent that the pullback of a program gives in a slot."""

    spec: Spec
    place: int


@dataclass(eq=False)
class Whole:
    """A cotangent of an object that names all fields: each with what it may be for an object of a class, or with
    `NUMBER` or `NOTHING`."""

    cls: type
    fields: dict[str, Any] = field(default_factory=dict)


NUMBER, NOTHING, OPEN = object(), object(), object()
"""Kinds of cotangents that no type names: a float; None; anything."""


class Proof:
    """The parts of the cotangents of a program and of those that it calls, as far as they are seen before a run."""

    def __init__(self) -> None:
        self._slots: dict[Slot, set[Any]] = {}
        self._made: dict[Var, Whole] = {}
        self._programs: dict[Spec, _Program | None] = {}

    def of(self, slot: Slot) -> set[Any]:
        """The values that may come in a slot; slots of others stand for what comes there."""
        if slot not in self._slots:
            self._slots[slot] = {slot}  # while it is looked at, it is itself
            if slot.spec not in self._programs:
                self._programs[slot.spec] = _program_of(slot.spec)
            program = self._programs[slot.spec]
            self._slots[slot] = {OPEN} if program is None else self._given(program, program.slots[slot.place])
        return self._slots[slot]

    def resolved(self, given: set[Any]) -> set[Any]:
        """The same, with what comes in slots in their place."""
        found, todo, seen = set[Any](), [*given], set[Any]()
        while todo:
            one = todo.pop()
            if not isinstance(one, Slot):
                found.add(one)
            elif one not in seen:
                seen.add(one)
                todo += self.of(one)
        return found

    def _given(self, program: _Program, a: Atom) -> set[Any]:
        """The values that an atom of a reverse program may have."""
        if isinstance(a, Const) and a.value is None:
            return {NOTHING}
        if program.is_float(a):
            return {NUMBER}
        made, place = program.made.get(a, (None, 0))  # type: ignore[arg-type]
        if isinstance(made, If) and not made.is_attempt:
            return self._given(program, made.then.results[place]) | self._given(program, made.orelse.results[place])
        if is_call_of(made, (tangent,)):
            return {self._whole(program, made)}  # type: ignore[arg-type]
        called = isinstance(made, Call) and isinstance(made.fn, Var)
        return self._called(program, made, place) if called else {OPEN}  # type: ignore[arg-type]

    def _called(self, program: _Program, s: Call, place: int) -> set[Any]:
        """The cotangents that a `back` of a known program gives for a float."""
        specs = program.called(s.fn)
        if len(specs) != 1 or len(s.args) != 1 or not program.is_float(s.args[0]):
            return {OPEN}
        (spec,) = specs
        return {OPEN} if spec is None or spec.result_type != FLOAT else self.of(Slot(spec, place)).copy()

    def _whole(self, program: _Program, s: Call) -> Any:
        """The cotangent of an object."""
        owner, names, *bars = s.args
        if not isinstance(owner, Var) or not isinstance(owner.type, Record) or not isinstance(names, Const):
            return OPEN
        if has_besides(owner.type.cls) is not False:
            return OPEN
        if s.out not in self._made:
            whole = self._made[s.out] = Whole(owner.type.cls)
            for name, bar in zip(names.value, bars, strict=True):
                whole.fields[name] = [*self._by_class(program, bar, owner, name)]  # type: ignore[arg-type]
        return self._made[s.out]

    def _by_class(self, program: _Program, bar: Atom, owner: Var, name: str) -> Iterator[tuple[type | None, set[Any]]]:
        """The values of the cotangent of a field, by the class of what the field holds; by None if nothing is asked of
        that, or if it is of none of these classes."""
        made, place = program.made.get(bar, (None, 0))  # type: ignore[arg-type]
        while isinstance(made, If) and (cls := program.asked(made.cond, owner, name)) is not None:
            yield cls, self._given(program, made.then.results[place])
            bar = made.orelse.results[place]
            made, place = program.made.get(bar, (None, 0))  # type: ignore[arg-type]
        yield None, self._given(program, bar)


class _Program:
    """A rule's program: what makes its variables, and what its pullback gives."""

    def __init__(self, spec: Spec, function: Function, pullback: Function, slots: tuple[Any, ...]) -> None:
        self.specs = {used.rule: used for used in spec.uses if used.rule is not None}
        self.made: dict[Var, tuple[Statement, int]] = {}
        self.slots = slots
        for s in statements_within(function.body):
            self.made.update({out: (s, i) for i, out in enumerate(s.outs)})
        within = {out for s in statements_within(pullback.body) for out in s.outs}
        self._numbers = {out for out in self.made if out not in within and out.type in (FLOAT, INT)}
        """Variables of the forward half that hold floats or integers."""
        self._floats = {pullback.params[0]}
        """Cotangents that are floats."""
        self._find_floats(pullback.body)

    def _find_floats(self, block: Block) -> None:
        """Find what arithmetic on floats gives."""
        for s in block.statements:
            if isinstance(s, If) and not s.is_attempt:
                self._find_floats(s.then)
                self._find_floats(s.orelse)
                sides = zip(s.outs, s.then.results, s.orelse.results, strict=True)
                self._floats.update([out for out, a, b in sides if self.is_float(a) and self.is_float(b)])
            elif is_call_of(s, _ARITHMETIC) and s.outs[0].type == FLOAT and all(map(self._is_number, s.args)):  # type: ignore[union-attr]
                self._floats.update(s.outs)

    def is_float(self, a: Any) -> bool:
        """Tell whether an atom of the reverse program is a float, if it is given one."""
        return a in self._floats or isinstance(a, Const) and type(a.value) is float

    def _is_number(self, a: Any) -> bool:
        return self.is_float(a) or a in self._numbers or isinstance(a, Const) and type(a.value) is int

    def called(self, fn: Atom) -> set[Spec | None]:
        """The programs of which a variable may hold the `back`; with None where it may be any."""
        made, place = self.made.get(fn, (None, 0))  # type: ignore[arg-type]
        if isinstance(made, If) and not made.is_attempt:
            return self._held(made.then.results[place]) | self._held(made.orelse.results[place])
        rule = made.fn.value if isinstance(made, Call) and place == 1 and isinstance(made.fn, Const) else None
        return {rule if isinstance(rule, Spec) else self.specs.get(rule) if isinstance(rule, FunctionType) else None}

    def _held(self, a: Atom) -> set[Spec | None]:
        unbound = isinstance(a, Undef) or isinstance(a, Const) and a.value is None  # which nobody calls
        return set() if unbound else self.called(a)

    def asked(self, cond: Atom, owner: Var, name: str) -> type | None:
        """The class of which a condition asks whether what was read of a field is of it; None of any other."""
        made, _ = self.made.get(cond, (None, 0))  # type: ignore[arg-type]
        read, of = _asked_of(made)
        reads: Any = self.made.get(read, (None, 0))[0]
        is_read = is_call_of(reads, (getattr,)) and reads.args[0] is owner and reads.args[1].value == name
        return of if is_read else None


def _asked_of(made: Any) -> tuple[Any, type | None]:
    """The value, and the class, of which a statement asks whether it is of it."""
    if is_call_of(made, (classes.is_of,)):
        return made.args[0], made.args[1].value
    is_none = is_call_of(made, (operator.is_,)) and isinstance(made.args[1], Const) and made.args[1].value is None
    return (made.args[0], type(None)) if is_none else (None, None)


def _program_of(spec: Spec) -> _Program | None:
    """The rule's program of a spec; None where its pullback is not made in the form that is looked at."""
    if spec.ir is None or spec.parts or not isinstance(spec.ir.result, Var):
        return None
    body = spec.ir.body.statements
    pair = next((s for s in body if spec.ir.result in s.outs), None)
    back = pair.args[1] if isinstance(pair, Call) and len(pair.args) == 2 else None
    made = next((s for s in body if isinstance(s, Closure) and s.out is back), None)
    if made is None or len(made.function.params) != 1:
        return None
    inner, slots = made.function.body, made.function.result
    given = next((s for s in inner.statements if slots in s.outs), None)
    return _Program(spec, spec.ir, made.function, given.args) if isinstance(given, Call) else None
