"""Answers to what a recorded program asks of results of earlier calls, where other functions store them, or lists hold
them.

A field that the methods of a class compare and store is another number's the first time. What is found among others
cannot be computed anew: it is refused.
"""

from __future__ import annotations

from collections import deque
from copy import copy
from typing import Any

import numpy as np

from ..errors import MutationError, calling_place
from ..rules.registry import non_differentiable
from ..runtime.remembering import kept_in
from ..tangents.fields import record_fields
from .given import memo
from .own_tables import Latest, is_number, is_same, is_variable, table_of

_DEPTH = 2
"""How deep the items of a container are looked into."""
_CONTAINERS = (list, tuple, set, frozenset, deque, dict)


def compared(test: Any, when: bool, sources: tuple[Any, ...], holder: Any, name: str) -> Any:
    """The answer to a `test`, which says `when` it is true that a number is another one than that in a field."""
    known, key = memo(), ("latest", id(holder), name)
    if key in known and type(known[key]) is Anew:
        known[key].check()
    if key in known or f".{name}" not in kept_in(type(holder)).latest:
        return test
    held = getattr(holder, name, None)
    again = bool(np.all(test)) is not when and (is_variable(held) or any(map(is_variable, sources)))
    before = {**(record_fields(holder) or {})} if again else {}
    if again and name not in before:
        raise _found(f"`{name}`")
    known[key] = Anew(holder, before, name)
    if not again:
        return test
    return np.full_like(test, when) if isinstance(test, np.ndarray) else when


class Anew(Latest):
    """A field that was taken for another number's: the recording stores there, and computes what was there before."""

    __slots__ = ("name", "token")

    def __init__(self, holder: Any, before: dict[str, Any], name: str) -> None:
        super().__init__(holder, before)
        self.name, self.token = name, _equal(before[name]) if before else None
        if before:
            object.__setattr__(holder, name, self.token)

    def check(self, counted: dict[Any, Any] | None = None) -> None:
        """Raise where nothing was stored, or something else was computed."""
        if self.before and getattr(self.holder, self.name, None) is self.token:
            object.__setattr__(self.holder, self.name, self.before[self.name])
            raise _found(f"`{self.name}`")
        counts = {slot: value for slot, value in self.before.items() if type(value) is int}
        for slot in counts:
            del self.before[slot]  # who counts has computed it once more
        super().check(counts)


def _equal(x: Any) -> Any:
    """An object that is equal to another one, and not the same."""
    if isinstance(x, float):
        return type(x)(x + -0.0)
    if isinstance(x, np.ndarray):
        return x.copy()
    return (*[*x],) if type(x) is tuple else x


def searched(test: Any, asked: Any, sources: tuple[Any, ...], container: Any, place: str, root: Any, name: str) -> Any:
    """The answer to a `test`, which looks for a number in a container that holds those of earlier calls: at a place, as
    it is found from a root. If that is a field, by its name, the class of the root says whether it does."""
    if name and f".{name}" not in kept_in(type(root)).found:
        return test
    if ("table", id(container)) in memo():
        return test  # it was looked into as a table of this recording
    before = _before(container, place, root)
    if (is_variable(asked) or any(map(is_variable, sources))) and _is_among(asked, before):
        raise _found(f"`.{name}`" if name else f"`{place}`")
    return test


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
    if is_number(key) and (kept is None or f".{name}" not in kept.asked):
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


non_differentiable(check_answers)
