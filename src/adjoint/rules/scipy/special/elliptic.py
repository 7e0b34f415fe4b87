"""Elliptic integrals and functions. Derivatives by m go through Carlson's integrals, which stay regular at m = 0.

Source: NIST Digital Library of Mathematical Functions, 19.4, 19.18, 19.25 and 22.13.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math

import numpy as np
import scipy.special as special

from ...numpy.lifting import composed
from ...registry import scalar_rule
from .outputs import several

# Legendre's complete and incomplete integrals


@scalar_rule(special.ellipk, singular=True)
def ellipk_partial(m, y):
    return (y - special.elliprd(0, 1 - m, 1) / 3) / (2 * (1 - m))


@scalar_rule(special.ellipkm1, singular=True)
def ellipkm1_partial(p, y):
    return -(y - special.elliprd(0, p, 1) / 3) / (2 * p)


@scalar_rule(special.ellipe, singular=True)
def ellipe_partial(m, y):
    return -special.elliprd(0, 1 - m, 1) / 6


@scalar_rule(special.ellipkinc)
def ellipkinc_partials(phi, m, y):
    return 1 / np.sqrt(1 - m * np.sin(phi) ** 2), ellipkinc_by_m(phi, m)


@scalar_rule(special.ellipeinc)
def ellipeinc_partials(phi, m, y):
    return np.sqrt(1 - m * np.sin(phi) ** 2), -ellipd(phi, m) / 2


def ellipd(phi, m):
    """D(φ|m) = (F - E) / m = ∫ sin²θ / √(1 - m sin²θ) dθ.

    >>> round(float(ellipd(math.pi, 0.0)), 12)  # π/2
    1.570796326795
    """
    turns = np.round(phi / math.pi)
    s, c = np.sin(phi - turns * math.pi), np.cos(phi - turns * math.pi)
    part = s**3 * special.elliprd(c * c, 1 - m * s * s, 1) / 3
    return part + 2 * turns * special.elliprd(0, 1 - m, 1) / 3


def ellipkinc_by_m(phi, m):
    """∂F/∂m = (F - D - sin φ cos φ / Δ) / (2 (1 - m))."""
    s, c = np.sin(phi), np.cos(phi)
    return (special.ellipkinc(phi, m) - ellipd(phi, m) - s * c / np.sqrt(1 - m * s * s)) / (2 * (1 - m))


@scalar_rule(ellipd)
def ellipd_partials(phi, m, y):
    return np.sin(phi) ** 2 / np.sqrt(1 - m * np.sin(phi) ** 2), ellipd_by_m(phi, m)


def ellipd_by_m(phi, m):
    """∂D/∂m = (∂F/∂m - D/2) / m, and at m = 0 half of ∫ sin⁴."""
    at_zero = (3 * phi / 8 - np.sin(2 * phi) / 4 + np.sin(4 * phi) / 32) / 2
    other = np.where(m == 0, 0.5, m)
    return np.where(m == 0, at_zero, (ellipkinc_by_m(phi, other) - ellipd(phi, other) / 2) / other)


@several(special.ellipj)
def ellipj_partials(u, m, ys):
    return (
        (ys[1] * ys[2], -ys[0] * ys[2], -m * ys[0] * ys[1], ys[2]),
        (
            -ys[1] * ys[2] * ellipkinc_by_m(ys[3], m),
            ys[0] * ys[2] * ellipkinc_by_m(ys[3], m),
            m * ys[0] * ys[1] * ellipkinc_by_m(ys[3], m) - ys[0] * ys[0] / (2 * ys[2]),
            -ys[2] * ellipkinc_by_m(ys[3], m),
        ),
    )


@composed(special.agm)
def agm(a, b):
    """The arithmetic-geometric mean, π (a + b) / (4 K(m)) with m = ((a - b) / (a + b))²."""
    return math.pi / 4 * (a + b) / special.ellipk(((a - b) / (a + b)) ** 2)


# Carlson's symmetric integrals


@scalar_rule(special.elliprf)
def elliprf_partials(x, y, z, value):
    return -special.elliprd(y, z, x) / 6, -special.elliprd(z, x, y) / 6, -special.elliprd(x, y, z) / 6


@scalar_rule(special.elliprg)
def elliprg_partials(x, y, z, value):
    return (
        (special.elliprf(x, y, z) - x * special.elliprd(y, z, x) / 3) / 4,
        (special.elliprf(x, y, z) - y * special.elliprd(z, x, y) / 3) / 4,
        (special.elliprf(x, y, z) - z * special.elliprd(x, y, z) / 3) / 4,
    )


@scalar_rule(special.elliprd)
def elliprd_partials(x, y, z, value):
    return (
        -0.75 * carlson(x, 1.5, y, 0.5, z, 1.5, 1, 0),
        -0.75 * carlson(x, 0.5, y, 1.5, z, 1.5, 1, 0),
        -2.25 * carlson(x, 0.5, y, 0.5, z, 2.5, 1, 0),
    )


@scalar_rule(special.elliprj)
def elliprj_partials(x, y, z, p, value):
    return (
        -0.75 * carlson(x, 1.5, y, 0.5, z, 0.5, p, 1),
        -0.75 * carlson(x, 0.5, y, 1.5, z, 0.5, p, 1),
        -0.75 * carlson(x, 0.5, y, 0.5, z, 1.5, p, 1),
        -1.5 * carlson(x, 0.5, y, 0.5, z, 0.5, p, 2),
    )


@scalar_rule(special.elliprc)
def elliprc_partials(x, y, value):
    return -0.25 * carlson(x, 1.5, y, 1, 1, 0, 1, 0), -0.5 * carlson(x, 0.5, y, 2, 1, 0, 1, 0)


def carlson(x, a, y, b, z, c, p, d):
    """∫₀^∞ (t + x)⁻ᵃ (t + y)⁻ᵇ (t + z)⁻ᶜ (t + p)⁻ᵈ dt by the double exponential rule; nan left of the poles.

    Source: Takahasi and Mori, Double exponential formulas for numerical integration (1974).

    >>> round(float(carlson(1.0, 1.5, 1.0, 0.5, 1.0, 0.5, 1.0, 0)), 12)  # 2/3
    0.666666666667
    """
    x, y, z, p = np.broadcast_arrays(x, y, z, p)
    scale = np.maximum(np.maximum(np.abs(x), np.abs(y)), np.maximum(np.abs(z), np.abs(p)))[..., None]
    t = scale * _T
    roots = [(np.asarray(v)[..., None], power) for v, power in ((x, a), (y, b), (z, c), (p, d)) if power]
    values = scale * _WEIGHTS
    with np.errstate(all="ignore"):
        for v, power in roots:
            values = values * np.where((np.imag(v) == 0) & (np.real(v) < 0), np.nan, t + v) ** -power
    return np.sum(np.where(_WEIGHTS > 0, values, 0), axis=-1)


_STEPS = 0.05 * np.arange(-84, 85)
_T = np.exp(math.pi / 2 * np.sinh(_STEPS))
_WEIGHTS = 0.05 * math.pi / 2 * np.cosh(_STEPS) * _T


@scalar_rule(carlson)
def carlson_partials(x, a, y, b, z, c, p, d, value):
    return (
        -a * carlson(x, a + 1, y, b, z, c, p, d),
        0,
        -b * carlson(x, a, y, b + 1, z, c, p, d),
        0,
        -c * carlson(x, a, y, b, z, c + 1, p, d),
        0,
        -d * carlson(x, a, y, b, z, c, p, d + 1),
        0,
    )
