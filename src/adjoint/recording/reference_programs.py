"""Functions that the standard library has in C, and NumPy's that call functions, as Python: recorded programs run this,
and it is followed like their own code.

The values are those of the originals; so are the errors, but for their traces.
"""

from __future__ import annotations

import collections
import functools
import itertools
import operator
from typing import Any

from ..rules.numpy.callables import PROGRAMS
from ..rules.registry import non_differentiable
from .cached import cache, lru_cache

MISSING = object()


def accumulate(iterable: Any, func: Any = None, *, initial: Any = None) -> Any:
    iterator = iter(iterable)
    total = initial
    if initial is None:
        try:
            total = next(iterator)
        except StopIteration:
            return
    yield total
    for element in iterator:
        total = total + element if func is None else func(total, element)
        yield total


def chain(*iterables: Any) -> Any:
    for iterable in iterables:
        yield from iterable


def chain_from_iterable(iterables: Any) -> Any:
    for iterable in iterables:
        yield from iterable


def count(start: Any = 0, step: Any = 1) -> Any:
    n = start
    while True:
        yield n
        n = n + step


def cycle(iterable: Any) -> Any:
    saved = []
    for element in iterable:
        yield element
        saved.append(element)
    while saved:
        yield from saved


def _whole(n: Any) -> Any:
    """A count, which is asked for once."""
    return n if n is None or isinstance(n, int) else operator.index(n)


def repeat(value: Any, times: Any = None) -> Any:
    if times is None:
        while True:
            yield value
    for _ in range(_whole(times)):
        yield value


def _places(select: Any, *args: Any) -> Any:
    """Selections of places, which are data."""
    return select(*args)


non_differentiable(_places)


def product(*iterables: Any, repeat: int = 1) -> Any:
    return _products([list(pool) for pool in iterables] * _whole(repeat))  # at the call, as the original


def _products(pools: list[Any]) -> Any:
    sizes = [range(len(pool)) for pool in pools]
    for indices in _places(itertools.product, *sizes):
        yield tuple([pools[i][j] for i, j in enumerate(indices)])


def _selecting(select: Any) -> Any:
    def selected(iterable: Any, *args: Any) -> Any:
        return _selections(select, list(iterable), *args)  # at the call, as the original

    return selected


def _selections(select: Any, pool: list[Any], *args: Any) -> Any:
    for indices in _places(select, range(len(pool)), *map(_whole, args)):
        yield tuple([pool[i] for i in indices])


def groupby(iterable: Any, key: Any = None) -> Any:
    iterator = iter(iterable)
    exhausted = False
    current = MISSING
    value = MISSING
    target = MISSING

    def advance() -> Any:
        nonlocal current, value, exhausted
        try:
            value = next(iterator)
        except StopIteration:
            exhausted = True
            return False
        current = value if key is None else key(value)
        return True

    def group(of: Any) -> Any:
        while not exhausted and of is target and (of is current or of == current):
            yield value
            if not advance():
                return

    if not advance():
        return
    while not exhausted:
        target = current
        yield target, group(target)
        while not exhausted and (target is current or target == current):
            if not advance():
                return


def tee(iterable: Any, n: int = 2) -> Any:
    iterator = iter(iterable)
    shared: list[Any] = []

    def one() -> Any:
        i = 0
        while True:
            if i == len(shared):
                try:
                    shared.append(next(iterator))
                except StopIteration:
                    return
            yield shared[i]
            i += 1

    return tuple([one() for _ in range(n)])


def starmap(function: Any, iterable: Any) -> Any:
    for args in iterable:
        yield function(*args)


def zip_longest(*iterables: Any, fillvalue: Any = None) -> Any:
    iterators: list[Any] = [iter(iterable) for iterable in iterables]
    left = len(iterators)
    while left:
        values = []
        for i, iterator in enumerate(iterators):
            value = fillvalue
            if iterator is not None:
                try:
                    value = next(iterator)
                except StopIteration:
                    left -= 1
                    if not left:
                        return
                    iterators[i] = None
                    value = fillvalue
            values.append(value)
        yield tuple(values)


def pairwise(iterable: Any) -> Any:
    iterator = iter(iterable)
    try:
        a = next(iterator)
    except StopIteration:
        return
    for b in iterator:
        yield a, b
        a = b


def compress(data: Any, selectors: Any) -> Any:
    for item, chosen in zip(data, selectors):  # noqa: B905 - as the original
        if chosen:
            yield item


def dropwhile(predicate: Any, iterable: Any) -> Any:
    iterator = iter(iterable)
    for element in iterator:
        if not predicate(element):
            yield element
            break
    yield from iterator


