"""Kinds of pandas: a Series and a frame are numbers, an index, and a name or columns."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
import pandas as pd
from pandas.core.indexing import _AtIndexer, _iAtIndexer, _iLocIndexer, _LocIndexer

from ...tangents.tables import KINDS, Kind, kind_of

INDEXERS = {_LocIndexer: "loc", _iLocIndexer: "iloc", _AtIndexer: "at", _iAtIndexer: "iat"}


def is_number(dtype: Any) -> bool:
    """True if a dtype is one of real numbers, NumPy's or pandas' own."""
    return dtype.kind in "fiu"


def is_of_floats(dtype: Any) -> bool:
    """True if what is given as a dtype is one of floats, for all columns."""
    return not isinstance(dtype, dict) and pd.api.types.pandas_dtype(dtype).kind == "f"


def is_own(dtype: Any) -> bool:
    """True if a dtype is one of pandas' own, which have a missing number that is no nan."""
    return not isinstance(dtype, np.dtype)


def of_series(x: Any) -> bool:
    """Tell whether a Series holds numbers."""
    return is_number(x.dtype)


def of_frame(x: Any) -> bool:
    """Tell whether all columns hold numbers, and there are some."""
    dtypes = x.dtypes.to_numpy()
    return len(dtypes) > 0 and all(map(is_number, dtypes))


def values(x: Any) -> Any:
    """The numbers, as an array of their own; of pandas' own dtypes floats, nan where one is missing."""
    dtypes = [x.dtype] if isinstance(x, pd.Series) else x.dtypes.to_numpy()
    if any(map(is_own, dtypes)):
        return np.array(x.to_numpy(float, na_value=np.nan))
    return np.array(x.to_numpy())


def seen(x: Any) -> Any:
    """The same where they lie, if they do so in an array of NumPy's."""
    if isinstance(x, pd.Series) and isinstance(x.dtype, np.dtype):
        return x.to_numpy()
    return values(x)


def constants(x: Any) -> Any:
    """Flags, and objects that are numbers, as an array."""
    dtypes = [x.dtype] if isinstance(x, pd.Series) else x.dtypes.to_numpy()
    if len(dtypes) == 0 or not all([dtype.kind in "biufO" for dtype in dtypes]):
        return None
    if all([dtype.kind == "b" and not is_own(dtype) for dtype in dtypes]):
        return np.array(x.to_numpy())
    objects = x.to_numpy(object)
    if not all([isinstance(v, numbers.Real | np.bool_) or v is pd.NA or v is None for v in objects.flat]):
        return None
    return np.array(x.astype(object).where(x.notna(), np.nan).to_numpy(float))


def series(a: Any, labels: Any) -> Any:
    """A Series of these numbers, which are nobody else's."""
    return pd.Series(a, labels[0], name=labels[1], copy=False)


def frame(a: Any, labels: Any) -> Any:
    """A frame of these numbers, which are nobody else's."""
    return pd.DataFrame(a, *labels, copy=False)


def memory(x: Any) -> list[Any]:
    """The arrays that the numbers lie in."""
    return [a if isinstance(a, np.ndarray) else getattr(a, "_data", None) for a in x._mgr.arrays]


KINDS[pd.Series] = Kind(
    of_series,
    values,
    lambda x: (x.index, x.name),
    series,
    lambda x, y: x.index.equals(y.index),
    memory,
    constants,
    seen,
)
KINDS[pd.DataFrame] = Kind(
    of_frame,
    values,
    lambda x: (x.index, x.columns),
    frame,
    lambda x, y: x.index.equals(y.index) and x.columns.equals(y.columns),
    memory,
    constants,
    seen,
)
# `loc` and its like are what they look into, and have its cotangent.
OF_INDEXERS = Kind(
    lambda x: kind_of(x.obj) is not None,
    lambda x: values(x.obj),
    lambda x: (type(x.obj), KINDS[type(x.obj)].labels(x.obj)),
    lambda a, labels: KINDS[labels[0]].labelled(a, labels[1]),
    lambda x, y: type(x.obj) is type(y.obj) and KINDS[type(x.obj)].agree(x.obj, y.obj),
    lambda x: memory(x.obj),
    lambda x: None,
    lambda x: seen(x.obj),
)
KINDS.update(dict.fromkeys(INDEXERS, OF_INDEXERS))
