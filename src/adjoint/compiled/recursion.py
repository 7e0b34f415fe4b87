"""Functions that call themselves: lowered to routines, which are called, where all others are inlined.

A function is lowered as if it did not, until it is met within itself with arguments of the same structure. Then all
begins again, with a routine in its place: its parameters are the numbers and arrays in its arguments. Numbers that are
the same constant in all calls stay constants, others are as wide as the widest; what it gives is found by trying.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..ir.nodes import Function
from ..ir.types import Array, Scalar, Tuple, Type
from ..transforms.infer import type_of
from . import arrays
from .calls import free_of
from .delayed import LearntError
from .elementary import GT
from .kernel import Atom, Block, Buf, Call, Lit, Reg, Store, made_by, walk, wider
from .plans import Routine
from .values import (
    Arr,
    CannotCompile,
    Items,
    Known,
    Record,
    Value,
    arrays_in,
    is_growing,
    is_number,
    leaves,
    rebuilt,
    same,
)

if TYPE_CHECKING:
    from .lower import Lower

MAX_FRAMES = 1000
"""How deep calls go before the plain program runs instead: it is Python's own limit, and the stack has room for it."""
MAX_TRIES = 12


class Wider(Exception):
    """A routine that is being lowered is called with what does not fit its parameters."""

    def __init__(self, frame: Frame, given: list[Value]) -> None:
        super().__init__()
        self.frame, self.given = frame, given


@dataclass(eq=False)
class Frame:
    """A function that is being lowered, or a routine that has been: the structure of its arguments, what is known of
    the numbers and arrays in them, and what it gives."""

    ir: Function
    structure: Any
    facts: list[Fact] = field(default_factory=list)
    result: Value = None
    depth: Atom = Lit(0)
    routine: Routine | None = None

    def params_of(self, args: Sequence[Value]) -> list[Any]:
        """The leaves among arguments that are passed."""
        return [x for x, fact in zip(args, self.facts, strict=True) if isinstance(fact, str | tuple)]

    def is_of(self, ir: Function, structure: Any, flat: Sequence[Value]) -> bool:
        """Tell whether it is this function, of arguments of this structure, which hold the same objects and
        functions."""
        if self.ir is not ir or self.structure != structure:
            return False
        held = zip(self.facts, flat, strict=True)
        return all(same_function(fact.value, x) for fact, x in held if isinstance(fact, Held))

    def takes(self, flat: Sequence[Value]) -> bool:
        """Tell whether arguments fit what is known."""
        return widened(self.facts, flat) == self.facts


