"""The table of discrete distributions: by their parameters; a count carries no derivative."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np
import scipy.special as special
import scipy.stats as stats

from .real_line import zero
from .table import distribution

distribution(
    stats.poisson,
    logpdf=lambda k, mu: special.xlogy(k, mu) - special.gammaln(k + 1) - mu,
    cdf=lambda k, mu: special.pdtr(k, mu),
    sf=lambda k, mu: special.pdtrc(k, mu),
    mean=lambda mu: mu,
    var=lambda mu: mu,
)
distribution(
    stats.bernoulli,
    logpdf=lambda k, p: special.xlogy(k, p) + special.xlog1py(1 - k, -p),
    cdf=lambda k, p: np.where(k < 1, 1 - p, 1.0),
    sf=lambda k, p: np.where(k < 1, p, 0.0),
    mean=lambda p: p,
    var=lambda p: p * (1 - p),
    entropy=lambda p: special.entr(p) + special.entr(1 - p),
)
distribution(
    stats.binom,
    logpdf=lambda k, n, p: (
        special.gammaln(n + 1)
        - special.gammaln(k + 1)
        - special.gammaln(n - k + 1)
        + special.xlogy(k, p)
        + special.xlog1py(n - k, -p)
    ),
    cdf=lambda k, n, p: special.bdtr(k, n, p),
    sf=lambda k, n, p: special.bdtrc(k, n, p),
    mean=lambda n, p: n * p,
    var=lambda n, p: n * p * (1 - p),
)
distribution(
    stats.nbinom,
    logpdf=lambda k, n, p: (
        special.gammaln(n + k) - special.gammaln(k + 1) - special.gammaln(n) + n * np.log(p) + special.xlog1py(k, -p)
    ),
    cdf=lambda k, n, p: special.betainc(n, np.floor(k) + 1, p),
    sf=lambda k, n, p: special.betaincc(n, np.floor(k) + 1, p),
    mean=lambda n, p: n * (1 - p) / p,
    var=lambda n, p: n * (1 - p) / (p * p),
)
distribution(
    stats.geom,
    logpdf=lambda k, p: special.xlog1py(k - 1, -p) + np.log(p),
    cdf=lambda k, p: -np.expm1(np.log1p(-p) * np.floor(k)),
    logsf=lambda k, p: np.log1p(-p) * np.floor(k),
    mean=lambda p: 1 / p,
    var=lambda p: (1 - p) / (p * p),
)
distribution(
    stats.betabinom,
    logpdf=lambda k, n, a, b: (
        -np.log(n + 1) - special.betaln(n - k + 1, k + 1) + special.betaln(k + a, n - k + b) - special.betaln(a, b)
    ),
    mean=lambda n, a, b: n * a / (a + b),
)
distribution(
    stats.logser,
    logpdf=lambda k, p: k * np.log(p) - np.log(k) - np.log(-np.log1p(-p)),
    mean=lambda p: -p / ((1 - p) * np.log1p(-p)),
)
distribution(
    stats.zipf,
    logpdf=lambda k, a: -a * np.log(k) - np.log(special.zeta(a)),
)
distribution(
    stats.planck,
    logpdf=lambda k, lambda_: -lambda_ * k + np.log(-np.expm1(-lambda_)),
    logsf=lambda k, lambda_: -lambda_ * (np.floor(k) + 1),
    cdf=lambda k, lambda_: -np.expm1(-lambda_ * (np.floor(k) + 1)),
    mean=lambda lambda_: 1 / np.expm1(lambda_),
    var=lambda lambda_: np.exp(-lambda_) / np.expm1(-lambda_) ** 2,
)
distribution(
    stats.dlaplace,
    logpdf=lambda k, a: np.log(np.tanh(a / 2)) - a * np.abs(k),
    mean=zero,
)
distribution(
    stats.skellam,
    logpdf=lambda k, mu1, mu2: (
        -((np.sqrt(mu1) - np.sqrt(mu2)) ** 2)
        + k / 2 * (np.log(mu1) - np.log(mu2))
        + np.log(special.ive(np.asarray(np.abs(k)).astype(np.int64), 2 * np.sqrt(mu1 * mu2)))
    ),
    mean=lambda mu1, mu2: mu1 - mu2,
    var=lambda mu1, mu2: mu1 + mu2,
)
distribution(
    stats.betanbinom,
    logpdf=lambda k, n, a, b: (
        special.gammaln(n + k)
        - special.gammaln(k + 1)
        - special.gammaln(n)
        + special.betaln(a + n, b + k)
        - special.betaln(a, b)
    ),
)
distribution(
    stats.boltzmann,
    logpdf=lambda k, lambda_, N: -lambda_ * k + np.log(np.expm1(-lambda_) / np.expm1(-lambda_ * N)),
    cdf=lambda k, lambda_, N: np.expm1(-lambda_ * (np.floor(k) + 1)) / np.expm1(-lambda_ * N),
)
distribution(
    stats.yulesimon,
    logpdf=lambda k, alpha: np.log(alpha) + special.betaln(k, alpha + 1),
    logsf=lambda k, alpha: np.log(np.floor(k)) + special.betaln(np.floor(k), alpha + 1),
)
