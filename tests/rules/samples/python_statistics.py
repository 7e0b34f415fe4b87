"""Samples for the module `statistics`."""

from __future__ import annotations

import statistics
from typing import Any

from rules.sampling import sample_of

XS = [1.0, 2.5, 4.0, 3.0]
YS = [2.0, 1.0, 5.5, 3.0]


def of_name(name: str, *args: Any) -> Any:
    """A function of the module."""
    return getattr(statistics, name)(*args)


def normal(mu: float, sigma: float, x: float) -> Any:
    """What a normal distribution says of a number."""
    d = statistics.NormalDist(mu, sigma)
    return [d.pdf(x), d.cdf(x), d.inv_cdf(0.3), d.zscore(x), (d + 1.0).mean, (d * 2.0).stdev, d.variance]


ALONE = ["mean", "fmean", "geometric_mean", "harmonic_mean", "median", "median_low", "median_high"]
ALONE += ["median_grouped", "mode", "pstdev", "pvariance", "stdev", "variance"]

SAMPLES = [
    *[sample_of(getattr(statistics, name), of_name, name, XS) for name in ALONE],
    *[sample_of(getattr(statistics, name), of_name, name, XS, YS) for name in ("fmean", "harmonic_mean")],
    *[sample_of(getattr(statistics, name), of_name, name, XS, YS) for name in ("correlation", "covariance")],
    *[sample_of(getattr(statistics, n), of_name, n, XS, 2.0) for n in ("variance", "pvariance", "stdev", "pstdev")],
    sample_of(statistics.fmean, lambda v, w: statistics.fmean(v, weights=w), XS, YS),
    sample_of(statistics.mean, lambda a, b: statistics.mean(x * x for x in (a, b)), 0.5, 1.5),
    sample_of(statistics.quantiles, lambda v: statistics.quantiles(v, n=3, method="inclusive"), XS),
    sample_of(statistics.linear_regression, lambda v, w: tuple(statistics.linear_regression(v, w)), XS, YS),
    sample_of(
        statistics.linear_regression, lambda v, w: statistics.linear_regression(v, w, proportional=True).slope, XS, YS
    ),
    sample_of(statistics.NormalDist, normal, 0.3, 1.5, 0.7),
    sample_of(statistics._mean_stdev, lambda v: statistics.NormalDist.from_samples(v).stdev, XS),
    sample_of(statistics._normal_dist_inv_cdf, lambda p, m, s: statistics.NormalDist(m, s).inv_cdf(p), 0.3, 0.5, 1.5),
    sample_of(
        statistics.NormalDist, lambda m, s: statistics.NormalDist(m, s).overlap(statistics.NormalDist()), 0.5, 1.5
    ),
]
if hasattr(statistics, "kde"):
    SAMPLES += [
        sample_of(statistics.kde, lambda v, x: statistics.kde(v, 1.0)(x), XS, 0.5),
        sample_of(statistics.kde, lambda v, h: statistics.kde(v, h, "logistic", cumulative=True)(0.5), XS, 0.8),
    ]
