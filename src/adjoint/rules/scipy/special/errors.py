"""The error function, the normal distribution, and relatives."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math

import numpy as np
import scipy.special as special

from ...registry import non_differentiable, scalar_rule
from .outputs import several

ROOT_PI = math.sqrt(math.pi)
ROOT_2PI = math.sqrt(2 * math.pi)


@scalar_rule(special.erf)
def erf_partial(z, y):
    return 2 / ROOT_PI * np.exp(-z * z)


@scalar_rule(special.erfc)
def erfc_partial(z, y):
    return -2 / ROOT_PI * np.exp(-z * z)


FAR = 60.0
"""From here on the two terms of a slope are equal but for their last digits: the series in 1 / z has them all."""


def far(beyond, z, series, near):
    """The series where a number is `beyond`, and what is given elsewhere."""
    return np.where(beyond, series(np.where(beyond, z, FAR)), near)


def erfcx_far(z):
    """-(1 - 3 / 2z² + 15 / 4z⁴ - 105 / 8z⁶) / (√π z²).

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 7.1.23.
    """
    w = 1 / (z * z)
    return -w * (1 - w * (1.5 - w * (3.75 - w * 13.125))) / ROOT_PI


def dawsn_far(z):
    """-(1 + 3 / 2z² + 15 / 4z⁴ + 105 / 8z⁶) / 2z²."""
    w = 1 / (z * z)
    return -w * (1 + w * (1.5 + w * (3.75 + w * 13.125))) / 2


@scalar_rule(special.erfcx)
def erfcx_partial(z, y):
    near = 2 * z * y - 2 / ROOT_PI
    return near if np.iscomplexobj(z) else far(z > FAR, z, erfcx_far, near)


@scalar_rule(special.erfi)
def erfi_partial(z, y):
    return 2 / ROOT_PI * np.exp(z * z)


@scalar_rule(special.erfinv, singular=True)
def erfinv_partial(y, x):
    return ROOT_PI / 2 * np.exp(x * x)


@scalar_rule(special.erfcinv, singular=True)
def erfcinv_partial(y, x):
    return -ROOT_PI / 2 * np.exp(x * x)


@scalar_rule(special.dawsn)
def dawsn_partial(z, y):
    near = 1 - 2 * z * y
    return near if np.iscomplexobj(z) else far(np.abs(z) > FAR, z, dawsn_far, near)


@scalar_rule(special.wofz, returns=None)
def wofz_partial(z, y):
    return far((np.abs(z) > FAR) & (np.imag(z) >= 0), z, wofz_far, 2j / ROOT_PI - 2 * z * y)


def wofz_far(z):
    """-i (1 + 3 / 2z² + 15 / 4z⁴ + 105 / 8z⁶) / (√π z²) in the upper half plane."""
    return 2j / ROOT_PI * dawsn_far(z)


@several(special.fresnel)
def fresnel_partials(z, ys):
    return ((np.sin(math.pi / 2 * z * z), np.cos(math.pi / 2 * z * z)),)


def modfresnelp_partials(x, ys):
    # F₊ = ∫ₓ^∞ exp(it²) dt and K₊ = F₊ exp(-i(x² + π/4)) / √π.
    return ((-np.exp(1j * x * x), -2j * x * ys[1] - np.exp(-0.25j * math.pi) / ROOT_PI),)


def modfresnelm_partials(x, ys):
    return ((-np.exp(-1j * x * x), 2j * x * ys[1] - np.exp(0.25j * math.pi) / ROOT_PI),)


several(special.modfresnelm)(modfresnelm_partials)
# SciPy 1.13 gives F₋ and K₋ for F₊ and K₊.
several(special.modfresnelp)(modfresnelp_partials if special.modfresnelp(0.5)[0].imag > 0 else modfresnelm_partials)


# The normal distribution


@scalar_rule(special.ndtr)
def ndtr_partial(x, y):
    return np.exp(-x * x / 2) / ROOT_2PI


@scalar_rule(special.log_ndtr)
def log_ndtr_partial(x, y):
    return density_ratio(x)


def density_ratio(x):
    """φ(x) / Φ(x): the density of the normal distribution through its distribution function.

    >>> round(float(density_ratio(-1000.0)), 6)
    1000.001
    """
    return math.sqrt(2 / math.pi) / special.erfcx(-x / math.sqrt(2))


@scalar_rule(density_ratio)
def density_ratio_partial(x, y):
    return ratio_slope(x, y)


def ratio_slope(x, y):
    """-y c₀ with c₀ = x + y of `mills_fraction`, in the tail c₀ (c₁ - c₀) - 1, whose derivative keeps its digits."""
    c = mills_fraction(x, 0)
    far = is_far(x)
    if not np.any(far):
        return -y * c
    return np.where(far, c * (mills_fraction(x, 1) - c) - 1, -y * c)


def is_far(x):
    """A mask of the points where differences would lose digits."""
    return x < -2 if np.isrealobj(x) else np.zeros(np.shape(x), bool)


non_differentiable(is_far)


def mills_fraction(x, n):
    """cₙ = (n + 1) / (cₙ₊₁ - x), by which φ(x) / Φ(x) = c₀ - x: from the difference where that keeps its digits.

    Source: Abramowitz and Stegun, Handbook of Mathematical Functions, 26.2.14.

    >>> float(mills_fraction(-1e9, 0))
    1e-09
    """
    far = is_far(x)
    c = density_ratio(x) + x
    for k in range(n):
        c = (k + 1) / c + x
    if not np.any(far):
        return c
    t = np.where(far, -x, 2.0)
    tail = 2 * FRACTIONS / (t + np.sqrt(t * t + 4 * FRACTIONS))  # as if the rest had FRACTIONS in each place
    for k in range(FRACTIONS - 1, n, -1):
        tail = k / (t + tail)
    return np.where(far, tail, c)


FRACTIONS = 64


@scalar_rule(mills_fraction)
def mills_fraction_partials(x, n, c):
    return c * (mills_fraction(x, n + 1) - c), 0.0


@scalar_rule(special.ndtri, singular=True)
def ndtri_partial(y, x):
    return ROOT_2PI * np.exp(x * x / 2)


@scalar_rule(special.ndtri_exp, singular=True)
def ndtri_exp_partial(y, x):
    return 1 / density_ratio(x)


@scalar_rule(special.nrdtrimn, singular=True)
def nrdtrimn_partials(p, std, x, y):
    return -std * ROOT_2PI * np.exp(((x - y) / std) ** 2 / 2), -(x - y) / std, 1


@scalar_rule(special.nrdtrisd, singular=True)
def nrdtrisd_partials(mn, p, x, y):
    return -y / (x - mn), -y * y / (x - mn) * ROOT_2PI * np.exp(((x - mn) / y) ** 2 / 2), y / (x - mn)


@scalar_rule(special.owens_t)
def owens_t_partials(h, a, y):
    return (
        -np.exp(-h * h / 2) * special.erf(a * h / math.sqrt(2)) / (2 * ROOT_2PI),
        np.exp(-h * h * (1 + a * a) / 2) / (2 * math.pi * (1 + a * a)),
    )


@scalar_rule(special.voigt_profile)
def voigt_profile_partials(x, sigma, gamma, y):
    return (
        np.real(voigt_slope(x, sigma, gamma)),
        -y / sigma - np.real(voigt_slope(x, sigma, gamma) * (x + 1j * gamma)) / sigma,
        -np.imag(voigt_slope(x, sigma, gamma)),
    )


def voigt_slope(x, sigma, gamma):
    """∂/∂x of w(z) / (σ √2π), z = (x + iγ) / (σ √2), whose real part is the profile."""
    z = (x + 1j * gamma) / (sigma * math.sqrt(2))
    return (2j / ROOT_PI - 2 * z * special.wofz(z)) / (2 * ROOT_PI * sigma * sigma)


non_differentiable(special.erf_zeros, special.fresnel_zeros, special.fresnelc_zeros, special.fresnels_zeros)
