"""The table of distributions on the half line that are made of others by powers, folding or cutting.

Source: the definitions in SciPy's reference; Johnson, Kotz and Balakrishnan, Continuous Univariate Distributions.
"""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math

import numpy as np
import scipy.special as special
import scipy.stats as stats

from .real_line import HALF_LOG_2PI, log1p_ratio, normal_logpdf
from .table import HALF_LINE, distribution

distribution(
    stats.alpha,
    support=HALF_LINE,
    logpdf=lambda z, a: normal_logpdf(a - 1 / z) - 2 * np.log(z) - special.log_ndtr(a),
    logcdf=lambda z, a: special.log_ndtr(a - 1 / z) - special.log_ndtr(a),
)
distribution(
    stats.burr,
    support=HALF_LINE,
    logpdf=lambda z, c, d: np.log(c * d) - (c + 1) * np.log(z) - (d + 1) * np.log1p(z**-c),
    logcdf=lambda z, c, d: -d * np.log1p(z**-c),
    mean=lambda c, d: d * special.beta(1 - 1 / c, d + 1 / c),
)
distribution(
    stats.mielke,
    support=HALF_LINE,
    logpdf=lambda z, k, s: np.log(k) + special.xlogy(k - 1, z) - (1 + k / s) * np.log1p(z**s),
    logcdf=lambda z, k, s: -k / s * np.log1p(z**-s),
)
distribution(
    stats.kappa3,
    support=HALF_LINE,
    logpdf=lambda z, a: np.log(a) - (1 + 1 / a) * np.log(a + z**a),
    logcdf=lambda z, a: -np.log1p(a * z**-a) / a,
)
distribution(
    stats.exponpow,
    support=HALF_LINE,
    logpdf=lambda z, b: np.log(b) + special.xlogy(b - 1, z) + z**b - np.expm1(z**b),
    logsf=lambda z, b: -np.expm1(z**b),
)
distribution(
    stats.exponweib,
    support=HALF_LINE,
    logpdf=lambda z, a, c: np.log(a * c) + special.xlogy(a - 1, -np.expm1(-(z**c))) - z**c + special.xlogy(c - 1, z),
    logcdf=lambda z, a, c: (
        a * np.where(z**c < 1, np.log(-np.expm1(-np.minimum(z**c, 1))), np.log1p(-np.exp(-np.maximum(z**c, 1))))
    ),
)
distribution(
    stats.gengamma,
    support=HALF_LINE,
    logpdf=lambda z, a, c: np.log(np.abs(c)) + special.xlogy(a * c - 1, z) - z**c - special.gammaln(a),
    cdf=lambda z, a, c: np.where(c > 0, special.gammainc(a, z**c), special.gammaincc(a, z**c)),
    sf=lambda z, a, c: np.where(c > 0, special.gammaincc(a, z**c), special.gammainc(a, z**c)),
    mean=lambda a, c: np.exp(special.gammaln(a + 1 / c) - special.gammaln(a)),
    var=lambda a, c: (
        np.exp(special.gammaln(a + 2 / c) - special.gammaln(a))
        - np.exp(2 * (special.gammaln(a + 1 / c) - special.gammaln(a)))
    ),
)
distribution(
    stats.halfgennorm,
    support=HALF_LINE,
    logpdf=lambda z, b: np.log(b) - special.gammaln(1 / b) - z**b,
    cdf=lambda z, b: special.gammainc(1 / b, z**b),
    sf=lambda z, b: special.gammaincc(1 / b, z**b),
    entropy=lambda b: 1 / b - np.log(b) + special.gammaln(1 / b),
)
distribution(
    stats.genexpon,
    support=HALF_LINE,
    logpdf=lambda z, a, b, c: np.log(a - b * np.expm1(-c * z)) - (a + b) * z - b / c * np.expm1(-c * z),
    logsf=lambda z, a, b, c: -(a + b) * z - b / c * np.expm1(-c * z),
)


def log_rest(z, c):
    """log(1 - c z) / c."""
    return -z * log1p_ratio(-c * z)


