"""Memory effects of the functions that the IR calls."""

from __future__ import annotations

from typing import Any

from ..ops.effects import Alloc, Effects, Keeps, Returns, Write
from ..ops.python import RESULT
from ..ops.registry import each, find_op, op, parameters_of
from . import changes, intrinsics

VERSION = "version"
"""Of a store that gives the changed object as a new version of what it was."""

_STORE: Effects = (Write("target", VERSION), Keeps("value", "target"))
each(_STORE, changes.set_item, changes.stored, changes.stored_unseen, changes.set_attribute, changes.hold_field)
each((Write("rows", VERSION),), changes.set_in_row, changes.stored_in_row)
op(changes.list_append, effects=(Write("items", VERSION), Keeps("item", "items")))
op(changes.extended, effects=(Write("target", VERSION), Keeps("items", "target")))
op(changes.updated, effects=(Write("target", VERSION), Keeps("others", "target")))
each((Write("target", VERSION),), changes.delete_item, changes.deleted, changes.delete_attribute)
op(changes.call_method, effects=(Write("target", VERSION), Keeps("args", "target")))
op(changes.in_place, effects=(Write("target", VERSION), Keeps("value", "target")))
op(changes.initialise, effects=(Write("new", VERSION), Keeps("args", "new")))
op(changes.snapshot, effects=(Alloc("x"), Returns("x")))
op(changes.copied, effects=(Alloc(),))
each((), changes.check_store, changes.item_in_place)

HOLDS: Effects = (Alloc(), Keeps("*", RESULT))
each(HOLDS, intrinsics.make_list, intrinsics.make_dict, intrinsics.make_set)
op(intrinsics.make_tuple, effects=(Keeps("*", RESULT),))  # it never changes: who has it does not count
each((Alloc("*"),), intrinsics.merge_dicts, intrinsics.dict_from_items, intrinsics.concat_lists)
op(intrinsics.item_in_row, effects=(Returns("rows", "item"),))
op(intrinsics.unpack, effects=(Returns("iterable", "item"),))
each((), intrinsics.not_contains, intrinsics.position, intrinsics.format_value)
each((), intrinsics.argmax, intrinsics.argmin)
op(intrinsics.columns, effects=(Alloc(),))
each((), intrinsics.observe, intrinsics.expect, intrinsics.check, intrinsics.check_lengths)


def changed_by(f: Any) -> int | None:
    """Which argument a store of the IR gives a new version of; None of any other function."""
    row = find_op(f)
    if row is None or callable(row.effects):
        return None
    stores = [e for e in row.effects if isinstance(e, Write) and e.how == VERSION]
    return parameters_of(f, row).place(stores[0].ref) if stores else None
