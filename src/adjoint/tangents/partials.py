"""A cotangent times a partial derivative, which may be infinite where nothing flows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .lanes import Lanes
from .unknown import Unknown


def apply_partial(y_bar: Any, p: Any, singular: bool = False) -> Any:
    """ȳ · conj(p); with `singular`, 0 where ȳ is 0 even if p is not finite, and no warning.

    Examples
    --------
    >>> apply_partial(2.0, 1 + 3j)
    (2-6j)
    >>> apply_partial(0.0, float("inf"), True)
    0.0
    """
    if isinstance(p, complex | np.complexfloating) or isinstance(p, np.ndarray) and p.dtype.kind == "c":
        p = p.conjugate()
    if not singular:
        return y_bar * p
    with np.errstate(all="ignore"):
        d = y_bar * p
        if isinstance(d, np.ndarray):
            return d if np.isfinite(d.sum()) else np.where(y_bar == 0, 0.0, d)
        if type(d) is Lanes:
            return np.where(y_bar == 0, 0.0, d)
    return d if d == d or y_bar != 0 else 0.0


def along_partial(x_dot: Any, p: Any, singular: bool = False) -> Any:
    """ẋ · p; with `singular`, 0 where ẋ is 0 even if p is not finite, and no warning.

    Examples
    --------
    >>> along_partial(2.0, 1 + 3j)
    (2+6j)
    >>> along_partial(0.0, float("inf"), True)
    0.0
    """
    if isinstance(p, Unknown):
        p.refuse()
    if not singular:
        return x_dot * p
    with np.errstate(all="ignore"):
        d = x_dot * p
    if isinstance(d, np.ndarray):
        return d if np.isfinite(d.sum()) else np.where(x_dot == 0, 0.0, d)
    if type(d) is Lanes:
        return np.where(x_dot == 0, 0.0, d)
    return d if d == d or x_dot != 0 else 0.0


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
