"""Functions of numbers that NumPy and SciPy have and Numba has not, by which printed programs compute their values.

Their derivatives are not made of these programs: they are those of the rules that all tiers share.
"""

from __future__ import annotations

import functools
import inspect
import math
import re
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from ..rules.python.math import EULER_MACLAURIN, digamma, polygamma


def sinc(x: float) -> float:
    """sin(πx) / (πx), 1 at 0."""
    return 1.0 if x == 0.0 else math.sin(math.pi * x) / (math.pi * x)


def expit(x: float) -> float:
    """1 / (1 + e⁻ˣ)."""
    e = math.exp(-abs(x))
    return (1.0 if x >= 0.0 else e) / (1.0 + e)


def log_expit(x: float) -> float:
    """-log (1 + e⁻ˣ)."""
    return (x if x < 0.0 else 0.0) - math.log1p(math.exp(-abs(x)))


def logit(x: float) -> float:
    """log x - log (1 - x)."""
    return float(np.log(x) - np.log1p(-x))


def xlogy(x: float, y: float) -> float:
    """x log y, 0 where x is."""
    return 0.0 if x == 0.0 and not math.isnan(y) else x * math.log(y)


def xlog1py(x: float, y: float) -> float:
    """x log (1 + y), 0 where x is."""
    return 0.0 if x == 0.0 and not math.isnan(y) else x * math.log1p(y)


def quotient(x: float, y: float) -> float:
    """x / y, 0 where x is."""
    return 0.0 if x == 0.0 else x / y


def entr(x: float) -> float:
    """-x log x, 0 at 0, minus infinity below."""
    if x == 0.0:
        return 0.0
    return -math.inf if x < 0.0 else -x * math.log(x)


def ndtr(x: float) -> float:
    """Φ(x), the distribution function of the normal distribution."""
    return 0.5 * math.erfc(-x * math.sqrt(0.5))


def mills_series(x: float) -> float:
    """1 + x Φ(x) / φ(x) far out on the left (Abramowitz and Stegun, 26.2.12)."""
    z = 1.0 / (x * x)
    return z * (1.0 - z * (3.0 - z * (15.0 - z * (105.0 - z * (945.0 - z * 10395.0)))))


def log_ndtr(x: float) -> float:
    """log Φ(x): far out on the left by an asymptotic series."""
    if x > 0.0:
        return math.log1p(-0.5 * math.erfc(x * math.sqrt(0.5)))
    if x > -25.0:
        return math.log(0.5 * math.erfc(-x * math.sqrt(0.5)))
    if math.isnan(x):
        return x
    return -0.5 * x * x - math.log(-x) - 0.5 * math.log(2.0 * math.pi) + math.log1p(-mills_series(x))


def density_ratio(x: float) -> float:
    """φ(x) / Φ(x): the density of the normal distribution through its distribution function."""
    if x > -25.0:
        return math.sqrt(2.0 / math.pi) * math.exp(-0.5 * x * x) / math.erfc(-x * math.sqrt(0.5))
    return -x / (1.0 - mills_series(x)) if x < 0.0 else x


def mills_fraction(x: float, n: int) -> float:
    """cₙ = (n + 1) / (cₙ₊₁ - x), by which φ(x) / Φ(x) = c₀ - x (Abramowitz and Stegun, 26.2.14)."""
    if x < -2.0:
        tail = 128.0 / (math.sqrt(x * x + 256.0) - x)
        for k in range(63, n, -1):
            tail = k / (tail - x)
        return tail
    c = density_ratio(x) + x
    for k in range(n):
        c = (k + 1) / c + x
    return c


def psi(x: float) -> float:
    """ψ(x), nan at the negative integers."""
    if x == 0.0:
        return math.copysign(math.inf, -x)
    return math.nan if x < 0.0 and x == np.floor(x) else digamma(x)


def gamma(x: float) -> float:
    """Γ(x), nan at the negative integers."""
    if x == 0.0:
        return math.copysign(math.inf, x)
    return math.nan if x < 0.0 and x == np.floor(x) else math.gamma(x)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    f.__name__: f
    for f in (
        sinc, expit, log_expit, logit, xlogy, xlog1py, quotient, entr, ndtr, mills_series, log_ndtr,
        density_ratio, mills_fraction, psi, gamma, digamma, polygamma,
    )
}  # fmt: skip
"""By the names under which programs call them."""
CONSTANTS = {"EULER_MACLAURIN": EULER_MACLAURIN}
"""What they use besides `math` and `np`."""


def named_in(text: str) -> list[str]:
    """The functions that a text calls, after those that they call themselves.

    >>> named_in("y = log_ndtr(x) + sin(x)")
    ['mills_series', 'log_ndtr']
    """
    called = sorted(set(re.findall(r"\b(\w+)\(", text)) & FUNCTIONS.keys())
    below = [other for name in called for other in named_in(_body(name))]
    return list(dict.fromkeys([*below, *called]))


@functools.cache
def text_of(name: str) -> str:
    """The source of one of them, with its constants."""
    text = inspect.getsource(FUNCTIONS[name])
    for constant, value in CONSTANTS.items():
        text = text.replace(constant, repr(value))
    return text


def _body(name: str) -> str:
    """The same without its own name."""
    return re.sub(rf"\b{name}\(", "(", text_of(name))


def in_python(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function that gives what a compiled one gives where Python raises: an infinite value at a pole, nan outside."""

    @functools.wraps(f)
    def quiet(*xs: Any) -> Any:
        try:
            return f(*xs)
        except (OverflowError, ZeroDivisionError):
            return math.inf
        except ValueError:
            return math.nan

    return quiet


@functools.cache
def by_numba() -> dict[str, Any]:
    """All of them, for what Numba compiles."""
    from numba import njit

    space: dict[str, Any] = {"math": math, "np": np, **CONSTANTS}
    for name in named_in(" ".join(f"{name}()" for name in FUNCTIONS)):
        f = FUNCTIONS[name]
        code = types.FunctionType(f.__code__, space, name)
        space[name] = njit(error_model="numpy", nogil=True)(code)
    return {name: space[name] for name in FUNCTIONS}


__all__ = [
    "CONSTANTS", "FUNCTIONS", "by_numba", "digamma", "in_python", "named_in", "polygamma", "sinc", "text_of",
]  # fmt: skip
