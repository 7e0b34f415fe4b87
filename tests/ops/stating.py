"""What the rows of operations say of a call's result, and whether that is true of a value."""

from __future__ import annotations

from typing import Any

import numpy as np

from adjoint.ir.nodes import Const, Var
from adjoint.ir.types import UNKNOWN, Array, Dict, Keyed, Known, List, Maybe, Scalar, Tuple, Type, Variadic, View
from adjoint.rules.registry import find_rules
from adjoint.runtime.typeof import typeof
from adjoint.transforms.results import result_type

PYTHON = (bool, int, float, complex)
OF_NUMPY = (np.float64, np.complex128)
"""Numbers of NumPy's that are floats and complex numbers of Python's."""


def atom_of(x: Any, known: bool) -> Any:
    """A variable of this type, or the constant."""
    constant = known and isinstance(x, (*PYTHON, tuple)) or x is None or callable(x) or isinstance(x, str | np.dtype)
    return Const(x) if constant else Var("x", typeof(x), False)


def stated(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], known: bool) -> Type:
    """What specialisation says of a call, of variables or with constants after the first argument."""
    atoms = [atom_of(x, known and i > 0) for i, x in enumerate(args)]
    named = [(name, atom_of(x, known)) for name, x in kwargs.items()]
    return result_type(f, atoms, named, find_rules(f))


def holds(said: Type, y: Any) -> bool:
    """Whether what is said is true of a value. A number that is said to be a float may be an int, an array without a
    dtype may be a number of Python's, a number of NumPy's without one may be narrower: derivatives are the same."""
    match said:
        case Scalar(kind):
            below = PYTHON[: 1 + [t.__name__ for t in PYTHON].index(kind)]
            return type(y) in below or type(y) in OF_NUMPY and isinstance(y, below)
        case Array(kind) if kind not in "biufc":
            return True  # it says nothing of items
        case Array(kind, dtype, ndim, scalar):
            if not dtype and type(y) in PYTHON:
                return ndim in (0, None) and scalar is not False
            if not dtype and scalar and isinstance(y, np.generic) and y.dtype.kind in "biuf":
                return "buifc".find(y.dtype.kind) <= "buifc".find(kind) and ndim in (None, 0)
            named = isinstance(y, np.ndarray | np.generic) and dtype in ("", y.dtype.name)
            return named and y.dtype.kind == kind and ndim in (None, y.ndim) and scalar in (None, np.isscalar(y))
        case List(item):
            return type(y) is list and all(holds(item, x) for x in y)
        case Variadic(item):
            return type(y) is tuple and all(holds(item, x) for x in y)
        case Keyed(_, entries):
            same = type(y) is dict and [*y] == [name for name, _ in entries]
            return same and all(holds(t, y[name]) for name, t in entries)
        case Dict(item):
            return type(y) is dict and all(holds(item, x) for x in y.values())
        case Tuple(items, cls):
            return type(y) is cls and len(y) == len(items) and all(map(holds, items, y))
        case View(item, cls):
            return type(y) is cls and all(holds(item, x) for x in y)
        case Maybe(item):
            return y is None or holds(item, y)
        case Known(value):
            return y is value
    return said == UNKNOWN or said == typeof(y)
