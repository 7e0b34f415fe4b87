"""Arithmetic of arrays of xarray with agreeing labels, with each other, with arrays and with numbers."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, attr-defined"

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import xarray as xr

from ..missing import entrywise
from ..registry import non_differentiable
from ..tables import declare, declare_by_arrays, declare_ufuncs, name_of, refuse, values_of

BINARY = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "pow": operator.pow,
    "mod": operator.mod,
    "floordiv": operator.floordiv,
}
ALIGNED = "labels along a dimension differ, so that xarray takes those that both have"


def check_aligned(f: Any, *operands: Any) -> None:
    """Refuse operands that xarray brings to common labels."""
    arrays = [x for x in operands if isinstance(x, xr.DataArray)]
    for x in arrays[1:]:
        for d in {*x.dims} & {*arrays[0].dims}:
            both = d in x.indexes and d in arrays[0].indexes
            if x.sizes[d] != arrays[0].sizes[d] or both and not x.indexes[d].equals(arrays[0].indexes[d]):
                refuse(name_of(f), ALIGNED)
    if any([isinstance(x, xr.Dataset | xr.Variable) for x in operands]):
        refuse(name_of(f), "it is of a data set, or of a variable without coordinates")


def dims_of(*operands: Any) -> tuple[Any, ...]:
    """The dimensions of what is combined, in xarray's order."""
    return tuple(dict.fromkeys([d for x in operands if isinstance(x, xr.DataArray) for d in x.dims]))


def order_in(x: Any, dims: tuple[Any, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The axes of an array in the order of dimensions, and its shape with those that it has not."""
    return tuple([x.dims.index(d) for d in dims if d in x.dims]), tuple([x.sizes.get(d, 1) for d in dims])


def is_array(x: Any) -> bool:
    """Tell whether a value is an array of xarray."""
    return isinstance(x, xr.DataArray)


non_differentiable(check_aligned, dims_of, order_in, is_array)


def spread(x: Any, dims: tuple[Any, ...]) -> Any:
    """The numbers with an axis for each dimension."""
    if not is_array(x):
        return values_of(x)
    order, shape = order_in(x, dims)
    return np.reshape(np.transpose(values_of(x), order), shape)


def combined(f: Any, *operands: Any) -> Any:
    """The result of a function of numbers for arrays, dimension by dimension."""
    check_aligned(f, *operands)
    dims = dims_of(*operands)
    return entrywise(f, *[spread(x, dims) for x in operands])


def _declare_operators(name: str, f: Any) -> None:
    def forth(self: Any, other: Any) -> Any:
        """The numbers are combined one by one."""
        return combined(f, self, other)

    def reflected(self: Any, other: Any) -> Any:
        """The numbers are combined one by one, those of the other operand first."""
        return combined(f, other, self)

    declare_by_arrays(getattr(xr.DataArray, f"__{name}__"))(forth)
    declare_by_arrays(getattr(xr.DataArray, f"__r{name}__"))(reflected)


for _name, _f in BINARY.items():
    _declare_operators(_name, _f)


@declare_by_arrays(xr.DataArray.__neg__)
def negative(self):
    """-x."""
    return -values_of(self)


@declare_by_arrays(xr.DataArray.__pos__)
def positive(self):
    """x."""
    return +values_of(self)


@declare_by_arrays(xr.DataArray.__abs__)
def absolute(self):
    """|x|."""
    return entrywise(np.abs, values_of(self))


declare(abs, absolute, absolute, {"self": xr.DataArray})


def letters(a: Any, b: Any, dim: Any) -> str:
    """The subscripts of a product for `np.einsum`: it sums over the dimensions that both have, unless others are
    named."""
    shared = {d for d in a.dims if d in b.dims}
    summed = shared if dim is None else {*a.dims, *b.dims} if dim is ... else {dim} if isinstance(dim, str) else {*dim}
    known = {d: chr(ord("a") + i) for i, d in enumerate(dims_of(a, b))}
    kept = "".join([known[d] for d in known if d not in summed])
    return f"{''.join([known[d] for d in a.dims])},{''.join([known[d] for d in b.dims])}->{kept}"


def product(a, b, dim=None):
    """Summed over the dimensions that both have."""
    check_aligned("dot", a, b)
    return np.einsum(letters(a, b, dim), values_of(a), values_of(b))


non_differentiable(letters)


@declare_by_arrays(xr.DataArray.dot)
def dot(self, other, dim=None):
    """Summed over the dimensions that both have."""
    return product(self, other, dim)


@declare_by_arrays(xr.DataArray.__matmul__)
def matmul(self, obj):
    """Summed over the dimensions that both have."""
    return product(self, obj)


@declare_by_arrays(xr.DataArray.__rmatmul__)
def reflected_matmul(self, other):
    """Summed over the dimensions that both have."""
    return product(other, self)


@declare_by_arrays(xr.DataArray.clip)
def clipped(self, min=None, max=None):  # noqa: A002
    """Between bounds."""
    return combined(np.clip, self, min, max)


@declare_by_arrays(xr.DataArray.where)
def where(self, cond, other=np.nan):
    """x where the condition holds."""
    check_aligned("where", self, cond, other)
    dims = dims_of(self, cond, other)
    return np.where(flags(cond, dims), spread(self, dims), spread(other, dims))


@declare_by_arrays(xr.DataArray.fillna)
def filled(self, value):
    """x where it is a number, else the value."""
    check_aligned("fillna", self, value)
    dims = dims_of(self, value)
    numbers = spread(self, dims)
    return np.where(np.isnan(numbers), spread(value, dims), numbers)


def flags(cond: Any, dims: tuple[Any, ...]) -> Any:
    """A condition as an array with an axis for each dimension."""
    if not isinstance(cond, xr.DataArray):
        return np.asarray(cond)
    order, shape = order_in(cond, dims)
    return np.reshape(np.transpose(cond.to_numpy(), order), shape)


non_differentiable(flags)


def ufunc_program(f: np.ufunc) -> Any:
    """The numbers are combined one by one."""

    def elementwise(*operands: Any) -> Any:
        """The numbers are combined one by one."""
        return combined(f, *operands)

    return elementwise


declare_ufuncs(xr.DataArray, ufunc_program)
