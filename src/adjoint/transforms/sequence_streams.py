"""Functions of `itertools` that go through sequences, as generators: loops in which everything has a type.

    for a, b in combinations(xs, 2):        for i in range(n):
        total += (a - b) ** 2          →        for j in range(i + 1, n):
                                                    total += (xs[i] - xs[j]) ** 2

They are given lists that stay as they are, tuples, ranges and arrays. So it does not matter that some of these
functions take all items at the call, and that others ask for each when its turn comes. The places of an array, by
`np.ndindex` and `np.ndenumerate`, are such a product of ranges.
"""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..ir.nodes import Atom, Call, Const, Star, Var
from ..ir.types import INT, Array, List, Tuple
from .generators import begin, may_be_virtual
from .infer import is_immutable, is_sequence, type_of
from .located_reads import whole
from .locating import held, is_located, refuse
from .mapping import is_steady
from .memory import holds_memory
from .options import texts_in

if TYPE_CHECKING:
    from .resolve import Resolver


def _product_of_one(a: Any) -> Any:
    for x in a:
        yield (x,)


def _product_of_two(a: Any, b: Any) -> Any:
    for x in a:
        for y in b:
            yield x, y


def _product_of_three(a: Any, b: Any, c: Any) -> Any:
    for x in a:
        for y in b:
            for z in c:
                yield x, y, z


def _pairs(xs: Any) -> Any:
    n = len(xs)
    for i in range(n):
        for j in range(i + 1, n):
            yield xs[i], xs[j]


def _triples(xs: Any) -> Any:
    n = len(xs)
    for i in range(n):
        for j in range(i + 1, n):
            for k in range(j + 1, n):
                yield xs[i], xs[j], xs[k]


def _pairs_with_themselves(xs: Any) -> Any:
    n = len(xs)
    for i in range(n):
        for j in range(i, n):
            yield xs[i], xs[j]


def _ordered_pairs(xs: Any) -> Any:
    n = len(xs)
    for i in range(n):
        for j in range(n):
            if i != j:
                yield xs[i], xs[j]


def _cycled(xs: Any) -> Any:
    i, n = 0, len(xs)
    while n > 0:
        yield xs[i]
        i += 1
        if i == n:
            i = 0


def _repeated(x: Any, n: Any) -> Any:
    for _ in range(n):
        yield x


def _zipped_longest(a: Any, b: Any, fill: Any) -> Any:
    m, n = len(a), len(b)
    for i in range(m if m > n else n):
        yield (a[i] if i < m else fill), (b[i] if i < n else fill)


def _zipped(a: Any, b: Any) -> Any:
    m, n = len(a), len(b)
    for i in range(m if m < n else n):
        yield a[i], b[i]


def _places_of_one(n: Any) -> Any:
    if n < 0:
        raise ValueError("negative dimensions are not allowed")
    for i in range(n):
        yield (i,)


def _places_of_two(m: Any, n: Any) -> Any:
    if m < 0 or n < 0:
        raise ValueError("negative dimensions are not allowed")
    for i in range(m):
        for j in range(n):
            yield i, j


def _places_of_three(m: Any, n: Any, o: Any) -> Any:
    if m < 0 or n < 0 or o < 0:
        raise ValueError("negative dimensions are not allowed")
    for i in range(m):
        for j in range(n):
            for k in range(o):
                yield i, j, k


def _items_of_one(a: Any) -> Any:
    for i in range(len(a)):
        yield (i,), a[i]


def _items_of_two(a: Any) -> Any:
    m, n = a.shape
    for i in range(m):
        for j in range(n):
            yield (i, j), a[i, j]


def _items_of_three(a: Any) -> Any:
    m, n, o = a.shape
    for i in range(m):
        for j in range(n):
            for k in range(o):
                yield (i, j, k), a[i, j, k]


_PLACES: dict[int, Any] = {1: _places_of_one, 2: _places_of_two, 3: _places_of_three}
_ITEMS: dict[Any, Any] = {1: _items_of_one, 2: _items_of_two, 3: _items_of_three}
_PRODUCTS: dict[int, Any] = {1: _product_of_one, 2: _product_of_two, 3: _product_of_three}
_CHOSEN: dict[Any, Any] = {
    (itertools.combinations, 2): _pairs,
    (itertools.combinations, 3): _triples,
    (itertools.combinations_with_replacement, 2): _pairs_with_themselves,
    (itertools.permutations, 2): _ordered_pairs,
}
"""Functions that choose so many items of one sequence."""
_POOLED = frozenset([itertools.product, *[f for f, _ in _CHOSEN]])
"""Those that take all items at the call."""
_OF_ARRAYS = (np.ndindex, np.ndenumerate)
GIVING = {itertools.product, itertools.cycle, itertools.repeat, itertools.zip_longest, *[f for f, _ in _CHOSEN]}
GIVING = GIVING.union(_OF_ARRAYS)
"""Functions that give an iterator over what is in sequences."""

