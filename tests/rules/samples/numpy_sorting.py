"""Samples for functions that put entries in order, or select them by their rank."""

import numpy as np
from rules.sampling import normal, sample, sample_of

A = np.argsort(normal(20)).reshape(4, 5) * 0.25
T = np.argsort(normal(24)).reshape(2, 3, 4) * 0.25
W = np.abs(normal(4, 5, seed=2)) + 0.5
MASK = normal(4, 5, seed=3) > -0.5
TWICE = np.array([[2.5, 1.5, 2.5, 0.5], [1.5, 0.5, 3.5, 0.25]])
METHODS = [
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "interpolated_inverted_cdf",
    "hazen",
    "weibull",
]
METHODS += ["linear", "median_unbiased", "normal_unbiased", "lower", "higher", "midpoint", "nearest"]
RANKS = [(np.quantile, 1.0), (np.percentile, 100.0), (np.nanquantile, 1.0), (np.nanpercentile, 100.0)]


def of_numbers(f, *others, **options):
    """A function of what is left of an array with holes."""

    def program(a):
        return f(np.where(MASK, a, np.nan), *others, **options)

    return program


def weighted(f, q, w, **options):
    """Quantiles of entries that have weights."""

    def program(a):
        return f(a, q, weights=w, method="inverted_cdf", **options)

    return program


def different(**options):
    """The first result of `np.unique`."""

    def program(a):
        found = np.unique(a, **options)
        return found[0] if isinstance(found, tuple) else found

    return program


SAMPLES = [
    sample(np.sort, A).but(complex=True),
    sample(np.sort, T, 1),
    sample(np.sort, A, axis=None),
    sample(np.sort, A, kind="stable"),
    sample(np.sort, A, stable=True),
    sample(np.sort, [2.5, 1.5, 3.5]),
    sample(np.sort, np.zeros((0, 2))).but(order=1, single=False),
    sample_of(np.sort_complex, lambda a: np.sort_complex(a) * 2, A[0]),
    sample_of(np.sort_complex, lambda a: np.sort_complex(a) * 2, normal(5, dtype=np.complex128)),
    sample(np.partition, A, 2).but(complex=True),
    sample(np.partition, A, (1, 3), axis=0),
    sample(np.partition, A, 7, None),
    sample_of(np.ndarray.sort, lambda a: (a.sort(axis=0), a * np.arange(5.0))[1], A).but(strided=False),
    # different entries
    sample(np.unique, A),
    sample(np.unique, [2.5, 1.5, 3.5]),
    sample(np.unique, T, axis=1),
    sample_of(np.unique, different(return_index=True, return_inverse=True, return_counts=True), A),
    sample_of(np.unique, different(return_counts=True, axis=0), A),
    *[sample_of(f, lambda a, f=f: f(a).values * 2, A) for f in (np.unique_all, np.unique_counts, np.unique_inverse)],
    sample_of(np.unique_values, lambda a: np.sort(np.unique_values(a)), A),
    sample(np.union1d, A[0], A[1]),
    sample_of(np.intersect1d, lambda a: np.intersect1d(a, np.concatenate((a[0], [9.5]))), A),
    sample_of(np.intersect1d, lambda a: np.intersect1d(a, np.flip(a[1]), return_indices=True)[0], A),
    sample_of(np.setdiff1d, lambda a: np.setdiff1d(a, [a[0, 1], a[2, 3], 9.5]), A),
    sample_of(np.setdiff1d, lambda a, b: np.setdiff1d(a, b, assume_unique=True), A[0], A[1]),
    sample(np.setxor1d, A[0], A[1]),
    # ranks
    *[
        s
        for f, more in ((np.median, ()), (np.nanmedian, ()), *((f, (0.3 * unit,)) for f, unit in RANKS))
        for s in [
            sample(f, A, *more),
            sample(f, T, *more, axis=(0, -1)),
            sample(f, T, *more, axis=1, keepdims=True),
            sample(f, [2.5, 1.5, 3.5, 0.5], *more),
            sample(f, T[0], *more, axis=0).but(order=1),
        ]
    ],
    *[sample(np.median, x).but(single=False, strided=False) for x in (normal(1), normal(), 1.5, normal(4) + 0j)],
    *[
        sample(f, A, unit * np.array([[0.1, 0.25], [0.7, 0.99]]), axis=axis, keepdims=keepdims)
        for f, unit in RANKS
        for axis, keepdims in ((0, False), (None, True))
    ],
    *[sample(f, A, [0.2 * unit, 0.55 * unit], 1) for f, unit in RANKS],
    *[
        sample(f, A[0], 0.37 * unit, method=method).but(order=1)
        for f, unit in (RANKS[0], RANKS[3])
        for method in METHODS
    ],
    *[
        sample(np.quantile, A, np.array([0.01, 0.33, 0.98]), axis=1, method=method).but(strided=False)
        for method in METHODS
    ],
    *[sample_of(np.quantile, lambda a, q=q: np.quantile(a, q, axis=1), A) for q in (0.0, 0.5, 1.0)],
    *[sample_of(f, of_numbers(f, 0.3 * unit, axis=axis), A) for f, unit in RANKS[2:] for axis in (None, 0)],
    sample_of(np.nanmedian, of_numbers(np.nanmedian, axis=1, keepdims=True), A),
    sample_of(np.nanquantile, of_numbers(np.nanquantile, [0.2, 0.7], axis=(0, 1), method="hazen"), A),
    sample_of(np.quantile, weighted(np.quantile, 0.4, W), A),
    sample_of(np.quantile, weighted(np.quantile, [0.2, 0.6], W[0], axis=1, keepdims=True), A),
    sample_of(np.percentile, weighted(np.percentile, [20, 60], W[:, 0], axis=0), A),
    sample_of(np.nanquantile, weighted(np.nanquantile, 0.4, W, axis=0), np.where(MASK, A, np.nan)).but(order=1),
    # results that are written into arrays
    *[
        sample_of(f, lambda a, f=f, more=more: f(a, *more, axis=0, out=np.zeros(5)) ** 2, A).but(single=False)
        for f, more in ((np.median, ()), (np.quantile, (0.3,)), (np.nanpercentile, (30,)))
    ],
]