distribution(
    stats.genhalflogistic,
    logpdf=lambda z, c: math.log(2) + (1 - c) * log_rest(z, c) - 2 * np.log1p(np.exp(log_rest(z, c))),
    cdf=lambda z, c: np.tanh(-log_rest(z, c) / 2),
    logsf=lambda z, c: math.log(2) + special.log_expit(log_rest(z, c)),
)
distribution(
    stats.loglaplace,
    support=HALF_LINE,
    logpdf=lambda z, c: np.log(c / 2) - c * np.abs(np.log(z)) - np.log(z),
    cdf=lambda z, c: np.where(z < 1, np.minimum(z, 1) ** c / 2, 1 - np.maximum(z, 1) ** -c / 2),
    sf=lambda z, c: np.where(z < 1, 1 - np.minimum(z, 1) ** c / 2, np.maximum(z, 1) ** -c / 2),
)
distribution(
    stats.fatiguelife,
    support=HALF_LINE,
    logpdf=lambda z, c: normal_logpdf((z - 1) / (c * np.sqrt(z))) + np.log((z + 1) / (2 * c)) - 1.5 * np.log(z),
    cdf=lambda z, c: special.ndtr((z - 1) / (c * np.sqrt(z))),
    sf=lambda z, c: special.ndtr((1 - z) / (c * np.sqrt(z))),
    logcdf=lambda z, c: special.log_ndtr((z - 1) / (c * np.sqrt(z))),
    logsf=lambda z, c: special.log_ndtr((1 - z) / (c * np.sqrt(z))),
    mean=lambda c: 1 + c * c / 2,
    var=lambda c: c * c * (1 + 5 * c * c / 4),
)
distribution(
    stats.foldcauchy,
    support=HALF_LINE,
    logpdf=lambda z, c: np.log(1 / (1 + (z - c) ** 2) + 1 / (1 + (z + c) ** 2)) - math.log(math.pi),
    cdf=lambda z, c: (np.arctan(z - c) + np.arctan(z + c)) / math.pi,
    sf=lambda z, c: (np.arctan2(1.0, z - c) + np.arctan2(1.0, z + c)) / math.pi,
)
distribution(
    stats.powerlognorm,
    support=HALF_LINE,
    logpdf=lambda z, c, s: (
        np.log(c / s) - np.log(z) + normal_logpdf(np.log(z) / s) + (c - 1) * special.log_ndtr(-np.log(z) / s)
    ),
    logsf=lambda z, c, s: c * special.log_ndtr(-np.log(z) / s),
)
distribution(
    stats.recipinvgauss,
    support=HALF_LINE,
    logpdf=lambda z, mu: -HALF_LOG_2PI - np.log(z) / 2 - (1 - mu * z) ** 2 / (2 * z * mu * mu),
    cdf=lambda z, mu: (
        special.ndtr((mu * z - 1) / (mu * np.sqrt(z)))
        - np.exp(2 / mu + special.log_ndtr(-(1 + mu * z) / (mu * np.sqrt(z))))
    ),
    sf=lambda z, mu: (
        special.ndtr((1 - mu * z) / (mu * np.sqrt(z)))
        + np.exp(2 / mu + special.log_ndtr(-(1 + mu * z) / (mu * np.sqrt(z))))
    ),
)
distribution(
    stats.truncpareto,
    logpdf=lambda z, b, c: np.log(-b / np.expm1(-b * np.log(c))) - (b + 1) * np.log(z),
    cdf=lambda z, b, c: np.expm1(-b * np.log(z)) / np.expm1(-b * np.log(c)),
    sf=lambda z, b, c: -(z**-b) * np.expm1(b * np.log(z / c)) / -np.expm1(-b * np.log(c)),
)
distribution(
    stats.truncweibull_min,
    logpdf=lambda z, c, a, b: np.log(c) + special.xlogy(c - 1, z) - (z**c - a**c) - np.log(-np.expm1(-(b**c - a**c))),
    cdf=lambda z, c, a, b: np.expm1(-(z**c - a**c)) / np.expm1(-(b**c - a**c)),
    sf=lambda z, c, a, b: np.exp(a**c - z**c) * np.expm1(-(b**c - z**c)) / np.expm1(-(b**c - a**c)),
)
distribution(
    stats.geninvgauss,
    support=HALF_LINE,
    logpdf=lambda z, p, b: special.xlogy(p - 1, z) - b * (z - 1) ** 2 / (2 * z) - np.log(2 * special.kve(p, b)),
)
