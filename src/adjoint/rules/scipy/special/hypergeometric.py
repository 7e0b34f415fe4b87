"""Hypergeometric functions, the zeta function, Lambert's: by the argument; few parameters have a known derivative.

Source: NIST Digital Library of Mathematical Functions, 13.3, 15.5, 12.2, 25.11 and 4.13.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math

import numpy as np
import scipy.special as special

from ....tangents import ghost, unbroadcast, unknown
from ...numpy.lifting import array_rule, composed, refuse
from ...registry import non_differentiable, scalar_rule
from .outputs import several


@scalar_rule(special.hyp0f1)
def hyp0f1_partials(v, z, y):
    return unknown("the parameter `v`"), special.hyp0f1(v + 1, z) / v


@scalar_rule(special.hyp1f1)
def hyp1f1_partials(a, b, x, y):
    return unknown("the parameter `a`"), unknown("the parameter `b`"), a / b * special.hyp1f1(a + 1, b + 1, x)


@scalar_rule(special.hyp2f1)
def hyp2f1_partials(a, b, c, z, y):
    return (
        unknown("the parameter `a`"),
        unknown("the parameter `b`"),
        unknown("the parameter `c`"),
        a * b / c * special.hyp2f1(a + 1, b + 1, c + 1, z),
    )


@scalar_rule(special.hyperu)
def hyperu_partials(a, b, x, y):
    return unknown("the parameter `a`"), unknown("the parameter `b`"), -a * special.hyperu(a + 1, b + 1, x)


# Lambert's function and its relative


@array_rule(special.lambertw)
def lambertw_rule(z: np.ndarray, k=0, tol=1e-8):
    """w exp(w) = z, so z̄ = w̄ conj(exp(-w) / (1 + w))."""
    like = ghost(z)
    w = special.lambertw(z, k, tol)

    def lambertw_back(w_bar):
        return unbroadcast(w_bar * np.conj(np.exp(-w) / (1 + w)), like), None, None

    return w, lambertw_back


@scalar_rule(special.wrightomega)
def wrightomega_partial(z, y):
    return y / (1 + y)


# The zeta function


@composed(special.zeta)
def zeta(x, q=None):
    """ζ(x, q) = Σ (k + q)⁻ˣ, the first terms one by one and the rest by Euler and Maclaurin's formula."""
    return riemann(np.asarray(x)) if q is None else hurwitz(np.asarray(x), np.asarray(q))


@composed(special.zetac)
def zetac(x):
    """ζ(x) - 1."""
    return riemann(np.asarray(x)) - 1


def riemann(x):
    """ζ(x), left of -1 by its functional equation ζ(x) = 2ˣ πˣ⁻¹ sin(πx/2) Γ(1 - x) ζ(1 - x).

    Source: NIST DLMF 25.4.1.

    >>> round(float(riemann(-3.0)), 12) == round(1 / 120, 12)
    True
    """
    check_zeta(x)
    reflects = x < -1
    left = np.where(reflects, x, -3.0)
    of_right = hurwitz(np.where(reflects, 1 - x, x), 1.0)
    factor = (2 * math.pi) ** left / math.pi * np.sin(left * (math.pi / 2)) * special.gamma(1 - left)
    return np.where(reflects, factor, 1.0) * of_right


def hurwitz(x, q, terms=12):
    """Σ (k + q)⁻ˣ, continued to x > -2.

    >>> round(float(hurwitz(2.0, 1.0)), 12)  # π²/6
    1.644934066848
    """
    check_zeta(x)
    far = q + terms
    total = far ** (1.0 - x) / (x - 1.0) + far ** (-x) / 2
    for k in range(terms):
        total = total + (q + k) ** (-1.0 * x)
    rising = x * far ** (-x - 1.0)
    for j in range(1, 12):
        total = total + BERNOULLI[j] / math.factorial(2 * j) * rising
        rising = rising * (x + (2 * j - 1)) * (x + 2 * j) / (far * far)
    return total


def check_zeta(x):
    """Raise where the formulas do not hold, or overflow."""
    if np.iscomplexobj(x) or np.any(np.asarray(x) < -170):
        why = "its derivative is computed for real x > -170 only"
        refuse("zeta", why, "write its series, or a rule of your own")


BERNOULLI = [float(b) for b in special.bernoulli(24)[::2]]

non_differentiable(check_zeta)


# Parabolic cylinder functions


@several(special.pbdv)
def pbdv_partials(v, x, ys):
    return unknown("the order `v`"), (ys[1], (x * x / 4 - v - 0.5) * ys[0])


@several(special.pbvv)
def pbvv_partials(v, x, ys):
    return unknown("the order `v`"), (ys[1], (x * x / 4 - v - 0.5) * ys[0])


@several(special.pbwa)
def pbwa_partials(a, x, ys):
    return unknown("the parameter `a`"), (ys[1], (a - x * x / 4) * ys[0])
