"""Rules for `scipy.stats`, by family."""

from . import (  # noqa: F401
    bounded,
    discrete,
    half_line,
    methods,
    multivariate,
    real_line,
    summaries,
)
