"""Rules for `scipy.stats`, by family."""

import scipy.stats

from ..effects import declare
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

declare(scipy.stats, shows="pearsonr pointbiserialr trim1 trim_mean trimboth", but="boxcox yeojohnson")
declare(scipy.stats.contingency)
