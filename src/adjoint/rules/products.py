"""Products of ȳ with the partials of common functions, of real arrays, in fewer operations than the partials take.

Those of two arguments are told which cotangents are needed. None is for what is not, and where the partials are to be
computed after all. Of a number beside a vector the sum may be asked for.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

Needs = tuple[int, int]
BOTH = True, True
SUMMED = 2
"""The need for a sum of products, where it is finite only if all products of both arguments are."""


def truediv_products(y_bar: Any, a: Any, b: Any, y: Any, *, needs: Needs = BOTH) -> Any:
    """ȳ/b and -ȳy/b, for y = a/b."""
    d = y_bar / b
    if needs[1] == SUMMED:
        return d, -d.dot(y)
    return d, -d * y if needs[1] else None


def keeps_zeros(products: Any, b: Any) -> bool:
    """Tell whether products for the first operand are zero wherever nothing flows: of a quotient by a number that is
    not zero, and not nan."""
    return products is truediv_products and type(b) in _NUMBERS and b == b and b != 0


_NUMBERS = (float, np.float64, int)


def pow_products(y_bar: Any, base: Any, exp: Any, y: Any, *, needs: Needs = BOTH) -> Any:
    """ȳ p xᵖ⁻¹ and ȳ y log x, for y = xᵖ with positive x and no p = 0; the first alone also for a number p ≥ 1."""
    if not needs[1] and type(exp) in (int, float) and 1 <= exp < math.inf:
        return y_bar * exp * (base if exp == 2 else base ** (exp - 1)), None
    least = np.minimum.reduce(np.asarray(base), axis=None, initial=1)
    if not least > 0 or not np.logical_and.reduce(np.asarray(exp), axis=None):
        return None
    return (
        y_bar * exp * base ** (exp - 1) if needs[0] else None,
        y_bar * y * np.log(base) if needs[1] else None,
    )


def sqrt_product(y_bar: Any, x: Any, y: Any) -> Any:
    """ȳ / 2y, for y = √x."""
    return 0.5 * y_bar / y


def log_product(y_bar: Any, x: Any, y: Any) -> Any:
    """ȳ / x, for y = log x."""
    return y_bar / x


def arctan2_products(y_bar: Any, x1: Any, x2: Any, y: Any, *, needs: Needs = BOTH) -> Any:
    """ȳ x₂ / (x₁² + x₂²) and -ȳ x₁ / (x₁² + x₂²), for the angle y of (x₂, x₁), where squares are finite and precise."""
    square = x1 * x1 + x2 * x2
    if not square.size:
        return None
    least = LEAST_SQUARE if square.dtype == np.float64 else np.inf
    if not np.minimum.reduce(square, axis=None) > least or not np.maximum.reduce(square, axis=None) < np.inf:
        return None
    d = y_bar / square
    return d * x2 if needs[0] else None, -d * x1 if needs[1] else None


def radius(x1: Any, x2: Any) -> Any:
    """√(x₁² + x₂²), and infinite at the origin: what is divided by it is 0 there, and so are its derivatives."""
    r = np.hypot(x1, x2)
    return np.where(r == 0, np.inf, r)


LEAST_SQUARE = 1e-290
"""Of float64: the square of less has lost digits."""