class Recursion:
    """The routines of a program; `known` are the functions that are lowered to such."""

    def __init__(self, known: Collection[Function]) -> None:
        self.known = known
        self.frames: list[Frame] = []
        self.made: list[Frame] = []

    @contextmanager
    def opened(self, ir: Function, args: Sequence[Value]) -> Iterator[None]:
        """While a function is inlined."""
        same = [f for f in self.frames if f.ir is ir]
        structure = [structure_of(a) for a in args]
        if any(f.structure == structure for f in same):
            raise LearntError(recursive=ir)
        self.frames.append(Frame(ir, structure))
        try:
            yield
        finally:
            self.frames.pop()

    def call(self, lower: Lower, ir: Function, args: Sequence[Value], namespace: dict[str, Any]) -> Value:
        """The result of a routine, which is made if there is none."""
        structure = [structure_of(a) for a in args]
        flat = [self.leaf(lower, x) for a in args for x in leaves(a)]
        for frame in self.frames:
            if frame.routine is not None and frame.is_of(ir, structure, flat):
                if not frame.takes(flat):
                    raise Wider(frame, flat)
                return self.written(lower, frame, flat)
        for frame in self.made:
            if frame.is_of(ir, structure, flat) and frame.takes(flat):
                return self.written(lower, frame, flat)
        for a in args:
            for x in arrays_in(a):  # where it is read it cannot be computed
                arrays.located(lower.w, x)
        frame = self.make(lower, ir, args, flat, namespace)
        return self.written(lower, frame, flat)

    def leaf(self, lower: Lower, x: Value) -> Value:
        """The value that is passed: an array gets memory of its own."""
        if not isinstance(x, Arr):
            return x
        if is_growing(x):
            raise CannotCompile("a list that grows as an argument of a function that calls itself")
        if not x.shape:
            return x.at(())
        found = arrays.located(lower.w, x)
        return found if found.place is arrays.whole else arrays.copied(lower.w, found, found.kind)

    def written(self, lower: Lower, frame: Frame, flat: list[Value]) -> Value:
        """Write a call."""
        w = lower.w
        assert frame.routine is not None
        given: list[Any] = []
        for x, fact in zip(frame.params_of(flat), frame.params_of(frame.facts), strict=True):
            given.append(x.buf if isinstance(x, Arr) else w.as_kind(x, fact))
        outer = next((f for f in reversed(self.frames) if f.routine is not None), None)
        depth = Lit(0) if outer is None else w.add(outer.depth, 1)
        outs = [Reg("t", r.kind) for r in leaves(frame.result)]
        w.emit(Call(tuple(outs), Reg("place", "i"), frame.routine, (depth, *given)))
        return rebuilt(frame.result, [*outs])

    def make(
        self, lower: Lower, ir: Function, args: Sequence[Value], flat: list[Value], namespace: dict[str, Any]
    ) -> Frame:
        """A new routine."""
        facts = [fact_of(x) for x in flat]
        result, sure = template(type_of(ir.result))
        known, state = len(self.made), lower.heap.state()
        for _ in range(MAX_TRIES):
            frame = Frame(ir, [structure_of(a) for a in args], facts, result)
            try:
                found = self.tried(lower, frame, args, flat, namespace)
            except Wider as more:
                del self.made[known:]
                lower.heap.restore(state)
                if more.frame is not frame:
                    raise
                facts = widened(facts, more.given)
                continue
            if found is None:
                if lower.heap.changed(state):
                    raise CannotCompile("an attribute that is assigned in a function that calls itself")
                assert frame.routine is not None
                body, own = frame.routine.body, (*frame.routine.params, *lower.given)
                if not free_of(body.statements, body.results, own):  # of nothing that is here only
                    self.made.append(frame)
                return frame
            del self.made[known:]
            result = joined(result, found) if sure else found
            sure = True
        raise CannotCompile("a function that calls itself with, or gives, other types each time")

    def tried(
        self, lower: Lower, frame: Frame, args: Sequence[Value], flat: list[Value], namespace: dict[str, Any]
    ) -> Value | None:
        """Write a routine; what it gives, if that is not what was expected."""
        w = lower.w
        frame.depth = depth = Reg("depth", "i")
        frame.routine = routine = Routine(frame.ir.name, (), Block(()))
        self.frames.append(frame)
        try:
            with w.region() as written:
                w.check(w.op(GT, depth, MAX_FRAMES))
                inner = [abstract(lower, x, fact) for x, fact in zip(flat, frame.facts, strict=True)]
                given: list[Value] = []
                parts = list(inner)
                for a in args:
                    given.append(rebuilt(a, parts))
                found = numbers_of(lower.inlined(frame.ir, given, namespace))
                if not fits(frame.result, found):
                    return found
                results = [w.as_kind(x, r.kind) for x, r in zip(leaves(found), leaves(frame.result), strict=True)]
        finally:
            self.frames.pop()
        params: list[Any] = [x.buf if isinstance(x, Arr) else x for x in frame.params_of(inner)]
        routine.params = (depth, *params)
        routine.body = Block(tuple(written), (), tuple(results))
        made = {b for s in walk(routine.body) for b in made_by(s)}
        if any(isinstance(s, Store) and s.buf not in made for s in walk(routine.body)):
            raise CannotCompile("a store into an array from outside, in a function that calls itself")
        return None


# ---- what is known of arguments


@dataclass(frozen=True)
class Held:
    """An object or a function, which is not passed."""

    value: Any = field(compare=False)


Fact = str | Lit | tuple[bool, ...] | Held
"""What is known of a leaf: the kind of a number, a constant, which lengths of an array are 1, or that it is another."""


