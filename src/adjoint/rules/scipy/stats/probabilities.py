"""Tests of means and of frequencies: the statistic and its probability, both of which depend smoothly on the sample."""
# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
# mypy: disable-error-code="arg-type, call-overload, type-arg, misc"

import numpy as np
import scipy.special as special
import scipy.stats as stats

from ...numpy.lifting import composed, refuse
from ...registry import non_differentiable


def asked(name, nan_policy="propagate", keepdims=False, **unusual):
    """Raise for what these formulas do not say."""
    if nan_policy != "propagate" or keepdims:
        refuse(f"scipy.stats.{name}", "`nan_policy` and `keepdims` are not followed", "leave them off")
    for key, value in unusual.items():
        if value is not None:
            why = "a trimmed sample, or a probability that is drawn, is not followed"
            refuse(f"scipy.stats.{name}({key}=)", why, "leave it off")


def lined_up(axis, *samples):
    """Samples along the last axis."""
    if axis is None:
        return [np.ravel(np.asarray(a)) for a in samples]
    return [np.moveaxis(np.asarray(a), axis, -1) for a in samples]


non_differentiable(asked)


def tail_of_t(t, df, alternative):
    """The probability of a value of Student's distribution that is as far out."""
    if alternative == "less":
        return special.stdtr(df, t)
    if alternative == "greater":
        return special.stdtr(df, -t)
    return 2 * special.stdtr(df, -np.abs(t))


@composed(stats.ttest_1samp)
def ttest_1samp(a, popmean, axis=0, nan_policy="propagate", alternative="two-sided", *, keepdims=False):
    """t = (mean - popmean) √n / s."""
    asked("ttest_1samp", nan_policy, keepdims)
    (a,) = lined_up(axis, a)
    n = np.shape(a)[-1]
    offset = popmean if np.ndim(popmean) == 0 or axis is None else np.squeeze(np.asarray(popmean), axis=axis)
    t = (np.mean(a, axis=-1) - offset) / np.sqrt(np.var(a, axis=-1, ddof=1) / n)
    return t, tail_of_t(t, n - 1, alternative)


@composed(stats.ttest_rel)
def ttest_rel(a, b, axis=0, nan_policy="propagate", alternative="two-sided", *, keepdims=False):
    """The test of the differences."""
    asked("ttest_rel", nan_policy, keepdims)
    a, b = lined_up(axis, a, b)
    d, n = a - b, np.shape(a)[-1]
    t = np.mean(d, axis=-1) / np.sqrt(np.var(d, axis=-1, ddof=1) / n)
    return t, tail_of_t(t, n - 1, alternative)


def tail_of_some(t, df, alternative):
    """The same for degrees of freedom that move: by the incomplete beta function, I(df/2, 1/2) at df / (df + t²)."""
    half = 0.5 * special.betainc(df / 2, 0.5, df / (df + t * t))
    if alternative == "two-sided":
        return 2 * half
    beyond = 1.0 * (t > 0 if alternative == "greater" else t < 0)
    return beyond * half + (1.0 - beyond) * (1 - half)  # `np.where` gives an array without axes for one number


def t_of_two(m1, v1, n1, m2, v2, n2, equal_var, alternative):
    """t of two means from their variances: pooled, or after B. L. Welch, Biometrika 34 (1947)."""
    if equal_var:
        df = n1 + n2 - 2.0
        v = ((n1 - 1) * v1 + (n2 - 1) * v2) / df
        t = (m1 - m2) / np.sqrt(v * (1.0 / n1 + 1.0 / n2))
    else:
        w1, w2 = v1 / n1, v2 / n2
        df = (w1 + w2) ** 2 / (w1**2 / (n1 - 1) + w2**2 / (n2 - 1))
        t = (m1 - m2) / np.sqrt(w1 + w2)
        return t, tail_of_some(t, df, alternative)
    return t, tail_of_t(t, df, alternative)


@composed(stats.ttest_ind_from_stats)
def ttest_ind_from_stats(mean1, std1, nobs1, mean2, std2, nobs2, equal_var=True, alternative="two-sided"):
    """From what is known of two samples."""
    m1, s1, m2, s2 = np.asarray(mean1), np.asarray(std1), np.asarray(mean2), np.asarray(std2)
    return t_of_two(m1, s1 * s1, nobs1, m2, s2 * s2, nobs2, equal_var, alternative)


