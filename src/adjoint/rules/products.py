"""Products of ȳ with the partials of common functions, of real arrays, in fewer operations than the partials take."""

from __future__ import annotations

from typing import Any


def truediv_products(y_bar: Any, a: Any, b: Any, y: Any) -> Any:
    """ȳ/b and -ȳy/b, for y = a/b."""
    d = y_bar / b
    return d, -d * y


def sqrt_product(y_bar: Any, x: Any, y: Any) -> Any:
    """ȳ / 2y, for y = √x."""
    return 0.5 * y_bar / y


def log_product(y_bar: Any, x: Any, y: Any) -> Any:
    """ȳ / x, for y = log x."""
    return y_bar / x


def arctan2_products(y_bar: Any, x1: Any, x2: Any, y: Any) -> Any:
    """ȳ x₂ / (x₁² + x₂²) and -ȳ x₁ / (x₁² + x₂²), for the angle y of (x₂, x₁)."""
    d = y_bar / (x1 * x1 + x2 * x2)
    return d * x2, -d * x1