def structure_of(v: Value) -> Any:
    """The same for values that differ in numbers and lengths only, and in what functions hold."""
    if is_number(v) or isinstance(v, Arr) and not v.shape:
        return "number"
    match v:
        case Arr():
            return v.kind, v.ndim, v.listed
        case tuple():
            return tuple, [structure_of(x) for x in v]
        case Items():
            return v.cls, v.keys, [structure_of(x) for x in v.items]
        case Known() | Record():
            return type(v), id(v.value)
    return object()


def same_function(x: Value, y: Value, met: frozenset[int] = frozenset()) -> bool:
    """Tell whether two objects or functions are the same, and hold the same."""
    if not isinstance(x, Record) or not isinstance(y, Record) or x is y or id(x) in met:
        return same(x, y) or id(x) in met
    names = x.fields.keys() | y.fields.keys()
    pairs = [(leaves(x.get(name)), leaves(y.get(name))) for name in names]
    met |= {id(x)}
    return x.value is y.value and all(
        len(a) == len(b) and all(same_function(p, q, met) for p, q in zip(a, b, strict=True)) for a, b in pairs
    )


def fact_of(x: Value) -> Fact:
    """The facts known of a leaf."""
    if isinstance(x, Arr):
        return tuple([n == arrays.ONE for n in x.shape])
    return x if isinstance(x, Lit) else x.kind if isinstance(x, Reg) else Held(x)


def widened(facts: Sequence[Fact], args: Sequence[Value]) -> list[Fact]:
    """The facts known of these leaves and of the others as well."""
    found: list[Fact] = []
    for fact, other in zip(facts, map(fact_of, args), strict=True):
        if isinstance(fact, tuple) and isinstance(other, tuple):
            found.append(tuple([a and b for a, b in zip(fact, other, strict=True)]))
        elif isinstance(fact, Held) or isinstance(fact, Lit) and repr(fact) == repr(other):
            found.append(fact)
        else:
            found.append(wider(kind_of(fact), kind_of(other)))
    return found


def kind_of(fact: Fact) -> str:
    """The kind of a number of which this is known."""
    assert isinstance(fact, str | Lit)
    return fact.kind if isinstance(fact, Lit) else fact


def abstract(lower: Lower, x: Value, fact: Fact) -> Value:
    """A parameter for a leaf."""
    if isinstance(fact, str):
        return Reg("x", fact)
    if not isinstance(fact, tuple):
        return x
    buf = Buf("a", x.kind, x.ndim)
    lower.delayed.params.add(buf)
    made = arrays.of_buffer(lower.w, buf, [arrays.ONE if one else lower.w.size(buf, k) for k, one in enumerate(fact)])
    made.listed = x.listed
    return made


# ---- what is known of results


def template(t: Type) -> tuple[Value, bool]:
    """A result of a type, and whether it is known; an integer to begin with where it is not."""
    match t:
        case Scalar(kind=kind) if kind in ("float", "int", "bool"):
            return Reg("", kind[0]), True
        case Array(kind=kind, ndim=None | 0) if kind in ("f", "i", "b"):
            return Reg("", kind), True
        case Tuple(items=items):
            parts = [template(item) for item in items]
            return tuple([p for p, _ in parts]), all(sure for _, sure in parts)
    return Reg("", "i"), False


def numbers_of(result: Value) -> Value:
    """A result of numbers."""
    parts = [x.at(()) if isinstance(x, Arr) and not x.shape else x for x in leaves(result)]
    if not all(map(is_number, parts)):
        raise CannotCompile("a function that calls itself and gives an array or an object")
    return rebuilt(result, parts)


def fits(expected: Value, found: Value) -> bool:
    """Tell whether what was found is of the structure that was expected, and its numbers are not wider."""
    same = structure_of(expected) == structure_of(found)
    return same and all(wider(x.kind, r.kind) == r.kind for x, r in zip(leaves(found), leaves(expected), strict=True))


def joined(expected: Value, found: Value) -> Value:
    """A result as wide as both."""
    if structure_of(expected) != structure_of(found):
        return found
    kinds = [wider(x.kind, r.kind) for x, r in zip(leaves(found), leaves(expected), strict=True)]
    return rebuilt(found, [Reg("", kind) for kind in kinds])
