"""Sums, means and the like of arrays of xarray, along dimensions by name."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, attr-defined"

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import xarray as xr

from ..missing import is_missing_any, reduced
from ..registry import non_differentiable
from ..tables import copied, declare, declare_by_arrays, refuse, values_of

OF_NUMBERS = ("sum", "prod", "mean", "max", "min", "median")
SPREAD = ("std", "var")


def axes_of(self: Any, dim: Any) -> tuple[int, ...] | None:
    """The axes of dimensions; None for all."""
    if dim is None or dim is ...:
        return None
    names = [dim] if isinstance(dim, str) or not isinstance(dim, Iterable) else list(dim)
    if any([name not in self.dims for name in names]):  # xarray before 2026 gave the array itself back
        refuse(f"a method along `{dim!r}`", f"the dimensions are {self.dims}")
    return tuple([self.dims.index(name) for name in names])


def axis_of(self: Any, dim: Any) -> int:
    """The axis of one dimension."""
    axes = axes_of(self, dim)
    if axes is None or len(axes) != 1:
        refuse("a running sum or a difference", "it is along one dimension")
    assert axes is not None
    return axes[0]


def has_gaps(self: Any, skipna: Any) -> bool:
    """Tell whether numbers are missing, and are left out."""
    return skipna is not False and is_missing_any(copied(self))


def check_options(name: str, min_count: Any) -> None:
    """Refuse to give nothing where there are few numbers."""
    if min_count is not None:
        refuse(f"`{name}`", "it gives nothing where there are few numbers")


non_differentiable(axes_of, axis_of, has_gaps, check_options)


def _declare(name: str) -> None:
    plain, with_gaps = getattr(np, name), getattr(np, f"nan{name}")

    def along(self: Any, dim: Any = None, skipna: Any = None, min_count: Any = None) -> Any:
        """All numbers, unless dimensions are given."""
        check_options(name, min_count)
        f = with_gaps if has_gaps(self, skipna) else plain
        return reduced(f, values_of(self), axes_of(self, dim))

    def about(self: Any, dim: Any = None, skipna: Any = None, ddof: Any = 0) -> Any:
        """About the mean of all numbers, unless dimensions are given."""
        f = with_gaps if has_gaps(self, skipna) else plain
        return reduced(f, values_of(self), axes_of(self, dim), ddof=ddof)

    def of_numpy(a: Any, axis: Any = None) -> Any:
        """As the method of the same name."""
        f = with_gaps if has_gaps(a, True) else plain
        return reduced(f, values_of(a), axis)

    declare_by_arrays(getattr(xr.DataArray, name))(about if name in SPREAD else along)
    if name != "median":
        declare(plain, of_numpy, of_numpy, {"a": xr.DataArray})


for _name in (*OF_NUMBERS, *SPREAD):
    _declare(_name)


@declare_by_arrays(xr.DataArray.cumsum)
def running_sum(self, dim, skipna=None):
    """Sums up to each number."""
    f = np.nancumsum if has_gaps(self, skipna) else np.cumsum
    return f(values_of(self), axis=axis_of(self, dim))


@declare_by_arrays(xr.DataArray.diff)
def difference(self, dim, n=1):
    """The difference of each number from the one before."""
    return np.diff(values_of(self), n, axis=axis_of(self, dim))