def takewhile(predicate: Any, iterable: Any) -> Any:
    for element in iterable:
        if not predicate(element):
            break
        yield element


def filterfalse(predicate: Any, iterable: Any) -> Any:
    for element in iterable:
        if not (element if predicate is None else predicate(element)):
            yield element


def islice(iterable: Any, *args: Any) -> Any:
    s = slice(*map(_whole, args))
    start, stop, step = s.start or 0, s.stop, s.step or 1
    if start < 0 or stop is not None and stop < 0 or step < 1:
        raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    i = 0
    at = start
    iterator = iter(iterable)
    while stop is None or at < stop:
        while i <= at:
            try:
                element = next(iterator)
            except StopIteration:
                return
            i += 1
        yield element
        at += step
    while i < stop:
        try:
            next(iterator)
        except StopIteration:
            return
        i += 1


def batched(iterable: Any, n: int) -> Any:
    iterator, n = iter(iterable), _whole(n)
    while True:
        batch = []
        for _ in range(n):
            try:
                batch.append(next(iterator))
            except StopIteration:
                break
        if not batch:
            return
        yield tuple(batch)


def reduce(function: Any, sequence: Any, initial: Any = MISSING) -> Any:
    try:
        iterator = iter(sequence)
    except TypeError:
        raise TypeError("reduce() arg 2 must support iteration") from None
    if initial is MISSING:
        try:
            value = next(iterator)
        except StopIteration:
            raise TypeError("reduce() of empty iterable with no initial value") from None
    else:
        value = initial
    for element in iterator:
        value = function(value, element)
    return value


def count_elements(mapping: Any, iterable: Any) -> None:
    for element in iterable:
        mapping[element] = mapping.get(element, 0) + 1


def bisect_right(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> int:
    hi = len(a) if hi is None else hi
    while lo < hi:
        mid = (lo + hi) // 2
        if x < (a[mid] if key is None else key(a[mid])):
            hi = mid
        else:
            lo = mid + 1
    return lo


def bisect_left(a: Any, x: Any, lo: int = 0, hi: Any = None, *, key: Any = None) -> int:
    hi = len(a) if hi is None else hi
    while lo < hi:
        mid = (lo + hi) // 2
        if (a[mid] if key is None else key(a[mid])) < x:
            lo = mid + 1
        else:
            hi = mid
    return lo


@functools.total_ordering
class _Compared:
    """The key that `cmp_to_key` makes of an object."""

    def __init__(self, compare: Any, obj: Any) -> None:
        self.compare = compare
        self.obj = obj

    def __lt__(self, other: Any) -> Any:
        return self.compare(self.obj, other.obj) < 0

    def __eq__(self, other: Any) -> Any:
        return self.compare(self.obj, other.obj) == 0


def cmp_to_key(compare: Any) -> Any:
    return lambda obj: _Compared(compare, obj)


def member(x: Any, iterable: Any) -> bool:
    return any(item is x or item == x for item in iterable)


def total(iterable: Any, /, start: Any = 0) -> Any:
    if isinstance(start, str | bytes | bytearray):
        raise TypeError("sum() can't sum strings [use ''.join(seq) instead]")
    result = start
    for item in iterable:
        result = result + item
    return result


_SELECTIONS = (itertools.permutations, itertools.combinations, itertools.combinations_with_replacement)

TWINS: dict[Any, Any] = {
    **PROGRAMS,
    **{select: _selecting(select) for select in _SELECTIONS},
    itertools.accumulate: accumulate,
    itertools.chain: chain,
    itertools.chain.from_iterable: chain_from_iterable,
    itertools.count: count,
    itertools.cycle: cycle,
    itertools.repeat: repeat,
    itertools.product: product,
    itertools.groupby: groupby,
    itertools.tee: tee,
    itertools.starmap: starmap,
    itertools.zip_longest: zip_longest,
    itertools.pairwise: pairwise,
    itertools.compress: compress,
    itertools.dropwhile: dropwhile,
    itertools.takewhile: takewhile,
    itertools.filterfalse: filterfalse,
    itertools.islice: islice,
    functools.reduce: reduce,
    functools.lru_cache: lru_cache,
    functools.cache: cache,
    functools.cmp_to_key: cmp_to_key,
    collections._count_elements: count_elements,  # type: ignore[attr-defined]
}
"""Functions and classes, and what is recorded in their place."""

if hasattr(itertools, "batched"):
    TWINS[itertools.batched] = batched
