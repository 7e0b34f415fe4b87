"""The table of distributions on the real line.

Source: the definitions in SciPy's reference; Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math

import numpy as np
import scipy.special as special
import scipy.stats as stats

from .table import REAL_LINE, distribution

HALF_LOG_2PI = math.log(2 * math.pi) / 2
ROOT_2 = math.sqrt(2.0)


def log_i0e(x):
    """log(exp(-x) I₀(x)) for x ≥ 0, also to the right of 0, where exp(-|x|) I₀(x) has a kink.

    >>> float(log_i0e(0.0))
    0.0
    """
    small = x < 1
    return np.where(
        small,
        np.log(special.i0(np.where(small, x, 0))) - x,
        np.log(special.i0e(np.where(small, 1, x))),
    )


def zero(*shapes):
    """Zero, for any shapes."""
    return 0.0


def one(*shapes):
    """The same, for 1."""
    return 1.0


def normal_logpdf(z):
    """log φ(z)."""
    return -z * z / 2 - HALF_LOG_2PI


def tail(z, b):
    """The generalized normal distribution beyond |z|."""
    return special.gammaincc(1 / b, np.abs(z) ** b) / 2


# On the real line

distribution(
    stats.norm,
    support=REAL_LINE,
    logpdf=normal_logpdf,
    cdf=special.ndtr,
    sf=lambda z: special.ndtr(-z),
    logcdf=special.log_ndtr,
    logsf=lambda z: special.log_ndtr(-z),
    mean=zero,
    var=one,
    entropy=lambda: HALF_LOG_2PI + 0.5,
)
distribution(
    stats.laplace,
    support=REAL_LINE,
    logpdf=lambda z: -np.abs(z) - math.log(2),
    cdf=lambda z: np.where(z < 0, np.exp(np.where(z < 0, z, 0)) / 2, 1 - np.exp(-np.where(z < 0, 0, z)) / 2),
    sf=lambda z: np.where(z > 0, np.exp(-np.where(z > 0, z, 0)) / 2, 1 - np.exp(np.where(z > 0, 0, z)) / 2),
    mean=zero,
    var=lambda: 2.0,
    entropy=lambda: 1 + math.log(2),
)
distribution(
    stats.logistic,
    support=REAL_LINE,
    logpdf=lambda z: special.log_expit(z) + special.log_expit(-z),
    cdf=special.expit,
    sf=lambda z: special.expit(-z),
    logcdf=special.log_expit,
    logsf=lambda z: special.log_expit(-z),
    mean=zero,
    var=lambda: math.pi**2 / 3,
    entropy=lambda: 2.0,
)
distribution(
    stats.cauchy,
    support=REAL_LINE,
    logpdf=lambda z: -math.log(math.pi) - np.log1p(z * z),
    cdf=lambda z: np.arctan2(1.0, -z) / math.pi,
    sf=lambda z: np.arctan2(1.0, z) / math.pi,
    entropy=lambda: math.log(4 * math.pi),
)
distribution(
    stats.gumbel_r,
    support=REAL_LINE,
    logpdf=lambda z: -z - np.exp(-z),
    logcdf=lambda z: -np.exp(-z),
    sf=lambda z: -np.expm1(-np.exp(-z)),
    mean=lambda: np.euler_gamma,
    var=lambda: math.pi**2 / 6,
    entropy=lambda: np.euler_gamma + 1,
)
distribution(
    stats.gumbel_l,
    support=REAL_LINE,
    logpdf=lambda z: z - np.exp(z),
    logsf=lambda z: -np.exp(z),
    cdf=lambda z: -np.expm1(-np.exp(z)),
    mean=lambda: -np.euler_gamma,
    var=lambda: math.pi**2 / 6,
    entropy=lambda: np.euler_gamma + 1,
)
distribution(
    stats.t,
    support=REAL_LINE,
    logpdf=lambda z, df: -(df + 1) / 2 * np.log1p(z * z / df) - special.betaln(0.5, df / 2) - np.log(df) / 2,
    cdf=lambda z, df: special.stdtr(df, z),
    sf=lambda z, df: special.stdtr(df, -z),
    mean=zero,
    var=lambda df: df / (df - 2),
    entropy=lambda df: (
        (df + 1) / 2 * (special.psi((df + 1) / 2) - special.psi(df / 2)) + np.log(df) / 2 + special.betaln(df / 2, 0.5)
    ),
)
distribution(
    stats.skewnorm,
    support=REAL_LINE,
    logpdf=lambda z, a: math.log(2) + normal_logpdf(z) + special.log_ndtr(a * z),
    cdf=lambda z, a: special.ndtr(z) - 2 * special.owens_t(z, a),
    sf=lambda z, a: special.ndtr(-z) + 2 * special.owens_t(z, a),
    mean=lambda a: math.sqrt(2 / math.pi) * a / np.sqrt(1 + a * a),
    var=lambda a: 1 - 2 / math.pi * a * a / (1 + a * a),
)
distribution(
    stats.exponnorm,
    support=REAL_LINE,
    logpdf=lambda z, K: 1 / (2 * K * K) - z / K - np.log(K) + special.log_ndtr(z - 1 / K),
    cdf=lambda z, K: special.ndtr(z) - np.exp(1 / (2 * K * K) - z / K + special.log_ndtr(z - 1 / K)),
    sf=lambda z, K: special.ndtr(-z) + np.exp(1 / (2 * K * K) - z / K + special.log_ndtr(z - 1 / K)),
    logsf=lambda z, K: np.logaddexp(special.log_ndtr(-z), 1 / (2 * K * K) - z / K + special.log_ndtr(z - 1 / K)),
    mean=lambda K: K,
    var=lambda K: 1 + K * K,
)
distribution(
    stats.gennorm,
    support=REAL_LINE,
    logpdf=lambda z, b: np.log(b / 2) - special.gammaln(1 / b) - np.abs(z) ** b,
    cdf=lambda z, b: np.where(z < 0, tail(z, b), 1 - tail(z, b)),
    sf=lambda z, b: np.where(z < 0, 1 - tail(z, b), tail(z, b)),
    mean=zero,
    var=lambda b: np.exp(special.gammaln(3 / b) - special.gammaln(1 / b)),
)
distribution(
    stats.johnsonsu,
    support=REAL_LINE,
    logpdf=lambda z, a, b: normal_logpdf(a + b * np.arcsinh(z)) + np.log(b) - np.log1p(z * z) / 2,
    cdf=lambda z, a, b: special.ndtr(a + b * np.arcsinh(z)),
    sf=lambda z, a, b: special.ndtr(-a - b * np.arcsinh(z)),
    logcdf=lambda z, a, b: special.log_ndtr(a + b * np.arcsinh(z)),
    logsf=lambda z, a, b: special.log_ndtr(-a - b * np.arcsinh(z)),
)
distribution(
    stats.moyal,
    support=REAL_LINE,
    logpdf=lambda z: -(z + np.exp(-z)) / 2 - HALF_LOG_2PI,
    cdf=lambda z: special.erfc(np.exp(-z / 2) / ROOT_2),
    sf=lambda z: special.erf(np.exp(-z / 2) / ROOT_2),
    mean=lambda: np.euler_gamma + math.log(2),
    var=lambda: math.pi**2 / 2,
)
distribution(
    stats.hypsecant,
    support=REAL_LINE,
    logpdf=lambda z: -math.log(math.pi) - np.logaddexp(z, -z) + math.log(2),
    cdf=lambda z: 2 / math.pi * np.arctan(np.exp(z)),
    sf=lambda z: 2 / math.pi * np.arctan(np.exp(-z)),
    mean=zero,
    var=lambda: math.pi**2 / 4,
)
distribution(
    stats.loggamma,
    support=REAL_LINE,
    logpdf=lambda z, c: c * z - np.exp(z) - special.gammaln(c),
    cdf=lambda z, c: special.gammainc(c, np.exp(z)),
    sf=lambda z, c: special.gammaincc(c, np.exp(z)),
    mean=lambda c: special.psi(c),
    var=lambda c: special.polygamma(1, c),
)
distribution(
    stats.vonmises,
    support=REAL_LINE,
    logpdf=lambda z, kappa: kappa * (np.cos(z) - 1) - 2 * HALF_LOG_2PI - log_i0e(kappa),
    entropy=lambda kappa: 2 * HALF_LOG_2PI + log_i0e(kappa) + kappa * (1 - special.i1e(kappa) / special.i0e(kappa)),
)

# Of extremes: (1 + c z)^(1/c) and its limit exp(z)


def log1p_ratio(u):
    """log(1 + u) / u, and 1 at 0."""
    near = np.abs(u) < 1e-4
    other = np.where(near, 1.0, u)
    return np.where(near, 1 - u * (1 / 2 - u * (1 / 3 - u * (1 / 4 - u / 5))), np.log1p(other) / other)


distribution(
    stats.genextreme,
    logpdf=lambda z, c: (c - 1) * z * log1p_ratio(-c * z) - np.exp(-z * log1p_ratio(-c * z)),
    logcdf=lambda z, c: -np.exp(-z * log1p_ratio(-c * z)),
    sf=lambda z, c: -np.expm1(-np.exp(-z * log1p_ratio(-c * z))),
)
distribution(
    stats.genpareto,
    logpdf=lambda z, c: -(1 + c) * z * log1p_ratio(c * z),
    logsf=lambda z, c: -z * log1p_ratio(c * z),
    cdf=lambda z, c: -np.expm1(-z * log1p_ratio(c * z)),
    mean=lambda c: 1 / (1 - c),
    var=lambda c: 1 / ((1 - c) ** 2 * (1 - 2 * c)),
    entropy=lambda c: 1 + c,
)
