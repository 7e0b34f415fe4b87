"""Arrays while a program is lowered: entries that are computed where they are read, views, stores, broadcasting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .elementary import FLOORDIV, LT, MAXIMUM, MINIMUM, NE
from .kernel import Atom, Buf, Lit, Reg
from .memory import least
from .values import Arr, CannotCompile, Index, Items, Known, Range, Value, Zipped, describe, is_number, keys_of
from .writer import BEYOND, Writer, wider_of

ONE = Lit(1)


# ---- memory


def of_buffer(w: Writer, buf: Buf, shape: Sequence[Atom] | None = None) -> Arr:
    """The array that a buffer is."""
    sizes = tuple(shape) if shape is not None else tuple([w.size(buf, k) for k in range(buf.ndim)])
    return Arr(sizes, buf.kind, lambda index: w.load(buf, index), buf, whole)


def whole(index: Index) -> Index:
    """The place of a buffer's entries in it."""
    return index


def located(w: Writer, a: Arr) -> Arr:
    """The array, which is given memory if it has none: all who hold it have it there from now on."""
    if a.buf is None and a.base is not None:
        located(w, a.base[0])
        _placed(a)
    elif a.buf is None:
        made = copied(w, a, a.kind)
        a.buf, a.place, a.at, a.parts = made.buf, made.place, made.at, ()
    return a


def view_of(a: Arr, shape: Sequence[Atom], where: Callable[[Index], Index]) -> Arr:
    """A part of an array, whose entries are `where` in it: in its memory, as soon as it has some."""
    part = Arr(tuple(shape), a.kind, lambda index: a.at(where(index)), parts=(a,), base=(a, where))
    if a.buf is not None:
        _placed(part)
    return part


def _placed(part: Arr) -> None:
    assert part.base is not None and part.base[0].place is not None
    place, where = part.base[0].place, part.base[1]
    part.buf, part.place = part.base[0].buf, lambda index: place(where(index))


def copied(w: Writer, a: Arr, kind: str) -> Arr:
    """A new array with the same entries."""
    made = of_buffer(w, w.new(kind, a.shape, zero=False), a.shape)
    made.listed = a.listed
    store_all(w, made, a)
    return made


def filled(w: Writer, shape: Sequence[Atom], kind: str, value: Value | None) -> Arr:
    """A new array of one number."""
    check_lengths(w, shape)
    zero = isinstance(value, Lit) and value.value == 0
    made = of_buffer(w, w.new(kind, shape, zero), shape)
    if value is not None and not zero:
        w.nest(made.shape, lambda index: put(w, made, index, value))
    return made


def check_lengths(w: Writer, shape: Sequence[Atom]) -> None:
    """Leave where a length is negative."""
    for n in shape:
        if least(w, n) < 0:
            w.check(w.op(LT, n, 0))


def put(w: Writer, target: Arr, index: Index, value: Any) -> None:
    """`target[index] = value`, for one entry."""
    assert target.buf is not None and target.place is not None
    w.store(target.buf, target.place(index), value)


def store_all(w: Writer, target: Arr, a: Arr) -> None:
    """All entries of one array into another of its shape."""
    w.nest(target.shape, lambda index: put(w, target, index, a.at(index)))


def safe(w: Writer, value: Value, buf: Buf) -> Value:
    """The value that is stored into a buffer: computed first if it is read from there."""
    return copied(w, value, value.kind) if isinstance(value, Arr) and buf in value.reads else value


# ---- sequences


def length(w: Writer, x: Value) -> Atom:
    """`len(x)`."""
    if isinstance(x, Arr) and x.shape:
        return x.shape[0]
    if isinstance(x, tuple | Items) and not (isinstance(x, Items) and x.is_object):
        return Lit(len(x if isinstance(x, tuple) else x.items))
    if isinstance(x, Range):
        span = w.sub(x.stop, x.start)
        if x.step == ONE:
            return span if least(w, span) >= 0 else w.op(MAXIMUM, span, 0)
        if not isinstance(x.step, Lit):
            raise CannotCompile("a range whose step is computed")
        by = int(x.step.value)
        span = span if by > 0 else w.sub(x.start, x.stop)
        return w.op(MAXIMUM, w.op(FLOORDIV, w.add(span, abs(by) - 1), abs(by)), 0)
    if isinstance(x, Zipped):
        return shortest(w, x.parts)
    raise CannotCompile(f"the length of {describe(x)}")


def shortest(w: Writer, xs: Sequence[Value]) -> Atom:
    """The length of the shortest."""
    lengths = [length(w, x) for x in xs]
    found = lengths[0]
    for other in lengths[1:]:
        found = found if other is found or other == found else w.op(MINIMUM, found, other)
    return found


def element(w: Writer, x: Value, index: Atom) -> Value:
    """The item that a loop takes in its round `index`."""
    if isinstance(x, Range):
        return w.add(x.start, w.mul(index, x.step))
    if isinstance(x, Arr):
        if x.ndim == 1:
            return x.at((index,)) if x.listed else w.number_of_numpy(x.at((index,)))
        row = view_of(x, x.shape[1:], lambda i: (index, *i))
        row.listed = max(x.listed - 1, 0)
        return row
    if isinstance(x, Zipped):
        items = [element(w, part, index) for part in x.parts]
        return items[0] if x.alone else tuple(items)
    raise CannotCompile(f"a loop over {describe(x)}")


