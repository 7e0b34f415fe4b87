"""Calls of libraries of data that read, compute and make new objects. What is not listed here may do anything.

A list of what acts would be shorter, and each name forgotten in it an action that is done twice. What libraries keep
for themselves (caches, columns that are put together) is no action.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ..origin import is_ours, is_users, is_users_class, module_of, own_name


def _words(*texts: str) -> frozenset[str]:
    return frozenset([word for text in texts for word in text.split()])


_OF_NUMBERS = (
    "abs add agg aggregate all any argmax argmin argsort autocorr between ceil clip corr corrwith count cov cumcount"
    " cummax cummin cumprod cumsum describe diff div divide dot eq equals floor floordiv ge gt idxmax idxmin"
    " is_between isin isna isnull kurt kurtosis le lt max mean median min mod mode mul multiply n_unique ne nlargest"
    " notna notnull nsmallest nunique pct_change pow prod product quantile radd rank rdiv rfloordiv rmod rmul round"
    " rpow rsub rtruediv searchsorted sem size skew std sub subtract sum top_k truediv value_counts var weighted"
)
"""Methods of tables that compute."""
_OF_PARTS = (
    "align asof at_time between_time column combine_first drop drop_duplicates drop_nans drop_nulls drop_sel drop_vars"
    " droplevel dropna duplicated explode field filter first first_valid_index gather gather_every get get_column"
    " get_columns get_group get_index get_indexer get_level_values get_loc head isel item items keys last"
    " last_valid_index limit mask nth row rows sel select select_dtypes slice squeeze tail take truncate unique where"
    " xs"
)
"""Methods of tables that give a part of one."""
_OF_FORMS = (
    "add_prefix add_suffix asfreq assign_coords astype backward_fill bfill broadcast_like cast coarsen convert_dtypes"
    " copy cut ewm expand_dims expanding factorize ffill fill_nan fill_null fillna forward_fill group_by groupby"
    " groupby_bins infer_objects interp interpolate interpolate_na join melt merge ngroup partition_by pivot"
    " pivot_table ravel reindex reindex_like rename rename_axis reorder_levels repeat replace resample reset_index"
    " reverse rolling set_axis set_index shift sort sort_by sort_index sort_values sortby stack swap_dims swaplevel"
    " to_frame to_period to_series to_timestamp transpose tz_convert tz_localize unpivot unstack upsample vstack"
    " with_columns with_row_index"
)
"""Methods of tables that give another one, of another form or kind."""
_OF_TEXTS = (
    "contains endswith extract find fullmatch get_dummies isalpha isdigit isnumeric len lower lstrip match pad rsplit"
    " rstrip split startswith strip title upper zfill"
)
"""Methods of columns of texts."""
_OF_PYTHON = (
    "as_py date day_name isoformat month_name normalize strftime timestamp to_dict to_dicts to_list to_numpy to_pandas"
    " to_datetime64 to_pydatetime to_pydict to_pylist to_pytimedelta to_records to_timedelta64 tolist total_seconds"
)
"""Methods of tables that give objects of Python, and arrays."""
RUN_THROUGH = frozenset(["iter_columns", "iter_rows", "iterrows", "items", "itertuples"])
"""Methods of tables that give an iterator, a new one each time."""
_EVERYWHERE = _words("to_dense to_ndarray to_numpy toarray todense tolist")
"""Names under which libraries of all kinds give the numbers of an object."""

_OF_TABLES = _words(_OF_NUMBERS, _OF_PARTS, _OF_FORMS, _OF_TEXTS, _OF_PYTHON) | RUN_THROUGH
_OF_QUANTITIES = _EVERYWHERE | _words(
    "check decompose in_base in_cgs in_mks in_units is_compatible_with is_equivalent m_as to to_base_units to_pandas"
    " to_reduced_units to_root_units to_value"
)
"""Methods of quantities with units."""
_METHODS = {
    **dict.fromkeys(["pandas", "polars", "pyarrow", "xarray"], _OF_TABLES),
    **dict.fromkeys(["astropy", "pint", "unyt"], _OF_QUANTITIES),
}

_INDICES = "Index CategoricalIndex DatetimeIndex IntervalIndex MultiIndex PeriodIndex RangeIndex TimedeltaIndex"
_OF_PANDAS = (
    "Categorical DataFrame Grouper Interval Period Series Timedelta Timestamp bdate_range concat cut date_range"
    " factorize get_dummies isna isnull merge merge_asof notna notnull period_range qcut timedelta_range to_datetime"
    " to_numeric to_timedelta unique"
)
_OF_XARRAY = "DataArray Dataset Variable concat full_like merge ones_like where zeros_like"
_MADE = {
    "pandas": _words(_INDICES, _OF_PANDAS),
    "polars": frozenset(["DataFrame", "Series", "concat"]),
    "pyarrow": frozenset(["array", "chunked_array", "scalar", "table"]),
    "xarray": _words(_OF_XARRAY),
    "astropy": frozenset(["Quantity"]),
    "pint": frozenset(["Quantity", "Unit"]),
    "unyt": frozenset(["unyt_array", "unyt_quantity"]),
}
"""Classes and functions of such libraries."""

_NAMING = _words("__getattr__ get_name get_symbol parse_unit_name parse_units parse_units_as_container")
"""Methods by which a registry of units finds what a text names."""

_TOLD = frozenset(["inplace", "in_place"])
"""Options that let a method store into its object."""
_EXACT = frozenset([type(None), bool, int, float, complex, str, bytes, slice, np.ndarray, np.float64, np.int64])
_PLAIN = (type, np.ufunc, types.BuiltinFunctionType, types.MethodDescriptorType, type(np.sum))
"""Classes of what is no iterator, and calls no code of the user's."""
_HOLDERS = (type, types.ModuleType, type(None))
"""Classes of what holds functions that are no methods of it."""
_COMPILED = "cython_function_or_method"


