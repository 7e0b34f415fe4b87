"""Selections from a Series or a frame by labels and keys, and reads of labels alone."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, attr-defined"

from __future__ import annotations

import inspect
from typing import Any

import pandas as pd
from pandas.core.indexing import IndexingMixin

from ..knots import call_pullback
from ..registry import Back, non_differentiable, rule
from ..signatures import methods_of
from ..tables import labelled_rule, selecting
from .kinds import INDEXERS

CLASSES = (pd.Series, pd.DataFrame)


def methods(*names: str) -> tuple[Any, ...]:
    """The functions behind methods and properties of these names."""
    return methods_of(CLASSES, *names)


selecting(*methods("__getitem__", "__getattr__", "get", "head", "tail", "take", "xs", "squeeze", "item", "T"))
selecting(*methods("transpose", "drop", "sort_index", "reset_index", "rename", "set_axis", "add_prefix", "add_suffix"))
selecting(*methods("to_numpy", "values", "copy", "to_frame", "swapaxes", "filter", "truncate"))
selecting(*methods("shift"), filling=True)


def located(x: Any, name: str, key: Any) -> Any:
    """The result of `x.loc[key]`, or of another indexer."""
    return getattr(x, name)[key]


def looked_into(indexer: Any) -> Any:
    """The object that `loc` or its like looks into."""
    return indexer.obj


def name_of_indexer(indexer: Any) -> str:
    """`loc` or its like."""
    return INDEXERS[type(indexer)]


selecting(located)
non_differentiable(name_of_indexer)


@rule(looked_into, forward=lambda dots, y, indexer: dots[0])
@labelled_rule("view")
def looked_into_rule(indexer: Any) -> tuple[Any, Back]:
    """It has the same cotangent."""
    return looked_into(indexer), lambda y_bar: (y_bar,)


def _indexing(name: str) -> None:
    found = inspect.getattr_static(IndexingMixin, name).fget

    def indexer_along(dots: Any, y: Any, self: Any) -> Any:
        return dots[0]

    def indexer_rule(self: Any) -> tuple[Any, Back]:
        """`loc` and its like are what they look into."""
        return found(self), lambda y_bar: (y_bar,)

    rule(found, forward=indexer_along)(labelled_rule("view")(indexer_rule))


for _name in INDEXERS.values():
    _indexing(_name)


def at_key(self: Any, key: Any) -> Any:
    """The value found at a key."""
    return located(looked_into(self), name_of_indexer(self), key)


@labelled_rule("view")
def at_key_rule(self: Any, key: Any) -> tuple[Any, Back]:
    """The number, row, column or part that the key tells."""
    y, back = call_pullback(at_key, self, key)
    return y, lambda y_bar: (back(y_bar)[1], None)


for _getter in dict.fromkeys(cls.__getitem__ for cls in INDEXERS):
    rule(_getter, program=at_key)(at_key_rule)


non_differentiable(*methods("shape", "size", "ndim", "empty", "index", "columns", "dtypes", "dtype", "name", "axes"))
non_differentiable(*methods("__len__", "__contains__", "keys", "__bool__", "hasnans", "is_unique", "info", "equals"))
non_differentiable(*methods("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "eq", "ne", "lt", "le", "gt"))
non_differentiable(*methods("ge", "isna", "isnull", "notna", "notnull", "isin", "between", "count", "nunique"))
non_differentiable(*methods("duplicated", "idxmax", "idxmin", "argmax", "argmin", "argsort", "__repr__", "__str__"))
