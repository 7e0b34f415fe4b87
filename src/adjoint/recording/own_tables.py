"""Tables of earlier results, in a recording: under a number that may be differentiated they hold what this call stores.

What an earlier call has stored there was computed without this derivative. So it is not found: the program computes it
again, and stores it in a table that this recording has for itself, as it does behind `lru_cache`. The table of the user
keeps what it has.
"""

from __future__ import annotations

import contextlib
import itertools
from collections import OrderedDict, defaultdict
from collections.abc import MutableMapping
from enum import Enum
from typing import Any

import numpy as np

from ..errors import MutationError, calling_place
from ..rules.registry import non_differentiable
from ..runtime.remembering import kept_in
from ..tangents.fields import all_fields
from ..tangents.structural import Tangent, fields_of
from .given import is_given, is_made, memo
from .places import LEAVES, template

_CLASSES = (dict, OrderedDict, defaultdict)
"""Classes of tables that do what a dict does; of others a dict takes the place."""


class OwnTable:
    """A table that stands for another one in a recording, under keys that the other had before."""

    __slots__ = ("apart", "before", "held", "made", "own")

    def __init__(self, held: Any) -> None:
        self.held = held
        self.own = defaultdict(held.default_factory) if type(held) is defaultdict else dict[Any, Any]()
        self.before: dict[Any, Any] = {}
        self.made: set[Any] = set()
        """The keys that the table had not when they were first looked up: what is there is stored by this call."""
        self.apart: set[Any] = set()
        """Those that were not found, where another function is to store under them."""

    def under(self, key: Any, sources: tuple[Any, ...]) -> Any:
        """The table in which a key is looked up."""
        if key in self.made:
            return self.held
        if key not in self.held:
            self.made.add(key)
            return self.held
        if key not in self.before:  # looked up once, as the program does: who counts or orders look-ups has seen it
            self.before[key] = self.held[key]
        elif type(self.held) in _CLASSES and self.held[key] is not self.before[key]:  # another function has stored it
            return self.held
        return self.own if is_made_of_numbers(key, sources) else self.held

    def enter(self, key: Any) -> None:
        """Note that the program stores under a key. If it has not looked there, what it finds later is its own."""
        if key not in self.before:
            self.made.add(key)

    def check(self) -> None:
        """Raise where what was found anew is not what the table holds, or nothing was: then it is no table of
        results."""
        for key, value in self.own.items():
            if not is_same(self.before[key], value):
                raise other_result(f"a table under {key!r}")
        for key in self.apart:
            if key not in self.own and key in self.held and self.held[key] is self.before[key]:
                raise other_result(f"a table under {key!r}")


def is_made_of_numbers(key: Any, sources: tuple[Any, ...]) -> bool:
    """Tell whether a number or a key of them may be differentiated, or is made of what may be."""
    made = is_variable(key) or any(map(is_variable, sources))
    return made or is_label(key) or any(map(is_label, sources))


class Latest:
    """A place with what it held, and what was beside it, before a recording computes that anew."""

    __slots__ = ("before", "holder", "is_done")

    def __init__(self, holder: Any, before: dict[Any, Any]) -> None:
        self.holder = holder
        self.before = before
        self.is_done = False

    def settle(self) -> None:
        """Put back what was counted, and forget what was computed anew as it stood there."""
        before, self.before, self.is_done = self.before, {}, True
        kept = kept_in(type(self.holder))
        for slot, value in before.items():
            now = held_at(self.holder, slot)
            if f".{slot}" in kept.tested and type(value) is type(now) is int:
                continue  # by which number it is known whether something is of the latest one
            if type(value) is type(now) is int:
                put_at(self.holder, slot, value)
            elif not (now is None or type(now) is bool or is_same(now, value)):  # it is computed where it is asked for
                self.before[slot] = value

    def check(self, counted: dict[Any, Any] | None = None) -> None:
        """Raise where something else was computed than what stood there, and put that back: so the plain program would
        have left it, with what was `counted`."""
        self.settle()
        for slot, value in {**(counted or {}), **self.before}.items() if self.before else ():
            with contextlib.suppress(AttributeError):  # what is computed where it is asked for
                put_at(self.holder, slot, value)
        for slot in self.before:
            raise other_result(f"`{slot}`")


