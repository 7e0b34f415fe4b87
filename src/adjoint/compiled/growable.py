"""Lists to which some rounds of a loop append: memory for as many items as there may be, and a number that counts them.

The number is an attribute of an object, so that branches and loops carry it as they carry any other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..ir import changes
from ..ir.nodes import Block, Call, Const, If, Loop, Var, blocks_of
from . import arrays
from .elementary import GE
from .kernel import Atom
from .values import Arr, CannotCompile, Items, Object, Value, is_number

if TYPE_CHECKING:
    from .lower import Lower

COUNT = "n"


class DiffersError(CannotCompile):
    """A list is longer on one side of a branch."""


@dataclass(eq=False, slots=True)
class Filling:
    """A list of floats while a loop appends to it: nobody reads more of it than its length."""

    room: Arr
    counter: Object

    @staticmethod
    def of(lower: Lower, items: Items, rounds: Atom, each: int) -> Filling:
        """Memory for what is there and for so many items of each round."""
        w = lower.w
        n = len(items.items)
        shape = (w.add(w.mul(rounds, each), n),)
        found = Filling(arrays.of_buffer(w, w.new("f", shape, zero=False, name="items"), shape), Object(Filling))
        found.room.listed = 1
        lower.heap.objects.append(found.counter)
        found.counter.fields[COUNT] = w.as_kind(0, "i")
        for item in items.items:
            found.append(lower, item)
        return found

    def append(self, lower: Lower, item: Value) -> Filling:
        """One item more."""
        if not is_number(item) or item.kind != "f":
            raise CannotCompile("a list of other things than floats, to which some rounds append")
        w, n = lower.w, self.count
        w.check(w.op(GE, n, self.room.shape[0]))
        arrays.put(w, self.room, (n,), item)
        self.counter.fields[COUNT] = w.add(n, 1)
        return self

    @property
    def count(self) -> Atom:
        """The number of items by now."""
        found: Atom = self.counter.fields[COUNT]
        return found

    def at_end(self, lower: Lower) -> Arr:
        """The list after the loop."""
        assert self.room.buf is not None
        found = arrays.of_buffer(lower.w, self.room.buf, (self.count,))
        found.listed = 1
        return found


def most_appended(s: Loop, place: int) -> int:
    """The largest number of items that a round appends to what a loop carries at a place; 0 if that is not known."""
    names: set[Var] = {s.body.params[place]}
    return _appended(s.body, names)


def _appended(block: Block, names: set[Var]) -> int:
    """The same of a block; `names` are those of the list, to which it adds."""
    found = 0
    for s in block.statements:
        if isinstance(s, Call) and isinstance(s.fn, Const) and s.fn.value is changes.list_append and s.args[0] in names:
            names.update(s.outs)
            found += 1
        elif isinstance(s, If):
            found += sum(_appended(b, names) for b in blocks_of(s))
            pairs = [*zip(s.outs, s.then.results, strict=True), *zip(s.outs, s.orelse.results, strict=True)]
            names.update(out for out, r in pairs if r in names)
        elif isinstance(s, Loop) and not names.isdisjoint(x for x in s.inits if isinstance(x, Var)):
            return 0
    return found
