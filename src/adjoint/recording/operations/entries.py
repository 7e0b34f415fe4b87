"""Entries of dicts under numbers. What an earlier call has stored there was computed without the derivative of this
one: if something flows to it, the derivative by the number is not known."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ...errors import NoRuleError, calling_site
from ...rules.registry import non_differentiable
from ...tangents.unknown import Unknown, refused
from ...tangents.windows import owner_of
from ..answers import about_to_store, compared, has_table, other_than, own_field, searched
from ..own_tables import is_number, is_other, labelled, own_table, settled
from ..sweep import Sweep, is_valued
from .base import NOTHING, Record, Result, handles, is_nonzero, nothing, read_slot


def _of_key(site: Any) -> Unknown:
    """Cotangent of a number under which something was read that nobody has stored in this run."""
    error = NoRuleError(
        "a dict holds under a number that is differentiated what was there before",
        "it was stored by an earlier call, or is data: how it changes with the number is not known",
        "empty the dict before the call, or call the function that does not remember its results; look data up under "
        "`adjoint.stop_gradient(x)`",
        None if site is None else site.place(),
    )
    return refused(error)


def read_entry(y: Any, holder: Any, key: Any) -> Result:
    """A value that was read from a dict; the operands are the dict and the key."""
    if type(key) is str or type(key) is int or not (is_valued(y) or type(y) is np.ndarray) or not is_number(key):
        return read_slot(y, holder, key)
    at, site = (id(holder), key), calling_site()

    def entry_back(sweep: Sweep, y_bar: Any) -> Any:
        if at in sweep.stored_before:
            return (None, None, _of_key(site), None, None)
        sweep.read[at] = holder, y
        if y_bar is not None:
            sweep.add(holder, key, y_bar)
        return NOTHING

    return y, entry_back


def stored_before(sweep: Sweep, places: Iterable[Any], tables: Iterable[Any]) -> frozenset[Any]:
    """The entries to which something has flowed, and which nobody has stored in the run: but for the arrays that were
    given, at these places, and for those of the `tables` that were given."""
    owners = {id(owner_of(at)) for at in places if isinstance(at, np.ndarray)}
    given = {id(table) for table in tables}
    found = []
    for (holder, key), (held, y) in sweep.read.items():
        if id(held) in given:
            continue  # whoever gave it has the cotangent of the entry
        if not isinstance(y, np.ndarray):
            d = (sweep.slots.get(holder) or {}).get(key)
        else:
            d = None if id(owner_of(y)) in owners else sweep.shadow(y)
        if is_nonzero(d):
            found.append((id(held), key))
    return frozenset(found)


@handles(labelled, other_than)
def _labelled(record: Record, k: int, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Result:
    """An argument as it is, where a recorded program that notes keys, or asks for numbers, is recorded in its turn."""
    others = (None,) * (len(args) - 1)
    return f(*args, **kwargs), lambda sweep, y_bar: (None, y_bar, *others)


@handles(own_table, is_other, settled, about_to_store, compared, searched, has_table, own_field)
def _in_a_program(record: Record, k: int, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Result:
    """A question of a recorded program about tables of results, where that program is recorded in its turn."""
    return f(*args, **kwargs), nothing


non_differentiable(stored_before, calling_site, _of_key)

__all__ = ["read_entry", "stored_before"]
