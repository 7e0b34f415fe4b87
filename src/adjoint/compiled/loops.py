"""Loops of programs as loops of kernels: what they carry, and of which kind it is."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..ir.nodes import Loop, Var
from . import arrays, lists
from .elementary import ADD, AND, LT, NOT
from .kernel import Atom, For, Lit, Reg, While, made_by, walk
from .kernel import Block as Region
from .lists import Collected, Grows
from .liveness import memory_of, reads_carried, seen_elsewhere
from .values import (
    Arr,
    CannotCompile,
    Items,
    Maybe,
    Range,
    Record,
    Unset,
    Value,
    describe,
    is_growing,
    is_number,
    leaves,
    maybe,
    rebuilt,
    same,
)
from .writer import wider_of

if TYPE_CHECKING:
    from .lower import Lower
    from .objects import Field


CHANGES = "a list or an array that has another length in the next round"
NUMBERS = {"f": "floats", "i": "integers", "b": "flags"}


class Rewritten(Exception):
    """A loop carries on something else than it begins with: `write` says the first value in the same way."""

    def __init__(self, place: int, write: Callable[[], Value]) -> None:
        super().__init__()
        self.place, self.write = place, write


class Bound(Exception):
    """A loop binds numbers to variables that are unbound before it: what they are then."""

    def __init__(self, found: dict[int, Maybe]) -> None:
        super().__init__()
        self.found = found


class Carried:
    """One try at a loop: which scalars it carries, of what kinds, and which arrays are bound anew in each round."""

    def __init__(
        self,
        lower: Lower,
        s: Loop,
        inits: list[Any],
        kinds: dict[int, str],
        rebound: set[int],
        fields: list[Field],
    ) -> None:
        self.lower, self.w, self.s = lower, lower.w, s
        self.kinds, self.rebound = kinds, rebound
        self.fields = fields
        """Attributes that rounds assign."""
        self.inits = [*inits, *[x.fields[name] for x, name in fields]]
        self.prelude: list[Any] = []
        self.before = set(lower.w.origin)
        self.flat = [leaf for x in self.inits for leaf in leaves(x)]
        self.params: list[Any] = []
        for k, x in enumerate(self.flat):
            if is_number(x):
                self.params.append(Reg("s", wider_of([x, Reg("", kinds.get(k, x.kind))])))
            elif isinstance(x, Arr) and k in rebound:
                self.params.append(arrays.copied(self.w, x, x.kind))
            elif isinstance(x, Arr):
                self.params.append(arrays.located(self.w, x))
            else:
                self.params.append(x)
        owners = [i for i, x in enumerate(self.inits) for _ in leaves(x)]
        self.read = {k for k, i in enumerate(owners) if i >= s.carried or reads_carried(s, i)}
        self.alike: set[tuple[int, int]] = set()
        if lower.in_memory and rebound:
            self.link_copies()

    def link_copies(self) -> None:
        """Let nobody store into what rounds bind anew, or into what it begins with, which it is a copy of, where that
        is read in another way: until a round has bound it, the program has one array there."""
        lower = self.lower
        others = [*lower.given, *lower.copies.values()]
        others += seen_elsewhere(lower.ahead, lower.env, lower.heap, self.s, self.fields)
        twice = self.twice(self.flat)
        for k in self.rebound:
            if memory_of(self.flat[k]) in others or k in twice:
                lower.delayed.links.link(self.flat[k], self.params[k].buf)

    def twice(self, flat: list[Any]) -> set[int]:
        """The arrays of which there is one for several variables that are read in rounds. Two that are not both read
        there must not be stored into behind the loop."""
        first: dict[Any, int] = {}
        found: set[int] = set()
        for k in sorted(self.rebound):
            memory = memory_of(flat[k])
            if (other := first.setdefault(memory, k)) != k:
                both = {k, other}
                if both <= self.read:
                    found |= both
                else:
                    self.alike.add((other, k))
        return found

    def written(self, sequences: list[Value]) -> bool:
        """Write the loop; False if it has to be tried again, with what has been found."""
        s, w = self.s, self.w
        n = s.carried
        direct = len(sequences) == 1 and isinstance(sequences[0], Range) and len(s.outs) == n and s.exit_flag is None
        count = Lit(0) if direct else self.length(sequences)
        numbers = [k for k, p in enumerate(self.params) if is_number(p)]
        firsts = [w.unified(self.flat[k], self.params[k].kind) for k in numbers]
        lists = self.collecting(count, len(s.outs) - n)
        flagged = s.exit_flag is not None or count is None
        index = Reg("i", "i")
        if direct:
            r: Any = sequences[0]
            if not isinstance(r.step, Lit) or not r.step.value:
                raise CannotCompile("a range whose step is computed")
            start, stop, step, sequences, parallel = r.start, r.stop, r.step, [index], r.parallel
        else:
            start, stop, step, parallel = Lit(0), count, Lit(1), False
        self.start, self.step = start, step
        if count is not None:
            w.ranges[index] = start, stop, step
        with w.region() as body:
            results = self.round(sequences, index, lists)
        if results is None:
            return False
        w.statements += self.prelude
        regs = tuple(self.params[k] for k in numbers)
        values = tuple(results[k] for k in numbers)
        outs = tuple(Reg("s", r.kind) for r in regs)
        if not flagged:
            assert count is not None
            rounds = Region(tuple(body), regs, values)
            w.emit(For(outs, tuple(firsts), index, start, stop, step, rounds, parallel=parallel))
        else:
            self.flagged(count, index, body, regs, values, firsts, outs, numbers)
        flat = [p.grows.at_end(p) if is_growing(p) else p for p in self.params]
        for k, out in zip(numbers, outs, strict=True):
            flat[k] = out
        for k, other in self.alike:
            self.lower.delayed.links.link(flat[k], flat[other].buf)
        self.bind(s.outs[:n], flat)
        for v, one in zip(s.outs[n:], lists, strict=True):
            assert one.arr is not None
            self.lower.env[v] = one.arr
        return True

    def laid_out(self, flat: list[Any]) -> list[Any]:
        """The carried values as the program has them: containers put together again."""
        parts = list(flat)
        return [rebuilt(Lit(0) if isinstance(x, Unset) else x, parts) for x in self.inits]

    def bind(self, names: Sequence[Var], flat: list[Any]) -> None:
        """Bind carried values to these names, and the others to attributes."""
        values = self.laid_out(flat)
        self.lower.env.update(zip(names, values, strict=False))
        for (x, name), value in zip(self.fields, values[len(names) :], strict=True):
            x.fields[name] = value

    def length(self, sequences: list[Value]) -> Atom | None:
        """The number of rounds; None of a `while`."""
        if not sequences:
            return None
        return arrays.shortest(self.w, sequences)

    def collecting(self, count: Atom | None, n: int) -> list[Collected]:
        if n and count is None:
            raise CannotCompile("a list that a `while` collects")
        return [Collected(count) for _ in range(n)]

    def round(self, sequences: list[Value], index: Reg, lists: list[Collected]) -> list[Any] | None:
        """The body; what is carried on, or None if the loop has to be tried again."""
        s, w, lower = self.s, self.w, self.lower
        elements = [x if x is index else arrays.element(w, x, index) for x in sequences]
        params = [p.grows.at_round(w, p, index, self.start, self.step) if is_growing(p) else p for p in self.params]
        self.bind(s.body.params[: s.carried], params)
        lower.env.update(zip(s.body.params[s.carried :], elements, strict=True))
        mark, state = lower.delayed.links.mark(), lower.heap.state()
        with lower.in_round():
            lower.block(s.body, again=True)
        lower.heap.check(state, self.fields)
        del lower.heap.objects[len(state) :]
        results = [lower.held(r) for r in s.body.results]
        self.promote(results)
        results[: s.carried] = [maybe(r, x) for r, x in zip(results, self.inits, strict=False)][: s.carried]
        assigned = [x.fields[name] for x, name in self.fields]
        flat = [leaf for r in (*results[: s.carried], *assigned) for leaf in leaves(r)]
        if len(flat) != len(self.params):
            raise self.growth(results)
        again = False
        for k, (p, r) in enumerate(zip(self.params, flat, strict=True)):
            if isinstance(p, Unset) and not isinstance(r, Unset):
                raise CannotCompile("an array or an object that is first made in a loop and carried on")
            if is_number(p) and is_number(r):
                if wider_of([p, r]) != p.kind:
                    self.kinds[k], again = r.kind, True
            elif is_growing(p):
                p.grows.check(params[k], r)
            elif isinstance(p, Arr) and isinstance(r, Arr):
                if (p.kind, p.listed) != (r.kind, r.listed):
                    raise CannotCompile(
                        f"a variable that is {described(p)} in one round and {described(r)} in the next"
                    )
                if k not in self.rebound and not same(p, r):
                    self.rebound.add(k)
                    again = True
            elif not same(p, r):
                raise changing(describe(p), describe(r))
        if again:
            return None
        if lower.in_memory:
            self.check_fresh(flat)
        fresh = {
            k: arrays.copied(w, flat[k], p.kind)
            for k, p in enumerate(self.params)
            if k in self.rebound and not same(p, flat[k])
        }
        for k, value in fresh.items():
            arrays.check_shapes(w, self.params[k].shape, value.shape, CHANGES)
            arrays.store_all(w, self.params[k], value)
        for one, r in zip(lists, results[s.carried :], strict=True):
            one.add(self, index, r)
            assert one.arr is not None
            lower.in_list(r, one.arr)
        made = {b for t in walk(Region(tuple(w.statements))) for b in made_by(t)}
        lower.delayed.links.end_of_round(mark, made, list(zip(self.params, flat, strict=True)))
        return [w.unified(r, p.kind) if is_number(p) else r for p, r in zip(self.params, flat, strict=True)]

    def promote(self, results: list[Any]) -> None:
        """Raise if what is unbound before the loop is numbers after a round: it may be bound, from then on."""
        found = {}
        for k, (x, r) in enumerate(zip(self.inits[: self.s.carried], results, strict=False)):
            if isinstance(x, Unset) and isinstance(first := maybe(x, maybe(r, x)), Maybe):
                found[k] = first
        if found:
            raise Bound(found)

    def check_fresh(self, flat: list[Any]) -> None:
        """Arrays that a round binds anew are copied, which is right if it has made them, and nobody else has them."""
        made = {b for t in walk(Region(tuple(self.w.statements))) for b in made_by(t)}
        bufs = [flat[k].buf for k in self.rebound if flat[k].buf is not None]
        if not made.issuperset(bufs) or self.twice(flat):
            raise CannotCompile("an array that has another name in the next round, while others are stored into")

    def growth(self, results: list[Any]) -> Exception:
        """The list that grows, as an exception."""
        for i, (x, r) in enumerate(zip(self.inits, results, strict=False)):
            if isinstance(x, Items) and isinstance(r, Arr) and r.listed and lists.of_numbers(self.w, x.items):
                return Rewritten(i, functools.partial(lists.of_numbers, self.w, x.items))
            if isinstance(x, Record) and isinstance(r, Items) and r.cls is type(x.value):
                return Rewritten(i, functools.partial(fields_of, x, r))
            if isinstance(x, Items) and isinstance(r, Items) and len(r.items) > len(x.items):
                items = r.items[len(x.items) :]
                shape = items[0].shape if isinstance(items[0], Arr) else ()
                known = all(isinstance(n, Lit) or n in self.before for n in shape)
                if known and self.s.exit_flag is None and self.s.cond is None:
                    return Grows(i, items[0], len(items))
        return CannotCompile("a list that changes its length from round to round")

    def flagged(
        self,
        count: Any,
        index: Reg,
        body: list[Any],
        regs: Any,
        values: Any,
        firsts: Any,
        outs: Any,
        numbers: list[int],
    ) -> None:
        """A `while`, or a `for` that may be left."""
        s, w = self.s, self.w
        again = [Reg(r.name, r.kind) for r in (*regs, index)]
        with w.region() as test:
            if s.cond is not None:
                flat = list(self.params)
                for k, r in zip(numbers, again, strict=False):
                    flat[k] = r
                self.bind(s.cond.params, flat)
                state = self.lower.heap.state()
                with self.lower.in_round():
                    self.lower.block(s.cond, again=True)
                if self.lower.heap.changed(state):
                    raise CannotCompile("an attribute that is assigned in the condition of a loop")
                goes = arrays.truth(w, self.lower.value(s.cond.results[0]))
            else:
                goes = w.op(LT, again[-1], count)
            if s.exit_flag is not None:
                stop = numbers.index(sum([len(leaves(x)) for x in self.inits[: s.exit_flag]]))
                goes = w.op(AND, w.op(NOT, again[stop]), goes)
        with w.region() as more:
            following = w.op(ADD, index, 1)
        block = Region((*body, *more), (*regs, index), (*values, following))
        cond = Region(tuple(test), tuple(again), (goes,))
        w.emit(While((*outs, Reg("i", "i")), (*firsts, Lit(0)), cond, block))


def fields_of(x: Record, like: Items) -> Items:
    """An object, its fields written down."""
    return Items([x.get(name) for name in like.keys], like.cls, like.keys)


def described(a: Arr) -> str:
    """The description of an array, with its kind of numbers."""
    return f"{describe(a)} of {NUMBERS[a.kind]}"


def changing(before: str, after: str) -> CannotCompile:
    """The reason to refuse a variable that changes its type."""
    return CannotCompile(f"a variable that is {before} in one round and {after} in the next")
