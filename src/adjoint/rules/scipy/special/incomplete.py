"""Incomplete gamma and beta functions, by all arguments.

With t drawn from the density cut off at x, ∂ log P(a, x) / ∂a = E[log t] - ψ(a) for the gamma function, and the second
derivative is Var[log t] - ψ′(a); the same holds of the upper tail and of the beta function. The moments are integrals
over v = |log(t / x)|, by the double exponential rule.

Source: differentiation under the integral; Takahasi and Mori, Double exponential formulas (1974).
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

from typing import Any

import numpy as np
import scipy.special as special

from ....tangents import Unknown, is_whole, quietly, unbroadcast, unknown
from ...knots import call_pullback
from ...numpy.lifting import refuse_out
from ...registry import Numeric, rule, scalar_rule
from .outputs import flown

_STEPS = 0.06 * np.arange(-60, 84)
_NODES = np.exp(_STEPS - np.exp(-_STEPS))
_WEIGHTS = 0.06 * _NODES * (1 + np.exp(-_STEPS))


def separately(f: Any, *partials: Any) -> None:
    """Declare an elementwise function whose partials take long: each is a function of its own, called if need be."""
    everything = (True,) * len(partials)

    @rule(f, returns="elementwise")
    def separate_rule(*args: Numeric, needs: Any = everything, **kwargs: Any) -> Any:
        refuse_out(kwargs.get("out"))
        y = f(*args, **kwargs)

        def separate_back(y_bar: Any) -> Any:
            return tuple(
                [
                    flown((y_bar,), part(p, args, y), x) if needed else None
                    for p, x, needed in zip(partials, args, needs, strict=True)
                ]
            )

        return y, separate_back


def part(p: Any, args: Any, y: Any) -> Any:
    """One partial, as of one result."""
    return (quietly(p, *args, y),)


def inverse(f: Any, forward: Any, place: int) -> None:
    """Declare an inverse: y = f(…, p, …) solves F(…, y, …) = p, so ∂y/∂p = 1 / F_y and ∂y/∂a = -F_a / F_y.

    Where there is no solution in its range, y is an end of that, and constant.
    """

    @rule(f, returns="elementwise")
    def inverse_rule(*args: Numeric, **kwargs: Any) -> Any:
        refuse_out(kwargs.get("out"))
        y = f(*args, **kwargs)

        def inverse_back(y_bar: Any) -> Any:
            values = [np.asarray(x) for x in np.broadcast_arrays(*args[:place], y, *args[place + 1 :])]
            value, back = call_pullback(forward, *values)
            slopes = back(np.ones(np.shape(value), np.asarray(value).dtype))[1:]
            slope = np.where(np.abs(value - args[place]) < 1e-4, slopes[place], np.inf)
            along = quietly(np.divide, y_bar, slope)
            bars = [inverse_bar(-along, slopes[i], args[i]) for i in range(len(args))]
            bars[place] = unbroadcast(along, args[place])
            return tuple(bars)

        return y, inverse_back


def inverse_bar(along: Any, slope: Any, x: Any) -> Any:
    """-ȳ / F_y times F_a."""
    if isinstance(slope, Unknown):
        return None if is_whole(x) else slope
    return None if slope is None else unbroadcast(along * slope, x)


# The gamma function


def gamma_density(a, x):
    """∂P/∂x = xᵃ⁻¹ exp(-x) / Γ(a)."""
    return np.exp(special.xlogy(a - 1, x) - x - special.gammaln(a))


def gammainc_by(a, x, n):
    """∂ⁿP(a, x)/∂aⁿ, n = 1 or 2.

    >>> round(float(gammainc_by(1.0, 1.0, 1)), 12)
    -0.431729710635
    """
    a, x = np.broadcast_arrays(a, x)
    inside = (x > 0) & (x < np.inf)
    t = np.where(inside, x, 1.0).astype(np.float64)
    near = inside & (t < 1)
    found = _by_quadrature(a, np.where(near, 1.0, t), n) if not np.all(near) else 0.0
    found = np.where(near, _by_series(a, np.where(near, t, 0.5), n), found) if np.any(near) else found
    return np.where(inside, found, 0.0 * a)


def _by_series(a, x, n):
    """The same for x < 1, where all terms are positive: P = xᵃ exp(-x) / Γ(a + 1) Σ xᵏ / ((a + 1) ... (a + k)).

    Each is differentiated by itself, its logarithm by ln x - ψ(a + 1) - Σ 1 / (a + j).
    """
    term, inverse, squares = np.ones(np.shape(x)), np.zeros(np.shape(x)), np.zeros(np.shape(x))
    log, spread = np.log(x) - special.psi(a + 1), special.polygamma(1, a + 1)
    total = np.zeros(np.shape(x))
    for k in range(1, 26):
        slope = log - inverse
        total = total + term * (slope if n == 1 else slope * slope + squares - spread)
        term = term * x / (a + k)
        inverse, squares = inverse + 1 / (a + k), squares + 1 / (a + k) ** 2
    return total * np.exp(special.xlogy(a, x) - x - special.gammaln(a + 1))


def _by_quadrature(a, t, n):
    """The same from means of the logarithm under the integral, by nodes that follow its decay."""
    lower = t < np.maximum(a, 1)
    sign = np.where(lower, -1.0, 1.0)
    scale = 1 / (np.where(lower, np.maximum(a - t, 0), t - a) + np.sqrt(t))
    totals = np.zeros((3, *np.shape(t)))
    with np.errstate(all="ignore"):
        for node, weight in zip(_NODES, _WEIGHTS, strict=True):
            v = sign * scale * node
            density = weight * np.exp(a * v - t * np.expm1(v))
            totals += [density, density * v, density * v * v]
        mean = totals[1] / totals[0]
        variance = totals[2] / totals[0] - mean * mean
        slope = np.log(t) + mean - special.psi(a)
        factor = slope if n == 1 else slope * slope + variance - special.polygamma(1, a)
        return np.where(lower, special.gammainc(a, t), -special.gammaincc(a, t)) * factor


def gamma_density_by(a, x, n):
    """∂ⁿ/∂aⁿ of the density."""
    slope = np.log(x) - special.psi(a)
    return gamma_density(a, x) * (slope if n == 1 else slope * slope - special.polygamma(1, a))


@scalar_rule(gammainc_by, singular=True)
def gammainc_by_partials(a, x, n, y):
    return gammainc_by(a, x, 2) if n == 1 else unknown("the parameter `a`, three times"), gamma_density_by(a, x, n), 0


separately(special.gammainc, lambda a, x, y: gammainc_by(a, x, 1), lambda a, x, y: gamma_density(a, x))
separately(special.gammaincc, lambda a, x, y: -gammainc_by(a, x, 1), lambda a, x, y: -gamma_density(a, x))
inverse(special.gammaincinv, special.gammainc, 1)
inverse(special.gammainccinv, special.gammaincc, 1)

# The beta function


def beta_density(a, b, x):
    """∂I/∂x = xᵃ⁻¹ (1 - x)ᵇ⁻¹ / B(a, b)."""
    return np.exp(special.xlogy(a - 1, x) + special.xlog1py(b - 1, -x) - special.betaln(a, b))


def betainc_by(a, b, x, i, j):
    """∂ⁱ⁺ʲ Iₓ(a, b) / ∂aⁱ ∂bʲ, i + j = 1 or 2.

    >>> round(float(betainc_by(1.0, 1.0, 0.5, 1, 0)), 12)  # log(1/2) / 2 at a = b = 1
    -0.34657359028
    """
    a, b, x = np.broadcast_arrays(a, b, x)
    inside = (x > 0) & (x < 1)
    x = np.where(inside, x, 0.5).astype(np.float64)
    lower = x * (a + b) <= a
    p, q = np.where(lower, a, b), np.where(lower, b, a)
    t, rest = np.where(lower, x, 1 - x), np.where(lower, 1 - x, x)
    more = np.maximum(q - 1, 0)
    scale = 1 / (np.maximum(p - more * t / rest, 0) + np.sqrt(more * t) / rest + (more == 0) * 0.0)
    totals = np.zeros((6, *np.shape(x)))
    with np.errstate(all="ignore"):
        for node, weight in zip(_NODES, _WEIGHTS, strict=True):
            v = -scale * node
            u = np.log1p(-t * np.expm1(v) / rest)
            density = weight * np.exp(p * v + (q - 1) * u)
            totals += [density, density * v, density * u, density * v * v, density * u * v, density * u * u]
        mean, other, square, product, other_square = totals[1:] / totals[0]
        both = special.psi(p + q)
        slopes = np.log(t) + mean - special.psi(p) + both, np.log(rest) + other - special.psi(q) + both
        if i + j == 1:
            factor = np.where(lower == (i == 1), slopes[0], slopes[1])
        else:
            curved = special.polygamma(1, p + q)
            twice = (
                slopes[0] ** 2 + square - mean**2 - special.polygamma(1, p) + curved,
                slopes[1] ** 2 + other_square - other**2 - special.polygamma(1, q) + curved,
            )
            mixed = slopes[0] * slopes[1] + product - mean * other + curved
            factor = mixed if i == j else np.where(lower == (i == 2), twice[0], twice[1])
        tail = np.where(lower, special.betainc(a, b, x), -special.betaincc(a, b, x))
        return np.where(inside, tail * factor, 0.0 * a * b)


def beta_density_by(a, b, x, i, j):
    """∂ⁱ⁺ʲ/∂aⁱ∂bʲ of the density, i + j = 1 or 2."""
    both = special.psi(a + b)
    by_a, by_b = np.log(x) - special.psi(a) + both, np.log1p(-x) - special.psi(b) + both
    if i + j == 1:
        factor = by_a if i == 1 else by_b
    elif i == j:
        factor = by_a * by_b + special.polygamma(1, a + b)
    else:
        once, alone = (by_a, a) if i == 2 else (by_b, b)
        factor = once * once - special.polygamma(1, alone) + special.polygamma(1, a + b)
    return beta_density(a, b, x) * factor


@scalar_rule(betainc_by, singular=True)
def betainc_by_partials(a, b, x, i, j, y):
    return (
        betainc_by(a, b, x, i + 1, j) if i + j == 1 else unknown("the parameter `a`, three times"),
        betainc_by(a, b, x, i, j + 1) if i + j == 1 else unknown("the parameter `b`, three times"),
        beta_density_by(a, b, x, i, j),
        0,
        0,
    )


separately(
    special.betainc,
    lambda a, b, x, y: betainc_by(a, b, x, 1, 0),
    lambda a, b, x, y: betainc_by(a, b, x, 0, 1),
    lambda a, b, x, y: beta_density(a, b, x),
)
separately(
    special.betaincc,
    lambda a, b, x, y: -betainc_by(a, b, x, 1, 0),
    lambda a, b, x, y: -betainc_by(a, b, x, 0, 1),
    lambda a, b, x, y: -beta_density(a, b, x),
)
inverse(special.betaincinv, special.betainc, 2)
inverse(special.betainccinv, special.betaincc, 2)
inverse(special.btdtria, special.betainc, 0)
inverse(special.btdtrib, special.betainc, 1)
