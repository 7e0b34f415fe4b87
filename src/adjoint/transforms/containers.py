"""Folds of what makes and changes lists, deques, dicts and heaps, and of what the standard library tells of them."""

from __future__ import annotations

import collections
import dataclasses
import operator
from typing import Any

from ..ir import changes, intrinsics
from . import sets
from .deques import fold_deque
from .dicts import fold_from_keys, fold_missing
from .named_fields import fold_fields
from .replacing import fold_from_items, fold_merged, fold_replace, fold_replaced, replaced
from .resizing import fold_call_with, fold_changed
from .statistic import STATISTICS, fold_statistic
from .stores import fold_append, fold_append_at, fold_delete_item, fold_method

FOLDS: dict[Any, Any] = {
    changes.call_method: fold_method,
    changes.list_append: fold_append,
    changes.append_at: fold_append_at,
    **dict.fromkeys((changes.delete_item, changes.deleted), fold_delete_item),
    changes.changed: fold_changed,
    changes.call_with: fold_call_with,
    collections.defaultdict: fold_missing,
    collections.Counter: fold_missing,
    collections.OrderedDict: fold_missing,
    dict.fromkeys: fold_from_keys,
    **dict.fromkeys((intrinsics.merge_dicts, operator.or_), fold_merged),
    intrinsics.dict_from_items: fold_from_items,
    **sets.FOLDS,
    dataclasses.fields: fold_fields,
    dataclasses.replace: fold_replace,
    replaced: fold_replaced,
    collections.deque: fold_deque,
    **dict.fromkeys(STATISTICS, fold_statistic),
}
