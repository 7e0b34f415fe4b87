"""Samples for tests of samples, and for distances between them."""

from typing import Any

import numpy as np
import scipy.stats as stats
from rules.sampling import normal, sample, sample_of

X, Y = normal(3, 6), normal(3, 5) + 0.4
COUNTS, EXPECTED = np.array([5.0, 8.0, 4.0, 3.0]), np.array([4.0, 7.0, 5.0, 4.0])
WEIGHTS = np.array([0.5, 1.0, 2.0, 1.0, 0.7])
LONG = normal(12) * np.linspace(0.5, 1.5, 12)
TABLE = np.array([[5.0, 8.5, 4.0], [3.0, 6.0, 9.5]])
PROBABILITIES = np.array([0.12, 0.4, 0.07, 0.6])


def both(test: Any, **options: Any) -> Any:
    """The statistic and its probability."""
    return lambda *a: tuple(test(*a, **options))


SAMPLES = [
    sample_of(stats.ttest_1samp, both(stats.ttest_1samp, axis=1), X, 0.3),
    sample_of(stats.ttest_1samp, both(stats.ttest_1samp, axis=None, alternative="less"), X, 0.3),
    sample_of(stats.ttest_1samp, lambda a: stats.ttest_1samp(a, 0.3, alternative="greater").pvalue, X),
    sample_of(stats.ttest_rel, both(stats.ttest_rel, axis=1), X, X[::-1] + normal(3, 6)),
    sample_of(stats.ttest_ind, both(stats.ttest_ind, axis=1), X, Y),
    sample_of(stats.ttest_ind, both(stats.ttest_ind, equal_var=False), X[0], Y[0]).but(order=1),
    sample_of(stats.ttest_ind, both(stats.ttest_ind, equal_var=False, alternative="less"), X[0], Y[0]).but(order=1),
    sample_of(
        stats.ttest_ind_from_stats,
        lambda *a: tuple(stats.ttest_ind_from_stats(*a[:2], 9, *a[2:], 7)),
        1.0,
        0.8,
        1.4,
        0.6,
    ),
    sample_of(stats.f_oneway, both(stats.f_oneway), X[0], Y[0], Y[1]),
    sample_of(stats.f_oneway, both(stats.f_oneway, axis=1), X, Y).but(order=1),
    sample_of(stats.chisquare, lambda a, e: tuple(stats.chisquare(a, e * a.sum() / e.sum())), COUNTS, EXPECTED).but(
        lists=False
    ),
    sample_of(stats.chisquare, lambda a: stats.chisquare(a, axis=None).pvalue, COUNTS),
    *[
        sample_of(stats.power_divergence, both(stats.power_divergence, lambda_=power), COUNTS).but(order=1)
        for power in ("log-likelihood", "mod-log-likelihood", "cressie-read", 0.4)
    ],
    sample_of(stats.jarque_bera, both(stats.jarque_bera), X[0]).but(single=False),
    sample_of(stats.pointbiserialr, lambda y: tuple(stats.pointbiserialr([True, False, False, True, True], y)), Y[0]),
    sample(stats.wasserstein_distance, X[0], Y[0]),
    sample(stats.wasserstein_distance, X[0], Y[0], None, WEIGHTS),
    sample(stats.energy_distance, X[0], Y[0]),
    sample(stats.energy_distance, X[0], Y[0], v_weights=WEIGHTS),
    sample(stats.median_abs_deviation, X, axis=1),
    sample(stats.median_abs_deviation, X, axis=None, scale="normal", keepdims=True),
    sample(stats.tmin, X, axis=1),
    sample(stats.tmax, X, axis=None, keepdims=True),
    sample(stats.yeojohnson, X[0], 1.3),
    sample(stats.yeojohnson_llf, 1.3, X[0]),
    sample_of(stats.skewtest, both(stats.skewtest), LONG),
    sample_of(stats.skewtest, both(stats.skewtest, axis=1, alternative="less"), np.stack((LONG, LONG**2))).but(order=1),
    sample_of(stats.kurtosistest, both(stats.kurtosistest), LONG),
    sample_of(stats.kurtosistest, lambda a: stats.kurtosistest(a, axis=None, alternative="greater").pvalue, LONG**3),
    sample_of(stats.normaltest, both(stats.normaltest), LONG),
    sample_of(stats.levene, both(stats.levene), X[0], Y[0], Y[1]).but(order=1),
    sample_of(stats.levene, both(stats.levene, center="mean", axis=1), X, Y).but(order=1),
    sample_of(stats.levene, both(stats.levene, center="trimmed", proportiontocut=0.25), X[0], Y[0]).but(order=1),
    sample_of(stats.bartlett, both(stats.bartlett), X[0], Y[0], Y[1]),
    sample_of(stats.bartlett, both(stats.bartlett, axis=1), X, 1.5 * Y).but(order=1),
    sample_of(stats.chi2_contingency, lambda o: tuple(stats.chi2_contingency(o)), TABLE),
    sample_of(stats.chi2_contingency, lambda o: tuple(stats.chi2_contingency(o))[:2], TABLE[:, 1:]).but(order=1),
    sample_of(stats.chi2_contingency, lambda o: stats.chi2_contingency(o, False, "log-likelihood").pvalue, TABLE),
    sample(stats.contingency.expected_freq, TABLE),
    *[
        sample_of(stats.combine_pvalues, both(stats.combine_pvalues, method=method), PROBABILITIES)
        for method in ("fisher", "pearson", "mudholkar_george", "tippett")
    ],
    sample_of(
        stats.combine_pvalues,
        lambda p, w: tuple(stats.combine_pvalues(p, "stouffer", w, axis=1)),
        np.stack((PROBABILITIES, PROBABILITIES[::-1])),
        WEIGHTS[:4],
    ).but(order=1),
    sample_of(stats.describe, lambda a: tuple(stats.describe(a, axis=1))[1:], X),
    sample_of(stats.describe, lambda a: tuple(stats.describe(a, axis=None, bias=False))[2:], X).but(order=1),
    *[sample(stats.kstat, X, n, axis=1) for n in (1, 2, 3, 4)],
    sample(stats.kstat, X, 3, keepdims=True),
    sample(stats.kstatvar, X, 1),
    sample(stats.kstatvar, X, 2, axis=1),
    sample(stats.scoreatpercentile, X, 30.0, axis=1),
    sample(stats.scoreatpercentile, X, 30.0, (-1.0, 2.0), "lower"),
    sample_of(stats.sigmaclip, lambda a: tuple(stats.sigmaclip(a, 1.5, 1.4)), LONG),
    sample(stats.trimboth, X, 0.2, axis=1),
    sample(stats.trim1, X, 0.4, axis=None),
    sample(stats.trim1, X, 0.4, "left", axis=0),
]
