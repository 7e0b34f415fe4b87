"""Products of vectors and matrices of float64, ready to be computed again and again."""

from __future__ import annotations

from typing import Any

import numpy as np

from .numpy.linear import cast
from .numpy.products import matmul_rule
from .ready import Flags, Ready
from .rulesets import Method

_DOUBLE = np.dtype(np.float64)
_NOTHING = (None,) * 3


def ready_product(f: Any, method: Method, classes: tuple[type, ...], needs: Flags | None) -> Ready | None:
    """Make what computes `a @ b` of arrays; None for any other call."""
    if method.call is not matmul_rule or classes != (np.ndarray, np.ndarray):
        return None
    first, second = needs or (True, True)

    def product(a: Any, b: Any) -> tuple[Any, Any]:
        if not (a.ndim == 1 == b.ndim and a.dtype is _DOUBLE is b.dtype):
            y, back = matmul_rule(a, b, needs=needs)
            return y, lambda y_bar: _NOTHING if y_bar is None else (None, *back(y_bar))
        right, left = b if first else None, a if second else None

        def product_back(y_bar: Any) -> tuple[Any, ...]:
            if y_bar is None:
                return _NOTHING
            d, e = None if right is None else y_bar * right, None if left is None else y_bar * left
            if type(y_bar) is np.float64 or type(y_bar) is float:
                return None, d, e
            return None, None if d is None else cast(d, _DOUBLE), None if e is None else cast(e, _DOUBLE)

        return f(a, b), product_back

    return product
