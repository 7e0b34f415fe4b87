"""Programs run by Python with the arithmetic of compiled ones: nothing raises, as where Numba compiles for NumPy."""

from __future__ import annotations

import math
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from adjoint.compiled import functions, programs


def as_compiled(name: str, text: str) -> Callable[..., Any]:
    """The program run by Python, where x / 0 is infinite, log(-1) is nan, and so on."""
    run = programs.as_python(name, text)
    space = {"math": MATH, "np": np, "float": np.float64, **functions.CONSTANTS}
    space.update({name: types.FunctionType(f.__code__, space, name) for name, f in functions.FUNCTIONS.items()})
    run.__globals__.update(space)

    def quiet(*args: Any) -> Any:
        with np.errstate(all="ignore"):
            return run(*[np.float64(x) if type(x) is float else x for x in args])

    return quiet


def _of_number(f: Callable[..., Any], at_poles: Any = math.nan) -> Callable[..., Any]:
    def of_number(*xs: Any) -> Any:
        try:
            return np.float64(f(*map(float, xs)))
        except OverflowError:
            return np.float64(math.inf)
        except ValueError:
            return np.float64(at_poles)

    return of_number


UFUNCS = {
    "asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "asinh": "arcsinh", "acosh": "arccosh",
    "atanh": "arctanh",
}  # fmt: skip
MATH = types.SimpleNamespace(**vars(math))
for _name in ("exp", "log", "sqrt", "sin", "cos", "tan", "sinh", "cosh", "tanh", "expm1", "log1p", "log2", "log10",
              "hypot", "copysign", *UFUNCS):  # fmt: skip
    setattr(MATH, _name, getattr(np, UFUNCS.get(_name, _name)))
for _name in ("erf", "erfc", "fmod"):
    setattr(MATH, _name, _of_number(getattr(math, _name)))
MATH.lgamma, MATH.gamma = _of_number(math.lgamma, math.inf), _of_number(math.gamma)
