"""What is known of each distribution: its log density and distribution functions, in terms of differentiable functions.

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
    """The formulas of one family; None where there is none."""

    logpdf: Formula | None = None
    cdf: Formula | None = None
    sf: Formula | None = None
    logcdf: Formula | None = None
    logsf: Formula | None = None
    mean: Formula | None = None
    var: Formula | None = None
    entropy: Formula | None = None


TABLE: dict[type, Distribution] = {}
"""By the class of SciPy's object."""


def distribution(*objects: Any, **formulas: Formula) -> None:
    """Enter a distribution into the table."""
    for each in objects:
        TABLE[type(each)] = Distribution(**formulas)


def formula_of(cls: type, name: str) -> Formula | None:
    """The formula of a function; one that is missing follows from another one."""
    known = TABLE.get(cls)
    if known is None:
        return None
    found: Formula | None = getattr(known, name, None)
    if found is not None:
        return found
    if name == "cdf":
        return _combined(cls, name, known.logcdf, np.exp) or _combined(cls, name, known.sf, one_minus)
    if name == "sf":
        return _combined(cls, name, known.logsf, np.exp) or _combined(cls, name, known.cdf, one_minus)
    if name == "logcdf":
        return _combined(cls, name, known.cdf, np.log) or _combined(cls, name, known.sf, log_one_minus)
    if name == "logsf":
        return _combined(cls, name, known.sf, np.log) or _combined(cls, name, known.cdf, log_one_minus)
    return None


_COMBINED: dict[tuple[type, str], Formula] = {}


def _combined(cls: type, name: str, inner: Formula | None, outer: Formula) -> Formula | None:
    """outer(inner(z, ...)), made once."""
    if inner is None:
        return None
    if (cls, name) not in _COMBINED:

        def combined(*args: Any) -> Any:
            return outer(inner(*args))

        _COMBINED[cls, name] = combined
    return _COMBINED[cls, name]


def one_minus(p: Any) -> Any:
    """1 - p."""
    return 1.0 - p


def log_one_minus(p: Any) -> Any:
    """log(1 - p)."""
    return np.log1p(-p)
