"""Lists that loops make: what a comprehension collects, and what is appended to in every round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from . import arrays, indexing
from .delayed import LearntError
from .elementary import FLOORDIV, MAXIMUM
from .kernel import Atom, Buf, Lit, New, Reg
from .memory import least
from .values import (
    Arr,
    CannotCompile,
    Items,
    Known,
    describe,
    is_growing,
    is_number,
    same,
)
from .writer import Writer, wider_of

if TYPE_CHECKING:
    from .loops import Carried


MANY = 64
"""Up to so many items are written down."""


class Grows(Exception):
    """A loop appends to a list."""

    def __init__(self, place: int, item: Any, each: int) -> None:
        super().__init__()
        self.place, self.item, self.each = place, item, each

    def room(self, w: Writer, items: Items, count: Any) -> Arr:
        """Memory for all that will be in the list, and what is there already."""
        rest = self.item.shape if isinstance(self.item, Arr) else ()
        n = len(items.items)
        kind = kind_of_list(w, self.item.kind)
        shape = (w.add(w.mul(count, self.each), n), *rest)
        buf = w.new(kind, shape, zero=False, name="items")
        made = arrays.of_buffer(w, buf, (Lit(n), *rest))
        made.listed = 1 + listed(self.item)
        for i, x in enumerate(items.items):
            put(w, made, Lit(i), x)
        made.grows = Growth(n, self.each, shape)
        return made


class Growth:
    """The growth of a list: from `n` items by some in each round, to a final shape."""

    def __init__(self, n: int, each: int, shape: tuple[Atom, ...], done: int = 0) -> None:
        self.n, self.each, self.shape, self.done = n, each, shape, done

    def of_length(self, w: Writer, a: Arr, n: Atom, done: int = 0) -> Arr:
        assert a.buf is not None
        made = arrays.of_buffer(w, a.buf, (n, *a.shape[1:]))
        made.listed, made.grows = a.listed, Growth(self.n, self.each, self.shape, done)
        return made

    def at_round(self, w: Writer, a: Arr, index: Reg, start: Atom, step: Atom) -> Arr:
        """The list at the start of a round."""
        rounds = w.op(FLOORDIV, w.sub(index, start), step)
        return self.of_length(w, a, w.add(w.mul(rounds, self.each), self.n))

    def appended(self, w: Writer, a: Arr, item: Any) -> Arr:
        """The list with one item more."""
        place, buf = a.shape[0], a.buf
        assert buf is not None
        put(w, a, place, item)
        return self.of_length(w, a, w.add(place, 1), self.done + 1)

    def check(self, before: Arr, after: Any) -> None:
        """Raise unless as many items as in each round were appended."""
        if not is_growing(after) or after.buf is not before.buf or after.grows.done != self.each:
            raise CannotCompile("a list that changes its length from round to round")

    def at_end(self, a: Arr) -> Arr:
        """The list after the loop."""
        return Arr(self.shape, a.kind, a.at, a.buf, a.place, listed=a.listed)


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
        buf = Buf("items", kind_of_list(w, item.kind), 1 + len(shape))
        loop.prelude.append(New(buf, (self.count, *shape), False))
        self.arr = arrays.of_buffer(w, buf, (self.count, *shape))
        self.arr.listed = 1 + listed(item)
        put(w, self.arr, index, item)


def listed(item: Any) -> int:
    """The number of axes of an item that are lists."""
    return item.listed if isinstance(item, Arr) else 0


def kind_of_list(w: Writer, kind: str) -> str:
    """Of which numbers a list is."""
    return "f" if kind == "i" and w.widens else kind


def put(w: Writer, a: Arr, place: Atom, item: Any) -> None:
    """Fill the place of an item. Integers among floats are floats."""
    kinds = (item.kind, a.kind) if is_number(item) or isinstance(item, Arr) else None
    if kinds == ("f", "i") and not w.widens:
        raise LearntError(widens=True)
    alike = kinds in (("f", "f"), ("i", "i"), ("b", "b")) or kinds == ("i", "f") and (is_number(item) or w.widens)
    if not alike or (listed(item), item.ndim if isinstance(item, Arr) else 0) != (a.listed - 1, a.ndim - 1):
        raise CannotCompile("a list of items of different types")
    if is_number(item):
        arrays.put(w, a, (place,), w.unified(item, a.kind))
        return
    arrays.check_shapes(w, item.shape, a.shape[1:])
    w.nest(item.shape, lambda index: arrays.put(w, a, (place, *index), w.unified(item.at(index), a.kind)))


def of_numbers(w: Writer, items: Sequence[Any], read: bool = False) -> Arr | None:
    """Numbers that are written down as a list in memory, if they are of one kind; whether it is only `read`."""
    kind = wider_of(items) if items and all(map(is_number, items)) else None
    if kind is None or any((x.kind == "b") != (kind == "b") for x in items):
        return None
    buf = w.new(kind if read else kind_of_list(w, kind), (Lit(len(items)),), zero=False)
    made = arrays.of_buffer(w, buf, (Lit(len(items)),))
    made.listed = 1
    for k, x in enumerate(items):
        put(w, made, Lit(k), x)
    return made


def item(w: Writer, a: Arr, key: Any) -> Any:
    """`a[key]` of a list: an item, or some of them in a list of their own."""
    if isinstance(key, indexing.Slice) or isinstance(key, Known) and isinstance(key.value, slice):
        picks, shape = indexing.picked(w, a, key)
        made = arrays.copied(w, arrays.view_of(a, shape, picks), a.kind)
        made.listed = a.listed
        return made
    if not is_number(key):
        raise CannotCompile(f"an item of a list by {describe(key)}")
    found = arrays.element(w, a, indexing.within(w, indexing.as_index(key), a.shape[0]))
    if isinstance(found, Arr):
        found.item_of = a, key
    return found


def store(w: Writer, a: Arr, key: Any, value: Any) -> None:
    """`a[key] = value` of a list of numbers, or of one that holds this very item there. Any other item of a list of
    arrays, or of lists, would be copied over the one that is there, which may have other names."""
    if isinstance(value, Arr) and value.item_of is not None:
        items, place = value.item_of
        if same(items, a) and same(place, key):
            return
    if a.ndim > 1 or not is_number(key):
        raise CannotCompile("another item, or several, in a list of lists or of arrays" if a.ndim > 1 else
                            f"a store into a list by {describe(key)}")  # fmt: skip
    put(w, a, indexing.within(w, indexing.as_index(key), a.shape[0]), value)


def repeated(w: Writer, items: Sequence[Any], n: Atom) -> Any:
    """`[x] * n`."""
    if not all(map(is_number, items)):
        raise CannotCompile("several times the same list or array in a list")
    if isinstance(n, Lit) and len(items) * n.value <= MANY:
        return Items([*items] * int(n.value))
    if len(items) != 1 or n.kind != "i":
        raise CannotCompile("a list of several items that is repeated")
    kind = kind_of_list(w, items[0].kind)
    n = n if least(w, n) >= 0 else w.op(MAXIMUM, n, 0)
    made = arrays.filled(w, (n,), kind, w.unified(items[0], kind))
    made.listed = 1
    return made
