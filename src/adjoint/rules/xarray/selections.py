"""Selections from arrays of xarray by labels and keys, and reads of labels alone."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, attr-defined"

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import xarray as xr
from xarray.core.dataarray import _LocIndexer

from ..knots import call_pullback
from ..registry import Back, non_differentiable, rule
from ..signatures import methods_of
from ..tables import declare, declare_by_arrays, labelled_rule, refuse, selecting, values_of


def methods(*names: str) -> tuple[Any, ...]:
    """The functions behind methods and properties of these names."""
    return methods_of((xr.DataArray,), *names)


selecting(*methods("__getitem__", "isel", "sel", "head", "tail", "thin", "drop_sel", "drop_isel", "squeeze", "item"))
selecting(*methods("transpose", "T", "expand_dims", "rename", "drop_vars", "copy", "to_numpy", "values", "data"))
selecting(*methods("__float__"))
selecting(*methods("shift"), filling=True)


def located(x: Any, key: Any) -> Any:
    """The result of `x.loc[key]`."""
    return x.loc[key]


def looked_into(indexer: Any) -> Any:
    """The array that `loc` looks into."""
    return indexer.data_array


selecting(located)


@rule(looked_into, forward=lambda dots, y, indexer: dots[0])
@labelled_rule("view")
def looked_into_rule(indexer: Any) -> tuple[Any, Back]:
    """It has the same cotangent."""
    return looked_into(indexer), lambda y_bar: (y_bar,)


_loc = inspect.getattr_static(xr.DataArray, "loc").fget


@rule(_loc, forward=lambda dots, y, self: dots[0])
@labelled_rule("view")
def loc_rule(self: Any) -> tuple[Any, Back]:
    """`loc` is what it looks into."""
    return _loc(self), lambda y_bar: (y_bar,)


def at_key(self: Any, key: Any) -> Any:
    """The array found at a key."""
    return located(looked_into(self), key)


@rule(_LocIndexer.__getitem__, program=at_key)
@labelled_rule("view")
def at_key_rule(self: Any, key: Any) -> tuple[Any, Back]:
    """The part that the key tells."""
    y, back = call_pullback(at_key, self, key)
    return y, lambda y_bar: (back(y_bar)[1], None)


def as_numbers(a, dtype=None):
    """The numbers."""
    if dtype is not None and np.dtype(dtype).kind != "f":
        refuse("an array of other numbers", "nothing flows through integers")
    return values_of(a) * 1.0


for _f in (np.asarray, np.array, np.asanyarray, np.ascontiguousarray):
    declare(_f, as_numbers, as_numbers, {"a": xr.DataArray})


def check_made(data: Any, coords: Any) -> None:
    """Refuse to make what is no array of numbers into one of xarray, or labels of what may be differentiated."""
    for labels in (coords or {}).values() if isinstance(coords, dict) else (coords or ()):
        if (
            isinstance(labels, float | list | tuple | np.ndarray)
            and np.asarray(labels[-1] if isinstance(labels, tuple) else labels).dtype.kind in "fc"
        ):
            refuse("labels of floats", "what flows to labels is not followed: make the coordinates outside")
    if not isinstance(data, np.ndarray | list | float) or np.asarray(data).dtype.kind not in "fiu":
        refuse("an array of xarray of other than an array of numbers", "where its numbers are depends on their labels")


non_differentiable(check_made)


@declare_by_arrays(xr.DataArray)
def made(data=None, coords=None, dims=None, name=None, attrs=None):
    """The numbers of an array."""
    check_made(data, coords)
    return np.asarray(data) * 1.0


non_differentiable(*methods("shape", "size", "ndim", "dims", "sizes", "dtype", "name", "indexes", "nbytes"))
non_differentiable(*methods("__len__", "__bool__", "__repr__", "isnull", "notnull", "isin", "equals", "identical"))
non_differentiable(*methods("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "count", "argmax", "argmin"))