def other_result(place: str) -> MutationError:
    return MutationError(
        f"{place} holds a result of an earlier call, and this call computes another one of the same numbers",
        "what an earlier call has stored has no derivative in this one, and computed again it is another value",
        "empty what remembers results before the call, or call the function that does not remember",
        calling_place(),
    )


def held_at(holder: Any, slot: Any) -> Any:
    """The value in a dict, a list or an array under a key, or in a field of an object; None if there is none."""
    if slot is None:
        return holder
    if isinstance(holder, dict):
        return holder.get(slot)
    if isinstance(holder, list) and isinstance(slot, int):
        return holder[slot] if -len(holder) <= slot < len(holder) else None
    return holder[slot] if isinstance(holder, np.ndarray) else getattr(holder, slot, None)


def put_at(holder: Any, slot: Any, value: Any) -> None:
    """Store a value under a key of a dict or a list, or in a field of an object."""
    if isinstance(holder, (dict, list, np.ndarray)):
        holder[slot] = value
    else:
        setattr(holder, slot, value)


def is_other(
    test: Any, when: bool, sources: tuple[Any, ...], asked: tuple[Any, ...], holder: Any, slot: Any, *others: Any
) -> bool:
    """Tell whether a number is another one than that of the latest result, which stands in a slot: by a `test`, which
    says so `when` it is true, and compares what is made of `sources`. One of an earlier call is another one; one that
    is near is the number that the program says. What is asked for is not always known."""
    known, key = memo(), ("latest", id(holder), slot)
    other = bool(test) is when
    if key in known:
        if known[key].is_done:
            known[key].check()
        return other
    held = held_at(holder, slot)
    again = not other and is_made_of_numbers(held, sources) and not (asked and differs(held, asked[0]))
    known[key] = Latest(holder, {name: held_at(holder, name) for name in (slot, *others)} if again else {})
    return other or again


def settled(slot: Any, holder: Any) -> None:
    """Look at the latest result, when it has been computed anew."""
    found = memo().get(("latest", id(holder), slot))
    if found is not None:
        found.settle()


def own_table(table: Any, key: Any, *sources: Any) -> Any:
    """The table in which a recorded program looks a key up, or stores under it; the key is made of `sources`."""
    found = table_of(table, key)
    if found is None:
        labelled(key, sources)
    return table if found is None else found.under(key, sources)


def table_of(table: Any, key: Any) -> OwnTable | None:
    """The stand-in for a table in a recording; None where there can be no such key in one."""
    if not isinstance(table, MutableMapping) or _is_unhashable(key):
        return None
    tables = memo()
    found: OwnTable | None = tables.get(("table", id(table)))
    if found is None:
        found = tables["table", id(table)] = OwnTable(table)
        if is_made(table):
            found.made.update(table)
    return found


def labelled(x: Any, sources: tuple[Any, ...]) -> Any:
    """A value, noted if it is a text or another key of numbers that may be differentiated."""
    if type(x) in _KEYS and (any(map(is_variable, sources)) or any(map(is_label, sources))):
        labels = memo().setdefault("labels", {})
        for key in _keys_in(x):
            labels[_identity(key)] = key  # as long as it is here, no other one has its identity
    return x


_KEYS = frozenset([str, bytes, int, tuple])


def _keys_in(x: Any) -> list[Any]:
    if type(x) is tuple:
        return [key for item in x if type(item) in _KEYS for key in _keys_in(item)]
    return [x]


