"""Functions that give an iterator over what a generator gives, as generators that take an item for each they give."""

from __future__ import annotations

import builtins
import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..identity import is_hashable
from ..ir import intrinsics
from ..ir.nodes import Atom, Call, Const, Var
from ..ir.runs import runs_of
from ..ir.types import INT, List
from .generators import begin, iterator_of, may_be_virtual
from .infer import is_immutable, type_of
from .mapping import as_generator, goes_on, is_steady, mapped
from .sequence_streams import GIVING, are_kept, is_value, of_sequences
from .uses import is_call_of

if TYPE_CHECKING:
    from .resolve import Kwargs, Resolver


def _numbered(items: Any, start: Any) -> Any:
    n = start
    for item in items:
        yield n, item
        n += 1


def _each(items: Any) -> Any:
    for item in items:  # noqa: UP028 - a loop that goes on by steps
        yield item


def _backwards(items: Any) -> Any:
    i = len(items)
    while i > 0:
        i -= 1
        yield items[i]


def _starmapped(function: Any, items: Any) -> Any:
    for item in items:
        yield function(*item)


def _filtered(function: Any, items: Any) -> Any:
    for item in items:
        if item if function is None else function(item):
            yield item


def _kept_out(function: Any, items: Any) -> Any:
    for item in items:
        if not (item if function is None else function(item)):
            yield item


def _taken_while(predicate: Any, items: Any) -> Any:
    for item in items:
        if not predicate(item):
            return
        yield item


def _dropped_while(predicate: Any, items: Any) -> Any:
    dropping = True
    for item in items:
        if dropping and not predicate(item):
            dropping = False
        if not dropping:
            yield item


