"""Tests of variances and of normality, tables of frequencies, probabilities put together: statistic and probability."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import math

import numpy as np
import scipy.special as special
import scipy.stats as stats

from ...numpy.lifting import composed
from ...registry import non_differentiable
from .probabilities import POWERS, asked, lined_up


def tail_of_normal(z, alternative):
    """The probability of a value of the normal distribution that is as far out."""
    if alternative == "less":
        return special.ndtr(z)
    if alternative == "greater":
        return special.ndtr(-z)
    return 2 * special.ndtr(-np.abs(z))


# Of normality


def ratios(a, order):
    """The mean of (a - mean) to this power, over that of its square to half of it; and how many values there are."""
    d = a - np.mean(a, axis=-1, keepdims=True)
    return np.mean(d**order, axis=-1) / np.mean(d * d, axis=-1) ** (order / 2), float(np.shape(a)[-1])


def normal_skewness(a):
    """The skewness as a normal variable: δ arsinh(b₁ / α).

    Source: R. B. D'Agostino, Transformation to normality of the null distribution of g₁, Biometrika 57 (1970), 679-681.
    """
    skewness, n = ratios(a, 3)
    fourth = 3 * (n * n + 27 * n - 70) * (n + 1) * (n + 3) / ((n - 2) * (n + 5) * (n + 7) * (n + 9))
    w = math.sqrt(2 * (fourth - 1)) - 1
    scale = math.sqrt((n + 1) * (n + 3) / (6 * (n - 2))) / math.sqrt(2 / (w - 1))
    return np.arcsinh(skewness * scale) / math.sqrt(math.log(w) / 2)


def normal_kurtosis(a):
    """The kurtosis as a normal variable, by the cube root of a reciprocal.

    Source: F. J. Anscombe, W. J. Glynn, Distribution of the kurtosis statistic b₂ for normal samples, Biometrika 70
    (1983), 227-234.
    """
    kurtosis, n = ratios(a, 4)
    deviation = math.sqrt(24 * n * (n - 2) * (n - 3) / ((n + 3) * (n + 5))) / (n + 1)
    x = (kurtosis - 3 * (n - 1) / (n + 1)) / deviation
    third = 6 * (n * n - 5 * n + 2) / ((n + 7) * (n + 9)) * math.sqrt(6 * (n + 3) * (n + 5) / (n * (n - 2) * (n - 3)))
    freedom = 6 + 8 / third * (2 / third + math.sqrt(1 + 4 / third**2))
    small = 2 / (9 * freedom)
    return (1 - small - np.cbrt((1 - 2 / freedom) / (1 + x * math.sqrt(2 / (freedom - 4))))) / math.sqrt(small)


@composed(stats.skewtest)
def skewtest(a, axis=0, nan_policy="propagate", alternative="two-sided", *, keepdims=False):
    """Tell whether the skewness is that of a normal sample."""
    asked("skewtest", nan_policy, keepdims)
    z = normal_skewness(*lined_up(axis, a))
    return z, tail_of_normal(z, alternative)


@composed(stats.kurtosistest)
def kurtosistest(a, axis=0, nan_policy="propagate", alternative="two-sided", *, keepdims=False):
    """Tell whether the kurtosis is that of a normal sample."""
    asked("kurtosistest", nan_policy, keepdims)
    z = normal_kurtosis(*lined_up(axis, a))
    return z, tail_of_normal(z, alternative)


@composed(stats.normaltest)
def normaltest(a, axis=0, nan_policy="propagate", *, keepdims=False):
    """The sum of both squares."""
    asked("normaltest", nan_policy, keepdims)
    (a,) = lined_up(axis, a)
    found = normal_skewness(a) ** 2 + normal_kurtosis(a) ** 2
    return found, special.chdtrc(2, found)


# Of equal variances


@composed(stats.levene)
def levene(*samples, center="median", proportiontocut=0.05, axis=0, nan_policy="propagate", keepdims=False):
    """F of the distances from the centres.

    Source: M. B. Brown, A. B. Forsythe, Robust tests for the equality of variances, J. Am. Stat. Assoc. 69 (1974).
    """
    asked("levene", nan_policy, keepdims)
    distances = [np.abs(a - centre(a, center, proportiontocut)) for a in lined_up(axis, *samples)]
    sizes = [np.shape(d)[-1] for d in distances]
    means, total, k = [np.mean(d, axis=-1) for d in distances], sum(sizes), len(samples)
    grand = sum([n * m for n, m in zip(sizes, means, strict=True)]) / total
    between = sum([n * (m - grand) ** 2 for n, m in zip(sizes, means, strict=True)])
    within = sum([n * np.var(d, axis=-1) for n, d in zip(sizes, distances, strict=True)])
    found = (total - k) / (k - 1) * between / within
    return found, special.fdtrc(k - 1, total - k, found)


def centre(a, center, proportiontocut):
    """Of samples along the last axis."""
    if center == "median":
        return np.median(a, axis=-1, keepdims=True)
    if center == "mean":
        return np.mean(a, axis=-1, keepdims=True)
    return np.expand_dims(stats.trim_mean(a, proportiontocut, axis=-1), -1)


@composed(stats.bartlett)
def bartlett(*samples, axis=0, nan_policy="propagate", keepdims=False):
    """The log of the pooled variance against the mean of logs.

    Source: M. S. Bartlett, Properties of sufficiency and statistical tests, Proc. R. Soc. A 160 (1937), 268-282.
    """
    asked("bartlett", nan_policy, keepdims)
    groups = lined_up(axis, *samples)
    freedoms = np.array([np.shape(a)[-1] - 1.0 for a in groups])
    variances, total = np.stack([np.var(a, axis=-1, ddof=1) for a in groups]), np.sum(freedoms)
    pooled, logs = np.tensordot(freedoms, variances, 1) / total, np.tensordot(freedoms, np.log(variances), 1)
    correction = 1 + (np.sum(1 / freedoms) - 1 / total) / (3 * (len(groups) - 1))
    found = np.maximum((total * np.log(pooled) - logs) / correction, 0)
    return found, special.chdtrc(len(groups) - 1, found)


# Of tables and of probabilities


@composed(stats.chi2_contingency)
def chi2_contingency(observed, correction=True, lambda_=None, *, method=None):
    """The divergence of a table from the product of its margins."""
    asked("chi2_contingency", method=method)
    o = np.asarray(observed)
    expected, freedom = stats.contingency.expected_freq(o), o.size - sum(o.shape) + o.ndim - 1
    if freedom == 0:
        return 0.0, 1.0, freedom, expected
    if freedom == 1 and correction:
        d = expected - o
        o = o + np.sign(d) * np.minimum(0.5, np.abs(d))
    power = 1 if lambda_ is None else POWERS[lambda_] if isinstance(lambda_, str) else lambda_
    found = stats.power_divergence(o, expected, o.size - 1 - freedom, None, power)
    return found[0], found[1], freedom, expected


@composed(stats.contingency.expected_freq)
def expected_freq(observed):
    """The product of the margins, over the sum to one less than their number."""
    o = np.asarray(observed)
    product = np.ones(())
    for axis in range(o.ndim):
        others = tuple([i for i in range(o.ndim) if i != axis])
        product = product * np.sum(o, axis=others, keepdims=True)
    return product / np.sum(o) ** (o.ndim - 1)


@composed(stats.combine_pvalues)
def combine_pvalues(pvalues, method="fisher", weights=None, *, axis=0, nan_policy="propagate", keepdims=False):
    """The probability of several together.

    Source: N. A. Heard, P. Rubin-Delanchy, Choosing between methods of combining p-values, Biometrika 105 (2018).
    """
    asked("combine_pvalues", nan_policy, keepdims)
    (p,) = lined_up(axis, pvalues)
    n = np.shape(p)[-1]
    if method == "fisher":
        found = -2 * np.sum(np.log(p), axis=-1)
        return found, special.chdtrc(2 * n, found)
    if method == "pearson":
        found = 2 * np.sum(np.log1p(-p), axis=-1)
        return found, special.chdtr(2 * n, -found)
    if method == "mudholkar_george":
        found = np.sum(np.log1p(-p) - np.log(p), axis=-1)
        freedom = 5 * n + 4
        return found, special.stdtr(freedom, -found * math.sqrt(3 / n * freedom / (freedom - 2)) / math.pi)
    if method == "tippett":
        found = np.min(p, axis=-1)
        return found, 1 - (1 - found) ** n
    w = np.ones(n) if weights is None else lined_up(axis, np.broadcast_arrays(pvalues, weights)[1])[0]
    found = -np.sum(w * special.ndtri(p), axis=-1) / np.sqrt(np.sum(w * w, axis=-1))
    return found, special.ndtr(-found)


# Of the order of values, or of whole numbers, alone

_RANKED = "anderson_ksamp barnard_exact boschloo_exact bws_test cramervonmises_2samp fisher_exact fligner logrank"
non_differentiable(*[getattr(stats, name) for name in (*_RANKED.split(), "percentileofscore") if hasattr(stats, name)])
