"""The module `math`."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from ...tangents import unbroadcast
from ..calls import check_are_numbers
from ..registry import Back, non_differentiable, rule, scalar_rule

# Exponentials and logarithms


@scalar_rule(math.exp)
def exp_partial(x, y):  # type: ignore[no-untyped-def]
    return y


@scalar_rule(math.expm1)
def expm1_partial(x, y):  # type: ignore[no-untyped-def]
    return math.exp(x)


@scalar_rule(math.exp2)
def exp2_partial(x, y):  # type: ignore[no-untyped-def]
    return y * math.log(2)


@scalar_rule(math.log)
def log_partial(x, y):  # type: ignore[no-untyped-def]
    return 1 / x


@scalar_rule(math.log)
def log_base_partials(x, base, y):  # type: ignore[no-untyped-def]
    return 1 / (x * math.log(base)), -y / (base * math.log(base))


@scalar_rule(math.log1p)
def log1p_partial(x, y):  # type: ignore[no-untyped-def]
    return 1 / (1 + x)


@scalar_rule(math.log2)
def log2_partial(x, y):  # type: ignore[no-untyped-def]
    return 1 / x / math.log(2)


@scalar_rule(math.log10)
def log10_partial(x, y):  # type: ignore[no-untyped-def]
    return 1 / x / math.log(10)


# Powers and roots


@scalar_rule(math.sqrt, singular=True)
def sqrt_partial(x, y):  # type: ignore[no-untyped-def]
    return 0.5 / y if y else math.inf


@scalar_rule(math.cbrt, singular=True)
def cbrt_partial(x, y):  # type: ignore[no-untyped-def]
    return 1 / (3 * y * y) if y else math.inf


@scalar_rule(math.pow, singular=True)
def pow_partials(x, e, y):  # type: ignore[no-untyped-def]
    return (
        e * math.pow(x, e - 1) if e >= 1 or x else math.inf if e else 0.0,
        y * math.log(x) if x > 0 else math.nan if x else 0.0,
    )


@scalar_rule(math.hypot)
def hypot_partials(a, b, y):  # type: ignore[no-untyped-def]
    return a / y if y else 0.0, b / y if y else 0.0


# Circular and hyperbolic functions


@scalar_rule(math.sin)
def sin_partial(x, y):  # type: ignore[no-untyped-def]
    return math.cos(x)


@scalar_rule(math.cos)
def cos_partial(x, y):  # type: ignore[no-untyped-def]
    return -math.sin(x)


@scalar_rule(math.tan)
def tan_partial(x, y):  # type: ignore[no-untyped-def]
    return 1 + y * y


@scalar_rule(math.asin, singular=True)
def asin_partial(x, y):  # type: ignore[no-untyped-def]
    return 1 / math.sqrt(1 - x * x) if x * x != 1 else math.inf


@scalar_rule(math.acos, singular=True)
def acos_partial(x, y):  # type: ignore[no-untyped-def]
    return -1 / math.sqrt(1 - x * x) if x * x != 1 else -math.inf


@scalar_rule(math.atan)
def atan_partial(x, y):  # type: ignore[no-untyped-def]
    return 1 / (1 + x * x)


@scalar_rule(math.atan2)
def atan2_partials(y, x, angle):  # type: ignore[no-untyped-def]
    return (
        x / math.hypot(x, y) / math.hypot(x, y) if x or y else 0.0,
        -y / math.hypot(x, y) / math.hypot(x, y) if x or y else 0.0,
    )


@scalar_rule(math.sinh)
def sinh_partial(x, y):  # type: ignore[no-untyped-def]
    return math.cosh(x)


@scalar_rule(math.cosh)
def cosh_partial(x, y):  # type: ignore[no-untyped-def]
    return math.sinh(x)


@scalar_rule(math.tanh)
def tanh_partial(x, y):  # type: ignore[no-untyped-def]
    return 1 - y * y if -0.99 < y < 0.99 else (2 / (math.exp(x) + math.exp(-x))) ** 2 if -700 < x < 700 else 0.0


@scalar_rule(math.asinh)
def asinh_partial(x, y):  # type: ignore[no-untyped-def]
    return 1 / math.hypot(x, 1.0)


@scalar_rule(math.acosh, singular=True)
def acosh_partial(x, y):  # type: ignore[no-untyped-def]
    return 1 / (math.sqrt(x - 1) * math.sqrt(x + 1)) if x != 1 else math.inf


@scalar_rule(math.atanh)
def atanh_partial(x, y):  # type: ignore[no-untyped-def]
    return 1 / ((1 - x) * (1 + x))


@scalar_rule(math.degrees)
def degrees_partial(x, y):  # type: ignore[no-untyped-def]
    return 180 / math.pi


@scalar_rule(math.radians)
def radians_partial(x, y):  # type: ignore[no-untyped-def]
    return math.pi / 180


# Special functions


@scalar_rule(math.erf)
def erf_partial(x, y):  # type: ignore[no-untyped-def]
    return 2 / math.sqrt(math.pi) * math.exp(-x * x)


@scalar_rule(math.erfc)
def erfc_partial(x, y):  # type: ignore[no-untyped-def]
    return -2 / math.sqrt(math.pi) * math.exp(-x * x)


@scalar_rule(math.gamma)
def gamma_partial(x, y):  # type: ignore[no-untyped-def]
    return y * digamma(x)


@scalar_rule(math.lgamma)
def lgamma_partial(x, y):  # type: ignore[no-untyped-def]
    return digamma(x)


def digamma(x: float) -> float:
    """ψ(x) = Γ′(x) / Γ(x): by reflection for x < 0, by ψ(x) = ψ(x + 1) - 1/x up to 10, then by its asymptotic series.

    >>> round(digamma(1.0), 12)  # minus Euler's constant
    -0.577215664902
    """
    psi = 0.0
    if x < 0:
        psi = -math.pi / math.tan(math.pi * (x - np.floor(x + 0.5)))
        x = 1 - x
    while x < 10:
        psi = psi - 1 / x
        x = x + 1
    z = 1 / (x * x)
    series = z * (1 / 12 - z * (1 / 120 - z * (1 / 252 - z * (1 / 240 - z * (1 / 132 - z * (691 / 32760 - z / 12))))))
    return psi + math.log(x) - 0.5 / x - series


@scalar_rule(digamma, returns="float")
def digamma_partial(x, y):  # type: ignore[no-untyped-def]
    return polygamma(1, x)


def polygamma(n: int, x: float) -> float:
    """ψ⁽ⁿ⁾(x) = (-1)ⁿ⁺¹ n! Σ (x + k)⁻ⁿ⁻¹ for n ≥ 1: term by term up to 12, then by the formula of Euler and Maclaurin;
    the first three by reflection for x < 0.

    Source: NIST Digital Library of Mathematical Functions, 5.15.6 and 25.11.

    >>> round(polygamma(1, 1.0) * 6 / math.pi**2, 12)
    1.0
    """
    if x < 0 and n < 4:
        s, c = math.sin(math.pi * (x - np.floor(x + 0.5))), math.cos(math.pi * (x - np.floor(x + 0.5)))
        slope = -1.0 if n == 1 else 2 * c / s if n == 2 else -2 * (1 + 2 * c * c) / s / s
        return (-1.0) ** n * polygamma(n, 1 - x) - math.pi ** (n + 1) * slope / s / s
    total = 0.0
    while x < 12:
        power = 1.0
        for _ in range(n + 1):
            power = power / x
        total = total + power
        x = x + 1
    power = x**-n  # then Bernoulli numbers, each by (2k)!
    total = total + power / n + power / x / 2
    term = power / x * (n + 1) / x
    for k in range(8):
        total = total + term * EULER_MACLAURIN[k]
        term = term * (n + 2 * k + 2) * (n + 2 * k + 3) / x / x
    return (-1.0) ** (n + 1) * math.gamma(n + 1.0) * total


EULER_MACLAURIN = tuple(
    b / math.factorial(2 * k)
    for k, b in enumerate((1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510), 1)
)
"""B₂ₖ / (2k)!."""


@scalar_rule(polygamma, returns="float")
def polygamma_partials(n, x, y):  # type: ignore[no-untyped-def]
    return None, polygamma(n + 1, x)


# Parts of numbers


@scalar_rule(math.fabs)
def fabs_partial(x, y):  # type: ignore[no-untyped-def]
    return 1.0 if x > 0 else -1.0 if x < 0 else 0.0


@scalar_rule(math.copysign)
def copysign_partials(x, sign, y):  # type: ignore[no-untyped-def]
    return math.copysign(1.0, x) * math.copysign(1.0, sign) if x else 0.0, 0.0


@scalar_rule(math.fmod, math.remainder)
def fmod_partials(x, m, y):  # type: ignore[no-untyped-def]
    return 1, (y - x) / m


@scalar_rule(math.nextafter)
def nextafter_partials(x, towards, y):  # type: ignore[no-untyped-def]
    return 1, 0.0


@rule(math.ldexp)
def ldexp_rule(x: Any, i: Any) -> tuple[Any, Back]:
    """y = x 2ⁱ."""
    check_are_numbers("math.ldexp", (x,))

    def ldexp_back(y_bar: Any) -> tuple[Any, ...]:
        return unbroadcast(math.ldexp(y_bar, i), x), None

    return math.ldexp(x, i), ldexp_back


@rule(math.frexp)
def frexp_rule(x: Any) -> tuple[Any, Back]:
    """x = m 2ᵉ, so x̄ = m̄ 2⁻ᵉ."""
    check_are_numbers("math.frexp", (x,))
    m, e = math.frexp(x)

    def frexp_back(y_bar: Any) -> tuple[Any, ...]:
        return (None if y_bar[0] is None else unbroadcast(math.ldexp(y_bar[0], -e), x),)

    return (m, e), frexp_back


@rule(math.modf)
def modf_rule(x: Any) -> tuple[Any, Back]:
    """The fractional part moves with x, the integral one is piecewise constant."""
    check_are_numbers("math.modf", (x,))
    return math.modf(x), lambda y_bar: (unbroadcast(y_bar[0], x),)


if sys.version_info >= (3, 13):

    @scalar_rule(math.fma)
    def fma_partials(x, y, z, result):  # type: ignore[no-untyped-def]
        return y, x, 1


non_differentiable(math.floor, math.ceil, math.trunc, math.isqrt, math.factorial)
non_differentiable(math.comb, math.perm, math.gcd, math.lcm)
non_differentiable(math.isclose, math.isfinite, math.isinf, math.isnan)
non_differentiable(math.ulp)
