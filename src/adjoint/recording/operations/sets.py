"""Sets. A slot is the element itself: of equal ones, that which is in the set."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import Any

from ..sweep import Sweep, is_valued
from .base import NOTHING, Back, Record, Result, handles, handles_methods, nothing
from .native import check_keys
from .slots import Args, Drawn, Kwargs, gathered, is_iterable, is_written, pure

KINDS = (set, frozenset)


def _base(self: Any) -> Any:
    return set if isinstance(self, set) else frozenset


def _plain(self: Any, name: str, args: Iterable[Any]) -> Any:
    return getattr(_base(self), name)(self, *args)


def _firsts(items: Iterable[Any]) -> dict[Any, int]:
    """The number of the first of equal items."""
    found: dict[Any, int] = {}
    for i, item in enumerate(items):
        found.setdefault(item, i)
    return found


def _taken(sweep: Sweep, self: Any, elements: Iterable[Any]) -> dict[Any, Any]:
    """The cotangents of these elements that are not zero; they are afterwards."""
    slots = sweep.slots.get(id(self)) or {}
    return {element: sweep.take(self, element) for element in elements if element in slots}


# ---- one element


@handles_methods(set, "add")
def _add(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    n = set.__len__(self)
    set.add(self, *args, **kwargs)
    if set.__len__(self) == n or not is_valued(args[0]):
        return None, nothing
    return None, lambda sweep, y_bar: (None, None, sweep.take(self, args[0]))


@handles_methods(set, "pop")
def _pop(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    y = set.pop(self, *args, **kwargs)

    def pop_back(sweep: Sweep, y_bar: Any) -> Any:
        sweep.add(self, y, y_bar)
        return NOTHING

    return y, pop_back


pure(set, "remove", "discard", "clear", "__len__", "__contains__")
pure(frozenset, "__len__", "__contains__")


# ---- in place, with any iterables


@handles_methods(set, "update")
def _update(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    if kwargs:
        set.update(self, *args, **kwargs)  # raises
    backs: list[Any] = []

    def update_back(sweep: Sweep, y_bar: Any) -> Any:
        bars = [back(sweep) for back in reversed(backs)]
        return (None, None, *reversed(bars), *NOTHING)

    for other in args:
        _updated(record, k, self, other, update_back, backs)
    return None, update_back


def _updated(record: Record, k: int, self: Any, other: Any, back: Back, backs: list[Any]) -> None:
    if isinstance(other, dict) and not is_written(other, "__iter__"):
        set.update(self, other)
        backs.append(lambda sweep: None)
        return
    if isinstance(other, KINDS):
        backs.append(_taken_from(self, other, [element for element in other if element not in self]))
        set.update(self, other)
        return
    drawn = Drawn(other, type(other) in (list, tuple))
    new: dict[int, Any] = {}

    def put(element: Any) -> None:
        n = set.__len__(self)
        set.add(self, element)
        if set.__len__(self) > n:
            new[drawn.count - 1] = element

    def taken(sweep: Sweep, i: int) -> Any:
        return sweep.take(self, new[i]) if i in new else None

    backs.append(lambda sweep: drawn.give(sweep, lambda i: taken(sweep, i)))
    drawn.into(record, k, put, back)


def _taken_from(self: Any, other: Any, new: list[Any]) -> Any:
    """The reverse of taking new elements over from another set."""

    def taken_back(sweep: Sweep) -> None:
        if sweep.slots.get(id(self)):
            for element in new:
                sweep.add(other, element, sweep.take(self, element))

    return taken_back


class _Others:
    """Other iterables of an operation: what the plain one gets, and how their items get their cotangents."""

    def __init__(self, record: Record, k: int, args: Args, first: int = 2) -> None:
        self.plain: list[Any] = []
        self.parts: list[Any] = []
        for i, x in enumerate(args):
            if isinstance(x, (*KINDS, dict)):
                self.plain.append(x)
                self.parts.append((x if isinstance(x, KINDS) else None, None, None))
            else:
                items, give = gathered(record, k, x, first + i)
                self.plain.append(items)
                self.parts.append((None, items, give))

    def give(self, sweep: Sweep, found: dict[int, dict[Any, Any]]) -> Any:
        """Hand cotangents to elements of the iterables, by their numbers."""
        bars: list[Any] = []
        for i, (holder, items, give) in reversed(list(enumerate(self.parts))):
            given = found.get(i, {})
            bars.append(None if give is None else give(sweep, self._of_items(items, given)))
            if holder is not None:
                for element, d in given.items():
                    sweep.add(holder, element, d)
        return (None, None, *reversed(bars), *NOTHING)

    @staticmethod
    def _of_items(items: list[Any], given: dict[Any, Any]) -> list[Any]:
        bars: list[Any] = [None] * len(items)
        if given:
            first = _firsts(items)
            for element, d in given.items():
                bars[first[element]] = d
        return bars


def _sources(others: _Others, self: Any) -> dict[Any, int]:
    """Of which of the others an element is the first, for those that are not in the set itself."""
    sources: dict[Any, int] = {}
    for i, plain in enumerate(others.plain):
        for element in plain:
            if element not in self:
                sources.setdefault(element, i)
    return sources


def _chosen(sweep: Sweep, y: Any, self: Any, sources: Any) -> dict[int, dict[Any, Any]]:
    """The slots of a new set: those of the set itself go there, the others are given by their sources."""
    found: dict[int, dict[Any, Any]] = {}
    for element, d in sweep.take_slots(y).items():
        i = sources(element)
        if i is None:
            sweep.add(self, element, d)
        else:
            found.setdefault(i, {})[element] = d
    return found


def _made(y: Any, self: Any, others: _Others, sources: Any) -> Result:
    def made_back(sweep: Sweep, y_bar: Any) -> Any:
        return others.give(sweep, _chosen(sweep, y, self, sources) if y is not self else {})

    return y, made_back


@handles_methods(set, "union")
@handles_methods(frozenset, "union")
def _union(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    others = _Others(record, k, args)
    return _made(_plain(self, "union", others.plain), self, others, _sources(others, self).get)


@handles_methods(set, "symmetric_difference")
@handles_methods(frozenset, "symmetric_difference")
def _symmetric_difference(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    others = _Others(record, k, args)
    y = _plain(self, "symmetric_difference", others.plain)
    return _made(y, self, others, _sources(others, self).get)


@handles_methods(set, "difference", "copy", "__copy__")
@handles_methods(frozenset, "difference", "copy", "__copy__")
def _difference(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    others = _Others(record, k, args)
    y = _plain(self, "difference" if args else "copy", others.plain)
    return _made(y, self, others, lambda element: None)


@handles_methods(set, "intersection")
@handles_methods(frozenset, "intersection")
def _intersection(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    others = _Others(record, k, args)
    y, source = _intersected(self, others)
    return _made(y, self, others, lambda element: source)


def _intersected(self: Any, others: _Others) -> tuple[Any, int | None]:
    """Elements of all sets, and the others of which they are; None if they are those of the set itself.

    Of two sets Python takes the elements of the smaller one, of a set and another iterable those of the latter.
    """
    y, source = self, None
    for i, plain in enumerate(others.plain):
        if not isinstance(plain, KINDS) or len(plain) <= len(y):
            source = i
        y = _plain(y, "intersection", [plain])
    return (_plain(self, "copy", []) if y is self else y), source


@handles_methods(set, "intersection_update")
def _intersection_update(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    others = _Others(record, k, args)
    before = set.copy(self)
    _, source = _intersected(before, others)
    set.intersection_update(self, *others.plain)
    kept = list(self)

    def update_back(sweep: Sweep, y_bar: Any) -> Any:
        return others.give(sweep, {} if source is None else {source: _taken(sweep, self, kept)})

    return None, update_back


@handles_methods(set, "difference_update")
def _difference_update(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    others = _Others(record, k, args)
    set.difference_update(self, *others.plain)
    return None, lambda sweep, y_bar: others.give(sweep, {})


@handles_methods(set, "symmetric_difference_update")
def _symmetric_difference_update(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    others = _Others(record, k, args)
    new = list(_sources(others, self))
    set.symmetric_difference_update(self, *others.plain)

    def update_back(sweep: Sweep, y_bar: Any) -> Any:
        return others.give(sweep, {0: _taken(sweep, self, new)})

    return None, update_back


def _testing(name: str) -> Any:
    def handler(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
        others = _Others(record, k, args)
        return _plain(self, name, others.plain), lambda sweep, y_bar: others.give(sweep, {})

    return handler


for _name in ("isdisjoint", "issubset", "issuperset"):
    handles_methods(set, _name)(_testing(_name))
    handles_methods(frozenset, _name)(_testing(_name))


# ---- operators


def combined(fn: Any, a: Any, b: Any) -> Result:
    """`a | b`, `a & b`, `a - b` and `a ^ b`."""
    return _combined(fn(a, b), fn, a, b)


def _combined(y: Any, fn: Any, a: Any, b: Any) -> Result:
    if not isinstance(y, KINDS) or not any(map(is_valued, y)):
        return y, nothing
    others = b if isinstance(b, KINDS) else frozenset()
    if fn is operator.and_:
        from_other = frozenset(y if len(others) <= len(a) else ())
    else:
        from_other = frozenset([element for element in others if element not in a])

    def combined_back(sweep: Sweep, y_bar: Any) -> Any:
        for element, d in sweep.take_slots(y).items():
            sweep.add(b if element in from_other else a, element, d)
        return NOTHING

    return y, combined_back


_IN_PLACE: dict[Any, Any] = {
    operator.ior: set.__ior__, operator.iand: set.__iand__, operator.isub: set.__isub__, operator.ixor: set.__ixor__,
}  # fmt: skip


def combine_in_place(fn: Any, a: Any, b: Any) -> Result:
    """`a |= b`, `a &= b`, `a -= b` and `a ^= b` of a set."""
    plain = _IN_PLACE.get(fn)
    if plain is None or not isinstance(b, KINDS):
        return fn(a, b), nothing
    if fn is operator.iand:
        new = list(a & b) if len(b) <= len(a) else []
    else:
        new = [element for element in b if element not in a] if fn is not operator.isub else []
    y = plain(a, b)
    back = _taken_from(a, b, new)

    def combine_back(sweep: Sweep, y_bar: Any) -> Any:
        back(sweep)
        return NOTHING

    return y, combine_back


def _by_name(name: str, fn: Any) -> None:
    def handler(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
        return _combined(_plain(self, f"__{name}__", args), fn, self, *args)

    def in_place(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
        return combine_in_place(getattr(operator, f"i{name}"), self, *args)

    for cls in (set, frozenset):
        handles_methods(cls, f"__{name}__")(handler)
    handles_methods(set, f"__i{name}__")(in_place)


for _name, _fn in (("or", operator.or_), ("and", operator.and_), ("sub", operator.sub), ("xor", operator.xor)):
    _by_name(_name, _fn)


# ---- new ones


@handles(set, frozenset)
def _set(record: Record, k: int, f: Any, args: Args, kwargs: Kwargs) -> Result:
    if len(args) != 1 or kwargs or not is_iterable(args[0]):
        return f(*args, **kwargs), nothing
    if f is frozenset and type(args[0]) is frozenset:
        return args[0], nothing
    others = _Others(record, k, args, 1)
    check_keys(*others.plain)
    y = f(*others.plain)

    def set_back(sweep: Sweep, y_bar: Any) -> Any:
        return (None, *others.give(sweep, {0: sweep.take_slots(y)})[2:])

    return y, set_back


@handles_methods(set, "__init__")
def _init(record: Record, k: int, self: Any, args: Args, kwargs: Kwargs) -> Result:
    if len(args) != 1 or kwargs or args[0] is self:
        return set.__init__(self, *args, **kwargs), nothing
    set.clear(self)
    return _update(record, k, self, args, {})  # type: ignore[no-any-return]


__all__ = ["combine_in_place", "combined"]
