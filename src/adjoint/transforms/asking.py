"""Results that a program remembers without a table: in two lists side by side, or as the latest one.

Such a program compares a number with what others hold, and stores the number there, with its result, where it is
another one. Where it is the same, the result of an earlier call has no derivative in this one. So the program notes
what it stores, and is refused where it finds what it has not stored itself.
"""

from __future__ import annotations

import math
import operator
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ..ir import changes, intrinsics, notes
from ..ir import located as ops
from ..ir.nodes import Atom, Block, Call, Const, Function, If, Loop, Statement, Var, atoms_of, blocks_of
from ..ir.notes import earlier_result
from ..ir.types import UNKNOWN, Array
from .facts import is_active
from .frames import place_of
from .infer import type_of
from .remembered import is_label
from .uses import calls_of, is_call_of
from .versions import reads_shape

_EQUAL = (operator.eq, operator.ne, operator.is_, operator.is_not)
_ALIKE = (np.array_equal, np.array_equiv, np.allclose, np.isclose, math.isclose)
_FOUND = (operator.contains, intrinsics.not_contains, list.index, list.count, tuple.index, tuple.count)
_ORDERED = (operator.lt, operator.le, operator.gt, operator.ge)
_EVEN = (abs, math.fabs, np.abs, np.fabs, np.square, np.linalg.norm, math.hypot, math.dist, operator.mul, operator.pow)
_FLAGS = (*_EQUAL, *_ORDERED, *_FOUND, operator.not_, operator.and_, operator.or_, operator.truth, bool, len, all, any)
_WHOLE = (intrinsics.iterate, ops.load_whole, ops.located_copy, ops.copy_of, ops.window, list, tuple, reversed, iter)
_PARTS = (*ops.LOADING, ops.load_part, ops.window, operator.getitem, dict.get)
_FIELDS = (changes.load_field, intrinsics.load_global, intrinsics.load_cell, intrinsics.capture, intrinsics.default)
_BY_METHOD = frozenset(["append", "appendleft", "add", "insert", "extend", "setdefault"])
"""Methods that store, of what is known only when the program runs."""
_NEGATIVE = (operator.ne, operator.is_not, intrinsics.not_contains)
_DEPTH = 3
"""Calls that may lie between what is compared and what is stored: a copy of it is made by two."""


class _Place(NamedTuple):
    """A place that others hold: by the name that it is found by, and by a key there that is known."""

    root: Any
    key: Any = None

    def meets(self, other: _Place) -> bool:
        return self.root == other.root and (self.key is None or other.key is None or self.key == other.key)


@dataclass(frozen=True, eq=False)
class _Question:
    """A question: is a number what others hold, or nearly so?"""

    call: Call
    number: Atom
    places: tuple[_Place, ...]
    answer: tuple[Atom, bool]
    """A variable that says so, and its value where the number is the same."""
    nearly: bool = False
    of_latest: bool = False
    """True if it is asked of one number, of which a recording computes the result anew."""


class _Store(NamedTuple):
    """A store into what others see, with the branches that it stands in, and the side of each."""

    call: Call
    place: _Place
    value: Atom
    sides: tuple[tuple[If, int], ...]


