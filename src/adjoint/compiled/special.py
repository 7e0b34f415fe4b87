"""Functions of `scipy.special`, and the gamma function, as ordinary programs: differentiated as any other is."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def expit(x: Any) -> Any:
    """1 / (1 + e⁻ˣ)."""
    e = np.exp(-np.abs(x))
    return np.where(x >= 0.0, 1.0, e) / (1.0 + e)


def logit(x: Any) -> Any:
    """log x - log(1 - x)."""
    return np.log(x) - np.log1p(-x)


def xlogy(x: Any, y: Any) -> Any:
    """x log y, 0 where x is."""
    zero = np.logical_and(x == 0.0, np.logical_not(np.isnan(y)))
    return np.where(zero, 0.0 * x, x * np.log(np.where(zero, 1.0, y)))


def xlog1py(x: Any, y: Any) -> Any:
    """x log (1 + y), 0 where x is."""
    zero = np.logical_and(x == 0.0, np.logical_not(np.isnan(y)))
    return np.where(zero, 0.0 * x, x * np.log1p(np.where(zero, 0.0, y)))


def log_expit(x: Any) -> Any:
    """-log (1 + e⁻ˣ)."""
    return np.minimum(x, 0.0) - np.log1p(np.exp(-np.abs(x)))


def entr(x: Any) -> Any:
    """-x log x, 0 at 0, minus infinity below."""
    positive = x > 0.0
    found = -x * np.log(np.where(positive, x, 1.0))
    return np.where(positive, found, np.where(x < 0.0, -np.inf, 0.0 * x))


def ndtr(x: Any) -> Any:
    """Φ(x), the distribution function of the normal distribution."""
    return 0.5 * math.erfc(-x * math.sqrt(0.5))


def log_ndtr(x: Any) -> Any:
    """log Φ(x): far out on the left by the asymptotic series (Abramowitz and Stegun, 26.2.12)."""
    if x > 0.0:
        return np.log1p(-0.5 * math.erfc(x * math.sqrt(0.5)))
    if x > -25.0:
        return np.log(0.5 * math.erfc(-x * math.sqrt(0.5)))
    z = 1.0 / (x * x)
    series = z * (1.0 - z * (3.0 - z * (15.0 - z * (105.0 - z * (945.0 - z * 10395.0)))))
    return -0.5 * x * x - np.log(-x) - 0.5 * math.log(2.0 * math.pi) + np.log1p(-series)


def gamma(x: Any) -> Any:
    """Γ(x) to some 13 digits; below 0 with the sign of sin πx: that of the halves of x."""
    size = np.exp(log_gamma(x))
    return -size if x < 0.0 and np.floor(x) % 2.0 != 0.0 else size


def log_gamma(x: Any) -> Any:
    """log |Γ(x)|, reflected below 1/2: Γ(x) Γ(1 - x) = π / sin πx."""
    if x < 0.5:
        return math.log(math.pi) - np.log(np.sin(math.pi * (x - np.floor(x)))) - raised_log_gamma(1.0 - x)
    return raised_log_gamma(x)


def raised_log_gamma(x: Any) -> Any:
    """The same for x > 0, by Γ(x + 1) = x Γ(x) up to 10, then by Stirling's series (Abramowitz and Stegun, 6.1.41)."""
    product = 1.0
    while x < 10.0:
        product = product * x
        x = x + 1.0
    z = 1.0 / (x * x)
    series = 1 / 12 - z * (1 / 360 - z * (1 / 1260 - z * (1 / 1680 - z * (1 / 1188 - z * (691 / 360360 - z / 156)))))
    return (x - 0.5) * np.log(x) - x + 0.5 * math.log(2.0 * math.pi) + series / x - np.log(product)


def digamma(x: Any) -> Any:
    """ψ(x), the derivative of log Γ(x), in the same way (Abramowitz and Stegun, 6.3.7 and 6.3.18)."""
    if x < 0.5:
        return raised_digamma(1.0 - x) - math.pi / np.tan(math.pi * (x - np.floor(x)))
    return raised_digamma(x)


def raised_digamma(x: Any) -> Any:
    """The same for x > 0."""
    total = 0.0
    while x < 10.0:
        total = total + 1.0 / x
        x = x + 1.0
    z = 1.0 / (x * x)
    series = 1 / 12 - z * (1 / 120 - z * (1 / 252 - z * (1 / 240 - z * (1 / 132 - z * (691 / 32760 - z / 12)))))
    return np.log(x) - 0.5 / x - z * series - total


def still(x: Any) -> Any:
    """x, as a constant: its meaning is given beside those of SciPy's functions."""
    return x


def logsumexp(a: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """log Σ eᵃ."""
    top = still(np.max(a, axis=axis, keepdims=True))
    top = np.where(np.isfinite(top), top, 0.0)
    rest = np.log(np.sum(np.exp(a - top), axis=axis, keepdims=keepdims))
    return rest + (top if keepdims else np.sum(top, axis=axis))


def softmax(x: Any, axis: Any = None) -> Any:
    """eˣ / Σ eˣ."""
    e = np.exp(x - still(np.max(x, axis=axis, keepdims=True)))
    return e / np.sum(e, axis=axis, keepdims=True)


def log_softmax(x: Any, axis: Any = None) -> Any:
    """x - log Σ eˣ."""
    shifted = x - still(np.max(x, axis=axis, keepdims=True))
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))