@composed(stats.ttest_ind)
def ttest_ind(
    a, b, axis=0, equal_var=True, nan_policy="propagate", permutations=None, random_state=None,
    alternative="two-sided", trim=0, method=None, keepdims=False,
):  # fmt: skip
    """From the means and variances of two samples."""
    asked("ttest_ind", nan_policy, keepdims, permutations=permutations or None, trim=trim or None, method=method)
    a, b = lined_up(axis, a, b)
    v1, v2 = np.var(a, axis=-1, ddof=1), np.var(b, axis=-1, ddof=1)
    m1, m2 = np.mean(a, axis=-1), np.mean(b, axis=-1)
    return t_of_two(m1, v1, np.shape(a)[-1], m2, v2, np.shape(b)[-1], equal_var, alternative)


@composed(stats.f_oneway)
def f_oneway(*samples, axis=0, equal_var=True, nan_policy="propagate", keepdims=False):
    """F, the mean squares between over those within the samples."""
    asked("f_oneway", nan_policy, keepdims, equal_var=None if equal_var else False)
    groups = lined_up(axis, *samples)
    means = [np.mean(a, axis=-1) for a in groups]
    sizes = [np.shape(a)[-1] for a in groups]
    total = sum(sizes)
    grand = sum([n * m for n, m in zip(sizes, means, strict=True)]) / total
    between = sum([n * (m - grand) ** 2 for n, m in zip(sizes, means, strict=True)])
    within = sum([n * np.var(a, axis=-1) for n, a in zip(sizes, groups, strict=True)])
    f = (between / (len(groups) - 1)) / (within / (total - len(groups)))
    return f, special.fdtrc(len(groups) - 1, total - len(groups), f)


POWERS = {
    "pearson": 1, "log-likelihood": 0, "freeman-tukey": -0.5, "mod-log-likelihood": -1, "neyman": -2,
    "cressie-read": 2 / 3,
}  # fmt: skip


def divergence(f_obs, f_exp, ddof, axis, power):
    """2 / (λ (λ + 1)) Σ o ((o / e)^λ - 1), and its limits at 0 and -1.

    Source: N. Cressie, T. R. C. Read, Multinomial goodness-of-fit tests, J. R. Stat. Soc. B 46 (1984), 440-464.
    """
    (o,) = lined_up(axis, f_obs)
    e = np.mean(o, axis=-1, keepdims=True) if f_exp is None else lined_up(axis, f_exp)[0]
    o, e = np.broadcast_arrays(o, e)
    if power == 1:
        terms = (o - e) ** 2 / e
    elif power == 0:
        terms = 2 * special.xlogy(o, o / e)
    elif power == -1:
        terms = 2 * special.xlogy(e, e / o)
    else:
        terms = 2 / (power * (power + 1)) * o * ((o / e) ** power - 1)
    total = np.sum(terms, axis=-1)
    return total, special.chdtrc(np.shape(terms)[-1] - 1 - ddof, total)


@composed(stats.power_divergence)
def power_divergence(f_obs, f_exp=None, ddof=0, axis=0, lambda_=None, *, nan_policy="propagate", keepdims=False):
    """The divergence of frequencies from those that are expected."""
    asked("power_divergence", nan_policy, keepdims)
    power = 1 if lambda_ is None else POWERS[lambda_] if isinstance(lambda_, str) else lambda_
    return divergence(f_obs, f_exp, ddof, axis, power)


@composed(stats.chisquare)
def chisquare(f_obs, f_exp=None, ddof=0, axis=0, *, sum_check=True, nan_policy="propagate", keepdims=False):
    """Σ (o - e)² / e."""
    asked("chisquare", nan_policy, keepdims)
    return divergence(f_obs, f_exp, ddof, axis, 1)


@composed(stats.jarque_bera)
def jarque_bera(x, *, axis=None, nan_policy="propagate", keepdims=False):
    """n / 6 (skewness² + kurtosis² / 4)."""
    asked("jarque_bera", nan_policy, keepdims)
    (x,) = lined_up(axis, x)
    d = x - np.mean(x, axis=-1, keepdims=True)
    m2 = np.mean(d * d, axis=-1)
    skewness, excess = np.mean(d**3, axis=-1) / m2**1.5, np.mean(d**4, axis=-1) / m2**2 - 3
    found = np.shape(x)[-1] / 6 * (skewness**2 + excess**2 / 4)
    return found, special.chdtrc(2, found)


# Of the order of values alone

_RANKED = (
    "ansari brunnermunzel chatterjeexi friedmanchisquare kendalltau kruskal ks_2samp mannwhitneyu median_test mood "
    "page_trend_test quantile_test ranksums somersd spearmanr spearmanrho weightedtau wilcoxon"
)
non_differentiable(*[getattr(stats, name) for name in _RANKED.split() if hasattr(stats, name)])
