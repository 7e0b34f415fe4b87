"""Lists that loops make: what a comprehension collects, and what is appended to in every round."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import arrays
from .elementary import FLOORDIV
from .kernel import Atom, Buf, Lit, New, Reg
from .values import (
    Arr,
    CannotCompile,
    Items,
    describe,
    is_growing,
    is_number,
)
from .writer import Writer

if TYPE_CHECKING:
    from .loops import Carried


class Grows(Exception):
    """A loop appends to a list."""

    def __init__(self, place: int, item: Any, each: int) -> None:
        super().__init__()
        self.place, self.item, self.each = place, item, each

    def room(self, w: Writer, items: Items, count: Any) -> Arr:
        """Memory for all that will be in the list, and what is there already."""
        rest = self.item.shape if isinstance(self.item, Arr) else ()
        n = len(items.items)
        if any(not is_number(x) and not isinstance(x, Arr) or x.kind != self.item.kind for x in items.items):
            raise CannotCompile("a list of items of different types")
        shape = (w.add(w.mul(count, self.each), n), *rest)
        buf = w.new(self.item.kind, shape, zero=False, name="items")
        for i, x in enumerate(items.items):
            if isinstance(x, Arr):
                arrays.put_row(w, buf, Lit(i), x)
            else:
                w.store(buf, (Lit(i),), x)
        made = arrays.of_buffer(w, buf, (Lit(n), *rest))
        made.listed, made.grows = True, Growth(n, self.each, shape)
        return made


class Growth:
    """How a list grows: from `n` items by some in each round, to a final shape."""

    def __init__(self, n: int, each: int, shape: tuple[Atom, ...], done: int = 0) -> None:
        self.n, self.each, self.shape, self.done = n, each, shape, done

    def of_length(self, w: Writer, a: Arr, n: Atom, done: int = 0) -> Arr:
        assert a.buf is not None
        made = arrays.of_buffer(w, a.buf, (n, *a.shape[1:]))
        made.listed, made.grows = True, Growth(self.n, self.each, self.shape, done)
        return made

    def at_round(self, w: Writer, a: Arr, index: Reg, start: Atom, step: Atom) -> Arr:
        """The list at the start of a round."""
        rounds = w.op(FLOORDIV, w.sub(index, start), step)
        return self.of_length(w, a, w.add(w.mul(rounds, self.each), self.n))

    def appended(self, w: Writer, a: Arr, item: Any) -> Arr:
        """The list with one item more."""
        place, buf = a.shape[0], a.buf
        assert buf is not None
        if not isinstance(item, Arr) and not is_number(item) or item.kind != a.kind:
            raise CannotCompile("a list of items of different types")
        if isinstance(item, Arr):
            arrays.check_shapes(w, item.shape, a.shape[1:])
            arrays.put_row(w, buf, place, item)
        else:
            w.store(buf, (place,), item)
        return self.of_length(w, a, w.add(place, 1), self.done + 1)

    def check(self, before: Arr, after: Any) -> None:
        """Raise unless as many items as in each round were appended."""
        if not is_growing(after) or after.buf is not before.buf or after.grows.done != self.each:
            raise CannotCompile("a list that changes its length from round to round")

    def at_end(self, a: Arr) -> Arr:
        """The list after the loop."""
        return Arr(self.shape, a.kind, a.at, a.buf, a.place, listed=True)


class Collected:
    """A list that a loop collects: its memory is made before the loop, when it is known what an item is."""

    def __init__(self, count: Any) -> None:
        self.count = count
        self.arr: Arr | None = None

    def add(self, loop: Carried, index: Reg, item: Any) -> None:
        """Store what a round gave."""
        w = loop.w
        shape = item.shape if isinstance(item, Arr) else ()
        if not isinstance(item, Arr) and not is_number(item):
            raise CannotCompile(f"a list of what is {describe(item)}")
        if any(isinstance(n, Reg) and n not in loop.before for n in shape):
            raise CannotCompile("a list of arrays whose shape each round has anew")
        buf = Buf("items", item.kind, 1 + len(shape))
        loop.prelude.append(New(buf, (self.count, *shape), False))
        self.arr = arrays.of_buffer(w, buf, (self.count, *shape))
        self.arr.listed = True
        if isinstance(item, Arr):
            w.nest(shape, lambda i: w.store(buf, (index, *i), item.at(i)))
        else:
            w.store(buf, (index,), item)