def only_reads(f: Any) -> bool:
    """Tell whether a callable is one of a library that is known to read, to compute, or to make a new object; of a
    method, as long as what it is given leaves it to that.

    >>> only_reads(print), only_reads([].append)
    (False, False)
    """
    own = f.__func__ if isinstance(f, types.MethodType) else f
    if isinstance(own, types.FunctionType) and is_users(own.__code__.co_filename):
        return False  # what wraps one of these has its name
    if isinstance(f, types.MethodType | types.BuiltinMethodType) and not isinstance(f.__self__, _HOLDERS):
        return own_name(f) in _methods_of(f.__self__)
    if not isinstance(f, type | types.FunctionType | types.BuiltinFunctionType) and type(f).__name__ != _COMPILED:
        return False
    return "." not in f.__qualname__ and own_name(f) in _MADE.get(_library(f), ())  # a method may be given any object


def finds_names(f: types.FunctionType) -> bool:
    """Tell whether a function finds what a text names in a registry of units: a unit, and no number."""
    return f.__name__ in _NAMING and f.__module__.startswith("pint.") and not is_users(f.__code__.co_filename)


def _methods_of(x: Any) -> frozenset[str]:
    """The methods of an object that only read."""
    return frozenset() if is_table(type(x)) and _is_deferred(x) else reading_methods(type(x))


def reading_methods(cls: type) -> frozenset[str]:
    """The methods of a class that only read, of objects that are there already."""
    known = _METHODS.get(_library(cls))
    if known is not None:
        return known if is_table(cls) else frozenset()
    filename = getattr(sys.modules.get(module_of(cls)), "__file__", None) or ""
    installed = "-packages" in filename and not is_ours(filename) and not hasattr(cls, "__next__")
    return _EVERYWHERE if installed else frozenset()


def _library(x: Any) -> str:
    return module_of(x).partition(".")[0]


def _is_deferred(x: Any) -> bool:
    """Tell whether a table is not computed yet, or an expression that is part of one: it may run any function then."""
    graph = getattr(type(x), "__dask_graph__", None)
    named = not _DEFERRED.isdisjoint([base.__name__ for base in type(x).__mro__])  # `Then` of Polars is an `Expr`
    return named or graph is not None and graph(x) is not None


_DEFERRED = frozenset(["Expr", "LazyFrame"])


def leaves_reading(args: Iterable[Any], kwargs: Mapping[str, Any]) -> bool:
    """Tell whether what such a call is given leaves it to read: nothing tells it to store, is used up, or runs code of
    the user's.

    >>> leaves_reading((0.0,), {"inplace": False}), leaves_reading((), {"inplace": True})
    (True, False)
    >>> leaves_reading((iter("a"),), {}), leaves_reading((["a", np.mean],), {})
    (False, True)
    """
    if kwargs and (any([kwargs.get(name) for name in _TOLD]) or any(map(_runs, kwargs.values()))):
        return False
    return not any([x is True or _runs(x) for x in args])


def _runs(x: Any, depth: int = 3) -> bool:
    """Tell whether a value may run code of the user's, or be used up."""
    cls = type(x)
    if cls in _EXACT:
        return False
    if cls in (list, tuple, dict):
        return not depth or any([_runs(item, depth - 1) for item in (x.values() if cls is dict else x)])
    if is_users_class(x if isinstance(x, type) else cls):
        return True
    if is_table(cls):
        return _is_deferred(x)
    return not isinstance(x, _PLAIN) and (callable(x) or hasattr(cls, "__next__"))


def is_table(cls: type) -> bool:
    """Tell whether objects of a class are tables, columns or quantities of such a library, which may be run through
    again and again.

    >>> is_table(list)
    False
    """
    return _library(cls) in _METHODS and not hasattr(cls, "__next__")


__all__ = ["RUN_THROUGH", "finds_names", "is_table", "leaves_reading", "only_reads", "reading_methods"]
