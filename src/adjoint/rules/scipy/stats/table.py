"""The table of distributions: its log density and distribution functions, in terms of differentiable functions.

All are of the standard form: of z = (x - loc) / scale and the shapes.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Formula = Callable[..., Any]


@dataclass(frozen=True, eq=False)
class Distribution:
    """The formulas of one family; None where there is none. `support` is the range of z, None if shapes change it."""

    logpdf: Formula | None = None
    cdf: Formula | None = None
    sf: Formula | None = None
    logcdf: Formula | None = None
    logsf: Formula | None = None
    mean: Formula | None = None
    var: Formula | None = None
    entropy: Formula | None = None
    support: tuple[float, float] | None = None


TABLE: dict[type, Distribution] = {}
"""By the class of SciPy's object."""


REAL_LINE = (-np.inf, np.inf)
HALF_LINE = (0.0, np.inf)


def distribution(*objects: Any, **formulas: Any) -> None:
    """Enter a distribution into the table."""
    for each in objects:
        TABLE[type(each)] = Distribution(**formulas)


def formula_of(cls: type, name: str) -> Formula | None:
    """The formula of a function; one that is missing follows from another one."""
    known = TABLE.get(cls)
    if known is None:
        return None
    found: Formula | None = getattr(known, name)
    for other, made in _FROM.get(name, {}).items():
        inner: Formula | None = getattr(known, other)
        if found is None and inner is not None:
            found = _COMBINED.setdefault((cls, name), combined(inner, made))
    return found


_COMBINED: dict[tuple[type, str], Formula] = {}


def combined(inner: Formula, outer: Formula) -> Formula:
    """outer(inner(z, ...))."""
    return lambda *args: outer(inner(*args))


def one_minus(p: Any) -> Any:
    """1 - p."""
    return 1.0 - p


def log_one_minus(p: Any) -> Any:
    """log(1 - p)."""
    return np.log1p(-p)


def minus_expm1(q: Any) -> Any:
    """1 - exp(q)."""
    return -np.expm1(q)


def log_minus_expm1(q: Any) -> Any:
    """log(1 - exp(q))."""
    return np.log(-np.expm1(q))


_FROM: dict[str, dict[str, Formula]] = {
    "cdf": {"logcdf": np.exp, "sf": one_minus, "logsf": minus_expm1},
    "sf": {"logsf": np.exp, "cdf": one_minus, "logcdf": minus_expm1},
    "logcdf": {"cdf": np.log, "sf": log_one_minus, "logsf": log_minus_expm1},
    "logsf": {"sf": np.log, "cdf": log_one_minus, "logcdf": log_minus_expm1},
}
"""By what other formula, and how, one is found; the first that there is counts."""
