"""Samples for `numpy.random`: the same random bits each time, other parameters."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from rules.sampling import Sample, sample_of

OWNERS: dict[Any, Any] = {np.random.Generator: np.random.default_rng, np.random.RandomState: np.random.RandomState}
LOC = np.array([0.5, 1.0])
COV = np.array([[2.0, 0.3, 0.1], [0.3, 1.0, 0.2], [0.1, 0.2, 0.5]])
MEAN = np.array([1.0, 2.0, 3.0])

PARAMETERS: dict[str, tuple[Any, ...]] = {
    **dict.fromkeys(("normal", "laplace", "logistic", "gumbel", "uniform"), (LOC, 2.5)),
    "lognormal": (LOC, 0.4),
    "triangular": (LOC, 1.5, np.array([[2.0], [3.5], [4.0]])),
    **dict.fromkeys(("exponential", "rayleigh", "weibull", "pareto", "power"), (LOC + 1,)),
}
"""Parameters of each draw, to be broadcast to (3, 2)."""


def drawn(make: Any, name: str, **options: Any) -> Any:
    """A draw of a new generator."""
    return lambda *args: getattr(make(7), name)(*args, **options)


def of_owner(owner: Any, make: Any) -> Iterator[Sample]:
    for name, args in PARAMETERS.items():
        yield sample_of(getattr(owner, name), drawn(make, name, size=(3, 2)), *args)
        yield sample_of(getattr(owner, name), drawn(make, name), *[float(np.ravel(x)[-1]) for x in args]).but(order=1)
    yield sample_of(owner.gamma, lambda scale: make(7).gamma(0.5, scale, (3, 2)), LOC)
    yield sample_of(owner.gamma, lambda scale: make(7).gamma(3.0, scale, (3, 2)), LOC)
    yield sample_of(owner.vonmises, lambda mu: make(7).vonmises(mu, [2.0, 1e-9], (3, 2)), LOC)
    for size in (None, 2, (2, 3)):
        yield sample_of(owner.choice, lambda a, size=size: make(7).choice(a, size), MEAN)
    yield sample_of(owner.choice, lambda a: make(7).choice(a, 2, False, [0.2, 0.5, 0.3]), MEAN)
    yield sample_of(owner.multivariate_normal, lambda mean: make(7).multivariate_normal(mean, COV, 2), MEAN)
    yield sample_of(owner.multivariate_normal, lambda mean: make(7).multivariate_normal(mean, COV), MEAN).but(order=1)


def by_covariance(size: Any) -> Any:
    """A draw by its covariance matrix, which is symmetric."""
    return lambda mean, A: np.random.default_rng(7).multivariate_normal(
        mean, A @ np.transpose(A) + np.eye(3), size, method="cholesky"
    )


SAMPLES = [
    *[
        sample_of(np.random.Generator.choice, drawn(np.random.default_rng, "choice", size=2, **options), COV)
        for options in ({}, {"axis": 1}, {"shuffle": False, "replace": False})
    ],
    *[s for owner, make in OWNERS.items() for s in of_owner(owner, make)],
    sample_of(np.random.Generator.multivariate_normal, by_covariance(None), MEAN, COV).but(lists=False),
    sample_of(np.random.Generator.multivariate_normal, by_covariance((2, 2)), MEAN, COV).but(lists=False),
]