class _Program:
    """A program whose objects are memory: what it asks, what it stores, and under which answers."""

    def __init__(self, function: Function) -> None:
        self.made: dict[Atom, Statement] = {}
        self.questions: dict[Call, _Question | None] = {}
        self.asked: dict[Atom, frozenset[_Question]] = defaultdict(frozenset)
        """The answers that each variable depends on."""
        self.bounded: dict[Atom, set[bool]] = defaultdict(set)
        """The sides from which variables are compared with bounds: from above, and from below."""
        self.taken: dict[Atom, Atom] = {}
        """The sequences that loops take items from."""
        self.stores: dict[Call, _Store] = {}
        self.given: set[Atom] = {p for p in function.params[1:] if is_active(p)}
        """The variables that carry a derivative of the arguments."""
        for _ in range(2):  # what a round hands on is known in the second
            self._block(function.body, ())

    def _block(self, block: Block, sides: tuple[tuple[If, int], ...]) -> None:
        for s in block.statements:
            self.made.update(dict.fromkeys(s.outs, s))
            if isinstance(s, Call):
                self._call(s, sides)
                continue
            for i, inner in enumerate(blocks_of(s)):
                self._block(inner, (*sides, (s, i)) if isinstance(s, If) else sides)
            if isinstance(s, If):
                self._branch(s)
            elif isinstance(s, Loop):
                self._rounds(s)

    def _branch(self, s: If) -> None:
        answers = self.answers(s)
        for out, *ways in zip(s.outs, s.then.results, s.orelse.results, strict=True):
            self._join(out, ways, answers)

    def _rounds(self, s: Loop) -> None:
        tests = frozenset[_Question]() if s.cond is None else self.asked[s.cond.results[0]]
        for i, init in enumerate(s.inits):
            ways = [init, s.body.results[i]]
            self._join(s.outs[i], ways, tests)
            self._join(s.body.params[i], ways, tests)
            if s.cond is not None:
                self._join(s.cond.params[i], ways, tests)
        for out, item in zip(s.outs[s.carried :], s.body.results[s.carried :], strict=True):
            self._join(out, [item], frozenset())
        for element, sequence in zip(s.body.params[s.carried :], s.sequences, strict=False):
            self._join(element, [sequence], frozenset())
            self.taken[element] = sequence

    def _join(self, out: Var, ways: Sequence[Atom], answers: frozenset[_Question]) -> None:
        self.asked[out] = self.asked[out].union(answers, *[self.asked[a] for a in ways])
        if is_active(out) and not self.given.isdisjoint(ways):
            self.given.add(out)

    def _call(self, s: Call, sides: tuple[tuple[If, int], ...]) -> None:
        if self.questions.get(s) is None:
            self.questions[s] = self._question(s)
        answers = self.asked_by(s)
        if is_call_of(s, _FLAGS):
            numbers = is_call_of(s, (operator.is_, operator.is_not))
            answers = answers.union(*[self.asked[a] for a in s.args if numbers or not is_active(a)])  # type: ignore[index,arg-type]
        for out in s.outs:
            self.asked[out] = answers
            if is_active(out) and not self.given.isdisjoint(atoms_of(s)):
                self.given.add(out)
        found = self._stored(s)
        if found is not None:
            self.stores[s] = _Store(s, *found, sides)

    def asked_by(self, s: Call) -> frozenset[_Question]:
        """The question that a call is, if it is one."""
        found = self.questions.get(s)
        return frozenset() if found is None else frozenset([found])

    # ---- questions

    def _question(self, s: Call) -> _Question | None:
        args: Any = s.args
        if is_call_of(s, (*_EQUAL, *_ALIKE)) and len(args) >= 2:
            answer = s.outs[0], not is_call_of(s, _NEGATIVE)
            return self._between(s, args[0], args[1], answer) or self._between(s, args[1], args[0], answer)
        if is_call_of(s, _FOUND) and len(args) == 2 and self._is_number(args[1]):
            places = tuple(self._held_in(args[0]))
            indexed = is_call_of(s, (list.index, tuple.index))
            told = Const(True) if indexed else s.outs[0]
            return _Question(s, args[1], places, (told, not is_call_of(s, _NEGATIVE))) if places else None
        if is_call_of(s, _ORDERED):
            below = is_call_of(s, (operator.lt, operator.le))
            for i, a in enumerate(args):
                self.bounded[a].add(below is (i == 0))
            found = [(d, below is (i == 0)) for i, a in enumerate(args) for d in self._differences(a)]
            return next((q for d, when in found for q in self._beside(s, d, (s.outs[0], when))), None)
        return None

    def _between(self, s: Call, number: Atom, held: Atom, answer: Any, nearly: bool = False) -> _Question | None:
        places = tuple(self._places(held)) if self._is_number(number) else ()
        if not places:
            return None
        single = places[0].key is not None or is_call_of(self.made.get(held), _FIELDS)
        of_latest = single and not nearly and not isinstance(type_of(number), Array)
        return _Question(s, number, places, answer, nearly, of_latest)

    def _beside(self, s: Call, d: Call, answer: Any) -> Iterator[_Question]:
        a, b = d.args[:2]
        for number, held in ((a, b), (b, a)):
            if (found := self._between(s, number, held, answer, True)) is not None:  # type: ignore[arg-type]
                yield found

    def _differences(self, a: Atom) -> list[Call]:
        """The differences of which a number is the size, without a sign."""
        made = [c for c in self._behind(a, 2 * _DEPTH) if isinstance(c, Call)]
        sized = any([is_call_of(c, _EVEN) and _has_no_sign(c) for c in made])
        if not sized and self.bounded[a] != {True, False}:  # a difference that lies between bounds is a small one
            return []
        return [c for c in made if is_call_of(c, (operator.sub, np.subtract, math.dist)) and len(c.args) > 1]

    def _behind(self, a: Atom, depth: int) -> Iterator[Statement]:
        made = self.made.get(a)
        if made is not None and depth:
            yield made
            for b in atoms_of(made):
                yield from self._behind(b, depth - 1)

    def _is_number(self, a: Atom) -> bool:
        """Tell whether something is made of what is differentiated, if only of its text."""
        return isinstance(a, Var) and any([v in self.given and not is_label(type_of(v)) for v in self._made_of(a)])

    def _made_of(self, a: Atom) -> set[Atom]:
        seen, todo = set[Atom](), [a]
        while todo:
            a = todo.pop()
            if isinstance(a, Var) and a not in seen:
                seen.add(a)
                made = self.made.get(a)
                if isinstance(made, Call) and a not in self.given and not is_active(a):
                    todo += [v for v in atoms_of(made) if not (isinstance(v, Var) and reads_shape(made, v))]
        return seen

    # ---- places

    def _root(self, a: Atom) -> Any:
        """The name of what holds something: of a field, of a global name, or of a variable that was handed in."""
        made: Any = self.made.get(a)
        if is_call_of(made, _WHOLE) and made.args:
            return self._root(made.args[0])
        if is_call_of(made, _FIELDS):
            return made.fn.value, *[x.value for x in made.args if isinstance(x, Const) and type(x.value) is str]
        if isinstance(a, Const):
            return id(a.value) if isinstance(a.value, list | dict | set | np.ndarray) else None
        return a if made is None and a not in self.taken else None

    def _held_in(self, a: Atom) -> Iterator[_Place]:
        """The places that a list or a set stands for."""
        if (root := self._root(a)) is not None:
            yield _Place(root)
        yield from self._places(a)

    def _places(self, a: Atom, depth: int = 2 * _DEPTH) -> Iterator[_Place]:
        """The places that a value was read from, if others hold them: it, or what it is a part or a copy of."""
        made: Any = self.made.get(a)
        if a in self.taken and depth:
            yield from self._held_in(self.taken[a])
        if type(made) is not Call or not depth or a in self.given:
            return
        args: Any = made.args
        if is_call_of(made, _FIELDS):
            yield _Place(self._root(a))
            yield from self._places(args[0], depth - 1)
        elif is_call_of(made, _PARTS):
            root, key = self._root(args[0]), args[1]
            if root is not None:
                yield _Place(root, key.value if isinstance(key, Const) and type(key.value) in (str, int) else None)
            yield from self._places(args[0], depth - 1)
        elif args and not is_call_of(made, _FLAGS):
            yield from self._places(args[0], depth - 1)

    # ---- stores

    def _stored(self, s: Call) -> tuple[_Place, Atom] | None:
        """The place that a call stores into, and the value."""
        args: Any = s.args
        if is_call_of(s, (changes.store_field,)):
            return _Place((changes.load_field, args[1].value)), args[2]
        method: Any = s if is_call_of(s, (*intrinsics.INVOKING,)) else self.made.get(s.fn)
        by_name = method is s or is_call_of(method, (getattr,))
        if by_name and args and getattr(method.args[1], "value", None) in _BY_METHOD:
            root = self._root(method.args[0])
            return None if root is None else (_Place(root), args[-1])
        if is_call_of(s, ops.CHANGING) and len(args) > 1 and (root := self._root(args[0])) is not None:
            key = args[1].value if is_call_of(s, (ops.store_item,)) and isinstance(args[1], Const) else None
            return _Place(root, key if type(key) in (str, int) else None), args[-1]
        return None

    def _holds(self, value: Atom, number: Atom) -> bool:
        """Tell whether what is stored is a number, or holds it, or a copy."""
        same = {number, *self._ancestors(number, 1)}
        return not same.isdisjoint({value, *self._ancestors(value, _DEPTH)})

    def _ancestors(self, a: Atom, depth: int) -> set[Atom]:
        return {v for s in self._behind(a, depth) for v in atoms_of(s) if isinstance(v, Var)}

    def remembering(self) -> Iterator[tuple[_Question, If, int, _Store]]:
        """The questions, each with a branch on the answer, and with the side of it that stores the number."""
        for store in self.stores.values():
            for branch, side in store.sides:
                for q in self.answers(branch):
                    stored = any(map(store.place.meets, q.places)) and self._holds(store.value, q.number)
                    if stored and self._is_kept(q, branch, side):
                        yield q, branch, side, store

    def answers(self, branch: If) -> frozenset[_Question]:
        """The questions that a branch depends on."""
        if branch.is_attempt:
            return frozenset([q for c in calls_of(branch.then.statements) for q in self.asked_by(c)])
        return self.asked[branch.cond]

    def _is_kept(self, q: _Question, branch: If, side: int) -> bool:
        """Tell whether a side of a branch stores something with a derivative, besides a number that is nearly the
        same."""
        for s in self.stores.values():
            apart = not q.nearly or not any(map(s.place.meets, q.places))
            items = [a for a in self._items(s.value) if apart or a is not q.number]
            if (branch, side) in s.sides and (apart or len(items) > 1) and not self.given.isdisjoint(items):
                return True
        return False

    def _items(self, a: Atom) -> list[Atom]:
        """A value and its items, as far as the program shows them."""
        made: Any = self.made.get(a)
        if is_call_of(made, (intrinsics.make_tuple, intrinsics.make_list)):
            return [a, *[v for item in made.args for v in self._items(item)]]
        return [a]


