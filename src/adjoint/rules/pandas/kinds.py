"""What a Series and a frame are: numbers, an index, and a name or columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from pandas.core.indexing import _AtIndexer, _iAtIndexer, _iLocIndexer, _LocIndexer

from ...tangents.tables import KINDS, Kind, kind_of

INDEXERS = {_LocIndexer: "loc", _iLocIndexer: "iloc", _AtIndexer: "at", _iAtIndexer: "iat"}


def is_number(dtype: Any) -> bool:
    """Whether a dtype is one of NumPy's real numbers."""
    return isinstance(dtype, np.dtype) and dtype.kind in "fiu"


def of_series(x: Any) -> bool:
    """Whether a Series holds numbers."""
    return is_number(x.dtype)


def of_frame(x: Any) -> bool:
    """Whether all columns hold numbers, and there are some."""
    dtypes = x.dtypes.to_numpy()
    return len(dtypes) > 0 and all(map(is_number, dtypes))


def values(x: Any) -> Any:
    """The numbers, as an array of their own."""
    return np.array(x.to_numpy())


def series(a: Any, labels: Any) -> Any:
    """A Series of these numbers."""
    return pd.Series(a, labels[0], name=labels[1])


def frame(a: Any, labels: Any) -> Any:
    """A frame of these numbers."""
    return pd.DataFrame(a, *labels)


def memory(x: Any) -> list[Any]:
    """The arrays that the numbers lie in."""
    return list(x._mgr.arrays)


KINDS[pd.Series] = Kind(
    of_series, values, lambda x: (x.index, x.name), series, lambda x, y: x.index.equals(y.index), memory
)
KINDS[pd.DataFrame] = Kind(
    of_frame,
    values,
    lambda x: (x.index, x.columns),
    frame,
    lambda x, y: x.index.equals(y.index) and x.columns.equals(y.columns),
    memory,
)
# `loc` and its like are what they look into, and have its cotangent.
OF_INDEXERS = Kind(
    lambda x: kind_of(x.obj) is not None,
    lambda x: values(x.obj),
    lambda x: (type(x.obj), KINDS[type(x.obj)].labels(x.obj)),
    lambda a, labels: KINDS[labels[0]].labelled(a, labels[1]),
    lambda x, y: type(x.obj) is type(y.obj) and KINDS[type(x.obj)].agree(x.obj, y.obj),
    lambda x: memory(x.obj),
)
KINDS.update(dict.fromkeys(INDEXERS, OF_INDEXERS))
