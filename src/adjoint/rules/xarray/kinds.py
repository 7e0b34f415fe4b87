"""Kinds of xarray: an array is numbers, dimensions by name, and coordinates."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
import xarray as xr
from xarray.core.dataarray import _LocIndexer

from ...tangents.tables import KINDS, Kind, kind_of


def holds(x: Any) -> bool:
    """Tell whether an array holds numbers, in an array of NumPy's."""
    data = x.variable._data
    of_numpy = type(data) is np.ndarray or isinstance(data, np.generic) or isinstance(x.variable, xr.IndexVariable)
    return x.dtype.kind in "fiu" and of_numpy


def values(x: Any) -> Any:
    """The numbers, as an array of their own."""
    return np.array(x.variable.values)


def seen(x: Any) -> Any:
    """The same where they lie."""
    return np.asarray(x.variable.values)


def labels(x: Any) -> Any:
    """The names and coordinates, without the numbers."""
    return x.coords.to_dataset(), x.dims, x.name


def labelled(a: Any, found: Any) -> Any:
    """An array of these numbers."""
    coords, dims, name = found
    return xr.DataArray(a, coords.coords, dims, name)


def agree(x: Any, y: Any) -> bool:
    """Tell whether two have the same dimensions, in the same order, and the same labels along them."""
    same = x.dims == y.dims and x.shape == y.shape
    return same and all([x.indexes[d].equals(y.indexes[d]) for d in x.dims if d in x.indexes and d in y.indexes])


def memory(x: Any) -> list[Any]:
    """The array that the numbers lie in."""
    return [x.variable._data]


def constants(x: Any) -> Any:
    """Flags, and objects that are numbers, as an array."""
    a = np.array(x.variable.values)
    objects = a.dtype.kind == "O" and all([isinstance(v, numbers.Real | np.bool_) for v in a.flat])
    return a if a.dtype.kind == "b" else a.astype(float) if objects else None


KINDS[xr.DataArray] = Kind(holds, values, labels, labelled, agree, memory, constants, seen)
KINDS[_LocIndexer] = Kind(
    lambda x: kind_of(x.data_array) is not None,
    lambda x: values(x.data_array),
    lambda x: labels(x.data_array),
    labelled,
    lambda x, y: agree(x.data_array, y.data_array),
    lambda x: memory(x.data_array),
    lambda x: None,
    lambda x: seen(x.data_array),
)
