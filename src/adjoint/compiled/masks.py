"""Masks as indices: the entries where they are true, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from . import arrays
from .elementary import NE, SELECT
from .kernel import Atom, Lit
from .values import Arr, CannotCompile, Index, Value, is_number
from .writer import Writer


def is_mask(key: Value) -> bool:
    return isinstance(key, Arr) and key.kind == "b" and key.ndim > 0


def taken(w: Writer, a: Arr, mask: Arr) -> Arr:
    """`a[mask]`: a new array, as long as there are true entries."""
    _check(w, a, mask)
    count = _rounds(w, mask, lambda index, k: w.op(SELECT, mask.at(index), w.add(k, 1), k))
    rest = a.shape[mask.ndim :]
    buf = w.new(a.kind, (count, *rest), zero=False)

    def take(index: Index, k: Atom) -> Atom:
        def then() -> Sequence[Atom]:
            w.nest(rest, lambda more: w.store(buf, (k, *more), a.at((*index, *more))))
            return [w.add(k, 1)]

        return _where(w, mask, index, then, k)

    _rounds(w, mask, take)
    return arrays.of_buffer(w, buf, (count, *rest))


def store(w: Writer, a: Arr, mask: Arr, value: Value) -> None:
    """`a[mask] = value`: one number for all, or one entry after the other."""
    _check(w, a, mask)
    rest = a.shape[mask.ndim :]
    values = value if isinstance(value, Arr) and value.ndim else None
    if values is not None and (values.ndim != 1 + len(rest) or values.shape[0] == Lit(1)):
        raise CannotCompile("such a store by a mask")
    number = value.at(()) if isinstance(value, Arr) and not value.ndim else value
    if values is None and not is_number(number):
        raise CannotCompile("such a store by a mask")
    if values is not None:
        arrays.located(w, values)
        arrays.check_shapes(w, values.shape[1:], rest)

    def put(index: Index, k: Atom) -> Atom:
        def one(more: Index) -> None:
            arrays.put(w, a, (*index, *more), number if values is None else values.at((k, *more)))

        def then() -> Sequence[Atom]:
            w.nest(rest, one)
            return [w.add(k, 1)]

        return _where(w, mask, index, then, k)

    if values is not None:
        count = _rounds(w, mask, lambda index, k: w.op(SELECT, mask.at(index), w.add(k, 1), k))
        w.check(w.op(NE, count, values.shape[0]))
    _rounds(w, mask, put)


def _check(w: Writer, a: Arr, mask: Arr) -> None:
    if mask.ndim > a.ndim:
        raise CannotCompile("a mask of more axes than the array")
    arrays.located(w, mask)  # it is read twice, and may be made of what is stored into
    arrays.check_shapes(w, a.shape[: mask.ndim], mask.shape)


def _where(w: Writer, mask: Arr, index: Index, then: Callable[[], Sequence[Atom]], k: Atom) -> Atom:
    found: Atom = w.choose(mask.at(index), then, lambda: [k])[0]
    return found


def _rounds(w: Writer, mask: Arr, body: Callable[[Index, Atom], Atom]) -> Atom:
    """Loops over all entries, which carry the number of true ones."""

    def level(axis: int, index: Index, k: Atom) -> Atom:
        if axis == mask.ndim:
            return body(index, k)
        return w.for_each(mask.shape[axis], lambda i, s: [level(axis + 1, (*index, i), s)], [k])[0]

    return level(0, (), Lit(0))
