"""Arrays of Series and frames, and Series and frames of arrays."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, attr-defined"

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ..registry import non_differentiable
from ..tables import declare, declare_by_arrays, is_table, refuse, values_of
from .kinds import is_of_floats
from .operators import check_inner

TABLE = pd.Series | pd.DataFrame


def as_numbers(a, dtype=None):
    """The numbers."""
    if dtype is not None and not is_of_floats(dtype):
        refuse("an array of other numbers", "nothing flows through integers")
    return values_of(a) * 1.0


for _f in (np.asarray, np.array, np.asanyarray, np.ascontiguousarray):
    declare(_f, as_numbers, as_numbers, {"a": TABLE})


def inner_product(a, b):
    """Rows times columns, along the same labels."""
    check_inner(np.dot, a, b)
    return np.dot(values_of(a), values_of(b))


for _types in ({"a": TABLE, "b": object}, {"a": object, "b": TABLE}, {"a": TABLE, "b": TABLE}):
    declare(np.dot, inner_product, inner_product, _types)


def check_made(data: Any, index: Any, dtype: Any = None) -> None:
    """Refuse to make what is no array into a Series or a frame, or to bring what has labels to others."""
    if dtype is not None and not is_of_floats(dtype):
        refuse("a Series or a frame of other numbers", "nothing flows through integers")
    if index is not None and not isinstance(index, pd.Index) and np.asarray(index).dtype.kind in "fc":
        refuse("labels of floats", "what flows to labels is not followed: make a `pd.Index` of them outside")
    columns = [*data.values()] if isinstance(data, dict) else [data]
    labelled = [x for x in columns if is_table(x)]
    known = all(
        [is_table(x) or isinstance(x, np.ndarray | list) and np.asarray(x).dtype.kind in "fiu" for x in columns]
    )
    if not known or labelled and (index is not None or any([not x.index.equals(labelled[0].index) for x in labelled])):
        refuse("a Series or a frame of other than arrays", "which of its numbers are where depends on their labels")


non_differentiable(check_made, is_of_floats)


def numbers_of(column: Any) -> Any:
    """A column as an array."""
    return np.asarray(values_of(column)) * 1.0


@declare_by_arrays(pd.Series)
def series(data=None, index=None, dtype=None, name=None, copy=None):
    """The numbers of an array."""
    check_made(data if not isinstance(data, dict) else None, index, dtype)
    return numbers_of(data)


@declare_by_arrays(pd.DataFrame)
def frame(data=None, index=None, columns=None, dtype=None, copy=None):
    """The numbers of an array, or of one for each column."""
    check_made(data, index, dtype)
    if isinstance(data, dict):
        return np.stack([numbers_of(column) for column in data.values()], axis=1)
    numbers = numbers_of(data)
    return numbers if np.ndim(numbers) == 2 else np.reshape(numbers, (len(numbers), 1))
