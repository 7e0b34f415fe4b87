"""Exponential, sine and cosine integrals, and the dilogarithm."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math

import numpy as np
import scipy.special as special

from ....tangents import unknown
from ...registry import scalar_rule
from .outputs import several


@scalar_rule(special.exp1)
def exp1_partial(z, y):
    return -np.exp(-z) / z


@scalar_rule(special.expi)
def expi_partial(x, y):
    return np.exp(x) / x


@scalar_rule(special.expn)
def expn_partials(n, x, y):
    return unknown("the order `n`"), expn_slope(n, x)


def expn_slope(n, x):
    """E′ₙ = -Eₙ₋₁, with E₋₁ = (1 + 1/x) exp(-x) / x."""
    first = n == 0
    return np.where(
        first,
        -(1 + 1 / np.where(first, x, 1.0)) * np.exp(-x) / np.where(first, x, 1.0),
        -special.expn(np.maximum(n - 1, 0), np.where(first, 1.0, x)),
    )


@several(special.sici)
def sici_partials(z, ys):
    return ((np.sinc(z / math.pi), np.cos(z) / z),)


@several(special.shichi)
def shichi_partials(z, ys):
    return ((np.sinc(1j * z / math.pi) if np.iscomplexobj(z) else sinhc(z), np.cosh(z) / z),)


def sinhc(x):
    """sinh(x) / x, and 1 at 0."""
    other = np.where(x == 0, 1.0, x)
    return np.where(x == 0, 1.0 + x * x / 6, np.sinh(other) / other)


@scalar_rule(special.spence)
def spence_partial(z, y):
    return spence_slope(z - 1)


def spence_slope(w):
    """-log(1 + w) / w, and -1 at 0."""
    near = np.abs(w) < 1e-5
    other = np.where(near, 1.0, w)
    return np.where(near, -1 + w / 2 - w * w / 3, -special.log1p(other) / other)


@scalar_rule(special.exprel)
def exprel_partial(x, y):
    return special.hyp1f1(2, 3, x) / 2
