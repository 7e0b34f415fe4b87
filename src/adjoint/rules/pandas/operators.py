"""Arithmetic of Series and frames of the same labels, with each other, with arrays and with numbers."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc, attr-defined"

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pandas as pd

from ..missing import entrywise
from ..registry import non_differentiable
from ..tables import declare, declare_by_arrays, declare_ufuncs, name_of, refuse, values_of
from .kinds import is_of_floats
from .selections import methods

BINARY = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "truediv": operator.truediv,
    "pow": operator.pow,
    "mod": operator.mod,
    "floordiv": operator.floordiv,
}
NAMED = {**{name: f for name, f in BINARY.items()}, "div": operator.truediv, "divide": operator.truediv}
NAMED |= {"multiply": operator.mul, "subtract": operator.sub}
ALIGNED = (
    "labels differ, so that pandas aligns them, and fills with what is missing",
    "labels of a Series and columns of a frame differ, so that pandas aligns them",
)


def check_aligned(f: Any, *operands: Any) -> None:
    """Refuse operands that pandas brings to common labels: these are the same already, or the operand has none."""
    frames = [x for x in operands if isinstance(x, pd.DataFrame)]
    columns = [x for x in operands if isinstance(x, pd.Series)]
    for group in (frames, columns):
        if any([not x.axes[i].equals(group[0].axes[i]) for x in group[1:] for i in range(x.ndim)]):
            refuse(name_of(f), ALIGNED[0])
    if frames and any([not x.index.equals(frames[0].columns) for x in columns]):
        refuse(name_of(f), ALIGNED[1])


non_differentiable(check_aligned)


def _declare_operators(name: str, f: Any) -> None:
    def combined(self: Any, other: Any) -> Any:
        """The numbers are combined one by one."""
        check_aligned(f, self, other)
        return entrywise(f, values_of(self), values_of(other))

    def reflected(self: Any, other: Any) -> Any:
        """The numbers are combined one by one, those of the other operand first."""
        check_aligned(f, self, other)
        return entrywise(f, values_of(other), values_of(self))

    declare_by_arrays(*methods(f"__{name}__"))(combined)
    declare_by_arrays(*methods(f"__r{name}__"))(reflected)


for _name, _f in BINARY.items():
    _declare_operators(_name, _f)


def _declare_named(name: str, f: Any) -> None:
    def series(self: Any, other: Any, level: Any = None, fill_value: Any = None, axis: Any = 0) -> Any:
        """As the operator."""
        check_plain(f, level, fill_value)
        check_aligned(f, self, other)
        return entrywise(f, values_of(self), values_of(other))

    def frame(self: Any, other: Any, axis: Any = "columns", level: Any = None, fill_value: Any = None) -> Any:
        """As the operator; a Series may go along the rows."""
        check_plain(f, level, fill_value)
        if isinstance(other, pd.Series) and axis in (0, "index"):
            check_rows(f, self, other)
            return entrywise(f, values_of(self), values_of(other)[:, None])
        check_aligned(f, self, other)
        return entrywise(f, values_of(self), values_of(other))

    for cls, program in ((pd.Series, series), (pd.DataFrame, frame)):
        declare_by_arrays(getattr(cls, name))(program)


def check_plain(f: Any, level: Any, fill_value: Any) -> None:
    """Refuse options that bring operands to common labels."""
    if level is not None or fill_value is not None:
        refuse(name_of(f), ALIGNED[0])


def check_rows(f: Any, a: Any, b: Any) -> None:
    """Refuse a Series that has other labels than the rows of a frame."""
    if not a.index.equals(b.index):
        refuse(name_of(f), ALIGNED[1])


non_differentiable(check_plain, check_rows)

for _name, _f in NAMED.items():
    _declare_named(_name, _f)


@declare_by_arrays(*methods("__neg__"))
def negative(self):
    """-x."""
    return -values_of(self)


@declare_by_arrays(*methods("__pos__"))
def positive(self):
    """x."""
    return +values_of(self)


@declare_by_arrays(*methods("__abs__", "abs"))
def absolute(self):
    """|x|."""
    return entrywise(np.abs, values_of(self))


declare(abs, absolute, absolute, {"self": pd.Series | pd.DataFrame})


def check_inner(f: Any, a: Any, b: Any) -> None:
    """Refuse a product along labels that differ."""
    inner = [x.axes[i] for x, i in ((a, -1), (b, 0)) if isinstance(x, pd.Series | pd.DataFrame)]
    if len(inner) == 2 and not inner[0].equals(inner[1]):
        refuse(name_of(f), ALIGNED[0])


non_differentiable(check_inner)


def product(self, other):
    """Rows times columns, along the same labels."""
    check_inner(operator.matmul, self, other)
    return values_of(self) @ values_of(other)


def reflected_product(self, other):
    """The other operand's rows times columns."""
    check_inner(operator.matmul, other, self)
    return values_of(other) @ values_of(self)


declare_by_arrays(*methods("__matmul__", "dot"))(product)
declare_by_arrays(*methods("__rmatmul__"))(reflected_product)


@declare_by_arrays(pd.Series.clip, pd.DataFrame.clip)
def clipped(self, lower=None, upper=None, axis=None):
    """Between bounds, which are numbers or of the same labels."""
    check_aligned("clip", self, lower, upper)
    return np.clip(values_of(self), values_of(lower), values_of(upper))


def check_floats(dtype: Any) -> None:
    """Refuse to make other than floats of numbers."""
    if not is_of_floats(dtype):
        refuse("`astype` to other than floats", "nothing flows through these")


def numpy_dtype(dtype: Any) -> Any:
    """NumPy's dtype of the numbers of one of pandas'."""
    return np.dtype(f"f{pd.api.types.pandas_dtype(dtype).itemsize}")


non_differentiable(check_floats, numpy_dtype)


@declare_by_arrays(*methods("astype"))
def as_floats(self, dtype, copy=True, errors="raise"):
    """The same numbers."""
    check_floats(dtype)
    return values_of(self).astype(numpy_dtype(dtype))


def chosen(self, cond, other, turned):
    """The values where a condition of the same labels holds, and another value elsewhere."""
    check_aligned("where", self, cond, other)
    return np.where(flags(cond) != turned, values_of(self), values_of(other))


def flags(cond: Any) -> Any:
    """A condition as an array."""
    return np.asarray(cond)


non_differentiable(flags)


@declare_by_arrays(pd.Series.where, pd.DataFrame.where)
def where(self, cond, other=np.nan):
    """x where the condition holds."""
    return chosen(self, cond, other, False)


@declare_by_arrays(pd.Series.mask, pd.DataFrame.mask)
def mask(self, cond, other=np.nan):
    """x where the condition does not hold."""
    return chosen(self, cond, other, True)


@declare_by_arrays(pd.Series.fillna, pd.DataFrame.fillna)
def filled(self, value):
    """x where it is a number, else the value."""
    check_aligned("fillna", self, value)
    numbers = values_of(self)
    return np.where(np.isnan(numbers), values_of(value), numbers)


def ufunc_program(f: np.ufunc) -> Any:
    """The numbers are combined one by one."""

    def elementwise(*operands: Any) -> Any:
        """The numbers are combined one by one."""
        check_aligned(f, *operands)
        return entrywise(f, *[values_of(x) for x in operands])

    return elementwise


declare_ufuncs(pd.Series | pd.DataFrame, ufunc_program)
