"""Answers to what a recorded program asks of results of earlier calls, where other functions store them, or lists hold
them.

A field that the methods of a class compare and store is another number's the first time. What is found among others
cannot be computed anew: it is refused.
"""

from __future__ import annotations

import sys
import types
from collections import deque
from copy import copy
from typing import Any

import numpy as np

from ..errors import MutationError, calling_place
from ..origin import is_ours
from ..rules.registry import non_differentiable
from ..runtime.remembering import kept_in
from ..tangents.fields import record_fields
from .given import memo
from .own_tables import (
    Latest,
    differs,
    held_at,
    is_label,
    is_made_of_numbers,
    is_number,
    is_same,
    other_result,
    put_at,
    table_of,
)
from .program import is_recorded_form

_DEPTH = 2
"""How deep the items of a container are looked into."""
_CONTAINERS = (list, tuple, set, frozenset, deque, dict)


def compared(test: Any, when: bool, sources: tuple[Any, ...], holder: Any, slot: Any, stores: bool) -> Any:
    """The answer to a `test`, which says `when` it is true that a number is another one than that in a field, or under
    a key; the function itself `stores` there, or methods of the class do."""
    known, key = memo(), ("latest", id(holder), slot)
    other = bool(np.any(test)) if when else not np.all(test)
    if key in known and type(known[key]) is Anew:
        known[key].met(other)
    if key in known or not kept_in(type(holder)).binds(f".{slot}", stores):
        return test
    if _begin(holder, slot, held_at(holder, slot), other, sources):
        return np.full_like(test, when) if isinstance(test, np.ndarray) else when
    return test


def other_than(
    held: Any, asked: tuple[Any, ...], sources: tuple[Any, ...], holder: Any, slot: Any, stores: bool
) -> Any:
    """A number for a function to compare with what is asked for: the one that is held, or one far from it, where that
    is the same. What is asked for is not always known."""
    known, key = memo(), ("latest", id(holder), slot)
    other = bool(asked) and differs(held, asked[0])
    if key in known and type(known[key]) is Anew:
        if known[key].is_untouched():
            return known[key].other
        known[key].met(other)
    if key in known or not kept_in(type(holder)).binds(f".{slot}", stores):
        return held
    if not _begin(holder, slot, held, other, sources):
        return held
    known[key].other = another(held)
    return known[key].other


def _begin(holder: Any, slot: Any, held: Any, other: bool, sources: tuple[Any, ...]) -> bool:
    """Tell whether a number that a recording meets first is taken for another one, and note what is beside it."""
    known = memo()
    again = not (other or held is None or isinstance(held, bool)) and is_made_of_numbers(held, sources)
    before = _with_slot(holder, slot, held) if again else {}
    if again and slot not in before:
        raise _found(f"`{slot}`")
    others = [found for found in known.values() if type(found) is Anew and found.holder is holder]
    known["latest", id(holder), slot] = Anew(holder, {slot: held} if again and others else before, slot)
    for found in [] if again else others:
        found.before = {}  # results are those of another number
    return again


_FAR = 10**6


def another(x: Any) -> Any:
    """A number far from another one, or a value with such numbers."""
    if x is None or isinstance(x, bool):
        return x
    if isinstance(x, int | float | complex | np.number) or isinstance(x, np.ndarray) and x.dtype.kind in "iufc":
        return x + _FAR * (1 + np.abs(x)) if isinstance(x, np.ndarray | np.number) else x + _FAR * (1 + abs(x))
    if type(x) in (str, bytes):
        return x + type(x)(b"~" if type(x) is bytes else "~")
    if type(x) in (list, tuple):
        return type(x)([another(v) for v in x])
    if type(x) is dict:
        return {key: another(v) for key, v in x.items()}
    raise _found("an object")


def _with_slot(holder: Any, slot: Any, held: Any) -> dict[Any, Any]:
    """The contents of an object, or of a container under a key."""
    if isinstance(holder, types.CellType):
        return {slot: held}
    if isinstance(holder, np.ndarray):
        return {slot: held.copy() if isinstance(held, np.ndarray) else held}
    return {slot: held} if isinstance(holder, dict | list) else {**(record_fields(holder) or {})}


