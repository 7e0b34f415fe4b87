"""Rules for `scipy.stats`, by family."""

from . import (  # noqa: F401
    bounded,
    correlations,
    cumulative,
    discrete,
    half_line,
    methods,
    multivariate,
    powers,
    real_line,
    skewed,
    summaries,
)