Plan = tuple[Callable[..., Any], list[Atom]]


def of_sequences(r: Resolver, s: Call, f: Any, args: list[Any], named: dict[Any, Atom]) -> Var | None:
    """The generator that stands for what such a function gives of sequences; None of any other call."""
    if r.context.plain:
        return None
    zipped = s.out in r.uses.only_consumed and s.out not in r.uses.only_iterated  # loops run through several at once
    zipped = zipped and not (r.uses.displays.only_made_into_dict(s.out) and texts_in(r, args[0]) is not None)
    if f in _OF_ARRAYS:
        found = None if named else _plan_of_places(r, s, f, args)
    else:
        found = _plan(f, args, named) if f is not builtins.zip or zipped else None
    if found is None:
        return None
    function, given = found
    if f in _POOLED:
        given = [_taken(r, s, a) for a in given]
    sequences = [a for a in given if not is_immutable(type_of(a))]
    if f is np.ndenumerate and is_located(args[0]):
        sequences = []  # it reads each item when its turn comes, as Python does
    if sequences and function is not _repeated and not are_kept(r, sequences):
        return None
    return begin(r, s, function, [Const(function), *given])


def are_kept(r: Resolver, sequences: list[Atom]) -> bool:
    """Tell whether sequences are values, which stay as they are."""
    if r.generation.only_primal or not is_steady(r, sequences):
        return False
    return all([_is_kept(r, a) for a in sequences])


def _is_kept(r: Resolver, a: Atom) -> bool:
    """Tell whether a sequence stays as it is: it is a value, or a list of objects, which is made if one is added."""
    heap = r.sp.heap
    if a in heap.groups:
        r.sp.pinned.add(a)
    return a in heap.groups or a not in heap and is_value(r, a)


def is_value(r: Resolver, a: Atom) -> bool:
    """Tell whether a sequence is a value, which nobody changes."""
    return is_sequence(a) and r.sp.heap.memory(a) is None and not is_located(a)


def _taken(r: Resolver, s: Call, a: Any) -> Any:
    """The items of a list that others may have, as they are at the call; anything else as it is."""
    of = held(a) if is_located(a) else None
    return whole(r, s, a) if isinstance(of, List) and not holds_memory(of.item) else a


def items_of_memory(r: Resolver, s: Call, args: list[Any]) -> list[Atom]:
    """The generator that stands for `np.ndenumerate` of an array that others may have: each item is read when its turn
    comes."""
    made = of_sequences(r, s, np.ndenumerate, args, {}) if may_be_virtual(r, s.outs[0]) else None
    return [made] if made is not None else refuse(r, s)


def _plan_of_places(r: Resolver, s: Call, f: Any, args: list[Any]) -> Plan | None:
    """The same of the places of arrays with one to three axes."""
    if f is np.ndindex and len(args) == 1 and isinstance(args[0], Star):
        args = [args[0].value]
        if not isinstance(type_of(args[0]), Tuple):
            return None
    if any([isinstance(a, Star) for a in args]):
        return None
    t: Any = held(args[0]) if is_located(args[0]) else type_of(args[0])
    if f is np.ndenumerate:
        known = len(args) == 1 and isinstance(t, Array) and t.scalar is False and t.ndim in _ITEMS
        return (_ITEMS[t.ndim], args) if known else None
    if len(args) == 1 and isinstance(t, Tuple) and t.cls is tuple and {*t.items} == {INT}:
        args = [r.item(args[0], i, s.span) for i in range(len(t.items))]
    return (_PLACES[len(args)], args) if len(args) in _PLACES and all([type_of(a) == INT for a in args]) else None


def _plan(f: Any, args: list[Any], named: dict[Any, Any]) -> Plan | None:
    """The generator function for a call, and what it is given."""
    n, keys = len(args), {*named}
    if f is itertools.product and keys <= {"repeat"}:
        again = getattr(named.get("repeat", Const(1)), "value", None)
        times = again if type(again) is int else 0
        return (_PRODUCTS[n * times], args * times) if n * times in _PRODUCTS else None
    if f is itertools.zip_longest and n == 2 and keys == {"fillvalue"} and is_immutable(type_of(named["fillvalue"])):
        return _zipped_longest, [*args, named["fillvalue"]]
    if keys:
        return None
    if n == 2 and (chosen := _CHOSEN.get((f, getattr(args[1], "value", None)))) is not None:
        return chosen, args[:1]
    if f is itertools.cycle and n == 1:
        return _cycled, args
    if f is itertools.repeat and n == 2 and type_of(args[1]) == INT:
        return _repeated, args
    lists = n == 2 and not any([isinstance(type_of(a), Tuple) for a in args])  # what is known of each item is kept
    return (_zipped, args) if f is builtins.zip and lists else None
