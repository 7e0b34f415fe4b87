"""Result types of functions of NumPy that are calculated item by item."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..ir.types import BOOL, COMPLEX, FLOAT, INT, MIXED, UNKNOWN, Array, List, Scalar, Tuple, Type
from .arithmetic import as_real, elementwise, is_number
from .given import Given
from .numpy import of
from .registry import gives
from .words import NUMBER, as_array, of_usual

REAL_OF = {"complex128": "float64", "complex64": "float32"}
WHOLE = Array("i", "", 0, True)
"""The type of an integer of NumPy's."""


def by_item(of_types: Callable[[Sequence[Type]], Type]) -> Callable[[Given], Type]:
    """The type of a function of numbers and arrays, where no option says of what kind it is."""

    @of_usual
    def typed(given: Given) -> Type:
        types = [as_array(t) if isinstance(t, (List, Tuple)) else t for t in given.by_place]
        t = of_types(types) if types and all(map(is_number, types)) else UNKNOWN
        return _of_any_rank(t) if "where" in given.names else t

    return typed


def _of_any_rank(t: Type) -> Type:
    """The same of any shape: what `where` is given broadcasts with the numbers."""
    if isinstance(t, Tuple):
        return Tuple(tuple(map(_of_any_rank, t.items)), t.cls)
    return replace(t, ndim=None, scalar=None) if isinstance(t, Array) else UNKNOWN


def rounding(types: Sequence[Type]) -> Type:
    """Of integers and flags floats, as of `np.sin`; of flags alone they are of half precision."""
    t = as_real(types)
    if isinstance(t, Array):
        return Array(t.kind, "", t.ndim, t.scalar) if t.dtype == "float16" else t
    if all([x == BOOL for x in types]):
        return Array("f", "", 0, True)
    return MIXED if t == COMPLEX else t  # the result may be a real number


def keeping(types: Sequence[Type]) -> Type:
    """Of integers integers, as of `np.add`; of flags it depends on the function."""
    t = elementwise(types)
    if isinstance(t, Array):
        return UNKNOWN if t.kind == "b" else t
    if all([x == BOOL for x in types]):
        return UNKNOWN
    return WHOLE if t == INT else MIXED if t == COMPLEX else t


def real(t: Type) -> Type:
    """The type of a part, or of the absolute value, of what has this type."""
    if isinstance(t, Scalar) and t.kind == "complex":
        return FLOAT
    if isinstance(t, Array) and t.kind == "c":
        return Array("f", REAL_OF.get(t.dtype, ""), t.ndim, t.scalar)
    return t


def conjugated(types: Sequence[Type]) -> Type:
    """`x.conj()`: an array without axes stays one."""
    t = types[0]
    return keeping(types) if not isinstance(t, Array) or t.scalar is True else UNKNOWN if t.kind == "b" else t


def part(types: Sequence[Type]) -> Type:
    """`np.real(x)`: of a number of Python's one of Python's."""
    return real(elementwise(types) if isinstance(types[0], Scalar) else conjugated(types))


def root(types: Sequence[Type]) -> Type:
    """`np.sqrt(x)`: a number of NumPy's."""
    return NUMBER if types[0] in (INT, FLOAT) else rounding(types)


def doubled(types: Sequence[Type]) -> Type:
    """`np.float_power(a, b)`: in double precision."""
    t = rounding(types)
    if not isinstance(t, Array) or t.kind not in "fc":
        return t
    return Array(t.kind, {"float32": "float64", "float64": "float64"}.get(t.dtype, ""), t.ndim, t.scalar)


def array_of_rank0(types: Sequence[Type]) -> Type:
    """`np.i0(x)`: of a number an array without axes, or a number, as NumPy's version has it."""
    t = rounding(types)
    if isinstance(t, Scalar):
        return Array("f", "", 0, None)
    return Array(t.kind, t.dtype, t.ndim, None if t.ndim == 0 else t.scalar) if isinstance(t, Array) else t


def declare(of_types: Callable[[Sequence[Type]], Type], names: str, module: Any = np) -> None:
    gives(by_item(of_types), *of(module, names))


declare(
    rounding, "sin cos tan arcsin arccos arctan arcsinh arccosh arctanh sinh cosh tanh exp exp2 expm1 log log2 log10"
)
declare(rounding, "log1p logaddexp logaddexp2 hypot arctan2 deg2rad rad2deg radians degrees cbrt fabs sinc divide")
declare(rounding, "heaviside copysign nextafter")
declare(root, "sqrt")
declare(doubled, "float_power")
declare(array_of_rank0, "i0")
declare(
    keeping, "positive negative square reciprocal add subtract multiply remainder fmod power maximum minimum fmax fmin"
)
declare(keeping, "conj sign")
declare(lambda types: keeping(types[:1]), "nan_to_num")
declare(lambda types: real(keeping(types)), "absolute")
declare(part, "real imag")
declare(lambda types: real(rounding(types[:1])), "angle")
declare(conjugated, "conj conjugate", np.ndarray)