def _sliced(items: Any, start: Any, stop: Any, step: Any) -> Any:
    if stop == -1:  # which stands for an error there
        raise ValueError("Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if start < 0 or stop < 0:
        raise ValueError("Indices for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    if step < 1:
        raise ValueError("Step for islice() must be a positive integer or None.")
    i, end = 0, max(start, stop)
    if i < end:
        for item in items:
            if start <= i < stop and (i - start) % step == 0:
                yield item
            i += 1
            if i == end:
                return


def _taken_first(items: Any, stop: Any) -> Any:
    if stop < 0:
        raise ValueError("Stop argument for islice() must be None or an integer: 0 <= x <= sys.maxsize.")
    i = 0
    while i < stop:
        more, item = intrinsics.advance(items)
        if not more:
            return
        yield item
        i += 1


def _chained_each(sequences: Any) -> Any:
    for items in sequences:
        yield from items


def _counted(start: Any, step: Any) -> Any:
    n = start
    while True:
        yield n
        n += step


def _chained(first: Any, second: Any) -> Any:
    yield from first
    yield from second


def _zipped_first(items: Any, others: Any) -> Any:
    i, n = 0, len(others)
    for item in items:
        if i == n:
            return
        yield item, others[i]
        i += 1  # noqa: SIM113 - not `enumerate`, which is one of these


def _zipped_first_of_three(items: Any, others: Any, more: Any) -> Any:
    i, m, n = 0, len(others), len(more)
    for item in items:
        if i in (m, n):
            return
        yield item, others[i], more[i]
        i += 1  # noqa: SIM113 - not `enumerate`, which is one of these


def _zipped_last(others: Any, items: Any) -> Any:
    i, n = 0, len(others)
    if n:
        for item in items:
            yield others[i], item
            i += 1
            if i == n:
                return


def _zipped_both(first: Any, second: Any) -> Any:
    for item in first:
        more, other = intrinsics.advance(second)
        if not more:
            return
        yield item, other


_ZIPPED: dict[tuple[int, int], Any] = {(2, 0): _zipped_first, (2, 1): _zipped_last, (3, 0): _zipped_first_of_three}
"""Of one generator beside sequences, by how many there are and the place of the generator."""


def _grouped(items: Any, key: Any) -> Any:
    keys = [item if key is None else key(item) for item in items]
    for i, j in runs_of(keys):
        yield keys[i], items[i:j]


_OF_FUNCTIONS: dict[Any, Any] = {
    builtins.map: mapped,
    builtins.filter: _filtered,
    itertools.filterfalse: _kept_out,
    itertools.starmap: _starmapped,
    itertools.takewhile: _taken_while,
    itertools.dropwhile: _dropped_while,
}
"""Functions of a function and one iterable."""

_CHAINED_EACH = itertools.chain.from_iterable
_OVER_SEQUENCES: dict[Any, slice] = {
    **dict.fromkeys((itertools.filterfalse, itertools.starmap, itertools.takewhile, itertools.dropwhile), slice(1, 2)),
    **dict.fromkeys((builtins.filter, builtins.map), slice(1, 2)),
    **dict.fromkeys((_CHAINED_EACH, itertools.islice), slice(0, 1)),
    itertools.chain: slice(None),
    **dict.fromkeys((enumerate, iter, reversed), slice(0, 1)),
}
"""Functions that are such generators of sequences as well, with the places of these."""
_LOOPED = (enumerate, iter, reversed)
"""Those that a loop, or a generator expression, runs through in another way."""
_GIVING = {
    *(*_OF_FUNCTIONS, *GIVING, _CHAINED_EACH, enumerate, iter, reversed, zip),
    *(itertools.chain, itertools.count, itertools.groupby, itertools.islice),
}

Plan = tuple[Callable[..., Any], list[Atom]]


def through(r: Resolver, s: Call, fn: Atom, args: list[Any], kwargs: Kwargs) -> Var | None:
    """The generator that stands for what such a function gives of a generator; None of any other call."""
    if not isinstance(fn, Const) or not is_hashable(fn.value) or fn.value not in _GIVING:
        return None
    if fn.value is itertools.count:
        return _counting(r, s, args, dict(kwargs))
    if not args or fn.value is not iter and not may_be_virtual(r, s.out):
        return None
    if fn.value is itertools.groupby:
        return _grouping(r, s, args, dict(kwargs))
    if fn.value is builtins.map and len(args) > 2:
        return _of_several(r, s, args) if not kwargs else None
    if fn.value is not reversed:  # which asks for no iterator
        given, args = args, [iterator_of(r, s.out, a, s.span) for a in args]
        if any([a is not own and a not in r.sp.heap.generators for a, own in zip(args, given, strict=True)]):
            return r.call(s, fn, args, kwargs)[0]  # type: ignore[return-value]
    named = dict(kwargs)
    waiting, args = args, _begun(r, s, args, goes_on(r, s, fn, args))
    taken = [a for a, own in zip(waiting, args, strict=True) if a is not own]
    if fn.value is zip and [getattr(a, "value", True) for a in named.values()] == [False]:
        named = {}  # `strict=False`
    places = [i for i, a in enumerate(args) if a in r.sp.heap.generators]
    if fn.value is reversed and places:
        return None  # Python says it
    if not places:
        if fn.value not in _OVER_SEQUENCES or fn.value is builtins.map and s.out in r.uses.only_consumed:
            return of_sequences(r, s, fn.value, args, named)
        if fn.value in _LOOPED and _is_looped(r, s):
            return None
        places = [*range(len(args))][_OVER_SEQUENCES[fn.value]]
        if r.context.plain or not places or not are_kept(r, [args[i] for i in places]):
            return None
    if fn.value is iter and args[0] in r.sp.heap.generators:
        return args[0] if len(args) == 1 and not kwargs else None
    if fn.value is itertools.chain and len(args) > 2 and not kwargs:
        args = [args[0], through(r, s, fn, args[1:], kwargs) or r.call(s, fn, args[1:], [])[0]]
        places = [0]
    found = _plan(r, fn.value, places, args, named)
    made = None if found is None else begin(r, s, found[0], [Const(found[0]), *found[1]])
    for a in taken if made is not None else ():
        r.pending.pop(a, None)
    return made


def _is_looped(r: Resolver, s: Call) -> bool:
    """Tell whether a loop runs through what a call gives, or a generator expression does."""
    uses = r.uses.displays.uses.get(s.out, [])
    return (
        not uses
        or s.out in r.uses.only_iterated
        or any([is_call_of(use, (iter,)) or _of_expression(r, use) for use in uses])
    )


def _goes_on(r: Resolver, a: Any) -> bool:
    """Tell whether a generator was made before the loop that is written, so that each round takes some of its items."""
    made = r.sp.heap.generators.get(a)
    return made is not None and made.round is not r.sp.round


def _of_expression(r: Resolver, use: Any) -> bool:
    """Tell whether a generator expression is given something."""
    return isinstance(use, Call) and use.fn in r.uses.displays.expressions


def _begun(r: Resolver, s: Call, args: list[Any], kept: Any) -> list[Any]:
    """The arguments, as generators where they are a `map` that waits; the last of a `zip` is `kept` if it can be."""
    found = [a if a is kept else as_generator(r, a, s.span) for a in args]
    is_last = kept is None or not any([a in r.sp.heap.generators for a in found])
    return found if is_last else [*found[:-1], as_generator(r, kept, s.span)]


def _of_several(r: Resolver, s: Call, args: list[Any]) -> Var | None:
    """`map` of several iterables, one of them a generator: the function is called with what `zip` gives of them."""
    if not any([a in r.sp.heap.generators or a in r.pending for a in args]):
        return None
    zipped = through(r, s, Const(zip), args[1:], [])
    return None if zipped is None else begin(r, s, _starmapped, [Const(_starmapped), args[0], zipped])


def _counting(r: Resolver, s: Call, args: list[Any], named: dict[Any, Atom]) -> Var | None:
    """`itertools.count` of numbers."""
    given = {"start": Const(0), "step": Const(1), **dict(zip(("start", "step"), args, strict=False)), **named}
    known = len(given) == 2 and len(args) + len(named) <= 2 and all([is_immutable(type_of(a)) for a in given.values()])
    return begin(r, s, _counted, [Const(_counted), *given.values()]) if known else None


def _grouping(r: Resolver, s: Call, args: list[Any], named: dict[Any, Atom]) -> Var | None:
    """`itertools.groupby` of a list, where each group is run through once while it is the newest."""
    given = {**dict(zip(("iterable", "key"), args, strict=False)), **named}
    items: Any = given.get("iterable")
    key: Any = given.get("key", Const(None))
    known = len(given) == len(args) + len(named) and given.keys() <= {"iterable", "key"}
    if not known or items is None or not isinstance(type_of(items), List) or not is_steady(r, [items]):
        return None
    if not r.uses.displays.groups_are_taken(s.out):
        return None
    return begin(r, s, _grouped, [Const(_grouped), items, key])


def _plan(r: Resolver, f: Any, places: list[int], args: list[Atom], named: dict[Any, Atom]) -> Plan | None:
    """The generator function for a call, and what it is given."""
    n = len(args)
    if f is enumerate and places == [0] and n + len(named) <= 2 and named.keys() <= {"start"}:
        return _numbered, [args[0], *args[1:], *named.values(), Const(0)][:2]
    if n == 1 and not named and f in (iter, reversed) and places == [0]:
        return (_each if f is iter else _backwards), args
    if named or len(places) > 1 and (f not in (itertools.chain, zip) or n != 2):
        return None
    if f in _OF_FUNCTIONS and n == 2 and places == [1]:
        return _OF_FUNCTIONS[f], args
    if f is itertools.islice and n == 2 and type_of(args[1]) == INT and _goes_on(r, args[0]):
        return _taken_first, args
    if f is itertools.islice and places == [0] and all([type_of(a) == INT for a in args[1:]]):
        return (_sliced, [args[0], *[Const(0)] * (n == 2), *args[1:], *[Const(1)] * (n < 4)]) if 2 <= n <= 4 else None
    if f == _CHAINED_EACH and n == 1:
        return _chained_each, args
    if f is itertools.chain and n == 2:
        return _chained, args
    if f is zip and len(places) == 2:
        return _zipped_both, args
    if f is zip and (n, places[0]) in _ZIPPED:
        others = [a for a in args if a is not args[places[0]]]
        kept = is_steady(r, others) and all([is_value(r, a) for a in others])
        return (_ZIPPED[n, places[0]], args) if kept else None
    return None