class Anew(Latest):
    """A number that was taken for another one: the recording stores there, and computes what was there before."""

    __slots__ = ("held", "other", "slot", "token")

    def __init__(self, holder: Any, before: dict[Any, Any], slot: Any) -> None:
        super().__init__(holder, before)
        self.slot, self.held, self.token, self.other = slot, before.get(slot), None, None
        if before and not isinstance(holder, np.ndarray):
            self.token = _equal(self.held)
            self._put(self.token)

    def _put(self, x: Any) -> None:
        if isinstance(self.holder, dict | list):
            self.holder[self.slot] = x
        else:
            object.__setattr__(self.holder, self.slot, x)

    def met(self, other: bool) -> None:
        """Look at what was computed before another number comes; raise where nothing was stored."""
        if other or self.is_untouched():
            self.check()

    def is_untouched(self) -> bool:
        """Tell whether nothing was stored since the number was taken for another one."""
        return self.token is not None and held_at(self.holder, self.slot) is self.token

    def check(self, counted: dict[Any, Any] | None = None) -> None:
        """Raise where nothing was stored, or something else was computed."""
        if self.is_untouched():
            self._put(self.held)
            raise _found(f"`{self.slot}`")
        kept, counts, again = kept_in(type(self.holder)), dict[Any, Any](), ""
        for slot in [slot for slot, value in self.before.items() if type(value) is int]:
            counts[slot] = self.before.pop(slot)  # who counts has computed it once more
            if f".{slot}" in kept.used - kept.tested and counts[slot] != held_at(self.holder, slot):
                again = again or f"`{slot}`"
        super().check(counts)
        if again:
            for slot, value in counts.items():
                put_at(self.holder, slot, value)
            raise other_result(again)


def _equal(x: Any) -> Any:
    """An object that is equal to another one, and not the same."""
    if isinstance(x, float):
        return type(x)(x + -0.0)
    if isinstance(x, np.ndarray):
        return x.copy()
    if type(x) in _TWINS:
        return _TWINS[type(x)](x)
    return (*[*x],) if type(x) is tuple else x


_TWINS = {cls: type(cls.__name__, (cls,), {}) for cls in (int, str, bytes)}
"""Classes of which an object is none that Python has already, as it has small integers and names."""


def searched(test: Any, asked: Any, sources: tuple[Any, ...], container: Any, place: str, root: Any, name: str) -> Any:
    """The answer to a `test`, which looks for a number in a container that holds those of earlier calls: at a place, as
    it is found from a root. If that is a field, by its name, the class of the root says whether it does."""
    if name and f".{name}" not in kept_in(type(root)).found:
        return test
    if ("table", id(container)) in memo():
        return test  # it was looked into as a table of this recording
    before = _before(container, place, root)
    if is_made_of_numbers(asked, sources) and _is_among(asked, before) and not _is_constant(asked):
        raise _found(f"`.{name}`" if name else f"`{place}`")
    return test


def _is_constant(x: Any) -> bool:
    """Tell whether a number stands in the source of a function that is recorded: as a key it is what a text is, and it
    has no derivative. The constants of a recorded form are its own; integers are one object for all."""
    frame: types.FrameType | None = sys._getframe(1) if type(x) is float else None
    while frame is not None:
        code = frame.f_code
        if is_recorded_form(code) and any([constant is x for constant in code.co_consts]):
            return True
        if code.co_name == "recorded_for" and is_ours(code.co_filename):
            return False  # the functions around the recording hand over numbers as well
        frame = frame.f_back
    return False


def about_to_store(root: Any, name: str, place: str) -> None:
    """Note what a container holds before a function puts into it what is looked for later."""
    held: dict[str, Any] = {}
    if not name:
        held = root if isinstance(root, dict) else {place: root.cell_contents} if _is_filled(root) else {}
    elif f".{name}" in kept_in(type(root)).found:
        held = record_fields(root) or {}
    if (name or place) in held:  # a property is not asked
        _before(held[name or place], place, root)


