"""The table of distributions of bounded range.

Source: the definitions in SciPy's reference; Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math

import numpy as np
import scipy.special as special
import scipy.stats as stats

from .real_line import HALF_LOG_2PI, normal_logpdf, zero
from .table import distribution

distribution(
    stats.uniform,
    support=(0.0, 1.0),
    logpdf=lambda z: 0.0 * z,
    cdf=lambda z: z,
    sf=lambda z: 1 - z,
    mean=lambda: 0.5,
    var=lambda: 1 / 12,
    entropy=zero,
)
distribution(
    stats.beta,
    support=(0.0, 1.0),
    logpdf=lambda z, a, b: special.xlogy(a - 1, z) + special.xlog1py(b - 1, -z) - special.betaln(a, b),
    cdf=lambda z, a, b: special.betainc(a, b, z),
    sf=lambda z, a, b: special.betaincc(a, b, z),
    mean=lambda a, b: a / (a + b),
    var=lambda a, b: a * b / ((a + b) ** 2 * (a + b + 1)),
    entropy=lambda a, b: (
        special.betaln(a, b) - (a - 1) * special.psi(a) - (b - 1) * special.psi(b) + (a + b - 2) * special.psi(a + b)
    ),
)
distribution(
    stats.arcsine,
    support=(0.0, 1.0),
    logpdf=lambda z: -math.log(math.pi) - np.log(z * (1 - z)) / 2,
    cdf=lambda z: 2 / math.pi * np.arcsin(np.sqrt(z)),
    mean=lambda: 0.5,
    var=lambda: 1 / 8,
    entropy=lambda: math.log(math.pi / 4),
)
distribution(
    stats.powerlaw,
    support=(0.0, 1.0),
    logpdf=lambda z, a: np.log(a) + special.xlogy(a - 1, z),
    cdf=lambda z, a: z**a,
    logcdf=lambda z, a: a * np.log(z),
    mean=lambda a: a / (a + 1),
    var=lambda a: a / ((a + 2) * (a + 1) ** 2),
    entropy=lambda a: 1 - 1 / a - np.log(a),
)
distribution(
    stats.triang,
    support=(0.0, 1.0),
    logpdf=lambda z, c: np.log(2 * np.where(z < c, z / np.where(z < c, c, 1), (1 - z) / np.where(z < c, 1, 1 - c))),
    cdf=lambda z, c: np.where(z < c, z * z / np.where(z < c, c, 1), 1 - (1 - z) * (1 - z) / np.where(z < c, 1, 1 - c)),
    mean=lambda c: (c + 1) / 3,
    var=lambda c: (1 - c + c * c) / 18,
    entropy=lambda c: 0.5 - math.log(2) + 0.0 * c,
)
distribution(
    stats.loguniform,
    stats.reciprocal,
    logpdf=lambda z, a, b: -np.log(z) - np.log(np.log(b) - np.log(a)),
    cdf=lambda z, a, b: (np.log(z) - np.log(a)) / (np.log(b) - np.log(a)),
    sf=lambda z, a, b: (np.log(b) - np.log(z)) / (np.log(b) - np.log(a)),
    mean=lambda a, b: (b - a) / (np.log(b) - np.log(a)),
    entropy=lambda a, b: (np.log(a) + np.log(b)) / 2 + np.log(np.log(b) - np.log(a)),
)
distribution(
    stats.johnsonsb,
    support=(0.0, 1.0),
    logpdf=lambda z, a, b: normal_logpdf(a + b * special.logit(z)) + np.log(b) - np.log(z * (1 - z)),
    cdf=lambda z, a, b: special.ndtr(a + b * special.logit(z)),
    sf=lambda z, a, b: special.ndtr(-a - b * special.logit(z)),
    logcdf=lambda z, a, b: special.log_ndtr(a + b * special.logit(z)),
    logsf=lambda z, a, b: special.log_ndtr(-a - b * special.logit(z)),
)
distribution(
    stats.truncexpon,
    logpdf=lambda z, b: -z - np.log(-np.expm1(-b)),
    cdf=lambda z, b: np.expm1(-z) / np.expm1(-b),
    sf=lambda z, b: (np.exp(-b) - np.exp(-z)) / np.expm1(-b),
)
distribution(
    stats.bradford,
    support=(0.0, 1.0),
    logpdf=lambda z, c: np.log(c) - np.log1p(c * z) - np.log(np.log1p(c)),
    cdf=lambda z, c: np.log1p(c * z) / np.log1p(c),
)
distribution(
    stats.semicircular,
    logpdf=lambda z: math.log(2 / math.pi) + np.log1p(-z * z) / 2,
    cdf=lambda z: 0.5 + (z * np.sqrt(1 - z * z) + np.arcsin(z)) / math.pi,
    mean=zero,
    var=lambda: 0.25,
)
distribution(
    stats.cosine,
    logpdf=lambda z: 2 * np.log(np.cos(z / 2)) - math.log(math.pi),
    cdf=lambda z: (math.pi + z + np.sin(z)) / (2 * math.pi),
    sf=lambda z: (math.pi - z - np.sin(z)) / (2 * math.pi),
    mean=zero,
    var=lambda: (math.pi**2 - 6) / 3,
)
distribution(
    stats.anglit,
    logpdf=lambda z: np.log(np.cos(2 * z)),
    cdf=lambda z: np.sin(z + math.pi / 4) ** 2,
    sf=lambda z: np.cos(z + math.pi / 4) ** 2,
    mean=zero,
    var=lambda: math.pi**2 / 16 - 0.5,
)


def log_mass(a, b):
    """log(Φ(b) - Φ(a)), on the side of the mean where the tails are exact."""
    a, b = far(a), far(b)
    upper = a > 0
    low, high = np.where(upper, -b, a), np.where(upper, -a, b)
    top = special.log_ndtr(high)
    return top + np.log1p(-np.exp(special.log_ndtr(low) - top))


def far(a):
    """An end of a range, which may be infinite."""
    infinite = np.isinf(a)
    return np.where(infinite, np.sign(a) * 1e9, np.where(infinite, 0.0, a))


distribution(
    stats.truncnorm,
    logpdf=lambda z, a, b: normal_logpdf(z) - log_mass(a, b),
    logcdf=lambda z, a, b: log_mass(a, z) - log_mass(a, b),
    logsf=lambda z, a, b: log_mass(z, b) - log_mass(a, b),
)
distribution(
    stats.argus,
    support=(0.0, 1.0),
    logpdf=lambda z, chi: (
        3 * np.log(chi)
        - HALF_LOG_2PI
        - np.log(special.gammainc(1.5, chi * chi / 2) / 2)
        + np.log(z)
        + np.log1p(-z * z) / 2
        - chi * chi * (1 - z * z) / 2
    ),
    sf=lambda z, chi: special.gammainc(1.5, chi * chi * (1 - z * z) / 2) / special.gammainc(1.5, chi * chi / 2),
)
distribution(
    stats.rdist,
    support=(-1.0, 1.0),
    logpdf=lambda z, c: special.xlog1py(c / 2 - 1, -z * z) - special.betaln(0.5, c / 2),
    cdf=lambda z, c: special.betainc(c / 2, c / 2, (1 + z) / 2),
    sf=lambda z, c: special.betainc(c / 2, c / 2, (1 - z) / 2),
    mean=zero,
)
distribution(
    stats.trapezoid,
    support=(0.0, 1.0),
    logpdf=lambda z, c, d: np.log(2 / (d - c + 1) * np.where(z < c, z / c, np.where(z > d, (1 - z) / (1 - d), 1.0))),
    cdf=lambda z, c, d: np.where(
        z < c,
        z * z / (c * (d - c + 1)),
        np.where(z > d, 1 - (1 - z) ** 2 / ((d - c + 1) * (1 - d)), (2 * z - c) / (d - c + 1)),
    ),
    sf=lambda z, c, d: np.where(
        z < c,
        1 - z * z / (c * (d - c + 1)),
        np.where(z > d, (1 - z) ** 2 / ((d - c + 1) * (1 - d)), (d + 1 - 2 * z) / (d - c + 1)),
    ),
)
distribution(
    stats.wrapcauchy,
    support=(0.0, 2 * math.pi),
    logpdf=lambda z, c: np.log((1 - c * c) / (2 * math.pi * (1 + c * c - 2 * c * np.cos(z)))),
    cdf=lambda z, c: np.arctan2((1 + c) * np.sin(z / 2), (1 - c) * np.cos(z / 2)) / math.pi,
    sf=lambda z, c: np.arctan2((1 + c) * np.sin(z / 2), -(1 - c) * np.cos(z / 2)) / math.pi,
)
