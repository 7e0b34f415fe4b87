"""The table of distributions on the half line.

Source: the definitions in SciPy's reference; Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math

import numpy as np
import scipy.special as special
import scipy.stats as stats

from ..special.distributions import noncentral_density
from .real_line import HALF_LOG_2PI, ROOT_2, log_i0e, normal_logpdf, one
from .table import HALF_LINE, distribution

distribution(
    stats.expon,
    support=HALF_LINE,
    logpdf=lambda z: -z,
    cdf=lambda z: -np.expm1(-z),
    sf=lambda z: np.exp(-z),
    logsf=lambda z: -z,
    mean=one,
    var=one,
    entropy=one,
)
distribution(
    stats.gamma,
    stats.erlang,
    support=HALF_LINE,
    logpdf=lambda z, a: special.xlogy(a - 1, z) - z - special.gammaln(a),
    cdf=lambda z, a: special.gammainc(a, z),
    sf=lambda z, a: special.gammaincc(a, z),
    mean=lambda a: a,
    var=lambda a: a,
    entropy=lambda a: a + special.gammaln(a) + (1 - a) * special.psi(a),
)
distribution(
    stats.chi2,
    support=HALF_LINE,
    logpdf=lambda z, df: special.xlogy(df / 2 - 1, z) - z / 2 - special.gammaln(df / 2) - df / 2 * math.log(2),
    cdf=lambda z, df: special.gammainc(df / 2, z / 2),
    sf=lambda z, df: special.gammaincc(df / 2, z / 2),
    mean=lambda df: df,
    var=lambda df: 2 * df,
    entropy=lambda df: df / 2 + math.log(2) + special.gammaln(df / 2) + (1 - df / 2) * special.psi(df / 2),
)
distribution(
    stats.chi,
    support=HALF_LINE,
    logpdf=lambda z, df: special.xlogy(df - 1, z) - z * z / 2 - (df / 2 - 1) * math.log(2) - special.gammaln(df / 2),
    cdf=lambda z, df: special.gammainc(df / 2, z * z / 2),
    sf=lambda z, df: special.gammaincc(df / 2, z * z / 2),
    mean=lambda df: ROOT_2 * np.exp(special.gammaln((df + 1) / 2) - special.gammaln(df / 2)),
)
distribution(
    stats.ncx2,
    support=HALF_LINE,
    logpdf=lambda z, df, nc: np.log(noncentral_density(z, df, nc)),
    cdf=lambda z, df, nc: special.chndtr(z, df, nc),
    mean=lambda df, nc: df + nc,
    var=lambda df, nc: 2 * (df + 2 * nc),
)
distribution(
    stats.invgamma,
    support=HALF_LINE,
    logpdf=lambda z, a: -(a + 1) * np.log(z) - special.gammaln(a) - 1 / z,
    cdf=lambda z, a: special.gammaincc(a, 1 / z),
    sf=lambda z, a: special.gammainc(a, 1 / z),
    mean=lambda a: 1 / (a - 1),
    var=lambda a: 1 / ((a - 1) ** 2 * (a - 2)),
    entropy=lambda a: a + special.gammaln(a) - (1 + a) * special.psi(a),
)
distribution(
    stats.f,
    support=HALF_LINE,
    logpdf=lambda z, m, n: (
        n / 2 * np.log(n)
        + m / 2 * np.log(m)
        + special.xlogy(m / 2 - 1, z)
        - (m + n) / 2 * np.log(n + m * z)
        - special.betaln(m / 2, n / 2)
    ),
    cdf=lambda z, m, n: special.fdtr(m, n, z),
    sf=lambda z, m, n: special.fdtrc(m, n, z),
    mean=lambda m, n: n / (n - 2),
    var=lambda m, n: 2 * n * n * (m + n - 2) / (m * (n - 2) ** 2 * (n - 4)),
)
distribution(
    stats.lognorm,
    support=HALF_LINE,
    logpdf=lambda z, s: normal_logpdf(np.log(z) / s) - np.log(s * z),
    cdf=lambda z, s: special.ndtr(np.log(z) / s),
    sf=lambda z, s: special.ndtr(-np.log(z) / s),
    logcdf=lambda z, s: special.log_ndtr(np.log(z) / s),
    logsf=lambda z, s: special.log_ndtr(-np.log(z) / s),
    mean=lambda s: np.exp(s * s / 2),
    var=lambda s: np.expm1(s * s) * np.exp(s * s),
    entropy=lambda s: HALF_LOG_2PI + np.log(s) + 0.5,
)
distribution(
    stats.weibull_min,
    support=HALF_LINE,
    logpdf=lambda z, c: np.log(c) + special.xlogy(c - 1, z) - z**c,
    cdf=lambda z, c: -np.expm1(-(z**c)),
    logsf=lambda z, c: -(z**c),
    mean=lambda c: special.gamma(1 + 1 / c),
    var=lambda c: special.gamma(1 + 2 / c) - special.gamma(1 + 1 / c) ** 2,
    entropy=lambda c: np.euler_gamma * (1 - 1 / c) - np.log(c) + 1,
)
distribution(
    stats.weibull_max,
    logpdf=lambda z, c: np.log(c) + special.xlogy(c - 1, -z) - (-z) ** c,
    sf=lambda z, c: -np.expm1(-((-z) ** c)),
    logcdf=lambda z, c: -((-z) ** c),
    mean=lambda c: -special.gamma(1 + 1 / c),
    var=lambda c: special.gamma(1 + 2 / c) - special.gamma(1 + 1 / c) ** 2,
    entropy=lambda c: np.euler_gamma * (1 - 1 / c) - np.log(c) + 1,
)
distribution(
    stats.invweibull,
    support=HALF_LINE,
    logpdf=lambda z, c: np.log(c) - (c + 1) * np.log(z) - z**-c,
    logcdf=lambda z, c: -(z**-c),
    sf=lambda z, c: -np.expm1(-(z**-c)),
    mean=lambda c: special.gamma(1 - 1 / c),
)
distribution(
    stats.rayleigh,
    support=HALF_LINE,
    logpdf=lambda z: np.log(z) - z * z / 2,
    cdf=lambda z: -np.expm1(-z * z / 2),
    logsf=lambda z: -z * z / 2,
    mean=lambda: math.sqrt(math.pi / 2),
    var=lambda: (4 - math.pi) / 2,
    entropy=lambda: np.euler_gamma / 2 + 1 - math.log(2) / 2,
)
distribution(
    stats.maxwell,
    support=HALF_LINE,
    logpdf=lambda z: math.log(2 / math.pi) / 2 + 2 * np.log(z) - z * z / 2,
    cdf=lambda z: special.gammainc(1.5, z * z / 2),
    sf=lambda z: special.gammaincc(1.5, z * z / 2),
    mean=lambda: 2 * math.sqrt(2 / math.pi),
    var=lambda: 3 - 8 / math.pi,
)
distribution(
    stats.rice,
    support=HALF_LINE,
    logpdf=lambda z, b: np.log(z) - (z - b) * (z - b) / 2 + log_i0e(z * b),
    cdf=lambda z, b: special.chndtr(z * z, 2, b * b),
)
distribution(
    stats.nakagami,
    support=HALF_LINE,
    logpdf=lambda z, nu: (
        math.log(2) + special.xlogy(nu, nu) - special.gammaln(nu) + special.xlogy(2 * nu - 1, z) - nu * z * z
    ),
    cdf=lambda z, nu: special.gammainc(nu, nu * z * z),
    sf=lambda z, nu: special.gammaincc(nu, nu * z * z),
)
distribution(
    stats.halfnorm,
    support=HALF_LINE,
    logpdf=lambda z: math.log(2) + normal_logpdf(z),
    cdf=lambda z: special.erf(z / ROOT_2),
    sf=lambda z: special.erfc(z / ROOT_2),
    logsf=lambda z: math.log(2) + special.log_ndtr(-z),
    mean=lambda: math.sqrt(2 / math.pi),
    var=lambda: 1 - 2 / math.pi,
    entropy=lambda: math.log(math.pi / 2) / 2 + 0.5,
)
distribution(
    stats.halfcauchy,
    support=HALF_LINE,
    logpdf=lambda z: math.log(2 / math.pi) - np.log1p(z * z),
    cdf=lambda z: 2 / math.pi * np.arctan(z),
    sf=lambda z: 2 / math.pi * np.arctan2(1.0, z),
    entropy=lambda: math.log(2 * math.pi),
)
distribution(
    stats.halflogistic,
    support=HALF_LINE,
    logpdf=lambda z: math.log(2) + special.log_expit(z) + special.log_expit(-z),
    cdf=lambda z: np.tanh(z / 2),
    sf=lambda z: 2 * special.expit(-z),
    logsf=lambda z: math.log(2) + special.log_expit(-z),
    mean=lambda: math.log(4),
    var=lambda: math.pi**2 / 3 - math.log(4) ** 2,
)
distribution(
    stats.foldnorm,
    support=HALF_LINE,
    logpdf=lambda z, c: np.logaddexp(normal_logpdf(z - c), normal_logpdf(z + c)),
    cdf=lambda z, c: special.ndtr(z - c) + special.ndtr(z + c) - 1,
    sf=lambda z, c: special.ndtr(c - z) + special.ndtr(-z - c),
)
distribution(
    stats.levy,
    support=HALF_LINE,
    logpdf=lambda z: -HALF_LOG_2PI - 1.5 * np.log(z) - 1 / (2 * z),
    cdf=lambda z: special.erfc(1 / np.sqrt(2 * z)),
    sf=lambda z: special.erf(1 / np.sqrt(2 * z)),
)
distribution(
    stats.invgauss,
    support=HALF_LINE,
    logpdf=lambda z, mu: -HALF_LOG_2PI - 1.5 * np.log(z) - ((z - mu) / mu) ** 2 / (2 * z),
    cdf=lambda z, mu: (
        special.ndtr((z / mu - 1) / np.sqrt(z)) + np.exp(2 / mu + special.log_ndtr(-(z / mu + 1) / np.sqrt(z)))
    ),
    sf=lambda z, mu: (
        special.ndtr((1 - z / mu) / np.sqrt(z)) - np.exp(2 / mu + special.log_ndtr(-(z / mu + 1) / np.sqrt(z)))
    ),
    mean=lambda mu: mu,
    var=lambda mu: mu**3,
)
distribution(
    stats.wald,
    support=HALF_LINE,
    logpdf=lambda z: -HALF_LOG_2PI - 1.5 * np.log(z) - (z - 1) ** 2 / (2 * z),
    cdf=lambda z: special.ndtr((z - 1) / np.sqrt(z)) + np.exp(2 + special.log_ndtr(-(z + 1) / np.sqrt(z))),
    mean=one,
    var=one,
)
distribution(
    stats.betaprime,
    support=HALF_LINE,
    logpdf=lambda z, a, b: special.xlogy(a - 1, z) - (a + b) * np.log1p(z) - special.betaln(a, b),
    cdf=lambda z, a, b: special.betainc(a, b, z / (1 + z)),
    sf=lambda z, a, b: special.betainc(b, a, 1 / (1 + z)),
    mean=lambda a, b: a / (b - 1),
    var=lambda a, b: a * (a + b - 1) / ((b - 2) * (b - 1) ** 2),
)
distribution(
    stats.fisk,
    support=HALF_LINE,
    logpdf=lambda z, c: np.log(c) - np.log(z) + special.log_expit(c * np.log(z)) + special.log_expit(-c * np.log(z)),
    cdf=lambda z, c: special.expit(c * np.log(z)),
    sf=lambda z, c: special.expit(-c * np.log(z)),
    logcdf=lambda z, c: special.log_expit(c * np.log(z)),
    logsf=lambda z, c: special.log_expit(-c * np.log(z)),
    mean=lambda c: math.pi / (c * np.sin(math.pi / c)),
)
distribution(
    stats.burr12,
    support=HALF_LINE,
    logpdf=lambda z, c, d: np.log(c * d) + special.xlogy(c - 1, z) - (d + 1) * np.log1p(z**c),
    logsf=lambda z, c, d: -d * np.log1p(z**c),
)
distribution(
    stats.pareto,
    logpdf=lambda z, b: np.log(b) - (b + 1) * np.log(z),
    logsf=lambda z, b: -b * np.log(z),
    cdf=lambda z, b: -np.expm1(-b * np.log(z)),
    mean=lambda b: b / (b - 1),
    var=lambda b: b / ((b - 1) ** 2 * (b - 2)),
    entropy=lambda b: 1 + 1 / b - np.log(b),
)
distribution(
    stats.lomax,
    support=HALF_LINE,
    logpdf=lambda z, c: np.log(c) - (c + 1) * np.log1p(z),
    logsf=lambda z, c: -c * np.log1p(z),
    cdf=lambda z, c: -np.expm1(-c * np.log1p(z)),
    mean=lambda c: 1 / (c - 1),
    entropy=lambda c: 1 + 1 / c - np.log(c),
)
distribution(
    stats.gompertz,
    support=HALF_LINE,
    logpdf=lambda z, c: np.log(c) + z - c * np.expm1(z),
    logsf=lambda z, c: -c * np.expm1(z),
    cdf=lambda z, c: -np.expm1(-c * np.expm1(z)),
)
distribution(
    stats.gibrat,
    support=HALF_LINE,
    logpdf=lambda z: normal_logpdf(np.log(z)) - np.log(z),
    cdf=lambda z: special.ndtr(np.log(z)),
    sf=lambda z: special.ndtr(-np.log(z)),
)