def items_of(w: Writer, x: Value, n: int | None = None) -> list[Value]:
    """The items of what is taken apart, of a dict its keys."""
    if isinstance(x, Items) and x.is_object:
        raise CannotCompile("an object that is run through")
    x = keys_of(x)
    if isinstance(x, tuple | Items):
        items = list(x if isinstance(x, tuple) else x.items)
        if n is not None and len(items) != n:
            raise CannotCompile("a tuple that is taken apart into another number of parts")
        return items
    if isinstance(x, Arr) and n is not None:
        w.check(w.op(NE, x.shape[0], n))
        return [element(w, x, Lit(i)) for i in range(n)]
    raise CannotCompile(f"the items of {describe(x)}")


# ---- broadcasting


def as_array(w: Writer, x: Value) -> Arr:
    """A number, an array, or a list as an array: what is made of a list later sees nothing of what is stored there."""
    if isinstance(x, Arr):
        return Arr(x.shape, x.kind, x.at, parts=(x,)) if x.listed else x
    if is_number(x):
        return Arr((), x.kind, lambda index: x)
    if isinstance(x, tuple | Items):
        rows = [as_array(w, r) for r in items_of(w, x)]
        if not rows:
            raise CannotCompile("an empty list as an array")
        return stacked(w, rows)
    raise CannotCompile(f"{describe(x)} as an array")


def stacked(w: Writer, rows: list[Arr]) -> Arr:
    """A new array of these, one after the other."""
    kind = wider_of([Reg("", r.kind) for r in rows])
    for r in rows[1:]:
        check_shapes(w, rows[0].shape, r.shape)
    shape = (Lit(len(rows)), *rows[0].shape)
    made = of_buffer(w, buf := w.new(kind, shape, zero=False), shape)
    for k, r in enumerate(rows):
        put_row(w, buf, Lit(k), r)
    return made


def put_row(w: Writer, buf: Buf, k: Atom, row: Arr) -> None:
    """`buf[k] = row`."""
    w.nest(row.shape, lambda index: w.store(buf, (k, *index), row.at(index)))


def check_shapes(w: Writer, a: Sequence[Atom], b: Sequence[Atom], why: str = BEYOND) -> None:
    """Leave where two shapes are not the same."""
    if len(a) != len(b):
        raise CannotCompile("arrays of another number of axes")
    for x, y in zip(a, b, strict=True):
        if x is not y and x != y:
            w.check(w.op(NE, x, y), why)


def broadcast_shape(w: Writer, shapes: Sequence[Sequence[Atom]]) -> tuple[Atom, ...]:
    """The shape of arrays together; lengths that are not known to be 1 must be equal."""
    ndim = max(map(len, shapes), default=0)
    found: list[Atom] = [ONE] * ndim
    for shape in shapes:
        for k, n in enumerate(shape, ndim - len(shape)):
            if n == ONE:
                continue
            if found[k] == ONE:
                found[k] = n
            elif found[k] is not n and found[k] != n:
                w.check(w.op(NE, found[k], n))
                found[k] = n if isinstance(n, Lit) else found[k]
    return tuple(found)


def broadcast_to(w: Writer, a: Arr, shape: Sequence[Atom]) -> Arr:
    """An array as one of a larger shape."""
    if len(a.shape) > len(shape):
        raise CannotCompile("an array of too many axes in a part of another")
    skipped = len(shape) - a.ndim
    one = [n == ONE for n in a.shape]
    for n, m in zip(a.shape, shape[skipped:], strict=True):
        if n != ONE and n is not m and n != m:
            w.check(w.op(NE, n, m))

    def at(index: Index) -> Atom:
        return a.at(tuple([Lit(0) if o else i for o, i in zip(one, index[skipped:], strict=True)]))

    return Arr(tuple(shape), a.kind, at, parts=(a,))


def elementwise(w: Writer, fn: Callable[..., Atom], args: Sequence[Value], kind: str) -> Arr:
    """A function of scalars, entry by entry: put off until an entry is read."""
    arrs = [as_array(w, a) for a in args]
    shape = broadcast_shape(w, [a.shape for a in arrs])
    wide = [broadcast_to(w, a, shape) for a in arrs]
    return Arr(shape, kind, lambda index: fn(*[a.at(index) for a in wide]), parts=tuple(arrs))


def truth(w: Writer, x: Value) -> Atom:
    """The truth value of what an `if` tests."""
    if isinstance(x, Arr) and not x.shape:
        x = x.at(())
    if isinstance(x, Known):
        return Lit(bool(x.value))
    if isinstance(x, Arr) and x.listed:
        return w.op(NE, x.shape[0], 0)
    if isinstance(x, tuple | Items):
        return Lit(isinstance(x, Items) and x.is_object or length(w, x) != Lit(0))
    if not is_number(x):
        raise CannotCompile(f"a test of {describe(x)}")
    return w.as_kind(x, "b")