def with_answers_checked(function: Function, context: Function, in_memory: bool) -> Function:
    """A program that is refused where it finds what an earlier call has stored; itself, if it looks for nothing. Only
    where objects are memory is all there that it may store."""
    if not any(map(_may_store, calls_of(function.body.statements))) or not any(map(is_active, function.params[1:])):
        return function
    program = _Program(function)
    found = [*program.remembering()] if program.stores else []
    if found and not in_memory:
        raise earlier_result(place_of(context, found[0][1]))
    if not found:
        return function
    noted = Var("notes", UNKNOWN, False)
    beside: dict[Statement | Block, dict[Any, Call]] = defaultdict(dict)
    for q, branch, side, store in found:
        number, at = Const(list(program.questions.values()).index(q)), Const(place_of(context, branch))
        beside[store.call][q.number] = Call((), Const(notes.note), (noted, q.number), (), store.call.span)
        told: tuple[Atom, ...] = (noted, number, q.number, q.answer[0], Const(q.answer[1]))
        beside[q.call][q] = Call((), Const(notes.note_answer), told, (), q.call.span)
        check = Call((), Const(notes.check_noted), (noted, number, Const(not q.of_latest), at), (), branch.span)
        beside[branch.orelse if side == 0 else branch.then][q] = check
    body = _inserted(function.body, {at: [*calls.values()] for at, calls in beside.items()})
    first = Call((noted,), Const(notes.no_notes))
    return replace(function, body=Block(body.params, (first, *body.statements), body.results))


