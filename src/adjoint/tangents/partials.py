"""A cotangent times a partial derivative, which may be infinite where nothing flows."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite
from typing import Any

import numpy as np

from .lanes import Lanes
from .unknown import Unknown

_SCALARS = frozenset([int, float, complex])


def apply_partial(y_bar: Any, p: Any, singular: bool = False) -> Any:
    """ȳ · conj(p); with `singular`, 0 where ȳ is 0 even if p is not finite, and no warning.

    Examples
    --------
    >>> apply_partial(2.0, 1 + 3j)
    (2-6j)
    >>> apply_partial(0.0, float("inf"), True)
    0.0
    """
    if type(y_bar) is float and type(p) is float:
        return y_bar * p if y_bar or not singular else 0.0
    if type(y_bar) in _SCALARS and type(p) in _SCALARS:
        return y_bar * p.conjugate() if y_bar or not singular else 0.0
    p = conjugated(p)
    if not singular:
        return y_bar * p
    with np.errstate(all="ignore"):
        return cleaned(y_bar * p, y_bar)


def along_partial(x_dot: Any, p: Any, singular: bool = False) -> Any:
    """ẋ · p; with `singular`, 0 where ẋ is 0 even if p is not finite, and no warning.

    Examples
    --------
    >>> along_partial(2.0, 1 + 3j)
    (2+6j)
    >>> along_partial(0.0, float("inf"), True)
    0.0
    """
    if type(x_dot) is float and type(p) is float:
        return x_dot * p if x_dot or not singular else 0.0
    if isinstance(p, Unknown):
        p.refuse()
    if not singular:
        return x_dot * p
    with np.errstate(all="ignore"):
        return cleaned(x_dot * p, x_dot)


def conjugated(p: Any) -> Any:
    """conj(p); a real p as it is."""
    if isinstance(p, complex | np.complexfloating) or isinstance(p, np.ndarray | Lanes) and p.dtype.kind == "c":
        return p.conjugate()
    return p


def cleaned(d: Any, flow: Any) -> Any:
    """The product `d` of what flows with a partial, but 0 where nothing flows; NumPy may warn of what is large.

    >>> cleaned(np.array([np.nan, np.inf]), np.array([0.0, 1.0]))
    array([ 0., inf])
    """
    if isinstance(d, np.ndarray):
        return d if _is_finite(d) else np.where(flow == 0, 0.0, d)
    if type(d) is Lanes:
        return np.where(flow == 0, 0.0, d)
    return d if d == d or flow != 0 else 0.0


ROW = 8192
"""Products of longer rows some libraries take in several threads, which costs more than it gives."""


def _is_finite(d: np.ndarray[Any, Any]) -> bool:
    """Tell whether a sum of squares is finite, which it is only if all entries are."""
    row = d if d.ndim == 1 else d.ravel("K")
    if row.size <= ROW:
        square = row.dot(row)
        return isfinite(square) if type(square) is np.float64 else bool(square - square == 0)
    for start in range(0, row.size, ROW):
        part = row[start : start + ROW]
        square = part.dot(part)
        if square - square != 0:
            return False
    return True


def quietly(f: Callable[..., Any], *args: Any) -> Any:
    """`f(*args)` without the warnings of NumPy: partials may be infinite where nothing flows.

    Examples
    --------
    >>> import numpy as np
    >>> quietly(np.log, np.zeros(1))
    array([-inf])
    """
    with np.errstate(all="ignore"):
        return f(*args)
