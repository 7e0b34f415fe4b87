"""Samples for draws from distributions of `scipy.stats`: the same random bits each time, other parameters."""

from __future__ import annotations

from typing import Any

import numpy as np
from rules.sampling import sample_of
from scipy import stats

LOC = np.array([0.3, 0.8])
RVS = type(stats.norm).rvs
TABLE = stats.rv_discrete(values=([1.5, 2.5], [0.3, 0.7]))


def drawn(name: str) -> Any:
    """Draws by all parameters, of the shape (3, 2)."""
    return lambda *args: getattr(stats, name).rvs(*args, size=(3, 2), random_state=5)


MEANS = {
    "multivariate_normal": np.array([0.3, 0.8]),
    "multivariate_t": np.array([0.3, 0.8]),
    "matrix_normal": np.array([[0.3, 0.8, 1.1], [0.2, 0.4, 0.5]]),
}


def frozen_of(name: str, mean: Any = None) -> Any:
    """A distribution of vectors with a spread of its own."""
    mean = MEANS[name] if mean is None else mean
    wide = [[2.0, 0.3], [0.3, 1.0]]
    if name == "matrix_normal":
        return stats.matrix_normal(mean, wide, np.eye(3))
    return getattr(stats, name)(mean, wide)


def vectors(name: str) -> Any:
    """Draws by where they lie."""
    if name == "matrix_normal":
        return lambda m: stats.matrix_normal.rvs(m, [[2.0, 0.3], [0.3, 1.0]], size=2, random_state=5)
    return lambda m: getattr(stats, name).rvs(m, [[2.0, 0.3], [0.3, 1.0]], size=2, random_state=5)


def frozen_vectors(name: str) -> Any:
    """The same, of a distribution that has its parameters."""
    return lambda m: frozen_of(name, m).rvs(2, 5)


SAMPLES = [
    *[sample_of(RVS, drawn(name), LOC, 1.4) for name in ("norm", "uniform", "cauchy", "expon")],
    sample_of(RVS, drawn("gompertz"), 0.9, LOC, 1.4),
    sample_of(RVS, drawn("johnsonsu"), 0.4, 1.2, LOC, 1.4),
    sample_of(RVS, drawn("genextreme"), 0.2, 0.3, np.array([1.4, 0.7])),
    sample_of(RVS, lambda loc, scale: stats.gamma.rvs(2.5, loc, scale, (3, 2), random_state=5), LOC, 1.4),
    sample_of(RVS, lambda loc: stats.norm.rvs(loc, random_state=np.random.default_rng(5)), 0.3).but(order=1),
    sample_of(
        type(stats.norm()).rvs, lambda loc, scale: stats.norm(loc, scale=scale).rvs((3, 2), random_state=5), LOC, 1.4
    ),
    sample_of(type(stats.norm()).rvs, lambda c: stats.gompertz(c).rvs(random_state=5), 0.9),
    sample_of(
        type(stats.vonmises).rvs,
        lambda loc, scale: stats.vonmises.rvs(2.5, loc, scale, (3, 2), random_state=5),
        LOC,
        1.4,
    ),
    *[sample_of(type(getattr(stats, name)).rvs, vectors(name), MEANS[name]) for name in MEANS],
    *[sample_of(type(frozen_of(name)).rvs, frozen_vectors(name), MEANS[name]) for name in MEANS],
    sample_of(type(stats.wrapcauchy).rvs, drawn("wrapcauchy"), 0.4, LOC, 1.4),
    sample_of(
        stats.rv_discrete.rvs,
        lambda loc: TABLE.rvs(loc=loc, size=(3, 2), random_state=5),
        LOC,
    ),
]
