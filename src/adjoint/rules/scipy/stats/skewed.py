"""The table of distributions on the real line that are made of others: skewed, on both sides, noncentral.

Source: the definitions in SciPy's reference; Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math

import numpy as np
import scipy.special as special
import scipy.stats as stats

from ....tangents import unknown
from ...registry import scalar_rule
from .real_line import HALF_LOG_2PI, log1p_ratio, normal_logpdf, zero
from .table import REAL_LINE, distribution


def left(z):
    """|z| on the left, 0 on the right."""
    return np.where(z < 0, -z, 0)


def right(z):
    """z on the right, 0 on the left."""
    return np.where(z < 0, 0, z)


distribution(
    stats.dgamma,
    support=REAL_LINE,
    logpdf=lambda z, a: special.xlogy(a - 1, np.abs(z)) - np.abs(z) - math.log(2) - special.gammaln(a),
    cdf=lambda z, a: np.where(z < 0, special.gammaincc(a, left(z)), 1 + special.gammainc(a, right(z))) / 2,
    sf=lambda z, a: np.where(z < 0, 1 + special.gammainc(a, left(z)), special.gammaincc(a, right(z))) / 2,
    mean=zero,
    var=lambda a: a * (a + 1),
)
distribution(
    stats.dweibull,
    support=REAL_LINE,
    logpdf=lambda z, c: np.log(c / 2) + special.xlogy(c - 1, np.abs(z)) - np.abs(z) ** c,
    cdf=lambda z, c: np.where(z < 0, np.exp(-(np.abs(z) ** c)) / 2, 1 - np.exp(-(np.abs(z) ** c)) / 2),
    sf=lambda z, c: np.where(z < 0, 1 - np.exp(-(np.abs(z) ** c)) / 2, np.exp(-(np.abs(z) ** c)) / 2),
    mean=zero,
    var=lambda c: special.gamma(1 + 2 / c),
    entropy=lambda c: np.euler_gamma * (1 - 1 / c) - np.log(c / 2) + 1,
)
distribution(
    stats.genlogistic,
    support=REAL_LINE,
    logpdf=lambda z, c: np.log(c) - z + (c + 1) * special.log_expit(z),
    logcdf=lambda z, c: c * special.log_expit(z),
    mean=lambda c: np.euler_gamma + special.psi(c),
    var=lambda c: math.pi**2 / 6 + special.polygamma(1, c),
)
distribution(
    stats.laplace_asymmetric,
    support=REAL_LINE,
    logpdf=lambda z, k: -right(z) * k - left(z) / k - np.log(k + 1 / k),
    cdf=lambda z, k: np.where(
        z < 0, np.exp(-left(z) / k) * (k * k / (1 + k * k)), 1 - np.exp(-right(z) * k) / (1 + k * k)
    ),
    sf=lambda z, k: np.where(
        z < 0, 1 - np.exp(-left(z) / k) * (k * k / (1 + k * k)), np.exp(-right(z) * k) / (1 + k * k)
    ),
    mean=lambda k: 1 / k - k,
    var=lambda k: 1 / (k * k) + k * k,
    entropy=lambda k: 1 + np.log(k + 1 / k),
)
distribution(
    stats.skewcauchy,
    support=REAL_LINE,
    logpdf=lambda z, a: -math.log(math.pi) - np.log1p(np.where(z < 0, z / (1 - a), z / (1 + a)) ** 2),
    cdf=lambda z, a: np.where(
        z < 0,
        (1 - a) / math.pi * np.arctan2(1.0, left(z) / (1 - a)),
        (1 - a) / 2 + (1 + a) / math.pi * np.arctan(right(z) / (1 + a)),
    ),
    sf=lambda z, a: np.where(
        z < 0,
        (1 + a) / 2 + (1 - a) / math.pi * np.arctan(left(z) / (1 - a)),
        (1 + a) / math.pi * np.arctan2(1.0, right(z) / (1 + a)),
    ),
)
distribution(
    stats.powernorm,
    support=REAL_LINE,
    logpdf=lambda z, c: np.log(c) + normal_logpdf(z) + (c - 1) * special.log_ndtr(-z),
    logsf=lambda z, c: c * special.log_ndtr(-z),
)
distribution(
    stats.levy_l,
    support=(-np.inf, 0.0),
    logpdf=lambda z: -HALF_LOG_2PI - 1.5 * np.log(-z) + 1 / (2 * z),
    cdf=lambda z: special.erf(1 / np.sqrt(-2 * z)),
    sf=lambda z: special.erfc(1 / np.sqrt(-2 * z)),
)
distribution(
    stats.norminvgauss,
    support=REAL_LINE,
    logpdf=lambda z, a, b: (
        np.log(a * special.k1e(a * np.hypot(1, z)) / (math.pi * np.hypot(1, z)))
        - a * np.hypot(1, z)
        + np.sqrt(a * a - b * b)
        + b * z
    ),
    mean=lambda a, b: b / np.sqrt(a * a - b * b),
    var=lambda a, b: a * a / (a * a - b * b) ** 1.5,
)
distribution(
    stats.tukeylambda,
    logpdf=lambda z, lam: -np.log(special.tklmbda(z, lam) ** (lam - 1) + special.tklmbda(-z, lam) ** (lam - 1)),
    cdf=lambda z, lam: special.tklmbda(z, lam),
    sf=lambda z, lam: special.tklmbda(-z, lam),
)

# Pearson's type III: the gamma distribution of shape 4 / s², normal for s = 0


def log1p_rest(u):
    """(log(1 + u) - u) / u², and -1/2 at 0."""
    near = np.abs(u) < 0.02
    a, b = np.where(near, u, 0.0), np.where(near, 1.0, u)
    series = -1 / 2 + a * (1 / 3 - a * (1 / 4 - a * (1 / 5 - a * (1 / 6 - a * (1 / 7 - a * (1 / 8 - a / 9))))))
    return np.where(near, series, (np.log1p(b) - b) / (b * b))


def log_stirling(s):
    """log Γ(α) - (α - 1/2) log α + α - log(2π) / 2 of α = 4 / s²."""
    near = s * s < 0.04
    a, b = np.where(near, s * s / 4, 0.0), np.where(near, 1.0, 4 / np.where(near, 1.0, s * s))
    series = a * (1 / 12 - a * a * (1 / 360 - a * a * (1 / 1260 - a * a / 1680)))
    return np.where(near, series, special.gammaln(b) - (b - 0.5) * np.log(b) + b - HALF_LOG_2PI)


distribution(
    stats.pearson3,
    logpdf=lambda z, s: (
        z * z * log1p_rest(z * s / 2) - z * s / 2 * log1p_ratio(z * s / 2) - log_stirling(s) - HALF_LOG_2PI
    ),
    cdf=lambda z, s: np.where(
        s < 0,
        special.gammaincc(4 / (s * s), 4 / (s * s) + 2 * z / s),
        special.gammainc(4 / (s * s), 4 / (s * s) + 2 * z / s),
    ),
    sf=lambda z, s: np.where(
        s < 0,
        special.gammainc(4 / (s * s), 4 / (s * s) + 2 * z / s),
        special.gammaincc(4 / (s * s), 4 / (s * s) + 2 * z / s),
    ),
    mean=zero,
    var=lambda s: 1.0 + 0.0 * s,
)

# Student's noncentral one


def noncentral_log(z, df, nc):
    """Of the density, which is (z² + n)^(-(n+1)/2) exp(-nδ²/(2(z² + n))) ∫ yⁿ exp(-(y - u)²/2) dy up to a factor of n
    alone, u = δz/√(z² + n). The integral has the slope n ∫ yⁿ⁻¹ exp(-(y - u)²/2) dy, which is that of n - 1."""
    return stats.nct.logpdf(z, df, nc)


def noncentral_slope(z, df, nc):
    """-F_δ, by the density p of n - 1 degrees of freedom: √((n-1)/2) Γ((n-1)/2) / Γ(n/2) p(z √((n-1)/n))."""
    less = df - 1
    factor = np.sqrt(less / 2) * np.exp(special.gammaln(less / 2) - special.gammaln(df / 2))
    return factor * np.exp(stats.nct.logpdf(z * np.sqrt(less / df), less, nc))


@scalar_rule(noncentral_log)
def noncentral_log_partials(z, df, nc, y):
    return (
        -(df + 1) * z / (z * z + df)
        + df * nc * nc * z / (z * z + df) ** 2
        + nc * df * df / (z * z + df) ** 2 * noncentral_slope(z, df, nc) / np.exp(y),
        unknown("the degrees of freedom `df`"),
        -df * nc / (z * z + df) + df * z / (z * z + df) * noncentral_slope(z, df, nc) / np.exp(y),
    )


def noncentral_cdf(z, df, nc):
    """F."""
    return stats.nct.cdf(z, df, nc)


@scalar_rule(noncentral_cdf)
def noncentral_cdf_partials(z, df, nc, y):
    return np.exp(noncentral_log(z, df, nc)), unknown("the degrees of freedom `df`"), -noncentral_slope(z, df, nc)


distribution(
    stats.nct,
    support=REAL_LINE,
    logpdf=noncentral_log,
    cdf=noncentral_cdf,
    mean=lambda df, nc: nc * np.sqrt(df / 2) * np.exp(special.gammaln((df - 1) / 2) - special.gammaln(df / 2)),
)