def _is_filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


def _before(container: Any, place: str, root: Any) -> list[Any]:
    """The items that a container had when this recording met it first; what is put there later is of this call."""
    known, key = memo(), ("searched", place[max(place.find("."), 0) :], id(root))  # each method names its object
    if key not in known:
        known[key] = _items(container), root
    items: list[Any] = known[key][0]
    return items


def _items(container: Any) -> list[Any]:
    """The items of a container, and of these, as they are now; of a chain of objects, all of them."""
    found: list[Any] = []
    todo, seen = [(container, _DEPTH + 1)], set[int]()
    while todo:
        x, depth = todo.pop()
        is_container = isinstance(x, _CONTAINERS)
        found.append(copy(x) if is_container or _is_array(x) else x)
        if depth and id(x) not in seen and not _is_array(x):
            seen.add(id(x))
            todo += [(part, depth if not is_container and type(part) is type(x) else depth - 1) for part in _parts(x)]
    return found


def _is_among(asked: Any, items: list[Any]) -> bool:
    """Tell whether one of the items is equal to what is asked for."""
    plain = record_fields(asked) is None
    return any([is_same(asked, x) or _is_row(asked, x) for x in items if not (plain and record_fields(x))])


def _is_row(asked: Any, x: Any) -> bool:
    """Tell whether an array has a number, or a row that is equal to another array."""
    if not _is_array(x) or not isinstance(asked, int | float | complex | np.number | np.ndarray):
        return False
    shape = np.shape(asked)
    if len(shape) >= x.ndim or x.shape[x.ndim - len(shape) :] != shape or not x.size:
        return False
    return bool((x == asked).reshape(-1, max(np.size(asked), 1)).all(axis=1).any())


def _is_array(x: Any) -> bool:
    return isinstance(x, np.ndarray) and x.dtype.kind != "O"


def _parts(x: Any) -> list[Any]:
    if isinstance(x, dict):
        return [*x, *x.values()]
    if isinstance(x, _CONTAINERS) or isinstance(x, np.ndarray) and x.ndim:
        return [*x]
    return [*(record_fields(x) or {}).values()]


def has_table(holder: Any, name: str | None, table: Any, key: Any) -> bool:
    """Tell whether a field holds a table that methods of the class look into and fill; one without a name does. Under
    numbers a table of which nobody asks whether there is something has data, which are read as they are."""
    if table_of(table, key) is None:
        return False
    kept = kept_in(type(holder)) if name else None
    numbers = is_number(key) or not isinstance(key, str | bytes) and is_label(key)
    if numbers and (kept is None or f".{name}" not in kept.asked):
        return kept is None and name is not None
    return kept is None or f".{name}" in kept.tables


def own_field(stores: bool | None, table: Any, key: Any, *sources: Any) -> Any:
    """The table in which a recorded program looks a key up, or stores under it, where functions do these apart. None
    for `stores` is a store where there is nothing."""
    found = table_of(table, key)
    if found is None:
        return table
    if stores or stores is None and key not in table:
        found.enter(key)
    mine = found.under(key, sources) if stores is not None else found.own if key in found.apart else table
    if mine is found.own and key not in mine:
        found.apart.add(key)
    return mine


def check_answers() -> None:
    """Raise where what was computed anew is another result than the one that was there, once all is put back."""
    refused: MutationError | None = None
    for found in memo().values():
        if isinstance(found, Latest):
            try:
                found.check()
            except MutationError as error:
                refused = refused or error
    if refused is not None:
        raise refused


def _found(place: str) -> MutationError:
    return MutationError(
        f"{place} holds results of earlier calls, and a number that is differentiated is found there",
        "what an earlier call has stored has no derivative in this one",
        "empty what remembers results before the call, or call the function that does not remember; look data up under "
        "`adjoint.stop_gradient(x)`",
        calling_place(),
    )


non_differentiable(check_answers, _is_constant)
