"""Rules for `scipy.stats`, by family."""

from . import (  # noqa: F401
    bounded,
    correlations,
    cumulative,
    discrete,
    distances,
    draws,
    half_line,
    methods,
    multivariate,
    powers,
    probabilities,
    real_line,
    samples,
    skewed,
    summaries,
    variances,
    vectors,
)