def _may_store(s: Call) -> bool:
    name = s.args[1] if is_call_of(s, (getattr, *intrinsics.INVOKING)) else None
    return is_call_of(s, (*ops.CHANGING, changes.store_field)) or getattr(name, "value", None) in _BY_METHOD


def _inserted(block: Block, beside: dict[Statement | Block, list[Call]]) -> Block:
    """A block with these calls beside some of its statements, before stores and after questions; and at the end of some
    blocks."""
    statements: list[Statement] = []
    for s in block.statements:
        own, asks = beside.get(s, []), bool(s.outs)
        match s:
            case If():
                s = replace(s, then=_inserted(s.then, beside), orelse=_inserted(s.orelse, beside))
            case Loop():
                cond = None if s.cond is None else _inserted(s.cond, beside)
                s = replace(s, cond=cond, body=_inserted(s.body, beside))
        statements += [s, *own] if asks else [*own, s]
    return Block(block.params, (*statements, *beside.get(block, ())), block.results)


def _has_no_sign(s: Call) -> bool:
    """Tell whether what a call gives is the same of a number and of its opposite."""
    if is_call_of(s, (operator.mul,)):
        return s.args[0] is s.args[1]
    return not is_call_of(s, (operator.pow,)) or isinstance(s.args[1], Const) and s.args[1].value == 2


__all__ = ["with_answers_checked"]