def _identity(key: Any) -> Any:
    """A text itself. Integers may be counters as well: of such it is that one."""
    return key if isinstance(key, str | bytes) else id(key)


def is_label(x: Any) -> bool:
    """Tell whether a value is such a key, or a tuple with one."""
    labels: dict[Any, Any] = memo().get("labels") or {}
    return bool(labels) and type(x) in _KEYS and any([_identity(key) in labels for key in _keys_in(x)])


def check_own_tables() -> None:
    """Raise where a table of earlier results is none."""
    for found in memo().values():
        if type(found) is OwnTable:
            found.check()


def missed(error: BaseException) -> MutationError | None:
    """The refusal of what a table of this recording lacks, where the program knows by other means that it is there."""
    if type(error) is not KeyError or not error.args or _is_unhashable(lacking := error.args[0]):
        return None
    tables = [found for found in memo().values() if type(found) is OwnTable]
    return other_result(f"a table under {lacking!r}") if any([lacking in t.before for t in tables]) else None


def _is_unhashable(key: Any) -> bool:
    try:
        hash(key)
    except TypeError:
        return True
    return False


MAX_LOOKED_AT = 64
"""Of the items of a container, each time that a key is handed on."""


def is_variable(x: Any) -> bool:
    """Tell whether a value is a number that may be differentiated, or holds one among its first items."""
    if is_number(x) or x is None or isinstance(x, bool | str | bytes | type):
        return is_number(x)
    if isinstance(x, int):
        return is_given(x)
    if isinstance(x, dict):
        return any(map(is_variable, itertools.islice(dict.values(x), MAX_LOOKED_AT)))
    if isinstance(x, tuple | list | set | frozenset):
        return any(map(is_variable, itertools.islice(x, MAX_LOOKED_AT)))
    cls = type(x)
    if cls in LEAVES or isinstance(x, Enum) or hasattr(cls, "__code__") or hasattr(cls, "__next__"):
        return False
    return any(map(_is_of_numbers, (all_fields(x) or {}).values()))


def _is_of_numbers(x: Any) -> bool:
    return is_number(x) or isinstance(x, list) and any(map(is_number, x))


def is_number(x: Any) -> bool:
    """Tell whether a value is a number, an array or a tuple that may be differentiated, whatever the call was given."""
    if isinstance(x, tuple | frozenset):
        return any(map(is_number, x))
    if isinstance(x, np.ndarray | np.generic):
        return x.dtype.kind in "fcO"
    return isinstance(x, float | complex)


def differs(held: Any, asked: Any) -> bool:
    """Tell whether two numbers, or arrays or lists of them, are not the same; of other things nothing is said."""
    if not (_is_numeric(held) and _is_numeric(asked)) or np.shape(held) != np.shape(asked):
        return False
    return not bool(np.all(np.equal(held, asked)))


def _is_numeric(x: Any) -> bool:
    if isinstance(x, list | tuple):
        return all([isinstance(v, int | float | np.number) for v in x])
    return isinstance(x, float | np.number) or isinstance(x, np.ndarray) and x.dtype.kind in "iufc"


def is_same(a: Any, b: Any) -> bool:
    """Tell whether two values are equal, to the last bit."""
    a, b = template(a), template(b)
    if isinstance(a, int | float | complex | np.number) and isinstance(b, int | float | complex | np.number):
        return bool(a == b or a != a and b != b)
    if type(a) is not type(b):
        return False
    if isinstance(a, Tangent):
        return is_same(fields_of(a), fields_of(b))
    if isinstance(a, np.ndarray | np.generic):
        return bool(np.array_equal(a, b, equal_nan=a.dtype.kind in "fc"))
    if isinstance(a, dict):
        return a.keys() == b.keys() and all([is_same(a[key], b[key]) for key in a])
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(map(is_same, a, b))
    return a is b or callable(a) or bool(a == b or a != a and b != b)


non_differentiable(check_own_tables, missed)
