"""Sums, means and the like of Series and frames, by methods and by the functions of NumPy."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, attr-defined"

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ...tangents.tables import kind_of
from ..missing import is_missing_any, reduced
from ..registry import non_differentiable
from ..tables import copied, declare, declare_by_arrays, refuse, values_of

AXES: dict[Any, int] = {0: 0, "index": 0, "rows": 0, 1: 1, "columns": 1}
OF_NUMBERS = {name: (getattr(np, name), getattr(np, f"nan{name}")) for name in ("sum", "prod", "mean", "max", "min")}
OF_NUMBERS["median"] = np.median, np.nanmedian


def axis_of(self: Any, axis: Any) -> int | None:
    """The axis that is reduced; None for all numbers."""
    return None if axis is None or isinstance(self, pd.Series) else AXES[axis]


def has_gaps(self: Any, skipna: bool) -> bool:
    """Tell whether numbers are missing, and are left out."""
    kind = kind_of(self)
    return skipna and is_missing_any(copied(self) if kind is None else kind.seen(self))


def check_options(name: str, min_count: int = 0, level: Any = None) -> None:
    """Refuse options that change what is reduced."""
    if min_count or level is not None:
        refuse(f"`{name}`", "it gives nothing where there are few numbers")


non_differentiable(axis_of, has_gaps, check_options)


def _declare_reduction(name: str) -> None:
    plain, with_gaps = OF_NUMBERS[name]

    def frame(self: Any, axis: Any = 0, skipna: Any = True, numeric_only: Any = False) -> Any:
        """Along the rows, unless another axis is given."""
        f = with_gaps if has_gaps(self, skipna) else plain
        return reduced(f, values_of(self), axis_of(self, axis))

    def counted(self: Any, axis: Any = 0, skipna: Any = True, numeric_only: Any = False, min_count: Any = 0) -> Any:
        """Along the rows, unless another axis is given."""
        check_options(name, min_count)
        f = with_gaps if has_gaps(self, skipna) else plain
        return reduced(f, values_of(self), axis_of(self, axis))

    program = counted if name in ("sum", "prod") else frame
    declare_by_arrays(getattr(pd.Series, name), getattr(pd.DataFrame, name))(program)


for _name in OF_NUMBERS:
    _declare_reduction(_name)


def _declare_spread(name: str) -> None:
    def spread(self: Any, axis: Any = 0, skipna: Any = True, ddof: Any = 1, numeric_only: Any = False) -> Any:
        """About the mean, by one less than there are numbers."""
        f = getattr(np, f"nan{name}") if has_gaps(self, skipna) else getattr(np, name)
        return reduced(f, values_of(self), axis_of(self, axis), ddof=ddof)

    declare_by_arrays(getattr(pd.Series, name), getattr(pd.DataFrame, name))(spread)


for _name in ("std", "var"):
    _declare_spread(_name)


def running(f: Any, neutral: float, self: Any, axis: Any, skipna: Any) -> Any:
    """The results of a function up to each number."""
    numbers, along = values_of(self), axis_of(self, axis) or 0
    if not has_gaps(self, skipna):
        return f(numbers, axis=along)
    missing = np.isnan(numbers)
    return np.where(missing, np.nan, f(np.where(missing, neutral, numbers), axis=along))


@declare_by_arrays(pd.Series.cumsum, pd.DataFrame.cumsum)
def running_sum(self, axis=0, skipna=True):
    """Sums up to each number; those that are missing stay so."""
    return running(np.cumsum, 0.0, self, axis, skipna)


@declare_by_arrays(pd.Series.cumprod, pd.DataFrame.cumprod)
def running_product(self, axis=0, skipna=True):
    """Products up to each number; those that are missing stay so."""
    return running(np.cumprod, 1.0, self, axis, skipna)


@declare_by_arrays(pd.Series.diff, pd.DataFrame.diff)
def difference(self, periods=1):
    """The difference of each number from an earlier one."""
    if not 0 < periods <= len(self):
        refuse("`diff`", "its periods go backwards, or beyond the first row")
    numbers = values_of(self)
    gap = np.full(numbers[:periods].shape, np.nan)
    return np.concatenate((gap, numbers[periods:] - numbers[:-periods]))


def _declare_function(name: str) -> None:
    f = getattr(np, name)
    gaps = getattr(np, f"nan{name}")

    def of_numpy(a: Any, axis: Any = None) -> Any:
        """As the method of the same name; all numbers, unless an axis is given."""
        g = gaps if has_gaps(a, True) else f
        default = None if name in ("sum", "prod", "mean", "max", "min") else 0
        return reduced(g, values_of(a), axis_of(a, default if axis is None else axis))

    declare(f, of_numpy, of_numpy, {"a": pd.Series | pd.DataFrame})


for _name in ("sum", "prod", "mean", "max", "min", "std", "var"):
    _declare_function(_name)
